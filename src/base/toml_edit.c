/*
 * toml_edit.c: the editor behind `sf config set`. It looks for the deepest table on the path
 * that is there already; how that table was written (header, dotted keys, inline) decides
 * where the new line goes and how much of the path it has to spell out.
 */
#include "base/base.h"
#include "base/toml_parse.h"

enum { MAX_BYTES = 64 * 1024 * 1024 };

struct place {
    const char *const *path;
    size_t depth;
    struct sf_toml *doc;
    struct sf_toml_value *tables[SF_TOML_MAX_DEPTH]; /* those on the path; [0] is the root */
    size_t found;                                    /* how many parts of the path are tables */
};

/* Walks down the path as far as tables lead. */
static bool locate(struct place *at, struct sf_error *err)
{
    struct sf_toml_value *v = at->doc->root;

    at->tables[0] = v;
    for (at->found = 0; at->found + 1 < at->depth; at->found++) {
        v = sf_map_gets(&v->as.table->keys, at->path[at->found]);
        if (!v)
            return true;
        if (v->type != SF_TOML_TABLE)
            return sf_fail(err, SF_E_ARG, "'%s' is %s there, not a table", at->path[at->found],
                           sf_toml_type_name(v->type));
        at->tables[at->found + 1] = v;
    }
    return true;
}

static void add_path(struct sf_strbuf *out, const struct place *at, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (i > from)
            sf_strbuf_addch(out, '.');
        sf_toml_add_key(out, at->path[i]);
    }
}

static const char *newline_of(const struct sf_strbuf *text)
{
    const char *nl = memchr(text->buf, '\n', text->len);

    return nl && nl > text->buf && nl[-1] == '\r' ? "\r\n" : "\n";
}

/* Puts a whole line at an offset that starts one, or closes an unfinished last line first. */
static void insert_line(struct sf_strbuf *text, size_t offset, const char *line)
{
    const char *nl = newline_of(text);
    struct sf_strbuf sb = SF_STRBUF_INIT;

    if (offset && offset == text->len && text->buf[offset - 1] != '\n')
        sf_strbuf_adds(&sb, nl);
    sf_strbuf_adds(&sb, line);
    sf_strbuf_adds(&sb, nl);
    sf_strbuf_splice(text, offset, 0, sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

/* Behind the last pair of an inline table, before its closing brace. */
static void insert_inline(struct sf_strbuf *text, const struct sf_toml_value *table,
                          const char *pair)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t offset = table->end - 1;
    bool spaced = text->buf[offset - 1] == ' ';

    while (text->buf[offset - 1] == ' ' || text->buf[offset - 1] == '\t')
        offset--;
    if (table->as.table->keys.count)
        sf_strbuf_addf(&sb, ", %s", pair);
    else
        sf_strbuf_addf(&sb, " %s%s", pair, spaced ? "" : " ");
    sf_strbuf_splice(text, offset, 0, sb.buf, sb.len);
    sf_strbuf_release(&sb);
}

static size_t line_start(const struct sf_strbuf *text, size_t offset)
{
    while (offset && text->buf[offset - 1] != '\n')
        offset--;
    return offset;
}

/* Where the root's first key goes: above the first header and the comment on top of it. */
static size_t first_key_offset(const struct place *at, const struct sf_strbuf *text)
{
    size_t offset = line_start(text, at->doc->first_header);

    while (offset) {
        size_t before = line_start(text, offset - 1);

        if (text->buf[before] != '#')
            break;
        offset = before;
    }
    return offset;
}

static void insert_in_section(struct sf_strbuf *text, const struct place *at, size_t owner,
                              const char *line)
{
    size_t offset = at->tables[owner]->as.table->body_end;

    if (offset == 0 && at->doc->first_header < text->len) {
        offset = first_key_offset(at, text);
        insert_line(text, offset, "");
    } else if (offset == 0) {
        offset = text->len;
    }
    insert_line(text, offset, line);
}

static void append_section(struct sf_strbuf *text, const struct place *at, const char *line)
{
    struct sf_strbuf header = SF_STRBUF_INIT;

    sf_strbuf_addch(&header, '[');
    add_path(&header, at, 0, at->depth - 1);
    sf_strbuf_addch(&header, ']');
    if (text->len && text->buf[text->len - 1] != '\n')
        sf_strbuf_adds(text, newline_of(text));
    if (text->len)
        insert_line(text, text->len, "");
    insert_line(text, text->len, header.buf);
    insert_line(text, text->len, line);
    sf_strbuf_release(&header);
}

/* The key is new: finds its place by how the deepest table on the way was written. */
static void insert_new(struct sf_strbuf *text, const struct place *at, const char *literal)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    size_t owner = at->found;
    enum sf_toml_origin deepest = at->tables[at->found]->as.table->origin;

    while (owner > 0 && at->tables[owner]->as.table->origin == SF_TOML_ORIGIN_DOTTED)
        owner--;
    if (deepest == SF_TOML_ORIGIN_IMPLICIT ||
        (deepest == SF_TOML_ORIGIN_HEADER && owner + 1 < at->depth))
        owner = at->depth - 1;
    add_path(&line, at, owner, at->depth);
    sf_strbuf_addf(&line, " = %s", literal);
    if (owner > at->found || at->tables[owner]->as.table->origin == SF_TOML_ORIGIN_IMPLICIT)
        append_section(text, at, line.buf);
    else if (at->tables[owner]->as.table->origin == SF_TOML_ORIGIN_INLINE)
        insert_inline(text, at->tables[owner], line.buf);
    else
        insert_in_section(text, at, owner, line.buf);
    sf_strbuf_release(&line);
}

