/*
 * custom: a slash command that somebody wrote as a Markdown file: a head of settings, and a text
 * that is said in its place. Pure: reading files and running commands is done elsewhere. Whatever
 * the file holds, the texts here are valid UTF-8 without a control or hidden character.
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
    SF_CUSTOM_ARGS = 64 * 1024,  /* of what is typed behind the name */
    SF_CUSTOM_TEXT = 128 * 1024, /* of what it becomes, before anything is included */
    SF_CUSTOM_PARTS = 32,        /* files and commands in one */
    SF_CUSTOM_COLUMNS = 120,     /* of a description, a hint or a model's name */
};

/* Life: sf_custom_read fills it, sf_custom_release empties it; SF_CUSTOM_INIT is empty. */
struct sf_custom {
    char *description;       /* one line; its first line of text where it has none of its own */
    char *hint;              /* what may stand behind the name, or "" */
    char *model;             /* for the turn, or NULL */
    bool narrows;            /* the turn has at most the tools named below */
    struct sf_strlist tools; /* grants, see guard/grant.h */
    char *body;
};

/* clang-format off */
#define SF_CUSTOM_INIT { NULL, NULL, NULL, false, SF_STRLIST_INIT, NULL }
/* clang-format on */

/* What is wrong with the head fails, with its line where it has one. */
bool sf_custom_read(struct sf_custom *custom, const char *text, size_t len,
                    struct sf_error *err) SF_MUST_CHECK;
void sf_custom_release(struct sf_custom *custom);

/* ---- template.c: the text with its blanks filled in ---- */

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
 * $ARGUMENTS is what was typed, $1 to $9 are its words ('quotes' and "quotes" keep them together);
 * a backslash before any blank keeps it as it stands. Arguments that no blank takes come at the end.
 * What is filled in is never looked at again, so arguments cannot add files or commands; into a
 * command only characters go that no shell reads anything into, all else fails.
 */
bool sf_template_fill(struct sf_template *t, const char *body, const char *args,
                      struct sf_error *err) SF_MUST_CHECK;
void sf_template_release(struct sf_template *t);

#endif
