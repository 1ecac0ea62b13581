/*
 * vt.c: a pty with a program on one side and libvterm on the other. The test holds the pty's slave
 * open too: so it can see what was not read yet, and the tty's flags after the program is gone.
 */
#include "support/vt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <vterm.h>

#include "io/io.h"
#include "support/test.h"
#include "support/vt_scan.h"

enum { LOOK_MS = 2, AGAIN_MS = 10, STILL_MS = 100, CHUNK = 64 * 1024, LAST_MAX = 4096 };

struct vt {
    int rows, cols;
    int master, slave, end; /* `end`: readable when the program ended; -1: no program */
    pid_t pid;
    bool exited;
    int status;
    VTerm *term;
    VTermScreen *screen;
    VTermState *state;
    struct vt_scan scan;
    struct vt_talents talents;
    struct sf_strbuf output, taken;
};

/* ---- the emulator ---- */

/* Its answers go back to the program, but for what this terminal knows better. */
static void on_answer(const char *bytes, size_t len, void *ctx)
{
    struct vt *vt = ctx;

    if (vt->talents.sync && len > 8 && !memcmp(bytes, "\033[?2026;", 8))
        return;
    if (vt->master >= 0)
        vt_send(vt, bytes, len);
}

static void on_question(void *ctx, enum vt_question question)
{
    struct vt *vt = ctx;
    char text[200] = "";

    if (question == VT_ASKS_KITTY && vt->talents.kitty)
        snprintf(text, sizeof(text), "\033[?%du", vt->scan.kitty[vt->scan.modes.alternate] > 0);
    else if (question == VT_ASKS_VERSION && vt->talents.version)
        snprintf(text, sizeof(text), "\033P>|%.150s\033\\", vt->talents.version);
    else if (question == VT_ASKS_SYNC && vt->talents.sync)
        snprintf(text, sizeof(text), "\033[?2026;2$y");
    if (*text && vt->master >= 0)
        vt_send(vt, text, strlen(text));
}

void vt_set_talents(struct vt *vt, struct vt_talents talents)
{
    vt->talents = talents;
}

void vt_feed(struct vt *vt, const char *bytes, size_t len)
{
    sf_strbuf_add(&vt->output, bytes, len);
    vt_scan(&vt->scan, bytes, len);
    vterm_input_write(vt->term, bytes, len);
}

struct vt *vt_new(int rows, int cols)
{
    struct vt *vt = sf_alloc(sizeof(*vt));

    *vt = (struct vt){ .rows = rows, .cols = cols, .master = -1, .slave = -1, .end = -1 };
    vt->talents.sync = true;
    sf_strbuf_init(&vt->output);
    sf_strbuf_init(&vt->taken);
    vt->scan.modes.cursor = true;
    vt->scan.asked = on_question;
    vt->scan.ctx = vt;
    vt->term = vterm_new(rows, cols);
    vterm_set_utf8(vt->term, 1);
    vterm_output_set_callback(vt->term, on_answer, vt);
    vt->screen = vterm_obtain_screen(vt->term);
    vt->state = vterm_obtain_state(vt->term);
    vterm_screen_enable_altscreen(vt->screen, 1);
    vterm_screen_reset(vt->screen, 1);
    return vt;
}

/* ---- the program ---- */

static void run_program(const char *const *argv, const char *const *env, const char *dir)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!dir || chdir(dir) == 0)
        execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
    _exit(127);
}

struct vt *vt_open(const char *const *argv, const char *const *env, const char *dir, int rows,
                   int cols)
{
    struct vt *vt = vt_new(rows, cols);
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

    assert_int_equal(openpty(&vt->master, &vt->slave, NULL, NULL, &size), 0);
    fcntl(vt->master, F_SETFD, FD_CLOEXEC);
    fcntl(vt->slave, F_SETFD, FD_CLOEXEC);
    fcntl(vt->master, F_SETFL, O_NONBLOCK);
    vt->pid = fork();
    assert_true(vt->pid >= 0);
    if (!vt->pid) {
        if (login_tty(vt->slave) == 0)
            run_program(argv, env, dir);
        _exit(127);
    }
    vt->end = pidfd_open(vt->pid, 0);
    assert_true(vt->end >= 0);
    return vt;
}

