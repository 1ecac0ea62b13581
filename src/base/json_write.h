/*
 * json_write: JSON straight into a strbuf, the same bytes for the same calls, no tree between.
 * `sf_jw_` is short for sf_json_writer: these calls come in long rows. The writer owns nothing,
 * needs no release and may only be misused by a bug of ours (a value without its key, an end too
 * many), which asserts. Nesting through begin/end is bounded by SF_JW_DEPTH.
 *
 * Output has no blanks. Text that is not UTF-8 becomes U+FFFD, and so does a NUL, which no reader
 * of ours takes. All that could move a cursor or split a line (C0, DEL, C1, U+2028, U+2029) and
 * all that is there and not seen (see sf_text_is_hidden) is escaped, so the output may go to a
 * terminal and is always one line.
 */
#ifndef SF_BASE_JSON_WRITE_H
#define SF_BASE_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/strbuf.h"

enum { SF_JW_DEPTH = 64 };

struct sf_json_writer {
    struct sf_strbuf *sb;
    size_t depth;
    unsigned char levels[SF_JW_DEPTH + 1]; /* what each open level waits for */
};

/* Appends to what `sb` holds already. One writer writes one value. */
void sf_jw_init(struct sf_json_writer *w, struct sf_strbuf *sb);
bool sf_jw_done(const struct sf_json_writer *w); /* that value is complete */

void sf_jw_object_begin(struct sf_json_writer *w);
void sf_jw_object_end(struct sf_json_writer *w);
void sf_jw_array_begin(struct sf_json_writer *w);
void sf_jw_array_end(struct sf_json_writer *w);
void sf_jw_key(struct sf_json_writer *w, const char *key); /* the caller keeps keys unique */

void sf_jw_str(struct sf_json_writer *w, const char *text); /* NULL writes null */
void sf_jw_strn(struct sf_json_writer *w, const char *text, size_t len);
void sf_jw_int(struct sf_json_writer *w, int64_t value);
void sf_jw_double(struct sf_json_writer *w, double value); /* shortest that reads back equal */
void sf_jw_bool(struct sf_json_writer *w, bool value);
void sf_jw_null(struct sf_json_writer *w);
void sf_jw_raw(struct sf_json_writer *w, const char *json, size_t len); /* one valid value */

/* A whole tree. Its own nesting does not count against SF_JW_DEPTH. */
void sf_jw_json(struct sf_json_writer *w, const struct sf_json *json);

void sf_jw_key_str(struct sf_json_writer *w, const char *key, const char *text);
void sf_jw_key_int(struct sf_json_writer *w, const char *key, int64_t value);
void sf_jw_key_bool(struct sf_json_writer *w, const char *key, bool value);

#endif
