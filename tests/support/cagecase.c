/*
 * cagecase.c: building the sandbox, and looking at it afterwards.
 */
#include "support/cagecase.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"
#include "support/tree.h"

#define OUTPUT_CAP  65536
#define NOBODY      65534
#define DEADLINE_MS 120000

/* Not below /tmp, where the cage would show the session's own; readable for others than root. */
static char *base_dir(void)
{
    const char *base = geteuid() == 0 ? "/srv" : getenv("HOME");
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_addf(&sb, "%s/sf-cage-XXXXXX", base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(sb.buf));
    assert_int_equal(chmod(sb.buf, 0755), 0);
    return sf_strbuf_detach(&sb);
}

static char *make_dir(const char *dir, const char *name)
{
    char *path = test_path(dir, name);

    assert_int_equal(mkdir(path, 0755), 0);
    return path;
}

/* What a setting that runs a program runs; it works whoever runs it. */
static void fill_evil(const struct cage_sandbox *w)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = test_path(w->ws, "evil.sh");

    sf_strbuf_addf(&text, "#!/bin/sh\ntouch %s/ran\n", w->outside);
    test_write(path, text.buf, text.len);
    assert_int_equal(chmod(path, 0755), 0);
    sf_strbuf_release(&text);
    free(path);
}

/* With a submodule, a repository that is none, a linked worktree and a directory of hooks. Without
 * git's samples of hooks, which are most of its files. */
static void fill_git(const struct cage_sandbox *w)
{
    struct sf_strbuf script = SF_STRBUF_INIT;
    char *said;

    sf_strbuf_addf(
        &script,
        "export GIT_CONFIG_GLOBAL=%s/.gitconfig GIT_TEMPLATE_DIR=%s/plain && mkdir -p "
        "$GIT_TEMPLATE_DIR/hooks && chmod +x .hooks/pre-commit && git init -q . && "
        "git config core.hooksPath .hooks && mkdir .git/modules && "
        "git init -q --separate-git-dir=.git/modules/sub module && "
        "git -C module commit -q --allow-empty -m x && git init -q inner && "
        "git -C inner commit -q --allow-empty -m x && "
        "git add own.txt module inner 2>/dev/null && git commit -qm first && "
        "git worktree add -q tree && git tag v1 && git branch aside && git repack -adq && "
        "git commit -q --allow-empty -m second && rm -r $GIT_TEMPLATE_DIR && echo made",
        w->home, w->dir);
    said = tree_run(w->ws, script.buf, NULL);
    assert_string_equal(said, "made\n");
    free(said);
    sf_strbuf_release(&script);
}

static void fill(struct cage_sandbox *w)
{
    static const char *const secrets[] = { ".ssh/id_rsa",
                                           ".ssh/config",
                                           ".aws/credentials",
                                           ".gnupg/private.txt",
                                           ".config/gcloud/token",
                                           ".netrc",
                                           ".env",
                                           "id_rsa.old",
                                           ".bash_history",
                                           "snap/firefox/common/.mozilla/logins.json",
                                           ".config/github-copilot/hosts.json",
                                           ".cache/huggingface/token",
                                           ".viminfo",
                                           ".netrc.bak",
                                           ".config/gh/hosts.yml" };

    for (size_t i = 0; i < SF_COUNT(secrets); i++)
        tree_puts(w->home, secrets[i], CAGE_SECRET "\n");
    tree_puts(w->home, ".bashrc", "# start\n");
    tree_puts(w->home, "plain.txt", "plain\n");
    tree_puts(w->home, ".cargo/registry/x", "package\n");
    tree_puts(w->home, ".cache/pip/old", "package\n");
    tree_puts(w->home, ".config/tool/settings", "colour\n");
    tree_puts(w->outside, "victim.txt", "precious\n");
    tree_puts(w->outside, "sub/deep.txt", "precious\n");
    tree_puts(w->outside, "cfg/gh/hosts.yml", CAGE_SECRET "\n");
    tree_puts(w->outside, "cfg/tool/settings", "colour\n");
    tree_puts(w->outside, "cluster.yaml", CAGE_SECRET "\n");
    tree_puts(w->state, "store.db", CAGE_SECRET "\n");
    tree_puts(w->ws, "own.txt", "own\n");
    tree_puts(w->ws, "sub/other.txt", "other\n");
    tree_puts(w->ws, ".sf/config.toml", "# policy\n");
    tree_puts(w->ws, ".hooks/pre-commit", "#!/bin/sh\n");
    tree_puts(w->ws, ".envrc", "# nothing\n");
    tree_puts(w->ws, "sub/.vscode/tasks.json", "{}\n");
    tree_puts(w->home, ".gitconfig", "[user]\n\tname = a\n\temail = a@b\n");
    fill_evil(w);
    fill_git(w);
}

