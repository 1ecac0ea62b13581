/*
 * scan.c: turns the workspace into trees. One walk in order of names, through directory handles,
 * without following links. Files that the stat index knows are not read again, and a directory
 * without changes keeps its trees; so the cost is one stat per entry and reading what changed.
 *
 * Attributes, filters and settings of git repositories have no effect. Only ignore files are read,
 * with the same rules as in searches, and .git/info/exclude of the root alone.
 *
 * Turning a directory of the workspace into a repository does not hide it: if files of it were kept
 * before, they are still kept, except .git. A directory that was a repository from the start is
 * only noted, or entered for the files in it that were asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "snap/internal.h"

#define SECOND       INT64_C(1000000000)
#define SLACK_FINE   (SECOND / 20)    /* a tick of the kernel's clock, with a margin */
#define SLACK_COARSE (5 * SECOND / 2) /* for file systems with timestamps of one or two seconds */

struct entry {
    struct sf_snap_item item;
    struct sf_index_stat stat;
    bool differs; /* permissions below it have changed */
};

struct level {
    struct level *above;
    int fd;
    size_t len; /* length of the directory's path */
    struct sf_ignore *ignore;
    bool inside;  /* in an ignored directory, of which only wanted files count */
    bool foreign; /* in another repository, of which only wanted files count */
    unsigned depth;

    bool asked;             /* the next two fields are valid */
    struct sf_ignore *then; /* the target's ignore rules here */
    bool inside_then;       /* the target ignores the directory itself */
};

struct scan {
    struct sf_snap *snap;
    const struct sf_scan_request *request;
    struct sf_strlist extra; /* sorted, with all directories above */
    struct sf_index old;
    struct sf_strbuf next; /* the new index */
    bool stale;            /* the new index differs from the old one */
    struct sf_strbuf path;
    struct sf_strbuf skipped, times;
    struct sf_strbuf exclude; /* the .git/info/exclude in use */
    struct sf_snap_result *out;
    int64_t start; /* when the walk began, by the clock that stamps files */
    uint64_t seen;
};

/* ---- single entries ---- */

static int64_t nanoseconds(const struct timespec *t)
{
    return (int64_t)t->tv_sec * SECOND + t->tv_nsec;
}

/* Type and permissions, without set-id bits of files; links have no permissions. */
static uint32_t plain_mode(mode_t mode)
{
    mode_t kept = S_ISDIR(mode) ? 03777 : S_ISREG(mode) ? 0777 : 0;

    return (uint32_t)(mode & (S_IFMT | kept));
}

static void fill_stat(struct sf_index_stat *out, const struct stat *st)
{
    out->modified = nanoseconds(&st->st_mtim);
    out->changed = nanoseconds(&st->st_ctim);
    out->size = (uint64_t)st->st_size;
    out->ino = st->st_ino;
    out->mode = plain_mode(st->st_mode);
}

static bool same_stat(const struct sf_index_stat *a, const struct sf_index_stat *b)
{
    return a->modified == b->modified && a->changed == b->changed && a->size == b->size &&
           a->ino == b->ino && a->mode == b->mode;
}

/* Changed so close to `start` that another change could have the same timestamp. */
static bool is_racy(const struct sf_index_stat *s, int64_t start)
{
    bool coarse = s->modified % SECOND == 0 && s->changed % SECOND == 0;
    int64_t last = s->modified > s->changed ? s->modified : s->changed;

    return last >= start - (coarse ? SLACK_COARSE : SLACK_FINE);
}

/* False: the file is skipped for the reason `*skip`, or gone if that is NULL. */
static bool read_file(int dir, const char *name, struct sf_strbuf *text, struct sf_index_stat *stat,
                      const char **skip)
{
    struct stat st, after;
    int fd = sf_beneath_open_file(dir, name, &st);
    bool ok;

    if (fd < 0) {
        *skip = errno == ENOENT ? NULL : sf_skip_unreadable;
        return false;
    }
    ok = st.st_size <= SF_SNAP_FILE_MAX && sf_beneath_read(fd, SF_SNAP_FILE_MAX + 1, text);
    *skip = st.st_size > SF_SNAP_FILE_MAX || text->len > SF_SNAP_FILE_MAX ? sf_skip_large
                                                                          : sf_skip_unreadable;
    fill_stat(stat, &st);
    stat->racy = fstat(fd, &after) < 0 || after.st_mtim.tv_nsec != st.st_mtim.tv_nsec ||
                 after.st_mtim.tv_sec != st.st_mtim.tv_sec || after.st_size != st.st_size;
    close(fd);
    return ok && text->len <= SF_SNAP_FILE_MAX;
}

