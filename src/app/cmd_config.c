/*
 * cmd_config.c: sf config. Values are printed as TOML, so that the output can be pasted into a
 * settings file; `get` prints strings without quotes, for scripts.
 */
#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "journal/journal.h"
#include "port/port.h"

struct listing {
    struct sf_strbuf *out;
    bool origin, json;
};

static void add_json_value(struct sf_json_writer *w, const struct sf_config_value *v)
{
    switch (v->setting->type) {
    case SF_SETTING_STRING:
    case SF_SETTING_ADDRESS:
    case SF_SETTING_ENUM:
    case SF_SETTING_TABLES:
        sf_jw_str(w, v->text);
        break;
    case SF_SETTING_BOOL:
        sf_jw_bool(w, v->boolean);
        break;
    case SF_SETTING_INT:
        sf_jw_int(w, v->integer);
        break;
    case SF_SETTING_FLOAT:
        sf_jw_double(w, v->number);
        break;
    case SF_SETTING_LIST:
    case SF_SETTING_RULES:
    case SF_SETTING_SCOPE:
        sf_jw_array_begin(w);
        for (size_t i = 0; i < v->count; i++)
            sf_jw_str(w, v->items[i].text);
        sf_jw_array_end(w);
        break;
    }
}

static void add_json(struct sf_strbuf *out, const struct sf_config_value *v)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "key", v->key);
    sf_jw_key(&w, "value");
    add_json_value(&w, v);
    sf_jw_key_str(&w, "layer", sf_layer_name(v->origin.layer));
    sf_jw_key_str(&w, "origin", v->origin.name);
    if (v->origin.line) {
        sf_jw_key_int(&w, "line", v->origin.line);
        sf_jw_key_int(&w, "column", v->origin.column);
    }
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

/* Rules add up over the layers, so each rule may have another origin. */
static void add_origins(struct sf_strbuf *out, const struct sf_config_value *v)
{
    sf_strbuf_adds(out, "  # ");
    if (v->setting->type != SF_SETTING_RULES || !v->count) {
        sf_origin_add(out, &v->origin);
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        if (i)
            sf_strbuf_adds(out, "; ");
        sf_origin_add(out, &v->items[i].origin);
    }
}

static void add_line(const struct listing *l, const struct sf_config_value *v)
{
    if (l->json) {
        add_json(l->out, v);
        return;
    }
    sf_strbuf_addf(l->out, "%s = ", v->key);
    sf_config_add_literal(l->out, v);
    if (l->origin)
        add_origins(l->out, v);
    sf_strbuf_addch(l->out, '\n');
}

static bool list_value(void *ctx, const struct sf_config_value *v)
{
    add_line(ctx, v);
    return true;
}

int sf_cmd_config(struct sf_invocation *inv)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct listing l = { &out, sf_cli_get(inv, "origin"), sf_cli_get(inv, "json") };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_config *config = sf_app_config(inv->app, &err);
    bool errors;

    if (!config)
        return sf_print_error(&err, SF_EXIT_USAGE);
    errors = sf_print_notes(config);
    sf_config_each(config, list_value, &l);
    sf_print(&out);
    sf_strbuf_release(&out);
    return errors ? SF_EXIT_FAILED : SF_EXIT_DONE;
}

int sf_cmd_config_get(struct sf_invocation *inv)
{
    struct sf_strbuf out = SF_STRBUF_INIT, key = SF_STRBUF_INIT;
    struct listing l = { &out, sf_cli_get(inv, "origin"), sf_cli_get(inv, "json") };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strlist path = SF_STRLIST_INIT;
    const struct sf_setting *setting = sf_config_lookup(inv->args[0], &path, &err);
    struct sf_config *config = setting ? sf_app_config(inv->app, &err) : NULL;
    const struct sf_config_value *value;
    int code = SF_EXIT_DONE;

    if (!config) {
        code = sf_print_error(&err, SF_EXIT_USAGE);
        goto out;
    }
    if (sf_print_notes(config))
        code = SF_EXIT_FAILED;
    sf_config_add_key(&key, (const char *const *)path.items, path.count);
    value = sf_config_find(config, key.buf);
    if (!value) {
        sf_fail(&err, SF_E_NOENT, "'%s' is not set", key.buf);
        code = sf_print_error(&err, SF_EXIT_FAILED);
        goto out;
    }
    if (l.origin || l.json) {
        add_line(&l, value);
    } else if (setting->type == SF_SETTING_STRING || setting->type == SF_SETTING_ADDRESS ||
               setting->type == SF_SETTING_ENUM) {
        sf_strbuf_addf(&out, "%s\n", value->text);
    } else {
        sf_config_add_literal(&out, value);
        sf_strbuf_addch(&out, '\n');
    }
    sf_print(&out);
out:
    sf_strbuf_release(&out);
    sf_strbuf_release(&key);
    sf_strlist_release(&path);
    return code;
}

