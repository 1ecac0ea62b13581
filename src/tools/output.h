/*
 * output: text too long for a model's context. The head and the tail stay, the middle is counted
 * and left out, and the whole lies in a file of the spill directory that Read takes by range.
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

/* Fed in pieces of any size; memory stays bounded, the whole goes to a file when it must. */
struct sf_output;

struct sf_output *sf_output_new(const char *spill_dir, size_t shown);
void sf_output_add(struct sf_output *output, const char *data, size_t len);

/* What the model sees so far, made safe: whole, or head, a line that tells the rest, and tail. */
void sf_output_text(const struct sf_output *output, struct sf_strbuf *out);

/* What came since the last call of this function, the same way; for background jobs. */
void sf_output_news(struct sf_output *output, struct sf_strbuf *out);

uint64_t sf_output_total(const struct sf_output *output);   /* bytes */
const char *sf_output_file(const struct sf_output *output); /* NULL: nothing spilled */
void sf_output_free(struct sf_output *output);              /* the file stays */

#endif
