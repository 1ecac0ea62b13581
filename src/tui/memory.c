/*
 * memory.c: the notes for later sessions, listed with their sizes, previewed, and opened in the
 * user's editor. What was noted while the editor was open is kept.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

static bool read_memory(struct sf_tui *ui, enum sf_memory which, struct sf_strbuf *out)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_session_memory_path(sf_port_raw(ui->port), which, &err);
    bool ok = path && (sf_memory_read(path, out, &err) || err.code == SF_E_NOENT);

    if (!ok)
        sf_tui_fail(ui, &err);
    free(path);
    return ok;
}

/* ---- editing ---- */

/* Notes that came behind what the editor got go behind what came back from it. */
static bool add_news(struct sf_tui *ui, const struct sf_strbuf *now, struct sf_strbuf *text)
{
    size_t len = strlen(ui->memory);

    if (now->len < len || strncmp(now->buf, ui->memory, len) != 0)
        return false;
    if (now->len > len && text->len && text->buf[text->len - 1] != '\n')
        sf_strbuf_addch(text, '\n');
    sf_strbuf_add(text, now->buf + len, now->len - len);
    return true;
}

/* Without an editor the notes can still be read. */
static void show(struct sf_tui *ui, enum sf_memory which)
{
    struct sf_strbuf page = SF_STRBUF_INIT;

    sf_strbuf_adds(&page, "There is no editor: set EDITOR to the one you use to change this.\n\n");
    if (read_memory(ui, which, &page))
        sf_overlay_page(ui, which == SF_MEMORY_USER ? "Your notes" : "The project's notes", &page);
    sf_strbuf_release(&page);
}

static void edited(struct sf_tui *ui, enum sf_memory which, const char *edit, size_t len)
{
    struct sf_strbuf now = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_session_memory_path(sf_port_raw(ui->port), which, &err);

    sf_strbuf_add(&text, edit, len);
    if (len)
        sf_strbuf_addch(&text, '\n');
    if (!path || !read_memory(ui, which, &now))
        goto out;
    if (!add_news(ui, &now, &text)) {
        sf_tui_say(ui, true, "the memory was changed meanwhile: nothing was written");
        sf_composer_set(ui->composer, edit, len); /* the words are not lost */
    } else if (sf_memory_write(path, text.buf, text.len, &err)) {
        sf_tui_say(ui, false, "written; sessions that begin from now on read it");
    } else {
        sf_tui_fail(ui, &err);
        sf_composer_set(ui->composer, edit, len);
    }
out:
    free(path);
    sf_strbuf_release(&text);
    sf_strbuf_release(&now);
}

static void project_edited(struct sf_tui *ui, const char *text, size_t len)
{
    if (text)
        edited(ui, SF_MEMORY_PROJECT, text, len);
    else
        show(ui, SF_MEMORY_PROJECT);
}

static void user_edited(struct sf_tui *ui, const char *text, size_t len)
{
    if (text)
        edited(ui, SF_MEMORY_USER, text, len);
    else
        show(ui, SF_MEMORY_USER);
}

static void edit(struct sf_tui *ui, enum sf_memory which)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (read_memory(ui, which, &text)) {
        free(ui->memory);
        ui->memory = sf_strndup(text.buf, text.len);
        sf_tui_edit(ui, "memory.edit.md", text.buf, text.len,
                    which == SF_MEMORY_USER ? user_edited : project_edited);
    }
    sf_strbuf_release(&text);
}

/* ---- the list ---- */

static int find(const char *name)
{
    for (int i = 0; i < SF_MEMORY_COUNT; i++)
        if (!strcmp(sf_memories[i].name, name))
            return i;
    return -1;
}

static void chosen(struct sf_tui *ui, const char *value)
{
    edit(ui, (enum sf_memory)find(value));
}

static void moved(struct sf_tui *ui, const char *value)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (read_memory(ui, (enum sf_memory)find(value), &text)) {
        if (!text.len)
            sf_strbuf_adds(&text, "Nothing is noted yet.");
        sf_overlay_preview(ui, text.buf, text.len);
    }
    sf_strbuf_release(&text);
}

static size_t count_lines(const struct sf_strbuf *text)
{
    size_t lines = text->len && text->buf[text->len - 1] != '\n';

    for (size_t i = 0; i < text->len; i++)
        lines += text->buf[i] == '\n';
    return lines;
}

static void add_row(struct sf_tui *ui, enum sf_memory which)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t lines;
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_session_memory_path(sf_port_raw(ui->port), which, &err);
    const char *name = sf_memories[which].name;

    if (!path || (!sf_memory_read(path, &text, &err) && err.code != SF_E_NOENT)) {
        sf_overlay_row(ui, name, "%s\t%s", name, err.msg);
    } else {
        lines = count_lines(&text);
        sf_overlay_row(ui, name, "%s\t%zu line%s\t%zu bytes\t%s", name, lines,
                       lines == 1 ? "" : "s", text.len, path);
    }
    free(path);
    sf_strbuf_release(&text);
}

void sf_do_memory(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = {
        .title = "Memory: what later sessions know",
        .keys = "Enter edit   #NOTE adds to the project's   ##NOTE to yours",
        .chosen = chosen,
        .moved = moved,
        .align = "lrrl",
    };

    if (*args && find(args) < 0) {
        sf_tui_say(ui, true, "/memory, /memory project, /memory user");
        return;
    }
    if (*args) {
        edit(ui, (enum sf_memory)find(args));
        return;
    }
    sf_overlay_list(ui, &kind);
    for (int i = 0; i < SF_MEMORY_COUNT; i++)
        add_row(ui, (enum sf_memory)i);
    moved(ui, sf_memories[0].name);
}
