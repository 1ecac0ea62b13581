/*
 * plan_file: a plan as a Markdown file, .sf/plans/NAME.md, read and written:
 *
 *     ---
 *     title: Search in the notes
 *     goal: Anybody finds a note by a word in it.
 *     ---
 *
 *     Words about the whole.
 *
 *     ## M1 Find notes
 *
 *     ### S1 The index
 *
 *     #### T1 Read the notes
 *
 *     - what: Read every note below `notes/` into an index of its words.
 *       Notes that cannot be read are named and left out.
 *     - files: src/index.c, src/index.h:10-40
 *     - verify: make test
 *     - risk: low
 *     - depends_on: none
 *     - estimate: 20m
 *
 * Headings name milestones, slices and tasks by their ids; the number of # goes with the letter. A
 * task consists of bullets `- field: value` (schema.h); what is indented below a bullet belongs to
 * its value, and a list may also be given as one item a line. Other words below a heading are kept
 * as its notes; code between ``` is never read as headings or fields. Whatever looks like a part of
 * the plan and is none is a fault, so that nothing is dropped in silence.
 *
 * Reading what was written gives the same plan. A plan is only complete without faults.
 */
#ifndef SF_PLAN_PLAN_FILE_H
#define SF_PLAN_PLAN_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "plan/faults.h"
#include "plan/schema.h"

struct sf_plan_span {
    const char *path;
    int from, to; /* lines; 0: the whole file */
};

struct sf_plan_files {
    struct sf_plan_span *items;
    size_t count;
};

enum sf_plan_level { SF_PLAN_LEVEL_MILESTONE, SF_PLAN_LEVEL_SLICE, SF_PLAN_LEVEL_TASK };

/* A task, or all tasks of a slice or milestone. */
struct sf_plan_ref {
    enum sf_plan_level level;
    size_t index; /* into the plan's array of that level */
};

struct sf_plan_refs {
    struct sf_plan_ref *items;
    size_t count;
};

/* What milestones, slices and tasks have in common. */
struct sf_plan_heading {
    int number;
    const char *id; /* M1, M1/S1 or M1/S1/T1 */
    const char *title;
    const char *notes; /* or "" */
    unsigned line;     /* where it was read */
};

struct sf_plan_milestone {
    struct sf_plan_heading head;
    size_t first, count; /* its tasks, one behind the other */
};

struct sf_plan_slice {
    struct sf_plan_heading head;
    size_t milestone;
    size_t first, count;
};

struct sf_plan_task {
    struct sf_plan_heading head;
    size_t slice, milestone;
    const char *what, *verify, *acceptance; /* or "" */
    struct sf_plan_files files;
    int risk, mutation, approval; /* enum sf_risk, sf_mutation, sf_task_approval */
    struct sf_plan_refs depends;
    int estimate; /* minutes; 0: not said */
    int priority;
};

struct sf_plan {
    struct sf_arena arena; /* all text */
    const char *title, *goal, *notes;
    struct sf_plan_milestone *milestones;
    struct sf_plan_slice *slices;
    struct sf_plan_task *tasks; /* in the order of the file */
    size_t milestone_count, slice_count, task_count;
    size_t milestone_cap, slice_cap, task_cap;
};

/* clang-format off */
#define SF_PLAN_INIT { .arena = SF_ARENA_INIT, .title = "", .goal = "", .notes = "" }
/* clang-format on */

void sf_plan_release(struct sf_plan *plan);

/* `plan` is empty before. False with faults in the order of the text; `plan` is empty again. */
bool sf_plan_parse(const char *text, size_t len, struct sf_plan *plan,
                   struct sf_plan_faults *faults) SF_MUST_CHECK;

/* Whether a text means to be such a plan: it has frontmatter, or a heading with an id. */
bool sf_plan_is_structured(const char *text, size_t len);

/* Appends the plan in its canonical form. */
void sf_plan_write(const struct sf_plan *plan, struct sf_strbuf *out);

/* The fields of one task as a JSON object, and the whole plan. */
void sf_plan_task_json(const struct sf_plan *plan, size_t task, struct sf_json_writer *w);
void sf_plan_json(const struct sf_plan *plan, struct sf_json_writer *w);

/* The id of what a reference names. */
const char *sf_plan_ref_id(const struct sf_plan *plan, const struct sf_plan_ref *ref);

/* SHA-256 of the bytes of the file: one changed byte is another plan. */
void sf_plan_digest(const char *text, size_t len, char hex[SF_SHA256_HEX + 1]);

/* "1h30m"; "" for 0. */
void sf_plan_minutes_text(int minutes, struct sf_strbuf *out);

#endif
