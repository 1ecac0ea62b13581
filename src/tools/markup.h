/*
 * markup: one tag of HTML, read as browsers read it: names in any case, attributes with and
 * without quotes, comments and declarations passed over. What is left open at the end of the
 * page takes the rest of it, so every byte is looked at once.
 */
#ifndef SF_TOOLS_MARKUP_H
#define SF_TOOLS_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

enum { SF_MARKUP_NAME = 16 }; /* bytes of a name, with the NUL; longer ones count as unknown */

/* Texts are borrowed from the page, entities and all; NULL when they are not there. */
struct sf_markup {
    char name[SF_MARKUP_NAME]; /* lower case; "": a comment, or a name too long */
    bool closing;
    const char *href, *alt;
    size_t href_len, alt_len;
};

/* At a "<". Returns how many bytes the tag takes; 0: it is just a less-than sign. */
size_t sf_markup_read(const char *html, size_t len, struct sf_markup *tag);

/*
 * Behind the start tag of an element whose content is no markup (a script, a title): how many
 * bytes up to its end tag. That tag itself is read next, as any other.
 */
size_t sf_markup_raw(const char *html, size_t len, const char *name);

#endif
