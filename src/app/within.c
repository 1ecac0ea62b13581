/*
 * within.c: turns a path as typed into one below the workspace.
 */
#include "app/within.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "io/io.h"

/* Removes doubled slashes, . and .. as a shell does; `path` is absolute. */
static void collapse(const char *path, struct sf_strbuf *out)
{
    while (*path) {
        size_t n = strcspn(path, "/");

        if (n == 2 && !memcmp(path, "..", 2)) {
            while (out->len && out->buf[out->len - 1] != '/')
                sf_strbuf_truncate(out, out->len - 1);
            if (out->len)
                sf_strbuf_truncate(out, out->len - 1);
        } else if (n && !(n == 1 && *path == '.')) {
            sf_strbuf_addch(out, '/');
            sf_strbuf_add(out, path, n);
        }
        path += n + (path[n] == '/');
    }
}

/* Resolves the deepest existing directory above the last name, and adds the rest as it is. */
static void make_real(const char *path, struct sf_strbuf *out)
{
    size_t len = strlen(path);
    char real[PATH_MAX];

    while (len) {
        char *dir;
        bool there;

        do
            len--;
        while (len && path[len] != '/');
        dir = sf_strndup(path, len ? len : 1);
        there = realpath(dir, real) != NULL;
        free(dir);
        if (there) {
            sf_strbuf_adds(out, strcmp(real, "/") != 0 ? real : "");
            break;
        }
    }
    sf_strbuf_adds(out, path + len);
}

bool sf_within(const char *root, const char *start, const char *given, struct sf_strbuf *out,
               struct sf_error *err)
{
    struct sf_strbuf plain = SF_STRBUF_INIT, real = SF_STRBUF_INIT;
    size_t n = strlen(root);
    char *base, *full;
    bool ok;

    if (!*given)
        return sf_fail(err, SF_E_ARG, "the path is empty");
    base = sf_path_real(start ? start : ".", err);
    if (!base)
        return false;
    full = *given == '/' ? sf_strdup(given) : sf_path_join(base, given);
    collapse(full, &plain);
    if (plain.len)
        make_real(plain.buf, &real);
    ok = real.len >= n && !memcmp(real.buf, root, n) && (!real.buf[n] || real.buf[n] == '/');
    if (ok)
        sf_strbuf_adds(out, real.buf[n] ? real.buf + n + 1 : ".");
    else
        sf_fail(err, SF_E_ARG, "%s lies outside of the workspace %s", given, root);
    free(base);
    free(full);
    sf_strbuf_release(&plain);
    sf_strbuf_release(&real);
    return ok;
}

char *sf_within_stand(const char *root, const char *start)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *here = sf_path_real(start ? start : ".", &ignored), *below;
    size_t n = strcmp(root, "/") != 0 ? strlen(root) : 0;
    bool inside = here && !strncmp(here, root, n) && here[n] == '/';

    below = sf_strdup(inside ? here + n + 1 : "");
    free(here);
    return below;
}
