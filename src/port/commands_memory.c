/*
 * commands_memory.c: /memory lists the notes for later sessions with their sizes and shows them; a
 * surface with an editor can change them. Notes added while the editor was open are kept.
 */
#include <string.h>

#include "port/internal.h"

static bool read_memory(struct sf_port *p, enum sf_memory which, struct sf_strbuf *out,
                        struct sf_error *err)
{
    char *path = sf_session_memory_path(p->session, which, err);
    bool ok = path && (sf_memory_read(path, out, err) || err->code == SF_E_NOENT);

    free(path);
    return ok;
}

/* ---- editing ---- */

/* Appends notes that were added during editing; false if the old text was changed meanwhile. */
static bool add_news(const char *before, const struct sf_strbuf *now, struct sf_strbuf *text)
{
    size_t len = strlen(before);

    if (now->len < len || strncmp(now->buf, before, len) != 0)
        return false;
    if (now->len > len && text->len && text->buf[text->len - 1] != '\n')
        sf_strbuf_addch(text, '\n');
    sf_strbuf_add(text, now->buf + len, now->len - len);
    return true;
}

static bool write_memory(struct sf_port *p, enum sf_memory which, const struct sf_strbuf *text,
                         struct sf_error *err)
{
    char *path = sf_session_memory_path(p->session, which, err);
    bool ok = path && sf_memory_write(path, text->buf, text->len, err);

    free(path);
    return ok;
}

static bool edited(struct sf_port *p, const struct sf_text_edit *edit, const char *words,
                   size_t len)
{
    enum sf_memory which = (enum sf_memory)edit->which;
    struct sf_strbuf now = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool changed = false, ok;

    sf_strbuf_add(&text, words, len);
    if (len)
        sf_strbuf_addch(&text, '\n');
    ok = read_memory(p, which, &now, &err);
    if (ok)
        changed = !add_news(edit->before, &now, &text);
    ok = ok && !changed && write_memory(p, which, &text, &err);
    if (ok)
        sf_port_note(p, false, "written; sessions that begin from now on read it");
    else if (changed)
        sf_port_note(p, true, "the memory was changed meanwhile: nothing was written");
    else
        sf_port_fail(p, &err);
    sf_strbuf_release(&text);
    sf_strbuf_release(&now);
    return ok;
}

/* ---- showing ---- */

static void show(struct sf_port *p, enum sf_memory which)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_PAGE,
                     which == SF_MEMORY_USER ? "Your notes" : "The project's notes");
    if (read_memory(p, which, &r.text, &err)) {
        snprintf(r.hint, sizeof(r.hint), "%s", r.text.len ? "" : "Nothing is noted yet.");
        sf_port_give_text(p, &r, edited, (int)which);
    } else {
        sf_response_release(&r);
        sf_port_fail(p, &err);
    }
}

static int find(const char *name)
{
    for (int i = 0; i < SF_MEMORY_COUNT; i++)
        if (!strcmp(sf_memories[i].name, name))
            return i;
    return -1;
}

void sf_memory_explain(struct sf_port *p, const char *name, struct sf_strbuf *out)
{
    struct sf_error err = SF_ERROR_INIT;
    int which = find(name);

    if (which < 0)
        return;
    if (!read_memory(p, (enum sf_memory)which, out, &err))
        sf_port_fail(p, &err);
    else if (!out->len)
        sf_strbuf_adds(out, "Nothing is noted yet.");
}

/* ---- the list ---- */

static size_t count_lines(const struct sf_strbuf *text)
{
    size_t lines = text->len && text->buf[text->len - 1] != '\n';

    for (size_t i = 0; i < text->len; i++)
        lines += text->buf[i] == '\n';
    return lines;
}

static void add_row(struct sf_port *p, struct sf_response *r, enum sf_memory which)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_session_memory_path(p->session, which, &err);
    size_t lines;

    sf_response_row(r, sf_memories[which].name);
    sf_response_cell(r, "%s", sf_memories[which].name);
    if (!path || !read_memory(p, which, &text, &err)) {
        sf_response_cell(r, "%s", err.msg);
    } else {
        lines = count_lines(&text);
        sf_response_cell(r, "%zu line%s", lines, lines == 1 ? "" : "s");
        sf_response_cell(r, "%zu bytes", text.len);
        sf_response_cell(r, "%s", path);
    }
    free(path);
    sf_strbuf_release(&text);
}

static void list(struct sf_port *p)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_CHOICE, "Memory: what later sessions know");
    r.align = "lrrl";
    r.cursor = sf_memories[0].name;
    for (int i = 0; i < SF_MEMORY_COUNT; i++)
        add_row(p, &r, (enum sf_memory)i);
    sf_port_respond(p, &r);
}

void sf_command_memory(struct sf_port *p, const char *args)
{
    int which = find(args);

    if (!*args)
        list(p);
    else if (which < 0)
        sf_port_usage(p, "/memory, /memory project, /memory user");
    else
        show(p, (enum sf_memory)which);
}
