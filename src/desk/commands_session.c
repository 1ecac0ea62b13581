/*
 * commands_session.c: commands about sessions: another one, its title, a copy for others, the
 * end.
 */
#include <string.h>

#include "desk/commands.h"
#include "desk/internal.h"

void sf_do_new(struct sf_desk *d, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)args;
    if (!sf_desk_open(d, NULL, &err))
        sf_desk_fail(d, &err);
}

void sf_do_quit(struct sf_desk *d, const char *args)
{
    (void)args;
    if (sf_talk_busy(d->talk))
        sf_talk_cancel(d->talk);
    sf_desk_quit(d);
}

void sf_do_rename(struct sf_desk *d, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*args)
        sf_desk_say(d, true, "/rename TITLE");
    else if (sf_title_set(d->setup.talk.store, sf_talk_id(d->talk), args, &err))
        sf_desk_say(d, false, "the session is called %.*s",
                    (int)sf_text_fit(args, strlen(args), SF_TITLE_COLUMNS, NULL), args);
    else
        sf_desk_fail(d, &err);
}

/* ---- another session ---- */

static void session_chosen(struct sf_desk *d, const char *value)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_row row;
    bool ok = sf_store_session_get(d->setup.talk.store, value, &arena, &row, &err);

    if (ok && !strcmp(row.id, sf_talk_id(d->talk)))
        sf_desk_say(d, false, "you are in this session");
    else if (!ok || !sf_desk_open(d, row.id, &err))
        sf_desk_fail(d, &err);
    sf_arena_release(&arena);
}

static bool add_preview(const struct sf_event_row *event, void *ctx)
{
    enum { EXCERPT = 400 };
    struct sf_strbuf *out = ctx;
    bool user = !strcmp(event->kind, SF_LOG_USER), said = !strcmp(event->kind, SF_LOG_ASSISTANT);
    const struct sf_block *b;
    struct sf_logged logged;

    if (!user && !said)
        return true;
    sf_logged_read(&logged, event);
    b = logged.has_message ? sf_logged_words(&logged.message) : NULL;
    if (b)
        sf_strbuf_addf(out, "%s%.*s\n\n", user ? "**you** " : "",
                       (int)(b->len > EXCERPT ? sf_utf8_cut(b->text, EXCERPT) : b->len), b->text);
    sf_logged_release(&logged);
    return true;
}

