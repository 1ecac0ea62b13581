/*
 * response: what a command answers, as data. The surface decides how it looks: the terminal shows a
 * page as an overlay, a run without a screen prints it, and both print the same words.
 *
 * Life: sf_response_init, the functions that fill it, sf_response_release. A response that a surface
 * is given is borrowed for the call.
 */
#ifndef SF_PORT_RESPONSE_H
#define SF_PORT_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum sf_response_kind {
    SF_RESPONSE_NOTE,     /* text: one sentence */
    SF_RESPONSE_ERROR,    /* text, hint: it was not done, and why */
    SF_RESPONSE_PAGE,     /* title, text: Markdown */
    SF_RESPONSE_DIFF,     /* title, text: a unified diff */
    SF_RESPONSE_TABLE,    /* title, columns, rows */
    SF_RESPONSE_CHOICE,   /* the same: one row is to be chosen by its value */
    SF_RESPONSE_QUESTION, /* text: Markdown, to be answered with yes or no: sf_port_reply */
    SF_RESPONSE_FIELD,    /* title, text, hint: a value to be written; sf_port_fill takes it */
    SF_RESPONSE_DRAFT,    /* text: words to be written on; `queued` is the row they come from */
    SF_RESPONSE_SCREEN, /* text: the arguments; the command is about the screen, for who has one */
    SF_RESPONSE_COUNT,
};

extern const char *const sf_response_kinds[]; /* "note", "error" and so on */

struct sf_response_row {
    char *value; /* what the row stands for, as commands take it; "": nothing */
    struct sf_strlist cells;
    bool heading; /* a line between rows, with one cell */
    bool current; /* what is in force, or where a cursor begins */
};

struct sf_response {
    enum sf_response_kind kind;
    const char *command; /* whose answer it is, as the table of commands has it; "": nobody's */
    const char *part;    /* which of the command's answers; constant; "": the usual one */
    bool usage;          /* of what was not done: the words of the command are at fault */
    bool bad;            /* of a note: what was asked for was not done */
    bool passing;        /* of a note: true for a moment, and not part of the answer */
    bool lasts;          /* of a note: to be kept in sight, as nothing else says it later */
    bool late;           /* it comes by itself, maybe when nobody looks any more */
    bool editable;       /* of a page: its text may be written anew; sf_port_edited takes it */
    bool partial;        /* of a table: some cells are not known yet, and it comes once more */
    bool renews;         /* of a table: it has the rows of the one before, with other cells */
    bool reversible;     /* of a question: what is done after a yes can be taken back */
    bool secret;         /* of a field: nothing of what is written is to be seen */
    char title[160];
    struct sf_strbuf text;
    char hint[256];
    const char *const *columns; /* their names, NULL-terminated and constant; or NULL */
    const char *align;          /* of each column: l or r; NULL: all to the left */
    struct sf_response_row *rows;
    size_t count, cap;
    const char *cursor; /* the value of the row to begin on, borrowed; NULL: the current one */
    const char *const *values; /* of a field: what it can be, like `columns`; NULL: anything */
    int64_t since_ms; /* of a note: what it tells of goes on since then; 0: it is no such thing */
    int64_t queued;   /* of a draft: see sf_port_queue_end; 0: none */
};

void sf_response_init(struct sf_response *r, enum sf_response_kind kind, const char *title);
void sf_response_release(struct sf_response *r);

/* Adds a row and returns it; the cells follow with sf_response_cell. */
struct sf_response_row *sf_response_row(struct sf_response *r, const char *value);
void sf_response_cell(struct sf_response *r, const char *format, ...) SF_PRINTF(2, 3);
void sf_response_heading(struct sf_response *r, const char *text);

/* The rows as a list of objects; the rest of a response is written by event_json. */
void sf_response_rows_json(const struct sf_response *r, struct sf_json_writer *w);

/* As text for a page of plain characters: Markdown as it is, tables in columns. */
void sf_response_text(const struct sf_response *r, struct sf_strbuf *out);

#endif
