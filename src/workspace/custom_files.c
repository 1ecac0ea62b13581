/*
 * custom_files.c: walks the directories of custom commands by their handles. A problem with one
 * file becomes a note, and does not keep others from being read.
 */
#include "workspace/custom_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"
#include "io/io.h"
#include "modes/modes.h"
#include "tools/tools.h"

enum { NAMES = 1000, DIRECTORIES = 200, NOTES = 50 };

enum base { WORKSPACE, CONFIG, HOME };

static const struct source {
    enum base base;
    const char *path, *shown, *origin;
} sources[] = {
    { CONFIG, "commands", NULL, "user" }, /* shown by its full path */
    { HOME, ".claude/commands", "~/.claude/commands", "user" },
    { WORKSPACE, ".sf/commands", ".sf/commands", "project" },
    { WORKSPACE, ".claude/commands", ".claude/commands", "project" },
};

struct walk {
    struct sf_custom_files *files;
    const struct source *source;
    sf_custom_taken_fn *taken;
    bool trusted;
    size_t directories;
    bool full;
};

static void note(struct walk *w, const char *file, const char *format, ...) SF_PRINTF(3, 4);

static void note(struct walk *w, const char *file, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT, line = SF_STRBUF_INIT;
    va_list args;

    sf_strbuf_adds(&text, file);
    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    sf_text_sanitize(&line, text.buf, text.len, SF_TEXT_ONE_LINE);
    if (w->files->notes.count < NOTES)
        sf_strlist_add(&w->files->notes, line.buf);
    sf_strbuf_release(&text);
    sf_strbuf_release(&line);
}

/* ---- one file ---- */

static bool is_named(const struct sf_custom_file *f, const char *name, size_t len)
{
    return strlen(f->name) == len && !strncmp(f->name, name, len);
}

static const struct sf_custom_file *find(const struct sf_custom_files *files, const char *name,
                                         size_t len)
{
    for (size_t i = 0; i < files->count; i++)
        if (!files->items[i].hidden && is_named(&files->items[i], name, len))
            return &files->items[i];
    return NULL;
}

static const char *hidden_by(const struct walk *w, const char *name)
{
    const struct sf_custom_file *other = find(w->files, name, strlen(name));

    if (w->taken && w->taken(name))
        return "sf has a command of this name";
    if (!other)
        return NULL;
    return strcmp(other->origin, w->source->origin) != 0 ? "yours of this name wins"
                                                         : "another file of this name came first";
}

/* Reads through the handle that was checked, so that the checked file is the one that is read. */
static bool read_all(int fd, struct sf_strbuf *out, struct sf_error *err)
{
    ssize_t n;

    do {
        char *room = sf_strbuf_room(out, 4096);

        n = read(fd, room, 4096);
        if (n > 0)
            sf_strbuf_grew(out, (size_t)n);
    } while ((n > 0 && out->len <= SF_CUSTOM_FILE) || (n < 0 && errno == EINTR));
    return n >= 0 || sf_fail_errno(err, "cannot read it");
}

/* Tools that sf does not have are ignored: the file may be meant for other programs too. */
static bool check_tools(const struct sf_custom *custom, struct sf_error *err)
{
    for (size_t i = 0; i < custom->tools.count; i++) {
        const char *grant = custom->tools.items[i];
        char *name = sf_strndup(grant, sf_grant_name(grant));
        const struct sf_tool *tool = sf_tool_find(name);

        free(name);
        if (tool && !sf_grant_check(grant, tool->act, err)) {
            sf_error_prefix(err, "allowed-tools: ");
            return false;
        }
    }
    return true;
}

static bool read_file(const struct walk *w, int dir, const char *entry, struct sf_custom *custom,
                      struct sf_error *err)
{
    const int follow = w->source->base == WORKSPACE ? O_NOFOLLOW : 0;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct stat st;
    int fd = openat(dir, entry, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | follow);
    bool ok = fd >= 0 || sf_fail_errno(err, "cannot open it");

