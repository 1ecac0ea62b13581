/*
 * parts.c: reads the command line and the settings once and makes the parts of a session from them.
 */
#include "app/parts.h"

#include "app/within.h"
#include "base/base.h"
#include "io/io.h"

/* ---- who answers ---- */

static const struct sf_provider *find_service(const struct sf_parts *p,
                                              const struct sf_config *config, const char *asked)
{
    for (const struct sf_parts_service *s = p->services; s; s = s->next)
        if (s->config == config && !strcmp(s->asked, asked))
            return &s->provider;
    return NULL;
}

/* A known key is not fetched again, since the command that prints it may be slow. */
static const char *find_key(const struct sf_parts *p, const char *name)
{
    for (const struct sf_parts_service *s = p->services; s; s = s->next)
        if (!strcmp(s->provider.name, name))
            return s->provider.key;
    return NULL;
}

static const struct sf_provider *open_service(struct sf_parts *p, struct sf_config *config,
                                              const char *asked, const char *key,
                                              struct sf_error *err)
{
    const struct sf_provider_sources sources = { p->catalog, sf_app_setting, config };
    struct sf_parts_service *s = sf_alloc(sizeof(*s));

    *s = (struct sf_parts_service){ .next = p->services, .config = config };
    if (!sf_provider_open_with(&s->provider, asked, key ? key : find_key(p, asked), &sources,
                               err)) {
        free(s);
        return NULL;
    }
    s->asked = sf_strdup(asked);
    p->services = s;
    return &s->provider;
}

static void free_services(struct sf_parts *p)
{
    while (p->services) {
        struct sf_parts_service *next = p->services->next;

        sf_provider_release(&p->services->provider);
        free(p->services->asked);
        free(p->services);
        p->services = next;
    }
}

static bool is_named(struct sf_config *config, const char *key)
{
    const struct sf_config_value *v = sf_config_find(config, key);

    return v && v->origin.layer == SF_LAYER_COMMAND_LINE;
}

/*
 * A user who resumes a session expects its own service, neither an offline answer nor another one.
 */
static bool refuse_without(const char *session, const char *provider, struct sf_error *err)
{
    sf_error_prefix(err, "session %.10s uses %s, which cannot be opened: ", session, provider);
    err->code = SF_E_IO;
    return sf_hint(err,
                   "`sf connect %s` fixes that; --provider NAME resumes with another, and "
                   "--provider offline without any",
                   provider);
}

bool sf_parts_provide(struct sf_parts *p, const char *resume, struct sf_session_setup *setup,
                      struct sf_error *err)
{
    bool first = !p->begun, named = is_named(setup->config, "models.provider");
    struct sf_strbuf own = SF_STRBUF_INIT;
    const char *asked;
    bool ok = !resume || (first && named) || sf_provider_of(setup->store, resume, &own, err);

    asked = own.len ? own.buf : sf_config_text(setup->config, "models.provider");
    if (ok) {
        setup->provider = find_service(p, setup->config, asked);
        if (!setup->provider)
            setup->provider = open_service(p, setup->config, asked, NULL, err);
        ok = setup->provider || (own.len && refuse_without(resume, asked, err));
    }
    setup->provider_named = named && (first || !resume);
    setup->model_named =
        setup->model && is_named(setup->config, "models.model") && (first || !resume);
    p->begun = true;
    sf_strbuf_release(&own);
    return ok;
}

static bool read_list(struct sf_parts *p, const char *option, struct sf_strlist *out,
                      struct sf_error *err)
{
    const char *text = sf_cli_get(p->inv, option);

    if (text && !sf_grants_read(out, text, err)) {
        sf_error_prefix(err, "--%s: ", option);
        return false;
    }
    if (!text || out->count)
        return true;
    sf_fail(err, SF_E_ARG, "--%s names no tool", option);
    return sf_hint(err, "name one at least, or leave the option out");
}

static bool read_tools(struct sf_parts *p, struct sf_error *err)
{
    struct sf_toolset set;

    sf_toolset_init(&set, false, 0);
    return read_list(p, "allowed-tools", &p->allowed, err) &&
           read_list(p, "disallowed-tools", &p->disallowed, err) &&
           sf_toolset_check(&set, &p->allowed, err) && sf_toolset_check(&set, &p->disallowed, err);
}

