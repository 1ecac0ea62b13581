/*
 * schema.c: one function for each keyword, in a table.
 */
#include "support/schema.h"

#include <string.h>

#include "port/port.h"
#include "support/json_equal.h"
#include "support/test.h"

struct check {
    const struct sf_json *root;
    struct sf_strbuf *why;
    char path[256]; /* of the value, for people */
};

static bool check(struct check *c, const struct sf_json *schema, const struct sf_json *value);

static bool complain(struct check *c, const char *what, const char *name)
{
    sf_strbuf_addf(c->why, "%s: %s %s; ", *c->path ? c->path : "the value", what, name);
    return false;
}

static bool is_type(const struct sf_json *value, const char *name)
{
    static const struct {
        const char *name;
        enum sf_json_type type;
    } types[] = {
        { "null", SF_JSON_NULL },     { "boolean", SF_JSON_BOOL }, { "string", SF_JSON_STRING },
        { "number", SF_JSON_NUMBER }, { "array", SF_JSON_ARRAY },  { "object", SF_JSON_OBJECT },
    };
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t integer;

    if (!strcmp(name, "integer"))
        return sf_json_type(value) == SF_JSON_NUMBER &&
               sf_json_as_int(value, "value", &integer, &ignored);
    for (size_t i = 0; i < SF_COUNT(types); i++)
        if (!strcmp(types[i].name, name))
            return sf_json_type(value) == types[i].type;
    fail_msg("the schema has the type %s", name);
    return false;
}

static const char *text_of(const struct sf_json *json)
{
    struct sf_error err = SF_ERROR_INIT;
    const char *text;

    if (!sf_json_as_str(json, "keyword", &text, &err))
        fail_msg("the schema is wrong: %s", err.msg);
    return text;
}

static bool check_type(struct check *c, const struct sf_json *keyword, const struct sf_json *schema,
                       const struct sf_json *value)
{
    bool fits = false;

    (void)schema;
    if (sf_json_type(keyword) == SF_JSON_STRING)
        fits = is_type(value, text_of(keyword));
    else
        for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
            fits = fits || is_type(value, text_of(it));
    return fits || complain(c, "must not be", sf_json_type_name(sf_json_type(value)));
}

static bool check_properties(struct check *c, const struct sf_json *keyword,
                             const struct sf_json *schema, const struct sf_json *value)
{
    size_t len = strlen(c->path);
    bool ok = true;

    (void)schema;
    for (const struct sf_json *it = sf_json_first(value); it; it = sf_json_next(it)) {
        const struct sf_json *member = sf_json_get(keyword, sf_json_key(it));

        snprintf(c->path + len, sizeof(c->path) - len, ".%s", sf_json_key(it));
        ok = (!member || check(c, member, it)) && ok;
        c->path[len] = '\0';
    }
    return ok;
}

static bool check_required(struct check *c, const struct sf_json *keyword,
                           const struct sf_json *schema, const struct sf_json *value)
{
    bool ok = true;

    (void)schema;
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (!sf_json_get(value, text_of(it)))
            ok = complain(c, "lacks", text_of(it));
    return ok;
}

/* Only `false` is known: everything else would be open. */
static bool check_additional(struct check *c, const struct sf_json *keyword,
                             const struct sf_json *schema, const struct sf_json *value)
{
    const struct sf_json *known = sf_json_get(schema, "properties");
    bool ok = true;

    if (sf_json_type(keyword) != SF_JSON_BOOL)
        fail_msg("additionalProperties must be false");
    for (const struct sf_json *it = sf_json_first(value); it; it = sf_json_next(it))
        if (!sf_json_get(known, sf_json_key(it)))
            ok = complain(c, "must not have", sf_json_key(it));
    return ok;
}

static bool check_enum(struct check *c, const struct sf_json *keyword, const struct sf_json *schema,
                       const struct sf_json *value)
{
    (void)schema;
    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it))
        if (json_equal(it, value))
            return true;
    return complain(c, "is none of", "the values of its enum");
}

static bool check_const(struct check *c, const struct sf_json *keyword,
                        const struct sf_json *schema, const struct sf_json *value)
{
    (void)schema;
    return json_equal(keyword, value) || complain(c, "is not", "what its const says");
}

/* The branch whose `type` is that of the value; NULL: the branches have none, or it has another. */
static const struct sf_json *find_branch(const struct sf_json *keyword, const struct sf_json *value)
{
    const struct sf_json *type =
        sf_json_type(value) == SF_JSON_OBJECT ? sf_json_get(value, "type") : NULL;

    for (const struct sf_json *it = sf_json_first(keyword); it && type; it = sf_json_next(it)) {
        const struct sf_json *members = sf_json_get(it, "properties");
        const struct sf_json *branch = members ? sf_json_get(members, "type") : NULL;
        const struct sf_json *is = branch ? sf_json_get(branch, "const") : NULL;

        if (is && json_equal(is, type))
            return it;
    }
    return NULL;
}

static size_t count_fits(struct check *c, const struct sf_json *keyword,
                         const struct sf_json *value)
{
    size_t before = c->why->len, fits = 0;

    for (const struct sf_json *it = sf_json_first(keyword); it; it = sf_json_next(it)) {
        fits += check(c, it, value);
        sf_strbuf_splice(c->why, before, c->why->len - before, "", 0);
    }
    return fits;
}

