/*
 * look.c: finds a theme by its name, built in or in a file of the user's. A file is read with a
 * ceiling, and nothing in it is trusted.
 */
#include <string.h>

#include "tui/internal.h"

enum { THEME_MAX = 64 * 1024 };

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
