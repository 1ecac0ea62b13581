/*
 * json_schema.c: one row for each keyword, with what it may say and how a value is held against it.
 * Schemas come from users and values from models: nesting, references in circles and the number of
 * comparisons all have ceilings.
 */
#include "base/json_schema.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

struct fit {
    const struct sf_json *root;
    struct sf_strbuf path; /* of the place: "/items/0" */
    struct sf_error *err;
    size_t depth;
    long steps;
};

/* What a keyword may hold. */
enum form {
    FORM_NOTE,    /* anything: it constrains nothing */
    FORM_TYPE,    /* a name of a type, or a list of them */
    FORM_ANY,     /* any value */
    FORM_LIST,    /* a list with at least one value */
    FORM_NAMES,   /* a list of strings */
    FORM_COUNT,   /* a whole number from 0 */
    FORM_NUMBER,  /* a number */
    FORM_BOOL,    /* true or false */
    FORM_SCHEMA,  /* a schema */
    FORM_SCHEMAS, /* a list of schemas, at least one */
    FORM_MAP,     /* an object whose members are schemas */
    FORM_REF,     /* a reference into this schema */
};

/* The schema that a keyword belongs to, and the value that is held against it. */
struct pair {
    const struct sf_json *schema, *value;
};

typedef bool fit_fn(struct fit *f, const struct sf_json *keyword, const struct pair *p);

static bool fits(struct fit *f, const struct sf_json *schema, const struct sf_json *value);

/* ---- places ---- */

SF_PRINTF(2, 3)
static bool wrong(struct fit *f, const char *format, ...)
{
    struct sf_strbuf why = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&why, format, args);
    va_end(args);
    sf_fail(f->err, SF_E_ARG, "%s: %s", f->path.len ? f->path.buf : "/", why.buf);
    sf_strbuf_release(&why);
    return false;
}

static size_t enter(struct fit *f, const char *name, size_t index)
{
    size_t len = f->path.len;

    if (name)
        sf_strbuf_addf(&f->path, "/%s", name);
    else
        sf_strbuf_addf(&f->path, "/%zu", index);
    return len;
}

static void leave(struct fit *f, size_t len)
{
    sf_strbuf_truncate(&f->path, len);
}

/* ---- values ---- */

static double number_of(const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    double number = 0;

    return sf_json_as_double(json, "", &number, &ignored) ? number : 0;
}

static const char *text_of(const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text = "";

    return sf_json_as_str(json, "", &text, &ignored) ? text : "";
}

static bool bool_of(const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    bool is = false;

    return sf_json_as_bool(json, "", &is, &ignored) && is;
}

static bool is_number(const struct sf_json *json)
{
    return sf_json_type(json) == SF_JSON_NUMBER;
}

static bool same_leaf(const struct sf_json *a, const struct sf_json *b)
{
    const char *x, *y;

    if (sf_json_type(a) == SF_JSON_BOOL)
        return bool_of(a) == bool_of(b);
    if (sf_json_type(a) == SF_JSON_STRING)
        return !strcmp(text_of(a), text_of(b));
    if (sf_json_type(a) != SF_JSON_NUMBER)
        return true;
    x = sf_json_number_text(a);
    y = sf_json_number_text(b);
    return x && y ? !strcmp(x, y) : !(number_of(a) < number_of(b) || number_of(a) > number_of(b));
}

/* Members may come in any order; a key comes once only, as the parser sees to. */
static bool is_same(struct fit *f, const struct sf_json *a, const struct sf_json *b)
{
    const struct sf_json *x, *y;

    if (--f->steps < 0 || sf_json_type(a) != sf_json_type(b))
        return false;
    if (sf_json_type(a) == SF_JSON_OBJECT) {
        for (x = sf_json_first(a); x; x = sf_json_next(x)) {
            y = sf_json_get(b, sf_json_key(x));
            if (!y || !is_same(f, x, y))
                return false;
        }
        return sf_json_count(a) == sf_json_count(b);
    }
    if (sf_json_type(a) != SF_JSON_ARRAY)
        return same_leaf(a, b);
    for (x = sf_json_first(a), y = sf_json_first(b); x && y;
         x = sf_json_next(x), y = sf_json_next(y))
        if (!is_same(f, x, y))
            return false;
    return !x && !y;
}

