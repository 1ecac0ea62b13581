/*
 * decoder: the inside of a decoder, shared by the three formats. Private to wire. A format reads
 * events and says what they mean with the calls below; slots, order, ids, ceilings and the one end
 * are kept here, the same for all.
 *
 * A slot is a block that is still being written. Slots are delivered in the order they were
 * opened, each when it is closed and nothing before it is open. A call whose arguments are not an
 * object, or not there, waits for the end of the answer: was it cut, the call is dropped.
 */
#ifndef SF_WIRE_DECODER_H
#define SF_WIRE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "wire/decode.h"
#include "wire/sse.h"

enum { SF_DECODER_ID_MAX = 256, SF_DECODER_NAME_MAX = 128 };

struct sf_slot {
    int64_t key; /* the service's number for it */
    enum sf_block_kind kind;
    struct sf_strbuf text; /* always whole characters */
    char tail[4];          /* the bytes of a character that is not whole yet */
    size_t tail_len;
    struct sf_strbuf raw; /* for the format to use; of reasoning it becomes the block's */
    char *id, *name;
    bool ignored; /* nothing of it is delivered */
    bool sealed;  /* of reasoning: only the service can read it */
    bool closed, doubtful;
};

struct sf_dialect {
    /* One event, parsed. Errors go to sf_decoder_fail. */
    void (*event)(struct sf_decoder *decoder, const char *name, const struct sf_json *json);
    bool open_ended; /* a call ends with the answer, and "[DONE]" ends that */
};

struct sf_decoder {
    const struct sf_dialect *dialect;
    enum sf_wire_format format;
    sf_stream_fn *fn;
    void *ctx;
    enum { SF_DECODER_SNIFF, SF_DECODER_STREAM, SF_DECODER_BODY } mode;
    struct sf_sse sse;
    struct sf_strbuf body;    /* of an answer that is no stream */
    struct sf_strbuf scratch; /* text of the present event, its repairs undone */
    size_t bytes, held;       /* of the body so far; in slots */
    bool begun, over, finishing, heard;
    bool repaired; /* the present event */
    struct sf_slot *slots;
    size_t count, cap, delivered, calls;
    struct sf_map ids; /* of calls delivered */
    struct sf_arena arena;
    struct sf_usage usage;
    bool stopped; /* the service said why the answer ended: `stop` */
    enum sf_stop stop;
    bool refused; /* what it says is why it will not */
};

extern const struct sf_dialect sf_dialect_anthropic, sf_dialect_chat, sf_dialect_responses;

void sf_decoder_begin(struct sf_decoder *d, const char *model); /* NULL: not said */

/* NULL when there are too many: the decoder has failed then. */
struct sf_slot *sf_decoder_open(struct sf_decoder *d, int64_t key, enum sf_block_kind kind);
struct sf_slot *sf_decoder_find(struct sf_decoder *d, int64_t key); /* the newest, or NULL */

/* A piece of its text, shown at once. NULL is welcome. */
void sf_decoder_add(struct sf_decoder *d, struct sf_slot *slot, const char *text);
void sf_decoder_add_raw(struct sf_decoder *d, struct sf_slot *slot, const char *text);

/* Who is called; the first to be said counts. NULL and "" say nothing. */
void sf_decoder_call(struct sf_decoder *d, struct sf_slot *slot, const char *id, const char *name);

void sf_decoder_close(struct sf_decoder *d, struct sf_slot *slot);
void sf_decoder_tell_usage(struct sf_decoder *d);

/* `usage` counts cached input within the input, as OpenAI does; taken apart and told. */
void sf_decoder_set_usage(struct sf_decoder *d, const struct sf_usage *usage);
void sf_decoder_stop(struct sf_decoder *d, enum sf_stop stop);
void sf_decoder_end(struct sf_decoder *d);

void sf_decoder_fail(struct sf_decoder *d, enum sf_fault fault, const char *format, ...)
    SF_PRINTF(3, 4);
void sf_decoder_fail_json(struct sf_decoder *d, const struct sf_json *json);

/* Members of what may be NULL or anything; absent is as good as of another type. */
const struct sf_json *sf_wire_get(const struct sf_json *json, const char *key);
const struct sf_json *sf_wire_item(const struct sf_json *json); /* the first of an array, or NULL */
const char *sf_wire_str(const struct sf_json *json, const char *key); /* or NULL */
bool sf_wire_is(const struct sf_json *json, const char *key, const char *text);
void sf_wire_int(const struct sf_json *json, const char *key, int64_t *out); /* as it was */

/* Fills the error from any shape a service gives it in the middle of an answer. */
void sf_wire_error_from_json(const struct sf_json *json, struct sf_wire_error *out);
void sf_wire_error_set(struct sf_wire_error *out, enum sf_fault fault, const char *text,
                       size_t len);

#endif
