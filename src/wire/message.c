/*
 * message.c: lists of messages and blocks, whether they make a conversation, and how much of a
 * window they take. Text is made valid on its way in, so that what is stored, what is sent and
 * what is in memory never differ.
 */
#include "wire/message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Tokens are counted in parts, so that small texts do not all round to the same. */
enum {
    TOKEN_PARTS = 7,
    ASCII_PARTS = 2, /* 3.5 characters a token */
    IMAGE_TOKENS = 1600,
    BLOCK_TOKENS = 8,
    MESSAGE_TOKENS = 4,
};

const char *const sf_wire_format_names[] = { "anthropic", "chat", "responses", NULL };

struct sf_message *sf_history_add(struct sf_history *history, enum sf_role role)
{
    struct sf_message *message;

    history->messages =
        sf_grow(history->messages, &history->cap, history->count + 1, sizeof(*history->messages));
    message = &history->messages[history->count++];
    *message = (struct sf_message)SF_MESSAGE_INIT(role);
    return message;
}

struct sf_block *sf_message_add(struct sf_message *message, enum sf_block_kind kind)
{
    struct sf_block *block;

    message->blocks =
        sf_grow(message->blocks, &message->cap, message->count + 1, sizeof(*message->blocks));
    block = &message->blocks[message->count++];
    *block = (struct sf_block){ .kind = kind };
    return block;
}

/* Valid UTF-8 without a NUL, as the JSON writer would put it. */
static void set_text(struct sf_block *block, const char *text, size_t len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t at = 0;

    while (at < len) {
        size_t run = strnlen(text + at, len - at);

        sf_utf8_scrub(&sb, text + at, run);
        at += run;
        if (at < len) {
            sf_utf8_add(&sb, SF_UTF8_REPLACEMENT);
            at++;
        }
    }
    block->len = sb.len;
    block->text = sf_strbuf_detach(&sb);
}

struct sf_block *sf_message_add_text(struct sf_message *message, const char *text, size_t len)
{
    struct sf_block *block = sf_message_add(message, SF_BLOCK_TEXT);

    set_text(block, text, len);
    return block;
}

static struct sf_block *add_named(struct sf_message *message, enum sf_block_kind kind,
                                  const char *id, const char *name)
{
    struct sf_block *block = sf_message_add(message, kind);

    block->id = sf_strdup(id);
    block->name = sf_strdup(name);
    return block;
}

struct sf_block *sf_message_add_call(struct sf_message *message, const char *id, const char *name,
                                     const char *arguments, size_t len)
{
    struct sf_block *block = add_named(message, SF_BLOCK_CALL, id, name);

    set_text(block, arguments, len);
    return block;
}

struct sf_block *sf_message_add_result(struct sf_message *message, const char *id, const char *name,
                                       const char *text, size_t len)
{
    struct sf_block *block = add_named(message, SF_BLOCK_RESULT, id, name);

    set_text(block, text, len);
    return block;
}

void sf_message_adopt(struct sf_message *message, struct sf_block *block)
{
    *sf_message_add(message, block->kind) = *block;
    *block = (struct sf_block){ .kind = block->kind };
}

void sf_history_adopt(struct sf_history *history, struct sf_message *message)
{
    *sf_history_add(history, message->role) = *message;
    *message = (struct sf_message)SF_MESSAGE_INIT(message->role);
}

static char *copy_or_null(const char *text)
{
    return text ? sf_strdup(text) : NULL;
}

void sf_block_copy(struct sf_block *to, const struct sf_block *from)
{
    *to = *from;
    to->text = from->text ? sf_strndup(from->text, from->len) : NULL;
    to->id = copy_or_null(from->id);
    to->name = copy_or_null(from->name);
    to->media = copy_or_null(from->media);
    to->data = copy_or_null(from->data);
    to->raw = copy_or_null(from->raw);
}

void sf_block_release(struct sf_block *block)
{
    free(block->text);
    free(block->id);
    free(block->name);
    free(block->media);
    free(block->data);
    free(block->raw);
    *block = (struct sf_block){ .kind = block->kind };
}

void sf_message_release(struct sf_message *message)
{
    for (size_t i = 0; i < message->count; i++)
        sf_block_release(&message->blocks[i]);
    free(message->blocks);
    *message = (struct sf_message)SF_MESSAGE_INIT(message->role);
}

void sf_history_truncate(struct sf_history *history, size_t count)
{
    while (history->count > count)
        sf_message_release(&history->messages[--history->count]);
}

void sf_history_release(struct sf_history *history)
{
    sf_history_truncate(history, 0);
    free(history->messages);
    *history = (struct sf_history)SF_HISTORY_INIT;
}