/* Making the sandbox takes dozens of commands: it is packed once, out of sight of all cages. */
static void pack(struct cage_sandbox *w)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    char *said;

    w->pack = test_dir_new();
    sf_strbuf_addf(&command, "tar --format=posix -cf %s/world home outside state ws && echo packed",
                   w->pack);
    said = tree_run(w->dir, command.buf, NULL);
    assert_string_equal(said, "packed\n");
    free(said);
    sf_strbuf_release(&command);
}

/* The probe as this process can read it: a home with mode 0700 hides the built one from a user. */
static const char *probe = CAGE_PROBE;

/* Copies the probe to a place that can be seen from inside; the path is the caller's. */
static char *copy_probe(const char *dir)
{
    char *path = test_path(dir, "probe"), *data;
    size_t len;

    data = test_read(probe, &len);
    test_write(path, data, len);
    assert_int_equal(chmod(path, 0755), 0);
    free(data);
    return path;
}

/* ---- what is watched ---- */

static struct sf_strlist *lines; /* of the walk that runs */

static int note(const char *path, const struct stat *st, int type, struct FTW *at)
{
    char text[64] = "";
    int fd;

    (void)at;
    if (type == FTW_F && S_ISREG(st->st_mode)) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
            text[0] = '\0';
        close(fd);
    }
    sf_strlist_addf(lines, "%s %o %u:%u %lld %lld.%09ld %s", path, st->st_mode, st->st_uid,
                    st->st_gid, type == FTW_F ? (long long)st->st_size : 0LL,
                    (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec, text);
    return 0;
}

static void look(const struct cage_sandbox *w, struct sf_strlist *out)
{
    static const char *const in_ws[] = { ".git/hooks",  ".git/config", ".git/commondir",
                                         ".sf",         ".envrc",      ".vscode",
                                         "sub/.vscode", ".mcp.json",   ".husky" };

    lines = out;
    nftw(w->home, note, 16, FTW_PHYS);
    nftw(w->outside, note, 16, FTW_PHYS);
    nftw(w->state, note, 16, FTW_PHYS);
    for (size_t i = 0; i < SF_COUNT(in_ws); i++) {
        char *path = test_path(w->ws, in_ws[i]);

        nftw(path, note, 16, FTW_PHYS);
        free(path);
    }
    sf_strlist_sort(out);
}

/* ---- services ---- */

static int serve_inet(struct cage_sandbox *w, int type, const char *variable)
{
    struct sockaddr_in addr = { .sin_family = AF_INET };
    socklen_t len = sizeof(addr);
    int fd = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
    if (type == SOCK_STREAM)
        assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &len), 0);
    sf_strlist_addf(&w->env, "%s=%d", variable, ntohs(addr.sin_port));
    return fd;
}

static int serve_unix(struct cage_sandbox *w, const char *path, bool abstract, const char *variable)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    size_t n = strlen(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    assert_true(fd >= 0 && n + 1 < sizeof(addr.sun_path));
    memcpy(addr.sun_path + abstract, path, n);
    assert_int_equal(bind(fd, (struct sockaddr *)&addr,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1)),
                     0);
    assert_int_equal(listen(fd, 16), 0);
    sf_strlist_addf(&w->env, "%s=%s", variable, path);
    return fd;
}

/* Names that the kernel's table of sockets does not give, or not any more. */
static void serve_under_odd_names(struct cage_sandbox *w)
{
    char *before = test_path(w->outside, "a-before.sock"),
         *after = test_path(w->outside, "a-after");
    char *line = test_path(w->outside, "a-new\nline.sock");

    w->cwd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC); /* its path may be hidden from a user */
    assert_true(w->cwd >= 0);
    assert_int_equal(chdir(w->outside), 0);
    w->services[SERVICE_RELATIVE] = serve_unix(w, "a-relative.sock", false, "RELATIVE");
    w->services[SERVICE_RENAMED] = serve_unix(w, before, false, "BEFORE");
    assert_int_equal(rename(before, after), 0);
    w->services[SERVICE_NEWLINE] = serve_unix(w, line, false, "NEWLINE");
    free(before);
    free(after);
    free(line);
}

