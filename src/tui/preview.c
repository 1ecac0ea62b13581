/*
 * preview.c: the change that an edit would make, for the card that asks about it: from the
 * rehearsal on the file or, where the file may not be read, from the arguments of the call.
 */
#include <string.h>

#include "tui/internal.h"

static void add_lines(struct sf_strbuf *out, char mark, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");

        sf_strbuf_addch(out, mark);
        sf_strbuf_add(out, text, n);
        sf_strbuf_addch(out, '\n');
        text += n + (text[n] == '\n');
    }
}

static size_t count_lines(const char *text)
{
    size_t count = 0;

    for (; *text; count++) {
        size_t n = strcspn(text, "\n");

        text += n + (text[n] == '\n');
    }
    return count;
}

static void add_hunk(struct sf_strbuf *out, const char *before, const char *after)
{
    sf_strbuf_addf(out, "@@ -1,%zu +1,%zu @@\n", count_lines(before), count_lines(after));
    add_lines(out, '-', before);
    add_lines(out, '+', after);
}

static void add_edit(struct sf_strbuf *out, const struct sf_json *edit)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *before, *after;

    if (sf_json_get_str(edit, "old_string", &before, &ignored) &&
        sf_json_get_str(edit, "new_string", &after, &ignored))
        add_hunk(out, before, after);
}

static void add_args(const char *tool, const struct sf_json *json, struct sf_strbuf *out)
{
    const struct sf_json *list = sf_json_get(json, "edits");
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text, *path = "file";

    if (!sf_json_opt_str(json, "file_path", path, &path, &ignored))
        return;
    if (!strcmp(tool, "Edit") || !strcmp(tool, "MultiEdit") || !strcmp(tool, "Write"))
        sf_strbuf_addf(out, "--- a/%s\n+++ b/%s\n", path, path);
    if (!strcmp(tool, "Edit"))
        add_edit(out, json);
    else if (!strcmp(tool, "Write") && sf_json_get_str(json, "content", &text, &ignored))
        add_hunk(out, "", text);
    else if (!strcmp(tool, "ApplyPatch") && sf_json_get_str(json, "patch", &text, &ignored))
        sf_strbuf_adds(out, text);
    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it))
        add_edit(out, it);
}

void sf_preview_diff(const struct sf_event *event, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json;

    if (event->ask.planned.text) {
        sf_strbuf_add(out, event->ask.planned.text, event->ask.planned.len);
        return;
    }
    json = sf_json_parse(event->call->args, event->call->len, NULL, &ignored);
    if (json)
        add_args(event->call->name, json, out);
    sf_json_free(json);
}
