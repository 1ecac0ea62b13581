/*
 * load.c: finds and reads the settings files and adds them in the order of the layers.
 */
#include <unistd.h>

#include "base/base.h"
#include "config/config_build.h"
#include "io/io.h"

static const struct {
    enum sf_layer layer;
    const char *name;
} project_files[] = {
    { SF_LAYER_KIBITZER, ".kibitzer/config.toml" },
    { SF_LAYER_PROJECT, ".sf/config.toml" },
};

char *sf_config_user_path(struct sf_error *err)
{
    char *dir = sf_env_config_dir(err), *path = dir ? sf_path_join(dir, "config.toml") : NULL;

    free(dir);
    return path;
}

char *sf_config_project_path(const struct sf_workspace *workspace)
{
    return sf_path_join(workspace->root, ".sf/config.toml");
}

/* A missing file is not an error; one that exists but cannot be read is a broken layer. */
static bool add_path(struct sf_config *config, enum sf_layer layer, const char *path, bool trusted)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool there = true;

    if (sf_file_read(path, SF_CONFIG_MAX_BYTES, &text, &err))
        sf_config_add_file(config, layer, path, text.buf, text.len, trusted);
    else if (err.code == SF_E_NOENT)
        there = false;
    else
        sf_config_add_broken(config, layer, path, &err);
    sf_strbuf_release(&text);
    return there;
}

static bool add_user(struct sf_config *config, const char *given, struct sf_error *err)
{
    char *path = given ? sf_strdup(given) : sf_config_user_path(err);
    bool ok = path != NULL;

    if (ok && !add_path(config, SF_LAYER_USER, path, true) && given)
        ok = sf_fail(err, SF_E_NOENT, "there is no settings file %s", given);
    free(path);
    return ok;
}

/* The option --profile wins over SF_PROFILE, and that over the user's file. */
static const char *profile_name(struct sf_config *config, const char *given)
{
    const struct sf_config_value *set = sf_config_find(config, "profile");
    const char *variable = sf_env_get("SF_PROFILE");

    if (given)
        return given;
    if (variable)
        return variable;
    return set ? set->text : NULL;
}

static bool is_trusted(struct sf_config *config, const char *root)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_origin origin = { SF_LAYER_PROJECT,
                                sf_arena_strndup(&config->arena, root, strlen(root)), 0, 0 };
    enum sf_trust_state state;

    if (!sf_trust_check(root, &state, &err))
        sf_config_note(config, true, &origin, err.hint, "%s", err.msg);
    else if (state == SF_TRUST_CHANGED)
        sf_config_note(config, false, &origin, "read what changed, then `sf trust add` again",
                       "its policy files changed since you trusted it; it is not trusted now");
    return state == SF_TRUST_YES;
}

static void add_project(struct sf_config *config, const struct sf_workspace *workspace)
{
    char *paths[SF_COUNT(project_files)];
    bool any = false, trusted;

    for (size_t i = 0; i < SF_COUNT(project_files); i++) {
        paths[i] = sf_path_join(workspace->root, project_files[i].name);
        any = any || access(paths[i], F_OK) == 0;
    }
    trusted = any && is_trusted(config, workspace->root);
    for (size_t i = 0; i < SF_COUNT(project_files); i++) {
        if (any)
            add_path(config, project_files[i].layer, paths[i], trusted);
        free(paths[i]);
    }
}

static bool add_options(struct sf_config *config, const struct sf_config_request *request,
                        struct sf_error *err)
{
    for (size_t i = 0; i < request->option_count; i++) {
        const struct sf_config_option *o = &request->options[i];

        if (!sf_config_add_option(config, o->option, o->key, o->value, err))
            return false;
    }
    return true;
}

struct sf_config *sf_config_load(const struct sf_config_request *request, struct sf_error *err)
{
    struct sf_config *config = sf_config_new();
    const char *profile;

    if (!add_user(config, request->user_file, err))
        goto fail;
    profile = profile_name(config, request->profile);
    if (profile && !sf_config_add_profile(config, profile, err))
        goto fail;
    if (request->workspace)
        add_project(config, request->workspace);
    sf_config_add_environment(config, (const char *const *)environ);
    if (!add_options(config, request, err))
        goto fail;
    return config;
fail:
    sf_config_free(config);
    return NULL;
}
