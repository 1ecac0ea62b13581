/*
 * store: what outlives the process. One directory per project holds one SQLite file that many
 * processes share:
 *
 *     sf.db  sf.db-wal  sf.db-shm     the database and SQLite's side files
 *     store.lock                      held while somebody opens, upgrades or recovers it
 *     backups/                        whole copies made before each upgrade, newest three
 *     damaged-<time>/                 what a recovery set aside; never deleted by sf
 *
 * Each writing call is one transaction: when it returned true, the record survives the death of
 * the process. Damage, a full disk, a read-only place and a file of a newer sf are told apart by
 * the error code; on none of these paths anything is overwritten or deleted.
 *
 * A store belongs to one thread at a time and does not survive fork(): the child must neither
 * use nor close it. Rows given to a callback are borrowed for that call, and the callback must
 * not write to the same store.
 *
 * Decisions, each with the tests that hold it:
 *
 * - The store is built aside and linked into place.
 *   Problem: A crash in the first second would leave a half-made file that looks like a store.
 *   Decision: A new database is complete before it has its name; an empty file under that name is
 *     recognised as damage.
 *   Cost: Making a store needs room for a second file for a moment.
 *   Enforced by: store/place, store/damage
 *
 * - A goal is a row, and its counting is part of the usage's transaction.
 *   Problem: Events that are folded on resume could not be counted by two processes at once.
 *   Decision: A change of a goal names the status it started from. A fork copies the row with what
 *     was used, since forking must not give a budget back.
 *   Cost: The goal is the one state that the log alone does not rebuild.
 *   Enforced by: store/goal, session/goal
 *
 * - A waiting transition is a row.
 *   Problem: A change that waits for the end of a unit would be lost with its process.
 *   Decision: The row outlives the process. Asked for from outside, it is left to the process that
 *     runs the session, which alone knows when a unit ends; what is wanted at once is written as
 *     applied.
 *   Cost: Queues in memory have to be compared with the rows.
 *   Enforced by: store/mode, store/queue
 *
 * - The index of words is derived.
 *   Problem: A damaged index must not stop a session from being written.
 *   Decision: The index holds no text of its own and is kept by the transaction that writes an
 *     event. Where it is damaged, events are written without it and it is made again.
 *   Cost: After damage, a search can miss something until the index is made again.
 *   Enforced by: store/search
 *
 * - Deleting a session keeps its row.
 *   Problem: Accounts and snapshots point to sessions that the user wants gone.
 *   Decision: What was said, done and decided is deleted and the row stays. The trigger that guards
 *     the log lets only events of such sessions go.
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

/* The session that takes what happens outside any conversation; always there. */
#define SF_SESSION_PROJECT "project"

#define SF_LOG_TRUST "trust" /* the kind of events about trusted workspaces, see workspace */

#define SF_EVENT_BYTES_MAX ((size_t)8 * 1024 * 1024)

struct sf_store; /* fields live in internal.h */

enum sf_store_mode {
    SF_STORE_WRITE, /* made and upgraded as needed */
    SF_STORE_READ,  /* never made, upgraded or written; works in read-only places */
};

/*
 * Opens the store in `dir`, which SF_STORE_WRITE creates (0700). NULL with `err` filled:
 * SF_E_NEWER, SF_E_DAMAGED, SF_E_FULL, SF_E_READONLY, SF_E_BUSY (after 30 s), and for
 * SF_STORE_READ SF_E_NOENT when there is none yet. SF_STORE_READ takes newer files too and then
 * warns.
 */
struct sf_store *sf_store_open(const char *dir, enum sf_store_mode mode, struct sf_error *err);
void sf_store_close(struct sf_store *store); /* NULL is welcome */

/*
 * Holds what is written from now on back, up to sf_store_let_go: nothing waits for the disk, nobody
 * else can write, and closing the store drops it all. For the moment in which sf starts.
 */
bool sf_store_hold(struct sf_store *store, struct sf_error *err) SF_MUST_CHECK;
bool sf_store_let_go(struct sf_store *store, struct sf_error *err) SF_MUST_CHECK;

/* Something the user should know about the open store, or "". */
const char *sf_store_warning(const struct sf_store *store);

/* What a new session starts from. NULL means unknown, except for project and surface. */
struct sf_session_new {
    const char *project; /* real path of the workspace */
    const char *surface; /* tui, web, headless or rpc */
    const char *title;
    const char *provider;
    const char *model;
    const char *parent_id; /* forked from, sharing its events up to and including */
    int64_t forked_at_seq;
    bool agent; /* a call of the parent's started it; it shares nothing */
};

