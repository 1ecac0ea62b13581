/*
 * pty_case: somebody sits at the desk: the real sf on a pty, in a scratch world of its own, with the
 * offline operator or a scripted model behind it.
 *
 * Life: fixtures, sitting_serve (or not), sitting_begin, keys by vt_type, sitting_leave. Beginning
 * again in the same world resumes nothing by itself: give "-c".
 */
#ifndef SF_TESTS_SUPPORT_PTY_CASE_H
#define SF_TESTS_SUPPORT_PTY_CASE_H

#include "support/model_server.h"
#include "support/program.h"
#include "support/vt.h"

struct sitting {
    struct world *world;
    struct model_server *server; /* NULL: the offline operator answers */
    struct vt *vt;               /* NULL: not begun */
    int rows, cols;              /* of the next beginning */
    struct sf_strbuf screen;     /* for the test's own use: it goes with the sitting */
};

int sitting_setup(void **state); /* cmocka fixtures: *state is a struct sitting */
int sitting_teardown(void **state);

void sitting_serve(struct sitting *s, const char *scenario);
void sitting_large_window(struct sitting *s); /* its model holds megabytes */

/* Starts sf with the words (NULL: none) and waits until it is drawn and quiet. */
struct vt *sitting_begin(struct sitting *s, const char *words);

/* Another program, with sf in the PATH as `sf`; nothing is waited for. */
struct vt *sitting_run(struct sitting *s, const char *const *argv);

int sitting_leave(struct sitting *s); /* Ctrl+C until it goes; the status, as of waitpid */

/* Until a card has been on the screen for so long (1 to 59 s) that it takes keys. */
void sitting_wait_card(struct vt *vt, int seconds);

/* Until sf asks whether the workspace is trusted; answers that it is not, for now. */
void sitting_distrust(struct sitting *s);

/* Types, then waits for the text. */
void sitting_type(struct sitting *s, const char *keys, const char *then);

bool sitting_sees(struct sitting *s, const char *text); /* right now */

/* Until the screen is as vt_dump told it. */
void sitting_wait_screen(struct sitting *s, const struct sf_strbuf *dump);

/* The body of request `i` (from 0), once it has come; borrowed. */
const char *sitting_request(struct sitting *s, size_t i, size_t *len);

/* Until a draft with the words is written down, which is a moment after the last key. */
void sitting_wait_draft(struct sitting *s, const char *words);

/* A file in the workspace. */
void sitting_file(struct sitting *s, const char *name, const char *text);

/* Fails the test unless every mode of the terminal is as it was before. */
void sitting_expect_restored(struct vt *vt, const char *name);

#endif
