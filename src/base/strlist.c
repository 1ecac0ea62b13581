/*
 * strlist.c: the list of owned strings.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void sf_strlist_adopt(struct sf_strlist *list, char *text)
{
    list->items = sf_grow(list->items, &list->cap, list->count + 2, sizeof(*list->items));
    list->items[list->count++] = text;
    list->items[list->count] = NULL;
}

void sf_strlist_add(struct sf_strlist *list, const char *text)
{
    sf_strlist_adopt(list, sf_strdup(text));
}

void sf_strlist_append(struct sf_strlist *list, const struct sf_strlist *more)
{
    for (size_t i = 0; i < more->count; i++)
        sf_strlist_add(list, more->items[i]);
}

void sf_strlist_addf(struct sf_strlist *list, const char *format, ...)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&sb, format, args);
    va_end(args);
    sf_strlist_adopt(list, sf_strbuf_detach(&sb));
}

void sf_strlist_remove(struct sf_strlist *list, size_t index)
{
    free(list->items[index]);
    memmove(&list->items[index], &list->items[index + 1],
            (list->count - index) * sizeof(*list->items)); /* with the NULL behind the last */
    list->count--;
}

bool sf_strlist_has(const struct sf_strlist *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], text))
            return true;
    return false;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void sf_strlist_sort(struct sf_strlist *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof(*list->items), by_bytes);
}

void sf_strlist_release(struct sf_strlist *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct sf_strlist)SF_STRLIST_INIT;
}
