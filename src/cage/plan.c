/*
 * plan.c: from a wish to rules. The names of secrets are the guard's: its table of paths is
 * spelled out here for the home directory and for /, so that one list serves both.
 */
#include "cage/plan.h"

#include <stdlib.h>
#include <string.h>

#include "guard/guard.h"
#include "io/io.h"

/*
 * What package managers and compilers keep between runs, used where it exists: without it no build
 * with a new dependency works. Not what programs are run from as it lies there (environments of
 * other projects, browsers): whoever writes those is out of the cage; guard.caches adds them.
 */
static const char *const usual_caches[] = {
    ".npm/_cacache",
    ".npm/_logs",
    ".local/share/pnpm/store",
    ".cache/pnpm",
    ".cache/yarn",
    ".yarn/berry/cache",
    ".cache/node-gyp",
    ".cache/deno",
    ".cache/pip",
    ".cache/uv",
    ".cache/pypoetry/cache",
    ".cache/composer",
    ".cargo/registry",
    ".cargo/git",
    "go/pkg/mod",
    ".cache/go-build",
    ".gradle/caches",
    ".m2/repository",
    ".cache/ccache",
    ".ccache",
    ".cache/sccache",
    ".cache/zig",
    ".cache/mypy",
    ".cache/ruff",
};

#define SECRET_WHY "named like a secret, and not what git has"

/* Beneath a git directory: what decides which programs git runs. */
static const char *const git_settings[] = { "config", "config.worktree" };

/* Beneath that of a linked worktree: where the rest lies, and whose it is. */
static const char *const linked_settings[] = { "config.worktree", "commondir", "gitdir" };

/* Beneath .sf: what is not policy. */
static const char *const work_dirs[] = { "plans", "tasks", "research" };

const char *sf_cage_rest(const char *dir, const char *path)
{
    size_t n = strlen(dir);

    while (n && dir[n - 1] == '/')
        n--;
    if (strncmp(dir, path, n) != 0 || (path[n] && path[n] != '/'))
        return NULL;
    return path + n + strspn(path + n, "/");
}

bool sf_cage_below(const char *dir, const char *path)
{
    return sf_cage_rest(dir, path) != NULL;
}

/* Adopts the path. */
static void add(struct sf_cage_plan *plan, enum sf_cage_use use, char *path, const char *why)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        path[--n] = '\0';
    plan->rules = sf_grow(plan->rules, &plan->cap, plan->count + 1, sizeof(*plan->rules));
    plan->rules[plan->count++] = (struct sf_cage_rule){ .use = use, .path = path, .why = why };
}

static void add_list(struct sf_cage_plan *plan, enum sf_cage_use use, const char *const *paths,
                     const char *why)
{
    for (; paths && *paths; paths++)
        add(plan, use, sf_strdup(*paths), why);
}

static void add_below(struct sf_cage_plan *plan, enum sf_cage_use use, const char *dir,
                      const char *const *names, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++)
        add(plan, use, sf_path_join(dir, names[i]), why);
}

/* Device files have a table of their own, and of processes the kernel shows only one's own. */
static bool is_special(const struct sf_path_rule *rule)
{
    return !strcmp(rule->name, "process-memory");
}

static const char *base_of(const struct sf_cage_plan *plan, const struct sf_path_rule *rule)
{
    switch (rule->where) {
    case SF_WHERE_TOP:
        return "/";
    case SF_WHERE_ANY:
    case SF_WHERE_HOME:
        return plan->home;
    case SF_WHERE_ROOT:
    case SF_WHERE_OWN:
    case SF_WHERE_SHAPE:
    case SF_WHERE_UNSEEN:
        break;
    }
    return NULL;
}

/* The same name in the places that have moved: beneath one, or one that is all of it. */
static void hide_moved(struct sf_cage_plan *plan, const struct sf_path_rule *rule, const char *name,
                       const struct sf_cage_wish *wish)
{
    for (size_t i = 0; i < wish->moved_count; i++) {
        const struct sf_path_moved *m = &wish->moved[i];
        const char *rest = sf_cage_rest(m->home, name);

        if (sf_cage_below(name, m->home))
            add(plan, SF_CAGE_HIDE, sf_strdup(m->at), rule->what);
        else if (rest)
            add(plan, SF_CAGE_HIDE, sf_path_join(m->at, rest), rule->what);
    }
}

