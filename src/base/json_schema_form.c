/*
 * json_schema_form.c: looks at a schema alone, before any value is held against it: whether each
 * keyword is known and holds what it may, and whether services take the schema for answers.
 */
#include <string.h>

#include "base/json_schema_walk.h"

/* ---- the schema itself ---- */

static bool check(struct sf_schema_walk *f, const struct sf_json *schema);

static bool check_each(struct sf_schema_walk *f, const struct sf_json *list, enum sf_json_type type)
{
    size_t at = 0;

    if (sf_json_type(list) != type || (type == SF_JSON_ARRAY && !sf_json_first(list)))
        return sf_schema_wrong(f, "must be %s",
                               type == SF_JSON_ARRAY ? "a list of schemas" : "an object");
    for (const struct sf_json *it = sf_json_first(list); it; it = sf_json_next(it)) {
        size_t len = sf_schema_enter(f, sf_json_key(it), at++);
        bool ok = check(f, it);

        sf_schema_leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool check_names(struct sf_schema_walk *f, const struct sf_json *list, bool are_types)
{
    const char *what = are_types ? "a name of a type" : "a string";

    if (sf_json_type(list) != SF_JSON_ARRAY)
        return sf_schema_wrong(f, "must be a list");
    for (const struct sf_json *it = sf_json_first(list); it; it = sf_json_next(it))
        if (sf_json_type(it) != SF_JSON_STRING ||
            (are_types && !sf_schema_is_type(sf_schema_text(it))))
            return sf_schema_wrong(f, "must hold nothing but %s", what);
    return true;
}

static bool check_form(struct sf_schema_walk *f, const struct sf_json *keyword,
                       enum sf_schema_form form)
{
    switch (form) {
    case SF_SCHEMA_NOTE:
    case SF_SCHEMA_ANY:
        return true;
    case SF_SCHEMA_TYPE:
        if (sf_json_type(keyword) != SF_JSON_STRING)
            return check_names(f, keyword, true);
        return sf_schema_is_type(sf_schema_text(keyword)) ||
               sf_schema_wrong(f, "is no type: %s", sf_schema_text(keyword));
    case SF_SCHEMA_LIST:
        return (sf_json_type(keyword) == SF_JSON_ARRAY && sf_json_first(keyword)) ||
               sf_schema_wrong(f, "must be a list of values");
    case SF_SCHEMA_NAMES:
        return check_names(f, keyword, false);
    case SF_SCHEMA_COUNT:
        return (sf_schema_is_whole(keyword) && sf_schema_number(keyword) >= 0) ||
               sf_schema_wrong(f, "must be a whole number from 0");
    case SF_SCHEMA_POSITIVE:
        return sf_schema_number(keyword) > 0 || sf_schema_wrong(f, "must be a number above 0");
    case SF_SCHEMA_NUMBER:
        return sf_json_type(keyword) == SF_JSON_NUMBER || sf_schema_wrong(f, "must be a number");
    case SF_SCHEMA_BOOL:
        return sf_json_type(keyword) == SF_JSON_BOOL || sf_schema_wrong(f, "must be true or false");
    case SF_SCHEMA_SCHEMA:
        return check(f, keyword);
    case SF_SCHEMA_SCHEMAS:
        return check_each(f, keyword, SF_JSON_ARRAY);
    case SF_SCHEMA_MAP:
        return check_each(f, keyword, SF_JSON_OBJECT);
    case SF_SCHEMA_UNKNOWN:
        return false;
    case SF_SCHEMA_REF:
        return (sf_json_type(keyword) == SF_JSON_STRING &&
                sf_schema_find(f->root, sf_schema_text(keyword))) ||
               sf_schema_wrong(f, "refers to no part of this schema: %s", sf_schema_text(keyword));
    }
    return false;
}

/* ---- what one value is held against ---- */

static bool ends(struct sf_schema_walk *f, const struct sf_json *schema);

static bool all_end(struct sf_schema_walk *f, const struct sf_json *schemas)
{
    bool ok = true;

    for (const struct sf_json *it = sf_json_first(schemas); it && ok; it = sf_json_next(it))
        ok = ends(f, it);
    return ok;
}

/* Keywords that hold the same value against further schemas, where a circle has no end. */
static bool keyword_ends(struct sf_schema_walk *f, const struct sf_json *keyword)
{
    const char *name = sf_json_key(keyword);
    const struct sf_json *target;

    if (!strcmp(name, "allOf") || !strcmp(name, "anyOf") || !strcmp(name, "oneOf"))
        return all_end(f, keyword);
    if (!strcmp(name, "not"))
        return ends(f, keyword);
    if (strcmp(name, "$ref") != 0)
        return true;
    target = sf_schema_find(f->root, sf_schema_text(keyword));
    return !target || ends(f, target);
}

/* As many steps as a value would take that is nothing but a number. */
static bool ends(struct sf_schema_walk *f, const struct sf_json *schema)
{
    bool ok = --f->steps >= 0 && f->depth < SF_JSON_SCHEMA_DEPTH;

    if (!ok || sf_json_type(schema) != SF_JSON_OBJECT)
        return ok;
    f->depth++;
    for (const struct sf_json *it = sf_json_first(schema); it && ok; it = sf_json_next(it))
        ok = keyword_ends(f, it);
    f->depth--;
    return ok;
}

/* ---- a schema ---- */

static bool check(struct sf_schema_walk *f, const struct sf_json *schema)
{
    if (sf_json_type(schema) == SF_JSON_BOOL)
        return true;
    if (sf_json_type(schema) != SF_JSON_OBJECT)
        return sf_schema_wrong(f, "must be a schema: an object, true or false");
    for (const struct sf_json *it = sf_json_first(schema); it; it = sf_json_next(it)) {
        const char *name = sf_json_key(it);
        enum sf_schema_form form = sf_schema_form_of(name);
        size_t len;
        bool ok;

        if (form == SF_SCHEMA_UNKNOWN)
            return sf_schema_wrong(f, "the keyword %s is not supported", name);
        len = sf_schema_enter(f, name, 0);
        ok = check_form(f, it, form);
        sf_schema_leave(f, len);
        if (!ok)
            return false;
    }
    return ends(f, schema) || sf_schema_wrong(f, "no value could ever be checked: references go "
                                                 "round in a circle or multiply");
}

bool sf_json_schema_check(const struct sf_json *schema, struct sf_error *err)
{
    struct sf_schema_walk f = {
        .root = schema, .path = SF_STRBUF_INIT, .err = err, .steps = SF_JSON_SCHEMA_STEPS
    };
    bool ok = check(&f, schema);

    sf_strbuf_release(&f.path);
    return ok;
}

/* ---- for services ---- */

static bool is_common(const char *name)
{
    static const char *const names[] = { "$ref",        "type",  "enum",  "const",
                                         "required",    "items", "anyOf", "properties",
                                         "description", "title", "$defs", "additionalProperties" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* All members are required, and there are no others. */
static bool is_closed_object(const struct sf_json *schema)
{
    const struct sf_json *more = sf_json_get(schema, "additionalProperties"),
                         *members = sf_json_get(schema, "properties"),
                         *required = sf_json_get(schema, "required");

    return more && sf_json_type(more) == SF_JSON_BOOL && !sf_schema_bool(more) && members &&
           required && sf_json_count(members) == sf_json_count(required);
}

static bool is_object(const struct sf_json *schema)
{
    const struct sf_json *type = sf_json_get(schema, "type");

    return sf_json_get(schema, "properties") || (type && sf_json_type(type) == SF_JSON_STRING &&
                                                 !strcmp(sf_schema_text(type), "object"));
}

static bool is_closed(const struct sf_json *schema)
{
    bool ok =
        sf_json_type(schema) == SF_JSON_OBJECT && (!is_object(schema) || is_closed_object(schema));

    for (const struct sf_json *it = sf_json_first(schema); it && ok; it = sf_json_next(it)) {
        const char *name = sf_json_key(it);
        enum sf_schema_form form = sf_schema_form_of(name);

        ok = is_common(name);
        if (ok && form == SF_SCHEMA_SCHEMA && strcmp(name, "additionalProperties") != 0)
            ok = is_closed(it);
        if (ok && (form == SF_SCHEMA_SCHEMAS || form == SF_SCHEMA_MAP))
            for (const struct sf_json *part = sf_json_first(it); part && ok;
                 part = sf_json_next(part))
                ok = is_closed(part);
    }
    return ok;
}

bool sf_json_schema_is_closed(const struct sf_json *schema)
{
    return sf_json_type(schema) == SF_JSON_OBJECT && is_object(schema) && is_closed(schema);
}
