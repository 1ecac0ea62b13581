/*
 * history.c: what is kept of a repository before a command, putting it back afterwards, and the
 * words. A repository is one of several areas of the git directory: itself, its submodules and its
 * linked worktrees. When a file is lost is a matter of history_file.c, objects of history_objects.c.
 */
#include "cage/history.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cage/history_file.h"
#include "cage/history_git.h"
#include "cage/history_gone.h"
#include "cage/history_objects.h"
#include "cage/keeper.h"
#include "cage/plan.h"
#include "io/io.h"

enum {
    FILES_MAX = 8192,
    DEPTH_MAX = 16,
    GITDIR_BYTES = 4096,
    TOLD_MAX = 8,
    PACKED_MAX = 64 << 20,
};

/* The repository itself, a submodule's or a linked worktree's. */
struct area {
    char *prefix; /* "" or "modules/sub/" */
    bool linked;
    bool torn; /* after a command: HEAD is gone or its log, which git never removes */
    struct sf_object_store *objects;
};

struct sf_git_history {
    char *git_dir, *store;
    struct area *areas;
    size_t area_count, area_cap;
    struct sf_git_history_file *files;
    size_t file_count, file_cap;
    unsigned running;         /* commands between keep and settle */
    struct sf_strbuf pending; /* words that the next one to settle tells */
};

/* While things are put right. */
struct settling {
    struct sf_git_history *h;
    struct sf_keeper k;
    const struct sf_git_history_how *how;
    struct sf_git_asking asking;
    struct sf_strlist back, failed;
    struct sf_history_gone gone;
    size_t objects;
    bool missing; /* objects that were not kept */
};

static const struct {
    const char *name;
    enum sf_git_history_kind kind;
} singles[] = {
    { "HEAD", SF_GIT_HISTORY_HEAD },
    { "packed-refs", SF_GIT_HISTORY_PACKED },
    { "config", SF_GIT_HISTORY_PLAIN },
    { "index", SF_GIT_HISTORY_PLAIN },
    { "commondir", SF_GIT_HISTORY_PLAIN },
    { "gitdir", SF_GIT_HISTORY_PLAIN },
    { "refs/heads", SF_GIT_HISTORY_PLAIN }, /* a file where reftable is used */
    { "config.worktree", SF_GIT_HISTORY_EXTRA },
    { "description", SF_GIT_HISTORY_EXTRA },
    { "shallow", SF_GIT_HISTORY_EXTRA },
    { "ORIG_HEAD", SF_GIT_HISTORY_EXTRA },
    { "info/exclude", SF_GIT_HISTORY_EXTRA },
    { "info/attributes", SF_GIT_HISTORY_EXTRA },
    { "info/sparse-checkout", SF_GIT_HISTORY_EXTRA },
    { "objects/info/alternates", SF_GIT_HISTORY_EXTRA },
};

static const struct {
    const char *name;
    enum sf_git_history_kind kind;
} trees[] = {
    { "refs", SF_GIT_HISTORY_REF },
    { "logs", SF_GIT_HISTORY_LOG },
    { "reftable", SF_GIT_HISTORY_TABLE },
    { "hooks", SF_GIT_HISTORY_EXTRA },
};

/* Git makes and removes these by itself. */
static const char *const passing[] = { "refs/bisect/", "refs/rewritten/", "refs/prefetch/",
                                       "refs/worktree/" };

struct sf_git_history *sf_git_history_new(const char *git_dir, const char *store)
{
    struct sf_git_history *h = sf_alloc(sizeof(*h));

    h->git_dir = sf_strdup(git_dir);
    h->store = sf_strdup(store);
    sf_strbuf_init(&h->pending);
    return h;
}

static void drop_files(struct sf_git_history_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(files[i].path);
    free(files);
}

void sf_git_history_free(struct sf_git_history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->area_count; i++) {
        free(h->areas[i].prefix);
        sf_object_store_free(h->areas[i].objects);
    }
    free(h->areas);
    drop_files(h->files, h->file_count);
    sf_strbuf_release(&h->pending);
    free(h->git_dir);
    free(h->store);
    free(h);
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

/* ---- keeping ---- */

