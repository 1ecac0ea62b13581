/*
 * times.c: when the ignored files of a snapshot were changed. They are what builds make, and a
 * build compares times: a product that comes back as new as the restore would pass for made from
 * sources that it never saw.
 *
 * A list is a blob of unsorted "PATH\0nanoseconds\0".
 */
#include <inttypes.h>

#include "base/base.h"
#include "snap/internal.h"

void sf_times_write(struct sf_strbuf *out, const char *path, int64_t modified)
{
    sf_strbuf_add(out, path, strlen(path) + 1);
    sf_strbuf_addf(out, "%" PRId64, modified);
    sf_strbuf_addch(out, '\0');
}

static int by_path(const void *a, const void *b)
{
    const struct sf_time *x = a, *y = b;

    return strcmp(x->path, y->path);
}

bool sf_times_load(struct sf_snap *snap, const struct sf_oid *blob, struct sf_times *out,
                   struct sf_error *err)
{
    if (sf_oid_none(blob))
        return true;
    if (!snap->git->read(snap->odb, blob, SF_OBJECT_BLOB, &out->text, err))
        return false;
    for (const char *at = out->text.buf, *end = at + out->text.len; at < end;) {
        const char *number = at + strlen(at) + 1;

        if (number >= end)
            break;
        out->items = sf_grow(out->items, &out->cap, out->count + 1, sizeof(*out->items));
        out->items[out->count++] = (struct sf_time){ at, strtoll(number, NULL, 10) };
        at = number + strlen(number) + 1;
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(*out->items), by_path);
    return true;
}

void sf_times_release(struct sf_times *times)
{
    free(times->items);
    sf_strbuf_release(&times->text);
    *times = (struct sf_times)SF_TIMES_INIT;
}

int64_t sf_times_find(const struct sf_times *times, const char *path)
{
    const struct sf_time key = { .path = path }, *found = NULL;

    if (times->count)
        found = bsearch(&key, times->items, times->count, sizeof(key), by_path);
    return found ? found->modified : 0;
}
