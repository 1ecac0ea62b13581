/*
 * child: what tests of running commands share: a scratch directory, results that clean up after
 * themselves, and a way to find processes that should be gone.
 */
#ifndef SF_TESTS_SUPPORT_CHILD_H
#define SF_TESTS_SUPPORT_CHILD_H

#include "io/io.h"

#define CHILD_CAP 65536

struct child_fixture {
    char *dir;
    char marker[32]; /* a number no other process has among its arguments */
    struct sf_child_result result;
    bool has_result;
};

/* cmocka fixtures: *state is a struct child_fixture. */
int child_setup(void **state);
int child_teardown(void **state);

/* Runs the command to its end or fails the test; the result lives until the next run. */
const struct sf_child_result *child_run(struct child_fixture *f, const struct sf_child_spec *spec);

/* The same for a shell script in the scratch directory, with the marker as $1. */
const struct sf_child_result *child_run_script(struct child_fixture *f, struct sf_child_spec spec,
                                               const char *script);

/* Living processes with the marker among their arguments. */
int child_count_marked(const char *marker);

/* Waits until there are none, for ends that nobody reports; false after two minutes. */
bool child_wait_until_gone(const char *marker);

/* Waits for a byte in the FIFO, which nobody has to have opened; false when the child ends first. */
bool child_wait_for_byte(pid_t pid, const char *fifo);

bool child_any_waiting(void); /* a child of this process, running or not yet reaped */
int child_count_fds(void);

/* Runs `fn` in a process of its own; its exit code, or 128 when it was killed. */
int child_in_process(int (*fn)(int arg), int arg);

#endif
