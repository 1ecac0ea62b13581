/*
 * charset: converts web pages to UTF-8. Pages are UTF-8, or latin-1, which means windows-1252; of
 * any other charset only ASCII is kept, and the rest is replaced.
 */
#ifndef SF_TOOLS_CHARSET_H
#define SF_TOOLS_CHARSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { SF_CHARSET_NAME = 32 };

/*
 * Finds the charset in a content type ("text/html; charset=x"), or else at the beginning of the
 * page itself ("<meta charset=x>"). In lower case; "" if there is none or it is no valid name.
 */
void sf_charset_find(const char *content_type, const char *page, size_t len,
                     char name[SF_CHARSET_NAME]);

/* The code point of a byte of windows-1252; U+FFFD if it is not assigned. */
uint32_t sf_charset_latin(unsigned char byte);

/* Appends the text as valid UTF-8. False if the charset is unknown and the text is not ASCII. */
bool sf_charset_decode(const char *name, const char *bytes, size_t len, struct sf_strbuf *out);

#endif
