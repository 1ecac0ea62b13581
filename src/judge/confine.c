/*
 * confine.c: from settings and verdicts to wishes.
 */
#include "judge/confine.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/io.h"
#include "judge/added_secrets.h"
#include "judge/tempdir.h"

struct sf_confine {
    const struct sf_policy_context *policy;
    enum sf_cage_need need;
    struct sf_cage_limits limits;
    struct sf_tempdir scratch;
    struct sf_strlist env, unsearched;
    const char *git_dirs[2], *own[SF_COUNT(((struct sf_policy_context *)0)->own) + 1];
    const char **caches, **readable;
    struct sf_secrets *secrets;     /* NULL: they are not hidden */
    struct sf_added_secrets *added; /* below added directories; NULL likewise */
    struct sf_cage_memory *memory;
    struct sf_repositories *repositories;
    struct sf_git_history *history; /* NULL: there is no repository */
    char *git_dir;
};

/* The texts of a list, NULL-terminated; they belong to the settings. */
static const char **list_of(struct sf_config *config, const char *key)
{
    const struct sf_config_value *value = sf_config_find(config, key);
    size_t count = value ? value->count : 0;
    const char **list = sf_alloc_array(count + 1, sizeof(*list));

    for (size_t i = 0; i < count; i++)
        list[i] = value->items[i].text;
    return list;
}

/* The directory with objects and settings: of a linked worktree that of the main one. */
static void find_git(struct sf_confine *c, const struct sf_workspace *workspace)
{
    struct stat st;

    c->git_dir = sf_path_join(workspace->project, ".git");
    if (lstat(c->git_dir, &st) == 0 && S_ISDIR(st.st_mode))
        c->git_dirs[0] = c->git_dir;
}

/* Where the project's state cannot be found, nothing can be kept in it. */
static void find_history(struct sf_confine *c, const struct sf_workspace *workspace)
{
    struct sf_error ignored = SF_ERROR_INIT;
    char *state = sf_workspace_state_dir(workspace, &ignored), *store;

    if (state && c->git_dirs[0]) {
        store = sf_path_join(state, "history");
        c->history = sf_git_history_new(c->git_dirs[0], store);
        free(store);
    }
    free(state);
}

static void find_own(struct sf_confine *c)
{
    size_t n = 0;

    /* a linked .sf of the workspace is no secret of the user's */
    for (size_t i = 0; i < c->policy->places.own_count; i++)
        if (!sf_cage_below(c->policy->root.path, c->policy->own[i]))
            c->own[n++] = c->policy->own[i];
}

/* Builds need what is usual (JAVA_HOME, VIRTUAL_ENV, CC, CI); what may be a secret stays behind. */
static void make_env(struct sf_confine *c, struct sf_config *config)
{
    const char **keep = list_of(config, "guard.env_keep"), *path = sf_env_get("PATH");
    static const char *const nothing[] = { NULL };

    sf_cage_env(environ ? (const char *const *)environ : nothing, keep, c->scratch.path, &c->env);
    free(sf_env_path(path ? path : "", &c->unsearched));
    free(keep);
}

static void find_limits(struct sf_confine *c, struct sf_config *config)
{
    uint64_t percent = (uint64_t)sf_config_int(config, "guard.max_memory");

    c->limits.processes = (uint64_t)sf_config_int(config, "guard.max_processes");
    c->limits.file_bytes = (uint64_t)sf_config_int(config, "guard.max_file_size") << 20;
    c->limits.memory = sf_kernel_memory() / 100 * percent;
}

static void find_secrets(struct sf_confine *c, struct sf_config *config)
{
    const struct sf_secrets_where where = { .root = c->policy->root.path,
                                            .home = c->policy->home,
                                            .git_dirs = c->git_dirs,
                                            .moved = c->policy->places.moved,
                                            .moved_count = c->policy->places.moved_count,
                                            .readable = c->readable };

    if (!sf_config_bool(config, "guard.hide_secrets"))
        return;
    c->secrets = sf_secrets_new(&where);
    c->added = sf_added_secrets_new(&where);
}

