/*
 * Deeds through the handle of a place: they touch what was looked at, or nothing.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/place_case.h"
#include "support/snapshot.h"
#include "support/test.h"

static void test_replaces_through_the_handle(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;
    char *path = test_path(f->top, "ws/src/a.c"), *second = test_path(f->top, "out/hard");
    struct stat st;

    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(link(path, second), 0);
    place_found(f, "link", SF_WANT_FILE);
    assert_int_equal(f->place.st.st_nlink, 2);
    assert_true(place_replace(f, "new", &err));
    assert_true(place_replace(f, "newer", &err)); /* the place stands for the new file now */
    assert_int_equal(stat(path, &st), 0);
    free(path);
    free(second);
    assert_int_equal(st.st_mode & 07777, 0640);
    place_expect(f, "ws/src/a.c", "newer");
    place_expect(f, "out/hard", "old"); /* the other name keeps the old bytes */
    snapshot_take(f->top, &f->after);
    for (size_t i = 0; i < f->after.count; i++)
        assert_null(strstr(f->after.items[i], ".sf-tmp"));
}

static void swap_for_link(const struct place_case *f)
{
    place_carry(f, "ws/src", "ws/s2");
    place_tie_to(f, "ws/src", "out");
}

static void move_out(const struct place_case *f)
{
    place_carry(f, "ws/src", "out/src");
}

static void move_inside(const struct place_case *f)
{
    place_carry(f, "ws/src", "ws/elsewhere");
}

static void other_directory(const struct place_case *f)
{
    place_carry(f, "ws/src", "ws/s2");
    place_make(f, "ws/src", 0755);
    place_put(f, "ws/src/a.c", "old");
}

static void file_to_link(const struct place_case *f)
{
    place_carry(f, "ws/src/a.c", "ws/src/b.c");
    place_tie_to(f, "ws/src/a.c", "out/a.c");
}

static void edit(const struct place_case *f)
{
    place_put(f, "ws/src/a.c", "the user's");
}

static void other_file(const struct place_case *f)
{
    place_put(f, "ws/src/b.c", "old");
    place_carry(f, "ws/src/b.c", "ws/src/a.c");
}

static void gone(const struct place_case *f)
{
    place_carry(f, "ws/src/a.c", "ws/src/b.c");
}

static const struct {
    const char *name;
    void (*happen)(const struct place_case *f);
} changes[] = {
    { "the directory became a link out", swap_for_link },
    { "the directory went out", move_out },
    { "the directory went elsewhere inside", move_inside },
    { "another directory has its name", other_directory },
    { "the file became a link out", file_to_link },
    { "the user edited it", edit },
    { "another file has its name", other_file },
    { "the file is gone", gone },
};

/* Every deed on an existing file, against every change since it was looked at. */
static void refuse_all(struct place_case *f, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    bool replaced = place_replace(f, "new", &err), busy = err.code == SF_E_BUSY;
    bool removed = sf_place_remove(&f->place, &err), moved;

    moved = sf_place_move(&f->place, &f->other, &err);
    if (replaced || removed || moved || !busy || err.code != SF_E_BUSY)
        fail_msg("%s: %d %d %d, %s", name, replaced, removed, moved, err.msg);
}

static void test_refuses_what_changed(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(changes); i++) {
        struct place_case *f;

        place_teardown(state);
        place_setup(state);
        f = *state;
        place_found(f, "src/a.c", SF_WANT_FILE);
        assert_true(sf_place_resolve(&f->root, "moved.c", 7, SF_WANT_FILE, &f->other, &err));
        changes[i].happen(f);
        snapshot_take(f->top, &f->before);
        refuse_all(f, changes[i].name);
        snapshot_take(f->top, &f->after);
        if (snapshot_lost(&f->before, &f->after) || f->before.count != f->after.count)
            fail_msg("%s: something changed", changes[i].name);
    }
}

static void test_creates_with_directories(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;

    place_found(f, "src/x/y/z.c", SF_WANT_FILE);
    assert_true(sf_place_create(&f->place, "text", 4, 0600, &err));
    place_expect(f, "ws/src/x/y/z.c", "text");
    assert_true(place_replace(f, "more", &err));
    place_expect(f, "ws/src/x/y/z.c", "more");
    place_found(f, "src/x/y/z.c", SF_WANT_FILE);
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_EXIST);
}

