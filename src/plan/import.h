/*
 * import: a plain Markdown checklist as a plan. Headings become milestones (the outermost) and
 * slices (those below), each open item `- [ ]` becomes a task, and what is indented below an item
 * its words. An item with open items below it depends on them. Items that are done are counted and
 * left out; nobody says how they were verified.
 */
#ifndef SF_PLAN_IMPORT_H
#define SF_PLAN_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_plan_import {
    size_t taken;   /* items that became tasks */
    size_t dropped; /* items that were done */
};

/*
 * Appends the text of a plan, which can be read without faults; `title` is used where the text has
 * no heading of its own for it.
 */
bool sf_plan_import(const char *text, size_t len, const char *title, struct sf_strbuf *out,
                    struct sf_plan_import *counts, struct sf_error *err) SF_MUST_CHECK;

#endif
