/*
 * What was sent before: what is kept, going back and forward with the draft.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "port/port.h"
#include "support/test.h"

static int setup(void **state)
{
    *state = sf_prompt_history_new();
    return 0;
}

static int teardown(void **state)
{
    sf_prompt_history_free(*state);
    return 0;
}

static bool add(struct sf_prompt_history *h, const char *text)
{
    return sf_prompt_history_add(h, text, strlen(text));
}

static void assert_is(const char *got, size_t len, const char *want)
{
    if (!want) {
        assert_null(got);
        return;
    }
    assert_non_null(got);
    assert_int_equal(len, strlen(want));
    assert_memory_equal(got, want, len);
}

static void assert_at(const struct sf_prompt_history *h, size_t index, const char *want)
{
    size_t len = 0;
    const char *got = sf_prompt_history_at(h, index, &len);

    assert_is(got, len, want);
}

static void assert_back(struct sf_prompt_history *h, const char *draft, const char *want)
{
    size_t len = 0;
    const char *got = sf_prompt_history_previous(h, draft, strlen(draft), &len);

    assert_is(got, len, want);
}

static void assert_forward(struct sf_prompt_history *h, const char *want)
{
    size_t len = 0;
    const char *got = sf_prompt_history_next(h, &len);

    assert_is(got, len, want);
}

static void test_what_is_kept(void **state)
{
    struct sf_prompt_history *h = *state;

    assert_true(add(h, "one"));
    assert_false(add(h, "one"));
    assert_true(add(h, "two"));
    assert_true(add(h, "one"));
    assert_false(add(h, ""));
    assert_false(add(h, " \n\t"));
    assert_int_equal(sf_prompt_history_count(h), 3);
    assert_at(h, 0, "one");
    assert_at(h, 1, "two");
    assert_at(h, 2, "one");
    assert_at(h, 3, NULL);
}

static void test_entries_are_bounded(void **state)
{
    struct sf_prompt_history *h = *state;
    char text[32];

    for (int i = 0; i < SF_PAST_ENTRIES + 5; i++) {
        snprintf(text, sizeof(text), "entry %d", i);
        assert_true(add(h, text));
    }
    assert_int_equal(sf_prompt_history_count(h), SF_PAST_ENTRIES);
    assert_at(h, SF_PAST_ENTRIES - 1, "entry 5");
}

static void test_bytes_are_bounded(void **state)
{
    struct sf_prompt_history *h = *state;
    struct sf_strbuf big = SF_STRBUF_INIT;

    assert_true(add(h, "first"));
    sf_strbuf_fill(&big, 'x', SF_PAST_BYTES - 5);
    assert_true(sf_prompt_history_add(h, big.buf, big.len));
    assert_int_equal(sf_prompt_history_count(h), 2);
    assert_true(add(h, "third"));
    assert_int_equal(sf_prompt_history_count(h), 2);
    sf_strbuf_fill(&big, 'x', 6);
    assert_false(sf_prompt_history_add(h, big.buf, big.len));
    assert_at(h, 0, "third");
    sf_strbuf_release(&big);
}

static void test_back_and_forward(void **state)
{
    struct sf_prompt_history *h = *state;

    add(h, "one");
    add(h, "two");
    assert_forward(h, NULL);
    assert_back(h, "dra", "two");
    assert_back(h, "ignored", "one");
    assert_back(h, "ignored", NULL);
    assert_forward(h, "two");
    assert_forward(h, "dra");
    assert_forward(h, NULL);
    assert_back(h, "", "two");
    assert_forward(h, "");
}

static void test_adding_ends_going_back(void **state)
{
    struct sf_prompt_history *h = *state;

    add(h, "one");
    add(h, "two");
    assert_back(h, "x", "two");
    assert_back(h, "x", "one");
    add(h, "three");
    assert_back(h, "y", "three");
    assert_forward(h, "y");
    assert_back(h, "z", "three");
    sf_prompt_history_stop(h);
    assert_back(h, "edited", "three");
    assert_forward(h, "edited");
}

static void test_nothing_to_go_back_to(void **state)
{
    assert_back(*state, "x", NULL);
    assert_forward(*state, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_entries_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bytes_are_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_back_and_forward, setup, teardown),
        cmocka_unit_test_setup_teardown(test_adding_ends_going_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_to_go_back_to, setup, teardown),
    };

    return cmocka_run_group_tests_name("past", tests, NULL, NULL);
}
