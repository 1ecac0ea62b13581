/*
 * judge.c: describes calls to the engine. A path that cannot be resolved is handed on as
 * refused, never left out: what is not understood must not pass.
 */
#include "app/judge.h"

#include <sys/stat.h>

#include "base/base.h"
#include "modes/modes.h"

static const struct {
    const char *key;
    enum sf_answer answer;
} rule_keys[] = {
    { "guard.deny", SF_DENY },
    { "guard.ask", SF_ASK },
    { "guard.allow", SF_ALLOW },
};

static bool collect_rules(struct sf_ground *g, struct sf_config *config, size_t *count,
                          struct sf_error *err)
{
    size_t total = 0;

    for (size_t k = 0; k < SF_COUNT(rule_keys); k++)
        total += sf_config_find(config, rule_keys[k].key)->count;
    g->rules = sf_arena_alloc(&g->arena, total * sizeof(*g->rules));
    *count = 0;
    for (size_t k = 0; k < SF_COUNT(rule_keys); k++) {
        const struct sf_config_value *v = sf_config_find(config, rule_keys[k].key);

        for (size_t i = 0; i < v->count; i++) {
            if (!sf_rule_check(v->items[i].text, err)) {
                sf_error_prefix(err, "%s: ", rule_keys[k].key);
                return false;
            }
            g->rules[(*count)++] =
                (struct sf_rule){ v->items[i].text, rule_keys[k].answer, SF_RULE_SETTINGS };
        }
    }
    return true;
}

struct scope_walk {
    struct sf_ground *ground;
    struct sf_config *config;
    struct sf_scope *scopes;
    size_t count, cap;
};

/* modes.NAME.writable with its strategy beside it. */
static bool add_scope(void *ctx, const struct sf_config_value *value)
{
    struct scope_walk *w = ctx;
    struct sf_arena *arena = &w->ground->arena;
    const struct sf_config_value *strategy;
    const char **writable;
    struct sf_strbuf key = SF_STRBUF_INIT;
    struct sf_strlist path = SF_STRLIST_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (value->setting->type != SF_SETTING_SCOPE || value->origin.layer == SF_LAYER_BUILTIN ||
        !sf_config_split_key(value->key, &path, &ignored))
        return true;
    writable = sf_arena_alloc(arena, (value->count + 1) * sizeof(char *));
    for (size_t i = 0; i < value->count; i++)
        writable[i] = value->items[i].text;
    sf_strbuf_adds(&key, "modes.");
    sf_toml_add_key(&key, path.items[1]);
    sf_strbuf_adds(&key, ".strategy");
    strategy = sf_config_find(w->config, key.buf);
    w->scopes = sf_grow(w->scopes, &w->cap, w->count + 1, sizeof(*w->scopes));
    w->scopes[w->count++] = (struct sf_scope){
        .name = sf_arena_strndup(arena, path.items[1], strlen(path.items[1])),
        .writable = writable,
        .strategy = strategy ? strategy->text : "",
    };
    sf_strbuf_release(&key);
    sf_strlist_release(&path);
    return true;
}

static bool is_directory(const char *root, const char *name)
{
    char *path = sf_path_join(root, name);
    struct stat st;
    bool yes = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

    free(path);
    return yes;
}

static bool collect_scopes(struct sf_ground *g, struct sf_config *config, struct sf_error *err)
{
    struct scope_walk w = { .ground = g, .config = config };
    bool ok = true;

    sf_config_each(config, add_scope, &w);
    for (size_t i = 0; ok && i < w.count; i++)
        ok = sf_scope_check(&w.scopes[i], err);
    if (w.count) {
        struct sf_scope *kept = sf_arena_alloc(&g->arena, w.count * sizeof(*kept));

        memcpy(kept, w.scopes, w.count * sizeof(*kept));
        g->scopes.extra = kept;
        g->scopes.count = w.count;
    }
    free(w.scopes);
    g->scopes.has_sources = is_directory(g->root.path, "src") || is_directory(g->root.path, "lib");
    return ok;
}

/* Where the path really leads, absolute; as spelled when that cannot be told. Takes `path`. */
static char *really(const struct sf_ground *g, char *path)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (path && sf_place_resolve(&g->root, path, strlen(path), SF_WANT_ANY, &place, &ignored)) {
        free(path);
        path = place.inside ? sf_path_join(g->root.path, place.real) : sf_strdup(place.real);
    }
    sf_place_release(&place);
    return path;
}

/* What the project's .sf is a link to; NULL for a plain one, which the rules know by its name. */
static char *linked_settings(const struct sf_ground *g)
{
    char *named = sf_path_join(g->root.path, ".sf");
    char *real = really(g, sf_strdup(named));

    if (!strcmp(named, real)) {
        free(real);
        real = NULL;
    }
    free(named);
    return real;
}