void vt_close(struct vt *vt)
{
    if (!vt)
        return;
    if (vt->pid > 0 && !vt->exited) {
        kill(vt->pid, SIGKILL);
        kill(vt->pid, SIGCONT);
        waitpid(vt->pid, NULL, 0);
    }
    for (size_t i = 0; i < 3; i++) {
        int fd = (int[]){ vt->master, vt->slave, vt->end }[i];

        if (fd >= 0)
            close(fd);
    }
    vterm_free(vt->term);
    sf_strbuf_release(&vt->output);
    sf_strbuf_release(&vt->taken);
    free(vt);
}

/* All that is there now, and what comes within the time; true when anything did. */
static bool pump(struct vt *vt, int wait_ms)
{
    struct pollfd fds[] = { { .fd = vt->master, .events = POLLIN },
                            { .fd = vt->exited ? -1 : vt->end, .events = POLLIN } };
    char bytes[CHUNK];
    bool any = false;
    ssize_t n;

    if (poll(fds, 2, wait_ms) <= 0)
        return false;
    while ((n = read(vt->master, bytes, sizeof(bytes))) > 0) {
        vt_feed(vt, bytes, (size_t)n);
        any = true;
    }
    if (fds[1].revents && !vt->exited && waitpid(vt->pid, &vt->status, WNOHANG) == vt->pid)
        vt->exited = true;
    return any;
}

bool vt_look(struct vt *vt, int wait_ms)
{
    return pump(vt, wait_ms);
}

/* A program that reads slowly must be able to write meanwhile. */
void vt_send(struct vt *vt, const void *bytes, size_t len)
{
    const char *at = bytes;
    int64_t deadline = sf_clock_monotonic_ms() + VT_PATIENCE_MS;

    while (len) {
        ssize_t n = write(vt->master, at, len);

        if (n > 0) {
            at += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN && sf_clock_monotonic_ms() < deadline) {
            pump(vt, LOOK_MS);
        } else if (errno != EINTR) {
            fail_msg("the program does not read what is typed");
        }
    }
}

void vt_type(struct vt *vt, const char *keys)
{
    vt_send(vt, keys, strlen(keys));
}

void vt_resize(struct vt *vt, int rows, int cols)
{
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

    vt->rows = rows;
    vt->cols = cols;
    vt->scan.modes.bottom = 0;
    vterm_set_size(vt->term, rows, cols > 1 ? cols : 2); /* a wide character must fit in */
    if (vt->master >= 0)
        assert_int_equal(ioctl(vt->master, TIOCSWINSZ, &size), 0);
}

void vt_hang_up(struct vt *vt)
{
    close(vt->master);
    close(vt->slave);
    vt->master = vt->slave = -1;
}

void vt_signal(struct vt *vt, int signo)
{
    assert_int_equal(kill(vt->pid, signo), 0);
}

pid_t vt_pid(const struct vt *vt)
{
    return vt->pid;
}

/* ---- waiting ---- */

/* How the program ended tells a crash, a refusal and a kill by somebody else apart. */
static void add_end(struct vt *vt, struct sf_strbuf *out)
{
    if (!vt->exited)
        return;
    if (WIFSIGNALED(vt->status))
        sf_strbuf_addf(out, " (the program was ended by signal %d, %s)", WTERMSIG(vt->status),
                       strsignal(WTERMSIG(vt->status)));
    else
        sf_strbuf_addf(out, " (the program ended with code %d)", WEXITSTATUS(vt->status));
}

SF_NORETURN static void give_up(struct vt *vt, const char *what)
{
    struct sf_strbuf dump = SF_STRBUF_INIT, end = SF_STRBUF_INIT;

    vt_dump(vt, &dump);
    add_end(vt, &end);
    fprintf(stderr, "the screen, in vain waited on for %s%s:\n%s", what, end.buf, dump.buf);
    if (vt->exited) /* The last screen is gone where the program gave the terminal back. */
        fprintf(stderr, "the last that was written:\n%s\n",
                vt->output.buf + (vt->output.len > LAST_MAX ? vt->output.len - LAST_MAX : 0));
    sf_strbuf_release(&end);
    sf_strbuf_release(&dump);
    fail_msg("waited in vain for %s", what);
    abort();
}

