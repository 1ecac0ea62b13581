/*
 * write.c: changes keys of a settings file and nothing else in it. A lock in the state directory
 * serialises writers, so that none loses the other's key.
 */
#include "base/base.h"
#include "config/config_build.h"
#include "io/io.h"

/* The lock is in the user's state directory, not beside the file, to keep workspaces clean. */
static bool take_lock(struct sf_lock *lock, struct sf_error *err)
{
    char *state = sf_env_state_dir(err), *path = NULL;
    bool ok = state && sf_dir_make(state, 0700, err);

    if (ok) {
        path = sf_path_join(state, "config.lock");
        ok = sf_lock_take(path, 10000, lock, err);
    }
    free(path);
    free(state);
    return ok;
}

static bool make_parent(const char *file, struct sf_error *err)
{
    char *dir = sf_strdup(file), *slash = strrchr(dir, '/');
    bool ok = true;

    if (slash && slash != dir) {
        *slash = '\0';
        ok = sf_dir_make(dir, 0755, err);
    }
    free(dir);
    return ok;
}

/* Applies one edit to the text; `typed` NULL removes the key. */
static bool edit_text(struct sf_strbuf *text, const struct sf_config_edit *edit,
                      struct sf_error *err)
{
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_strbuf literal = SF_STRBUF_INIT;
    const struct sf_setting *setting = sf_config_lookup(edit->key, &path, err);
    const char *const *parts = (const char *const *)path.items;
    bool ok = setting && (!edit->typed || sf_config_literal(setting, edit->typed, &literal, err));

    if (ok)
        ok = edit->typed ? sf_toml_edit_set(text, parts, path.count, literal.buf, err)
                         : sf_toml_edit_unset(text, parts, path.count, err);
    sf_strlist_release(&path);
    sf_strbuf_release(&literal);
    return ok;
}

/* Reads, edits and replaces the file; the lock is held. */
static bool edit_file(const char *file, const struct sf_config_edit *edits, size_t count,
                      bool lenient, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_file_read(file, SF_CONFIG_MAX_BYTES, &text, err) || err->code == SF_E_NOENT;

    for (size_t i = 0; i < count && ok; i++) {
        ok = edit_text(&text, &edits[i], err);
        if (!ok && lenient && !edits[i].typed && err->code == SF_E_NOENT)
            ok = true;
    }
    if (!ok && err->line)
        sf_error_prefix(err, "%s:%u:%u: ", file, err->line, err->column);
    ok = ok && make_parent(file, err) && sf_file_write_atomic(file, text.buf, text.len, 0644, err);
    sf_strbuf_release(&text);
    return ok;
}

static bool write_edits(const char *file, const struct sf_config_edit *edits, size_t count,
                        bool lenient, struct sf_error *err)
{
    struct sf_lock lock = SF_LOCK_INIT;
    bool ok = take_lock(&lock, err) && edit_file(file, edits, count, lenient, err);

    sf_lock_drop(&lock);
    return ok;
}

bool sf_config_write(const char *file, const char *key, const char *typed, struct sf_error *err)
{
    const struct sf_config_edit edit = { key, typed };

    return write_edits(file, &edit, 1, false, err);
}

bool sf_config_write_all(const char *file, const struct sf_config_edit *edits, size_t count,
                         struct sf_error *err)
{
    return write_edits(file, edits, count, true, err);
}
