/*
 * page: converts a response from the web to text: HTML is made readable, other text is kept, and
 * anything else is refused with a description. Works on bytes only, for a worker.
 */
#ifndef SF_TOOLS_PAGE_H
#define SF_TOOLS_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_web_page {
    const char *type; /* the content type as received; may be "" */
    const struct sf_url *url;
    const char *body;
    size_t len;
};

/* Whether the type is never text: an image, audio, an archive. Then the body is not read. */
bool sf_page_is_media(const char *type);

/*
 * Appends the text as valid UTF-8. A line in `note` says what was lost, if anything. False if it is
 * not text.
 */
bool sf_page_text(const struct sf_web_page *page, struct sf_strbuf *out, struct sf_strbuf *note,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
