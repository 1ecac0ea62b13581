/*
 * ls.c: the LS tool: a directory as a small tree, two levels deep.
 */
#include "base/base.h"
#include "find/find.h"
#include "tools/kind.h"
#include "tools/search.h"
#include "tools/table_rows.h"

enum {
    SHOWN_MAX = 500,  /* entries */
    SHOWN_BELOW = 20, /* entries of each subdirectory */
    SHOWN_DEPTH = 2,
    IGNORE_GLOBS = 32,
};

struct globs {
    struct sf_glob *items[IGNORE_GLOBS];
    size_t count;
};

static void release_globs(struct globs *globs)
{
    for (size_t i = 0; i < globs->count; i++)
        sf_glob_free(globs->items[i]);
}

static bool read_globs(struct globs *globs, const struct sf_json *args, struct sf_error *err)
{
    const struct sf_json *list = sf_json_get(args, "ignore");

    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it)) {
        const char *text = "";

        if (!sf_json_as_str(it, "ignore", &text, err))
            return false;
        globs->items[globs->count] = sf_glob_new(text, err);
        if (!globs->items[globs->count])
            return false;
        globs->count++;
    }
    return true;
}

/* Whether a glob matches the entry itself or a directory above it. */
static bool is_unwanted(const struct globs *globs, const char *path)
{
    for (size_t i = 0; i < globs->count; i++)
        for (size_t n = 1; path[n - 1]; n++)
            if ((path[n] == '/' || !path[n]) && sf_glob_match(globs->items[i], path, n))
                return true;
    return false;
}

static void add_item(struct sf_tool_call *call, const struct sf_list_item *item)
{
    static const char *const marks[] = {
        [SF_ENTRY_FILE] = "",
        [SF_ENTRY_DIR] = "/",
        [SF_ENTRY_LINK] = "@",
        [SF_ENTRY_OTHER] = "=",
    };
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_fill(&sb, ' ', 2 * (size_t)item->depth);
    sf_text_sanitize(&sb, item->path + item->name, strlen(item->path + item->name),
                     SF_TEXT_ONE_LINE);
    sf_strbuf_adds(&sb, marks[item->kind]);
    if (item->kind == SF_ENTRY_FILE && item->size >= 0) {
        sf_strbuf_adds(&sb, "  ");
        sf_kind_size(&sb, (uint64_t)item->size);
    }
    if (item->ignored)
        sf_strbuf_adds(&sb, "  (ignored)");
    if (item->more)
        sf_strbuf_addf(&sb, "  (%zu more in it)", item->more);
    sf_strbuf_addch(&sb, '\n');
    sf_tool_call_add_text(call, sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

static void report(struct sf_tool_call *call, const struct sf_place *place,
                   const struct sf_list_result *r, const struct globs *globs)
{
    size_t shown = 0;

    for (size_t i = 0; i < r->count; i++)
        if (!is_unwanted(globs, r->items[i].path)) {
            add_item(call, &r->items[i]);
            shown++;
        }
    if (!r->total)
        sf_tool_call_addf(call, "[%s is empty]\n", place->shown);
    else if (!shown)
        sf_tool_call_addf(call, "[nothing in %s but what was to be left out]\n", place->shown);
    if (r->truncated)
        sf_tool_call_addf(call, "[not all of it: list a directory below, or use Glob]\n");
    sf_tool_call_summary(call, "listed %s (%zu entr%s)", sf_tool_call_shown(call, place), r->total,
                         r->total == 1 ? "y" : "ies");
}

static void run_ls(struct sf_toolbox *box, struct sf_tool_call *call)
{
    const struct sf_place *place = &call->targets[0].place;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_search_ground policy;
    struct sf_list_request request;
    struct sf_list_result result;
    struct globs globs = { .count = 0 };

    if (!sf_search_ground(&policy, box, call))
        return;
    if (place->kind != SF_PLACE_DIR) {
        sf_tool_call_failf(call, "%s is a file\nuse Read to see it", place->shown);
        return;
    }
    request = (struct sf_list_request){ .root = policy.root,
                                        .start = policy.start,
                                        .depth = SHOWN_DEPTH,
                                        .max = SHOWN_MAX,
                                        .dir_max = SHOWN_BELOW,
                                        .cancel = &call->cancelled };
    if (!read_globs(&globs, call->args, &err) || !sf_list(&request, &result, &err)) {
        sf_tool_call_fail(call, &err);
    } else {
        report(call, place, &result, &globs);
        sf_list_release(&result);
    }
    release_globs(&globs);
}

/* clang-format off */
static const struct sf_tool_arg ls_args[] = {
    { .name = "path", .type = SF_ARG_STRING,
      .help = "Directory to list; the working directory when left out" },
    { .name = "ignore", .type = SF_ARG_STRINGS, .max = IGNORE_GLOBS,
      .help = "Globs of what to leave out" },
};
/* clang-format on */

const struct sf_tool sf_tool_ls = {
    .name = "LS",
    .help = "List a directory and what its directories hold, with sizes. Directories end in /, "
            "links in @; what the project's ignore files leave out is marked and not entered. To "
            "find files by name use Glob.",
    .args = ls_args,
    .arg_count = SF_COUNT(ls_args),
    .act = SF_ACT_READ,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_WORKER,
    .parallel = true,
    .describe = sf_search_describe,
    .run = run_ls,
};
