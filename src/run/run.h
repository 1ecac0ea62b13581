/*
 * run: carries out the tasks of an accepted plan, one unit after the other. agent/units decides
 * what comes next; this room performs it: it writes rows and events, asks the health gate, begins a
 * turn with a fresh context for each unit, has it verified, and gives control back with a reason
 * and the command that leads on.
 *
 * Life: sf_run_open, the commands, sf_run_event for each event of the session, sf_run_close. All of
 * it happens on the loop; the health gate is looked at by a worker. What a surface has to know are
 * events of the session, SF_EVENT_RUN, each made from a row that is in the log already.
 *
 * Decisions, each with the tests that hold it:
 *
 * - The lease of a run lives in the kernel.
 *   Problem: Two processes must not carry out one plan, and one that died must not block the next.
 *   Decision: Whoever works holds a lock on a file of the project's state, which ends with its
 *     process. No row has to be believed, and no time has to pass.
 *   Cost: A process that was stopped keeps the lease until it goes on or is ended.
 *   Enforced by: run/run
 *
 * - A unit begins with an empty conversation.
 *   Problem: What earlier units said costs tokens again and misleads the next one.
 *   Decision: The model of a unit sees the system prompt, pinned facts and a briefing: the task,
 *     the plan around it, what failed before. The log and the screen keep everything.
 *   Cost: What is not in the briefing has to be read again.
 *   Enforced by: run/run, session/unit
 *
 * - Nobody verifies by saying so.
 *   Problem: A model that says "done" is not a test that passed.
 *   Decision: The task's check, else the commands of work.verify, are judged, caged and read like
 *     any command. A unit without a check is not verified, and control goes back to the user.
 *   Cost: Tasks without a check need a person's word.
 *   Enforced by: run/run
 *
 * Other rooms include only this header.
 */
#ifndef SF_RUN_RUN_H
#define SF_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "agent/agent.h"
#include "base/base.h"
#include "run/run_event.h"
#include "session/session.h"

struct sf_run;

enum sf_run_asked { SF_ASKED_REVIEW, SF_ASKED_APPROVAL };

/* Borrowed, and must outlive the run. */
struct sf_run_setup {
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_store *store;
    struct sf_config *config;
    const struct sf_workspace *workspace;
    const char *state_dir;
    struct sf_session *session;
    const char *surface; /* for rows of the log */
    bool attended;       /* a person can answer */

    /* Asks about a task, with words for people; answered by sf_run_answer or a word. */
    void (*ask)(void *ctx, enum sf_run_asked what, const char *task, const char *words);
    void (*withdraw)(void *ctx);                            /* the question is settled */
    void (*trouble)(void *ctx, const struct sf_error *err); /* the run cannot go on */
    void (*control)(void *ctx, enum sf_units_state now);    /* for the axes */
    void *ctx;
};

/*
 * Finds the plan that was accepted last and has tasks left; `plan` or NULL names another one. False
 * with SF_E_NOENT: there is none.
 */
struct sf_run *sf_run_open(const struct sf_run_setup *setup, const char *plan,
                           struct sf_error *err);
void sf_run_close(struct sf_run *run); /* NULL is welcome; what runs is left to the session */

/* ---- doing ---- */

void sf_run_go(struct sf_run *run);    /* unit after unit; after a pause it goes on */
void sf_run_next(struct sf_run *run);  /* one unit, then its review */
void sf_run_pause(struct sf_run *run); /* nothing new starts; it can go on */
void sf_run_stop(struct sf_run *run);  /* work is kept, the state is cleared */

/* A person decides about a task; `words` may be "". False: there is no such task. */
bool sf_run_word(struct sf_run *run, enum sf_units_word word, const char *task, const char *words,
                 struct sf_error *err) SF_MUST_CHECK;
void sf_run_answer(struct sf_run *run, enum sf_run_asked what, bool yes);

/* Every event of the session, once the surface has it. */
void sf_run_event(struct sf_run *run, const struct sf_event *event);

/* ---- looking ---- */

const char *sf_run_plan(const struct sf_run *run); /* the name of the plan */
const struct sf_units *sf_run_units(const struct sf_run *run);
bool sf_run_works(const struct sf_run *run); /* something is under way, or follows by itself */
bool sf_run_holds(const struct sf_run *run); /* paused in mid-unit, where it can go on */

/* Tasks of the plan by state. */
struct sf_run_counts {
    size_t tasks, done, failed, blocked;
};
void sf_run_count(const struct sf_run *run, struct sf_run_counts *out);

#endif
