/*
 * Places that do not do what one wants: full, read-only, too small, gone. The tests run in child
 * processes with mounts of their own. Where those are not to be had (neither root nor user
 * namespaces) a limit on file size stands in for the full disk and the rights of the directory
 * for the read-only one, and a line says so.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"
#include "support/store_case.h"
#include "support/test.h"

enum { PASSED = 0, SKIPPED = 77 };

static bool put_line(const char *path, const char *line)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);

    if (fd >= 0)
        close(fd);
    return ok;
}

/* Root of a namespace in which only this user exists. */
static bool become_root(void)
{
    char uids[48], gids[48];

    snprintf(uids, sizeof(uids), "0 %u 1", (unsigned)geteuid());
    snprintf(gids, sizeof(gids), "0 %u 1", (unsigned)getegid());
    return unshare(CLONE_NEWUSER) == 0 && put_line("/proc/self/setgroups", "deny") &&
           put_line("/proc/self/uid_map", uids) && put_line("/proc/self/gid_map", gids);
}

static bool own_mounts(void)
{
    if (geteuid() != 0 && !become_root())
        return false;
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool append(struct sf_store *store, const char *json, size_t len, struct sf_error *err)
{
    const struct sf_event_new event = {
        .session = SF_SESSION_PROJECT, .surface = "tui", .kind = "fill", .json = json, .len = len
    };
    struct sf_event_ref ref;

    return sf_store_append(store, &event, &ref, err);
}

static bool count_one(const struct sf_event_row *event, void *ctx)
{
    (void)event;
    ++*(int *)ctx;
    return true;
}

static int count_events(struct sf_store *store)
{
    const struct sf_event_filter all = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    int count = 0;

    CHILD_CHECK(sf_store_each_event(store, &all, count_one, &count, &err));
    return count;
}

/* Appends until it fails; what was acknowledged must be there, and room brings it back to life. */
static void fill_up(const char *dir, void (*make_room)(const char *dir))
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, &err);
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_strbuf json = SF_STRBUF_INIT;
    int done = 0;

    CHILD_OK(store != NULL, &err);
    sf_strbuf_adds(&json, "{\"a\":\"");
    sf_strbuf_fill(&json, 'x', 3000);
    sf_strbuf_adds(&json, "\"}");
    while (done < 100000 && append(store, json.buf, json.len, &err))
        done++;
    CHILD_CHECK(done > 5 && done < 100000);
    CHILD_OK(err.code == SF_E_FULL, &err);
    CHILD_CHECK(strstr(err.hint, "free some space"));
    CHILD_CHECK(!append(store, json.buf, json.len, &err) || ++done);
    CHILD_CHECK(count_events(store) == done);
    make_room(dir);
    CHILD_OK(append(store, json.buf, json.len, &err), &err);
    CHILD_CHECK(count_events(store) == done + 1);
    sf_store_close(store);
    CHILD_OK(sf_store_check(dir, &report, &err), &err);
    sf_strbuf_release(&report);
    sf_strbuf_release(&json);
}

static void grow_disk(const char *dir)
{
    char *mount_point = sf_strdup(dir);

    *strrchr(mount_point, '/') = '\0';
    CHILD_CHECK(mount(NULL, mount_point, NULL, MS_REMOUNT, "size=32m") == 0);
    free(mount_point);
}

struct disk {
    const char *dir; /* mount point */
    const char *size;
};

static int full_disk_child(void *ctx)
{
    const struct disk *disk = ctx;
    char *dir = test_path(disk->dir, "store");

    if (!own_mounts() || mount("tmpfs", disk->dir, "tmpfs", 0, disk->size) < 0)
        return SKIPPED;
    fill_up(dir, grow_disk);
    free(dir);
    return PASSED;
}

static void lift_limit(const char *dir)
{
    const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };

    (void)dir;
    CHILD_CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0 || errno == EPERM);
}

static int size_limit_child(void *ctx)
{
    const struct rlimit limit = { 1 << 20, RLIM_INFINITY };

    signal(SIGXFSZ, SIG_IGN);
    CHILD_CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    fill_up(ctx, lift_limit);
    return PASSED;
}

static void test_full_disk(void **state)
{
    static const char *const sizes[] = { "size=512k", "size=1m", "size=2m", "size=8m" };

    for (size_t i = 0; i < SF_COUNT(sizes); i++) {
        struct disk disk = { *state, sizes[i] };
        int status = test_wait(test_fork(full_disk_child, &disk));

        if (status == SKIPPED)
            print_message("no mounts here: only the limit on file size was tried\n");
        else if (status != PASSED)
            fail_msg("%s: child ended with %d", sizes[i], status);
    }
    assert_int_equal(test_wait(test_fork(size_limit_child, *state)), PASSED);
}

