/*
 * toml.c: documents, tables and arrays; scalars are read in toml_scalar.c. The one idea: a
 * table remembers how it came to be (header, dotted key, inline), and every rule about what
 * may be defined twice is a question to that memory.
 */
#include <assert.h>
#include <stdarg.h>

#include "base/base.h"
#include "base/toml_parse.h"

bool sf_toml_fail(struct toml_parser *p, size_t at, const char *format, ...)
{
    char msg[sizeof(p->err->msg)];
    va_list args;

    va_start(args, format);
    vsnprintf(msg, sizeof(msg), format, args);
    va_end(args);
    sf_fail(p->err, SF_E_SYNTAX, "%s", msg);
    sf_toml_where(p->doc, at, &p->err->line, &p->err->column);
    return false;
}

int sf_toml_peek(const struct toml_parser *p, size_t ahead)
{
    return ahead < p->len - p->at ? (unsigned char)p->text[p->at + ahead] : -1;
}

bool sf_toml_accept(struct toml_parser *p, const char *word)
{
    size_t n = strlen(word);

    if (n > p->len - p->at || memcmp(p->text + p->at, word, n) != 0)
        return false;
    p->at += n;
    return true;
}

static struct sf_toml_value *value_new(struct toml_parser *p, size_t key_at)
{
    struct sf_toml_value *v = sf_arena_alloc(&p->doc->arena, sizeof(*v));

    v->key_at = key_at;
    return v;
}

static struct sf_toml_value *table_new(struct toml_parser *p, size_t key_at,
                                       enum sf_toml_origin origin)
{
    struct sf_toml_value *v = value_new(p, key_at);
    struct sf_toml_table *table = sf_arena_alloc(&p->doc->arena, sizeof(*table));

    table->origin = origin;
    table->next = p->doc->tables;
    p->doc->tables = table;
    v->type = SF_TOML_TABLE;
    v->at = v->end = key_at;
    v->as.table = table;
    return v;
}

static void array_push(struct toml_parser *p, struct sf_toml_value *array,
                       struct sf_toml_value *item)
{
    if (array->as.array.count == array->as.array.cap) {
        size_t cap = array->as.array.cap ? array->as.array.cap * 2 : 4;
        struct sf_toml_value **items =
            sf_arena_alloc(&p->doc->arena, cap * sizeof(struct sf_toml_value *));

        if (array->as.array.count)
            memcpy(items, array->as.array.items,
                   array->as.array.count * sizeof(struct sf_toml_value *));
        array->as.array.items = items;
        array->as.array.cap = cap;
    }
    array->as.array.items[array->as.array.count++] = item;
}

static void skip_blanks(struct toml_parser *p)
{
    while (sf_toml_peek(p, 0) == ' ' || sf_toml_peek(p, 0) == '\t')
        p->at++;
}

/* At a comment or not: leaves p->at at the line's end. */
static bool skip_comment(struct toml_parser *p)
{
    int c;

    if (sf_toml_peek(p, 0) != '#')
        return true;
    while ((c = sf_toml_peek(p, 0)) >= 0 && c != '\n') {
        if (c == '\r' && sf_toml_peek(p, 1) == '\n')
            break;
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            return sf_toml_fail(p, p->at, "control character in a comment");
        p->at++;
    }
    return true;
}

static bool accept_newline(struct toml_parser *p)
{
    return sf_toml_accept(p, "\n") || sf_toml_accept(p, "\r\n");
}

/* Blank to the end of the line: what may stand behind a header or a key's value. */
static bool expect_line_end(struct toml_parser *p, const char *behind)
{
    skip_blanks(p);
    if (!skip_comment(p))
        return false;
    if (p->at == p->len || accept_newline(p))
        return true;
    return sf_toml_fail(p, p->at, "expected the end of the line behind %s", behind);
}

/* Blanks, newlines and comments, as arrays allow them between elements. */
static bool skip_space(struct toml_parser *p)
{
    do {
        skip_blanks(p);
        if (!skip_comment(p))
            return false;
    } while (accept_newline(p));
    return true;
}