struct sf_confine *sf_confine_new(const struct sf_policy_context *policy, struct sf_config *config,
                                  const struct sf_workspace *workspace, struct sf_error *err)
{
    struct sf_confine *c = sf_alloc(sizeof(*c));

    c->policy = policy;
    c->memory = sf_cage_memory_new();
    c->need = (enum sf_cage_need)sf_config_find(config, "guard.cage")->integer;
    c->caches = list_of(config, "guard.caches");
    c->readable = list_of(config, "guard.readable");
    if (!sf_tempdir_init(&c->scratch, err)) {
        sf_confine_free(c);
        return NULL;
    }
    find_git(c, workspace);
    find_history(c, workspace);
    c->repositories = sf_repositories_new(policy->root.path, policy->home, c->git_dirs);
    find_own(c);
    find_limits(c, config);
    find_secrets(c, config);
    make_env(c, config);
    return c;
}

void sf_confine_free(struct sf_confine *c)
{
    if (!c)
        return;
    sf_tempdir_release(&c->scratch);
    sf_secrets_free(c->secrets);
    sf_added_secrets_free(c->added);
    sf_cage_memory_free(c->memory);
    sf_repositories_free(c->repositories);
    sf_git_history_free(c->history);
    free(c->caches);
    free(c->readable);
    free(c->git_dir);
    sf_strlist_release(&c->env);
    sf_strlist_release(&c->unsearched);
    free(c);
}

const struct sf_strlist *sf_confine_unsearched(const struct sf_confine *c)
{
    return &c->unsearched;
}

const char *const *sf_confine_env(const struct sf_confine *c)
{
    return (const char *const *)c->env.items;
}

struct sf_child_watch sf_confine_watch(const struct sf_confine *c)
{
    struct sf_child_watch watch = { 0 };

    if (c->need != SF_CAGE_NEED_OFF) {
        watch.memory = c->limits.memory;
        watch.processes = c->limits.processes;
    }
    return watch;
}

static const char *value_of(const struct sf_strlist *env, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < env->count; i++)
        if (!strncmp(env->items[i], name, n) && env->items[i][n] == '=')
            return env->items[i] + n + 1;
    return NULL;
}

/* What may stand beside git and changes no file but by a redirection. */
static bool is_companion(const char *program)
{
    static const char *const names[] = { "cd", "echo", "printf", "cat", "true", ":" };

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strcmp(names[i], program))
            return true;
    return false;
}

/*
 * Nothing but git: then its settings may change. What a hook that it runs makes of that is looked
 * at afterwards, see git_repair.h.
 */
static bool is_git_alone(const struct sf_judged *j)
{
    const struct sf_strlist *programs = &j->report.programs;
    bool git = false;

    if (!j->has_report || j->report.more)
        return false;
    for (size_t i = 0; i < programs->count; i++) {
        bool is_git = !strcmp(programs->items[i], "git");

        if (!is_git && (j->report.redirects || !is_companion(programs->items[i])))
            return false;
        git = git || is_git;
    }
    return git;
}

static char *absolute(const struct sf_confine *c, const char *path)
{
    return path[0] == '/' ? sf_strdup(path) : sf_path_join(c->policy->root.path, path);
}

/* What the verdict saw outside of the workspace, and let pass. */
static void add_paths(const struct sf_confine *c, const struct sf_judged *j,
                      struct sf_strlist *reads, struct sf_strlist *writes)
{
    for (size_t i = 0; i < j->action.path_count; i++) {
        const struct sf_action_path *p = &j->action.paths[i];

        if (p->refused || (p->zone != SF_PATH_OUTSIDE && p->zone != SF_PATH_CREDENTIAL))
            continue;
        sf_strlist_adopt(p->writes && p->zone == SF_PATH_OUTSIDE ? writes : reads,
                         absolute(c, p->path));
    }
}

