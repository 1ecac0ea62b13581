/*
 * inline: a block of lines at the end of the terminal's ordinary screen. What is printed above it
 * stays and scrolls away into the terminal's own scrollback; the block alone is drawn again. The
 * cursor's place is known only relative to the block's first row, and that is all it needs; where
 * the terminal rewraps lines when it gets narrower, the rows up to there are counted so. Such a
 * terminal scrolls when it gets narrower; so that this never takes rows of the block along, the
 * rows the broken lines took stay blank above it until something is printed there.
 * Internal to the room.
 */
#ifndef SF_TERM_INLINE_H
#define SF_TERM_INLINE_H

#include "term/probe.h"

struct sf_inline {
    struct sf_theme theme;
    enum sf_colours colours;
    bool utf8;
    struct sf_frame shown;  /* the block as it was drawn last */
    bool there, stale;      /* it is on the screen; it is to be sent again in any case */
    bool rewraps;           /* the terminal rewraps lines when it gets narrower */
    int cols;               /* of the terminal, as it is now */
    int pad;                /* blank rows above the block that are its own */
    int printed;            /* rows of `above` */
    struct sf_strbuf above; /* what is to be printed, encoded */
};

void sf_inline_init(struct sf_inline *in, enum sf_colours colours, bool utf8);
void sf_inline_release(struct sf_inline *in);

void sf_inline_print(struct sf_inline *in, const struct sf_frame *lines); /* with the next block */

/* The rows of the frame from `first` on; nothing is added when nothing changed. */
void sf_inline_add_block(struct sf_inline *in, const struct sf_frame *frame, int first,
                         struct sf_strbuf *out);

void sf_inline_forget(struct sf_inline *in); /* how it looks: all of it is sent again */

/* Takes the block away, what is still to be printed stays; the cursor is where it began. */
void sf_inline_add_leave(struct sf_inline *in, struct sf_strbuf *out);

#endif
