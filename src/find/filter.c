/*
 * filter.c: three lists of globs, wanted, unwanted and of the type, asked in that order.
 */
#include "find/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/glob.h"
#include "find/types.h"

struct globs {
    struct sf_glob **items;
    size_t count, cap;
};

struct sf_filter {
    struct globs wanted, unwanted, typed;
};

static bool add(struct globs *list, const char *pattern, struct sf_error *err)
{
    struct sf_glob *glob = sf_glob_new(pattern, err);

    if (!glob)
        return false;
    list->items = sf_grow(list->items, &list->cap, list->count + 1, sizeof(void *));
    list->items[list->count++] = glob;
    return true;
}

static bool any(const struct globs *list, const char *path, size_t len)
{
    for (size_t i = 0; i < list->count; i++)
        if (sf_glob_match(list->items[i], path, len))
            return true;
    return false;
}

static void release(struct globs *list)
{
    for (size_t i = 0; i < list->count; i++)
        sf_glob_free(list->items[i]);
    free(list->items);
}

static bool add_globs(struct sf_filter *filter, const char *const *globs, struct sf_error *err)
{
    for (size_t i = 0; globs && globs[i]; i++) {
        const char *text = globs[i];

        if (i == SF_FILTER_GLOBS_MAX)
            return sf_fail(err, SF_E_LIMIT, "more than %d globs", SF_FILTER_GLOBS_MAX);
        if (*text == '!' ? !add(&filter->unwanted, text + 1, err)
                         : !add(&filter->wanted, text, err))
            return false;
    }
    return true;
}

static bool add_type(struct sf_filter *filter, const char *name, struct sf_error *err)
{
    const struct sf_file_type *type = sf_file_type_find(name, err);
    const char *at = type ? type->patterns : "";
    bool ok = type != NULL;

    while (ok && *at) {
        size_t n = strcspn(at, " ");
        char *pattern = sf_strndup(at, n);

        ok = add(&filter->typed, pattern, err);
        free(pattern);
        at += n + (at[n] == ' ');
    }
    return ok;
}

struct sf_filter *sf_filter_new(const char *const *globs, const char *type, struct sf_error *err)
{
    struct sf_filter *filter = sf_alloc(sizeof(*filter));

    if (add_globs(filter, globs, err) && (!type || add_type(filter, type, err)))
        return filter;
    sf_filter_free(filter);
    return NULL;
}

void sf_filter_free(struct sf_filter *filter)
{
    if (!filter)
        return;
    release(&filter->wanted);
    release(&filter->unwanted);
    release(&filter->typed);
    free(filter);
}

bool sf_filter_file(const struct sf_filter *filter, const char *path, size_t len)
{
    if (!filter)
        return true;
    return (!filter->wanted.count || any(&filter->wanted, path, len)) &&
           !any(&filter->unwanted, path, len) &&
           (!filter->typed.count || any(&filter->typed, path, len));
}

bool sf_filter_dir(const struct sf_filter *filter, const char *path, size_t len)
{
    bool reached;

    if (!filter)
        return true;
    if (any(&filter->unwanted, path, len))
        return false;
    reached = !filter->wanted.count;
    for (size_t i = 0; i < filter->wanted.count && !reached; i++)
        reached = sf_glob_reaches(filter->wanted.items[i], path, len);
    return reached;
}