static bool is_bare(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

static bool read_key(struct toml_parser *p, const char **key, size_t *len)
{
    size_t start = p->at;
    int c = sf_toml_peek(p, 0);

    if (c == '"' || c == '\'')
        return sf_toml_read_quoted_key(p, key, len);
    while (is_bare(sf_toml_peek(p, 0)))
        p->at++;
    if (p->at == start)
        return sf_toml_fail(p, start, "expected a key");
    *len = p->at - start;
    *key = sf_arena_strndup(&p->doc->arena, p->text + start, *len);
    return true;
}

/* A dot behind a key part, with blanks around it: true when another part follows. */
static bool accept_dot(struct toml_parser *p)
{
    skip_blanks(p);
    if (!sf_toml_accept(p, "."))
        return false;
    skip_blanks(p);
    return true;
}

static bool too_deep(struct toml_parser *p, size_t at)
{
    return !sf_toml_fail(p, at, "nested more than %d levels deep", SF_TOML_MAX_DEPTH);
}

/* The table a header's part leads to: made, entered, or in an array of tables its last one. */
static struct sf_toml_value *enter(struct toml_parser *p, struct sf_toml_value *table,
                                   const char *key, size_t len, size_t at)
{
    struct sf_toml_value *v = sf_map_get(&table->as.table->keys, key, len);

    if (!v) {
        v = table_new(p, at, SF_TOML_ORIGIN_IMPLICIT);
        sf_map_add(&table->as.table->keys, key, len, v);
        return v;
    }
    if (v->type == SF_TOML_ARRAY && v->as.array.of_tables)
        return v->as.array.items[v->as.array.count - 1];
    if (v->type != SF_TOML_TABLE || v->as.table->origin == SF_TOML_ORIGIN_INLINE) {
        sf_toml_fail(p, at, "'%s' is already set and cannot be extended by a table header", key);
        return NULL;
    }
    return v;
}

/* [name]: the last part of a header. */
static struct sf_toml_value *define_table(struct toml_parser *p, struct sf_toml_value *parent,
                                          const char *key, size_t len, size_t at)
{
    struct sf_toml_value *v = sf_map_get(&parent->as.table->keys, key, len);

    if (!v) {
        v = table_new(p, at, SF_TOML_ORIGIN_HEADER);
        sf_map_add(&parent->as.table->keys, key, len, v);
        return v;
    }
    if (v->type == SF_TOML_TABLE && v->as.table->origin == SF_TOML_ORIGIN_IMPLICIT) {
        v->as.table->origin = SF_TOML_ORIGIN_HEADER;
        return v;
    }
    sf_toml_fail(p, at, "'%s' is defined twice", key);
    return NULL;
}

/* [[name]]: the last part of a header. */
static struct sf_toml_value *define_element(struct toml_parser *p, struct sf_toml_value *parent,
                                            const char *key, size_t len, size_t at)
{
    struct sf_toml_value *v = sf_map_get(&parent->as.table->keys, key, len), *element;

    if (!v) {
        v = value_new(p, at);
        v->type = SF_TOML_ARRAY;
        v->at = v->end = at;
        v->as.array.of_tables = true;
        sf_map_add(&parent->as.table->keys, key, len, v);
    } else if (v->type != SF_TOML_ARRAY || !v->as.array.of_tables) {
        sf_toml_fail(p, at, "'%s' is already set and cannot become an array of tables", key);
        return NULL;
    }
    element = table_new(p, at, SF_TOML_ORIGIN_HEADER);
    array_push(p, v, element);
    return element;
}

struct key {
    const char *text;
    size_t len, at;
};

typedef struct sf_toml_value *enter_fn(struct toml_parser *p, struct sf_toml_value *table,
                                       const char *key, size_t len, size_t at);

/* Reads a.b.c and enters all but the last part, which is left in `last`; NULL: it failed. */
static struct sf_toml_value *read_path(struct toml_parser *p, struct sf_toml_value *table,
                                       enter_fn *into, struct key *last)
{
    for (int depth = 0; table; table = into(p, table, last->text, last->len, last->at)) {
        *last = (struct key){ .text = "", .at = p->at };
        if (!read_key(p, &last->text, &last->len))
            return NULL;
        if (!accept_dot(p))
            return table;
        if (++depth >= SF_TOML_MAX_DEPTH && too_deep(p, last->at))
            return NULL;
    }
    return NULL;
}

/* Reads a header line; the table it opens becomes the one keys go to. */
static struct sf_toml_value *read_header(struct toml_parser *p)
{
    struct sf_toml_value *table;
    struct key last;
    size_t start = p->at;
    bool element = sf_toml_accept(p, "[[");

    if (!element)
        p->at++;
    skip_blanks(p);
    table = read_path(p, p->doc->root, enter, &last);
    if (!table)
        return NULL;
    if (!sf_toml_accept(p, element ? "]]" : "]")) {
        sf_toml_fail(p, p->at, "expected '%s' at the end of the table header",
                     element ? "]]" : "]");
        return NULL;
    }
    table = (element ? define_element : define_table)(p, table, last.text, last.len, last.at);
    if (!table)
        return NULL;
    table->at = start;
    table->end = p->at;
    if (!expect_line_end(p, "the table header"))
        return NULL;
    table->as.table->body_end = p->at;
    return table;
}

static bool read_value(struct toml_parser *p, struct sf_toml_value *out);

/* The table a dotted key's part leads to; only tables made by dotted keys may be entered. */
static struct sf_toml_value *enter_dotted(struct toml_parser *p, struct sf_toml_value *table,
                                          const char *key, size_t len, size_t at)
{
    struct sf_toml_value *v = sf_map_get(&table->as.table->keys, key, len);

    if (!v) {
        v = table_new(p, at, SF_TOML_ORIGIN_DOTTED);
        sf_map_add(&table->as.table->keys, key, len, v);
        return v;
    }
    if (v->type == SF_TOML_TABLE && v->as.table->origin == SF_TOML_ORIGIN_IMPLICIT)
        v->as.table->origin = SF_TOML_ORIGIN_DOTTED;
    if (v->type != SF_TOML_TABLE || v->as.table->origin != SF_TOML_ORIGIN_DOTTED) {
        sf_toml_fail(p, at, "'%s' is already set and cannot be extended by a dotted key", key);
        return NULL;
    }
    return v;
}

/* key = value, below `table`. */
static bool read_pair(struct toml_parser *p, struct sf_toml_value *table)
{
    struct sf_toml_value *value;
    struct key last;
    size_t line_at = p->at;

    table = read_path(p, table, enter_dotted, &last);
    if (!table)
        return false;
    if (!sf_toml_accept(p, "="))
        return sf_toml_fail(p, p->at, "expected '=' behind the key '%s'", last.text);
    skip_blanks(p);
    value = value_new(p, line_at);
    if (!sf_map_add(&table->as.table->keys, last.text, last.len, value))
        return sf_toml_fail(p, last.at, "'%s' is set twice", last.text);
    return read_value(p, value);
}

static bool read_array(struct toml_parser *p, struct sf_toml_value *out)
{
    size_t open = p->at++;

    out->type = SF_TOML_ARRAY;
    for (;;) {
        struct sf_toml_value *item;

        if (!skip_space(p))
            return false;
        if (sf_toml_accept(p, "]"))
            return true;
        if (p->at == p->len)
            return sf_toml_fail(p, open, "the array is not closed");
        item = value_new(p, p->at);
        array_push(p, out, item);
        if (!read_value(p, item) || !skip_space(p))
            return false;
        if (!sf_toml_accept(p, ",") && sf_toml_peek(p, 0) != ']') {
            return p->at == p->len ? sf_toml_fail(p, open, "the array is not closed")
                                   : sf_toml_fail(p, p->at, "expected ',' or ']' in the array");
        }
    }
}

/* Nothing below a closed inline table may be added to later, dotted tables included. */
static void close_tables(struct sf_toml_value *v)
{
    struct sf_map *keys = &v->as.table->keys;

    v->as.table->origin = SF_TOML_ORIGIN_INLINE;
    for (size_t i = 0; i < keys->count; i++) {
        struct sf_toml_value *child = keys->entries[i].value;

        if (child->type == SF_TOML_TABLE && child->as.table->origin == SF_TOML_ORIGIN_DOTTED)
            close_tables(child);
    }
}

static bool read_inline_table(struct toml_parser *p, struct sf_toml_value *out)
{
    const struct sf_toml_value *made = table_new(p, out->key_at, SF_TOML_ORIGIN_DOTTED);

    out->type = SF_TOML_TABLE;
    out->as.table = made->as.table;
    p->at++;
    skip_blanks(p);
    if (!sf_toml_accept(p, "}")) {
        do {
            skip_blanks(p);
            if (!read_pair(p, out))
                return false;
            skip_blanks(p);
        } while (sf_toml_accept(p, ","));
        if (!sf_toml_accept(p, "}"))
            return sf_toml_fail(p, p->at, "expected ',' or '}' in the inline table");
    }
    close_tables(out);
    return true;
}

static bool read_value(struct toml_parser *p, struct sf_toml_value *out)
{
    size_t start = p->at;
    bool ok;

    if (++p->depth > SF_TOML_MAX_DEPTH && too_deep(p, start))
        return false;
    switch (sf_toml_peek(p, 0)) {
    case '"':
    case '\'':
        ok = sf_toml_read_string(p, out);
        break;
    case '[':
        ok = read_array(p, out);
        break;
    case '{':
        ok = read_inline_table(p, out);
        break;
    default:
        ok = sf_toml_read_plain(p, out);
        break;
    }
    p->depth--;
    out->at = start;
    out->end = p->at;
    return ok;
}

static bool read_document(struct toml_parser *p)
{
    struct sf_toml_value *table = p->doc->root;

    sf_toml_accept(p, "\xef\xbb\xbf");
    p->doc->first_header = p->len;
    while (p->at < p->len) {
        skip_blanks(p);
        if (sf_toml_peek(p, 0) == '[') {
            if (p->at < p->doc->first_header)
                p->doc->first_header = p->at;
            table = read_header(p);
            if (!table)
                return false;
        } else if (sf_toml_peek(p, 0) == '#' || sf_toml_peek(p, 0) == '\n' ||
                   sf_toml_peek(p, 0) == '\r' || p->at == p->len) {
            if (!expect_line_end(p, "the comment"))
                return false;
        } else {
            if (!read_pair(p, table) || !expect_line_end(p, "the value"))
                return false;
            table->as.table->body_end = p->at;
        }
    }
    return true;
}

static void index_lines(struct sf_toml *doc)
{
    size_t count = 1;

    for (size_t i = 0; i < doc->len; i++)
        count += doc->text[i] == '\n';
    doc->lines = sf_alloc_array(count, sizeof(*doc->lines));
    doc->nlines = 1;
    for (size_t i = 0; i < doc->len; i++)
        if (doc->text[i] == '\n')
            doc->lines[doc->nlines++] = i + 1;
}

void sf_toml_where(const struct sf_toml *doc, size_t offset, unsigned *line, unsigned *column)
{
    size_t low = 0, high = doc->nlines, start;

    if (offset > doc->len)
        offset = doc->len;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;

        if (doc->lines[mid] <= offset)
            low = mid;
        else
            high = mid;
    }
    start = doc->lines[low];
    if (start == 0 && doc->len >= 3 && !memcmp(doc->text, "\xef\xbb\xbf", 3) && offset >= 3)
        start = 3;
    *line = (unsigned)low + 1;
    *column = 1;
    for (size_t i = start; i < offset; i++)
        *column += ((unsigned char)doc->text[i] & 0xc0) != 0x80;
}

