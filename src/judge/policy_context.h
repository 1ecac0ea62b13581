/*
 * policy_context: what verdicts depend on besides the call and the axes: the workspace, protected
 * places, scopes and rules, in the engine's terms. Made once from the settings; approvals are added
 * as they are given. Life: sf_policy_context_init, use, sf_policy_context_release.
 */
#ifndef SF_JUDGE_POLICY_CONTEXT_H
#define SF_JUDGE_POLICY_CONTEXT_H

#include "base/base.h"
#include "config/config.h"
#include "guard/guard.h"
#include "io/io.h"
#include "judge/git_reach.h"
#include "modes/modes.h"
#include "store/store.h"

struct sf_policy_context {
    struct sf_place_root root;
    struct sf_path_places places;
    char *home, *own[3];
    struct sf_path_moved *moved;
    struct sf_strlist added; /* directories that the user added to the session; added_dirs.h */
    char *spill;             /* directory of spilled output, readable like the workspace; or NULL */
    struct sf_arena arena;
    struct sf_rule *rules;
    size_t rule_count, rule_cap;
    struct sf_scope_set scopes;
    enum sf_approval_mode approval;   /* in force */
    enum sf_approval_mode configured; /* by the settings, for a session that says nothing else */
    bool allow_shell, caged;
    const struct sf_confirmation *confirmation; /* where nobody can answer; NULL: none */
    bool trusted;                               /* the user recorded trust in the workspace */
    struct sf_git_reach *git;
};

bool sf_policy_context_init(struct sf_policy_context *policy, struct sf_config *config,
                            const struct sf_workspace *workspace,
                            struct sf_error *err) SF_MUST_CHECK;
void sf_policy_context_release(struct sf_policy_context *policy);

/* The axes with which a new session of that surface would start. */
bool sf_policy_context_state(const struct sf_policy_context *policy, struct sf_config *config,
                             enum sf_surface surface, struct sf_mode_state *state,
                             struct sf_error *err) SF_MUST_CHECK;

/* What the path rules say about a resolved place. */
struct sf_path_facts sf_policy_context_path(const struct sf_policy_context *policy,
                                            const struct sf_place *place);

/* Sets the directory of spilled output, whose files may be read like those of the workspace. */
void sf_policy_context_set_spill(struct sf_policy_context *policy, const char *dir);

/*
 * Calls that match the pattern are allowed from now on, where a rule can allow them: approved for the
 * session or, if that is NULL, for the workspace.
 */
void sf_policy_context_approve(struct sf_policy_context *policy, const char *pattern,
                               const char *session);
/* The same for what the store keeps: the workspace's approvals and those of the session. */
bool sf_policy_context_recall(struct sf_policy_context *policy, struct sf_store *store,
                              const char *session, struct sf_error *err) SF_MUST_CHECK;

/* Drops the approvals that were taken back meanwhile, each for whom it had been given. */
bool sf_policy_context_refresh(struct sf_policy_context *policy, struct sf_store *store,
                               struct sf_error *err) SF_MUST_CHECK;

/* Drops what was given for a session: approvals and added directories. */
void sf_policy_context_forget(struct sf_policy_context *policy);

#endif
