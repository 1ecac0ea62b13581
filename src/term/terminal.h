/*
 * terminal: the one terminal of the program: its modes, its size, its screen. ncurses draws;
 * input is read raw and decoded here. Whatever ends the program, the terminal is put back: on
 * close, at exit, on a fatal signal, on abort.
 *
 * Life: sf_terminal_open, draw frames, sf_terminal_close. One at a time, never closed from one of
 * its own callbacks. All of it belongs to the loop's thread. Everything the terminal says arrives
 * through `told`.
 */
#ifndef SF_TERM_TERMINAL_H
#define SF_TERM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "io/io.h"
#include "term/decoder.h"
#include "view/view.h"

struct sf_terminal;

struct sf_terminal_setup {
    struct sf_loop *loop;
    const struct sf_theme *theme; /* copied */
    bool mouse;
    bool low_motion;
    bool shared;                /* the shell's screen: see sf_terminal_paint_block */
    sf_term_event_fn *event;    /* keys, pastes, mouse, focus; replies are the terminal's own */
    void (*resized)(void *ctx); /* ask sf_terminal_size; also after being suspended */
    void (*gone)(void *ctx);    /* the terminal went away, as if by SIGHUP; or NULL */
    void *ctx;
};

/* What is known of the terminal; grows as its replies come in, and `resized` is called then. */
struct sf_terminal_facts {
    enum sf_colours colours;
    bool kitty;      /* keyboard protocol in force */
    bool other_keys; /* modifyOtherKeys is likely: asked for, and not contradicted */
    bool sync;       /* synchronized output */
    bool brackets;   /* pastes are bracketed */
    bool tmux, screen_mux, ssh;
    bool utf8;
    bool rewraps;  /* lines are rewrapped when it gets narrower */
    char name[64]; /* of XTVERSION, or TERM */
};

/*
 * Fails with words for the user when standard input or output is no terminal, or TERM is dumb or
 * unknown. The first frame can be painted at once: nothing waits for a reply.
 */
struct sf_terminal *sf_terminal_open(const struct sf_terminal_setup *setup, struct sf_error *err);
void sf_terminal_close(struct sf_terminal *t); /* NULL is welcome */

void sf_terminal_size(const struct sf_terminal *t, int *rows, int *cols);
const struct sf_terminal_facts *sf_terminal_facts(const struct sf_terminal *t);

/* Shows the frame: writes what differs from the last one, and nothing when nothing does. */
void sf_terminal_paint(struct sf_terminal *t, const struct sf_frame *frame);
/*
 * On the shell's own screen: lines that stay and scroll away, and below them a block of lines that
 * is drawn again, the rows of the frame from `first` on. sf_terminal_paint goes to the alternate
 * screen for as long as it is what is called; the next block comes back from there. The mouse
 * stays the terminal's outside of it.
 */
void sf_terminal_print(struct sf_terminal *t, const struct sf_frame *lines);
void sf_terminal_paint_block(struct sf_terminal *t, const struct sf_frame *frame, int first);

void sf_terminal_repaint(struct sf_terminal *t); /* all of it at the next paint */
void sf_terminal_set_theme(struct sf_terminal *t, const struct sf_theme *theme);
void sf_terminal_set_mouse(struct sf_terminal *t, bool on);

void sf_terminal_title(struct sf_terminal *t, const char *title); /* written when it changed */

enum sf_copied {
    SF_COPIED_SENT,    /* by OSC 52: whether it arrived cannot be known */
    SF_COPIED_PROGRAM, /* taken over by wl-copy or xclip */
    SF_COPIED_NOT,
};
enum sf_copied sf_terminal_copy(struct sf_terminal *t, const char *text, size_t len);

/* Something happened while the user looked elsewhere: OSC 9 where it works, else the bell. */
void sf_terminal_notify(struct sf_terminal *t, const char *text);

/* Ctrl+Z: gives the terminal back and stops; returns when continued. */
void sf_terminal_suspend(struct sf_terminal *t);

/* For a program that takes the terminal over (an editor): between the two nothing is painted. */
void sf_terminal_lend(struct sf_terminal *t);
void sf_terminal_take_back(struct sf_terminal *t);

/*
 * Without a screen: what the terminal says of itself, waited for a moment. False where standard
 * input or output is none, or TERM promises nothing.
 */
bool sf_terminal_ask(struct sf_terminal_facts *facts, struct sf_error *err) SF_MUST_CHECK;

/* Which keys arrive here, and which always do; one line. */
void sf_terminal_keys(const struct sf_terminal_facts *facts, struct sf_strbuf *out);

#endif