    if (ok && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)))
        ok = sf_fail(err, SF_E_ARG, "it is not a regular file");
    ok = ok && read_all(fd, &text, err) && sf_custom_read(custom, text.buf, text.len, err) &&
         check_tools(custom, err);
    if (fd >= 0)
        close(fd);
    sf_strbuf_release(&text);
    return ok;
}

/* Whether the name can be typed as one word and cannot be mistaken for another. */
static bool is_name(const char *name, size_t len)
{
    bool ok = len > 0 && len <= SF_CUSTOM_NAME && sf_utf8_valid(name, len, NULL);

    for (size_t i = 0; ok && i < len;) {
        uint32_t cp;

        i += sf_utf8_decode(name + i, len - i, &cp);
        ok = cp < 0x80 ? cp > ' ' && cp != 0x7f && !strchr("/:|`\\", (int)cp)
                       : cp >= 0xa0 && !sf_text_is_hidden(cp);
    }
    return ok;
}

static void add_file(struct walk *w, int dir, const char *entry, const char *prefix,
                     const char *shown)
{
    struct sf_custom_files *files = w->files;
    struct sf_custom_file file = { .origin = w->source->origin, .custom = SF_CUSTOM_INIT };
    struct sf_strbuf name = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (files->count == SF_CUSTOM_FILES) {
        if (!w->full)
            note(w, shown, ": %d commands are all there can be; it and more are left out",
                 SF_CUSTOM_FILES);
        w->full = true;
        return;
    }
    sf_strbuf_addf(&name, "%s%.*s", prefix, (int)strlen(entry) - 3, entry);
    file.needs_trust = w->source->base == WORKSPACE && !w->trusted;
    if (!file.needs_trust && !read_file(w, dir, entry, &file.custom, &err)) {
        note(w, shown, ": %s", err.msg);
        file.problem = sf_strdup(err.msg);
    }
    file.hidden = hidden_by(w, name.buf);
    if (file.hidden)
        note(w, shown, ": /%s is not offered: %s", name.buf, file.hidden);
    file.name = sf_strbuf_detach(&name);
    file.file = sf_strdup(shown);
    files->items = sf_grow(files->items, &files->cap, files->count + 1, sizeof(*files->items));
    files->items[files->count++] = file;
}

/* ---- directories ---- */

static void walk(struct walk *w, int dir, const char *prefix, const char *shown, int depth);

static void enter(struct walk *w, int dir, const char *entry, const char *prefix, const char *shown,
                  int depth)
{
    const int follow = w->source->base == WORKSPACE ? O_NOFOLLOW : 0;
    struct sf_strbuf below = SF_STRBUF_INIT;
    int fd;

    if (depth == SF_CUSTOM_DEPTH || w->directories == DIRECTORIES) {
        note(w, shown, ": directories go no deeper than %d, and are at most %d", SF_CUSTOM_DEPTH,
             DIRECTORIES);
        return;
    }
    fd = openat(dir, entry, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow);
    if (fd < 0)
        return;
    sf_strbuf_addf(&below, "%s%s:", prefix, entry);
    walk(w, fd, below.buf, shown, depth + 1);
    close(fd);
    sf_strbuf_release(&below);
}

