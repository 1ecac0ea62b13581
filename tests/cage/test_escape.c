/*
 * Attempts to get out, by real children, against every strength of cage there is: what this
 * kernel offers, and the same with less, down to nothing. Each attempt names the fence it runs
 * against. Where the strength says that the fence stands, it must have had no effect, seen from
 * outside; without a cage it must have one, or it would be no attempt.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cage_strength.h"
#include "support/cagecase.h"
#include "support/test.h"
#include "support/tree.h"

enum { FREE = 1, ROOT = 2 }; /* harmless on this machine also without a cage; root alone can */

/* clang-format off */
static const struct attempt {
    const char *name;
    enum sf_cage_fence fence;
    const char *script;
    int flags;
} attempts[] = {
    { "write outside", SF_FENCE_WRITE, "echo x > $OUT/victim.txt", 0 },
    { "append outside", SF_FENCE_WRITE, "echo x >> $OUT/victim.txt", 0 },
    { "create outside", SF_FENCE_WRITE, "touch $OUT/new", 0 },
    { "create in the home", SF_FENCE_WRITE, "touch $HOME/new", 0 },
    { "append to a start-up file", SF_FENCE_WRITE, "echo evil >> $HOME/.bashrc", 0 },
    { "add a key to the keys allowed in", SF_FENCE_WRITE, "echo k >> $HOME/.ssh/authorized_keys", 0 },
    { "remove outside", SF_FENCE_WRITE, "rm -f $OUT/victim.txt", 0 },
    { "remove a directory outside", SF_FENCE_WRITE, "rm -rf $OUT/sub", 0 },
    { "make a directory outside", SF_FENCE_WRITE, "mkdir $OUT/newdir", 0 },
    { "make a link outside", SF_FENCE_WRITE, "ln -s /etc $OUT/newlink", 0 },
    { "make a pipe outside", SF_FENCE_WRITE, "mkfifo $OUT/newpipe", 0 },
    { "rename outside", SF_FENCE_WRITE, "mv $OUT/victim.txt $OUT/moved.txt", 0 },
    { "rename out of the workspace", SF_FENCE_WRITE, "mv own.txt $OUT/own.txt", 0 },
    { "rename into the workspace", SF_FENCE_WRITE, "mv $OUT/victim.txt victim.txt", 0 },
    { "rename by system call", SF_FENCE_WRITE,
      "perl -e 'rename \"own.txt\", \"$ENV{OUT}/own.txt\" or die $!'", 0 },
    { "hard link of a file outside, then write", SF_FENCE_WRITE,
      "ln $OUT/victim.txt alias && echo x > alias", 0 },
    { "hard link to the outside", SF_FENCE_WRITE, "ln own.txt $OUT/alias", 0 },
    { "write through a link", SF_FENCE_WRITE, "ln -s $OUT/victim.txt way; echo x > way", 0 },
    { "create through a linked directory", SF_FENCE_WRITE, "ln -s $OUT way; touch way/new", 0 },
    { "climb with dots", SF_FENCE_WRITE, "echo x > ../outside/victim.txt", 0 },
    { "climb from a directory's descriptor", SF_FENCE_WRITE, "$PROBE climb", 0 },
    { "by way of /proc/self/root", SF_FENCE_WRITE, "echo x > /proc/self/root$OUT/victim.txt", 0 },
    { "by way of /proc/self/cwd", SF_FENCE_WRITE, "echo x > /proc/self/cwd/../outside/victim.txt", 0 },
    { "by way of another process's root", SF_FENCE_WRITE, "$PROBE root-link $OUT", 0 },
    { "a copy with its own program", SF_FENCE_WRITE, "cp /bin/cp mycp && ./mycp own.txt $OUT/copy", 0 },
    { "in place with sed", SF_FENCE_WRITE, "sed -i s/precious/x/ $OUT/victim.txt", 0 },
    { "with perl", SF_FENCE_WRITE, "perl -e 'open F, \">\", \"$ENV{OUT}/perl\" or die'", 0 },
    { "with python", SF_FENCE_WRITE, "/usr/bin/python3 -c 'import os; open(os.environ[\"OUT\"]+\"/py\",\"w\")'", 0 },
    { "with dd", SF_FENCE_WRITE, "dd if=/dev/zero of=$OUT/victim.txt count=1 2>&1", 0 },
    { "with tar", SF_FENCE_WRITE, "tar cf a.tar own.txt && tar xf a.tar -C $OUT", 0 },
    { "by a daemon in a session of its own", SF_FENCE_WRITE,
      "setsid sh -c 'echo x > $OUT/daemon' & wait", 0 },
    { "by a process that forks twice", SF_FENCE_WRITE,
      "( ( echo x > $OUT/twice; echo > way ) & ); until [ -e way ]; do sleep 0.01; done", 0 },
    { "into sf's own data", SF_FENCE_WRITE, "echo x > $STATE/store.db", 0 },
    { "into the session's /dev/shm neighbour", SF_FENCE_WRITE, "$PROBE creat $OUT/shm", 0 },
    { "empty a file by its path", SF_FENCE_TRUNCATE, "$PROBE truncate $OUT/victim.txt", 0 },
    { "empty a file with truncate(1)", SF_FENCE_TRUNCATE, "truncate -s 0 $OUT/victim.txt", 0 },
    { "empty sf's store", SF_FENCE_TRUNCATE, "$PROBE truncate $STATE/store.db", 0 },
    { "change a mode", SF_FENCE_METADATA, "$PROBE chmod $OUT/victim.txt", 0 },
    { "open the keys to everybody", SF_FENCE_METADATA, "chmod 777 $HOME/.ssh", 0 },
    { "change an owner", SF_FENCE_METADATA, "$PROBE chown $OUT/victim.txt", ROOT },
    { "change times", SF_FENCE_METADATA, "$PROBE utimes $OUT/victim.txt", 0 },
    { "add an attribute", SF_FENCE_METADATA, "$PROBE xattr $OUT/victim.txt", 0 },

    { "read a private key", SF_FENCE_READ, "cat $HOME/.ssh/id_rsa", 0 },
    { "read cloud credentials", SF_FENCE_READ, "cat $HOME/.aws/credentials", 0 },
    { "read below .config", SF_FENCE_READ, "cat $HOME/.config/gcloud/token", 0 },
    { "read a password file", SF_FENCE_READ, "cat $HOME/.netrc", 0 },
    { "read a key under another name", SF_FENCE_READ, "cat $HOME/id_rsa.old", 0 },
    { "read the home's .env", SF_FENCE_READ, "cat $HOME/.env", 0 },
    { "read the shell's history", SF_FENCE_READ, "cat $HOME/.bash_history", 0 },
    { "read a browser's profile", SF_FENCE_READ, "cat $HOME/snap/firefox/common/.mozilla/logins.json", 0 },
    { "read another agent's token", SF_FENCE_READ, "cat $HOME/.config/github-copilot/hosts.json", 0 },
    { "read a token among caches", SF_FENCE_READ, "cat $HOME/.cache/huggingface/token", 0 },
    { "read an editor's history", SF_FENCE_READ, "cat $HOME/.viminfo", 0 },
    { "read the copy of a password file", SF_FENCE_READ, "cat $HOME/.netrc.bak", 0 },
    { "read settings that were moved", SF_FENCE_READ, "cat $OUT/cfg/gh/hosts.yml", 0 },
    { "read a cluster's keys by another name", SF_FENCE_READ, "cat $OUT/cluster.yaml", 0 },
    { "search the home", SF_FENCE_READ, "grep -r s3cr3t $HOME", 0 },
    { "read through a link", SF_FENCE_READ, "ln -s $HOME/.ssh/id_rsa k; cat k", 0 },
    { "read through a hard link", SF_FENCE_READ, "ln $HOME/.ssh/id_rsa k && cat k", 0 },
    { "move a key into the workspace and read it", SF_FENCE_READ, "mv $HOME/.ssh/id_rsa k; cat k", 0 },
    { "read by way of /proc/self/root", SF_FENCE_READ, "cat /proc/self/root$HOME/.ssh/id_rsa", 0 },
    { "read by way of a process outside", SF_FENCE_READ, "cat /proc/$VICTIM/root$HOME/.ssh/id_rsa", 0 },
    { "pack the home", SF_FENCE_READ, "tar c $HOME 2>/dev/null", 0 },
    { "read sf's own data", SF_FENCE_READ, "cat $STATE/store.db", 0 },
    { "read with a program of one's own", SF_FENCE_READ, "cp $PROBE p && ./p read $HOME/.ssh/id_rsa", 0 },
    { "by the file's handle", SF_FENCE_READ, "$PROBE handle $HOME/.ssh/id_rsa", ROOT },

    { "dial TCP on loopback", SF_FENCE_NETWORK, "$PROBE tcp $TCP", 0 },
    { "dial it as IPv6", SF_FENCE_NETWORK, "$PROBE tcp6 $TCP", 0 },
    { "send UDP on loopback", SF_FENCE_NETWORK, "$PROBE udp $UDP", 0 },
    { "dial with bash", SF_FENCE_NETWORK, "bash -c 'echo x > /dev/tcp/127.0.0.1/$TCP'", 0 },
    { "dial with python", SF_FENCE_NETWORK,
      "/usr/bin/python3 -c 'import socket,os; socket.create_connection((\"127.0.0.1\",int(os.environ[\"TCP\"])))'", 0 },
    { "dial with perl", SF_FENCE_NETWORK,
      "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"127.0.0.1:$ENV{TCP}\") or die'", 0 },
    { "packets", SF_FENCE_NETWORK, "$PROBE family 17", ROOT },
    { "a socket to the hypervisor", SF_FENCE_NETWORK, "$PROBE family 40", FREE },

    { "a local socket", SF_FENCE_SOCKETS, "$PROBE unix $SOCK", 0 },
    { "a local socket by a link", SF_FENCE_SOCKETS, "ln -s $SOCK s; $PROBE unix s", 0 },
    { "a local socket in /tmp, like tmux's", SF_FENCE_SOCKETS, "$PROBE unix $TMPSOCK", 0 },
    { "a local socket by its name alone", SF_FENCE_SOCKETS, "cd $OUT; $PROBE unix agent.sock", 0 },
    { "a local socket of a relative name", SF_FENCE_SOCKETS, "$PROBE unix $OUT/a-relative.sock", 0 },
    { "a local socket that was renamed", SF_FENCE_SOCKETS, "$PROBE unix $OUT/a-after", 0 },
    { "a local socket with a newline in its name", SF_FENCE_SOCKETS, "$PROBE unix \"$NEWLINE\"", 0 },
    { "an abstract socket", SF_FENCE_ABSTRACT, "$PROBE abstract $ABSTRACT", 0 },

    { "end another process", SF_FENCE_SIGNALS, "kill -9 $VICTIM", 0 },
    { "end another process by system call", SF_FENCE_SIGNALS, "$PROBE kill $VICTIM", 0 },
    { "trace another process", SF_FENCE_PROCESSES, "$PROBE ptrace $VICTIM", 0 },
    { "open another process's memory", SF_FENCE_PROCESSES, "$PROBE memory $VICTIM", FREE },
    { "read another process's memory", SF_FENCE_PROCESSES, "$PROBE vm-read $VICTIM", 0 },
    { "limit another process", SF_FENCE_LIMITS, "$PROBE limit $VICTIM", 0 },
    { "slow another process down", SF_FENCE_LIMITS, "$PROBE priority $VICTIM", 0 },
    { "slow all processes down", SF_FENCE_LIMITS, "$PROBE priorities", FREE },
    { "slow its files down", SF_FENCE_LIMITS, "$PROBE io-priority $VICTIM", 0 },
    { "schedule another process", SF_FENCE_LIMITS, "$PROBE scheduler $VICTIM", 0 },
    { "bind another process to a processor", SF_FENCE_LIMITS, "$PROBE processors $VICTIM", 0 },
    { "leave the supervisor helpless", SF_FENCE_LIMITS, "$PROBE limit $PPID", 0 },

    { "type into a terminal", SF_FENCE_DEVICES, "$PROBE typing", FREE },
    { "make a disk's device file", SF_FENCE_WRITE, "$PROBE device $WS/disk", ROOT },
    { "replace a hook", SF_FENCE_GIT, "mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit", 0 },
    { "replace all hooks", SF_FENCE_GIT, "rm -rf .git/hooks; mkdir .git/hooks; echo e > .git/hooks/pre-push", 0 },
    { "point git to a program", SF_FENCE_GIT, "git config core.fsmonitor ./evil", 0 },
    { "write git's settings by hand", SF_FENCE_GIT, "echo '[core] pager = evil' >> .git/config", 0 },
    { "put another .git in its place", SF_FENCE_GIT,
      "mv .git .old && cp -r .old .git && echo '[core] pager = evil' >> .git/config", 0 },
    { "give git another common directory", SF_FENCE_GIT,
      "cp -r .git evil; printf '[core]\n\tfsmonitor = %s\n' $EVIL >> evil/config; echo ../evil > .git/commondir", 0 },
    { "a submodule's settings", SF_FENCE_GIT,
      "printf '[core]\n\tfsmonitor = %s\n' $EVIL >> .git/modules/sub/config", 0 },
    { "a submodule's hooks", SF_FENCE_GIT, "cp evil.sh .git/modules/sub/hooks/pre-commit", 0 },
    { "another submodule in its place", SF_FENCE_GIT,
      "mv .git/modules/sub .old && cp -r .old .git/modules/sub && printf '[core]\n\tfsmonitor = %s\n' $EVIL >> .git/modules/sub/config", 0 },
    { "another place for a submodule's data", SF_FENCE_GIT,
      "cp -r .git/modules/sub evil; printf '[core]\n\tfsmonitor = %s\n' $EVIL >> evil/config; echo gitdir: ../evil > module/.git", 0 },
    { "a linked worktree's common directory", SF_FENCE_GIT,
      "cp -r .git evil; printf '[core]\n\tfsmonitor = %s\n' $EVIL >> evil/config; echo $WS/evil > .git/worktrees/tree/commondir", 0 },
    { "another place for a linked worktree's data", SF_FENCE_GIT,
      "cp -r .git evil; printf '[core]\n\tfsmonitor = %s\n' $EVIL >> evil/config; echo gitdir: $WS/evil > tree/.git", 0 },
    { "a repository inside", SF_FENCE_GIT, "git -C inner config core.fsmonitor $EVIL", 0 },
    { "a hook of a repository inside", SF_FENCE_GIT, "cp evil.sh inner/.git/hooks/pre-commit", 0 },
    { "a hook as a link", SF_FENCE_GIT, "ln -s $EVIL inner/.git/hooks/pre-commit", 0 },
    { "all hooks as a link", SF_FENCE_GIT,
      "rm -rf inner/.git/hooks; mkdir evil; cp evil.sh evil/pre-commit; ln -s $WS/evil inner/.git/hooks", 0 },
    { "settings as a link", SF_FENCE_GIT,
      "cp inner/.git/config evil; printf '[core]\n\tfsmonitor = %s\n' $EVIL >> evil; ln -sf $WS/evil inner/.git/config", 0 },
    { "settings that include others", SF_FENCE_GIT,
      "printf '[core]\n\tfsmonitor = %s\n' $EVIL > evil; git -C inner config include.path $WS/evil", 0 },
    { "settings that go on in the next line", SF_FENCE_GIT,
      "printf '[core]\n\tfsmonitor = \\\n%s\n' $EVIL >> inner/.git/config", 0 },
    { "a new repository inside", SF_FENCE_GIT,
      "git init -q made && git -C made config core.fsmonitor $EVIL", 0 },
    { "a new one that git's index leads to", SF_FENCE_GIT,
      "git init -q node_modules/made && git -C node_modules/made commit -q --allow-empty -m x && "
      "git add -f node_modules/made; git -C node_modules/made config core.fsmonitor $EVIL", 0 },
    { "a new one without a work tree", SF_FENCE_GIT,
      "git init -q --bare bare && cd bare && git config core.fsmonitor $EVIL && "
      "git config core.worktree $PWD && git config core.bare false", 0 },
    { "a hook of the directory that settings name", SF_FENCE_GIT, "cp evil.sh .hooks/pre-commit", 0 },
    { "another directory in its place", SF_FENCE_GIT,
      "mv .hooks .old; mkdir .hooks; cp evil.sh .hooks/pre-commit", 0 },
    { "change sf's settings of the project", SF_FENCE_GIT, "echo 'x = 1' >> .sf/config.toml", 0 },
    { "put another .sf in its place", SF_FENCE_GIT, "mv .sf .old; mkdir .sf; touch .sf/config.toml", 0 },
    { "add to what a shell runs in the directory", SF_FENCE_GIT, "echo evil >> .envrc", 0 },
    { "replace what a shell runs in the directory", SF_FENCE_GIT, "echo evil > n; mv -f n .envrc", 0 },
    { "remove what a shell runs in the directory", SF_FENCE_GIT, "rm -f .envrc", 0 },
    { "change an editor's tasks further down", SF_FENCE_GIT, "echo evil > sub/.vscode/tasks.json", 0 },
    { "add to an editor's settings further down", SF_FENCE_GIT, "echo e > sub/.vscode/settings.json", 0 },
    { "make tasks for an editor", SF_FENCE_GIT, "mkdir .vscode; echo evil > .vscode/tasks.json", 0 },
    { "make hooks that a tool installs", SF_FENCE_GIT, "mkdir .husky; cp evil.sh .husky/pre-commit", 0 },
    { "make servers for other agents", SF_FENCE_GIT, "echo '{}' > .mcp.json", 0 },
    { "make a link that a shell obeys", SF_FENCE_GIT, "mkdir -p d; ln -s $EVIL .mcp.json", 0 },
};

