/*
 * toolcase: a workspace with a toolbox on a loop, for tests of tools. A call is made as a
 * session makes it: arguments read, targets resolved through the workspace's handle, then run
 * to its end on the loop. Nothing is judged: that is the guard's, and tested there.
 */
#ifndef SF_TESTS_SUPPORT_TOOLCASE_H
#define SF_TESTS_SUPPORT_TOOLCASE_H

#include "tools/tools.h"

struct toolcase {
    char *top; /* scratch; holds all */
    char *dir; /* TOP/work, the workspace */
    struct sf_place_root root;
    struct sf_path_places places;
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_toolbox *box;
    const char *stand;         /* where relative paths begin, below the workspace */
    struct sf_tool_call *call; /* the last one, until the next */
    char *refused;             /* why it was not even started; or NULL */
    int done;                  /* how often `done` came for it */
};

/* cmocka fixtures: *state is a struct toolcase. */
int toolcase_setup(void **state);
int toolcase_teardown(void **state);

#define WITH_TOOLS(fn) cmocka_unit_test_setup_teardown(fn, toolcase_setup, toolcase_teardown)

/* Calls are made from this directory of the workspace from here on; nothing was seen yet. */
void tool_stand(struct toolcase *t, const char *dir);

/* Files of the workspace; directories are made. */
void tool_put(struct toolcase *t, const char *name, const void *data, size_t len);
void tool_puts(struct toolcase *t, const char *name, const char *text);
char *tool_get(struct toolcase *t, const char *name, size_t *len); /* owned; NULL: not there */

/* Fails the test unless the file holds exactly these bytes; NULL: it must not be there. */
void tool_expect_file(struct toolcase *t, const char *name, const char *want, size_t len);

/*
 * Runs the call to its end; the arguments are JSON in which ' stands for ". The text of the
 * result, or of the refusal, is borrowed until the next call.
 */
const char *tool_run(struct toolcase *t, const char *tool, const char *args);
const char *tool_run_json(struct toolcase *t, const char *tool, const char *args, size_t len);

bool tool_failed(const struct toolcase *t); /* the last call: an error, or refused */

/* The same with a check: part of the text, and whether it is an error. */
void tool_ok(struct toolcase *t, const char *tool, const char *args, const char *has);
void tool_fails(struct toolcase *t, const char *tool, const char *args, const char *has);

/* Prepares and resolves without running: for tests that run it themselves. */
struct sf_tool_call *tool_prepare(struct toolcase *t, const char *tool, const char *args,
                                  size_t len);
void tool_finish(struct toolcase *t); /* runs what was prepared */

#endif
