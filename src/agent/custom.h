/*
 * custom: a slash command written as a Markdown file: frontmatter with settings, and a text that is
 * sent as a prompt. Pure: files are read and commands are run elsewhere. Whatever the file
 * contains, the strings here are valid UTF-8 without control or hidden characters.
 *
 *     ---
 *     description: review a file
 *     argument-hint: FILE
 *     allowed-tools: Read, Grep, Bash(git log:*)
 *     model: some-model
 *     ---
 *     Review @$1. The branch is !`git branch --show-current`.
 */
#ifndef SF_AGENT_CUSTOM_H
#define SF_AGENT_CUSTOM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum {
    SF_CUSTOM_FILE = 64 * 1024,  /* bytes of a file */
    SF_CUSTOM_ARGS = 64 * 1024,  /* bytes of the arguments */
    SF_CUSTOM_TEXT = 128 * 1024, /* bytes of the result, before anything is included */
    SF_CUSTOM_PARTS = 32,        /* files and commands in one command */
    SF_CUSTOM_COLUMNS = 120,     /* columns of a description, a hint or a model's name */
};

/* Life: SF_CUSTOM_INIT, sf_custom_read, sf_custom_release. */
struct sf_custom {
    char *description;       /* one line; if missing, the first line of the text */
    char *hint;              /* describes the arguments, or "" */
    char *model;             /* for the turn, or NULL */
    bool narrows;            /* the turn may use only the tools below */
    struct sf_strlist tools; /* grants, see guard/grant.h */
    char *body;
};

/* clang-format off */
#define SF_CUSTOM_INIT { NULL, NULL, NULL, false, SF_STRLIST_INIT, NULL }
/* clang-format on */

/* Invalid frontmatter is an error, with its line number if it has one. */
bool sf_custom_read(struct sf_custom *custom, const char *text, size_t len,
                    struct sf_error *err) SF_MUST_CHECK;
void sf_custom_release(struct sf_custom *custom);

/* ---- template.c: the text with its placeholders filled in ---- */

enum sf_template_kind {
    SF_TEMPLATE_TEXT,
    SF_TEMPLATE_FILE,    /* @path */
    SF_TEMPLATE_COMMAND, /* !`command` */
};

struct sf_template_part {
    enum sf_template_kind kind;
    char *text;
};

/* Life: SF_TEMPLATE_INIT, sf_template_fill, sf_template_release. */
struct sf_template {
    struct sf_template_part *parts;
    size_t count, cap;
};

/* clang-format off */
#define SF_TEMPLATE_INIT { NULL, 0, 0 }
/* clang-format on */

/*
 * $ARGUMENTS is the whole argument text, $1 to $9 are its words ('quotes' and "quotes" keep words
 * together); a backslash before a placeholder keeps it as it is. If no placeholder takes the
 * arguments, they are appended. Text that was filled in is not expanded again, so arguments cannot
 * add files or commands; only characters without a meaning to a shell may go into a command, others
 * are an error.
 */
bool sf_template_fill(struct sf_template *t, const char *body, const char *args,
                      struct sf_error *err) SF_MUST_CHECK;
void sf_template_release(struct sf_template *t);

#endif
