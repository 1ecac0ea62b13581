/*
 * event_words.c: the text of an event for the index of words: the user's prompt without the notes
 * that sf added, the text of answers, commands the user typed. The size of the text is limited, and
 * the same event always yields the same text.
 */
#include <string.h>

#include "store/sql.h"

enum { WORDS_MAX = 256 * 1024 };

static void add(struct sf_strbuf *out, const char *text)
{
    size_t len = strlen(text), room = WORDS_MAX - out->len;

    if (out->len && room)
        sf_strbuf_addch(out, '\n');
    room = WORDS_MAX - out->len;
    sf_strbuf_add(out, text, len > room ? sf_utf8_cut(text, room) : len);
}

static void add_member(struct sf_strbuf *out, const struct sf_json *json, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;

    if (sf_json_get_str(json, key, &text, &ignored))
        add(out, text);
}

/* The first block of a user's message is the prompt; sf added the others. */
static void add_blocks(struct sf_strbuf *out, const struct sf_json *json, bool first_only)
{
    const struct sf_json *message = sf_json_get(json, "message"), *it;
    struct sf_error ignored = SF_ERROR_INIT;
    const char *kind;

    it = message ? sf_json_get(message, "blocks") : NULL;
    for (it = it ? sf_json_first(it) : NULL; it; it = first_only ? NULL : sf_json_next(it))
        if (sf_json_get_str(it, "kind", &kind, &ignored) && !strcmp(kind, "text"))
            add_member(out, it, "text");
}

static void add_user(struct sf_strbuf *out, const struct sf_json *json)
{
    add_blocks(out, json, true);
}

static void add_answer(struct sf_strbuf *out, const struct sf_json *json)
{
    add_blocks(out, json, false);
}

static void add_steer(struct sf_strbuf *out, const struct sf_json *json)
{
    add_member(out, json, "text");
}

static void add_shell(struct sf_strbuf *out, const struct sf_json *json)
{
    add_member(out, json, "command");
}

/* The kinds of events in the view `said`. */
static const struct {
    const char *kind;
    void (*add)(struct sf_strbuf *out, const struct sf_json *json);
} rows[] = {
    { "user", add_user },
    { "assistant", add_answer },
    { "steer", add_steer },
    { "shell", add_shell },
};

void sf_sql_event_words(sqlite3_context *ctx, int count, sqlite3_value **args)
{
    const char *kind = (const char *)sqlite3_value_text(args[0]);
    const char *data = (const char *)sqlite3_value_text(args[1]);
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_json *json;

    (void)count;
    if (!kind || !data)
        return;
    json = sf_json_parse(data, (size_t)sqlite3_value_bytes(args[1]), NULL, &ignored);
    for (size_t i = 0; json && i < SF_COUNT(rows); i++)
        if (!strcmp(rows[i].kind, kind) && sf_json_type(json) == SF_JSON_OBJECT)
            rows[i].add(&out, json);
    if (out.len)
        sqlite3_result_text(ctx, out.buf, (int)out.len, SQLITE_TRANSIENT);
    sf_json_free(json);
    sf_strbuf_release(&out);
}
