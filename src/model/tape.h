/*
 * tape: an answer that is known beforehand, played on the loop as if it came from far away. What
 * the offline operator says and what a replay holds is recorded here first. Internal to the room.
 *
 * Life: sf_tape_new, record, sf_tape_play, sf_tape_free.
 */
#ifndef SF_MODEL_TAPE_H
#define SF_MODEL_TAPE_H

#include "io/io.h"
#include "wire/wire.h"

struct sf_tape;

struct sf_tape *sf_tape_new(struct sf_loop *loop, sf_stream_fn *fn, void *ctx);

/* At any moment, also from within `fn`; nothing more is called. NULL is welcome. */
void sf_tape_free(struct sf_tape *tape);

/* A copy of the event; the tape is the context. What follows an end is not recorded. */
void sf_tape_record(void *tape, const struct sf_stream_event *event);
void sf_tape_record_wait(struct sf_tape *tape, int64_t ms);
void sf_tape_record_error(struct sf_tape *tape, enum sf_fault fault, const char *format, ...)
    SF_PRINTF(3, 4);

/* From the loop, never from within this call. A tape without an end ends in an error. */
void sf_tape_play(struct sf_tape *tape);

#endif
