/*
 * change: a file before and after, told to people as a diff and to the model as the new lines
 * with their numbers. Also the first half of every change: reading what is there, and asking
 * whether the model has seen it.
 */
#ifndef SF_TOOLS_CHANGE_H
#define SF_TOOLS_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "io/io.h"
#include "tools/box.h"
#include "tools/seen.h"

/* Life: SF_CHANGE_INIT, sf_change_begin, fill in `after`, use, sf_change_release. */
struct sf_change {
    struct sf_place *place; /* borrowed */
    bool existed;
    bool gone;        /* it was removed */
    const char *from; /* what the diff calls the file it was before; NULL: the same */
    struct sf_strbuf before, after;
    enum sf_seen_state state; /* of what is there; SF_SEEN_NEVER when nothing is */
    size_t added, removed;    /* lines, once shown */
};

/* clang-format off */
#define SF_CHANGE_INIT { NULL, false, false, NULL, SF_STRBUF_INIT, SF_STRBUF_INIT, SF_SEEN_NEVER, 0, 0 }
/* clang-format on */

/* Reads the file, if there is one; SF_E_LIMIT beyond what can be edited. */
bool sf_change_begin(struct sf_change *change, struct sf_toolbox *box, struct sf_place *place,
                     struct sf_error *err) SF_MUST_CHECK;
void sf_change_release(struct sf_change *change);

/* Puts `after` in the file's place, or makes the file. */
bool sf_change_commit(struct sf_change *change, struct sf_error *err) SF_MUST_CHECK;

/* The file as it is now has been seen. */
void sf_change_note(const struct sf_change *change, struct sf_toolbox *box,
                    struct sf_tool_call *call, bool whole);

/* Adds the diff to the result and counts its lines; "NAME" is what the diff calls the file. */
void sf_change_diff(struct sf_change *change, struct sf_tool_call *call, const char *name);
/* The same of a change that was only rehearsed, with less around it. */
void sf_change_plan(struct sf_change *change, struct sf_tool_call *call);

/* Adds the changed lines to the result's text, with some around them and their numbers. */
void sf_change_excerpt(const struct sf_change *change, struct sf_tool_call *call);

#endif
