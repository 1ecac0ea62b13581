/*
 * glob.c: where a pattern is anchored, and which directories it need not enter.
 */
#include "find/glob.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/wild.h"

struct sf_glob {
    struct sf_wild *wild;
    bool by_name;
};

struct sf_glob *sf_glob_new(const char *pattern, struct sf_error *err)
{
    struct sf_glob *glob = sf_alloc(sizeof(*glob));

    glob->by_name = !strchr(pattern, '/');
    if (!strncmp(pattern, "./", 2))
        pattern += 2;
    pattern += strspn(pattern, "/");
    if (*pattern)
        glob->wild = sf_wild_new(pattern, strlen(pattern), SF_WILD_GLOB, err);
    else
        sf_fail(err, SF_E_ARG, "the pattern is empty");
    if (glob->wild)
        return glob;
    free(glob);
    return NULL;
}

void sf_glob_free(struct sf_glob *glob)
{
    if (glob)
        sf_wild_free(glob->wild);
    free(glob);
}

bool sf_glob_match(const struct sf_glob *glob, const char *path, size_t len)
{
    const char *slash = glob->by_name ? memrchr(path, '/', len) : NULL;

    if (slash) {
        len -= (size_t)(slash + 1 - path);
        path = slash + 1;
    }
    return sf_wild_match(glob->wild, path, len);
}

bool sf_glob_reaches(const struct sf_glob *glob, const char *dir, size_t len)
{
    size_t head_len;
    const char *head = sf_wild_head(glob->wild, &head_len);

    if (glob->by_name || !len)
        return true;
    if (head_len <= len)
        return !memcmp(head, dir, head_len);
    return !memcmp(head, dir, len) && head[len] == '/';
}
