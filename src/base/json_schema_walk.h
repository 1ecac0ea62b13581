/*
 * json_schema_walk: what the files about schemas share: the place in a schema or a value that is
 * being looked at, the forms of keywords, and values read leniently.
 */
#ifndef SF_BASE_JSON_SCHEMA_WALK_H
#define SF_BASE_JSON_SCHEMA_WALK_H

#include "base/json_schema.h"
#include "base/strbuf.h"

struct sf_schema_walk {
    const struct sf_json *root;
    struct sf_strbuf path; /* of the place: "/items/0" */
    struct sf_error *err;
    size_t depth;
    long steps;
    bool cut; /* it took too long, so that nothing is known */
};

/* What a keyword may hold. */
enum sf_schema_form {
    SF_SCHEMA_UNKNOWN,  /* there is no such keyword */
    SF_SCHEMA_NOTE,     /* anything: it constrains nothing */
    SF_SCHEMA_TYPE,     /* a name of a type, or a list of them */
    SF_SCHEMA_ANY,      /* any value */
    SF_SCHEMA_LIST,     /* a list with at least one value */
    SF_SCHEMA_NAMES,    /* a list of strings */
    SF_SCHEMA_COUNT,    /* a whole number from 0 */
    SF_SCHEMA_NUMBER,   /* a number */
    SF_SCHEMA_POSITIVE, /* a number above 0 */
    SF_SCHEMA_BOOL,     /* true or false */
    SF_SCHEMA_SCHEMA,   /* a schema */
    SF_SCHEMA_SCHEMAS,  /* a list of schemas, at least one */
    SF_SCHEMA_MAP,      /* an object whose members are schemas */
    SF_SCHEMA_REF,      /* a reference into this schema */
};

enum sf_schema_form sf_schema_form_of(const char *keyword);

/* Sets the error, with the place in front; false. */
bool sf_schema_wrong(struct sf_schema_walk *f, const char *format, ...) SF_PRINTF(2, 3);

/* Goes to a member, or for NULL to an index; what it returns leads back. */
size_t sf_schema_enter(struct sf_schema_walk *f, const char *name, size_t index);
void sf_schema_leave(struct sf_schema_walk *f, size_t len);

/* Of another type: 0, "" or false. */
double sf_schema_number(const struct sf_json *json);
const char *sf_schema_text(const struct sf_json *json);
bool sf_schema_bool(const struct sf_json *json);

bool sf_schema_is_whole(const struct sf_json *json);
bool sf_schema_is_type(const char *name);

/* Whether two values say the same; members may come in any order. */
bool sf_schema_is_same(struct sf_schema_walk *f, const struct sf_json *a, const struct sf_json *b);

/* Whether no item of the list is there twice. */
bool sf_schema_is_unique(struct sf_schema_walk *f, const struct sf_json *list);

/* The schema that "#", "#/$defs/NAME" or "#/definitions/NAME" refers to; NULL: none. */
const struct sf_json *sf_schema_find(const struct sf_json *root, const char *ref);

#endif
