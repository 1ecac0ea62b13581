/*
 * cmd_guard.c: sf guard: the verdicts of the engine, without running anything.
 */
#include <inttypes.h>

#include "app/app.h"
#include "app/within.h"
#include "base/base.h"
#include "modes/modes.h"
#include "session/session.h"
#include "tools/tools.h"

/* The workspace, and where the user stands in it. */
struct where {
    const char *root;
    char *stand;
};

/* Reads the state to judge under: that of the settings, changed by --axes and --scope. */
static bool read_state(struct sf_invocation *inv, const struct sf_policy_context *policy,
                       struct sf_mode_state *state, struct sf_error *err)
{
    const char *axes = sf_cli_get(inv, "axes"), *scope = sf_cli_get(inv, "scope");

    if (!sf_policy_context_state(policy, sf_app_config(inv->app, err), SF_SURFACE_TUI, state, err))
        return false;
    /* The axes are those of a session at the terminal; the question itself comes from here. */
    state->surface = SF_SURFACE_HEADLESS;
    if (axes) {
        enum sf_work_mode before = state->work;

        if (!sf_mode_state_parse(state, axes, err))
            return false;
        if (state->work != before && !strchr(axes, ':'))
            sf_mode_state_set_scope(state, sf_work_default_scope(&policy->scopes, state->work));
    }
    if (scope) {
        if (!sf_scope_get(&policy->scopes, scope, err))
            return false;
        sf_mode_state_set_scope(state, scope);
    }
    return true;
}

static void add_target(struct sf_call_asked *asked, struct sf_tool_call_target *target,
                       const char *root, const char *path)
{
    *target =
        (struct sf_tool_call_target){ .path = sf_strdup(path),
                                      .at = sf_stand_resolve(root, asked->cwd, path),
                                      .want = SF_WANT_FILE,
                                      .act = asked->act == SF_ACT_READ ? SF_ACT_READ : SF_ACT_WRITE,
                                      .place = SF_PLACE_INIT };
    asked->targets = target;
    asked->target_count = 1;
}

static bool read_address(struct sf_invocation *inv, struct sf_call_asked *asked,
                         struct sf_error *err)
{
    struct sf_url url;

    if (!inv->arg_count)
        return sf_fail(err, SF_E_ARG, "which address? sf guard explain --tool %s -- URL",
                       asked->tool);
    asked->url = inv->args[0];
    return sf_url_read(&url, asked->url, err);
}

static bool read_call(struct sf_invocation *inv, const struct where *where,
                      struct sf_call_asked *asked, struct sf_tool_call_target *target,
                      struct sf_error *err)
{
    const char *named = sf_cli_get(inv, "tool"), *path = sf_cli_get(inv, "path");
    const char *words = inv->arg_count ? inv->args[0] : NULL;
    const struct sf_tool *tool;
    struct sf_toolset set;

    sf_toolset_init(&set, false, 0);
    tool = sf_toolset_get(&set, named ? named : "Bash", err);
    if (!tool)
        return false;
    *asked = (struct sf_call_asked){ .tool = tool->name,
                                     .act = tool->act,
                                     .cwd = where->stand,
                                     .terms = { .least = tool->least,
                                                .needs_shell = tool->needs_shell } };
    if (asked->act == SF_ACT_FETCH)
        return read_address(inv, asked, err);
    if (path)
        add_target(asked, target, where->root, path);
    if (asked->act != SF_ACT_SHELL) {
        asked->about = words;
        return true;
    }
    asked->command = words;
    asked->command_len = words ? strlen(words) : 0;
    return words || sf_fail(err, SF_E_ARG, "which command? sf guard explain -- 'COMMAND'");
}

static void add_list(struct sf_strbuf *out, const char *label, const struct sf_strlist *list)
{
    if (!list->count)
        return;
    sf_strbuf_addf(out, "%-9s", label);
    for (size_t i = 0; i < list->count; i++)
        sf_strbuf_addf(out, "%s%s", i ? ", " : "", list->items[i]);
    sf_strbuf_addch(out, '\n');
}

static void add_paths(struct sf_strbuf *out, const struct sf_judged *j)
{
    static const char *const zones[] = { "inside", "outside the workspace", "protected",
                                         "may hold secrets" };

    for (size_t i = 0; i < j->action.path_count; i++) {
        const struct sf_action_path *p = &j->action.paths[i];

        sf_strbuf_addf(out, "%-9s%s (%s%s%s)\n", p->writes ? "writes" : "reads", p->path,
                       p->refused ? "refused" : zones[p->zone], *p->reason ? ": " : "", p->reason);
    }
}

static void add_state(struct sf_strbuf *out, const struct sf_mode_state *state)
{
    sf_mode_state_words(state, out);
    sf_strbuf_addf(out, ", scope %s", state->scope);
}