/* sf's rules about tools and permissions follow the text all the same. */
static bool read_role(const struct sf_parts *p, struct sf_error *err)
{
    const char *text = sf_cli_get(p->inv, "system-prompt");

    if (text && !text[strspn(text, " \t\r\n")])
        return sf_fail(err, SF_E_ARG, "the text of --system-prompt is empty");
    return true;
}

static void read_dirs(struct sf_parts *p)
{
    for (size_t i = 0; i < p->inv->given_count; i++)
        if (!strcmp(p->inv->given[i].option->name, "add-dir"))
            sf_strlist_add(&p->dirs, p->inv->given[i].value);
}

static bool read_append(struct sf_parts *p, struct sf_error *err)
{
    const char *text = sf_cli_get(p->inv, "append-system-prompt");
    const char *file = sf_cli_get(p->inv, "append-system-prompt-file");

    if (text)
        sf_strbuf_adds(&p->append, text);
    return !file || sf_file_read(file, (size_t)256 * 1024, &p->append, err);
}

static bool fail_list(struct sf_error *err)
{
    sf_fail(err, SF_E_ARG,
            "-r needs the id of a session here: only the screen has a list to choose from");
    return sf_hint(err, "`sf sessions` lists them, -c resumes the last one");
}

/* Whether --fork, where it was given, has a session to begin from. */
static bool check_fork(const struct sf_parts *p, struct sf_error *err)
{
    if (!sf_cli_get(p->inv, "fork") || p->resume[0])
        return true;
    sf_fail(err, SF_E_ARG, "--fork of which session?");
    return sf_hint(err, "give --resume ID or --continue, too");
}

bool sf_parts_fork(struct sf_parts *p, struct sf_error *err)
{
    struct sf_store *store = sf_app_store(p->inv->app, err);
    char from[SF_ID_LEN + 1];
    struct sf_fork fork = {
        .store = store, .surface = "headless", .session = from, .at = SF_FORK_LAST
    };
    bool shortened = false;

    if (!store)
        return false;
    if (p->forked || !sf_cli_get(p->inv, "fork"))
        return true;
    if (!sf_app_find_session(store, p->resume, from, err) ||
        !sf_fork_make(&fork, p->resume, &shortened, err))
        return false;
    p->forked = true;
    if (shortened)
        sf_print_warning("the last turn is not over: the fork begins before it", "");
    return true;
}

/* Finds the session to resume and puts its id in `resume`; "" for a new session. */
static bool find_session(struct sf_parts *p, struct sf_error *err)
{
    const char *named[] = { sf_cli_get(p->inv, "resume"), sf_cli_get(p->inv, "session-id") };
    struct sf_store *store = sf_app_store(p->inv->app, err);
    bool again = sf_cli_get(p->inv, "continue") != NULL;

    if (!store)
        return false;
    if ((again || named[0] || named[1]) && sf_app_is_ephemeral(p->inv->app)) {
        sf_fail(err, SF_E_ARG, "--ephemeral keeps nothing of a session, and a resumed one is kept");
        return sf_hint(err, "leave out one of the two");
    }
    if ((named[0] != NULL) + (named[1] != NULL) + again > 1)
        return sf_fail(err, SF_E_ARG, "--resume, --session-id and --continue exclude each other");
    for (size_t i = 0; i < SF_COUNT(named); i++) {
        if (named[i] && !strcmp(named[i], "latest"))
            again = true;
        else if (named[i] && !strcmp(named[i], SF_RESUME_LIST))
            return fail_list(err);
        else if (named[i] && !*named[i])
            return sf_fail(err, SF_E_ARG, "which session? its id is missing");
        else if (named[i])
            snprintf(p->resume, sizeof(p->resume), "%s", named[i]);
    }
    if (!again)
        return check_fork(p, err);
    if (!sf_app_last_session(store, p->resume, err))
        return false;
    return p->resume[0] || sf_fail(err, SF_E_NOENT, "there is no session to resume yet");
}

/*
 * The file of --record is named by the user, so it may be outside the workspace; a protected one it
 * must not be, since a script may pass on the words of others.
 */
