/*
 * transcript: the conversation as it is read. Items are added at the end; what is on screen is
 * known by its top line, as an item and a line of it, and only items near it are laid out: so
 * scrolling costs the same in a conversation of ten lines and of a hundred thousand.
 *
 * While the end is in view it stays in view; scrolled away, the view holds still whatever comes.
 * Life: sf_transcript_new, add and draw, sf_transcript_free. Texts are copied.
 */
#ifndef SF_VIEW_TRANSCRIPT_H
#define SF_VIEW_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "view/frame.h"

enum {
    SF_TOOL_CALL_OUTPUT_MAX =
        256 * 1024, /* bytes of a call's output kept for reading; the last ones */
};

#define SF_STEP_CURRENT "▸" /* the mark of a step that is being done */

struct sf_transcript;

struct sf_transcript *sf_transcript_new(void);
void sf_transcript_free(struct sf_transcript *t); /* NULL is welcome */
void sf_transcript_clear(struct sf_transcript *t);

/* ---- what is said ---- */

enum sf_item_kind {
    SF_ITEM_USER,      /* plain text */
    SF_ITEM_ANSWER,    /* Markdown; further text joins it while it is the last one */
    SF_ITEM_PLAIN,     /* an answer that is no Markdown, every space kept */
    SF_ITEM_REASONING, /* folded to a line */
    SF_ITEM_CALL,
    SF_ITEM_NOTE,    /* sf's own words, dim */
    SF_ITEM_STEPS,   /* a plan, each line a mark, a blank and what is to be done */
    SF_ITEM_ERROR,   /* what went wrong, and what to do */
    SF_ITEM_PAGE,    /* Markdown that belongs to no speaker: the welcome, a report */
    SF_ITEM_EARLIER, /* in front of all: that there is more before it */
};

/*
 * Appends to the last item where that is of the same kind and grows, else adds one; while an answer
 * grows, in front of it.
 */
void sf_transcript_add(struct sf_transcript *t, enum sf_item_kind kind, const char *text,
                       size_t len, int64_t wall_ms);

/*
 * Puts what was said earlier in front, in place of an SF_ITEM_EARLIER, and leaves `older` empty. The
 * view stays where it is. Returns how often what is looked for occurs in it.
 */
size_t sf_transcript_prepend(struct sf_transcript *t, struct sf_transcript *older);

/* The next text begins an item of its own. */
void sf_transcript_seal(struct sf_transcript *t);

/* Takes the text of the answer that was not sealed back: it turned out void. */
void sf_transcript_drop_open(struct sf_transcript *t);

/* Removes the last item if it is a note of exactly this text. False: it is something else. */
bool sf_transcript_drop_note(struct sf_transcript *t, const char *text);

enum sf_item_call_state {
    SF_ITEM_CALL_PREPARES,
    SF_ITEM_CALL_ASKS,
    SF_ITEM_CALL_RUNS,
    SF_ITEM_CALL_DONE,
    SF_ITEM_CALL_FAILED,
    SF_ITEM_CALL_REFUSED,
};

/* What is NULL stays as it was. */
struct sf_call_view {
    const char *id;
    enum sf_item_call_state state;
    const char *verb, *what; /* "Read" "src/a.c" */
    const char *note;        /* at the right: "212 lines" */
    const char *diff;
    size_t diff_len;
    const char *output; /* instead of what was there */
    size_t output_len;
    int depth;          /* of sub-agents; of a new one */
    bool begins;        /* a new one, whatever its id: services number them again */
    bool open;          /* of a new one: unfolded, since the user wants to see it */
    int64_t started_ms; /* monotonic; 0: as it was */
    bool timed;         /* it is over, and how long it took is known */
    int64_t took_ms;
};

void sf_transcript_call(struct sf_transcript *t, const struct sf_call_view *view);

bool sf_transcript_call_refused(const struct sf_transcript *t, const char *id);

/* What the call is about, as it was told; NULL: there is no such call. */
const char *sf_transcript_call_what(const struct sf_transcript *t, const char *id);

/* Live output of a running call, raw bytes. */
void sf_transcript_output(struct sf_transcript *t, const char *id, const char *text, size_t len);

size_t sf_transcript_count(const struct sf_transcript *t);
bool sf_transcript_runs(const struct sf_transcript *t); /* a call runs: a clock is shown */

/* The last answer as it was written; false: there is none. */
bool sf_transcript_answer(const struct sf_transcript *t, struct sf_strbuf *out);

/* ---- on screen ---- */

struct sf_transcript_now {
    int64_t mono_ms;
    int spin;   /* which picture of the spinner; -1: a still one */
    bool times; /* show when things were said */
};

void sf_transcript_draw(struct sf_transcript *t, struct sf_area area,
                        const struct sf_transcript_now *now);

void sf_transcript_scroll(struct sf_transcript *t, int lines); /* down is positive */
void sf_transcript_page(struct sf_transcript *t, int pages);
void sf_transcript_top(struct sf_transcript *t);
void sf_transcript_bottom(struct sf_transcript *t);
bool sf_transcript_at_end(const struct sf_transcript *t);
size_t sf_transcript_above(const struct sf_transcript *t); /* items above what was drawn last */

/* Folds or unfolds all; or the one that is drawn in this row of the area, if it can be. */
void sf_transcript_unfold(struct sf_transcript *t, bool on);
bool sf_transcript_unfolded(const struct sf_transcript *t);
bool sf_transcript_toggle_at(struct sf_transcript *t, int row);

/* ---- printing, where what was shown stays for ever ---- */

/* The first item from `from` on that may still change, or their count. */
size_t sf_transcript_settled(const struct sf_transcript *t, size_t from);

/* Lines of the items from `from` on and before `to`, laid out to so many columns. */
size_t sf_transcript_lines(struct sf_transcript *t, size_t from, size_t to, int cols);

/* Draws those lines from number `skip` on, as many as the area has rows. */
void sf_transcript_print(struct sf_transcript *t, size_t from, size_t skip, struct sf_area area,
                         const struct sf_transcript_now *now);

/* Gives the layout of the items before `to` back: they are not drawn again soon. */
void sf_transcript_put_away(struct sf_transcript *t, size_t to);

/* ---- selecting and finding ---- */

/* Rows and columns of the area as it was drawn last. */
void sf_transcript_select(struct sf_transcript *t, int row, int col);
void sf_transcript_extend(struct sf_transcript *t, int row, int col);
void sf_transcript_unselect(struct sf_transcript *t);
bool sf_transcript_copy(const struct sf_transcript *t, struct sf_strbuf *out); /* false: nothing */

/* Marks what fits, without regard to case; "" ends it. Returns how often it occurs. */
size_t sf_transcript_find(struct sf_transcript *t, const char *words);
/* To the next or, with -1, the one before; its number from 1, or 0. */
size_t sf_transcript_find_next(struct sf_transcript *t, int direction);

#endif
