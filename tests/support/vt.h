/*
 * vt: a terminal to test in: a program on a real pty, and an emulator that shows what it draws and
 * answers what it asks. Everything waits for something to happen, never for time to pass; what
 * does not happen within two minutes fails the test and shows the screen.
 *
 * Life: vt_open, vt_type, vt_wait_text …, vt_close. Keep it in a fixture: a failed assertion must
 * not leave the program running.
 */
#ifndef SF_TESTS_SUPPORT_VT_H
#define SF_TESTS_SUPPORT_VT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"

struct vt;

enum { VT_PATIENCE_MS = 120000 };

/* `env` is all of the program's environment; `dir` (NULL: here) is where it runs. */
struct vt *vt_open(const char *const *argv, const char *const *env, const char *dir, int rows,
                   int cols);
struct vt *vt_new(int rows, int cols); /* only the emulator: see vt_feed */
void vt_close(struct vt *vt);          /* ends the program; NULL is welcome */

/* What the terminal can do beyond the emulator's own; right after vt_open. It begins with `sync`. */
struct vt_talents {
    bool kitty;
    bool sync;           /* a frame of the program's is looked at when it is whole, not before */
    const char *version; /* borrowed; NULL: it does not say */
};
void vt_set_talents(struct vt *vt, struct vt_talents talents);

/* ---- the user's side ---- */

void vt_type(struct vt *vt, const char *keys);
void vt_send(struct vt *vt, const void *bytes, size_t len);
void vt_resize(struct vt *vt, int rows, int cols);          /* the program is told by the kernel */
void vt_feed(struct vt *vt, const char *bytes, size_t len); /* as if a program had written it */
void vt_hang_up(struct vt *vt); /* the terminal is closed under the program */
void vt_signal(struct vt *vt, int signo);
pid_t vt_pid(const struct vt *vt);

/* ---- waiting ---- */

typedef bool vt_test_fn(struct vt *vt, const void *ctx);
void vt_wait(struct vt *vt, vt_test_fn *test, const void *ctx, const char *what);
/* The same for what is not on the screen: it is looked for again and again. */
void vt_wait_until(struct vt *vt, vt_test_fn *test, const void *ctx, const char *what);
void vt_wait_text(struct vt *vt, const char *needle);
void vt_wait_no_text(struct vt *vt, const char *needle);

/*
 * Until the program has read all that was typed, every thread of it sleeps, and a second look
 * finds that none has woken in between and nothing was written. Its children do not count. What was
 * read need not be painted yet: frames lie some milliseconds apart. For that, wait for the text.
 */
void vt_wait_quiet(struct vt *vt);
/* Until it is quiet, and stays so for longer than frames lie apart: what was typed is painted. */
void vt_wait_still(struct vt *vt);
int vt_wait_exit(struct vt *vt); /* the status, as of waitpid */

/* Takes in what the program writes within the time; false: nothing. */
bool vt_look(struct vt *vt, int wait_ms);

/* How often any thread of the program went to sleep or lost the processor so far. */
uint64_t vt_switches(const struct vt *vt);
void vt_pump(struct vt *vt, int wait_ms); /* what the program writes within the time, at most */

/* ---- what is seen ---- */

#define VT_DEFAULT  (-1)
#define VT_INDEX(n) (0x1000000 + (n)) /* of the palette; else 0xrrggbb */

enum { VT_BOLD = 1, VT_ITALIC = 2, VT_UNDERLINE = 4, VT_REVERSE = 8 }; /* faint is not seen */

struct vt_cell {
    char text[32]; /* empty: never written; or the right half */
    int32_t fg, bg;
    unsigned attrs;
};

struct vt_modes {
    bool alternate, cursor, paste, focus, sync, mouse, mouse_sgr;
    int kitty;      /* entries on the stack of the screen in sight */
    int other_keys; /* level of modifyOtherKeys */
    int bottom;     /* margin; 0: the last row */
    unsigned bells;
    char title[256];
};

char *vt_text(struct vt *vt);         /* all rows, without trailing blanks; owned */
char *vt_row(struct vt *vt, int row); /* owned */
struct vt_cell vt_cell(struct vt *vt, int row, int col);
void vt_size(const struct vt *vt, int *rows, int *cols);
void vt_cursor(struct vt *vt, int *row, int *col);
const struct vt_modes *vt_modes(const struct vt *vt);
bool vt_is_cooked(const struct vt *vt); /* the tty echoes, edits lines and raises signals */

/* The bytes the program wrote since the last call; borrowed until anything else is called. */
const struct sf_strbuf *vt_take(struct vt *vt);

/* ---- golden screens ---- */

/* The text, then what stands out in each row, the cursor and the title. */
void vt_dump(struct vt *vt, struct sf_strbuf *out);

/* Holds the screen against tests/golden/NAME.COLSxROWS.txt; SF_GOLDEN_UPDATE=1 writes it. */
void vt_golden(struct vt *vt, const char *name);

/*
 * What differs from run to run: an extended regular expression, matched within a row, and what is
 * shown instead, right-aligned in as many columns. ASCII alone, as bytes are columns here.
 */
struct vt_mask {
    const char *pattern, *shown;
};

/* The same once the screen gets there; `masks` end with an empty one. */
void vt_wait_golden(struct vt *vt, const char *name, const struct vt_mask *masks);

#endif