static void add_explanation(struct sf_strbuf *out, const struct sf_call_asked *asked,
                            const struct sf_mode_state *state, const struct sf_judged *j)
{
    const struct sf_verdict *v = &j->verdict;

    sf_strbuf_addf(out, "%s  %s %s\n", sf_answer_names[v->answer], asked->tool,
                   sf_call_asked_what(asked));
    sf_strbuf_addf(out, "%-9s%d of %d, %s\n", "layer", (int)v->layer, (int)SF_GUARD_LAST,
                   sf_guard_layers[v->layer].name);
    sf_strbuf_addf(out, "%-9s%s\n", "rule", v->rule);
    sf_strbuf_addf(out, "%-9s%s\n", "why", v->reason);
    if (j->has_report) {
        sf_strbuf_addf(out, "%-9s%s", "class", sf_class_name(j->report.class));
        if (*j->report.rule)
            sf_strbuf_addf(out, ": %s (%s)", j->report.reason, j->report.rule);
        sf_strbuf_addch(out, '\n');
        if (v->len)
            sf_strbuf_addf(out, "%-9s%.*s\n", "at", (int)v->len, asked->command + v->at);
        add_list(out, "programs", &j->report.programs);
        add_list(out, "families", &j->report.families);
        add_list(out, "hosts", &j->report.hosts);
    }
    if (asked->url)
        sf_strbuf_addf(out, "%-9s%s\n", "hosts", j->hosts[0]);
    add_paths(out, j);
    sf_strbuf_addf(out, "%-9s", "state");
    add_state(out, state);
    sf_strbuf_addch(out, '\n');
    if (*v->hint)
        sf_strbuf_addf(out, "%-9s%s\n", "change", v->hint);
}

static void add_strings(struct sf_json_writer *w, const char *key, const struct sf_strlist *list)
{
    sf_jw_key(w, key);
    sf_jw_array_begin(w);
    for (size_t i = 0; i < list->count; i++)
        sf_jw_str(w, list->items[i]);
    sf_jw_array_end(w);
}

static void add_json_paths(struct sf_json_writer *w, const struct sf_judged *j)
{
    sf_jw_key(w, "paths");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < j->action.path_count; i++) {
        const struct sf_action_path *p = &j->action.paths[i];

        sf_jw_object_begin(w);
        sf_jw_key_str(w, "path", p->path);
        sf_jw_key_bool(w, "writes", p->writes);
        sf_jw_key_str(w, "rule", p->rule);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

static void add_explanation_json(struct sf_strbuf *out, const struct sf_call_asked *asked,
                                 const struct sf_mode_state *state, const struct sf_judged *j)
{
    const struct sf_verdict *v = &j->verdict;
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "verdict", sf_answer_names[v->answer]);
    sf_jw_key_str(&w, "layer", sf_guard_layers[v->layer].name);
    sf_jw_key_str(&w, "rule", v->rule);
    sf_jw_key_str(&w, "reason", v->reason);
    sf_jw_key_str(&w, "hint", v->hint);
    sf_jw_key_bool(&w, "confirm", v->confirm);
    sf_jw_key_str(&w, "tool", asked->tool);
    if (j->has_report) {
        sf_jw_key_str(&w, "class", sf_class_name(j->report.class));
        sf_jw_key_str(&w, "classRule", j->report.rule);
        add_strings(&w, "programs", &j->report.programs);
        add_strings(&w, "families", &j->report.families);
        add_strings(&w, "hosts", &j->report.hosts);
    }
    add_json_paths(&w, j);
    sf_jw_key(&w, "state");
    sf_mode_state_json(state, &w);
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static bool record(struct sf_app *app, const struct sf_call_asked *asked,
                   const struct sf_mode_state *state, struct sf_judged *judged,
                   struct sf_error *err)
{
    struct sf_store *store = sf_app_store(app, err);

    return store && sf_judged_record(store, SF_SESSION_PROJECT, asked, state, judged, err);
}

static bool explain(struct sf_invocation *inv, const struct sf_policy_context *policy,
                    struct sf_call_asked *asked, struct sf_error *err)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_mode_state state;
    struct sf_judged judged;
    bool ok;

    if (!read_state(inv, policy, &state, err) ||
        !sf_judge_call(policy, asked, &state, &judged, err))
        return false;
    ok = !sf_cli_get(inv, "record") || record(inv->app, asked, &state, &judged, err);
    if (ok) {
        (sf_cli_get(inv, "json") ? add_explanation_json : add_explanation)(&out, asked, &state,
                                                                           &judged);
        sf_print(&out);
    }
    sf_judged_release(&judged);
    sf_strbuf_release(&out);
    return ok;
}

