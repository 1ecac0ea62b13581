/*
 * prepare.c: makes a cage ready: what is on the disk of the plan, as grants and mounts.
 */
#include "cage/prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/landlock.h"
#include "io/io.h"

#define USE_DEVICE (SF_LL_READ_FILE | SF_LL_WRITE_FILE | SF_LL_TRUNCATE | SF_LL_IOCTL_DEV)

static const struct {
    const char *path;
    uint64_t rights;
} devices[] = {
    { "/dev/null", USE_DEVICE },   { "/dev/zero", USE_DEVICE },    { "/dev/full", USE_DEVICE },
    { "/dev/random", USE_DEVICE }, { "/dev/urandom", USE_DEVICE }, { "/dev/tty", USE_DEVICE },
    { "/dev/ptmx", USE_DEVICE },   { "/dev/pts", USE_DEVICE },
};

static const char *const temp_dirs[] = { "/tmp", "/var/tmp" };

static const char *keep(struct sf_cage *cage, const char *text)
{
    return sf_arena_strndup(&cage->arena, text, strlen(text));
}

/* The real path of something that exists, or NULL; it is asked first, as most do not. */
static const char *real_of(struct sf_cage *cage, const char *path)
{
    char real[PATH_MAX];

    return access(path, F_OK) == 0 && realpath(path, real) ? keep(cage, real) : NULL;
}

/* For each rule that opens something its real path, or NULL. */
static const char **real_rules(struct sf_cage *cage, const struct sf_cage_plan *plan,
                               struct sf_listings *listings)
{
    struct sf_listing *home = plan->home ? sf_listings_read(listings, plan->home) : NULL;
    const char **reals = sf_alloc_array(plan->count + 1, sizeof(*reals));

    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_cage_rule *rule = &plan->rules[i];

        if (rule->use == SF_CAGE_HIDE || rule->use == SF_CAGE_COVER)
            continue;
        if (rule->make && cage->spaces.mounts)
            mkdir(rule->path, 0777);
        if (rule->make || sf_cage_disk_may_have(home, plan, rule->path))
            reals[i] = real_of(cage, rule->path);
    }
    sf_listing_done(home);
    return reals;
}