static bool read_link(int dir, const char *name, struct sf_strbuf *text)
{
    ssize_t n = readlinkat(dir, name, sf_strbuf_room(text, PATH_MAX), PATH_MAX);

    if (n <= 0 || n >= PATH_MAX)
        return false;
    sf_strbuf_grew(text, (size_t)n);
    return true;
}

bool sf_snap_read_item(struct sf_snap *snap, int dir, const char *name, struct sf_snap_found *out,
                       struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct stat st;
    bool got = false, ok = true;

    *out = (struct sf_snap_found){ .item = { .name = name, .len = strlen(name) } };
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        out->skip = errno == ENOENT || errno == ENOTDIR ? NULL : sf_skip_unreadable;
        return true;
    }
    fill_stat(&out->stat, &st);
    if (S_ISREG(st.st_mode))
        got = read_file(dir, name, &text, &out->stat, &out->skip);
    else if (S_ISLNK(st.st_mode))
        got = read_link(dir, name, &text);
    else
        out->skip = sf_skip_special;
    if (got) {
        out->skip = NULL;
        out->item.mode = out->stat.mode;
        ok = snap->git->write(snap->odb, SF_OBJECT_BLOB, &text, &out->item.oid, err);
        out->stat.oid = out->item.oid;
    }
    sf_strbuf_release(&text);
    return ok;
}

/* ---- what belongs to the snapshot ---- */

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_wanted(struct scan *s, struct sf_error *err)
{
    const char *key = s->path.buf;
    struct sf_snap_item item;

    if (s->extra.count &&
        bsearch(&key, s->extra.items, s->extra.count, sizeof(char *), compare_text))
        return true;
    if (!s->request->target)
        return false;
    return sf_snap_lookup(s->snap, s->request->target, key, &item, err) && item.mode;
}

static void skip(struct scan *s, const char *why, const struct sf_index_stat *stat)
{
    if (s->out->skipped++ < SF_SNAP_SKIPS_MAX)
        sf_strlist_addf(&s->out->skips, "%s: %s", s->path.buf, why);
    sf_skips_write(&s->skipped, s->path.buf, why, stat);
}

/* Reads the target's rules for the directory, on demand: only ignored paths need them. */
static void ask_target(struct scan *s, struct level *l)
{
    struct level *above = l->above;
    char *dir;

    if (l->asked)
        return;
    l->asked = true;
    if (above) {
        ask_target(s, above);
        l->inside_then = above->inside_then ||
                         (above->then && sf_ignore_covers(above->then, s->path.buf, l->len, true));
    }
    if (l->inside_then)
        return;
    dir = sf_strndup(s->path.buf, l->len);
    l->then = sf_snap_rules(s->snap, s->request->target, dir, above ? above->then : NULL);
    free(dir);
}

/* Ignored now, but not by the rules of the target: rules written since hide the path. */
static bool is_hidden(struct scan *s, struct level *l, bool dir)
{
    const struct sf_snap_state *target = s->request->target;

    if (!target || target->partial)
        return false;
    ask_target(s, l);
    return !l->inside_then &&
           !(l->then && sf_ignore_covers(l->then, s->path.buf, s->path.len, dir));
}

/* An ignored directory is entered only for wanted paths below it. */
static bool is_left_out(struct scan *s, struct level *l, bool dir, bool *covered)
{
    struct sf_error ignored = SF_ERROR_INIT;
    bool hidden;

    *covered =
        l->inside || (l->ignore && sf_ignore_covers(l->ignore, s->path.buf, s->path.len, dir));
    if (!*covered)
        return false;
    hidden = !l->foreign && is_hidden(s, l, dir);
    if (hidden && s->request->strict) {
        *covered = false;
        return false;
    }
    if (is_wanted(s, &ignored)) {
        if (!dir && s->extra.count)
            sf_strlist_add(&s->out->extra, s->path.buf);
        return false;
    }
    if (hidden)
        skip(s, sf_skip_hidden, NULL);
    s->out->ignored++;
    return true;
}

