/*
 * Fuzzy names: what matches, which of two ranks higher, where the matches are, and that a set gives
 * the same answers as looking at each name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "view/view.h"

static bool score(const char *query, const char *name, int *out)
{
    return sf_fuzzy_score(query, strlen(query), name, strlen(name), out);
}

static const struct {
    const char *query, *name;
    bool want;
} matches[] = {
    { "", "anything", true },
    { "a", "a", true },
    { "a", "", false },
    { "abc", "a_b_c", true },
    { "abc", "acb", false },
    { "ABC", "abc", false },
    { "abc", "ABC", true },
    { "Abc", "Abc", true },
    { "src/co", "src/view/composer.c", true },
    { "view/comp", "src/view/composer.c", true },
    { "src/view", "src/view/composer.c", true },
    { "view/", "src/view/composer.c", true },
    { "comp/view", "src/view/composer.c", false },
    { "comp view", "src/view/composer.c", true },
    { "view nothing", "src/view/composer.c", false },
    { "  ", "x", true },
    { "größe", "src/größe.c", true },
    { "a.c", "src/a.c", true },
    { "aa", "a", false },
    { "dir", "some/dir/", true },
};

static void test_matches(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(matches); i++) {
        int got;

        if (score(matches[i].query, matches[i].name, &got) != matches[i].want)
            fail_msg("%s in %s", matches[i].query, matches[i].name);
    }
}

static const struct {
    const char *name, *query, *better, *worse;
} ranks[] = {
    { "the file's name beats directories", "view", "src/view.c", "view/other.c" },
    { "also when it comes later", "comp", "src/view/composer.c", "comp/src/view/x.c" },
    { "a prefix first", "comp", "composer.c", "decompose.c" },
    { "a whole name first", "main.c", "src/main.c", "src/main.cc" },
    { "shorter first", "main", "main.c", "main_loop.c" },
    { "shorter paths first", "main.c", "src/main.c", "src/app/main.c" },
    { "word starts", "tc", "test_composer.c", "etcd.c" },
    { "word starts with dashes", "fb", "foo-bar.c", "offbeat.c" },
    { "humps", "fb", "fooBar.c", "foobar.c" },
    { "in a row", "ram", "frame.h", "xrxaxm.h" },
    { "in a row beats scattered", "read", "read.c", "render_ascii_d.c" },
    { "a small gap beats a large one", "ac", "xaxc", "xaxxxxc" },
    { "the same case", "Read", "Read.c", "aRead.c" },
    { "the case of the query", "readme", "readme", "README" },
    { "directory and name", "view/comp", "src/view/composer.c", "src/viewer/model/comp.c" },
    { "a directory's start", "src", "src/main.c", "x/asrc/main.c" },
    { "the last directory", "wire", "src/wire/a.c", "software/impl/resource/a.c" },
    { "words in any order", "comp view", "src/view/composer.c", "src/view/com/p.c" },
    { "numbers", "v2", "api_v2.c", "vec_a2b.c" },
};

static void test_ranks(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(ranks); i++) {
        int better = 0, worse = 0;

        if (!score(ranks[i].query, ranks[i].better, &better) ||
            !score(ranks[i].query, ranks[i].worse, &worse))
            fail_msg("%s: one does not match", ranks[i].name);
        if (better <= worse) {
            print_error("%s: %s %d, %s %d\n", ranks[i].name, ranks[i].better, better,
                        ranks[i].worse, worse);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static const struct {
    const char *query, *name, *want; /* ^ below each match */
} spots[] = {
    /* clang-format off */
    { "comp", "src/view/composer.c",
              "         ^^^^      " },
    { "tc",   "test_composer.c",
              "^    ^         " },
    { "v/co", "src/view/composer.c",
              "    ^   ^^^        " },
    { "src",  "src/main.h",
              "^^^       " },
    { "comp view", "src/view/composer.c",
                   "    ^^^^ ^^^^      " },
    { "c co", "composer.h",
              "^^        " },
    { "zz",   "composer.c",
              "          " },
    { "ac",   "a_bc_c",
              "^    ^" },
    /* clang-format on */
};

