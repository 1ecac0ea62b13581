/*
 * apply.c: carries out a plan below the root's handle, without following links. The new contents of
 * many files are written first, see stage.c. Then three passes:
 *
 *     backwards: removals, including those that make room for another type of file
 *     forwards: directories, then their contents, each file renamed into place
 *     backwards: permissions of directories, which could have blocked the second pass
 *
 * Before a name is touched, its current content is read again: if it is not what the plan saw, it
 * stays. All temporary files of one restore have the same name, so that a later attempt knows them.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

struct hand {
    struct sf_snap *snap;
    struct sf_snap_plan *plan;
    struct sf_snap_stage stage;
    const char *temp;
    char *dir; /* path of the directory that is held, or NULL */
    int fd;
    bool opened; /* the directory was made writable; `mode` is put back */
    mode_t mode;
    bool failed; /* err is filled */
    struct sf_error *err;
};

static void let_go(struct hand *h)
{
    if (h->fd >= 0 && h->opened)
        fchmod(h->fd, h->mode);
    if (h->fd >= 0)
        close(h->fd);
    free(h->dir);
    h->dir = NULL;
    h->fd = -1;
    h->opened = false;
}

/* Opens the step's directory and returns the name in it; NULL with errno. */
static const char *hold(struct hand *h, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    struct stat st;

    if (h->dir && strlen(h->dir) == len && !strncmp(h->dir, path, len))
        return slash ? slash + 1 : path;
    let_go(h);
    h->dir = sf_strndup(path, len);
    h->fd = sf_beneath_open_dir(h->snap->fd, h->dir);
    if (h->fd < 0) {
        int problem = errno;

        let_go(h);
        errno = problem;
        return NULL;
    }
    if (fstat(h->fd, &st) == 0 && (st.st_mode & 0300) != 0300) {
        h->mode = st.st_mode & 07777;
        h->opened = fchmod(h->fd, h->mode | 0700) == 0;
    }
    return slash ? slash + 1 : path;
}

static bool fail(struct hand *h, const struct sf_snap_step *step)
{
    sf_fail_errno(h->err, "cannot restore %s", step->path);
    sf_hint(h->err, "fix that, then `sf restore resume` continues, or goes back with --back");
    h->failed = true;
    return false;
}

/* Whether the name is still what the plan saw. */
static bool is_unchanged(struct hand *h, struct sf_snap_step *step, const char *name)
{
    struct sf_snap_found now;
    struct sf_error ignored = SF_ERROR_INIT;
    struct stat st;

    if (!step->from.mode)
        return fstatat(h->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
    if (S_ISDIR(step->from.mode))
        return fstatat(h->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
    return sf_snap_read_item(h->snap, h->fd, name, &now, &ignored) &&
           now.item.mode == step->from.mode && sf_oid_same(&now.item.oid, &step->from.oid);
}

static void keep(struct hand *h, struct sf_snap_step *step, const char *why)
{
    sf_snap_plan_keep(h->plan, step, why);
}

/* Opens the directory and checks the name; NULL: the step is kept. */
static const char *reach(struct hand *h, struct sf_snap_step *step)
{
    const char *name = hold(h, step->path);

    if (!name)
        keep(h, step, "cannot be reached");
    else if (!is_unchanged(h, step, name))
        keep(h, step, "changed meanwhile");
    else
        return name;
    return NULL;
}

static bool goes_first(const struct sf_snap_step *step)
{
    return step->from.mode &&
           (!step->to.mode || S_ISDIR(step->from.mode) != S_ISDIR(step->to.mode));
}

/* A directory that is not empty stays: it has ignored files, or files that were kept. */
static bool clear(struct hand *h, struct sf_snap_step *step)
{
    const char *name = reach(h, step);

    if (!name)
        return true;
    if (!S_ISDIR(step->from.mode))
        return unlinkat(h->fd, name, 0) == 0 || fail(h, step);
    if (unlinkat(h->fd, name, AT_REMOVEDIR) == 0)
        return true;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != EBUSY)
        return fail(h, step);
    keep(h, step, "still has files in it");
    return true;
}

bool sf_snap_make_file(int dir, const char *name, mode_t mode, const struct sf_strbuf *text)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = fd >= 0 && sf_fd_write_all(fd, text->buf, text->len) && fchmod(fd, mode) == 0;
    int problem = errno;

    if (fd >= 0 && close(fd) < 0 && ok) {
        problem = errno;
        ok = false;
    }
    errno = problem;
    return ok;
}

static bool make_link(struct hand *h, const struct sf_strbuf *text)
{
    if (strlen(text->buf) == text->len && text->len)
        return symlinkat(text->buf, h->fd, h->temp) == 0;
    errno = EINVAL;
    return false;
}

