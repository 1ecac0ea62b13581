/*
 * call_judge.c: describes calls to the engine. A path that cannot be resolved is passed on as
 * refused, never left out: what is not understood must not be allowed.
 */
#include "judge/call_judge.h"

#include "base/base.h"
#include "judge/added_dirs.h"
#include "judge/glob_links.h"
#include "modes/modes.h"

static const char *keep(struct sf_judged *j, const char *text)
{
    return sf_arena_strndup(&j->arena, text, strlen(text));
}

static char *from_start(const struct sf_policy_context *g, const char *path, const char *cwd)
{
    if (path[0] == '~' && (path[1] == '/' || !path[1]) && g->home)
        return path[1] ? sf_path_join(g->home, path + 2) : sf_strdup(g->home);
    if (path[0] != '/' && cwd && *cwd)
        return sf_path_join(cwd, path);
    return sf_strdup(path);
}

char *sf_policy_context_spelled(const struct sf_policy_context *g, const char *path,
                                const char *cwd)
{
    char *whole = from_start(g, path, cwd);
    size_t n = strlen(whole);

    while (n > 1 && whole[n - 1] == '/')
        whole[--n] = '\0';
    return whole;
}

/* Spilled output of earlier commands may be read as if it were in the workspace. */
static bool is_spill(const struct sf_policy_context *g, const char *real)
{
    size_t n = g->spill ? strlen(g->spill) : 0;

    return n && !strncmp(real, g->spill, n) && real[n] == '/';
}

static struct sf_action_path *next_path(struct sf_judged *j, bool writes)
{
    struct sf_action_path *p = &j->paths[j->action.path_count++];

    *p = (struct sf_action_path){ .writes = writes, .rule = "", .reason = "" };
    return p;
}

static struct sf_action_path *next_named(struct sf_judged *j, const struct sf_report_path *named)
{
    struct sf_action_path *p = next_path(j, named->writes);

    p->named = named->named;
    p->at = named->at;
    p->len = named->len;
    return p;
}

/* Describes where a path leads; a path that cannot be resolved is passed on as refused. */
static void describe_path(const struct sf_policy_context *g, struct sf_judged *j,
                          struct sf_action_path *p, const char *asked, struct sf_place *place,
                          enum sf_place_want want)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_path_facts facts;

    if (!sf_place_resolve(&g->root, asked, strlen(asked), want, place, &err)) {
        p->path = keep(j, asked);
        p->refused = true;
        p->named = false;
        p->rule = SF_RULE_NO_PATH;
        p->reason = keep(j, err.msg);
        return;
    }
    facts = sf_policy_context_path(g, place);
    p->path = keep(j, place->real);
    p->zone = facts.zone;
    p->outside = !facts.inside;
    p->shared = facts.shared;
    p->named = p->named && facts.inside && facts.rule && sf_path_rule_is_obeyed(facts.rule);
    p->rule = facts.rule ? facts.rule->name : "";
    p->reason = facts.rule ? facts.rule->what : "";
    if (!p->writes && !place->inside && is_spill(g, place->real)) {
        p->zone = SF_PATH_INSIDE;
        p->rule = p->reason = "";
    }
    p->added = facts.zone == SF_PATH_OUTSIDE && sf_added_dirs_have(g, place->real);
}

/* What is read in an added directory is read like the workspace, unless a rule protects it. */
static void open_added(struct sf_action_path *p)
{
    if (p->added && !p->writes && !p->refused && p->zone == SF_PATH_OUTSIDE)
        p->zone = SF_PATH_INSIDE;
}

/* `cat .e*`: the matching files are unknown, and one of them may have secrets. */
static void suspect_secrets(struct sf_action_path *p)
{
    if (p->refused || p->zone == SF_PATH_PROTECTED || p->zone == SF_PATH_CREDENTIAL)
        return;
    p->zone = SF_PATH_CREDENTIAL;
    p->rule = "secret-pattern";
    p->reason = "a pattern that can stand for files with secrets";
}

/* Paths of a shell that are not files: descriptors, the terminal, /dev/null. */
static bool is_sink(const char *path)
{
    return !strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm", 8) != 0 && !strstr(path, "..");
}

/* `cat $x/y`: the value of x is unknown, so the path may be outside the workspace. */
static void add_anywhere(struct sf_judged *j, const struct sf_report_path *p)
{
    struct sf_action_path *found = next_named(j, p);

    found->path = keep(j, p->text);
    found->zone = SF_PATH_OUTSIDE;
    if (p->secret)
        suspect_secrets(found);
}

/* Listing reveals names only: names of files with secrets are harmless, the system's are known. */
static void relax_listing(struct sf_judged *j, struct sf_action_path *found, bool inside)
{
    if (found->refused)
        return;
    found->zone = inside ? SF_PATH_INSIDE : SF_PATH_OUTSIDE;
    if (!inside && sf_path_is_public(found->path))
        j->action.path_count--;
}