static void add_own(struct sf_ground *g, char *dir)
{
    if (dir)
        g->own[g->places.own_count++] = dir;
}

/* What is sf's own must not be written by any tool. */
static void collect_places(struct sf_ground *g)
{
    struct sf_error ignored = SF_ERROR_INIT;

    g->home = really(g, sf_env_home(&ignored));
    g->places = (struct sf_path_places){ .root = g->root.path,
                                         .home = g->home,
                                         .own = (const char *const *)g->own };
    add_own(g, really(g, sf_env_state_dir(&ignored)));
    add_own(g, really(g, sf_env_config_dir(&ignored)));
    add_own(g, linked_settings(g));
}

bool sf_ground_init(struct sf_ground *ground, struct sf_app *app, struct sf_error *err)
{
    struct sf_config *config = sf_app_config(app, err);
    const struct sf_workspace *workspace = config ? sf_app_workspace(app, err) : NULL;
    size_t count;

    *ground = (struct sf_ground){ .root = SF_PLACE_ROOT_INIT };
    if (!workspace || !sf_place_root_open(&ground->root, workspace->root, err))
        return false;
    sf_print_notes(config); /* a verdict rests on the settings: what is wrong with them is said */
    collect_places(ground);
    if (!collect_rules(ground, config, &count, err) || !collect_scopes(ground, config, err)) {
        sf_ground_release(ground);
        return false;
    }
    ground->rule_count = count;
    ground->approval =
        (enum sf_approval_mode)sf_config_find(config, "guard.approval_mode")->integer;
    ground->allow_shell = sf_config_bool(config, "guard.allow_shell");
    return true;
}

void sf_ground_release(struct sf_ground *ground)
{
    sf_place_root_close(&ground->root);
    free(ground->home);
    for (size_t i = 0; i < SF_COUNT(ground->own); i++)
        free(ground->own[i]);
    sf_arena_release(&ground->arena);
}

bool sf_ground_state(const struct sf_ground *ground, struct sf_app *app,
                     struct sf_mode_state *state, struct sf_error *err)
{
    struct sf_config *config = sf_app_config(app, err);
    const struct sf_config_value *scope;

    sf_mode_state_init(state, SF_SURFACE_HEADLESS);
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        char key[64];

        snprintf(key, sizeof(key), "defaults.%s", sf_axes[axis].config);
        sf_mode_state_set(state, (enum sf_axis)axis, (int)sf_config_find(config, key)->integer);
    }
    scope = sf_config_find(config, "defaults.scope");
    if (scope && !sf_scope_get(&ground->scopes, scope->text, err))
        return false;
    sf_mode_state_set_scope(state, scope ? scope->text
                                         : sf_work_default_scope(&ground->scopes, state->work));
    return true;
}

static const char *keep(struct sf_judged *j, const char *text)
{
    return sf_arena_strndup(&j->arena, text, strlen(text));
}

/* What was found, as the rules want it. */
static struct sf_path_facts facts_of(const struct sf_ground *g, const struct sf_place *place)
{
    const struct sf_path_found found = { .real = place->real,
                                         .inside = place->inside,
                                         .via = (const char *const *)place->via.items,
                                         .via_count = place->via.count,
                                         .git_dir = place->git_dir,
                                         .links = place->st.st_nlink };

    return sf_path_classify(&found, &g->places);
}

/* ~/x is the home's x where a shell would read it so; everything else is taken as it stands. */
static char *spelled_out(const struct sf_ground *g, const char *path, bool shell)
{
    if (shell && path[0] == '~' && (path[1] == '/' || !path[1]) && g->home)
        return path[1] ? sf_path_join(g->home, path + 2) : sf_strdup(g->home);
    return sf_strdup(path);
}

static void add_path(const struct sf_ground *g, struct sf_judged *j, const char *asked, bool writes,
                     bool shell)
{
    struct sf_action_path *p = &j->paths[j->action.path_count++];
    struct sf_error err = SF_ERROR_INIT;
    struct sf_place place = SF_PLACE_INIT;
    char *path = spelled_out(g, asked, shell);

    *p = (struct sf_action_path){ .writes = writes, .rule = "", .reason = "" };
    if (sf_place_resolve(&g->root, path, strlen(path), shell ? SF_WANT_ANY : SF_WANT_FILE, &place,
                         &err)) {
        struct sf_path_facts facts = facts_of(g, &place);

        p->path = keep(j, place.real);
        p->zone = facts.zone;
        p->rule = facts.rule ? facts.rule->name : "";
        p->reason = facts.rule ? facts.rule->what : "";
    } else {
        p->path = keep(j, asked);
        p->refused = true;
        p->rule = "path";
        p->reason = keep(j, err.msg);
    }
    sf_place_release(&place);
    free(path);
}

