/*
 * health: checks the installation, the project and what sf keeps about it. Checks are rows of one
 * table; each adds results, which say what was found, what to do about it, and which acts would
 * mend it. This room prints nothing and reads no command line: a surface fills in the context and
 * draws the results.
 *
 * A check changes nothing and shows no key. Without `online` it uses no network except loopback,
 * and runs no command that prints a key. Checks run other programs and wait for them, so they
 * block: a surface with a loop runs them in a process of their own. Those of the gate run no other
 * program and read neither settings nor catalog, so a worker may run them.
 *
 * Decisions, each with the tests that hold it:
 *
 * - What mends a finding is data.
 *   Problem: A doctor with a function for each repair looks twice, prints a plan that differs from
 *     what it does, and needs a second function to take each repair back.
 *   Decision: The look itself offers acts: move a path away, set permissions, change one cell of
 *     the store, empty the store's log. Performing and reversing is one table of these acts, and a
 *     dry run prints the same list.
 *   Cost: A repair that is none of these acts stays with the user.
 *   Enforced by: health/mend
 *
 * - Every repair is written down first, in a file.
 *   Problem: A repair that fails half-way, or a store that is itself the patient, leaves nothing
 *     that says what was there before.
 *   Decision: Each repair is a numbered directory in the project's state, with a record of every
 *     act and its old value, and with whatever was moved away. The record is durable before the
 *     first act. Where the store opens, an event tells of it as well.
 *   Cost: Repairs stay on the disk until somebody removes them.
 *   Enforced by: health/mend
 *
 * - No repair leads towards done.
 *   Problem: A doctor that settles a contradiction by marking work as done loses the work.
 *   Decision: The store takes from a doctor only the moves of its own table: what ran or was being
 *     verified with nobody there is to be tried again, and back.
 *   Cost: A task that was in truth finished is verified once more.
 *   Enforced by: store/mend, health/mend
 *
 * - A gate that cannot look says no.
 *   Problem: Work that is dispatched onto a half-merged tree or a full disk makes it worse.
 *   Decision: A check of the gate that fails, or says nothing at all, blocks like one that found
 *     something.
 *   Cost: Work waits for a repository that sf cannot read.
 *   Enforced by: health/gate
 *
 * Other rooms include only this header.
 */
#ifndef SF_HEALTH_HEALTH_H
#define SF_HEALTH_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "config/config.h"
#include "model/model.h"

enum sf_health_state { SF_HEALTH_OK, SF_HEALTH_WARNING, SF_HEALTH_PROBLEM };
extern const char *const sf_health_state_names[]; /* "ok", "warning", "problem" */

/* One thing that a repair does, and that can be taken back. */
enum sf_health_act_kind {
    SF_HEALTH_MOVE,       /* `subject` is moved away into the record's directory */
    SF_HEALTH_MODE,       /* permissions of `subject`, octal */
    SF_HEALTH_CELL,       /* a cell of the store: TABLE/COLUMN/KEY */
    SF_HEALTH_CHECKPOINT, /* the log of the store `subject` goes into its file; rows stay */
};
extern const char *const sf_health_act_names[]; /* "move", "mode", "cell", "checkpoint", NULL */

struct sf_health_act {
    enum sf_health_act_kind kind;
    char *subject;
    char *was, *now; /* values; NULL: none, or NULL in the store */
};

struct sf_health_result {
    const char *name; /* of the check */
    const char *group;
    enum sf_health_state state;
    char *text;
    char *hint; /* what to do, or "" */
    struct sf_health_act *acts;
    size_t act_count, act_cap; /* 0: only the user can mend it */
};

struct sf_health_report {
    struct sf_health_result *items;
    size_t count, cap;
};

/* The terminal to check. */
struct sf_health_terminal {
    bool there;
    int columns, rows; /* 0: unknown */

    /* Appends which keys it reports; false: unknown. Called only if the terminal can draw. */
    bool (*keys)(struct sf_strbuf *out);
};

/*
 * What the checks examine; everything is borrowed. A part that is not available is NULL, and its
 * error says why, which the checks report then.
 */
struct sf_health_context {
    const char *version; /* "sf 1.2 (0123456789)" */
    const struct sf_workspace *workspace;
    struct sf_config *config;
    const char *state_dir; /* of the project */
    struct sf_catalog *catalog;
    sf_provider_setting_fn *setting; /* reads a setting from `config` */
    struct sf_error no_workspace, no_config, no_state_dir, no_catalog;
    struct sf_health_terminal terminal;
    bool online; /* the network may be used */
};

struct sf_health; /* a running check */

typedef void sf_health_fn(struct sf_health *health);

struct sf_health_check {
    const char *name, *group;
    const char *about; /* what it looks for, in one line */
    sf_health_fn *look;
    enum sf_health_state
        blocks; /* this, or worse, keeps work waiting; SF_HEALTH_OK: nothing does */
};

/* The rows of a group stand together. */
extern const struct sf_health_check sf_health_checks[];
extern const size_t sf_health_check_count;

/* NULL: there is no check, and no group, of that name. */
const struct sf_health_check *sf_health_check_find(const char *name);

/* Runs all checks in the order of the table and adds their results to `out`. */
void sf_health_look(const struct sf_health_context *at, struct sf_health_report *out);

/* The same for the checks that are named, or whose groups are; an empty list: all. */
void sf_health_look_at(const struct sf_health_context *at, const struct sf_strlist *names,
                       struct sf_health_report *out);

enum sf_health_state sf_health_worst(const struct sf_health_report *report);
void sf_health_release(struct sf_health_report *report);

/*
 * Whether work may be dispatched: quick, without network or other programs, from any thread. False:
 * `blocking` has what stands in the way, each with the command that helps.
 */
bool sf_health_gate(const struct sf_workspace *workspace, const char *state_dir,
                    struct sf_health_report *blocking) SF_MUST_CHECK;

/* ---- repairs ---- */

/* One line for people: "move away /w/.git/index.lock". */
void sf_health_act_add(const struct sf_health_act *act, struct sf_strbuf *out);

/*
 * Performs the acts of a result, after they were written down under the number `*number`. On
 * failure those that were done stay done, and sf_health_undo takes them back.
 */
bool sf_health_mend(const struct sf_health_context *at, const struct sf_health_result *result,
                    int64_t *number, struct sf_error *err) SF_MUST_CHECK;

enum sf_health_mended { SF_HEALTH_BEGUN, SF_HEALTH_DONE, SF_HEALTH_UNDONE };
extern const char *const sf_health_mended_names[]; /* "begun", "done", "undone", NULL */

/* What was written down about one repair. */
struct sf_health_record {
    int64_t number, time_ms;
    enum sf_health_mended state;
    struct sf_health_result about;
    char *name; /* of the check; owned, as about.name is not */
};

void sf_health_record_release(struct sf_health_record *record);

/*
 * Takes a repair back: the newest that is in force, or the one of that number. SF_E_NOENT when
 * there is none. Nothing is overwritten: where something new stands in the way it fails, and may be
 * called again.
 */
bool sf_health_undo(const char *state_dir, int64_t number, struct sf_health_record *out,
                    struct sf_error *err) SF_MUST_CHECK;

/* ---- documents ---- */

void sf_health_doc(struct sf_strbuf *out); /* docs/DOCTOR.md */

#endif
