/*
 * test_file.c: what is read and what is refused, and that a write either happened or did not.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static void expect_content(const char *path, const char *want)
{
    char *got = test_read(path, NULL);
    bool same = !strcmp(got, want);

    free(got);
    if (!same)
        fail_msg("%s does not hold \"%s\"", path, want);
}

static mode_t mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static size_t entries_in(const char *dir)
{
    DIR *d = opendir(dir);
    size_t count = 0;

    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count - 2;
}

static void write_ok(const char *path, const char *text, mode_t mode)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_file_write_atomic(path, text, strlen(text), mode, &err))
        fail_msg("%s", err.msg);
}

static void make_fifo(const char *path)
{
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_dir(const char *path)
{
    assert_int_equal(mkdir(path, 0700), 0);
}

static void make_socket(const char *path)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0 && strlen(path) < sizeof(addr.sun_path));
    memcpy(addr.sun_path, path, strlen(path) + 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
    close(fd);
}

static void make_ten_bytes(const char *path)
{
    test_write(path, "0123456789", 10);
}

static void make_loop(const char *path)
{
    assert_int_equal(symlink("it", path), 0);
}

static void make_nothing(const char *path)
{
    (void)path;
}

static const struct {
    const char *name;
    void (*make)(const char *path);
    size_t max;
    enum sf_errc want;
    const char *words; /* part of the message */
} refused_reads[] = {
    { "a file that is not there", make_nothing, 100, SF_E_NOENT, "no such file" },
    { "a FIFO nobody writes to", make_fifo, 100, SF_E_ARG, "not a regular file" },
    { "a directory", make_dir, 100, SF_E_ARG, "a directory" },
    { "a socket", make_socket, 100, SF_E_IO, "cannot open" },
    { "one byte too many", make_ten_bytes, 9, SF_E_LIMIT, "larger than 9 bytes" },
    { "nothing allowed", make_ten_bytes, 0, SF_E_LIMIT, "larger than 0 bytes" },
    { "a link to itself", make_loop, 100, SF_E_IO, "too many levels" },
};

static void test_refused_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(refused_reads); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        char *dir = test_dir_new();
        char *path = test_path(dir, "it");
        bool ok, kept;

        refused_reads[i].make(path);
        sf_strbuf_adds(&out, "before");
        ok = sf_file_read(path, refused_reads[i].max, &out, &err);
        kept = !strcmp(out.buf, "before");
        sf_strbuf_release(&out);
        free(path);
        test_dir_free(dir);
        if (ok || err.code != refused_reads[i].want || !strstr(err.msg, refused_reads[i].words))
            fail_msg("%s: ok %d, code %d, %s", refused_reads[i].name, ok, err.code, err.msg);
        if (!kept)
            fail_msg("%s: the buffer changed", refused_reads[i].name);
    }
}

static void test_device_does_not_hang(void **state)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_false(sf_file_read("/dev/zero", 100, &out, &err));
    assert_int_equal(err.code, SF_E_ARG);
    sf_strbuf_release(&out);
}

static void test_reads_bytes_of_any_kind(void **state)
{
    char *path = test_path(*state, "bytes");
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    test_write(path, "a\0b\xff\n", 5);
    sf_strbuf_adds(&out, ">");
    assert_true(sf_file_read(path, 5, &out, &err));
    assert_int_equal(out.len, 6);
    assert_memory_equal(out.buf, ">a\0b\xff\n", 6);
    test_write(path, "", 0);
    sf_strbuf_reset(&out);
    assert_true(sf_file_read(path, 0, &out, &err));
    assert_int_equal(out.len, 0);
    sf_strbuf_release(&out);
    free(path);
}

