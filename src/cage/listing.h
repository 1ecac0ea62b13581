/*
 * listing: the entries of directories, remembered from one command to the next; internal to the
 * room but for its life. A directory is read again when its change time is not what it was; that
 * time cannot be set by anybody. One that changed a moment ago may change again within the same
 * tick of the clock, so it is read again the next time too. Not to be shared between threads.
 */
#ifndef SF_CAGE_LISTING_H
#define SF_CAGE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_LISTING_ENTRIES = 20000, /* of one directory; the rest is cut off */
    SF_LISTING_KEPT = 1024,     /* a larger one is not remembered */
    SF_LISTING_DIRS = 256,      /* remembered; the oldest goes first */
};

struct sf_listing_entry {
    const char *name;
    unsigned char type; /* as readdir() gives it: DT_DIR and so on */
};

struct sf_listing {
    const struct sf_listing_entry *entries; /* without . and .. */
    size_t count;
    bool cut;
    uint64_t version; /* the same as before: nothing in the directory was replaced; 0: who knows */
};

struct sf_listings;

struct sf_listings *sf_listings_new(void);
void sf_listings_free(struct sf_listings *all); /* NULL is welcome */

/* NULL: it cannot be read. Every other answer is given back, and may be gone afterwards. */
struct sf_listing *sf_listings_read(struct sf_listings *all, const char *path);

/*
 * Whether something in the directory may be called like the first part of `below`, a path relative
 * to it: in any case of letters, as directories can be made to ignore it.
 */
bool sf_listing_may_have(struct sf_listing *listing, const char *below);
void sf_listing_done(struct sf_listing *listing); /* NULL is welcome */

#endif
