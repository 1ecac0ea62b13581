/*
 * ignored.c: the ignore rules of a snapshot, read from its own files. A file that those rules left
 * out is not in the snapshot although it may have existed; a restore must not take it for a file
 * that was created since.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

static bool fetch(struct sf_snap *snap, const struct sf_snap_dir *dir, const char *name,
                  struct sf_strbuf *out, const char **text, size_t *len)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_snap_item *item = sf_snap_dir_find(dir, name, strlen(name));

    if (!item || !S_ISREG(item->mode) ||
        !snap->git->read(snap->odb, &item->oid, SF_OBJECT_BLOB, out, &ignored))
        return false;
    *text = out->buf;
    *len = out->len;
    return true;
}

void sf_snap_exclude(struct sf_snap *snap, const struct sf_snap_state *state, struct sf_strbuf *out)
{
    struct sf_error unreadable = SF_ERROR_INIT;

    if (!state || sf_oid_none(&state->exclude))
        sf_ignore_read_exclude(snap->fd, out);
    else if (!snap->git->read(snap->odb, &state->exclude, SF_OBJECT_BLOB, out, &unreadable))
        sf_log(SF_LOG_WARN, "what a snapshot ignored: %s", unreadable.msg);
}

/* Returns a new reference; `above` stays owned by the caller. */
static struct sf_ignore *enter(struct sf_snap *snap, const struct sf_snap_state *state,
                               const struct sf_snap_dir *dir, struct sf_ignore *above,
                               size_t dir_len)
{
    struct sf_strbuf git = SF_STRBUF_INIT, own = SF_STRBUF_INIT, exclude = SF_STRBUF_INIT;
    struct sf_ignore_texts texts = { .repository = !dir_len };
    struct sf_ignore *node;

    fetch(snap, dir, ".gitignore", &git, &texts.gitignore, &texts.gitignore_len);
    fetch(snap, dir, ".ignore", &own, &texts.ignore, &texts.ignore_len);
    if (!dir_len) {
        sf_snap_exclude(snap, state, &exclude);
        texts.exclude = exclude.buf;
        texts.exclude_len = exclude.len;
    }
    node = sf_ignore_enter(above, dir_len, &texts);
    sf_strbuf_release(&git);
    sf_strbuf_release(&own);
    sf_strbuf_release(&exclude);
    return node;
}

struct sf_ignore *sf_snap_rules(struct sf_snap *snap, const struct sf_snap_state *state,
                                const char *dir, struct sf_ignore *above)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_snap_dir *here = NULL;
    struct sf_snap_item item;

    if (sf_snap_lookup(snap, state, dir, &item, &ignored) && S_ISDIR(item.mode))
        here = sf_snap_recent_get(snap, &item.oid, &item.modes, &ignored);
    return here ? enter(snap, state, here, above, strlen(dir)) : sf_ignore_ref(above);
}

/* A repository has its own rules: of its files the snapshot has those that were asked for. */
static bool is_foreign(const struct sf_snap_item *item)
{
    return item->mode == SF_SNAP_REPOSITORY || (S_ISDIR(item->mode) && item->mode & SF_SNAP_SOME);
}

bool sf_snap_ignored_top(struct sf_snap *snap, const struct sf_snap_state *state, const char *path,
                         bool dir, size_t *top, struct sf_error *err)
{
    struct sf_snap_item at = { .mode = S_IFDIR, .oid = state->files, .modes = state->modes };
    struct sf_ignore *rules = NULL;
    size_t from = 0;
    bool ok = true;

    *top = 0;
    while (ok && !*top && path[from]) {
        size_t n = strcspn(path + from, "/");
        bool last = !path[from + n];
        const struct sf_snap_dir *here = NULL;

        if (S_ISDIR(at.mode)) {
            here = sf_snap_recent_get(snap, &at.oid, &at.modes, err);
            ok = here != NULL;
        }
        if (ok) {
            const struct sf_snap_item *item = here ? sf_snap_dir_find(here, path + from, n) : NULL;

            at = item ? *item : (struct sf_snap_item){ 0 };
            if (here) {
                struct sf_ignore *above = rules;

                rules = enter(snap, state, here, above, from ? from - 1 : 0);
                sf_ignore_unref(above);
            }
            if ((!last && is_foreign(&at)) ||
                (rules && sf_ignore_covers(rules, path, from + n, !last || dir)))
                *top = from + n;
        }
        from += n + !last;
    }
    sf_ignore_unref(rules);
    return ok;
}

bool sf_snap_ignores(struct sf_snap *snap, const struct sf_snap_state *state, const char *path,
                     bool dir, bool *out, struct sf_error *err)
{
    size_t top = 0;
    bool ok = sf_snap_ignored_top(snap, state, path, dir, &top, err);

    *out = top > 0;
    return ok;
}
