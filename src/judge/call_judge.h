/*
 * call_judge: from a tool call as it was made to its verdict: resolves the paths it names and keeps
 * them held, reads its command, and asks the engine. The one place that calls sf_guard_verdict.
 */
#ifndef SF_JUDGE_CALL_JUDGE_H
#define SF_JUDGE_CALL_JUDGE_H

#include "cage/cage.h"
#include "judge/policy_context.h"
#include "store/store.h"
#include "tools/tools.h"

/* The rule by which a path that leads nowhere is refused. */
#define SF_RULE_NO_PATH "path"

/* A call to be judged. All of it is borrowed; the places of the targets are filled. */
struct sf_call_asked {
    const char *tool;
    enum sf_act act;
    struct sf_offer_terms terms;        /* on which the tool is offered */
    const struct sf_registry *registry; /* its lists of tools; NULL: there are none */
    const char *command;                /* of SF_ACT_SHELL */
    size_t command_len;
    const char *cwd;   /* where the command starts, below the workspace; NULL: its root */
    const char *url;   /* of SF_ACT_FETCH */
    bool delegated;    /* by a sub-agent */
    const char *about; /* what it would do, where nothing else says it; or NULL */
    struct sf_tool_call_target *targets;
    size_t target_count;
};

/* Everything a verdict rests on. Life: sf_judge_call fills it, sf_judged_release empties it. */
struct sf_judged {
    struct sf_shell_report report;
    bool has_report;
    struct sf_action action;
    struct sf_action_path *paths;
    const char *hosts[2];
    struct sf_arena arena;
    struct sf_verdict verdict;
    int64_t decision;       /* its row, once it is written; else 0 */
    const char *cage;       /* what would hold the command, for the row; NULL: nothing is run */
    const char *cage_brief; /* the same for the card */
    struct sf_cage_coverage held; /* the same as data, where there is `cage` */
};

bool sf_judge_call(const struct sf_policy_context *policy, const struct sf_call_asked *asked,
                   const struct sf_mode_state *state, struct sf_judged *out,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_judged_release(struct sf_judged *judged);

/* Whether the files the call names could be read unasked; nothing is written down. */
bool sf_judged_may_read(const struct sf_judged *judged, const struct sf_policy_context *policy,
                        const struct sf_mode_state *state, const struct sf_strlist *withheld);

/*
 * A path in a command as the shell would read it: ~/x is the home's x, a relative one starts
 * where the command does, and a slash at its end says nothing. The caller frees it.
 */
char *sf_policy_context_spelled(const struct sf_policy_context *policy, const char *path,
                                const char *cwd);

/* What the call is about, in one line: the command, the address, or the first path. */
const char *sf_call_asked_what(const struct sf_call_asked *asked);

/* Writes the verdict down, as must be done before anything acts on it. */
bool sf_judged_record(struct sf_store *store, const char *session,
                      const struct sf_call_asked *asked, const struct sf_mode_state *state,
                      struct sf_judged *judged, struct sf_error *err) SF_MUST_CHECK;

#endif