/* Adds a path if the pattern matches a link in the workspace that leads outside. */
static void add_matched(struct sf_judged *j, struct sf_glob_links *links,
                        const struct sf_report_path *p, const struct sf_place *at,
                        const char *pattern)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_action_path *found;
    char *link;
    enum sf_glob_links_end end = sf_glob_links_look(links, at, pattern, &link);

    if (end == SF_GLOB_LINKS_STAY)
        return;
    found = next_named(j, p);
    if (end == SF_GLOB_LINKS_OUT) {
        describe_path(links->policy, j, found, link, &place, SF_WANT_ANY);
        found->refused = false; /* the call did not name the link, so a broken one is no reason */
    } else {
        found->path = keep(j, p->text);
    }
    if (found->zone == SF_PATH_INSIDE)
        found->zone = SF_PATH_OUTSIDE;
    if (p->names && found->zone == SF_PATH_CREDENTIAL)
        found->zone = SF_PATH_OUTSIDE;
    sf_place_release(&place);
    free(link);
}

/*
 * `cat ../c*`: if the directory before the pattern is outside the workspace, that directory is
 * described; otherwise the tree tells which links the pattern matches.
 */
static void add_pattern(struct sf_glob_links *links, struct sf_judged *j,
                        const struct sf_report_path *p, const char *cwd)
{
    const struct sf_policy_context *g = links->policy;
    size_t n = strcspn(p->text, "*?[");
    struct sf_place place = SF_PLACE_INIT;
    struct sf_action_path *found;
    char *before, *path;

    while (n > 0 && p->text[n - 1] != '/')
        n--;
    before = n ? sf_strndup(p->text, n > 1 ? n - 1 : n) : sf_strdup(".");
    path = sf_policy_context_spelled(g, before, cwd);
    found = next_named(j, p);
    describe_path(g, j, found, path, &place, SF_WANT_ANY);
    if (p->names)
        relax_listing(j, found, place.inside);
    if (!found->refused && found->zone == SF_PATH_INSIDE) {
        j->action.path_count--;
        if (place.inside)
            add_matched(j, links, p, &place, p->text + n);
    }
    sf_place_release(&place);
    free(before);
    free(path);
}

/* ---- git ---- */

/* Programs that cannot put a repository where there was none. */
static bool makes_none(const char *program)
{
    static const char *const names[] = {
        "git",     "cd",    "echo", "printf", "cat",  "true", "false", ":",    "ls",     "head",
        "tail",    "grep",  "rg",   "sed",    "awk",  "wc",   "sort",  "uniq", "mkdir",  "touch",
        "tee",     "chmod", "test", "[",      "find", "diff", "tr",    "cut",  "xargs",  "basename",
        "dirname", "pwd",   "date", "sleep",  "env",  "nl",   "less",  "read", "export",
    };

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strcmp(names[i], program))
            return true;
    return false;
}

/* `cp -r a b && cd b && git diff`: what lies there once git runs, nobody knows yet. */
static bool may_be_made(const struct sf_judged *j, const char *dir)
{
    const struct sf_strlist *programs = &j->report.programs;

    if (j->report.class == SF_CLASS_READONLY || sf_git_reach_is_top(dir))
        return false;
    for (size_t i = 0; i < programs->count; i++)
        if (!makes_none(programs->items[i]))
            return true;
    return j->report.more;
}

/* What the repositories say that the command runs git in. */
static void look_at_git(const struct sf_policy_context *g, const struct sf_judged *j,
                        const char *cwd, struct sf_git_helpers *out)
{
    bool all = j->report.git_anywhere || j->report.more;

    for (size_t i = 0; i < j->report.git_dirs.count; i++) {
        const char *text = j->report.git_dirs.items[i];
        char *path = sf_policy_context_spelled(g, *text ? text : ".", cwd);
        char *whole = *path == '/' ? sf_strdup(path) : sf_path_join(g->root.path, path);

        all = all || strpbrk(text, "*?[{$\001");
        sf_git_reach_from(g->git, whole, out);
        if (may_be_made(j, whole))
            out->doubt = "a repository that the command itself may bring";
        free(path);
        free(whole);
    }
    if (all)
        sf_git_reach_all(g->git, out);
}

static const char *helper_of(const struct sf_judged *j, const struct sf_git_helpers *helpers)
{
    const struct sf_strlist *families = &j->report.families;
    const char *key = NULL;

    for (size_t i = 0; !key && i < families->count; i++)
        if (!strncmp(families->items[i], "git ", 4)) {
            char *verb = sf_strndup(families->items[i] + 4, strcspn(families->items[i] + 4, " "));

            key = sf_git_helpers_key(helpers, verb);
            free(verb);
        }
    if (!key && j->report.more)
        key = sf_git_helpers_key(helpers, NULL);
    return key;
}

