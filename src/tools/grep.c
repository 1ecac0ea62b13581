/*
 * grep.c: the Grep tool. The find room searches; here the result is limited, sanitised and
 * explained: what was left out and how to see more.
 */
#include <inttypes.h>

#include "base/base.h"
#include "find/find.h"
#include "tools/search.h"
#include "tools/table_rows.h"

enum {
    SHOWN_BYTES = 40 * 1024,
    LINES_DEFAULT = 250,
    NAMED_MAX = 256 * 1024 * 1024, /* limit for a file that was given by name */
};

static const char *const modes[] = { "files_with_matches", "content", "count", NULL };

/* In the order of `modes`. */
static const enum sf_search_mode mode_values[] = { SF_SEARCH_FILES, SF_SEARCH_CONTENT,
                                                   SF_SEARCH_COUNT };

static enum sf_search_mode mode_of(const struct sf_json *args)
{
    const char *name = sf_arg_str(args, "output_mode", modes[0]);

    for (size_t i = 0; i < SF_COUNT(mode_values); i++)
        if (!strcmp(modes[i], name))
            return mode_values[i];
    return SF_SEARCH_FILES;
}

static size_t lines_of(const struct sf_json *args, const char *name, size_t fallback)
{
    return (size_t)sf_arg_int(args, name, (int64_t)fallback);
}

static void fill_request(struct sf_search_request *request, struct sf_tool_call *call,
                         struct sf_search_ground *policy)
{
    const struct sf_json *args = call->args;
    size_t around = lines_of(args, "-C", 0);

    *request = (struct sf_search_request){
        .walk = { .root = policy->root,
                  .start = policy->start,
                  .cancel = &call->cancelled,
                  .within_ms = policy->within_ms,
                  .clock_ms = policy->clock_ms,
                  .veto = sf_search_veto,
                  .veto_ctx = policy },
        .stand = policy->stand,
        .pattern = sf_arg_str(args, "pattern", ""),
        .options = { .ignore_case = sf_arg_bool(args, "-i", false),
                     .multiline = sf_arg_bool(args, "multiline", false) },
        .mode = mode_of(args),
        .before = lines_of(args, "-B", around),
        .after = lines_of(args, "-A", around),
        .offset = lines_of(args, "offset", 0),
        .head_limit = lines_of(args, "head_limit", LINES_DEFAULT),
        .bytes_max = SHOWN_BYTES,
        .file_max = policy->place->kind == SF_PLACE_DIR ? 0 : NAMED_MAX,
    };
    if (!request->head_limit)
        request->head_limit = LINES_DEFAULT;
}

static void add_count(struct sf_tool_call *call, uint64_t n, const char *one, const char *rest)
{
    if (n)
        sf_tool_call_addf(call, "[%" PRIu64 " %s%s %s]\n", n, one, n == 1 ? "" : "s", rest);
}

/* Says which files were not searched, and why. */
static void add_omissions(struct sf_tool_call *call, const struct sf_search_result *r)
{
    add_count(call, r->tally.vetoed, "file", "that may hold secrets left out; Read asks for them");
    add_count(call, r->large, "file", "left out, larger than 32 MiB");
    add_count(call, r->unreadable + r->tally.unreadable, "file", "could not be read");
    if (r->failed)
        sf_tool_call_addf(call, "[%" PRIu64 " file%s not searched to the end: %s]\n", r->failed,
                          r->failed == 1 ? "" : "s", r->problem.msg);
}

/* If a file given by name was not searched, that is an error: "no matches" would be wrong. */
static bool fail_large(struct sf_tool_call *call, const struct sf_search_ground *policy,
                       const struct sf_search_result *r)
{
    if (!r->large || policy->place->kind == SF_PLACE_DIR)
        return false;
    sf_tool_call_failf(
        call,
        "%s is larger than %d MiB and was not searched\nuse a command for it: grep -n, or "
        "sed for a part of it",
        policy->place->shown, NAMED_MAX >> 20);
    return true;
}

static void add_nothing(struct sf_tool_call *call, const struct sf_search_request *request,
                        const struct sf_search_result *r)
{
    if (r->matches)
        sf_tool_call_addf(call,
                          "nothing at offset %zu: there are only %" PRIu64 " matches in %" PRIu64
                          " files\n",
                          request->offset, r->matches, r->files);
    else
        sf_tool_call_addf(call, "no matches in %" PRIu64 " file%s\n", r->searched,
                          r->searched == 1 ? "" : "s");
    if (!r->searched)
        sf_search_add_rooted(sf_arg_str(call->args, "glob", NULL), call);
    if (!r->matches && r->tally.ignored)
        sf_tool_call_addf(call, "[what .gitignore leaves out was not searched; name it as path to "
                                "search it]\n");
}

