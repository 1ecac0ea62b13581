/*
 * commands_session.c: commands about sessions: starting, switching, listing, renaming, exporting.
 * Surfaces that let the user change rows of the list use the functions here.
 */
#include <string.h>

#include "port/internal.h"

static bool stay(struct sf_error *err)
{
    return sf_fail(err, SF_E_ARG, "a run without a screen stays in its session");
}

static bool begin_new(struct sf_port *p, struct sf_error *err)
{
    if (sf_port_moves(p))
        return sf_port_enter(p, NULL, err);
    stay(err);
    return sf_hint(err, "sf -p without -c and -r begins a new one");
}

void sf_command_new(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)args;
    if (!begin_new(p, &err))
        sf_port_fail(p, &err);
}

void sf_command_rename(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*args)
        sf_port_usage(p, "/rename TITLE");
    else if (sf_session_rename(p->session, args, &err))
        sf_port_note(p, false, "the session is called %.*s",
                     (int)sf_text_fit(args, strlen(args), SF_TITLE_COLUMNS, NULL), args);
    else
        sf_port_fail(p, &err);
}

/* ---- another session ---- */

/* The store also finds a session by a prefix of its id. */
static bool find_session(struct sf_port *p, const char *id, char found[SF_ID_LEN + 1],
                         struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool ok = sf_store_session_get(p->setup.session.store, id, &arena, &row, err);

    if (ok)
        snprintf(found, SF_ID_LEN + 1, "%s", row.id);
    sf_arena_release(&arena);
    return ok;
}

static bool resume(struct sf_port *p, const char *id, struct sf_error *err)
{
    if (sf_port_moves(p))
        return sf_port_enter(p, id, err);
    stay(err);
    return sf_hint(err, "sf -r %.10s resumes that one", id);
}

static void resume_session(struct sf_port *p, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];
    bool found = find_session(p, name, id, &err);

    if (found && !strcmp(id, sf_session_id(p->session)))
        sf_port_note(p, false, "you are in this session");
    else if (!found || !resume(p, id, &err))
        sf_port_fail(p, &err);
}

/* ---- the list ---- */

struct session_list {
    struct sf_port *port;
    struct sf_response *out;
};

static bool add_session(const struct sf_session_row *s, void *ctx)
{
    const struct session_list *l = ctx;
    struct sf_strbuf title = SF_STRBUF_INIT;

    if (s->agent || *s->archived_at || s->blank)
        return true;
    sf_text_sanitize(&title, s->title, strlen(s->title), SF_TEXT_ONE_LINE);
    sf_response_row(l->out, s->id)->current = !strcmp(s->id, sf_session_id(l->port->session));
    sf_response_cell(l->out, "%s", title.len ? title.buf : "(nothing said yet)");
    sf_response_age(l->out, s->updated_at);
    sf_response_cell(l->out, "%s", s->model);
    sf_response_cell(l->out, "%.10s", s->id);
    sf_response_cell(l->out, *s->parent_id ? "fork of %.10s" : "%s", s->parent_id);
    sf_strbuf_release(&title);
    return true;
}

