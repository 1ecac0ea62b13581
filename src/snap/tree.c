/*
 * tree.c: one directory as two git trees. The first is what git itself would write. The second
 * has what git does not store: a blob "=" with "OCTAL NAME\0" for each entry whose permissions are
 * not the usual ones, and a tree "+NAME" for each directory below that has such entries. Both
 * are shared between snapshots wherever nothing changed.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "snap/internal.h"

enum { USUAL_FILE = 0644, USUAL_PROGRAM = 0755, USUAL_DIR = 0755 };

bool sf_oid_none(const struct sf_oid *oid)
{
    static const struct sf_oid none;

    return !memcmp(oid, &none, sizeof(none));
}

bool sf_oid_same(const struct sf_oid *a, const struct sf_oid *b)
{
    return !memcmp(a, b, sizeof(*a));
}

void sf_oid_text(const struct sf_oid *oid, char out[SF_OID_HEX + 1])
{
    for (int i = 0; i < SF_OID_SIZE; i++)
        snprintf(out + 2 * (size_t)i, 3, "%02x", oid->id[i]);
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool sf_oid_read(const char *text, struct sf_oid *out)
{
    for (size_t i = 0; i < SF_OID_SIZE; i++) {
        int high = digit(text[2 * i]), low = high < 0 ? -1 : digit(text[2 * i + 1]);

        if (low < 0)
            return false;
        out->id[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

/* ---- writing ---- */

static uint32_t git_mode(uint32_t mode)
{
    if (S_ISREG(mode))
        return mode & 0100 ? 0100755 : 0100644;
    return mode & S_IFMT;
}

static uint32_t usual(uint32_t mode)
{
    if (S_ISREG(mode))
        return mode & 0100 ? USUAL_PROGRAM : USUAL_FILE;
    return S_ISDIR(mode) ? USUAL_DIR : mode & 07777;
}

/* git compares the names of directories as if they ended in a slash. */
static int by_git(const void *a, const void *b)
{
    const struct sf_snap_item *x = *(const struct sf_snap_item *const *)a;
    const struct sf_snap_item *y = *(const struct sf_snap_item *const *)b;
    size_t n = x->len < y->len ? x->len : y->len;
    int order = memcmp(x->name, y->name, n);
    unsigned char cx, cy;

    if (order)
        return order;
    cx = x->len > n ? (unsigned char)x->name[n] : S_ISDIR(x->mode) ? '/' : 0;
    cy = y->len > n ? (unsigned char)y->name[n] : S_ISDIR(y->mode) ? '/' : 0;
    return cx - cy;
}

static bool write_tree(struct sf_snap *snap, const struct sf_snap_item *items, size_t count,
                       struct sf_oid *out, struct sf_error *err)
{
    const struct sf_snap_item **order = sf_alloc_array(count + 1, sizeof(const void *));
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok;

    for (size_t i = 0; i < count; i++)
        order[i] = &items[i];
    qsort(order, count, sizeof(const void *), by_git);
    for (size_t i = 0; i < count; i++) {
        sf_strbuf_addf(&text, "%o ", git_mode(order[i]->mode));
        sf_strbuf_add(&text, order[i]->name, order[i]->len);
        sf_strbuf_addch(&text, '\0');
        sf_strbuf_add(&text, order[i]->oid.id, SF_OID_SIZE);
    }
    ok = snap->git->write(snap->odb, SF_OBJECT_TREE, &text, out, err);
    sf_strbuf_release(&text);
    free(order);
    return ok;
}

/* Collects "+NAME" in `dirs` for directories with unusual permissions below them. */
static void collect_modes(const struct sf_snap_item *items, size_t count, struct sf_snap_dir *dirs,
                          struct sf_strbuf *list)
{
    for (size_t i = 0; i < count; i++) {
        const struct sf_snap_item *item = &items[i];

        if ((item->mode & 07777) != usual(item->mode)) {
            sf_strbuf_addf(list, "%o ", item->mode & 07777);
            sf_strbuf_add(list, item->name, item->len);
            sf_strbuf_addch(list, '\0');
        }
        if (!S_ISDIR(item->mode) || sf_oid_none(&item->modes))
            continue;
        dirs->items = sf_grow(dirs->items, &dirs->cap, dirs->count + 2, sizeof(*dirs->items));
        dirs->items[dirs->count++] =
            (struct sf_snap_item){ .len = item->len + 1, .mode = S_IFDIR, .oid = item->modes };
        sf_strbuf_addch(&dirs->text, '+');
        sf_strbuf_add(&dirs->text, item->name, item->len);
    }
}

static bool write_modes(struct sf_snap *snap, const struct sf_snap_item *items, size_t count,
                        struct sf_oid *out, struct sf_error *err)
{
    struct sf_snap_dir dirs = SF_SNAP_DIR_INIT;
    struct sf_strbuf list = SF_STRBUF_INIT;
    bool ok = true;
    const char *name;

    *out = (struct sf_oid){ 0 };
    collect_modes(items, count, &dirs, &list);
    name = dirs.text.buf;
    for (size_t i = 0; i < dirs.count; name += dirs.items[i++].len)
        dirs.items[i].name = name;
    if (list.len) {
        struct sf_snap_item own = { .name = "=", .len = 1, .mode = S_IFREG };

        ok = snap->git->write(snap->odb, SF_OBJECT_BLOB, &list, &own.oid, err);
        dirs.items = sf_grow(dirs.items, &dirs.cap, dirs.count + 1, sizeof(own));
        dirs.items[dirs.count++] = own;
    }
    if (ok && dirs.count)
        ok = write_tree(snap, dirs.items, dirs.count, out, err);
    sf_snap_dir_release(&dirs);
    sf_strbuf_release(&list);
    return ok;
}

