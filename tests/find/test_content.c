/*
 * test_content.c: what kind of file it is, and that a file may change while it is read.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find/content.h"
#include "find/find.h"
#include "support/test.h"
#include "support/tree.h"

static const struct {
    const char *name, *data;
    size_t len;
    enum sf_content_kind want;
    const char *text;
} cases[] = {
    { "text", "a\nb\n", 4, SF_CONTENT_TEXT, "a\nb\n" },
    { "nothing", "", 0, SF_CONTENT_TEXT, "" },
    { "a NUL byte", "a\0b", 3, SF_CONTENT_BINARY, NULL },
    { "as much as allowed", "0123456789", 10, SF_CONTENT_TEXT, "0123456789" },
    { "one byte more", "0123456789a", 11, SF_CONTENT_LARGE, NULL },
    { "the mark of UTF-8",
      "\xef\xbb\xbf"
      "a",
      4, SF_CONTENT_TEXT, "a" },
    { "UTF-16",
      "\xff\xfe"
      "a\0\xe9\0",
      6, SF_CONTENT_TEXT, "aé" },
    { "UTF-16 the other way", "\xfe\xff\0a\x20\xac", 6, SF_CONTENT_TEXT, "a€" },
    { "UTF-16, a pair", "\xfe\xff\xd8\x3d\xde\x00", 6, SF_CONTENT_TEXT, "😀" },
    { "UTF-16, half a pair", "\xfe\xff\xd8\x3d\0a", 6, SF_CONTENT_TEXT,
      "\xef\xbf\xbd"
      "a" },
    { "UTF-16, half a unit", "\xfe\xff\0a\0", 5, SF_CONTENT_TEXT, "a\xef\xbf\xbd" },
    { "UTF-16, the mark alone", "\xff\xfe", 2, SF_CONTENT_TEXT, "" },
};

static void test_kinds(void **state)
{
    struct sf_content content = SF_CONTENT_INIT;
    int dir = tree_open(*state);

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        enum sf_content_kind got;

        tree_put(*state, "f", cases[i].data, cases[i].len);
        got = sf_content_load(&content, dir, "f", 10);
        if (got != cases[i].want ||
            (cases[i].text && (content.len != strlen(cases[i].text) ||
                               memcmp(content.text, cases[i].text, content.len) != 0)))
            fail_msg("%s: kind %d", cases[i].name, got);
    }
    sf_content_release(&content);
    close(dir);
}

static void test_things_that_are_no_files(void **state)
{
    struct sf_content content = SF_CONTENT_INIT;
    int dir = tree_open(*state);

    tree_puts(*state, "d/f", "x");
    assert_int_equal(symlinkat("d/f", dir, "link"), 0);
    assert_int_equal(mkfifoat(dir, "fifo", 0600), 0);
    for (const char *const *n = (const char *const[]){ "d", "link", "fifo", "none", NULL }; *n; n++)
        if (sf_content_load(&content, dir, *n, 100) != SF_CONTENT_UNREADABLE)
            fail_msg("%s was read", *n);
    sf_content_release(&content);
    close(dir);
}

struct changer {
    int fd;
    atomic_bool stop;
};

/* Makes the file long and short again, as fast as it can. */
static void *change(void *arg)
{
    struct changer *c = arg;

    while (!atomic_load(&c->stop))
        if (ftruncate(c->fd, 300000) < 0 || ftruncate(c->fd, 10) < 0)
            break;
    return NULL;
}

static void test_a_file_that_changes(void **state)
{
    struct sf_content content = SF_CONTENT_INIT;
    int dir = tree_open(*state);
    struct changer c = { .stop = false };
    pthread_t thread;

    tree_puts(*state, "f", "0123456789");
    c.fd = openat(dir, "f", O_RDWR | O_CLOEXEC);
    assert_int_equal(pthread_create(&thread, NULL, change, &c), 0);
    for (int i = 0; i < 2000; i++) {
        enum sf_content_kind kind = sf_content_load(&content, dir, "f", 200000);

        assert_true(kind == SF_CONTENT_TEXT || kind == SF_CONTENT_LARGE ||
                    kind == SF_CONTENT_BINARY);
        assert_true(kind == SF_CONTENT_LARGE || content.len <= 200000);
    }
    atomic_store(&c.stop, true);
    pthread_join(thread, NULL);
    close(c.fd);
    sf_content_release(&content);
    close(dir);
}

int main(void)
{
#define IN_DIR(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)
    const struct CMUnitTest tests[] = {
        IN_DIR(test_kinds),
        IN_DIR(test_things_that_are_no_files),
        IN_DIR(test_a_file_that_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
