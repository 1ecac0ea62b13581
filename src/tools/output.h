/*
 * output: text that may be too long for a model's context. Head and tail are shown, the middle is
 * counted and left out, and the whole text is in a spill file that Read can show by range.
 *
 * The text is cleaned by base/plain.h, so colours, progress bars and escapes are removed from what
 * is shown and from the file. The file is made once the text exceeds what is shown; it has mode
 * 0600 and a name that cannot be guessed. Text beyond SF_OUTPUT_KEPT is only counted. If the file
 * cannot be written, the text says so, and nothing else changes.
 */
#ifndef SF_TOOLS_OUTPUT_H
#define SF_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_OUTPUT_SHOWN = 30000,           /* bytes of one result that a model sees */
    SF_OUTPUT_KEPT = 64 * 1024 * 1024, /* bytes kept in a spill file */
};

/* Accepts pieces of any size; needs about twice `shown` of memory, plus one line. */
struct sf_output;

struct sf_output *sf_output_new(const char *spill_dir, size_t shown);
void sf_output_add(struct sf_output *output, const char *data, size_t len);
void sf_output_end(struct sf_output *output); /* no more text: ends the last line */

/* The sanitised text for the model so far: whole, or head, a line about the omission, and tail. */
void sf_output_text(const struct sf_output *output, struct sf_strbuf *out);

/*
 * The same for the text since the last call of this function; for background jobs. A line that was
 * shown unfinished is continued, or shown again if it was overwritten.
 */
void sf_output_news(struct sf_output *output, struct sf_strbuf *out);

uint64_t sf_output_lines(const struct sf_output *output); /* number of lines so far */
void sf_output_free(struct sf_output *output);            /* keeps the spill file */

#endif