/* A repository whose data lies outside is read there, though the command does not say so. */
static void add_away(const struct sf_policy_context *g, struct sf_judged *j, const char *away)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_action_path *found = next_path(j, false);

    describe_path(g, j, found, away, &place, SF_WANT_ANY);
    found->zone = SF_PATH_OUTSIDE;
    found->outside = true;
    found->refused = false; /* the command does not name it */
    found->rule = "git-data-outside";
    found->reason = "where git finds the data of this repository";
    open_added(found);
    sf_place_release(&place);
}

/* A setting of a repository that no option of sf's switches off; the reason names it. */
static void judge_git(const struct sf_policy_context *g, struct sf_judged *j, const char *cwd)
{
    struct sf_git_helpers helpers = { 0 };
    const char *key;
    char reason[160];

    if (!j->report.git_dirs.count && !j->report.git_anywhere)
        return;
    look_at_git(g, j, cwd, &helpers);
    if (*helpers.away)
        add_away(g, j, helpers.away);
    key = j->report.class < SF_CLASS_BUILD_TEST ? helper_of(j, &helpers) : NULL;
    if (!key)
        return;
    snprintf(reason, sizeof(reason),
             helpers.doubt ? "%s may make git run a program"
                           : "%s in the repository's own git settings runs a program",
             key);
    sf_shell_report_raise(&j->report, SF_CLASS_BUILD_TEST, "git-settings-run");
    j->report.reason = keep(j, reason);
}

static void add_command(const struct sf_policy_context *g, struct sf_judged *j,
                        const struct sf_call_asked *asked)
{
    struct sf_glob_links links = { .policy = g };

    sf_shell_classify(asked->command, asked->command_len, &j->report);
    judge_git(g, j, asked->cwd);
    j->has_report = true;
    j->only_reads = j->report.class == SF_CLASS_READONLY;
    j->action.shell = &j->report;
    j->action.command = sf_arena_strndup(&j->arena, asked->command, asked->command_len);
    j->action.command_len = asked->command_len;
    j->action.cwd = asked->cwd ? keep(j, asked->cwd) : NULL;
    j->action.hosts = j->report.hosts.count ? (const char *const *)j->report.hosts.items : NULL;
    for (size_t i = 0; i < j->report.npaths; i++) {
        const struct sf_report_path *p = &j->report.paths[i];
        struct sf_action_path *found;
        struct sf_place place = SF_PLACE_INIT;
        char *path;

        if (p->anywhere)
            add_anywhere(j, p);
        if (p->anywhere || !*p->text || is_sink(p->text))
            continue;
        if (p->glob)
            add_pattern(&links, j, p, asked->cwd);
        if (!p->secret && !p->known && p->text[0] != '~')
            continue;
        path = sf_policy_context_spelled(g, p->text, asked->cwd);
        found = next_named(j, p);
        describe_path(g, j, found, path, &place, SF_WANT_ANY);
        if (p->secret)
            suspect_secrets(found);
        if (p->names)
            relax_listing(j, found, place.inside);
        if (p->names || place.kind == SF_PLACE_FILE) /* links in a directory may lead out of it */
            open_added(found);
        if (p->named && !found->named)
            j->action.path_count--; /* the cage lets none of these go, so nothing is asked */
        sf_place_release(&place);
        free(path);
    }
}

static void add_targets(const struct sf_policy_context *g, struct sf_judged *j,
                        const struct sf_call_asked *asked)
{
    for (size_t i = 0; i < asked->target_count; i++) {
        struct sf_tool_call_target *t = &asked->targets[i];
        struct sf_action_path *found;

        sf_place_release(&t->place);
        t->place = (struct sf_place)SF_PLACE_INIT;
        found = next_path(j, t->act != SF_ACT_READ);
        describe_path(g, j, found, t->at ? t->at : t->path, &t->place, t->want);
        open_added(found);
        sf_place_show_as(&t->place, t->path);
    }
}

/* Parses the host with the function that Fetch uses too; an invalid address is never contacted. */
static void add_host(struct sf_judged *j, const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_url url;

    if (!sf_url_read(&url, text, &err))
        return;
    j->hosts[0] = keep(j, url.host);
    j->action.hosts = j->hosts;
}

/* The only call of the engine. */
static bool decide(const struct sf_policy_context *context, const struct sf_action *action,
                   const struct sf_mode_state *state, const struct sf_call_asked *asked,
                   struct sf_verdict *out, struct sf_error *err)
{
    struct sf_policy policy = { .approval = context->approval,
                                .workspace_trusted = context->trusted,
                                .rules = context->rules,
                                .rule_count = context->rule_count,
                                .scope = sf_scope_get(&context->scopes, state->scope, err),
                                .scopes = &context->scopes,
                                .confirmation = context->confirmation };

