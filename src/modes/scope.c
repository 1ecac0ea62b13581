/*
 * scope.c: the built-in write scopes, those in force, and the comparison of entries. A malformed
 * entry matches nothing: a mistake costs a question, not a file.
 */
#include "modes/scope.h"

#include <string.h>

#include "modes/names.h"

static const char *const everything[] = { "*", NULL };
static const char *const sources[] = { "src/", "lib/", NULL };
static const char *const tests[] = { "tests/", "test/", "spec/", NULL };
static const char *const documents[] = { "docs/", "README.md", "CHANGELOG.md", NULL };
static const char *const nothing[] = { NULL };

const struct sf_scope sf_scopes_builtin[] = {
    { "free", everything, "" },
    { "implement", sources, "" },
    { "test", tests, "Write tests for expected behavior, not current behavior." },
    { "docs", documents, "Explain the why, not the what." },
    { "explore", nothing, "Map the territory before making changes." },
    { "review", nothing, "Read everything, then verify with tests." },
};
const size_t sf_scope_builtin_count = SF_COUNT(sf_scopes_builtin);

static bool name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

bool sf_scope_name_ok(const char *name)
{
    size_t n = strnlen(name, SF_SCOPE_NAME_MAX + 1);

    if (n == 0 || n > SF_SCOPE_NAME_MAX || name[0] == '-')
        return false;
    for (size_t i = 0; i < n; i++)
        if (!name_byte(name[i]))
            return false;
    return true;
}

static const struct sf_scope *find_in(const struct sf_scope *scopes, size_t count, const char *name)
{
    for (size_t i = count; i > 0; i--)
        if (!strcmp(scopes[i - 1].name, name))
            return &scopes[i - 1];
    return NULL;
}

bool sf_scope_configured(const struct sf_scope_set *set, const char *name)
{
    return find_in(set->extra, set->count, name) != NULL;
}

const struct sf_scope *sf_scope_find(const struct sf_scope_set *set, const char *name)
{
    const struct sf_scope *found = find_in(set->extra, set->count, name);

    return found ? found : find_in(sf_scopes_builtin, sf_scope_builtin_count, name);
}

const struct sf_scope *sf_scope_next(const struct sf_scope_set *set, size_t *cursor)
{
    if (*cursor < sf_scope_builtin_count)
        return sf_scope_find(set, sf_scopes_builtin[(*cursor)++].name);
    while (*cursor - sf_scope_builtin_count < set->count) {
        const struct sf_scope *scope = &set->extra[(*cursor)++ - sf_scope_builtin_count];

        if (find_in(sf_scopes_builtin, sf_scope_builtin_count, scope->name))
            continue; /* returned already, in place of the built-in scope */
        if (sf_scope_find(set, scope->name) == scope)
            return scope;
    }
    return NULL;
}

static bool unknown(const struct sf_scope_set *set, const char *name, struct sf_error *err)
{
    struct sf_strbuf list = SF_STRBUF_INIT;
    const struct sf_scope *scope;
    char quote[SF_QUOTE_MAX];
    struct sf_suggest s;
    size_t cursor = 0;

    sf_fail(err, SF_E_ARG, "there is no scope called \"%s\"", sf_quote(quote, name, strlen(name)));
    sf_suggest_start(&s, name);
    while ((scope = sf_scope_next(set, &cursor))) {
        sf_suggest_offer(&s, scope->name);
        sf_strbuf_addf(&list, "%s%s", list.len ? ", " : "one of ", scope->name);
    }
    sf_suggest_hint(&s, list.buf, err);
    sf_strbuf_release(&list);
    return false;
}

const struct sf_scope *sf_scope_get(const struct sf_scope_set *set, const char *name,
                                    struct sf_error *err)
{
    const struct sf_scope *found = sf_scope_find(set, name);

    if (!found)
        unknown(set, name, err);
    return found;
}

/* C0, DEL, and C1 encoded in UTF-8. */
static bool has_control(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c < ' ' || c == 0x7f)
            return true;
        if (c == 0xc2 && i + 1 < len && ((unsigned char)text[i + 1] & 0xe0) == 0x80)
            return true;
    }
    return false;
}

static size_t part_length(const char *text, size_t len)
{
    const char *slash = len ? memchr(text, '/', len) : NULL;

    return slash ? (size_t)(slash - text) : len;
}