/* From hardly any room at all up to enough: made whole or not at all, and always told. */
static int creation_child(void *ctx)
{
    const char *place = ctx;
    char *dir = test_path(place, "store"), *db = test_path(dir, "sf.db");
    struct sf_error err = SF_ERROR_INIT;
    bool made = false;

    if (!own_mounts())
        return SKIPPED;
    for (int kib = 4; kib <= 512 && !made; kib += 4) {
        struct sf_store *store;
        char size[32];

        snprintf(size, sizeof(size), "size=%dk", kib);
        if (mount("tmpfs", place, "tmpfs", 0, size) < 0)
            return SKIPPED;
        store = sf_store_open(dir, SF_STORE_WRITE, &err);
        made = store != NULL;
        sf_store_close(store);
        CHILD_OK(made || (err.code == SF_E_FULL && err.hint[0]), &err);
        /* What stands there is complete, even if there was no room left to use it. */
        CHILD_CHECK(made || sf_dbfile_size(db) < 0 || sf_dbfile_size(db) % 4096 == 0);
        if (!made && sf_dbfile_size(db) > 0) {
            CHILD_CHECK(mount(NULL, place, NULL, MS_REMOUNT, "size=8m") == 0);
            store = sf_store_open(dir, SF_STORE_WRITE, &err);
            CHILD_OK(store != NULL, &err);
            sf_store_close(store);
        }
        CHILD_CHECK(umount(place) == 0);
    }
    CHILD_CHECK(made);
    free(db);
    free(dir);
    return PASSED;
}

static void test_creation_in_little_space(void **state)
{
    int status = test_wait(test_fork(creation_child, *state));

    if (status == SKIPPED)
        print_message("no mounts here: not tried\n");
    else
        assert_int_equal(status, PASSED);
}

/* No room for the backup: the upgrade does not happen, and nothing changes. */
static int upgrade_child(void *ctx)
{
    const char *place = ctx;
    char *dir = test_path(place, "store");
    struct sf_error err = SF_ERROR_INIT;
    char before[SF_SHA256_HEX + 1], after[SF_SHA256_HEX + 1];
    struct sf_store *store;

    if (!own_mounts() || mount("tmpfs", place, "tmpfs", 0, "size=8m") < 0)
        return SKIPPED;
    test_store_make_old(dir, 2);
    test_store_digest(dir, "sf.db", before);
    CHILD_CHECK(mount(NULL, place, NULL, MS_REMOUNT, "size=128k") == 0);
    store = sf_store_open(dir, SF_STORE_WRITE, &err);
    CHILD_CHECK(!store);
    CHILD_OK(err.code == SF_E_FULL, &err);
    test_store_digest(dir, "sf.db", after);
    CHILD_CHECK(!strcmp(before, after));
    CHILD_CHECK(mount(NULL, place, NULL, MS_REMOUNT, "size=8m") == 0);
    store = sf_store_open(dir, SF_STORE_WRITE, &err);
    CHILD_CHECK(store && store->version == 8);
    sf_store_close(store);
    free(dir);
    return PASSED;
}

static void test_upgrade_in_little_space(void **state)
{
    int status = test_wait(test_fork(upgrade_child, *state));

    if (status == SKIPPED)
        print_message("no mounts here: not tried\n");
    else
        assert_int_equal(status, PASSED);
}

static void check_read_only(const char *dir)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(dir, SF_STORE_WRITE, &err);

    CHILD_CHECK(!store);
    CHILD_OK(err.code == SF_E_READONLY, &err);
    CHILD_CHECK(strstr(err.hint, "make the directory writable"));
    store = sf_store_open(dir, SF_STORE_READ, &err);
    CHILD_OK(store != NULL, &err);
    CHILD_CHECK(count_events(store) == 7);
    sf_store_close(store);
}

static bool make_read_only(const char *dir)
{
    return mount(dir, dir, NULL, MS_BIND, NULL) == 0 &&
           mount(NULL, dir, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) ==
               0;
}

static int read_only_child(void *ctx)
{
    if (!own_mounts() || !make_read_only(ctx))
        return SKIPPED;
    check_read_only(ctx);
    return PASSED;
}

static int no_rights_child(void *ctx)
{
    if (geteuid() == 0 &&
        (chown(ctx, 65534, 65534) < 0 || setegid(65534) < 0 || seteuid(65534) < 0))
        return SKIPPED;
    if (chmod(ctx, 0500) < 0)
        return SKIPPED;
    check_read_only(ctx);
    chmod(ctx, 0700);
    return PASSED;
}

/* The log still holds what was written last, as after a crash. */
static int read_only_with_log_child(void *ctx)
{
    const char *dir = ctx;

    if (!own_mounts() || !make_read_only(dir))
        return SKIPPED;
    check_read_only(dir);
    return PASSED;
}