/* Branches that name their type exclude each other, so that only one of them has to be tried. */
static bool check_one(struct check *c, const struct sf_json *keyword, const struct sf_json *schema,
                      const struct sf_json *value)
{
    const struct sf_json *branch = find_branch(keyword, value);

    (void)schema;
    if (branch)
        return check(c, branch, value);
    return count_fits(c, keyword, value) == 1 || complain(c, "fits not exactly one of", "oneOf");
}

static bool check_any(struct check *c, const struct sf_json *keyword, const struct sf_json *schema,
                      const struct sf_json *value)
{
    (void)schema;
    return count_fits(c, keyword, value) >= 1 || complain(c, "fits none of", "anyOf");
}

static bool check_items(struct check *c, const struct sf_json *keyword,
                        const struct sf_json *schema, const struct sf_json *value)
{
    bool ok = true;

    (void)schema;
    for (const struct sf_json *it = sf_json_first(value); it; it = sf_json_next(it))
        ok = check(c, keyword, it) && ok;
    return ok;
}

static bool check_ref(struct check *c, const struct sf_json *keyword, const struct sf_json *schema,
                      const struct sf_json *value)
{
    static const char prefix[] = "#/$defs/";
    const char *ref = text_of(keyword);
    const struct sf_json *defs = sf_json_get(c->root, "$defs"), *target;

    (void)schema;
    if (strncmp(ref, prefix, sizeof(prefix) - 1) != 0)
        fail_msg("the schema refers to %s", ref);
    target = defs ? sf_json_get(defs, ref + sizeof(prefix) - 1) : NULL;
    if (!target)
        fail_msg("the schema has no %s", ref);
    return check(c, target, value);
}

static bool check_nothing(struct check *c, const struct sf_json *keyword,
                          const struct sf_json *schema, const struct sf_json *value)
{
    (void)c;
    (void)keyword;
    (void)schema;
    (void)value;
    return true;
}

enum { ANY = -1 };

static const struct {
    const char *name;
    int of; /* the type of values it is about */
    bool (*check)(struct check *c, const struct sf_json *keyword, const struct sf_json *schema,
                  const struct sf_json *value);
} keywords[] = {
    { "type", ANY, check_type },
    { "properties", SF_JSON_OBJECT, check_properties },
    { "required", SF_JSON_OBJECT, check_required },
    { "additionalProperties", SF_JSON_OBJECT, check_additional },
    { "enum", ANY, check_enum },
    { "const", ANY, check_const },
    { "oneOf", ANY, check_one },
    { "anyOf", ANY, check_any },
    { "items", SF_JSON_ARRAY, check_items },
    { "$ref", ANY, check_ref },
    { "format", ANY, check_nothing }, /* an annotation, as the standard has it */
    { "$schema", ANY, check_nothing },
    { "$defs", ANY, check_nothing },
    { "title", ANY, check_nothing },
    { "description", ANY, check_nothing },
};

static bool check(struct check *c, const struct sf_json *schema, const struct sf_json *value)
{
    bool ok = true;

    for (const struct sf_json *it = sf_json_first(schema); it; it = sf_json_next(it)) {
        size_t i = 0;

        while (i < SF_COUNT(keywords) && strcmp(keywords[i].name, sf_json_key(it)) != 0)
            i++;
        if (i == SF_COUNT(keywords)) {
            fail_msg("the schema has the keyword %s", sf_json_key(it));
            return false;
        }
        if (keywords[i].of == ANY || keywords[i].of == (int)sf_json_type(value))
            ok = keywords[i].check(c, it, schema, value) && ok;
    }
    return ok;
}

bool schema_check(const struct sf_json *schema, const struct sf_json *value, struct sf_strbuf *why)
{
    struct check c = { .root = schema, .why = why };

    return check(&c, schema, value);
}

const struct sf_json *schema_of_events(void)
{
    static struct sf_json *schema;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (schema)
        return schema;
    sf_events_schema_add(&text);
    schema = sf_json_parse(text.buf, text.len, NULL, &err);
    if (!schema)
        fail_msg("the schema is no JSON: %s", err.msg);
    sf_strbuf_release(&text);
    return schema;
}

bool schema_check_event(const char *line, size_t len, struct sf_strbuf *why)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(line, len, NULL, &err);
    bool ok = json && schema_check(schema_of_events(), json, why);

    if (!json)
        sf_strbuf_addf(why, "it is no JSON: %s; ", err.msg);
    sf_json_free(json);
    return ok;
}

void schema_check_stream(const char *out, size_t len, const char *name)
{
    struct sf_strbuf why = SF_STRBUF_INIT;
    const char *end;

    while ((end = memchr(out, '\n', len))) {
        size_t n = (size_t)(end - out);

        if (!schema_check_event(out, n, &why))
            fail_msg("%s: %s\n%.*s", name, why.buf, (int)(n < 2000 ? n : 2000), out);
        out += n + 1;
        len -= n + 1;
    }
    sf_strbuf_release(&why);
}