static void wait_for(struct vt *vt, vt_test_fn *test, const void *ctx, const char *what, int every)
{
    int64_t deadline = sf_clock_monotonic_ms() + VT_PATIENCE_MS, left = VT_PATIENCE_MS;

    for (;;) {
        while (pump(vt, 0))
            continue;
        if ((!vt->scan.modes.sync || vt->exited) && test(vt, ctx))
            return;
        if (vt->exited || left <= 0)
            give_up(vt, what);
        pump(vt, left < every ? (int)left : every);
        left = deadline - sf_clock_monotonic_ms();
    }
}

void vt_wait(struct vt *vt, vt_test_fn *test, const void *ctx, const char *what)
{
    wait_for(vt, test, ctx, what, VT_PATIENCE_MS);
}

void vt_wait_until(struct vt *vt, vt_test_fn *test, const void *ctx, const char *what)
{
    wait_for(vt, test, ctx, what, AGAIN_MS);
}

static bool has_text(struct vt *vt, const void *needle)
{
    char *text = vt_text(vt);
    bool found = strstr(text, needle) != NULL;

    free(text);
    return found;
}

static bool has_no_text(struct vt *vt, const void *needle)
{
    return !has_text(vt, needle);
}

void vt_wait_text(struct vt *vt, const char *needle)
{
    vt_wait(vt, has_text, needle, needle);
}

void vt_wait_no_text(struct vt *vt, const char *needle)
{
    vt_wait(vt, has_no_text, needle, needle);
}

static bool has_exited(struct vt *vt, const void *ctx)
{
    (void)ctx;
    return vt->exited;
}

int vt_wait_exit(struct vt *vt)
{
    vt_wait(vt, has_exited, NULL, "the program's end");
    while (pump(vt, 0))
        continue;
    return vt->status;
}

static bool read_proc(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Adds how often the thread was put to sleep or off the processor; false when it is awake. */
static bool thread_sleeps(pid_t pid, const char *tid, uint64_t *switches)
{
    static const char *const counts[] = { "\nvoluntary_ctxt_switches:",
                                          "\nnonvoluntary_ctxt_switches:" };
    char path[400], text[4096];
    const char *at;

    snprintf(path, sizeof(path), "/proc/%d/task/%s/status", (int)pid, tid);
    if (!read_proc(path, text, sizeof(text)))
        return true; /* ended meanwhile */
    for (size_t i = 0; i < SF_COUNT(counts); i++)
        if ((at = strstr(text, counts[i])))
            *switches += strtoull(at + strlen(counts[i]), NULL, 10);
    at = strstr(text, "\nState:\t");
    return at && at[8] == 'S';
}

static bool all_sleep(pid_t pid, uint64_t *switches)
{
    char path[64];
    DIR *tasks;
    const struct dirent *entry;
    bool asleep = true;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks && (entry = readdir(tasks)))
        if (entry->d_name[0] != '.')
            asleep = thread_sleeps(pid, entry->d_name, switches) && asleep;
    if (tasks)
        closedir(tasks);
    return tasks && asleep;
}

uint64_t vt_switches(const struct vt *vt)
{
    uint64_t switches = 0;

    all_sleep(vt->pid, &switches);
    return switches;
}

void vt_pump(struct vt *vt, int wait_ms)
{
    int64_t deadline = sf_clock_monotonic_ms() + wait_ms, left = wait_ms;

    do
        pump(vt, (int)left);
    while ((left = deadline - sf_clock_monotonic_ms()) > 0 && !vt->exited);
}

/* What was typed may still be on its way through the kernel; polling the reading end waits for it. */
static void deliver(struct vt *vt)
{
    struct pollfd end = { .fd = vt->slave, .events = POLLIN };

    poll(&end, 1, 0);
}

void vt_wait_quiet(struct vt *vt)
{
    int64_t deadline = sf_clock_monotonic_ms() + VT_PATIENCE_MS;
    uint64_t before = 0;

    while (!vt->exited) {
        uint64_t switches = 0;
        int unread = 0;
        bool wrote = pump(vt, LOOK_MS), asleep;

        deliver(vt);
        asleep = all_sleep(vt->pid, &switches);

        if (!wrote && asleep && switches == before && ioctl(vt->slave, FIONREAD, &unread) == 0 &&
            !unread && !pump(vt, 0))
            return;
        before = asleep && !wrote ? switches : 0;
        if (sf_clock_monotonic_ms() > deadline)
            give_up(vt, "the program to be quiet");
    }
}