struct sf_session_row {
    const char *id, *project, *title, *surface;
    const char *provider, *model;        /* "" when unknown */
    const char *parent_id;               /* "" when not forked */
    const char *created_at, *updated_at; /* RFC 3339; updated by each event */
    const char *archived_at;             /* "" when not archived */
    int64_t forked_at_seq;
    bool agent; /* a sub-agent's, not a conversation of the user's */
    bool blank; /* nothing was said or done in it yet, and it has no title */
};

/* False stops the walk, which is then a success. */
typedef bool sf_session_fn(const struct sf_session_row *session, void *ctx);

bool sf_store_session_create(struct sf_store *store, const struct sf_session_new *new_session,
                             char id_out[SF_ID_LEN + 1], struct sf_error *err) SF_MUST_CHECK;

/*
 * The session with that id, or the only one whose id begins so. SF_E_NOENT when there is none,
 * SF_E_ARG when there are several. The text of `out` is allocated in `arena`.
 */
bool sf_store_session_get(struct sf_store *store, const char *prefix, struct sf_arena *arena,
                          struct sf_session_row *out, struct sf_error *err) SF_MUST_CHECK;

/* Its title, or the model it talks to now; NULL leaves that as it is. */
bool sf_store_session_update(struct sf_store *store, const char *id, const char *title,
                             const char *provider, const char *model,
                             struct sf_error *err) SF_MUST_CHECK;

/* The conversations, last used first; SF_SESSION_PROJECT is none. */
bool sf_store_each_session(struct sf_store *store, sf_session_fn *fn, void *ctx,
                           struct sf_error *err) SF_MUST_CHECK;

/* Archives a session or brings it back; an archived session can be read and resumed as before. */
bool sf_store_session_archive(struct sf_store *store, const char *id, bool archived,
                              struct sf_error *err) SF_MUST_CHECK;

/*
 * Takes what was said and done out of the store, with that of its sub-agents, for good. What it
 * cost stays in the accounts, and its snapshots, without their labels, as ways back for the files.
 * SF_E_BUSY while forks share its events.
 */
bool sf_store_session_delete(struct sf_store *store, const char *id,
                             struct sf_error *err) SF_MUST_CHECK;

/* Numbers about a session, all its own, with its sub-agents': what a fork shares is its parent's. */
struct sf_session_tally {
    int64_t turns, forks;
    int64_t tokens_in, tokens_out; /* cache counts as in */
    int64_t cost_micro_usd;
    bool cost_known; /* of every request */
};

bool sf_store_session_tally(struct sf_store *store, const char *id, struct sf_session_tally *out,
                            struct sf_error *err) SF_MUST_CHECK;

struct sf_event_new {
    const char *session; /* its whole id */
    const char *surface;
    const char *kind;
    const char *json; /* an object, at most SF_EVENT_BYTES_MAX */
    size_t len;
    bool whole; /* it stands for the pieces of sf_store_partial_add, which go */
};

struct sf_event_ref {
    int64_t id;  /* grows over the whole store */
    int64_t seq; /* 1, 2, 3 … within the session */
};

/* True: the event is in the log and stays there. */
bool sf_store_append(struct sf_store *store, const struct sf_event_new *event,
                     struct sf_event_ref *out, struct sf_error *err) SF_MUST_CHECK;

struct sf_event_row {
    int64_t id, seq;
    const char *session, *time, *surface, *kind;
    const char *json;
    size_t len;
};

/* NULL and 0 filter nothing. */
struct sf_event_filter {
    const char *kind;
    const char *session; /* an id or its unique beginning; with the events it shares */
    int64_t since_ms;    /* wall clock, milliseconds since 1970 */
    size_t limit;        /* the newest so many */
};

typedef bool sf_event_fn(const struct sf_event_row *event, void *ctx);