/* By a command that was judged to read only: nothing of the workspace changes, nor in the home. */
static const struct attempt reading[] = {
    { "write", SF_FENCE_WRITE, "echo x > own.txt", 0 },
    { "append", SF_FENCE_WRITE, "echo x >> own.txt", 0 },
    { "create", SF_FENCE_WRITE, "touch new", 0 },
    { "remove", SF_FENCE_WRITE, "rm -f own.txt", 0 },
    { "remove a directory", SF_FENCE_WRITE, "rm -rf sub", 0 },
    { "make a directory", SF_FENCE_WRITE, "mkdir newdir", 0 },
    { "rename", SF_FENCE_WRITE, "mv own.txt other.txt", 0 },
    { "link", SF_FENCE_WRITE, "ln own.txt alias", 0 },
    { "by way of /proc/self/cwd", SF_FENCE_WRITE, "echo x > /proc/self/cwd/own.txt", 0 },
    { "from the temporary directory", SF_FENCE_WRITE, "touch $TMPDIR/t && mv -f $TMPDIR/t own.txt", 0 },
    { "put into a cache", SF_FENCE_WRITE, "echo x > $HOME/.cache/pip/x", 0 },
    { "change a cache", SF_FENCE_WRITE, "echo x >> $HOME/.cargo/registry/x", 0 },
    { "empty a cache", SF_FENCE_WRITE, "rm -rf $HOME/.cargo/registry/x", 0 },
    { "commit", SF_FENCE_WRITE, "git commit -q --allow-empty -m x", 0 },
    { "remove git's objects", SF_FENCE_WRITE, "rm -rf .git/objects", 0 },
    { "remove git's references", SF_FENCE_WRITE, "rm -rf .git/refs .git/logs", 0 },
    { "empty git's references", SF_FENCE_TRUNCATE, "$PROBE truncate .git/HEAD", 0 },
    { "empty a file", SF_FENCE_TRUNCATE, "$PROBE truncate own.txt", 0 },
    { "change a mode", SF_FENCE_METADATA, "$PROBE chmod own.txt", 0 },
    { "change times", SF_FENCE_METADATA, "$PROBE utimes own.txt", 0 },
};

