/*
 * judge: a tool call described to the engine. Resolves the paths a call names, reads its command,
 * gathers the policy it is judged by, asks guard for the verdict and writes the row. It also says
 * how a command is confined. Needs no session, so hooks, servers and `sf guard` can use it alone.
 *
 *     call_judge      from a call to its verdict and its row
 *     policy_context  rules, scopes, places and trust that verdicts rest on
 *     glob_links      whether what a pattern names leads out of the workspace
 *     git_config      whether a repository's settings make git run programs
 *     confine         the cage of a command, made from its verdict; tempdir is what it may write
 *
 * Decisions, each with the tests that hold it:
 *
 * - git's reads are read-only only where they are.
 *   Problem: A repository's settings can make `git status` run a program.
 *   Decision: sf switches off what the environment can switch off (helpers, pagers, monitors).
 *     Where the repository's own settings name programs, its reads are judged as running them.
 *   Cost: In such repositories `git status` is asked about.
 *   Enforced by: judge/git_config, shell/git_settings
 *
 * The other rooms include this header alone.
 */
#ifndef SF_JUDGE_JUDGE_H
#define SF_JUDGE_JUDGE_H

#include "judge/call_judge.h"
#include "judge/confine.h"
#include "judge/git_config.h"
#include "judge/policy_context.h"

#endif
