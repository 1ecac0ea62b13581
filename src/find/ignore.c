/*
 * ignore.c: lines to rules, and rules to an answer. A list of rules is asked from its end: the
 * first that matches is the one that counts. Lines git would never let match make no rule.
 */
#include "find/ignore.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "find/wild.h"

struct rule {
    struct sf_wild *wild;
    bool negated;
    bool dirs_only;
    bool by_name; /* no slash in it: the last component is compared, at any depth */
};

struct rules {
    struct rule *items;
    size_t count, cap;
};

/* The files of one directory, and the user's own, in the order they are asked. */
enum { FROM_IGNORE, FROM_GIT, FROM_EXCLUDE, FROM_USER, SOURCES };

struct sf_ignore {
    struct sf_ignore *above;
    atomic_size_t refs;
    size_t dir_len; /* of "dir/" in front of the paths; 0 at the root */
    size_t bytes;   /* of all texts from here up */
    bool repository;
    struct rules sources[SOURCES];
};

/* Blanks at the end do not count, unless escaped. */
static size_t trim_end(const char *line, size_t len)
{
    size_t end = 0;

    for (size_t i = 0; i < len; i++) {
        if (line[i] == '\\')
            end = i + 2 < len ? (++i + 1) : len;
        else if (line[i] != ' ')
            end = i + 1;
    }
    return end;
}

static void add_rule(struct rules *rules, const char *line, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct rule rule = { .negated = *line == '!' };

    line += rule.negated;
    len -= rule.negated;
    if (len && line[len - 1] == '/') {
        rule.dirs_only = true;
        len--;
    }
    rule.by_name = !memchr(line, '/', len);
    if (len && line[0] == '/') {
        line++;
        len--;
    }
    if (!len)
        return;
    rule.wild = sf_wild_new(line, len, SF_WILD_GIT, &err);
    if (!rule.wild)
        return;
    rules->items = sf_grow(rules->items, &rules->cap, rules->count + 1, sizeof(rule));
    rules->items[rules->count++] = rule;
}

static void add_line(struct rules *rules, const char *line, size_t len)
{
    const char *nul = memchr(line, '\0', len);

    if (len && line[0] == '#')
        return;
    if (len && line[len - 1] == '\r')
        len--;
    if (nul && (size_t)(nul - line) < len)
        len = (size_t)(nul - line);
    len = trim_end(line, len);
    if (len)
        add_rule(rules, line, len);
}

static void read_rules(struct rules *rules, const char *text, size_t len)
{
    static const char bom[] = "\xef\xbb\xbf";
    const char *end = text + len;

    if (len >= 3 && !memcmp(text, bom, 3))
        text += 3;
    while (text < end) {
        const char *lf = memchr(text, '\n', (size_t)(end - text));

        if (!lf && len == SF_IGNORE_FILE_MAX)
            break; /* the rest of a line that was cut */
        add_line(rules, text, (size_t)((lf ? lf : end) - text));
        text = lf ? lf + 1 : end;
    }
}

/* -1: no rule matches; otherwise whether the last one that does leaves the path out. */
static int ask(const struct rules *rules, const char *path, size_t len, bool dir)
{
    const char *slash = memrchr(path, '/', len);
    const char *name = slash ? slash + 1 : path;
    size_t name_len = len - (size_t)(name - path);

    for (size_t i = rules->count; i > 0; i--) {
        const struct rule *rule = &rules->items[i - 1];

        if (rule->dirs_only && !dir)
            continue;
        if (rule->by_name ? sf_wild_match(rule->wild, name, name_len)
                          : sf_wild_match(rule->wild, path, len))
            return !rule->negated;
    }
    return -1;
}

bool sf_ignore_covers(const struct sf_ignore *ignore, const char *path, size_t len, bool dir)
{
    int answers[SOURCES] = { -1, -1, -1, -1 };
    bool in_repository = true;

    for (const struct sf_ignore *at = ignore; at; at = at->above) {
        for (int s = 0; s < SOURCES; s++) {
            if (answers[s] >= 0 || !at->sources[s].count)
                continue;
            if (in_repository || s == FROM_IGNORE || s == FROM_USER)
                answers[s] = ask(&at->sources[s], path + at->dir_len, len - at->dir_len, dir);
        }
        if (answers[FROM_IGNORE] >= 0)
            break;
        in_repository = in_repository && !at->repository;
    }
    for (int s = 0; s < SOURCES; s++)
        if (answers[s] >= 0)
            return answers[s];
    return false;
}

static size_t allowed(const struct sf_ignore *node, size_t len)
{
    if (node->bytes + len > SF_IGNORE_CHAIN_MAX)
        return 0;
    return len < SF_IGNORE_FILE_MAX ? len : SF_IGNORE_FILE_MAX;
}

static void fill(struct sf_ignore *node, int source, const char *text, size_t len)
{
    if (!text)
        return;
    len = allowed(node, len);
    read_rules(&node->sources[source], text, len);
    node->bytes += len;
}

struct sf_ignore *sf_ignore_enter(struct sf_ignore *above, size_t dir_len,
                                  const struct sf_ignore_texts *texts)
{
    struct sf_ignore *node;

    if (!texts->gitignore && !texts->ignore && !texts->exclude && !(texts->repository && above))
        return sf_ignore_ref(above);
    node = sf_alloc(sizeof(*node));
    atomic_init(&node->refs, 1);
    node->above = sf_ignore_ref(above);
    node->dir_len = dir_len ? dir_len + 1 : 0;
    node->bytes = above ? above->bytes : 0;
    node->repository = texts->repository;
    fill(node, FROM_IGNORE, texts->ignore, texts->ignore_len);
    fill(node, FROM_GIT, texts->gitignore, texts->gitignore_len);
    fill(node, FROM_EXCLUDE, texts->exclude, texts->exclude_len);
    return node;
}

struct sf_ignore *sf_ignore_user(const char *text, size_t len)
{
    struct sf_ignore *node = sf_alloc(sizeof(*node));

    atomic_init(&node->refs, 1);
    fill(node, FROM_USER, text, len);
    return node;
}

struct sf_ignore *sf_ignore_ref(struct sf_ignore *ignore)
{
    if (ignore)
        atomic_fetch_add(&ignore->refs, 1);
    return ignore;
}

void sf_ignore_unref(struct sf_ignore *ignore)
{
    while (ignore && atomic_fetch_sub(&ignore->refs, 1) == 1) {
        struct sf_ignore *above = ignore->above;

        for (int s = 0; s < SOURCES; s++) {
            for (size_t i = 0; i < ignore->sources[s].count; i++)
                sf_wild_free(ignore->sources[s].items[i].wild);
            free(ignore->sources[s].items);
        }
        free(ignore);
        ignore = above;
    }
}
