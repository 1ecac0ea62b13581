/*
 * commit.c: a snapshot as a commit: the wrapping tree with its entries, and a message whose
 * last lines say kind, session and the exact time. Commits have no parents, so that each can be
 * deleted without the others.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

const char *const sf_snap_kind_names[] = { "before", "after", "edit", "restore", "mark", NULL };

enum { LABEL_MAX = 200, COMMIT_MAX = 64 * 1024 };

static bool write_wrapper(struct sf_snap *snap, const struct sf_snap_state *s, struct sf_oid *out,
                          struct sf_error *err)
{
    const struct sf_snap_item all[] = {
        { .name = "absent", .len = 6, .mode = S_IFREG | 0644, .oid = s->absent },
        { .name = "exclude", .len = 7, .mode = S_IFREG | 0644, .oid = s->exclude },
        { .name = "files", .len = 5, .mode = S_IFDIR | 0755, .oid = s->files },
        { .name = "modes", .len = 5, .mode = S_IFDIR | 0755, .oid = s->modes },
        { .name = "skipped", .len = 7, .mode = S_IFREG | 0644, .oid = s->skipped },
        { .name = "times", .len = 5, .mode = S_IFREG | 0644, .oid = s->times },
    };
    struct sf_snap_item items[SF_COUNT(all)], wrapper = { 0 };
    size_t count = 0;

    for (size_t i = 0; i < SF_COUNT(all); i++)
        if (!sf_oid_none(&all[i].oid))
            items[count++] = all[i];
    if (!sf_snap_dir_write(snap, items, count, &wrapper, err))
        return false;
    *out = wrapper.oid;
    return true;
}

static void add_line(struct sf_strbuf *out, const char *text)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    size_t len = strlen(text);

    sf_text_sanitize(&safe, text, len < LABEL_MAX ? len : LABEL_MAX, SF_TEXT_ONE_LINE);
    sf_strbuf_add(out, safe.buf, safe.len);
    sf_strbuf_addch(out, '\n');
    sf_strbuf_release(&safe);
}

static void add_message(struct sf_strbuf *out, const struct sf_snap_state *state,
                        const struct sf_snap_request *request, const char *tree,
                        const char *worktree)
{
    int64_t now = sf_clock_wall_ms();
    static atomic_uint serial;

    sf_strbuf_addf(out, "tree %s\n", tree);
    sf_strbuf_addf(out, "author sf <sf@localhost> %lld +0000\n", (long long)(now / 1000));
    sf_strbuf_addf(out, "committer sf <sf@localhost> %lld +0000\n\n", (long long)(now / 1000));
    add_line(out, request->label && *request->label ? request->label
                                                    : sf_snap_kind_names[request->kind]);
    sf_strbuf_adds(out, "\nworktree: ");
    add_line(out, worktree);
    sf_strbuf_addf(out, "kind: %s\npartial: %d\nsession: ", sf_snap_kind_names[request->kind],
                   state->partial);
    add_line(out, request->session ? request->session : "");
    sf_strbuf_addf(out, "time: %lld %u\n", (long long)now, atomic_fetch_add(&serial, 1));
}

bool sf_snap_commit(struct sf_snap *snap, const struct sf_snap_state *state,
                    const struct sf_snap_request *request, struct sf_snap_result *out,
                    struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_oid tree, id;
    bool ok = write_wrapper(snap, state, &tree, err);

    if (ok) {
        sf_oid_text(&tree, out->tree);
        add_message(&text, state, request, out->tree, snap->root.path);
        ok = snap->git->write(snap->odb, SF_OBJECT_COMMIT, &text, &id, err);
        out->bytes += snap->git->batched(snap->odb);
        ok = ok && snap->git->flush(snap->odb, err);
    }
    if (ok) {
        sf_oid_text(&id, out->id);
        ok = sf_snap_ref_add(snap, out->id, err);
    }
    snap->git->drop(snap->odb);
    sf_strbuf_release(&text);
    return ok;
}

/* The rest of the last line that starts with `begin`; NULL: there is none. */
static const char *last_line(const char *text, const char *begin)
{
    const char *found = NULL;

    for (const char *at = text; (at = strstr(at, begin)); at++)
        if (at != text && at[-1] == '\n')
            found = at + strlen(begin);
    return found;
}