static bool is_whole(const struct sf_json *json)
{
    return is_number(json) &&
           (sf_json_number_text(json) || !(floor(number_of(json)) < number_of(json)));
}

static const struct {
    const char *name;
    enum sf_json_type type;
} types[] = {
    { "null", SF_JSON_NULL },     { "boolean", SF_JSON_BOOL }, { "string", SF_JSON_STRING },
    { "number", SF_JSON_NUMBER }, { "array", SF_JSON_ARRAY },  { "object", SF_JSON_OBJECT },
};

static bool is_type_name(const char *name)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strcmp(types[i].name, name))
            return true;
    return !strcmp(name, "integer");
}

static bool is_type(const struct sf_json *value, const char *name)
{
    if (!strcmp(name, "integer"))
        return is_whole(value);
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strcmp(types[i].name, name))
            return sf_json_type(value) == types[i].type;
    return false;
}

/* ---- keywords ---- */

static bool fit_type(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    struct sf_strbuf names = SF_STRBUF_INIT;
    bool ok = sf_json_type(keyword) == SF_JSON_STRING && is_type(p->value, text_of(keyword));

    if (sf_json_type(keyword) == SF_JSON_STRING)
        sf_strbuf_adds(&names, text_of(keyword));
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it)) {
        ok = ok || is_type(p->value, text_of(it));
        sf_strbuf_addf(&names, "%s%s", names.len ? " or " : "", text_of(it));
    }
    if (!ok)
        wrong(f, "must be of type %s", names.buf);
    sf_strbuf_release(&names);
    return ok;
}

static bool fit_enum(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (is_same(f, it, p->value))
            return true;
    return wrong(f, "is none of the values that enum lists");
}

static bool fit_const(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    return is_same(f, keyword, p->value) || wrong(f, "is not the value that const names");
}

