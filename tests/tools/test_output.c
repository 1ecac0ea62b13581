/*
 * Long output: what is shown of it, what lies in the file, and that neither a flood nor a full
 * disk costs more than that.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/test.h"
#include "tools/output.h"

enum { SHOWN = 1000 };

struct fixture {
    char *dir, *spill;
    struct sf_output *output;
    struct sf_strbuf text, whole, file;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->dir = test_dir_new();
    f->spill = test_path(f->dir, "spill");
    f->output = sf_output_new(f->spill, SHOWN);
    sf_strbuf_init(&f->text);
    sf_strbuf_init(&f->whole);
    sf_strbuf_init(&f->file);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_output_free(f->output);
    sf_strbuf_release(&f->file);
    sf_strbuf_release(&f->whole);
    sf_strbuf_release(&f->text);
    test_dir_free(f->dir);
    free(f->spill);
    free(f);
    return 0;
}

static const char *text_of(struct fixture *f)
{
    sf_strbuf_reset(&f->text);
    sf_output_text(f->output, &f->text);
    assert_true(sf_utf8_valid(f->text.buf, f->text.len, NULL));
    return f->text.buf;
}

static const char *news_of(struct fixture *f)
{
    sf_strbuf_reset(&f->text);
    sf_output_news(f->output, &f->text);
    assert_true(sf_utf8_valid(f->text.buf, f->text.len, NULL));
    return f->text.buf;
}

/* The file that the text names for the whole of the output, or NULL. Borrowed from the fixture. */
static const char *file_of(struct fixture *f)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    const char *at;

    sf_output_text(f->output, &text);
    at = strstr(text.buf, f->spill);
    sf_strbuf_reset(&f->file);
    if (at)
        sf_strbuf_add(&f->file, at, strlen(f->spill) + strcspn(at + strlen(f->spill), " ,;:]\n"));
    sf_strbuf_release(&text);
    return at ? f->file.buf : NULL;
}

static void add(struct fixture *f, const char *text)
{
    sf_output_add(f->output, text, strlen(text));
}

/* Lines "line 1" to "line N", in `whole` and in the output, fed by so many bytes at once. */
static void add_lines(struct fixture *f, int count, size_t chunk)
{
    size_t from = f->whole.len;

    for (int i = 1; i <= count; i++)
        sf_strbuf_addf(&f->whole, "line %d\n", i);
    for (size_t at = from; at < f->whole.len; at += chunk)
        sf_output_add(f->output, f->whole.buf + at,
                      f->whole.len - at < chunk ? f->whole.len - at : chunk);
}

static void test_short_output_is_whole(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(text_of(f), "");
    add(f, "\033[31mone\033[0m\ntw");
    assert_string_equal(text_of(f), "one\ntw");
    add(f, "o\n10%\r20%");
    sf_output_end(f->output);
    assert_string_equal(text_of(f), "one\ntwo\n20%");
    assert_null(file_of(f));
    assert_int_equal(access(f->spill, F_OK), -1);
    assert_int_equal(sf_output_lines(f->output), 3);
}

static void test_exactly_what_fits(void **state)
{
    struct fixture *f = *state;

    sf_strbuf_fill(&f->whole, 'x', SHOWN);
    sf_output_add(f->output, f->whole.buf, SHOWN);
    assert_string_equal(text_of(f), f->whole.buf);
    assert_null(file_of(f));
    sf_output_add(f->output, "y", 1);
    assert_non_null(file_of(f));
    assert_non_null(strstr(text_of(f), "left out here"));
    sf_output_end(f->output);
}