static void session_moved(struct sf_desk *d, const char *value)
{
    const struct sf_event_filter filter = { .session = value, .limit = 12 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (sf_store_each_event(d->setup.talk.store, &filter, add_preview, &text, &ignored))
        sf_overlay_preview(d, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void show_sessions(struct sf_desk *d);

/* Tabs would be cells of their own. */
static bool add_session(const struct sf_session_row *s, void *ctx)
{
    struct sf_desk *d = ctx;
    struct sf_strbuf title = SF_STRBUF_INIT;
    char when[SF_CLOCK_MAX], from[48] = "";

    if (s->agent || *s->archived_at || s->blank)
        return true;
    sf_clock_local(when, s->updated_at);
    if (*s->parent_id)
        snprintf(from, sizeof(from), "fork of %.10s", s->parent_id);
    sf_text_sanitize(&title, s->title, strlen(s->title), SF_TEXT_ONE_LINE);
    sf_overlay_row(d, s->id, "%s\t%.16s\t%s\t%.10s\t%s",
                   title.len ? title.buf : "(nothing said yet)", when, s->model, s->id, from);
    sf_strbuf_release(&title);
    return true;
}

/* ---- what was said in them ---- */

/* One row a session, and none for those whose title fits. */
static bool add_found(const struct sf_search_hit *hit, void *ctx)
{
    struct sf_desk *d = ctx;
    const struct sf_overlay *o = d->overlay;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char when[SF_CLOCK_MAX];

    for (size_t i = 0; i < o->shown_count; i++)
        if (!strcmp(o->rows[o->shown[i].index].value, hit->session))
            return true;
    sf_clock_local(when, hit->time);
    sf_text_sanitize(&text, hit->text, strlen(hit->text), SF_TEXT_ONE_LINE);
    sf_strbuf_truncate(&text, sf_text_fit(text.buf, text.len, 60, NULL));
    sf_overlay_row(d, hit->session, "“%s”\t%.16s\t%.10s", text.buf, when, hit->session);
    sf_strbuf_release(&text);
    return true;
}

static void search_sessions(struct sf_desk *d, const char *words)
{
    enum { HITS = 50, WORDS_MIN = 3 };
    struct sf_error ignored = SF_ERROR_INIT;

    if (strlen(words) < WORDS_MIN)
        return;
    if (!sf_store_search(d->setup.talk.store, words, HITS, add_found, d, &ignored))
        sf_desk_say(d, true, "what was said cannot be searched: %s", ignored.msg);
}

/* ---- putting them in order ---- */

static void archive(struct sf_desk *d, const char *id)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!strcmp(id, sf_talk_id(d->talk))) {
        sf_desk_say(d, true, "you are in this session: it is not archived");
        return;
    }
    if (!sf_store_session_archive(d->setup.talk.store, id, true, &err)) {
        sf_desk_fail(d, &err);
        return;
    }
    sf_desk_say(d, false, "archived; `sf sessions archive --undo %.10s` brings it back", id);
    show_sessions(d);
}

static void session_renamed(struct sf_desk *d, const char *id, const char *title)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*title) {
        sf_overlay_edit_note(d, true, "a title has words");
        return;
    }
    if (!sf_title_set(d->setup.talk.store, id, title, &err)) {
        sf_overlay_edit_note(d, true, "%s", err.msg);
        return;
    }
    show_sessions(d);
    sf_overlay_choose(d, id);
}

static void rename_session(struct sf_desk *d, const char *id)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_session_row row;

    if (sf_store_session_get(d->setup.talk.store, id, &arena, &row, &err))
        sf_overlay_edit(d, "title", row.id, row.title, NULL);
    else
        sf_desk_fail(d, &err);
    sf_arena_release(&arena);
}

/* With Ctrl: every letter narrows the list. */
static bool session_ctrl(struct sf_desk *d, uint32_t code, const char *value)
{
    if (!*value || (code != 'd' && code != 'g'))
        return false;
    (code == 'd' ? archive : rename_session)(d, value);
    return true;
}

static void show_sessions(struct sf_desk *d)
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

    sf_overlay_list(d, &kind);
    if (!sf_store_each_session(d->setup.talk.store, add_session, d, &err)) {
        sf_overlay_close(d);
        sf_desk_fail(d, &err);
        return;
    }
    sf_overlay_choose(d, sf_talk_id(d->talk));
}

void sf_do_sessions(struct sf_desk *d, const char *args)
{
    if (*args)
        session_chosen(d, args);
    else
        show_sessions(d);
}

/* ---- a copy for others ---- */

static void export_to(struct sf_desk *d, const char *format, const char *file)
{
    const struct sf_export how = { .store = d->setup.talk.store,
                                   .session = sf_talk_id(d->talk),
                                   .format = format };
    char *path = *file == '/' ? sf_strdup(file) : sf_path_join(d->setup.talk.workspace->root, file);
    struct sf_error err = SF_ERROR_INIT;

    if (sf_export_file(&how, path, &err))
        sf_desk_say(d, false, "written to %s", path);
    else
        sf_desk_fail(d, &err);
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
void sf_do_export(struct sf_desk *d, const char *args)
{
    size_t len = strcspn(args, " ");
    const char *format = format_called(args, len);
    char name[64];

    if (format) {
        args += len + strspn(args + len, " ");
    } else if (*args && !strpbrk(args, "./")) {
        sf_desk_say(d, true, "there is no format %.*s: md, json or html", (int)len, args);
        return;
    } else {
        format = sf_export_format_of(args);
    }
    if (!format)
        format = sf_export_names[0];
    snprintf(name, sizeof(name), "session-%.10s.%s", sf_talk_id(d->talk), format);
    export_to(d, format, *args ? args : name);
}
