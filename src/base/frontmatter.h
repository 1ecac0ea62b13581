/*
 * frontmatter: the YAML head of a Markdown file, between two lines of `---`, as a JSON tree.
 * People write it, strangers too, so it is a small and unsurprising YAML: mappings, lists and
 * scalars by the rules of YAML 1.2 (`yes` and `on` are text, quoted is always text). Anchors,
 * aliases, tags, merge keys, several documents, duplicate keys, keys that are not text and odd
 * line breaks are refused. Errors name line and column of the file.
 */
#ifndef SF_BASE_FRONTMATTER_H
#define SF_BASE_FRONTMATTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/json.h"
#include "base/macros.h"

enum {
    SF_FRONTMATTER_BYTES = 64 * 1024,
    SF_FRONTMATTER_DEPTH = 16,
    SF_FRONTMATTER_NODES = 4096,
};

/*
 * `*out` is an object, the caller's to free; empty when the text has no frontmatter. `*body_at`
 * is where the rest begins: behind the closing line, or behind a byte order mark, or 0.
 * On failure neither changes.
 */
bool sf_frontmatter_parse(const char *text, size_t len, struct sf_json **out, size_t *body_at,
                          struct sf_error *err) SF_MUST_CHECK;

#endif
