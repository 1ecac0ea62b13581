/*
 * import.c: reads a document line by line if it has the layout that export writes, so that only one
 * event is in memory at a time; a document of another layout is parsed as a whole, if it is small.
 */
#include "journal/import.h"

#include <string.h>

#include "agent/agent.h"
#include "journal/export.h"
#include "journal/log_event.h"
#include "modes/modes.h"
#include "wire/wire.h"

enum { TITLE_COLUMNS = 80, NAME_BYTES = 100, HEAD_MAX = 64 * 1024 };

struct reading {
    const struct sf_import *how;
    const char *at, *end;     /* line by line: the lines that are left */
    const struct sf_json *it; /* as a whole: the next event */
    struct sf_json *whole, *line;
    bool by_line;
    size_t count, passed_over;
    struct sf_conversation conversation;
    struct sf_strbuf json;
    const char *kind;
};

/* ---- one event ---- */

static bool write_message(struct sf_json_writer *w, const struct sf_json *data,
                          struct sf_error *err)
{
    const struct sf_json *inner = sf_json_get(data, "message");
    struct sf_message m = SF_MESSAGE_INIT(SF_ROLE_USER);

    if (!inner)
        return sf_fail(err, SF_E_ARG, "it has no message");
    if (!sf_message_from_json(&m, inner, err))
        return false;
    sf_jw_key(w, "message");
    sf_message_json(&m, w);
    sf_message_release(&m);
    return true;
}

static void write_str(struct sf_json_writer *w, const struct sf_json *data, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;

    if (sf_json_get_str(data, key, &text, &ignored))
        sf_jw_key_str(w, key, text);
}

static void write_int(struct sf_json_writer *w, const struct sf_json *data, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t n;

    if (sf_json_get_int(data, key, &n, &ignored))
        sf_jw_key_int(w, key, n);
}

/* Takes only the details that are shown, and not the record of files that the call saw. */
static bool write_result(struct sf_json_writer *w, const struct sf_json *data, struct sf_error *err)
{
    const struct sf_json *detail = sf_json_get(data, "detail");

    if (!write_message(w, data, err))
        return false;
    if (detail && sf_json_type(detail) == SF_JSON_OBJECT) {
        sf_jw_key(w, "detail");
        sf_jw_object_begin(w);
        write_str(w, detail, "summary");
        write_str(w, detail, "diff");
        write_int(w, detail, "exit");
        write_int(w, detail, "took_ms");
        sf_jw_object_end(w);
    }
    return true;
}

static bool write_steer(struct sf_json_writer *w, const struct sf_json *data, struct sf_error *err)
{
    (void)err;
    write_str(w, data, "text");
    return true;
}

static bool write_compaction(struct sf_json_writer *w, const struct sf_json *data,
                             struct sf_error *err)
{
    (void)err;
    write_str(w, data, "summary");
    write_int(w, data, "keep");
    return true;
}

static bool write_end(struct sf_json_writer *w, const struct sf_json *data, struct sf_error *err)
{
    (void)err;
    write_str(w, data, "status");
    write_str(w, data, "message");
    return true;
}

static bool write_nothing(struct sf_json_writer *w, const struct sf_json *data,
                          struct sf_error *err)
{
    (void)w;
    (void)data;
    (void)err;
    return true;
}

static bool write_shell(struct sf_json_writer *w, const struct sf_json *data, struct sf_error *err)
{
    struct sf_error ignored = SF_ERROR_INIT;
    bool failed = false;

    (void)err;
    write_str(w, data, "id");
    write_str(w, data, "command");
    write_int(w, data, "exit");
    if (sf_json_get_bool(data, "error", &failed, &ignored))
        sf_jw_key_bool(w, "error", failed);
    write_str(w, data, "summary");
    write_int(w, data, "took_ms");
    write_str(w, data, "text");
    return true;
}

