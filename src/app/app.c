/*
 * app.c: the parts of a running sf, each made when it is first needed.
 */
#include "app/app.h"

#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "modes/modes.h"
#include "session/session.h"

enum { PRESET_AXES = 3 }; /* Settings that one option stands for at most. */

struct sf_app {
    const struct sf_invocation *inv;
    struct sf_workspace workspace;
    struct sf_config *config;
    char *state_dir;
    struct sf_store *store;
    struct sf_tempdir ephemeral; /* instead of the state directory, with --ephemeral */
};

struct sf_app *sf_app_new(const struct sf_invocation *inv)
{
    struct sf_app *app = sf_alloc(sizeof(*app));

    app->inv = inv;
    app->ephemeral.lock = -1;
    return app;
}

void sf_app_free(struct sf_app *app)
{
    if (!app)
        return;
    sf_log_close();
    sf_store_close(app->store);
    sf_config_free(app->config);
    sf_workspace_release(&app->workspace);
    free(app->state_dir);
    sf_tempdir_release(&app->ephemeral);
    free(app);
}

const struct sf_workspace *sf_app_workspace(struct sf_app *app, struct sf_error *err)
{
    const char *start = sf_cli_get(app->inv, "workspace");

    if (app->workspace.root)
        return &app->workspace;
    if (!sf_workspace_find(start ? start : ".", &app->workspace, err))
        return NULL;
    sf_env_distrust(app->workspace.root);
    return &app->workspace;
}

/* Presets that are no work mode; one that trusts is chosen in the session, which asks. */
static const struct sf_preset *preset_of(const struct sf_given *g)
{
    const struct sf_preset *preset;

    if (!g->option->setting || strcmp(g->option->setting, "defaults.work_mode") != 0)
        return NULL;
    for (size_t i = 0; sf_work_mode_names[i]; i++)
        if (!strcmp(sf_work_mode_names[i], g->value))
            return NULL;
    preset = sf_preset_find(g->value, NULL);
    return preset && !preset->trust ? preset : NULL;
}

/* A preset stands for its axes. */
static size_t add_preset(const struct sf_preset *preset, struct sf_config_option *out)
{
    const struct sf_config_option axes[PRESET_AXES] = {
        { .key = "defaults.work_mode", .value = sf_work_mode_names[preset->work] },
        { .key = "defaults.run_control", .value = sf_run_control_names[preset->control] },
        { .key = "defaults.permission_profile", .value = sf_profile_names[preset->profile] },
    };

    memcpy(out, axes, sizeof(axes));
    return SF_COUNT(axes);
}

static size_t collect_presets(const struct sf_invocation *inv, struct sf_config_option *out,
                              struct sf_strlist *spellings)
{
    size_t count = 0;

    for (size_t i = 0; i < inv->given_count; i++) {
        const struct sf_preset *preset = preset_of(&inv->given[i]);

        count += preset ? add_preset(preset, out + count) : 0;
        while (spellings->count < count)
            sf_strlist_addf(spellings, "--%s", inv->given[i].option->name);
    }
    return count;
}

/*
 * Collects the options that stand for settings, in the form that the settings take. Presets come
 * first, so that an option for one axis holds beside them.
 */
static size_t collect_options(const struct sf_invocation *inv, struct sf_config_option *out,
                              struct sf_strlist *spellings)
{
    size_t count = collect_presets(inv, out, spellings);

    for (size_t i = 0; i < inv->given_count; i++) {
        const struct sf_given *g = &inv->given[i];

        if (!g->option->setting || preset_of(g))
            continue;
        sf_strlist_addf(spellings, "--%s", g->option->name);
        out[count++] = (struct sf_config_option){ .key = g->option->setting, .value = g->value };
    }
    for (size_t i = 0; i < count; i++)
        out[i].option = spellings->items[i];
    return count;
}

/* Opens the log file; with -v lines of every level go into it. */
static void open_log(struct sf_app *app)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *dir = sf_app_state_dir(app, &ignored);
    enum sf_log_level level = SF_LOG_DEBUG;
    char *path;

    if (!dir)
        return;
    if (!sf_cli_get(app->inv, "verbose") &&
        !sf_log_level_parse(sf_config_text(app->config, "log.level"), &level))
        return;
    path = sf_path_join(dir, "logs/sf.log");
    sf_log_open(path, level);
    free(path);
}

