/*
 * policy_context.c: collects what verdicts depend on. The rules of all layers apply together;
 * approvals are added as the user gives them.
 */
#include "judge/policy_context.h"

#include <sys/stat.h>

#include "base/base.h"
#include "cage/cage.h"
#include "judge/git_reach.h"

enum { MOVED_MAX = 32 };

static const struct {
    const char *key;
    enum sf_answer answer;
} rule_keys[] = {
    { "guard.deny", SF_DENY },
    { "guard.ask", SF_ASK },
    { "guard.allow", SF_ALLOW },
};

static bool collect_rules(struct sf_policy_context *g, struct sf_config *config, size_t *count,
                          struct sf_error *err)
{
    size_t total = 0;

    for (size_t k = 0; k < SF_COUNT(rule_keys); k++)
        total += sf_config_find(config, rule_keys[k].key)->count;
    g->rules = sf_alloc_array(total, sizeof(*g->rules));
    *count = 0;
    for (size_t k = 0; k < SF_COUNT(rule_keys); k++) {
        const struct sf_config_value *v = sf_config_find(config, rule_keys[k].key);

        for (size_t i = 0; i < v->count; i++) {
            if (!sf_rule_check(v->items[i].text, err)) {
                sf_error_prefix(err, "%s: ", rule_keys[k].key);
                return false;
            }
            g->rules[(*count)++] =
                (struct sf_rule){ v->items[i].text, rule_keys[k].answer, SF_RULE_SETTINGS, NULL };
        }
    }
    return true;
}

struct scope_walk {
    struct sf_policy_context *policy;
    struct sf_config *config;
    struct sf_scope *scopes;
    size_t count, cap;
};

