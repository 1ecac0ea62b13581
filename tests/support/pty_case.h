/*
 * pty_case: somebody sits at the terminal: the real sf on a pty, in a sandbox of its own, with the
 * offline operator or a scripted model behind it.
 *
 * Life: fixtures, pty_case_serve (or not), pty_case_begin, keys by vt_type, pty_case_leave. Beginning
 * again in the same sandbox resumes nothing by itself: give "-c".
 */
#ifndef SF_TESTS_SUPPORT_PTY_CASE_H
#define SF_TESTS_SUPPORT_PTY_CASE_H

#include "support/model_server.h"
#include "support/program.h"
#include "support/vt.h"

struct pty_case {
    struct sandbox *sandbox;
    struct model_server *server; /* NULL: the offline operator answers */
    struct vt *vt;               /* NULL: not begun */
    int rows, cols;              /* of the next beginning */
    struct sf_strbuf screen;     /* for the test's own use: it goes with the case */
};

int pty_case_setup(void **state); /* cmocka fixtures: *state is a struct pty_case */
int pty_case_teardown(void **state);

void pty_case_serve(struct pty_case *s, const char *scenario);
void pty_case_large_window(struct pty_case *s); /* its model holds megabytes */

/* Starts sf with the words (NULL: none) and waits until it is drawn and quiet. */
struct vt *pty_case_begin(struct pty_case *s, const char *words);

/* Another program, with sf in the PATH as `sf`; nothing is waited for. */
struct vt *pty_case_run(struct pty_case *s, const char *const *argv);

int pty_case_leave(struct pty_case *s); /* Ctrl+C until it goes; the status, as of waitpid */

/* Until a card has been on the screen for so long (1 to 59 s) that it takes keys. */
void pty_case_wait_card(struct vt *vt, int seconds);

/* Until sf asks whether the workspace is trusted; answers that it is not, for now. */
void pty_case_distrust(struct pty_case *s);

/* Types, then waits for the text. */
void pty_case_type(struct pty_case *s, const char *keys, const char *then);

bool pty_case_sees(struct pty_case *s, const char *text); /* right now */

/* Fails the test if the text is there when all that was typed is painted. */
void pty_case_lacks(struct pty_case *s, const char *text);

/* Until the screen is as vt_dump told it. */
void pty_case_wait_screen(struct pty_case *s, const struct sf_strbuf *dump);

/* The body of request `i` (from 0), once it has come; borrowed. */
const char *pty_case_request(struct pty_case *s, size_t i, size_t *len);

/* Until a draft with the words is written down, which is a moment after the last key. */
void pty_case_wait_draft(struct pty_case *s, const char *words);

/* A file in the workspace. */
void pty_case_file(struct pty_case *s, const char *name, const char *text);

/* Fails the test unless every mode of the terminal is as it was before. */
void pty_case_expect_restored(struct vt *vt, const char *name);

#endif
