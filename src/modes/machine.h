/*
 * machine: the state of a session, what it is busy with, and the transitions that wait. It
 * decides what takes effect when, and in which order; the caller writes each row down first:
 *
 *     sf_mode_machine_submit(…);            or sf_mode_machine_notify(…)
 *     while ((t = sf_mode_machine_due(m, now))) {
 *         persist the row *t;               on failure stop here, nothing has changed
 *         sf_mode_machine_apply(m, t->id, &err);
 *     }
 *
 * Drain like this after each submit, notify and cancel, and before the next tool starts. Nothing
 * applies while a tool runs: a call in flight keeps the state it began with.
 *
 * A later transition takes the fields it names away from earlier ones that still wait; one that
 * loses all of them comes out as superseded. Changing the work mode takes the scope along. What a
 * model, controller or schedule asks takes nothing from what a person asked.
 *
 * for-next-unit applies when a unit starts and leaves behind a second transition that leads back
 * when it ends. That one can be superseded like any other, and it never raises again a profile,
 * run control or trust that somebody lowered in between.
 */
#ifndef SF_MODES_MACHINE_H
#define SF_MODES_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "modes/change.h"
#include "modes/scope.h"
#include "modes/state.h"
#include "modes/transition.h"

enum { SF_MACHINE_QUEUE = 32 };

struct sf_mode_machine; /* fields live in machine.c */

struct sf_machine_setup {
    struct sf_mode_state state;
    const struct sf_scope_set *scopes; /* borrowed; must outlive the machine */
    bool workspace_trusted;
    int64_t last_id; /* of the session's transitions so far; 0: none */
    bool elsewhere;  /* another process runs the session: what waits ripens there, not here */
};

struct sf_mode_machine *sf_mode_machine_new(const struct sf_machine_setup *setup);
void sf_mode_machine_free(struct sf_mode_machine *m); /* NULL is welcome */

const struct sf_mode_state *sf_mode_machine_state(const struct sf_mode_machine *m);

/* The state once everything that waits has happened, for the badge: build→repair. */
struct sf_mode_state sf_mode_machine_preview(const struct sf_mode_machine *m);

struct sf_mode_request {
    struct sf_mode_change change;
    enum sf_when when;
    enum sf_actor actor;
    bool confirmed;
    const char *reason;  /* shown and logged; made safe and cut at SF_TRANSITION_REASON */
    const char *session; /* 1 to SF_TRANSITION_SESSION bytes */
    const char *time;    /* RFC 3339 */
};

/* What became of a request. */
struct sf_machine_receipt {
    int64_t id;   /* 0: it was not taken */
    bool due;     /* it can apply now */
    bool abort;   /* the running tools that allow it should be aborted; the others are awaited */
    bool confirm; /* not taken, but would be with `confirmed`: ask the user */
};

/*
 * Refused with a reason when the actor may not, a scope is unknown, or SF_MACHINE_QUEUE
 * transitions wait already. What is allowed is looked at again when it becomes due.
 */
bool sf_mode_machine_submit(struct sf_mode_machine *m, const struct sf_mode_request *request,
                            struct sf_machine_receipt *receipt, struct sf_error *err) SF_MUST_CHECK;

/*
 * What the session does. Tools may run side by side; the stubborn ones cannot be aborted. An end
 * without its start changes nothing.
 */
enum sf_machine_event {
    SF_MACHINE_TURN_STARTED,
    SF_MACHINE_TURN_ENDED,
    SF_MACHINE_TOOL_STARTED,
    SF_MACHINE_TOOL_ENDED,
    SF_MACHINE_STUBBORN_TOOL_STARTED,
    SF_MACHINE_STUBBORN_TOOL_ENDED,
    SF_MACHINE_UNIT_STARTED,
    SF_MACHINE_UNIT_ENDED,
    SF_MACHINE_MILESTONE_STARTED,
    SF_MACHINE_MILESTONE_ENDED,
};

void sf_mode_machine_notify(struct sf_mode_machine *m, enum sf_machine_event event);

/*
 * The next row to write down, stamped with `time` (RFC 3339); NULL: nothing is due. Borrowed
 * until the next call that changes the machine, and applied by sf_mode_machine_apply alone.
 */
const struct sf_transition *sf_mode_machine_due(struct sf_mode_machine *m, const char *time);

/*
 * Makes the row just returned come true and removes it from the queue. The version grows by one
 * if it was applied, and by none if it was superseded, refused or cancelled. Fails without any
 * effect when `id` is not that row, or the machine has changed since.
 */
bool sf_mode_machine_apply(struct sf_mode_machine *m, int64_t id,
                           struct sf_error *err) SF_MUST_CHECK;

/* Those that wait, in the order they came; for lists. Borrowed like the due one. */
size_t sf_mode_machine_waiting(const struct sf_mode_machine *m);
const struct sf_transition *sf_mode_machine_item(const struct sf_mode_machine *m, size_t index);

/* A waiting transition has no row in the log yet, or its row asks for more than is left of it. */
bool sf_mode_machine_unwritten(const struct sf_transition *waiting);
/* Says that the row of the waiting transition `id` is in the log now. */
void sf_mode_machine_written(struct sf_mode_machine *m, int64_t id);

/*
 * What waits according to the store, in the order of the numbers: written by an earlier process, or
 * by another one just now. New ones join and wait for what the session does, those that somebody
 * else settled go, and of the others that is left which the store says. Ones of our own that were
 * not written yet stay. Too many are dropped. True: something changed.
 */
bool sf_mode_machine_sync(struct sf_mode_machine *m, const struct sf_transition *waiting,
                          size_t count);

/* The process that ran the session is gone, and we do from now on. */
void sf_mode_machine_here(struct sf_mode_machine *m);

/*
 * Another process changed the record first: go on from what it wrote. Numbers up to `last_id` are
 * taken: what is not written yet gets others.
 */
void sf_mode_machine_resync(struct sf_mode_machine *m, const struct sf_mode_state *state,
                            int64_t last_id);

#endif
