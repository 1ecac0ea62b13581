/*
 * frontmatter.c: finds the head of a file, lets libyaml turn it into events and builds the tree
 * from them. libyaml speaks YAML 1.1; the tree follows 1.2, so plain scalars are resolved here.
 * Numbers go through the JSON reader, which is exact and does not ask the locale.
 */
#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/base.h"
#include "base/json_build.h"
#include "base/json_scan.h"

struct level {
    struct sf_json *node;
    bool object;
    const char *key; /* waits for its value */
    struct sf_map keys;
};

struct reader {
    yaml_parser_t yaml;
    struct sf_arena arena; /* the keys */
    struct sf_json *root;
    size_t depth, nodes;
    struct level levels[SF_FRONTMATTER_DEPTH];
    struct sf_error *err;
};

/* `line` and `column` count from 0 within the YAML, which begins on the file's second line. */
static bool fail_at(struct sf_error *err, size_t line, size_t column, const char *why)
{
    sf_fail(err, SF_E_SYNTAX, "bad frontmatter at line %zu, column %zu: %s", line + 2, column + 1,
            why);
    err->line = (unsigned)line + 2;
    err->column = (unsigned)column + 1;
    return false;
}

static bool refuse(struct reader *r, const yaml_event_t *event, const char *why)
{
    return fail_at(r->err, event->start_mark.line, event->start_mark.column, why);
}

static bool over_limit(struct reader *r, const yaml_event_t *event, const char *why)
{
    refuse(r, event, why);
    r->err->code = SF_E_LIMIT;
    return false;
}

static bool fail_offset(struct sf_error *err, const char *text, size_t at, const char *why)
{
    size_t line, column;

    sf_json_locate(text, at, &line, &column);
    return fail_at(err, line - 1, column - 1, why);
}

static bool is_one_of(const char *text, size_t len, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == len && !memcmp(*words, text, len))
            return true;
    return false;
}

static size_t count_digits(const char *text, const char *end)
{
    const char *p = text;

    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return (size_t)(p - text);
}

/* "e+5" or nothing at all, up to the end of the scalar. */
static bool is_exponent(const char *p, const char *end)
{
    size_t n;

    if (p == end)
        return true;
    if (*p != 'e' && *p != 'E')
        return false;
    p++;
    if (p < end && (*p == '+' || *p == '-'))
        p++;
    n = count_digits(p, end);
    return n && p + n == end;
}

/* A YAML decimal (+1, 007, .5, 1., 1e5) as JSON would write it; false when it is none. */
static bool decimal_to_json(const char *text, size_t len, struct sf_strbuf *out)
{
    const char *p = text, *end = text + len, *frac = NULL;
    size_t whole, fraction = 0;

    if (p < end && (*p == '+' || *p == '-') && *p++ == '-')
        sf_strbuf_addch(out, '-');
    whole = count_digits(p, end);
    text = p;
    p += whole;
    if (p < end && *p == '.') {
        frac = ++p;
        fraction = count_digits(p, end);
        p += fraction;
    }
    if (!(whole || fraction) || !is_exponent(p, end))
        return false;
    for (; whole > 1 && *text == '0'; whole--)
        text++;
    sf_strbuf_add(out, whole ? text : "0", whole ? whole : 1);
    if (fraction)
        sf_strbuf_addch(out, '.');
    sf_strbuf_add(out, frac, fraction);
    sf_strbuf_add(out, p, (size_t)(end - p));
    return true;
}

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : UINT_MAX;
}

/* 0x1f and 0o17 likewise; what overflows becomes a number the JSON reader refuses. */
static bool based_to_json(const char *text, size_t len, struct sf_strbuf *out)
{
    unsigned base = len > 2 && !memcmp(text, "0x", 2) ? 16 : 8;
    bool over = false;
    uint64_t value = 0;

    if (len <= 2 || (base == 8 && memcmp(text, "0o", 2) != 0))
        return false;
    for (size_t i = 2; i < len; i++) {
        unsigned digit = digit_value(text[i]);

        if (digit >= base)
            return false;
        over = over || __builtin_mul_overflow(value, base, &value);
        value |= digit;
    }
    if (over)
        sf_strbuf_adds(out, "1e999");
    else
        sf_strbuf_addf(out, "%" PRIu64, value);
    return true;
}

