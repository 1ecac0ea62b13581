/*
 * trust.c: the list of trusted workspaces, $SF_HOME/trust.toml. Writers take a lock and replace the
 * file atomically; readers need no lock. The digest covers name, length and content of every policy
 * file, so nothing can be added after trust was given.
 */
#include "config/trust.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/base.h"
#include "io/io.h"

enum {
    MAX_LIST = 4 * 1024 * 1024,
    MAX_POLICY = 4 * 1024 * 1024,
    MAX_FILES = 4096,
    MAX_DEPTH = 16,
    MAX_NAMED = 128, /* files of a workspace that are listed one by one */
    MAX_NAME = 256,  /* bytes of the longest name in that list */
    MARK = 16,       /* digits of a file's hash: enough to name a change; the digest decides */
};

const char *const sf_trust_files[] = {
    ".sf/config.toml",       ".sf/modes", ".sf/agents",     ".sf/commands",     ".sf/hooks",
    ".kibitzer/config.toml", ".mcp.json", ".agents/skills", ".claude/commands", NULL,
};

struct digest {
    struct sf_sha256 sha;
    size_t files, bytes;
    struct sf_strlist *named; /* "HASH NAME", or NULL: not wanted */
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

static void note_file(struct digest *d, const char *name, const struct sf_strbuf *text)
{
    char hex[SF_SHA256_HEX + 1];

    if (!d->named || d->named->count >= MAX_NAMED || strlen(name) > MAX_NAME ||
        !sf_utf8_valid(name, strlen(name), NULL))
        return;
    sf_sha256_hex(text->buf, text->len, hex);
    sf_strlist_addf(d->named, "%.*s %s", MARK, hex, name);
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
        note_file(d, name, &text);
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
        ok = sf_fail(d->err, SF_E_LIMIT, "%s holds too many policy files to be trusted", root);
    else if (stat(path, &st) != 0)
        ok = errno == ENOENT || errno == ENOTDIR || sf_fail_errno(d->err, "cannot read %s", path);
    else if (S_ISDIR(st.st_mode))
        ok = add_dir(d, root, name, depth);
    else
        ok = add_file(d, path, name);
    free(path);
    return ok;
}

static bool digest_of(const char *root, char hex[SF_SHA256_HEX + 1], struct sf_strlist *named,
                      struct sf_error *err)
{
    struct digest d = { .named = named, .err = err };
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

/* Reads the list from disk; an empty document if there is none yet. */
static struct sf_toml *read_list(const char *path, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_toml *doc = NULL;

    if (sf_file_read(path, MAX_LIST, &text, err) || err->code == SF_E_NOENT) {
        doc = sf_toml_parse(text.buf, text.len, MAX_LIST, err);
        if (!doc) {
            err->code = SF_E_DAMAGED;
            sf_error_prefix(err, "%s:%u:%u: ", path, err->line, err->column);
            sf_hint(err, "no workspace is trusted until the file is fixed or moved away");
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

static void read_files(const struct sf_toml_value *entry, struct sf_strlist *out)
{
    const struct sf_toml_value *all = sf_toml_get(entry, "files");

    for (size_t i = 0; all && all->type == SF_TOML_ARRAY && i < all->as.array.count; i++)
        if (all->as.array.items[i]->type == SF_TOML_STRING && out->count < MAX_NAMED)
            sf_strlist_add(out, all->as.array.items[i]->as.str.text);
}

/* Visits each well-formed entry of that kind; others are skipped and give no trust. */
static void each_of(const struct sf_toml *doc, const char *kind, sf_trust_fn *fn, void *ctx)
{
    const struct sf_toml_value *all = sf_toml_get(sf_toml_root(doc), kind);

    if (!all || all->type != SF_TOML_ARRAY)
        return;
    for (size_t i = 0; i < all->as.array.count; i++) {
        const struct sf_toml_value *v = all->as.array.items[i];
        struct sf_strlist files = SF_STRLIST_INIT;
        struct sf_trust_entry entry;

        if (v->type != SF_TOML_TABLE)
            continue;
        read_files(v, &files);
        entry = (struct sf_trust_entry){ field(v, "path"), field(v, "digest"), field(v, "added"),
                                         &files };
        if (*entry.path)
            fn(ctx, &entry);
        sf_strlist_release(&files);
    }
}

static const char trusted_kind[] = "workspace", never_kind[] = "never";

struct lookup {
    const char *root;
    const char *digest; /* of the entry that was found, or NULL */
    struct sf_strlist files;
    bool never;
};

static void look(void *ctx, const struct sf_trust_entry *entry)
{
    struct lookup *l = ctx;

    if (strcmp(entry->path, l->root) != 0)
        return;
    l->digest = entry->digest;
    sf_strlist_release(&l->files);
    for (size_t i = 0; i < entry->files->count; i++)
        sf_strlist_add(&l->files, entry->files->items[i]);
}

static void look_never(void *ctx, const struct sf_trust_entry *entry)
{
    struct lookup *l = ctx;

    l->never = l->never || !strcmp(entry->path, l->root);
}

bool sf_trust_check(const char *root, enum sf_trust_state *state, struct sf_error *err)
{
    struct lookup l = { .root = root, .files = SF_STRLIST_INIT };
    char hex[SF_SHA256_HEX + 1];
    char *path = list_path(err);
    struct sf_toml *doc = path ? read_list(path, err) : NULL;
    bool ok = doc != NULL;

    *state = SF_TRUST_NO;
    if (ok)
        each_of(doc, trusted_kind, look, &l);
    if (l.digest) {
        ok = digest_of(root, hex, NULL, err);
        if (ok)
            *state = strcmp(hex, l.digest) ? SF_TRUST_CHANGED : SF_TRUST_YES;
    }
    sf_strlist_release(&l.files);
    sf_toml_free(doc);
    free(path);
    return ok;
}

/* ---- the view of a workspace ---- */

/* The entry of that name, or NULL. */
static const char *find_file(const struct sf_strlist *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strlen(files->items[i]) > MARK && !strcmp(files->items[i] + MARK + 1, name))
            return files->items[i];
    return NULL;
}

/* Adds nothing if the files were not listed: an older list, or too many files. */
static void compare(const struct sf_strlist *before, const struct sf_strlist *now,
                    struct sf_strlist *out)
{
    for (size_t i = 0; before->count && i < now->count; i++) {
        const char *was = find_file(before, now->items[i] + MARK + 1);

        if (!was || strcmp(was, now->items[i]) != 0)
            sf_strlist_addf(out, "%s %s", was ? "changed" : "new", now->items[i] + MARK + 1);
    }
    for (size_t i = 0; i < before->count; i++)
        if (strlen(before->items[i]) > MARK && !find_file(now, before->items[i] + MARK + 1))
            sf_strlist_addf(out, "gone %s", before->items[i] + MARK + 1);
}

static bool is_too_wide(const char *root);

bool sf_trust_look(const char *root, struct sf_trust_view *view, struct sf_error *err)
{
    struct lookup l = { .root = root, .files = SF_STRLIST_INIT };
    struct sf_strlist now = SF_STRLIST_INIT;
    char hex[SF_SHA256_HEX + 1];
    char *path = list_path(err);
    struct sf_toml *doc = path ? read_list(path, err) : NULL;
    bool ok = doc && digest_of(root, hex, &now, err);

    sf_trust_view_release(view);
    view->wide = is_too_wide(root);
    if (ok) {
        each_of(doc, trusted_kind, look, &l);
        each_of(doc, never_kind, look_never, &l);
        view->never = l.never;
        memcpy(view->digest, hex, sizeof(view->digest));
        for (size_t i = 0; i < now.count; i++)
            sf_strlist_add(&view->files, now.items[i] + MARK + 1);
    }
    if (ok && l.digest)
        view->state = strcmp(hex, l.digest) ? SF_TRUST_CHANGED : SF_TRUST_YES;
    if (view->state == SF_TRUST_CHANGED)
        compare(&l.files, &now, &view->changes);
    sf_strlist_release(&l.files);
    sf_strlist_release(&now);
    sf_toml_free(doc);
    free(path);
    return ok;
}

void sf_trust_view_release(struct sf_trust_view *view)
{
    sf_strlist_release(&view->files);
    sf_strlist_release(&view->changes);
    *view = (struct sf_trust_view)SF_TRUST_VIEW_INIT;
}

bool sf_trust_each(sf_trust_fn *fn, void *ctx, struct sf_error *err)
{
    char *path = list_path(err);
    struct sf_toml *doc = path ? read_list(path, err) : NULL;

    if (doc)
        each_of(doc, trusted_kind, fn, ctx);
    free(path);
    if (!doc)
        return false;
    sf_toml_free(doc);
    return true;
}

static void write_text(struct sf_strbuf *out, const char *name, const char *text)
{
    sf_strbuf_addf(out, "%s = ", name);
    sf_toml_add_string(out, text, strlen(text));
    sf_strbuf_addch(out, '\n');
}

static void write_entry(struct sf_strbuf *out, const struct sf_trust_entry *entry)
{
    sf_strbuf_addf(out, "\n[[%s]]\n", trusted_kind);
    write_text(out, "path", entry->path);
    write_text(out, "digest", entry->digest);
    write_text(out, "added", entry->added);
    sf_strbuf_adds(out, "files = [");
    for (size_t i = 0; i < entry->files->count; i++) {
        sf_strbuf_adds(out, i ? ", " : "");
        sf_toml_add_string(out, entry->files->items[i], strlen(entry->files->items[i]));
    }
    sf_strbuf_adds(out, "]\n");
}

static void write_never(struct sf_strbuf *out, const char *root)
{
    sf_strbuf_addf(out, "\n[[%s]]\n", never_kind);
    write_text(out, "path", root);
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

static void keep_other_nevers(void *ctx, const struct sf_trust_entry *entry)
{
    struct rewrite *r = ctx;

    if (strcmp(entry->path, r->root) != 0)
        write_never(&r->text, entry->path);
}

/* A list too large to be read again would revoke the trust of all workspaces. */
static bool write_list(const char *path, const struct sf_strbuf *text, struct sf_error *err)
{
    if (text->len > MAX_LIST) {
        sf_fail(err, SF_E_LIMIT, "the list of trusted workspaces is full");
        return sf_hint(err, "take some out: sf trust list, then sf trust remove -C DIR");
    }
    return sf_file_write_atomic(path, text->buf, text->len, 0600, err);
}

/* Rewrites the list without `root`, then adds `entry` (or NULL), or `root` as one never to ask. */
static bool rewrite_list(const char *root, const struct sf_trust_entry *entry, bool never,
                         bool *found, struct sf_error *err)
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
    each_of(doc, trusted_kind, keep_others, &r);
    if (entry)
        write_entry(&r.text, entry);
    each_of(doc, never_kind, keep_other_nevers, &r);
    if (never)
        write_never(&r.text, root);
    ok = write_list(path, &r.text, err);
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

/* Everything the user owns is below these: trusting them would trust every download. */
static bool is_too_wide(const char *root)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *home = sf_env_home(&ignored), *real = home ? sf_path_real(home, &ignored) : NULL;
    bool yes = !strcmp(root, "/") || (home && !strcmp(root, home)) || (real && !strcmp(root, real));

    free(home);
    free(real);
    return yes;
}

static bool check_path(const char *root, struct sf_error *err)
{
    return sf_utf8_valid(root, strlen(root), NULL) ||
           sf_fail(err, SF_E_ARG, "the path is not valid UTF-8 and cannot be recorded");
}

bool sf_trust_add_seen(const char *root, const char *digest, int64_t now_ms, struct sf_error *err)
{
    char hex[SF_SHA256_HEX + 1], added[SF_TIME_MAX];
    struct sf_strlist files = SF_STRLIST_INIT;
    struct sf_trust_entry entry = { root, hex, added, &files };
    bool found, ok;

    if (!check_path(root, err))
        return false;
    if (is_too_wide(root)) {
        sf_fail(err, SF_E_ARG, "%s is too wide to be trusted", root);
        return sf_hint(err, "trust single projects: -C DIR");
    }
    sf_time_format_utc(added, now_ms);
    ok = digest_of(root, hex, &files, err);
    if (ok && digest && strcmp(hex, digest) != 0)
        ok = sf_fail(err, SF_E_ARG, "the policy files of %s changed while you were asked", root);
    ok = ok && rewrite_list(root, &entry, false, &found, err);
    sf_strlist_release(&files);
    return ok;
}

bool sf_trust_add(const char *root, int64_t now_ms, struct sf_error *err)
{
    return sf_trust_add_seen(root, NULL, now_ms, err);
}

bool sf_trust_never(const char *root, struct sf_error *err)
{
    bool found;

    return check_path(root, err) && rewrite_list(root, NULL, true, &found, err);
}

bool sf_trust_remove(const char *root, bool *found, struct sf_error *err)
{
    return rewrite_list(root, NULL, false, found, err);
}
