/*
 * Any pattern over any path, the two separated by a NUL byte. A path with every byte escaped
 * matches itself and nothing longer; braces around a pattern change nothing; where a glob
 * matches, it reaches every directory on the way.
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

static void check_itself(const char *path, size_t len)
{
    struct sf_strbuf text = SF_STRBUF_INIT, longer = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_glob *glob;

    sf_strbuf_addch(&text, '/');
    for (size_t i = 0; i < len; i++) {
        sf_strbuf_addch(&text, '\\');
        sf_strbuf_addch(&text, path[i]);
    }
    sf_strbuf_add(&longer, path, len);
    sf_strbuf_addch(&longer, 'x');
    glob = sf_glob_new(text.buf, &err);
    must(glob && sf_glob_match(glob, path, len));
    must(!sf_glob_match(glob, longer.buf, longer.len) && !sf_glob_match(glob, path, len - 1));
    sf_glob_free(glob);
    sf_strbuf_release(&text);
    sf_strbuf_release(&longer);
}

static void check_braces(const char *pattern, const char *path, size_t len, bool matched)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_glob *glob;

    /* a comma at the top would become a choice, a brace an end, and stars would move */
    if (strpbrk(pattern, ",}*") || pattern[0] == '/' || pattern[0] == '.')
        return;
    sf_strbuf_addf(&text, "{%s}", pattern);
    glob = sf_glob_new(text.buf, &err);
    must(glob ? sf_glob_match(glob, path, len) == matched : err.code != SF_E_NONE);
    sf_glob_free(glob);
    sf_strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    size_t n = nul ? (size_t)(nul - data) : size;
    char *pattern = sf_strndup((const char *)data, n);
    size_t len = nul ? size - n - 1 : 0;
    const char *path = nul ? (const char *)nul + 1 : "";
    struct sf_error err = SF_ERROR_INIT;
    struct sf_glob *glob = sf_glob_new(pattern, &err);

    must(glob || (err.code != SF_E_NONE && err.msg[0]));
    if (glob) {
        bool matched = sf_glob_match(glob, path, len);

        for (size_t i = 1; i < len && matched; i++)
            must(path[i] != '/' || sf_glob_reaches(glob, path, i));
        check_braces(pattern, path, len, matched);
    }
    if (len && len < 400 && path[0] != '/' && !memchr(path, 0, len))
        check_itself(path, len);
    sf_glob_free(glob);
    free(pattern);
    return 0;
}