static bool is_section(const struct sf_toml_value *v)
{
    if (v->type == SF_TOML_ARRAY)
        return v->as.array.of_tables;
    return v->type == SF_TOML_TABLE && v->as.table->origin != SF_TOML_ORIGIN_INLINE;
}

/* Whether all of `a` is in `b` as well, but for the value at the path. */
static bool same_except(const struct sf_toml_value *a, const struct sf_toml_value *b,
                        const char *const *path, size_t depth)
{
    const struct sf_map *left = &a->as.table->keys, *right = &b->as.table->keys;

    for (size_t i = 0; i < left->count; i++) {
        const struct sf_map_entry *e = &left->entries[i];
        const struct sf_toml_value *mine = e->value, *other = sf_map_get(right, e->key, e->len);

        if (strlen(path[0]) == e->len && !memcmp(path[0], e->key, e->len)) {
            if (depth == 1)
                continue;
            if (!other || mine->type != SF_TOML_TABLE || other->type != SF_TOML_TABLE ||
                !same_except(mine, other, path + 1, depth - 1))
                return false;
        } else if (!other || !sf_toml_equal(mine, other)) {
            return false;
        }
    }
    return true;
}

/* Reads the new text back and compares: `literal` at the path (none: nothing), the rest same. */
static bool verify(const struct place *at, const struct sf_strbuf *text, const char *literal)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_toml *now = sf_toml_parse(text->buf, text->len, MAX_BYTES, &ignored), *want = NULL;
    struct sf_strbuf sb = SF_STRBUF_INIT;
    const struct sf_toml_value *is;
    bool ok = false;

    if (!now)
        goto out;
    is = sf_toml_find(now, at->path, at->depth);
    if (literal) {
        sf_strbuf_addf(&sb, "v = %s\n", literal);
        want = sf_toml_parse(sb.buf, sb.len, MAX_BYTES, &ignored);
        if (!want || !is || !sf_toml_equal(is, sf_toml_get(want->root, "v")))
            goto out;
    } else if (is) {
        goto out;
    }
    ok = same_except(at->doc->root, now->root, at->path, at->depth) &&
         same_except(now->root, at->doc->root, at->path, at->found + 1);
out:
    sf_strbuf_release(&sb);
    sf_toml_free(want);
    sf_toml_free(now);
    return ok;
}

static bool begin(struct place *at, const struct sf_strbuf *text, struct sf_error *err)
{
    if (!at->depth || at->depth > SF_TOML_MAX_DEPTH) {
        sf_fail(err, SF_E_ARG, "the key has too many parts");
        return false;
    }
    at->doc = sf_toml_parse(text->buf, text->len, MAX_BYTES, err);
    return at->doc && locate(at, err);
}

/* Takes the edited text over when it means what was asked; otherwise says so. */
static bool finish(struct place *at, struct sf_strbuf *text, struct sf_strbuf *edited,
                   const char *literal, struct sf_error *err)
{
    struct sf_strbuf old = *text;

    if (!verify(at, edited, literal)) {
        sf_fail(err, SF_E_ARG, "'%s' cannot be changed without touching the rest of the file",
                at->path[at->depth - 1]);
        return sf_hint(err, "edit the file by hand");
    }
    *text = *edited;
    *edited = old;
    return true;
}

bool sf_toml_edit_set(struct sf_strbuf *text, const char *const *path, size_t depth,
                      const char *literal, struct sf_error *err)
{
    struct place at = { .path = path, .depth = depth };
    struct sf_strbuf edited = SF_STRBUF_INIT;
    const struct sf_toml_value *old;
    bool ok = false;

    if (!begin(&at, text, err))
        goto out;
    sf_strbuf_add(&edited, text->buf, text->len);
    old = at.found + 1 == depth ? sf_toml_get(at.tables[at.found], path[depth - 1]) : NULL;
    if (old && is_section(old)) {
        sf_fail(err, SF_E_ARG, "'%s' is %s there", path[depth - 1], sf_toml_type_name(old->type));
        goto out;
    }
    if (old)
        sf_strbuf_splice(&edited, old->at, old->end - old->at, literal, strlen(literal));
    else
        insert_new(&edited, &at, literal);
    ok = finish(&at, text, &edited, literal, err);
out:
    sf_toml_free(at.doc);
    sf_strbuf_release(&edited);
    return ok;
}

bool sf_toml_edit_unset(struct sf_strbuf *text, const char *const *path, size_t depth,
                        struct sf_error *err)
{
    struct place at = { .path = path, .depth = depth };
    struct sf_strbuf edited = SF_STRBUF_INIT;
    const struct sf_toml_value *old;
    const char *nl;
    size_t start, end;
    bool ok = false;

    if (!begin(&at, text, err))
        goto out;
    old = at.found + 1 == depth ? sf_toml_get(at.tables[at.found], path[depth - 1]) : NULL;
    if (!old) {
        sf_fail(err, SF_E_NOENT, "'%s' is not set there", path[depth - 1]);
        goto out;
    }
    sf_strbuf_add(&edited, text->buf, text->len);
    start = line_start(&edited, old->key_at);
    nl = memchr(edited.buf + old->end, '\n', edited.len - old->end);
    end = nl ? (size_t)(nl - edited.buf) + 1 : edited.len;
    sf_strbuf_splice(&edited, start, end - start, "", 0);
    ok = finish(&at, text, &edited, NULL, err);
out:
    sf_toml_free(at.doc);
    sf_strbuf_release(&edited);
    return ok;
}
