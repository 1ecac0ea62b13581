/*
 * added_secrets.c: one search for each added directory. It begins when a command is first confined
 * with the directory, and ends when the directory is not among those that are added any more.
 */
#include "judge/added_secrets.h"

#include "io/io.h"
#include "judge/added_dirs.h"

struct place {
    char *dir, *git;
    const char *git_dirs[2];
    struct sf_secrets *secrets;
};

struct sf_added_secrets {
    struct sf_secrets_where where;
    struct place *places[SF_ADDED_DIRS_MAX];
    size_t count;
    bool cut;
};

struct sf_added_secrets *sf_added_secrets_new(const struct sf_secrets_where *where)
{
    struct sf_added_secrets *added = sf_alloc(sizeof(*added));

    added->where = *where;
    return added;
}

static void free_place(struct place *p)
{
    sf_secrets_free(p->secrets);
    free(p->dir);
    free(p->git);
    free(p);
}

void sf_added_secrets_free(struct sf_added_secrets *added)
{
    for (size_t i = 0; added && i < added->count; i++)
        free_place(added->places[i]);
    free(added);
}

/* What the directory's own repository holds is no secret there, as in the workspace. */
static struct place *new_place(const struct sf_added_secrets *added, const char *dir)
{
    struct place *p = sf_alloc(sizeof(*p));
    struct sf_secrets_where where = added->where;

    p->dir = sf_strdup(dir);
    p->git = sf_path_join(dir, ".git");
    p->git_dirs[0] = p->git;
    where.root = p->dir;
    where.git_dirs = p->git_dirs;
    p->secrets = sf_secrets_new(&where);
    return p;
}

static void drop_removed(struct sf_added_secrets *added, const struct sf_strlist *dirs)
{
    size_t kept = 0;

    for (size_t i = 0; i < added->count; i++)
        if (sf_strlist_has(dirs, added->places[i]->dir))
            added->places[kept++] = added->places[i];
        else
            free_place(added->places[i]);
    added->count = kept;
}

static struct place *place_of(struct sf_added_secrets *added, const char *dir)
{
    for (size_t i = 0; i < added->count; i++)
        if (!strcmp(added->places[i]->dir, dir))
            return added->places[i];
    if (added->count == SF_ADDED_DIRS_MAX)
        return NULL;
    added->places[added->count] = new_place(added, dir);
    return added->places[added->count++];
}

void sf_added_secrets_look(struct sf_added_secrets *added, const struct sf_strlist *dirs,
                           struct sf_strlist *found)
{
    added->cut = false;
    drop_removed(added, dirs);
    for (size_t i = 0; i < dirs->count; i++) {
        struct place *p = place_of(added, dirs->items[i]);

        if (p)
            sf_strlist_append(found, sf_secrets_look(p->secrets));
        added->cut = added->cut || !p || sf_secrets_is_cut(p->secrets);
    }
}

bool sf_added_secrets_is_cut(const struct sf_added_secrets *added)
{
    return added->cut;
}
