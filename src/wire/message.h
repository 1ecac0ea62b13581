/*
 * message: a conversation as sf keeps it. A message is a row of blocks; a block is text, the
 * model's reasoning, a call of a tool, or what came of one. All of it is stored as JSON and read
 * back without a change, so that a request built tomorrow begins with the same bytes as today's.
 *
 * Strings are owned by their block. Life: SF_HISTORY_INIT, use, sf_history_release. A pointer to
 * a message or block is good until its list grows.
 */
#ifndef SF_WIRE_MESSAGE_H
#define SF_WIRE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum sf_wire_format { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

extern const char *const sf_wire_format_names[]; /* "anthropic", "chat", "responses", NULL */

/* Prefixes of what sf itself says in a message of the user's. */
#define SF_META_TAG "<turn_meta>"
#define SF_OWN_TAG  "[sf] "

/* Around what a slash command means, a block of its own behind what was typed. */
#define SF_SLASH_OPEN  "<slash_command>"
#define SF_SLASH_CLOSE "</slash_command>"

enum sf_role { SF_ROLE_USER, SF_ROLE_ASSISTANT };

enum sf_block_kind {
    SF_BLOCK_TEXT,
    SF_BLOCK_REASONING, /* kept for the service it came from, dropped for the others */
    SF_BLOCK_CALL,      /* the model calls a tool */
    SF_BLOCK_RESULT,    /* what came of a call */
    SF_BLOCK_IMAGE,
};

/* Which fields are set depends on the kind; the others are NULL. */
struct sf_block {
    enum sf_block_kind kind;
    char *text; /* the text; of reasoning what people may read; of a call its arguments, JSON */
    size_t len;
    char *id;                   /* of a call and its result */
    char *name;                 /* the tool, of a call and its result */
    char *media;                /* "image/png": of an image, or of one that comes with a result */
    char *data;                 /* that image, base64 */
    char *raw;                  /* of reasoning: the JSON value to send back byte for byte */
    enum sf_wire_format format; /* of reasoning: who understands `raw` */
    bool is_error;              /* of a result */
};

struct sf_message {
    enum sf_role role;
    struct sf_block *blocks;
    size_t count, cap;
};

struct sf_history {
    struct sf_message *messages;
    size_t count, cap;
};

/* clang-format off */
#define SF_HISTORY_INIT { NULL, 0, 0 }
#define SF_MESSAGE_INIT(role) { role, NULL, 0, 0 }
/* clang-format on */

/* Room for one more, zeroed but for what is given; borrowed from its list. */
struct sf_message *sf_history_add(struct sf_history *history, enum sf_role role);
struct sf_block *sf_message_add(struct sf_message *message, enum sf_block_kind kind);

struct sf_block *sf_message_add_text(struct sf_message *message, const char *text, size_t len);
struct sf_block *sf_message_add_call(struct sf_message *message, const char *id, const char *name,
                                     const char *arguments, size_t len);
struct sf_block *sf_message_add_result(struct sf_message *message, const char *id, const char *name,
                                       const char *text, size_t len);

/* Takes the block's strings over; the other is left empty. */
void sf_message_adopt(struct sf_message *message, struct sf_block *block);
void sf_history_adopt(struct sf_history *history, struct sf_message *message);

void sf_block_copy(struct sf_block *to, const struct sf_block *from); /* `to` is overwritten */
void sf_block_release(struct sf_block *block);
void sf_message_release(struct sf_message *message);
void sf_history_truncate(struct sf_history *history, size_t count); /* drops the later ones */
void sf_history_release(struct sf_history *history);

size_t sf_message_calls(const struct sf_message *message); /* blocks that call a tool */

/*
 * {"role","blocks":[{"kind",…}]}: the stored form. Writing what was read gives the same bytes.
 * Reading refuses what sf would not have written.
 */
void sf_message_json(const struct sf_message *message, struct sf_json_writer *w);
bool sf_message_from_json(struct sf_message *message, const struct sf_json *json,
                          struct sf_error *err) SF_MUST_CHECK;

/*
 * Whether a service would take it: starts with the user, every call is answered exactly once in
 * the message right behind it, no result without its call, no empty message.
 */
bool sf_history_check(const struct sf_history *history, struct sf_error *err) SF_MUST_CHECK;

/* A rough count of tokens, never far below the truth: for budgets before the service counted. */
size_t sf_message_tokens(const struct sf_message *message);
size_t sf_text_tokens(const char *text); /* of a text alone; NULL is none */

#endif