/* What others obey is a build's to write when it was named to it: that was asked, and allowed. */
static void add_changes(const struct sf_confine *c, const struct sf_judged *j,
                        struct sf_strlist *out)
{
    for (size_t i = 0; j && i < j->action.path_count; i++) {
        const struct sf_action_path *p = &j->action.paths[i];

        if (p->named)
            sf_strlist_adopt(out, absolute(c, p->path));
    }
}

static bool was_named(const struct sf_confine *c, const struct sf_judged *j, const char *secret)
{
    bool named = false;

    for (size_t i = 0; j && !named && i < j->action.path_count; i++) {
        const struct sf_action_path *p = &j->action.paths[i];
        char *path = absolute(c, p->path);

        named = !p->refused && p->zone == SF_PATH_CREDENTIAL && sf_cage_below(secret, path);
        free(path);
    }
    return named;
}

/* What is named like a secret stays hidden, unless the verdict was about that very file. */
static void add_secrets(const struct sf_confine *c, const struct sf_judged *j,
                        struct sf_strlist *out)
{
    struct sf_strlist found = SF_STRLIST_INIT;

    sf_strlist_append(&found, sf_secrets_look(c->secrets));
    if (c->policy->added.count)
        sf_added_secrets_look(c->added, &c->policy->added, &found);
    for (size_t i = 0; i < found.count; i++)
        if (!was_named(c, j, found.items[i]))
            sf_strlist_add(out, found.items[i]);
    sf_strlist_release(&found);
}

/* There may be more than was found. */
static bool is_cut(const struct sf_confine *c)
{
    return c->secrets && (sf_secrets_is_cut(c->secrets) ||
                          (c->policy->added.count && sf_added_secrets_is_cut(c->added)));
}

/* What a program that talks needs to say who one is; below the home directory. */
static const struct {
    const char *program;
    const char *paths[4];
} identities[] = {
    { "git", { ".ssh", ".git-credentials", ".config/git/credentials", ".netrc" } },
    { "ssh", { ".ssh" } },
    { "scp", { ".ssh" } },
    { "sftp", { ".ssh" } },
    { "rsync", { ".ssh" } },
    { "gh", { ".config/gh" } },
    { "npm", { ".npmrc" } },
    { "pnpm", { ".npmrc" } },
    { "yarn", { ".npmrc", ".yarnrc", ".yarnrc.yml" } },
    { "cargo", { ".cargo/credentials", ".cargo/credentials.toml" } },
    { "twine", { ".pypirc" } },
    { "aws", { ".aws" } },
    { "gcloud", { ".config/gcloud" } },
    { "kubectl", { ".kube" } },
};

/* Where the user keeps it, if a variable has moved it; it may lie in the home directory too. */
static void add_identity(const struct sf_confine *c, const char *path, struct sf_strlist *reads)
{
    const struct sf_path_places *places = &c->policy->places;

    sf_strlist_adopt(reads, sf_path_join(c->policy->home, path));
    for (size_t i = 0; i < places->moved_count; i++) {
        const struct sf_path_moved *m = &places->moved[i];
        const char *rest = sf_cage_rest(m->home, path);

        if (sf_cage_below(path, m->home))
            sf_strlist_add(reads, m->at);
        else if (rest)
            sf_strlist_adopt(reads, sf_path_join(m->at, rest));
    }
}

static size_t identity_of(const char *program)
{
    size_t i = 0;

    while (i < SF_COUNT(identities) && strcmp(identities[i].program, program) != 0)
        i++;
    return i;
}

/*
 * A push that was allowed must be able to log in. Only when every program of the command is one
 * of the list: with any other beside it, that one could read the keys and send them.
 */
static void add_identities(const struct sf_confine *c, const struct sf_judged *j,
                           struct sf_strlist *reads)
{
    const struct sf_strlist *programs = &j->report.programs;
    const char *agent = value_of(&c->env, "SSH_AUTH_SOCK"); /* there when guard.env_keep has it */