/* The node of a plain scalar by the core schema; NULL with `why` when it is a bad number. */
static struct sf_json *resolve(const char *text, size_t len, const char **why)
{
    static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };
    static const char *const trues[] = { "true", "True", "TRUE", NULL };
    static const char *const falses[] = { "false", "False", "FALSE", NULL };
    static const char *const endless[] = { ".inf",  ".Inf",  ".INF",  "+.inf", "+.Inf",
                                           "+.INF", "-.inf", "-.Inf", "-.INF", ".nan",
                                           ".NaN",  ".NAN",  NULL };
    struct sf_strbuf number = SF_STRBUF_INIT;
    struct sf_error unused;
    struct sf_json *node;

    if (is_one_of(text, len, nulls))
        return sf_json_new_null();
    if (is_one_of(text, len, trues) || is_one_of(text, len, falses))
        return sf_json_new_bool(is_one_of(text, len, trues));
    *why = "a number must be finite; quotes make it text";
    if (is_one_of(text, len, endless))
        return NULL;
    *why = "the number is too large or too long; quotes make it text";
    if (based_to_json(text, len, &number) || decimal_to_json(text, len, &number))
        node = sf_json_parse(number.buf, number.len, NULL, &unused);
    else
        node = sf_json_new_str(text, len);
    sf_strbuf_release(&number);
    return node;
}

/* Puts the finished or just opened node where it belongs. */
static void attach(struct reader *r, struct sf_json *node)
{
    struct level *top;

    if (!r->depth) {
        r->root = node;
        return;
    }
    top = &r->levels[r->depth - 1];
    if (top->object)
        sf_json_put(top->node, top->key, node);
    else
        sf_json_append(top->node, node);
    top->key = NULL;
}

static bool wants_key(const struct reader *r)
{
    return r->depth && r->levels[r->depth - 1].object && !r->levels[r->depth - 1].key;
}

static bool count_node(struct reader *r, const yaml_event_t *event)
{
    return r->nodes++ < SF_FRONTMATTER_NODES || over_limit(r, event, "too many values");
}

static bool check_plainness(struct reader *r, const yaml_event_t *event, const yaml_char_t *anchor,
                            const yaml_char_t *tag)
{
    if (anchor)
        return refuse(r, event, "anchors (&name) are not supported");
    return !tag || refuse(r, event, "tags (!name) are not supported");
}

static bool on_key(struct reader *r, const yaml_event_t *event, const char *text, size_t len)
{
    struct level *top = &r->levels[r->depth - 1];

    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
        const char *why;
        struct sf_json *node = resolve(text, len, &why);
        bool string = node && sf_json_type(node) == SF_JSON_STRING;

        sf_json_free(node);
        if (!string)
            return refuse(r, event, "a key must be text; quotes make it so");
        if (len == 2 && !memcmp(text, "<<", 2))
            return refuse(r, event, "merge keys (<<) are not supported");
    }
    top->key = sf_arena_strndup(&r->arena, text, len);
    return sf_map_add(&top->keys, top->key, len, r) || refuse(r, event, "this key appears twice");
}

static bool on_scalar(struct reader *r, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value, *why = NULL;
    size_t len = event->data.scalar.length;
    struct sf_json *node;

    if (!check_plainness(r, event, event->data.scalar.anchor, event->data.scalar.tag))
        return false;
    if (memchr(text, '\0', len))
        return refuse(r, event, "text cannot hold a NUL character");
    if (!r->depth)
        return refuse(r, event, "expected keys and values, as in `name: value`");
    if (wants_key(r))
        return on_key(r, event, text, len);
    if (!count_node(r, event))
        return false;
    node = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? resolve(text, len, &why)
                                                               : sf_json_new_str(text, len);
    if (!node)
        return refuse(r, event, why);
    attach(r, node);
    return true;
}

static bool on_open(struct reader *r, const yaml_event_t *event, bool object)
{
    struct sf_json *node;

    if (!r->depth && !object)
        return refuse(r, event, "expected keys and values, not a list");
    if (wants_key(r))
        return refuse(r, event, "a key must be text, not a list or mapping");
    if (r->depth >= SF_FRONTMATTER_DEPTH)
        return over_limit(r, event, "nested too deep");
    if (!count_node(r, event))
        return false;
    node = object ? sf_json_new_object() : sf_json_new_array();
    attach(r, node);
    r->levels[r->depth++] = (struct level){ .node = node, .object = object, .keys = SF_MAP_INIT };
    return true;
}

static bool on_document(struct reader *r, const yaml_event_t *event)
{
    if (!event->data.document_start.implicit || r->root)
        return refuse(r, event, "only one document without directives is supported");
    return true;
}

static bool on_event(struct reader *r, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return on_document(r, event);
    case YAML_ALIAS_EVENT:
        return refuse(r, event, "aliases (*name) are not supported");
    case YAML_SCALAR_EVENT:
        return on_scalar(r, event);
    case YAML_SEQUENCE_START_EVENT:
        return check_plainness(r, event, event->data.sequence_start.anchor,
                               event->data.sequence_start.tag) &&
               on_open(r, event, false);
    case YAML_MAPPING_START_EVENT:
        return check_plainness(r, event, event->data.mapping_start.anchor,
                               event->data.mapping_start.tag) &&
               on_open(r, event, true);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        sf_map_release(&r->levels[--r->depth].keys);
        break;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return true;
}

