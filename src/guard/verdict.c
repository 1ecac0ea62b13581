/*
 * verdict.c: the ten layers. Each is one function that either decides (true) or passes on.
 * Read top to bottom, sf_guard_ask_layers at the end is the order of authority. A layer names what
 * to do where no other state would help; whatever a change of the state does is advice.c's to find.
 */
#include "guard/verdict.h"

#include <stdarg.h>

#include "base/base.h"
#include "guard/approval.h"
#include "guard/grant.h"
#include "guard/layers.h"

const struct sf_guard_layer_row sf_guard_layers[SF_GUARD_LAST + 1] = {
    [SF_GUARD_DENYLIST] = { "denylist",
                            "built in and `deny` rules: never runs, whatever the profile" },
    [SF_GUARD_PROTECTED] = { "protected-paths",
                             "what steers sf, git, shells and editors is not written; reading credentials asks" },
    [SF_GUARD_PATH] = { "path-guard", "the workspace and the write scope, links resolved" },
    [SF_GUARD_REGISTRY] = { "registry",
                            "a tool that is not offered is refused: profile, lists of tools, session, turn" },
    [SF_GUARD_HARNESS] = { "safety-harness",
                           "destructive and irreversible actions need an explicit confirmation" },
    [SF_GUARD_APPROVAL] = { "approval-mode",
                            "never: only reads run; auto: later asks become allows" },
    [SF_GUARD_RULES] = { "rules", "`ask` and `allow` rules, and approvals given" },
    [SF_GUARD_PROFILE] = { "profile", "the matrix of the permission profile" },
    [SF_GUARD_CONTROL] = { "run-control", "manual: every call with a side effect asks" },
    [SF_GUARD_WORK] = { "work-mode", "chat: every write asks" },
};

/* What no profile runs: there is no way back from it, and no work that needs it. */
static const struct {
    const char *rule, *reason;
} denylist[] = {
    { "delete-root", "it would delete everything" },
    { "fork-bomb", "it would fill the machine with processes" },
    { "disk-wipe", "it would overwrite a disk" },
};

struct asked {
    const struct sf_action *action;
    const struct sf_mode_state *state;
    const struct sf_policy *policy;
    struct sf_verdict *out;
};

SF_PRINTF(5, 6)
static bool decide(const struct asked *q, enum sf_answer answer, enum sf_guard_layer layer,
                   const char *rule, const char *format, ...)
{
    va_list args;

    q->out->answer = answer;
    q->out->layer = layer;
    snprintf(q->out->rule, sizeof(q->out->rule), "%s", rule);
    va_start(args, format);
    vsnprintf(q->out->reason, sizeof(q->out->reason), format, args);
    va_end(args);
    q->out->hint[0] = '\0';
    q->out->at = q->out->len = 0;
    return true;
}

/* The part of the command that names the path is what decided. */
static void point_at(const struct asked *q, const struct sf_action_path *path)
{
    q->out->at = path->at;
    q->out->len = path->len;
}

SF_PRINTF(2, 3)
static bool hint(const struct asked *q, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(q->out->hint, sizeof(q->out->hint), format, args);
    va_end(args);
    return true;
}

/* ---- its kind ---- */

static bool is_destructive(const struct sf_action *a)
{
    return a->act == SF_ACT_DELETE || a->act == SF_ACT_REVERT ||
           (a->act == SF_ACT_SHELL && a->shell->class == SF_CLASS_DESTRUCTIVE);
}

static bool writes_outside(const struct sf_action *a)
{
    for (size_t i = 0; i < a->path_count; i++)
        if (a->paths[i].writes && a->paths[i].zone == SF_PATH_OUTSIDE)
            return true;
    return false;
}

/* A protected name is free to read where the workspace is, and no more than others elsewhere. */
static bool lies_outside(const struct sf_action_path *p)
{
    return p->zone == SF_PATH_OUTSIDE || (p->zone == SF_PATH_PROTECTED && p->outside);
}

/* The first path outside that is read, or NULL. */
static const struct sf_action_path *read_outside(const struct sf_action *a)
{
    for (size_t i = 0; i < a->path_count; i++)
        if (!a->paths[i].writes && lies_outside(&a->paths[i]))
            return &a->paths[i];
    return NULL;
}

