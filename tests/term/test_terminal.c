/*
 * The terminal, seen from its other side: a small program on a real pty, an emulator that shows
 * what it draws, and the tty's flags after whatever ended it.
 */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"
#include "support/vt.h"
#include "term/terminal.h"

enum { ROWS = 12, COLS = 60 };

struct fixture {
    struct vt *vt;
    struct sf_strlist env;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));

    sf_strlist_add(&f->env, "PATH=/usr/bin:/bin");
    sf_strlist_add(&f->env, "LANG=C.UTF-8");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    vt_close(f->vt);
    sf_strlist_release(&f->env);
    free(f);
    return 0;
}

#define ON_PTY(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static void launch(struct fixture *f, const char *const *argv, const char *const *env)
{
    for (; env && *env; env++)
        sf_strlist_add(&f->env, *env);
    vt_close(f->vt);
    f->vt = vt_open(argv, (const char *const *)f->env.items, NULL, ROWS, COLS);
    vt_set_talents(f->vt, (struct vt_talents){ .sync = false });
}

static void run(struct fixture *f, const char *argument, const char *term, const char *colorterm)
{
    const char *const argv[] = { PAINT, argument, NULL };
    char first[100], second[100];
    const char *const env[] = { first, colorterm ? second : NULL, NULL };

    snprintf(first, sizeof(first), "TERM=%s", term);
    snprintf(second, sizeof(second), "COLORTERM=%s", colorterm ? colorterm : "");
    launch(f, argv, env);
}

/* Running, its first frame shown, and all its questions answered. */
static struct vt *start(struct fixture *f)
{
    run(f, NULL, "xterm-256color", "truecolor");
    vt_wait_text(f->vt, "paint 60x12");
    vt_wait_quiet(f->vt);
    return f->vt;
}

/* Takes the bytes first: what is there until now is no part of the check. */
static void forget_output(struct vt *vt)
{
    vt_wait_quiet(vt);
    vt_take(vt);
}

static bool wrote(struct vt *vt, const char *bytes)
{
    const struct sf_strbuf *out = vt_take(vt);

    return memmem(out->buf, out->len, bytes, strlen(bytes)) != NULL;
}

static void expect_restored(struct vt *vt, const char *name)
{
    const struct vt_modes *modes = vt_modes(vt);
    int rows, cols;

    vt_size(vt, &rows, &cols);
    if (!vt_is_cooked(vt) || modes->alternate || modes->paste || modes->focus || modes->sync ||
        modes->mouse || modes->mouse_sgr || modes->kitty || modes->other_keys || !modes->cursor ||
        (modes->bottom && modes->bottom != rows))
        fail_msg("%s: cooked %d, alternate %d, paste %d, focus %d, sync %d, mouse %d %d, kitty %d, "
                 "other keys %d, cursor %d, margin %d",
                 name, vt_is_cooked(vt), modes->alternate, modes->paste, modes->focus, modes->sync,
                 modes->mouse, modes->mouse_sgr, modes->kitty, modes->other_keys, modes->cursor,
                 modes->bottom);
}

static void expect_taken(struct vt *vt)
{
    const struct vt_modes *modes = vt_modes(vt);

    assert_false(vt_is_cooked(vt));
    assert_true(modes->alternate && modes->paste && modes->focus && modes->cursor);
    assert_int_equal(modes->kitty, 1);
    assert_int_equal(modes->other_keys, 2);
    assert_true(modes->bottom == 0 || modes->bottom == ROWS);
}

/* ---- what is shown ---- */

static void test_first_frame(void **state)
{
    struct fixture *f = *state;
    struct vt *vt = start(f);

    expect_taken(vt);
    vt_golden(vt, "terminal_first");
}

