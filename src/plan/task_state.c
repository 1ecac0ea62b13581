/*
 * task_state.c: the table of moves. A move that has no row does not exist. How near a state is to
 * done is a number of its own, so that "towards done" is a comparison and not a second list.
 */
#include "plan/task_state.h"

#include "base/base.h"

const char *const sf_task_states[] = {
    [SF_TASK_TODO] = "todo",           [SF_TASK_RUNNING] = "running",
    [SF_TASK_VERIFYING] = "verifying", [SF_TASK_REVIEWING] = "reviewing",
    [SF_TASK_DONE] = "done",           [SF_TASK_BLOCKED] = "blocked",
    [SF_TASK_PAUSED] = "paused",       [SF_TASK_FAILED] = "failed",
    [SF_TASK_CANCELLED] = "cancelled", [SF_TASK_RETRYING] = "retrying",
    [SF_TASK_STATES] = NULL,
};

static const int nearness[SF_TASK_STATES] = {
    [SF_TASK_BLOCKED] = 0, [SF_TASK_FAILED] = 0,    [SF_TASK_CANCELLED] = 0,
    [SF_TASK_TODO] = 1,    [SF_TASK_PAUSED] = 1,    [SF_TASK_RETRYING] = 1,
    [SF_TASK_RUNNING] = 2, [SF_TASK_VERIFYING] = 3, [SF_TASK_REVIEWING] = 4,
    [SF_TASK_DONE] = 5,
};

enum {
    MACHINE = SF_TASK_BY_MACHINE | SF_TASK_BY_VERDICT,
    VERDICT = SF_TASK_BY_VERDICT,
    PERSON = SF_TASK_BY_PERSON,
    EITHER = MACHINE | PERSON,
};

/* clang-format off */
static const struct move {
    enum sf_task_state from, to;
    int by;
} moves[] = {
    { SF_TASK_TODO,      SF_TASK_RUNNING,   EITHER },
    { SF_TASK_TODO,      SF_TASK_BLOCKED,   EITHER },
    { SF_TASK_TODO,      SF_TASK_CANCELLED, PERSON },

    { SF_TASK_RUNNING,   SF_TASK_VERIFYING, MACHINE }, /* its model says that it is finished */
    { SF_TASK_RUNNING,   SF_TASK_RETRYING,  EITHER },
    { SF_TASK_RUNNING,   SF_TASK_TODO,      EITHER },  /* stopped, or its holder died */
    { SF_TASK_RUNNING,   SF_TASK_BLOCKED,   EITHER },
    { SF_TASK_RUNNING,   SF_TASK_PAUSED,    EITHER },
    { SF_TASK_RUNNING,   SF_TASK_FAILED,    EITHER },
    { SF_TASK_RUNNING,   SF_TASK_CANCELLED, PERSON },

    { SF_TASK_VERIFYING, SF_TASK_DONE,      VERDICT },
    { SF_TASK_VERIFYING, SF_TASK_REVIEWING, MACHINE }, /* a person or a second opinion decides */
    { SF_TASK_VERIFYING, SF_TASK_RUNNING,   MACHINE }, /* the failing part goes back to the model */
    { SF_TASK_VERIFYING, SF_TASK_RETRYING,  EITHER },
    { SF_TASK_VERIFYING, SF_TASK_TODO,      EITHER },
    { SF_TASK_VERIFYING, SF_TASK_BLOCKED,   EITHER },
    { SF_TASK_VERIFYING, SF_TASK_PAUSED,    EITHER },
    { SF_TASK_VERIFYING, SF_TASK_FAILED,    EITHER },
    { SF_TASK_VERIFYING, SF_TASK_CANCELLED, PERSON },

    { SF_TASK_REVIEWING, SF_TASK_DONE,      VERDICT | PERSON },
    { SF_TASK_REVIEWING, SF_TASK_RUNNING,   EITHER },  /* redo with words */
    { SF_TASK_REVIEWING, SF_TASK_RETRYING,  EITHER },
    { SF_TASK_REVIEWING, SF_TASK_TODO,      EITHER },  /* reverted */
    { SF_TASK_REVIEWING, SF_TASK_BLOCKED,   EITHER },
    { SF_TASK_REVIEWING, SF_TASK_PAUSED,    EITHER },
    { SF_TASK_REVIEWING, SF_TASK_FAILED,    EITHER },
    { SF_TASK_REVIEWING, SF_TASK_CANCELLED, PERSON },

    { SF_TASK_RETRYING,  SF_TASK_RUNNING,   EITHER },
    { SF_TASK_RETRYING,  SF_TASK_TODO,      EITHER },
    { SF_TASK_RETRYING,  SF_TASK_BLOCKED,   EITHER },
    { SF_TASK_RETRYING,  SF_TASK_PAUSED,    EITHER },
    { SF_TASK_RETRYING,  SF_TASK_FAILED,    EITHER },
    { SF_TASK_RETRYING,  SF_TASK_CANCELLED, PERSON },

    { SF_TASK_PAUSED,    SF_TASK_RUNNING,   PERSON },  /* goes on in the same unit */
    { SF_TASK_PAUSED,    SF_TASK_TODO,      PERSON },
    { SF_TASK_PAUSED,    SF_TASK_CANCELLED, PERSON },

    { SF_TASK_BLOCKED,   SF_TASK_TODO,      PERSON },
    { SF_TASK_BLOCKED,   SF_TASK_RETRYING,  PERSON },
    { SF_TASK_BLOCKED,   SF_TASK_CANCELLED, PERSON },

    { SF_TASK_FAILED,    SF_TASK_TODO,      PERSON },
    { SF_TASK_FAILED,    SF_TASK_RETRYING,  PERSON },
    { SF_TASK_FAILED,    SF_TASK_CANCELLED, PERSON },

    { SF_TASK_CANCELLED, SF_TASK_TODO,      PERSON },
    { SF_TASK_CANCELLED, SF_TASK_RETRYING,  PERSON },
};
/* clang-format on */

static int movers(enum sf_task_state from, enum sf_task_state to)
{
    for (size_t i = 0; i < SF_COUNT(moves); i++)
        if (moves[i].from == from && moves[i].to == to)
            return moves[i].by;
    return 0;
}

bool sf_task_move_is_legal(enum sf_task_state from, enum sf_task_state to)
{
    return movers(from, to) != 0;
}

bool sf_task_move_may(enum sf_task_state from, enum sf_task_state to, enum sf_task_mover mover)
{
    return (movers(from, to) & (int)mover) != 0;
}

bool sf_task_move_leads_to_done(enum sf_task_state from, enum sf_task_state to)
{
    return nearness[to] > nearness[from];
}

bool sf_task_state_is_held(enum sf_task_state state)
{
    return nearness[state] == nearness[SF_TASK_RUNNING] ||
           nearness[state] == nearness[SF_TASK_VERIFYING];
}
