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

#include "base/json_schema_walk.h"

/* The schema that a keyword belongs to, and the value that is held against it. */
struct pair {
    const struct sf_json *schema, *value;
};

typedef bool fit_fn(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p);

static bool fits(struct sf_schema_walk *f, const struct sf_json *schema,
                 const struct sf_json *value);

/* ---- places ---- */

bool sf_schema_wrong(struct sf_schema_walk *f, const char *format, ...)
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

size_t sf_schema_enter(struct sf_schema_walk *f, const char *name, size_t index)
{
    size_t len = f->path.len;

    if (name)
        sf_strbuf_addf(&f->path, "/%s", name);
    else
        sf_strbuf_addf(&f->path, "/%zu", index);
    return len;
}

void sf_schema_leave(struct sf_schema_walk *f, size_t len)
{
    sf_strbuf_truncate(&f->path, len);
}

/* ---- values ---- */

double sf_schema_number(const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    double number = 0;

    return sf_json_as_double(json, "", &number, &ignored) ? number : 0;
}

const char *sf_schema_text(const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text = "";

    return sf_json_as_str(json, "", &text, &ignored) ? text : "";
}

bool sf_schema_bool(const struct sf_json *json)
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
        return sf_schema_bool(a) == sf_schema_bool(b);
    if (sf_json_type(a) == SF_JSON_STRING)
        return !strcmp(sf_schema_text(a), sf_schema_text(b));
    if (sf_json_type(a) != SF_JSON_NUMBER)
        return true;
    x = sf_json_number_text(a);
    y = sf_json_number_text(b);
    return x && y ? !strcmp(x, y)
                  : !(sf_schema_number(a) < sf_schema_number(b) ||
                      sf_schema_number(a) > sf_schema_number(b));
}

/* Members may come in any order; a key comes once only, as the parser sees to. */
bool sf_schema_is_same(struct sf_schema_walk *f, const struct sf_json *a, const struct sf_json *b)
{
    const struct sf_json *x, *y;

    if (--f->steps < 0 || sf_json_type(a) != sf_json_type(b))
        return false;
    if (sf_json_type(a) == SF_JSON_OBJECT) {
        for (x = sf_json_first(a); x; x = sf_json_next(x)) {
            y = sf_json_get(b, sf_json_key(x));
            if (!y || !sf_schema_is_same(f, x, y))
                return false;
        }
        return sf_json_count(a) == sf_json_count(b);
    }
    if (sf_json_type(a) != SF_JSON_ARRAY)
        return same_leaf(a, b);
    for (x = sf_json_first(a), y = sf_json_first(b); x && y;
         x = sf_json_next(x), y = sf_json_next(y))
        if (!sf_schema_is_same(f, x, y))
            return false;
    return !x && !y;
}

bool sf_schema_is_whole(const struct sf_json *json)
{
    return is_number(json) &&
           (sf_json_number_text(json) || !(floor(sf_schema_number(json)) < sf_schema_number(json)));
}

static const struct {
    const char *name;
    enum sf_json_type type;
} types[] = {
    { "null", SF_JSON_NULL },     { "boolean", SF_JSON_BOOL }, { "string", SF_JSON_STRING },
    { "number", SF_JSON_NUMBER }, { "array", SF_JSON_ARRAY },  { "object", SF_JSON_OBJECT },
};

bool sf_schema_is_type(const char *name)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strcmp(types[i].name, name))
            return true;
    return !strcmp(name, "integer");
}

static bool is_type(const struct sf_json *value, const char *name)
{
    if (!strcmp(name, "integer"))
        return sf_schema_is_whole(value);
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strcmp(types[i].name, name))
            return sf_json_type(value) == types[i].type;
    return false;
}

/* ---- keywords ---- */

static bool fit_type(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    struct sf_strbuf names = SF_STRBUF_INIT;
    bool ok = sf_json_type(keyword) == SF_JSON_STRING && is_type(p->value, sf_schema_text(keyword));

    if (sf_json_type(keyword) == SF_JSON_STRING)
        sf_strbuf_adds(&names, sf_schema_text(keyword));
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it)) {
        ok = ok || is_type(p->value, sf_schema_text(it));
        sf_strbuf_addf(&names, "%s%s", names.len ? " or " : "", sf_schema_text(it));
    }
    if (!ok)
        sf_schema_wrong(f, "must be of type %s", names.buf);
    sf_strbuf_release(&names);
    return ok;
}

static bool fit_enum(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (sf_schema_is_same(f, it, p->value))
            return true;
    return sf_schema_wrong(f, "is none of the values that enum lists");
}

static bool fit_const(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    return sf_schema_is_same(f, keyword, p->value) ||
           sf_schema_wrong(f, "is not the value that const names");
}