static void list_sessions(struct sf_port *p)
{
    static const char *const columns[] = { "title", "last used", "model", "id", "", NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_response r;
    struct session_list list = { p, &r };

    sf_response_init(&r, SF_RESPONSE_CHOICE, "Sessions");
    r.columns = columns;
    if (sf_store_each_session(p->setup.session.store, add_session, &list, &err)) {
        sf_port_respond(p, &r);
        return;
    }
    sf_response_release(&r);
    sf_port_fail(p, &err);
}

void sf_command_sessions(struct sf_port *p, const char *args)
{
    if (*args)
        resume_session(p, args);
    else
        list_sessions(p);
}

static bool add_excerpt(const struct sf_event_row *event, void *ctx)
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

/* The list has ages; here are the dates. */
static void add_dates(struct sf_port *p, const char *id, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT; /* A session that is gone has none. */
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    char begun[SF_CLOCK_MAX], used[SF_CLOCK_MAX];

    if (sf_store_session_get(p->setup.session.store, id, &arena, &row, &ignored)) {
        sf_clock_local(begun, row.created_at);
        sf_clock_local(used, row.updated_at);
        sf_strbuf_addf(out, "Begun %s, last used %s.\n\n", begun, used);
    }
    sf_arena_release(&arena);
}

/* Shows the newest messages of the session. */
void sf_explain_session(struct sf_port *p, const char *value, struct sf_strbuf *out)
{
    const struct sf_event_filter filter = { .session = value, .limit = 12 };
    struct sf_error err = SF_ERROR_INIT;
    size_t before;

    add_dates(p, value, out);
    before = out->len;
    if (!sf_store_each_event(p->setup.session.store, &filter, add_excerpt, out, &err))
        sf_strbuf_addf(out, "cannot be read: %s", err.msg);
    else if (out->len == before)
        sf_strbuf_adds(out, "Nothing was said lately.");
}

/* ---- searching ---- */

/* Adds at most one row per session. */
static bool add_found(const struct sf_search_hit *hit, void *ctx)
{
    struct sf_response *r = ctx;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->rows[i].value, hit->session))
            return true;
    sf_text_sanitize(&text, hit->text, strlen(hit->text), SF_TEXT_ONE_LINE);
    sf_response_row(r, hit->session);
    sf_response_cell(r, "“%.*s”", (int)sf_text_fit(text.buf, text.len, 60, NULL), text.buf);
    sf_response_age(r, hit->time);
    sf_response_cell(r, "%.10s", hit->session);
    sf_strbuf_release(&text);
    return true;
}

bool sf_port_sessions_search(struct sf_port *p, const char *words, struct sf_response *out,
                             struct sf_error *err)
{
    enum { HITS = 50, WORDS_MIN = 3 };

    return strlen(words) < WORDS_MIN ||
           sf_store_search(p->setup.session.store, words, HITS, add_found, out, err);
}

/* ---- archiving and renaming ---- */

bool sf_port_session_archive(struct sf_port *p, const char *id)
{
    struct sf_error err = SF_ERROR_INIT;
    bool own = !strcmp(id, sf_session_id(p->session));

    if (own)
        sf_port_note(p, true, "you are in this session: it is not archived");
    else if (!sf_store_session_archive(p->setup.session.store, id, true, &err))
        sf_port_fail(p, &err);
    else
        sf_port_note(p, false, "archived; `sf sessions archive --undo %.10s` brings it back", id);
    return !own && !err.code;
}

bool sf_port_session_title(struct sf_port *p, const char *id, struct sf_strbuf *out,
                           struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool ok = sf_store_session_get(p->setup.session.store, id, &arena, &row, err);

    if (ok)
        sf_strbuf_adds(out, row.title);
    sf_arena_release(&arena);
    return ok;
}

bool sf_port_session_rename(struct sf_port *p, const char *id, const char *title,
                            struct sf_error *err)
{
    if (!*title)
        return sf_fail(err, SF_E_ARG, "a title has words");
    if (p->session && !strcmp(id, sf_session_id(p->session)))
        return sf_session_rename(p->session, title, err);
    return sf_title_set(p->setup.session.store, id, title, err);
}

/* ---- exporting ---- */

static void export_to(struct sf_port *p, const char *format, const char *file)
{
    const struct sf_export how = { .store = p->setup.session.store,
                                   .session = sf_session_id(p->session),
                                   .format = format };
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_session_save_path(p->session, file, sf_port_moves(p), &err);

    if (path && sf_export_file(&how, path, &err))
        sf_port_say(p, "written to %s", path);
    else
        sf_port_fail(p, &err);
    free(path);
}

static const char *format_called(const char *word, size_t len)
{
    for (size_t i = 0; sf_export_names[i]; i++)
        if (strlen(sf_export_names[i]) == len && !strncmp(word, sf_export_names[i], len))
            return sf_export_names[i];
    return NULL;
}

/* "[md|json|html] [FILE]": without a format, the extension of the file decides. */
void sf_command_export(struct sf_port *p, const char *args)
{
    size_t len = strcspn(args, " ");
    const char *format = format_called(args, len);
    char name[64];

    if (format) {
        args += len + strspn(args + len, " ");
    } else if (*args && !strpbrk(args, "./")) {
        sf_port_usage(p, "there is no format %.*s: md, json or html", (int)len, args);
        return;
    } else {
        format = sf_export_format_of(args);
    }
    if (!format)
        format = sf_export_names[0];
    snprintf(name, sizeof(name), "session-%.10s.%s", sf_session_id(p->session), format);
    export_to(p, format, *args ? args : name);
}
