/*
 * strlist: an ordered list of owned strings. Life: SF_STRLIST_INIT, use, sf_strlist_release.
 * `items` has a NULL behind the last one once anything was added, so it can serve as an argv.
 */
#ifndef SF_BASE_STRLIST_H
#define SF_BASE_STRLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct sf_strlist {
    char **items;
    size_t count, cap;
};

#define SF_STRLIST_INIT \
    {                   \
        NULL, 0, 0      \
    }

void sf_strlist_add(struct sf_strlist *list, const char *text);
void sf_strlist_addf(struct sf_strlist *list, const char *format, ...) SF_PRINTF(2, 3);
void sf_strlist_append(struct sf_strlist *list, const struct sf_strlist *more);
void sf_strlist_adopt(struct sf_strlist *list, char *text);
void sf_strlist_remove(struct sf_strlist *list, size_t index);
bool sf_strlist_has(const struct sf_strlist *list, const char *text);
void sf_strlist_sort(struct sf_strlist *list); /* by bytes */
void sf_strlist_release(struct sf_strlist *list);

#endif
