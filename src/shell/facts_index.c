/*
 * facts_index.c: finds the rows of a program without reading all tables. Names are sorted once,
 * on first use; patterns with a star are few and tried one by one. The index holds nothing but
 * what the tables say, so it never goes stale.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <threads.h>

#include "base/base.h"
#include "shell/facts.h"

enum { NAMES_MAX = 8192, PATTERNS_MAX = 256, ROWS_MAX = 2048 };

struct entry {
    const char *name; /* inside the row's `program`, `len` bytes */
    uint16_t len;
    uint16_t row; /* its place in the order of all tables */
};

static struct entry names[NAMES_MAX], patterns[PATTERNS_MAX];
static const struct sf_fact *rows[ROWS_MAX];
static size_t nnames, npatterns, nrows;
static once_flag built = ONCE_FLAG_INIT;

static int compare_name(const char *a, size_t alen, const char *b, size_t blen)
{
    int order = memcmp(a, b, alen < blen ? alen : blen);

    return order ? order : (alen > blen) - (alen < blen);
}

static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = compare_name(x->name, x->len, y->name, y->len);

    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static void add_name(const char *name, size_t len)
{
    struct entry e = { name, (uint16_t)len, (uint16_t)nrows };

    if (memchr(name, '*', len)) {
        assert(npatterns < PATTERNS_MAX);
        patterns[npatterns++] = e;
    } else {
        assert(nnames < NAMES_MAX);
        names[nnames++] = e;
    }
}

static void add_row(const struct sf_fact *fact)
{
    const char *p = fact->program;

    for (;;) {
        size_t len = strcspn(p, "|");

        add_name(p, len);
        if (!p[len])
            break;
        p += len + 1;
    }
    assert(nrows < ROWS_MAX);
    rows[nrows++] = fact;
}

static void build(void)
{
    for (size_t t = 0; t < sf_facts_tables; t++)
        for (size_t i = 0; i < sf_facts_all[t]->count; i++)
            add_row(&sf_facts_all[t]->rows[i]);
    qsort(names, nnames, sizeof(names[0]), compare);
}

/* The first entry that is not before `name`. */
static size_t lower_bound(const char *name, size_t len)
{
    size_t low = 0, high = nnames;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_name(names[middle].name, names[middle].len, name, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t insert(uint16_t *found, size_t n, uint16_t row)
{
    size_t at = n;

    while (at && found[at - 1] > row)
        at--;
    if ((at && found[at - 1] == row) || n >= SF_FACTS_OF_ONE)
        return n;
    memmove(found + at + 1, found + at, (n - at) * sizeof(*found));
    found[at] = row;
    return n + 1;
}

size_t sf_facts_find(const char *name, const struct sf_fact *out[SF_FACTS_OF_ONE])
{
    uint16_t found[SF_FACTS_OF_ONE + 1];
    size_t len = strlen(name), n = 0;

    call_once(&built, build);
    for (size_t i = lower_bound(name, len);
         i < nnames && !compare_name(names[i].name, names[i].len, name, len); i++)
        n = insert(found, n, names[i].row);
    for (size_t i = 0; i < npatterns; i++)
        if (sf_pattern_fits(patterns[i].name, patterns[i].len, name))
            n = insert(found, n, patterns[i].row);
    for (size_t i = 0; i < n; i++)
        out[i] = rows[found[i]];
    return n;
}