/* The file to change: that of the workspace, the one named by --config, or the user's own. */
static char *target_file(const struct sf_invocation *inv, struct sf_error *err)
{
    const struct sf_workspace *workspace;

    if (!sf_cli_get(inv, "project"))
        return sf_cli_get(inv, "config") ? sf_strdup(sf_cli_get(inv, "config"))
                                         : sf_config_user_path(err);
    workspace = sf_app_workspace(inv->app, err);
    return workspace ? sf_config_project_path(workspace) : NULL;
}

/*
 * Values of private settings of the user stay out of the log: a command that prints a key may hold
 * the key.
 */
static bool is_private(const char *key)
{
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_setting *setting = sf_config_lookup(key, &path, &ignored);

    sf_strlist_release(&path);
    return !setting || setting->trust == SF_SETTING_TRUST_USER;
}

static bool record_change(const struct sf_invocation *inv, const char *file, const char *value,
                          struct sf_error *err)
{
    const char *key = inv->args[0];
    const struct sf_record_text texts[] = { { "action", value ? "set" : "unset" },
                                            { "key", key },
                                            { "value", is_private(key) ? NULL : value },
                                            { "file", file },
                                            { NULL, NULL } };

    if (sf_app_record(inv->app, SF_LOG_CONFIG, texts, err))
        return true;
    sf_error_prefix(err, "changed, but not recorded in the log: ");
    return false;
}

/*
 * A change that the user makes to the settings of a trusted workspace does not take its trust away.
 */
static bool write_project(const struct sf_invocation *inv, const char *file, const char *value,
                          struct sf_error *err)
{
    const char *root = sf_app_workspace(inv->app, err)->root;
    enum sf_trust_state before;
    struct sf_error ignored = SF_ERROR_INIT;

    if (!sf_trust_check(root, &before, &ignored))
        before = SF_TRUST_NO;
    if (!sf_config_write(file, inv->args[0], value, err))
        return false;
    if (before == SF_TRUST_YES)
        return sf_trust_add(root, sf_clock_wall_ms(), err);
    return true;
}

static int change(struct sf_invocation *inv, const char *value)
{
    struct sf_error err = SF_ERROR_INIT;
    char *file = target_file(inv, &err);
    bool ok = file != NULL && sf_port_check_setting(inv->args[0], value, &err);
    int code = SF_EXIT_DONE;

    if (ok)
        ok = sf_cli_get(inv, "project") ? write_project(inv, file, value, &err)
                                        : sf_config_write(file, inv->args[0], value, &err);
    if (!ok)
        code = sf_print_error(&err, err.code == SF_E_ARG ? SF_EXIT_USAGE : SF_EXIT_FAILED);
    else if (!record_change(inv, file, value, &err))
        code = sf_print_error(&err, SF_EXIT_FAILED);
    free(file);
    return code;
}

/* Warns at once if the written value will not be in force. */
static void warn_unless_effective(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_config *config = sf_app_config(inv->app, &err);
    const struct sf_config_note *notes;
    size_t count;

    if (!config)
        return;
    notes = sf_config_notes(config, &count);
    for (size_t i = 0; i < count; i++)
        if (strstr(notes[i].text, inv->args[0]))
            sf_print_warning(notes[i].text, notes[i].hint);
}

int sf_cmd_config_set(struct sf_invocation *inv)
{
    int code = change(inv, inv->args[1]);

    if (code == SF_EXIT_DONE)
        warn_unless_effective(inv);
    return code;
}

int sf_cmd_config_unset(struct sf_invocation *inv)
{
    return change(inv, NULL);
}

int sf_cmd_config_path(struct sf_invocation *inv)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    const char *given = sf_cli_get(inv, "config");
    char *user = given ? sf_strdup(given) : sf_config_user_path(&err), *project;

    if (!workspace || !user) {
        free(user);
        return sf_print_error(&err, SF_EXIT_FAILED);
    }
    project = sf_config_project_path(workspace);
    sf_strbuf_addf(&out, "user     %s\nproject  %s\n", user, project);
    sf_print(&out);
    sf_strbuf_release(&out);
    free(user);
    free(project);
    return SF_EXIT_DONE;
}
