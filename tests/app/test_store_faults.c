/*
 * A store that cannot be used: full disk, read-only place, newer, truncated, garbage. Each gives
 * a clear message with what to do and exit code 1, and no byte of the file changes.
 */
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <sqlite3.h>

#include "io/io.h"
#include "support/program.h"
#include "support/test.h"

/* Makes the store with one event in it; the path is the caller's. */
static char *make_store(struct sandbox *w)
{
    struct outcome o;
    char *path;

    sandbox_expect(w, "config set coach.frequency 7", 0, "", "");
    o = sandbox_run(w, "store path");
    path = sf_strndup(o.out, strcspn(o.out, "\n"));
    outcome_release(&o);
    return path;
}

struct bytes {
    char *data;
    size_t len;
};

static struct bytes bytes_of(const char *path)
{
    struct bytes b;

    b.data = test_read(path, &b.len);
    return b;
}

/* Reading and writing both fail loudly with the words, and the file stays as it is. */
static void expect_refusal(struct sandbox *w, const char *path, const char *says, const char *hint)
{
    static const char *const commands[] = { "log", "trust add", "log --sql 'select 1'" };
    struct bytes before = bytes_of(path), after;

    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        struct outcome o = sandbox_run(w, commands[i]);

        if (o.code != 1 || !strstr(o.err, says) || !strstr(o.err, hint))
            fail_msg("sf %s: exit %d, want '%s' and '%s' in: %s", commands[i], o.code, says, hint,
                     o.err);
        outcome_release(&o);
    }
    after = bytes_of(path);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.data, after.data, before.len);
    free(before.data);
    free(after.data);
}

static void test_newer(void **state)
{
    struct sandbox *w = *state;
    char *path = make_store(w);
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "pragma user_version = 999", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    expect_refusal(w, path, "written by a newer sf", "update sf");
    sandbox_expect(w, "log", 1, "coach.frequency", "newer sf"); /* still readable */
    free(path);
}

static void test_truncated(void **state)
{
    static const long cuts[] = { 0, 1, 100, 1000, 4096, 20000 };
    struct sandbox *w = *state;
    char *path = make_store(w);
    struct bytes whole = bytes_of(path);

    for (size_t i = 0; i < SF_COUNT(cuts); i++) {
        assert_true((size_t)cuts[i] < whole.len);
        test_write(path, whole.data, whole.len);
        assert_int_equal(truncate(path, cuts[i]), 0);
        expect_refusal(w, path, "damaged", "sf store recover");
    }
    assert_int_equal(truncate(path, 20000), 0);
    sandbox_expect(w, "store recover", 0, "can be used again", NULL);
    sandbox_expect(w, "log", 0, NULL, "");
    free(whole.data);
    free(path);
}

static void test_garbage(void **state)
{
    struct sandbox *w = *state;
    char *path = make_store(w);
    char noise[8192];

    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (char)(i * 131 + (i >> 5));
    test_write(path, noise, sizeof(noise));
    expect_refusal(w, path, "damaged", "sf store recover");
    test_write(path, "just some words\n", 16);
    expect_refusal(w, path, "damaged", "sf store recover");
    free(path);
}

/* As root a mode forbids nothing, so a read-only mount has to; other users need no mount. */
static bool make_readonly(const char *dir)
{
    if (geteuid() != 0)
        return chmod(dir, 0500) == 0;
    return mount(dir, dir, NULL, MS_BIND, NULL) == 0 &&
           mount(NULL, dir, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) == 0;
}

static void make_writable(const char *dir)
{
    if (geteuid() != 0)
        chmod(dir, 0700);
    else
        umount2(dir, MNT_DETACH);
}

