/*
 * Names of files, and the list of hits behind them: the same page whatever the threads do.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find/find.h"
#include "support/test.h"
#include "support/tree.h"

static void page(const char *dir, struct sf_files_request request, struct sf_files_result *result,
                 struct sf_strbuf *out)
{
    struct sf_error err = SF_ERROR_INIT;

    request.walk.root = tree_open(dir);
    if (!sf_files_find(&request, result, &err))
        fail_msg("%s", err.msg);
    close(request.walk.root);
    sf_strbuf_reset(out);
    for (size_t i = 0; i < result->count; i++)
        sf_strbuf_addf(out, "%s%s", i ? " " : "", result->hits.items[result->first + i].path);
}

static void put_at(const char *dir, const char *name, time_t when)
{
    const struct timespec times[2] = { { .tv_sec = when }, { .tv_sec = when } };
    char *path = test_path(dir, name);

    tree_puts(dir, name, name);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    free(path);
}

static const struct {
    const char *name;
    enum sf_files_order order;
    size_t limit, offset;
    const char *want;
    bool truncated;
} cases[] = {
    { "by path", SF_FILES_BY_PATH, 0, 0, "a-b a/b b/c b/d e", false },
    { "the newest first, equals by path", SF_FILES_NEWEST, 0, 0, "b/d e a/b b/c a-b", false },
    { "two", SF_FILES_BY_PATH, 2, 0, "a-b a/b", true },
    { "the two newest", SF_FILES_NEWEST, 2, 0, "b/d e", true },
    { "exactly all", SF_FILES_NEWEST, 5, 0, "b/d e a/b b/c a-b", false },
    { "the next two", SF_FILES_NEWEST, 2, 2, "a/b b/c", true },
    { "the last", SF_FILES_NEWEST, 2, 4, "a-b", false },
    { "behind the last", SF_FILES_NEWEST, 2, 9, "", false },
};

static void test_pages(void **state)
{
    const char *dir = *state;
    struct sf_strbuf got = SF_STRBUF_INIT;

    put_at(dir, "b/d", 5000);
    put_at(dir, "e", 5000);
    put_at(dir, "a/b", 4000);
    put_at(dir, "b/c", 3000);
    put_at(dir, "a-b", -7);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_files_request request = { .walk = { .threads = 1 + (unsigned)i % 3 },
                                                  .order = cases[i].order,
                                                  .limit = cases[i].limit,
                                                  .offset = cases[i].offset };
        struct sf_files_result result;

        page(dir, request, &result, &got);
        if (strcmp(got.buf, cases[i].want) != 0 || result.truncated != cases[i].truncated ||
            result.total != 5)
            fail_msg("%s: <%s>, %llu in all", cases[i].name, got.buf,
                     (unsigned long long)result.total);
        if (cases[i].order == SF_FILES_NEWEST && result.count)
            assert_true(result.hits.items[0].size > 0);
        sf_files_release(&result);
    }
    sf_strbuf_release(&got);
}

static void test_failure(void **state)
{
    struct sf_files_request request = { .walk = { .start = "none" } };
    struct sf_files_result result;
    struct sf_error err = SF_ERROR_INIT;

    request.walk.root = tree_open(*state);
    assert_false(sf_files_find(&request, &result, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    close(request.walk.root);
}

struct plan {
    char path[24];
    size_t lines, text;
};

/* What a list keeps must be the shortest beginning that is enough, in whatever order hits come. */
static void check_hits(struct plan *plan, size_t count, size_t want_lines, struct tree_random *r)
{
    struct sf_hits hits;
    size_t lines = 0, kept = 0;

    sf_hits_init(&hits, want_lines, SIZE_MAX / 2);
    for (size_t i = count; i > 1; i--) {
        size_t k = tree_pick(r, (unsigned)i);
        struct plan spare = plan[k];

        plan[k] = plan[i - 1];
        plan[i - 1] = spare;
    }
    for (size_t i = 0; i < count; i++)
        if (sf_hits_wants(&hits, 0, plan[i].path))
            sf_hits_add(&hits,
                        (struct sf_hit){ .path = sf_strdup(plan[i].path), .lines = plan[i].lines });
    sf_hits_sort(&hits);
    for (; kept < count && lines < want_lines; kept++)
        for (size_t i = 0; i < count; i++) {
            char name[24];

            snprintf(name, sizeof(name), "%03zu", kept);
            if (!strcmp(plan[i].path, name))
                lines += plan[i].lines;
        }
    assert_int_equal(hits.count, kept);
    for (size_t i = 0; i < kept; i++)
        assert_int_equal(strtoul(hits.items[i].path, NULL, 10), i);
    assert_int_equal(hits.dropped, kept < count);
    sf_hits_release(&hits);
}

static void test_hits_in_any_order(void **state)
{
    struct tree_random r = { 3 };

    (void)state;
    for (int round = 0; round < 500; round++) {
        struct plan plan[60] = { 0 };
        size_t count = 1 + tree_pick(&r, SF_COUNT(plan));

        for (size_t i = 0; i < count; i++) {
            snprintf(plan[i].path, sizeof(plan[i].path), "%03zu", i);
            plan[i].lines = 1 + tree_pick(&r, 5);
        }
        check_hits(plan, count, 1 + tree_pick(&r, 100), &r);
    }
}

static void test_hits_are_bounded_by_bytes(void **state)
{
    struct sf_hits hits;

    (void)state;
    sf_hits_init(&hits, SIZE_MAX / 2, 100000);
    for (int i = 0; i < 1000; i++) {
        struct sf_hit hit = { .lines = 1, .text_len = 5000 };
        char name[16];

        snprintf(name, sizeof(name), "%03d", i * 7 % 1000);
        hit.path = sf_strdup(name);
        hit.text = sf_alloc(5000);
        sf_hits_add(&hits, hit);
        assert_true(hits.bytes < 110000);
    }
    sf_hits_sort(&hits);
    assert_string_equal(hits.items[0].path, "000");
    assert_true(hits.count >= 19 && hits.count <= 20 && hits.dropped);
    sf_hits_release(&hits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pages, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_failure, test_dir_setup, test_dir_teardown),
        cmocka_unit_test(test_hits_in_any_order),
        cmocka_unit_test(test_hits_are_bounded_by_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