static void test_create_leaves_nothing_half_done(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;

    /* Somebody makes a link where a directory was to be made. */
    place_found(f, "src/x/y/z.c", SF_WANT_FILE);
    place_tie_to(f, "ws/src/x", "out");
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_false(place_there(f, "out/y"));

    /* Somebody makes the directories, and the file. */
    place_found(f, "src/p/q.c", SF_WANT_FILE);
    place_make(f, "ws/src/p", 0755);
    place_put(f, "ws/src/p/q.c", "faster");
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_EXIST);
    place_expect(f, "ws/src/p/q.c", "faster");

    /* The directory moves away: what was made goes again. */
    place_found(f, "src/sub/m/n/o.c", SF_WANT_FILE);
    place_carry(f, "ws/src/sub", "out/sub");
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_BUSY);
    assert_false(place_there(f, "out/sub/m"));
}

static void test_failed_create_takes_its_directories_back(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;
    struct sf_strbuf path = SF_STRBUF_INIT;
    bool ok;

    /* A name that cannot be: the kernel refuses it after the directories are there. */
    sf_strbuf_adds(&path, "src/d/e/");
    sf_strbuf_fill(&path, 'n', NAME_MAX);
    place_found(f, path.buf, SF_WANT_FILE);
    free(f->place.name);
    sf_strbuf_addch(&path, 'n');
    f->place.name = sf_strdup(path.buf + strlen("src/d/e/"));
    sf_strbuf_release(&path);
    ok = sf_place_create(&f->place, "text", 4, 0600, &err);
    assert_false(ok);
    assert_false(place_there(f, "ws/src/d"));
}

static void test_heeds_missing_write_bits(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;
    char *path = test_path(f->top, "ws/src/a.c"), *dir = test_path(f->top, "ws/ro");

    assert_int_equal(chmod(path, 0444), 0);
    place_make(f, "ws/ro", 0555);
    place_found(f, "src/a.c", SF_WANT_FILE);
    assert_false(place_replace(f, "new", &err));
    assert_int_equal(err.code, SF_E_READONLY);
    place_found(f, "ro/x", SF_WANT_FILE);
    assert_false(sf_place_create(&f->place, "text", 4, 0600, &err));
    assert_int_equal(err.code, SF_E_READONLY);
    assert_non_null(strstr(err.msg, "permission denied"));
    free(path);
    free(dir);
}

static void test_removes_names_only(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;

    place_found(f, "link", SF_WANT_NAME);
    assert_true(sf_place_remove(&f->place, &err));
    assert_false(place_there(f, "ws/link"));
    place_expect(f, "ws/src/a.c", "old");
    assert_false(sf_place_remove(&f->place, &err));
    assert_int_equal(err.code, SF_E_NOENT);
}

static void test_moves_files(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct place_case *f = *state;

    place_found(f, "src/a.c", SF_WANT_NAME);
    assert_true(sf_place_resolve(&f->root, "docs/new/a.c", 12, SF_WANT_FILE, &f->other, &err));
    assert_true(sf_place_move(&f->place, &f->other, &err));
    place_expect(f, "ws/docs/new/a.c", "old");
    assert_false(place_there(f, "ws/src/a.c"));
    place_put(f, "ws/src/b.c", "b");
    place_found(f, "src/b.c", SF_WANT_NAME);
    assert_false(sf_place_move(&f->place, &f->other, &err));
    assert_int_equal(err.code, SF_E_EXIST);
}

static void test_reads_what_was_seen(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct place_case *f = *state;
    bool ok;

    place_found(f, "link", SF_WANT_FILE);
    ok = sf_place_read(&f->place, 100, &text, &err) && !strcmp(text.buf, "old");
    file_to_link(f);
    ok = ok && !sf_place_read(&f->place, 100, &text, &err) && !strcmp(text.buf, "old");
    sf_strbuf_release(&text);
    assert_true(ok);
    assert_int_equal(err.code, SF_E_BUSY);
    place_found(f, "src/nothing", SF_WANT_FILE);
    assert_int_equal(sf_place_open_read(&f->place, &err), -1);
    assert_int_equal(err.code, SF_E_NOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(test_replaces_through_the_handle),
        WITH_TREE(test_refuses_what_changed),
        WITH_TREE(test_creates_with_directories),
        WITH_TREE(test_create_leaves_nothing_half_done),
        WITH_TREE(test_failed_create_takes_its_directories_back),
        WITH_TREE(test_heeds_missing_write_bits),
        WITH_TREE(test_removes_names_only),
        WITH_TREE(test_moves_files),
        WITH_TREE(test_reads_what_was_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
