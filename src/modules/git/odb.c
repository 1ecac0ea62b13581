/*
 * odb.c: libgit2's object database over one directory, loose objects and packs, and the batch
 * of new objects in front of it. The batch starts in memory; once it is large it goes to a pack.
 */
#include <git2.h>
#include <git2/sys/odb_backend.h>

#include "base/base.h"
#include "io/io.h"
#include "modules/git/parts.h"

enum {
    LEVEL = 1,
    LOOSE_MAX = 48, /* objects; more of them become a pack */
    LOOSE_BYTES_MAX = 4 * 1024 * 1024,
    PACK_MAX = 1024 * 1024 * 1024, /* bytes; the next object starts another one */
};

struct waiting {
    struct sf_oid oid;
    enum sf_object_kind kind;
    char *data;
    size_t len;
};

struct sf_odb {
    git_odb *odb;
    char *pack_dir;
    struct waiting *waiting;
    size_t count, cap, bytes;
    struct sf_pack *pack;
    uint64_t packed;     /* bytes of packs of this batch that are full */
    struct sf_map batch; /* ids of all objects of the batch */
    struct sf_arena ids;
};

static bool fail(struct sf_error *err, enum sf_errc code, const char *what)
{
    const git_error *e = git_error_last();

    return sf_fail(err, code, "%s: %s", what, e && e->message ? e->message : "unknown reason");
}

static const git_oid *as_git(const struct sf_oid *oid)
{
    _Static_assert(sizeof(git_oid) == sizeof(struct sf_oid), "both are twenty bytes");
    return (const git_oid *)oid;
}

static bool add_backend(git_odb *odb, int rc, git_odb_backend *backend, int priority)
{
    if (rc < 0)
        return false;
    if (git_odb_add_backend(odb, backend, priority) == 0)
        return true;
    backend->free(backend);
    return false;
}

static bool open_backends(git_odb **out, const char *objects)
{
    git_odb_backend *backend = NULL;
    int rc;

    if (git_odb_new(out) < 0)
        return false;
    rc = git_odb_backend_loose(&backend, objects, LEVEL, 0, 0700, 0400);
    if (!add_backend(*out, rc, backend, 1))
        return false;
    rc = git_odb_backend_pack(&backend, objects);
    return add_backend(*out, rc, backend, 2);
}

/*
 * The library is never shut down again: what it keeps for each thread goes with the thread only
 * while it runs, and the snapshots of a session are read by several.
 */
struct sf_odb *sf_odb_open(const char *objects, struct sf_error *err)
{
    struct sf_odb *odb = sf_alloc(sizeof(*odb));

    odb->pack_dir = sf_path_join(objects, "pack");
    if (git_libgit2_init() > 0 && open_backends(&odb->odb, objects))
        return odb;
    fail(err, SF_E_IO, "cannot open the snapshots' objects");
    sf_odb_close(odb);
    return NULL;
}

void sf_odb_close(struct sf_odb *odb)
{
    if (!odb)
        return;
    sf_odb_drop(odb);
    git_odb_free(odb->odb);
    free(odb->pack_dir);
    free(odb);
}

bool sf_odb_has(struct sf_odb *odb, const struct sf_oid *oid)
{
    return sf_map_get(&odb->batch, (const char *)oid->id, SF_OID_SIZE) ||
           git_odb_exists_ext(odb->odb, as_git(oid), GIT_ODB_LOOKUP_NO_REFRESH);
}

bool sf_odb_read(struct sf_odb *odb, const struct sf_oid *oid, enum sf_object_kind kind,
                 struct sf_strbuf *out, struct sf_error *err)
{
    git_odb_object *object;

    if (git_odb_read(&object, odb->odb, as_git(oid)) < 0)
        return fail(err, SF_E_DAMAGED, "a part of the snapshot cannot be read");
    if (git_odb_object_type(object) != (git_object_t)kind) {
        git_odb_object_free(object);
        return sf_fail(err, SF_E_DAMAGED, "a part of the snapshot is of another kind");
    }
    sf_strbuf_add(out, git_odb_object_data(object), git_odb_object_size(object));
    git_odb_object_free(object);
    return true;
}

static bool to_pack(struct sf_odb *odb, const struct waiting *w, struct sf_error *err)
{
    if (odb->pack && sf_pack_bytes(odb->pack) > PACK_MAX) {
        struct sf_pack *full = odb->pack;

        odb->pack = NULL;
        odb->packed += sf_pack_bytes(full);
        if (!sf_pack_finish(full, err))
            return false;
    }
    if (!odb->pack)
        odb->pack = sf_pack_new(odb->pack_dir, err);
    return odb->pack && sf_pack_add(odb->pack, w->kind, &w->oid, w->data, w->len, err);
}

static void forget_waiting(struct sf_odb *odb)
{
    for (size_t i = 0; i < odb->count; i++)
        free(odb->waiting[i].data);
    odb->count = 0;
    odb->bytes = 0;
}

/* What waits in memory goes to the pack, from where nothing comes back. */
static bool start_pack(struct sf_odb *odb, struct sf_error *err)
{
    for (size_t i = 0; i < odb->count; i++)
        if (!to_pack(odb, &odb->waiting[i], err))
            return false;
    forget_waiting(odb);
    return true;
}

