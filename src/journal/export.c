/*
 * export.c: one walk over the events; a pen writes them in its format. Text is escaped for its
 * destination: a Markdown fence longer than any in the text, or HTML entities.
 */
#include "journal/export.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "io/io.h"
#include "journal/log_event.h"
#include "tools/tools.h"

enum { RESULT_MAX = 64 * 1024 }; /* bytes of one result in md and html; json has all of it */

struct writing {
    const struct sf_export *how;
    const struct pen *pen;
    struct sf_strbuf out;                /* text that was not flushed yet */
    struct sf_conversation conversation; /* as far as it was read, for a file to replay */
    struct sf_error *err;
    bool ok, any;
};

struct pen {
    void (*begin)(struct writing *w, const struct sf_session_row *row);
    void (*event)(struct writing *w, const struct sf_event_row *event);
    void (*end)(struct writing *w);
    /* Used by `event` of the two formats for people. */
    void (*said)(struct writing *w, const char *who, const char *when, const struct sf_block *b);
    void (*call)(struct writing *w, const char *name, const char *what);
    void (*result)(struct writing *w, const struct sf_block *b);
    void (*note)(struct writing *w, const char *text);
};

/* ---- json ---- */

static void json_begin(struct writing *w, const struct sf_session_row *row)
{
    struct sf_json_writer jw;

    sf_strbuf_addf(&w->out, "{\"format\":\"" SF_EXPORT_FORMAT "\",\"version\":%d,\"session\":",
                   SF_EXPORT_VERSION);
    sf_jw_init(&jw, &w->out);
    sf_jw_object_begin(&jw);
    sf_jw_key_str(&jw, "id", row->id);
    sf_jw_key_str(&jw, "title", row->title);
    sf_jw_key_str(&jw, "provider", row->provider);
    sf_jw_key_str(&jw, "model", row->model);
    sf_jw_key_str(&jw, "created_at", row->created_at);
    if (*row->parent_id) {
        sf_jw_key_str(&jw, "parent", row->parent_id);
        sf_jw_key_int(&jw, "forked_at", row->forked_at_seq);
    }
    sf_jw_object_end(&jw);
    sf_strbuf_adds(&w->out, ",\"events\":[");
}

/* In one line: a newline in valid JSON is only whitespace between tokens, and can be replaced. */
static void json_event(struct writing *w, const struct sf_event_row *event)
{
    struct sf_json_writer jw;
    size_t from;

    sf_strbuf_adds(&w->out, w->any ? ",\n" : "\n");
    from = w->out.len;
    sf_jw_init(&jw, &w->out);
    sf_jw_object_begin(&jw);
    sf_jw_key_int(&jw, "seq", event->seq);
    sf_jw_key_str(&jw, "time", event->time);
    sf_jw_key_str(&jw, "surface", event->surface);
    sf_jw_key_str(&jw, "kind", event->kind);
    sf_jw_key(&jw, "data");
    sf_jw_raw(&jw, event->json, event->len);
    sf_jw_object_end(&jw);
    for (size_t i = from; i < w->out.len; i++)
        if (w->out.buf[i] == '\n' || w->out.buf[i] == '\r')
            w->out.buf[i] = ' ';
}

static void json_end(struct writing *w)
{
    sf_strbuf_adds(&w->out, "\n]}\n");
}

/* The subject of a search in the whole workspace is ".", so its arguments say more. */
static const char *about(const struct sf_tool_call *call, const struct sf_block *b)
{
    const char *what = call ? call->what : "";

    return *what && strcmp(what, ".") != 0 ? what : b->text;
}

/* ---- Markdown and HTML ---- */

/* A line stands for a picture; its bytes are in the JSON of the session alone. */
static void show_image(struct writing *w, const struct sf_event_row *event,
                       const struct sf_block *image)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_block b = { .kind = SF_BLOCK_TEXT };

    sf_strbuf_addf(&text, "[%s, about %zu bytes]", image->media, strlen(image->data) / 4 * 3);
    b.text = text.buf;
    b.len = text.len;
    w->pen->said(w, "You", event->time, &b);
    sf_strbuf_release(&text);
}