/* By a command that may write: what git has recorded is there afterwards. */
static const struct attempt recorded[] = {
    { "remove the repository", SF_FENCE_HISTORY, "rm -rf .git", 0 },
    { "move the repository away", SF_FENCE_HISTORY, "mv .git .old || mv .git/* .old", 0 },
    { "begin another one", SF_FENCE_HISTORY, "rm -rf .git; git init -q .", 0 },
    { "put a file in its place", SF_FENCE_HISTORY, "rm -rf .git; echo gitdir: evil > .git", 0 },
    { "remove all objects", SF_FENCE_HISTORY, "rm -rf .git/objects", 0 },
    { "remove the loose ones", SF_FENCE_HISTORY, "rm -rf .git/objects/??", 0 },
    { "remove one that is loose", SF_FENCE_HISTORY,
      "o=$(git rev-parse HEAD); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)", 0 },
    { "empty one that is loose", SF_FENCE_HISTORY,
      "o=$(git rev-parse HEAD); f=.git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-); chmod u+w $f; : > $f", 0 },
    { "empty all objects", SF_FENCE_HISTORY,
      "find .git/objects -type f -exec chmod u+w {} + -exec truncate -s 0 {} +", 0 },
    { "remove the packs", SF_FENCE_HISTORY, "rm -f .git/objects/pack/*", 0 },
    { "remove the index of a pack", SF_FENCE_HISTORY, "rm -f .git/objects/pack/*.idx", 0 },
    { "shorten a pack", SF_FENCE_HISTORY,
      "chmod u+w .git/objects/pack/*.pack; truncate -s 20 .git/objects/pack/*.pack", 0 },
    { "remove all references", SF_FENCE_HISTORY, "rm -rf .git/refs .git/packed-refs", 0 },
    { "remove references and logs", SF_FENCE_HISTORY, "rm -rf .git/refs/heads .git/logs", 0 },
    { "remove one branch", SF_FENCE_HISTORY, "rm -f .git/refs/heads/aside", 0 },
    { "remove the branch one is on", SF_FENCE_HISTORY,
      "b=$(git symbolic-ref HEAD); rm -f .git/$b .git/logs/$b", 0 },
    { "empty a branch", SF_FENCE_HISTORY, ": > .git/refs/heads/aside", 0 },
    { "remove all tags", SF_FENCE_HISTORY, "rm -rf .git/refs/tags", 0 },
    { "remove the logs", SF_FENCE_HISTORY, "rm -rf .git/logs", 0 },
    { "empty a log", SF_FENCE_HISTORY, ": > .git/logs/HEAD", 0 },
    { "remove HEAD", SF_FENCE_HISTORY, "rm -f .git/HEAD", 0 },
    { "empty HEAD", SF_FENCE_HISTORY, ": > .git/HEAD", 0 },
    { "remove a submodule's data", SF_FENCE_HISTORY, "rm -rf .git/modules/sub", 0 },
    { "remove a submodule's objects", SF_FENCE_HISTORY, "rm -rf .git/modules/sub/objects", 0 },
    { "remove a linked worktree's data", SF_FENCE_HISTORY, "rm -rf .git/worktrees/tree", 0 },
    { "remove a linked worktree's log", SF_FENCE_HISTORY, "rm -rf .git/worktrees/tree/logs", 0 },
    { "by a script's script", SF_FENCE_HISTORY, "setsid sh -c 'rm -rf .git/objects' & wait", 0 },
};

