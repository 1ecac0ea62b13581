/*
 * judge: describes a tool call to the engine. Resolves the paths a call names, parses its command,
 * collects the policy, asks guard for the verdict and writes the row. It also decides how a command
 * is confined. Needs no session, so hooks, servers and `sf guard` can use it without one.
 *
 *     call_judge      from a call to its verdict and its row
 *     policy_context  rules, scopes, places and trust that verdicts depend on
 *     added_dirs      directories that the user added to the session
 *     glob_links      whether a pattern matches something outside the workspace
 *     git_config      whether a repository's settings make git run programs
 *     git_reach       which repositories a git command comes to
 *     git_home        whether the data of a repository lies in the workspace
 *     confine         the cage of a command, made from its verdict; tempdir is what it may write
 *
 * Decisions, each with the tests that hold it:
 *
 * - git's reads count as reads only where no setting runs a program.
 *   Problem: A repository's settings can make `git status` run a program, and a command may run git
 *     in any repository of the workspace.
 *   Decision: sf disables what the environment can disable (helpers, pagers, monitors). Each
 *     repository that a command comes to is looked up when it is judged. If the settings of one name
 *     programs, git's reads are judged as running them.
 *   Cost: Some files are read for each git command; in such repositories the user is asked.
 *   Enforced by: judge/git_config, judge/git_reach, shell/git_settings
 *
 * - git's reads of another repository's data are reads outside.
 *   Problem: A file called .git, a link or a list of alternates in a project can lead git to any
 *     repository of the user's, and `git show` then reads what the command does not name.
 *   Decision: Such a place asks like other reads outside, and a review refuses it, unless the other
 *     side names this worktree: a linked worktree's directory does, and a submodule's settings do.
 *   Cost: Clones that share objects, and git directories apart from their files, ask.
 *   Enforced by: judge/git_reach, port/review
 *
 * - A directory that the user added is read like the workspace, not written like it.
 *   Problem: Work in one repository needs to look at another one, but snapshots, the scope and the
 *     audit of commands know the workspace alone.
 *   Decision: Files in an added directory are read unasked by the tools, and one by one by
 *     commands; patterns and whole trees in a command ask, since links in there may lead out.
 *     Writing a file asks and says that /undo does not cover it, in the scope free alone. Only the
 *     user adds one: by /add-dir at a screen or by --add-dir. What holds the home directory, keys or
 *     sf's own state cannot be added.
 *   Cost: A command that writes there needs a person.
 *   Enforced by: judge/added_dirs, port/add_dir, app/add_dir
 *
 * Other rooms include only this header.
 */
#ifndef SF_JUDGE_JUDGE_H
#define SF_JUDGE_JUDGE_H

#include "judge/added_dirs.h"
#include "judge/call_judge.h"
#include "judge/confine.h"
#include "judge/git_config.h"
#include "judge/git_home.h"
#include "judge/git_reach.h"
#include "judge/policy_context.h"
#include "judge/tempdir.h"

#endif
