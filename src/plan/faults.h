/*
 * faults: what is wrong with a text, all of it at once: each fault with its line and column, the
 * thing that is wrong and the nearest name that would be right. The list can go back to whoever
 * wrote the text, a person or a model, as it is. Life: SF_PLAN_FAULTS_INIT, use, release.
 */
#ifndef SF_PLAN_FAULTS_H
#define SF_PLAN_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { SF_PLAN_FAULTS_MAX = 20 };

struct sf_plan_faults {
    struct sf_error *items; /* in the order of the text, each with its line and column */
    size_t count, cap;
    size_t left_out; /* found, but beyond the ceiling */
};

#define SF_PLAN_FAULTS_INIT \
    {                       \
        NULL, 0, 0, 0       \
    }

void sf_plan_faults_release(struct sf_plan_faults *faults);

/* Adds a fault whose line and column are set. */
void sf_plan_faults_add(struct sf_plan_faults *faults, const struct sf_error *fault);

void sf_plan_faults_sort(struct sf_plan_faults *faults);

/* One line for each: "NAME:12:3: risk: there is no risk called …; did you mean high?" */
void sf_plan_faults_text(const struct sf_plan_faults *faults, const char *name,
                         struct sf_strbuf *out);

#endif
