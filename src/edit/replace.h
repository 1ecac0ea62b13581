/*
 * replace: Edit and MultiEdit. Replaces text in the bytes of a file: the old text must be there
 * once (or all of its places are meant), line endings count as equal on both sides, and no byte
 * outside the place changes. What a model gets nearly right is found by the ladder, and the
 * result says so. Several edits apply in order, all or none.
 *
 * Life of a result: sf_edit_result_init, any number of calls, sf_edit_result_release.
 */
#ifndef SF_EDIT_REPLACE_H
#define SF_EDIT_REPLACE_H

#include "base/base.h"
#include "edit/ladder.h"
#include "edit/nearest.h"

enum {
    SF_EDITS_MAX = 1000,          /* of one job */
    SF_REPLACED_MAX = 100 * 1000, /* places of one edit */
};

/* An old text that is empty means: there is nothing yet. */
struct sf_edit {
    const char *old_text, *new_text;
    size_t old_len, new_len;
    bool all;
};

struct sf_edit_job {
    const char *bytes; /* the file as it is; NULL with len 0 when there is none yet */
    size_t len;
    bool stale; /* it changed since it was read: only one exact place may be replaced */
    const struct sf_edit *edits;
    size_t count;
};

struct sf_edit_done {
    enum sf_rung rung;
    size_t replaced; /* places */
    size_t line;     /* of the first one, counted from 1 in the file as this edit found it */
};

struct sf_edit_result {
    struct sf_strbuf bytes; /* the whole file as it is to be; empty on failure */
    struct sf_edit_done *done;
    size_t count;
    enum sf_rung rung; /* the highest that was needed */
    bool created;      /* there was nothing before */
    bool stale;        /* it had changed since it was read, and still one place fitted */
    bool foreign;      /* UTF-8 went into a file that is not UTF-8 */

    /* on failure */
    size_t failed;           /* which edit */
    size_t culprit;          /* the earlier edit that is to blame, or SIZE_MAX */
    struct sf_places places; /* too many of them, in the text that edit found */
    size_t lines[SF_PLACES_MAX];
    struct sf_nearest nearest;
    struct sf_strbuf detail; /* some lines for the model, bounded; may hold the file's text */
};

void sf_edit_result_init(struct sf_edit_result *result);
void sf_edit_result_release(struct sf_edit_result *result);

/* On failure: SF_E_NOENT not found, SF_E_EXIST too many places; others as usual. */
bool sf_edit_apply(const struct sf_edit_job *job, struct sf_edit_result *result,
                   struct sf_error *err) SF_MUST_CHECK;

/* One sentence about a success, for the model: what was replaced, and how loosely. */
void sf_edit_describe(const struct sf_edit_result *result, struct sf_strbuf *out);

#endif
