/*
 * replay: answers from a file, for tests, demonstrations and recorded sessions. Internal to the
 * room; the format is public. A file is lines of JSON, each an object with one member:
 *
 *     {"text":"Hello"}                              a piece of the answer
 *     {"reasoning":"Let me see"}                    a piece of its reasoning
 *     {"call":{"name":"LS","arguments":{"path":"."},"id":"a"}}     "id" may be left out
 *     {"usage":{"input":10,"output":5,"cache_read":0,"cache_write":0,"reasoning":0}}
 *     {"wait_ms":100}                               silence
 *     {"end":"end"}                                 or calls, length, context, refusal, pause
 *     {"error":{"fault":"rate-limit","message":"slow down","retry_after_ms":10,"status":429}}
 *
 * `end` or `error` closes an answer, and each try of a request takes the next one: an error that
 * is worth another try is followed by the answer to that. Pieces of one kind that follow each
 * other make one block. Empty lines and those that begin with # are passed over.
 */
#ifndef SF_MODEL_REPLAY_H
#define SF_MODEL_REPLAY_H

#include "model/tape.h"

enum {
    SF_REPLAY_MAX = 16 * 1024 * 1024, /* bytes of a file */
    SF_REPLAY_WAIT_MAX = 60 * 1000,   /* milliseconds of one wait */
};

struct sf_replay;

struct sf_replay *sf_replay_new(const char *file); /* read at the first answer */
void sf_replay_free(struct sf_replay *replay);     /* NULL is welcome */

/* Records the next answer. What cannot be read becomes its error, with file and line. */
void sf_replay_next(struct sf_replay *replay, struct sf_tape *tape);

#endif