/* These hold with the filter or with Landlock, so wherever there is any cage. */
static const struct attempt always[] = {
    { "an inherited descriptor", SF_FENCE_WRITE, "$PROBE inherited", FREE },
    { "mount over a directory", SF_FENCE_WRITE, "$PROBE mount $WS/sub", ROOT },
    { "bind the outside into the workspace", SF_FENCE_WRITE, "$PROBE bind $WS/sub", ROOT },
    { "make the tree writable again", SF_FENCE_WRITE, "$PROBE remount", ROOT },
    { "take a cover away", SF_FENCE_WRITE, "$PROBE umount $WS/.git/hooks", FREE },
    { "a user namespace of one's own", SF_FENCE_WRITE, "$PROBE unshare", 0 },
    { "a user namespace by clone", SF_FENCE_WRITE, "$PROBE clone", 0 },
    { "the namespace of a process outside", SF_FENCE_WRITE, "$PROBE setns $VICTIM", ROOT },
    { "another root directory", SF_FENCE_WRITE, "$PROBE chroot $WS", ROOT },
    { "a ring of requests", SF_FENCE_WRITE, "$PROBE uring", FREE },
    { "a program in the kernel", SF_FENCE_WRITE, "$PROBE bpf", FREE },
    { "performance events", SF_FENCE_WRITE, "$PROBE perf", FREE },
    { "page faults in user space", SF_FENCE_WRITE, "$PROBE faults", FREE },
    { "the kernel's keys", SF_FENCE_WRITE, "$PROBE keys", FREE },
    { "the machine's name", SF_FENCE_WRITE, "$PROBE hostname", ROOT },
    { "more rights by sudo", SF_FENCE_WRITE, "sudo -n true 2>/dev/null && touch $OUT/new", FREE },
};
/* clang-format on */

