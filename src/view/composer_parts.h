/*
 * composer_parts: what the composer's own files share; no other file includes it.
 *
 * The text holds a chip as a mark of SF_MARK_LEN bytes: the control U+001A, which no text that
 * comes in may hold, and a private character that says which chip. So marks travel through edits,
 * undo and the kill ring as text does, and whatever stores text counts the chips it refers to
 * (sf_composer_hold): a chip goes when the last reference goes.
 *
 * Every change is sf_composer_edit: it minds the limit, remembers how to undo it, keeps the rows
 * in step and leaves the cursor behind what was put in, never inside a cluster.
 */
#ifndef SF_VIEW_COMPOSER_PARTS_H
#define SF_VIEW_COMPOSER_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "view/composer.h"
#include "view/vim.h"

enum {
    SF_MARK = 0x1a,
    SF_MARK_LEN = 5,
    SF_CHIP_LABEL = 64,
    SF_COMPOSER_HELD = 48 * 1024 * 1024, /* bytes of undo, kills and chips together */
    SF_COMPOSER_COLS = 80,               /* before anything was drawn */
};

struct sf_chip {
    char *text; /* NULL: the place is free */
    size_t len, lines;
    unsigned number;
    size_t refs;
};

/* `inserted` stood in for `removed` at `at`; steps of one group are undone together. */
struct sf_step {
    struct sf_strbuf removed, inserted;
    size_t at, before, after; /* the cursor */
    uint64_t group;
};

struct sf_kill {
    struct sf_strbuf text;
    bool lines; /* whole ones, as vim's dd takes them */
};

/* A line as it is shown. A soft one goes on in the next; otherwise a newline or the end follows. */
struct sf_composer_row {
    size_t at, end;
    bool soft;
};

enum sf_last {
    SF_LAST_OTHER,
    SF_LAST_TYPED,
    SF_LAST_ERASED,
    SF_LAST_KILLED,
    SF_LAST_YANKED,
    SF_LAST_WENT
};

struct sf_composer {
    struct sf_strbuf text;
    size_t cursor;
    size_t folded; /* bytes that unfolding the chips in the text would add */
    enum sf_last was, last;
    int goal; /* column, of going up and down */

    struct sf_chip *chips;
    size_t chip_count, chip_cap, chip_bytes;

    struct sf_step *steps;
    size_t step_count, step_cap, step_bytes;
    size_t done; /* steps in front of it can be undone, the others done again */
    uint64_t group;

    struct sf_kill kills[SF_COMPOSER_KILLS]; /* the newest first */
    size_t kill_count, kill_bytes;
    size_t yank_at, yank_len, yank_kill;

    struct sf_composer_row *rows;
    size_t row_count, row_cap;
    int cols; /* the rows are for; 0: they are not laid out */

    size_t top; /* first row on screen */
    int drawn_rows, drawn_lead;

    struct sf_vim vim;
};

/* ---- composer.c ---- */

/* Every call that does something begins with it. */
void sf_composer_begin(struct sf_composer *c);

/* ---- composer_edit.c ---- */

bool sf_composer_edit(struct sf_composer *c, size_t at, size_t remove, const char *text,
                      size_t len);
void sf_composer_split(struct sf_composer *c); /* what follows is a step of its own */
bool sf_composer_undo(struct sf_composer *c);
bool sf_composer_redo(struct sf_composer *c);
void sf_composer_trim(struct sf_composer *c); /* to what may be held */
void sf_composer_forget_steps(struct sf_composer *c);

/* ---- composer_chip.c ---- */

/* The chip has no reference yet: hold its mark, put it where it belongs, let go of it. */
void sf_composer_add_chip(struct sf_composer *c, const char *text, size_t len,
                          char mark[SF_MARK_LEN]);
void sf_composer_hold(struct sf_composer *c, const char *text, size_t len);
void sf_composer_let_go(struct sf_composer *c, const char *text, size_t len);
const struct sf_chip *sf_composer_chip(const struct sf_composer *c, const char *mark);
void sf_composer_chip_label(const struct sf_chip *chip, char label[SF_CHIP_LABEL]);
size_t sf_composer_unfolds(const struct sf_composer *c, const char *text, size_t len);
void sf_composer_add_unfolded(const struct sf_composer *c, const char *text, size_t len,
                              struct sf_strbuf *out);
bool sf_composer_is_large(const char *text, size_t len);

/* ---- composer_move.c ---- */

enum sf_letter { SF_LETTER_SPACE, SF_LETTER_PUNCT, SF_LETTER_WORD, SF_LETTER_CHIP };

size_t sf_composer_next(const struct sf_composer *c, size_t at); /* the cluster's end */
size_t sf_composer_prev(const struct sf_composer *c, size_t at);
size_t sf_composer_snap(const struct sf_composer *c, size_t at); /* forward to a boundary */
enum sf_letter sf_composer_letter(const struct sf_composer *c, size_t at);
size_t sf_composer_line_start(const struct sf_composer *c, size_t at);
size_t sf_composer_line_end(const struct sf_composer *c, size_t at);
size_t sf_composer_word_left(const struct sf_composer *c, size_t at);
size_t sf_composer_word_right(const struct sf_composer *c, size_t at);
size_t sf_composer_blank_left(const struct sf_composer *c, size_t at); /* to white space */
bool sf_composer_go(struct sf_composer *c, size_t at);
bool sf_composer_go_rows(struct sf_composer *c, int by);

/* ---- composer_kill.c ---- */

/* Takes the bytes away and keeps them; kills in a row become one. */
bool sf_composer_kill(struct sf_composer *c, size_t from, size_t to);
void sf_composer_keep(struct sf_composer *c, const char *text, size_t len, bool lines);
bool sf_composer_yank(struct sf_composer *c);
bool sf_composer_yank_pop(struct sf_composer *c);
void sf_composer_drop_kill(struct sf_composer *c); /* the oldest */

/* ---- composer_rows.c ---- */

void sf_composer_lay(struct sf_composer *c, int cols);
void sf_composer_lay_edit(struct sf_composer *c, size_t at, size_t removed, size_t inserted);
size_t sf_composer_row_of(const struct sf_composer *c, size_t at);
int sf_composer_col_of(const struct sf_composer *c, size_t row, size_t at);
size_t sf_composer_at_col(const struct sf_composer *c, size_t row, int col);
/* Columns of the cluster from `at` to `next` when it begins in column `col`. */
int sf_composer_width(const struct sf_composer *c, size_t at, size_t next, int col);

/* ---- vim.c ---- */

/* What is typed while inserting, so that it can be done again; NULL: something else was done. */
void sf_vim_note(struct sf_composer *c, const char *text, size_t len);
void sf_vim_note_erased(struct sf_composer *c);
bool sf_vim_inserts(const struct sf_composer *c);
bool sf_vim_commands(const struct sf_composer *c); /* keys are commands */
void sf_vim_settle(struct sf_composer *c);         /* then the cursor is on a character */
bool sf_vim_selection(const struct sf_composer *c, size_t *from, size_t *to);
void sf_vim_release(struct sf_composer *c);

#endif