struct sf_config *sf_app_read_config(struct sf_app *app, struct sf_error *err)
{
    struct sf_config_request request = { .user_file = sf_cli_get(app->inv, "config"),
                                         .profile = sf_cli_get(app->inv, "profile") };
    struct sf_strlist spellings = SF_STRLIST_INIT;
    struct sf_config_option *options;
    struct sf_config *config;

    request.workspace = sf_app_workspace(app, err);
    if (!request.workspace)
        return NULL;
    options = sf_alloc_array(app->inv->given_count, PRESET_AXES * sizeof(*options));
    request.option_count = collect_options(app->inv, options, &spellings);
    request.options = options;
    config = sf_config_load(&request, err);
    free(options);
    sf_strlist_release(&spellings);
    return config;
}

struct sf_config *sf_app_config(struct sf_app *app, struct sf_error *err)
{
    if (!app->config) {
        app->config = sf_app_read_config(app, err);
        if (app->config)
            open_log(app);
    }
    return app->config;
}

bool sf_app_is_ephemeral(const struct sf_app *app)
{
    return sf_cli_get(app->inv, "ephemeral") != NULL &&
           (sf_cli_get(app->inv, "print") || sf_cli_command(app->inv)->run == sf_cmd_exec);
}

/*
 * Decision: With --ephemeral the store, the snapshots and the log of a run are in a directory of their
 *   own, locked while the run lives, and removed with it.
 *   Problem: What stays of a session says what was asked and what the files held; some runs must
 *     leave nothing of that. Yet a run without a store would have no log to act from.
 *   Cost: Such a run cannot be resumed or undone, and knows no approvals for the workspace. What a
 *     killed one left is removed by the next process that opens a store.
 *   Enforced by: app/exec_options.
 */
static char *ephemeral_base(struct sf_error *err)
{
    char *state = sf_env_state_dir(err), *base = state ? sf_path_join(state, "ephemeral") : NULL;

    free(state);
    return base;
}

static char *make_ephemeral_dir(struct sf_app *app, struct sf_error *err)
{
    char *base = ephemeral_base(err);
    bool ok = base && sf_tempdir_init_below(&app->ephemeral, base, err) &&
              sf_tempdir_make(&app->ephemeral, err);

    free(base);
    return ok ? sf_strdup(app->ephemeral.path) : NULL;
}

/* Removes what killed runs left; a failure only leaves it for the next process. */
static void sweep_ephemeral_dirs(void)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *base = ephemeral_base(&ignored);

    if (base)
        sf_tempdir_sweep(base);
    free(base);
}

const char *sf_app_state_dir(struct sf_app *app, struct sf_error *err)
{
    const struct sf_workspace *workspace = sf_app_workspace(app, err);

    if (workspace && !app->state_dir)
        app->state_dir = sf_app_is_ephemeral(app) ? make_ephemeral_dir(app, err)
                                                  : sf_workspace_state_dir(workspace, err);
    return app->state_dir;
}

struct sf_store *sf_app_store(struct sf_app *app, struct sf_error *err)
{
    const char *dir = sf_app_state_dir(app, err);

    if (dir && !app->store) {
        if (!sf_app_is_ephemeral(app))
            sweep_ephemeral_dirs();
        app->store = sf_store_open(dir, SF_STORE_WRITE, err);
        sf_log(SF_LOG_DEBUG, "store %s: %s", dir, app->store ? "open" : err->msg);
        if (app->store && *sf_store_warning(app->store))
            sf_print_warning(sf_store_warning(app->store), "");
    }
    return app->store;
}

bool sf_app_policy(struct sf_app *app, struct sf_policy_context *policy, struct sf_error *err)
{
    struct sf_config *config = sf_app_config(app, err);
    const struct sf_workspace *workspace = config ? sf_app_workspace(app, err) : NULL;

    if (!workspace || !sf_policy_context_init(policy, config, workspace, err))
        return false;
    sf_print_notes(config);
    return true;
}