static const struct {
    const char *name, *term, *colorterm, *no_color;
    int facts;
    int32_t accent, selected_bg;
    unsigned selected_attrs;
} colour_cases[] = {
    { "24 bits", "xterm-256color", "truecolor", NULL, 3, 0x7aa2f7, 0x34477a, 0 },
    { "24 bits by another word", "xterm", "24bit", NULL, 3, 0x7aa2f7, 0x34477a, 0 },
    { "24 bits in tmux", "tmux-256color", "truecolor", NULL, 3, 0x7aa2f7, 0x34477a, 0 },
    { "256", "xterm-256color", NULL, NULL, 2, VT_INDEX(111), VT_INDEX(60), 0 },
    { "8", "xterm", NULL, NULL, 1, VT_INDEX(4), VT_INDEX(4), VT_BOLD },
    { "a console", "linux", "truecolor", NULL, 1, VT_INDEX(4), VT_INDEX(4), VT_BOLD },
    { "none wanted", "xterm-256color", "truecolor", "1", 0, VT_DEFAULT, VT_DEFAULT, VT_REVERSE },
    { "none wanted is not said by nothing", "xterm-256color", "truecolor", "", 3, 0x7aa2f7,
      0x34477a, 0 },
    { "none there", "vt220", NULL, NULL, 0, VT_DEFAULT, VT_DEFAULT, VT_REVERSE },
};

static void test_colours(void **state)
{
    for (size_t i = 0; i < SF_COUNT(colour_cases); i++) {
        struct fixture *f;
        struct vt_cell accent, selected;
        char want[40];

        teardown(state);
        setup(state);
        f = *state;
        if (colour_cases[i].no_color)
            sf_strlist_addf(&f->env, "NO_COLOR=%s", colour_cases[i].no_color);
        run(f, NULL, colour_cases[i].term, colour_cases[i].colorterm);
        snprintf(want, sizeof(want), "colours %d", colour_cases[i].facts);
        vt_wait_text(f->vt, want);
        vt_wait_quiet(f->vt);
        accent = vt_cell(f->vt, 1, 0);
        selected = vt_cell(f->vt, 1, 13);
        if (strcmp(selected.text, "s") != 0 || accent.fg != colour_cases[i].accent ||
            selected.bg != colour_cases[i].selected_bg ||
            selected.attrs != colour_cases[i].selected_attrs)
            fail_msg("%s: accent %x, selected %s %x %x", colour_cases[i].name, accent.fg,
                     selected.text, selected.bg, selected.attrs);
    }
}

static void test_unchanged_is_silent(void **state)
{
    struct vt *vt = start(*state);

    forget_output(vt);
    vt_type(vt, "uuuu");
    vt_wait_quiet(vt);
    assert_int_equal(vt_take(vt)->len, 0);
}

static void test_small_change_is_small(void **state)
{
    struct vt *vt = start(*state);

    forget_output(vt);
    vt_type(vt, "\033[I");
    vt_wait_text(vt, "told: focus 1");
    vt_wait_quiet(vt);
    assert_in_range(vt_take(vt)->len, 1, 60);
}

static void test_repaint_is_whole(void **state)
{
    struct vt *vt = start(*state);
    struct sf_strbuf before = SF_STRBUF_INIT, after = SF_STRBUF_INIT;
    bool same;

    vt_dump(vt, &before);
    vt_feed(vt, "\033[2Jscribble", 12);
    forget_output(vt);
    vt_type(vt, "r");
    vt_wait_no_text(vt, "scribble");
    vt_wait_quiet(vt);
    vt_dump(vt, &after);
    same = !strcmp(before.buf, after.buf);
    sf_strbuf_release(&before);
    sf_strbuf_release(&after);
    assert_true(same);
}

static void test_theme_changes(void **state)
{
    struct vt *vt = start(*state);

    vt_type(vt, "w");
    vt_wait_quiet(vt);
    assert_int_equal(vt_cell(vt, 1, 0).fg, 0x1f55b5);
    assert_string_equal(vt_cell(vt, 1, 0).text, "a");
}

static void test_resize(void **state)
{
    static const struct {
        int rows, cols;
        const char *want;
    } sizes[] = { { 24, 80, "paint 80x24" },
                  { 3, 20, "paint 20x3" },
                  { 1, 1, "p" },
                  { 200, 500, "paint 500x200" },
                  { 9, 70, "paint 70x9" } };
    struct vt *vt = start(*state);

    vt_type(vt, "b");
    for (size_t i = 0; i < SF_COUNT(sizes); i++) {
        vt_resize(vt, sizes[i].rows, sizes[i].cols);
        vt_wait_text(vt, sizes[i].want);
        vt_wait_quiet(vt);
    }
    vt_golden(vt, "terminal_resized");
}

/* ---- what it is told ---- */

