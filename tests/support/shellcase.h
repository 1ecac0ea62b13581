/*
 * shellcase: a workspace with a toolbox on a loop, for tests of commands. Calls are made as a
 * session makes them, several at once if need be, with their live output kept. Nothing is
 * judged: that is the guard's, and tested there.
 */
#ifndef SF_TESTS_SUPPORT_SHELLCASE_H
#define SF_TESTS_SUPPORT_SHELLCASE_H

#include "tools/tools.h"

struct shell_call {
    struct sf_tool_call *call; /* NULL: it was refused, and `refusal` says why */
    char *refusal;
    int done;              /* how often it came back */
    struct sf_strbuf live; /* what came before that */
    struct shell_call *next;
};

struct shellcase {
    char *top;       /* scratch; holds all */
    char *dir;       /* TOP/work, the workspace */
    char *spill;     /* TOP/spill */
    char marker[32]; /* a number no other process has among its arguments */
    struct sf_place_root root;
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_toolbox *box;
    bool endless;             /* calls begun from now on run to their end */
    struct shell_call *calls; /* all of them, newest first; freed with the case */
};

/* cmocka fixtures: *state is a struct shellcase, and this process is in its workspace. */
int shellcase_setup(void **state);
int shellcase_teardown(void **state);

#define WITH_SHELL(fn) cmocka_unit_test_setup_teardown(fn, shellcase_setup, shellcase_teardown)

/* Ends the toolbox, and opens one whose commands are given this environment. */
void shell_reopen(struct shellcase *c, const char *const *env);

/* Begins the call; the arguments are JSON. */
struct shell_call *shell_start(struct shellcase *c, const char *tool, const char *args);

/* Begins a command; `more` is further members of the arguments (", \"timeout\": 5") or "". */
struct shell_call *shell_begin(struct shellcase *c, const char *command, const char *more);

/* Turns the loop until the call is back; the text is borrowed from it. */
const char *shell_wait(struct shellcase *c, struct shell_call *call);

/* Turns the loop until the call's live output has the text in it. */
void shell_until(struct shellcase *c, struct shell_call *call, const char *text);

/* Runs the command to its end; the text is borrowed from the newest call. */
const char *shell_run(struct shellcase *c, const char *command);
int shell_code(const struct shellcase *c); /* of the newest call */

/* The same for the tools that take a job's number. */
const char *shell_job(struct shellcase *c, const char *tool, int id, int wait_ms);

void shell_fifo(struct shellcase *c, const char *name);    /* makes one in the workspace */
void shell_release(struct shellcase *c, const char *name); /* a line for the one who reads it */

#endif
