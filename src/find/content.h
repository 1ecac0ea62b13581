/*
 * content: one file's text in memory, ready to be searched. Files are read, not mapped: a file
 * that shrinks meanwhile must not take the program with it. The memory is used again for the next
 * file. Life: SF_CONTENT_INIT, sf_content_load …, sf_content_release.
 *
 * A NUL byte near the beginning makes a file binary, as in ripgrep. One further on leaves the
 * lines before it text: `text_len` ends there, `len` at the end. UTF-16 with its mark is turned
 * into UTF-8; the mark of UTF-8 is left out.
 */
#ifndef SF_FIND_CONTENT_H
#define SF_FIND_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { SF_CONTENT_SNIFF = 64 * 1024 }; /* how far "near the beginning" goes */

enum sf_content_kind {
    SF_CONTENT_TEXT,
    SF_CONTENT_BINARY,
    SF_CONTENT_LARGE,      /* more than the caller wants to read */
    SF_CONTENT_UNREADABLE, /* or gone, or no regular file any more */
};

struct sf_content {
    const char *text; /* good until the next load */
    size_t len, text_len;
    struct sf_strbuf raw, converted;
};

/* clang-format off */
#define SF_CONTENT_INIT { NULL, 0, 0, SF_STRBUF_INIT, SF_STRBUF_INIT }
/* clang-format on */

enum sf_content_kind sf_content_load(struct sf_content *content, int dir, const char *name,
                                     size_t max);
void sf_content_release(struct sf_content *content);

#endif