/* Adds the scope of modes.NAME.writable, with the strategy from the setting beside it. */
static bool add_scope(void *ctx, const struct sf_config_value *value)
{
    struct scope_walk *w = ctx;
    struct sf_arena *arena = &w->policy->arena;
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

static bool collect_scopes(struct sf_policy_context *g, struct sf_config *config,
                           struct sf_error *err)
{
    struct scope_walk w = { .policy = g, .config = config };
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

/*
 * The absolute real path, or the path as given if it cannot be resolved, without a slash at its end,
 * as paths are compared. Takes ownership.
 */
static char *really(const struct sf_policy_context *g, char *path)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (path && sf_place_resolve(&g->root, path, strlen(path), SF_WANT_ANY, &place, &ignored)) {
        free(path);
        path = sf_place_path(&place);
    }
    for (size_t n = path ? strlen(path) : 0; n > 1 && path[n - 1] == '/'; n--)
        path[n - 1] = '\0';
    sf_place_release(&place);
    return path;
}

/* The target if the project's .sf is a link; NULL for a directory, which rules know by name. */
static char *linked_settings(const struct sf_policy_context *g)
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

static void add_own(struct sf_policy_context *g, char *dir)
{
    if (dir)
        g->own[g->places.own_count++] = dir;
}

/* False if the place is the usual one, or contains the home directory. */
static bool is_elsewhere(const struct sf_policy_context *g, const char *at, const char *name)
{
    char *usual;
    bool same;

    if (sf_cage_below(at, g->home))
        return false;
    usual = sf_path_join(g->home, name);
    same = !strcmp(usual, at);
    free(usual);
    return !same;
}

static void add_moved(struct sf_policy_context *g, const char *path, size_t len, const char *name)
{
    char *at = path[0] == '/' ? really(g, sf_strndup(path, len)) : NULL;

    if (at && g->places.moved_count < MOVED_MAX && is_elsewhere(g, at, name))
        g->moved[g->places.moved_count++] =
            (struct sf_path_moved){ sf_arena_strndup(&g->arena, at, strlen(at)), name };
    free(at);
}

/* Directories that variables have moved out of the home directory contain the same secrets. */
static void collect_moved(struct sf_policy_context *g)
{
    g->moved = sf_arena_alloc(&g->arena, MOVED_MAX * sizeof(*g->moved));
    g->places.moved = g->moved;
    for (size_t i = 0; g->home && i < sf_path_move_count; i++) {
        const struct sf_path_move *move = &sf_path_moves[i];
        const char *value = sf_env_get(move->variable);

        while (value && *value) {
            size_t n = move->list ? strcspn(value, ":") : strlen(value);

            add_moved(g, value, n, move->home);
            value += n + (value[n] == ':');
        }
    }
}

/* Collects special places; among them sf's own directories, which no tool may write. */
static void collect_places(struct sf_policy_context *g)
{
    struct sf_error ignored = SF_ERROR_INIT;

    g->home = really(g, sf_env_home(&ignored));
    g->places = (struct sf_path_places){ .root = g->root.path,
                                         .home = g->home,
                                         .own = (const char *const *)g->own };
    add_own(g, really(g, sf_env_state_dir(&ignored)));
    add_own(g, really(g, sf_env_config_dir(&ignored)));
    add_own(g, linked_settings(g));
    collect_moved(g);
}

void sf_policy_context_set_spill(struct sf_policy_context *policy, const char *dir)
{
    free(policy->spill);
    policy->spill = really(policy, sf_strdup(dir));
}

bool sf_policy_context_init(struct sf_policy_context *policy, struct sf_config *config,
                            const struct sf_workspace *workspace, struct sf_error *err)
{
    enum sf_trust_state trust = SF_TRUST_NO;
    struct sf_error ignored = SF_ERROR_INIT;
    size_t count;

    *policy = (struct sf_policy_context){ .root = SF_PLACE_ROOT_INIT, .added = SF_STRLIST_INIT };
    if (!sf_place_root_open(&policy->root, workspace->root, err))
        return false;
    sf_env_distrust(policy->root.path);
    collect_places(policy);
    if (!collect_rules(policy, config, &count, err) || !collect_scopes(policy, config, err)) {
        sf_policy_context_release(policy);
        return false;
    }
    policy->rule_count = policy->rule_cap = count;
    policy->approval =
        (enum sf_approval_mode)sf_config_find(config, "guard.approval_mode")->integer;
    policy->configured = policy->approval;
    policy->allow_shell = sf_config_bool(config, "guard.allow_shell");
    policy->caged =
        sf_config_find(config, "guard.cage")->integer != SF_CAGE_NEED_OFF && sf_kernel_fences();
    policy->trusted = sf_trust_check(workspace->root, &trust, &ignored) && trust == SF_TRUST_YES;
    policy->git = sf_git_reach_new(policy->root.path, policy->home);
    return true;
}

void sf_policy_context_release(struct sf_policy_context *policy)
{
    sf_git_reach_free(policy->git);
    sf_place_root_close(&policy->root);
    free(policy->rules);
    free(policy->spill);
    free(policy->home);
    for (size_t i = 0; i < SF_COUNT(policy->own); i++)
        free(policy->own[i]);
    sf_arena_release(&policy->arena);
    sf_strlist_release(&policy->added);
}

/* The same key may be approved for the workspace and for several sessions. */
static bool is_approval(const struct sf_rule *rule, const char *pattern, const char *session)
{
    if (rule->source == SF_RULE_SETTINGS || strcmp(rule->pattern, pattern) != 0)
        return false;
    return rule->session && session ? !strcmp(rule->session, session) : rule->session == session;
}

static const char *keep(struct sf_policy_context *policy, const char *text)
{
    return text ? sf_arena_strndup(&policy->arena, text, strlen(text)) : NULL;
}

void sf_policy_context_approve(struct sf_policy_context *policy, const char *pattern,
                               const char *session)
{
    for (size_t i = 0; i < policy->rule_count; i++)
        if (is_approval(&policy->rules[i], pattern, session))
            return;
    policy->rules =
        sf_grow(policy->rules, &policy->rule_cap, policy->rule_count + 1, sizeof(*policy->rules));
    policy->rules[policy->rule_count++] =
        (struct sf_rule){ keep(policy, pattern), SF_ALLOW,
                          session ? SF_RULE_SESSION : SF_RULE_WORKSPACE, keep(policy, session) };
}

static bool add_approval(void *ctx, const struct sf_approval_row *row)
{
    sf_policy_context_approve(ctx, row->pattern, row->session);
    return true;
}

bool sf_policy_context_recall(struct sf_policy_context *policy, struct sf_store *store,
                              const char *session, struct sf_error *err)
{
    return sf_store_each_approval(store, session, add_approval, policy, err);
}

struct in_force {
    const struct sf_policy_context *policy;
    bool *rules; /* for each rule */
};

static bool mark(void *ctx, const struct sf_approval_row *row)
{
    struct in_force *f = ctx;

    for (size_t i = 0; i < f->policy->rule_count; i++)
        f->rules[i] = f->rules[i] || is_approval(&f->policy->rules[i], row->pattern, row->session);
    return true;
}

/* Those of all sessions are read, as sub-agents share the policy and have sessions of their own. */
bool sf_policy_context_refresh(struct sf_policy_context *policy, struct sf_store *store,
                               struct sf_error *err)
{
    struct in_force f = { policy, sf_alloc_array(policy->rule_count + 1, sizeof(*f.rules)) };
    bool ok = sf_store_each_approval(store, NULL, mark, &f, err);
    size_t kept = 0;

    for (size_t i = 0; ok && i < policy->rule_count; i++)
        if (policy->rules[i].source == SF_RULE_SETTINGS || f.rules[i])
            policy->rules[kept++] = policy->rules[i];
    if (ok)
        policy->rule_count = kept;
    free(f.rules);
    return ok;
}

void sf_policy_context_forget(struct sf_policy_context *policy)
{
    size_t kept = 0;

    for (size_t i = 0; i < policy->rule_count; i++)
        if (policy->rules[i].source != SF_RULE_SESSION)
            policy->rules[kept++] = policy->rules[i];
    policy->rule_count = kept;
    sf_strlist_release(&policy->added);
    policy->added = (struct sf_strlist)SF_STRLIST_INIT;
}

bool sf_policy_context_state(const struct sf_policy_context *policy, struct sf_config *config,
                             enum sf_surface surface, struct sf_mode_state *state,
                             struct sf_error *err)
{
    const struct sf_config_value *scope = sf_config_find(config, "defaults.scope");
    struct sf_start start = { .scope = scope ? scope->text : NULL };

    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        const struct sf_config_value *value;
        char key[64];

        snprintf(key, sizeof(key), "defaults.%s", sf_axes[axis].config);
        value = sf_config_find(config, key);
        start.chosen[axis] = value->origin.layer != SF_LAYER_BUILTIN;
        start.values[axis] = (int)value->integer;
    }
    return sf_start_state(&start, surface, &policy->scopes, state, err);
}

struct sf_path_facts sf_policy_context_path(const struct sf_policy_context *policy,
                                            const struct sf_place *place)
{
    const struct sf_path_found found = { .real = place->real,
                                         .inside = place->inside,
                                         .via = (const char *const *)place->via.items,
                                         .via_count = place->via.count,
                                         .git_dir = place->git_dir,
                                         /* of a directory the entries of those in it are counted */
                                         .links =
                                             S_ISDIR(place->st.st_mode) ? 1 : place->st.st_nlink };

    return sf_path_classify(&found, &policy->places);
}