enum sf_row sf_shell_row(const struct sf_shell_report *report, bool caged)
{
    switch (report->class) {
    case SF_CLASS_READONLY:
        return SF_ROW_COMMAND_READ;
    case SF_CLASS_LOCAL_EDIT:
        return SF_ROW_COMMAND_LOCAL;
    case SF_CLASS_BUILD_TEST:
        if (strcmp(report->rule, "unknown-program") != 0)
            return SF_ROW_COMMAND_BUILD;
        return caged ? SF_ROW_UNKNOWN_CAGED : SF_ROW_UNKNOWN_BARE;
    case SF_CLASS_NETWORK:
        return report->sends ? SF_ROW_NETWORK_WRITE : SF_ROW_NETWORK_READ;
    case SF_CLASS_DESTRUCTIVE:
    case SF_CLASS_COUNT:
        break;
    }
    return SF_ROW_DESTRUCTIVE;
}

/* A plan is the user's to accept, unless the run is to go on by itself where nobody looks. */
static enum sf_row plan_kind(const struct sf_action *a, const struct sf_mode_state *state)
{
    bool alone = state->surface == SF_SURFACE_HEADLESS && state->control == SF_RUN_AUTONOMOUS;
    bool elsewhere = a->delegated || state->work != SF_WORK_PLAN;

    if (a->act == SF_ACT_SUBMIT)
        return elsewhere ? SF_ROW_PLAN_ELSEWHERE : SF_ROW_PLAN_SUBMIT;
    return alone ? SF_ROW_PLAN_AUTONOMOUS : SF_ROW_PLAN_ACCEPT;
}

enum sf_row sf_action_row(const struct sf_action *a)
{
    if (is_destructive(a))
        return SF_ROW_DESTRUCTIVE;
    if (writes_outside(a))
        return SF_ROW_WRITE_OUTSIDE;
    switch (a->act) {
    case SF_ACT_READ:
        return read_outside(a) ? SF_ROW_READ_OUTSIDE : SF_ROW_READ_INSIDE;
    case SF_ACT_WRITE:
        return SF_ROW_EDIT;
    case SF_ACT_SHELL:
        return a->shell->class == SF_CLASS_READONLY && read_outside(a)
                   ? SF_ROW_READ_OUTSIDE
                   : sf_shell_row(a->shell, a->caged);
    case SF_ACT_FETCH:
        return SF_ROW_NETWORK_READ;
    case SF_ACT_EXTERNAL:
        return SF_ROW_EXTERNAL;
    case SF_ACT_OWN:
        return SF_ROW_READ_INSIDE;
    case SF_ACT_NOTE:
        return SF_ROW_NOTE;
    case SF_ACT_SUBMIT:
    case SF_ACT_ACCEPT:
    case SF_ACT_DELETE:
    case SF_ACT_REVERT:
        break;
    }
    return SF_ROW_DESTRUCTIVE;
}

static enum sf_row kind_of(const struct sf_action *a, const struct sf_mode_state *state)
{
    return a->act == SF_ACT_SUBMIT || a->act == SF_ACT_ACCEPT ? plan_kind(a, state)
                                                              : sf_action_row(a);
}

/* Nothing but looking: what approval mode never lets through, and manual does not ask about. */
static bool only_reads(const struct asked *q)
{
    return q->out->kind == SF_ROW_READ_INSIDE || q->out->kind == SF_ROW_READ_OUTSIDE ||
           q->out->kind == SF_ROW_COMMAND_READ;
}

/* ---- the layers ---- */

static const struct sf_rule *rule_for(const struct asked *q, enum sf_answer answer)
{
    const struct sf_policy *p = q->policy;

    return p->rule_count ? sf_rule_hit(p->rules, p->rule_count, answer, q->action) : NULL;
}