/* What lies under the path now is noted, also if it cannot be kept: then its loss is told. */
static void keep_file(struct sf_git_history *h, const struct sf_keeper *k,
                      const struct sf_git_history_file *like)
{
    struct sf_git_history_file f = *like;
    struct stat st;

    if (h->file_count == FILES_MAX || fstatat(k->live, f.path, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISREG(st.st_mode))
        return;
    sf_keeper_keep(k, f.path, &st, SF_KEEPER_COPY);
    f.path = sf_strdup(f.path);
    f.inode = st.st_ino;
    f.size = st.st_size;
    f.modified_ns = sf_git_history_modified_ns(&st);
    h->files = sf_grow(h->files, &h->file_cap, h->file_count + 1, sizeof(f));
    h->files[h->file_count++] = f;
}

static void keep_tree(struct sf_git_history *h, const struct sf_keeper *k,
                      const struct sf_git_history_file *like, unsigned depth)
{
    int fd = sf_keeper_dir(k->live, like->path);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    while (stream && (entry = readdir(stream)) && h->file_count < FILES_MAX) {
        struct sf_git_history_file f = *like;

        if (entry->d_name[0] == '.' || ends_in(entry->d_name, ".lock") ||
            ends_in(entry->d_name, ".sample"))
            continue;
        f.path = sf_path_join(like->path, entry->d_name);
        if (entry->d_type == DT_DIR && depth < DEPTH_MAX)
            keep_tree(h, k, &f, depth + 1);
        else if (entry->d_type != DT_DIR)
            keep_file(h, k, &f);
        free(f.path);
    }
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
}

static void keep_area(struct sf_git_history *h, const struct sf_keeper *k, const struct area *area)
{
    struct sf_git_history_file f = { .from = strlen(area->prefix) };
    struct sf_strbuf path = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(singles); i++) {
        sf_strbuf_reset(&path);
        sf_strbuf_addf(&path, "%s%s", area->prefix, singles[i].name);
        f.kind = singles[i].kind;
        f.path = path.buf;
        keep_file(h, k, &f);
    }
    for (size_t i = 0; i < SF_COUNT(trees); i++) {
        sf_strbuf_reset(&path);
        sf_strbuf_addf(&path, "%s%s", area->prefix, trees[i].name);
        f.kind = trees[i].kind;
        f.path = path.buf;
        keep_tree(h, k, &f, 0);
    }
    sf_strbuf_release(&path);
    if (area->objects)
        sf_object_store_keep(area->objects, k);
}

/* Where a repository lies below the git directory; NULL: elsewhere. */
static char *prefix_of(const struct sf_git_history *h, const char *path)
{
    size_t n = strlen(h->git_dir);
    struct sf_strbuf prefix = SF_STRBUF_INIT;

    if (!sf_cage_below(h->git_dir, path))
        return NULL;
    if (path[n])
        sf_strbuf_addf(&prefix, "%s/", path + n + 1);
    return sf_strbuf_detach(&prefix);
}

static struct area *find_area(struct sf_git_history *h, const char *prefix)
{
    for (size_t i = 0; i < h->area_count; i++)
        if (!strcmp(h->areas[i].prefix, prefix))
            return &h->areas[i];
    return NULL;
}

static void add_areas(struct sf_git_history *h, const struct sf_repositories_found *found)
{
    for (size_t i = 0; i < found->count; i++) {
        char *prefix = found->dirs[i].kept ? prefix_of(h, found->dirs[i].path) : NULL;

        if (!prefix || find_area(h, prefix)) {
            free(prefix);
            continue;
        }
        h->areas = sf_grow(h->areas, &h->area_cap, h->area_count + 1, sizeof(*h->areas));
        h->areas[h->area_count++] = (struct area){
            .prefix = prefix,
            .linked = found->dirs[i].linked,
            .objects = found->dirs[i].linked ? NULL : sf_object_store_new(prefix),
        };
    }
}

/* Copies of what was removed since, by whoever may do that, are not brought back some other time. */
static void forget_gone(const struct sf_keeper *k, const char *dir, unsigned depth)
{
    struct sf_strlist names = SF_STRLIST_INIT;
    struct stat st;

    sf_keeper_list(k->store, dir, &names);
    for (size_t i = 0; i < names.count; i++) {
        char *path = sf_path_join(dir, names.items[i]);

        if (fstatat(k->store, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode)) {
            if (depth < DEPTH_MAX)
                forget_gone(k, path, depth + 1);
        } else if (fstatat(k->live, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
            sf_keeper_drop(k, path);
        }
        free(path);
    }
    sf_strlist_release(&names);
}

static void forget_removed(struct sf_git_history *h, const struct sf_keeper *k, bool first)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    struct stat st;

    for (size_t i = 0; i < h->file_count; i++)
        if (fstatat(k->live, h->files[i].path, &st, AT_SYMLINK_NOFOLLOW) < 0)
            sf_keeper_drop(k, h->files[i].path);
    for (size_t i = 0; first && i < h->area_count; i++)
        for (size_t t = 0; t < SF_COUNT(trees); t++) {
            sf_strbuf_reset(&path);
            sf_strbuf_addf(&path, "%s%s", h->areas[i].prefix, trees[t].name);
            forget_gone(k, path.buf, 0);
        }
    sf_strbuf_release(&path);
}