    if (asked->registry)
        policy.registry = *asked->registry;
    policy.registry.allow_shell = context->allow_shell;
    if (policy.scope)
        sf_guard_verdict(action, state, &policy, out);
    return policy.scope != NULL;
}

bool sf_judged_may_read(const struct sf_judged *judged, const struct sf_policy_context *policy,
                        const struct sf_mode_state *state, const struct sf_strlist *withheld)
{
    const struct sf_registry registry = { .withheld = withheld };
    const struct sf_call_asked asked = { .tool = "Read", .registry = &registry };
    const size_t count = judged->action.path_count;
    struct sf_action_path *paths = sf_alloc_array(count, sizeof(*paths));
    const struct sf_action action = {
        .tool = asked.tool, .act = SF_ACT_READ, .paths = paths, .path_count = count
    };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_verdict verdict = { .answer = SF_DENY };
    bool ok;

    for (size_t i = 0; i < count; i++) {
        paths[i] = judged->action.paths[i];
        paths[i].writes = paths[i].named = false;
    }
    ok = decide(policy, &action, state, &asked, &verdict, &ignored);
    free(paths);
    return ok && verdict.answer == SF_ALLOW;
}

bool sf_judge_call(const struct sf_policy_context *policy, const struct sf_call_asked *asked,
                   const struct sf_mode_state *state, struct sf_judged *out, struct sf_error *err)
{
    *out = (struct sf_judged){ .arena = SF_ARENA_INIT };
    out->paths =
        sf_arena_alloc(&out->arena, ((size_t)3 * SF_REPORT_ITEMS + 1 + asked->target_count) *
                                        sizeof(*out->paths)); /* a pattern may take three */
    out->action = (struct sf_action){ .tool = asked->tool,
                                      .act = asked->act,
                                      .terms = asked->terms,
                                      .delegated = asked->delegated,
                                      .paths = out->paths,
                                      .deletion = asked->deletion,
                                      .caged = policy->caged };
    if (asked->command)
        add_command(policy, out, asked);
    /* Tests may run in a review; what they write is held back by the cage. */
    if (asked->command && sf_work_only_reads(state->work))
        out->only_reads = true;
    if (asked->url) {
        add_host(out, asked->url);
        out->action.url = keep(out, asked->url);
    }
    add_targets(policy, out, asked);
    if (decide(policy, &out->action, state, asked, &out->verdict, err))
        return true;
    sf_judged_release(out);
    *out = (struct sf_judged){ .arena = SF_ARENA_INIT };
    return false;
}

const char *sf_call_asked_what(const struct sf_call_asked *asked)
{
    if (asked->command)
        return asked->command;
    if (asked->url)
        return asked->url;
    if (asked->target_count)
        return sf_tool_call_target_shown(&asked->targets[0]);
    return asked->about ? asked->about : "";
}

void sf_judged_release(struct sf_judged *judged)
{
    if (judged->has_report)
        sf_shell_report_release(&judged->report);
    sf_arena_release(&judged->arena);
}

static void add_names(struct sf_strbuf *out, const char *const *names)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_array_begin(&w);
    for (; names && *names; names++)
        sf_jw_str(&w, *names);
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

bool sf_judged_record(struct sf_store *store, const char *session,
                      const struct sf_call_asked *asked, const struct sf_mode_state *state,
                      struct sf_judged *judged, struct sf_error *err)
{
    const struct sf_verdict *v = &judged->verdict;
    struct sf_strbuf paths = SF_STRBUF_INIT, hosts = SF_STRBUF_INIT, programs = SF_STRBUF_INIT;
    struct sf_decision_new decision = { .session = session,
                                        .state = state,
                                        .tool = asked->tool,
                                        .action = sf_call_asked_what(asked),
                                        .class = sf_matrix[v->kind].name,
                                        .verdict = sf_answer_names[v->answer],
                                        .layer = sf_guard_layers[v->layer].name,
                                        .rule = v->rule,
                                        .reason = v->reason,
                                        .hint = v->hint,
                                        .cage = judged->cage };
    bool ok;

    add_path_names(&paths, judged);
    add_names(&hosts, judged->action.hosts);
    add_names(&programs, judged->has_report && judged->report.programs.count
                             ? (const char *const *)judged->report.programs.items
                             : NULL);
    decision.paths = paths.buf;
    decision.hosts = hosts.buf;
    decision.programs = programs.buf;
    ok = sf_store_decision_add(store, &decision, &judged->decision, err);
    sf_strbuf_release(&paths);
    sf_strbuf_release(&hosts);
    sf_strbuf_release(&programs);
    return ok;
}
