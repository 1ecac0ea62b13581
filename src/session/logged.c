/*
 * logged.c: reads events back. What sf itself put into a user's message is told by its tags.
 */
#include "session/logged.h"

#include <inttypes.h>
#include <string.h>

#include "agent/agent.h"
#include "tools/tools.h"

static const char *const tags[] = { "<turn_meta>", "<user_shell>" };

void sf_logged_read(struct sf_logged *l, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *inner;

    *l = (struct sf_logged){ .message = SF_MESSAGE_INIT(SF_ROLE_USER) };
    l->json = sf_json_parse(event->json, event->len, NULL, &ignored);
    inner = l->json ? sf_json_get(l->json, "message") : NULL;
    l->has_message = inner && sf_message_from_json(&l->message, inner, &ignored);
}

void sf_logged_release(struct sf_logged *l)
{
    sf_message_release(&l->message);
    sf_json_free(l->json);
}

bool sf_logged_is_words(const struct sf_block *block)
{
    if (block->kind != SF_BLOCK_TEXT)
        return false;
    for (size_t i = 0; i < SF_COUNT(tags); i++)
        if (!strncmp(block->text, tags[i], strlen(tags[i])))
            return false;
    return true;
}

const struct sf_block *sf_logged_words(const struct sf_message *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (sf_logged_is_words(&m->blocks[i]))
            return &m->blocks[i];
    return NULL;
}

/* ---- in a line ---- */

enum { LINE_MAX_BYTES = 2000 };

static void add_text(struct sf_strbuf *out, const char *text, size_t len)
{
    if (out->len)
        sf_strbuf_addch(out, ' ');
    sf_strbuf_add(out, text, len > LINE_MAX_BYTES ? sf_utf8_cut(text, LINE_MAX_BYTES) : len);
}

static void add_call(struct sf_strbuf *out, const struct sf_block *b)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_call *call = sf_call_new(b->id, b->name, b->text, b->len, &ignored);
    const char *what = call ? sf_call_what(call) : "";

    sf_strbuf_addf(out, "%s%s%s%s", out->len ? ", " : "→ ", b->name, *what ? " " : "", what);
    sf_call_free(call);
}

static void line_message(const struct sf_logged *l, struct sf_strbuf *out)
{
    for (size_t i = 0; i < l->message.count; i++) {
        const struct sf_block *b = &l->message.blocks[i];

        if (b->kind == SF_BLOCK_CALL)
            add_call(out, b);
        else if (sf_logged_is_words(b))
            add_text(out, b->text, b->len);
    }
}

static void line_result(const struct sf_logged *l, struct sf_strbuf *out)
{
    const struct sf_json *detail = sf_json_get(l->json, "detail");
    const struct sf_block *b = l->message.count ? &l->message.blocks[0] : NULL;
    struct sf_error ignored = SF_ERROR_INIT;
    const char *summary = NULL;

    if (!b || b->kind != SF_BLOCK_RESULT)
        return;
    sf_strbuf_addf(out, "%s%s:", b->name, b->is_error ? " failed" : "");
    if (detail && sf_json_get_str(detail, "summary", &summary, &ignored) && *summary)
        add_text(out, summary, strlen(summary));
    else
        add_text(out, b->text, b->len);
}

static void line_steer(const struct sf_logged *l, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;

    if (sf_json_get_str(l->json, "text", &text, &ignored))
        add_text(out, text, strlen(text));
}

static void line_shell(const struct sf_logged *l, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *command;
    int64_t code;

    if (sf_json_get_str(l->json, "command", &command, &ignored) &&
        sf_json_get_int(l->json, "exit", &code, &ignored)) {
        add_text(out, "$", 1);
        add_text(out, command, strlen(command));
        sf_strbuf_addf(out, " (exit %" PRId64 ")", code);
    }
}

static void line_end(const struct sf_logged *l, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *status, *message;

    if (!sf_json_get_str(l->json, "status", &status, &ignored))
        return;
    add_text(out, status, strlen(status));
    if (sf_json_get_str(l->json, "message", &message, &ignored))
        sf_strbuf_addf(out, ": %.*s", LINE_MAX_BYTES, message);
}

static void line_compaction(const struct sf_logged *l, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *by = "sf";
    int64_t keep = 0;

    if (sf_json_get_int(l->json, "keep", &keep, &ignored) &&
        sf_json_opt_str(l->json, "by", "sf", &by, &ignored))
        sf_strbuf_addf(out, "a summary by %s stands for all but %" PRId64 " messages", by, keep);
}

static const struct {
    const char *kind;
    void (*add)(const struct sf_logged *l, struct sf_strbuf *out);
} lines[] = {
    { SF_LOG_USER, line_message },
    { SF_LOG_ASSISTANT, line_message },
    { SF_LOG_RESULT, line_result },
    { SF_LOG_STEER, line_steer },
    { "shell", line_shell },
    { SF_LOG_END, line_end },
    { SF_LOG_COMPACTION, line_compaction },
};

void sf_logged_line(const struct sf_event_row *event, struct sf_strbuf *out)
{
    size_t before = out->len;
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_logged l;

    sf_logged_read(&l, event);
    for (size_t i = 0; l.json && i < SF_COUNT(lines); i++)
        if (!strcmp(lines[i].kind, event->kind))
            lines[i].add(&l, &line);
    sf_strbuf_add(out, line.buf, line.len);
    if (out->len == before)
        sf_strbuf_add(out, event->json, event->len);
    sf_strbuf_release(&line);
    sf_logged_release(&l);
}

bool sf_logged_is_failure(const struct sf_event_row *event, bool *turn)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *status = "";
    struct sf_logged l;
    bool failed;

    sf_logged_read(&l, event);
    *turn = l.json && !strcmp(event->kind, SF_LOG_END) &&
            sf_json_get_str(l.json, "status", &status, &ignored);
    failed = *turn ? strcmp(status, sf_turn_status_names[SF_TURN_DONE]) != 0
                   : !strcmp(event->kind, SF_LOG_RESULT) && l.message.count &&
                         l.message.blocks[0].is_error;
    *turn = failed && (!strcmp(status, sf_turn_status_names[SF_TURN_FAILED]) ||
                       !strcmp(status, sf_turn_status_names[SF_TURN_BLOCKED]));
    sf_logged_release(&l);
    return failed;
}
