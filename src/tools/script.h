/*
 * script: turns the text of a command into a process: the shell, the wrapper, and the environment.
 *
 * The text is passed as an argument and never pasted into other text, so that no quote, comment or
 * here-document in it can break out; exit codes, `exit`, `set -e`, `exec` and errors behave as with
 * `bash -c`. When the shell ends it writes its directory, from `pwd -P`, to a file. It writes
 * nothing after `exec`, after a signal that cannot be caught, or if the command sets a trap on EXIT
 * itself.
 *
 * Git's configuration may be untrusted. The environment disables:
 *
 *     fsmonitor, pagers, editors, prompts for passwords, signature checks of `log`,
 *     the index refresh of `status` and `diff` (and with it the post-index-change hook),
 *     the alias `st`, bare repositories inside a work tree, fetching of missing objects
 *
 * Not disabled, because git has no variable for it that would not break other uses: what the keys
 * of sf_script_git_obeys name; the post-index-change hook of `describe --dirty`; the hooks of
 * commands that write; aliases. A git command may be judged read-only only if the repository's
 * configuration has none of these keys.
 */
#ifndef SF_TOOLS_SCRIPT_H
#define SF_TOOLS_SCRIPT_H

#include <stddef.h>

#include "base/base.h"

enum {
    SF_SCRIPT_MAX = 128 * 1024 - 1, /* bytes of a command: the kernel's limit of one argument */
    SF_SCRIPT_ARGS = 9,
};

/*
 * Keys of a repository's configuration, "*" for a name, whose value git still runs when it only
 * reads: diff.external in `diff` (an empty value breaks it), diff drivers in `diff`, `log -p`,
 * `show` and `blame`, filters in `status` and `diff`. NULL-terminated.
 */
extern const char *const sf_script_git_obeys[];

/*
 * The environment of commands: `given`, or the variables of sf_env_safe if NULL, without variables
 * that change how a shell or git reads its input, with PATH reduced by sf_env_path, and with settings
 * for programs that have no terminal to ask on. For a command that was judged to read only, git's
 * filter for large files (LFS) is off as well.
 */
void sf_script_env(const char *const *given, bool only_reads, struct sf_strlist *out);

/* The path of bash, or else of sh, from the PATH of that environment; owned. Never NULL. */
char *sf_script_shell(const struct sf_strlist *env);

/* Everything is borrowed. `report` is the file for the directory; NULL: not wanted. */
void sf_script_argv(const char *argv[SF_SCRIPT_ARGS], const char *shell, const char *command,
                    const char *report);

#endif
