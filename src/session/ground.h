/*
 * ground: what verdicts rest on besides the call and the axes: the workspace, what is protected,
 * the scopes, the rules, in the engine's terms. Made from the settings once; approvals are added
 * as they are given. Life: sf_ground_init, use, sf_ground_release.
 */
#ifndef SF_SESSION_GROUND_H
#define SF_SESSION_GROUND_H

#include "base/base.h"
#include "config/config.h"
#include "guard/guard.h"
#include "io/io.h"
#include "modes/modes.h"

struct sf_ground {
    struct sf_place_root root;
    struct sf_path_places places;
    char *home, *own[3];
    struct sf_path_moved *moved;
    char *spill; /* where long output is kept: may be read as if it lay inside; or NULL */
    struct sf_arena arena;
    struct sf_rule *rules;
    size_t rule_count, rule_cap;
    struct sf_scope_set scopes;
    enum sf_approval_mode approval;
    bool allow_shell, caged;
    bool trusted;  /* the user recorded trust in the workspace */
    bool git_runs; /* the repository's settings make git's reads run programs */
};

bool sf_ground_init(struct sf_ground *ground, struct sf_config *config,
                    const struct sf_workspace *workspace, struct sf_error *err) SF_MUST_CHECK;
void sf_ground_release(struct sf_ground *ground);

/* The state a new session would start in here. */
bool sf_ground_state(const struct sf_ground *ground, struct sf_config *config,
                     struct sf_mode_state *state, struct sf_error *err) SF_MUST_CHECK;

/* Where long output is kept; its files may be read like those of the workspace. */
void sf_ground_set_spill(struct sf_ground *ground, const char *dir);

/* From now on what fits the pattern runs unasked, where a rule can allow it. */
void sf_ground_approve(struct sf_ground *ground, const char *pattern, enum sf_rule_source source);
void sf_ground_forget(struct sf_ground *ground); /* what was approved for a session */

#endif
