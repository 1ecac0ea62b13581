/*
 * store: what outlives the process. One directory per project has one SQLite file that many
 * processes share:
 *
 *     sf.db  sf.db-wal  sf.db-shm     the database and SQLite's side files
 *     store.lock                      held while a process opens, upgrades or recovers it
 *     backups/                        full copies made before each upgrade, the newest three
 *     damaged-<time>/                 what a recovery set aside; never deleted by sf
 *
 * Each writing call is one transaction: once it has returned true, the record survives the death of
 * the process. The error code tells damage, a full disk, a read-only place and a file of a newer sf
 * apart; in none of these cases is anything overwritten or deleted.
 *
 * A store belongs to one thread at a time and does not survive fork(): the child must neither
 * use nor close it. Rows given to a callback are borrowed for that call, and the callback must
 * not write to the same store.
 *
 * Decisions, each with the tests that hold it:
 *
 * - The store is made under another name and renamed into place.
 *   Problem: A crash in the first second would leave a half-made file that looks like a store.
 *   Decision: A new database gets its name only when it is complete; an empty file of that name is
 *     recognised as damage.
 *   Cost: Making a store briefly needs room for a second file.
 *   Enforced by: store/place, store/damage
 *
 * - A goal is a row, and its counters change in the transaction that records usage.
 *   Problem: If goals were events, two processes could not count for the same goal at once.
 *   Decision: A change of a goal names the row it started from. A fork copies the row with its
 *     counters, since forking must not refill a budget.
 *   Cost: The goal is the one state that cannot be rebuilt from the log alone.
 *   Enforced by: store/goal, session/goal
 *
 * - A pending transition is a row.
 *   Problem: A change that waits for the end of a unit would be lost with its process.
 *   Decision: The row outlives the process. A request from another process is left to the owner of
 *     the session, which alone knows when a unit ends; an immediate change is written as applied.
 *   Cost: The queue in memory has to be compared with the rows.
 *   Enforced by: store/mode, store/queue
 *
 * - A task is held by a lease with a fence.
 *   Problem: A program that was stopped and goes on would write over what another did meanwhile.
 *   Decision: Each claim raises the fence of the task, and a holder names its fence with every
 *     write. A stale one changes nothing and is told so. The row of a move is written first, in the
 *     same transaction; a trigger refuses a change of state without it.
 *   Cost: A holder has to renew its lease while it works.
 *   Enforced by: store/task
 *
 * - A task that is done stays done when its plan is accepted anew.
 *   Problem: One changed byte is another plan, and its finished tasks would be paid for again.
 *   Decision: The text of an accepted plan is a row. A new plan of the same name takes over the
 *     tasks that are done and whose id and fields are the same; its other open tasks are cancelled.
 *   Cost: Old plans and their tasks stay in the store.
 *   Enforced by: store/plan
 *
 * - The index of words is derived data.
 *   Problem: A damaged index must not stop a session from being written.
 *   Decision: The index has no text of its own and is updated by the transaction that writes an
 *     event. If it is damaged, events are written without it and it is rebuilt.
 *   Cost: After damage, a search can miss something until the index is rebuilt.
 *   Enforced by: store/search
 *
 * - Deleting a session keeps its row.
 *   Problem: Usage and snapshots refer to sessions that the user wants to delete.
 *   Decision: Events, decisions and queues are deleted, but the row stays. The trigger that
 *     protects the log permits deleting events of such sessions only.
 *   Cost: Ids and totals of deleted sessions stay visible to queries.
 *   Enforced by: store/search, app/sessions
 */
#ifndef SF_STORE_STORE_H
#define SF_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "modes/modes.h"
#include "plan/plan.h"

/* The session for everything that happens outside a conversation; always exists. */
#define SF_SESSION_PROJECT "project"

#define SF_LOG_TRUST "trust" /* the kind of events about trusted workspaces, see workspace */

#define SF_EVENT_BYTES_MAX ((size_t)8 * 1024 * 1024)

