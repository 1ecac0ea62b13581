/*
 * utf8: strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
 * What is not UTF-8 is reported as SF_UTF8_INVALID, which is no code point, so that damage is
 * never mistaken for a U+FFFD that really stands in the text.
 */
#ifndef SF_BASE_UTF8_H
#define SF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define SF_UTF8_INVALID     UINT32_MAX
#define SF_UTF8_REPLACEMENT 0xfffdu
#define SF_UTF8_LAST        0x10ffffu

/*
 * Reads one code point and returns the bytes it took, 1 to 4; 0 only when `len` is 0. For
 * damage `*cp` is SF_UTF8_INVALID and the bytes are one maximal subpart as Unicode (chapter 3,
 * "U+FFFD Substitution of Maximal Subparts") counts them: one replacement character each. A
 * sequence cut off by the end of the text counts as damage too.
 */
size_t sf_utf8_decode(const char *s, size_t len, uint32_t *cp);

/* Writes 1 to 4 bytes and returns how many; what is no scalar value is written as U+FFFD. */
size_t sf_utf8_encode(uint32_t cp, char out[4]);

/* `bad_at` may be NULL; otherwise it receives the offset of the first damage, or `len`. */
bool sf_utf8_valid(const char *s, size_t len, size_t *bad_at);

/* Where the text may be cut within its first `len` bytes without splitting a character. It goes on
 * behind them, or has its NUL there. */
size_t sf_utf8_cut(const char *s, size_t len);

void sf_utf8_add(struct sf_strbuf *sb, uint32_t cp); /* as sf_utf8_encode */

/* Appends the text with every damaged part replaced by U+FFFD: always valid UTF-8. */
void sf_utf8_scrub(struct sf_strbuf *out, const char *s, size_t len);

#endif