/* Whether .git is a directory with HEAD, or a file that points to one. */
static bool is_repository(int fd)
{
    char begin[8] = "";
    struct stat st;
    ssize_t n;
    int file;

    if (fstatat(fd, ".git", &st, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    if (S_ISDIR(st.st_mode))
        return fstatat(fd, ".git/HEAD", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
               fstatat(fd, ".git/objects", &st, AT_SYMLINK_NOFOLLOW) == 0;
    file = sf_beneath_open_file(fd, ".git", &st);
    if (file < 0)
        return false;
    n = read(file, begin, sizeof(begin));
    close(file);
    return n == (ssize_t)sizeof(begin) && !memcmp(begin, "gitdir: ", sizeof(begin));
}

/* Whether files of the directory were kept before it became a repository. */
static bool is_of_the_workspace(struct scan *s)
{
    const struct sf_snap_state *target = s->request->target;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_snap_dir dir = SF_SNAP_DIR_INIT;
    struct sf_index_dir old;
    struct sf_snap_item item;
    bool is = sf_index_find(&s->old, s->path.buf, s->path.len, &old) && old.count;

    if (!is && target && sf_snap_lookup(s->snap, target, s->path.buf, &item, &ignored) &&
        S_ISDIR(item.mode) && !(item.mode & SF_SNAP_SOME) &&
        sf_snap_dir_load(s->snap, &item.oid, &item.modes, &dir, &ignored))
        is = dir.count;
    sf_snap_dir_release(&dir);
    return is;
}

/* Whether files of the repository were asked for. */
static bool is_asked_for(struct scan *s)
{
    const struct sf_snap_state *target = s->request->target;
    const char *key = s->path.buf;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_snap_item item;

    return (s->extra.count &&
            bsearch(&key, s->extra.items, s->extra.count, sizeof(char *), compare_text)) ||
           (target && sf_snap_lookup(s->snap, target, key, &item, &ignored) && S_ISDIR(item.mode) &&
            item.mode & SF_SNAP_SOME);
}

static void skip_machinery(struct scan *s)
{
    size_t len = s->path.len;

    sf_strbuf_adds(&s->path, "/.git");
    skip(s, sf_skip_repository, NULL);
    sf_strbuf_truncate(&s->path, len);
}

static bool check(struct scan *s, struct sf_error *err)
{
    uint64_t room = s->request->room;

    if (s->request->cancel && atomic_load(s->request->cancel))
        return sf_fail(err, SF_E_CANCELLED, "the snapshot was cancelled");
    if (++s->seen > SF_SNAP_FILES_MAX) {
        sf_fail(err, SF_E_LIMIT, "the workspace has more than %d files", SF_SNAP_FILES_MAX);
        return sf_hint(err, "leave out what is generated with an ignore file");
    }
    if (room && s->snap->git->batched(s->snap->odb) > room)
        return sf_fail(err, SF_E_LIMIT, "the snapshot does not fit into the budget");
    return true;
}

/* ---- one directory ---- */

struct listing {
    struct entry *entries;
    size_t count, cap;
    struct sf_index_dir old;
    struct sf_index_stat before; /* the current entry of the old index */
    const char *before_name;     /* its name; NULL: no more entries */
    bool same;                   /* no difference so far */
};

static void old_next(struct listing *l)
{
    if (!sf_index_next(&l->old, &l->before, &l->before_name))
        l->before_name = NULL;
}

/* The old entry of that name, or NULL. Names come in order; skipped ones no longer exist. */
static const struct sf_index_stat *old_entry(struct listing *l, const char *name)
{
    while (l->before_name) {
        int order = strcmp(l->before_name, name);

        if (order == 0)
            return &l->before;
        if (order > 0)
            break;
        l->same = false;
        old_next(l);
    }
    return NULL;
}

static bool scan_dir(struct scan *s, const struct level *below, int fd, struct entry *me,
                     struct sf_error *err);

static bool add_file(struct scan *s, const struct level *l, const struct sf_index_stat *old,
                     struct entry *e, struct sf_error *err)
{
    struct sf_snap_found found;

    if (old && !old->racy && same_stat(old, &e->stat)) {
        e->stat = *old;
        e->item.oid = old->oid;
        e->item.mode = old->mode;
    } else {
        s->stale = true;
        s->out->read++;
        if (!sf_snap_read_item(s->snap, l->fd, e->item.name, &found, err))
            return false;
        e->item = found.item;
        e->stat = found.stat;
        e->stat.racy = e->stat.racy || is_racy(&e->stat, s->start);
        if (found.skip)
            skip(s, found.skip, &found.stat);
    }
    s->out->files += S_ISREG(e->item.mode);
    s->out->links += S_ISLNK(e->item.mode);
    return true;
}

static bool add_dir(struct scan *s, struct level *l, bool inside, struct entry *e,
                    struct sf_error *err)
{
    const struct level below = { .above = l,
                                 .ignore = l->ignore,
                                 .inside = inside,
                                 .foreign = l->foreign,
                                 .depth = l->depth + 1 };
    int fd;
    bool ok;

    if (l->depth >= SF_SNAP_DEPTH_MAX || s->path.len > PATH_MAX - 2) {
        skip(s, sf_skip_deep, &e->stat);
        return true;
    }
    fd = openat(l->fd, e->item.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            skip(s, sf_skip_unreadable, &e->stat);
        return true;
    }
    e->item.mode = e->stat.mode;
    ok = scan_dir(s, &below, fd, e, err);
    e->stat = (struct sf_index_stat){ .mode = e->item.mode, .oid = e->item.oid };
    close(fd);
    return ok;
}

/* Adds the entry `name`, whose path is s->path. */
static bool add_entry(struct scan *s, struct level *l, struct listing *list, const char *name,
                      struct sf_error *err)
{
    struct entry e = { .item = { .name = name, .len = strlen(name) } };
    const struct sf_index_stat *old;
    struct stat st;
    bool covered, ok = true;

    if (!check(s, err))
        return false;
    if (fstatat(l->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return true; /* gone since the directory was read */
    if (is_left_out(s, l, S_ISDIR(st.st_mode), &covered))
        return true;
    old = old_entry(list, name);
    fill_stat(&e.stat, &st);
    if (S_ISDIR(st.st_mode))
        ok = add_dir(s, l, covered, &e, err);
    else if (S_ISREG(st.st_mode) && st.st_size > SF_SNAP_FILE_MAX)
        skip(s, sf_skip_large, &e.stat);
    else
        ok = add_file(s, l, old, &e, err);
    if (!ok || !e.item.mode)
        return ok;
    if (covered && !S_ISDIR(e.item.mode))
        sf_times_write(&s->times, s->path.buf, e.stat.modified);
    list->same = list->same && old && old->mode == e.item.mode &&
                 sf_oid_same(&old->oid, &e.item.oid) && !e.differs;
    if (old)
        old_next(list);
    e.stat.name_len = (uint32_t)e.item.len;
    list->entries = sf_grow(list->entries, &list->cap, list->count + 1, sizeof(e));
    list->entries[list->count++] = e;
    return true;
}

static bool add_entries(struct scan *s, struct level *l, const struct sf_entries *names,
                        struct listing *list, struct sf_error *err)
{
    size_t len = s->path.len;
    bool ok = true;

    for (size_t i = 0; ok && i < names->count; i++) {
        const char *name = sf_entries_name(names, i);

        if (sf_ignore_is_machinery(name))
            continue;
        if (len)
            sf_strbuf_addch(&s->path, '/');
        sf_strbuf_adds(&s->path, name);
        ok = add_entry(s, l, list, name, err);
        sf_strbuf_truncate(&s->path, len);
    }
    if (list->before_name)
        list->same = false;
    return ok;
}

/* Makes the trees of the directory, or reuses the old ones if nothing differs. */
static bool make_trees(struct scan *s, struct listing *list, struct entry *me, struct sf_error *err)
{
    struct sf_snap_item *items;
    bool ok;

    if (list->same) {
        me->item.oid = list->old.files;
        me->item.modes = list->old.modes;
        return true;
    }
    s->stale = true;
    items = sf_alloc_array(list->count + 1, sizeof(*items));
    for (size_t i = 0; i < list->count; i++)
        items[i] = list->entries[i].item;
    ok = sf_snap_dir_write(s->snap, items, list->count, &me->item, err);
    me->differs = !sf_oid_same(&me->item.modes, &list->old.modes);
    free(items);
    return ok;
}

static void note_dir(struct scan *s, const struct listing *list, const struct entry *me)
{
    size_t at =
        sf_index_add_dir(&s->next, s->path.buf, s->path.len, &me->item, (uint32_t)list->count);

    for (size_t i = 0; i < list->count; i++)
        sf_index_add(&s->next, &list->entries[i].stat, list->entries[i].item.name);
    sf_index_end_dir(&s->next, at);
}

/* `below` is what the parent directory passes on; the trees are stored in `me`. */
static bool scan_dir(struct scan *s, const struct level *below, int fd, struct entry *me,
                     struct sf_error *err)
{
    struct sf_entries names = SF_ENTRIES_INIT;
    struct listing list = { .same = true };
    struct level l = *below;
    bool ok = true;

    l.fd = fd;
    l.len = s->path.len;
    if (!sf_entries_read(&names, fd) || names.cut) {
        me->item.mode = 0;
        skip(s, names.cut ? sf_skip_names : sf_skip_unreadable, &me->stat);
        goto out;
    }
    if (l.depth && names.seen.git && is_repository(fd)) {
        s->out->repositories++;
        if (is_of_the_workspace(s)) {
            skip_machinery(s);
        } else if (is_asked_for(s)) {
            me->item.mode |= SF_SNAP_SOME;
            l.inside = l.foreign = true;
        } else {
            me->item.mode = SF_SNAP_REPOSITORY;
            me->item.oid = (struct sf_oid){ { 1 } }; /* only noted, whatever commit it is at */
            goto out;
        }
    }
    if (l.depth)
        names.seen.git = false; /* a .git below the root contributes no ignore rules */
    sf_entries_sort(&names);
    l.ignore = l.inside ? NULL
                        : sf_ignore_load_as(below->ignore, fd, s->path.len, &names.seen,
                                            l.depth ? NULL : &s->exclude);
    if (sf_index_find(&s->old, s->path.buf, s->path.len, &list.old))
        old_next(&list);
    else
        list.same = false;
    ok = add_entries(s, &l, &names, &list, err) && make_trees(s, &list, me, err);
    if (ok && !l.foreign) /* what the index has counts as part of the workspace */
        note_dir(s, &list, me);
    s->out->dirs++;
    sf_ignore_unref(l.ignore);
    sf_ignore_unref(l.then);
out:
    free(list.entries);
    sf_entries_release(&names);
    return ok;
}

/* ---- the whole workspace ---- */

/* Adds the paths and all directories above them. */
static void collect_extra(const struct sf_strlist *paths, struct sf_strlist *out)
{
    for (size_t i = 0; paths && i < paths->count; i++) {
        struct sf_error ignored = SF_ERROR_INIT;
        struct sf_strbuf path = SF_STRBUF_INIT;

        if (sf_beneath_normalize(paths->items[i], &path, &ignored) && path.len) {
            sf_strlist_add(out, path.buf);
            for (const char *slash; (slash = strrchr(path.buf, '/'));) {
                sf_strbuf_truncate(&path, (size_t)(slash - path.buf));
                sf_strlist_add(out, path.buf);
            }
        }
        sf_strbuf_release(&path);
    }
    sf_strlist_sort(out);
}

static bool finish(struct scan *s, struct sf_snap_state *state, const struct entry *top,
                   struct sf_error *err)
{
    struct sf_snap *snap = s->snap;
    struct sf_index_dir old;

    *state = (struct sf_snap_state){ .files = top->item.oid, .modes = top->item.modes };
    if (s->skipped.len &&
        !snap->git->write(snap->odb, SF_OBJECT_BLOB, &s->skipped, &state->skipped, err))
        return false;
    if (s->times.len && !snap->git->write(snap->odb, SF_OBJECT_BLOB, &s->times, &state->times, err))
        return false;
    if (!snap->git->write(snap->odb, SF_OBJECT_BLOB, &s->exclude, &state->exclude, err))
        return false;
    s->out->bytes += snap->git->batched(snap->odb);
    if (!snap->git->flush(snap->odb, err))
        return false;
    if (!s->stale && sf_index_find(&s->old, "", 0, &old))
        return true;
    sf_index_finish(&s->next);
    return sf_snap_put(snap->index, s->next.buf, s->next.len, err);
}

bool sf_snap_scan(struct sf_snap *snap, const struct sf_scan_request *request,
                  struct sf_snap_state *state, struct sf_snap_result *out, struct sf_error *err)
{
    struct scan s = { .snap = snap,
                      .request = request,
                      .old = SF_INDEX_INIT,
                      .next = SF_STRBUF_INIT,
                      .path = SF_STRBUF_INIT,
                      .skipped = SF_STRBUF_INIT,
                      .times = SF_STRBUF_INIT,
                      .exclude = SF_STRBUF_INIT,
                      .out = out };
    struct entry top = { .item = { .mode = S_IFDIR } };
    const struct level level = { .depth = 0 };
    struct timespec now;
    int fd = openat(snap->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok;

    if (fd < 0)
        return sf_fail_errno(err, "cannot read %s", snap->root.path);
    clock_gettime(CLOCK_REALTIME, &now);
    s.start = nanoseconds(&now);
    collect_extra(request->extra, &s.extra);
    sf_snap_exclude(snap, request->exclude, &s.exclude);
    sf_index_load(snap->index, &s.old);
    sf_index_start(&s.next);
    ok = scan_dir(&s, &level, fd, &top, err);
    if (ok && !top.item.mode)
        ok = sf_fail(err, SF_E_IO, "cannot read %s", snap->root.path);
    ok = ok && finish(&s, state, &top, err);
    snap->git->drop(snap->odb);
    close(fd);
    sf_strlist_release(&s.extra);
    sf_index_release(&s.old);
    sf_strbuf_release(&s.next);
    sf_strbuf_release(&s.path);
    sf_strbuf_release(&s.skipped);
    sf_strbuf_release(&s.times);
    sf_strbuf_release(&s.exclude);
    return ok;
}
