/*
 * The five measures of corpus/test-output/README.md, on real outputs: what is green passed, no exit
 * code but 0 is green, verdicts, counts, and all of that on every part of a file.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "verify/verify.h"

enum { SAMPLES = 128, NOISE = 1024 * 1024, STEP = 37 };

struct sample {
    char file[64], passed[16], failed[16], skipped[16], verdict[16];
    int code;
    char *text;
    size_t len;
};

struct corpus {
    struct sample samples[SAMPLES];
    size_t count;
};

static int setup(void **state)
{
    struct corpus *c = calloc(1, sizeof(*c));
    size_t len;
    char *table = test_read("corpus/test-output/expected.tsv", &len);

    for (char *line = table, *end; (end = strchr(line, '\n')); line = end + 1) {
        struct sample *s = &c->samples[c->count];
        struct sf_strbuf path = SF_STRBUF_INIT;

        if (*line == '#')
            continue;
        assert_true(c->count < SAMPLES);
        assert_int_equal(sscanf(line, "%63s %15s %15s %15s %15s %d", s->file, s->passed, s->failed,
                                s->skipped, s->verdict, &s->code),
                         6);
        sf_strbuf_addf(&path, "corpus/test-output/%s", s->file);
        s->text = test_read(path.buf, &s->len);
        sf_strbuf_release(&path);
        c->count++;
    }
    free(table);
    assert_true(c->count >= 90);
    *state = c;
    return 0;
}

static int teardown(void **state)
{
    struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++)
        free(c->samples[i].text);
    free(c);
    return 0;
}

static bool is_count(const char *want, int64_t got)
{
    return !strcmp(want, "-") || (got >= 0 && got == strtoll(want, NULL, 10));
}

/* Measures 1 to 4; of the visible samples, every one is read right. */
static void test_samples(void **state)
{
    const struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++) {
        const struct sample *s = &c->samples[i];
        const struct sf_reading got = sf_reading_of(s->code, s->text, s->len);

        if (strcmp(sf_tests_verdicts[got.verdict], s->verdict) != 0 ||
            !is_count(s->passed, got.passed) || !is_count(s->failed, got.failed) ||
            !is_count(s->skipped, got.skipped))
            fail_msg("%s: %s %lld %lld %lld (%s)", s->file, sf_tests_verdicts[got.verdict],
                     (long long)got.passed, (long long)got.failed, (long long)got.skipped,
                     got.runner);
    }
}

/* A part of a run that passed may be green, but never with more tests than the whole. */
static void check_part(const struct sample *s, const char *how, const char *text, size_t len)
{
    const struct sf_reading got = sf_reading_of(s->code, text, len);

    if (got.verdict != SF_TESTS_PASS)
        return;
    if (s->code || strcmp(s->verdict, "pass") != 0)
        fail_msg("%s, %s, %zu bytes: green", s->file, how, len);
    if (strcmp(s->passed, "-") != 0 && got.passed > strtoll(s->passed, NULL, 10))
        fail_msg("%s, %s, %zu bytes: %lld passed", s->file, how, len, (long long)got.passed);
}

static void test_prefixes(void **state)
{
    const struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++) {
        const struct sample *s = &c->samples[i];

        for (size_t n = 0; n < s->len; n++)
            if (!n || s->text[n - 1] == '\n' || n % STEP == 0)
                check_part(s, "cut", s->text, n);
    }
}

static void test_other_codes(void **state)
{
    static const int codes[] = { 1, 2, 101, 134, 255, -1 };
    const struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < SF_COUNT(codes); k++) {
            const struct sample *s = &c->samples[i];

            if (sf_reading_of(codes[k], s->text, s->len).verdict == SF_TESTS_PASS)
                fail_msg("%s is green with exit code %d", s->file, codes[k]);
        }
}

/* Colours around every line, and in the middle of words, and the ends of lines of another system. */
static void disguise(const struct sample *s, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "\033[0m");
    for (size_t i = 0; i < s->len; i++) {
        if (i % 5 == 0 && (unsigned char)s->text[i] < 0x80 && s->text[i] != '\033' &&
            !memchr(s->text, '\033', s->len))
            sf_strbuf_adds(out, "\033[1;32m");
        if (s->text[i] == '\n')
            sf_strbuf_adds(out, "\033[0m\r");
        sf_strbuf_addch(out, s->text[i]);
    }
}

/* Sequences and carriage returns change nothing. */
static void test_disguised(void **state)
{
    const struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++) {
        const struct sample *s = &c->samples[i];
        const struct sf_reading plain = sf_reading_of(s->code, s->text, s->len);
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_reading got;

        disguise(s, &text);
        got = sf_reading_of(s->code, text.buf, text.len);
        if (got.verdict != plain.verdict || got.passed != plain.passed ||
            got.failed != plain.failed || got.skipped != plain.skipped)
            fail_msg("%s reads otherwise in colours: %s %lld", s->file,
                     sf_tests_verdicts[got.verdict], (long long)got.passed);
        for (size_t n = 0; n < text.len; n += (size_t)STEP * 11)
            check_part(s, "in colours", text.buf, n);
        sf_strbuf_release(&text);
    }
}

static void add_noise(struct sf_strbuf *out, size_t bytes)
{
    uint32_t seed = 15;

    while (out->len < bytes) {
        seed = seed * 1103515245 + 12345;
        sf_strbuf_addf(out, "%s%u %x compiling unit, 0x%08x: nothing new (%u)\n",
                       seed & 1024 ? "[info] " : "  ", seed >> 16, seed, seed, seed >> 20);
        if (seed % 97 == 0)
            sf_strbuf_add(out, "\xff\xfe\0\033]8;;x\033\\ \r\b\n", 15);
    }
}

/* A megabyte before it takes time, so that each sample gets a little, and some get it all. */
static void test_noise(void **state)
{
    const struct corpus *c = *state;

    for (size_t i = 0; i < c->count; i++) {
        const struct sample *s = &c->samples[i];
        const struct sf_reading plain = sf_reading_of(s->code, s->text, s->len);
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_reading got;

        add_noise(&text, i % 32 ? NOISE / 256 : NOISE);
        sf_strbuf_add(&text, s->text, s->len);
        got = sf_reading_of(s->code, text.buf, text.len);
        if (got.verdict != plain.verdict || got.passed != plain.passed ||
            got.failed != plain.failed || got.skipped != plain.skipped)
            fail_msg("%s reads otherwise behind noise: %s %lld", s->file,
                     sf_tests_verdicts[got.verdict], (long long)got.passed);
        sf_strbuf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),   cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_disguised), cmocka_unit_test(test_other_codes),
        cmocka_unit_test(test_noise),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
