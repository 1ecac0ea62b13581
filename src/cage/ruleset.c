/*
 * ruleset.c: a few rulesets, each with what its names were when it was made. A number can be given
 * to another file when its owner is gone, so the time of birth counts too.
 */
#include "cage/ruleset.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

enum {
    KEPT = 4,      /* commands of a session differ in what they may: reading, writing, settings */
    USES_MAX = 32, /* each use may leave a rule about a file system of the command's own */
};

/* All zero: nothing is there, or out of reach. */
struct identity {
    uint64_t inode, device;
    int64_t born_s;
    uint32_t born_ns;
    bool is_dir;
};

struct ruleset {
    int fd;
    unsigned uses;
    struct sf_ll_ruleset handled;
    int version;
    struct sf_grant *grants; /* with the paths in the arena */
    struct identity *were;
    size_t count;
    struct sf_arena arena;
};

struct sf_rulesets {
    struct ruleset *kept[KEPT];
    size_t next; /* to be replaced */
    int mounts;  /* tells when mounts change; -1: it cannot be known */
};

struct sf_rulesets *sf_rulesets_new(void)
{
    struct sf_rulesets *all = sf_alloc(sizeof(*all));

    all->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    return all;
}

static void drop(struct ruleset *r)
{
    if (!r)
        return;
    if (r->fd >= 0)
        close(r->fd);
    free(r->grants);
    free(r->were);
    sf_arena_release(&r->arena);
    free(r);
}

void sf_rulesets_free(struct sf_rulesets *all)
{
    for (size_t i = 0; all && i < KEPT; i++)
        drop(all->kept[i]);
    if (all && all->mounts >= 0)
        close(all->mounts);
    free(all);
}

/* Where a file system tells no time of birth, the last change stands for it. */
static struct identity identify(int dir, const char *path)
{
    const unsigned wanted = STATX_TYPE | STATX_INO | STATX_CTIME | STATX_BTIME;
    const int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
    const struct statx_timestamp *born;
    struct statx st;

    if (statx(dir, path, flags, wanted, &st) < 0)
        return (struct identity){ 0 };
    born = st.stx_mask & STATX_BTIME ? &st.stx_btime : &st.stx_ctime;
    return (struct identity){ .inode = st.stx_ino,
                              .device = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor,
                              .born_s = born->tv_sec,
                              .born_ns = born->tv_nsec,
                              .is_dir = S_ISDIR(st.stx_mode) };
}

static bool is_same(const struct identity *a, const struct identity *b)
{
    return a->inode == b->inode && a->device == b->device && a->born_s == b->born_s &&
           a->born_ns == b->born_ns && a->is_dir == b->is_dir;
}

/* Real paths hold no links: where one appears by now, somebody put it there. */
static int open_path(const char *path)
{
    const struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };

    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

/* Of a file the rights of directories are none. */
static bool add(int ruleset, const struct sf_grant *grant, uint64_t known, struct identity *was)
{
    struct sf_ll_beneath rule = { .allowed = grant->rights & known };
    bool ok;

    *was = (struct identity){ 0 };
    rule.parent = open_path(grant->path);
    if (rule.parent < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
    *was = identify(rule.parent, "");
    if (!was->is_dir)
        rule.allowed &= SF_LL_OF_FILES;
    ok = !rule.allowed || sf_ll_add(ruleset, &rule) == 0;
    close(rule.parent);
    return ok;
}

bool sf_ruleset_add(int ruleset, const struct sf_grant *grant, uint64_t known)
{
    struct identity ignored;

    return add(ruleset, grant, known, &ignored);
}

static struct ruleset *make(const struct sf_ruleset_wish *wish)
{
    struct ruleset *r = sf_alloc(sizeof(*r));
    bool ok;

    *r = (struct ruleset){ .handled = wish->handled, .version = wish->version };
    r->arena = (struct sf_arena)SF_ARENA_INIT;
    r->grants = sf_alloc_array(wish->count + 1, sizeof(*r->grants));
    r->were = sf_alloc_array(wish->count + 1, sizeof(*r->were));
    r->fd = sf_ll_create(&wish->handled, wish->version);
    ok = r->fd >= 0;
    for (; ok && r->count < wish->count; r->count++) {
        const struct sf_grant *grant = &wish->grants[r->count];

        r->grants[r->count] = *grant;
        r->grants[r->count].path = sf_arena_strndup(&r->arena, grant->path, strlen(grant->path));
        ok = add(r->fd, grant, wish->handled.fs, &r->were[r->count]);
    }
    if (!ok) {
        int saved = errno;

        drop(r);
        errno = saved;
        return NULL;
    }
    return r;
}

static bool fits(const struct ruleset *r, const struct sf_ruleset_wish *wish)
{
    if (r->version != wish->version || r->count != wish->count ||
        r->handled.fs != wish->handled.fs || r->handled.net != wish->handled.net ||
        r->handled.scoped != wish->handled.scoped)
        return false;
    for (size_t i = 0; i < r->count; i++)
        if (r->grants[i].rights != wish->grants[i].rights ||
            strcmp(r->grants[i].path, wish->grants[i].path) != 0)
            return false;
    return true;
}

static bool is_as_it_was(const struct ruleset *r, const struct sf_ruleset_wish *wish)
{
    for (size_t i = 0; i < r->count; i++) {
        struct identity now;

        if (wish->grants[i].version && wish->grants[i].version == r->grants[i].version)
            continue;
        now = identify(AT_FDCWD, r->grants[i].path);
        if (!is_same(&now, &r->were[i]))
            return false;
    }
    return true;
}

/* Whether mounts have changed since this was asked last. */
static bool was_mounted(const struct sf_rulesets *all)
{
    struct pollfd mounts = { .fd = all->mounts, .events = POLLPRI };

    return all->mounts < 0 || poll(&mounts, 1, 0) != 0;
}

/* After a change of mounts every ruleset has to be looked at in full, once. */
static void forget_versions(struct sf_rulesets *all)
{
    for (size_t i = 0; i < KEPT; i++)
        for (size_t k = 0; all->kept[i] && k < all->kept[i]->count; k++)
            all->kept[i]->grants[k].version = 0;
}

/* The slot of a ruleset for this wish, good or not; else the one to be replaced. */
static size_t slot_for(struct sf_rulesets *all, const struct sf_ruleset_wish *wish)
{
    for (size_t i = 0; i < KEPT; i++)
        if (all->kept[i] && fits(all->kept[i], wish))
            return i;
    return all->next++ % KEPT;
}

int sf_rulesets_open(struct sf_rulesets *all, const struct sf_ruleset_wish *wish)
{
    size_t at = slot_for(all, wish);
    struct ruleset *r = all->kept[at];

    if (was_mounted(all))
        forget_versions(all);
    if (!r || r->uses == USES_MAX || !fits(r, wish) || !is_as_it_was(r, wish)) {
        struct ruleset *fresh = make(wish);

        if (!fresh)
            return -1;
        drop(r);
        all->kept[at] = r = fresh;
    }
    r->uses++;
    return fcntl(r->fd, F_DUPFD_CLOEXEC, 3);
}
