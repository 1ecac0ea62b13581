/*
 * json_schema: holds a value against a JSON Schema (draft 2020-12), as far as people use it to say
 * what a model should answer:
 *
 *     type enum const · properties required additionalProperties minProperties maxProperties
 *     items prefixItems minItems maxItems uniqueItems · minimum maximum exclusiveMinimum
 *     exclusiveMaximum multipleOf · minLength maxLength · anyOf oneOf allOf not
 *     $ref to "#", "#/$defs/NAME" and "#/definitions/NAME"
 *
 * Notes for people ($schema, $id, $comment, title, description, default, examples, deprecated,
 * format) constrain nothing. Any other keyword is an error that names it: what is not checked must
 * not seem to be.
 */
#ifndef SF_BASE_JSON_SCHEMA_H
#define SF_BASE_JSON_SCHEMA_H

#include <stdbool.h>

#include "base/error.h"
#include "base/json.h"
#include "base/macros.h"

enum {
    SF_JSON_SCHEMA_DEPTH = 64,           /* of schemas inside schemas, references included */
    SF_JSON_SCHEMA_STEPS = 1000 * 1000L, /* comparisons of a schema with a value */
};

/*
 * Whether all of the schema can be checked; `err` names the place and the keyword. References that
 * lead back to where they began, and too many ways through them for one value, cannot be.
 */
bool sf_json_schema_check(const struct sf_json *schema, struct sf_error *err) SF_MUST_CHECK;

/*
 * Whether services take it where they hold an answer to a schema: every object names all of its
 * members, requires them and allows no others, and only keywords are used that all services know.
 */
bool sf_json_schema_is_closed(const struct sf_json *schema);

/*
 * Whether the value fits a schema that was checked; `err` names the place and the reason, or says
 * with SF_E_LIMIT that it takes too long to know.
 */
bool sf_json_schema_fits(const struct sf_json *schema, const struct sf_json *value,
                         struct sf_error *err) SF_MUST_CHECK;

#endif