/* Without it the file is as new as the restore, which only costs a build some work. */
static void set_time(struct hand *h, const struct sf_snap_step *step, const char *name)
{
    const struct timespec times[] = { { .tv_nsec = UTIME_OMIT },
                                      { .tv_sec = step->modified / 1000000000,
                                        .tv_nsec = step->modified % 1000000000 } };

    if (step->modified > 0 && utimensat(h->fd, name, times, AT_SYMLINK_NOFOLLOW) < 0)
        sf_log(SF_LOG_WARN, "the time of %s was not restored: %s", step->path, strerror(errno));
}

static bool make_content(struct hand *h, struct sf_snap_step *step, const char *name)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_snap *snap = h->snap;
    bool ok;

    if (sf_snap_stage_move(&h->stage, (size_t)(step - h->plan->steps), h->fd, name))
        return true;
    unlinkat(h->fd, h->temp, 0); /* left by an earlier attempt */
    if (!snap->git->read(snap->odb, &step->to.oid, SF_OBJECT_BLOB, &text, h->err)) {
        sf_error_prefix(h->err, "%s: ", step->path);
        h->failed = true;
        sf_strbuf_release(&text);
        return false;
    }
    ok =
        (S_ISLNK(step->to.mode) ? make_link(h, &text)
                                : sf_snap_make_file(h->fd, h->temp, step->to.mode & 0777, &text)) &&
        renameat(h->fd, h->temp, h->fd, name) == 0;
    if (!ok) {
        fail(h, step);
        unlinkat(h->fd, h->temp, 0);
    }
    sf_strbuf_release(&text);
    return ok;
}

/* The same content with other permissions: the file itself stays. */
static bool only_mode(const struct sf_snap_step *step)
{
    return S_ISREG(step->from.mode) && S_ISREG(step->to.mode) &&
           sf_oid_same(&step->from.oid, &step->to.oid);
}

static bool make(struct hand *h, struct sf_snap_step *step)
{
    struct sf_snap_step now = *step;
    const char *name;

    if (goes_first(step)) /* the first pass has removed it */
        now.from = (struct sf_snap_item){ 0 };
    name = hold(h, step->path);
    if (!name) {
        keep(h, step, "cannot be reached");
        return true;
    }
    if (!is_unchanged(h, &now, name)) {
        struct stat st;

        if (!S_ISDIR(step->to.mode) || fstatat(h->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
            !S_ISDIR(st.st_mode))
            keep(h, step, "changed meanwhile");
        return true;
    }
    if (S_ISDIR(step->to.mode))
        return now.from.mode || mkdirat(h->fd, name, 0700) == 0 || fail(h, step);
    if (only_mode(&now))
        return fchmodat(h->fd, name, step->to.mode & 0777, 0) == 0 || fail(h, step);
    if (!make_content(h, step, name))
        return false;
    set_time(h, step, name);
    return true;
}

static bool set_mode(struct hand *h, struct sf_snap_step *step)
{
    int fd;
    bool ok;

    let_go(h);
    fd = sf_beneath_open_dir(h->snap->fd, step->path);
    if (fd < 0) {
        keep(h, step, "cannot be reached");
        return true;
    }
    ok = fchmod(fd, step->to.mode & 03777) == 0 || fail(h, step);
    close(fd);
    return ok;
}

static bool cancelled(const atomic_bool *cancel, struct sf_error *err)
{
    return cancel && atomic_load(cancel) &&
           !sf_fail(err, SF_E_CANCELLED, "the restore was cancelled half-way");
}

static bool passes(struct hand *h, const atomic_bool *cancel, struct sf_error *err)
{
    struct sf_snap_plan *plan = h->plan;
    bool ok = true;

    for (size_t i = plan->count; ok && i > 0; i--) {
        struct sf_snap_step *step = &plan->steps[i - 1];

        if (!step->kept && goes_first(step))
            ok = !cancelled(cancel, err) && clear(h, step);
    }
    for (size_t i = 0; ok && i < plan->count; i++) {
        struct sf_snap_step *step = &plan->steps[i];

        if (!step->kept && step->to.mode)
            ok = !cancelled(cancel, err) && make(h, step);
    }
    for (size_t i = plan->count; ok && i > 0; i--) {
        struct sf_snap_step *step = &plan->steps[i - 1];

        if (!step->kept && S_ISDIR(step->to.mode))
            ok = set_mode(h, step);
    }
    return ok;
}

bool sf_snap_apply(struct sf_snap *snap, struct sf_snap_plan *plan, const char *temp,
                   const atomic_bool *cancel, struct sf_error *err)
{
    struct hand h = { .snap = snap, .plan = plan, .temp = temp, .fd = -1, .err = err };
    bool ok;

    sf_snap_stage_open(&h.stage, snap, plan, temp);
    sf_snap_stage_fill(&h.stage, snap, plan, cancel);
    ok = passes(&h, cancel, err);
    let_go(&h);
    sf_snap_stage_close(&h.stage);
    snap->git->drop(snap->odb);
    return ok;
}
