/*
 * patch: ApplyPatch. Reads a patch, either the envelope models write ("*** Begin Patch") or a
 * unified diff, into operations on files, and applies them to bytes. Line numbers of a diff are
 * hints; the lines themselves decide, found by the ladder and in order. Endings, marks and
 * untouched lines stay as they are.
 *
 * Paths are handed on as they stand in the patch: absolute ones, "..", one file named twice, a
 * new file where one is, a deletion of what is not there. Whoever writes them judges them.
 *
 * Life: sf_patch_parse, use, sf_patch_free; everything in it belongs to it.
 */
#ifndef SF_EDIT_PATCH_H
#define SF_EDIT_PATCH_H

#include "base/base.h"
#include "edit/replace.h"

enum {
    SF_PATCH_MAX = 4 * 1024 * 1024,        /* bytes of a patch */
    SF_PATCH_HUNKS_MAX = 10 * 1000,        /* and as many operations */
    SF_PATCH_PLAN_MAX = 256 * 1024 * 1024, /* bytes a plan holds, old and new together */
};

enum sf_patch_kind { SF_PATCH_ADD, SF_PATCH_DELETE, SF_PATCH_UPDATE };

struct sf_patch_line {
    char op; /* ' ', '+', '-', or '@': a line to go to first */
    uint32_t len;
    const char *text; /* without its ending */
};

struct sf_patch_hunk {
    const struct sf_patch_line *lines; /* those with '@' come first */
    size_t count;
    bool hinted;             /* a diff says where it was: */
    size_t old_at;           /* the line, counted from 1 (with no old lines: the one before) */
    bool at_end;             /* "*** End of File" */
    bool old_open, new_open; /* "\ No newline at end of file", of either side */
    unsigned line;           /* of the patch */
};

struct sf_patch_op {
    enum sf_patch_kind kind;
    const char *path;
    const char *move_to; /* an update under a new name; NULL: it keeps its name */
    const struct sf_patch_hunk *hunks;
    size_t count;
    unsigned line;
};

struct sf_patch {
    struct sf_patch_op *ops;
    size_t count;
    bool unified; /* it was a diff */
    struct sf_patch_hunk *hunks;
    struct sf_patch_line *lines;
    char *text;
    struct sf_arena arena;
};

/* Fails with SF_E_SYNTAX and the line of the patch, or with SF_E_LIMIT. */
struct sf_patch *sf_patch_parse(const char *text, size_t len, struct sf_error *err);
void sf_patch_free(struct sf_patch *patch); /* NULL is welcome */

/*
 * The bytes one operation makes of a file's bytes, in `result`: none for a deletion. On failure
 * `result` tells the hunk (as `failed`), the places or the nearest text, and `err` the file.
 */
bool sf_patch_apply(const struct sf_patch_op *op, const char *bytes, size_t len,
                    struct sf_edit_result *result, struct sf_error *err) SF_MUST_CHECK;

/* Gives the bytes of a file, or sets `exists` to false; false: it cannot be read. */
typedef bool sf_patch_read_fn(void *ctx, const char *path, struct sf_strbuf *bytes, bool *exists,
                              struct sf_error *err);

struct sf_patch_step {
    enum sf_patch_kind kind;
    const char *path, *move_to; /* the patch's */
    bool existed;
    struct sf_strbuf old_bytes, new_bytes;
    enum sf_rung rung;
};

struct sf_patch_plan {
    struct sf_patch_step *steps;
    size_t count;
    struct sf_edit_result result; /* of the operation that failed */
    size_t failed;                /* which one */
};

/*
 * What the whole patch would do; nothing is written. An operation sees what the ones before it
 * left, if both spell the path alike. Either every step is there or none. Release in any case.
 */
bool sf_patch_plan(struct sf_patch_plan *plan, const struct sf_patch *patch, sf_patch_read_fn *read,
                   void *ctx, struct sf_error *err) SF_MUST_CHECK;
void sf_patch_plan_release(struct sf_patch_plan *plan);

#endif
