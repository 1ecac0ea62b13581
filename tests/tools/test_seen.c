/*
 * Files seen: what counts as seen, whole, changed and shown already.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "tools/seen.h"

static const unsigned char one[32] = { 1 }, two[32] = { 2 };

static int setup(void **state)
{
    *state = sf_seen_new();
    return 0;
}

static int teardown(void **state)
{
    sf_seen_free(*state);
    return 0;
}

static void put(struct sf_seen_files *files, const char *path, const unsigned char *digest,
                bool whole)
{
    char copy[64];
    struct sf_file_seen seen = { .path = copy, .size = 5, .mtime_ns = 7, .whole = whole };

    snprintf(copy, sizeof(copy), "%s", path);
    memcpy(seen.digest, digest, sizeof(seen.digest));
    sf_seen_put(files, &seen);
}

static void test_states(void **state)
{
    struct sf_seen_files *files = *state;

    assert_int_equal(sf_seen_state(files, "a", one), SF_SEEN_NEVER);
    put(files, "a", one, false);
    assert_int_equal(sf_seen_state(files, "a", one), SF_SEEN_PART);
    assert_int_equal(sf_seen_state(files, "a", two), SF_SEEN_STALE);
    assert_int_equal(sf_seen_state(files, "b", one), SF_SEEN_NEVER);
    put(files, "a", one, true);
    assert_int_equal(sf_seen_state(files, "a", one), SF_SEEN_WHOLE);
    sf_seen_drop(files, "a");
    sf_seen_drop(files, "never there");
    assert_int_equal(sf_seen_state(files, "a", one), SF_SEEN_NEVER);
}

static void test_whole_stays_with_the_bytes(void **state)
{
    struct sf_seen_files *files = *state;

    put(files, "a", one, true);
    put(files, "a", one, false);
    assert_int_equal(sf_seen_state(files, "a", one), SF_SEEN_WHOLE);
    put(files, "a", two, false);
    assert_int_equal(sf_seen_state(files, "a", two), SF_SEEN_PART);
    put(files, "a", one, true);
    sf_seen_drop(files, "a");
    put(files, "a", one, false);
    assert_int_equal(sf_seen_state(files, "a", one), SF_SEEN_PART);
}

static void test_pieces_make_a_whole(void **state)
{
    struct sf_seen_files *files = *state;

    put(files, "a", one, false);
    assert_false(sf_seen_shown(files, "a", (struct sf_seen_lines){ 1, 10, 30 }));
    assert_false(sf_seen_shown(files, "a", (struct sf_seen_lines){ 21, 30, 30 })); /* a gap */
    assert_false(sf_seen_shown(files, "a", (struct sf_seen_lines){ 5, 20, 30 }));
    assert_true(sf_seen_shown(files, "a", (struct sf_seen_lines){ 21, 30, 30 }));
    assert_int_equal(sf_seen_state(files, "a", one), SF_SEEN_WHOLE);
    assert_false(sf_seen_shown(files, "unknown", (struct sf_seen_lines){ 1, 9, 9 }));
}

static void test_new_bytes_begin_anew(void **state)
{
    struct sf_seen_files *files = *state;

    put(files, "a", one, false);
    assert_false(sf_seen_shown(files, "a", (struct sf_seen_lines){ 1, 20, 30 }));
    put(files, "a", two, false);
    assert_false(sf_seen_shown(files, "a", (struct sf_seen_lines){ 21, 30, 30 }));
}

static void test_requests(void **state)
{
    const struct sf_seen_request all = { 1, 2000 }, part = { 5, 10 };
    struct sf_seen_files *files = *state;

    assert_false(sf_seen_repeated(files, "a", one, all));
    put(files, "a", one, false);
    sf_seen_requested(files, "a", all);
    assert_false(sf_seen_repeated(files, "a", one, part));
    assert_false(sf_seen_repeated(files, "a", two, all));
    assert_true(sf_seen_repeated(files, "a", one, all));
    assert_false(sf_seen_repeated(files, "a", one, all)); /* the third one is shown again */
    sf_seen_requested(files, "a", all);
    sf_seen_forget_requests(files);
    assert_false(sf_seen_repeated(files, "a", one, all));
    sf_seen_requested(files, "a", all);
    put(files, "a", two, true); /* edited */
    assert_false(sf_seen_repeated(files, "a", two, all));
}

static void test_the_ceiling_forgets(void **state)
{
    struct sf_seen_files *files = *state;
    char name[32];

    for (int i = 0; i <= SF_SEEN_MAX; i++) {
        snprintf(name, sizeof(name), "f%d", i);
        put(files, name, one, true);
    }
    assert_int_equal(sf_seen_state(files, "f0", one), SF_SEEN_NEVER);
    assert_int_equal(sf_seen_state(files, name, one), SF_SEEN_WHOLE);
}

static void *hammer(void *ctx)
{
    char name[32];

    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof(name), "f%d", i % 50);
        put(ctx, name, i % 2 ? one : two, i % 3 == 0);
        sf_seen_requested(ctx, name, (struct sf_seen_request){ 1, i });
        sf_seen_repeated(ctx, name, one, (struct sf_seen_request){ 1, i });
        if (i % 7 == 0)
            sf_seen_drop(ctx, name);
    }
    return NULL;
}

static void test_from_several_threads(void **state)
{
    pthread_t threads[4];

    for (size_t i = 0; i < SF_COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, *state), 0);
    for (size_t i = 0; i < SF_COUNT(threads); i++)
        pthread_join(threads[i], NULL);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_states),
        CASE(test_whole_stays_with_the_bytes),
        CASE(test_pieces_make_a_whole),
        CASE(test_new_bytes_begin_anew),
        CASE(test_requests),
        CASE(test_the_ceiling_forgets),
        CASE(test_from_several_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