bool sf_snap_dir_write(struct sf_snap *snap, const struct sf_snap_item *items, size_t count,
                       struct sf_snap_item *out, struct sf_error *err)
{
    return write_tree(snap, items, count, &out->oid, err) &&
           write_modes(snap, items, count, &out->modes, err);
}

/* ---- reading ---- */

void sf_snap_dir_release(struct sf_snap_dir *dir)
{
    free(dir->items);
    sf_strbuf_release(&dir->text);
    *dir = (struct sf_snap_dir)SF_SNAP_DIR_INIT;
}

static int by_name(const void *a, const void *b)
{
    const struct sf_snap_item *x = a, *y = b;
    size_t n = x->len < y->len ? x->len : y->len;
    int order = memcmp(x->name, y->name, n);

    return order ? order : (x->len > y->len) - (x->len < y->len);
}

const struct sf_snap_item *sf_snap_dir_find(const struct sf_snap_dir *dir, const char *name,
                                            size_t len)
{
    const struct sf_snap_item key = { .name = name, .len = len };

    if (!dir->count)
        return NULL;
    return bsearch(&key, dir->items, dir->count, sizeof(key), by_name);
}

static struct sf_snap_item *find(struct sf_snap_dir *dir, const char *name, size_t len)
{
    const struct sf_snap_item key = { .name = name, .len = len };

    if (!dir->count)
        return NULL;
    return bsearch(&key, dir->items, dir->count, sizeof(key), by_name);
}

static bool broken(struct sf_error *err)
{
    return sf_fail(err, SF_E_DAMAGED, "a directory of the snapshot cannot be read");
}

/* Whether this is a valid name of a directory entry. */
static bool is_name(const char *name, size_t len)
{
    return len && !memchr(name, '/', len) && !(len == 1 && name[0] == '.') &&
           !(len == 2 && name[0] == '.' && name[1] == '.');
}

static bool parse_tree(struct sf_snap_dir *dir, struct sf_error *err)
{
    const char *at = dir->text.buf, *end = at + dir->text.len;

    while (at < end) {
        char *name;
        unsigned long mode = strtoul(at, &name, 8);
        size_t len = *name == ' ' ? strlen(name + 1) : 0;
        struct sf_snap_item item = { .name = name + 1, .len = len, .mode = (uint32_t)mode };

        if (mode > 0177777 || (size_t)(end - name) < len + 2 + SF_OID_SIZE ||
            !is_name(name + 1, len))
            return broken(err);
        memcpy(item.oid.id, name + 2 + len, SF_OID_SIZE);
        item.mode = (item.mode & S_IFMT) | usual(item.mode);
        dir->items = sf_grow(dir->items, &dir->cap, dir->count + 1, sizeof(item));
        dir->items[dir->count++] = item;
        at = name + 2 + len + SF_OID_SIZE;
    }
    return true;
}

static bool parse_modes(struct sf_snap_dir *dir, const struct sf_strbuf *list, struct sf_error *err)
{
    for (const char *at = list->buf, *end = at + list->len; at < end;) {
        char *name;
        unsigned long mode = strtoul(at, &name, 8);
        size_t len = *name == ' ' ? strlen(name + 1) : 0;
        struct sf_snap_item *item = len ? find(dir, name + 1, len) : NULL;

        if (!item || mode > 07777)
            return broken(err);
        item->mode = (item->mode & S_IFMT) | (uint32_t)mode;
        at = name + 2 + len;
    }
    return true;
}

static bool load_modes(struct sf_snap *snap, const struct sf_oid *modes, struct sf_snap_dir *dir,
                       struct sf_error *err)
{
    struct sf_snap_dir more = SF_SNAP_DIR_INIT;
    struct sf_strbuf list = SF_STRBUF_INIT;
    bool ok = snap->git->read(snap->odb, modes, SF_OBJECT_TREE, &more.text, err) &&
              parse_tree(&more, err);

    for (size_t i = 0; ok && i < more.count; i++) {
        const struct sf_snap_item *m = &more.items[i];
        struct sf_snap_item *item = m->name[0] == '+' ? find(dir, m->name + 1, m->len - 1) : NULL;

        if (item && S_ISDIR(item->mode))
            item->modes = m->oid;
        else if (m->name[0] == '=' && m->len == 1)
            ok = snap->git->read(snap->odb, &m->oid, SF_OBJECT_BLOB, &list, err) &&
                 parse_modes(dir, &list, err);
    }
    sf_strbuf_release(&list);
    sf_snap_dir_release(&more);
    return ok;
}

bool sf_snap_dir_load(struct sf_snap *snap, const struct sf_oid *files, const struct sf_oid *modes,
                      struct sf_snap_dir *out, struct sf_error *err)
{
    if (sf_oid_none(files))
        return true;
    if (!snap->git->read(snap->odb, files, SF_OBJECT_TREE, &out->text, err) ||
        !parse_tree(out, err))
        return false;
    if (out->count)
        qsort(out->items, out->count, sizeof(*out->items), by_name);
    return sf_oid_none(modes) || load_modes(snap, modes, out, err);
}