static bool again; /* as an ordinary user */

/*
 * A hundred ways out of weaker cages were tried by root; what others obey is put back by sf itself,
 * with the rights of whoever runs it, so it is tried by both.
 */
static bool is_left_to_root(const struct attempt *attempt, size_t strength)
{
    return again && strength && attempt->fence != SF_FENCE_GIT;
}

/* What attempts leave in the workspace, where they may. */
static void clean_workspace(struct cage_sandbox *w)
{
    static const char *const left[] = { "alias",
                                        "way",
                                        "k",
                                        "s",
                                        "p",
                                        "mycp",
                                        "a.tar",
                                        "victim.txt",
                                        "disk",
                                        ".old",
                                        "evil",
                                        "made",
                                        "bare",
                                        "node_modules",
                                        "n",
                                        "d",
                                        "vscode.refused-1",
                                        "husky.refused-1",
                                        "mcp.json.refused-1",
                                        ".git.replaced" };

    for (size_t i = 0; i < SF_COUNT(left); i++) {
        char *path = test_path(w->ws, left[i]);

        if (unlink(path) < 0)
            test_dir_free(path);
        else
            free(path);
    }
    tree_puts(w->ws, "own.txt", "own\n");
}

/* Nothing is promised about a fence that is open: what passes there is only told, and at leisure. */
static bool is_worth_trying(bool stands)
{
    return stands || getenv("SF_LONG");
}

