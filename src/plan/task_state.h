/*
 * task_state: the states of a task and the legal moves between them, as one table. A move names
 * who may make it: the machine that runs units, the same machine holding a passed verdict, or a
 * person. Whoever writes a state of a task asks here first; nothing else knows which moves exist.
 *
 *   done       is terminal, and reached only from verifying (with a passed verdict) or reviewing
 *   blocked, failed, cancelled   are left only by a person, to todo or retrying
 *   paused     is left only by a person, to the same unit or back to todo
 *   running with nobody          (its holder died) goes to retrying or todo, never forward
 */
#ifndef SF_PLAN_TASK_STATE_H
#define SF_PLAN_TASK_STATE_H

#include <stdbool.h>
#include <stddef.h>

enum sf_task_state {
    SF_TASK_TODO,
    SF_TASK_RUNNING,
    SF_TASK_VERIFYING,
    SF_TASK_REVIEWING,
    SF_TASK_DONE,
    SF_TASK_BLOCKED,
    SF_TASK_PAUSED,
    SF_TASK_FAILED,
    SF_TASK_CANCELLED,
    SF_TASK_RETRYING,
};

enum { SF_TASK_STATES = SF_TASK_RETRYING + 1 };

enum sf_task_mover {
    SF_TASK_BY_MACHINE = 1 << 0,
    SF_TASK_BY_VERDICT = 1 << 1, /* the machine, with a verification that passed */
    SF_TASK_BY_PERSON = 1 << 2,
};

extern const char *const sf_task_states[]; /* names by enum sf_task_state, NULL-terminated */

/* Whether anybody may make the move. A state is never a move to itself. */
bool sf_task_move_is_legal(enum sf_task_state from, enum sf_task_state to);

/* Whether this mover may; SF_TASK_BY_VERDICT includes whatever the machine may do without one. */
bool sf_task_move_may(enum sf_task_state from, enum sf_task_state to, enum sf_task_mover mover);

/* Whether `to` is nearer to done than `from`. A repair may make no such move. */
bool sf_task_move_leads_to_done(enum sf_task_state from, enum sf_task_state to);

/* Whether somebody works on the task in this state, so that it has a holder and a lease. */
bool sf_task_state_is_held(enum sf_task_state state);

#endif
