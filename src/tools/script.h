/*
 * script: how the text of a command becomes a process: which shell reads it, how it is wrapped,
 * and in what environment it runs.
 *
 * The text is an argument, never part of other text, so that no quote, comment or here-document
 * of it can reach beyond itself; exit codes, `exit`, `set -e`, `exec` and errors are as with
 * `bash -c`. When the shell ends it writes its directory, as `pwd -P` tells it, into a file. It
 * writes nothing after `exec`, a signal that cannot be caught, or a trap on EXIT of the
 * command's own.
 *
 * Git, as its configuration may be a stranger's. Switched off by the environment:
 *
 *     fsmonitor, pagers, editors, prompts for passwords, signature checks of `log`,
 *     the index refresh of `status` and `diff` (and with it the post-index-change hook),
 *     the alias `st`, bare repositories that lie in a work tree, fetching of missing objects
 *
 * Not switched off, since git has no variable for it that would leave other uses whole: what
 * the keys of sf_script_git_obeys name; the post-index-change hook of `describe --dirty`; the
 * hooks of all that writes; aliases. Whoever calls a read of git readonly must know that the
 * repository's configuration has none of these keys.
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
 * The environment of commands: `given`, or what sf_env_safe passes when it is NULL, without
 * what would change how a shell or git reads its input, with PATH reduced to absolute
 * directories, and with the settings of a place without a terminal to ask on.
 */
void sf_script_env(const char *const *given, struct sf_strlist *out);

/* bash, or else sh, from the PATH of that environment; owned. There is always an answer. */
char *sf_script_shell(const struct sf_strlist *env);

/* Everything is borrowed. `report` is the file the directory goes to; NULL: it is not wanted. */
void sf_script_argv(const char *argv[SF_SCRIPT_ARGS], const char *shell, const char *command,
                    const char *report);

#endif