static void test_readonly(void **state)
{
    struct sandbox *w = *state;
    char *path = make_store(w), *dir = sf_strndup(path, (size_t)(strrchr(path, '/') - path));
    const char *why = geteuid() == 0 ? "read-only" : "it cannot be written";
    struct outcome read, write;

    if (!make_readonly(dir)) { /* root of a container may have no mounts */
        free(dir);
        free(path);
        test_not_run("mounting is not allowed here");
        return;
    }
    read = sandbox_run(w, "log");
    write = sandbox_run(w, "trust add");
    make_writable(dir);
    assert_int_equal(read.code, 1);
    assert_non_null(strstr(read.err, why));
    assert_non_null(strstr(read.out, "coach.frequency"));
    assert_int_equal(write.code, 1);
    assert_non_null(strstr(write.err, why));
    outcome_release(&read);
    outcome_release(&write);
    sandbox_expect(w, "trust status", 0, "not trusted", "");
    sandbox_expect(w, "log", 0, "coach.frequency", "");
    free(dir);
    free(path);
}

/* Uses up a file system, or where none can be mounted, everything a file may grow to. */
static void test_full_disk(void **state)
{
    struct sandbox *w = *state;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf words = SF_STRBUF_INIT;
    bool mounted;
    char *filler;
    struct outcome o;

    assert_true(sf_dir_make(w->state, 0700, &err));
    mounted = geteuid() == 0 && mount("tmpfs", w->state, "tmpfs", 0, "size=64k") == 0;
    filler = test_path(w->state, "filler");
    if (mounted)
        sf_strbuf_addf(&words, "-c 'head -c 100000 /dev/zero > %s 2>/dev/null; " SF_PROGRAM " log'",
                       filler);
    else
        sf_strbuf_adds(&words, "-c 'trap \"\" XFSZ; ulimit -f 8; " SF_PROGRAM " log'");
    o = sandbox_run_program(w, "/bin/sh", words.buf);
    if (mounted) {
        struct outcome again;

        unlink(filler);
        again = sandbox_run(w, "store path");
        outcome_release(&again);
        umount2(w->state, MNT_DETACH);
    }
    if (o.code != 1 || !strstr(o.err, mounted ? "no space left" : "sf: "))
        fail_msg("exit %d: %s", o.code, o.err);
    outcome_release(&o);
    sandbox_expect(w, "log", 0, "", "");
    sf_strbuf_release(&words);
    free(filler);
}

/* Leaves so many KiB of the state's file system to the next command. */
static void leave_room(const struct sandbox *w, const char *filler, int kib)
{
    struct statvfs fs;
    uint64_t room, len;
    int fd;

    unlink(filler);
    assert_int_equal(statvfs(w->state, &fs), 0);
    room = (uint64_t)fs.f_bavail * fs.f_frsize;
    len = room > (uint64_t)kib * 1024 ? room - (uint64_t)kib * 1024 : 0;
    fd = open(filler, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(posix_fallocate(fd, 0, (off_t)len), 0);
    close(fd);
}

/*
 * A session whose turn was cut short is repaired as it is opened, and that may be what fails: it is
 * an error like any other, and no surface hears of a session it does not have.
 */
static void test_full_disk_resume(void **state)
{
    struct sandbox *w = *state;
    struct sf_error err = SF_ERROR_INIT;
    char *filler;

    assert_true(sf_dir_make(w->state, 0700, &err));
    if (geteuid() != 0 || mount("tmpfs", w->state, "tmpfs", 0, "size=1500k") != 0)
        test_not_run("no tmpfs can be mounted to be filled up");
    filler = test_path(w->state, "filler");
    sandbox_expect(w, "-p list", 0, "", "");
    for (int kib = 16; kib <= 208; kib += 16) {
        struct outcome cut, again;

        leave_room(w, filler, kib);
        cut = sandbox_run(w, "exec list");
        again = sandbox_run(w, "exec --continue --output-format stream-json list");
        if (cut.code >> 1 || again.code >> 1) /* neither done nor failed: ended by a signal */
            fail_msg("%d KiB left: exits %d and %d: %s", kib, cut.code, again.code, again.err);
        if (again.code == 1 && !strstr(again.out, "no space left"))
            fail_msg("%d KiB left: the reason is not told: %s%s", kib, again.out, again.err);
        outcome_release(&cut);
        outcome_release(&again);
    }
    umount2(w->state, MNT_DETACH);
    free(filler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_newer, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_truncated, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_garbage, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_readonly, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_full_disk_resume, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests_name("store_faults", tests, NULL, NULL);
}
