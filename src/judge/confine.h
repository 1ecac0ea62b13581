/*
 * confine: the cages of a session's commands. Knows the workspace's git data, the settings of
 * [guard] and the session's temporary directory, and makes a cage for each command from its
 * verdict: the network when the verdict was about it, files that were asked about and allowed.
 * Life: sf_confine_new, use, sf_confine_free, which removes the temporary directory.
 */
#ifndef SF_JUDGE_CONFINE_H
#define SF_JUDGE_CONFINE_H

#include "base/base.h"
#include "cage/cage.h"
#include "config/config.h"
#include "io/io.h"
#include "judge/call_judge.h"
#include "judge/policy_context.h"

struct sf_confine;

struct sf_confine *sf_confine_new(const struct sf_policy_context *policy, struct sf_config *config,
                                  const struct sf_workspace *workspace, struct sf_error *err);
void sf_confine_free(struct sf_confine *confine); /* NULL is welcome */

/* What one command is given; all of it may be NULL. Borrowed. */
struct sf_confine_call {
    const struct sf_judged *judged; /* allowed, or approved by somebody */
    const char *report;             /* a file of sf's that it writes */
    const char *dir;                /* where it starts */
    bool network;                   /* also without a verdict on it */
    bool trusted;                   /* the session's trust */
};

void sf_confine_plan(const struct sf_confine *confine, const struct sf_confine_call *call,
                     struct sf_cage_plan *plan);
struct sf_cage *sf_confine_cage(struct sf_confine *confine, const struct sf_confine_call *call,
                                struct sf_error *err) SF_MUST_CHECK;

/* Whether what the command writes is recorded: not where it cannot write, or the cage is off. */
bool sf_confine_records(const struct sf_confine *confine, const struct sf_confine_call *call);

/* To be asked for when the cage is made; what becomes of it after the command: see git_repair.h. */
struct sf_git_repair *sf_confine_care(struct sf_confine *confine,
                                      const struct sf_confine_call *call);

/* What the supervisor of each command looks after. */
struct sf_child_watch sf_confine_watch(const struct sf_confine *confine);

/* The environment of commands, NULL-terminated. */
const char *const *sf_confine_env(const struct sf_confine *confine);

/* Directories of PATH in which commands look for no program, as they are relative or in the
 * workspace. */
const struct sf_strlist *sf_confine_unsearched(const struct sf_confine *confine);

/* What will hold a command with this verdict; `judged` NULL: one that was not judged. */
struct sf_cage_coverage sf_confine_coverage(const struct sf_confine *confine,
                                            const struct sf_judged *judged, bool trusted);

/* The same once for a call that was judged: fills in the cage of `judged`, if it is a command. */
void sf_confine_note(const struct sf_confine *confine, struct sf_judged *judged, bool trusted);

/* Why a command, or a part of one, may have failed when the cage was the reason: see hints.h. */
void sf_confine_hint(const struct sf_confine *confine, const struct sf_confine_call *call,
                     bool failed, const struct sf_strbuf *output, struct sf_strbuf *out);

#endif