/* What was approved counts, as it does for the engine; where there is no store nothing was. */
static bool recall_approvals(struct sf_invocation *inv, struct sf_policy_context *policy,
                             struct sf_error *err)
{
    const char *named = sf_cli_get(inv, "session");
    const char *dir = sf_app_state_dir(inv->app, err);
    struct sf_store *store = dir ? sf_store_open(dir, SF_STORE_READ, err) : NULL;
    char id[SF_ID_LEN + 1] = SF_SESSION_PROJECT;
    bool ok;

    if (!store)
        return err->code == SF_E_NOENT && !named;
    ok = (!named || sf_app_find_session(store, named, id, err)) &&
         sf_policy_context_recall(policy, store, id, err);
    sf_store_close(store);
    return ok;
}

int sf_cmd_guard_explain(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_tool_call_target target = { .place = SF_PLACE_INIT };
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct where where = { workspace ? workspace->root : "", NULL };
    struct sf_policy_context policy;
    struct sf_call_asked asked;
    bool ok;

    where.stand = sf_within_stand(where.root, sf_cli_get(inv, "workspace"));
    ok = workspace && read_call(inv, &where, &asked, &target, &err) &&
         sf_app_policy(inv->app, &policy, &err);
    if (ok) {
        ok = (sf_cli_get(inv, "no-approvals") || recall_approvals(inv, &policy, &err)) &&
             explain(inv, &policy, &asked, &err);
        sf_policy_context_release(&policy);
    }
    sf_place_release(&target.place);
    free(target.path);
    free(target.at);
    free(where.stand);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_USAGE);
}

/* Prints one line of the corpus encoding: class, verdict and rule, or unreadable. */
static bool classify_line(const struct sf_policy_context *policy, const struct sf_mode_state *state,
                          const char *line, size_t len, struct sf_error *err)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    struct sf_call_asked asked = { .tool = "Bash", .act = SF_ACT_SHELL };
    struct sf_judged j;
    bool ok;

    if (!sf_corpus_decode(line, len, &command, err)) {
        sf_strbuf_release(&command);
        return false;
    }
    asked.command = command.buf;
    asked.command_len = command.len;
    ok = sf_judge_call(policy, &asked, state, &j, err);
    if (ok) {
        printf("%s\t%s\t%s\n", sf_class_name(j.report.class), sf_answer_names[j.verdict.answer],
               *j.report.rule ? j.report.rule : j.verdict.rule);
        sf_judged_release(&j);
    }
    sf_strbuf_release(&command);
    return ok;
}

int sf_cmd_guard_classify(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_policy_context policy;
    struct sf_mode_state state;
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    uint64_t number = 0;
    bool ok;

    if (!sf_app_policy(inv->app, &policy, &err))
        return sf_print_error(&err, SF_EXIT_USAGE);
    ok = read_state(inv, &policy, &state, &err);
    while (ok && (len = getline(&line, &cap, stdin)) >= 0) {
        number++;
        if (len && line[len - 1] == '\n')
            len--;
        ok = classify_line(&policy, &state, line, (size_t)len, &err);
        if (!ok)
            sf_error_prefix(&err, "line %" PRIu64 ": ", number);
    }
    free(line);
    sf_policy_context_release(&policy);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_USAGE);
}

int sf_cmd_guard_matrix(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_policy_context policy;
    struct sf_mode_state state;
    bool ok;

    if (!sf_app_policy(inv->app, &policy, &err))
        return sf_print_error(&err, SF_EXIT_USAGE);
    ok = read_state(inv, &policy, &state, &err);
    if (ok) {
        add_state(&out, &state);
        sf_strbuf_addf(&out, "%s\n\n%-62s", state.trust ? ", trust on" : "", "");
        for (int p = 0; p < SF_PROFILE_COUNT; p++)
            sf_strbuf_addf(&out, "%s%-12s", p == (int)state.profile ? "*" : " ",
                           sf_profile_names[p]);
        sf_strbuf_addch(&out, '\n');
        for (int row = 0; row < SF_ROW_COUNT; row++) {
            size_t width = sf_text_width(sf_matrix[row].label, strlen(sf_matrix[row].label));

            sf_strbuf_adds(&out, sf_matrix[row].label);
            sf_strbuf_fill(&out, ' ', width < 62 ? 62 - width : 1);
            for (int p = 0; p < SF_PROFILE_COUNT; p++)
                sf_strbuf_addf(&out, " %-12s",
                               sf_answer_names[sf_matrix_answer((enum sf_row)row,
                                                                (enum sf_profile)p, state.trust)]);
            sf_strbuf_addch(&out, '\n');
        }
        sf_strbuf_adds(&out,
                       "\nManual asks for every side effect, chat for every write; deny rules, "
                       "protected paths and\ndestructive actions come before this table.\n");
        sf_print(&out);
    }
    sf_strbuf_release(&out);
    sf_policy_context_release(&policy);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_USAGE);
}