/* `cat .e*`: which files that will be, nobody knows; one with secrets may be among them. */
static void add_pattern(const struct sf_ground *g, struct sf_judged *j, const char *asked,
                        bool writes)
{
    struct sf_action_path *p = &j->paths[j->action.path_count];

    add_path(g, j, asked, writes, true);
    if (p->refused || p->zone == SF_PATH_PROTECTED || p->zone == SF_PATH_CREDENTIAL)
        return;
    p->zone = SF_PATH_CREDENTIAL;
    p->rule = "secret-pattern";
    p->reason = "a pattern that can stand for files with secrets";
}

/* Places a shell names that are no files: descriptors, the terminal, nothing. */
static bool is_sink(const char *path)
{
    return !strncmp(path, "/dev/", 5);
}

static void add_command(const struct sf_ground *g, struct sf_judged *j,
                        const struct sf_call_asked *asked)
{
    sf_shell_classify(asked->command, asked->command_len, &j->report);
    j->has_report = true;
    j->action.shell = &j->report;
    j->action.hosts = j->report.hosts.count ? (const char *const *)j->report.hosts.items : NULL;
    for (size_t i = 0; i < j->report.npaths; i++) {
        const struct sf_report_path *p = &j->report.paths[i];

        if (!*p->text || is_sink(p->text))
            continue;
        if (p->secret)
            add_pattern(g, j, p->text, p->writes);
        else if (p->known || p->text[0] == '~')
            add_path(g, j, p->text, p->writes, true);
    }
}

bool sf_judge_call(const struct sf_ground *ground, const struct sf_call_asked *asked,
                   const struct sf_mode_state *state, struct sf_judged *out, struct sf_error *err)
{
    struct sf_policy policy = { .approval = ground->approval,
                                .allow_shell = ground->allow_shell,
                                .rules = ground->rules,
                                .rule_count = ground->rule_count };

    *out = (struct sf_judged){ .arena = SF_ARENA_INIT };
    policy.scope = sf_scope_get(&ground->scopes, state->scope, err);
    if (!policy.scope)
        return false;
    out->action = (struct sf_action){ .tool = asked->tool,
                                      .act = asked->act,
                                      .least = SF_PROFILE_RESTRICTED,
                                      .paths = out->paths,
                                      .caged = ground->caged };
    if (asked->act == SF_ACT_SHELL)
        add_command(ground, out, asked);
    else if (asked->path)
        add_path(ground, out, asked->path, asked->act != SF_ACT_READ, false);
    sf_guard_verdict(&out->action, state, &policy, &out->verdict);
    return true;
}

void sf_judged_release(struct sf_judged *judged)
{
    if (judged->has_report)
        sf_shell_report_release(&judged->report);
    sf_arena_release(&judged->arena);
}

static void add_names(struct sf_strbuf *out, const struct sf_strlist *names)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_array_begin(&w);
    for (size_t i = 0; names && i < names->count; i++)
        sf_jw_str(&w, names->items[i]);
    sf_jw_array_end(&w);
}

static void add_path_names(struct sf_strbuf *out, const struct sf_judged *j)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < j->action.path_count; i++)
        sf_jw_str(&w, j->action.paths[i].path);
    sf_jw_array_end(&w);
}

bool sf_judged_record(struct sf_app *app, const char *session, const struct sf_call_asked *asked,
                      const struct sf_mode_state *state, const struct sf_judged *judged,
                      struct sf_error *err)
{
    const struct sf_verdict *v = &judged->verdict;
    struct sf_store *store = sf_app_store(app, err);
    struct sf_strbuf paths = SF_STRBUF_INIT, hosts = SF_STRBUF_INIT, programs = SF_STRBUF_INIT;
    const char *what = asked->command ? asked->command : asked->path ? asked->path : "";
    struct sf_decision_new decision = { .session = session,
                                        .state = state,
                                        .tool = asked->tool,
                                        .action = what,
                                        .class = sf_matrix[v->kind].name,
                                        .verdict = sf_answer_name(v->answer),
                                        .layer = sf_guard_layer_name(v->layer),
                                        .rule = v->rule,
                                        .reason = v->reason,
                                        .hint = v->hint };
    int64_t id;
    bool ok;

    add_path_names(&paths, judged);
    add_names(&hosts, judged->has_report ? &judged->report.hosts : NULL);
    add_names(&programs, judged->has_report ? &judged->report.programs : NULL);
    decision.paths = paths.buf;
    decision.hosts = hosts.buf;
    decision.programs = programs.buf;
    ok = store && sf_store_decision_add(store, &decision, &id, err);
    sf_strbuf_release(&paths);
    sf_strbuf_release(&hosts);
    sf_strbuf_release(&programs);
    return ok;
}