    if (!j->has_report || !j->report.talks || j->report.more || !c->policy->home)
        return;
    for (size_t i = 0; i < programs->count; i++)
        if (identity_of(programs->items[i]) == SF_COUNT(identities))
            return;
    for (size_t i = 0; i < programs->count; i++) {
        size_t row = identity_of(programs->items[i]);

        for (size_t k = 0; k < SF_COUNT(identities[row].paths) && identities[row].paths[k]; k++)
            add_identity(c, identities[row].paths[k], reads);
    }
    if (agent)
        sf_strlist_add(reads, agent);
}

/* The list's items, NULL-terminated, as strlists are. */
static const char *const *items(const struct sf_strlist *list)
{
    return list->count ? (const char *const *)list->items : NULL;
}

void sf_confine_plan(const struct sf_confine *c, const struct sf_confine_call *call,
                     struct sf_cage_plan *plan)
{
    const struct sf_judged *j = call->judged;
    struct sf_strlist reads = SF_STRLIST_INIT, writes = SF_STRLIST_INIT, secrets = SF_STRLIST_INIT;
    struct sf_strlist changes = SF_STRLIST_INIT;
    struct sf_cage_wish wish = { .root = c->policy->root.path,
                                 .home = c->policy->home,
                                 .moved = c->policy->places.moved,
                                 .moved_count = c->policy->places.moved_count,
                                 .temp = c->scratch.path,
                                 .git_dirs = c->git_dirs,
                                 .git_settings = j && is_git_alone(j),
                                 .repositories = sf_repositories_look(c->repositories),
                                 .caches = c->caches,
                                 .own = c->own,
                                 .trusted = call->trusted,
                                 .readonly = j && j->only_reads,
                                 .network =
                                     call->network || (j && j->has_report && j->report.talks),
                                 .show_secrets = !c->secrets,
                                 .need = c->need,
                                 .limits = c->limits };

    if (j) {
        add_paths(c, j, &reads, &writes);
        add_identities(c, j, &reads);
    }
    if (c->policy->spill)
        sf_strlist_add(&reads, c->policy->spill);
    if (call->dir)
        sf_strlist_add(&reads, call->dir);
    if (call->report)
        sf_strlist_add(&writes, call->report);
    if (c->secrets)
        add_secrets(c, j, &secrets);
    wish.secrets = items(&secrets);
    wish.secrets_cut = is_cut(c);
    wish.may_read = items(&reads);
    wish.may_write = items(&writes);
    add_changes(c, j, &changes);
    wish.may_change = items(&changes);
    sf_cage_plan_make(plan, &wish);
    sf_strlist_release(&reads);
    sf_strlist_release(&writes);
    sf_strlist_release(&secrets);
    sf_strlist_release(&changes);
}

struct sf_cage *sf_confine_cage(struct sf_confine *c, const struct sf_confine_call *call,
                                struct sf_error *err)
{
    struct sf_cage_plan plan;
    struct sf_cage *cage;

    if (c->scratch.lock < 0 && !sf_tempdir_make(&c->scratch, err))
        return NULL;
    sf_confine_plan(c, call, &plan);
    cage = sf_cage_new(&plan, sf_kernel(), c->memory, err);
    sf_cage_plan_release(&plan);
    return cage;
}

struct sf_cage_coverage sf_confine_coverage(const struct sf_confine *c, const struct sf_judged *j,
                                            bool trusted)
{
    const struct sf_cage_plan plan = { .root = c->policy->root.path,
                                       .need = c->need,
                                       .trusted = trusted && !(j && j->only_reads),
                                       .readonly = j && j->only_reads,
                                       .show_secrets = !c->secrets,
                                       .secrets_cut = is_cut(c),
                                       .git_cut = sf_repositories_is_cut(c->repositories),
                                       .network = j && j->has_report && j->report.talks };

    return sf_cage_coverage(sf_kernel(), &plan);
}

