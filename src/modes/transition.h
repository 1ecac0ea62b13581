/*
 * transition: one change of the state as a row: what was requested, by whom, why, when it takes
 * effect, and the outcome. A plain value; the machine fills it, the store writes it.
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
    SF_WHEN_AFTER_TOOL,     /* when no tool is running */
    SF_WHEN_AFTER_UNIT,     /* when the running unit ends */
    SF_WHEN_NEXT_MILESTONE, /* when the running milestone ends */
    SF_WHEN_FOR_NEXT_UNIT,  /* for one unit, then reverted */
    SF_WHEN_DEFAULT,        /* NOW if idle, AFTER_TOOL during a turn; never stored */
};

extern const char *const sf_when_names[]; /* "now" … "for-next-unit" */

enum sf_outcome {
    SF_OUTCOME_PENDING,
    SF_OUTCOME_APPLIED,
    SF_OUTCOME_SUPERSEDED, /* later requests took over all its fields before it was applied */
    SF_OUTCOME_REFUSED,    /* no longer allowed when it became due */
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
    struct sf_mode_change change; /* what is left after later ones took over fields */
    enum sf_when when;
    enum sf_actor actor;
    enum sf_outcome outcome;
    bool confirmed;
    bool written; /* the store has a row of it */
    bool reduced; /* that row has fields which the transition has lost since */
    bool ripe;    /* the event it waited for has happened; it only needs that no tool runs */
    char reason[SF_TRANSITION_REASON + 1];
    char session[SF_TRANSITION_SESSION + 1];
    char time[SF_TRANSITION_TIME + 1];   /* RFC 3339; of the request, then of the outcome */
    char note[SF_TRANSITION_REASON + 1]; /* why it was refused, or "" */
    struct sf_mode_state from, to;       /* with their versions */
    int64_t reverts;                     /* the transition that this one reverts, or 0 */
    int64_t superseded_by;               /* the last one that took over a field, or 0 */
    int64_t supersedes[SF_TRANSITION_SUPERSEDES];
    size_t supersedes_count;
};

/*
 * {"timestamp","from","to","reason","scope","sessionId","actor","id","outcome"}, then, if they have
 * a value, "supersedes", "supersededBy", "reverts", "note". from and to always have the four axes,
 * and scope, paused and trust if those differ. A pending transition also has "waits", with what is
 * needed to resume it later.
 */
void sf_transition_json(const struct sf_transition *transition, struct sf_json_writer *w);

/* The kind of log events with that JSON. */
#define SF_TRANSITION_EVENT "transition"

/* Reads everything for display, without "waits"; from and to have no surface and version. */
bool sf_transition_shown(struct sf_transition *transition, const struct sf_json *json,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * Reads a pending transition, except `from` and `to`, which were not written completely and must be
 * filled before. The JSON is not trusted: anything invalid is an error.
 */
bool sf_transition_from_json(struct sf_transition *transition, const struct sf_json *json,
                             struct sf_error *err) SF_MUST_CHECK;

#endif
