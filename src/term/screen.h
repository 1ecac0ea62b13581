/*
 * screen: frames into bytes for the terminal. ncurses compares and encodes; it writes into a file
 * in memory, never to the terminal, so that a frame is one write, or none, and nothing of the tty
 * is touched behind our back. The only file that knows ncurses. Internal to the room.
 *
 * What is to be sent is appended to `out`; the caller writes it.
 */
#ifndef SF_TERM_SCREEN_H
#define SF_TERM_SCREEN_H

#include "term/probe.h"

struct sf_screen;

struct sf_screen *sf_screen_open(const struct sf_probe *probe, bool utf8, int rows, int cols,
                                 struct sf_error *err);
void sf_screen_close(struct sf_screen *screen); /* NULL is welcome */

enum sf_colours sf_screen_colours(const struct sf_screen *screen);

void sf_screen_set_theme(struct sf_screen *screen, const struct sf_theme *theme);
void sf_screen_resize(struct sf_screen *screen, int rows, int cols); /* at least 1 of each */
void sf_screen_forget(struct sf_screen *screen); /* what is shown: all of it is sent again */

/* The alternate screen is entered by the first frame, and by the first one after leaving. */
void sf_screen_add_frame(struct sf_screen *screen, const struct sf_frame *frame,
                         struct sf_strbuf *out);
void sf_screen_add_leave(struct sf_screen *screen, struct sf_strbuf *out);

#endif
