/*
 * code: source text with colours, by small lexers of our own: words, strings, comments, numbers,
 * no grammar. One table of languages: names, file endings, comment and string shapes, keywords.
 * Also unified diffs, with the changed words of changed lines marked.
 */
#ifndef SF_VIEW_CODE_H
#define SF_VIEW_CODE_H

#include "view/page.h"

struct sf_quote;

/* What is open at the end of a line; zero at the beginning. */
struct sf_lex_state {
    const struct sf_quote *quote; /* the string */
    size_t depth;                 /* of block comments */
    bool in_tag;
};

struct sf_language; /* a row of the table in code_languages.c */

/* By the name after a fence ("c", "rust", "sh" …), or by a file's name; NULL: plain. */
const struct sf_language *sf_language_named(const char *name, size_t len);
const struct sf_language *sf_language_of_file(const char *path);

struct sf_diff_lay {
    const char *lead; /* in front of each line */
    size_t max_lines; /* of the diff; 0: all; else the last line says how many are left out */
    bool headers;     /* name the file; several files are always named */
    bool exact;       /* changed lines have marks for what would not be seen (base/exact.h) */
};

/* Appends a unified diff: line numbers, ± marks, words that changed, code coloured by file. */
void sf_diff_lay(struct sf_page *page, const char *diff, size_t len, const struct sf_diff_lay *how);

#endif
