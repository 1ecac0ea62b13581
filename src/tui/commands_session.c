/*
 * commands_session.c: commands about sessions: another one, its title, a copy for others, the
 * end.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

void sf_do_quit(struct sf_tui *ui, const char *args)
{
    (void)args;
    if (sf_port_busy(ui->port))
        sf_port_cancel(ui->port);
    sf_tui_quit(ui);
}

/* ---- another session ---- */

static void session_chosen(struct sf_tui *ui, const char *value)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_row row;
    bool ok = sf_store_session_get(sf_port_raw_setup(ui->port)->store, value, &arena, &row, &err);

    if (ok && !strcmp(row.id, sf_port_session(ui->port)))
        sf_tui_say(ui, false, "you are in this session");
    else if (!ok || !sf_port_enter(ui->port, row.id, &err))
        sf_tui_fail(ui, &err);
    sf_arena_release(&arena);
}

static bool add_preview(const struct sf_event_row *event, void *ctx)
{
    enum { EXCERPT = 400 };
    struct sf_strbuf *out = ctx;
    bool user = !strcmp(event->kind, SF_LOG_USER), said = !strcmp(event->kind, SF_LOG_ASSISTANT);
    const struct sf_block *b;
    struct sf_log_event logged;

    if (!user && !said)
        return true;
    sf_log_event_read(&logged, event);
    b = logged.has_message ? sf_log_event_words(&logged.message) : NULL;
    if (b)
        sf_strbuf_addf(out, "%s%.*s\n\n", user ? "**you** " : "",
                       (int)(b->len > EXCERPT ? sf_utf8_cut(b->text, EXCERPT) : b->len), b->text);
    sf_log_event_release(&logged);
    return true;
}

static void session_moved(struct sf_tui *ui, const char *value)
{
    const struct sf_event_filter filter = { .session = value, .limit = 12 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (sf_store_each_event(sf_port_raw_setup(ui->port)->store, &filter, add_preview, &text,
                            &ignored))
        sf_overlay_preview(ui, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void show_sessions(struct sf_tui *ui);

/* Tabs would be cells of their own. */
static bool add_session(const struct sf_session_row *s, void *ctx)
{
    struct sf_tui *ui = ctx;
    struct sf_strbuf title = SF_STRBUF_INIT;
    char when[SF_CLOCK_MAX], from[48] = "";

    if (s->agent || *s->archived_at || s->blank)
        return true;
    sf_clock_local(when, s->updated_at);
    if (*s->parent_id)
        snprintf(from, sizeof(from), "fork of %.10s", s->parent_id);
    sf_text_sanitize(&title, s->title, strlen(s->title), SF_TEXT_ONE_LINE);
    sf_overlay_row(ui, s->id, "%s\t%.16s\t%s\t%.10s\t%s",
                   title.len ? title.buf : "(nothing said yet)", when, s->model, s->id, from);
    sf_strbuf_release(&title);
    return true;
}

/* ---- what was said in them ---- */

/* One row a session, and none for those whose title fits. */
static bool add_found(const struct sf_search_hit *hit, void *ctx)
{
    struct sf_tui *ui = ctx;
    const struct sf_overlay *o = ui->overlay;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char when[SF_CLOCK_MAX];

    for (size_t i = 0; i < o->shown_count; i++)
        if (!strcmp(o->rows[o->shown[i].index].value, hit->session))
            return true;
    sf_clock_local(when, hit->time);
    sf_text_sanitize(&text, hit->text, strlen(hit->text), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&text, sf_text_fit(text.buf, text.len, 60, NULL));
    sf_overlay_row(ui, hit->session, "“%s”\t%.16s\t%.10s", text.buf, when, hit->session);
    sf_strbuf_release(&text);
    return true;
}

static void search_sessions(struct sf_tui *ui, const char *words)
{
    enum { HITS = 50, WORDS_MIN = 3 };
    struct sf_error ignored = SF_ERROR_INIT;

    if (strlen(words) < WORDS_MIN)
        return;
    if (!sf_store_search(sf_port_raw_setup(ui->port)->store, words, HITS, add_found, ui, &ignored))
        sf_tui_say(ui, true, "what was said cannot be searched: %s", ignored.msg);
}

/* ---- putting them in order ---- */

static void archive(struct sf_tui *ui, const char *id)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!strcmp(id, sf_port_session(ui->port))) {
        sf_tui_say(ui, true, "you are in this session: it is not archived");
        return;
    }
    if (!sf_store_session_archive(sf_port_raw_setup(ui->port)->store, id, true, &err)) {
        sf_tui_fail(ui, &err);
        return;
    }
    sf_tui_say(ui, false, "archived; `sf sessions archive --undo %.10s` brings it back", id);
    show_sessions(ui);
}

static void session_renamed(struct sf_tui *ui, const char *id, const char *title)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*title) {
        sf_overlay_edit_note(ui, true, "a title has words");
        return;
    }
    if (!sf_title_set(sf_port_raw_setup(ui->port)->store, id, title, &err)) {
        sf_overlay_edit_note(ui, true, "%s", err.msg);
        return;
    }
    show_sessions(ui);
    sf_overlay_choose(ui, id);
}

