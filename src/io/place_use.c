/*
 * place_use.c: reads and changes the file of a place, always through its handle.
 *
 * The kernel has no rename that fails when the directory has moved meanwhile. A change is
 * therefore checked twice: right before the rename the handle must be at the judged path and the
 * file must be the one that was seen; right after the rename this is checked again, and a failure
 * reverts the rename. Exchanging the files instead of overwriting makes that possible, because the
 * old file still exists under the temporary name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/base.h"
#include "io/fd.h"
#include "io/place_walk.h"
#include "io/temp.h"

static bool fail_changed(const struct sf_place *place, struct sf_error *err)
{
    sf_fail(err, SF_E_BUSY, "%s changed since it was looked at", place->shown);
    return sf_hint(err, "read it again, then repeat the step");
}

static bool fail_absent(const struct sf_place *place, struct sf_error *err)
{
    return sf_fail(err, SF_E_NOENT, "%s is not there", place->shown);
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* The same file with the same bytes. The change time is left out: a rename moves it. */
static bool unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_mode == b->st_mode &&
           a->st_size == b->st_size && same_time(a->st_mtim, b->st_mtim);
}

static bool name_is(int dir, const char *name, const struct stat *want)
{
    struct stat st;

    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && unchanged(&st, want);
}

/* Whether the name still refers to the file that was seen, unchanged. */
static bool check_seen(const struct sf_place *place, struct sf_error *err)
{
    struct stat st;

    if (fstatat(place->dir, place->name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        !unchanged(&st, &place->st) || !same_time(st.st_ctim, place->st.st_ctim))
        return fail_changed(place, err);
    return true;
}

static bool is_there(const struct sf_place *place, struct sf_error *err)
{
    return place->kind != SF_PLACE_NOTHING || fail_absent(place, err);
}

static bool is_regular(const struct sf_place *place, struct sf_error *err)
{
    if (!is_there(place, err))
        return false;
    return place->kind == SF_PLACE_FILE ||
           sf_fail(err, SF_E_ARG, "%s is not a regular file", place->shown);
}

int sf_place_open_read(const struct sf_place *place, struct sf_error *err)
{
    struct stat st;
    int fd;

    if (!is_regular(place, err))
        return -1;
    fd = openat(place->dir, place->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno != ENOENT && errno != ELOOP) {
        sf_fail_errno(err, "cannot open %s", place->shown);
        return -1;
    }
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == place->st.st_dev &&
        st.st_ino == place->st.st_ino)
        return fd;
    fail_changed(place, err);
    if (fd >= 0)
        close(fd);
    return -1;
}