static bool is_dir(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* ---- grants ---- */

static bool is_covered(const struct sf_cage *cage, const char *path)
{
    for (size_t i = 0; i < SF_COUNT(temp_dirs); i++)
        if (cage->private[i] && sf_cage_below(temp_dirs[i], path))
            return true;
    return false;
}

/* On their way into a ruleset; the paths are borrowed. */
struct grants {
    struct sf_grant *list;
    size_t count, cap;
};

static void grant(struct grants *g, const char *path, uint64_t rights)
{
    g->list = sf_grow(g->list, &g->cap, g->count + 1, sizeof(*g->list));
    g->list[g->count++] = (struct sf_grant){ .path = path, .rights = rights };
}

/* What lies below the session's own /tmp in truth is not there for the command. */
static void grant_leaves(struct grants *g, const struct sf_cage *cage,
                         const struct sf_cage_disk *survey, bool trusted)
{
    uint64_t rights = SF_LL_READ_FILE | SF_LL_EXECUTE | (trusted ? SF_LL_CHANGE : 0);

    for (size_t i = 0; i < survey->leaves.count; i++)
        if (!is_covered(cage, survey->leaves.items[i])) {
            grant(g, survey->leaves.items[i], rights);
            g->list[g->count - 1].version = survey->versions[i];
        }
}

static void grant_rules(struct grants *g, const struct sf_cage_plan *plan, const char *const *reals)
{
    for (size_t i = 0; i < plan->count; i++) {
        enum sf_cage_use use = plan->rules[i].use;

        if (reals[i] && (use == SF_CAGE_WRITE || use == SF_CAGE_READ))
            grant(g, reals[i], SF_LL_READ | (use == SF_CAGE_WRITE ? SF_LL_CHANGE : 0));
    }
}

/* The session's own /tmp is its temporary directory, of which the plan has a rule. */
static bool make_ruleset(struct sf_cage *cage, const struct sf_cage_plan *plan,
                         const struct sf_cage_disk *survey, const char *const *reals,
                         struct sf_rulesets *rulesets)
{
    struct sf_ruleset_wish wish = { .handled = cage->handled, .version = cage->landlock };
    struct grants g = { 0 };

    grant(&g, "/", SF_LL_READ_DIR);
    for (size_t i = 0; i < SF_COUNT(devices); i++)
        grant(&g, devices[i].path, devices[i].rights);
    grant_leaves(&g, cage, survey, plan->trusted);
    grant_rules(&g, plan, reals);
    wish.grants = g.list;
    wish.count = g.count;
    cage->ruleset = sf_rulesets_open(rulesets, &wish);
    free(g.list);
    return cage->ruleset >= 0;
}

/* ---- mounts ---- */

/* It may be more than can be mounted; whether it is, make_mounts looks once. */
static void add_mount(struct sf_cage *cage, const char *path, const char *source,
                      enum sf_mount_how how, bool optional)
{
    cage->mounts =
        sf_grow(cage->mounts, &cage->mount_cap, cage->mount_count + 1, sizeof(*cage->mounts));
    cage->mounts[cage->mount_count++] = (struct sf_mount){ path, source, how, optional };
}

/*
 * What is mounted below the session's own /tmp has the rights of /tmp: so it must hold nothing
 * that is hidden, as it does when somebody's home lies there.
 */
static bool can_cover(const struct sf_cage_plan *plan, const struct sf_cage_disk *survey,
                      const char *dir)
{
    struct stat st;

    if (!plan->temp || lstat(dir, &st) < 0 || !S_ISDIR(st.st_mode) ||
        sf_cage_below(plan->root, dir) || (plan->home && sf_cage_below(dir, plan->home)))
        return false;
    for (size_t i = 0; i < survey->hidden.count; i++)
        if (sf_cage_below(dir, survey->hidden.items[i]))
            return false;
    return true;
}

/*
 * One step of a way into the session's temporary directory, where commands may have left
 * anything: what is no directory goes, and links are not followed.
 */
static int step_into(int dir, const char *name)
{
    const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(dir, name, flags);

    if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
        unlinkat(dir, name, 0);
    if (fd < 0 && (mkdirat(dir, name, 0700) == 0 || errno == EEXIST))
        fd = openat(dir, name, flags);
    return fd;
}

static bool make_last(int dir, const char *name, bool directory)
{
    int fd;

    if (directory) {
        fd = step_into(dir, name);
    } else {
        fd = openat(dir, name, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
        if (fd < 0)
            unlinkat(dir, name, 0);
        if (fd < 0)
            fd = openat(dir, name, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* The place in `temp` on which `path` is mounted when `temp` has become `top`. */
static bool make_place(const char *temp, const char *top, const char *path)
{
    const char *rest = path + strlen(top);
    int dir = open(temp, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool ok = false;

    while (dir >= 0) {
        size_t n;
        char *name;
        int next;

        rest += strspn(rest, "/");
        n = strcspn(rest, "/");
        if (!n)
            break;
        name = sf_strndup(rest, n);
        rest += n;
        if (!*rest) {
            ok = make_last(dir, name, is_dir(path));
            free(name);
            break;
        }
        next = step_into(dir, name);
        free(name);
        close(dir);
        dir = next;
    }
    if (dir >= 0)
        close(dir);
    return ok;
}

static bool make_places(const struct sf_cage *cage, const char *temp, struct sf_error *err)
{
    for (size_t i = 0; i < cage->mount_count; i++) {
        const struct sf_mount *m = &cage->mounts[i];

        if (m->how == SF_MOUNT_NOTHING || m->how == SF_MOUNT_COVER || m->how == SF_MOUNT_EMPTY)
            continue; /* what they cover is there with what it lies in */
        for (size_t k = 0; k < SF_COUNT(temp_dirs); k++)
            if (cage->private[k] && sf_cage_below(temp_dirs[k], m->path) &&
                strcmp(temp_dirs[k], m->path) != 0 && !make_place(temp, temp_dirs[k], m->path))
                return sf_fail_errno(err, "cannot make a place for %s in %s", m->path, temp);
    }
    return true;
}

/* The deepest last, so that none covers another. */
static int by_depth(const void *a, const void *b)
{
    const struct sf_mount *one = a, *other = b;
    size_t n = strlen(one->path), m = strlen(other->path);

    return n < m ? -1 : n > m;
}

static bool is_mounted(const struct sf_cage *cage, const char *path)
{
    for (size_t i = 0; i < cage->mount_count; i++)
        if (!strcmp(cage->mounts[i].path, path))
            return true;
    return false;
}

static void mount_rules(struct sf_cage *cage, const struct sf_cage_plan *plan,
                        const char *const *reals)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_cage_rule *rule = &plan->rules[i];
        const char *real = reals[i];

        /* a link in the place of .git/config leads elsewhere, where nothing is written anyway */
        if (!real || (rule->use == SF_CAGE_KEEP && strcmp(real, rule->path) != 0) ||
            (rule->use == SF_CAGE_READ && !is_covered(cage, real)) || is_mounted(cage, real))
            continue;
        add_mount(cage, real, real,
                  rule->use == SF_CAGE_WRITE ? SF_MOUNT_WRITABLE : SF_MOUNT_READONLY,
                  rule->use != SF_CAGE_KEEP);
    }
    qsort(cage->mounts, cage->mount_count, sizeof(*cage->mounts), by_depth);
}

/* After all others, as they lie in what those put in place. */
static void mount_covers(struct sf_cage *cage, const struct sf_cage_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        const char *path = plan->rules[i].path;

        if (plan->rules[i].use == SF_CAGE_COVER && !is_mounted(cage, path))
            add_mount(cage, keep(cage, path), "/dev/null",
                      is_dir(path) ? SF_MOUNT_EMPTY : SF_MOUNT_COVER, true);
    }
}

/* They come first: the others lie in them. */
static bool mount_temp(struct sf_cage *cage, const char *temp, struct sf_error *err)
{
    if (!make_places(cage, temp, err))
        return false;
    for (size_t i = 0; i < SF_COUNT(temp_dirs); i++)
        if (cage->private[i] && !is_mounted(cage, temp_dirs[i]))
            add_mount(cage, temp_dirs[i], temp, SF_MOUNT_WRITABLE, false);
    qsort(cage->mounts, cage->mount_count, sizeof(*cage->mounts), by_depth);
    return true;
}

/* Where there are more than can be covered, none can be made in there. */
static void mount_sockets(struct sf_cage *cage, const struct sf_cage_plan *plan,
                          struct sf_cage_disk *survey)
{
    sf_cage_disk_sockets(survey, plan);
    for (size_t i = 0; i < survey->sockets.count; i++) {
        if (is_covered(cage, survey->sockets.items[i]))
            continue;
        if (cage->mount_count < SF_MOUNTS_MAX)
            add_mount(cage, keep(cage, survey->sockets.items[i]), "/dev/null", SF_MOUNT_NOTHING,
                      true);
        else
            survey->sockets_cut = true;
    }
}

static bool make_mounts(struct sf_cage *cage, const struct sf_cage_plan *plan,
                        struct sf_cage_disk *survey, const char *const *reals, struct sf_error *err)
{
    const char *temp = plan->temp ? real_of(cage, plan->temp) : NULL;

    if (plan->temp && !temp)
        return sf_fail_errno(err, "cannot use %s", plan->temp);
    for (size_t i = 0; i < SF_COUNT(temp_dirs); i++)
        cage->private[i] = can_cover(plan, survey, temp_dirs[i]);
    mount_rules(cage, plan, reals);
    if (temp && !mount_temp(cage, temp, err))
        return false;
    mount_covers(cage, plan);
    if (is_dir("/dev/shm"))
        add_mount(cage, "/dev/shm", "/dev/shm", SF_MOUNT_MEMORY, true);
    if (cage->mount_count > SF_MOUNTS_MAX)
        return sf_fail(err, SF_E_LIMIT, "too many places to hide or keep: %zu", cage->mount_count);
    mount_sockets(cage, plan, survey);
    return true;
}

/* ---- all of it ---- */

static void choose_layers(struct sf_cage *cage, const struct sf_cage_plan *plan,
                          const struct sf_kernel *kernel)
{
    bool whole;

    cage->limited = plan->need != SF_CAGE_NEED_OFF;
    if (!cage->limited)
        return;
    whole = !strcmp(plan->root, "/"); /* a workspace that is everything has no outside */
    cage->landlock = kernel->landlock < SF_LANDLOCK_NEWEST ? kernel->landlock : SF_LANDLOCK_NEWEST;
    cage->spaces.mounts = cage->landlock && kernel->mounts && !whole;
    cage->spaces.nets = cage->landlock && kernel->nets && !plan->network;
    cage->spaces.user = !kernel->privileged && (cage->spaces.mounts || cage->spaces.nets);
    cage->fence = cage->spaces.mounts && !plan->trusted;
    cage->handled = (struct sf_ll_ruleset){
        .fs = sf_ll_fs_rights(cage->landlock),
        .net = cage->landlock >= 4 && !plan->network && !cage->spaces.nets ? SF_LL_NET_TCP : 0,
        .scoped = cage->landlock >= 6 ? SF_LL_SCOPES : 0,
    };
    cage->filters = kernel->seccomp;
    if (cage->spaces.user)
        sf_namespaces_ids(&cage->spaces);
}

/* Local sockets only when all those of others are covered. */
static void make_filter(struct sf_cage *cage, const struct sf_cage_plan *plan,
                        const struct sf_cage_disk *survey)
{
    const struct sf_seccomp_wish wish = { .internet = plan->network || cage->spaces.nets,
                                          .local = cage->spaces.mounts && !survey->sockets_cut,
                                          .own_children = cage->landlock > 0 };

    if (cage->filters)
        sf_seccomp_make(&cage->filter, &wish);
}

/* What the plan's paths are on the disk now, as grants and mounts. */
static bool look_around(struct sf_cage *cage, const struct sf_cage_plan *plan,
                        struct sf_cage_disk *survey, struct sf_cage_memory *memory,
                        struct sf_error *err)
{
    struct sf_cage_memory *own = memory ? NULL : sf_cage_memory_new();
    const char **reals;
    bool ok;

    memory = memory ? memory : own;
    reals = real_rules(cage, plan, memory->listings);
    sf_cage_disk_make(survey, plan, memory->listings);
    ok = !cage->spaces.mounts || make_mounts(cage, plan, survey, reals, err);
    if (ok && !make_ruleset(cage, plan, survey, reals, memory->rulesets))
        ok = sf_fail_errno(err, "cannot make the rules that confine a command");
    free(reals);
    sf_cage_memory_free(own);
    return ok;
}

struct sf_cage_memory *sf_cage_memory_new(void)
{
    struct sf_cage_memory *memory = sf_alloc(sizeof(*memory));

    memory->listings = sf_listings_new();
    memory->rulesets = sf_rulesets_new();
    return memory;
}

void sf_cage_memory_free(struct sf_cage_memory *memory)
{
    if (!memory)
        return;
    sf_listings_free(memory->listings);
    sf_rulesets_free(memory->rulesets);
    free(memory);
}

/* They grew on the heap, which a forked process does not have. */
static void settle_mounts(struct sf_cage *cage)
{
    const size_t size = cage->mount_count * sizeof(*cage->mounts);
    struct sf_mount *grown = cage->mounts;

    cage->mounts = sf_arena_alloc(&cage->arena, size);
    if (size)
        memcpy(cage->mounts, grown, size);
    free(grown);
}

struct sf_cage *sf_cage_new(const struct sf_cage_plan *plan, const struct sf_kernel *kernel,
                            struct sf_cage_memory *memory, struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_MAPPED_INIT;
    struct sf_cage_disk survey = { 0 };
    struct sf_cage *cage;
    bool ok;

    if (plan->need == SF_CAGE_NEED_REQUIRE && !kernel->landlock) {
        sf_fail(err, SF_E_ARG, "this kernel cannot confine commands: it has no Landlock");
        sf_hint(err, "set guard.cage to \"auto\" to run them with what there is");
        return NULL;
    }
    cage = sf_arena_alloc(&arena, sizeof(*cage));
    cage->arena = arena;
    cage->ruleset = -1;
    cage->limits = plan->limits;
    choose_layers(cage, plan, kernel);
    ok = !cage->landlock || look_around(cage, plan, &survey, memory, err);
    make_filter(cage, plan, &survey);
    settle_mounts(cage);
    sf_cage_disk_release(&survey);
    if (!ok) {
        sf_cage_free(cage);
        return NULL;
    }
    return cage;
}

void sf_cage_free(struct sf_cage *cage)
{
    struct sf_arena arena;

    if (!cage)
        return;
    if (cage->ruleset >= 0)
        close(cage->ruleset);
    arena = cage->arena; /* of which the cage itself is a part */
    sf_arena_release(&arena);
}
