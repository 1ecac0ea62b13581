/*
 * store_case: what the tests of the store share: opening with a clear failure, raw SQL past the
 * store, stores of older schema numbers, and work in child processes.
 */
#ifndef SF_TESTS_SUPPORT_STORE_CASE_H
#define SF_TESTS_SUPPORT_STORE_CASE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/store.h"

/* Puts scratch directories into memory where TMPDIR says nothing else: syncs are free there. */
void test_use_memory(void);

/* Each fails the test when it does not work. */
struct sf_store *test_store_open(const char *dir, enum sf_store_mode mode);
void test_store_session(struct sf_store *store, char id[SF_ID_LEN + 1]);
struct sf_event_ref test_store_append(struct sf_store *store, const char *session, int number);

/* A store with one session, its id in `session`, and so many events; closed. */
void test_store_fill(const char *dir, int events, char session[SF_ID_LEN + 1]);

/* Number of events of all sessions but "project"; opens for reading and closes. */
int64_t test_store_count(const char *dir);

/* DIR/sf.db by plain SQLite. */
void test_sql_exec(const char *dir, const char *sql);
int64_t test_sql_int(const char *dir, const char *sql);
char *test_sql_text(const char *dir, const char *sql); /* owned */

/* A store as an sf of that schema number left it, with rows in every table it has then. */
void test_store_make_old(const char *dir, int version);

/* Runs `fn` in a child; the child's exit status is what it returns. */
typedef int test_child_fn(void *ctx);
pid_t test_fork(test_child_fn *fn, void *ctx);
int test_wait(pid_t pid); /* exit status, or 128 + signal */

/* In a child: complains and leaves with 1 unless the condition holds. */
#define CHILD_CHECK(cond)   test_child_check((cond), #cond, __FILE__, __LINE__)
#define CHILD_OK(cond, err) test_child_check_error((cond), (err), __FILE__, __LINE__)
void test_child_check(bool ok, const char *text, const char *file, int line);
void test_child_check_error(bool ok, const struct sf_error *err, const char *file, int line);

/* A sum over DIR's sf.db, to see that bytes did not change. */
void test_store_digest(const char *dir, const char *name, char hex[SF_SHA256_HEX + 1]);

/* A store with two sessions, as cmocka fixtures: *state is a struct store_pair. */
struct store_pair {
    char *dir;
    struct sf_store *store;
    char session[SF_ID_LEN + 1], other[SF_ID_LEN + 1];
};
int store_pair_setup(void **state);
int store_pair_teardown(void **state);

#endif
