/*
 * numbered.c: cuts, numbers and counts lines.
 */
#include "tools/numbered.h"

#include <inttypes.h>

#include "base/base.h"
#include "tools/safe.h"

void sf_numbered_init(struct sf_numbered *n, size_t bytes_max)
{
    *n = (struct sf_numbered){ .bytes_max = bytes_max };
    sf_strbuf_init(&n->text);
}

void sf_numbered_release(struct sf_numbered *n)
{
    sf_strbuf_release(&n->text);
}

/* The length of the first SF_NUMBERED_CHARS characters in bytes. */
static size_t fold_at(const char *line, size_t len)
{
    size_t at = 0;

    if (len <= SF_NUMBERED_CHARS)
        return len;
    for (int chars = 0; chars < SF_NUMBERED_CHARS && at < len; chars++) {
        uint32_t cp;

        at += sf_utf8_decode(line + at, len - at, &cp);
    }
    return at;
}

bool sf_numbered_add(struct sf_numbered *n, int64_t number, const char *line, size_t len,
                     size_t full)
{
    size_t before = n->text.len, shown = fold_at(line, len), damaged;

    sf_strbuf_addf(&n->text, "%" PRId64 ": ", number);
    damaged = sf_safe_add(&n->text, line, shown);
    if (shown < full)
        sf_strbuf_addf(&n->text, "… [%zu more bytes in this line]", full - shown);
    sf_strbuf_addch(&n->text, '\n');
    if (n->text.len > n->bytes_max && n->count) {
        sf_strbuf_truncate(&n->text, before);
        return false;
    }
    n->count++;
    n->folded += shown < full;
    n->damaged += damaged;
    return true;
}