struct sf_toml *sf_toml_parse(const char *text, size_t len, size_t max, struct sf_error *err)
{
    struct toml_parser p = { .len = len, .err = err };
    size_t bad;

    if (len > max) {
        sf_fail(err, SF_E_LIMIT, "larger than %zu bytes", max);
        return NULL;
    }
    p.doc = sf_alloc(sizeof(*p.doc));
    p.text = p.doc->text = sf_arena_strndup(&p.doc->arena, text, len);
    p.doc->len = len;
    index_lines(p.doc);
    p.doc->root = table_new(&p, 0, SF_TOML_ORIGIN_HEADER);
    if (!sf_utf8_valid(text, len, &bad))
        sf_toml_fail(&p, bad, "not valid UTF-8");
    else if (read_document(&p))
        return p.doc;
    sf_toml_free(p.doc);
    return NULL;
}

void sf_toml_free(struct sf_toml *doc)
{
    if (!doc)
        return;
    for (struct sf_toml_table *t = doc->tables; t; t = t->next)
        sf_map_release(&t->keys);
    free(doc->lines);
    sf_arena_release(&doc->arena);
    free(doc);
}

const struct sf_toml_value *sf_toml_root(const struct sf_toml *doc)
{
    return doc->root;
}

const struct sf_toml_value *sf_toml_get(const struct sf_toml_value *table, const char *key)
{
    assert(table->type == SF_TOML_TABLE);
    return sf_map_gets(&table->as.table->keys, key);
}

const struct sf_toml_value *sf_toml_find(const struct sf_toml *doc, const char *const *path,
                                         size_t depth)
{
    const struct sf_toml_value *v = doc->root;

    for (size_t i = 0; v && i < depth; i++)
        v = v->type == SF_TOML_TABLE ? sf_toml_get(v, path[i]) : NULL;
    return v;
}

const char *sf_toml_type_name(enum sf_toml_type type)
{
    static const char *const names[] = {
        [SF_TOML_STRING] = "a string",
        [SF_TOML_INTEGER] = "an integer",
        [SF_TOML_FLOAT] = "a float",
        [SF_TOML_BOOLEAN] = "a boolean",
        [SF_TOML_DATETIME] = "a date and time",
        [SF_TOML_DATETIME_LOCAL] = "a local date and time",
        [SF_TOML_DATE_LOCAL] = "a date",
        [SF_TOML_TIME_LOCAL] = "a time",
        [SF_TOML_ARRAY] = "an array",
        [SF_TOML_TABLE] = "a table",
    };

    return names[type];
}
