/*
 * test_diff.c: exact texts for the usual shapes, the script against the shortest one possible, and as
 * a property that the diff of two texts, read and applied by a reader of its own, turns the one
 * into the other.
 */
#include <stdio.h>
#include <unistd.h>

#include "edit/edit.h"
#include "support/test.h"

static const struct sf_diff_style plain = { NULL, NULL, 3, 0 };

static void diff_text(struct sf_strbuf *out, const char *old_text, size_t old_len,
                      const char *new_text, size_t new_len)
{
    struct sf_diff diff;

    sf_diff_init(&diff, old_text, old_len, new_text, new_len);
    sf_diff_add(out, &diff, &plain, NULL);
    sf_diff_release(&diff);
}

static const struct {
    const char *name, *old_text, *new_text, *want;
} cases[] = {
    { "nothing changed", "a\nb\n", "a\nb\n", "" },
    { "both empty", "", "", "" },
    { "from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n" },
    { "to nothing", "a\n", "", "@@ -1 +0,0 @@\n-a\n" },
    { "one line", "a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n" },
    { "in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n" },
    { "added at the end", "a\n", "a\nb\n", "@@ -1 +1,2 @@\n a\n+b\n" },
    { "added at the start", "b\n", "a\nb\n", "@@ -1 +1,2 @@\n+a\n b\n" },
    { "a repeated line is added behind", "a\na\n", "a\na\na\n", "@@ -1,2 +1,3 @@\n a\n a\n+a\n" },
    { "the newline goes", "a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n" },
    { "the newline comes", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n" },
    { "never had one", "a\nb", "x\nb",
      "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n" },
    { "an ending is part of its line", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n" },
    { "CR ends lines where nothing else does", "a\rb\r", "a\rc\r",
      "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" },
    { "two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "X\n2\n3\n4\n5\n6\n7\n8\nY\n",
      "@@ -1,4 +1,4 @@\n-1\n+X\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+Y\n" },
    { "close ones are one hunk", "1\n2\n3\n4\n5\n6\n7\n8\n", "X\n2\n3\n4\n5\n6\n7\nY\n",
      "@@ -1,8 +1,8 @@\n-1\n+X\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+Y\n" },
    { "a replaced line stays together", "a\nb\nb\n", "a\nX\nb\n",
      "@@ -1,3 +1,3 @@\n a\n-b\n+X\n b\n" },
    { "a function comes behind the one it repeats", "f() {\n}\n\nh() {\n}\n",
      "f() {\n}\n\ng() {\n}\n\nh() {\n}\n",
      "@@ -1,5 +1,8 @@\n f() {\n }\n \n+g() {\n+}\n+\n h() {\n }\n" },
};

static void test_exact_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;

        diff_text(&out, cases[i].old_text, strlen(cases[i].old_text), cases[i].new_text,
                  strlen(cases[i].new_text));
        if (strcmp(out.buf, cases[i].want) != 0)
            fail_msg("%s:\n--- got\n%s--- want\n%s", cases[i].name, out.buf, cases[i].want);
        sf_strbuf_release(&out);
    }
}

/* A small generator with a fixed seed: the same pairs on every run. */
static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static void add_random_line(struct sf_strbuf *sb, unsigned words)
{
    static const char *const endings[] = { "\n", "\n", "\n", "\r\n", "\r\r\n" };

    sf_strbuf_addf(sb, "line %u", below(words));
    sf_strbuf_adds(sb, endings[below(SF_COUNT(endings))]);
}

static void random_pair(struct sf_strbuf *a, struct sf_strbuf *b)
{
    unsigned lines = below(60), words = 2 + below(30), rate = 1 + below(8);

    sf_strbuf_reset(a);
    sf_strbuf_reset(b);
    for (unsigned i = 0; i < lines; i++) {
        size_t at = a->len;

        add_random_line(a, words);
        if (below(rate * 4) == 0)
            add_random_line(b, words);
        if (below(rate * 4) != 0)
            sf_strbuf_add(b, a->buf + at, a->len - at);
    }
    if (a->len && below(4) == 0)
        sf_strbuf_truncate(a, a->len - 1);
    if (b->len && below(4) == 0)
        sf_strbuf_truncate(b, b->len - 1);
}

/* Reads "@@ -a[,b] +c[,d] @@" and returns the old side's first line, counted from 0. */
static size_t read_header(const char *line)
{
    unsigned long at = 0, count = 1;

    assert_true(sscanf(line, "@@ -%lu,%lu", &at, &count) >= 1);
    return count ? at - 1 : at;
}

static const char *skip_line(const char *s, const char *end)
{
    const char *stop = memchr(s, '\n', (size_t)(end - s));

    return stop ? stop + 1 : end;
}