static unsigned try_all(struct cage_sandbox *w, const struct attempt *rows, size_t count,
                        size_t strength, bool always_held)
{
    struct sf_kernel kernel = cage_weaken(strength);
    struct sf_cage_coverage coverage;
    struct sf_cage_plan plan;
    unsigned wrong = 0;

    cage_sandbox_plan(w, &plan);
    coverage = sf_cage_coverage(&kernel, &plan);
    for (size_t i = 0; i < count; i++) {
        bool stands = always_held || coverage.stands[rows[i].fence];
        const char *damage;

        if (!is_worth_trying(stands) || is_left_to_root(&rows[i], strength))
            continue;
        cage_sandbox_run(w, &kernel, &plan, rows[i].script);
        if (rows[i].fence == SF_FENCE_GIT)
            cage_sandbox_use_git(w);
        damage = cage_sandbox_damage(w);
        if (damage && stands) {
            print_error("%s: %s\n%s\n", rows[i].name, damage, w->result.output[0].buf);
            wrong++;
        } else if (damage) {
            print_message("      open: %s: %s\n", rows[i].name, damage);
        }
        clean_workspace(w);
    }
    sf_cage_plan_release(&plan);
    return wrong;
}

static void test_what_stands_holds(void **state)
{
    struct cage_sandbox *w = *state;
    unsigned wrong = 0;

    print_message("  %zu attempts\n", SF_COUNT(attempts) + SF_COUNT(always));
    print_message("  landlock %d, seccomp %d, mounts %d, networks %d, privileged %d\n",
                  sf_kernel()->landlock, sf_kernel()->seccomp, sf_kernel()->mounts,
                  sf_kernel()->nets, sf_kernel()->privileged);
    for (size_t i = 0; i < CAGE_STRENGTHS; i++) {
        if (!cage_is_offered(i))
            continue;
        print_message("    %s\n", cage_strength_names[i]);
        wrong += try_all(w, attempts, SF_COUNT(attempts), i, false);
        if (!i || !cage_weaken(i).landlock) /* the filter is the same for all others */
            wrong += try_all(w, always, SF_COUNT(always), i, true);
    }
    assert_int_equal(wrong, 0);
}