static void remember(struct sf_odb *odb, const struct sf_oid *oid)
{
    char *id = sf_arena_strndup(&odb->ids, (const char *)oid->id, SF_OID_SIZE);

    sf_map_add(&odb->batch, id, SF_OID_SIZE, id);
}

static void keep_waiting(struct sf_odb *odb, const struct waiting *w)
{
    odb->waiting = sf_grow(odb->waiting, &odb->cap, odb->count + 1, sizeof(*odb->waiting));
    odb->waiting[odb->count] = *w;
    odb->waiting[odb->count].data = sf_alloc(w->len + 1);
    memcpy(odb->waiting[odb->count].data, w->data, w->len);
    odb->count++;
    odb->bytes += w->len;
}

bool sf_odb_write(struct sf_odb *odb, enum sf_object_kind kind, const struct sf_strbuf *data,
                  struct sf_oid *out, struct sf_error *err)
{
    struct waiting w = { .kind = kind, .data = data->buf, .len = data->len };
    git_oid oid;

    if (git_odb_hash(&oid, data->buf, data->len, (git_object_t)kind) < 0)
        return fail(err, SF_E_IO, "cannot name a part of the snapshot");
    memcpy(out->id, oid.id, SF_OID_SIZE);
    if (sf_odb_has(odb, out))
        return true;
    w.oid = *out;
    if (!odb->pack && (odb->count == LOOSE_MAX || odb->bytes + w.len > LOOSE_BYTES_MAX) &&
        !start_pack(odb, err))
        return false;
    if (odb->pack && !to_pack(odb, &w, err))
        return false;
    if (!odb->pack)
        keep_waiting(odb, &w);
    remember(odb, out);
    return true;
}

bool sf_odb_copy(struct sf_odb *odb, const struct sf_oid *oid, struct sf_error *err)
{
    struct waiting w = { .oid = *oid };
    git_odb_object *object;
    bool ok;

    if (sf_map_get(&odb->batch, (const char *)oid->id, SF_OID_SIZE))
        return true;
    if (git_odb_read(&object, odb->odb, as_git(oid)) < 0)
        return fail(err, SF_E_DAMAGED, "a part of a snapshot cannot be read");
    w.kind = (enum sf_object_kind)git_odb_object_type(object);
    w.len = git_odb_object_size(object);
    w.data = sf_alloc(w.len + 1);
    memcpy(w.data, git_odb_object_data(object), w.len);
    ok = to_pack(odb, &w, err);
    if (ok)
        remember(odb, oid);
    free(w.data);
    git_odb_object_free(object);
    return ok;
}

uint64_t sf_odb_batched(const struct sf_odb *odb)
{
    return odb->bytes + odb->packed + (odb->pack ? sf_pack_bytes(odb->pack) : 0);
}

/* In the order they came: parts before the wholes that name them. */
static bool write_loose(struct sf_odb *odb, struct sf_error *err)
{
    for (size_t i = 0; i < odb->count; i++) {
        const struct waiting *w = &odb->waiting[i];
        git_oid oid;

        if (git_odb_write(&oid, odb->odb, w->data, w->len, (git_object_t)w->kind) < 0)
            return fail(err, SF_E_IO, "cannot write the snapshot");
    }
    return true;
}

bool sf_odb_flush(struct sf_odb *odb, struct sf_error *err)
{
    struct sf_pack *pack = odb->pack;
    bool ok;

    odb->pack = NULL;
    ok = pack ? sf_pack_finish(pack, err) : write_loose(odb, err);
    sf_odb_drop(odb);
    if (ok && pack && git_odb_refresh(odb->odb) < 0)
        ok = fail(err, SF_E_IO, "cannot read the snapshot back");
    return ok;
}

void sf_odb_drop(struct sf_odb *odb)
{
    sf_pack_free(odb->pack);
    odb->pack = NULL;
    odb->packed = 0;
    forget_waiting(odb);
    free(odb->waiting);
    odb->waiting = NULL;
    odb->cap = 0;
    sf_map_release(&odb->batch);
    odb->batch = (struct sf_map)SF_MAP_INIT;
    sf_arena_release(&odb->ids);
    odb->ids = (struct sf_arena)SF_ARENA_INIT;
}

struct each {
    sf_oid_fn *fn;
    void *ctx;
};

static int give(const git_oid *id, void *payload)
{
    const struct each *each = payload;
    struct sf_oid oid;

    memcpy(oid.id, id->id, SF_OID_SIZE);
    each->fn(each->ctx, &oid);
    return 0;
}

bool sf_odb_each_packed(const char *idx, sf_oid_fn *fn, void *ctx, struct sf_error *err)
{
    struct each each = { fn, ctx };
    git_odb_backend *backend = NULL;
    git_odb *odb = NULL;
    bool ok = git_libgit2_init() > 0 && git_odb_new(&odb) == 0;
    int rc = ok ? git_odb_backend_one_pack(&backend, idx) : -1;

    ok = ok && add_backend(odb, rc, backend, 1) && git_odb_foreach(odb, give, &each) == 0;
    if (!ok)
        fail(err, SF_E_DAMAGED, "cannot read a pack of the snapshots");
    git_odb_free(odb);
    return ok;
}
