/*
 * textfile: what the bytes of a file are. Says whether they are text, in which encoding and
 * with which line endings, and gives the text to search in: without its byte order mark, and
 * UTF-16 as UTF-8. What is not UTF-8 is never re-encoded; such a file is edited as bytes.
 *
 * Life: sf_textfile_read (never fails: it reports), use, sf_textfile_release. The bytes stay
 * the caller's and must outlive the struct.
 */
#ifndef SF_EDIT_TEXTFILE_H
#define SF_EDIT_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { SF_TEXTFILE_MAX = 16 * 1024 * 1024 }; /* bytes of a file that can be edited */

enum sf_encoding {
    SF_ENCODING_UTF8,
    SF_ENCODING_UTF8_BOM,
    SF_ENCODING_UTF16LE, /* with a byte order mark; without one it counts as binary */
    SF_ENCODING_UTF16BE,
    SF_ENCODING_BYTES,  /* text in some other encoding, Latin-1 for one */
    SF_ENCODING_BINARY, /* a NUL, too many control characters, an image */
};

enum sf_endings {
    SF_ENDINGS_NONE, /* one line without an ending, or nothing at all */
    SF_ENDINGS_LF,
    SF_ENDINGS_CRLF,
    SF_ENDINGS_CR,
    SF_ENDINGS_MIXED,
};

struct sf_textfile {
    enum sf_encoding encoding;
    const char *media;   /* "image/png" and the like; NULL: no image */
    const char *trouble; /* why it cannot be edited; NULL: it can */
    enum sf_errc code;   /* of that trouble */
    const char *text;    /* empty when there is trouble */
    size_t len;
    size_t lf, crlf, cr; /* line endings of each kind */
    enum sf_endings endings;
    bool final_newline; /* the last line is closed; false for an empty text */
    struct sf_strbuf decoded;
};

void sf_textfile_read(struct sf_textfile *file, const char *bytes, size_t len);
void sf_textfile_release(struct sf_textfile *file);

const char *sf_encoding_name(enum sf_encoding encoding); /* such as "UTF-16LE" */
const char *sf_endings_name(enum sf_endings endings);    /* such as "CRLF" or "mixed" */

/* Fails with the trouble when there is any: SF_E_LIMIT for size, SF_E_SYNTAX for the rest. */
bool sf_textfile_check(const struct sf_textfile *file, struct sf_error *err) SF_MUST_CHECK;

/* Whether `text` may become part of this file: no NUL, and UTF-8 where the file is Unicode. */
bool sf_textfile_accepts(const struct sf_textfile *file, const char *text, size_t len,
                         struct sf_error *err) SF_MUST_CHECK;

/* Appends the bytes of a file with this text, encoded and marked as the file was. */
bool sf_textfile_write(const struct sf_textfile *file, const char *text, size_t len,
                       struct sf_strbuf *out, struct sf_error *err) SF_MUST_CHECK;

#endif