static void add_entry(struct walk *w, int dir, const char *entry, const char *prefix,
                      const char *shown, int depth)
{
    const bool own = w->source->base != WORKSPACE;
    size_t len = strlen(entry);
    bool text = len > 3 && !strcmp(entry + len - 3, ".md");
    struct stat st;

    if (fstatat(dir, entry, &st, own ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (!text && !S_ISDIR(st.st_mode))
        return; /* neither a directory nor a Markdown file */
    if (!is_name(entry, S_ISDIR(st.st_mode) ? len : len - 3))
        note(w, shown, ": its name cannot be typed as a command");
    else if (S_ISDIR(st.st_mode))
        enter(w, dir, entry, prefix, shown, depth);
    else if (S_ISLNK(st.st_mode))
        note(w, shown, ": it is a link, and links are not followed");
    else if (!S_ISREG(st.st_mode))
        note(w, shown, ": it is not a regular file");
    else
        add_file(w, dir, entry, prefix, shown);
}

static void list(int dir, struct sf_strlist *names)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    while (stream && names->count < NAMES && (entry = readdir(stream)))
        if (entry->d_name[0] != '.')
            sf_strlist_add(names, entry->d_name);
    if (stream)
        closedir(stream);
    else if (fd >= 0)
        close(fd);
    sf_strlist_sort(names);
}

static void walk(struct walk *w, int dir, const char *prefix, const char *shown, int depth)
{
    struct sf_strlist names = SF_STRLIST_INIT;

    w->directories++;
    list(dir, &names);
    if (names.count == NAMES)
        note(w, shown, ": more than %d names; the rest is not looked at", NAMES - 1);
    for (size_t i = 0; i < names.count; i++) {
        char *path = sf_path_join(shown, names.items[i]);
        struct sf_strbuf safe = SF_STRBUF_INIT;

        sf_text_sanitize(&safe, path, strlen(path), SF_TEXT_ONE_LINE);
        add_entry(w, dir, names.items[i], prefix, safe.buf, depth);
        sf_strbuf_release(&safe);
        free(path);
    }
    sf_strlist_release(&names);
}

/* ---- sources ---- */

/* In the workspace no component may be a link; in the user's own directories links are allowed. */
static int open_source(const struct source *s, const char *base)
{
    const int follow = s->base == WORKSPACE ? O_NOFOLLOW : 0;
    int fd = base ? open(base, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    char *path = sf_strdup(s->path), *rest = path;

    for (char *name; fd >= 0 && (name = strsep(&rest, "/"));) {
        int next = openat(fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC | follow);

        close(fd);
        fd = next;
    }
    free(path);
    return fd;
}

static bool same_place(int a, int b)
{
    struct stat x, y;

    return a >= 0 && b >= 0 && fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

static bool is_trusted(const char *root, struct sf_custom_files *files)
{
    enum sf_trust_state state = SF_TRUST_NO;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_trust_check(root, &state, &err))
        sf_strlist_addf(&files->notes, "trust: %s", err.msg);
    return state == SF_TRUST_YES;
}

void sf_custom_files_read(struct sf_custom_files *files, const char *root,
                          sf_custom_taken_fn *taken)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *const bases[] = { [WORKSPACE] = sf_strdup(root),
                            [CONFIG] = sf_env_config_dir(&ignored),
                            [HOME] = sf_env_home(&ignored) };
    int dirs[SF_COUNT(sources)];
    struct walk w = { .files = files, .taken = taken };

    sf_custom_files_release(files);
    w.trusted = is_trusted(root, files);
    for (size_t i = 0; i < SF_COUNT(sources); i++) {
        char *base = bases[sources[i].base], *shown;
        bool again = false;

        dirs[i] = open_source(&sources[i], base);
        for (size_t k = 0; k < i; k++)
            again = again || same_place(dirs[i], dirs[k]); /* the workspace may be the home */
        if (dirs[i] < 0 || again)
            continue;
        shown =
            sources[i].shown ? sf_strdup(sources[i].shown) : sf_path_join(base, sources[i].path);
        w.source = &sources[i];
        walk(&w, dirs[i], "", shown, 0);
        free(shown);
    }
    for (size_t i = 0; i < SF_COUNT(sources); i++)
        if (dirs[i] >= 0)
            close(dirs[i]);
    for (size_t i = 0; i < SF_COUNT(bases); i++)
        free(bases[i]);
}

void sf_custom_files_release(struct sf_custom_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].name);
        free(files->items[i].file);
        free(files->items[i].problem);
        sf_custom_release(&files->items[i].custom);
    }
    free(files->items);
    sf_strlist_release(&files->notes);
    *files = (struct sf_custom_files)SF_CUSTOM_FILES_INIT;
}

const struct sf_custom_file *sf_custom_files_find(const struct sf_custom_files *files,
                                                  const char *line)
{
    return line[0] == '/' ? find(files, line + 1, strcspn(line + 1, " \t\n")) : NULL;
}
