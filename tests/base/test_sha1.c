/*
 * test_sha1.c: the examples of FIPS 180-4, and that pieces of any size give the same.
 */
#include <string.h>

#include "base/base.h"
#include "support/test.h"

static const struct {
    const char *name, *text;
    size_t times;
    const char *digest;
} cases[] = {
    { "nothing", "", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
    { "three letters", "abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d" },
    { "two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
    { "a million", "aaaaaaaaaa", 100000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f" },
};

static void finish(struct sf_sha1 *hash, char hex[2 * SF_SHA1_SIZE + 1])
{
    unsigned char digest[SF_SHA1_SIZE];

    sf_sha1_final(hash, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static void test_cases(void **state)
{
    char hex[2 * SF_SHA1_SIZE + 1];

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_sha1 hash;

        sf_sha1_init(&hash);
        for (size_t k = 0; k < cases[i].times; k++)
            sf_sha1_update(&hash, cases[i].text, strlen(cases[i].text));
        finish(&hash, hex);
        if (strcmp(hex, cases[i].digest) != 0)
            fail_msg("%s: got %s", cases[i].name, hex);
    }
}

static void test_pieces(void **state)
{
    char text[300], whole[2 * SF_SHA1_SIZE + 1], hex[2 * SF_SHA1_SIZE + 1];
    struct sf_sha1 hash;

    (void)state;
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (char)(i * 7);
    sf_sha1_init(&hash);
    sf_sha1_update(&hash, text, sizeof(text));
    finish(&hash, whole);
    for (size_t step = 1; step < 130; step++) {
        sf_sha1_init(&hash);
        for (size_t at = 0; at < sizeof(text); at += step)
            sf_sha1_update(&hash, text + at, sizeof(text) - at < step ? sizeof(text) - at : step);
        finish(&hash, hex);
        assert_string_equal(hex, whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_pieces),
    };

    return cmocka_run_group_tests_name("base/sha1", tests, NULL, NULL);
}