/* Applies a unified diff strictly: every line it names must be where and what it says. */
static bool apply_strictly(struct sf_strbuf *out, const struct sf_strbuf *old,
                           const struct sf_strbuf *diff)
{
    const char *at = old->buf, *old_end = old->buf + old->len, *end = diff->buf + diff->len, *next;
    size_t line = 0;

    for (const char *d = diff->buf; d < end; d = next) {
        size_t len;

        next = skip_line(d, end);
        if (d[0] == '@') {
            for (size_t target = read_header(d); line < target; line++) {
                const char *from = at;

                at = skip_line(at, old_end);
                sf_strbuf_add(out, from, (size_t)(at - from));
            }
            continue;
        }
        len = (size_t)(next - d) - 1;
        if (next < end && next[0] == '\\') {
            len--;
            next = skip_line(next, end);
        }
        if (d[0] != '+') {
            if ((size_t)(old_end - at) < len || memcmp(at, d + 1, len) != 0)
                return false;
            at += len;
            line++;
        }
        if (d[0] != '-')
            sf_strbuf_add(out, d + 1, len);
    }
    sf_strbuf_add(out, at, (size_t)(old_end - at));
    return true;
}

static void test_applied_it_gives_the_new_text(void **state)
{
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT;

    (void)state;
    seed = 20240601;
    for (int i = 0; i < 3000; i++) {
        struct sf_strbuf diff = SF_STRBUF_INIT, got = SF_STRBUF_INIT;

        random_pair(&a, &b);
        diff_text(&diff, a.buf, a.len, b.buf, b.len);
        if (!apply_strictly(&got, &a, &diff) || got.len != b.len ||
            memcmp(got.buf, b.buf, b.len) != 0)
            fail_msg("pair %d:\n--- old\n%s\n--- new\n%s\n--- diff\n%s\n--- got\n%s", i, a.buf,
                     b.buf, diff.buf, got.buf);
        sf_strbuf_release(&diff);
        sf_strbuf_release(&got);
    }
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
}

/* Lines of the longest common part, by the textbook table. */
static size_t common_lines(const struct sf_diff *d)
{
    size_t n = d->old_lines.count, m = d->new_lines.count, answer;
    size_t *row = sf_alloc_array((m + 1) * (n + 1), sizeof(*row));

    for (size_t i = 1; i <= n; i++) {
        for (size_t k = 1; k <= m; k++) {
            size_t *cell = &row[i * (m + 1) + k], up = cell[-(ptrdiff_t)(m + 1)], left = cell[-1];
            const uint32_t *a = d->old_lines.starts + i - 1, *b = d->new_lines.starts + k - 1;

            *cell = up > left ? up : left;
            if (a[1] - a[0] == b[1] - b[0] &&
                !memcmp(d->old_text + a[0], d->new_text + b[0], a[1] - a[0]) &&
                cell[-(ptrdiff_t)(m + 2)] + 1 > *cell)
                *cell = cell[-(ptrdiff_t)(m + 2)] + 1;
        }
    }
    answer = row[n * (m + 1) + m];
    free(row);
    return answer;
}

static void test_it_is_the_shortest(void **state)
{
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT;

    (void)state;
    seed = 7;
    for (int i = 0; i < 1000; i++) {
        struct sf_diff diff;
        size_t common;

        random_pair(&a, &b);
        sf_diff_init(&diff, a.buf, a.len, b.buf, b.len);
        common = common_lines(&diff);
        if (diff.coarse || diff.old_lines.count - diff.removed != common ||
            diff.new_lines.count - diff.added != common)
            fail_msg("pair %d: -%zu +%zu with %zu common lines\n%s---\n%s", i, diff.removed,
                     diff.added, common, a.buf, b.buf);
        sf_diff_release(&diff);
    }
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
}

/* Where the effort runs out the diff is longer, and still right. */
static void test_too_much_work(void **state)
{
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT, text = SF_STRBUF_INIT,
                     got = SF_STRBUF_INIT;
    struct sf_diff diff;

    (void)state;
    seed = 3;
    for (int i = 0; i < 60000; i++) {
        sf_strbuf_addf(&a, "%u\n", below(300));
        sf_strbuf_addf(&b, "%u\n", below(300));
    }
    sf_diff_init(&diff, a.buf, a.len, b.buf, b.len);
    assert_true(diff.coarse);
    assert_true(diff.added < 60000);
    sf_diff_add(&text, &diff, &plain, NULL);
    assert_true(apply_strictly(&got, &a, &text));
    assert_int_equal(got.len, b.len);
    assert_memory_equal(got.buf, b.buf, b.len);
    sf_diff_release(&diff);
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
    sf_strbuf_release(&text);
    sf_strbuf_release(&got);
}

