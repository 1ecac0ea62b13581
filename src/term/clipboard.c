/*
 * clipboard.c: the desktop's programs, and OSC 52. The text reaches a program as an open file, not
 * through a pipe: nothing has to be fed, and a program that hangs costs a bounded wait.
 */
#include "term/clipboard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/io.h"

enum {
    WAIT_MS = 500,
    BASE64_MAX = 100 * 1000, /* what common terminals take in one sequence */
    TEXT_MAX = 16 * 1024 * 1024,
};

static const struct {
    const char *needs; /* the variable that says the desktop is there */
    const char *argv[5];
} programs[] = {
    { "WAYLAND_DISPLAY", { "wl-copy", NULL } },
    { "DISPLAY", { "xclip", "-selection", "clipboard", "-in", NULL } },
    { "DISPLAY", { "xsel", "--clipboard", "--input", NULL } },
};

static const char *const passed[] = {
    "PATH", "HOME", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XAUTHORITY", "DISPLAY", "LANG", "LC_ALL"
};

/* The workspace must not bring its own xclip. */
static char *find_program(const char *name)
{
    const char *given = sf_env_get("PATH");
    char *path = sf_env_path(given ? given : "", NULL), *file = NULL;

    for (const char *at = path; *at && !file;) {
        size_t len = strcspn(at, ":");
        char *dir = sf_strndup(at, len);

        file = sf_path_join(dir, name);
        free(dir);
        if (access(file, X_OK) < 0) {
            free(file);
            file = NULL;
        }
        at += len + (at[len] == ':');
    }
    free(path);
    return file;
}

static int text_file(const char *text, size_t len)
{
    int fd = memfd_create("sf-copy", MFD_CLOEXEC);

    if (fd >= 0 && (!sf_fd_write_all(fd, text, len) || lseek(fd, 0, SEEK_SET) < 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

static pid_t start(const char *file, const char *const *argv, int input)
{
    struct sf_strlist env = SF_STRLIST_INIT;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none, all;
    pid_t pid = -1;

    for (size_t i = 0; i < SF_COUNT(passed); i++)
        if (sf_env_get(passed[i]))
            sf_strlist_addf(&env, "%s=%s", passed[i], sf_env_get(passed[i]));
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, file, &actions, &attr, (char *const *)(uintptr_t)argv, env.items) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attr);
    sf_strlist_release(&env);
    return pid;
}

/* The program leaves a copy of itself behind and ends: well, when it has the text. */
static bool ended_well(pid_t pid)
{
    int fd = pidfd_open(pid, 0), status = -1;
    struct pollfd end = { .fd = fd, .events = POLLIN };
    int64_t deadline = sf_clock_monotonic_ms() + WAIT_MS, left = WAIT_MS;

    while (fd >= 0 && left > 0 && poll(&end, 1, (int)left) < 0 && errno == EINTR)
        left = deadline - sf_clock_monotonic_ms();
    if (fd < 0 || !end.revents)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (fd >= 0)
        close(fd);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool sf_clipboard_program(const char *text, size_t len)
{
    bool taken = false;

    if (len > TEXT_MAX)
        return false;
    for (size_t i = 0; i < SF_COUNT(programs) && !taken; i++) {
        char *file = sf_env_get(programs[i].needs) ? find_program(programs[i].argv[0]) : NULL;
        int input = file ? text_file(text, len) : -1;
        pid_t pid = input >= 0 ? start(file, programs[i].argv, input) : -1;

        taken = pid > 0 && ended_well(pid);
        if (input >= 0)
            close(input);
        free(file);
    }
    return taken;
}

static void add_base64(struct sf_strbuf *out, const char *text, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < len; i += 3) {
        uint32_t bits = 0;

        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < len ? (unsigned char)text[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            sf_strbuf_add(out, i + k > len ? "=" : digits + (bits >> (18 - 6 * k) & 63), 1);
    }
}

bool sf_clipboard_add_sequence(struct sf_strbuf *out, const char *text, size_t len)
{
    if (len > (size_t)BASE64_MAX / 4 * 3)
        return false;
    sf_strbuf_adds(out, "\033]52;c;");
    add_base64(out, text, len);
    sf_strbuf_adds(out, "\033\\");
    return true;
}