/* The patterns of a rule that are plain names. */
static void hide_rule(struct sf_cage_plan *plan, const struct sf_path_rule *rule, const char *base,
                      const struct sf_cage_wish *wish)
{
    for (const char *p = rule->patterns; *p;) {
        size_t n = strcspn(p, "|");

        if (!memchr(p, '*', n)) {
            char *name = sf_strndup(p, n);

            add(plan, SF_CAGE_HIDE, sf_path_join(base, name), rule->what);
            if (rule->where != SF_WHERE_TOP)
                hide_moved(plan, rule, name, wish);
            free(name);
        }
        p += n + (p[n] == '|');
    }
}

static void hide_secrets(struct sf_cage_plan *plan, const struct sf_cage_wish *wish)
{
    for (size_t i = 0; i < sf_path_rule_count; i++) {
        const struct sf_path_rule *rule = &sf_path_rules[i];
        const char *base = base_of(plan, rule);

        if (base && sf_path_rule_is_secret(rule) && !is_special(rule))
            hide_rule(plan, rule, base, wish);
    }
    add_list(plan, SF_CAGE_HIDE, wish->own, "sf's own data");
}

static void keep_git(struct sf_cage_plan *plan, const char *dir, bool settings)
{
    add(plan, SF_CAGE_KEEP, sf_path_join(dir, "hooks"), "run by git");
    plan->rules[plan->count - 1].make = true;
    if (!settings)
        add_below(plan, SF_CAGE_KEEP, dir, git_settings, SF_COUNT(git_settings),
                  "decides what git runs");
}

static bool is_listed(const char *const *list, const char *path)
{
    for (; list && *list; list++)
        if (!strcmp(*list, path))
            return true;
    return false;
}

/* What a submodule or a linked worktree has of its own, and what settings name beside them. */
static void keep_below(struct sf_cage_plan *plan, const struct sf_cage_wish *wish)
{
    const struct sf_repositories_found *found = wish->repositories;

    for (size_t i = 0; i < found->count; i++) {
        const struct sf_git_dir *dir = &found->dirs[i];

        if (!dir->kept || is_listed(wish->git_dirs, dir->path))
            continue;
        if (!dir->linked)
            keep_git(plan, dir->path, wish->git_settings);
        else if (!wish->git_settings)
            add_below(plan, SF_CAGE_KEEP, dir->path, linked_settings, SF_COUNT(linked_settings),
                      "says where git's data lies");
    }
    for (size_t i = 0; i < found->hooks.count; i++)
        add(plan, SF_CAGE_KEEP, sf_strdup(found->hooks.items[i]), "run by git");
    for (size_t i = 0; i < found->settings.count; i++)
        add(plan, SF_CAGE_KEEP, sf_strdup(found->settings.items[i]), "decides what git runs");
    plan->git_cut = found->cut;
}

/* Also what lies in there, or around it, is not held: what else changes is put back afterwards. */
bool sf_cage_is_named(const char *const *named, const char *path)
{
    for (; named && *named; named++)
        if (sf_cage_below(path, *named) || sf_cage_below(*named, path))
            return true;
    return false;
}

/* Git alone may change it, as it does when it checks out. What is covered cannot be opened at all. */
static void keep_obeyed(struct sf_cage_plan *plan, const struct sf_cage_wish *wish)
{
    const struct sf_strlist *obeyed = &wish->repositories->obeyed;

    for (size_t i = 0; !wish->git_settings && i < obeyed->count; i++)
        if (!sf_cage_is_named(wish->may_change, obeyed->items[i]) &&
            !is_listed(wish->secrets, obeyed->items[i]))
            add(plan, SF_CAGE_KEEP, sf_strdup(obeyed->items[i]), "obeyed or run later on");
}

