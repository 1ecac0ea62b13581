/*
 * overlay: lists and pages that lie over the conversation. At most one is open.
 *
 *     overlay.c       rows, filter, cursor and keys
 *     overlay_draw.c  the look of lists and pages
 *     overlay_edit.c  the line below a list in which a value is written
 *     secret.c        a field that shows nothing of what it holds
 *     restore_list.c  states that files can go back to
 *     theme_list.c    colours to choose from, with a sample
 *
 * The tables that a command answers with are opened by respond.c; what their keys do besides
 * choosing a row is a struct sf_overlay_kind each.
 */
#ifndef SF_TUI_OVERLAY_H
#define SF_TUI_OVERLAY_H

#include "term/term.h"
#include "tui/tui.h"
#include "view/view.h"

struct sf_tui;
struct sf_status;

/* A row of a list: cells are split at tabs. Borrowed texts are copied. */
struct sf_list_row {
    char *text;
    char *value; /* The identity of the row, for the functions of the kind. */
    bool mute;   /* The row is a heading and cannot be chosen. */
};

/* What a list looks like and can do; a function that is NULL does nothing. */
struct sf_overlay_kind {
    const char *title;
    const char *keys; /* The line at the bottom: "Enter open   d delete". */
    bool filter;      /* Letters narrow the list. */
    void (*chosen)(struct sf_tui *ui, const char *value);
    void (*moved)(struct sf_tui *ui, const char *value);
    bool (*key)(struct sf_tui *ui, uint32_t code, const char *value);  /* Other letters. */
    bool (*ctrl)(struct sf_tui *ui, uint32_t code, const char *value); /* A letter with Ctrl. */
    void (*closed)(struct sf_tui *ui);                                 /* The user pressed Esc. */
    void (*search)(struct sf_tui *ui, const char *words); /* Adds rows for the filter's words. */
    /* Writes the command's table as Markdown, for a page instead of a list. */
    void (*page)(struct sf_tui *ui, const struct sf_response *table, struct sf_strbuf *out);
    /* Returns the text for an empty cell of a command's table. */
    const char *(*cell)(struct sf_tui *ui, const struct sf_response_row *row, size_t column);
    bool heads; /* The names of the table's columns stand above the rows. */
    bool stays; /* Choosing a row does not close the list. */
    void (*edited)(struct sf_tui *ui, const char *value, const char *text); /* Takes the line. */
    void (*renew)(struct sf_tui *ui); /* Fills the list again, each second. */
    void (*tab)(struct sf_tui *ui);   /* The Tab key. */
    bool marks;                       /* The row that is in force has a dot in front. */
    int second_cols;                  /* Columns that the second cell may have; 0: all it needs. */
    void (*sample)(struct sf_area area); /* Draws what a choice means, beside or below the list. */
    const char *line; /* Said below the line, behind what the value can be; or NULL. */
};

/* The line below a list in which a value is written: closed, a text, or a secret. */
struct sf_overlay_line {
    struct sf_composer *text;
    struct sf_secret *secret;
    char *label, *value;
    const char *const *values; /* Values to step through, NULL-terminated; or NULL. */
    struct sf_strbuf note;
    bool bad; /* The note is an error. */
};

struct sf_overlay {
    const struct sf_overlay_kind *kind; /* NULL for a page. */
    char command[32];                   /* The command whose table is shown; or "". */
    const char *part;                   /* Which of the command's tables. */
    int64_t job;                        /* The job whose output a page follows; 0: none. */
    bool job_news;                      /* The job has written something since. */
    char *title;
    char *heads;       /* Names of the columns, split at tabs; NULL: not shown. */
    const char *align; /* The table's: cells to the left (l) or right (r); NULL: all left. */
    struct sf_list_row *rows;
    size_t count, cap;
    struct sf_fuzzy_hit *shown; /* Rows that pass the filter. */
    size_t shown_count;
    size_t at, top; /* The cursor and the first row on the screen, as indexes of `shown`. */
    size_t found;   /* How many rows at the end a search has added. */
    struct sf_composer *filter;
    struct sf_overlay_line line;
    struct sf_strbuf text; /* The Markdown or diff of a page. */
    struct sf_page page, preview;
    struct sf_strbuf preview_text; /* Markdown of the preview of a list; may be empty. */
    struct sf_strbuf preview_diff; /* The diff below that Markdown; may be empty. */
    bool is_page, is_diff;
    int laid_width;           /* The width that the page or preview is laid out for. */
    size_t scroll;            /* First line of the page or preview on the screen. */
    size_t rows_seen;         /* Rows of the list or page on the screen. */
    size_t preview_seen;      /* Lines of a scrolled preview on the screen. */
    struct sf_area list_area; /* Where the rows stand. */
};