static void show_message(struct writing *w, const struct sf_event_row *event,
                         const struct sf_message *m)
{
    bool user = !strcmp(event->kind, SF_LOG_USER);

    for (size_t i = 0; i < m->count; i++) {
        const struct sf_block *b = &m->blocks[i];
        struct sf_error ignored = SF_ERROR_INIT;
        struct sf_tool_call *call;

        if (b->kind == SF_BLOCK_CALL) {
            call = sf_tool_call_new(sf_tool_find(b->name), b->id, b->text, b->len, &ignored);
            w->pen->call(w, b->name, about(call, b));
            sf_tool_call_free(call);
        } else if (b->kind == SF_BLOCK_IMAGE) {
            show_image(w, event, b);
        } else if (b->kind == SF_BLOCK_RESULT) {
            w->pen->result(w, b);
        } else if (b->kind == SF_BLOCK_TEXT && (!user || !i || sf_log_event_is_words(b))) {
            w->pen->said(w, user ? "You" : "sf", event->time, b);
        }
    }
}

static void show_member(struct writing *w, const struct sf_event_row *event,
                        const struct sf_json *json, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_block b = { .kind = SF_BLOCK_TEXT };
    const char *text;

    if (!sf_json_get_str(json, key, &text, &ignored))
        return;
    b.text = sf_strdup(text);
    b.len = strlen(text);
    w->pen->said(w, "You", event->time, &b);
    free(b.text);
}

static void show_shell(struct writing *w, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_block b = { .kind = SF_BLOCK_RESULT };
    const char *command, *text;

    if (!sf_json_get_str(json, "command", &command, &ignored) ||
        !sf_json_get_str(json, "text", &text, &ignored))
        return;
    w->pen->call(w, "Your command", command);
    b.text = sf_strdup(text);
    b.len = strlen(text);
    w->pen->result(w, &b);
    free(b.text);
}

static void show_end(struct writing *w, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *status;

    if (sf_json_get_str(json, "status", &status, &ignored) && strcmp(status, "done") != 0)
        w->pen->note(w, status);
}

static void people_event(struct writing *w, const struct sf_event_row *event)
{
    struct sf_log_event l;

    sf_log_event_read(&l, event);
    if (l.has_message)
        show_message(w, event, &l.message);
    else if (l.json && !strcmp(event->kind, SF_LOG_STEER))
        show_member(w, event, l.json, "text");
    else if (l.json && !strcmp(event->kind, SF_LOG_SHELL))
        show_shell(w, l.json);
    else if (l.json && !strcmp(event->kind, SF_LOG_END))
        show_end(w, l.json);
    else if (!strcmp(event->kind, SF_LOG_COMPACTION))
        w->pen->note(w, "what came before became a summary");
    sf_log_event_release(&l);
}

static size_t shown_len(const struct sf_block *b)
{
    return b->len > RESULT_MAX ? sf_utf8_cut(b->text, RESULT_MAX) : b->len;
}

/* ---- Markdown ---- */

static void add_line(struct sf_strbuf *out, const char *text)
{
    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
}

static void md_begin(struct writing *w, const struct sf_session_row *row)
{
    sf_strbuf_adds(&w->out, "# ");
    add_line(&w->out, *row->title ? row->title : "A session of sf");
    sf_strbuf_addf(&w->out, "\n\nSession %s, %s", row->id, row->created_at);
    if (*row->model) {
        sf_strbuf_adds(&w->out, ", ");
        add_line(&w->out, row->model);
    }
    if (*row->parent_id)
        sf_strbuf_addf(&w->out, ", forked from %s", row->parent_id);
    sf_strbuf_addch(&w->out, '\n');
}