/* Files of /proc say they are empty, and have content all the same. */
static void test_size_is_only_a_hint(void **state)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    assert_true(sf_file_read("/proc/self/status", 1 << 20, &out, &err));
    assert_non_null(strstr(out.buf, "Pid:"));
    sf_strbuf_reset(&out);
    assert_false(sf_file_read("/proc/self/status", 10, &out, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    assert_int_equal(out.len, 0);
    sf_strbuf_release(&out);
}

static void test_large_file_round_trip(void **state)
{
    enum { SIZE = 3 * 1024 * 1024 + 7 };
    char *path = test_path(*state, "large");
    struct sf_strbuf data = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    for (int i = 0; i < SIZE; i++)
        sf_strbuf_addch(&data, (char)(i * 31 >> 3));
    assert_true(sf_file_write_atomic(path, data.buf, data.len, 0600, &err));
    assert_true(sf_file_read(path, SIZE, &out, &err));
    assert_int_equal(out.len, SIZE);
    assert_memory_equal(out.buf, data.buf, SIZE);
    sf_strbuf_release(&data);
    sf_strbuf_release(&out);
    free(path);
}

static void test_write_keeps_mode(void **state)
{
    char *path = test_path(*state, "script");
    mode_t before = umask(0);

    write_ok(path, "one", 0640);
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(chmod(path, 0751), 0);
    write_ok(path, "two", 0600);
    assert_int_equal(mode_of(path), 0751);
    expect_content(path, "two");
    assert_int_equal(entries_in(*state), 1);
    umask(before);
    free(path);
}

static void test_new_file_heeds_umask(void **state)
{
    char *path = test_path(*state, "private");
    mode_t before = umask(077);

    write_ok(path, "x", 0666);
    umask(before);
    assert_int_equal(mode_of(path), 0600);
    free(path);
}

static void test_name_of_greatest_length(void **state)
{
    char name[256];
    char *path;

    memset(name, 'n', 255);
    name[255] = '\0';
    path = test_path(*state, name);
    write_ok(path, "fits", 0600);
    expect_content(path, "fits");
    free(path);
}

static void test_symlinks_stay(void **state)
{
    char *real_dir = test_path(*state, "dotfiles");
    char *target = test_path(real_dir, "config");
    char *link_path = test_path(*state, "link");
    char *second = test_path(*state, "second");
    struct stat st;

    make_dir(real_dir);
    test_write(target, "old", 3);
    assert_int_equal(symlink("dotfiles/config", link_path), 0);
    assert_int_equal(symlink(link_path, second), 0);
    write_ok(second, "new", 0600);
    expect_content(target, "new");
    assert_int_equal(lstat(second, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat(link_path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(entries_in(real_dir), 1);

    assert_int_equal(unlink(target), 0);
    write_ok(second, "made", 0600);
    expect_content(target, "made");
    free(second);
    free(link_path);
    free(target);
    free(real_dir);
}

static const struct {
    const char *name;
    void (*make)(const char *path);
    const char *file; /* below the scratch directory */
    enum sf_errc want;
} refused_writes[] = {
    { "over a directory", make_dir, "it", SF_E_ARG },
    { "over a FIFO", make_fifo, "it", SF_E_ARG },
    { "through a link to itself", make_loop, "it", SF_E_IO },
    { "into a directory that is not there", make_nothing, "it/file", SF_E_NOENT },
    { "below a file", make_ten_bytes, "it/file", SF_E_NOENT },
    { "to a name that ends in a slash", make_nothing, "it/", SF_E_NOENT },
    { "to no name", make_dir, "it/", SF_E_ARG },
};

static void test_refused_writes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(refused_writes); i++) {
        struct sf_error err = SF_ERROR_INIT;
        char *dir = test_dir_new();
        char *it = test_path(dir, "it");
        char *path = test_path(dir, refused_writes[i].file);
        size_t before, after;
        bool ok;

        refused_writes[i].make(it);
        before = entries_in(dir);
        ok = sf_file_write_atomic(path, "x", 1, 0600, &err);
        after = entries_in(dir);
        free(path);
        free(it);
        test_dir_free(dir);
        if (ok || err.code != refused_writes[i].want || before != after)
            fail_msg("%s: ok %d, code %d, %s", refused_writes[i].name, ok, err.code, err.msg);
    }
}

/* Runs `fn` in a process of its own and returns its exit code: limits and users stay there. */
static int in_process(int (*fn)(const char *path), const char *path)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0)
        _exit(fn(path));
    assert_true(pid > 0);
    assert_int_equal(TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* 0: refused with a message of its own, as it must be. */
static int write_too_much(const char *path)
{
    static char data[65536];
    const struct rlimit limit = { 8192, 8192 };
    struct sf_error err = SF_ERROR_INIT;

    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
        return 2;
    if (sf_file_write_atomic(path, data, sizeof(data), 0600, &err))
        return 3;
    return strstr(err.msg, "file too large") ? 0 : 4;
}

static void test_failed_write_keeps_old(void **state)
{
    char *path = test_path(*state, "kept");

    write_ok(path, "old content", 0600);
    assert_int_equal(in_process(write_too_much, path), 0);
    expect_content(path, "old content");
    assert_int_equal(entries_in(*state), 1);
    free(path);
}

static int write_read_only(const char *path)
{
    struct sf_error err = SF_ERROR_INIT;

    if (getuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
        return 2;
    if (sf_file_write_atomic(path, "new", 3, 0600, &err))
        return 3;
    return err.code == SF_E_READONLY ? 0 : 4;
}

static void test_read_only_file_is_respected(void **state)
{
    char *path = test_path(*state, "locked");

    write_ok(path, "old", 0444);
    assert_int_equal(chmod(*state, 0777), 0);
    assert_int_equal(in_process(write_read_only, path), 0);
    expect_content(path, "old");
    assert_int_equal(entries_in(*state), 1);
    free(path);
}

/* A full disk for real, where mounting is permitted; the limit above covers the rest. */
static void test_full_disk_keeps_old(void **state)
{
    static char data[1 << 20];
    char *mounted = test_path(*state, "small");
    char *path = test_path(mounted, "kept");
    struct sf_error err = SF_ERROR_INIT;
    bool ok, again;
    size_t entries;

    make_dir(mounted);
    if (mount("none", mounted, "tmpfs", 0, "size=64k") < 0) {
        free(path);
        free(mounted);
        test_not_run("mounting is not allowed here");
        return;
    }
    write_ok(path, "old content", 0600);
    ok = sf_file_write_atomic(path, data, sizeof(data), 0600, &err);
    entries = entries_in(mounted);
    expect_content(path, "old content");
    again = sf_file_write_atomic(path, "newer", 5, 0600, &err);
    umount(mounted);
    free(path);
    free(mounted);
    assert_false(ok);
    assert_int_equal(entries, 1);
    assert_true(again);
}

/* One writer replaces the file again and again; readers see whole versions only. */
static int write_versions(const char *path)
{
    char data[5000];
    struct sf_error err = SF_ERROR_INIT;

    for (int i = 0; i < 200; i++) {
        memset(data, 'a' + i % 26, sizeof(data));
        if (!sf_file_write_atomic(path, data, 1000 + (size_t)i * 20, 0600, &err))
            return 1;
    }
    return 0;
}

static void test_reader_never_sees_a_mixture(void **state)
{
    char *path = test_path(*state, "versions");
    int status = 0;
    bool mixed = false;
    pid_t pid;

    write_ok(path, "a", 0600);
    pid = fork();
    if (pid == 0)
        _exit(write_versions(path));
    assert_true(pid > 0);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        size_t len;
        char *got = test_read(path, &len);

        mixed = mixed || len == 0;
        for (size_t i = 1; i < len; i++)
            mixed = mixed || got[i] != got[0];
        free(got);
    }
    assert_false(mixed);
    assert_int_equal(status, 0);
    free(path);
}

static void test_owner_is_kept(void **state)
{
    struct stat st;
    char *path;

    if (getuid() != 0)
        test_not_run("only root can set this up");
    path = test_path(*state, "theirs");
    write_ok(path, "old", 0640);
    assert_int_equal(chown(path, 65534, 65534), 0);
    write_ok(path, "new", 0600);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_uid, 65534);
    assert_int_equal(st.st_gid, 65534);
    assert_int_equal(st.st_mode & 07777, 0640);
    free(path);
}

static const struct {
    const char *name, *path;
    bool ok;
    enum sf_errc code;
} dirs[] = {
    { "three new ones", "a/b/c", true, SF_E_NONE },
    { "all there already", "a/b/c", true, SF_E_NONE },
    { "slashes in plenty", "a//d///e//", true, SF_E_NONE },
    { "through a link to a directory", "link/below", true, SF_E_NONE },
    { "below a file", "file/x", false, SF_E_EXIST },
    { "over a file", "file", false, SF_E_EXIST },
    { "over a link to nothing", "dangling", false, SF_E_EXIST },
};

static void test_directories(void **state)
{
    char *file = test_path(*state, "file");
    char *link_path = test_path(*state, "link");
    char *dangling = test_path(*state, "dangling");
    char *deep = test_path(*state, "a/b");
    struct sf_error err = SF_ERROR_INIT;

    test_write(file, "", 0);
    assert_int_equal(symlink(".", link_path), 0);
    assert_int_equal(symlink("nowhere/at/all", dangling), 0);
    for (size_t i = 0; i < SF_COUNT(dirs); i++) {
        char *path = test_path(*state, dirs[i].path);
        struct stat st;
        bool ok = sf_dir_make(path, 0700, &err);
        bool there = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

        free(path);
        if (ok != dirs[i].ok || there != dirs[i].ok || (!ok && err.code != dirs[i].code))
            fail_msg("%s: ok %d, there %d, %s", dirs[i].name, ok, there, err.msg);
    }
    assert_int_equal(mode_of(deep), 0700);
    assert_true(sf_dir_make("/", 0700, &err));
    assert_false(sf_dir_make("", 0700, &err));
    free(deep);
    free(dangling);
    free(link_path);
    free(file);
}

static const struct {
    const char *dir, *name, *want;
} joins[] = {
    { "/a", "b", "/a/b" }, { "/a/", "b", "/a/b" }, { "/a//", "//b", "/a/b" },  { "/", "b", "/b" },
    { "", "b", "b" },      { "a", "", "a/" },      { "/a", "/etc", "/a/etc" }, { "//", "b", "/b" },
};

static void test_joins(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(joins); i++) {
        char *got = sf_path_join(joins[i].dir, joins[i].name);
        bool same = !strcmp(got, joins[i].want);

        free(got);
        if (!same)
            fail_msg("%s + %s is not %s", joins[i].dir, joins[i].name, joins[i].want);
    }
}

