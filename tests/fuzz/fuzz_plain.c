/*
 * Fuzzes the cleaning of terminal output. Whatever comes, the text is valid, holds no control
 * but newlines and tabs, is bounded by what came, does not depend on the chunking, and is left
 * as it is by a second cleaning.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define HOLDS(promise)                                                    \
    do {                                                                  \
        if (!(promise)) {                                                 \
            fprintf(stderr, "line %d: broken: %s\n", __LINE__, #promise); \
            abort();                                                      \
        }                                                                 \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* `pace` says how the chunks grow; 0 is all at once. */
static void plain(const char *s, size_t len, size_t pace, struct sf_strbuf *out)
{
    struct sf_plain p = SF_PLAIN_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;
    size_t chunk = pace ? pace : len;

    for (size_t at = 0; at < len;) {
        size_t n = len - at < chunk ? len - at : chunk;

        sf_plain_add(&p, s + at, n, out);
        sf_strbuf_reset(&line);
        sf_plain_line(&p, &line);
        HOLDS(sf_utf8_valid(line.buf, line.len, NULL));
        at += n;
        chunk = chunk * 5 % 13 + 1;
    }
    sf_plain_end(&p, out);
    sf_plain_release(&p);
    sf_strbuf_release(&line);
}

static void check_text(const struct sf_strbuf *text)
{
    for (size_t at = 0; at < text->len;) {
        uint32_t cp;

        at += sf_utf8_decode(text->buf + at, text->len - at, &cp);
        HOLDS(cp != SF_UTF8_INVALID);
        HOLDS(cp == '\n' || cp == '\t' || (cp >= 0x20 && cp != 0x7f && (cp < 0x80 || cp > 0x9f)));
        HOLDS(!sf_text_is_hidden(cp));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;
    struct sf_strbuf whole = SF_STRBUF_INIT, parts = SF_STRBUF_INIT, twice = SF_STRBUF_INIT;

    plain(s, size, 0, &whole);
    plain(s, size, 1 + size % 7, &parts);
    plain(whole.buf, whole.len, 0, &twice);
    check_text(&whole);
    HOLDS(whole.len <= size * 3 + 1);
    HOLDS(whole.len == parts.len && !memcmp(whole.buf, parts.buf, whole.len));
    HOLDS(whole.len == twice.len && !memcmp(whole.buf, twice.buf, whole.len));
    sf_strbuf_release(&twice);
    sf_strbuf_release(&parts);
    sf_strbuf_release(&whole);
    return 0;
}