static bool not_ours(struct sf_error *err)
{
    return sf_fail(err, SF_E_DAMAGED, "this is not a snapshot of sf");
}

bool sf_snap_about(struct sf_snap *snap, const struct sf_oid *id, struct sf_snap_about *out,
                   struct sf_oid *tree, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    const char *kind, *session, *time, *partial;
    bool ok = snap->git->read(snap->odb, id, SF_OBJECT_COMMIT, &text, err);

    if (!ok)
        goto out;
    kind = last_line(text.buf, "kind: ");
    session = last_line(text.buf, "session: ");
    time = last_line(text.buf, "time: ");
    partial = last_line(text.buf, "partial: ");
    ok = kind && session && time && partial && text.len < COMMIT_MAX &&
         !strncmp(text.buf, "tree ", 5) && text.len > 5 + SF_OID_HEX &&
         sf_oid_read(text.buf + 5, tree);
    if (!ok) {
        not_ours(err);
        goto out;
    }
    *out = (struct sf_snap_about){ .kind = SF_SNAP_BEFORE,
                                   .time_ms = strtoll(time, NULL, 10),
                                   .partial = *partial == '1' };
    snprintf(out->session, sizeof(out->session), "%.*s", (int)strcspn(session, "\n"), session);
    for (int i = 0; sf_snap_kind_names[i]; i++)
        if (!strncmp(kind, sf_snap_kind_names[i], strcspn(kind, "\n")))
            out->kind = (enum sf_snap_kind)i;
out:
    sf_strbuf_release(&text);
    return ok;
}

bool sf_snap_load(struct sf_snap *snap, const char *id, struct sf_snap_state *out,
                  struct sf_error *err)
{
    static const struct sf_oid none;
    struct sf_snap_dir dir = SF_SNAP_DIR_INIT;
    struct sf_snap_about about;
    struct sf_oid oid, tree;
    bool ok;

    *out = (struct sf_snap_state){ 0 };
    if (strlen(id) != SF_OID_HEX || !sf_oid_read(id, &oid))
        return sf_fail(err, SF_E_ARG, "'%s' is not the id of a snapshot", id);
    ok = sf_snap_about(snap, &oid, &about, &tree, err) &&
         sf_snap_dir_load(snap, &tree, &none, &dir, err);
    if (ok) {
        const struct {
            const char *name;
            struct sf_oid *into;
        } parts[] = { { "absent", &out->absent },   { "exclude", &out->exclude },
                      { "files", &out->files },     { "modes", &out->modes },
                      { "skipped", &out->skipped }, { "times", &out->times } };

        for (size_t i = 0; i < SF_COUNT(parts); i++) {
            const struct sf_snap_item *item =
                sf_snap_dir_find(&dir, parts[i].name, strlen(parts[i].name));

            if (item)
                *parts[i].into = item->oid;
        }
        out->partial = about.partial;
        ok = !sf_oid_none(&out->files) || not_ours(err);
    }
    sf_snap_dir_release(&dir);
    return ok;
}

bool sf_snap_lookup(struct sf_snap *snap, const struct sf_snap_state *state, const char *path,
                    struct sf_snap_item *out, struct sf_error *err)
{
    struct sf_snap_item at = { .mode = S_IFDIR, .oid = state->files, .modes = state->modes };
    bool ok = true;

    while (ok && *path && S_ISDIR(at.mode)) {
        const struct sf_snap_dir *dir = sf_snap_recent_get(snap, &at.oid, &at.modes, err);
        size_t n = strcspn(path, "/");

        ok = dir != NULL;
        if (ok) {
            const struct sf_snap_item *item = sf_snap_dir_find(dir, path, n);

            at = item ? *item : (struct sf_snap_item){ 0 };
        }
        path += n + (path[n] == '/');
    }
    *out = at;
    if (*path) /* a component of the path is not a directory */
        *out = (struct sf_snap_item){ .mode = 0 };
    out->name = NULL;
    return ok;
}