/* ---- overlay.c ---- */

void sf_overlay_list(struct sf_tui *ui, const struct sf_overlay_kind *kind);
void sf_overlay_page(struct sf_tui *ui, const char *title, const struct sf_strbuf *markdown);
void sf_overlay_diff(struct sf_tui *ui, const char *title, const struct sf_strbuf *diff);
void sf_overlay_close(struct sf_tui *ui);
void sf_overlay_repage(struct sf_overlay *o, const struct sf_strbuf *markdown); /* Another text. */

void sf_overlay_row(struct sf_overlay *o, const char *value, const char *format, ...)
    SF_PRINTF(3, 4);
void sf_overlay_heading(struct sf_overlay *o, const char *text);
void sf_overlay_retext(struct sf_overlay *o, const char *value, const char *format, ...)
    SF_PRINTF(3, 4); /* Replaces the text of the row with this value. */
void sf_overlay_title(struct sf_overlay *o, const char *title);
void sf_overlay_preview(struct sf_overlay *o, const char *text, size_t len);
void sf_overlay_choose(struct sf_tui *ui, const char *value); /* Puts the cursor on a row. */

bool sf_overlay_moves(const struct sf_overlay *o); /* The list is renewed; NULL is welcome. */
void sf_overlay_renew(struct sf_tui *ui);          /* If so; the cursor stays on its row. */
void sf_overlay_event(struct sf_tui *ui, const struct sf_term_event *event,
                      enum sf_action_id action);

/* ---- overlay_draw.c ---- */

void sf_overlay_draw(struct sf_overlay *o, const struct sf_status *status, struct sf_area area);

/* ---- overlay_edit.c ---- */

/* Opens the line for a row. `values` (or NULL) are the possible values; they are not copied. */
void sf_overlay_edit(struct sf_overlay_line *line, const char *label, const char *value,
                     const char *text, const char *const *values);

/* Opens a line that shows nothing of its text. `edited` must not keep that text readable. */
void sf_overlay_edit_secret(struct sf_overlay_line *line, const char *label, const char *value);
void sf_overlay_edit_note(struct sf_overlay_line *line, bool bad, const char *format, ...)
    SF_PRINTF(3, 4);
void sf_overlay_edit_close(struct sf_overlay_line *line);
bool sf_overlay_line_is_open(const struct sf_overlay_line *line);
bool sf_overlay_is_secret(const struct sf_overlay *o); /* A secret is written; NULL is welcome. */
void sf_overlay_edit_draw(const struct sf_overlay_line *line,
                          struct sf_area *area); /* Takes rows. */
void sf_overlay_edit_event(struct sf_tui *ui, const struct sf_term_event *event,
                           enum sf_action_id action);

/* ---- secret.c ---- */

/* A text typed without being seen: it has one place in memory, which is wiped. */
struct sf_secret;
struct sf_secret *sf_secret_new(void);
void sf_secret_free(struct sf_secret *secret);                               /* NULL is welcome. */
bool sf_secret_type(struct sf_secret *secret, const char *text, size_t len); /* False: too long. */
void sf_secret_act(struct sf_secret *secret, enum sf_action_id action);
const char *sf_secret_text(const struct sf_secret *secret);
void sf_secret_draw(const struct sf_secret *secret, struct sf_area area, const char *prompt);

/* ---- restore_list.c ---- */

/* The states that files can go back to, by their numbers. */
struct sf_restore_list {
    int64_t row;    /* The state under the cursor. */
    int64_t chosen; /* The state that is restored once its preview is ready; 0: none. */
};

/* ---- tasks.c ---- */

void sf_job_page(struct sf_tui *ui, const struct sf_response *page);
void sf_job_told(void *ui, int64_t id); /* The job has written something, or ended. */
void sf_job_follow(struct sf_tui *ui);  /* Fills the page of a job again, if there is news. */
void sf_job_end(struct sf_tui *ui);     /* Ends the job whose page is open. */

/* ---- kinds of lists, in the files that own them ---- */

extern const struct sf_overlay_kind sf_backtrack_overlay, sf_ways_overlay, sf_fork_overlay;
extern const struct sf_overlay_kind sf_connect_overlay, sf_connect_key_overlay,
    sf_connect_server_overlay, sf_connect_models_overlay, sf_connect_model_overlay;
extern const struct sf_overlay_kind sf_config_overlay, sf_memory_overlay, sf_model_overlay,
    sf_permissions_overlay, sf_trust_overlay;
extern const struct sf_overlay_kind sf_doctor_overlay, sf_logs_overlay, sf_queue_overlay,
    sf_restore_overlay, sf_review_overlay, sf_sessions_overlay, sf_tasks_overlay, sf_bashes_overlay;

#endif
