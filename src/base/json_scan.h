/*
 * json_scan: the strict gate in front of the JSON library, which is lax and lossy by itself.
 * Private to base: json.c calls it before it builds anything.
 */
#ifndef SF_BASE_JSON_SCAN_H
#define SF_BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"

enum { SF_JSON_DIGITS_SAFE = 15 }; /* a decimal this long survives a double unchanged */

/* A number that a double may round or overflow: the `ordinal`-th number of the document. */
struct sf_json_note {
    size_t ordinal, at, len;
};

/* Life: SF_JSON_NOTES_INIT, sf_json_scan, free(items). In document order. */
struct sf_json_notes {
    struct sf_json_note *items;
    size_t count, cap;
};

#define SF_JSON_NOTES_INIT \
    {                      \
        NULL, 0, 0         \
    }

/* All fields of `limits` are set. Only when this is true may the text go to the library. */
bool sf_json_scan(const char *text, size_t len, const struct sf_json_limits *limits,
                  struct sf_json_notes *notes, struct sf_error *err) SF_MUST_CHECK;

/* Line and column of a byte, from 1, in characters. Counted only when something is wrong. */
void sf_json_locate(const char *text, size_t at, size_t *line, size_t *column);

/* Fills `err` with "bad JSON at line …, column …: why" for the byte at `at`. */
bool sf_json_fail_at(const char *text, size_t at, const char *why, struct sf_error *err);

#endif