static void rename_session(struct sf_tui *ui, const char *id)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_row row;

    if (sf_store_session_get(sf_port_raw_setup(ui->port)->store, id, &arena, &row, &err))
        sf_overlay_edit(ui, "title", row.id, row.title, NULL);
    else
        sf_tui_fail(ui, &err);
    sf_arena_release(&arena);
}

/* With Ctrl: every letter narrows the list. */
static bool session_ctrl(struct sf_tui *ui, uint32_t code, const char *value)
{
    if (!*value || (code != 'd' && code != 'g'))
        return false;
    (code == 'd' ? archive : rename_session)(ui, value);
    return true;
}

static void show_sessions(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = {
        .title = "Sessions",
        .keys = "Enter go on   Ctrl+D archive   Ctrl+G rename   type: titles, then what was said",
        .filter = true,
        .chosen = session_chosen,
        .moved = session_moved,
        .ctrl = session_ctrl,
        .edited = session_renamed,
        .search = search_sessions,
    };
    struct sf_error err = SF_ERROR_INIT;

    sf_overlay_list(ui, &kind);
    if (!sf_store_each_session(sf_port_raw_setup(ui->port)->store, add_session, ui, &err)) {
        sf_overlay_close(ui);
        sf_tui_fail(ui, &err);
        return;
    }
    sf_overlay_choose(ui, sf_port_session(ui->port));
}

void sf_do_sessions(struct sf_tui *ui, const char *args)
{
    if (*args)
        session_chosen(ui, args);
    else
        show_sessions(ui);
}

/* ---- a copy for others ---- */

static void export_to(struct sf_tui *ui, const char *format, const char *file)
{
    const struct sf_export how = { .store = sf_port_raw_setup(ui->port)->store,
                                   .session = sf_port_session(ui->port),
                                   .format = format };
    char *path = *file == '/' ? sf_strdup(file) : sf_path_join(sf_port_workspace(ui->port), file);
    struct sf_error err = SF_ERROR_INIT;

    if (sf_export_file(&how, path, &err))
        sf_tui_say(ui, false, "written to %s", path);
    else
        sf_tui_fail(ui, &err);
    free(path);
}

static const char *format_called(const char *word, size_t len)
{
    for (size_t i = 0; sf_export_names[i]; i++)
        if (strlen(sf_export_names[i]) == len && !strncmp(word, sf_export_names[i], len))
            return sf_export_names[i];
    return NULL;
}

/* "[md|json|html] [FILE]": without a format it is what the file's name ends in. */
void sf_do_export(struct sf_tui *ui, const char *args)
{
    size_t len = strcspn(args, " ");
    const char *format = format_called(args, len);
    char name[64];

    if (format) {
        args += len + strspn(args + len, " ");
    } else if (*args && !strpbrk(args, "./")) {
        sf_tui_say(ui, true, "there is no format %.*s: md, json or html", (int)len, args);
        return;
    } else {
        format = sf_export_format_of(args);
    }
    if (!format)
        format = sf_export_names[0];
    snprintf(name, sizeof(name), "session-%.10s.%s", sf_port_session(ui->port), format);
    export_to(ui, format, *args ? args : name);
}
