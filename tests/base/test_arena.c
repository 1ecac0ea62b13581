/*
 * test_arena.c: aligned, zeroed, never moved, gone at once.
 */
#include "base/base.h"
#include "support/test.h"

static bool all_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* Sizes around a block's, each filled with its own byte: an overlap would show at the end. */
static void use_pieces(struct sf_arena arena)
{
    static const size_t sizes[] = { 1, 7, 16, 17, 100, 5000, 16383, 16384, 16385, 1048576, 3, 1 };
    unsigned char *pieces[SF_COUNT(sizes) * 8] = { NULL };

    for (size_t i = 0; i < SF_COUNT(pieces); i++) {
        size_t size = sizes[i % SF_COUNT(sizes)];

        pieces[i] = sf_arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        assert_true(all_zero(pieces[i], size));
        memset(pieces[i], (int)i + 1, size);
    }
    for (size_t i = 0; i < SF_COUNT(pieces); i++)
        for (size_t k = 0; k < sizes[i % SF_COUNT(sizes)]; k++)
            if (pieces[i][k] != i + 1)
                fail_msg("piece %zu was overwritten", i);
    assert_true(arena.used >= 8388608);
    sf_arena_release(&arena);
}

static void test_pieces_do_not_overlap(void **state)
{
    (void)state;
    use_pieces((struct sf_arena)SF_ARENA_INIT);
    use_pieces((struct sf_arena)SF_ARENA_MAPPED_INIT);
}

static void test_strndup(void **state)
{
    struct sf_arena arena = SF_ARENA_INIT;
    char *text = sf_arena_strndup(&arena, "a\0bcd", 4), *none = sf_arena_strndup(&arena, NULL, 0);

    (void)state;
    assert_memory_equal(text, "a\0bc", 5);
    assert_string_equal(none, "");
    assert_ptr_not_equal(text, none);
    sf_arena_release(&arena);
}

static void test_release_and_again(void **state)
{
    struct sf_arena arena = SF_ARENA_INIT;

    (void)state;
    sf_arena_release(&arena);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(arena.used, 0);
        assert_non_null(sf_arena_alloc(&arena, 0));
        assert_non_null(sf_arena_alloc(&arena, 10));
        assert_true(arena.used >= 10);
        sf_arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_do_not_overlap),
        cmocka_unit_test(test_strndup),
        cmocka_unit_test(test_release_and_again),
    };

    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
