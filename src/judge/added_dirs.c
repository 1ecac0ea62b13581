/*
 * added_dirs.c: checks a directory before it is added. The check fails closed: what holds a
 * protected place anywhere below it is refused as a whole.
 */
#include "judge/added_dirs.h"

#include "cage/cage.h"
#include "io/io.h"
#include "judge/policy_context.h"

/* Directories of the kernel, whose files are not files. */
static bool is_kernels(const char *dir)
{
    return sf_cage_below("/proc", dir) || sf_cage_below("/sys", dir) || sf_cage_below("/dev", dir);
}

/*
 * Directories of the system and of all users: there is more in them than one project, and what
 * lies below some of them is never one. A home is not added as a whole, whosever it is.
 */
static const struct {
    const char *dir;
    enum { ALONE, CHILDREN, ALL } reach;
} systems[] = {
    { "/bin", ALL },           { "/boot", ALL },         { "/etc", ALL },
    { "/home", CHILDREN },     { "/lib", ALONE },        { "/lib32", ALONE },
    { "/lib64", ALONE },       { "/lost+found", ALL },   { "/media", ALONE },
    { "/mnt", ALONE },         { "/opt", ALONE },        { "/root", ALONE },
    { "/run", ALONE },         { "/sbin", ALL },         { "/snap", ALONE },
    { "/srv", ALONE },         { "/tmp", ALONE },        { "/usr", ALONE },
    { "/usr/bin", ALL },       { "/usr/lib", ALONE },    { "/usr/libexec", ALL },
    { "/usr/local", ALONE },   { "/usr/sbin", ALL },     { "/usr/share", ALONE },
    { "/var", ALONE },         { "/var/backups", ALL },  { "/var/cache", ALONE },
    { "/var/home", CHILDREN }, { "/var/lib", CHILDREN }, { "/var/log", ALL },
    { "/var/mail", ALL },      { "/var/spool", ALL },    { "/var/tmp", ALONE },
    { "/Users", CHILDREN },
};

static bool is_systems(const char *dir)
{
    for (size_t i = 0; i < SF_COUNT(systems); i++) {
        const char *rest = sf_cage_rest(systems[i].dir, dir);

        if (rest && (!*rest || systems[i].reach == ALL ||
                     (systems[i].reach == CHILDREN && !strchr(rest, '/'))))
            return true;
    }
    return false;
}

/* Why a directory with this real path must stay outside; NULL: it need not. */
static const char *objection(const struct sf_policy_context *g, const char *dir)
{
    const struct sf_path_found found = { .real = dir, .links = 1 };

    if (!strcmp(dir, "/") || is_kernels(dir))
        return "is no directory of a project";
    if (g->home && sf_cage_below(dir, g->home))
        return "holds your home directory, and with it keys and passwords";
    if (is_systems(dir))
        return "is a directory of the system or the home of a user";
    for (size_t i = 0; i < g->places.own_count; i++)
        if (sf_cage_below(dir, g->own[i]) || sf_cage_below(g->own[i], dir))
            return "belongs to sf itself";
    for (size_t i = 0; i < g->places.moved_count; i++)
        if (sf_cage_below(dir, g->places.moved[i].at))
            return "holds keys and passwords";
    if (sf_path_classify(&found, &g->places).zone != SF_PATH_OUTSIDE)
        return "is protected";
    return NULL;
}

char *sf_added_dirs_check(const struct sf_policy_context *g, const char *path, struct sf_error *err)
{
    struct sf_place place = SF_PLACE_INIT;
    const char *wrong = NULL;
    char *real = NULL;

    if (!sf_place_resolve(&g->root, path, strlen(path), SF_WANT_DIR, &place, err))
        return NULL;
    if (place.inside) {
        sf_fail(err, SF_E_ARG, "%s is in the workspace already", place.shown);
    } else {
        real = sf_place_path(&place);
        wrong = sf_policy_context_path(g, &place).zone != SF_PATH_OUTSIDE ? "is protected"
                                                                          : objection(g, real);
    }
    if (wrong) {
        sf_fail(err, SF_E_ARG, "%s %s", real, wrong);
        sf_hint(err, "add the directory of one project");
        free(real);
        real = NULL;
    }
    sf_place_release(&place);
    return real;
}

void sf_added_dirs_set(struct sf_policy_context *g, const struct sf_strlist *dirs)
{
    sf_strlist_release(&g->added);
    g->added = (struct sf_strlist)SF_STRLIST_INIT;
    for (size_t i = 0; i < dirs->count && i < SF_ADDED_DIRS_MAX; i++)
        sf_strlist_add(&g->added, dirs->items[i]);
}

bool sf_added_dirs_have(const struct sf_policy_context *g, const char *real)
{
    for (size_t i = 0; i < g->added.count; i++)
        if (sf_cage_below(g->added.items[i], real))
            return true;
    return false;
}
