/*
 * judge: from a tool call as it was made to its verdict: resolves the paths it names, reads its
 * command, collects the policy, and asks the engine. The one place that calls sf_guard_verdict.
 */
#ifndef SF_APP_JUDGE_H
#define SF_APP_JUDGE_H

#include "app/app.h"
#include "guard/guard.h"
#include "io/io.h"

/* What settings and workspace say, in the engine's terms. Life: init, use, release. */
struct sf_ground {
    struct sf_place_root root;
    struct sf_path_places places;
    char *home, *own[3];
    struct sf_arena arena;
    struct sf_rule *rules;
    size_t rule_count;
    struct sf_scope_set scopes;
    enum sf_approval_mode approval;
    bool allow_shell, caged;
};

bool sf_ground_init(struct sf_ground *ground, struct sf_app *app, struct sf_error *err);
void sf_ground_release(struct sf_ground *ground);

/* The state a new session would start in here. */
bool sf_ground_state(const struct sf_ground *ground, struct sf_app *app,
                     struct sf_mode_state *state, struct sf_error *err);

/* A call to be judged: a command, or a tool with a path. */
struct sf_call_asked {
    const char *tool;
    enum sf_act act;
    const char *command; /* of SF_ACT_SHELL */
    size_t command_len;
    const char *path; /* or NULL */
};

/* Everything a verdict rests on. Life: sf_judge_call fills it, sf_judged_release empties it. */
struct sf_judged {
    struct sf_shell_report report;
    bool has_report;
    struct sf_action action;
    struct sf_action_path paths[SF_REPORT_ITEMS];
    struct sf_arena arena;
    struct sf_verdict verdict;
};

bool sf_judge_call(const struct sf_ground *ground, const struct sf_call_asked *asked,
                   const struct sf_mode_state *state, struct sf_judged *out, struct sf_error *err);
void sf_judged_release(struct sf_judged *judged);

/* Writes the verdict down, as must be done before anything acts on it. */
bool sf_judged_record(struct sf_app *app, const char *session, const struct sf_call_asked *asked,
                      const struct sf_mode_state *state, const struct sf_judged *judged,
                      struct sf_error *err) SF_MUST_CHECK;

#endif
