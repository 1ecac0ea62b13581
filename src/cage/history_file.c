/*
 * history_file.c: when a file of git's is lost. Git replaces a reference by renaming a new file over
 * it, appends to a log, and removes the log together with the reference. What looks otherwise was
 * not git: an empty reference, a log without its beginning, a reference that is gone while its log
 * is there. A table of reftable never changes, and goes when the list of tables names it no more.
 */
#include "cage/history_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "cage/keeper.h"
#include "io/io.h"

enum { REF_BYTES = 4096, FILE_MAX = 64 << 20 };

static bool is_there(const struct sf_git_history_view *v, const char *path)
{
    struct stat st;

    return fstatat(v->live, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static char *below_area(const struct sf_git_history_file *f, const char *name)
{
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_strbuf_add(&path, f->path, f->from);
    sf_strbuf_adds(&path, name);
    return sf_strbuf_detach(&path);
}

/* The name of an object or of another reference; empty text is neither. */
static bool is_reference(const char *text)
{
    size_t n = strspn(text, "0123456789abcdef");

    return !strncmp(text, "ref: refs/", 10) || ((n == 40 || n == 64) && text[n] == '\n');
}

/* False: there is none, or it is no reference. */
static bool read_reference(int root, const char *path, struct sf_strbuf *out)
{
    sf_strbuf_reset(out);
    return sf_keeper_read(root, path, REF_BYTES, out) && is_reference(out->buf);
}

static bool is_packed(const struct sf_git_history_view *v, const struct sf_git_history_file *f,
                      const char *name)
{
    char *path = below_area(f, "packed-refs");
    struct sf_strbuf text = SF_STRBUF_INIT, line = SF_STRBUF_INIT;
    bool yes;

    sf_strbuf_addf(&line, " %s\n", name);
    yes = sf_keeper_read(v->live, path, FILE_MAX, &text) && strstr(text.buf, line.buf);
    sf_strbuf_release(&text);
    sf_strbuf_release(&line);
    free(path);
    return yes;
}

/* Whether HEAD names the reference, now as before. */
static bool is_checked_out(const struct sf_git_history_view *v, const struct sf_git_history_file *f)
{
    char *head = below_area(f, "HEAD");
    struct sf_strbuf now = SF_STRBUF_INIT;
    size_t n = strlen(f->path + f->from);
    bool yes = read_reference(v->live, head, &now) && !strncmp(now.buf, "ref: ", 5) &&
               !strncmp(now.buf + 5, f->path + f->from, n) && now.buf[5 + n] == '\n';

    sf_strbuf_release(&now);
    free(head);
    return yes;
}

/* Git never removes refs/heads, refs/tags and their like, and takes the log along. */
static bool was_torn_out(const struct sf_git_history_view *v, const struct sf_git_history_file *f)
{
    const char *name = f->path + f->from, *slash = strchr(name, '/');
    char *log = sf_path_join("logs", name), *log_path = below_area(f, log), *dir;
    bool torn = is_there(v, log_path);

    slash = slash ? strchr(slash + 1, '/') : NULL;
    dir = sf_strndup(f->path, slash ? (size_t)(slash - f->path) : f->from + 4);
    torn = torn || !is_there(v, dir);
    free(dir);
    free(log);
    free(log_path);
    return torn;
}

static enum sf_git_history_fate fate_of_head(const struct sf_git_history_view *v,
                                             const struct sf_git_history_file *f,
                                             const struct stat *st)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool good = st && read_reference(v->live, f->path, &text);

    sf_strbuf_release(&text);
    return good ? SF_FATE_FINE : SF_FATE_LOST;
}

static enum sf_git_history_fate fate_of_packed(const struct sf_git_history_view *v,
                                               const struct sf_git_history_file *f,
                                               const struct stat *st)
{
    (void)v;
    return !st || !st->st_size || st->st_ino == f->inode ? SF_FATE_LOST : SF_FATE_FINE;
}

static enum sf_git_history_fate fate_of_ref(const struct sf_git_history_view *v,
                                            const struct sf_git_history_file *f,
                                            const struct stat *st)
{
    if (st)
        return fate_of_head(v, f, st);
    if (is_packed(v, f, f->path + f->from))
        return SF_FATE_FINE;
    if (v->torn)
        return SF_FATE_LOST;
    return !v->git_alone && (was_torn_out(v, f) || is_checked_out(v, f)) ? SF_FATE_LOST
                                                                         : SF_FATE_REMOVED;
}

/* Whether a log begins with another; git writes an entry without words with a tab or without one. */
static bool begins_with(const char *log, const char *start)
{
    for (; *start; log++, start++) {
        log += log[0] == '\t' && log[1] == '\n';
        start += start[0] == '\t' && start[1] == '\n';
        if (*log != *start)
            return false;
    }
    return true;
}

/* Whether all that the log held is there: git appends. */
static bool has_all_entries(const struct sf_git_history_view *v,
                            const struct sf_git_history_file *f)
{
    struct sf_strbuf now = SF_STRBUF_INIT, was = SF_STRBUF_INIT;
    bool all = !sf_keeper_read(v->store, f->path, FILE_MAX, &was) || !was.len ||
               (sf_keeper_read(v->live, f->path, FILE_MAX, &now) && now.len &&
                begins_with(now.buf, was.buf));

    sf_strbuf_release(&now);
    sf_strbuf_release(&was);
    return all;
}

/* Expiring a log leaves a new file; a reference that is gone takes its log along. */
static enum sf_git_history_fate fate_of_log(const struct sf_git_history_view *v,
                                            const struct sf_git_history_file *f,
                                            const struct stat *st)
{
    const char *name = f->path + f->from + strlen("logs/");
    char *ref = below_area(f, name);
    bool needed = is_there(v, ref) || is_packed(v, f, name);

    free(ref);
    if (!st)
        return needed && !v->git_alone ? SF_FATE_LOST : SF_FATE_REMOVED;
    if (has_all_entries(v, f))
        return SF_FATE_FINE;
    return st->st_ino == f->inode ? SF_FATE_LOST : SF_FATE_SHORTENED;
}

/* The list itself is replaced by renaming, and never empty for long. */
static bool is_listed(const struct sf_git_history_view *v, const struct sf_git_history_file *f)
{
    char *path = below_area(f, "reftable/tables.list");
    const char *name = strrchr(f->path, '/') + 1;
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool listed = !sf_keeper_read(v->live, path, FILE_MAX, &text) || !text.len ||
                  strstr(text.buf, name) || !strcmp(name, "tables.list");

    sf_strbuf_release(&text);
    free(path);
    return listed;
}

static enum sf_git_history_fate fate_of_table(const struct sf_git_history_view *v,
                                              const struct sf_git_history_file *f,
                                              const struct stat *st)
{
    bool whole = st && st->st_size && (st->st_ino != f->inode || st->st_size >= f->size);

    return whole || !is_listed(v, f) ? SF_FATE_FINE : SF_FATE_LOST;
}

static enum sf_git_history_fate fate_of_plain(const struct sf_git_history_view *v,
                                              const struct sf_git_history_file *f,
                                              const struct stat *st)
{
    (void)v;
    return !st || (!st->st_size && f->size) ? SF_FATE_LOST : SF_FATE_FINE;
}

static enum sf_git_history_fate fate_of_extra(const struct sf_git_history_view *v,
                                              const struct sf_git_history_file *f,
                                              const struct stat *st)
{
    (void)f;
    return !st && v->torn ? SF_FATE_LOST : SF_FATE_FINE;
}

static enum sf_git_history_fate (*const fates[SF_GIT_HISTORY_KINDS])(
    const struct sf_git_history_view *v, const struct sf_git_history_file *f,
    const struct stat *st) = {
    [SF_GIT_HISTORY_HEAD] = fate_of_head,   [SF_GIT_HISTORY_PACKED] = fate_of_packed,
    [SF_GIT_HISTORY_REF] = fate_of_ref,     [SF_GIT_HISTORY_LOG] = fate_of_log,
    [SF_GIT_HISTORY_TABLE] = fate_of_table, [SF_GIT_HISTORY_PLAIN] = fate_of_plain,
    [SF_GIT_HISTORY_EXTRA] = fate_of_extra,
};

static bool is_as_it_was(const struct sf_git_history_file *f, const struct stat *st)
{
    return f->inode == st->st_ino && f->size == st->st_size &&
           f->modified_ns == sf_git_history_modified_ns(st);
}

int64_t sf_git_history_modified_ns(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

enum sf_git_history_fate sf_git_history_file_fate(const struct sf_git_history_file *f,
                                                  const struct sf_git_history_view *v)
{
    struct stat st;
    bool there = fstatat(v->live, f->path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);

    if (there && is_as_it_was(f, &st))
        return SF_FATE_FINE;
    return fates[f->kind](v, f, there ? &st : NULL);
}
