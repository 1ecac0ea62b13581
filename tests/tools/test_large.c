/*
 * test_large.c: the pass over a large file gives the lines asked for, counts the rest, and its sum is
 * that of the whole file, so that a later edit sees whether it is still the same.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/test.h"
#include "tools/large.h"

enum { BYTES_MAX = 1 << 20, PIECE = 256 * 1024 };

static const struct {
    const char *name;
    const char *line; /* repeated, with its ending */
    int count;
    const char *last; /* behind them, without an ending */
    int64_t offset, limit;
    int64_t total, shown;
} rows[] = {
    { "nothing", "", 0, "", 1, 10, 0, 0 },
    { "one line without an end", "", 0, "a", 1, 10, 1, 1 },
    { "one line with an end", "a\n", 1, "", 1, 10, 1, 1 },
    { "a few, from the first", "a\n", 9, "", 1, 3, 9, 3 },
    { "a few, to the last", "a\n", 9, "", 8, 3, 9, 2 },
    { "behind the last", "a\n", 9, "", 10, 3, 9, 0 },
    { "many pieces", "0123456789abcde\n", 100000, "", 99999, 10, 100000, 2 },
    { "pieces that cut lines and endings", "0123456789abcdef\r\n", 100000, "end", 100000, 10,
      100001, 2 },
    { "an ending across pieces", "0123456789abcdefghij\r\n", 50000, "", 1, 1, 50000, 1 },
};

static void make_file(const char *path, size_t row, struct sf_strbuf *text)
{
    for (int i = 0; i < rows[row].count; i++)
        sf_strbuf_adds(text, rows[row].line);
    sf_strbuf_adds(text, rows[row].last);
    test_write(path, text->len ? text->buf : "", text->len);
}

static void check_row(const char *path, size_t row)
{
    const atomic_bool cancelled = false;
    struct sf_large large = { .offset = rows[row].offset, .limit = rows[row].limit };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_numbered out;
    struct sf_error err = SF_ERROR_INIT;
    unsigned char want[SF_SHA256_SIZE];
    struct sf_sha256 hash;
    int fd;

    make_file(path, row, &text);
    sf_sha256_init(&hash);
    sf_sha256_update(&hash, text.len ? text.buf : "", text.len);
    sf_sha256_final(&hash, want);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    sf_numbered_init(&out, BYTES_MAX);
    if (!sf_large_read(&large, fd, "f", &out, &cancelled, &err))
        fail_msg("%s: %s", rows[row].name, err.msg);
    if (large.total != rows[row].total || out.count != rows[row].shown || large.bytes != text.len ||
        !large.complete || large.cut)
        fail_msg("%s: %d lines, %d shown, complete %d", rows[row].name, (int)large.total,
                 (int)out.count, large.complete);
    if (memcmp(large.digest, want, sizeof(want)) != 0)
        fail_msg("%s: the sum is another file's", rows[row].name);
    if (out.text.len && strchr(out.text.buf, '\r'))
        fail_msg("%s: an ending is shown", rows[row].name);
    close(fd);
    sf_numbered_release(&out);
    sf_strbuf_release(&text);
}

static void test_rows(void **state)
{
    char *path = test_path(*state, "f");

    for (size_t i = 0; i < SF_COUNT(rows); i++)
        check_row(path, i);
    free(path);
}

/* A file beyond the bound is read as far as the lines asked for, or to its end, without a sum. */
static void test_beyond(void **state)
{
    static const struct {
        const char *name;
        int64_t size, offset;
        bool complete, counted;
    } sizes[] = {
        { "just as large", SF_LARGE_DIGEST, 1, true, true },
        { "one byte more, its first line", SF_LARGE_DIGEST + 1, 1, false, true },
        { "two pieces more, its first line", SF_LARGE_DIGEST + (int64_t)2 * PIECE, 1, false, true },
    };
    char *path;

    if (!getenv("SF_LONG"))
        test_not_run("it goes through 800 MB; ./dev test --long does");
    path = test_path(*state, "f");
    for (size_t i = 0; i < SF_COUNT(sizes); i++) {
        const atomic_bool cancelled = false;
        struct sf_large large = { .offset = sizes[i].offset, .limit = 1 };
        struct sf_numbered out;
        struct sf_error err = SF_ERROR_INIT;
        int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        assert_int_equal(ftruncate(fd, sizes[i].size), 0);
        sf_numbered_init(&out, BYTES_MAX);
        if (!sf_large_read(&large, fd, "f", &out, &cancelled, &err))
            fail_msg("%s: %s", sizes[i].name, err.msg);
        if (large.complete != sizes[i].complete || (large.total >= 0) != sizes[i].counted)
            fail_msg("%s: complete %d, total %d", sizes[i].name, large.complete, (int)large.total);
        close(fd);
        sf_numbered_release(&out);
    }
    free(path);
}

static void test_cancelled(void **state)
{
    const atomic_bool cancelled = true, not_cancelled = false;
    struct sf_large large = { .offset = 1, .limit = 1 };
    char *path = test_path(*state, "f");
    struct sf_numbered out;
    struct sf_error err = SF_ERROR_INIT;
    int fd;

    test_write(path, "a\n", 2);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    sf_numbered_init(&out, BYTES_MAX);
    assert_false(sf_large_read(&large, fd, "f", &out, &cancelled, &err));
    assert_int_equal(err.code, SF_E_CANCELLED);
    close(fd);
    fd = open(*state, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* reading it fails */
    assert_false(sf_large_read(&large, fd, "f", &out, &not_cancelled, &err));
    assert_non_null(strstr(err.msg, "cannot read f"));
    close(fd);
    sf_numbered_release(&out);
    free(path);
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = { CASE(test_rows), CASE(test_beyond), CASE(test_cancelled) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