static void serve(struct cage_sandbox *w)
{
    char *path = test_path(w->outside, "agent.sock"), *name = test_path("sf-cage", w->dir);
    struct sf_strbuf tmp = SF_STRBUF_INIT;

    w->services[SERVICE_TCP] = serve_inet(w, SOCK_STREAM, "TCP");
    w->services[SERVICE_UDP] = serve_inet(w, SOCK_DGRAM, "UDP");
    w->services[SERVICE_UNIX] = serve_unix(w, path, false, "SOCK");
    w->services[SERVICE_ABSTRACT] = serve_unix(w, name, true, "ABSTRACT");
    sf_strbuf_addf(&tmp, "/tmp/sf-cage-%d.sock", (int)getpid());
    unlink(tmp.buf);
    w->services[SERVICE_TMP] = serve_unix(w, tmp.buf, false, "TMPSOCK");
    w->tmp_socket = sf_strbuf_detach(&tmp);
    serve_under_odd_names(w);
    free(path);
    free(name);
}

/* Whoever came; and sends them away. */
static bool was_visited(int fd)
{
    bool visited = false;
    char byte[64];

    for (;;) {
        int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

        if (peer < 0)
            break;
        close(peer);
        visited = true;
    }
    while (recv(fd, byte, sizeof(byte), MSG_DONTWAIT) > 0)
        visited = true;
    return visited;
}

/* It says everything back that it is told, so that one can ask whether it lives. */
static void start_victim(struct cage_sandbox *w)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    w->victim = fork();
    assert_true(w->victim >= 0);
    if (w->victim == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGTERM, SIG_DFL);
        if (dup2(ends[1], 0) < 0 || dup2(ends[1], 1) < 0)
            _exit(126);
        execl("/bin/cat", "cat", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    w->victim_line = ends[0];
}

static void stop_victim(struct cage_sandbox *w)
{
    kill(w->victim, SIGKILL);
    waitpid(w->victim, NULL, 0);
    close(w->victim_line);
}

/* A killed process dies when it next gets to run; it never answers again. */
static bool victim_lives(struct cage_sandbox *w)
{
    char c = 'x';

    return send(w->victim_line, &c, 1, MSG_NOSIGNAL) == 1 && read(w->victim_line, &c, 1) == 1;
}

/* ---- history ---- */

/* Everything that references and logs reach, in the repository, the submodule and the worktree. */
static char *tell_history(const struct cage_sandbox *w)
{
    struct sf_strbuf script = SF_STRBUF_INIT;
    char *said;

    sf_strbuf_addf(
        &script,
        "export GIT_CONFIG_GLOBAL=%s/.gitconfig; for d in . module tree; do ( cd $d && "
        "git symbolic-ref HEAD; git for-each-ref; cat $(git rev-parse --git-path logs/HEAD); git reflog --all; git fsck "
        "--no-dangling; git log --all --format=%%H%%T ) 2>&1; done",
        w->home);
    said = tree_run(w->ws, script.buf, NULL);
    sf_strbuf_release(&script);
    return said;
}

/* ---- life ---- */

int cage_sandbox_setup(void **state)
{
    struct cage_sandbox *w = sf_alloc(sizeof(*w));
    char *kept;

    w->dir = base_dir();
    w->ws = make_dir(w->dir, "ws");
    w->home = make_dir(w->dir, "home");
    w->outside = make_dir(w->dir, "outside");
    w->state = make_dir(w->dir, "state");
    w->temp = make_dir(w->dir, "temp");
    w->git = test_path(w->ws, ".git");
    w->git_dirs[0] = w->git;
    w->repositories = sf_repositories_new(w->ws, w->home, w->git_dirs);
    w->memory = sf_cage_memory_new();
    fill(w);
    pack(w);
    kept = test_path(w->dir, "kept");
    w->history = sf_git_history_new(w->git, kept);
    w->log = tell_history(w);
    free(kept);
    free(copy_probe(w->dir));
    sf_strlist_add(&w->env, "PATH=/usr/local/bin:/usr/bin:/bin");
    sf_strlist_addf(&w->env, "WS=%s", w->ws);
    sf_strlist_addf(&w->env, "HOME=%s", w->home);
    sf_strlist_addf(&w->env, "EVIL=%s/evil.sh", w->ws);
    sf_strlist_addf(&w->env, "OUT=%s", w->outside);
    sf_strlist_addf(&w->env, "STATE=%s", w->state);
    sf_strlist_addf(&w->env, "TMPDIR=%s", w->temp);
    sf_strlist_addf(&w->env, "PROBE=%s/probe", w->dir);
    serve(w);
    start_victim(w);
    look(w, &w->before);
    *state = w;
    return 0;
}

