/*
 * decode: bytes of an answer into events. Takes the body in pieces of any size, cut anywhere,
 * also inside a character; the events are the same however it was cut. What cannot be read ends
 * in one SF_STREAM_ERROR, never in silence: exactly one of SF_STREAM_END and SF_STREAM_ERROR comes
 * from each decoder, by sf_decoder_finish at the latest.
 *
 * Ceilings hold against hostile services: bytes of one line, of one block, of the whole answer,
 * number of blocks. Unknown events and fields are passed over.
 */
#ifndef SF_WIRE_DECODE_H
#define SF_WIRE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/stream.h"

#define SF_WIRE_LINE_MAX   ((size_t)4 * 1024 * 1024)
#define SF_WIRE_BLOCK_MAX  ((size_t)8 * 1024 * 1024)
#define SF_WIRE_ANSWER_MAX ((size_t)32 * 1024 * 1024)
enum { SF_WIRE_BLOCKS_MAX = 512 };

struct sf_decoder;

/* `fn` must not feed or free the decoder it is called from. */
struct sf_decoder *sf_decoder_new(enum sf_wire_format format, sf_stream_fn *fn, void *ctx);
void sf_decoder_free(struct sf_decoder *decoder); /* NULL is welcome */

/* False once the answer is over, well or badly: further bytes are of no interest. */
bool sf_decoder_feed(struct sf_decoder *decoder, const void *data, size_t len);

/* The body has ended: what is still open becomes an error. */
void sf_decoder_finish(struct sf_decoder *decoder);

/*
 * What an answer with an error status says, in any of the services' shapes or none of them.
 * `retry_after` is the header's text, or NULL; a date needs `now_ms` to become a duration.
 */
void sf_wire_error_read(int status, const char *retry_after, int64_t now_ms, const char *body,
                        size_t len, struct sf_wire_error *out);

#endif
