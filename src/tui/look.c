/*
 * look.c: themes and the branch that is checked out. Both are read from files with a ceiling, and
 * nothing in them is trusted.
 */
#include <string.h>

#include "tui/internal.h"

enum { THEME_MAX = 64 * 1024, HEAD_MAX = 4096 };

static bool is_name(const char *name)
{
    for (; *name; name++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *name))
            return false;
    return true;
}

bool sf_tui_theme(const char *name, struct sf_theme *theme, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT, file = SF_STRBUF_INIT;
    char *dir, *path = NULL;
    bool ok;

    if (sf_theme_builtin(theme, name))
        return true;
    if (!is_name(name) || !*name)
        return sf_fail(err, SF_E_ARG, "a theme's name has letters, digits, - and _ alone");
    sf_strbuf_addf(&file, "themes/%s.toml", name);
    dir = sf_env_config_dir(err);
    path = dir ? sf_path_join(dir, file.buf) : NULL;
    ok = path && sf_file_read(path, THEME_MAX, &text, err);
    if (ok && !sf_theme_parse(theme, text.buf, text.len, err)) {
        sf_error_prefix(err, "%s: ", path);
        ok = false;
    } else if (!ok && err->code == SF_E_NOENT) {
        sf_fail(err, SF_E_NOENT, "there is no theme called %s", name);
        sf_hint(err, "/theme lists those built in; your own: %s", path);
    }
    free(path);
    free(dir);
    sf_strbuf_release(&text);
    sf_strbuf_release(&file);
    return ok;
}

/* HEAD is a file in .git, or in the directory that a file called .git names. */
static bool read_head(const char *root, struct sf_strbuf *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *git = sf_path_join(root, ".git"), *head = sf_path_join(git, "HEAD");
    bool ok = sf_file_read(head, HEAD_MAX, out, &ignored);

    if (!ok && sf_file_read(git, HEAD_MAX, out, &ignored) && !strncmp(out->buf, "gitdir: ", 8)) {
        char *dir = sf_strndup(out->buf + 8, strcspn(out->buf + 8, "\n"));
        char *whole = dir[0] == '/' ? sf_strdup(dir) : sf_path_join(root, dir);

        free(head);
        head = sf_path_join(whole, "HEAD");
        sf_strbuf_reset(out);
        ok = sf_file_read(head, HEAD_MAX, out, &ignored);
        free(whole);
        free(dir);
    }
    free(head);
    free(git);
    return ok;
}

/* A detached HEAD has no branch: its commit is shown shortened. */
void sf_checkout_read(struct sf_checkout *checkout, const char *root)
{
    struct sf_strbuf head = SF_STRBUF_INIT;
    size_t len;

    free(checkout->branch);
    checkout->branch = NULL;
    if (read_head(root, &head)) {
        const char *name = head.buf;

        if (!strncmp(name, "ref: refs/heads/", 16))
            name += 16;
        len = strcspn(name, "\n");
        checkout->branch = sf_strndup(name, name == head.buf && len > 8 ? 8 : len);
    }
    sf_strbuf_release(&head);
}