static void test_answers(void **state)
{
    struct fixture *f = *state;
    struct vt *vt;

    run(f, NULL, "xterm-256color", NULL);
    vt = f->vt;
    vt_set_talents(vt, (struct vt_talents){ .kitty = true, .sync = true, .version = "test 1" });
    vt_wait_text(vt, "kitty 1 sync 1 other 0 brackets 1 name test 1");
    forget_output(vt);
    vt_type(vt, "\033[I");
    vt_wait_text(vt, "focus 1");
    vt_wait_quiet(vt);
    assert_true(wrote(vt, "\033[?2026h"));
    assert_false(vt_modes(vt)->sync);
}

static void test_input(void **state)
{
    struct vt *vt = start(*state);

    vt_type(vt, "\033[200~two\rlines\033[201~");
    vt_wait_text(vt, "paste of 9");
    vt_type(vt, "\033[<64;5;6M");
    vt_wait_text(vt, "mouse 3 at 5,4");
    vt_type(vt, "\033"); /* alone: the timer decides */
    vt_wait_text(vt, "key 110000 mods 0");
    vt_type(vt, "\032"); /* Ctrl+Z is a key */
    vt_wait_text(vt, "key 7a mods 4");
}

/* ---- what is said besides ---- */

static void test_title(void **state)
{
    struct vt *vt = start(*state);

    vt_type(vt, "t");
    vt_wait_quiet(vt);
    assert_string_equal(vt_modes(vt)->title, "a ␛]0;evil␇ title");
    forget_output(vt);
    vt_type(vt, "t");
    vt_wait_quiet(vt);
    assert_int_equal(vt_take(vt)->len, 0);
}

static void test_copy(void **state)
{
    struct vt *vt = start(*state);

    forget_output(vt);
    vt_type(vt, "c");
    vt_wait_text(vt, "did: sent");
    assert_true(wrote(vt, "\033]52;c;eHh4eA==\033\\"));
    vt_type(vt, "C");
    vt_wait_text(vt, "did: not");
    assert_false(wrote(vt, "\033]52"));
}

/* A program of that name takes the text, or says that it could not. */
static void test_copy_program(void **state)
{
    static const struct {
        const char *script, *want;
    } cases[] = {
        { "#!/bin/sh\n/bin/cat >\"$HOME/copied\"\n", "did: program" },
        { "#!/bin/sh\nexit 1\n", "did: sent" },
    };
    char *dir = test_dir_new();
    char *program = test_path(dir, "xclip"), *copied = test_path(dir, "copied");
    struct fixture *f = *state;

    sf_strlist_release(&f->env);
    sf_strlist_add(&f->env, "DISPLAY=:77");
    sf_strlist_addf(&f->env, "HOME=%s", dir);
    sf_strlist_addf(&f->env, "PATH=.:%s", dir);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        test_write(program, cases[i].script, strlen(cases[i].script));
        assert_int_equal(chmod(program, 0755), 0);
        start(f);
        vt_type(f->vt, "c");
        vt_wait_text(f->vt, cases[i].want);
    }
    {
        char *text = test_read(copied, NULL);

        assert_string_equal(text, "xxxx");
        free(text);
    }
    free(copied);
    free(program);
    test_dir_free(dir);
}

static void test_notify(void **state)
{
    struct fixture *f = *state;
    struct vt *vt = start(f);

    forget_output(vt);
    vt_type(vt, "n");
    vt_wait_quiet(vt);
    assert_true(wrote(vt, "\033]9; 4;3;9 done␛\\\033\\"));
    sf_strlist_add(&f->env, "TMUX=/tmp/tmux,1,0");
    vt = start(f);
    vt_type(vt, "n");
    vt_wait_quiet(vt);
    assert_int_equal(vt_modes(vt)->bells, 1);
}

static void test_mouse(void **state)
{
    struct vt *vt = start(*state);

    assert_false(vt_modes(vt)->mouse);
    vt_type(vt, "m");
    vt_wait_quiet(vt);
    assert_true(vt_modes(vt)->mouse && vt_modes(vt)->mouse_sgr);
    vt_type(vt, "m");
    vt_wait_quiet(vt);
    assert_false(vt_modes(vt)->mouse || vt_modes(vt)->mouse_sgr);
}

/* ---- giving it back ---- */