static bool open_recording(struct sf_parts *p, struct sf_error *err)
{
    const char *name = sf_cli_get(p->inv, "record");
    char *here, *path, *real;

    if (!name)
        return true;
    if (!*name)
        return sf_fail(err, SF_E_ARG, "--record names no file");
    here = sf_path_real(".", err);
    path = here && *name != '/' ? sf_path_join(here, name) : here ? sf_strdup(name) : NULL;
    real = path ? sf_save_path(&p->policy, path, true, err) : NULL;
    if (real)
        p->recording = sf_recording_open(real, err);
    if (!p->recording)
        err->code = SF_E_ARG;
    free(real);
    free(path);
    free(here);
    return p->recording != NULL;
}

bool sf_parts_end_recording(struct sf_parts *p, struct sf_error *err)
{
    bool ok = !p->recording || sf_recording_close(p->recording, err);

    p->recording = NULL;
    return ok;
}

bool sf_parts_open(struct sf_parts *p, struct sf_invocation *inv, struct sf_error *err)
{
    p->inv = inv;
    p->config = sf_app_config(inv->app, err);
    if (!p->config || !sf_app_policy(inv->app, &p->policy, err) || !find_session(p, err))
        return false;
    p->loop = sf_loop_new(err);
    if (!p->loop)
        return false;
    p->workers = sf_workers_new(p->loop, 4);
    if (!read_tools(p, err))
        return false;
    read_dirs(p);
    p->catalog = sf_app_catalog(err);
    return p->catalog && read_role(p, err) && read_append(p, err) && open_recording(p, err);
}

static void free_later(struct sf_parts_later *later)
{
    sf_policy_context_release(&later->policy);
    sf_config_free(later->config);
    free(later);
}

void sf_parts_close(struct sf_parts *p)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_parts_end_recording(p, &err))
        sf_print_error(&err, SF_EXIT_FAILED);
    sf_workers_free(p->workers);
    free_services(p);
    while (p->later) {
        struct sf_parts_later *next = p->later->next;

        free_later(p->later);
        p->later = next;
    }
    sf_catalog_free(p->catalog);
    sf_policy_context_release(&p->policy);
    sf_strlist_release(&p->allowed);
    sf_strlist_release(&p->disallowed);
    sf_strbuf_release(&p->append);
    sf_strlist_release(&p->dirs);
    free(p->below);
    sf_loop_free(p->loop);
}

/* ---- the session ---- */

/* Settings and policy that a setup is filled from: those of the start, or later ones. */
struct source {
    struct sf_config *config;
    struct sf_policy_context *policy;
};

/* At the terminal sf would ask; a command line is not asked back. */
static bool needs_trust(const char *option, struct sf_error *err)
{
    sf_fail(err, SF_E_ARG, "%s needs a workspace you trust", option);
    return sf_hint(err, "look at it, then: sf trust add");
}

static bool apply_yolo(const struct sf_parts *p, const struct source *from, bool trusted,
                       struct sf_mode_state *state, struct sf_error *err)
{
    const struct sf_config_value *profile =
        sf_config_find(from->config, "defaults.permission_profile");
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    if (!trusted && profile->origin.layer == SF_LAYER_COMMAND_LINE &&
        sf_profile_needs_trust((enum sf_profile)profile->integer))
        return needs_trust("--permission-profile unrestricted", err);
    if (!sf_cli_get(p->inv, "yolo"))
        return true;
    if (!trusted)
        return needs_trust("--yolo", err);
    sf_preset_change(sf_preset_find("yolo", NULL), &change);
    *state = sf_change_target(&change, state, &from->policy->scopes);
    return true;
}

static struct sf_budget read_budget(struct sf_config *config)
{
    double dollars = sf_config_find(config, "limits.max_cost")->number;
    struct sf_budget b = { 0 };

    b.limit[SF_BUDGET_TOKENS] = sf_config_int(config, "limits.max_tokens");
    b.limit[SF_BUDGET_COST] =
        dollars > 1e-6 ? (int64_t)(dollars * 1e6) : 1; /* A limit of 0 would mean no limit. */
    b.limit[SF_BUDGET_TURNS] = sf_config_int(config, "limits.max_turns");
    b.limit[SF_BUDGET_CALLS] = sf_config_int(config, "limits.max_tool_calls");
    b.limit[SF_BUDGET_TIME] = sf_config_int(config, "limits.max_time") * 1000;
    return b;
}