static bool layer_denylist(const struct asked *q)
{
    const struct sf_action *a = q->action;
    const struct sf_rule *rule = rule_for(q, SF_DENY);

    for (size_t i = 0; a->act == SF_ACT_SHELL && i < SF_COUNT(denylist); i++)
        if (!strcmp(a->shell->rule, denylist[i].rule)) {
            decide(q, SF_DENY, SF_GUARD_DENYLIST, denylist[i].rule, "%s", denylist[i].reason);
            return hint(q, "no setting allows this; run it yourself if you must");
        }
    if (!rule)
        return false;
    decide(q, SF_DENY, SF_GUARD_DENYLIST, "deny-rule", "the deny rule '%s' covers it",
           rule->pattern);
    return hint(q, "`sf config --origin` shows where guard.deny holds it");
}

/* Whoever is asked sees what the answer lets go; no profile and no rule gives it. */
static bool ask_protected(const struct asked *q, const struct sf_action_path *p)
{
    if (p->named)
        decide(q, SF_ASK, SF_GUARD_PROTECTED, p->rule, "it names %s, %s, and may write it", p->path,
               p->reason);
    else
        decide(q, SF_ASK, SF_GUARD_PROTECTED, p->rule, "it reads %s, %s", p->path, p->reason);
    point_at(q, p);
    return hint(q, "answer the question for this one call; no rule remembers it");
}

static bool layer_protected(const struct asked *q)
{
    const struct sf_action_path *asks = NULL;

    for (size_t i = 0; i < q->action->path_count; i++) {
        const struct sf_action_path *p = &q->action->paths[i];

        if (p->zone != SF_PATH_PROTECTED && p->zone != SF_PATH_CREDENTIAL)
            continue;
        if (p->writes) {
            decide(q, SF_DENY, SF_GUARD_PROTECTED, p->rule, "%s is protected: %s", p->path,
                   p->reason);
            point_at(q, p);
            return hint(q, "no profile allows this; change it yourself, outside of sf's tools");
        }
        if (p->zone == SF_PATH_CREDENTIAL || p->named)
            asks = p;
    }
    return asks && ask_protected(q, asks);
}

static bool deny_scope(const struct asked *q, const struct sf_action_path *path)
{
    struct sf_writable writable = sf_writable_of(q->state->work, q->policy->scope);
    struct sf_strbuf list = SF_STRBUF_INIT;

    sf_writable_text(&writable, &list);
    decide(q, SF_DENY, SF_GUARD_PATH, "scope",
           "Path '%s' is not writable in scope %s (writable: %s). Call ChangeToolMode to switch.",
           *path->path ? path->path : ".", q->policy->scope->name, list.len ? list.buf : "nothing");
    point_at(q, path);
    sf_strbuf_release(&list);
    return true;
}

/* Writing where the user added a directory asks, unless the profile refuses every edit. */
static enum sf_answer write_outside(const struct asked *q, const struct sf_action_path *p)
{
    const struct sf_mode_state *state = q->state;
    enum sf_answer answer = sf_matrix_answer(SF_ROW_WRITE_OUTSIDE, state->profile, state->trust);

    if (p->added && answer == SF_DENY &&
        sf_matrix_answer(SF_ROW_EDIT, state->profile, state->trust) != SF_DENY)
        return SF_ASK;
    return answer;
}

static bool decide_outside(const struct asked *q, const struct sf_action_path *p,
                           enum sf_answer answer)
{
    if (p->added)
        decide(q, answer, SF_GUARD_PATH, "added-directory",
               "%s is in a directory you added: no snapshot covers it, and /undo does not bring it "
               "back",
               p->path);
    else
        decide(q, answer, SF_GUARD_PATH, "write-outside", "%s lies outside the workspace", p->path);
    point_at(q, p);
    return true;
}

/* The workspace itself is no part of any entry; where everything may be written, it may too. */
static bool is_in_scope(const struct sf_writable *writable, const struct sf_action_path *p)
{
    return *p->path ? sf_writable_allows(writable, p->path, strlen(p->path))
                    : sf_writable_is_all(writable);
}

