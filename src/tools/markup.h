/*
 * markup: parses one HTML tag as browsers do: names in any case, attributes with and without
 * quotes, comments and declarations skipped. A construct that is not closed extends to the end of
 * the page, so every byte is read once.
 */
#ifndef SF_TOOLS_MARKUP_H
#define SF_TOOLS_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

enum { SF_MARKUP_NAME = 16 }; /* bytes of a name, including NUL; longer ones count as unknown */

/* Strings are borrowed from the page, with entities not decoded; NULL: missing. */
struct sf_markup {
    char name[SF_MARKUP_NAME]; /* lower case; "": a comment, or a name too long */
    bool closing;
    const char *href, *alt;
    size_t href_len, alt_len;
};

/* Parses a tag at a "<". Returns its length in bytes; 0: only a less-than sign. */
size_t sf_markup_read(const char *html, size_t len, struct sf_markup *tag);

/*
 * After the start tag of an element whose content is not markup (a script, a title): the number of
 * bytes up to its end tag. That tag itself is parsed next, like any other.
 */
size_t sf_markup_raw(const char *html, size_t len, const char *name);

#endif
