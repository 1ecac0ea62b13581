/*
 * glob.c: the Glob tool: files by name, newest first. Only names are shown, so files with secrets
 * are not left out.
 */
#include <inttypes.h>

#include "base/base.h"
#include "find/find.h"
#include "tools/search.h"
#include "tools/table_rows.h"

enum { SHOWN_FILES = 100 };

static void add_path(struct sf_tool_call *call, const struct sf_search_ground *policy,
                     const char *path)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    sf_stand_spell(&line, policy->stand, path);
    sf_tool_call_addf(call, "%s\n", line.buf);
    sf_strbuf_release(&line);
}

static void report(struct sf_tool_call *call, const struct sf_search_ground *policy,
                   const char *pattern, const struct sf_files_result *r)
{
    if (r->count)
        sf_search_add_base(policy, call);
    else
        sf_tool_call_addf(call, "no file is like %s\n", pattern);
    if (!r->count)
        sf_search_add_rooted(pattern, call);
    for (size_t i = r->first; i < r->first + r->count; i++)
        add_path(call, policy, r->hits.items[i].path);
    if (r->truncated)
        sf_tool_call_addf(call,
                          "[the %s %zu of %" PRIu64 " files; narrow the pattern or name a path to "
                          "see the others]\n",
                          policy->by_name ? "first" : "newest", r->count, r->total);
    if (!r->count && r->tally.ignored)
        sf_tool_call_addf(call,
                          "[what .gitignore leaves out was not looked at; name it as path to see "
                          "it]\n");
    sf_search_add_late(policy, &r->tally, call);
    sf_tool_call_summary(call, "looked for %s (%" PRIu64 " file%s)", pattern, r->total,
                         r->total == 1 ? "" : "s");
}

static void run_glob(struct sf_toolbox *box, struct sf_tool_call *call)
{
    const char *asked = sf_arg_str(call->args, "pattern", "");
    const char *globs[2] = { asked, NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_files_request request;
    struct sf_files_result result;
    struct sf_search_ground policy;
    struct sf_filter *filter;

    if (!sf_search_ground(&policy, box, call))
        return;
    globs[0] = sf_search_pattern(&policy, asked);
    filter = sf_filter_new(globs, NULL, &err);
    request =
        (struct sf_files_request){ .walk = { .root = policy.root,
                                             .start = policy.start,
                                             .filter = filter,
                                             .cancel = &call->cancelled,
                                             .within_ms = policy.within_ms,
                                             .clock_ms = policy.clock_ms },
                                   .order = policy.by_name ? SF_FILES_BY_PATH : SF_FILES_NEWEST,
                                   .limit = SHOWN_FILES };
    if (!filter || !sf_files_find(&request, &result, &err)) {
        sf_tool_call_fail(call, &err);
    } else {
        report(call, &policy, asked, &result);
        sf_files_release(&result);
    }
    sf_filter_free(filter);
}

/* clang-format off */
static const struct sf_tool_arg glob_args[] = {
    { .name = "pattern", .type = SF_ARG_STRING, .required = true,
      .help = "*.c at any depth, src/**/*.h, {a,b}*.md" },
    { .name = "path", .type = SF_ARG_STRING,
      .help = "Directory to look in; the working directory when left out" },
};
/* clang-format on */

const struct sf_tool sf_tool_glob = {
    .name = "Glob",
    .help = "Find files by name, the newest first, at most 100. A pattern without a slash is "
            "compared with names at any depth, one with a slash with the path below the place "
            "searched. What the project's ignore files leave out is not found.",
    .args = glob_args,
    .arg_count = SF_COUNT(glob_args),
    .act = SF_ACT_READ,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_WORKER,
    .parallel = true,
    .describe = sf_search_describe,
    .run = run_glob,
};