static bool layer_path(const struct asked *q)
{
    struct sf_writable writable = sf_writable_of(q->state->work, q->policy->scope);

    for (size_t i = 0; i < q->action->path_count; i++) {
        const struct sf_action_path *p = &q->action->paths[i];
        enum sf_answer outside = write_outside(q, p);

        if (p->refused) {
            decide(q, SF_DENY, SF_GUARD_PATH, p->rule, "%s: %s", p->path, p->reason);
            point_at(q, p);
            return hint(q, "name a file below the workspace");
        }
        if (p->writes && p->added && !sf_writable_is_all(&writable))
            return deny_scope(q, p);
        if (p->writes && p->zone == SF_PATH_OUTSIDE && outside == SF_ASK &&
            is_destructive(q->action))
            continue; /* the harness asks for more than a yes */
        if (p->writes && p->zone == SF_PATH_OUTSIDE && outside != SF_ALLOW)
            return decide_outside(q, p, outside);
        if (p->writes && p->zone == SF_PATH_INSIDE && !is_in_scope(&writable, p))
            return deny_scope(q, p);
    }
    return false;
}

static bool deny_limits(const struct asked *q, const char *rule, const char *how,
                        const struct sf_strlist *grants)
{
    struct sf_strbuf limits = SF_STRBUF_INIT;

    sf_grants_limits(grants, q->action->tool, &limits);
    decide(q, SF_DENY, SF_GUARD_REGISTRY, rule, "%s is %s %s", q->action->tool, how, limits.buf);
    sf_strbuf_release(&limits);
    return hint(q, "the list of tools this session or turn was begun with says so");
}

/* A list that names a tool with limits holds it to these. */
static bool layer_limits(const struct asked *q)
{
    const struct sf_registry *r = &q->policy->registry;

    if (r->session && sf_grants_exceeded(r->session, q->action))
        return deny_limits(q, "allowed-tools", "limited to:", r->session);
    if (r->turn && sf_grants_exceeded(r->turn, q->action))
        return deny_limits(q, "allowed-tools", "limited to:", r->turn);
    return r->withheld && sf_grants_touch(r->withheld, q->action) &&
           deny_limits(q, "disallowed-tools", "withheld for:", r->withheld);
}

static bool layer_registry(const struct asked *q)
{
    struct sf_offer_terms terms = q->action->terms;
    struct sf_registry_refusal why;

    terms.needs_shell = sf_action_needs_shell(q->action);
    if (sf_registry_offers(&q->policy->registry, q->action->tool, &terms, q->state->profile, &why))
        return layer_limits(q);
    decide(q, SF_DENY, SF_GUARD_REGISTRY, why.rule, "%s", why.reason);
    return hint(q, "%s", why.hint);
}

/* The first path to be deleted that the write scope does not hold; or NULL. */
static const char *deleted_out_of_scope(const struct asked *q)
{
    struct sf_writable writable = sf_writable_of(q->state->work, q->policy->scope);
    const struct sf_strlist *paths = &q->action->deletion->paths;

    for (size_t i = 0; i < paths->count; i++)
        if (!sf_writable_allows(&writable, paths->items[i], strlen(paths->items[i])))
            return paths->items[i];
    return NULL;
}

static bool is_covered(const struct asked *q)
{
    const char *why, *path;

    if (!sf_confirmation_covers(q->policy->confirmation, q->action, &why))
        return hint(q, "what was confirmed beforehand does not cover it: %s", why) && false;
    path = deleted_out_of_scope(q);
    if (path)
        hint(q,
             "what was confirmed beforehand does not cover it: %.80s is outside scope %.40s, where "
             "it would be put back; --scope free covers it",
             path, q->policy->scope->name);
    return !path;
}

/* Who confirmed deletions beforehand is not asked about one that can be taken back completely. */
static bool is_confirmed(const struct asked *q)
{
    if (!q->policy->confirmation || q->out->answer != SF_ASK || rule_for(q, SF_ASK))
        return false;
    if (!is_covered(q)) {
        q->out->uncovered = q->out->confirmable;
        return false;
    }
    decide(q, SF_ALLOW, SF_GUARD_HARNESS, "confirmed",
           "it deletes files that a snapshot brings back, as was confirmed beforehand");
    q->out->confirmed = true;
    return true;
}

