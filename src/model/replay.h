/*
 * replay: answers from a file, for tests, demonstrations and recorded sessions. Internal to the
 * room; the format is public. A file is lines of JSON, each an object with one member:
 *
 *     {"replay":{"version":1,"provider":"anthropic","model":"m","local":false}}  who answered
 *     {"request":{"prompt":"Hi"}}                   what follows is the answer to this
 *     {"request":{"results":[{"call":"LS {}","sha256":"…"}]}}     or to these results
 *     {"text":"Hello"}                              a piece of the answer
 *     {"reasoning":"Let me see"}                    a piece of its reasoning
 *     {"call":{"name":"LS","arguments":{"path":"."},"id":"a"}}     "id" may be left out;
 *                                                   "arguments_text" for what is no object
 *     {"usage":{"input":10,"output":5,"cache_read":0,"cache_write":0,"reasoning":0}}
 *     {"wait_ms":100}                               silence; 0: the next turn of the loop
 *     {"end":"end"}                                 or calls, length, context, refusal, pause
 *     {"error":{"fault":"rate-limit","message":"slow down","retry_after_ms":10,"status":429}}
 *
 * `end` or `error` closes an answer, and each try of a request takes the next one: an error that
 * is worth another try is followed by the answer to that. Pieces of one kind that follow each
 * other make one block. A request that is another one than recorded ends in an error that says where
 * the replay departs; without `request` lines nothing is compared. Empty lines and those that begin
 * with # are passed over.
 */
#ifndef SF_MODEL_REPLAY_H
#define SF_MODEL_REPLAY_H

#include "model/provider.h"
#include "model/tape.h"

enum {
    SF_REPLAY_MAX = 16 * 1024 * 1024, /* bytes of a file */
    SF_REPLAY_WAIT_MAX = 60 * 1000,   /* milliseconds of one wait */
};

struct sf_replay *sf_replay_new(const char *file);
void sf_replay_free(struct sf_replay *replay); /* NULL is welcome */

/*
 * Reads the file and fills in who answered, if it begins with that. False: it cannot be read or is
 * no recording; what is wrong behind its first line is left to the answers.
 */
bool sf_replay_look(struct sf_replay *replay, struct sf_provider *provider,
                    struct sf_error *err) SF_MUST_CHECK;

/*
 * Records the next answer. What cannot be read becomes its error, with file and line. `request` is
 * the line that sf_replay_line_request writes about the request to be answered; NULL: another try.
 */
void sf_replay_next(struct sf_replay *replay, const char *request, struct sf_tape *tape);

#endif
