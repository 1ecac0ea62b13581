/*
 * url: addresses of the web (http and https), read so strictly that no other reader can
 * understand them differently: ASCII alone, no blanks, no backslashes, no names or passwords, a
 * host that is a plain name or an address in its usual spelling. Whoever judges an address and
 * whoever asks it both read it here.
 */
#ifndef SF_BASE_URL_H
#define SF_BASE_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/macros.h"
#include "base/strbuf.h"

enum {
    SF_URL_MAX = 4096, /* bytes of an address */
    SF_URL_HOST = 256, /* of its host, with the NUL */
};

struct sf_url {
    bool secure;            /* https */
    char host[SF_URL_HOST]; /* lower case; IPv6 in brackets, in its shortest form */
    bool literal;           /* the host is an IP address, not a name */
    int port;               /* also when it is not written */
    const char *path;       /* borrowed from the text: path and query, may be "" or "?a=b" */
    size_t path_len;        /* without the fragment */
};

/* False with words when it is no address, or one that could be misread. */
bool sf_url_read(struct sf_url *url, const char *text, struct sf_error *err) SF_MUST_CHECK;

/* Appends the address in its one spelling, without a fragment. */
void sf_url_write(const struct sf_url *url, struct sf_strbuf *out);

/*
 * Appends what `reference` means on the page `base` came from: an address of its own, //HOST,
 * /PATH, ?QUERY, or a path beside the page's. Dots are taken out of the path. False when that
 * is no address of the web ("mailto:a", "javascript:"), or would be longer than SF_URL_MAX.
 */
bool sf_url_join(const struct sf_url *base, const char *reference, size_t len,
                 struct sf_strbuf *out);

/* Same scheme, host and port: what was said about one holds for the other. */
bool sf_url_same_place(const struct sf_url *a, const struct sf_url *b);

#endif