/* Oldest first. */
bool sf_store_each_event(struct sf_store *store, const struct sf_event_filter *filter,
                         sf_event_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* What a session itself wrote behind the event with that id, oldest first; cheap where nothing is. */
bool sf_store_each_later(struct sf_store *store, const char *session, int64_t id, sf_event_fn *fn,
                         void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* Those of a session, shared ones included, from one number to another, both included. */
struct sf_event_range {
    const char *session; /* its whole id */
    int64_t first, last;
};
bool sf_store_each_in_range(struct sf_store *store, const struct sf_event_range *range,
                            sf_event_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* The number of the newest of them; 0: there is none. */
bool sf_store_event_last(struct sf_store *store, const char *session, int64_t *seq,
                         struct sf_error *err) SF_MUST_CHECK;

/* How many of a kind it has up to a number, and the newest of them; 0 and 0: none. */
struct sf_event_count {
    int64_t count, last;
};
bool sf_store_event_count(struct sf_store *store, const char *session, const char *kind,
                          int64_t upto, struct sf_event_count *out,
                          struct sf_error *err) SF_MUST_CHECK;

/* One of a kind, by its time the newest, without looking at the others; 0: there is none. */
bool sf_store_event_newest(struct sf_store *store, const char *session, const char *kind,
                           int64_t *seq, struct sf_error *err) SF_MUST_CHECK;

/* A place where the words were said, or a title ("" for `kind` and 0 for `seq` then). */
struct sf_search_hit {
    const char *session, *title, *kind, *time;
    const char *text; /* a piece around them */
    int64_t seq;
};

typedef bool sf_search_fn(const struct sf_search_hit *hit, void *ctx);

/*
 * What users and models said with all of these words, newest first, titles before; sub-agents'
 * sessions are left out. The last word may be a beginning. No words find nothing.
 */
bool sf_store_search(struct sf_store *store, const char *words, size_t limit, sf_search_fn *fn,
                     void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* Events from elsewhere, in their order; false ends it, with `err` filled when it went wrong. */
struct sf_event_import {
    const char *time; /* as the store writes it; others are refused */
    const char *surface, *kind, *json;
    size_t len;
};
typedef bool sf_import_fn(struct sf_event_import *event, void *ctx, struct sf_error *err);

/* A new session with these events, or nothing at all. */
bool sf_store_session_import(struct sf_store *store, const struct sf_session_new *new_session,
                             sf_import_fn *next, void *ctx, char id_out[SF_ID_LEN + 1],
                             struct sf_error *err) SF_MUST_CHECK;

/*
 * A piece of an answer that is still coming, so that a death of the process loses none of it.
 * Pieces go with the event that is the whole answer, or when the try it came from is void.
 */
bool sf_store_partial_add(struct sf_store *store, const char *session, const char *text, size_t len,
                          struct sf_error *err) SF_MUST_CHECK;
bool sf_store_partial_get(struct sf_store *store, const char *session, struct sf_strbuf *out,
                          struct sf_error *err) SF_MUST_CHECK;
bool sf_store_partial_drop(struct sf_store *store, const char *session,
                           struct sf_error *err) SF_MUST_CHECK;

/* What one request cost. NULL texts and negative numbers stand for unknown. */
struct sf_usage_new {
    const char *session, *provider, *model;
    int64_t input, output, cache_read, cache_write, reasoning; /* tokens */
    int64_t cost_micro_usd;
    const char *goal_of;  /* the session whose goal it counts for; NULL: none */
    int64_t goal_time_ms; /* with so much time */
};

bool sf_store_usage_add(struct sf_store *store, const struct sf_usage_new *usage,
                        struct sf_error *err) SF_MUST_CHECK;

/* What a session used, with its sub-agents; what it shares with another was paid for there. */
struct sf_usage_totals {
    int64_t requests;
    int64_t input, output, cache_read, cache_write, reasoning; /* tokens */
    int64_t cost_micro_usd;
    int64_t unpriced; /* requests whose cost is not known */
    int64_t last;     /* the newest row; 0: none */
};

/* Adds the rows behind row `out->last` to what is there. */
bool sf_store_usage_totals(struct sf_store *store, const char *session, struct sf_usage_totals *out,
                           struct sf_error *err) SF_MUST_CHECK;

/* The session's newest row: all tokens of that request, and when; 0 and "": there is none. */
struct sf_usage_last {
    int64_t tokens;
    char time[SF_TIME_MAX];
};
bool sf_store_usage_last(struct sf_store *store, const char *session, struct sf_usage_last *out,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * What a session is to reach: one at a time, the earlier ones stay as cleared rows. Each change is
 * one transaction with its event, of kind SF_LOG_GOAL.
 */
#define SF_LOG_GOAL "goal"

struct sf_goal_row {
    int64_t id;
    const char *objective, *status;
    const char *reason;   /* "" when there is none */
    int64_t token_budget; /* 0: none */
    int64_t tokens_used, time_used_ms;
};

/* The texts are allocated in `arena`; `found` false: the session has none. */
bool sf_store_goal_get(struct sf_store *store, const char *session, struct sf_arena *arena,
                       struct sf_goal_row *out, bool *found, struct sf_error *err) SF_MUST_CHECK;

/*
 * `was` is the row the change started from (NULL: there was none), `now` what follows it (NULL: it
 * is cleared). The id of `now` says whether it is the same goal or a new one (0). SF_E_BUSY, and
 * nothing written, when somebody else changed it in between; what was counted meanwhile stays.
 */
struct sf_goal_change {
    const char *session;
    const struct sf_goal_row *was, *now;
    const struct sf_event_new *event;
};
bool sf_store_goal_change(struct sf_store *store, const struct sf_goal_change *change,
                          struct sf_error *err) SF_MUST_CHECK;

/*
 * Counts for the session's goal, unless it is paused or complete; an active one that has used up
 * its budget becomes budget_limited in the same moment.
 */
bool sf_store_goal_count(struct sf_store *store, const char *session, int64_t tokens,
                         int64_t time_ms, struct sf_error *err) SF_MUST_CHECK;

/* A fork has its parent's goal, with what that has used: forking gives no budget back. */
bool sf_store_goal_copy(struct sf_store *store, const char *from, const char *to,
                        struct sf_error *err) SF_MUST_CHECK;

/* Whether another connection has written since this was last asked; cheap. */
bool sf_store_changed(struct sf_store *store, bool *changed, struct sf_error *err) SF_MUST_CHECK;

/* What people said for longer than one call: patterns of guard/rule.h that run unasked. */
struct sf_approval_new {
    const char *session; /* NULL: for the whole workspace */
    const char *pattern;
    int64_t decision; /* the question it answered; 0: none */
};

typedef bool sf_approval_fn(void *ctx, const char *session, const char *pattern);

/* Said twice it counts once. */
bool sf_store_approval_add(struct sf_store *store, const struct sf_approval_new *approval,
                           struct sf_error *err) SF_MUST_CHECK;

/* Those in force for the session: its own and the workspace's (`session` NULL), oldest first. */
bool sf_store_each_approval(struct sf_store *store, const char *session, sf_approval_fn *fn,
                            void *ctx, struct sf_error *err) SF_MUST_CHECK;

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
 * The axes of a session. Each change comes with its transition, in one transaction: the row is
 * there before anything acts on the new state. The version guards against two surfaces: a change
 * that starts from an old copy is refused with SF_E_BUSY, and nothing is written.
 */

/* `found` false: the session has no state yet, and `state` is untouched. */
bool sf_store_mode_load(struct sf_store *store, const char *session, struct sf_mode_state *state,
                        bool *found, struct sf_error *err) SF_MUST_CHECK;

/* The first state of a session; SF_E_EXIST when it has one. Its version becomes 1. */
bool sf_store_mode_begin(struct sf_store *store, const char *session, struct sf_mode_state *state,
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * Writes the row, new or (`written`) as it stands now; an applied one changes the session's state
 * too. SF_E_BUSY as well when the number of a new one is taken.
 */
bool sf_store_transition_save(struct sf_store *store, const struct sf_transition *transition,
                              struct sf_error *err) SF_MUST_CHECK;

/* An event of the session that says it, in the order of things. Only for people: a failure is none. */
void sf_store_transition_tell(struct sf_store *store, const struct sf_transition *transition,
                              enum sf_surface surface);

/* The highest number of the session's transitions so far; 0: none. */
bool sf_store_transition_last(struct sf_store *store, const char *session, int64_t *number,
                              struct sf_error *err) SF_MUST_CHECK;

typedef void sf_pending_fn(void *ctx, const struct sf_transition *transition);

/* Those that wait, in the order of their numbers; what cannot be read is passed over. */
bool sf_store_each_pending(struct sf_store *store, const char *session, sf_pending_fn *fn,
                           void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* A verdict about to be acted on. Lists are JSON arrays; NULL stands for unknown. */
struct sf_decision_new {
    const char *session;
    const struct sf_mode_state *state;
    const char *tool, *action, *class, *verdict, *layer, *rule, *reason, *hint;
    const char *paths, *hosts, *programs;
    const char *cage;
};

bool sf_store_decision_add(struct sf_store *store, const struct sf_decision_new *decision,
                           int64_t *id, struct sf_error *err) SF_MUST_CHECK;

/* Who answered an ask, and what; once. */
bool sf_store_decision_answer(struct sf_store *store, int64_t id, const char *answer,
                              const char *answered_by, struct sf_error *err) SF_MUST_CHECK;

/*
 * Decisions as if they were events of that kind, oldest first, without a number of their session;
 * the kind of the filter does not matter, and of a session they are its own.
 */
#define SF_DECISION_EVENT "decision"
bool sf_store_each_decision(struct sf_store *store, const struct sf_event_filter *filter,
                            sf_event_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* A snapshot that was taken; its content lies in snapshots.git. NULL stands for nothing to say. */
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
    const char *pruned_at; /* "" while its content is there */
};

/* NULL, 0 and false filter nothing, except that pruned ones are left out. */
struct sf_snapshot_filter {
    const char *worktree, *session, *kind, *commit;
    int64_t id;
    bool pruned; /* those too */
};

typedef bool sf_snapshot_fn(void *ctx, const struct sf_snapshot_row *snapshot);

bool sf_store_snapshot_add(struct sf_store *store, const struct sf_snapshot_new *snapshot,
                           int64_t *id, struct sf_error *err) SF_MUST_CHECK;

/* Newest first. */
bool sf_store_each_snapshot(struct sf_store *store, const struct sf_snapshot_filter *filter,
                            sf_snapshot_fn *fn, void *ctx, struct sf_error *err) SF_MUST_CHECK;

/* The newest that fits, if one does; its texts are allocated in `arena`. */
bool sf_store_snapshot_get(struct sf_store *store, const struct sf_snapshot_filter *filter,
                           struct sf_arena *arena, struct sf_snapshot_row *out, bool *found,
                           struct sf_error *err) SF_MUST_CHECK;

/* It learned of more files: another commit stands for it. */
bool sf_store_snapshot_moved(struct sf_store *store, int64_t id, const char *commit,
                             struct sf_error *err) SF_MUST_CHECK;

/* Its content is gone. */
bool sf_store_snapshot_pruned(struct sf_store *store, const char *commit,
                              struct sf_error *err) SF_MUST_CHECK;

enum sf_query_type { SF_QUERY_NULL, SF_QUERY_INT, SF_QUERY_REAL, SF_QUERY_TEXT, SF_QUERY_BLOB };

struct sf_query_value {
    enum sf_query_type type;
    int64_t integer;
    double real;
    const char *bytes; /* of text and blobs; text has a NUL behind it */
    size_t len;
};

struct sf_query_row {
    size_t count;
    const char *const *names;
    const struct sf_query_value *values;
};

typedef bool sf_query_row_fn(const struct sf_query_row *row, void *ctx);
typedef bool sf_query_stop_fn(void *ctx); /* true: give up */

struct sf_query {
    const char *sql;
    int64_t timeout_ms;     /* 0: 30 s */
    sf_query_stop_fn *stop; /* asked every few thousand steps; may be NULL */
    sf_query_row_fn *row;
    void *ctx; /* for both */
};

/*
 * Runs one SELECT that anybody may have written: read-only connection, no second statement, no
 * attached files, no extensions, a deadline and a ceiling on memory. SF_E_SYNTAX for SQL that
 * does not parse, SF_E_ARG for what is not allowed, SF_E_TIMEOUT, SF_E_CANCELLED, SF_E_LIMIT.
 */
bool sf_store_query(const char *dir, const struct sf_query *query,
                    struct sf_error *err) SF_MUST_CHECK;

/*
 * Reads everything once: structure, foreign keys, gaps in the numbering of events. True when
 * all is well; SF_E_DAMAGED otherwise. One line per finding is added to `report`, also for what
 * is only worth knowing.
 */
bool sf_store_check(const char *dir, struct sf_strbuf *report, struct sf_error *err) SF_MUST_CHECK;

/*
 * Sets a damaged store aside in damaged-<time>/ and makes a new one from every row that can
 * still be read, or else from the newest backup. `report` says what was saved and lost. Refuses
 * a healthy store, and one that a process has open; this process must not have it open either.
 * May be interrupted at any point and called again.
 */
bool sf_store_recover(const char *dir, struct sf_strbuf *report,
                      struct sf_error *err) SF_MUST_CHECK;

#endif
