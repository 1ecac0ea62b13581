/*
 * preview.c: what an edit would do to the file as it is now, for the card that asks about it. Where
 * the file cannot be had, or is nothing to be shown, what the arguments say stands alone. The tool
 * looks for itself when it runs.
 */
#include <string.h>

#include "desk/internal.h"
#include "edit/edit.h"

enum {
    FILE_MAX = 1024 * 1024, /* bytes of a file that is looked at */
    DIFF_MAX = 64 * 1024,
    CONTEXT = 1, /* lines: a card is small */
};

struct preview {
    const char *path; /* as the card names it */
    struct sf_edit edits[SF_EDITS_MAX];
    size_t count;
    const char *content;     /* of Write: all of the file; else NULL */
    struct sf_strbuf before; /* the file */
    bool has_file, fits;
};

/* ---- from the arguments ---- */

static void add_edit(struct preview *p, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *before, *after;
    bool all;

    if (p->count < SF_EDITS_MAX && sf_json_get_str(json, "old_string", &before, &ignored) &&
        sf_json_get_str(json, "new_string", &after, &ignored) &&
        sf_json_opt_bool(json, "replace_all", false, &all, &ignored))
        p->edits[p->count++] =
            (struct sf_edit){ before, after, strlen(before), strlen(after), all };
}

static void read_args(struct preview *p, const char *tool, const struct sf_json *json)
{
    const struct sf_json *list = sf_json_get(json, "edits");
    struct sf_error ignored = SF_ERROR_INIT;

    if (!strcmp(tool, "Edit"))
        add_edit(p, json);
    else if (!strcmp(tool, "Write") && !sf_json_get_str(json, "content", &p->content, &ignored))
        p->content = NULL;
    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it))
        add_edit(p, it);
}

/* ---- the file ---- */

/* The one it writes, if that lies in the workspace and holds no secrets. */
static void read_file(struct preview *p, const struct sf_desk *d, const struct sf_action *action)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *name = NULL;
    char *path;

    for (size_t i = 0; i < action->path_count; i++)
        if (action->paths[i].writes && action->paths[i].zone == SF_PATH_INSIDE)
            name = action->paths[i].path;
    if (!name)
        return;
    path = sf_path_join(d->setup.talk.workspace->root, name);
    p->has_file = sf_file_read(path, FILE_MAX, &p->before, &err) || err.code == SF_E_NOENT;
    free(path);
}

/* ---- the difference ---- */

struct text {
    const char *at;
    size_t len;
};

static void add_diff(const struct preview *p, struct text before, struct text after,
                     struct sf_strbuf *out)
{
    const struct sf_diff_style style = {
        .old_name = p->path, .new_name = p->path, .context = CONTEXT, .max = DIFF_MAX
    };
    struct sf_diff diff;

    sf_diff_init(&diff, before.at, before.len, after.at, after.len);
    sf_diff_add(out, &diff, &style, NULL);
    sf_diff_release(&diff);
}

static struct text text_of(const struct sf_strbuf *text)
{
    return (struct text){ text->buf, text->len };
}

static void apply(struct preview *p, struct sf_strbuf *out)
{
    const struct sf_edit_job job = {
        .bytes = p->before.buf, .len = p->before.len, .edits = p->edits, .count = p->count
    };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_edit_result result;

    sf_edit_result_init(&result);
    p->fits = sf_edit_apply(&job, &result, &ignored);
    if (p->fits)
        add_diff(p, text_of(&p->before), text_of(&result.bytes), out);
    sf_edit_result_release(&result);
}

static void add_bare(const struct preview *p, struct sf_strbuf *out)
{
    for (size_t i = 0; i < p->count; i++)
        add_diff(p, (struct text){ p->edits[i].old_text, p->edits[i].old_len },
                 (struct text){ p->edits[i].new_text, p->edits[i].new_len }, out);
}

static void add_changes(struct preview *p, struct sf_strbuf *out)
{
    if (p->content) {
        p->fits = true;
        add_diff(p, text_of(&p->before), (struct text){ p->content, strlen(p->content) }, out);
    } else if (p->count) {
        if (p->has_file)
            apply(p, out);
        if (!p->fits)
            add_bare(p, out);
    }
}

bool sf_preview_diff(const struct sf_desk *d, const struct sf_told *told, struct sf_strbuf *out)
{
    struct preview *p = sf_alloc(sizeof(*p));
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(told->call->args, told->call->len, NULL, &ignored);
    const char *patch;
    bool fits;

    p->path = told->call->what;
    sf_strbuf_init(&p->before);
    if (json && !strcmp(told->call->name, "ApplyPatch")) {
        if (sf_json_get_str(json, "patch", &patch, &ignored))
            sf_strbuf_adds(out, patch);
    } else if (json) {
        read_args(p, told->call->name, json);
        if (p->count || p->content)
            read_file(p, d, &told->judged->action);
        add_changes(p, out);
    }
    fits = p->fits || !p->count || !p->has_file;
    sf_strbuf_release(&p->before);
    sf_json_free(json);
    free(p);
    return fits;
}
