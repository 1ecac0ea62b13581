/*
 * change: a file before and after, shown to people as a diff and to the model as the new lines with
 * their numbers. Also the first half of every change: reading the file, and checking whether the
 * model has seen it.
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
    bool gone;        /* the file was removed */
    const char *from; /* the old name in the diff; NULL: the same */
    struct sf_strbuf before, after;
    enum sf_seen_state state; /* of the existing file; SF_SEEN_NEVER if there is none */
    size_t added, removed;    /* lines, once the diff was made */
};

/* clang-format off */
#define SF_CHANGE_INIT { NULL, false, false, NULL, SF_STRBUF_INIT, SF_STRBUF_INIT, SF_SEEN_NEVER, 0, 0 }
/* clang-format on */

/* Reads the file, if it exists; SF_E_LIMIT if it is too large to be edited. */
bool sf_change_begin(struct sf_change *change, struct sf_toolbox *box, struct sf_place *place,
                     struct sf_error *err) SF_MUST_CHECK;
void sf_change_release(struct sf_change *change);

/* Replaces the contents of the file by `after`, or makes the file. */
bool sf_change_commit(struct sf_change *change, struct sf_error *err) SF_MUST_CHECK;

/* Records that the model has seen the file as it is now. */
void sf_change_note(const struct sf_change *change, struct sf_toolbox *box,
                    struct sf_tool_call *call, bool whole);

/* Adds the diff to the result and counts its lines; `name` is the file's name in the diff. */
void sf_change_diff(struct sf_change *change, struct sf_tool_call *call, const char *name);
/* The same for a rehearsed change, with less context. */
void sf_change_plan(struct sf_change *change, struct sf_tool_call *call);

/* Adds the changed lines to the result's text, with context and line numbers. */
void sf_change_excerpt(const struct sf_change *change, struct sf_tool_call *call);

#endif
