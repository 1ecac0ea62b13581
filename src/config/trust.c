/*
 * trust.c: the list of trusted workspaces, $SF_HOME/trust.toml. Writers take a lock and replace
 * the file in one step; readers need no lock. The digest covers every policy file by name,
 * length and content, so nothing can be slipped in after trust was given.
 */
#include "config/trust.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/base.h"
#include "io/io.h"

enum { MAX_LIST = 4 * 1024 * 1024, MAX_POLICY = 4 * 1024 * 1024, MAX_FILES = 4096, MAX_DEPTH = 16 };

const char *const sf_trust_files[] = {
    ".sf/config.toml",       ".sf/modes", ".sf/agents",     ".sf/commands",     ".sf/hooks",
    ".kibitzer/config.toml", ".mcp.json", ".agents/skills", ".claude/commands", NULL,
};

struct digest {
    struct sf_sha256 sha;
    size_t files, bytes;
    struct sf_error *err;
};

static bool add_path(struct digest *d, const char *root, const char *name, int depth);

static bool add_dir(struct digest *d, const char *root, const char *name, int depth)
{
    char *path = sf_path_join(root, name);
    struct sf_strlist names = SF_STRLIST_INIT;
    DIR *dir = opendir(path);
    bool ok = dir != NULL;
    struct dirent *entry;

    if (!ok)
        sf_fail_errno(d->err, "cannot read %s", path);
    while (ok && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            sf_strlist_add(&names, entry->d_name);
    sf_strlist_sort(&names);
    for (size_t i = 0; ok && i < names.count; i++) {
        char *child = sf_path_join(name, names.items[i]);

        ok = add_path(d, root, child, depth + 1);
        free(child);
    }
    if (dir)
        closedir(dir);
    sf_strlist_release(&names);
    free(path);
    return ok;
}

static bool add_file(struct digest *d, const char *path, const char *name)
{
    struct sf_strbuf text = SF_STRBUF_INIT, head = SF_STRBUF_INIT;
    bool ok = sf_file_read(path, MAX_POLICY - d->bytes, &text, d->err);

    if (ok) {
        sf_strbuf_addf(&head, "%zu %s %zu ", strlen(name), name, text.len);
        sf_sha256_update(&d->sha, head.buf, head.len);
        sf_sha256_update(&d->sha, text.buf, text.len);
        d->bytes += text.len;
    }
    sf_strbuf_release(&text);
    sf_strbuf_release(&head);
    return ok;
}

static bool add_path(struct digest *d, const char *root, const char *name, int depth)
{
    char *path = sf_path_join(root, name);
    struct stat st;
    bool ok = true;

    if (depth > MAX_DEPTH || ++d->files > MAX_FILES)
        ok = sf_fail(d->err, SF_E_LIMIT, "%s holds too many policy files to vouch for", root);
    else if (stat(path, &st) != 0)
        ok = errno == ENOENT || errno == ENOTDIR || sf_fail_errno(d->err, "cannot read %s", path);
    else if (S_ISDIR(st.st_mode))
        ok = add_dir(d, root, name, depth);
    else
        ok = add_file(d, path, name);
    free(path);
    return ok;
}

static bool digest_of(const char *root, char hex[SF_SHA256_HEX + 1], struct sf_error *err)
{
    struct digest d = { .err = err };
    unsigned char digest[SF_SHA256_SIZE];

    sf_sha256_init(&d.sha);
    for (size_t i = 0; sf_trust_files[i]; i++)
        if (!add_path(&d, root, sf_trust_files[i], 0))
            return false;
    sf_sha256_final(&d.sha, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return true;
}

static char *list_path(struct sf_error *err)
{
    char *state = sf_env_state_dir(err), *path = state ? sf_path_join(state, "trust.toml") : NULL;

    free(state);
    return path;
}

/* The list as it is on disk; an empty document when there is none yet. */
static struct sf_toml *read_list(const char *path, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_toml *doc = NULL;

    if (sf_file_read(path, MAX_LIST, &text, err) || err->code == SF_E_NOENT) {
        doc = sf_toml_parse(text.buf, text.len, MAX_LIST, err);
        if (!doc) {
            err->code = SF_E_DAMAGED;
            sf_error_prefix(err, "%s:%u:%u: ", path, err->line, err->column);
            sf_hint(err, "no workspace is trusted until the file is mended or moved away");
        }
    }
    sf_strbuf_release(&text);
    return doc;
}

static const char *field(const struct sf_toml_value *entry, const char *name)
{
    const struct sf_toml_value *v = sf_toml_get(entry, name);

    return v && v->type == SF_TOML_STRING ? v->as.str.text : "";
}

/* Calls fn for each well-formed entry; others are passed over and stay untrusted. */
static void each_entry(const struct sf_toml *doc, sf_trust_fn *fn, void *ctx)
{
    const struct sf_toml_value *all = sf_toml_get(sf_toml_root(doc), "workspace");

    if (!all || all->type != SF_TOML_ARRAY)
        return;
    for (size_t i = 0; i < all->as.array.count; i++) {
        const struct sf_toml_value *v = all->as.array.items[i];
        struct sf_trust_entry entry;

        if (v->type != SF_TOML_TABLE)
            continue;
        entry = (struct sf_trust_entry){ field(v, "path"), field(v, "digest"), field(v, "added") };
        if (*entry.path)
            fn(ctx, &entry);
    }
}

struct lookup {
    const char *root;
    const char *digest; /* of the entry found, or NULL */
};

static void look(void *ctx, const struct sf_trust_entry *entry)
{
    struct lookup *l = ctx;

    if (!strcmp(entry->path, l->root))
        l->digest = entry->digest;
}

bool sf_trust_check(const char *root, enum sf_trust_state *state, struct sf_error *err)
{
    struct lookup l = { root, NULL };
    char hex[SF_SHA256_HEX + 1];
    char *path = list_path(err);
    struct sf_toml *doc = path ? read_list(path, err) : NULL;
    bool ok = doc != NULL;

    *state = SF_TRUST_NO;
    if (ok)
        each_entry(doc, look, &l);
    if (l.digest) {
        ok = digest_of(root, hex, err);
        if (ok)
            *state = strcmp(hex, l.digest) ? SF_TRUST_CHANGED : SF_TRUST_YES;
    }
    sf_toml_free(doc);
    free(path);
    return ok;
}

bool sf_trust_each(sf_trust_fn *fn, void *ctx, struct sf_error *err)
{
    char *path = list_path(err);
    struct sf_toml *doc = path ? read_list(path, err) : NULL;

    if (doc)
        each_entry(doc, fn, ctx);
    free(path);
    if (!doc)
        return false;
    sf_toml_free(doc);
    return true;
}

static void write_entry(struct sf_strbuf *out, const struct sf_trust_entry *entry)
{
    const char *const pairs[][2] = { { "path", entry->path },
                                     { "digest", entry->digest },
                                     { "added", entry->added } };

    sf_strbuf_adds(out, "\n[[workspace]]\n");
    for (size_t i = 0; i < SF_COUNT(pairs); i++) {
        sf_strbuf_addf(out, "%s = ", pairs[i][0]);
        sf_toml_add_string(out, pairs[i][1], strlen(pairs[i][1]));
        sf_strbuf_addch(out, '\n');
    }
}

struct rewrite {
    const char *root;
    struct sf_strbuf text;
    bool found;
};

static void keep_others(void *ctx, const struct sf_trust_entry *entry)
{
    struct rewrite *r = ctx;

    if (!strcmp(entry->path, r->root))
        r->found = true;
    else
        write_entry(&r->text, entry);
}

/* Writes the list anew without `root`, then with `entry` if there is one. */
static bool rewrite_list(const char *root, const struct sf_trust_entry *entry, bool *found,
                         struct sf_error *err)
{
    struct rewrite r = { root, SF_STRBUF_INIT, false };
    struct sf_lock lock = SF_LOCK_INIT;
    char *state = sf_env_state_dir(err), *path = NULL, *lock_path = NULL;
    struct sf_toml *doc = NULL;
    bool ok = false;

    if (!state || !sf_dir_make(state, 0700, err))
        goto out;
    path = sf_path_join(state, "trust.toml");
    lock_path = sf_path_join(state, "trust.lock");
    if (!sf_lock_take(lock_path, 10000, &lock, err))
        goto out;
    doc = read_list(path, err);
    if (!doc)
        goto out;
    sf_strbuf_adds(&r.text, "# Workspaces you trust. Kept by `sf trust`.\n");
    each_entry(doc, keep_others, &r);
    if (entry)
        write_entry(&r.text, entry);
    ok = sf_file_write_atomic(path, r.text.buf, r.text.len, 0600, err);
    *found = r.found;
out:
    sf_lock_drop(&lock);
    sf_toml_free(doc);
    sf_strbuf_release(&r.text);
    free(lock_path);
    free(path);
    free(state);
    return ok;
}

/* Everything the user owns lies below these: trusting them would trust every download. */
static bool is_too_wide(const char *root)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *home = sf_env_home(&ignored), *real = home ? sf_path_real(home, &ignored) : NULL;
    bool yes = !strcmp(root, "/") || (home && !strcmp(root, home)) || (real && !strcmp(root, real));

    free(home);
    free(real);
    return yes;
}

bool sf_trust_add(const char *root, int64_t now_ms, struct sf_error *err)
{
    char hex[SF_SHA256_HEX + 1], added[SF_TIME_MAX];
    struct sf_trust_entry entry = { root, hex, added };
    bool found;

    if (!sf_utf8_valid(root, strlen(root), NULL))
        return sf_fail(err, SF_E_ARG, "the path is not valid UTF-8 and cannot be recorded");
    if (is_too_wide(root)) {
        sf_fail(err, SF_E_ARG, "%s is too wide to be trusted", root);
        return sf_hint(err, "trust single projects: -C DIR");
    }
    if (!digest_of(root, hex, err))
        return false;
    sf_time_format_utc(added, now_ms);
    return rewrite_list(root, &entry, &found, err);
}

bool sf_trust_remove(const char *root, bool *found, struct sf_error *err)
{
    return rewrite_list(root, NULL, found, err);
}