static bool fill(struct sf_parts *p, const struct source *from, enum sf_surface surface,
                 struct sf_session_setup *setup, struct sf_error *err)
{
    const struct sf_workspace *workspace = sf_app_workspace(p->inv->app, err);

    if (!p->below) /* running sessions hold it */
        p->below = sf_within_stand(workspace->root, sf_cli_get(p->inv, "workspace"));
    *setup = (struct sf_session_setup){ .loop = p->loop,
                                        .workers = p->workers,
                                        .store = sf_app_store(p->inv->app, err),
                                        .config = from->config,
                                        .workspace = workspace,
                                        .policy = from->policy,
                                        .catalog = p->catalog,
                                        .state_dir = sf_app_state_dir(p->inv->app, err),
                                        .below = p->below,
                                        .resume = *p->resume ? p->resume : NULL,
                                        .model = sf_app_setting(from->config, "models.model"),
                                        .budget = read_budget(from->config),
                                        .allowed = p->allowed.count ? &p->allowed : NULL,
                                        .disallowed = &p->disallowed,
                                        .append = p->append.buf,
                                        .dirs = &p->dirs,
                                        .role = sf_cli_get(p->inv, "system-prompt"),
                                        .fallback = sf_cli_get(p->inv, "fallback-model"),
                                        .name = sf_cli_get(p->inv, "name"),
                                        .recording = p->recording };
    if (!setup->store ||
        !sf_policy_context_state(from->policy, from->config, surface, &setup->state, err))
        return false;
    setup->workspace_trusted = from->policy->trusted;
    return apply_yolo(p, from, setup->workspace_trusted, &setup->state, err);
}

bool sf_parts_setup(struct sf_parts *p, enum sf_surface surface, struct sf_session_setup *setup,
                    struct sf_error *err)
{
    const struct source from = { p->config, &p->policy };

    return fill(p, &from, surface, setup, err);
}

bool sf_parts_renew(struct sf_parts *p, const char *name, const char *key,
                    struct sf_session_setup *setup, struct sf_error *err)
{
    const struct sf_workspace *workspace = sf_app_workspace(p->inv->app, err);
    struct sf_parts_later *later = sf_alloc(sizeof(*later));
    const struct source from = { sf_app_read_config(p->inv->app, err), &later->policy };
    const char *asked;

    *later = (struct sf_parts_later){ .next = p->later,
                                      .config = from.config,
                                      .policy = { .root = SF_PLACE_ROOT_INIT } };
    if (!from.config || !sf_policy_context_init(&later->policy, from.config, workspace, err) ||
        !fill(p, &from, SF_SURFACE_TUI, setup, err))
        goto fail;
    asked = sf_config_text(from.config, "models.provider");
    setup->provider =
        open_service(p, from.config, asked, key && !strcmp(asked, name) ? key : NULL, err);
    if (!setup->provider)
        goto fail;
    p->later = later;
    return true;
fail:
    free_later(later);
    return false;
}

bool sf_parts_apply_options(const struct sf_parts *p, struct sf_session *session,
                            struct sf_error *err)
{
    const struct sf_config_value *scope = sf_config_find(p->config, "defaults.scope");
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;
    struct sf_confirm confirm = { .given = true };

    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        const struct sf_config_value *v;
        char key[64];

        snprintf(key, sizeof(key), "defaults.%s", sf_axes[axis].config);
        v = sf_config_find(p->config, key);
        if (v->origin.layer == SF_LAYER_COMMAND_LINE)
            sf_change_axis(&change, (enum sf_axis)axis, (int)v->integer);
    }
    if (scope && scope->origin.layer == SF_LAYER_COMMAND_LINE)
        sf_change_scope(&change, scope->text); /* The policy context knows the scope. */
    return !change.fields ||
           sf_session_change(session, &change, SF_WHEN_DEFAULT, "command line", &confirm, err);
}
