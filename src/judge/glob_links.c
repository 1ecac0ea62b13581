/*
 * glob_links.c: walks what a pattern may match. A pattern is widened where quoting could have
 * changed its meaning: an extra name does no harm, since only links that lead out count.
 */
#include "judge/glob_links.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"

enum { DEPTH_MAX = 40 };

struct walk {
    struct sf_glob_links *links;
    char **found;
    bool elsewhere; /* a link led to another directory of the workspace */
};

static enum sf_glob_links_end walk_dir(struct walk *w, int fd, const char *path,
                                       const char *pattern, unsigned depth);

/* Copies one component, with * for anything in it that may or may not be special. */
static void widen(const char *from, size_t len, struct sf_strbuf *out)
{
    for (size_t i = 0; i < len; i++) {
        const char *end = from[i] == '[' ? memchr(from + i, ']', len - i) : NULL;

        if (from[i] == '[')
            i = end ? (size_t)(end - from) : len;
        if (i < len && !end && from[i] != '\\')
            sf_strbuf_addch(out, from[i]);
        else
            sf_strbuf_addch(out, '*');
    }
}

/*
 * Names that turn into other paths when they are read line by line or by xargs: a space is followed
 * by what looks like another path, or ".." is left once quotes and backslashes are removed.
 */
static bool falls_apart(const char *name)
{
    size_t dots = 0;

    for (const char *p = name; (p = strpbrk(p, " \t\n")) != NULL; p++)
        if (!p[1] || !strncmp(p + 1, "..", 2) || p[1] == '~')
            return true;
    for (const char *p = name; *p; p++)
        dots += *p == '.';
    return strspn(name, ".\\'\"") == strlen(name) && dots == 2;
}

static enum sf_glob_links_end leads_out(struct walk *w, const char *path)
{
    *w->found = sf_strdup(path);
    return SF_GLOB_LINKS_OUT;
}

/* The rest of a pattern after a component; for `**` the whole pattern, at any depth. */
struct rest {
    const char *pattern;
    bool deep;
};

/* A link leads out of the workspace, or to a directory in it where the pattern continues. */
static enum sf_glob_links_end walk_link(struct walk *w, const char *path, struct rest rest,
                                        unsigned depth)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    enum sf_glob_links_end end = SF_GLOB_LINKS_STAY;
    int fd = -1;

    if (!sf_place_resolve(&w->links->policy->root, path, strlen(path), SF_WANT_ANY, &place,
                          &ignored) ||
        (!place.inside && !sf_path_is_public(place.real)))
        end = leads_out(w, path);
    else if (rest.deep && place.kind == SF_PLACE_DIR)
        w->elsewhere = w->elsewhere || place.inside;
    else if (*rest.pattern && place.inside && place.kind == SF_PLACE_DIR &&
             (fd = sf_place_open_dir(&place, &ignored)) >= 0)
        end = walk_dir(w, fd, place.real, rest.pattern, depth + 1);
    sf_place_release(&place);
    return end;
}

/* Handles an entry that the component matches. */
static enum sf_glob_links_end walk_entry(struct walk *w, int fd, const struct dirent *entry,
                                         const char *path, struct rest rest, unsigned depth)
{
    unsigned char type = entry->d_type;
    int below;

    if (type == DT_UNKNOWN) {
        struct stat st;

        if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            return SF_GLOB_LINKS_STAY;
        type = (unsigned char)IFTODT(st.st_mode);
    }
    if (rest.deep && falls_apart(entry->d_name))
        return leads_out(w, path);
    if (type == DT_LNK)
        return walk_link(w, path, rest, depth);
    if (type != DT_DIR || !*rest.pattern)
        return SF_GLOB_LINKS_STAY;
    below = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return below < 0 ? SF_GLOB_LINKS_STAY : walk_dir(w, below, path, rest.pattern, depth + 1);
}

/* Takes ownership of the descriptor. `path` is its path, `pattern` is matched below it. */
static enum sf_glob_links_end walk_dir(struct walk *w, int fd, const char *path,
                                       const char *pattern, unsigned depth)
{
    struct sf_strbuf part = SF_STRBUF_INIT;
    size_t len = strcspn(pattern, "/");
    struct rest rest = { .pattern = pattern + len + strspn(pattern + len, "/") };
    enum sf_glob_links_end end = SF_GLOB_LINKS_STAY;
    const struct dirent *entry;
    DIR *dir = fdopendir(fd);

    widen(pattern, len, &part);
    if (strstr(part.buf, "**"))
        rest = (struct rest){ .pattern = pattern, .deep = true };
    if (!dir)
        close(fd);
    if (depth > DEPTH_MAX || !strcmp(part.buf, ".."))
        end = SF_GLOB_LINKS_CUT;
    while (dir && end == SF_GLOB_LINKS_STAY && (entry = readdir(dir)) != NULL) {
        char *below;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (++w->links->seen > SF_GLOB_LINKS_ENTRIES) {
            end = SF_GLOB_LINKS_CUT;
        } else if (rest.deep || !fnmatch(part.buf, entry->d_name, FNM_NOESCAPE | FNM_CASEFOLD)) {
            below = *path ? sf_path_join(path, entry->d_name) : sf_strdup(entry->d_name);
            end = walk_entry(w, dirfd(dir), entry, below, rest, depth);
            free(below);
        }
    }
    if (dir)
        closedir(dir);
    sf_strbuf_release(&part);
    return end;
}

/* Through a link that stays inside, any part of the workspace may be read. */
static enum sf_glob_links_end walk_all(struct walk *w)
{
    struct sf_place top = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    enum sf_glob_links_end end = SF_GLOB_LINKS_CUT;
    int fd = -1;

    if (sf_place_resolve(&w->links->policy->root, ".", 1, SF_WANT_DIR, &top, &ignored))
        fd = sf_place_open_dir(&top, &ignored);
    if (fd >= 0)
        end = walk_dir(w, fd, "", "**", 0);
    w->links->all_clean = end == SF_GLOB_LINKS_STAY;
    sf_place_release(&top);
    return end;
}

enum sf_glob_links_end sf_glob_links_look(struct sf_glob_links *links, const struct sf_place *at,
                                          const char *pattern, char **found)
{
    struct walk w = { .links = links, .found = found };
    struct sf_error ignored = SF_ERROR_INIT;
    enum sf_glob_links_end end;
    int fd;

    *found = NULL;
    if (links->all_clean || at->kind != SF_PLACE_DIR)
        return SF_GLOB_LINKS_STAY;
    fd = sf_place_open_dir(at, &ignored);
    if (fd < 0)
        return SF_GLOB_LINKS_STAY; /* a pattern matches nothing in an unreadable directory */
    end = walk_dir(&w, fd, at->real, pattern, 0);
    if (end == SF_GLOB_LINKS_STAY && w.elsewhere)
        end = walk_all(&w);
    return end;
}
