/*
 * kind: describes files that cannot be shown as text.
 */
#ifndef SF_TOOLS_KIND_H
#define SF_TOOLS_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* "a ZIP archive", "a program"; "binary data" if the format is unknown. */
const char *sf_kind_name(const char *bytes, size_t len);

/* Appends the size for people: "812 bytes", "3.4 MiB". */
void sf_kind_size(struct sf_strbuf *out, uint64_t bytes);

/* The width and height of a PNG, GIF, JPEG or WebP image in pixels; false: unknown. */
bool sf_kind_extent(const char *bytes, size_t len, uint32_t *across, uint32_t *down);

/* Appends the bytes in base64. */
void sf_kind_base64(struct sf_strbuf *out, const char *bytes, size_t len);

#endif