static void check_long(struct fixture *f)
{
    const char *text = text_of(f), *gap = strstr(text, "\n[… ");
    unsigned long long bytes, first, last;
    struct stat st;
    size_t len, left;
    char *kept;

    assert_non_null(gap);
    assert_int_equal(sscanf(gap, "\n[… %llu bytes, lines %llu to %llu,", &bytes, &first, &last), 3);
    assert_true(f->text.len < SHOWN + 300);
    /* the head and the tail are the text's own, and between them lies what was counted */
    assert_memory_equal(text, f->whole.buf, (size_t)(gap - text));
    left = strlen(strstr(gap + 1, "]\n") + 2);
    assert_memory_equal(text + f->text.len - left, f->whole.buf + f->whole.len - left, left);
    assert_int_equal(bytes, f->whole.len - (size_t)(gap + 1 - text) - left);
    kept = test_read(file_of(f), &len);
    assert_int_equal(len, f->whole.len);
    assert_memory_equal(kept, f->whole.buf, len);
    free(kept);
    assert_int_equal(stat(file_of(f), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(stat(f->spill, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
}

static void test_long_output_by_any_chunk(void **state)
{
    static const size_t chunks[] = { 1, 7, 500, 999, 4096, 100000 };
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(chunks); i++) {
        sf_output_free(f->output);
        sf_strbuf_reset(&f->whole);
        f->output = sf_output_new(f->spill, SHOWN);
        add_lines(f, 5000, chunks[i]);
        sf_output_end(f->output);
        check_long(f);
        assert_int_equal(sf_output_lines(f->output), 5000);
    }
}

/* The lines named in the gap are those between what is shown. */
static void test_gap_names_the_lines(void **state)
{
    struct fixture *f = *state;
    unsigned long long first, last;
    struct sf_strbuf before = SF_STRBUF_INIT, after = SF_STRBUF_INIT;
    const char *gap;

    add_lines(f, 5000, 100);
    gap = strstr(text_of(f), "lines ");
    assert_int_equal(sscanf(gap, "lines %llu to %llu", &first, &last), 2);
    sf_strbuf_addf(&before, "line %llu\n[…", first - 1);
    sf_strbuf_addf(&after, "]\nline %llu\n", last + 1);
    assert_non_null(strstr(f->text.buf, before.buf));
    assert_non_null(strstr(f->text.buf, after.buf));
    sf_strbuf_release(&after);
    sf_strbuf_release(&before);
}

/* One line without end, of characters of each length, cut at every offset. */
static void test_cut_never_splits_a_character(void **state)
{
    struct fixture *f = *state;

    for (size_t pad = 0; pad < 12; pad++) {
        sf_output_free(f->output);
        f->output = sf_output_new(f->spill, SHOWN);
        sf_output_add(f->output, "xxxxxxxxxxxx", pad);
        for (int i = 0; i < 3000; i++)
            add(f, "aä漢🙂");
        sf_output_end(f->output);
        assert_null(strstr(text_of(f), "�"));
        assert_non_null(strstr(f->text.buf, "left out here"));
    }
}

static void test_unfinished_line_counts(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < SF_PLAIN_LINE - 1; i++)
        add(f, "x");
    assert_non_null(strstr(text_of(f), "left out here"));
    assert_non_null(file_of(f));
    assert_null(strstr(f->text.buf, "(null)"));
}

static void test_news(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(news_of(f), "");
    add(f, "one\ntw");
    assert_string_equal(news_of(f), "one\ntw");
    assert_string_equal(news_of(f), "");
    add(f, "o\nthree\n");
    assert_string_equal(news_of(f), "o\nthree\n");
    add(f, "10%");
    assert_string_equal(news_of(f), "10%");
    add(f, "\r50%");
    assert_string_equal(news_of(f), "50%");
    add(f, "\r99%\n");
    sf_output_end(f->output);
    assert_string_equal(news_of(f), "99%\n");
    assert_string_equal(news_of(f), "");
    assert_string_equal(text_of(f), "one\ntwo\nthree\n99%\n");
}

static void test_news_of_a_flood(void **state)
{
    struct fixture *f = *state;
    unsigned long long first, last;

    add(f, "before\n");
    assert_string_equal(news_of(f), "before\n");
    add_lines(f, 5000, 1000);
    assert_int_equal(sscanf(strstr(news_of(f), "lines "), "lines %llu to %llu", &first, &last), 2);
    assert_true(first > 2 && last > first && last < 5001);
    assert_ptr_equal(strstr(f->text.buf, "line 1\n"), f->text.buf);
    add(f, "after\n");
    assert_string_equal(news_of(f), "after\n");
}

/* All news put together is the text, whatever the pace. */
static void test_news_add_up(void **state)
{
    struct fixture *f = *state;
    struct sf_strbuf sum = SF_STRBUF_INIT;

    for (int i = 0; i < 2000; i++) {
        const char *piece = i % 5 ? "word " : "end\n";

        sf_output_add(f->output, piece, strlen(piece));
        sf_strbuf_adds(&f->whole, piece);
        if (i % 7 == 0)
            sf_strbuf_adds(&sum, news_of(f));
    }
    sf_output_end(f->output);
    sf_strbuf_adds(&sum, news_of(f));
    assert_string_equal(sum.buf, f->whole.buf);
    sf_strbuf_release(&sum);
}

static void test_flood_is_bounded(void **state)
{
    enum { CHUNK = 65536, TIMES = 1600 }; /* 100 MiB */
    struct fixture *f = *state;
    char *chunk = sf_alloc(CHUNK);
    struct stat st;

    memset(chunk, 'x', CHUNK);
    for (int i = 99; i < CHUNK; i += 100)
        chunk[i] = '\n';
    for (int i = 0; i < TIMES; i++)
        sf_output_add(f->output, chunk, CHUNK);
    sf_output_end(f->output);
    free(chunk);
    assert_int_equal(stat(file_of(f), &st), 0);
    assert_int_equal(st.st_size, SF_OUTPUT_KEPT);
    assert_non_null(strstr(text_of(f), "holds the first 64 MiB"));
    assert_true(f->text.len < SHOWN + 300);
}

static void test_nowhere_to_keep_it(void **state)
{
    struct fixture *f = *state;

    test_write(f->spill, "a file", 6);
    add_lines(f, 1000, 100);
    sf_output_end(f->output);
    assert_non_null(strstr(text_of(f), "they are lost: "));
    assert_non_null(strstr(f->text.buf, "line 1\n"));
    assert_non_null(strstr(f->text.buf, "line 1000\n"));
}

static void test_file_cannot_grow(void **state)
{
    struct fixture *f = *state;
    struct rlimit before, small;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    add_lines(f, 5000, 100);
    sf_output_end(f->output);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_non_null(strstr(text_of(f), "they are lost: cannot write"));
    assert_non_null(strstr(f->text.buf, "line 5000\n"));
}

#define CASE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_short_output_is_whole),
        CASE(test_exactly_what_fits),
        CASE(test_long_output_by_any_chunk),
        CASE(test_gap_names_the_lines),
        CASE(test_cut_never_splits_a_character),
        CASE(test_unfinished_line_counts),
        CASE(test_news),
        CASE(test_news_of_a_flood),
        CASE(test_news_add_up),
        CASE(test_flood_is_bounded),
        CASE(test_nowhere_to_keep_it),
        CASE(test_file_cannot_grow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