static bool layer_harness(const struct asked *q)
{
    const struct sf_action *a = q->action;
    enum sf_answer answer;

    if (!is_destructive(a))
        return false;
    answer = a->act == SF_ACT_REVERT /* only undoes, and is saved first */
                 ? SF_ASK
                 : sf_matrix_answer(SF_ROW_DESTRUCTIVE, q->state->profile, false);
    if (a->act == SF_ACT_REVERT)
        decide(q, answer, SF_GUARD_HARNESS, "revert", "it puts files back as they were");
    else if (a->act == SF_ACT_SHELL)
        decide(q, answer, SF_GUARD_HARNESS, a->shell->rule, "%s", a->shell->reason);
    else
        decide(q, answer, SF_GUARD_HARNESS, "delete", "it deletes files");
    if (answer == SF_DENY)
        return true;
    hint(q, "no profile and no rule runs this unasked; confirm it for this one call");
    q->out->confirmable = sf_confirmation_speaks(a);
    q->out->confirm = !is_confirmed(q);
    return true;
}

static bool layer_approval(const struct asked *q)
{
    if (q->policy->approval != SF_APPROVAL_NEVER || only_reads(q) || sf_acts[q->action->act].own)
        return false;
    return decide(q, SF_DENY, SF_GUARD_APPROVAL, "approval-never",
                  "approval mode never runs only reads");
}

/* The milder verdicts of layers 7 to 10 stand unless a later layer is harder. */
static bool harden(const struct asked *q, enum sf_answer answer, enum sf_guard_layer layer,
                   const char *rule, const char *reason, const char *what_to_do)
{
    if (answer <= q->out->answer)
        return false;
    decide(q, answer, layer, rule, "%s", reason);
    return hint(q, "%s", what_to_do);
}

static const char *const does[] = {
    [SF_ALLOW] = "allows",
    [SF_ASK] = "asks before",
    [SF_DENY] = "refuses",
};

static void layer_profile(const struct asked *q)
{
    const struct sf_matrix_row *row = &sf_matrix[q->out->kind];
    const struct sf_action_path *read = read_outside(q->action);
    enum sf_answer answer = sf_matrix_answer(row->kind, q->state->profile, q->state->trust);

    decide(q, answer, SF_GUARD_PROFILE, row->name, "the profile %s %s this: %s",
           sf_profile_names[q->state->profile], does[answer], row->label);
    if (row->kind == SF_ROW_READ_OUTSIDE && read)
        point_at(q, read);
}

static void layers_control_and_work(const struct asked *q)
{
    if (!only_reads(q) && q->state->control == SF_RUN_MANUAL)
        harden(q, SF_ASK, SF_GUARD_CONTROL, "manual",
               "run control manual asks for every side effect", "");
    if (sf_work_modes[q->state->work].writes == SF_WRITES_ASK && sf_action_writes(q->action))
        harden(q, SF_ASK, SF_GUARD_WORK, "chat", "work mode chat asks for every write", "");
    if (sf_work_modes[q->state->work].writes == SF_WRITES_NONE && sf_action_writes(q->action))
        harden(q, SF_DENY, SF_GUARD_WORK, "review",
               "work mode review writes nothing, neither files nor git's history nor notes", "");
}

/* What is sf's own no rule and no run control speaks about; plans are rows of the matrix. */
static void layer_own(const struct asked *q)
{
    if (q->action->act == SF_ACT_OWN) {
        decide(q, SF_ALLOW, SF_GUARD_PROFILE, "own-state", "it changes nothing but sf's own notes");
        return;
    }
    layer_profile(q);
    if (q->out->kind == SF_ROW_PLAN_ELSEWHERE) {
        decide(q, q->out->answer, SF_GUARD_PROFILE, sf_matrix[q->out->kind].name,
               "a plan is submitted in work mode plan, by the session the user talks to");
        hint(q, "%s", q->action->delegated ? "answer with the plan" : "/mode plan allows this");
    } else if (q->out->kind == SF_ROW_PLAN_ACCEPT) {
        hint(q, "whoever reads the plan accepts it, or says what is wrong with it");
    }
}

/* A command that edits or builds and looks outside does both. */
static void harden_reading(const struct asked *q)
{
    const struct sf_matrix_row *row = &sf_matrix[SF_ROW_READ_OUTSIDE];
    const struct sf_action_path *path = read_outside(q->action);
    enum sf_answer answer;
    char reason[160];

    if (!path)
        return;
    answer = sf_matrix_answer(row->kind, q->state->profile, q->state->trust);
    snprintf(reason, sizeof(reason), "it also reads outside the workspace: the profile %s %s that",
             sf_profile_names[q->state->profile], does[answer]);
    if (harden(q, answer, SF_GUARD_PROFILE, row->name, reason, "name files of the workspace"))
        point_at(q, path);
}