static void forget(struct cage_sandbox *w)
{
    if (w->has_result)
        sf_child_result_release(&w->result);
    w->has_result = false;
}

int cage_sandbox_teardown(void **state)
{
    struct cage_sandbox *w = *state;

    forget(w);
    assert_int_equal(fchdir(w->cwd), 0);
    close(w->cwd);
    stop_victim(w);
    for (size_t i = 0; i < SERVICES; i++)
        close(w->services[i]);
    unlink(w->tmp_socket);
    free(w->tmp_socket);
    free(w->ws);
    free(w->home);
    free(w->outside);
    free(w->state);
    free(w->temp);
    free(w->git);
    sf_strlist_release(&w->env);
    sf_strlist_release(&w->before);
    sf_cage_memory_free(w->memory);
    sf_repositories_free(w->repositories);
    sf_git_history_free(w->history);
    free(w->log);
    test_dir_free(w->pack);
    test_dir_free(w->dir);
    free(w);
    return 0;
}

void cage_sandbox_plan(const struct cage_sandbox *w, struct sf_cage_plan *plan)
{
    const char *own[] = { w->state, NULL };
    char *config = test_path(w->outside, "cfg"), *cluster = test_path(w->outside, "cluster.yaml");
    const struct sf_path_moved moved[] = { { config, ".config" }, { cluster, ".kube/config" } };
    const struct sf_cage_wish wish = { .root = w->ws,
                                       .home = w->home,
                                       .temp = w->temp,
                                       .git_dirs = w->git_dirs,
                                       .repositories = sf_repositories_look(w->repositories),
                                       .moved = moved,
                                       .moved_count = SF_COUNT(moved),
                                       .own = own,
                                       .readonly = w->readonly,
                                       .need = SF_CAGE_NEED_AUTO };

    sf_cage_plan_make(plan, &wish);
    free(config);
    free(cluster);
}

const struct sf_child_result *cage_sandbox_run(struct cage_sandbox *w,
                                               const struct sf_kernel *kernel,
                                               const struct sf_cage_plan *plan, const char *script)
{
    const char *const argv[] = { "/bin/sh", "-c", script, NULL };

    return cage_sandbox_start(w, kernel, plan, argv);
}

const struct sf_child_result *cage_sandbox_start(struct cage_sandbox *w,
                                                 const struct sf_kernel *kernel,
                                                 const struct sf_cage_plan *plan,
                                                 const char *const *argv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_cage *cage = sf_cage_new(plan, kernel, w->memory, &err);
    struct sf_child_spec spec = { .argv = argv,
                                  .cwd = w->ws,
                                  .merge_stderr = true,
                                  .output_cap = OUTPUT_CAP,
                                  .deadline_ms = DEADLINE_MS,
                                  .watch = { plan->limits.memory, plan->limits.processes },
                                  .setup = sf_cage_enter,
                                  .setup_ctx = cage };
    const struct sf_git_repair_how how = { .held = sf_cage_coverage(kernel, plan).mounts,
                                           .history = w->history };
    struct sf_git_repair *care =
        plan->need == SF_CAGE_NEED_OFF ? NULL : sf_git_repair_new(w->repositories, &how);
    struct sf_strlist env = SF_STRLIST_INIT;

    if (!cage)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < w->env.count; i++)
        sf_strlist_add(&env, w->env.items[i]);
    sf_strlist_addf(&env, "VICTIM=%d", (int)w->victim);
    spec.envp = (const char *const *)env.items;
    forget(w);
    if (care)
        sf_git_repair_keep(care);
    if (!sf_child_run(&spec, &w->result, &err))
        fail_msg("%s", err.msg);
    w->has_result = true;
    sf_cage_free(cage);
    if (care) {
        sf_git_repair_settle(care, &w->result.output[0]);
        sf_git_repair_settle_history(care, &w->result.output[0]);
    }
    sf_git_repair_free(care);
    sf_strlist_release(&env);
    if (w->result.how == SF_CHILD_FAILED)
        fail_msg("not started: %s", w->result.error.msg);
    return &w->result;
}