static void md_said(struct writing *w, const char *who, const char *when, const struct sf_block *b)
{
    sf_strbuf_addf(&w->out, "\n## %s, %.16s\n\n", who, when);
    sf_text_sanitize(&w->out, b->text, b->len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    sf_strbuf_addch(&w->out, '\n');
}

/* One backtick more than the longest run in the text. */
static size_t fence_for(const char *text, size_t len)
{
    size_t run = 0, longest = 2;

    for (size_t i = 0; i < len; i++) {
        run = text[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest + 1;
}

static void md_fenced(struct writing *w, const char *text, size_t len)
{
    size_t fence = fence_for(text, len);

    sf_strbuf_addch(&w->out, '\n');
    sf_strbuf_fill(&w->out, '`', fence);
    sf_strbuf_addch(&w->out, '\n');
    sf_text_sanitize(&w->out, text, len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    if (len && text[len - 1] != '\n')
        sf_strbuf_addch(&w->out, '\n');
    sf_strbuf_fill(&w->out, '`', fence);
    sf_strbuf_addch(&w->out, '\n');
}

static void md_call(struct writing *w, const char *name, const char *what)
{
    sf_strbuf_adds(&w->out, "\n**");
    add_line(&w->out, name);
    sf_strbuf_adds(&w->out, "**\n");
    if (*what)
        md_fenced(w, what, strlen(what));
}

static void md_result(struct writing *w, const struct sf_block *b)
{
    if (b->is_error)
        sf_strbuf_adds(&w->out, "\nIt failed:\n");
    md_fenced(w, b->text, shown_len(b));
}

static void md_note(struct writing *w, const char *text)
{
    sf_strbuf_adds(&w->out, "\n*");
    add_line(&w->out, text);
    sf_strbuf_adds(&w->out, "*\n");
}

static void md_end(struct writing *w)
{
    (void)w;
}

/* ---- HTML ---- */

static void add_html(struct sf_strbuf *out, const char *text, size_t len)
{
    static const struct {
        char c;
        const char *entity;
    } entities[] = {
        { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" }, { '\'', "&#39;" }
    };
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text, len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    for (size_t i = 0; i < safe.len; i++) {
        const char *entity = NULL;

        for (size_t k = 0; k < SF_COUNT(entities) && !entity; k++)
            entity = entities[k].c == safe.buf[i] ? entities[k].entity : NULL;
        if (entity)
            sf_strbuf_adds(out, entity);
        else
            sf_strbuf_addch(out, safe.buf[i]);
    }
    sf_strbuf_release(&safe);
}

static void html_begin(struct writing *w, const struct sf_session_row *row)
{
    const char *title = *row->title ? row->title : "A session of sf";

    sf_strbuf_adds(&w->out,
                   "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    add_html(&w->out, title, strlen(title));
    sf_strbuf_adds(
        &w->out,
        "</title>\n<style>\n"
        "body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 sans-serif}\n"
        "pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;font:14px/1.4 monospace}\n"
        "section{margin:1rem 0}.you{border-left:3px solid #37c;padding-left:.8rem}\n"
        ".said pre{font:inherit}details{margin:.3rem 0;color:#555}.bad{color:#a33}\n"
        "h2{font-size:.8rem;color:#777;margin:0}.note{color:#777;font-style:italic}\n"
        "@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}"
        "details{color:#aaa}}\n</style></head><body>\n<h1>");
    add_html(&w->out, title, strlen(title));
    sf_strbuf_adds(&w->out, "</h1>\n<p class=\"note\">Session ");
    add_html(&w->out, row->id, strlen(row->id));
    sf_strbuf_addf(&w->out, ", %s", row->created_at);
    if (*row->model) {
        sf_strbuf_adds(&w->out, ", ");
        add_html(&w->out, row->model, strlen(row->model));
    }
    if (*row->parent_id) {
        sf_strbuf_adds(&w->out, ", forked from ");
        add_html(&w->out, row->parent_id, strlen(row->parent_id));
    }
    sf_strbuf_adds(&w->out, "</p>\n");
}

static void html_said(struct writing *w, const char *who, const char *when,
                      const struct sf_block *b)
{
    sf_strbuf_addf(&w->out, "<section class=\"said%s\"><h2>%s, %.16s</h2><pre>",
                   !strcmp(who, "You") ? " you" : "", who, when);
    add_html(&w->out, b->text, b->len);
    sf_strbuf_adds(&w->out, "</pre></section>\n");
}

static void html_call(struct writing *w, const char *name, const char *what)
{
    sf_strbuf_adds(&w->out, "<section><strong>");
    add_html(&w->out, name, strlen(name));
    sf_strbuf_adds(&w->out, "</strong><pre>");
    add_html(&w->out, what, strlen(what));
    sf_strbuf_adds(&w->out, "</pre></section>\n");
}

static void html_result(struct writing *w, const struct sf_block *b)
{
    sf_strbuf_addf(&w->out, "<details%s><summary>%s</summary><pre>",
                   b->is_error ? " class=\"bad\"" : "", b->is_error ? "it failed" : "result");
    add_html(&w->out, b->text, shown_len(b));
    sf_strbuf_adds(&w->out, "</pre></details>\n");
}

static void html_note(struct writing *w, const char *text)
{
    sf_strbuf_adds(&w->out, "<p class=\"note\">");
    add_html(&w->out, text, strlen(text));
    sf_strbuf_adds(&w->out, "</p>\n");
}

static void html_end(struct writing *w)
{
    sf_strbuf_adds(&w->out, "</body></html>\n");
}

/* ---- a file to replay ---- */

static void replay_begin(struct writing *w, const struct sf_session_row *row)
{
    const struct sf_replay_head head = { row->provider, row->model, true };

    sf_replay_line_head(&w->out, &head);
}

/* Each answer follows the request it was given to: the conversation as it was then. */
static void replay_event(struct writing *w, const struct sf_event_row *event)
{
    struct sf_log_event l;

    sf_log_event_read(&l, event);
    if (l.has_message && !strcmp(event->kind, SF_LOG_ASSISTANT)) {
        sf_replay_line_request(&w->out, &w->conversation.history);
        sf_replay_line_answer(&w->out, &l.message);
    }
    sf_log_event_release(&l);
    w->ok = w->ok &&
            sf_conversation_read(&w->conversation, event->kind, event->json, event->len, w->err);
}

static void replay_end(struct writing *w)
{
    (void)w;
}

/* ---- the walk ---- */

const char *const sf_export_names[] = { "md", "json", "html", "replay", NULL };

static const struct pen pens[] = {
    { md_begin, people_event, md_end, md_said, md_call, md_result, md_note },
    { json_begin, json_event, json_end, NULL, NULL, NULL, NULL },
    { html_begin, people_event, html_end, html_said, html_call, html_result, html_note },
    { replay_begin, replay_event, replay_end, NULL, NULL, NULL, NULL },
};

static bool flush(struct writing *w)
{
    w->ok = w->ok && w->how->sink(w->how->ctx, w->out.buf, w->out.len, w->err);
    sf_strbuf_reset(&w->out);
    return w->ok;
}

static bool write_event(const struct sf_event_row *event, void *ctx)
{
    struct writing *w = ctx;

    w->pen->event(w, event);
    w->any = true;
    return flush(w);
}

static const struct pen *find_pen(const char *format, struct sf_error *err)
{
    for (size_t i = 0; sf_export_names[i]; i++)
        if (!strcmp(sf_export_names[i], format))
            return &pens[i];
    sf_fail(err, SF_E_ARG, "there is no format %.40s", format);
    sf_hint(err, "md, json, html or replay");
    return NULL;
}

const char *sf_export_format_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && sf_export_names[i]; i++)
        if (!strcmp(sf_export_names[i], dot + 1))
            return sf_export_names[i];
    return NULL;
}

bool sf_export_run(const struct sf_export *how, struct sf_error *err)
{
    const struct sf_event_filter filter = { .session = how->session };
    struct writing w = { .how = how,
                         .out = SF_STRBUF_INIT,
                         .err = err,
                         .ok = true,
                         .conversation = SF_CONVERSATION_INIT };
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool ok;

    w.pen = find_pen(how->format, err);
    ok = w.pen && sf_store_session_get(how->store, how->session, &arena, &row, err);
    if (ok) {
        w.pen->begin(&w, &row);
        ok = flush(&w) && sf_store_each_event(how->store, &filter, write_event, &w, err) && w.ok;
    }
    if (ok) {
        w.pen->end(&w);
        ok = flush(&w);
    }
    sf_conversation_release(&w.conversation);
    sf_strbuf_release(&w.out);
    sf_arena_release(&arena);
    return ok;
}

/* ---- files ---- */

static bool to_fd(void *ctx, const char *text, size_t len, struct sf_error *err)
{
    const int *fd = ctx;

    while (len) {
        ssize_t n = write(*fd, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return sf_fail_errno(err, "cannot write it");
        text += n;
        len -= (size_t)n;
    }
    return true;
}

/* Never overwrites a file. */
static int open_new(const char *path, struct sf_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0 && errno == EEXIST) {
        sf_fail(err, SF_E_EXIST, "%s is there already", path);
        sf_hint(err, "give another name; nothing was written");
    } else if (fd < 0) {
        sf_fail_errno(err, "cannot write %s", path);
    }
    return fd;
}

static bool close_new(int fd, const char *path, bool ok, struct sf_error *err)
{
    if (close(fd) < 0 && ok)
        ok = sf_fail_errno(err, "cannot write %s", path);
    if (!ok)
        unlink(path);
    return ok;
}

bool sf_export_text(const char *path, const struct sf_strbuf *text, struct sf_error *err)
{
    int fd = open_new(path, err);

    return fd >= 0 && close_new(fd, path, to_fd(&fd, text->buf, text->len, err), err);
}

bool sf_export_file(const struct sf_export *how, const char *path, struct sf_error *err)
{
    struct sf_export to = *how;
    int fd = open_new(path, err);

    if (fd < 0)
        return false;
    to.sink = to_fd;
    to.ctx = &fd;
    return close_new(fd, path, sf_export_run(&to, err), err);
}