/* "src/../tests/" looks like a part of src/, but is not. */
static bool plain_part(const char *part, size_t len)
{
    return len > 0 && !(len == 1 && part[0] == '.') &&
           !(len == 2 && part[0] == '.' && part[1] == '.');
}

bool sf_scope_path_ok(const char *path, size_t len)
{
    size_t at = 0;

    if (len == 0 || len > SF_SCOPE_PATH_MAX || has_control(path, len))
        return false;
    for (;;) {
        size_t n = part_length(path + at, len - at);

        if (!plain_part(path + at, n))
            return false;
        at += n;
        if (at == len)
            return true;
        at++;
    }
}

/* The rest of an entry or a path, and the part that was taken last. */
struct parts {
    const char *rest, *end;
    const char *part;
    size_t len;
};

static struct parts parts_of(const char *text, size_t len)
{
    return (struct parts){ .rest = text, .end = text + len };
}

/* Takes the next part, skipping doubled slashes and ".". */
static bool next_part(struct parts *p)
{
    while (p->rest < p->end) {
        p->part = p->rest;
        p->len = part_length(p->rest, (size_t)(p->end - p->rest));
        p->rest += p->len;
        p->rest += p->rest < p->end;
        if (p->len && !(p->len == 1 && *p->part == '.'))
            return true;
    }
    return false;
}

/* A message about what is wrong with an entry, or NULL. */
static const char *entry_problem(const char *entry)
{
    size_t count = 0, n = strlen(entry);
    struct parts p = parts_of(entry, n);

    if (!strcmp(entry, "*"))
        return NULL;
    if (!n || n > SF_SCOPE_PATH_MAX)
        return n ? "it is too long" : "it is empty";
    if (has_control(entry, n))
        return "it holds a control character";
    if (*entry == '/')
        return "it is absolute";
    if (strchr(entry, '*'))
        return "a * stands for everything and only alone";
    for (; next_part(&p); count++)
        if (!plain_part(p.part, p.len))
            return "it leads upwards";
    return count ? NULL : "it names nothing";
}

bool sf_scope_check(const struct sf_scope *scope, struct sf_error *err)
{
    char quote[SF_QUOTE_MAX];

    if (!sf_scope_name_ok(scope->name)) {
        sf_fail(err, SF_E_ARG, "\"%s\" cannot be the name of a scope",
                sf_quote(quote, scope->name, strlen(scope->name)));
        return sf_hint(err, "use letters, digits, - _ and ., %d at most", SF_SCOPE_NAME_MAX);
    }
    for (const char *const *it = scope->writable; *it; it++) {
        const char *problem = entry_problem(*it);

        if (!problem)
            continue;
        sf_fail(err, SF_E_ARG, "scope %s cannot hold \"%s\": %s", scope->name,
                sf_quote(quote, *it, strlen(*it)), problem);
        return sf_hint(err, "an entry is a directory ending in /, a file, or * alone, "
                            "relative to the workspace and without ..");
    }
    return true;
}

/* "src/" and "src/." are directories. */
static bool is_directory(const char *entry)
{
    size_t n = strlen(entry);

    return n && (entry[n - 1] == '/' || (n > 1 && entry[n - 1] == '.' && entry[n - 2] == '/'));
}

/* Takes the parts of `entry` off the front of `from`; false if they differ. */
static bool take_parts(const char *entry, struct parts *from)
{
    struct parts p = parts_of(entry, strlen(entry));

    while (next_part(&p))
        if (!next_part(from) || p.len != from->len || memcmp(p.part, from->part, p.len) != 0)
            return false;
    return true;
}

bool sf_scope_entry_allows(const char *entry, const char *path, size_t len)
{
    struct parts left = parts_of(path, len);

    if (entry_problem(entry) || !sf_scope_path_ok(path, len))
        return false;
    if (!strcmp(entry, "*"))
        return true;
    return take_parts(entry, &left) && next_part(&left) == is_directory(entry);
}

bool sf_scope_entry_covers(const char *other, const char *entry)
{
    struct parts left = parts_of(entry, strlen(entry));
    bool below;

    if (entry_problem(other) || entry_problem(entry))
        return false;
    if (!strcmp(other, "*") || !strcmp(entry, "*"))
        return !strcmp(other, "*");
    if (!take_parts(other, &left))
        return false;
    below = next_part(&left) || is_directory(entry);
    return below == is_directory(other);
}
