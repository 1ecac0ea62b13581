/*
 * cage: commands confined by the kernel. A plan says what one command may touch; the kernel's
 * facts say how much of that can be enforced here; a cage is both made ready before the fork and
 * entered between fork and exec. Whatever is promised is in force before the command runs, or it
 * does not run.
 *
 *     wish ──► plan ──► cage (+ kernel) ──► sf_cage_enter, in the child
 *              no I/O   looks at the disk   system calls alone
 *
 * Decisions, each with the tests that hold it:
 *
 * - The cage says what it does not hold.
 *   Problem: Kernels differ in what they can enforce, and a promise that does not hold is worse
 *     than none.
 *   Decision: One table names the fences and what each needs. A test tries a hundred ways out at
 *     every strength a kernel can have, and holds the table to it.
 *   Cost: Each fence needs its row and its attempts.
 *   Enforced by: cage/coverage, cage/escape
 *
 * - Local sockets are hidden or cannot be made.
 *   Problem: No filter sees the path of a socket, and behind one may be a daemon that does
 *     anything.
 *   Decision: With a mount namespace the sockets that exist are covered; without one, none can be
 *     made.
 *   Cost: Programs that talk to a local daemon fail in the cage.
 *   Enforced by: cage/escape
 *
 * - What no mount can hold is compared afterwards.
 *   Problem: Git runs programs named by files that a command may create: a `.git` where there was
 *     none, a `commondir`, a repository that the index knows.
 *   Decision: `repositories` finds every git directory a command could write to. Settings and hooks
 *     of the workspace's own repository, its submodules and linked worktrees are read-only mounts;
 *     `git_repair` compares the others before and after, and removes what is not known to be tame.
 *   Cost: Until a command ends, what it made is there; where the search comes to its bound, the
 *     fence counts as open.
 *   Enforced by: cage/git_repair, cage/escape
 *
 * - Whoever was judged to read only is held to it.
 *   Problem: A text that looks like reading may run a program that writes.
 *   Decision: The class of the verdict makes the plan: with `readonly` neither the workspace nor a
 *     cache is a writable place, whatever the session's trust; the temporary directory alone is.
 *   Cost: A reader that leaves something beside what it reads fails, and is told why.
 *   Enforced by: cage/escape, judge/confine
 *
 * - What others obey is not a command's to write.
 *   Problem: A file such as .envrc or .vscode/tasks.json is run by a shell or an editor outside,
 *     later on, and a build script can write it as well as a command that names it.
 *   Decision: What the guard's table of paths lists and the walk finds is mounted read-only. What
 *     no mount holds is as before again afterwards, a new one is moved aside to a name that nobody
 *     obeys. One that is named to a build (`make .envrc`) was asked about: it is let go. Git alone
 *     writes them, since it checks them out. Credentials and .env count too, as programs believe
 *     them; a new private key does not, as nobody does.
 *   Cost: A generator that writes them has to be told to by name; fetched packages are not looked
 *     into, as they hold hundreds that nobody obeys.
 *   Enforced by: cage/escape, cage/git_repair, judge/confine
 *
 * - What git has recorded outlives a command.
 *   Problem: Git's data must be writable for a commit, and so a build script can remove the history.
 *   Decision: References, logs, packs and loose objects are kept in a directory that commands cannot
 *     write, and what is gone or emptied afterwards comes back. What git removes by itself stays
 *     removed: whether anything misses an object is for git to say. That it is gone is told, and its
 *     copy stays for 30 days, up to 1 GiB.
 *   Cost: Some hundred system calls for each command that may write and one for each loose object, a
 *     second name of each object and pack, copies of the small ones in the course of some commands.
 *     What has no copy is not put back when it is emptied in place, which is told, and overwriting
 *     it with as many bytes goes unnoticed. The tables of reftable are kept, but a list of tables
 *     that names fewer passes for git's work. Repositories inside the workspace that are not its own
 *     are not kept. Settling is apart from the loop, since git may have to be asked.
 *   Enforced by: cage/history, cage/escape, session/call_cage
 *
 * - A name means a program of the system.
 *   Problem: A verdict on `git` is worth nothing where PATH leads to a `git` of the workspace.
 *   Decision: Directories of PATH that are relative, lie in the workspace or would when they are made
 *     are left out, for commands, the shell and whatever sf runs itself; all other variables are
 *     passed on but for those that look like secrets or lead to agents.
 *   Cost: Programs of a workspace, those of an activated virtual environment too, are called by their
 *     path; a hint says so.
 *   Enforced by: cage/escape_programs, io/env
 *
 * - A linked worktree is what its repository lists.
 *   Problem: The directory that a `.git` file names can say anything about itself, and what is
 *     believed here becomes writable.
 *   Decision: A worktree counts only where its repository has it in its own list.
 *   Cost: A worktree that was moved by hand is not recognised.
 *   Enforced by: cage/git_repair, cage/plan
 *
 * - Secrets of the workspace are covered, not denied.
 *   Problem: Landlock cannot take back a file of a directory that it granted.
 *   Decision: Files named like secrets lie under a device on a mount without devices: opening
 *     fails, also for root. A directory around a cover can be moved, so what was found is known
 *     again by its number, wherever it lies. What git's objects already hold is left alone.
 *   Cost: One mount for each secret; a search that came to its bound says that this fence is open.
 *   Enforced by: cage/secrets
 *
 * - A cage is made anew for every command, cheaply.
 *   Problem: Rules bind what exists when a command starts, so a cage cannot be kept.
 *   Decision: Everything is looked up for each command. Listings of directories are remembered
 *     until their change time, which nobody can set, differs; Landlock's rules until one of the
 *     files they name is another.
 *   Cost: Some hundred system calls for each command.
 *   Enforced by: cage/listing, cage/ruleset
 *
 * - Memory is watched, not limited.
 *   Problem: The kernel's limits count what is reserved, for each process alone, and a runtime
 *     reserves a hundred times what it uses.
 *   Decision: The supervisor reads what is used in fact, seldom enough to cost nothing.
 *   Cost: A command can exceed the limit for a moment.
 *   Enforced by: cage/limits
 *
 * - A hint about a closed fence is a guess beside the output.
 *   Problem: A failed command rarely says that the cage was the reason.
 *   Decision: A table maps words of the output to fences, and a line is added only about what was
 *     closed for this command.
 *   Cost: A hint can be wrong, and says so.
 *   Enforced by: cage/hints
 *
 * The other rooms include this header alone.
 */
#ifndef SF_CAGE_CAGE_H
#define SF_CAGE_CAGE_H

#include "cage/apply.h"
#include "cage/coverage.h"
#include "cage/environment.h"
#include "cage/git_repair.h"
#include "cage/hints.h"
#include "cage/history.h"
#include "cage/kernel.h"
#include "cage/plan.h"
#include "cage/repositories.h"
#include "cage/secrets.h"

#endif