/* What a stranger's files put into the model's mouth must not outlive the session unseen. */
static void harden_note(const struct asked *q)
{
    if (q->action->act == SF_ACT_NOTE && !q->policy->workspace_trusted)
        harden(q, SF_ASK, SF_GUARD_PROFILE, "untrusted-note",
               "later sessions would begin with it, and this workspace is not trusted",
               "`sf trust add` trusts the workspace; #note writes one yourself");
}

/* An allow rule speaks of commands; what their output is written into is judged as an edit. */
static void harden_redirects(const struct asked *q)
{
    const struct sf_matrix_row *row = &sf_matrix[SF_ROW_EDIT];
    char reason[160];

    if (sf_rule_redirects(q->policy->rules, q->policy->rule_count, q->action))
        return;
    snprintf(reason, sizeof(reason), "it also writes a file: profile %s says %s",
             sf_profile_names[q->state->profile],
             sf_answer_names[sf_matrix_answer(row->kind, q->state->profile, q->state->trust)]);
    harden(q, sf_matrix_answer(row->kind, q->state->profile, q->state->trust), SF_GUARD_PROFILE,
           row->name, reason, "leave out what writes the file");
    layers_control_and_work(q);
}

/* An approval was given for all of it, with what it reads and writes. */
static void layer_approved(const struct asked *q, const struct sf_rule *approved)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_approval_words(approved->pattern, &words);
    decide(q, SF_ALLOW, SF_GUARD_RULES, "approved", "you allowed it for the %s: %s",
           sf_rule_source_name(approved->source), words.buf);
    sf_strbuf_release(&words);
}

/* Layers 7 to 10: rules, profile, run control, work mode; then what approval mode auto makes. */
static void judge(const struct asked *q)
{
    const struct sf_rule *ask = rule_for(q, SF_ASK);
    const struct sf_rule *allow = ask ? NULL : rule_for(q, SF_ALLOW);
    const struct sf_rule *approved =
        ask || allow || !q->policy->rule_count
            ? NULL
            : sf_approval_hit(q->policy->rules, q->policy->rule_count, q->action);
    char text[160];

    if (allow) {
        decide(q, SF_ALLOW, SF_GUARD_RULES, "allow-rule", "the rule '%s' of guard.allow allows it",
               allow->pattern);
        harden_redirects(q);
    } else if (approved) {
        layer_approved(q, approved);
    } else {
        layer_profile(q);
        harden_reading(q);
        harden_note(q);
        layers_control_and_work(q);
    }
    if (ask) {
        snprintf(text, sizeof(text), "the ask rule '%.100s' covers it", ask->pattern);
        harden(q, SF_ASK, SF_GUARD_RULES, "ask-rule", text,
               "`sf config --origin` shows where guard.ask holds it");
    }
    if (q->out->answer == SF_ASK && q->policy->approval == SF_APPROVAL_AUTO) {
        decide(q, SF_ALLOW, SF_GUARD_APPROVAL, "approval-auto",
               "approval mode auto answers for you");
        hint(q, "/permissions mode suggest ends that");
    }
}

/* A command would change the other name's content too, a file tool would part the two. */
static void harden_shared(const struct asked *q)
{
    for (size_t i = 0; i < q->action->path_count; i++)
        if (q->action->paths[i].writes && q->action->paths[i].shared &&
            q->action->act != SF_ACT_DELETE &&
            harden(q, SF_ASK, SF_GUARD_PATH, "second-name",
                   "a file it writes has a second name elsewhere",
                   "look for it: find . -samefile PATH"))
            point_at(q, &q->action->paths[i]);
}

/*
 * `-rf`, `*` and the like lie there until somebody's pattern meets them. No approval of edits is
 * about that, so this question takes the place of one that could be remembered.
 */