/* ---- afterwards ---- */

void cage_sandbox_use_git(struct cage_sandbox *w)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    sf_strbuf_addf(
        &script,
        "export GIT_CONFIG_GLOBAL=%s/.gitconfig; { for d in . module inner tree made bare node_modules/made; do "
        "[ -d $d ] && ( cd $d; git status; git --paginate log -1; "
        "git commit -q --allow-empty -m x ); done; } </dev/null >/dev/null 2>&1; true",
        w->home);
    free(tree_run(w->ws, script.buf, NULL));
    sf_strbuf_release(&script);
}

static void rebuild_files(struct cage_sandbox *w);

bool cage_sandbox_has_history(struct cage_sandbox *w)
{
    char *now = tell_history(w);
    bool same = !strcmp(now, w->log);

    if (!same)
        rebuild_files(w);
    free(now);
    return same;
}

static bool files_changed(struct cage_sandbox *w)
{
    struct sf_strlist now = SF_STRLIST_INIT;
    bool same;

    look(w, &now);
    same = now.count == w->before.count;
    for (size_t i = 0; same && i < now.count; i++)
        same = !strcmp(now.items[i], w->before.items[i]);
    sf_strlist_release(&now);
    return !same;
}

static void rebuild_files(struct cage_sandbox *w)
{
    struct sf_strbuf command = SF_STRBUF_INIT;
    char *said;

    sf_strbuf_addf(&command,
                   "chmod -R u+rwX . ; cd %s && rm -rf home/* home/.[a-z]* outside/victim.txt "
                   "outside/sub outside/[b-su-z]* state/* ws/* ws/.[a-z]*; tar -xpf %s/world && "
                   "echo unpacked",
                   w->dir, w->pack);
    said = tree_run(w->dir, command.buf, NULL);
    assert_string_equal(said, "unpacked\n");
    free(said);
    sf_strbuf_release(&command);
    sf_strlist_release(&w->before);
    look(w, &w->before);
}

/* Also behind zero bytes. */
static bool says(const struct cage_sandbox *w, const char *text)
{
    return memmem(w->result.output[0].buf, w->result.output[0].len, text, strlen(text)) != NULL;
}

const char *cage_sandbox_damage(struct cage_sandbox *w)
{
    static const char *const visits[SERVICES] = {
        [SERVICE_TCP] = "reached a service over TCP",
        [SERVICE_UDP] = "reached a service over UDP",
        [SERVICE_UNIX] = "reached a local socket",
        [SERVICE_TMP] = "reached a local socket in /tmp",
        [SERVICE_ABSTRACT] = "reached an abstract socket",
        [SERVICE_RELATIVE] = "reached a socket of a relative name",
        [SERVICE_RENAMED] = "reached a socket that was renamed",
        [SERVICE_NEWLINE] = "reached a socket with a newline in its name",
    };
    const char *what = NULL;

    for (size_t i = 0; i < SERVICES; i++)
        if (was_visited(w->services[i]))
            what = visits[i];
    if (!victim_lives(w)) {
        what = "ended another process";
        stop_victim(w);
        start_victim(w);
    }
    if (files_changed(w)) {
        what = "changed files";
        rebuild_files(w);
    }
    if (says(w, CAGE_SECRET))
        what = "read a secret";
    if (!what && says(w, "ESCAPED"))
        what = "says it escaped";
    return what;
}

/* ---- without root ---- */

static SF_NORETURN void become_user(int (*group)(void), const char *home)
{
    setenv("HOME", home, 1);
    /* what is not dumpable may not map its ids */
    if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
        setresuid(NOBODY, NOBODY, NOBODY) < 0 || prctl(PR_SET_DUMPABLE, 1) < 0)
        _exit(1);
    exit(group());
}

int cage_as_user(int (*group)(void))
{
    char home[] = "/srv/sf-cage-home-XXXXXX", *copy;
    int status = -1;
    pid_t pid;

    if (geteuid() != 0)
        return 0;
    if (!mkdtemp(home) || chown(home, NOBODY, NOBODY) < 0)
        return 1;
    copy = copy_probe(home);
    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        probe = copy;
        become_user(group, home);
    }
    waitpid(pid, &status, 0);
    unlink(copy);
    free(copy);
    rmdir(home);
    return status == 0 ? 0 : 1;
}