static void add_workspace(struct sf_cage_plan *plan, const struct sf_cage_wish *wish)
{
    char *policy, *git;

    if (wish->readonly) {
        add(plan, SF_CAGE_READ, sf_strdup(wish->root), "the workspace: the command only reads");
        add_list(plan, SF_CAGE_READ, wish->git_dirs, "its git data");
        return;
    }
    policy = sf_path_join(wish->root, ".sf");
    git = sf_path_join(wish->root, ".git");
    add(plan, SF_CAGE_WRITE, sf_strdup(wish->root), "the workspace");
    add_list(plan, SF_CAGE_WRITE, wish->git_dirs, "its git data");
    for (const char *const *dir = wish->git_dirs; dir && *dir; dir++)
        keep_git(plan, *dir, wish->git_settings);
    if (wish->repositories) {
        keep_below(plan, wish);
        keep_obeyed(plan, wish);
    }
    if (wish->git_dirs && *wish->git_dirs && !is_listed(wish->git_dirs, git))
        add(plan, SF_CAGE_KEEP, sf_strdup(git), "says where git's data lies");
    add(plan, SF_CAGE_KEEP, sf_strdup(policy), "sf's settings of the project");
    add_below(plan, SF_CAGE_WRITE, policy, work_dirs, SF_COUNT(work_dirs),
              "sf's notes of the project");
    free(policy);
    free(git);
}

/* A cache must not open up what is hidden, nor all of the home directory. */
static const char *objection(const struct sf_cage_plan *plan, const char *path)
{
    if (path[0] != '/')
        return "it is not an absolute path";
    if (strstr(path, "/../") || strstr(path, "/./") || strstr(path, "//"))
        return "it is not a plain path";
    if (plan->home && sf_cage_below(path, plan->home))
        return "the home directory lies in it";
    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_cage_rule *rule = &plan->rules[i];

        if (rule->use == SF_CAGE_HIDE &&
            (sf_cage_below(path, rule->path) || sf_cage_below(rule->path, path)))
            return "it would open a place that may hold secrets";
    }
    return NULL;
}

static void add_cache(struct sf_cage_plan *plan, const char *written)
{
    char *path = !strncmp(written, "~/", 2) && plan->home ? sf_path_join(plan->home, written + 2)
                                                          : sf_strdup(written);
    const char *why_not = objection(plan, path);

    if (!why_not) {
        add(plan, SF_CAGE_WRITE, path, "a cache of guard.caches");
        return;
    }
    sf_strlist_addf(&plan->notes, "guard.caches: %s is left out: %s", written, why_not);
    free(path);
}

static void add_caches(struct sf_cage_plan *plan, const struct sf_cage_wish *wish)
{
    for (size_t i = 0; plan->home && i < SF_COUNT(usual_caches); i++)
        add(plan, SF_CAGE_WRITE, sf_path_join(plan->home, usual_caches[i]),
            "a cache of a tool-chain");
    for (const char *const *cache = wish->caches; cache && *cache; cache++)
        add_cache(plan, *cache);
}

/* Whether all beneath the path would be more than one place: what is hidden lies in it. */
static bool is_wide(const struct sf_cage_plan *plan, const char *path)
{
    if (plan->home && sf_cage_below(path, plan->home))
        return true;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->rules[i].use == SF_CAGE_HIDE && strcmp(plan->rules[i].path, path) != 0 &&
            sf_cage_below(path, plan->rules[i].path))
            return true;
    return false;
}

static bool is_written(const struct sf_cage_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->rules[i].use == SF_CAGE_WRITE && sf_cage_below(plan->rules[i].path, path))
            return true;
    return false;
}

/* `ls ~` may be allowed; it does not open ~/.ssh. */
static void add_allowed(struct sf_cage_plan *plan, enum sf_cage_use use, const char *const *paths)
{
    for (; paths && *paths; paths++) {
        if (is_written(plan, *paths))
            continue;
        if (!is_wide(plan, *paths))
            add(plan, use, sf_strdup(*paths), "the verdict allowed it");
        else if (use == SF_CAGE_WRITE)
            sf_strlist_addf(&plan->notes, "%s stays read-only: it holds places that are hidden",
                            *paths);
    }
}

static void note_wide_workspace(struct sf_cage_plan *plan)
{
    if (plan->home && sf_cage_below(plan->root, plan->home))
        sf_strlist_add(&plan->notes, "the home directory lies in the workspace, and with it "
                                     "everything that is hidden elsewhere");
}

static void note_cut(struct sf_cage_plan *plan)
{
    if (plan->git_cut)
        sf_strlist_add(&plan->notes, "the workspace is large: not all repositories in it were "
                                     "found, and what commands do to their settings may stay");
}

static char *copy(const char *text)
{
    return text ? sf_strdup(text) : NULL;
}

