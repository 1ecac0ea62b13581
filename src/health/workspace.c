/*
 * workspace.c: checks of the workspace: whether it can be written, what people keep in .sf/, the
 * instructions, names that other systems take for the same.
 */
#include "workspace/workspace.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "health/internal.h"
#include "io/io.h"

enum { NAMES_MAX = 50000, NAMES_DEPTH = 12, FILES_MAX = 2000, FILE_BYTES = 1024 * 1024, SHOWN = 5 };

void sf_health_look_writable(struct sf_health *h)
{
    const char *root;

    if (!sf_health_has_workspace(h))
        return;
    root = h->at->workspace->root;
    if (access(root, W_OK | X_OK) < 0)
        sf_health_say(h, SF_HEALTH_PROBLEM, "make it writable, or work elsewhere: sf -C DIR",
                      "the workspace %s cannot be written: %s", root, strerror(errno));
    else
        sf_health_say(h, SF_HEALTH_OK, "", "%s", root);
}

/* ---- .sf/ ---- */

struct definitions {
    struct sf_health *health;
    size_t root_len, count, broken;
};

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);

    return n > m && !strcmp(path + n - m, end);
}

static bool parse(const char *path, const struct sf_strbuf *text, struct sf_error *err)
{
    const char *bytes = text->len ? text->buf : "";
    struct sf_json *head = NULL;
    struct sf_toml *toml = NULL;
    size_t body = 0;
    bool ok = true;

    if (ends_in(path, ".md"))
        ok = sf_frontmatter_parse(bytes, text->len, &head, &body, err);
    else if (ends_in(path, ".toml"))
        ok = (toml = sf_toml_parse(bytes, text->len, FILE_BYTES, err)) != NULL;
    sf_json_free(head);
    sf_toml_free(toml);
    return ok;
}

static bool look_definition(void *ctx, const char *path, const struct stat *st)
{
    struct definitions *d = ctx;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!S_ISREG(st->st_mode))
        return true;
    d->count++;
    if (!sf_file_read(path, FILE_BYTES, &text, &err) || !parse(path, &text, &err)) {
        d->broken++;
        if (err.line)
            sf_health_say(d->health, SF_HEALTH_PROBLEM, *err.hint ? err.hint : "fix the file",
                          "%s:%u:%u: %s", path + d->root_len + 1, err.line, err.column, err.msg);
        else
            sf_health_say(d->health, SF_HEALTH_PROBLEM, *err.hint ? err.hint : "fix the file",
                          "%s: %s", path + d->root_len + 1, err.msg);
    }
    sf_strbuf_release(&text);
    return true;
}

void sf_health_look_definitions(struct sf_health *h)
{
    static const char *const dirs[] = { ".sf/modes", ".sf/agents", ".sf/commands" };
    struct definitions d = { .health = h };

    if (!sf_health_has_workspace(h))
        return;
    d.root_len = strlen(h->at->workspace->root);
    for (size_t i = 0; i < SF_COUNT(dirs); i++) {
        struct sf_health_walk walk = {
            .fn = look_definition, .ctx = &d, .depth = 4, .left = FILES_MAX
        };
        char *dir = sf_path_join(h->at->workspace->root, dirs[i]);

        sf_health_walk(&walk, dir);
        free(dir);
    }
    if (!d.broken)
        sf_health_say(h, SF_HEALTH_OK, "", "%zu file%s of modes, agents and commands can be read",
                      d.count, d.count == 1 ? "" : "s");
}

/* ---- instructions ---- */

struct instructions {
    struct sf_health *health;
    size_t root_len, too_long;
    int64_t bytes;
};

static bool look_instructions(void *ctx, const char *path, const struct stat *st)
{
    struct instructions *in = ctx;

    if (!S_ISREG(st->st_mode) || (!ends_in(path, "/AGENTS.md") && !ends_in(path, "/CLAUDE.md")))
        return true;
    in->bytes += st->st_size;
    if (st->st_size > SF_INSTRUCTIONS_EACH) {
        in->too_long++;
        sf_health_say(in->health, SF_HEALTH_WARNING, "shorten it, or move parts below it",
                      "%s has %lld bytes: the model sees the first %d", path + in->root_len + 1,
                      (long long)st->st_size, SF_INSTRUCTIONS_EACH);
    }
    return true;
}

void sf_health_look_instructions(struct sf_health *h)
{
    static const char *const no[] = { ".git", "node_modules", NULL };
    struct instructions in = { .health = h };
    struct sf_health_walk walk = {
        .fn = look_instructions, .ctx = &in, .depth = 3, .left = NAMES_MAX, .no = no
    };

    if (!sf_health_has_workspace(h))
        return;
    in.root_len = strlen(h->at->workspace->root);
    sf_health_walk(&walk, h->at->workspace->root);
    if (!in.too_long)
        sf_health_say(h, SF_HEALTH_OK, "", "instructions of %lld bytes", (long long)in.bytes);
}

/* ---- names ---- */

struct names {
    struct name {
        char *folded, *path;
    } * items;
    size_t count, cap, root_len;
};

static bool take_name(void *ctx, const char *path, const struct stat *st)
{
    struct names *n = ctx;
    struct name name = { .path = sf_strdup(path + n->root_len + 1) };

    (void)st;
    name.folded = sf_strdup(name.path);
    for (char *at = name.folded; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    n->items = sf_grow(n->items, &n->cap, n->count + 1, sizeof(*n->items));
    n->items[n->count++] = name;
    return true;
}

static int by_folded(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order = strcmp(x->folded, y->folded);

    return order ? order : strcmp(x->path, y->path);
}

static void compare_names(struct sf_health *h, const struct names *n)
{
    size_t clashes = 0;

    for (size_t i = 1; i < n->count && clashes < SHOWN; i++)
        if (!strcmp(n->items[i - 1].folded, n->items[i].folded)) {
            clashes++;
            sf_health_say(
                h, SF_HEALTH_WARNING, "rename one: macOS and Windows take them for one file",
                "names differ in case only: %s and %s", n->items[i - 1].path, n->items[i].path);
        }
    if (!clashes)
        sf_health_say(h, SF_HEALTH_OK, "", "no two names differ in case only");
}

void sf_health_look_names(struct sf_health *h)
{
    static const char *const no[] = { ".git", "node_modules", NULL };
    struct names n = { 0 };
    struct sf_health_walk walk = {
        .fn = take_name, .ctx = &n, .depth = NAMES_DEPTH, .left = NAMES_MAX, .no = no
    };

    if (!sf_health_has_workspace(h))
        return;
    n.root_len = strlen(h->at->workspace->root);
    sf_health_walk(&walk, h->at->workspace->root);
    if (n.count)
        qsort(n.items, n.count, sizeof(*n.items), by_folded);
    compare_names(h, &n);
    for (size_t i = 0; i < n.count; i++) {
        free(n.items[i].folded);
        free(n.items[i].path);
    }
    free(n.items);
}