/* Every file of the workspace and the home: mode, size, when it was changed, how often linked. */
static char *places_now(struct cage_sandbox *w)
{
    return tree_run(w->ws, "find . ../home -printf '%p %m %s %T@ %n %y\\n' | sort", NULL);
}

/* Whether the run left a file in the temporary directory, where it may. */
static bool can_use_temp(struct cage_sandbox *w, const struct sf_kernel *kernel,
                         const struct sf_cage_plan *plan)
{
    char *path = test_path(w->temp, "mine");
    bool ok;

    cage_sandbox_run(w, kernel, plan, "echo x > $TMPDIR/mine && git status --short && cat own.txt");
    ok = w->result.code == 0 && unlink(path) == 0;
    free(path);
    return ok;
}

static unsigned try_reading(struct cage_sandbox *w, const struct sf_kernel *kernel)
{
    struct sf_cage_coverage coverage;
    struct sf_cage_plan plan;
    char *before;
    unsigned wrong = 0;

    w->readonly = true;
    cage_sandbox_plan(w, &plan);
    w->readonly = false;
    coverage = sf_cage_coverage(kernel, &plan);
    before = places_now(w);
    for (size_t i = 0; i < SF_COUNT(reading); i++) {
        char *after;

        if (!coverage.stands[reading[i].fence])
            continue;
        cage_sandbox_run(w, kernel, &plan, reading[i].script);
        after = places_now(w);
        if (strcmp(before, after) != 0) {
            print_error("%s: something changed\n%s\n", reading[i].name, w->result.output[0].buf);
            wrong++;
        }
        free(after);
    }
    if (!can_use_temp(w, kernel, &plan)) {
        print_error("reading and the temporary directory are not possible\n%s\n",
                    w->result.output[0].len ? w->result.output[0].buf : "");
        wrong++;
    }
    free(before);
    sf_cage_plan_release(&plan);
    return wrong;
}

