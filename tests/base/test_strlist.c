/*
 * Lists of owned strings: order, the closing NULL, sorting by bytes.
 */
#include "base/base.h"
#include "support/test.h"

static void test_adding(void **state)
{
    struct sf_strlist list = SF_STRLIST_INIT;
    char word[] = "copied";

    (void)state;
    sf_strlist_add(&list, word);
    word[0] = 'X';
    sf_strlist_addf(&list, "%d-%s", 7, "x");
    sf_strlist_adopt(&list, sf_strdup("adopted"));
    sf_strlist_add(&list, "");
    assert_int_equal(list.count, 4);
    assert_string_equal(list.items[0], "copied");
    assert_string_equal(list.items[1], "7-x");
    assert_string_equal(list.items[2], "adopted");
    assert_string_equal(list.items[3], "");
    assert_null(list.items[4]);
    sf_strlist_release(&list);
    assert_int_equal(list.count, 0);
    sf_strlist_release(&list);
}

static void test_serves_as_argv_at_every_length(void **state)
{
    struct sf_strlist list = SF_STRLIST_INIT;

    (void)state;
    for (int i = 0; i < 200; i++) {
        sf_strlist_addf(&list, "%d", i);
        assert_int_equal(list.count, i + 1);
        assert_null(list.items[list.count]);
    }
    assert_string_equal(list.items[0], "0");
    assert_string_equal(list.items[199], "199");
    sf_strlist_release(&list);
}

static void test_has(void **state)
{
    struct sf_strlist list = SF_STRLIST_INIT;

    (void)state;
    assert_false(sf_strlist_has(&list, ""));
    sf_strlist_add(&list, "abc");
    assert_true(sf_strlist_has(&list, "abc"));
    assert_false(sf_strlist_has(&list, "ab"));
    assert_false(sf_strlist_has(&list, "ABC"));
    sf_strlist_release(&list);
}

static void test_sort(void **state)
{
    static const char *const words[] = { "b", "\xc3\xa9", "a", "Z", "ab", "", "a" };
    static const char *const want[] = { "", "Z", "a", "a", "ab", "b", "\xc3\xa9" };
    struct sf_strlist list = SF_STRLIST_INIT;

    (void)state;
    sf_strlist_sort(&list);
    for (size_t i = 0; i < SF_COUNT(words); i++)
        sf_strlist_add(&list, words[i]);
    sf_strlist_sort(&list);
    for (size_t i = 0; i < SF_COUNT(want); i++)
        assert_string_equal(list.items[i], want[i]);
    assert_null(list.items[list.count]);
    sf_strlist_release(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adding),
        cmocka_unit_test(test_serves_as_argv_at_every_length),
        cmocka_unit_test(test_has),
        cmocka_unit_test(test_sort),
    };

    return cmocka_run_group_tests_name("strlist", tests, NULL, NULL);
}
