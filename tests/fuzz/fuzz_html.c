/*
 * Fuzzes pages: whatever comes, the text holds no control but newlines and tabs, never two empty
 * lines in a row outside of preformatted text, stays within its ceiling, and is the same again.
 * The page as a body of any charset is valid UTF-8.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "tools/html.h"
#include "tools/page.h"

#define HOLDS(promise)                                                    \
    do {                                                                  \
        if (!(promise)) {                                                 \
            fprintf(stderr, "line %d: broken: %s\n", __LINE__, #promise); \
            abort();                                                      \
        }                                                                 \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct sf_strbuf *text, bool exact)
{
    for (size_t i = 0; i < text->len; i++) {
        unsigned char c = (unsigned char)text->buf[i];

        HOLDS(c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f));
    }
    HOLDS(exact || !memmem(text->buf, text->len, "\n\n\n", 3));
    HOLDS(!text->len || text->buf[text->len - 1] == '\n');
}

static void check_links(const struct sf_strbuf *text)
{
    const char *at = strstr(text->buf, "Links:\n[1] http");

    HOLDS(!at || strlen(at) < (size_t)SF_HTML_LINKS * (SF_URL_MAX + 32));
}

static void check_body(const char *type, const uint8_t *data, size_t size, const struct sf_url *url)
{
    struct sf_web_page page = { .type = type, .url = url, .body = (const char *)data, .len = size };
    struct sf_strbuf out = SF_STRBUF_INIT, note = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_page_text(&page, &out, &note, &err))
        HOLDS(sf_utf8_valid(out.buf, out.len, NULL));
    else
        HOLDS(*err.msg);
    sf_strbuf_release(&out);
    sf_strbuf_release(&note);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;
    struct sf_strbuf once = SF_STRBUF_INIT, again = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_url base;

    HOLDS(sf_url_read(&base, "https://example.org/a/b?c", &err));
    HOLDS(sf_html_text(s, size, &base, &once) || size > (size_t)1024 * 1024);
    HOLDS(sf_html_text(s, size, &base, &again) || size > (size_t)1024 * 1024);
    HOLDS(once.len == again.len && !memcmp(once.buf, again.buf, once.len));
    check_text(&once, strcasestr(once.buf, "```") != NULL);
    check_links(&once);
    check_body("text/html", data, size, &base);
    check_body("text/html; charset=latin1", data, size, &base);
    sf_strbuf_release(&once);
    sf_strbuf_release(&again);
    return 0;
}
