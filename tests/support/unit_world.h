/*
 * unit_world: a store, two processes and a person for the machine that runs units. Every effect is
 * performed as a real performer would, and what must never happen fails the test at once, with the
 * seed and the last things that happened.
 */
#ifndef SF_TESTS_SUPPORT_UNIT_WORLD_H
#define SF_TESTS_SUPPORT_UNIT_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/agent.h"

enum { WORLD_TASKS = 64, WORLD_PROCS = 2, WORLD_TRAIL = 60 };

/* A row of the store, with what the test knows about it. */
struct world_task {
    char id[SF_UNITS_ID_MAX + 1], kind[16], milestone[16];
    enum sf_task_state state;
    struct sf_strlist deps;
    int priority;
    bool asks;
    bool passed;   /* the last word about it was a passed verdict */
    bool accepted; /* a person said that it is done */
    bool committed;
    int64_t estimate_ms, spent[SF_BUDGET_COUNT];
};

struct world_proc {
    struct sf_units *units; /* NULL: dead */
    struct sf_units_effects fx;
    int token;     /* of its lease */
    size_t loaded; /* events that its machine knows */
    int running;   /* the task that its unit works on, -1: none, -2: a repair */
    int closing;   /* the task it closes out, or -1 */
    bool paused;   /* nothing may start until the person says something else */
    bool void_;    /* the store refused it */
    bool leaving;  /* a way out was taken, from this halt: */
    struct sf_units_halt left;
};

struct world {
    uint64_t seed, rng;
    struct sf_units_setup setup;
    struct world_task tasks[WORLD_TASKS];
    int count;
    struct sf_strlist kinds, events; /* the log */
    struct sf_units *shadow;         /* has read every event as text */
    size_t compared;                 /* events when the two were compared */
    int holder, token;               /* of the lease */
    struct world_proc procs[WORLD_PROCS];
    int64_t now, run_spent[SF_BUDGET_COUNT], day_spent[SF_BUDGET_COUNT];
    bool goal;
    bool thorough;     /* every step that saves is compared with what is loaded */
    bool sick, gentle; /* gentle: everything succeeds and nobody is killed */
    int64_t steps, kills, halts, ends, starts, dones;
    char trail[WORLD_TRAIL][160];
    int trail_at;
};

void world_open(struct world *w, uint64_t seed);
void world_close(struct world *w);

/* A number below `n`. */
uint64_t world_random(struct world *w, uint64_t n);

/* One thing happens. */
void world_step(struct world *w);

/* Everything succeeds from here on; fails unless the run then comes to its end. */
void world_finish(struct world *w);

#endif
