/* Notes for later sessions: added line by line, held to their sizes, never through a link. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "session/session.h"
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

static void assert_holds(const char *path, const char *text)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_memory_read(path, &out, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(out.buf, text);
    sf_strbuf_release(&out);
}

static void test_notes(void **state)
{
    char *path = test_path(*state, "config/sf/memory.md"); /* its directory is made */
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct stat st;

    assert_false(sf_memory_read(path, &out, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    assert_true(sf_memory_note(path, "one", &err));
    assert_holds(path, "- one\n");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_true(sf_memory_write(path, "# Mine\n\nby hand", 15, &err));
    assert_true(sf_memory_note(path, "two\nlines \033[31m", &err));
    assert_holds(path, "# Mine\n\nby hand\n- two lines \xe2\x90\x9b[31m\n");
    free(path);
}

static void test_sizes(void **state)
{
    char *path = test_path(*state, "memory.md");
    struct sf_strbuf note = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int count = 0;

    sf_strbuf_fill(&note, 'x', SF_MEMORY_NOTE + 1);
    assert_false(sf_memory_note(path, note.buf, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_int_equal(access(path, F_OK), -1);
    sf_strbuf_truncate(&note, SF_MEMORY_NOTE);
    while (count < 100 && sf_memory_note(path, note.buf, &err))
        count++;
    assert_int_equal(count, SF_MEMORY_BYTES / (SF_MEMORY_NOTE + 3));
    assert_non_null(strstr(err.msg, "the memory is full"));
    sf_strbuf_reset(&note);
    sf_strbuf_fill(&note, 'x', SF_MEMORY_FILE + 1);
    assert_false(sf_memory_write(path, note.buf, note.len, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_release(&note);
    free(path);
}

static void test_links(void **state)
{
    char *path = test_path(*state, "memory.md"), *other = test_path(*state, "other");
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    test_write(other, "theirs", 6);
    assert_int_equal(symlink(other, path), 0);
    assert_false(sf_memory_read(path, &out, &err));
    assert_false(sf_memory_note(path, "mine", &err));
    assert_false(sf_memory_write(path, "mine", 4, &err));
    assert_non_null(strstr(err.msg, "is a link"));
    assert_int_equal(out.len, 0);
    assert_holds(other, "theirs");
    free(path);
    free(other);
}

static void test_places(void **state)
{
    char *path = sf_memory_path(SF_MEMORY_PROJECT, "/state", "/own");

    (void)state;
    assert_string_equal(path, "/state/memory.md");
    free(path);
    path = sf_memory_path(SF_MEMORY_USER, "/state", "/own");
    assert_string_equal(path, "/own/memory.md");
    free(path);
    assert_null(sf_memory_path(SF_MEMORY_USER, "/state", NULL));
    assert_null(sf_memory_path(SF_MEMORY_PROJECT, NULL, "/own"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_notes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_links, setup, teardown),
        cmocka_unit_test(test_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