void vt_wait_still(struct vt *vt)
{
    uint64_t before, after;
    bool wrote;

    do {
        vt_wait_quiet(vt);
        before = vt_switches(vt);
        wrote = vt_look(vt, STILL_MS);
        after = 0;
    } while (!vt->exited && (!all_sleep(vt->pid, &after) || after != before || wrote));
}

/* ---- what is seen ---- */

static int32_t colour_of(const VTermColor *colour, bool is_default)
{
    if (is_default)
        return VT_DEFAULT;
    if (VTERM_COLOR_IS_INDEXED(colour))
        return VT_INDEX(colour->indexed.idx);
    return colour->rgb.red << 16 | colour->rgb.green << 8 | colour->rgb.blue;
}

struct vt_cell vt_cell(struct vt *vt, int row, int col)
{
    VTermScreenCell cell = { .width = 0 };
    struct vt_cell seen = { .fg = VT_DEFAULT, .bg = VT_DEFAULT };
    size_t len = 0;

    vterm_screen_get_cell(vt->screen, (VTermPos){ .row = row, .col = col }, &cell);
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
        if (cell.chars[i] != UINT32_MAX && len + 4 < sizeof(seen.text))
            len += sf_utf8_encode(cell.chars[i], seen.text + len);
    seen.text[len] = '\0';
    seen.fg = colour_of(&cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
    seen.bg = colour_of(&cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
    seen.attrs = (cell.attrs.bold ? VT_BOLD : 0u) | (cell.attrs.italic ? VT_ITALIC : 0u) |
                 (cell.attrs.underline ? VT_UNDERLINE : 0u) |
                 (cell.attrs.reverse ? VT_REVERSE : 0u);
    return seen;
}

static bool is_right_half(struct vt *vt, int row, int col)
{
    VTermScreenCell cell;

    return col > 0 &&
           vterm_screen_get_cell(vt->screen, (VTermPos){ .row = row, .col = col - 1 }, &cell) &&
           cell.width == 2;
}

static void add_row(struct vt *vt, int row, struct sf_strbuf *out)
{
    size_t end = out->len;

    for (int col = 0; col < vt->cols; col++) {
        struct vt_cell cell = vt_cell(vt, row, col);

        if (is_right_half(vt, row, col))
            continue;
        sf_strbuf_adds(out, *cell.text ? cell.text : " ");
        if (*cell.text && strcmp(cell.text, " ") != 0)
            end = out->len;
    }
    sf_strbuf_truncate(out, end);
}

char *vt_row(struct vt *vt, int row)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    add_row(vt, row, &out);
    return sf_strbuf_detach(&out);
}

char *vt_text(struct vt *vt)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    for (int row = 0; row < vt->rows; row++) {
        add_row(vt, row, &out);
        sf_strbuf_addch(&out, '\n');
    }
    return sf_strbuf_detach(&out);
}

void vt_size(const struct vt *vt, int *rows, int *cols)
{
    *rows = vt->rows;
    *cols = vt->cols;
}

void vt_cursor(struct vt *vt, int *row, int *col)
{
    VTermPos at;

    vterm_state_get_cursorpos(vt->state, &at);
    *row = at.row;
    *col = at.col;
}

const struct vt_modes *vt_modes(const struct vt *vt)
{
    return &vt->scan.modes;
}

bool vt_is_cooked(const struct vt *vt)
{
    const tcflag_t wanted = ECHO | ICANON | ISIG | IEXTEN;
    struct termios flags;

    assert_int_equal(tcgetattr(vt->slave, &flags), 0);
    return (flags.c_lflag & wanted) == wanted && flags.c_oflag & OPOST && flags.c_iflag & ICRNL;
}

const struct sf_strbuf *vt_take(struct vt *vt)
{
    struct sf_strbuf swap = vt->taken;

    vt->taken = vt->output;
    vt->output = swap;
    sf_strbuf_reset(&vt->output);
    return &vt->taken;
}
