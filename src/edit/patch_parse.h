/*
 * patch_parse: what the two readers of patches share: the lines of the patch, the operation
 * being built, and the words of their errors. Inside the room only.
 */
#ifndef SF_EDIT_PATCH_PARSE_H
#define SF_EDIT_PATCH_PARSE_H

#include "edit/patch.h"

/* A line of the patch, without its ending. */
struct sf_patch_text {
    const char *s;
    size_t len;
};

struct sf_patch_reader {
    struct sf_patch *patch;
    size_t at, len;
    bool crlf;     /* the patch itself has CRLF endings; they are none of its lines' */
    unsigned line; /* the current one, counted from 1 */
    struct sf_error *err;

    size_t op_cap, hunk_cap, line_cap;
    size_t hunk_count, line_count;
    size_t blanks; /* bare empty lines not yet known to belong to the hunk */
};

bool sf_patch_peek(const struct sf_patch_reader *r, struct sf_patch_text *line); /* false: end */
void sf_patch_skip(struct sf_patch_reader *r);
bool sf_patch_fail(struct sf_patch_reader *r, const char *what); /* "line 7 of the patch: " */

bool sf_patch_starts(struct sf_patch_text line, const char *prefix);
bool sf_patch_is_blank(struct sf_patch_text line);

/* A new operation; the path is checked and copied. */
bool sf_patch_begin_op(struct sf_patch_reader *r, enum sf_patch_kind kind,
                       struct sf_patch_text path);
bool sf_patch_check_path(struct sf_patch_reader *r, struct sf_patch_text path);

/* A new hunk of the last operation, and a line of it. */
bool sf_patch_begin_hunk(struct sf_patch_reader *r);
void sf_patch_add_line(struct sf_patch_reader *r, char op, struct sf_patch_text line);
void sf_patch_note_open(struct sf_patch_reader *r); /* "\ No newline at end of file" */
struct sf_patch_op *sf_patch_last_op(const struct sf_patch_reader *r);
struct sf_patch_hunk *sf_patch_last_hunk(const struct sf_patch_reader *r);

/*
 * Reads "@@ …": numbers become the hint of the hunk, words a line to go to. The counts are of
 * the old and new lines to come, 0 when the header does not tell.
 */
void sf_patch_read_header(struct sf_patch_reader *r, struct sf_patch_text line, size_t counts[2]);

bool sf_patch_parse_unified(struct sf_patch_reader *r);

#endif
