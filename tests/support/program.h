/*
 * program: runs the real sf in a sandbox: a home, settings, state and a workspace of its
 * own, and only those variables the test gives.
 */
#ifndef SF_TESTS_SUPPORT_PROGRAM_H
#define SF_TESTS_SUPPORT_PROGRAM_H

#include <sys/types.h>

#include "base/base.h"

struct sandbox {
    char *dir;       /* everything below goes with it */
    char *config;    /* DIR/config/sf/config.toml, not written yet */
    char *workspace; /* DIR/work, with an empty .sf/ */
    char *project;   /* DIR/work/.sf/config.toml, not written yet */
    char *state;     /* DIR/state, which is SF_HOME */
    struct sf_strlist env;
};

struct outcome {
    int code; /* exit code; -1: ended by a signal or not started */
    char *out, *err;
    size_t out_len, err_len; /* there may be zero bytes in them */
    int64_t max_rss_kib;
};

int sandbox_setup(void **state); /* cmocka fixtures: *state is a struct sandbox */
int sandbox_teardown(void **state);

/* The same where paths are seen: in /tmp/sf.X, of one length always, with a project called demo. */
int sandbox_setup_demo(void **state);

/* Adds NAME=value for all later runs. */
void sandbox_setenv(struct sandbox *w, const char *name, const char *value);

/* Runs sf in the workspace; the words are split at blanks, 'single quotes' keep them. */
struct outcome sandbox_run(struct sandbox *w, const char *words);
struct outcome sandbox_run_program(struct sandbox *w, const char *program, const char *words);
void outcome_release(struct outcome *o);

/* Runs, and fails the test with all output when code or texts (NULL: any) do not fit. */
void sandbox_expect(struct sandbox *w, const char *words, int code, const char *out_has,
                    const char *err_has);

/* Starts it with the words (NULL-terminated), silent and without a terminal; the caller waits. */
pid_t sandbox_start(struct sandbox *w, const char *program, const char *const *words);

#endif