static void test_quit(void **state)
{
    struct vt *vt = start(*state);

    vt_type(vt, "mq");
    assert_int_equal(vt_wait_exit(vt), 0);
    expect_restored(vt, "quit");
    vt_wait_text(vt, "bye");
    vt_wait_no_text(vt, "told:");
}

static const struct {
    const char *name;
    int signo;
    const char *key; /* typed instead of sending the signal; NULL: none */
    bool survives;   /* the owner ends the program in good order */
} ends[] = {
    { "SIGSEGV", SIGSEGV, NULL, false },      { "SIGBUS", SIGBUS, NULL, false },
    { "SIGABRT", SIGABRT, NULL, false },      { "SIGILL", SIGILL, NULL, false },
    { "SIGFPE", SIGFPE, NULL, false },        { "SIGQUIT", SIGQUIT, NULL, false },
    { "abort", SIGABRT, "a", false },         { "out of memory", SIGABRT, "o", false },
    { "no stack left", SIGSEGV, "s", false }, { "exit without closing", 0, "x", false },
    { "SIGTERM", SIGTERM, NULL, true },       { "SIGHUP", SIGHUP, NULL, true },
    { "SIGINT", SIGINT, NULL, true },         { "no stack left in a thread", SIGSEGV, "t", false },
};

static void test_every_end(void **state)
{
    /* the sanitizers' own handlers would turn faults into exit codes */
    struct fixture *f = *state;

    sf_strlist_add(&f->env, "ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
                            "handle_sigill=0:handle_abort=0:detect_leaks=0");
    for (size_t i = 0; i < SF_COUNT(ends); i++) {
        struct vt *vt = start(f);
        int status;

        vt_type(vt, "m");
        vt_wait_quiet(vt);
        assert_true(vt_modes(vt)->mouse);
        if (ends[i].key)
            vt_type(vt, ends[i].key);
        else
            vt_signal(vt, ends[i].signo);
        status = vt_wait_exit(vt);
        expect_restored(vt, ends[i].name);
        if (ends[i].survives ? status != 0
            : ends[i].signo  ? !WIFSIGNALED(status) || WTERMSIG(status) != ends[i].signo
                             : WEXITSTATUS(status) != 3)
            fail_msg("%s: ended with %x", ends[i].name, (unsigned)status);
    }
}

/* Killed, it leaves everything as it was; the next start ends in an ordinary terminal. */
static void test_after_a_kill(void **state)
{
    static const char *const argv[] = { "/bin/sh", "-c",
                                        PAINT " mouse; echo killed; " PAINT "; echo over; read x",
                                        NULL };
    static const char *const env[] = { "TERM=xterm-256color", NULL };
    struct fixture *f = *state;
    char command[100];

    launch(f, argv, env);
    vt_wait_text(f->vt, "paint 60x12");
    assert_false(vt_is_cooked(f->vt));
    snprintf(command, sizeof(command), "/bin/sh -c 'kill -9 $(cat /proc/%d/task/%d/children)'",
             (int)vt_pid(f->vt), (int)vt_pid(f->vt));
    assert_int_equal(system(command), 0);
    vt_wait_text(f->vt, "kitty 0");
    vt_wait_no_text(f->vt, "killed");
    vt_type(f->vt, "q");
    vt_wait_text(f->vt, "over");
    expect_restored(f->vt, "after a kill");
}

static void test_terminal_goes_away(void **state)
{
    struct fixture *f = *state;

    start(f);
    vt_hang_up(f->vt);
    vt_wait_exit(f->vt);
}

static void test_lend(void **state)
{
    struct vt *vt = start(*state);

    vt_type(vt, "ml");
    vt_wait_text(vt, "lent");
    vt_wait_no_text(vt, "lent badly"); /* our own description is no child's business */
    expect_restored(vt, "lent");
    vt_type(vt, "hello\n");
    vt_wait_text(vt, "did: lend");
    vt_wait_quiet(vt);
    expect_taken(vt);
    assert_true(vt_modes(vt)->mouse);
    vt_type(vt, "q");
    vt_wait_text(vt, "back hello");
    vt_wait_exit(vt);
    expect_restored(vt, "after lending");
}

static bool is_taken_again(struct vt *vt, const void *ctx)
{
    const struct vt_modes *modes = vt_modes(vt);

    (void)ctx;
    return modes->alternate && modes->mouse && modes->kitty == 1 && !vt_is_cooked(vt);
}

