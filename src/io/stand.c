/*
 * stand.c: goes through the components of paths.
 */
#include "io/stand.h"

#include <string.h>

#include "base/base.h"

/* The length of the next component; `*path` moves behind the slashes before it. */
static size_t next(const char **path)
{
    *path += strspn(*path, "/");
    return strcspn(*path, "/");
}

static bool is_dot(const char *part, size_t n)
{
    return n == 1 && part[0] == '.';
}

static bool is_up(const char *part, size_t n)
{
    return n == 2 && part[0] == '.' && part[1] == '.';
}

static void add_part(struct sf_strbuf *out, const char *part, size_t n)
{
    if (out->len && out->buf[out->len - 1] != '/')
        sf_strbuf_addch(out, '/');
    sf_strbuf_add(out, part, n);
}

/* Removes the last component; false: there is none, or it climbs itself. */
static bool drop_part(struct sf_strbuf *out)
{
    const char *slash = out->len ? strrchr(out->buf, '/') : NULL;
    size_t at = slash ? (size_t)(slash - out->buf) + 1 : 0;

    if (!out->len || is_up(out->buf + at, out->len - at))
        return false;
    sf_strbuf_truncate(out, at ? at - 1 : 0);
    return true;
}

/* The part of an absolute path below the root; NULL: it does not begin with the root. */
static const char *below(const char *root, const char *path)
{
    size_t n = strlen(root);

    while (n && root[n - 1] == '/')
        n--;
    if (strncmp(path, root, n) != 0 || (path[n] && path[n] != '/'))
        return NULL;
    return path + n;
}

char *sf_stand_resolve(const char *root, const char *stand, const char *path)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    const char *rest = path;
    bool named = false; /* a component of the path itself was added */
    size_t n;

    if (*path == '/') {
        rest = below(root, path);
        if (!rest)
            return sf_strdup(path);
    } else {
        sf_strbuf_adds(&out, stand);
    }
    for (; (n = next(&rest)) != 0; rest += n) {
        bool last = !rest[n];

        if (is_dot(rest, n) && !(last && named))
            continue;
        if (!named && is_up(rest, n) && drop_part(&out))
            continue;
        named = named || !is_up(rest, n);
        add_part(&out, rest, n);
    }
    if (named && rest > path && rest[-1] == '/')
        sf_strbuf_addch(&out, '/'); /* which says that a directory is meant */
    if (!out.len)
        sf_strbuf_addch(&out, '.');
    return sf_strbuf_detach(&out);
}

void sf_stand_spell(struct sf_strbuf *out, const char *stand, const char *path)
{
    size_t start = out->len, n;

    while ((n = next(&stand)) != 0 && !strncmp(stand, path, n) && (path[n] == '/' || !path[n])) {
        stand += n;
        path += n + (path[n] == '/');
    }
    for (; (n = next(&stand)) != 0; stand += n)
        sf_strbuf_adds(out, out->len > start ? "/.." : "..");
    if (*path && out->len > start)
        sf_strbuf_addch(out, '/');
    sf_strbuf_adds(out, path);
    if (out->len == start)
        sf_strbuf_addch(out, '.');
}
