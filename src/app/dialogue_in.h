/*
 * dialogue_in: standard input of a program that talks to sf line by line (--input-format
 * stream-json), watched on the loop. What the lines mean is in port/dialogue.h.
 */
#ifndef SF_APP_DIALOGUE_IN_H
#define SF_APP_DIALOGUE_IN_H

#include "app/cli.h"
#include "base/base.h"
#include "io/io.h"
#include "port/port.h"

/* Whether lines are read as a conversation. False with an error: another option rules that out. */
bool sf_dialogue_in_wanted(const struct sf_invocation *inv, bool *wanted,
                           struct sf_error *err) SF_MUST_CHECK;

struct sf_dialogue_in {
    struct sf_loop *loop;
    struct sf_dialogue *dialogue; /* NULL: the run has one prompt. */
    uint64_t watch;
};

/* Takes the dialogue over and begins to read. */
void sf_dialogue_in_init(struct sf_dialogue_in *in, struct sf_loop *loop,
                         struct sf_dialogue *dialogue);
void sf_dialogue_in_release(struct sf_dialogue_in *in);

/* One turn of the loop and what can follow it. False: the conversation is over. */
bool sf_dialogue_in_turn(struct sf_dialogue_in *in);

#endif
