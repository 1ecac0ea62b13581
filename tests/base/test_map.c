/*
 * test_map.c: order of insertion, keys with NUL bytes, growth.
 */
#include "base/base.h"
#include "support/test.h"

static void test_keeps_order_and_finds(void **state)
{
    struct sf_map map = SF_MAP_INIT;
    struct sf_arena arena = SF_ARENA_INIT;
    enum { MANY = 5000 };
    static int values[MANY];

    (void)state;
    assert_null(sf_map_gets(&map, "nothing"));
    for (int i = 0; i < MANY; i++) {
        char name[16];
        int n = snprintf(name, sizeof(name), "k%d", i);

        assert_true(
            sf_map_add(&map, sf_arena_strndup(&arena, name, (size_t)n), (size_t)n, &values[i]));
    }
    assert_int_equal(map.count, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_ptr_equal(map.entries[i].value, &values[i]);
        assert_ptr_equal(sf_map_get(&map, map.entries[i].key, map.entries[i].len), &values[i]);
    }
    assert_null(sf_map_gets(&map, "k5000"));
    sf_map_release(&map);
    sf_arena_release(&arena);
}

static void test_first_value_stays(void **state)
{
    struct sf_map map = SF_MAP_INIT;
    int one, two;

    (void)state;
    assert_true(sf_map_add(&map, "key", 3, &one));
    assert_false(sf_map_add(&map, "key", 3, &two));
    assert_ptr_equal(sf_map_gets(&map, "key"), &one);
    assert_true(sf_map_add(&map, "key\0x", 5, &two));
    assert_ptr_equal(sf_map_get(&map, "key\0x", 5), &two);
    assert_true(sf_map_add(&map, "", 0, &two));
    assert_ptr_equal(sf_map_gets(&map, ""), &two);
    sf_map_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_order_and_finds),
        cmocka_unit_test(test_first_value_stays),
    };

    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