struct sf_store; /* fields live in internal.h */

enum sf_store_mode {
    SF_STORE_WRITE, /* made and upgraded as needed */
    SF_STORE_READ,  /* never made, upgraded or written; works in read-only directories */
};

/*
 * Opens the store in `dir`, which SF_STORE_WRITE creates (0700). NULL with `err` filled:
 * SF_E_NEWER, SF_E_DAMAGED, SF_E_FULL, SF_E_READONLY, SF_E_BUSY (after 30 s), and for
 * SF_STORE_READ SF_E_NOENT when there is no store yet. SF_STORE_READ opens files of a newer sf too,
 * with a warning.
 */
struct sf_store *sf_store_open(const char *dir, enum sf_store_mode mode, struct sf_error *err);
void sf_store_close(struct sf_store *store); /* NULL is welcome */

/*
 * Keeps a transaction open until sf_store_let_go: writes do not wait for the disk, other processes
 * cannot write, and closing the store drops everything. For the moment when sf starts.
 */
bool sf_store_hold(struct sf_store *store, struct sf_error *err) SF_MUST_CHECK;
bool sf_store_let_go(struct sf_store *store, struct sf_error *err) SF_MUST_CHECK;

/* A warning for the user about the open store, or "". */
const char *sf_store_warning(const struct sf_store *store);

/* A new session. NULL means unknown, except for project and surface. */
struct sf_session_new {
    const char *project; /* real path of the workspace */
    const char *surface; /* tui, web, headless or rpc */
    const char *title;
    const char *provider;
    const char *model;
    const char *parent_id; /* the session it was forked from, or that started the sub-agent */
    int64_t forked_at_seq; /* the last event that a fork shares */
    bool agent;            /* a sub-agent, which shares no events */
};

struct sf_session_row {
    const char *id, *project, *title, *surface;
    const char *provider, *model;        /* "" when unknown */
    const char *parent_id;               /* "" when not forked */
    const char *created_at, *updated_at; /* RFC 3339; updated by each event */
    const char *archived_at;             /* "" when not archived */
    int64_t forked_at_seq;
    bool agent; /* a sub-agent, not a conversation of the user's */
    bool blank; /* no title and no events yet, apart from mode and model changes */
};

/* False stops the walk, which is then a success. */
typedef bool sf_session_fn(const struct sf_session_row *session, void *ctx);

bool sf_store_session_create(struct sf_store *store, const struct sf_session_new *new_session,
                             char id_out[SF_ID_LEN + 1], struct sf_error *err) SF_MUST_CHECK;

/*
 * The session with that id, or the only one whose id has that prefix. SF_E_NOENT when there is
 * none, SF_E_ARG when there are several. The strings of `out` are allocated in `arena`.
 */
bool sf_store_session_get(struct sf_store *store, const char *prefix, struct sf_arena *arena,
                          struct sf_session_row *out, struct sf_error *err) SF_MUST_CHECK;

/* Updates the title, the provider or the model; NULL leaves a value unchanged. */
bool sf_store_session_update(struct sf_store *store, const char *id, const char *title,
                             const char *provider, const char *model,
                             struct sf_error *err) SF_MUST_CHECK;

/* Visits the conversations, last used first, without SF_SESSION_PROJECT. */
bool sf_store_each_session(struct sf_store *store, sf_session_fn *fn, void *ctx,
                           struct sf_error *err) SF_MUST_CHECK;

/* Archives or unarchives a session; an archived session can be read and resumed as before. */
bool sf_store_session_archive(struct sf_store *store, const char *id, bool archived,
                              struct sf_error *err) SF_MUST_CHECK;

/*
 * Deletes the contents of a session and of its sub-agents for good. Rows of usage stay, and so do
 * its snapshots, without their labels, so that files can still be restored. SF_E_BUSY while forks
 * share its events.
 */
bool sf_store_session_delete(struct sf_store *store, const char *id,
                             struct sf_error *err) SF_MUST_CHECK;

