/*
 * plan_status: how far the plans of a workspace are: what their files say beside what was accepted
 * and what became of its tasks.
 */
#ifndef SF_WORKSPACE_PLAN_STATUS_H
#define SF_WORKSPACE_PLAN_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "plan/plan.h"
#include "store/store.h"

enum sf_plan_stage {
    SF_PLAN_STAGE_DRAFT,    /* a file that was not accepted */
    SF_PLAN_STAGE_WRONG,    /* the same, and it cannot be read as a plan */
    SF_PLAN_STAGE_ACCEPTED, /* as it is in its file */
    SF_PLAN_STAGE_CHANGED,  /* the file changed since it was accepted, or is gone */
};

extern const char *const sf_plan_stages[]; /* by enum sf_plan_stage */

struct sf_plan_status {
    enum sf_plan_stage stage;
    char *name, *accepted_at, *accepted_by; /* "" where nobody accepted it */
    struct sf_plan plan;                    /* the accepted text, else that of the file */
    enum sf_task_state *states;             /* of its tasks */
    size_t done;
};

void sf_plan_status_release(struct sf_plan_status *status);

/* SF_E_NOENT when there is neither a file nor an accepted plan of that name. */
bool sf_plan_status_get(struct sf_store *store, const char *root, const char *name,
                        struct sf_plan_status *out, struct sf_error *err) SF_MUST_CHECK;

/* The names of all plans there are, sorted. */
bool sf_plan_names(struct sf_store *store, const char *root, struct sf_strlist *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* Appends the plan as Markdown: its facts, then a line for each task with its state. */
void sf_plan_status_text(const struct sf_plan_status *status, struct sf_strbuf *out);

void sf_plan_status_json(const struct sf_plan_status *status, bool tasks, struct sf_json_writer *w);

#endif