void sf_confine_note(const struct sf_confine *c, struct sf_judged *j, bool trusted)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!j->has_report)
        return;
    j->held = sf_confine_coverage(c, j, trusted);
    j->cannot_write = j->only_reads && j->held.stands[SF_FENCE_WRITE];
    sf_cage_coverage_add(&text, &j->held);
    j->cage = sf_arena_strndup(&j->arena, text.buf, text.len);
    sf_strbuf_reset(&text);
    sf_cage_coverage_brief(&text, &j->held);
    j->cage_brief = sf_arena_strndup(&j->arena, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* As it was found when the call was judged; a command that nobody judged is looked at now. */
static struct sf_cage_coverage coverage_of(const struct sf_confine *c,
                                           const struct sf_confine_call *call)
{
    const struct sf_judged *j = call->judged;

    return j && j->cage ? j->held : sf_confine_coverage(c, j, call->trusted);
}

/* Where nothing can be written there is nothing to put back or to record. */
static bool is_followed(const struct sf_confine *c, const struct sf_judged *j)
{
    return c->need != SF_CAGE_NEED_OFF && !(j && j->cannot_write);
}

bool sf_confine_records(const struct sf_confine *c, const struct sf_confine_call *call)
{
    return is_followed(c, call->judged);
}

struct sf_git_repair *sf_confine_care(struct sf_confine *c, const struct sf_confine_call *call)
{
    const struct sf_judged *j = call->judged;
    struct sf_cage_coverage held = coverage_of(c, call);
    struct sf_strlist changes = SF_STRLIST_INIT;
    bool alone = j && is_git_alone(j);
    struct sf_git_repair_how how = {
        .held = held.mounts,
        .git_alone = alone,
        .any = alone && !strcmp(j->report.rule, "git-config-exec"),
        .history = c->history,
    };
    struct sf_git_repair *care;

    if (!is_followed(c, j))
        return NULL;
    add_changes(c, j, &changes);
    how.may_change = items(&changes);
    care = sf_git_repair_new(c->repositories, &how);
    sf_strlist_release(&changes);
    return care;
}

/* Names as programs tell them: from the root, whatever directory they were in. */
static void find_frozen(const struct sf_confine *c, struct sf_strlist *out)
{
    static const char *const usual[] = { ".git/hooks", ".git/modules", ".git/worktrees",
                                         ".git/config", ".sf" };
    const struct sf_repositories_found *found = sf_repositories_look(c->repositories);
    const struct sf_strlist *const named[] = { &found->hooks, &found->settings };

    for (size_t i = 0; i < SF_COUNT(named); i++)
        for (size_t k = 0; k < named[i]->count; k++)
            sf_strlist_add(out, named[i]->items[k] + strlen(c->policy->root.path) + 1);
    for (size_t i = 0; i < SF_COUNT(usual); i++)
        sf_strlist_add(out, usual[i]);
}

void sf_confine_hint(const struct sf_confine *c, const struct sf_confine_call *call, bool failed,
                     const struct sf_strbuf *output, struct sf_strbuf *out)
{
    struct sf_cage_coverage held = coverage_of(c, call);
    bool git = held.stands[SF_FENCE_GIT];
    struct sf_cage_closed closed = { .network = held.stands[SF_FENCE_NETWORK] && !call->network,
                                     .sockets = held.stands[SF_FENCE_SOCKETS],
                                     .writing = held.stands[SF_FENCE_WRITE],
                                     .settings =
                                         git && !(call->judged && is_git_alone(call->judged)),
                                     .succeeded = !failed,
                                     .hidden = SF_STRLIST_INIT,
                                     .readonly = call->judged && call->judged->only_reads,
                                     .unsearched =
                                         c->unsearched.count ? c->unsearched.items[0] : NULL,
                                     .bare = held.level == SF_CAGE_LEVEL_LANDLOCK,
                                     .root = c->policy->root.path };

    if (failed && git)
        find_frozen(c, &closed.kept);
    if (failed && c->secrets && held.stands[SF_FENCE_SECRETS])
        add_secrets(c, call->judged, &closed.hidden);
    sf_cage_hint(&closed, output->buf, output->len, out);
    sf_strlist_release(&closed.kept);
    sf_strlist_release(&closed.hidden);
}
