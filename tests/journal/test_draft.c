/* Drafts: kept for their session, left to the next new one, never taken from who still writes. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "journal/draft.h"
#include "journal/session_lock.h"
#include "support/store_case.h"
#include "support/test.h"

static int setup(void **state)
{
    *state = test_dir_new();
    return 0;
}

static int teardown(void **state)
{
    test_dir_free(*state);
    return 0;
}

static void write_draft(const char *dir, const char *id, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;

    assert_true(sf_draft_write(dir, id, text, strlen(text), &err));
}

static void expect(const char *dir, const char *id, const char *wanted)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_draft_read(dir, id, 1000, &text);
    assert_int_equal(text.len, strlen(wanted));
    assert_memory_equal(text.len ? text.buf : "", wanted, text.len);
    sf_strbuf_release(&text);
}

static void set_time(const char *dir, const char *id, time_t seconds)
{
    const struct timespec times[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };
    char *drafts = sf_path_join(dir, "drafts"), *path = sf_path_join(drafts, id);

    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    free(path);
    free(drafts);
}

static void test_kept(void **state)
{
    struct stat st;
    char *path;

    expect(*state, "a", "");
    write_draft(*state, "a", "half a thought");
    write_draft(*state, "b", "another");
    expect(*state, "a", "half a thought");
    path = sf_path_join(*state, "drafts/a");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    write_draft(*state, "a", "");
    assert_int_equal(access(path, F_OK), -1);
    write_draft(*state, "a", "");
    free(path);
    expect(*state, "a", "");
    expect(*state, "b", "another");
}

/* Of three sessions in which nothing was said, one is being talked in; in the fourth it was. */
static void test_claimed(void **state)
{
    enum { OLDER, OLD, LIVE, USED, ALL };
    static const char *const texts[ALL] = { "of older", "of old", "being written", "stays there" };
    const char *dir = *state;
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    struct sf_event_new said = { .surface = "tui", .kind = "user", .json = "{}", .len = 2 };
    struct sf_event_ref ref;
    char ids[ALL][SF_ID_LEN + 1];
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error err = SF_ERROR_INIT;

    assert_false(sf_draft_claim(store, dir, "new"));
    for (int i = 0; i < ALL; i++) {
        test_store_session(store, ids[i]);
        write_draft(dir, ids[i], texts[i]);
        set_time(dir, ids[i], 1000 + i);
    }
    said.session = ids[USED];
    assert_true(sf_store_append(store, &said, &ref, &err));
    assert_true(sf_session_lock_take(dir, ids[LIVE], &lock, &err));
    assert_true(sf_draft_claim(store, dir, "new"));
    expect(dir, "new", texts[OLD]);
    expect(dir, ids[OLD], "");
    expect(dir, ids[OLDER], texts[OLDER]);
    expect(dir, ids[LIVE], texts[LIVE]);
    expect(dir, ids[USED], texts[USED]);
    sf_lock_drop(&lock);
    sf_store_close(store);
}

static void test_no_room(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *path = sf_path_join(*state, "drafts");

    test_write(path, "a file", 6);
    assert_false(sf_draft_write(*state, "a", "text", 4, &err));
    assert_true(err.msg[0]);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_claimed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_room, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