static bool fit_properties(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    if (sf_json_type(p->value) != SF_JSON_OBJECT)
        return true;
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it)) {
        const struct sf_json *member = sf_json_get(p->value, sf_json_key(it));
        size_t len = enter(f, sf_json_key(it), 0);
        bool ok = !member || fits(f, it, member);

        leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_additional(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    const struct sf_json *known = sf_json_get(p->schema, "properties");

    if (sf_json_type(p->value) != SF_JSON_OBJECT)
        return true;
    for (const struct sf_json *it = sf_json_first(p->value); it; it = sf_json_next(it)) {
        size_t len;
        bool ok;

        if (known && sf_json_get(known, sf_json_key(it)))
            continue;
        if (sf_json_type(keyword) == SF_JSON_BOOL && !bool_of(keyword))
            return wrong(f, "has the member %s, which the schema does not have", sf_json_key(it));
        len = enter(f, sf_json_key(it), 0);
        ok = fits(f, keyword, it);
        leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_required(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    if (sf_json_type(p->value) != SF_JSON_OBJECT)
        return true;
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (!sf_json_get(p->value, text_of(it)))
            return wrong(f, "lacks the member %s", text_of(it));
    return true;
}

static bool fit_items(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    const struct sf_json *prefix = sf_json_get(p->schema, "prefixItems");
    size_t from = prefix ? sf_json_count(prefix) : 0, at = 0;

    if (sf_json_type(p->value) != SF_JSON_ARRAY)
        return true;
    for (const struct sf_json *it = sf_json_first(p->value); it; it = sf_json_next(it), at++) {
        size_t len = enter(f, NULL, at);
        bool ok = at < from || fits(f, keyword, it);

        leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_prefix(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    const struct sf_json *schema = sf_json_first(keyword), *it = sf_json_first(p->value);

    if (sf_json_type(p->value) != SF_JSON_ARRAY)
        return true;
    for (size_t at = 0; schema && it; schema = sf_json_next(schema), it = sf_json_next(it), at++) {
        size_t len = enter(f, NULL, at);
        bool ok = fits(f, schema, it);

        leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_unique(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    if (!bool_of(keyword) || sf_json_type(p->value) != SF_JSON_ARRAY)
        return true;
    for (const struct sf_json *a = sf_json_first(p->value); a; a = sf_json_next(a))
        for (const struct sf_json *b = sf_json_next(a); b; b = sf_json_next(b))
            if (is_same(f, a, b))
                return wrong(f, "has an item twice");
    return true;
}

/* Characters of a string; items of an array; members of an object. */
static bool measure(const struct sf_json *value, enum sf_json_type type, double *out)
{
    const char *text;
    size_t count = 0;

    if (sf_json_type(value) != type)
        return false;
    if (type != SF_JSON_STRING) {
        *out = (double)sf_json_count(value);
        return true;
    }
    for (text = text_of(value); *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    *out = (double)count;
    return true;
}

static bool fit_measure(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    static const struct {
        const char *name;
        enum sf_json_type type;
        bool most;
        const char *what;
    } measures[] = {
        { "minLength", SF_JSON_STRING, false, "characters" },
        { "maxLength", SF_JSON_STRING, true, "characters" },
        { "minItems", SF_JSON_ARRAY, false, "items" },
        { "maxItems", SF_JSON_ARRAY, true, "items" },
        { "minProperties", SF_JSON_OBJECT, false, "members" },
        { "maxProperties", SF_JSON_OBJECT, true, "members" },
    };
    double size, limit = number_of(keyword);

    for (size_t i = 0; i < sizeof(measures) / sizeof(*measures); i++)
        if (!strcmp(measures[i].name, sf_json_key(keyword)) &&
            measure(p->value, measures[i].type, &size) &&
            (measures[i].most ? size > limit : size < limit))
            return wrong(f, "has %s than %.0f %s", measures[i].most ? "more" : "fewer", limit,
                         measures[i].what);
    return true;
}

static bool fit_range(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    const char *name = sf_json_key(keyword);
    double limit = number_of(keyword), n = number_of(p->value);
    bool ok;

    if (!is_number(p->value))
        return true;
    ok = !strcmp(name, "minimum")            ? n >= limit
         : !strcmp(name, "maximum")          ? n <= limit
         : !strcmp(name, "exclusiveMinimum") ? n > limit
                                             : n < limit;
    return ok || wrong(f, "is beyond %s %g", name, limit);
}

static bool fit_multiple(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    double step = number_of(keyword), parts;

    if (!is_number(p->value) || step <= 0)
        return true;
    parts = number_of(p->value) / step;
    return fabs(parts - round(parts)) < 1e-9 || wrong(f, "is no multiple of %g", step);
}

/* How many of the schemas the value fits; the reasons of those it does not are of no interest. */
static size_t count_fits(struct fit *f, const struct sf_json *schemas, const struct sf_json *value)
{
    struct sf_error ignored = SF_ERROR_INIT, *err = f->err;
    size_t count = 0;

    f->err = &ignored;
    for (const struct sf_json *it = sf_json_first(schemas); it; it = sf_json_next(it)) {
        size_t len = f->path.len;

        count += fits(f, it, value);
        leave(f, len);
    }
    f->err = err;
    return count;
}

static bool fit_any(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    return count_fits(f, keyword, p->value) > 0 || wrong(f, "fits none of anyOf");
}

static bool fit_one(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    size_t count = count_fits(f, keyword, p->value);

    return count == 1 || wrong(f, "fits %s of oneOf", count ? "several" : "none");
}

static bool fit_all(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (!fits(f, it, p->value))
            return false;
    return true;
}

static bool fit_not(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    struct sf_error ignored = SF_ERROR_INIT, *err = f->err;
    size_t len = f->path.len;
    bool is;

    f->err = &ignored;
    is = fits(f, keyword, p->value);
    f->err = err;
    leave(f, len);
    return !is || wrong(f, "fits what not excludes");
}

/* "#", "#/$defs/NAME" or "#/definitions/NAME"; NULL: there is no such schema. */
static const struct sf_json *find_ref(const struct sf_json *root, const char *ref)
{
    static const char *const tables[] = { "$defs", "definitions" };

    if (!strcmp(ref, "#"))
        return root;
    for (size_t i = 0; i < 2; i++) {
        size_t n = strlen(tables[i]);
        const struct sf_json *table = sf_json_get(root, tables[i]);

        if (table && !strncmp(ref, "#/", 2) && !strncmp(ref + 2, tables[i], n) && ref[n + 2] == '/')
            return sf_json_get(table, ref + n + 3);
    }
    return NULL;
}

static bool fit_ref(struct fit *f, const struct sf_json *keyword, const struct pair *p)
{
    const struct sf_json *schema = find_ref(f->root, text_of(keyword));

    return schema ? fits(f, schema, p->value) : wrong(f, "refers to %s", text_of(keyword));
}

static const struct row {
    const char *name;
    enum form form;
    fit_fn *fit; /* NULL: it is part of another keyword, or constrains nothing */
} rows[] = {
    { "$ref", FORM_REF, fit_ref },
    { "type", FORM_TYPE, fit_type },
    { "enum", FORM_LIST, fit_enum },
    { "const", FORM_ANY, fit_const },
    { "required", FORM_NAMES, fit_required },
    { "properties", FORM_MAP, fit_properties },
    { "additionalProperties", FORM_SCHEMA, fit_additional },
    { "minProperties", FORM_COUNT, fit_measure },
    { "maxProperties", FORM_COUNT, fit_measure },
    { "prefixItems", FORM_SCHEMAS, fit_prefix },
    { "items", FORM_SCHEMA, fit_items },
    { "minItems", FORM_COUNT, fit_measure },
    { "maxItems", FORM_COUNT, fit_measure },
    { "uniqueItems", FORM_BOOL, fit_unique },
    { "minimum", FORM_NUMBER, fit_range },
    { "maximum", FORM_NUMBER, fit_range },
    { "exclusiveMinimum", FORM_NUMBER, fit_range },
    { "exclusiveMaximum", FORM_NUMBER, fit_range },
    { "multipleOf", FORM_NUMBER, fit_multiple },
    { "minLength", FORM_COUNT, fit_measure },
    { "maxLength", FORM_COUNT, fit_measure },
    { "anyOf", FORM_SCHEMAS, fit_any },
    { "oneOf", FORM_SCHEMAS, fit_one },
    { "allOf", FORM_SCHEMAS, fit_all },
    { "not", FORM_SCHEMA, fit_not },
    { "$defs", FORM_MAP, NULL },
    { "definitions", FORM_MAP, NULL },
    { "$schema", FORM_NOTE, NULL },
    { "$id", FORM_NOTE, NULL },
    { "$comment", FORM_NOTE, NULL },
    { "title", FORM_NOTE, NULL },
    { "description", FORM_NOTE, NULL },
    { "default", FORM_NOTE, NULL },
    { "examples", FORM_NOTE, NULL },
    { "deprecated", FORM_NOTE, NULL },
    { "format", FORM_NOTE, NULL },
};

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

static bool fits(struct fit *f, const struct sf_json *schema, const struct sf_json *value)
{
    const struct pair p = { schema, value };
    bool ok = true;

    if (sf_json_type(schema) == SF_JSON_BOOL)
        return bool_of(schema) || wrong(f, "is not allowed here");
    if (--f->steps < 0 || f->depth >= SF_JSON_SCHEMA_DEPTH)
        return wrong(f, "takes too long to check");
    f->depth++;
    for (const struct sf_json *it = sf_json_first(schema); it && ok; it = sf_json_next(it)) {
        const struct row *row = find_row(sf_json_key(it));

        ok = !row || !row->fit || row->fit(f, it, &p);
    }
    f->depth--;
    return ok;
}

bool sf_json_schema_fits(const struct sf_json *schema, const struct sf_json *value,
                         struct sf_error *err)
{
    struct fit f = {
        .root = schema, .path = SF_STRBUF_INIT, .err = err, .steps = SF_JSON_SCHEMA_STEPS
    };
    bool ok = fits(&f, schema, value) && (f.steps >= 0 || wrong(&f, "takes too long to check"));

    sf_strbuf_release(&f.path);
    return ok;
}

/* ---- the schema itself ---- */

static bool check(struct fit *f, const struct sf_json *schema);

static bool check_each(struct fit *f, const struct sf_json *list, enum sf_json_type type)
{
    size_t at = 0;

    if (sf_json_type(list) != type || (type == SF_JSON_ARRAY && !sf_json_first(list)))
        return wrong(f, "must be %s", type == SF_JSON_ARRAY ? "a list of schemas" : "an object");
    for (const struct sf_json *it = sf_json_first(list); it; it = sf_json_next(it)) {
        size_t len = enter(f, sf_json_key(it), at++);
        bool ok = check(f, it);

        leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool check_names(struct fit *f, const struct sf_json *list, bool are_types)
{
    const char *what = are_types ? "a name of a type" : "a string";

    if (sf_json_type(list) != SF_JSON_ARRAY)
        return wrong(f, "must be a list");
    for (const struct sf_json *it = sf_json_first(list); it; it = sf_json_next(it))
        if (sf_json_type(it) != SF_JSON_STRING || (are_types && !is_type_name(text_of(it))))
            return wrong(f, "must hold nothing but %s", what);
    return true;
}

static bool check_form(struct fit *f, const struct sf_json *keyword, enum form form)
{
    switch (form) {
    case FORM_NOTE:
    case FORM_ANY:
        return true;
    case FORM_TYPE:
        if (sf_json_type(keyword) != SF_JSON_STRING)
            return check_names(f, keyword, true);
        return is_type_name(text_of(keyword)) || wrong(f, "is no type: %s", text_of(keyword));
    case FORM_LIST:
        return (sf_json_type(keyword) == SF_JSON_ARRAY && sf_json_first(keyword)) ||
               wrong(f, "must be a list of values");
    case FORM_NAMES:
        return check_names(f, keyword, false);
    case FORM_COUNT:
        return (is_whole(keyword) && number_of(keyword) >= 0) ||
               wrong(f, "must be a whole number from 0");
    case FORM_NUMBER:
        return is_number(keyword) || wrong(f, "must be a number");
    case FORM_BOOL:
        return sf_json_type(keyword) == SF_JSON_BOOL || wrong(f, "must be true or false");
    case FORM_SCHEMA:
        return check(f, keyword);
    case FORM_SCHEMAS:
        return check_each(f, keyword, SF_JSON_ARRAY);
    case FORM_MAP:
        return check_each(f, keyword, SF_JSON_OBJECT);
    case FORM_REF:
        return (sf_json_type(keyword) == SF_JSON_STRING && find_ref(f->root, text_of(keyword))) ||
               wrong(f, "refers to no part of this schema: %s", text_of(keyword));
    }
    return false;
}

static bool check(struct fit *f, const struct sf_json *schema)
{
    if (sf_json_type(schema) == SF_JSON_BOOL)
        return true;
    if (sf_json_type(schema) != SF_JSON_OBJECT)
        return wrong(f, "must be a schema: an object, true or false");
    for (const struct sf_json *it = sf_json_first(schema); it; it = sf_json_next(it)) {
        const struct row *row = find_row(sf_json_key(it));
        size_t len;
        bool ok;

        if (!row)
            return wrong(f, "the keyword %s is not supported", sf_json_key(it));
        len = enter(f, row->name, 0);
        ok = check_form(f, it, row->form);
        leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

bool sf_json_schema_check(const struct sf_json *schema, struct sf_error *err)
{
    struct fit f = { .root = schema, .path = SF_STRBUF_INIT, .err = err, .steps = 0 };
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

    return more && sf_json_type(more) == SF_JSON_BOOL && !bool_of(more) && members && required &&
           sf_json_count(members) == sf_json_count(required);
}

static bool is_object(const struct sf_json *schema)
{
    const struct sf_json *type = sf_json_get(schema, "type");

    return sf_json_get(schema, "properties") ||
           (type && sf_json_type(type) == SF_JSON_STRING && !strcmp(text_of(type), "object"));
}

static bool is_closed(const struct sf_json *schema)
{
    bool ok =
        sf_json_type(schema) == SF_JSON_OBJECT && (!is_object(schema) || is_closed_object(schema));

    for (const struct sf_json *it = sf_json_first(schema); it && ok; it = sf_json_next(it)) {
        const struct row *row = find_row(sf_json_key(it));

        ok = row && is_common(row->name);
        if (ok && row->form == FORM_SCHEMA && row->fit != fit_additional)
            ok = is_closed(it);
        if (ok && (row->form == FORM_SCHEMAS || row->form == FORM_MAP))
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
