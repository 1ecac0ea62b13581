/*
 * The growing string: always terminated, bytes of any kind, cheap when empty.
 */
#include "base/base.h"
#include "support/test.h"

static void test_empty(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    char *text;

    (void)state;
    assert_string_equal(sb.buf, "");
    sf_strbuf_add(&sb, NULL, 0);
    sf_strbuf_reset(&sb);
    assert_int_equal(sb.cap, 0);
    text = sf_strbuf_detach(&sb);
    assert_string_equal(text, "");
    free(text);
    sf_strbuf_release(&sb);
    sf_strbuf_release(&sb);
    assert_int_equal(sf_strbuf_empty[0], 0);
}

static void test_adding(void **state)
{
    struct sf_strbuf sb;

    (void)state;
    sf_strbuf_init(&sb);
    sf_strbuf_add(&sb, "a\0b", 3);
    assert_int_equal(sb.len, 3);
    assert_memory_equal(sb.buf, "a\0b", 4);
    sf_strbuf_reset(&sb);
    assert_string_equal(sb.buf, "");
    assert_true(sb.cap > 0);
    sf_strbuf_adds(&sb, "one ");
    sf_strbuf_addch(&sb, '2');
    sf_strbuf_fill(&sb, '-', 3);
    sf_strbuf_fill(&sb, 'x', 0);
    sf_strbuf_addf(&sb, "%s%d", "n", 7);
    assert_string_equal(sb.buf, "one 2---n7");
    sf_strbuf_release(&sb);
    assert_int_equal(sb.len, 0);
}

static void test_growth_keeps_the_text(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        sf_strbuf_addch(&sb, (char)('a' + i % 26));
        if (sb.buf[sb.len] != '\0' || sb.len >= sb.cap)
            fail_msg("broken at %d", i);
    }
    for (int i = 0; i < 100000; i++)
        if (sb.buf[i] != 'a' + i % 26)
            fail_msg("lost the byte %d", i);
    sf_strbuf_release(&sb);
}

static void test_long_format(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&sb, "<");
    sf_strbuf_addf(&sb, "%5000d", 1);
    sf_strbuf_adds(&sb, ">");
    assert_int_equal(sb.len, 5002);
    assert_string_equal(sb.buf + 5000, "1>");
    sf_strbuf_release(&sb);
}

static void test_room(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    memcpy(sf_strbuf_room(&sb, 100), "hello", 5);
    assert_int_equal(sb.len, 0);
    sf_strbuf_grew(&sb, 5);
    assert_string_equal(sb.buf, "hello");
    sf_strbuf_room(&sb, 0);
    sf_strbuf_grew(&sb, 0);
    assert_string_equal(sb.buf, "hello");
    sf_strbuf_release(&sb);
}

static void test_detach(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    char *text;

    (void)state;
    sf_strbuf_adds(&sb, "kept");
    text = sf_strbuf_detach(&sb);
    assert_string_equal(sb.buf, "");
    sf_strbuf_adds(&sb, "new");
    assert_string_equal(text, "kept");
    assert_string_equal(sb.buf, "new");
    free(text);
    sf_strbuf_release(&sb);
}

static const struct {
    const char *name;
    size_t at, remove;
    const char *data, *want;
} splices[] = {
    { "nothing at all", 3, 0, "", "abcdef" },
    { "in front", 0, 0, "XY", "XYabcdef" },
    { "behind", 6, 0, "XY", "abcdefXY" },
    { "longer in the middle", 2, 1, "WXYZ", "abWXYZdef" },
    { "shorter in the middle", 1, 4, "X", "aXf" },
    { "same length", 2, 2, "XY", "abXYef" },
    { "removal alone", 2, 2, "", "abef" },
    { "everything", 0, 6, "", "" },
    { "everything for more", 0, 6, "0123456789012345678901234567890123456789",
      "0123456789012345678901234567890123456789" },
};

static void test_splice(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(splices); i++) {
        struct sf_strbuf sb = SF_STRBUF_INIT;

        sf_strbuf_adds(&sb, "abcdef");
        sf_strbuf_splice(&sb, splices[i].at, splices[i].remove, splices[i].data,
                         strlen(splices[i].data));
        if (strcmp(sb.buf, splices[i].want) != 0 || sb.len != strlen(splices[i].want))
            fail_msg("%s: %s", splices[i].name, sb.buf);
        sf_strbuf_release(&sb);
    }
}

static void test_splice_into_nothing(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_splice(&sb, 0, 0, NULL, 0);
    assert_string_equal(sb.buf, "");
    sf_strbuf_splice(&sb, 0, 0, "x", 1);
    assert_string_equal(sb.buf, "x");
    sf_strbuf_release(&sb);
}

static void test_truncate(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_truncate(&sb, 0);
    sf_strbuf_adds(&sb, "abc");
    sf_strbuf_truncate(&sb, 3);
    assert_string_equal(sb.buf, "abc");
    sf_strbuf_truncate(&sb, 1);
    assert_string_equal(sb.buf, "a");
    assert_int_equal(sb.len, 1);
    sf_strbuf_release(&sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_adding),
        cmocka_unit_test(test_growth_keeps_the_text),
        cmocka_unit_test(test_long_format),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_detach),
        cmocka_unit_test(test_splice),
        cmocka_unit_test(test_splice_into_nothing),
        cmocka_unit_test(test_truncate),
    };

    return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
