/*
 * The log: nothing before the first line, whole lines from many processes, rotation without
 * loss, and no text that could do harm when shown.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static int open_dir(void **state)
{
    return test_dir_setup(state);
}

static int close_log_and_dir(void **state)
{
    sf_log_close();
    return test_dir_teardown(state);
}

static bool exists(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}

/* "2026-11-16T05:09:53.123Z 1234 info text": the text, or NULL when the line is not like that. */
static const char *text_of(const char *line, const char *level)
{
    static const char shape[] = "dddd-dd-ddTdd:dd:dd.dddZ ";
    char head[64];

    for (size_t i = 0; shape[i]; i++) {
        bool digit = line[i] >= '0' && line[i] <= '9';

        if (shape[i] == 'd' ? !digit : line[i] != shape[i])
            return NULL;
    }
    snprintf(head, sizeof(head), "%d %s ", (int)getpid(), level);
    line += sizeof(shape) - 1;
    return strncmp(line, head, strlen(head)) ? NULL : line + strlen(head);
}

static void test_lazy_and_private(void **state)
{
    char *dir = test_path(*state, "a/b");
    char *path = test_path(dir, "sf.log");
    mode_t before = umask(0);
    struct stat st;
    char *got;

    sf_log_open(path, SF_LOG_INFO);
    sf_log(SF_LOG_DEBUG, "not wanted");
    assert_false(exists(dir));
    errno = ERANGE;
    sf_log(SF_LOG_INFO, "hello %d", 42);
    assert_int_equal(errno, ERANGE);
    umask(before);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(stat(dir, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    got = test_read(path, NULL);
    assert_non_null(text_of(got, "info"));
    assert_string_equal(text_of(got, "info"), "hello 42\n");
    free(got);
    free(path);
    free(dir);
}

static void test_closed_log_is_silent(void **state)
{
    char *path = test_path(*state, "sf.log");
    int evaluated = 0;

    sf_log(SF_LOG_ERROR, "%d", ++evaluated);
    sf_log_open(path, SF_LOG_ERROR);
    sf_log(SF_LOG_WARN, "%d", ++evaluated);
    assert_int_equal(evaluated, 0);
    sf_log_close();
    sf_log(SF_LOG_ERROR, "%d", ++evaluated);
    assert_int_equal(evaluated, 0);
    assert_false(exists(path));
    free(path);
}

static const struct {
    const char *name, *text, *want;
} hostile[] = {
    { "new line", "a\nb", "a\\nb" },
    { "forged line", "x\n2026-01-01T00:00:00.000Z 1 error gone",
      "x\\n2026-01-01T00:00:00.000Z 1 error gone" },
    { "escape sequence", "\x1b[2Jx\x1b]52;c;eA==\a", "\\x1b[2Jx\\x1b]52;c;eA==\\x07" },
    { "C1 control as UTF-8",
      "\xc2\x9b"
      "31m",
      "\\xc2\\x9b31m" },
    { "C1 control as a byte",
      "\x9b"
      "31m",
      "\\x9b31m" },
    { "broken UTF-8", "\xe2\x82 \xff \xc0\xaf \xed\xa0\x80",
      "\\xe2\\x82 \\xff \\xc0\\xaf \\xed\\xa0\\x80" },
    { "sequence cut at the end", "ab\xf0\x9f\x98", "ab\\xf0\\x9f\\x98" },
    { "good UTF-8 stays", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
      "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80" },
    { "backslash and tab", "a\\n\tb\r\x7f", "a\\\\n\\tb\\r\\x7f" },
    { "nothing", "", "" },
};

static void test_hostile_text(void **state)
{
    char *path = test_path(*state, "sf.log");

    for (size_t i = 0; i < SF_COUNT(hostile); i++) {
        const char *text;
        size_t len;
        char *got;
        bool ok;

        sf_log_open(path, SF_LOG_INFO);
        sf_log(SF_LOG_ERROR, "%s", hostile[i].text);
        sf_log_close();
        got = test_read(path, NULL);
        unlink(path);
        text = text_of(got, "error");
        len = strlen(hostile[i].want);
        ok = text && !strncmp(text, hostile[i].want, len) && !strcmp(text + len, "\n");
        free(got);
        if (!ok)
            fail_msg("%s", hostile[i].name);
    }
    free(path);
}

static void test_long_lines_are_cut(void **state)
{
    static const char fills[][3] = { "xx", "\x1b\x1b", "\xc3\xbc" };
    char *path = test_path(*state, "sf.log");
    char text[20000];

    for (size_t i = 0; i < SF_COUNT(fills); i++) {
        size_t len;
        char *got;

        for (size_t k = 0; k + 1 < sizeof(text); k++)
            text[k] = fills[i][k % 2];
        text[sizeof(text) - 1] = '\0';
        sf_log_open(path, SF_LOG_INFO);
        sf_log(SF_LOG_WARN, "%s", text);
        sf_log_close();
        got = test_read(path, &len);
        unlink(path);
        assert_true(len <= 4096 && len > 4000);
        assert_string_equal(got + len - 4, "\xe2\x80\xa6\n");
        assert_ptr_equal(strchr(got, '\n'), got + len - 1);
        free(got);
    }
    free(path);
}

/* Each process writes numbered lines whose length and filling follow from the number. */
static int write_lines(const char *path, char who, int count, int width)
{
    char fill[512];

    memset(fill, who, sizeof(fill));
    sf_log_open(path, SF_LOG_INFO);
    for (int i = 0; i < count; i++)
        sf_log(SF_LOG_INFO, "%c %d %.*s.", who, i, width ? width : i % 200, fill);
    sf_log_close();
    return 0;
}

static bool run_writers(const char *path, int count, int width)
{
    pid_t pids[2];
    bool ok = true;

    for (int i = 0; i < 2; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            _exit(write_lines(path, (char)('A' + i), count, width));
    }
    for (int i = 0; i < 2; i++) {
        int status = 1;

        ok = TEMP_FAILURE_RETRY(waitpid(pids[i], &status, 0)) == pids[i] && status == 0 && ok;
    }
    return ok;
}

/* Counts well-formed lines per writer; anything else goes to bad. */
static void count_lines(const char *path, int good[2], int *bad)
{
    size_t len;
    char *got = test_read(path, &len);
    char *rest = got, *line;

    while ((line = strsep(&rest, "\n")) && rest) {
        char who = 0;
        int pid = 0, number = -1, fill_at = 0;

        sscanf(line, "%*24s %d info %c %d %n", &pid, &who, &number, &fill_at);
        if ((who == 'A' || who == 'B') && number >= 0 && line[strlen(line) - 1] == '.' &&
            strspn(line + fill_at, who == 'A' ? "A" : "B") == strlen(line + fill_at) - 1)
            good[who - 'A']++;
        else
            (*bad)++;
    }
    free(got);
}

static void test_two_processes_interleave_lines(void **state)
{
    enum { LINES = 1000 };
    char *path = test_path(*state, "sf.log");
    int good[2] = { 0, 0 }, bad = 0;

    assert_true(run_writers(path, LINES, 0));
    count_lines(path, good, &bad);
    assert_int_equal(good[0], LINES);
    assert_int_equal(good[1], LINES);
    assert_int_equal(bad, 0);
    free(path);
}

/* 2 × 8000 lines of about 440 bytes: more than one file, less than two rotations. */
static void test_rotation_keeps_lines(void **state)
{
    enum { LINES = 8000, WIDTH = 400 };
    char *path = test_path(*state, "sf.log");
    char *old = test_path(*state, "sf.log.1");
    int good[2] = { 0, 0 }, bad = 0;
    struct stat st;

    assert_true(run_writers(path, LINES, WIDTH));
    assert_int_equal(stat(old, &st), 0);
    assert_true(st.st_size >= 4 << 20);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size < 4 << 20);
    assert_int_equal(st.st_mode & 07777, 0600);
    count_lines(path, good, &bad);
    count_lines(old, good, &bad);
    assert_int_equal(good[0], LINES);
    assert_int_equal(good[1], LINES);
    assert_int_equal(bad, 0);
    free(old);
    free(path);
}

static void test_removed_file_is_begun_anew(void **state)
{
    char *path = test_path(*state, "sf.log");
    char *got;

    sf_log_open(path, SF_LOG_INFO);
    sf_log(SF_LOG_INFO, "first");
    assert_int_equal(unlink(path), 0);
    sf_log(SF_LOG_INFO, "second");
    got = test_read(path, NULL);
    assert_non_null(strstr(got, "second"));
    free(got);
    free(path);
}

/* Nobody reads the FIFO and the link points outside: neither may be written, nothing may hang. */
static void test_refused_places(void **state)
{
    char *fifo = test_path(*state, "fifo");
    char *link_path = test_path(*state, "link");
    char *target = test_path(*state, "target");
    char *file = test_path(*state, "file");
    char *below = test_path(file, "sf.log");

    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(symlink(target, link_path), 0);
    test_write(file, "x", 1);
    sf_log_open(fifo, SF_LOG_INFO);
    sf_log(SF_LOG_ERROR, "lost");
    sf_log_open(link_path, SF_LOG_INFO);
    sf_log(SF_LOG_ERROR, "lost");
    assert_false(exists(target));
    sf_log_open(below, SF_LOG_INFO);
    sf_log(SF_LOG_ERROR, "lost");
    free(below);
    free(file);
    free(target);
    free(link_path);
    free(fifo);
}

static void test_level_names(void **state)
{
    static const char *const wrong[] = { "", "Info", "verbose", "info ", "infox" };
    enum sf_log_level level;

    (void)state;
    for (int i = SF_LOG_ERROR; i <= SF_LOG_DEBUG; i++) {
        assert_true(sf_log_level_parse(sf_log_level_name((enum sf_log_level)i), &level));
        assert_int_equal(level, i);
    }
    for (size_t i = 0; i < SF_COUNT(wrong); i++)
        assert_false(sf_log_level_parse(wrong[i], &level));
}

#define WITH_LOG(fn) cmocka_unit_test_setup_teardown(fn, open_dir, close_log_and_dir)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_LOG(test_lazy_and_private),
        WITH_LOG(test_closed_log_is_silent),
        WITH_LOG(test_hostile_text),
        WITH_LOG(test_long_lines_are_cut),
        WITH_LOG(test_two_processes_interleave_lines),
        WITH_LOG(test_rotation_keeps_lines),
        WITH_LOG(test_removed_file_is_begun_anew),
        WITH_LOG(test_refused_places),
        cmocka_unit_test(test_level_names),
    };

    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
