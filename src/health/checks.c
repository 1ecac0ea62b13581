/*
 * checks.c: the table of checks. A row's name is what `sf doctor fix` takes and what scripts read,
 * so it stays once it was released. The rows of a group stand together.
 */
#include <string.h>

#include "health/internal.h"

#define WARNING SF_HEALTH_WARNING
#define PROBLEM SF_HEALTH_PROBLEM
#define NEVER   SF_HEALTH_OK

/* clang-format off */
const struct sf_health_check sf_health_checks[] = {
    { "version", "installation", "which sf this is", sf_health_look_version, NEVER },
    { "modules", "installation", "the modules beside the program, of its own version",
      sf_health_look_modules, NEVER },
    { "manual", "installation", "the man page is of the program's version",
      sf_health_look_manual, NEVER },
    { "path", "installation", "another sf on PATH in front of this one",
      sf_health_look_shadow, NEVER },
    { "locale", "terminal", "a locale with UTF-8", sf_health_look_locale, NEVER },
    { "terminfo", "terminal", "a description of the terminal", sf_health_look_terminfo, NEVER },
    { "terminal", "terminal", "size, colours and keys", sf_health_look_terminal, NEVER },
    { "settings", "settings", "settings files that cannot be read or hold an invalid value",
      sf_health_look_settings, NEVER },
    { "unknown-settings", "settings", "keys of settings that sf does not know",
      sf_health_look_unknown, NEVER },
    { "trust", "settings", "policy files that changed since the workspace was trusted",
      sf_health_look_trust, NEVER },
    { "key-files", "settings", "files with keys that others can read",
      sf_health_look_key_files, NEVER },
    { "key-text", "settings", "keys written into settings", sf_health_look_key_text, NEVER },
    { "model", "provider", "a provider that can be opened", sf_health_look_model, NEVER },
    { "key", "provider", "a key for the provider", sf_health_look_key, NEVER },
    { "service", "provider", "the service answers (others than local ones with --online)",
      sf_health_look_service, NEVER },
    { "state", "store", "a state directory that can be written", sf_health_look_state, PROBLEM },
    { "store-opens", "store", "a store that opens", sf_health_look_opens, PROBLEM },
    { "store", "store", "damage, dangling references and gaps in the log",
      sf_health_look_store, NEVER },
    { "orphans", "store", "rows about tasks and sessions that are gone",
      sf_health_look_orphans, NEVER },
    { "leases", "store", "leases that ran out and were not given back",
      sf_health_look_leases, NEVER },
    { "workers", "store", "workers that are registered, but gone", sf_health_look_workers, NEVER },
    { "session-locks", "store", "lock files of sessions that are gone",
      sf_health_look_session_locks, NEVER },
    { "store-log", "store", "a write-ahead log that grew too large", sf_health_look_log, NEVER },
    { "private", "store", "state that others can read", sf_health_look_private, NEVER },
    { "shared", "store", "two projects with one state directory", sf_health_look_shared, NEVER },
    { "tasks", "tasks", "tasks that run or are verified with nobody there",
      sf_health_look_tasks, NEVER },
    { "plan-files", "tasks", "plans that changed since they were accepted",
      sf_health_look_plan_files, NEVER },
    { "plan-rows", "tasks", "accepted plans whose file is gone",
      sf_health_look_plan_rows, NEVER },
    { "snapshots", "snapshots", "how many there are, and their size",
      sf_health_look_snapshots, NEVER },
    { "side-repository", "snapshots", "damage of the repository that holds them",
      sf_health_look_side, PROBLEM },
    { "budget", "snapshots", "snapshots beyond their budget", sf_health_look_budget, NEVER },
    { "lost-snapshots", "snapshots", "snapshots in the log whose content is gone",
      sf_health_look_unreachable, NEVER },
    { "restore", "snapshots", "a restore that was cut short", sf_health_look_restore, WARNING },
    { "cage", "cage", "how commands are confined, and the limits of one",
      sf_health_look_cage, NEVER },
    { "cage-gaps", "cage", "what this kernel cannot enforce", sf_health_look_gaps, NEVER },
    { "git", "git", "git itself, and repositories that make it run programs",
      sf_health_look_git, NEVER },
    { "unmerged", "git", "paths with conflicts", sf_health_look_unmerged, WARNING },
    { "operation", "git", "a merge, rebase, cherry-pick, revert or bisection under way",
      sf_health_look_operation, WARNING },
    { "git-locks", "git", "lock files that a killed git left", sf_health_look_git_locks, NEVER },
    { "head", "git", "a detached HEAD", sf_health_look_head, NEVER },
    { "branch", "git", "a branch that is missing", sf_health_look_branch, WARNING },
    { "refs", "git", "references that are broken or lead nowhere", sf_health_look_refs, PROBLEM },
    { "worktrees", "git", "worktrees whose directory is gone", sf_health_look_worktrees, NEVER },
    { "owner", "git", "a repository of another user", sf_health_look_owner, NEVER },
    { "untracked", "git", "huge trees that git neither tracks nor ignores",
      sf_health_look_untracked, NEVER },
    { "writable", "workspace", "a workspace that can be written",
      sf_health_look_writable, PROBLEM },
    { "definitions", "workspace", "files in .sf/ that cannot be read",
      sf_health_look_definitions, NEVER },
    { "instructions", "workspace", "instructions that are too long to be passed on",
      sf_health_look_instructions, NEVER },
    { "names", "workspace", "names that differ in upper and lower case only",
      sf_health_look_names, NEVER },
    { "disk", "disk", "room for the workspace, sf's state and temporary files",
      sf_health_look_space, PROBLEM },
    { "inodes", "disk", "room for new files", sf_health_look_inodes, PROBLEM },
    { "clock", "clock", "a clock that is behind what was written, or far off",
      sf_health_look_clock, NEVER },
    { "unfinished-files", "leftovers", "half-written files of killed processes",
      sf_health_look_halves, NEVER },
    { "temp-directories", "leftovers", "temporary directories of dead sessions",
      sf_health_look_tempdirs, NEVER },
};
/* clang-format on */
const size_t sf_health_check_count = SF_COUNT(sf_health_checks);

const struct sf_health_check *sf_health_check_find(const char *name)
{
    for (size_t i = 0; i < sf_health_check_count; i++)
        if (!strcmp(sf_health_checks[i].name, name) || !strcmp(sf_health_checks[i].group, name))
            return &sf_health_checks[i];
    return NULL;
}