size_t sf_message_calls(const struct sf_message *message)
{
    size_t calls = 0;

    for (size_t i = 0; i < message->count; i++)
        calls += message->blocks[i].kind == SF_BLOCK_CALL;
    return calls;
}

static bool fits_role(const struct sf_block *block, enum sf_role role)
{
    switch (block->kind) {
    case SF_BLOCK_TEXT:
        return true;
    case SF_BLOCK_REASONING:
    case SF_BLOCK_CALL:
        return role == SF_ROLE_ASSISTANT;
    case SF_BLOCK_RESULT:
    case SF_BLOCK_IMAGE:
        break;
    }
    return role == SF_ROLE_USER;
}

/* Collects the ids of one kind; false when one is there twice. */
static bool collect_ids(const struct sf_message *message, enum sf_block_kind kind,
                        struct sf_map *ids)
{
    for (size_t i = 0; i < message->count; i++) {
        struct sf_block *block = &message->blocks[i];

        if (block->kind == kind && !sf_map_add(ids, block->id, strlen(block->id), block))
            return false;
    }
    return true;
}

/* `before` is NULL for the first message, `message` is NULL behind the last one. */
static bool check_pair(const struct sf_message *before, const struct sf_message *message, size_t at,
                       struct sf_error *err)
{
    struct sf_map calls = SF_MAP_INIT, results = SF_MAP_INIT;
    bool ok = false;

    if (before && !collect_ids(before, SF_BLOCK_CALL, &calls)) {
        sf_fail(err, SF_E_ARG, "message %zu has two calls with one id", at);
        goto out;
    }
    if (message && !collect_ids(message, SF_BLOCK_RESULT, &results)) {
        sf_fail(err, SF_E_ARG, "message %zu answers a call twice", at + 1);
        goto out;
    }
    for (size_t i = 0; i < results.count; i++) {
        if (!sf_map_gets(&calls, results.entries[i].key)) {
            sf_fail(err, SF_E_ARG, "message %zu answers a call that was never made", at + 1);
            goto out;
        }
    }
    ok = results.count == calls.count ||
         sf_fail(err, SF_E_ARG, "message %zu has a call without an answer", at);
out:
    sf_map_release(&results);
    sf_map_release(&calls);
    return ok;
}

static bool check_message(const struct sf_message *message, size_t at, struct sf_error *err)
{
    if (!message->count)
        return sf_fail(err, SF_E_ARG, "message %zu is empty", at);
    for (size_t i = 0; i < message->count; i++)
        if (!fits_role(&message->blocks[i], message->role))
            return sf_fail(err, SF_E_ARG, "message %zu holds a block of the wrong role", at);
    return true;
}

bool sf_history_check(const struct sf_history *history, struct sf_error *err)
{
    const struct sf_message *before = NULL;

    if (!history->count)
        return sf_fail(err, SF_E_ARG, "the conversation has no message");
    if (history->messages[0].role != SF_ROLE_USER)
        return sf_fail(err, SF_E_ARG, "the conversation does not start with the user");
    for (size_t i = 0; i < history->count; i++) {
        const struct sf_message *message = &history->messages[i];

        if (!check_message(message, i + 1, err) || !check_pair(before, message, i, err))
            return false;
        before = message;
    }
    return check_pair(before, NULL, history->count, err);
}

/* Scripts with many letters a token at the top, those with many tokens a letter below. */
static size_t parts_of(uint32_t cp)
{
    static const struct {
        uint32_t below;
        size_t parts;
    } rows[] = { { 0x80, ASCII_PARTS }, { 0x800, 5 }, { 0x10000, 8 } };

    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (cp < rows[i].below)
            return rows[i].parts;
    return 2 * (size_t)TOKEN_PARTS;
}

size_t sf_text_tokens(const char *text)
{
    size_t parts = 0, len = text ? strlen(text) : 0;

    for (size_t at = 0; at < len;) {
        uint32_t cp;

        at += sf_utf8_decode(text + at, len - at, &cp);
        parts += parts_of(cp);
    }
    return (parts + TOKEN_PARTS - 1) / TOKEN_PARTS;
}

size_t sf_message_tokens(const struct sf_message *message)
{
    size_t tokens = MESSAGE_TOKENS;

    for (size_t i = 0; i < message->count; i++) {
        const struct sf_block *block = &message->blocks[i];

        tokens += BLOCK_TOKENS + sf_text_tokens(block->name);
        tokens += sf_text_tokens(block->raw ? block->raw : block->text);
        tokens += block->data ? IMAGE_TOKENS : 0;
    }
    return tokens;
}