static const struct {
    const char *kind;
    bool (*write)(struct sf_json_writer *w, const struct sf_json *data, struct sf_error *err);
} kinds[] = {
    { SF_LOG_USER, write_message },   { SF_LOG_ASSISTANT, write_message },
    { SF_LOG_RESULT, write_result },  { SF_LOG_STEER, write_steer },
    { SF_LOG_END, write_end },        { SF_LOG_COMPACTION, write_compaction },
    { SF_LOG_FORGET, write_nothing }, { SF_LOG_SHELL, write_shell },
};

/* `*taken` is false if the event is no part of the conversation. */
static bool take(struct reading *r, const struct sf_json *event, struct sf_event_import *out,
                 bool *taken, struct sf_error *err)
{
    const struct sf_json *data = NULL;
    const char *kind;
    struct sf_json_writer w;
    size_t i = 0;
    int surface;

    *taken = false;
    if (!sf_json_get_str(event, "kind", &kind, err) ||
        !sf_json_get_object(event, "data", &data, err) ||
        !sf_json_get_str(event, "time", &out->time, err) ||
        !sf_json_get_str(event, "surface", &out->surface, err) ||
        !sf_axis_parse(SF_AXIS_SURFACE, out->surface, &surface, err))
        return false;
    while (i < SF_COUNT(kinds) && strcmp(kinds[i].kind, kind) != 0)
        i++;
    if (i == SF_COUNT(kinds))
        return true;
    sf_strbuf_reset(&r->json);
    sf_jw_init(&w, &r->json);
    sf_jw_object_begin(&w);
    if (!kinds[i].write(&w, data, err))
        return false;
    sf_jw_object_end(&w);
    out->kind = kinds[i].kind;
    out->surface = sf_axis_name(SF_AXIS_SURFACE, surface);
    out->json = r->json.buf;
    out->len = r->json.len;
    *taken = true;
    return sf_conversation_read(&r->conversation, out->kind, out->json, out->len, err);
}

/* ---- the next event ---- */

/* The event of the next line; NULL without an error at the end. */
static const struct sf_json *next_line(struct reading *r, struct sf_error *err)
{
    const struct sf_json_limits limits = { .bytes = SF_EVENT_BYTES_MAX + 4096,
                                           .depth = SF_JSON_DEPTH_MAX };
    const char *newline = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    const char *stop = newline ? newline : r->end;
    size_t len = (size_t)(stop - r->at);

    if (len && r->at[0] == ']')
        return NULL;
    if (!newline) {
        sf_fail(err, SF_E_ARG, "the file ends in the middle");
        return NULL;
    }
    len -= len && stop[-1] == ',';
    sf_json_free(r->line);
    r->line = sf_json_parse(r->at, len, &limits, err);
    r->at = newline + 1;
    return r->line;
}

static const struct sf_json *next_event(struct reading *r, struct sf_error *err)
{
    const struct sf_json *event = r->it;

    if (r->by_line)
        return next_line(r, err);
    r->it = event ? sf_json_next(event) : NULL;
    return event;
}

static bool next(struct sf_event_import *out, void *ctx, struct sf_error *err)
{
    struct reading *r = ctx;
    const struct sf_json *event;
    bool taken = false;

    while (!taken && (event = next_event(r, err))) {
        if (++r->count > SF_IMPORT_EVENTS_MAX)
            return sf_fail(err, SF_E_LIMIT, "it has more than %d events", SF_IMPORT_EVENTS_MAX);
        if (sf_json_type(event) != SF_JSON_OBJECT)
            return sf_fail(err, SF_E_ARG, "event %zu is not an object", r->count);
        if (!take(r, event, out, &taken, err)) {
            sf_error_prefix(err, "event %zu: ", r->count);
            return false;
        }
        r->passed_over += !taken;
    }
    if (!taken && err->code == SF_E_NONE && !r->conversation.open &&
        r->conversation.history.count && !sf_history_check(&r->conversation.history, err))
        sf_error_prefix(err, "no service would take this conversation: ");
    return taken;
}

/* ---- the document ---- */

static bool check_head(const struct sf_json *head, const struct sf_json **session,
                       struct sf_error *err)
{
    const char *format = "";
    int64_t version = 0;

