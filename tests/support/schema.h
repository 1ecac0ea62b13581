/*
 * schema: holds JSON against a JSON Schema, as far as sf's own schemas go: type, properties,
 * required, additionalProperties, enum, const, oneOf, anyOf, items, and $ref into $defs. A keyword
 * that is not known here fails the check, so that none is passed over in silence.
 */
#ifndef SF_TESTS_SUPPORT_SCHEMA_H
#define SF_TESTS_SUPPORT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* False: `why` says where and what is wrong. */
bool schema_check(const struct sf_json *schema, const struct sf_json *value, struct sf_strbuf *why);

/* One line of stream-json against the schema that sf writes of it. */
bool schema_check_event(const char *line, size_t len, struct sf_strbuf *why);

/* All complete lines of such output; a line that does not fit fails the test. */
void schema_check_stream(const char *out, size_t len, const char *name);

/* The schema of events, parsed once and kept. */
const struct sf_json *schema_of_events(void);

#endif
