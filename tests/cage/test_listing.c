/*
 * What is remembered of directories: that it is as they are, whatever happened to them since, and
 * that commands that share it are held by what is on the disk now.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/cage.h"
#include "cage/listing.h"
#include "support/cagecase.h"
#include "support/test.h"
#include "support/tree.h"

struct fixture {
    char *dir;
    struct sf_listings *all;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    f->dir = test_dir_new();
    f->all = sf_listings_new();
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    sf_listings_free(f->all);
    test_dir_free(f->dir);
    free(f);
    return 0;
}

static bool lists(struct fixture *f, const char *path, const char *name)
{
    struct sf_listing *listing = sf_listings_read(f->all, path);
    bool found = false;

    for (size_t i = 0; listing && i < listing->count; i++)
        found = found || !strcmp(listing->entries[i].name, name);
    sf_listing_done(listing);
    return found;
}

static void test_an_old_directory_is_read_once(void **state)
{
    struct fixture *f = *state;
    struct sf_listing *one = sf_listings_read(f->all, "/usr"), *again;
    const struct sf_listing_entry *entries = one->entries;

    assert_non_null(one);
    assert_true(one->count > 0);
    sf_listing_done(one);
    again = sf_listings_read(f->all, "/usr");
    assert_ptr_equal(again, one);
    assert_ptr_equal(again->entries, entries);
    sf_listing_done(again);
}

/* A walk may come by the same directory again, through a link. */
static void test_one_in_use_is_not_taken_away(void **state)
{
    struct fixture *f = *state;
    struct sf_listing *one = sf_listings_read(f->all, "/usr");
    struct sf_listing *other = sf_listings_read(f->all, "/usr");

    assert_non_null(one);
    assert_non_null(other);
    assert_ptr_not_equal(one, other);
    sf_listing_done(other);
    assert_non_null(one->entries[0].name);
    assert_true(strlen(one->entries[0].name) > 0);
    sf_listing_done(one);
}

static void test_what_comes_and_goes_shows_at_once(void **state)
{
    struct fixture *f = *state;

    tree_puts(f->dir, "a", "");
    assert_true(lists(f, f->dir, "a"));
    for (int i = 0; i < 20; i++) {
        char name[16];
        char *path;

        snprintf(name, sizeof(name), "new%d", i);
        assert_false(lists(f, f->dir, name));
        tree_puts(f->dir, name, "");
        assert_true(lists(f, f->dir, name));
        path = test_path(f->dir, name);
        assert_int_equal(unlink(path), 0);
        free(path);
        assert_false(lists(f, f->dir, name));
    }
}

static void test_another_directory_of_the_same_name_is_another(void **state)
{
    struct fixture *f = *state;
    char *link = test_path(f->dir, "link");

    assert_int_equal(symlink("/usr", link), 0);
    assert_true(lists(f, link, "bin"));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink("/etc", link), 0);
    assert_true(lists(f, link, "passwd"));
    assert_int_equal(unlink(link), 0);
    assert_null(sf_listings_read(f->all, link));
    free(link);
}

static void test_more_than_is_remembered_is_read_all_the_same(void **state)
{
    struct fixture *f = *state;
    struct sf_listing *held[SF_LISTING_DIRS + 8];

    for (size_t i = 0; i < SF_COUNT(held); i++) {
        struct sf_strbuf path = SF_STRBUF_INIT;

        sf_strbuf_adds(&path, "/usr");
        for (size_t k = 0; k < i; k++)
            sf_strbuf_adds(&path, "/.");
        held[i] = sf_listings_read(f->all, path.buf);
        assert_non_null(held[i]);
        sf_strbuf_release(&path);
    }
    for (size_t i = 0; i < SF_COUNT(held); i++)
        assert_int_equal(held[i]->count, held[0]->count);
    for (size_t i = 0; i < SF_COUNT(held); i++)
        sf_listing_done(held[i]);
    assert_true(lists(f, "/usr", "bin"));
}

/* ---- commands that share it ---- */

static int run(struct cage_sandbox *w, const char *script)
{
    struct sf_cage_plan plan;
    int code;

    cage_sandbox_plan(w, &plan);
    code = cage_sandbox_run(w, sf_kernel(), &plan, script)->code;
    sf_cage_plan_release(&plan);
    return code;
}

static void test_secrets_that_appear_between_commands_are_hidden(void **state)
{
    struct cage_sandbox *w = *state;

    if (!sf_kernel()->landlock)
        test_not_run("this kernel has no such fences");
    assert_int_equal(run(w, "cat $HOME/.config/gcloud/key || exit 7"), 7);
    tree_puts(w->home, ".config/other", "plain");
    tree_puts(w->home, ".config/gcloud/key", "secret");
    assert_int_equal(run(w, "cat $HOME/.config/gcloud/key || exit 7"), 7);
    assert_int_equal(run(w, "cat $HOME/.config/other"), 0);
}

static void test_files_that_appear_between_commands_are_readable(void **state)
{
    struct cage_sandbox *w = *state;

    assert_int_equal(run(w, "true"), 0);
    tree_puts(w->home, "notes.txt", "plain");
    assert_int_equal(run(w, "cat $HOME/notes.txt"), 0);
}

#define CAGED(name) cmocka_unit_test_setup_teardown(name, cage_sandbox_setup, cage_sandbox_teardown)

static int run_cages(void)
{
    const struct CMUnitTest tests[] = {
        CAGED(test_secrets_that_appear_between_commands_are_hidden),
        CAGED(test_files_that_appear_between_commands_are_readable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_an_old_directory_is_read_once),
        CASE(test_one_in_use_is_not_taken_away),
        CASE(test_what_comes_and_goes_shows_at_once),
        CASE(test_another_directory_of_the_same_name_is_another),
        CASE(test_more_than_is_remembered_is_read_all_the_same),
    };
    int failed = cage_as_user(run_cages);

    return failed + run_cages() + cmocka_run_group_tests(tests, NULL, NULL);
}
