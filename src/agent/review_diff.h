/*
 * review_diff: the changes under review: a list of files, and their hunks as text in which each
 * line has its number. Made from the output of git, every byte of which is untrusted.
 *
 * The text has room for some hundred KiB. What does not fit is counted, and the list of files says
 * so, so that the model can read the rest by itself.
 *
 * Life: a zeroed struct, sf_review_diff_stat, then any number of patches and new files,
 * sf_review_diff_release.
 */
#ifndef SF_AGENT_REVIEW_DIFF_H
#define SF_AGENT_REVIEW_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_REVIEW_FILES_MAX = 2000,       /* files in the list */
    SF_REVIEW_FILE_BYTES = 48 * 1024, /* text of one file */
    SF_REVIEW_LINE_BYTES = 400,       /* of one line */
};

/* Lines of files that may hold secrets. A file of the diff with one of them is not shown at all. */
struct sf_review_secrets {
    struct sf_strlist lines; /* without blanks around them, sorted by sf_review_secrets_settle */
};

/* Takes text, or the output of `git diff -p`, of which only the lines that are added count. */
bool sf_review_secrets_add(struct sf_review_secrets *secrets, const char *text, size_t len,
                           bool patch, struct sf_error *err) SF_MUST_CHECK;
void sf_review_secrets_settle(struct sf_review_secrets *secrets); /* after the last text */
void sf_review_secrets_release(struct sf_review_secrets *secrets);

/* Whether the line stood there; a short one, such as a bracket, tells nothing. */
bool sf_review_secrets_have(const struct sf_review_secrets *secrets, const char *line, size_t len);

/* Lines of the new text that a hunk shows; `old` are those of the text before. */
struct sf_review_hunk {
    int64_t first, last, old_first, old_last; /* last < first: none */
};

struct sf_review_file {
    char *path;
    char *from;             /* the path before it was renamed; or NULL */
    int64_t added, removed; /* lines; -1: a binary file; -2: nobody has looked */
    bool fresh;             /* git does not know the file yet */
    bool shown, cut;        /* its hunks are in the text; not all of them */
    bool secret;            /* it has a line of a secret, so it is not shown */
    bool by_text;           /* git calls it binary, and was asked for its text */
    bool seen;              /* the reviewer has read in it by itself */
    struct sf_review_hunk *hunks;
    size_t count, cap;
    size_t at, len; /* where they are in the text */
};

struct sf_review_diff {
    struct sf_review_file *files;
    size_t count, cap;
    size_t more;            /* files beyond SF_REVIEW_FILES_MAX */
    int64_t added, removed; /* lines of all files, those that are not listed too */
    struct sf_strbuf text;
    size_t room;                             /* bytes that the text may have */
    const struct sf_review_secrets *secrets; /* what must not be shown; or NULL */
};

void sf_review_diff_release(struct sf_review_diff *diff);

/* Takes the output of `git diff --numstat -z`. False: it is not that. */
bool sf_review_diff_stat(struct sf_review_diff *diff, const char *out, size_t len);

/* Adds a file that git does not know yet. `whole`: that is all of its text; NULL: it was not read. */
void sf_review_diff_fresh(struct sf_review_diff *diff, const char *path, const char *text,
                          size_t len, bool whole);

/* Takes the output of `git diff -p` for some of the files. */
void sf_review_diff_patch(struct sf_review_diff *diff, const char *out, size_t len);

/* Notes that the reviewer has read in the file; nothing where it is not listed. */
void sf_review_diff_saw(struct sf_review_diff *diff, const char *path);

const struct sf_review_file *sf_review_diff_find(const struct sf_review_diff *diff,
                                                 const char *path);

/* Whether the lines are among those that the file's hunks have, before or after the change. */
bool sf_review_file_has(const struct sf_review_file *file, int64_t line, int64_t end_line);

/* Appends the lines of the text around a line of the file; nothing where it is not there. */
void sf_review_diff_context(const struct sf_review_diff *diff, const struct sf_review_file *file,
                            int64_t line, struct sf_strbuf *out);

/* Appends lines of a plain text around a line of it, in the same form. */
void sf_review_text_context(const char *text, size_t len, int64_t line, struct sf_strbuf *out);

#endif