/* Without the index of the log it cannot be read there, and less than all is not an answer. */
static int no_index_child(void *ctx)
{
    const char *dir = ctx;
    struct sf_error err = SF_ERROR_INIT;
    char *shm = test_path(dir, "sf.db-shm");

    CHILD_CHECK(unlink(shm) == 0);
    if (!own_mounts() || !make_read_only(dir))
        return SKIPPED;
    CHILD_CHECK(!sf_store_open(dir, SF_STORE_READ, &err));
    CHILD_OK(err.code != SF_E_NONE && err.msg[0], &err);
    free(shm);
    return PASSED;
}

static int crash_child(void *ctx)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store = sf_store_open(ctx, SF_STORE_WRITE, &err);

    CHILD_OK(store != NULL, &err);
    for (int i = 0; i < 7; i++)
        CHILD_OK(append(store, "{}", 2, &err), &err);
    return PASSED; /* without closing */
}

static void share_with_all(const char *dir)
{
    static const char *const names[] = { "sf.db", "store.lock" };

    for (size_t i = 0; i < SF_COUNT(names); i++) {
        char *path = test_path(dir, names[i]);

        chmod(path, 0644);
        free(path);
    }
}

static void test_read_only_place(void **state)
{
    struct sf_store *store;
    int status;

    store = test_store_open(*state, SF_STORE_WRITE);
    for (int i = 0; i < 7; i++)
        test_store_append(store, SF_SESSION_PROJECT, i);
    sf_store_close(store);
    status = test_wait(test_fork(read_only_child, *state));
    if (status == SKIPPED)
        print_message("no mounts here: only the rights of the directory were tried\n");
    else
        assert_int_equal(status, PASSED);
    share_with_all(*state);
    status = test_wait(test_fork(no_rights_child, *state));
    if (status != SKIPPED)
        assert_int_equal(status, PASSED);
}

static void test_read_only_with_log(void **state)
{
    int status;

    assert_int_equal(test_wait(test_fork(crash_child, *state)), PASSED);
    status = test_wait(test_fork(read_only_with_log_child, *state));
    if (status != SKIPPED)
        assert_int_equal(status, PASSED);
    status = test_wait(test_fork(no_index_child, *state));
    if (status != SKIPPED)
        assert_int_equal(status, PASSED);
}

/* The place turns read-only under an open store, and back. */
static int turning_child(void *ctx)
{
    const char *dir = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_store *store;

    if (!own_mounts() || mount("tmpfs", dir, "tmpfs", 0, "size=8m") < 0)
        return SKIPPED;
    store = sf_store_open(dir, SF_STORE_WRITE, &err);
    CHILD_CHECK(store && append(store, "{}", 2, &err));
    sf_store_close(store);
    CHILD_CHECK(mount(NULL, dir, NULL, MS_REMOUNT | MS_RDONLY, NULL) == 0);
    store = sf_store_open(dir, SF_STORE_READ, &err);
    CHILD_CHECK(store && count_events(store) == 1);
    sf_store_close(store);
    CHILD_CHECK(!sf_store_open(dir, SF_STORE_WRITE, &err) && err.code == SF_E_READONLY);
    CHILD_CHECK(mount(NULL, dir, NULL, MS_REMOUNT, NULL) == 0);
    store = sf_store_open(dir, SF_STORE_WRITE, &err);
    CHILD_CHECK(store && append(store, "{}", 2, &err));
    CHILD_CHECK(count_events(store) == 2);
    sf_store_close(store);
    return PASSED;
}

static void test_turning_read_only(void **state)
{
    int status = test_wait(test_fork(turning_child, *state));

    if (status != SKIPPED)
        assert_int_equal(status, PASSED);
}

/* The whole directory goes away: no crash, nothing made elsewhere. */
static void test_directory_removed(void **state)
{
    char *dir = test_path(*state, "store"), *aside = test_path(*state, "aside");
    struct sf_store *store = test_store_open(dir, SF_STORE_WRITE);
    struct sf_error err = SF_ERROR_INIT;

    assert_true(append(store, "{}", 2, &err));
    assert_int_equal(rename(dir, aside), 0);
    assert_false(append(store, "{}", 2, &err));
    assert_int_equal(err.code, SF_E_IO);
    assert_int_equal(access(dir, F_OK), -1);
    assert_int_equal(mkdir(dir, 0700), 0);
    assert_false(append(store, "{}", 2, &err));
    assert_int_equal(rmdir(dir), 0);
    sf_store_close(store);
    assert_int_equal(test_sql_int(aside, "SELECT count(*) FROM events"), 1);
    free(aside);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_full_disk, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_creation_in_little_space, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_upgrade_in_little_space, test_dir_setup,
                                        test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_read_only_place, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_read_only_with_log, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_turning_read_only, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_directory_removed, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
