/*
 * machine: the state of a session, what it is busy with, and the pending transitions. It decides
 * what takes effect when, and in which order; the caller writes each row before it is applied:
 *
 *     sf_mode_machine_submit(…);            or sf_mode_machine_notify(…)
 *     while ((t = sf_mode_machine_due(m, now))) {
 *         persist the row *t, and what sf_mode_machine_revert says, in one transaction;
 *                                           on failure stop here, nothing has changed
 *         sf_mode_machine_apply(m, t->id, &err);
 *     }
 *
 * Drain like this after each submit and notify, and before the next tool starts. Nothing is applied
 * while a tool runs: a running call keeps the state it began with.
 *
 * A later transition takes the fields it names away from earlier pending ones; a transition that
 * loses all its fields is superseded. Changing the work mode includes the scope. A request of a
 * model, controller or schedule takes no fields from the request of a person.
 *
 * for-next-unit applies when a unit starts and queues a second transition that reverts it when the
 * unit ends. That one can be superseded like any other, and it never raises a profile, run control
 * or trust that was lowered in between.
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
    int64_t last_id; /* the highest number of the session's transitions so far; 0: none */
    bool elsewhere;  /* another process owns the session: only there can transitions become due */
};

struct sf_mode_machine *sf_mode_machine_new(const struct sf_machine_setup *setup);
void sf_mode_machine_free(struct sf_mode_machine *m); /* NULL is welcome */

const struct sf_mode_state *sf_mode_machine_state(const struct sf_mode_machine *m);

/* The state after all pending transitions, for the badge: build→repair. */
struct sf_mode_state sf_mode_machine_preview(const struct sf_mode_machine *m);

struct sf_mode_request {
    struct sf_mode_change change;
    enum sf_when when;
    enum sf_actor actor;
    bool confirmed;
    const char *reason;  /* shown and logged; sanitised and cut at SF_TRANSITION_REASON */
    const char *session; /* 1 to SF_TRANSITION_SESSION bytes */
    const char *time;    /* RFC 3339 */
};

/* The result of a request. */
struct sf_machine_receipt {
    int64_t id;   /* 0: not accepted */
    bool due;     /* can be applied now */
    bool abort;   /* abort running tools that allow it; wait for the others */
    bool confirm; /* not accepted, but would be with `confirmed`: ask the user */
};

/*
 * Refused with a reason when the actor may not make the change, a scope is unknown, or
 * SF_MACHINE_QUEUE transitions wait already. Authority is checked again when it becomes due.
 */
bool sf_mode_machine_submit(struct sf_mode_machine *m, const struct sf_mode_request *request,
                            struct sf_machine_receipt *receipt, struct sf_error *err) SF_MUST_CHECK;

/*
 * What the session does. Tools may run in parallel; stubborn ones cannot be aborted. An end without
 * its start has no effect.
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
 * The next row to write, with the timestamp `time` (RFC 3339); NULL: nothing is due. Borrowed until
 * the next call that changes the machine; only sf_mode_machine_apply applies it.
 */
const struct sf_transition *sf_mode_machine_due(struct sf_mode_machine *m, const char *time);

/*
 * What applying the row just returned will queue, to undo it after its unit; false: nothing. Both
 * are to be written at once: a process that ends between the two would leave the change behind.
 */
bool sf_mode_machine_revert(const struct sf_mode_machine *m, struct sf_transition *back);

/*
 * Applies the row just returned and removes it from the queue. The version is incremented if the
 * row is applied, but not if it is superseded, refused or cancelled. Fails without any effect when
 * `id` is not that row, or the machine has changed since.
 */
bool sf_mode_machine_apply(struct sf_mode_machine *m, int64_t id,
                           struct sf_error *err) SF_MUST_CHECK;

/* The pending transitions in order of submission. Borrowed like the due one. */
size_t sf_mode_machine_waiting(const struct sf_mode_machine *m);
const struct sf_transition *sf_mode_machine_item(const struct sf_mode_machine *m, size_t index);

/* Whether a pending transition has no row yet, or its row has fields that it has lost since. */
bool sf_mode_machine_unwritten(const struct sf_transition *waiting);
/* The row of the pending transition `id` has been written. */
void sf_mode_machine_written(struct sf_mode_machine *m, int64_t id);

/*
 * Takes over the pending transitions of the store, in order of their numbers, written by an earlier
 * process or by another one just now. New ones are added, those that another process settled are
 * removed, and the others are reduced to the fields that the store says. Our own transitions that
 * have no row yet stay. Those beyond the limit are dropped. True: something changed.
 */
bool sf_mode_machine_sync(struct sf_mode_machine *m, const struct sf_transition *waiting,
                          size_t count);

/* The previous owner of the session is gone, and this process owns it now. */
void sf_mode_machine_here(struct sf_mode_machine *m);

/*
 * Another process changed the record first: continues from its state. Numbers up to `last_id` are
 * taken, so transitions without a row get new ones.
 */
void sf_mode_machine_resync(struct sf_mode_machine *m, const struct sf_mode_state *state,
                            int64_t last_id);

#endif
