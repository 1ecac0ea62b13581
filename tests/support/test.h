/*
 * test: what every test file includes: cmocka with the headers it needs, and directories that
 * clean up after themselves.
 */
#ifndef SF_TESTS_SUPPORT_TEST_H
#define SF_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Leaves the test; the summary of `./dev test` names it with the reason. */
#define test_not_run(why)                    \
    do {                                     \
        print_message("not run: %s\n", why); \
        skip();                              \
    } while (0)

/* A fresh private directory; the path is owned by the caller. */
char *test_dir_new(void);

/* Removes the directory with everything in it and frees the path; NULL is welcome. */
void test_dir_free(char *dir);

/* cmocka fixtures: *state is such a directory. */
int test_dir_setup(void **state);
int test_dir_teardown(void **state);

/* DIR/NAME, owned by the caller. */
char *test_path(const char *dir, const char *name);

/* Writes the file (its directory must exist) or fails the test. */
void test_write(const char *path, const void *data, size_t len);

/* The whole file, NUL-terminated, owned by the caller; fails the test when unreadable. */
char *test_read(const char *path, size_t *len);

#endif