    if (sf_json_type(head) != SF_JSON_OBJECT || !sf_json_get_str(head, "format", &format, err) ||
        strcmp(format, SF_EXPORT_FORMAT) != 0) {
        sf_fail(err, SF_E_ARG, "this is not a session of sf");
        return sf_hint(err, "`sf sessions export ID --format json` writes one");
    }
    if (!sf_json_get_int(head, "version", &version, err) || version < 1)
        return sf_fail(err, SF_E_ARG, "this is not a session of sf: its version is missing");
    if (version > SF_EXPORT_VERSION) {
        sf_fail(err, SF_E_NEWER, "a newer sf wrote this session");
        return sf_hint(err, "update sf");
    }
    return sf_json_get_object(head, "session", session, err);
}

/* Parses the first line, completed with "]}"; false if the layout is another one. */
static bool open_lines(struct reading *r, struct sf_error *err)
{
    static const char mark[] = "\"events\":[";
    const size_t mark_len = sizeof(mark) - 1, head_max = HEAD_MAX;
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    struct sf_strbuf head = SF_STRBUF_INIT;
    size_t len = newline ? (size_t)(newline - r->at) : 0;

    if (len < mark_len || len > head_max || memcmp(newline - mark_len, mark, mark_len) != 0)
        return false;
    sf_strbuf_add(&head, r->at, len);
    sf_strbuf_adds(&head, "]}");
    r->whole = sf_json_parse(head.buf, head.len, NULL, err);
    sf_strbuf_release(&head);
    r->at = newline + 1;
    r->by_line = r->whole != NULL;
    return r->by_line;
}

static bool open_whole(struct reading *r, struct sf_error *err)
{
    const struct sf_json *events;

    r->whole = sf_json_parse(r->how->text, r->how->len, NULL, err);
    if (!r->whole)
        return false;
    if (sf_json_type(r->whole) == SF_JSON_OBJECT &&
        sf_json_get_array(r->whole, "events", &events, err))
        r->it = sf_json_first(events);
    return true;
}

static char *plain(const struct sf_json *session, const char *key, size_t columns)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    const char *text;

    if (sf_json_get_str(session, key, &text, &ignored)) {
        sf_text_sanitize(&out, text, strlen(text), SF_TEXT_ONE_LINE);
        sf_strbuf_truncate(&out, sf_text_fit(out.buf, out.len, columns, NULL));
    }
    return sf_strbuf_detach(&out);
}

/* Without the provider of the file: the settings here decide which provider continues. */
static bool make(struct reading *r, const struct sf_json *session, char id_out[SF_ID_LEN + 1],
                 struct sf_error *err)
{
    char *title = plain(session, "title", TITLE_COLUMNS);
    char *model = plain(session, "model", NAME_BYTES);
    const struct sf_session_new row = { .project = r->how->project,
                                        .surface = r->how->surface,
                                        .title = title,
                                        .model = model && *model ? model : NULL };
    bool ok = sf_store_session_import(r->how->store, &row, next, r, id_out, err);

    free(title);
    free(model);
    return ok;
}

bool sf_import_run(const struct sf_import *how, char id_out[SF_ID_LEN + 1], size_t *passed_over,
                   struct sf_error *err)
{
    struct reading r = { .how = how,
                         .at = how->text,
                         .end = how->text + how->len,
                         .conversation = SF_CONVERSATION_INIT,
                         .json = SF_STRBUF_INIT };
    const struct sf_json *session = NULL;
    bool ok;

    if (how->len > SF_IMPORT_BYTES_MAX)
        return sf_fail(err, SF_E_LIMIT, "the file is larger than %d MiB",
                       SF_IMPORT_BYTES_MAX / (1024 * 1024));
    ok = (open_lines(&r, err) || open_whole(&r, err)) && check_head(r.whole, &session, err) &&
         make(&r, session, id_out, err);
    *passed_over = r.passed_over;
    sf_json_free(r.line);
    sf_json_free(r.whole);
    sf_strbuf_release(&r.json);
    sf_conversation_release(&r.conversation);
    return ok;
}
