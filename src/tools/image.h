/*
 * image: pictures for a model: which formats and sizes services take, and a file as they get it.
 */
#ifndef SF_TOOLS_IMAGE_H
#define SF_TOOLS_IMAGE_H

#include <stdbool.h>

#include "base/base.h"

/* Describes the size for people, and says whether services take it: "3 KiB, 64 by 64 pixels". */
bool sf_image_measure(const struct sf_strbuf *bytes, struct sf_strbuf *size);

/* What services take, in words, for an image that is too large. */
extern const char sf_image_limits[];

/* Reads a PNG, JPEG, GIF or WebP file, told by its first bytes; the caller frees both texts. */
bool sf_image_read(const char *file, char **media, char **data, struct sf_error *err) SF_MUST_CHECK;

#endif