static void test_reading_changes_nothing(void **state)
{
    struct cage_sandbox *w = *state;
    unsigned wrong = 0;

    for (size_t i = 0; i < CAGE_STRENGTHS; i++) {
        struct sf_kernel kernel = cage_weaken(i);

        if (cage_is_offered(i))
            wrong += try_reading(w, &kernel);
    }
    assert_int_equal(wrong, 0);
}

static unsigned try_history(struct cage_sandbox *w, const struct sf_kernel *kernel, bool caged)
{
    struct sf_cage_plan plan = { .need = SF_CAGE_NEED_OFF };
    unsigned wrong = 0;
    bool stands;

    if (caged)
        cage_sandbox_plan(w, &plan);
    stands = sf_cage_coverage(kernel, &plan).stands[SF_FENCE_HISTORY];
    for (size_t i = 0; stands == caged && i < SF_COUNT(recorded); i++) {
        cage_sandbox_run(w, kernel, &plan, recorded[i].script);
        if (cage_sandbox_has_history(w) != caged) {
            print_error("%s: %s\n%s\n", recorded[i].name, caged ? "lost" : "did nothing",
                        w->result.output[0].len ? w->result.output[0].buf : "");
            wrong++;
        }
        clean_workspace(w);
    }
    if (caged)
        sf_cage_plan_release(&plan);
    return wrong;
}

static void test_history_survives(void **state)
{
    struct cage_sandbox *w = *state;
    unsigned wrong = try_history(w, sf_kernel(), false);

    for (size_t i = 0; i < CAGE_STRENGTHS; i++) {
        struct sf_kernel kernel = cage_weaken(i);

        if (cage_is_offered(i))
            wrong += try_history(w, &kernel, true);
    }
    assert_int_equal(wrong, 0);
}

/* An attempt that does nothing outside of a cage says nothing about cages. */
static void test_attempts_are_real(void **state)
{
    struct cage_sandbox *w = *state;
    const struct sf_cage_plan off = { .need = SF_CAGE_NEED_OFF };
    unsigned wrong = 0;

    for (size_t i = 0; i < SF_COUNT(attempts); i++) {
        if ((attempts[i].flags & FREE) || ((attempts[i].flags & ROOT) && geteuid() != 0))
            continue;
        cage_sandbox_run(w, sf_kernel(), &off, attempts[i].script);
        if (attempts[i].fence == SF_FENCE_GIT)
            cage_sandbox_use_git(w);
        if (!cage_sandbox_damage(w)) {
            print_error("%s: did nothing\n%s\n", attempts[i].name, w->result.output[0].buf);
            wrong++;
        }
        clean_workspace(w);
    }
    assert_int_equal(wrong, 0);
}

static int run_group(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_attempts_are_real, cage_sandbox_setup,
                                        cage_sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_what_stands_holds, cage_sandbox_setup,
                                        cage_sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_reading_changes_nothing, cage_sandbox_setup,
                                        cage_sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_history_survives, cage_sandbox_setup,
                                        cage_sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    int failed;

    /* first, while nothing is known about the kernel yet */
    again = true;
    failed = cage_as_user(run_group);
    again = false;
    return run_group() + failed;
}