int sf_place_open_dir(const struct sf_place *place, struct sf_error *err)
{
    int fd;

    if (place->kind != SF_PLACE_DIR) {
        sf_fail(err, SF_E_ARG, "%s is not a directory", place->shown);
        return -1;
    }
    fd = openat(place->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        sf_fail_errno(err, "cannot open %s", place->shown);
    return fd;
}

bool sf_place_read(const struct sf_place *place, size_t max, struct sf_strbuf *out,
                   struct sf_error *err)
{
    int fd = sf_place_open_read(place, err);
    bool ok;

    if (fd < 0)
        return false;
    ok = sf_fd_read_all(fd, place->shown, max, out, err);
    close(fd);
    return ok;
}

bool sf_place_read_head(const struct sf_place *place, size_t max, struct sf_strbuf *out,
                        struct sf_error *err)
{
    int fd = sf_place_open_read(place, err);
    bool ok;

    if (fd < 0)
        return false;
    ok = sf_fd_read_head(fd, place->shown, max, out, err);
    close(fd);
    return ok;
}

/*
 * A file without any write bit must not be changed, not even by the superuser, whom the kernel
 * would let write.
 */
static bool fail_locked(const struct sf_place *place, struct sf_error *err)
{
    errno = EACCES;
    return sf_fail_errno(err, "cannot write %s", place->shown);
}

static bool may_change_dir(const struct sf_place *place, struct sf_error *err)
{
    struct stat st;

    if (fstat(place->dir, &st) < 0 || faccessat(place->dir, ".", W_OK, AT_EACCESS) < 0)
        return sf_fail_errno(err, "cannot write %s", place->shown);
    return (st.st_mode & 0222) || fail_locked(place, err);
}

static bool may_change_file(const struct sf_place *place, struct sf_error *err)
{
    if (faccessat(place->dir, place->name, W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) < 0)
        return sf_fail_errno(err, "cannot write %s", place->shown);
    return (place->st.st_mode & 0222) || fail_locked(place, err);
}

/* File systems without flags for rename say EINVAL, old kernels ENOSYS. */
static bool lacks_flags(void)
{
    return errno == EINVAL || errno == ENOSYS;
}

/* For file systems that cannot exchange: an overwritten file is lost, so the check comes last. */
static bool overwrite(struct sf_place *place, struct sf_temp *temp, struct sf_error *err)
{
    if (!check_seen(place, err))
        return false;
    if (renameat(place->dir, temp->name, place->dir, place->name) < 0)
        return sf_fail_errno(err, "cannot replace %s", place->shown);
    temp->name[0] = '\0';
    return sf_place_confirm(place, err);
}

/* Puts the old file back, unless another process has replaced our file meanwhile. */
static void take_back(struct sf_place *place, const struct sf_temp *temp, const struct stat *made)
{
    if (name_is(place->dir, place->name, made))
        renameat2(place->dir, temp->name, place->dir, place->name, RENAME_EXCHANGE);
}

static bool exchange(struct sf_place *place, struct sf_temp *temp, const struct stat *made,
                     struct sf_error *err)
{
    if (renameat2(place->dir, temp->name, place->dir, place->name, RENAME_EXCHANGE) < 0) {
        if (lacks_flags())
            return overwrite(place, temp, err);
        return errno == ENOENT ? fail_changed(place, err)
                               : sf_fail_errno(err, "cannot replace %s", place->shown);
    }
    if (!name_is(place->dir, temp->name, &place->st)) {
        fail_changed(place, err);
        take_back(place, temp, made);
        return false;
    }
    if (!sf_place_confirm(place, err)) {
        take_back(place, temp, made);
        return false;
    }
    return true; /* discarding the temporary name now removes the old file */
}

/* Makes the place refer to the new file. */
static bool adopt(struct sf_place *place, struct sf_error *err)
{
    place->kind = SF_PLACE_FILE;
    if (fstatat(place->dir, place->name, &place->st, AT_SYMLINK_NOFOLLOW) < 0)
        return sf_fail_errno(err, "cannot look at %s", place->shown);
    return true;
}

bool sf_place_replace(struct sf_place *place, const void *data, size_t len, struct sf_error *err)
{
    struct sf_temp temp = SF_TEMP_INIT;
    struct stat made;
    bool ok = false;

    if (!is_regular(place, err) || !sf_place_confirm(place, err) || !check_seen(place, err) ||
        !may_change_dir(place, err) || !may_change_file(place, err))
        return false;
    if (!sf_temp_open(&temp, place->dir, place->shown, 0600, err) ||
        !sf_temp_keep(&temp, &place->st, err) || !sf_temp_fill(&temp, data, len, err))
        goto out;
    if (fstatat(place->dir, temp.name, &made, AT_SYMLINK_NOFOLLOW) < 0) {
        fail_changed(place, err);
        goto out;
    }
    if (!sf_place_confirm(place, err) || !check_seen(place, err))
        goto out;
    ok = exchange(place, &temp, &made, err);
out:
    sf_temp_discard(&temp);
    return ok && sf_fd_sync_dir(place->dir, place->shown, err) && adopt(place, err);
}

/*
 * A file that is being created. `at` is the place as it will be: its handle descends into each
 * new directory. The caller's place changes only at the end.
 */
struct creation {
    struct sf_place at; /* shares the strings of the place, but owns `dir` and `missing` */
    size_t made;        /* number of new directories, the deepest ones of `at` */
    struct sf_temp temp;
};

static bool begin_creation(struct creation *c, const struct sf_place *place, struct sf_error *err)
{
    *c = (struct creation){ .at = *place, .temp = SF_TEMP_INIT };
    c->at.dir = fcntl(place->dir, F_DUPFD_CLOEXEC, 0);
    c->at.missing = sf_strdup(place->missing);
    if (c->at.dir < 0)
        return sf_fail_errno(err, "cannot write %s", place->shown);
    return sf_place_confirm(place, err) && may_change_dir(place, err);
}

static void descend(struct sf_place *at, int fd, size_t name_len)
{
    char *rest = at->missing + name_len;

    rest += *rest == '/';
    close(at->dir);
    at->dir = fd;
    at->dir_len += name_len + (at->dir_len > (size_t)!at->inside);
    memmove(at->missing, rest, strlen(rest) + 1);
}

/* Makes one missing directory. It may exist by now, but must not be a link. */
static bool make_dir(struct creation *c, struct sf_error *err)
{
    struct sf_place *at = &c->at;
    size_t n = strcspn(at->missing, "/");
    char *name = sf_strndup(at->missing, n);
    bool is_new = mkdirat(at->dir, name, 0777) == 0;
    bool ok = is_new || errno == EEXIST;
    int fd = -1;

    if (!ok)
        sf_fail_errno(err, "cannot make the directory %s for %s", name, at->shown);
    else
        fd = openat(at->dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        descend(at, fd, n);
        c->made += is_new;
    } else if (ok) {
        ok = fail_changed(at, err);
    }
    free(name);
    return ok;
}

static bool make_dirs(struct creation *c, struct sf_error *err)
{
    bool ok = true;

    while (ok && c->at.missing[0])
        ok = make_dir(c, err);
    return ok;
}

/* Removes the directory of the handle and moves up; false if it is not empty or was moved. */
static bool unmake_dir(struct sf_place *at)
{
    size_t least = !at->inside, start = at->dir_len;
    int up = openat(at->dir, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct stat here, named;
    bool ok;
    char *name;

    while (start > least && at->real[start - 1] != '/')
        start--;
    name = sf_strndup(at->real + start, at->dir_len - start);
    ok = up >= 0 && fstat(at->dir, &here) == 0 &&
         fstatat(up, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && here.st_ino == named.st_ino &&
         here.st_dev == named.st_dev && unlinkat(up, name, AT_REMOVEDIR) == 0;
    free(name);
    if (up >= 0) {
        close(at->dir);
        at->dir = up;
    }
    at->dir_len = start > least ? start - 1 : start;
    return ok;
}

static void end_creation(struct creation *c, bool ok)
{
    sf_temp_discard(&c->temp);
    while (!ok && c->made > 0 && unmake_dir(&c->at))
        c->made--;
    if (c->at.dir >= 0)
        close(c->at.dir);
    free(c->at.missing);
}

/* Passes the handle of the directory with the new name to the caller's place. */
static bool settle(struct creation *c, struct sf_place *place, struct sf_error *err)
{
    close(place->dir);
    place->dir = c->at.dir;
    place->dir_len = c->at.dir_len;
    place->missing[0] = '\0';
    c->at.dir = -1;
    return adopt(place, err);
}

/* Gives a file an unused name: false with errno. The old name may stay behind. */
static bool rename_new(int from_dir, const char *from, int to_dir, const char *to)
{
    if (renameat2(from_dir, from, to_dir, to, RENAME_NOREPLACE) == 0)
        return true;
    return lacks_flags() && linkat(from_dir, from, to_dir, to, 0) == 0;
}

static bool fail_new(const struct sf_place *place, struct sf_error *err)
{
    if (errno == EEXIST)
        return sf_fail(err, SF_E_EXIST, "%s is there already", place->shown);
    return sf_fail_errno(err, "cannot create %s", place->shown);
}

static bool name_new(struct creation *c, struct sf_error *err)
{
    struct sf_place *at = &c->at;
    struct stat made;

    if (fstatat(at->dir, c->temp.name, &made, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_changed(at, err);
    if (!sf_place_confirm(at, err))
        return false;
    if (!rename_new(at->dir, c->temp.name, at->dir, at->name))
        return fail_new(at, err);
    if (sf_place_confirm(at, err))
        return true;
    if (name_is(at->dir, at->name, &made))
        unlinkat(at->dir, at->name, 0);
    return false;
}

bool sf_place_create(struct sf_place *place, const void *data, size_t len, mode_t mode,
                     struct sf_error *err)
{
    struct creation c;
    bool ok;

    if (place->kind != SF_PLACE_NOTHING) {
        errno = EEXIST;
        return fail_new(place, err);
    }
    ok = begin_creation(&c, place, err) && make_dirs(&c, err) &&
         sf_temp_open(&c.temp, c.at.dir, place->shown, mode, err) &&
         sf_temp_fill(&c.temp, data, len, err) && name_new(&c, err) &&
         sf_fd_sync_dir(c.at.dir, place->shown, err) && settle(&c, place, err);
    end_creation(&c, ok);
    return ok;
}

static bool may_unname(const struct sf_place *place, struct sf_error *err)
{
    if (!is_there(place, err))
        return false;
    if (place->kind == SF_PLACE_DIR)
        return sf_fail(err, SF_E_ARG, "%s is a directory", place->shown);
    return sf_place_confirm(place, err) && check_seen(place, err) && may_change_dir(place, err);
}

static void forget(struct sf_place *place)
{
    place->kind = SF_PLACE_NOTHING;
    place->st = (struct stat){ 0 };
}

bool sf_place_remove(struct sf_place *place, struct sf_error *err)
{
    if (!may_unname(place, err))
        return false;
    if (unlinkat(place->dir, place->name, 0) < 0)
        return sf_fail_errno(err, "cannot remove %s", place->shown);
    forget(place);
    return sf_fd_sync_dir(place->dir, place->shown, err);
}

/* Checks both directories before and after; on failure the file is moved back. */
static bool move_name(struct sf_place *from, struct creation *c, struct sf_error *err)
{
    struct sf_place *to = &c->at;

    if (!sf_place_confirm(to, err) || !may_unname(from, err))
        return false;
    if (!rename_new(from->dir, from->name, to->dir, to->name))
        return fail_new(to, err);
    if (sf_place_confirm(to, err) && sf_place_confirm(from, err)) {
        /* After linkat the old name is still there. */
        if (name_is(from->dir, from->name, &from->st))
            unlinkat(from->dir, from->name, 0);
        return true;
    }
    if (name_is(from->dir, from->name, &from->st))
        unlinkat(to->dir, to->name, 0);
    else if (name_is(to->dir, to->name, &from->st))
        rename_new(to->dir, to->name, from->dir, from->name);
    return false;
}

bool sf_place_move(struct sf_place *from, struct sf_place *to, struct sf_error *err)
{
    struct creation c;
    bool ok;

    if (to->kind != SF_PLACE_NOTHING) {
        errno = EEXIST;
        return fail_new(to, err);
    }
    if (!may_unname(from, err))
        return false;
    ok = begin_creation(&c, to, err) && make_dirs(&c, err) && move_name(from, &c, err) &&
         sf_fd_sync_dir(c.at.dir, to->shown, err) && sf_fd_sync_dir(from->dir, from->shown, err) &&
         settle(&c, to, err);
    end_creation(&c, ok);
    if (ok) {
        to->kind = from->kind;
        forget(from);
    }
    return ok;
}
