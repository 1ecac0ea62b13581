/*
 * call_judge: makes the verdict on a tool call: resolves the paths it names and holds their
 * directories, parses its command, and asks the engine. The one place that calls sf_guard_verdict.
 */
#ifndef SF_JUDGE_CALL_JUDGE_H
#define SF_JUDGE_CALL_JUDGE_H

#include "cage/cage.h"
#include "judge/policy_context.h"
#include "store/store.h"
#include "tools/tools.h"

/* The rule that refuses a path which cannot be resolved. */
#define SF_RULE_NO_PATH "path"

/* A call to be judged. Everything is borrowed; judging fills in the places of the targets. */
struct sf_call_asked {
    const char *tool;
    enum sf_act act;
    struct sf_offer_terms terms;        /* on which the tool is offered */
    const struct sf_registry *registry; /* lists of allowed and withheld tools; NULL: none */
    const char *command;                /* for SF_ACT_SHELL */
    size_t command_len;
    const char *cwd;   /* directory of the command, below the workspace; NULL: the root */
    const char *url;   /* for SF_ACT_FETCH */
    bool delegated;    /* made by a sub-agent */
    const char *about; /* what the call would do, if nothing else says it; or NULL */
    struct sf_tool_call_target *targets;
    size_t target_count;
    const struct sf_deletion *deletion; /* what it would delete; NULL: nobody looked */
};

/* A verdict and everything it rests on. Life: filled by sf_judge_call, sf_judged_release. */
struct sf_judged {
    struct sf_shell_report report;
    bool has_report;
    bool only_reads; /* a command whose class is to read only, and which is held to that */
    struct sf_action action;
    struct sf_action_path *paths;
    const char *hosts[2];
    struct sf_arena arena;
    struct sf_verdict verdict;
    int64_t decision;       /* id of the row, once it is written; else 0 */
    const char *cage;       /* how the command would be confined, for the row; NULL: no command */
    const char *cage_brief; /* the same for the card */
    struct sf_cage_coverage held; /* the same as data, if `cage` is set */
    bool cannot_write;            /* it only reads and the cage enforces that; set with `cage` */
};

bool sf_judge_call(const struct sf_policy_context *policy, const struct sf_call_asked *asked,
                   const struct sf_mode_state *state, struct sf_judged *out,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_judged_release(struct sf_judged *judged);

/* Whether the files that the call names could be read without asking; records nothing. */
bool sf_judged_may_read(const struct sf_judged *judged, const struct sf_policy_context *policy,
                        const struct sf_mode_state *state, const struct sf_strlist *withheld);

/*
 * A path in a command as the shell would read it: ~/x is in the home directory, a relative path
 * starts at `cwd`, and a trailing slash is dropped. The caller frees it.
 */
char *sf_policy_context_spelled(const struct sf_policy_context *policy, const char *path,
                                const char *cwd);

/* The subject of the call in one line: the command, the address, or the first path. */
const char *sf_call_asked_what(const struct sf_call_asked *asked);

/* Writes the row of the verdict, which must be done before anything acts on it. */
bool sf_judged_record(struct sf_store *store, const char *session,
                      const struct sf_call_asked *asked, const struct sf_mode_state *state,
                      struct sf_judged *judged, struct sf_error *err) SF_MUST_CHECK;

#endif