/* Numbers about a session and its sub-agents; events that a fork shares count for its parent. */
struct sf_session_tally {
    int64_t turns, forks;
    int64_t tokens_in, tokens_out; /* cached tokens count as input */
    int64_t cost_micro_usd;
    bool cost_known; /* the cost of every request is known */
};

bool sf_store_session_tally(struct sf_store *store, const char *id, struct sf_session_tally *out,
                            struct sf_error *err) SF_MUST_CHECK;

struct sf_event_new {
    const char *session; /* the full id */
    const char *surface;
    const char *kind;
    const char *json; /* an object, at most SF_EVENT_BYTES_MAX */
    size_t len;
    bool whole; /* replaces the pieces of sf_store_partial_add, which are deleted */
};

struct sf_event_ref {
    int64_t id;  /* increases over the whole store */
    int64_t seq; /* 1, 2, 3 … within the session */
};

/* True: the event is durable. */
bool sf_store_append(struct sf_store *store, const struct sf_event_new *event,
                     struct sf_event_ref *out, struct sf_error *err) SF_MUST_CHECK;

struct sf_event_row {
    int64_t id, seq;
    const char *session, *time, *surface, *kind;
    const char *json;
    size_t len;
};

/* NULL and 0 do not filter. */
struct sf_event_filter {
    const char *kind;
    const char *session; /* an id or a unique prefix; includes the events it shares */
    int64_t since_ms;    /* wall clock, milliseconds since 1970 */
    size_t limit;        /* only this many of the newest */
};

typedef bool sf_event_fn(const struct sf_event_row *event, void *ctx);