void sf_git_history_keep(struct sf_git_history *h, const struct sf_repositories_found *found)
{
    static const struct sf_git_history_how unknown;
    struct sf_keeper k;
    bool first = !h->area_count;

    if (h->running) { /* what another command does now must not pass for what there was */
        sf_git_history_settle(h, &unknown, &h->pending);
        h->running++;
    }
    h->running++;
    add_areas(h, found);
    if (sf_keeper_open(&k, h->git_dir, h->store)) {
        forget_removed(h, &k, first);
        drop_files(h->files, h->file_count);
        h->files = NULL;
        h->file_count = h->file_cap = 0;
        for (size_t i = 0; i < h->area_count; i++)
            keep_area(h, &k, &h->areas[i]);
    }
    sf_keeper_close(&k);
}

/* ---- settling ---- */

static bool is_named(const struct settling *s, const char *path)
{
    char *whole = sf_path_join(s->h->git_dir, path);
    bool named = false;

    for (const char *const *p = s->how->may_change; p && *p && !named; p++)
        named = sf_cage_below(*p, whole);
    free(whole);
    return named;
}

static bool is_passing(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(passing); i++)
        if (!strncmp(name, passing[i], strlen(passing[i])))
            return true;
    return false;
}

/* Of a stash the log is all there is, so its reference goes along with the last entry. */
static void let_entries_go(struct settling *s, const char *ref, const char *name)
{
    struct stat kept;

    s->gone.shortened++;
    if (!strcmp(name, "refs/stash") && sf_keeper_has_copy(&s->k, ref, &kept))
        sf_history_gone_take(&s->gone, &s->k, ref);
}

/* A log that went with its reference is not told apart. */
static void let_go(struct settling *s, const struct sf_git_history_file *f)
{
    const char *name = f->path + f->from;
    struct sf_strbuf ref = SF_STRBUF_INIT;

    sf_strbuf_add(&ref, f->path, f->from);
    sf_strbuf_adds(&ref, f->kind == SF_GIT_HISTORY_LOG ? name + strlen("logs/") : name);
    if (!is_passing(ref.buf + f->from)) {
        sf_history_gone_take(&s->gone, &s->k, f->path);
        if (f->kind == SF_GIT_HISTORY_REF)
            sf_strlist_add(&s->gone.refs, f->path);
        else if (f->fate == SF_FATE_SHORTENED)
            let_entries_go(s, ref.buf, ref.buf + f->from);
        else if (!sf_strlist_has(&s->gone.refs, ref.buf))
            s->gone.logs++;
    }
    sf_strbuf_release(&ref);
}

/* Only a copy of what was noted before the command is worth to be put back. */
static bool put_back(struct settling *s, const struct sf_git_history_file *f)
{
    struct stat kept;

    return sf_keeper_has_copy(&s->k, f->path, &kept) && kept.st_size == f->size &&
           sf_git_history_modified_ns(&kept) == f->modified_ns &&
           sf_keeper_put_back(&s->k, f->path, SF_KEEPER_COPY);
}

static void settle_file(struct settling *s, const struct sf_git_history_file *f)
{
    if (f->fate == SF_FATE_LOST)
        sf_strlist_add(put_back(s, f) ? &s->back : &s->failed, f->path);
    else if (f->fate == SF_FATE_REMOVED || f->fate == SF_FATE_SHORTENED)
        let_go(s, f);
}

/* A linked worktree that is gone with its files, or by git alone, is no loss. */
static bool was_removed(const struct settling *s, const struct area *area)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = sf_path_join(area->prefix, "gitdir");
    bool removed = s->how->git_alone && *area->prefix;

    if (area->linked && sf_keeper_read(s->k.store, path, GITDIR_BYTES, &text)) {
        text.buf[strcspn(text.buf, "\n")] = '\0';
        removed = removed || access(text.buf, F_OK) < 0;
    }
    free(path);
    sf_strbuf_release(&text);
    return removed;
}