void sf_cage_plan_make(struct sf_cage_plan *plan, const struct sf_cage_wish *wish)
{
    *plan = (struct sf_cage_plan){ .root = sf_strdup(wish->root),
                                   .home = copy(wish->home),
                                   .temp = copy(wish->temp),
                                   .trusted = wish->trusted && !wish->readonly,
                                   .readonly = wish->readonly,
                                   .network = wish->network,
                                   .show_secrets = wish->show_secrets,
                                   .secrets_cut = wish->secrets_cut,
                                   .need = wish->need,
                                   .limits = wish->limits };
    if (!plan->limits.processes)
        plan->limits.processes = SF_CAGE_PROCESSES;
    if (!plan->limits.file_bytes)
        plan->limits.file_bytes = (uint64_t)SF_CAGE_FILE_GIB << 30;
    hide_secrets(plan, wish);
    add_workspace(plan, wish);
    if (wish->temp)
        add(plan, SF_CAGE_WRITE, sf_strdup(wish->temp), "the session's temporary directory");
    if (!wish->readonly)
        add_caches(plan, wish);
    add_list(plan, SF_CAGE_COVER, wish->secrets, SECRET_WHY);
    if (wish->secrets_cut)
        sf_strlist_add(&plan->notes, "the workspace is large: not all of it was searched for files "
                                     "named like secrets");
    add_allowed(plan, SF_CAGE_WRITE, wish->may_write);
    add_allowed(plan, SF_CAGE_READ, wish->may_read);
    note_wide_workspace(plan);
    note_cut(plan);
}

void sf_cage_plan_release(struct sf_cage_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free(plan->rules[i].path);
    free(plan->rules);
    free(plan->root);
    free(plan->home);
    free(plan->temp);
    sf_strlist_release(&plan->notes);
    *plan = (struct sf_cage_plan){ 0 };
}

static void explain_use(const struct sf_cage_plan *plan, enum sf_cage_use use, const char *label,
                        struct sf_strbuf *out)
{
    const char *home = plan->home && strcmp(plan->home, "/") != 0 ? plan->home : NULL;

    for (size_t i = 0; i < plan->count; i++) {
        const struct sf_cage_rule *rule = &plan->rules[i];
        const char *rest = home ? sf_cage_rest(home, rule->path) : NULL;
        bool at_home = rest && *rest;

        if (rule->use == use)
            sf_strbuf_addf(out, "%-10s%s%s (%s)\n", label, at_home ? "~/" : "",
                           at_home ? rest : rule->path, rule->why);
    }
}

static void explain_limits(const struct sf_cage_limits *limits, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%-10s%llu processes, files of %llu MiB, ", "limits",
                   (unsigned long long)limits->processes,
                   (unsigned long long)(limits->file_bytes >> 20));
    if (limits->memory)
        sf_strbuf_addf(out, "%llu MiB of memory, ", (unsigned long long)(limits->memory >> 20));
    sf_strbuf_adds(out, "no core files\n");
}

void sf_cage_plan_explain(const struct sf_cage_plan *plan, struct sf_strbuf *out)
{
    static const char *const labels[] = { [SF_CAGE_WRITE] = "writable",
                                          [SF_CAGE_KEEP] = "read-only",
                                          [SF_CAGE_READ] = "readable",
                                          [SF_CAGE_HIDE] = "hidden",
                                          [SF_CAGE_COVER] = "hidden" };

    for (size_t use = 0; use < SF_COUNT(labels); use++)
        explain_use(plan, (enum sf_cage_use)use, labels[use], out);
    sf_strbuf_addf(out, "%-10s%s\n", "others",
                   plan->trusted ? "readable and, as the session is trusted, writable"
                                 : "readable");
    sf_strbuf_addf(out, "%-10s%s\n", "network", plan->network ? "yes" : "no");
    sf_strbuf_addf(out, "%-10s%s\n", "sockets",
                   plan->readonly
                       ? "those of other programs are out of reach"
                       : "those of other programs are out of reach, but for any that lie "
                         "in a writable place");
    explain_limits(&plan->limits, out);
    for (size_t i = 0; i < plan->notes.count; i++)
        sf_strbuf_addf(out, "%-10s%s\n", "note", plan->notes.items[i]);
}