static void test_spots(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(spots); i++) {
        uint32_t at[SF_FUZZY_QUERY];
        char got[64];
        size_t n = sf_fuzzy_spots(spots[i].query, strlen(spots[i].query), spots[i].name,
                                  strlen(spots[i].name), at);

        memset(got, ' ', sizeof(got));
        got[strlen(spots[i].name)] = '\0';
        for (size_t k = 0; k < n; k++)
            got[at[k]] = '^';
        if (strcmp(got, spots[i].want) != 0) {
            print_error("%s:\n%s\n%s\n", spots[i].query, spots[i].name, got);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- sets ---- */

static int setup(void **state)
{
    *state = sf_fuzzy_set_new();
    return 0;
}

static int teardown(void **state)
{
    sf_fuzzy_set_free(*state);
    return 0;
}

static void test_a_set(void **state)
{
    static const char *const names[] = { "src/view/frame.c", "src/app/main.c", "docs/frame.md",
                                         "src/view/frame.h", "README" };
    struct sf_fuzzy_set *set = *state;
    struct sf_fuzzy_hit hits[3];

    for (size_t i = 0; i < SF_COUNT(names); i++)
        assert_true(sf_fuzzy_set_add(set, names[i], strlen(names[i])));
    assert_int_equal(sf_fuzzy_set_count(set), 5);
    assert_string_equal(sf_fuzzy_set_name(set, 2), "docs/frame.md");
    assert_int_equal(sf_fuzzy_set_best(set, "frame", 5, hits, 3), 3);
    assert_int_equal(hits[0].index, 2); /* the shortest */
    assert_int_equal(hits[1].index, 0); /* equal: as they came */
    assert_int_equal(hits[2].index, 3);
    assert_int_equal(sf_fuzzy_set_best(set, "frame", 5, hits, 1), 1);
    assert_int_equal(hits[0].index, 2);
    assert_int_equal(sf_fuzzy_set_best(set, "xyz", 3, hits, 3), 0);
    assert_int_equal(sf_fuzzy_set_best(set, "frame", 5, hits, 0), 0);
    assert_int_equal(sf_fuzzy_set_best(set, "", 0, hits, 3), 3);
    assert_int_equal(hits[0].index, 4);
}

static void test_names_too_long_are_left_out(void **state)
{
    struct sf_fuzzy_set *set = *state;
    char name[SF_FUZZY_NAME + 1];
    int got;

    memset(name, 'a', sizeof(name));
    assert_true(sf_fuzzy_set_add(set, name, SF_FUZZY_NAME));
    assert_false(sf_fuzzy_set_add(set, name, sizeof(name)));
    assert_int_equal(sf_fuzzy_set_count(set), 1);
    assert_false(sf_fuzzy_score("a", 1, name, sizeof(name), &got));
    assert_true(sf_fuzzy_score("aaa", 3, name, SF_FUZZY_NAME, &got));
}

/* A query longer than what counts is cut; any bytes may be in it. */
static void test_odd_queries(void **state)
{
    char query[200];
    uint32_t at[SF_FUZZY_QUERY];
    int got;

    (void)state;
    memset(query, 'a', sizeof(query));
    assert_true(sf_fuzzy_score(query, sizeof(query), query, SF_FUZZY_QUERY, &got));
    assert_int_equal(sf_fuzzy_spots(query, sizeof(query), query, sizeof(query), at),
                     SF_FUZZY_QUERY);
    for (size_t i = 0; i < sizeof(query); i++)
        query[i] = i % 2 ? ' ' : 'a';
    assert_int_equal(sf_fuzzy_spots(query, sizeof(query), "xa", 2, at), 1);
    assert_true(sf_fuzzy_score("\xff\x80/", 3, "\xff\x80/x", 4, &got));
    assert_true(sf_fuzzy_score("/", 1, "a/b", 3, &got));
    assert_true(sf_fuzzy_score("//", 2, "a//b", 4, &got));
}

/* The set's shortcuts change nothing. */
static void test_sets_agree_with_scores(void **state)
{
    static const char *const queries[] = { "a", "ab", "c/d", "ba c", "dd", "Ab", "a/", "b.c" };
    static const char letters[] = "abcdA/_.";
    struct sf_fuzzy_set *set = *state;
    struct sf_fuzzy_hit hits[2000];
    unsigned seed = 11;

    for (int i = 0; i < 2000; i++) {
        char name[24];
        size_t len = 1 + (seed >> 9) % (sizeof(name) - 1);

        for (size_t k = 0; k < len; k++) {
            seed = seed * 1664525u + 1013904223u;
            name[k] = letters[(seed >> 12) % (sizeof(letters) - 1)];
        }
        assert_true(sf_fuzzy_set_add(set, name, len));
    }
    for (size_t q = 0; q < SF_COUNT(queries); q++) {
        size_t n = sf_fuzzy_set_best(set, queries[q], strlen(queries[q]), hits, SF_COUNT(hits));
        size_t expected = 0;
        int got;

        for (size_t i = 0; i < 2000; i++)
            expected += score(queries[q], sf_fuzzy_set_name(set, i), &got);
        assert_int_equal(n, expected);
        for (size_t i = 0; i < n; i++) {
            uint32_t at[SF_FUZZY_QUERY];
            const char *name = sf_fuzzy_set_name(set, hits[i].index);

            assert_true(score(queries[q], name, &got));
            assert_int_equal(got, hits[i].score);
            assert_true(!i || hits[i].score < hits[i - 1].score ||
                        (hits[i].score == hits[i - 1].score && hits[i].index > hits[i - 1].index));
            assert_true(sf_fuzzy_spots(queries[q], strlen(queries[q]), name, strlen(name), at));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_spots),
        cmocka_unit_test_setup_teardown(test_a_set, setup, teardown),
        cmocka_unit_test_setup_teardown(test_names_too_long_are_left_out, setup, teardown),
        cmocka_unit_test(test_odd_queries),
        cmocka_unit_test_setup_teardown(test_sets_agree_with_scores, setup, teardown),
    };

    return cmocka_run_group_tests_name("fuzzy", tests, NULL, NULL);
}
