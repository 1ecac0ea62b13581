/*
 * page: what came from the web, as text: HTML made readable, other text as it is, and anything
 * else refused with what it is. Pure work on bytes, made for a worker.
 */
#ifndef SF_TOOLS_PAGE_H
#define SF_TOOLS_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_web_page {
    const char *type; /* the content type as it came; may be "" */
    const struct sf_url *url;
    const char *body;
    size_t len;
};

/* A type that is never text: a picture, a sound, an archive. Then nothing need be read. */
bool sf_page_is_media(const char *type);

/*
 * Appends the text as valid UTF-8. A line in `note` tells what was lost, if anything was. False
 * when it is no text.
 */
bool sf_page_text(const struct sf_web_page *page, struct sf_strbuf *out, struct sf_strbuf *note,
                  struct sf_error *err) SF_MUST_CHECK;

#endif