static void test_ceiling_says_what_is_left(void **state)
{
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    const struct sf_diff_style style = { "a/x", "b/x", 3, 500 };
    struct sf_diff_left left;
    struct sf_diff diff;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        sf_strbuf_addf(&a, "%d\n", i);
        sf_strbuf_addf(&b, i % 10 == 5 ? "changed %d\nagain\n" : "%d\n", i);
    }
    sf_diff_init(&diff, a.buf, a.len, b.buf, b.len);
    assert_int_equal(diff.removed, 100);
    assert_int_equal(diff.added, 200);
    assert_false(sf_diff_add(&out, &diff, &style, &left));
    assert_true(out.len < 700);
    assert_true(left.hunks > 80 && left.hunks < 100);
    assert_true(left.removed >= left.hunks - 1 && left.removed <= left.hunks);
    assert_non_null(strstr(out.buf, "\n[left out: "));
    assert_true(sf_diff_add(&out, &diff, &plain, &left));
    assert_int_equal(left.hunks, 0);
    sf_diff_release(&diff);

    sf_strbuf_reset(&out);
    sf_strbuf_reset(&b);
    sf_strbuf_fill(&b, 'x', 10000);
    sf_diff_init(&diff, "", 0, b.buf, b.len);
    assert_false(sf_diff_add(&out, &diff, &style, &left));
    assert_true(out.len < 200);
    assert_int_equal(left.added, 1);
    sf_diff_release(&diff);
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
    sf_strbuf_release(&out);
}

static void test_hunks_as_data(void **state)
{
    struct sf_diff_hunk hunk = { 0 };
    struct sf_diff diff;

    (void)state;
    sf_diff_init(&diff, "1\n2\n3\n4\n5\n6\n", 12, "1\nX\nY\n3\n4\n5\n", 12);
    assert_true(sf_diff_next(&diff, 1, &hunk));
    assert_int_equal(hunk.old_at, 0);
    assert_int_equal(hunk.old_count, 3);
    assert_int_equal(hunk.new_count, 4);
    assert_int_equal(hunk.changes, 1);
    assert_true(sf_diff_next(&diff, 1, &hunk));
    assert_int_equal(hunk.old_at, 4);
    assert_int_equal(hunk.new_at, 5);
    assert_int_equal(hunk.new_count, 1);
    assert_false(sf_diff_next(&diff, 1, &hunk));
    sf_diff_release(&diff);
}

static void test_names(void **state)
{
    const struct sf_diff_style style = { "/dev/null", "b/say \"hi\"\n.txt", 3, 0 };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_diff diff;

    (void)state;
    sf_diff_init(&diff, "", 0, "a\n", 2);
    sf_diff_add(&out, &diff, &style, NULL);
    assert_string_equal(out.buf, "--- /dev/null\n+++ \"b/say \\\"hi\\\"\\012.txt\"\n"
                                 "@@ -0,0 +1 @@\n+a\n");
    sf_diff_release(&diff);
    sf_strbuf_release(&out);
}

/* The same pairs through the system's diff: as many lines removed and added. */
static void test_like_the_systems_diff(void **state)
{
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT, command = SF_STRBUF_INIT;
    char *old_path = test_path(*state, "old"), *new_path = test_path(*state, "new");

    seed = 99;
    sf_strbuf_addf(&command, "diff -d -U3 '%s' '%s' 2>/dev/null", old_path, new_path);
    for (int i = 0; i < 25 && !access("/usr/bin/diff", X_OK); i++) {
        size_t removed = 0, added = 0, lines = 0;
        struct sf_diff diff;
        char *line = NULL;
        size_t cap = 0;
        FILE *fp;

        random_pair(&a, &b);
        test_write(old_path, a.buf, a.len);
        test_write(new_path, b.buf, b.len);
        fp = popen(command.buf, "r");
        assert_non_null(fp);
        while (getline(&line, &cap, fp) > 0) {
            lines++;
            removed += lines > 2 && line[0] == '-';
            added += lines > 2 && line[0] == '+';
        }
        free(line);
        pclose(fp);
        sf_diff_init(&diff, a.buf, a.len, b.buf, b.len);
        assert_int_equal(diff.removed, removed);
        assert_int_equal(diff.added, added);
        sf_diff_release(&diff);
    }
    free(old_path);
    free(new_path);
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
    sf_strbuf_release(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_text),
        cmocka_unit_test(test_applied_it_gives_the_new_text),
        cmocka_unit_test(test_it_is_the_shortest),
        cmocka_unit_test(test_too_much_work),
        cmocka_unit_test(test_ceiling_says_what_is_left),
        cmocka_unit_test(test_hunks_as_data),
        cmocka_unit_test(test_names),
        cmocka_unit_test_setup_teardown(test_like_the_systems_diff, test_dir_setup,
                                        test_dir_teardown),
    };

    return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
