/*
 * policy_context: what verdicts rest on besides the call and the axes: the workspace, what is protected,
 * the scopes, the rules, in the engine's terms. Made from the settings once; approvals are added
 * as they are given. Life: sf_policy_context_init, use, sf_policy_context_release.
 */
#ifndef SF_JUDGE_POLICY_CONTEXT_H
#define SF_JUDGE_POLICY_CONTEXT_H

#include "base/base.h"
#include "config/config.h"
#include "guard/guard.h"
#include "io/io.h"
#include "modes/modes.h"

struct sf_policy_context {
    struct sf_place_root root;
    struct sf_path_places places;
    char *home, *own[3];
    struct sf_path_moved *moved;
    char *spill; /* where long output is kept: may be read as if it lay inside; or NULL */
    struct sf_arena arena;
    struct sf_rule *rules;
    size_t rule_count, rule_cap;
    struct sf_scope_set scopes;
    enum sf_approval_mode approval;   /* in force */
    enum sf_approval_mode configured; /* by the settings, for a session that says nothing else */
    bool allow_shell, caged;
    bool trusted;  /* the user recorded trust in the workspace */
    bool git_runs; /* the repository's settings make git's reads run programs */
};

bool sf_policy_context_init(struct sf_policy_context *policy, struct sf_config *config,
                            const struct sf_workspace *workspace,
                            struct sf_error *err) SF_MUST_CHECK;
void sf_policy_context_release(struct sf_policy_context *policy);

/* The state a new session of that surface would start in here. */
bool sf_policy_context_state(const struct sf_policy_context *policy, struct sf_config *config,
                             enum sf_surface surface, struct sf_mode_state *state,
                             struct sf_error *err) SF_MUST_CHECK;

/* What the path rules know of a place that was resolved. */
struct sf_path_facts sf_policy_context_path(const struct sf_policy_context *policy,
                                            const struct sf_place *place);

/* Where long output is kept; its files may be read like those of the workspace. */
void sf_policy_context_set_spill(struct sf_policy_context *policy, const char *dir);

/* From now on what fits the pattern runs unasked, where a rule can allow it. */
void sf_policy_context_approve(struct sf_policy_context *policy, const char *pattern,
                               enum sf_rule_source source);
/* Of what was approved, only what is among these stays. */
void sf_policy_context_retain(struct sf_policy_context *policy, const struct sf_strlist *patterns);
void sf_policy_context_forget(
    struct sf_policy_context *policy); /* what was approved for a session */

#endif
