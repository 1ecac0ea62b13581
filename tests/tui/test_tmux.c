/*
 * The keys that matter, through a real tmux: its client runs on the pty, so each key is read by
 * tmux and handed on as it sees fit. With extended keys and without, sf does the same for every
 * key that is shown to the user.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "support/pty_case.h"
#include "support/test.h"

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

enum { TRIES = 300, REST_MS = 100 }; /* for the pane to be as it should */

static char server[64]; /* the name of tmux's socket: one per test program */

static int setup(void **state)
{
    struct pty_case *s;

    pty_case_setup(state);
    s = *state;
    snprintf(server, sizeof(server), "sf-test-%d", (int)getpid());
    sandbox_setenv(s->sandbox, "TMUX_TMPDIR", s->sandbox->dir);
    return 0;
}

static void stop_server(struct pty_case *s)
{
    struct outcome o;
    char words[128];

    snprintf(words, sizeof(words), "-L %s kill-server", server);
    o = sandbox_run_program(s->sandbox, "/usr/bin/tmux", words);
    outcome_release(&o);
}

static int teardown(void **state)
{
    stop_server(*state);
    return pty_case_teardown(state);
}

static void begin(struct pty_case *s, const char *settings, const char *option)
{
    char *path = test_path(s->sandbox->dir, "tmux.conf");
    const char *const argv[] = { "/usr/bin/tmux", "-L",       server, "-f", path,
                                 "new-session",   SF_PROGRAM, option, NULL };

    test_write(path, settings, strlen(settings));
    pty_case_run(s, argv);
    vt_wait_text(s->vt, "F1 help");
    free(path);
}

#define COMMON   "set -g status off\nset -s escape-time 20\nset -g default-terminal tmux-256color\n"
#define EXTENDED COMMON "set -s extended-keys on\nset -as terminal-features 'xterm*:extkeys'\n"

struct step {
    const char *name, *keys, *then; /* what is on the screen afterwards */
};

/* tmux draws in pieces: this comes with the last, over the words that the next step waits for. */
#define WHOLE                        \
    {                                \
        "all of it", "", "Esc close" \
    }

static const struct step core[] = {
    { "leader m", "\030m", "plan | manual | normal | smart" },
    { "leader a", "\030a", "plan | autonomous | normal | smart" },
    { "leader s", "\030s", "plan | assisted | normal | smart" },
    { "leader i", "\030i", "plan | manual | normal | smart" },
    { "leader r", "\030r", "repair | manual | normal | smart" },
    { "leader p", "\030p", "repair | manual | trusted | smart" },
    { "Alt+m", "\033m", "research | manual | trusted | smart" },
    { "Alt+a", "\033a", "research | autonomous | trusted | smart" },
    { "Alt+s", "\033s", "research | assisted | trusted | smart" },
    { "Alt+i", "\033i", "research | manual | trusted | smart" },
    { "Alt+r", "\033r", "repair | manual | trusted | smart" },
    { "Shift+Tab", "\033[Z", "repair | manual | trusted | deep" },
    { "a new line by Ctrl+J", "one\ntwo", "two" },
    { "a new line by Alt+Enter", "\033\rthree", "three" },
    { "Ctrl+C clears", "\003", "cleared" },
    { "Ctrl+_ brings it back", "\037", "› one" },
    { "Esc clears", "\033", "cleared" },
    { "F1", "\033OP", "Esc close" },
    { "Esc closes", "\033", "F1 help" },
    { "Ctrl+K", "\013", "type to narrow" },
    WHOLE,
    { "Esc closes", "\033", "F1 help" },
    { "Enter sends", "list\r", "Listed" },
    { "Ctrl+R", "\022", "Sent before" },
    WHOLE,
    { "Esc closes", "\033", "F1 help" },
    { "Tab completes", "/stat\t", "› /status" },
    { "Ctrl+C clears", "\003", "cleared" },
    { "Tab cycles presets", "\t", "plan | manual | restricted" },
    { "a paste", "\033[200~pasted\nlines\033[201~", "lines" },
    { "Ctrl+C clears", "\003", "cleared" },
};

static const struct step extended[] = {
    { "Ctrl+Shift+A", "\033[27;6;65~", "plan | autonomous | restricted" },
    { "Ctrl+Shift+S", "\033[27;6;83~", "plan | assisted | restricted" },
    { "Ctrl+Shift+P", "\033[27;6;80~", "plan | assisted | normal" },
    { "Ctrl+Shift+R", "\033[27;6;82~", "repair | assisted | normal" },
    /* tmux makes Shift+Enter of Ctrl+Shift+M: the harmless reading is a new line */
    { "Shift+Enter", "first\033[27;2;13~second", "second" },
    { "Ctrl+C clears", "\003", "cleared" },
};

static void walk(struct pty_case *s, const struct step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        print_message("  %s\n", steps[i].name);
        vt_type(s->vt, steps[i].keys);
        vt_wait_text(s->vt, steps[i].then);
    }
}

