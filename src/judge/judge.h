/*
 * judge: describes a tool call to the engine. Resolves the paths a call names, parses its command,
 * collects the policy, asks guard for the verdict and writes the row. It also decides how a command
 * is confined. Needs no session, so hooks, servers and `sf guard` can use it without one.
 *
 *     call_judge      from a call to its verdict and its row
 *     policy_context  rules, scopes, places and trust that verdicts depend on
 *     glob_links      whether a pattern matches something outside the workspace
 *     git_config      whether a repository's settings make git run programs
 *     confine         the cage of a command, made from its verdict; tempdir is what it may write
 *
 * Decisions, each with the tests that hold it:
 *
 * - git's reads count as reads only where no setting runs a program.
 *   Problem: A repository's settings can make `git status` run a program.
 *   Decision: sf disables what the environment can disable (helpers, pagers, monitors). If the
 *     repository's own settings name programs, git's reads are judged as running them.
 *   Cost: In such repositories the user is asked about `git status`.
 *   Enforced by: judge/git_config, shell/git_settings
 *
 * Other rooms include only this header.
 */
#ifndef SF_JUDGE_JUDGE_H
#define SF_JUDGE_JUDGE_H

#include "judge/call_judge.h"
#include "judge/confine.h"
#include "judge/git_config.h"
#include "judge/policy_context.h"

#endif