const char *sf_app_setting(void *config, const char *key)
{
    const struct sf_config_value *v = sf_config_find(config, key);

    return v ? v->text : NULL;
}

struct sf_catalog *sf_app_catalog(struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_catalog *catalog = NULL;
    char *dir = sf_env_config_dir(err), *path = dir ? sf_path_join(dir, "models.toml") : NULL;

    if (path && (sf_file_read(path, (size_t)1 << 20, &text, err) || err->code == SF_E_NOENT)) {
        catalog = sf_catalog_new(text.len ? text.buf : NULL, text.len, err);
        if (!catalog)
            sf_error_prefix(err, "%s: ", path);
    }
    sf_strbuf_release(&text);
    free(path);
    free(dir);
    return catalog;
}

struct last {
    char any[SF_ID_LEN + 1], said[SF_ID_LEN + 1]; /* "": none was found yet. */
};

static bool take_session(const struct sf_session_row *row, void *ctx)
{
    struct last *last = ctx;

    if (row->agent || *row->archived_at)
        return true;
    if (!last->any[0])
        snprintf(last->any, sizeof(last->any), "%s", row->id);
    if (!row->blank)
        snprintf(last->said, sizeof(last->said), "%s", row->id);
    return row->blank;
}

bool sf_app_last_session(struct sf_store *store, char id[SF_ID_LEN + 1], struct sf_error *err)
{
    struct last last = { .any = "" };
    bool ok = sf_store_each_session(store, take_session, &last, err);

    snprintf(id, SF_ID_LEN + 1, "%s", last.said[0] ? last.said : last.any);
    return ok;
}

struct held {
    const char *dir;
    char id[SF_ID_LEN + 1]; /* "": none was found yet. */
};

static bool take_held(const struct sf_session_row *row, void *ctx)
{
    struct held *held = ctx;

    if (!row->agent && !*row->archived_at && sf_session_lock_is_held(held->dir, row->id))
        snprintf(held->id, sizeof(held->id), "%s", row->id);
    return !held->id[0];
}

bool sf_app_open_session(struct sf_app *app, char id[SF_ID_LEN + 1], struct sf_error *err)
{
    struct sf_store *store = sf_app_store(app, err);
    struct held held = { .dir = store ? sf_app_state_dir(app, err) : NULL };

    if (!held.dir || !sf_store_each_session(store, take_held, &held, err))
        return false;
    snprintf(id, SF_ID_LEN + 1, "%s", held.id);
    return id[0] || sf_app_last_session(store, id, err);
}

bool sf_app_find_session(struct sf_store *store, const char *name, char id[SF_ID_LEN + 1],
                         struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool ok;

    if (!strcmp(name, "latest"))
        return sf_app_last_session(store, id, err) &&
               (id[0] || sf_fail(err, SF_E_NOENT, "there is no session yet"));
    ok = sf_store_session_get(store, name, &arena, &row, err) &&
         (strcmp(row.id, SF_SESSION_PROJECT) != 0 ||
          sf_fail(err, SF_E_NOENT, "%s is not a conversation", row.id));
    if (ok)
        snprintf(id, SF_ID_LEN + 1, "%s", row.id);
    sf_arena_release(&arena);
    return ok;
}

bool sf_app_record(struct sf_app *app, const char *kind, const struct sf_record_text *texts,
                   struct sf_error *err)
{
    struct sf_store *store = sf_app_store(app, err);
    struct sf_event_new event = { .session = SF_SESSION_PROJECT,
                                  .surface = "headless",
                                  .kind = kind };
    struct sf_strbuf json = SF_STRBUF_INIT;
    struct sf_event_ref ref;
    struct sf_json_writer w;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    for (; texts->key; texts++)
        if (texts->text)
            sf_jw_key_str(&w, texts->key, texts->text);
    sf_jw_object_end(&w);
    event.json = json.buf;
    event.len = json.len;
    ok = store && sf_store_append(store, &event, &ref, err);
    sf_strbuf_release(&json);
    return ok;
}