static void report(struct sf_tool_call *call, const struct sf_search_ground *policy,
                   const struct sf_search_request *request, const struct sf_search_result *r)
{
    if (r->text.len) {
        sf_search_add_base(policy, call);
        sf_tool_call_add_text(call, r->text.buf, r->text.len);
        if (r->text.buf[r->text.len - 1] != '\n')
            sf_tool_call_add_text(call, "\n", 1);
    } else {
        add_nothing(call, request, r);
    }
    if (r->truncated)
        sf_tool_call_addf(call,
                          "[more follow: %" PRIu64 " match%s in %" PRIu64
                          " file%s in all; go on with "
                          "offset %zu, or narrow it by path, glob or type]\n",
                          r->matches, r->matches == 1 ? "" : "es", r->files,
                          r->files == 1 ? "" : "s", request->offset + r->lines);
    add_omissions(call, r);
    sf_search_add_late(policy, &r->tally, call);
    sf_tool_call_summary(call, "searched for %s (%" PRIu64 " match%s in %" PRIu64 " file%s)",
                         request->pattern, r->matches, r->matches == 1 ? "" : "es", r->files,
                         r->files == 1 ? "" : "s");
}

static void run_grep(struct sf_toolbox *box, struct sf_tool_call *call)
{
    const char *globs[2] = { sf_arg_str(call->args, "glob", NULL), NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_search_request request;
    struct sf_search_result result;
    struct sf_search_ground policy;
    struct sf_filter *filter;

    if (!sf_search_ground(&policy, box, call))
        return;
    fill_request(&request, call, &policy);
    globs[0] = sf_search_pattern(&policy, globs[0]);
    filter = sf_filter_new(globs, sf_arg_str(call->args, "type", NULL), &err);
    request.walk.filter = filter;
    if (!filter || !sf_search(&request, &result, &err)) {
        sf_tool_call_fail(call, &err);
    } else {
        if (!fail_large(call, &policy, &result))
            report(call, &policy, &request, &result);
        sf_search_release(&result);
    }
    sf_filter_free(filter);
}

/* clang-format off */
static const struct sf_tool_arg grep_args[] = {
    { .name = "pattern", .type = SF_ARG_STRING, .required = true,
      .help = "Regular expression (PCRE2)" },
    { .name = "path", .type = SF_ARG_STRING,
      .help = "File or directory to search; the working directory when left out" },
    { .name = "glob", .type = SF_ARG_STRING, .help = "Only files like this: *.c, src/**/*.{h,c}, !*_test.go" },
    { .name = "type", .type = SF_ARG_STRING, .help = "Only files of this kind: c, py, rust, js …" },
    { .name = "output_mode", .type = SF_ARG_ENUM, .choices = modes,
      .help = "Paths (when left out), the lines, or the number of lines for each file" },
    { .name = "-A", .type = SF_ARG_INT, .max = 1000, .help = "Lines to show behind each match" },
    { .name = "-B", .type = SF_ARG_INT, .max = 1000, .help = "Lines to show before each match" },
    { .name = "-C", .type = SF_ARG_INT, .max = 1000, .alias = "context",
      .help = "Lines to show on both sides" },
    { .name = "-i", .type = SF_ARG_BOOL, .help = "Ignore case" },
    { .name = "-n", .type = SF_ARG_BOOL, .help = "Line numbers; they are always shown" },
    { .name = "multiline", .type = SF_ARG_BOOL,
      .help = "Let . match line breaks and matches go over several lines" },
    { .name = "head_limit", .type = SF_ARG_INT, .max = 10000,
      .help = "Lines of the answer to show; 250 when left out" },
    { .name = "offset", .type = SF_ARG_INT, .max = 10000000,
      .help = "Lines of the answer to pass over first" },
};
/* clang-format on */

const struct sf_tool sf_tool_grep = {
    .name = "Grep",
    .help = "Search the text of files by a regular expression, fast, in a fixed order. What the "
            "project's ignore files leave out is not searched, nor are binary files. Start with "
            "paths alone, then ask for content with -C where it matters. Prefer this to grep or "
            "rg in a command.",
    .args = grep_args,
    .arg_count = SF_COUNT(grep_args),
    .act = SF_ACT_READ,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_WORKER,
    .parallel = true,
    .describe = sf_search_describe,
    .run = run_grep,
};
