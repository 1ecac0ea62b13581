/*
 * response: the response of a command, as data. The surface decides how it looks: the terminal
 * shows a page as an overlay, a run without a screen prints it, and both show the same text.
 *
 * Life: sf_response_init, the functions that fill it, sf_response_release. A response passed to a
 * surface is borrowed for the call.
 */
#ifndef SF_PORT_RESPONSE_H
#define SF_PORT_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum sf_response_kind {
    SF_RESPONSE_NOTE,     /* text: one sentence */
    SF_RESPONSE_ERROR,    /* text, hint: why the command failed */
    SF_RESPONSE_PAGE,     /* title, text: Markdown */
    SF_RESPONSE_DIFF,     /* title, text: a unified diff */
    SF_RESPONSE_TABLE,    /* title, columns, rows */
    SF_RESPONSE_CHOICE,   /* a table of which one row is to be chosen by its value */
    SF_RESPONSE_QUESTION, /* text: Markdown; answered with yes or no by sf_port_reply */
    SF_RESPONSE_FIELD,    /* title, text, hint: asks for a value, for sf_port_fill */
    SF_RESPONSE_DRAFT,    /* text: goes into the composer; `queued` is the row it comes from */
    SF_RESPONSE_SCREEN,   /* text: the arguments of a command that only a screen can run */
    SF_RESPONSE_COUNT,
};

extern const char *const sf_response_kinds[]; /* "note", "error" and so on */

/* How long a note is true. */
enum sf_note_holds {
    SF_HOLDS_ALWAYS,  /* it says what was done */
    SF_HOLDS_RUNNING, /* while what runs goes on */
    SF_HOLDS_LOOKING, /* while files are looked at or restored */
    SF_HOLDS_PENDING, /* while a change of the axes is pending */
    SF_HOLDS_QUEUED,  /* while something is queued and nothing runs */
    SF_HOLDS_COUNT,
};

struct sf_response_row {
    char *time;  /* the instant whose age a cell shows, RFC 3339; NULL: none */
    char *value; /* the argument that selects the row in a command; "": none */
    struct sf_strlist cells;
    bool heading; /* a heading between rows, with one cell */
    bool current; /* the value in force; the cursor starts here */
};

struct sf_response {
    enum sf_response_kind kind;
    const char *command; /* the name of the command in the table, or "" */
    const char *part;    /* which of the command's responses; static; "": the usual one */
    enum sf_note_holds holds;
    bool usage;      /* error or bad note: the arguments of the command are wrong */
    bool bad;        /* note: the command did not do what was asked */
    bool passing;    /* note: temporary, and not part of the result */
    bool lasts;      /* note: to be kept visible, since nothing else says it later */
    bool late;       /* comes by itself, maybe after the user has moved on */
    bool editable;   /* page: the text may be edited and returned with sf_port_edited */
    bool partial;    /* table: some cells are not known yet; the table will come again */
    bool renews;     /* table: has the same rows as the previous one, with other cells */
    bool reversible; /* question: what is done after a yes can be undone */
    bool secret;     /* field: the input must not be shown */
    char title[160];
    struct sf_strbuf text;
    char hint[256];
    const char *const *columns; /* column names, NULL-terminated and static; or NULL */
    const char *align;          /* l or r for each column; NULL: all left */
    struct sf_response_row *rows;
    size_t count, cap;
    const char *cursor; /* the value of the row to start on, borrowed; NULL: the current one */
    const char *const *values; /* field: possible values, like `columns`; NULL: anything */
    int64_t since_ms;          /* note: when the activity began that it reports; 0: none */
    int64_t number;            /* page: the job it shows; 0: none */
    int64_t queued;            /* draft: the row for sf_port_queue_end; 0: none */
};

void sf_response_init(struct sf_response *r, enum sf_response_kind kind, const char *title);
void sf_response_release(struct sf_response *r);

/* Adds a row and returns it; the cells follow with sf_response_cell. */
struct sf_response_row *sf_response_row(struct sf_response *r, const char *value);
void sf_response_cell(struct sf_response *r, const char *format, ...) SF_PRINTF(2, 3);
/* Adds a cell with the age of an instant; JSON has the instant. */
void sf_response_age(struct sf_response *r, const char *instant);
void sf_response_heading(struct sf_response *r, const char *text);

/* Writes the rows as a list of objects; event_json writes the rest of a response. */
void sf_response_rows_json(const struct sf_response *r, struct sf_json_writer *w);

/* Appends the response as plain text: Markdown as it is, tables in columns. */
void sf_response_text(const struct sf_response *r, struct sf_strbuf *out);

#endif
