/*
 * Any ignore file and any path, the two separated by a NUL byte. The last line has the last word:
 * a line with exactly that path, escaped, makes it ignored, and negated not; a directory is
 * ignored by whatever ignores a file of that name.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/find.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static struct sf_ignore *rules(struct sf_ignore *above, const struct sf_strbuf *text)
{
    const struct sf_ignore_texts texts = { .gitignore = text->buf, .gitignore_len = text->len };

    return sf_ignore_enter(above, 0, &texts);
}

/* The file with one more line about the path. */
static bool asked_with(const struct sf_strbuf *file, const char *path, size_t len, const char *mark)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_ignore *ignore;
    bool covered;

    sf_strbuf_add(&text, file->buf, file->len);
    sf_strbuf_addf(&text, "\n%s/", mark);
    for (size_t i = 0; i < len; i++) {
        if (path[i] != '/')
            sf_strbuf_addch(&text, '\\');
        sf_strbuf_addch(&text, path[i]);
    }
    ignore = rules(NULL, &text);
    covered = sf_ignore_covers(ignore, path, len, false);
    sf_ignore_unref(ignore);
    sf_strbuf_release(&text);
    return covered;
}

static bool ordinary(const char *path, size_t len)
{
    if (!len || len > 400 || path[0] == '/' || path[len - 1] == '/')
        return false;
    for (size_t i = 0; i < len; i++)
        if (!path[i] || path[i] == '\n' || path[i] == '\r')
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    size_t n = nul ? (size_t)(nul - data) : size;
    const char *path = nul ? (const char *)nul + 1 : "";
    size_t len = nul ? size - n - 1 : 0;
    struct sf_strbuf file = SF_STRBUF_INIT;
    struct sf_ignore *above, *ignore;

    sf_strbuf_add(&file, data, n);
    above = rules(NULL, &file);
    ignore = rules(above, &file);
    if (!memchr(file.buf, '!', file.len) && sf_ignore_covers(ignore, path, len, false))
        must(sf_ignore_covers(ignore, path, len, true));
    must(sf_ignore_covers(ignore, path, len, false) == sf_ignore_covers(above, path, len, false));
    if (ordinary(path, len) && file.len < 100000) {
        must(asked_with(&file, path, len, ""));
        must(!asked_with(&file, path, len, "!"));
    }
    sf_ignore_unref(ignore);
    sf_ignore_unref(above);
    sf_strbuf_release(&file);
    return 0;
}