/* libyaml marks what it could not parse, but only counts bytes to what it could not decode. */
static bool fail_yaml(struct reader *r, const char *text)
{
    const char *why = r->yaml.problem ? r->yaml.problem : "it cannot be read";

    if (r->yaml.error == YAML_READER_ERROR)
        return fail_offset(r->err, text, r->yaml.problem_offset, why);
    fail_at(r->err, r->yaml.problem_mark.line, r->yaml.problem_mark.column, why);
    return sf_hint(r->err, "text that holds a colon, a # or brackets needs quotes");
}

static bool read_events(struct reader *r, const char *text)
{
    yaml_event_type_t type = YAML_NO_EVENT;
    bool ok = true;

    while (ok && type != YAML_STREAM_END_EVENT) {
        yaml_event_t event;

        if (!yaml_parser_parse(&r->yaml, &event))
            return fail_yaml(r, text);
        type = event.type;
        ok = on_event(r, &event);
        yaml_event_delete(&event);
    }
    return ok;
}

/*
 * YAML 1.1 breaks lines at four further characters, most of which editors show as nothing:
 * a key could hide behind one.
 */
static bool check_breaks(const char *text, size_t len, struct sf_error *err)
{
    static const char *const breaks[] = { "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9" };

    for (size_t i = 0; i < len; i++) {
        bool odd = text[i] == '\r' && (i + 1 == len || text[i + 1] != '\n');

        for (size_t k = 0; k < SF_COUNT(breaks); k++) {
            size_t n = strlen(breaks[k]);

            odd = odd || (len - i >= n && !memcmp(text + i, breaks[k], n));
        }
        if (odd)
            return fail_offset(err, text, i, "an unusual line break");
    }
    return true;
}

static struct sf_json *read_yaml(const char *text, size_t len, struct sf_error *err)
{
    struct reader r = { .arena = SF_ARENA_INIT, .err = err };
    bool ok = false;

    if (!check_breaks(text, len, err))
        return NULL;
    if (!yaml_parser_initialize(&r.yaml)) {
        sf_fail(err, SF_E_LIMIT, "no memory to read the frontmatter");
        return NULL;
    }
    yaml_parser_set_encoding(&r.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.yaml, (const unsigned char *)text, len);
    ok = read_events(&r, text);
    while (r.depth)
        sf_map_release(&r.levels[--r.depth].keys);
    sf_arena_release(&r.arena);
    yaml_parser_delete(&r.yaml);
    if (ok)
        return r.root ? r.root : sf_json_new_object();
    sf_json_free(r.root);
    return NULL;
}

/* Where the line at `at` ends, its line break included. */
static size_t line_end(const char *text, size_t len, size_t at)
{
    const char *nl = memchr(text + at, '\n', len - at);

    return nl ? (size_t)(nl - text) + 1 : len;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_mark(const char *line, size_t len, const char *mark)
{
    while (len && is_blank(line[len - 1]))
        len--;
    return len == 3 && !memcmp(line, mark, 3);
}

/* The closing line: `*at` is its start and `*end` its end. */
static bool find_close(const char *text, size_t len, size_t *at, size_t *end, struct sf_error *err)
{
    size_t start = *at;

    for (; *at < len; *at = *end) {
        *end = line_end(text, len, *at);
        if (*at - start > SF_FRONTMATTER_BYTES)
            return sf_fail(err, SF_E_LIMIT, "the frontmatter is larger than %d KiB",
                           SF_FRONTMATTER_BYTES / 1024);
        if (is_mark(text + *at, *end - *at, "---") || is_mark(text + *at, *end - *at, "..."))
            return true;
    }
    sf_fail(err, SF_E_SYNTAX, "the frontmatter that begins on line 1 has no end");
    return sf_hint(err, "close it with a line of three dashes");
}

bool sf_frontmatter_parse(const char *text, size_t len, struct sf_json **out, size_t *body_at,
                          struct sf_error *err)
{
    size_t bom = len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    size_t start = len ? line_end(text, len, bom) : 0, close = start, end = start;
    struct sf_json *head;

    if (!is_mark(text + bom, start - bom, "---")) {
        *out = sf_json_new_object();
        *body_at = bom;
        return true;
    }
    if (!find_close(text, len, &close, &end, err))
        return false;
    head = read_yaml(text + start, close - start, err);
    if (!head)
        return false;
    *out = head;
    *body_at = end;
    return true;
}