static void test_real_path(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *base = sf_path_real(*state, &err);
    char *link_path = test_path(base, "link");
    char *missing = test_path(base, "link/../nothing");
    char *got;

    assert_int_equal(symlink(".", link_path), 0);
    got = sf_path_real(link_path, &err);
    assert_string_equal(got, base);
    free(got);
    assert_null(sf_path_real(missing, &err));
    assert_int_equal(err.code, SF_E_NOENT);
    free(missing);
    free(link_path);
    free(base);
}

static void test_private_files(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    char *dir = test_path(*state, "a/b"), *one = NULL, *two = NULL, *plain = NULL, *below;
    mode_t before = umask(0);
    int first = sf_file_new_private(dir, "out", ".txt", &one, &err);
    int second = sf_file_new_private(dir, "out", ".txt", &two, &err);
    struct stat st;

    umask(before);
    assert_true(first >= 0 && second >= 0);
    assert_string_not_equal(one, two);
    assert_true(sf_fd_write_all(first, "x", 1));
    close(first);
    close(second);
    assert_int_equal(stat(one, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(st.st_size, 1);
    assert_int_equal(stat(dir, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    below = test_path(one, "below");
    assert_int_equal(sf_file_new_private(below, "out", "", &plain, &err), -1);
    assert_null(plain);
    assert_true(err.msg[0]);
    free(below);
    free(two);
    free(one);
    free(dir);
}

#define IN_DIR(fn) cmocka_unit_test_setup_teardown(fn, test_dir_setup, test_dir_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_reads), cmocka_unit_test(test_device_does_not_hang),
        IN_DIR(test_reads_bytes_of_any_kind), cmocka_unit_test(test_size_is_only_a_hint),
        IN_DIR(test_large_file_round_trip),   IN_DIR(test_write_keeps_mode),
        IN_DIR(test_new_file_heeds_umask),    IN_DIR(test_name_of_greatest_length),
        IN_DIR(test_symlinks_stay),           cmocka_unit_test(test_refused_writes),
        IN_DIR(test_failed_write_keeps_old),  IN_DIR(test_read_only_file_is_respected),
        IN_DIR(test_full_disk_keeps_old),     IN_DIR(test_reader_never_sees_a_mixture),
        IN_DIR(test_owner_is_kept),           IN_DIR(test_directories),
        cmocka_unit_test(test_joins),         IN_DIR(test_real_path),
        IN_DIR(test_private_files),
    };

    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