static void quit(struct pty_case *s)
{
    pty_case_type(s, "\003", "again quits");
    vt_type(s->vt, "\003\003");
    vt_wait_exit(s->vt); /* the last program of the last window: tmux ends too */
}

static void test_plain(void **state)
{
    struct pty_case *s = *state;

    begin(s, COMMON, NULL);
    walk(s, core, SF_COUNT(core));
    quit(s);
}

static void test_extended(void **state)
{
    struct pty_case *s = *state;

    begin(s, EXTENDED, NULL);
    walk(s, core, SF_COUNT(core));
    walk(s, extended, SF_COUNT(extended));
    quit(s);
}

static size_t count_in(const char *text, const char *what)
{
    size_t count = 0;

    while ((text = strstr(text, what))) {
        count++;
        text += strlen(what);
    }
    return count;
}

/* What tmux says, which goes with the outcome. */
static struct outcome ask_tmux(struct pty_case *s, const char *question)
{
    char words[160];

    snprintf(words, sizeof(words), "-L %s %s", server, question);
    return sandbox_run_program(s->sandbox, "/usr/bin/tmux", words);
}

static bool pane_measures(struct pty_case *s, int rows, int cols)
{
    struct outcome o = ask_tmux(s, "display-message -p -t :.0 #{pane_height}x#{pane_width}");
    char want[32];
    bool same;

    snprintf(want, sizeof(want), "%dx%d\n", rows, cols);
    same = !strcmp(o.out, want);
    outcome_release(&o);
    return same;
}

/* The pane is filled from its first row to its last, and each part of sf is there once. */
static bool fills_pane(struct pty_case *s, int rows, int cols)
{
    struct outcome o = ask_tmux(s, "capture-pane -p -t :.0");
    const char *last = o.out;
    bool fills;

    for (const char *at = o.out; (at = strchr(at, '\n')) && at[1]; at++)
        last = at + 1;
    fills = pane_measures(s, rows, cols) && !strncmp(o.out, " SF ", 4) &&
            count_in(o.out, "\n") == (size_t)rows && strstr(last, "F1 help") &&
            count_in(o.out, "› half a thou") == 1 && count_in(o.out, "─") == 2 * (size_t)cols;
    outcome_release(&o);
    return fills;
}

static void wait_to_fill(struct pty_case *s, int rows, int cols)
{
    for (int tries = 0; !fills_pane(s, rows, cols); tries++) {
        if (tries == TRIES)
            fail_msg("sf does not fill its pane of %dx%d", rows, cols);
        vt_pump(s->vt, REST_MS);
    }
}

/* Pane after pane of another size, and back. */
static void test_split(void **state)
{
    struct pty_case *s = *state;

    begin(s, COMMON "bind -n F5 split-window -d -l 10 cat\nbind -n F6 kill-pane -a\n", NULL);
    pty_case_type(s, "half a thou", "› half a thou");
    wait_to_fill(s, s->rows, s->cols);
    vt_type(s->vt, "\033[15~");
    wait_to_fill(s, s->rows - 11, s->cols);
    vt_resize(s->vt, s->rows, 70);
    wait_to_fill(s, s->rows - 11, 70);
    vt_type(s->vt, "\033[17~");
    wait_to_fill(s, s->rows, 70);
    vt_resize(s->vt, 30, 100);
    wait_to_fill(s, 30, 100);
    vt_type(s->vt, "\003");
    vt_wait_text(s->vt, "cleared");
    quit(s);
}

/* All that tmux has of the pane, scrollback included: once is each part of sf there. */
static bool is_clean(struct pty_case *s, int cols)
{
    struct outcome o = ask_tmux(s, "capture-pane -p -S -");
    bool clean;

    clean = count_in(o.out, "› ") + count_in(o.out, "›\n") == 1 && count_in(o.out, "Listed") == 1 &&
            count_in(o.out, "─") == (size_t)cols;
    outcome_release(&o);
    return clean;
}

/* Narrower and narrower: what tmux breaks and scrolls leaves no row of the frame behind. */
static void test_inline_narrower(void **state)
{
    static const int widths[] = { 90, 70, 60, 50, 40 };
    struct pty_case *s = *state;

    s->rows = 16;
    begin(s, COMMON, "--inline");
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    for (size_t i = 0; i < SF_COUNT(widths); i++) {
        int cols = widths[i] < 80 ? widths[i] : 80, tries = 0;

        vt_resize(s->vt, 16, widths[i]);
        while (!is_clean(s, cols) && tries++ < TRIES)
            vt_pump(s->vt, REST_MS);
        if (tries > TRIES)
            fail_msg("at %d columns something of the frame is left behind", widths[i]);
    }
    quit(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_plain),
        AT_TERMINAL(test_extended),
        AT_TERMINAL(test_split),
        AT_TERMINAL(test_inline_narrower),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