static bool fit_properties(struct sf_schema_walk *f, const struct sf_json *keyword,
                           const struct pair *p)
{
    if (sf_json_type(p->value) != SF_JSON_OBJECT)
        return true;
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it)) {
        const struct sf_json *member = sf_json_get(p->value, sf_json_key(it));
        size_t len = sf_schema_enter(f, sf_json_key(it), 0);
        bool ok = !member || fits(f, it, member);

        sf_schema_leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_additional(struct sf_schema_walk *f, const struct sf_json *keyword,
                           const struct pair *p)
{
    const struct sf_json *known = sf_json_get(p->schema, "properties");

    if (sf_json_type(p->value) != SF_JSON_OBJECT)
        return true;
    for (const struct sf_json *it = sf_json_first(p->value); it; it = sf_json_next(it)) {
        size_t len;
        bool ok;

        if (known && sf_json_get(known, sf_json_key(it)))
            continue;
        if (sf_json_type(keyword) == SF_JSON_BOOL && !sf_schema_bool(keyword))
            return sf_schema_wrong(f, "has the member %s, which the schema does not have",
                                   sf_json_key(it));
        len = sf_schema_enter(f, sf_json_key(it), 0);
        ok = fits(f, keyword, it);
        sf_schema_leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_required(struct sf_schema_walk *f, const struct sf_json *keyword,
                         const struct pair *p)
{
    if (sf_json_type(p->value) != SF_JSON_OBJECT)
        return true;
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (!sf_json_get(p->value, sf_schema_text(it)))
            return sf_schema_wrong(f, "lacks the member %s", sf_schema_text(it));
    return true;
}

static bool fit_items(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    const struct sf_json *prefix = sf_json_get(p->schema, "prefixItems");
    size_t from = prefix ? sf_json_count(prefix) : 0, at = 0;

    if (sf_json_type(p->value) != SF_JSON_ARRAY)
        return true;
    for (const struct sf_json *it = sf_json_first(p->value); it; it = sf_json_next(it), at++) {
        size_t len = sf_schema_enter(f, NULL, at);
        bool ok = at < from || fits(f, keyword, it);

        sf_schema_leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_prefix(struct sf_schema_walk *f, const struct sf_json *keyword,
                       const struct pair *p)
{
    const struct sf_json *schema = sf_json_first(keyword), *it = sf_json_first(p->value);

    if (sf_json_type(p->value) != SF_JSON_ARRAY)
        return true;
    for (size_t at = 0; schema && it; schema = sf_json_next(schema), it = sf_json_next(it), at++) {
        size_t len = sf_schema_enter(f, NULL, at);
        bool ok = fits(f, schema, it);

        sf_schema_leave(f, len);
        if (!ok)
            return false;
    }
    return true;
}

static bool fit_unique(struct sf_schema_walk *f, const struct sf_json *keyword,
                       const struct pair *p)
{
    if (!sf_schema_bool(keyword) || sf_json_type(p->value) != SF_JSON_ARRAY)
        return true;
    return sf_schema_is_unique(f, p->value) || sf_schema_wrong(f, "has an item twice");
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
    for (text = sf_schema_text(value); *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    *out = (double)count;
    return true;
}

static bool fit_measure(struct sf_schema_walk *f, const struct sf_json *keyword,
                        const struct pair *p)
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
    double size, limit = sf_schema_number(keyword);

    for (size_t i = 0; i < sizeof(measures) / sizeof(*measures); i++)
        if (!strcmp(measures[i].name, sf_json_key(keyword)) &&
            measure(p->value, measures[i].type, &size) &&
            (measures[i].most ? size > limit : size < limit))
            return sf_schema_wrong(f, "has %s than %.0f %s", measures[i].most ? "more" : "fewer",
                                   limit, measures[i].what);
    return true;
}

static bool fit_range(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    const char *name = sf_json_key(keyword);
    double limit = sf_schema_number(keyword), n = sf_schema_number(p->value);
    bool ok;

    if (!is_number(p->value))
        return true;
    ok = !strcmp(name, "minimum")            ? n >= limit
         : !strcmp(name, "maximum")          ? n <= limit
         : !strcmp(name, "exclusiveMinimum") ? n > limit
                                             : n < limit;
    return ok || sf_schema_wrong(f, "is beyond %s %g", name, limit);
}

static bool fit_multiple(struct sf_schema_walk *f, const struct sf_json *keyword,
                         const struct pair *p)
{
    double step = sf_schema_number(keyword), parts;

    if (!is_number(p->value) || step <= 0)
        return true;
    parts = sf_schema_number(p->value) / step;
    return fabs(parts - round(parts)) < 1e-9 || sf_schema_wrong(f, "is no multiple of %g", step);
}

/* How many of the schemas the value fits; the reasons of those it does not are of no interest. */
static size_t count_fits(struct sf_schema_walk *f, const struct sf_json *schemas,
                         const struct sf_json *value)
{
    struct sf_error ignored = SF_ERROR_INIT, *err = f->err;
    size_t count = 0;

    f->err = &ignored;
    for (const struct sf_json *it = sf_json_first(schemas); it; it = sf_json_next(it)) {
        size_t len = f->path.len;

        count += fits(f, it, value);
        sf_schema_leave(f, len);
    }
    f->err = err;
    return count;
}

static bool fit_any(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    return count_fits(f, keyword, p->value) > 0 || sf_schema_wrong(f, "fits none of anyOf");
}

static bool fit_one(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    size_t count = count_fits(f, keyword, p->value);

    return count == 1 || sf_schema_wrong(f, "fits %s of oneOf", count ? "several" : "none");
}

static bool fit_all(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (!fits(f, it, p->value))
            return false;
    return true;
}

static bool fit_not(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    struct sf_error ignored = SF_ERROR_INIT, *err = f->err;
    size_t len = f->path.len;
    bool is;

    f->err = &ignored;
    is = fits(f, keyword, p->value);
    f->err = err;
    sf_schema_leave(f, len);
    return !is || sf_schema_wrong(f, "fits what not excludes");
}

/* "#", "#/$defs/NAME" or "#/definitions/NAME"; NULL: there is no such schema. */
const struct sf_json *sf_schema_find(const struct sf_json *root, const char *ref)
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

static bool fit_ref(struct sf_schema_walk *f, const struct sf_json *keyword, const struct pair *p)
{
    const struct sf_json *schema = sf_schema_find(f->root, sf_schema_text(keyword));

    return schema ? fits(f, schema, p->value)
                  : sf_schema_wrong(f, "refers to %s", sf_schema_text(keyword));
}

static const struct row {
    const char *name;
    enum sf_schema_form form;
    fit_fn *fit; /* NULL: it is part of another keyword, or constrains nothing */
} rows[] = {
    { "$ref", SF_SCHEMA_REF, fit_ref },
    { "type", SF_SCHEMA_TYPE, fit_type },
    { "enum", SF_SCHEMA_LIST, fit_enum },
    { "const", SF_SCHEMA_ANY, fit_const },
    { "required", SF_SCHEMA_NAMES, fit_required },
    { "properties", SF_SCHEMA_MAP, fit_properties },
    { "additionalProperties", SF_SCHEMA_SCHEMA, fit_additional },
    { "minProperties", SF_SCHEMA_COUNT, fit_measure },
    { "maxProperties", SF_SCHEMA_COUNT, fit_measure },
    { "prefixItems", SF_SCHEMA_SCHEMAS, fit_prefix },
    { "items", SF_SCHEMA_SCHEMA, fit_items },
    { "minItems", SF_SCHEMA_COUNT, fit_measure },
    { "maxItems", SF_SCHEMA_COUNT, fit_measure },
    { "uniqueItems", SF_SCHEMA_BOOL, fit_unique },
    { "minimum", SF_SCHEMA_NUMBER, fit_range },
    { "maximum", SF_SCHEMA_NUMBER, fit_range },
    { "exclusiveMinimum", SF_SCHEMA_NUMBER, fit_range },
    { "exclusiveMaximum", SF_SCHEMA_NUMBER, fit_range },
    { "multipleOf", SF_SCHEMA_POSITIVE, fit_multiple },
    { "minLength", SF_SCHEMA_COUNT, fit_measure },
    { "maxLength", SF_SCHEMA_COUNT, fit_measure },
    { "anyOf", SF_SCHEMA_SCHEMAS, fit_any },
    { "oneOf", SF_SCHEMA_SCHEMAS, fit_one },
    { "allOf", SF_SCHEMA_SCHEMAS, fit_all },
    { "not", SF_SCHEMA_SCHEMA, fit_not },
    { "$defs", SF_SCHEMA_MAP, NULL },
    { "definitions", SF_SCHEMA_MAP, NULL },
    { "$schema", SF_SCHEMA_NOTE, NULL },
    { "$id", SF_SCHEMA_NOTE, NULL },
    { "$comment", SF_SCHEMA_NOTE, NULL },
    { "title", SF_SCHEMA_NOTE, NULL },
    { "description", SF_SCHEMA_NOTE, NULL },
    { "default", SF_SCHEMA_NOTE, NULL },
    { "examples", SF_SCHEMA_NOTE, NULL },
    { "deprecated", SF_SCHEMA_NOTE, NULL },
    { "format", SF_SCHEMA_NOTE, NULL },
};

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

enum sf_schema_form sf_schema_form_of(const char *keyword)
{
    const struct row *row = find_row(keyword);

    return row ? row->form : SF_SCHEMA_UNKNOWN;
}

static bool fits(struct sf_schema_walk *f, const struct sf_json *schema,
                 const struct sf_json *value)
{
    const struct pair p = { schema, value };
    bool ok = true;

    if (sf_json_type(schema) == SF_JSON_BOOL)
        return sf_schema_bool(schema) || sf_schema_wrong(f, "is not allowed here");
    f->cut = f->cut || --f->steps < 0 || f->depth >= SF_JSON_SCHEMA_DEPTH;
    if (f->cut)
        return false;
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
    struct sf_schema_walk f = {
        .root = schema, .path = SF_STRBUF_INIT, .err = err, .steps = SF_JSON_SCHEMA_STEPS
    };
    bool ok = fits(&f, schema, value);

    if (f.cut || f.steps < 0)
        ok = sf_fail(err, SF_E_LIMIT, "it takes too long to check");
    sf_strbuf_release(&f.path);
    return ok;
}
