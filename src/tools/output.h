/*
 * output: text too long for a model's context. The head and the tail stay, the middle is counted
 * and left out, and the whole lies in a file of the spill directory that Read takes by range.
 *
 * What comes is cleaned as base/plain.h says, so colours, progress bars and escapes are gone in
 * what is shown and in the file alike. The file is made once there is more than is shown, has
 * mode 0600 and a name that cannot be guessed; what comes beyond SF_OUTPUT_KEPT is only counted. A
 * file that cannot be written is told of in the text, and costs nothing else.
 */
#ifndef SF_TOOLS_OUTPUT_H
#define SF_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_OUTPUT_SHOWN = 30000,           /* bytes a model sees of one result */
    SF_OUTPUT_KEPT = 64 * 1024 * 1024, /* bytes kept in a spill file */
};

/* Fed in pieces of any size; memory stays near twice `shown` and a line. */
struct sf_output;

struct sf_output *sf_output_new(const char *spill_dir, size_t shown);
void sf_output_add(struct sf_output *output, const char *data, size_t len);
void sf_output_end(struct sf_output *output); /* no more comes: the last line is as it is */

/* What the model sees so far, made safe: whole, or head, a line that tells the rest, and tail. */
void sf_output_text(const struct sf_output *output, struct sf_strbuf *out);

/*
 * What came since the last call of this function, the same way; for background jobs. A line
 * that was shown unfinished is continued, or shown again when it was overwritten.
 */
void sf_output_news(struct sf_output *output, struct sf_strbuf *out);

uint64_t sf_output_lines(const struct sf_output *output); /* of the text so far */
void sf_output_free(struct sf_output *output);            /* the file stays */

#endif