/* Under a shell that controls jobs, as the kernel stops no orphans. */
static void test_suspend(void **state)
{
    static const char *const argv[] = { "/bin/bash", "--norc", "--noprofile", "-i", NULL };
    static const char *const env[] = { "TERM=xterm-256color", "PS1=ready> ", "HISTFILE=", NULL };
    struct fixture *f = *state;
    struct vt *vt;

    launch(f, argv, env);
    vt = f->vt;
    vt_wait_text(vt, "ready>");
    vt_type(vt, PAINT " mouse\n");
    vt_wait_text(vt, "paint 60x12");
    vt_wait_text(vt, "brackets 1");
    vt_type(vt, "z");
    vt_wait_text(vt, "Stopped");
    assert_false(vt_modes(vt)->alternate || vt_modes(vt)->mouse || vt_modes(vt)->kitty);
    vt_resize(vt, 20, 70);
    vt_type(vt, "fg\n");
    vt_wait_text(vt, "paint 70x20");
    vt_wait_text(vt, "did: suspend");
    vt_wait(vt, is_taken_again, NULL, "the terminal to be taken again");
    vt_type(vt, "q");
    vt_wait_text(vt, "bye");
    vt_type(vt, "exit\n");
    vt_wait_exit(vt);
}

/* SIGSTOP gives no chance to clean up; going on must still show everything. */
static void test_stopped_from_outside(void **state)
{
    struct vt *vt = start(*state);

    vt_signal(vt, SIGSTOP);
    vt_feed(vt, "\033[2Jscribble", 12);
    vt_signal(vt, SIGCONT);
    vt_wait_no_text(vt, "scribble");
    vt_wait_text(vt, "paint 60x12");
    vt_wait_quiet(vt);
    expect_taken(vt);
}

/* ---- refusals ---- */

static const struct {
    const char *name, *command, *want;
} refusals[] = {
    { "dumb", "TERM=dumb " PAINT, "cannot show a screen (TERM is dumb)" },
    { "no TERM", "unset TERM; " PAINT, "cannot show a screen (TERM is not set)" },
    { "never heard of", "TERM=wyse99000 " PAINT, "unknown TERM: wyse99000" },
    { "an attempt at a path", "TERM=../../etc/passwd " PAINT, "unknown TERM" },
    { "input is no terminal", PAINT " </dev/null", "standard input is not a terminal" },
    { "output is no terminal", PAINT " >/dev/null", "standard output is not a terminal" },
};

static void test_refusals(void **state)
{
    struct fixture *f = *state;

    sf_strlist_add(&f->env, "TERM=xterm");
    for (size_t i = 0; i < SF_COUNT(refusals); i++) {
        const char *const argv[] = { "/bin/sh", "-c", refusals[i].command, NULL };
        int status;

        launch(f, argv, NULL);
        vt_resize(f->vt, ROWS, 120);
        vt_wait_text(f->vt, refusals[i].want);
        vt_wait_text(f->vt, "sf -p");
        status = vt_wait_exit(f->vt);
        assert_int_equal(WEXITSTATUS(status), 1);
        expect_restored(f->vt, refusals[i].name);
    }
}

/* A relative of xterm, of which this system knows nothing, is drawn as xterm. */
static void test_unknown_relative(void **state)
{
    struct fixture *f = *state;

    run(f, NULL, "xterm-never-heard-of", NULL);
    vt_wait_text(f->vt, "colours 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_PTY(test_first_frame),
        ON_PTY(test_colours),
        ON_PTY(test_unchanged_is_silent),
        ON_PTY(test_small_change_is_small),
        ON_PTY(test_repaint_is_whole),
        ON_PTY(test_theme_changes),
        ON_PTY(test_resize),
        ON_PTY(test_answers),
        ON_PTY(test_input),
        ON_PTY(test_title),
        ON_PTY(test_copy),
        ON_PTY(test_copy_program),
        ON_PTY(test_notify),
        ON_PTY(test_mouse),
        ON_PTY(test_quit),
        ON_PTY(test_every_end),
        ON_PTY(test_after_a_kill),
        ON_PTY(test_terminal_goes_away),
        ON_PTY(test_lend),
        ON_PTY(test_suspend),
        ON_PTY(test_stopped_from_outside),
        ON_PTY(test_refusals),
        ON_PTY(test_unknown_relative),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
