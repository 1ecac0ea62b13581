/*
 * charset: text of the web as UTF-8. Pages are UTF-8 or say latin-1, which means windows-1252;
 * of any other charset ASCII remains, and the rest is replaced.
 */
#ifndef SF_TOOLS_CHARSET_H
#define SF_TOOLS_CHARSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { SF_CHARSET_NAME = 32 };

/*
 * What a content type ("text/html; charset=x") says, or else the beginning of the page itself
 * ("<meta charset=x>"). In lower case; "" when it is not said, or no name.
 */
void sf_charset_find(const char *content_type, const char *page, size_t len,
                     char name[SF_CHARSET_NAME]);

/* A byte of windows-1252; U+FFFD where it has none. */
uint32_t sf_charset_latin(unsigned char byte);

/* Appends the text as valid UTF-8. False when the charset is unknown and more than ASCII came. */
bool sf_charset_decode(const char *name, const char *bytes, size_t len, struct sf_strbuf *out);

#endif