/* Oldest first. */
bool sf_store_each_event(struct sf_store *store, const struct sf_event_filter *filter,
                         sf_event_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* Visits a session's own events after the one with that id, oldest first; cheap if there are no
 * such events. */
bool sf_store_each_later(struct sf_store *store, const char *session, int64_t id, sf_event_fn *fn,
                         void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* The events of a session, including shared ones, with numbers from `first` to `last`. */
struct sf_event_range {
    const char *session; /* the full id */
    int64_t first, last;
};
bool sf_store_each_in_range(struct sf_store *store, const struct sf_event_range *range,
                            sf_event_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* The number of the session's newest event; 0: none. */
bool sf_store_event_last(struct sf_store *store, const char *session, int64_t *seq,
                         struct sf_error *err) SF_MUST_CHECK;

/* The number of events of a kind up to `upto`, and the newest of them; 0 and 0: none. */
struct sf_event_count {
    int64_t count, last;
};
bool sf_store_event_count(struct sf_store *store, const char *session, const char *kind,
                          int64_t upto, struct sf_event_count *out,
                          struct sf_error *err) SF_MUST_CHECK;

/* The newest event of a kind by its time, without counting the others; 0: none. */
bool sf_store_event_newest(struct sf_store *store, const char *session, const char *kind,
                           int64_t *seq, struct sf_error *err) SF_MUST_CHECK;

/* An event that contains the words, or a title (then `kind` is "" and `seq` 0). */
struct sf_search_hit {
    const char *session, *title, *kind, *time;
    const char *text; /* an excerpt around the words */
    int64_t seq;
};

typedef bool sf_search_fn(const struct sf_search_hit *hit, void *ctx);

/*
 * Finds texts of users and models that contain all of these words: titles first, then newest first,
 * without sub-agents. The last word may be a prefix. Without words, nothing is found.
 */
bool sf_store_search(struct sf_store *store, const char *words, size_t limit, sf_search_fn *fn,
                     void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* Supplies imported events in order; false ends the import, as a failure if `err` is filled. */
struct sf_event_import {
    const char *time; /* in the format of the store; others are refused */
    const char *surface, *kind, *json;
    size_t len;
};
typedef bool sf_import_fn(struct sf_event_import *event, void *ctx, struct sf_error *err);

/* Makes a new session with these events, or nothing at all. */
bool sf_store_session_import(struct sf_store *store, const struct sf_session_new *new_session,
                             sf_import_fn *next, void *ctx, char id_out[SF_ID_LEN + 1],
                             struct sf_error *err) SF_MUST_CHECK;

/*
 * Pieces of an unfinished answer, so that a crash does not lose them. They are deleted by the event
 * with the complete answer, or when the request is retried.
 */
bool sf_store_partial_add(struct sf_store *store, const char *session, const char *text, size_t len,
                          struct sf_error *err) SF_MUST_CHECK;
bool sf_store_partial_get(struct sf_store *store, const char *session, struct sf_strbuf *out,
                          struct sf_error *err) SF_MUST_CHECK;
bool sf_store_partial_drop(struct sf_store *store, const char *session,
                           struct sf_error *err) SF_MUST_CHECK;

/* Usage and cost of one request. NULL and negative numbers mean unknown. */
struct sf_usage_new {
    const char *session, *provider, *model;
    int64_t input, output, cache_read, cache_write, reasoning; /* tokens */
    int64_t cost_micro_usd;
    const char *goal_of;  /* the session for whose goal it counts; NULL: none */
    int64_t goal_time_ms; /* the time to count for the goal */
};

bool sf_store_usage_add(struct sf_store *store, const struct sf_usage_new *usage,
                        struct sf_error *err) SF_MUST_CHECK;

/* Usage of a session and its sub-agents; requests before a fork count for its parent. */
struct sf_usage_totals {
    int64_t requests;
    int64_t input, output, cache_read, cache_write, reasoning; /* tokens */
    int64_t cost_micro_usd;
    int64_t unpriced; /* requests whose cost is not known */
    int64_t last;     /* the newest row; 0: none */
};

/* Adds the rows after row `out->last` to the sums in `out`. */
bool sf_store_usage_totals(struct sf_store *store, const char *session, struct sf_usage_totals *out,
                           struct sf_error *err) SF_MUST_CHECK;

/* All tokens and the time of the session's last request; 0 and "": none. */
struct sf_usage_last {
    int64_t tokens;
    char time[SF_TIME_MAX];
};
bool sf_store_usage_last(struct sf_store *store, const char *session, struct sf_usage_last *out,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * The goal of a session: one at a time; earlier goals stay as cleared rows. Each change is one
 * transaction together with its event, of kind SF_LOG_GOAL.
 */
#define SF_LOG_GOAL "goal"

struct sf_goal_row {
    int64_t id;
    const char *objective, *status;
    const char *reason;   /* or "" */
    int64_t token_budget; /* 0: no budget */
    int64_t tokens_used, time_used_ms;
};

/* The strings are allocated in `arena`; `found` is false if the session has no goal. */
bool sf_store_goal_get(struct sf_store *store, const char *session, struct sf_arena *arena,
                       struct sf_goal_row *out, bool *found, struct sf_error *err) SF_MUST_CHECK;

/*
 * `was` is the row the change started from (NULL: none), `now` the row after it (NULL: the goal is
 * cleared). The id of `now` says whether it is the same goal or a new one (0). SF_E_BUSY, and
 * nothing written, when another process changed the goal meanwhile. A change of the same goal
 * leaves its counters alone.
 */
struct sf_goal_change {
    const char *session;
    const struct sf_goal_row *was, *now;
    const struct sf_event_new *event;
};
bool sf_store_goal_change(struct sf_store *store, const struct sf_goal_change *change,
                          struct sf_error *err) SF_MUST_CHECK;

/*
 * Counts for the session's goal, unless that is paused or complete; an active goal that has used up
 * its budget becomes budget_limited in the same transaction.
 */
bool sf_store_goal_count(struct sf_store *store, const char *session, int64_t tokens,
                         int64_t time_ms, struct sf_error *err) SF_MUST_CHECK;

/* Copies the parent's goal to a fork, with its counters: forking does not refill a budget. */
bool sf_store_goal_copy(struct sf_store *store, const char *from, const char *to,
                        struct sf_error *err) SF_MUST_CHECK;

/*
 * Plans that were accepted, each with its text, and one row for each of their tasks. There is one
 * plan of a name at a time; those it replaced, or that were dropped, stay with what they say.
 */
struct sf_plan_new {
    const char *name;
    const char *session; /* NULL: accepted outside a conversation */
    const char *text;    /* what `plan` was read from */
    size_t len;
    const struct sf_plan *plan;
    const struct sf_mode_state *state; /* the axes its tasks run under */
    const char *accepted_by;
};

struct sf_plan_row {
    const char *id, *name, *digest, *text;
    const char *session; /* or "" */
    const char *accepted_by, *accepted_at;
    int64_t tasks, done;
};

typedef bool sf_plan_fn(const struct sf_plan_row *row, void *ctx);

/*
 * SF_E_EXIST when the same text is accepted already under that name, SF_E_BUSY while a task of the
 * plan it would replace is being worked on. `carried` receives how many tasks were done before.
 */
bool sf_store_plan_accept(struct sf_store *store, const struct sf_plan_new *plan,
                          char id[SF_ID_LEN + 1], int64_t *carried,
                          struct sf_error *err) SF_MUST_CHECK;

/* Visits the plans by name, without their texts; with a name, only that one and its text. */
bool sf_store_each_plan(struct sf_store *store, const char *name, sf_plan_fn *fn, void *ctx,
                        struct sf_error *err) SF_MUST_CHECK;

/*
 * Ends a plan: what is not done is cancelled. SF_E_NOENT when there is none of that name, SF_E_BUSY
 * while one of its tasks is being worked on.
 */
bool sf_store_plan_drop(struct sf_store *store, const char *name, const char *by,
                        struct sf_error *err) SF_MUST_CHECK;

struct sf_task_row {
    const char *id, *plan_id, *path, *title;
    const char *spec; /* its fields as a JSON object */
    enum sf_task_state state;
    int64_t position, priority, fence, retries, most_retries;
    const char *holder, *lease_until; /* "": nobody */
    const char *session, *last_error, *failure_digest, *verdict, *checkpoint;
    const char *created_at, *started_at, *completed_at;
};

/* NULL does not filter. */
struct sf_task_filter {
    const char *id;
    const char *plan; /* the name of a current plan */
    bool orphaned;    /* being worked on by nobody: the lease has run out */
};

typedef bool sf_task_fn(const struct sf_task_row *row, void *ctx);

/* In the order of the plan; tasks of plans that were dropped are left out. */
bool sf_store_each_task(struct sf_store *store, const struct sf_task_filter *filter, sf_task_fn *fn,
                        void *ctx, struct sf_error *err) SF_MUST_CHECK;

/*
 * A move of a task. With a fence it is the holder's, and happens only while that fence is the
 * task's. Without one (0) it is somebody else's: it raises the fence, so that a holder's later
 * writes are refused; the machine may do that only when the lease has run out. NULL leaves a value
 * as it is.
 */
struct sf_task_move {
    const char *task;
    enum sf_task_state from, to;
    enum sf_task_mover mover;
    int64_t fence;
    const char *reason, *scope;
    const char *last_error, *failure_digest, *verdict, *checkpoint;
};

/*
 * SF_E_ARG for a move that is not legal for this mover. `moved` is false, and nothing is written,
 * when the task is in another state by now, or held by somebody else.
 */
bool sf_store_task_move(struct sf_store *store, const struct sf_task_move *move, bool *moved,
                        struct sf_error *err) SF_MUST_CHECK;

/* Takes a task in hand: a move to running that gives it a holder, a lease and the next fence. */
struct sf_task_claim {
    const char *task;
    enum sf_task_state from; /* todo, retrying, paused or reviewing */
    enum sf_task_mover mover;
    const char *holder;  /* who works on it: host, process */
    const char *session; /* in which conversation, or NULL */
    int64_t lease_ms;
};

/* `fence` is 0 when somebody else was faster. */
bool sf_store_task_claim(struct sf_store *store, const struct sf_task_claim *claim, int64_t *fence,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * A step of a run: the row of a move and the event that tells of it, in one transaction. A move to
 * running gives the task a holder, and `fence` receives its fence; the others name it. SF_E_BUSY
 * when the task is in another state by now, or held by somebody else: then nothing is written.
 */
struct sf_task_step {
    const struct sf_event_new *event;
    const struct sf_task_move *move; /* NULL: the event alone */
    const char *holder;
    int64_t lease_ms;
};
bool sf_store_task_step(struct sf_store *store, const struct sf_task_step *step, int64_t *fence,
                        int64_t *event, struct sf_error *err) SF_MUST_CHECK;

/* Extends the lease from now on; `held` is false when the fence is stale. */
bool sf_store_task_renew(struct sf_store *store, const char *task, int64_t fence, int64_t lease_ms,
                         bool *held, struct sf_error *err) SF_MUST_CHECK;

/* Ends the lease at once, for a holder that leaves: others need not wait for it to run out. */
bool sf_store_task_release(struct sf_store *store, const char *task, int64_t fence,
                           struct sf_error *err) SF_MUST_CHECK;

/* Whether another connection has written since the last call; cheap. */
bool sf_store_changed(struct sf_store *store, bool *changed, struct sf_error *err) SF_MUST_CHECK;

/* What people said for longer than one call: keys of guard/approval.h that run unasked. */
struct sf_approval_new {
    const char *session; /* NULL: for the whole workspace */
    const char *pattern;
    int64_t decision; /* the decision it answered; 0: none */
};

struct sf_approval_row {
    int64_t id;
    const char *session; /* NULL: for the whole workspace */
    const char *pattern;
    const char *created_at;
};

typedef bool sf_approval_fn(void *ctx, const struct sf_approval_row *row);

/* Adding the same approval twice has no further effect. */
bool sf_store_approval_add(struct sf_store *store, const struct sf_approval_new *approval,
                           struct sf_error *err) SF_MUST_CHECK;

/* Those in force for the session: its own and the workspace's, oldest first. NULL: all there are. */
bool sf_store_each_approval(struct sf_store *store, const char *session, sf_approval_fn *fn,
                            void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* Takes one back; SF_E_NOENT when none with that number is in force. */
bool sf_store_approval_revoke(struct sf_store *store, int64_t id,
                              struct sf_error *err) SF_MUST_CHECK;

/* The approval mode a session was switched to, by its name in the settings. */
bool sf_store_approval_mode_set(struct sf_store *store, const char *session, const char *mode,
                                struct sf_error *err) SF_MUST_CHECK;

/* Whether the session was switched to that mode. */
bool sf_store_approval_mode_is(struct sf_store *store, const char *session, const char *mode,
                               bool *is, struct sf_error *err) SF_MUST_CHECK;

/* Words that wait for the next turns of a session, in their order. */
typedef bool sf_queued_fn(void *ctx, int64_t id, const char *text);

enum sf_queue_end { SF_QUEUE_TAKEN, SF_QUEUE_DROPPED };

bool sf_store_queue_add(struct sf_store *store, const char *session, const char *text, int64_t *id,
                        struct sf_error *err) SF_MUST_CHECK;
bool sf_store_each_queued(struct sf_store *store, const char *session, sf_queued_fn *fn, void *ctx,
                          struct sf_error *err) SF_MUST_CHECK;
bool sf_store_queue_end(struct sf_store *store, int64_t id, enum sf_queue_end how,
                        struct sf_error *err) SF_MUST_CHECK;
bool sf_store_queue_swap(struct sf_store *store, int64_t a, int64_t b,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * The axes of a session. Each change is written together with its transition, before anything acts
 * on the new state. The version detects concurrent changes: a change that starts from an old copy
 * is refused with SF_E_BUSY, and nothing is written.
 */

/* `found` false: the session has no state yet, and `state` is untouched. */
bool sf_store_mode_load(struct sf_store *store, const char *session, struct sf_mode_state *state,
                        bool *found, struct sf_error *err) SF_MUST_CHECK;

/* Writes the first state of a session, with version 1; SF_E_EXIST when it has one. */
bool sf_store_mode_begin(struct sf_store *store, const char *session, struct sf_mode_state *state,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * Inserts the row, or updates it if `written` is set; an applied transition also changes the
 * session's state. SF_E_BUSY also when the number of a new one is taken.
 */
bool sf_store_transition_save(struct sf_store *store, const struct sf_transition *transition,
                              struct sf_error *err) SF_MUST_CHECK;
/* The same in one transaction with the pending row that undoes it later; NULL: there is none. */
bool sf_store_transition_save_both(struct sf_store *store, const struct sf_transition *transition,
                                   const struct sf_transition *back,
                                   struct sf_error *err) SF_MUST_CHECK;

/* Appends an event about the transition to the log. Only for people, so errors are ignored. */
void sf_store_transition_tell(struct sf_store *store, const struct sf_transition *transition,
                              enum sf_surface surface);

/* The highest number of the session's transitions so far; 0: none. */
bool sf_store_transition_last(struct sf_store *store, const char *session, int64_t *number,
                              struct sf_error *err) SF_MUST_CHECK;

typedef void sf_pending_fn(void *ctx, const struct sf_transition *transition);

/* Visits pending transitions in the order of their numbers; unreadable ones are skipped. */
bool sf_store_each_pending(struct sf_store *store, const char *session, sf_pending_fn *fn,
                           void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* A verdict that is about to be acted on. Lists are JSON arrays; NULL means unknown. */
struct sf_decision_new {
    const char *session;
    const struct sf_mode_state *state;
    const char *tool, *action, *class, *verdict, *layer, *rule, *reason, *hint;
    const char *paths, *hosts, *programs;
    const char *cage;
};

bool sf_store_decision_add(struct sf_store *store, const struct sf_decision_new *decision,
                           int64_t *id, struct sf_error *err) SF_MUST_CHECK;

/* Records who answered a question, and how; only once per decision. */
bool sf_store_decision_answer(struct sf_store *store, int64_t id, const char *answer,
                              const char *answered_by, struct sf_error *err) SF_MUST_CHECK;

/*
 * Visits decisions as if they were events of this kind, oldest first, with number 0. The kind in
 * the filter is ignored, and with a session only its own decisions are visited, not shared ones.
 */
#define SF_DECISION_EVENT "decision"
bool sf_store_each_decision(struct sf_store *store, const struct sf_event_filter *filter,
                            sf_event_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* A snapshot that was taken; its content is in snapshots.git. Strings may be NULL. */
struct sf_snapshot_new {
    const char *session;
    int64_t event;        /* 0: none */
    const char *kind;     /* before, after, edit or restore */
    const char *worktree; /* its real path */
    const char *commit;
    const char *label;
    const char *details; /* a JSON object */
    int64_t bytes;
};

struct sf_snapshot_row {
    int64_t id, bytes;
    const char *session, *kind, *worktree, *commit, *label, *details;
    const char *created_at;
    const char *pruned_at; /* "" while its content exists */
};

/* NULL and 0 do not filter; pruned snapshots are left out unless `pruned` is set. */
struct sf_snapshot_filter {
    const char *worktree, *session, *kind, *commit;
    int64_t id;
    bool pruned; /* include pruned snapshots */
};

typedef bool sf_snapshot_fn(void *ctx, const struct sf_snapshot_row *snapshot);

bool sf_store_snapshot_add(struct sf_store *store, const struct sf_snapshot_new *snapshot,
                           int64_t *id, struct sf_error *err) SF_MUST_CHECK;

/* Newest first. */
bool sf_store_each_snapshot(struct sf_store *store, const struct sf_snapshot_filter *filter,
                            sf_snapshot_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* The newest snapshot that matches, if any; its strings are allocated in `arena`. */
bool sf_store_snapshot_get(struct sf_store *store, const struct sf_snapshot_filter *filter,
                           struct sf_arena *arena, struct sf_snapshot_row *out, bool *found,
                           struct sf_error *err) SF_MUST_CHECK;

/* Files were added to the snapshot, so it has another commit now. */
bool sf_store_snapshot_moved(struct sf_store *store, int64_t id, const char *commit,
                             struct sf_error *err) SF_MUST_CHECK;

/* Records that the content of the snapshot was deleted. */
bool sf_store_snapshot_pruned(struct sf_store *store, const char *commit,
                              struct sf_error *err) SF_MUST_CHECK;

enum sf_query_type { SF_QUERY_NULL, SF_QUERY_INT, SF_QUERY_REAL, SF_QUERY_TEXT, SF_QUERY_BLOB };

struct sf_query_value {
    enum sf_query_type type;
    int64_t integer;
    double real;
    const char *bytes; /* of text and blobs; text is NUL-terminated */
    size_t len;
};

struct sf_query_row {
    size_t count;
    const char *const *names;
    const struct sf_query_value *values;
};

typedef bool sf_query_row_fn(const struct sf_query_row *row, void *ctx);
typedef bool sf_query_stop_fn(void *ctx); /* true: cancel the query */

struct sf_query {
    const char *sql;
    int64_t timeout_ms;     /* 0: 30 s */
    sf_query_stop_fn *stop; /* called every few thousand steps; may be NULL */
    sf_query_row_fn *row;
    void *ctx; /* for both */
};

/*
 * Runs one SELECT from an untrusted source: read-only connection, no second statement, no attached
 * files, no extensions, a deadline and a memory limit. SF_E_SYNTAX for SQL that does not parse,
 * SF_E_ARG for SQL that is not allowed, SF_E_TIMEOUT, SF_E_CANCELLED, SF_E_LIMIT.
 */
bool sf_store_query(const char *dir, const struct sf_query *query,
                    struct sf_error *err) SF_MUST_CHECK;

/*
 * Checks everything: structure, foreign keys, gaps in the numbering of events. True when all is
 * well; SF_E_DAMAGED otherwise. Adds one line per finding to `report`, including mere remarks.
 */
bool sf_store_check(const char *dir, struct sf_strbuf *report, struct sf_error *err) SF_MUST_CHECK;

/*
 * A cell that a repair changes: of which table, column and row, and its value before and after;
 * NULL is NULL. Only a few may be changed, see mend.c: others are SF_E_DENIED.
 */
struct sf_store_cell {
    const char *table, *column, *key;
    const char *was, *now;
};

/*
 * One transaction, for a task with the row of its move; SF_E_BUSY, and nothing written, if the cell
 * does not hold `was` any more.
 */
bool sf_store_mend(struct sf_store *store, const struct sf_store_cell *cell, const char *reason,
                   struct sf_error *err) SF_MUST_CHECK;
/* Whether the cell holds the value now. */
bool sf_store_cell_is(struct sf_store *store, const struct sf_store_cell *cell, const char *value,
                      bool *is, struct sf_error *err) SF_MUST_CHECK;

/* Moves the write-ahead log into the database, as far as readers let it, and empties it. */
bool sf_store_checkpoint(struct sf_store *store, struct sf_error *err) SF_MUST_CHECK;

/*
 * Moves a damaged store to damaged-<time>/ and makes a new one from every row that can still be
 * read, or else from the newest backup. `report` says what was saved and lost. Refuses a healthy
 * store, and one that a process has open; this process must not have it open either. May be
 * interrupted at any point and called again.
 */
bool sf_store_recover(const char *dir, struct sf_strbuf *report,
                      struct sf_error *err) SF_MUST_CHECK;

#endif