static void settle_objects(struct settling *s, const struct area *area)
{
    char *objects = sf_path_join(area->prefix, "objects"),
         *dir = sf_path_join(s->h->git_dir, area->prefix);
    const struct sf_objects_view view = { &s->k, dir, s->how->git_alone, &s->asking, &s->gone };
    struct sf_objects_lost lost = { 0 };

    if (!is_named(s, objects))
        sf_object_store_settle(area->objects, &view, &lost);
    free(dir);
    s->objects += lost.put_back;
    s->missing = s->missing || lost.missing;
    for (size_t i = 0; i < lost.failed.count; i++)
        sf_strlist_add(&s->failed, lost.failed.items[i]);
    sf_strlist_release(&lost.failed);
    free(objects);
}

static bool is_of(const struct sf_git_history_file *f, const struct area *area)
{
    return f->from == strlen(area->prefix) && !strncmp(f->path, area->prefix, f->from);
}

static bool is_there(const struct settling *s, const char *path)
{
    struct stat st;

    return fstatat(s->k.live, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool is_torn(const struct settling *s, const struct area *area)
{
    for (size_t i = 0; i < s->h->file_count; i++) {
        const struct sf_git_history_file *f = &s->h->files[i];
        bool sure = is_of(f, area) &&
                    (!strcmp(f->path + f->from, "HEAD") || !strcmp(f->path + f->from, "logs/HEAD"));

        if (sure && !is_there(s, f->path))
            return true;
    }
    return false;
}

/* All of a kind are judged before any comes back, as each is judged by what is around it. */
static void settle_kind(struct settling *s, const struct area *area, enum sf_git_history_kind kind)
{
    const struct sf_git_history_view view = { s->k.live, s->k.store, s->how->git_alone,
                                              area->torn };

    for (size_t i = 0; i < s->h->file_count; i++) {
        struct sf_git_history_file *f = &s->h->files[i];
        bool asked = f->kind == kind && is_of(f, area) && !is_named(s, f->path);

        f->fate = asked ? (int)sf_git_history_file_fate(f, &view) : SF_FATE_FINE;
    }
    for (size_t i = 0; i < s->h->file_count; i++)
        settle_file(s, &s->h->files[i]);
}

/* A line of packed-refs, "VALUE NAME"; what is neither there any more nor a file is gone. */
static void look_at_line(struct settling *s, const struct area *area, char *line,
                         const struct sf_map *now)
{
    char *name = strchr(line, ' '), *path;

    if (*line == '#' || *line == '^' || !name || is_passing(name + 1) || sf_map_gets(now, name + 1))
        return;
    path = sf_path_join(area->prefix, name + 1);
    *name = '\n';
    name[1] = '\0';
    if (!is_there(s, path) && sf_history_gone_write(&s->gone, &s->k, path, line))
        sf_strlist_add(&s->gone.refs, path);
    free(path);
}

/* The lines of a packed-refs, each as a string. */
static void read_lines(int root, const char *path, struct sf_strlist *out)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *at, *end;

    if (sf_keeper_read(root, path, PACKED_MAX, &text))
        for (at = text.buf; at && (end = strchr(at, '\n')); at = end + 1)
            sf_strlist_adopt(out, sf_strndup(at, (size_t)(end - at)));
    sf_strbuf_release(&text);
}

static void settle_packed(struct settling *s, const struct area *area)
{
    char *path = sf_path_join(area->prefix, "packed-refs");
    struct sf_strlist was = SF_STRLIST_INIT, is = SF_STRLIST_INIT;
    struct sf_map names = SF_MAP_INIT;
    struct stat live, kept;

    if (!is_named(s, path) && fstatat(s->k.live, path, &live, AT_SYMLINK_NOFOLLOW) == 0 &&
        sf_keeper_has_copy(&s->k, path, &kept) &&
        (live.st_size != kept.st_size ||
         sf_git_history_modified_ns(&live) != sf_git_history_modified_ns(&kept))) {
        read_lines(s->k.store, path, &was);
        read_lines(s->k.live, path, &is);
    }
    for (size_t i = 0; i < is.count; i++)
        if (strchr(is.items[i], ' '))
            sf_map_add(&names, strchr(is.items[i], ' ') + 1, strlen(strchr(is.items[i], ' ') + 1),
                       is.items[i]);
    for (size_t i = 0; i < was.count; i++)
        look_at_line(s, area, was.items[i], &names);
    sf_map_release(&names);
    sf_strlist_release(&was);
    sf_strlist_release(&is);
    free(path);
}

static void settle_area(struct settling *s, struct area *area)
{
    area->torn = is_torn(s, area);
    if (area->torn && was_removed(s, area))
        return;
    for (int kind = 0; kind < SF_GIT_HISTORY_KINDS; kind++) {
        settle_kind(s, area, (enum sf_git_history_kind)kind);
        if (kind == SF_GIT_HISTORY_REF)
            settle_packed(s, area);
    }
    if (area->objects)
        settle_objects(s, area);
}

/* Whatever stands in the place of the git directory keeps its content under another name. */
static void make_room(const struct sf_git_history *h)
{
    struct sf_strbuf aside = SF_STRBUF_INIT;
    struct stat st;

    if (lstat(h->git_dir, &st) == 0 && !S_ISDIR(st.st_mode)) {
        sf_strbuf_addf(&aside, "%s.replaced", h->git_dir);
        if (renameat2(AT_FDCWD, h->git_dir, AT_FDCWD, aside.buf, RENAME_NOREPLACE) < 0)
            sf_log(SF_LOG_WARN, "%s is no directory any more", h->git_dir);
    }
    if (lstat(h->git_dir, &st) < 0 && mkdir(h->git_dir, 0755) < 0)
        sf_log(SF_LOG_WARN, "%s is gone and cannot be made", h->git_dir);
    sf_strbuf_release(&aside);
}

static void add_paths(struct sf_strbuf *out, const struct sf_git_history *h,
                      const struct sf_strlist *list)
{
    const char *dir = strrchr(h->git_dir, '/') + 1;

    for (size_t i = 0; i < list->count && i < TOLD_MAX; i++) {
        sf_strbuf_addf(out, "%s%s/", i ? ", " : "", dir);
        sf_text_sanitize(out, list->items[i], strlen(list->items[i]), SF_TEXT_ONE_LINE);
    }
    if (list->count > TOLD_MAX)
        sf_strbuf_addf(out, " and %zu more", list->count - TOLD_MAX);
}

static void write_words(const struct settling *s, struct sf_strbuf *out)
{
    if (s->back.count || s->objects) {
        sf_strbuf_adds(out, "[sf] Put back, since the command had removed or emptied it and git's "
                            "history needs it: ");
        add_paths(out, s->h, &s->back);
        if (s->objects)
            sf_strbuf_addf(out, "%s%zu object%s or pack%s", s->back.count ? ", " : "", s->objects,
                           s->objects == 1 ? "" : "s", s->objects == 1 ? "" : "s");
        sf_strbuf_adds(out, ".\n");
    }
    if (s->failed.count) {
        sf_strbuf_adds(out, "[sf] Removed or emptied by the command, and could not be put back: ");
        add_paths(out, s->h, &s->failed);
        sf_strbuf_addf(out, ". What sf has kept of the repository lies in %s.\n", s->h->store);
    }
    if (s->missing)
        sf_strbuf_adds(out, "[sf] Git misses objects that its history needs, or cannot say so in "
                            "time, and sf had not kept all of them yet: `git fsck` names them.\n");
    sf_history_gone_tell(&s->gone, s->h->git_dir, s->h->store, out);
}

void sf_git_history_settle(struct sf_git_history *h, const struct sf_git_history_how *how,
                           struct sf_strbuf *out)
{
    struct settling s = { .h = h, .how = how, .asking = { .hurry = how->hurry } };

    h->running -= h->running > 0;
    if (out != &h->pending && h->pending.len) {
        sf_strbuf_add(out, h->pending.buf, h->pending.len);
        sf_strbuf_reset(&h->pending);
    }
    if (h->area_count && !is_named(&s, ""))
        make_room(h);
    if (h->file_count && sf_keeper_open(&s.k, h->git_dir, h->store))
        for (size_t i = 0; i < h->area_count; i++)
            settle_area(&s, &h->areas[i]);
    if (h->file_count)
        sf_keeper_close(&s.k);
    write_words(&s, out);
    sf_strlist_release(&s.back);
    sf_history_gone_release(&s.gone);
    sf_strlist_release(&s.failed);
}
