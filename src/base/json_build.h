/*
 * json_build: making trees by hand, for the other readers of this room (frontmatter.c). Private
 * to base. A new node belongs to the caller until it is put into an array or object; the
 * container owns it from then on.
 */
#ifndef SF_BASE_JSON_BUILD_H
#define SF_BASE_JSON_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct sf_json *sf_json_new_null(void);
struct sf_json *sf_json_new_bool(bool value);
struct sf_json *sf_json_new_str(const char *text, size_t len); /* valid UTF-8 without NUL */
struct sf_json *sf_json_new_array(void);
struct sf_json *sf_json_new_object(void);

/* Both take constant time; the caller has made sure that the key is new. */
void sf_json_append(struct sf_json *array, struct sf_json *item);
void sf_json_put(struct sf_json *object, const char *key, struct sf_json *item);

#endif
