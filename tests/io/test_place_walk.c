/*
 * The walk: what it remembers of the way, and which directories it knows by their shape.
 */
#include "base/base.h"
#include "io/io.h"
#include "support/place_case.h"
#include "support/test.h"

static void test_remembers_the_names_on_the_way(void **state)
{
    struct place_case *f = *state;

    place_tie(f, "ws/.sf", "src/cur");
    place_found(f, ".sf/config.toml", SF_WANT_FILE);
    assert_string_equal(f->place.real, "src/sub/config.toml");
    assert_int_equal(f->place.via.count, 2);
    assert_string_equal(f->place.via.items[0], ".sf/config.toml");
    assert_string_equal(f->place.via.items[1], "src/cur/config.toml");
}

static void test_sees_a_git_directory_by_its_shape(void **state)
{
    struct place_case *f = *state;

    place_make(f, "ws/src/objects", 0755);
    place_found(f, "src/config", SF_WANT_FILE);
    assert_false(f->place.git_dir);
    place_put(f, "ws/src/HEAD", "ref: refs/heads/main\n");
    place_found(f, "src/config", SF_WANT_FILE);
    assert_false(f->place.git_dir);
    place_found(f, "src/refs/heads/main", SF_WANT_FILE);
    assert_true(f->place.git_dir);
    place_make(f, "ws/src/refs", 0755);
    place_found(f, "src/config", SF_WANT_FILE);
    assert_true(f->place.git_dir);
    place_found(f, "src/hooks/pre-commit", SF_WANT_FILE);
    assert_true(f->place.git_dir);
    place_found(f, "src/a.c", SF_WANT_FILE);
    assert_false(f->place.git_dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(test_remembers_the_names_on_the_way),
        WITH_TREE(test_sees_a_git_directory_by_its_shape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