static void harden_trap(const struct asked *q)
{
    const struct sf_action *a = q->action;

    for (size_t i = 0; i < a->path_count && q->out->answer != SF_DENY; i++)
        if (a->paths[i].writes && !a->paths[i].refused && sf_path_is_trap(a->paths[i].path)) {
            decide(q, SF_ASK, SF_GUARD_PATH, "trap-name",
                   "later commands take the name %s for an option or a pattern", a->paths[i].path);
            hint(q, "choose a name of letters, digits and dots");
            point_at(q, &a->paths[i]);
        }
}

/* In a review the cage holds back what tests and builds write; no rule speaks for its absence. */
static void harden_review(const struct asked *q)
{
    if (sf_work_modes[q->state->work].writes == SF_WRITES_NONE && !q->action->caged &&
        q->action->act == SF_ACT_SHELL && !only_reads(q))
        harden(q, SF_DENY, SF_GUARD_WORK, "review",
               "work mode review writes nothing, and no cage holds this command to that",
               "commands that only read run; `sf doctor` says why there is no cage");
}

void sf_guard_ask_layers(const struct sf_action *action, const struct sf_mode_state *state,
                         const struct sf_policy *policy, struct sf_verdict *out)
{
    const struct asked q = { action, state, policy, out };

    *out = (struct sf_verdict){ .answer = SF_DENY, .kind = kind_of(action, state) };
    if (layer_denylist(&q) || layer_protected(&q) || layer_path(&q) || layer_registry(&q) ||
        layer_harness(&q)) {
        if (out->answer == SF_ASK || out->confirmed)
            layer_approval(&q); /* never turns questions away as well */
        return;
    }
    if (layer_approval(&q))
        return;
    if (sf_acts[action->act].own)
        layer_own(&q);
    else
        judge(&q);
    harden_shared(&q);
    harden_trap(&q);
    harden_review(&q);
    if (action->act == SF_ACT_SHELL && action->shell->more)
        harden(&q, SF_ASK, SF_GUARD_PATH, "too-many-names",
               "it names more paths and programs than are looked at",
               "split it into several calls");
}

void sf_guard_verdict(const struct sf_action *action, const struct sf_mode_state *state,
                      const struct sf_policy *policy, struct sf_verdict *out)
{
    const struct sf_shell_report *shell = action->shell;

    sf_guard_ask_layers(action, state, policy, out);
    if (!out->len && action->act == SF_ACT_SHELL && shell->class != SF_CLASS_READONLY) {
        out->at = shell->at; /* no path decided, so it was the class */
        out->len = shell->len;
    }
    if (out->answer != SF_ALLOW)
        sf_guard_advise(action, state, policy, out);
}

/* Ask rules, and the layers in front of them, are asked before any approval is looked at. */
bool sf_verdict_keeps(const struct sf_verdict *v, const struct sf_action *action,
                      struct sf_strlist *keys)
{
    if (v->answer == SF_ASK && v->layer > SF_GUARD_RULES)
        sf_approval_keys(action, keys);
    return keys->count > 0;
}

bool sf_verdict_needs_person(const struct sf_verdict *v)
{
    return v->confirm || v->layer == SF_GUARD_PROTECTED;
}

void sf_verdict_unattended(struct sf_verdict *verdict)
{
    if (verdict->answer != SF_ASK)
        return;
    verdict->answer = SF_DENY;
    verdict->unanswered = true;
    if (verdict->uncovered)
        return;
    snprintf(
        verdict->hint, sizeof(verdict->hint), "%s",
        verdict->confirmable
            ? "it needs a person's confirmation, and there is no terminal to ask on: run it in "
              "a terminal, or with --confirm delete, which covers what a snapshot brings back"
        : sf_verdict_needs_person(verdict)
            ? "it needs a person's confirmation, and there is no terminal to ask on: no "
              "option and no rule gives it; run it in a terminal"
            : "there is no terminal to ask on; run it in a terminal, or give the permission "
              "beforehand");
}

void sf_verdict_withdraw(struct sf_verdict *v)
{
    v->answer = SF_DENY;
    v->confirmed = false;
    v->layer = SF_GUARD_HARNESS;
    snprintf(v->rule, sizeof(v->rule), "no-snapshot");
    snprintf(v->reason, sizeof(v->reason),
             "it was confirmed for what a snapshot brings back, and none could be taken");
    snprintf(v->hint, sizeof(v->hint),
             "`sf doctor` checks the store; a person can confirm it in a terminal");
}
