/*
 * transition: one change of the state as a row of the log: what was asked, by whom, why, when it
 * takes effect and what became of it. A plain value; the machine fills it, the store writes it.
 *
 * Every submitted transition ends in exactly one row: applied, superseded, refused or cancelled.
 */
#ifndef SF_MODES_TRANSITION_H
#define SF_MODES_TRANSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "modes/authority.h"
#include "modes/change.h"
#include "modes/state.h"

enum sf_when {
    SF_WHEN_NOW,            /* at once; a running tool that allows it is aborted first */
    SF_WHEN_AFTER_TOOL,     /* when no tool runs any more */
    SF_WHEN_AFTER_UNIT,     /* when the running unit ends */
    SF_WHEN_NEXT_MILESTONE, /* when the running milestone ends */
    SF_WHEN_FOR_NEXT_UNIT,  /* for one unit, then back */
    SF_WHEN_DEFAULT,        /* now when idle, after the tool during a turn; never in a row */
};

extern const char *const sf_when_names[]; /* "now" … "for-next-unit" */

enum sf_outcome {
    SF_OUTCOME_PENDING,
    SF_OUTCOME_APPLIED,
    SF_OUTCOME_SUPERSEDED, /* all it asked for was asked otherwise before it came to be */
    SF_OUTCOME_REFUSED,    /* the state had changed; it was no longer allowed */
    SF_OUTCOME_CANCELLED,
};

extern const char *const sf_outcome_names[];

enum {
    SF_TRANSITION_REASON = 240,
    SF_TRANSITION_SESSION = 64,
    SF_TRANSITION_TIME = 40,
    SF_TRANSITION_SUPERSEDES = 2 * SF_FIELD_COUNT,
};

struct sf_transition {
    int64_t id;                   /* 1, 2, 3 … within the session */
    struct sf_mode_change asked;  /* as submitted */
    struct sf_mode_change change; /* what is left of it once later ones took fields over */
    enum sf_when when;
    enum sf_actor actor;
    enum sf_outcome outcome;
    bool confirmed;
    bool written; /* a row of it stands in the log */
    bool reduced; /* that row asks for more than is left of the transition */
    bool ripe;    /* what it waited for has happened; no running tool is all it needs */
    char reason[SF_TRANSITION_REASON + 1];
    char session[SF_TRANSITION_SESSION + 1];
    char time[SF_TRANSITION_TIME + 1];   /* RFC 3339; of the request, then of the outcome */
    char note[SF_TRANSITION_REASON + 1]; /* why it was refused, or "" */
    struct sf_mode_state from, to;       /* with their versions */
    int64_t reverts;                     /* the transition this one takes back, or 0 */
    int64_t superseded_by;               /* the last that took a field over, or 0 */
    int64_t supersedes[SF_TRANSITION_SUPERSEDES];
    size_t supersedes_count;
};

/*
 * {"timestamp","from","to","reason","scope","sessionId","actor","id","outcome"}, then where they
 * say something "supersedes", "supersededBy", "reverts", "note". from and to always have the
 * four axes, and scope, paused and trust where those differ. One that is pending also has "waits":
 * what it takes to go on with it later.
 */
void sf_transition_json(const struct sf_transition *transition, struct sf_json_writer *w);

/* The kind of events with that JSON, for who reads a log. */
#define SF_TRANSITION_EVENT "transition"

/* All of it but what a pending one waits for; from and to without surface and version. */
bool sf_transition_shown(struct sf_transition *transition, const struct sf_json *json,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * A pending one from its JSON, all but `from` and `to`, which were not written whole; those must be
 * filled before. Whoever wrote it: what makes no sense is an error.
 */
bool sf_transition_from_json(struct sf_transition *transition, const struct sf_json *json,
                             struct sf_error *err) SF_MUST_CHECK;

#endif
