/*
 * ending: how a one-shot run ended: the end of its turn, kept until the check that --verify asked for
 * is over, what the check proved, and the exit code that follows from both.
 */
#ifndef SF_APP_ENDING_H
#define SF_APP_ENDING_H

#include "app/cli.h"
#include "app/schema_output.h"
#include "base/base.h"
#include "port/port.h"
#include "verify/verify.h"

struct sf_ending {
    struct sf_event_done done; /* Its pointers lead into this struct. */
    struct sf_wire_error error;
    struct sf_strlist refusals;
    char *command;
    bool strict;       /* --fail-on-refusal: also a refusal that was made up for counts. */
    const char *check; /* The command of --verify; NULL: nothing is verified. */
    char *detected;    /* That command, where the project named it. */
    enum sf_proof proof;
    const struct sf_schema_output *schema; /* What the answer must fit; NULL: nothing. */
    enum sf_reviewed reviewed;             /* What a review came to, if `reviews`. */
    bool reviews;
    struct sf_strbuf why;    /* Why the check does not say that all is well. */
    struct sf_strbuf output; /* The output of a check that did not pass. */
};

void sf_ending_init(struct sf_ending *ending);
void sf_ending_release(struct sf_ending *ending);

/*
 * Reads the command of --verify; "auto" is the first check that the project has. False: it names none.
 */
bool sf_ending_read_check(struct sf_ending *ending, struct sf_invocation *inv,
                          struct sf_error *err) SF_MUST_CHECK;

/* Takes the end of the turn, in place of that of an earlier one. */
void sf_ending_keep(struct sf_ending *ending, const struct sf_event_done *done);

/* Takes the result of the check. */
void sf_ending_prove(struct sf_ending *ending, const struct sf_event_result *result);

/* Takes the state of a review; a prompt that follows is about something else. */
void sf_ending_review(struct sf_ending *ending, const struct sf_event *event);

/* The exit code of a run that was a review, given what the run came to otherwise. */
enum sf_exit sf_ending_review_code(const struct sf_ending *ending, enum sf_exit code);

/* What the check proved, as events say it; NULL: none was asked for. */
const char *sf_ending_verdict(const struct sf_ending *ending);

/* The exit code of the turn alone, and that of the whole run. */
enum sf_exit sf_ending_turn_code(const struct sf_ending *ending);
enum sf_exit sf_ending_code(const struct sf_ending *ending);

/* Whether it ended so because the answer does not fit its schema. */
bool sf_ending_misfits(const struct sf_ending *ending, enum sf_exit code);

/* Adds why the run ended with `code`; nothing if it is simply done. */
void sf_ending_reason(const struct sf_ending *ending, enum sf_exit code, struct sf_strbuf *out);

#endif
