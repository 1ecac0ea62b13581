/*
 * modes: what the terminal is asked to be while the screen is shown, and the way back from it,
 * whatever happens: the tty's flags, the sequences that are pushed and popped, and the rescue
 * that runs at exit, on abort, on a fatal signal and when memory runs out.
 *
 * There is one terminal, so the state is the file's own. Internal to the room.
 */
#ifndef SF_TERM_MODES_H
#define SF_TERM_MODES_H

#include "term/probe.h"

/*
 * Remembers the tty's flags and arms the rescue. A tty that is found raw was left so by a program
 * that was killed: what is remembered then is an ordinary one.
 */
bool sf_modes_open(enum sf_proctree family, struct sf_error *err) SF_MUST_CHECK;
void sf_modes_close(void); /* cooked again, and disarmed */

void sf_modes_raw(void);
void sf_modes_cooked(void);

/*
 * The sequences, to be written on the alternate screen: first what undoes the leavings of a
 * program that was killed. From the first of these calls to the second the rescue writes too.
 */
void sf_modes_add_push(struct sf_strbuf *out, bool mouse);
void sf_modes_add_pop(struct sf_strbuf *out);

/* The same on the screen that is the shell's too: nothing of its own is undone. */
void sf_modes_add_push_shared(struct sf_strbuf *out);

void sf_modes_add_mouse(struct sf_strbuf *out, bool on);

#endif
