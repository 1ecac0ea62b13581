/*
 * leftovers.c: what killed processes left: half-written files in the workspace and temporary
 * directories. A file is left alone while it is young, a directory while its owner locks it.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"

enum { ENTRIES_MAX = 100000, DEPTH_MAX = 12, YOUNG_MS = 60000, DIGITS = 16, SHOWN = 50 };

static bool is_named(const char *path, const char *prefix)
{
    const char *name = strrchr(path, '/') + 1;
    size_t n = strlen(prefix);

    return !strncmp(name, prefix, n) && strlen(name) == n + DIGITS &&
           strspn(name + n, "0123456789abcdef") == DIGITS;
}

struct leftovers {
    struct sf_health *health;
    size_t count;
};

static void say(struct leftovers *l, const char *hint, const char *what, const char *path)
{
    if (l->count++ >= SHOWN)
        return;
    sf_health_say(l->health, SF_HEALTH_WARNING, hint, "%s: %s", what, path);
    sf_health_offer(l->health, SF_HEALTH_MOVE, path, NULL, NULL);
}

static bool look_half(void *ctx, const char *path, const struct stat *st)
{
    if (S_ISREG(st->st_mode) && is_named(path, ".sf-tmp-") && st->st_uid == geteuid() &&
        sf_health_age_ms(st) >= YOUNG_MS)
        say(ctx, "sf doctor fix unfinished-files moves it away",
            "a file that a killed process did not finish", path);
    return true;
}

void sf_health_look_halves(struct sf_health *h)
{
    static const char *const no[] = { ".git", "node_modules", NULL };
    struct leftovers l = { .health = h };
    struct sf_health_walk walk = {
        .fn = look_half, .ctx = &l, .depth = DEPTH_MAX, .left = ENTRIES_MAX, .no = no
    };

    if (!sf_health_has_workspace(h))
        return;
    sf_health_walk(&walk, h->at->workspace->root);
    if (!l.count)
        sf_health_say(h, SF_HEALTH_OK, "", "no half-written file is left");
}

/* A living session holds a lock on its directory. */
static bool is_free(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool is = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;

    if (fd >= 0)
        close(fd);
    return is;
}

static bool look_tempdir(void *ctx, const char *path, const struct stat *st)
{
    if (S_ISDIR(st->st_mode) && is_named(path, "sf-") && st->st_uid == geteuid() &&
        sf_health_age_ms(st) >= YOUNG_MS && is_free(path))
        say(ctx, "the next session removes it; sf doctor fix temp-directories keeps it",
            "the temporary directory of a session that was killed", path);
    return true;
}

void sf_health_look_tempdirs(struct sf_health *h)
{
    const char *temp = sf_env_get("TMPDIR");
    struct leftovers l = { .health = h };
    struct sf_health_walk walk = { .fn = look_tempdir, .ctx = &l, .left = ENTRIES_MAX };

    sf_health_walk(&walk, temp && *temp == '/' ? temp : "/tmp");
    if (!l.count)
        sf_health_say(h, SF_HEALTH_OK, "", "no temporary directory is left");
}
