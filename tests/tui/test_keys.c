/*
 * Every key has its effect: the real sf on a pty, with each encoding terminals have for the same
 * key. What a key does is read from the screen and from what the model is sent.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

/* A call that lasts until the test makes the file `go`. */
#define WAITS "reply\n call Bash {\"command\": \"until test -e go; do sleep 0.02; done\"}\n"

/* ---- axes ---- */

enum shape { AS_LETTER, AS_LOWER, AS_UPPER };

static const struct {
    const char *name, *before, *after;
    enum shape shape;
} encodings[] = {
    { "leader", "\030", "", AS_LETTER },
    { "leader, kitty", "\033[120;5u", "", AS_LETTER },
    { "leader, modifyOtherKeys", "\033[27;5;120~", "", AS_LETTER },
    { "Alt", "\033", "", AS_LETTER },
    { "Alt, kitty", "\033[", ";3u", AS_LOWER },
    { "Alt, modifyOtherKeys", "\033[27;3;", "~", AS_LOWER },
    { "Ctrl+Shift, kitty", "\033[", ";6u", AS_LOWER },
    { "Ctrl+Shift, modifyOtherKeys", "\033[27;6;", "~", AS_UPPER },
};

static const struct {
    char letter;
    const char *badge;
} axis_steps[] = {
    { 'm', "plan | manual | normal | smart" },   { 'a', "plan | autonomous | normal | smart" },
    { 's', "plan | assisted | normal | smart" }, { 'i', "plan | manual | normal | smart" },
    { 'r', "repair | manual | normal | smart" }, { 'p', "repair | manual | trusted | smart" },
};

static void press(struct vt *vt, size_t encoding, char letter)
{
    char keys[32];
    int upper = letter - 'a' + 'A';

    if (encodings[encoding].shape == AS_LETTER)
        snprintf(keys, sizeof(keys), "%s%c", encodings[encoding].before, letter);
    else
        snprintf(keys, sizeof(keys), "%s%d%s", encodings[encoding].before,
                 encodings[encoding].shape == AS_UPPER ? upper : letter, encodings[encoding].after);
    vt_type(vt, keys);
}

static void test_axis_chords(void **state)
{
    struct pty_case *s = *state;
    struct vt *vt = pty_case_begin(s, NULL);

    for (size_t e = 0; e < SF_COUNT(encodings); e++) {
        print_message("  %s\n", encodings[e].name);
        for (size_t i = 0; i < SF_COUNT(axis_steps); i++) {
            press(vt, e, axis_steps[i].letter);
            vt_wait_text(vt, axis_steps[i].badge);
        }
        vt_type(vt, "/mode chat --permission-profile normal\r");
        vt_wait_text(vt, "chat | manual | normal | smart");
    }
}

static void test_model_mode(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "\033[Z", "normal | deep");
    pty_case_type(s, "\033[9;2u", "normal | fast");
    pty_case_type(s, "\033[27;2;9~", "normal | smart");
}

/* The leader and the axes work over a page and over a question too. */
static void test_leader_everywhere(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "\033OP", "Esc close");
    pty_case_type(s, "\030m", "plan | manual | normal");
    assert_true(pty_case_sees(s, "Esc close"));
    pty_case_type(s, "\033m", "build | manual | normal");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "Esc close");
    vt_type(s->vt, "/mode yolo\r");
    pty_case_wait_card(s->vt, 1);
    pty_case_type(s, "\030a", "build | autonomous | normal");
    assert_true(pty_case_sees(s, "waiting for you"));
}

/* Each way to the widest profile asks where the workspace is not trusted, and a no is passed over. */
static void test_widest_profile_asks(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "\030p", "chat | manual | trusted");
    pty_case_type(s, "\030p", "workspace you trust");
    assert_true(pty_case_sees(s, "chat | manual | trusted"));
    pty_case_wait_card(s->vt, 1);
    vt_type(s->vt, "n");
    vt_wait_no_text(s->vt, "workspace you trust");
    pty_case_type(s, "\030p", "chat | manual | restricted");
    pty_case_type(s, "\t", "plan | manual | restricted");
    pty_case_type(s, "\t", "build | assisted | normal");
    pty_case_type(s, "\t", "workspace you trust");
    pty_case_wait_card(s->vt, 1);
    vt_type(s->vt, "n");
    vt_wait_no_text(s->vt, "workspace you trust");
    pty_case_type(s, "\t", "plan | manual | restricted");
    pty_case_type(s, "/permission-profile unrestricted\r", "workspace you trust");
    pty_case_wait_card(s->vt, 1);
    pty_case_type(s, "y", "plan | manual | unrestricted");
}

/* What follows the leader's letter in the same read is typed. */
static void test_leader_takes_one_letter(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    vt_type(s->vt, "\030mhello");
    vt_wait_text(s->vt, "plan | manual | normal");
    vt_wait_text(s->vt, "› hello");
    pty_case_type(s, "\025\030", "m mode");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "m mode");
    pty_case_type(s, "m", "› m");
}

/* ---- writing ---- */

static void test_newlines(void **state)
{
    struct pty_case *s = *state;
    size_t len;
    const char *body;

    pty_case_serve(s, "reply\n text \"understood\"\n");
    pty_case_begin(s, NULL);
    vt_type(s->vt, "0\n1\033\r2\033[13;2u3\033[27;2;13~4\033[106;5u5\033[27;5;106~6\033[13;3u7");
    vt_wait_text(s->vt, "› 0");
    vt_type(s->vt, "\r");
    body = pty_case_request(s, 0, &len);
    assert_non_null(memmem(body, len, "0\\n1\\n2\\n3\\n4\\n5\\n6\\n7", 22));
    vt_wait_text(s->vt, "understood");
}

static void test_other_keys_are_text(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "\033[27;2;65~\033[27;2;32~\033[27;2;33~x", "› A !x");
    vt_type(s->vt, "\033[27;5;99~");
    vt_wait_text(s->vt, "cleared");
    assert_false(pty_case_sees(s, "A !x"));
    pty_case_type(s, "\037", "A !x");
}

static void test_tab(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "/stat", "session, model, axes");
    pty_case_type(s, "\t", "› /status");
    pty_case_type(s, "x", "› /status x");
    vt_type(s->vt, "\003");
    vt_wait_no_text(s->vt, "› /status");
    pty_case_type(s, "\t", "plan | manual | restricted");
    pty_case_type(s, "\t", "build | assisted | normal");
    pty_case_type(s, "\t", "not a workspace you trust");
    vt_type(s->vt, "\t\r");
    pty_case_wait_card(s->vt, 1);
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "waiting for you");
    assert_true(pty_case_sees(s, "build | assisted | normal"));
}

static void test_files_menu(void **state)
{
    struct pty_case *s = *state;

    pty_case_file(s, "src/alpha.c", "int alpha;\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "look at @alp", "src/alpha.c");
    pty_case_type(s, "\t", "› look at @src/alpha.c");
    vt_wait_quiet(s->vt);
}

static void test_prefixes(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "!echo sum-$((20+22))\r", "sum-42");
    pty_case_type(s, "#the tests need a database\r", "noted for later");
}

static void test_editor(void **state)
{
    struct pty_case *s = *state;
    char *path = test_path(s->sandbox->dir, "editor");
    const char script[] = "#!/bin/sh\nstty -a | grep -q -- '-icanon' && exit 1\n"
                          "printf 'from the %s\\nand a second line\\n' \"$(cat \"$1\")\" >\"$1\"\n";

    test_write(path, script, sizeof(script) - 1);
    chmod(path, 0755);
    sandbox_setenv(s->sandbox, "EDITOR", path);
    free(path);
    pty_case_begin(s, NULL);
    vt_type(s->vt, "editor\007");
    vt_wait_text(s->vt, "› from the editor");
    vt_wait_text(s->vt, "and a second line");
}

/* In the editor Ctrl+C is the editor's: the kernel gives it to all who share the terminal. */
static void test_interrupt_in_editor(void **state)
{
    struct pty_case *s = *state;

    sandbox_setenv(s->sandbox, "EDITOR",
                   "exec sh -c 'trap : QUIT; trap \"echo late words >\\$0; exit\" INT; echo ready; "
                   "while :; do sleep 0.05; done'");
    pty_case_begin(s, NULL);
    pty_case_type(s, "\007", "ready");
    pty_case_type(s, "\034\003", "› late words");
}

/* ---- reading ---- */

static void test_overlays(void **state)
{
    static const struct {
        const char *name, *key, *shows;
    } cases[] = {
        { "F1", "\033OP", "Enter" },
        { "F1, kitty", "\033[P", "Enter" },
        { "F1, old", "\033[11~", "Enter" },
        { "palette", "\013", "type to narrow" },
        { "palette, kitty", "\033[107;5u", "type to narrow" },
        { "sent before", "\022", "Sent before" },
        { "sent before, modifyOtherKeys", "\033[27;5;114~", "Sent before" },
        { "backtrack", "\033\033", "Esc close" },
        { "sessions", "\030l", "Esc close" },
        { "tasks", "\030t", "Esc close" },
    };
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        print_message("  %s\n", cases[i].name);
        vt_type(s->vt, cases[i].key);
        vt_wait_text(s->vt, cases[i].shows);
        vt_wait_text(s->vt, "Esc close");
        vt_type(s->vt, "\033");
        vt_wait_no_text(s->vt, "Esc close");
    }
}

static void test_history_and_palette(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "\022", "Sent before");
    vt_type(s->vt, "li\r");
    vt_wait_no_text(s->vt, "Sent before");
    vt_wait_text(s->vt, "› list");
    vt_type(s->vt, "\003");
    vt_wait_text(s->vt, "cleared");
    pty_case_type(s, "\013", "type to narrow");
    vt_type(s->vt, "/cost");
    vt_wait_quiet(s->vt);
    vt_type(s->vt, "\r");
    vt_wait_text(s->vt, "Cost of this session");
}

static void test_expand_and_find(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n call Read {\"file_path\": \"notes.txt\"}\n"
                      "reply\n text \"that is all\"\n");
    pty_case_file(s, "notes.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\nthe tenth line\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "read it\r", "that is all");
    assert_false(pty_case_sees(s, "the tenth line"));
    pty_case_type(s, "\017", "the tenth line");
    vt_type(s->vt, "\017");
    vt_wait_no_text(s->vt, "the tenth line");
    pty_case_type(s, "\006that is", "1 of");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, " find ");
}

/* Which keys arrive is said where somebody looks for it: on the page, and in the shell. */
static void test_doctor(void **state)
{
    static const char *const doctor[] = { SF_PROGRAM, "doctor", "--all", NULL };
    struct pty_case *s = *state;

    s->cols = 160;
    s->rows = 100; /* all checks */
    pty_case_begin(s, NULL);
    pty_case_type(s, "/doctor\r", "Ctrl+X and then the letter always does");
    vt_wait_text(s->vt, "160 columns");
    vt_wait_text(s->vt, "ok       installation");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "160 columns");
    assert_int_equal(pty_case_leave(s), 0);
    pty_case_run(s, doctor);
    vt_wait_text(s->vt, "Ctrl+X and then the letter always does");
    vt_wait_exit(s->vt);
    pty_case_expect_restored(s->vt, "doctor");
}

/* ---- while a turn runs ---- */

static void test_steer_and_queue(void **state)
{
    struct pty_case *s = *state;
    const char *body;
    size_t len;

    pty_case_serve(s,
                   WAITS "reply\n expect-contains \"look in tests too\"\n text \"first is over\"\n"
                         "reply\n expect-contains \"then the docs\"\n text \"second is over\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "Running");
    pty_case_type(s, "look in tests too\r", "joins the turn at its next step");
    pty_case_type(s, "then the docs\t", "1 queued");
    assert_int_equal(model_server_count(s->server), 1);
    pty_case_file(s, "go", "");
    vt_wait_text(s->vt, "second is over");
    assert_int_equal(model_server_count(s->server), 3);
    body = pty_case_request(s, 1, &len);
    assert_non_null(memmem(body, len, "tool_result", 11));
    assert_null(memmem(body, len, "then the docs", 13));
    agent_sandbox_check(s->server, "steering");
}

/* A line that waited is what it would have been at once: run, noted, obeyed; only words are said. */
static void test_queued_lines(void **state)
{
    struct pty_case *s = *state;
    const char *body;
    size_t len;

    pty_case_serve(s, WAITS "reply\n text \"first is over\"\n"
                            "reply\n expect-contains \"and on we go\"\n text \"second is over\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "Running");
    pty_case_type(s, "!echo six times $((6 * 7))\t", "1 queued");
    pty_case_type(s, "#the llamas are fed\t", "2 queued");
    pty_case_type(s, "/mode plan\t", "3 queued");
    pty_case_type(s, "and on we go\t", "4 queued");
    pty_case_file(s, "go", "");
    vt_wait_text(s->vt, "second is over");
    vt_wait_text(s->vt, "six times 42");
    vt_wait_text(s->vt, "plan | manual");
    assert_int_equal(model_server_count(s->server), 3);
    body = pty_case_request(s, 2, &len);
    assert_non_null(memmem(body, len, "six times 42", 12)); /* it had ended before */
    assert_null(memmem(body, len, "#the llamas", 11));      /* it is a note, and told as one */
    pty_case_type(s, "/memory project\r", "the llamas are fed");
    agent_sandbox_check(s->server, "queued lines");
}

/* Taking one back leaves what was being written within reach, and is in no moment without it. */
static void test_queue_edit(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, WAITS);
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "Running");
    pty_case_type(s, "alpha of the queue\t", "1 queued");
    pty_case_type(s, "my precious draft", "› my precious draft");
    pty_case_type(s, "\013queue", "words that wait");
    pty_case_type(s, "\r", "Enter edit");
    pty_case_type(s, "\r", "› alpha of the queue");
    vt_wait_text(s->vt, "Ctrl+_ or ↑ brings it back");
    pty_case_type(s, "\037", "› my precious draft");
    pty_case_type(s, "\013rename", "give this session");
    pty_case_type(s, "\r", "› /rename");
    pty_case_type(s, "\037", "› my precious draft");
    pty_case_wait_draft(s, "my precious draft");
    pty_case_type(s, "\003", "cleared");
    pty_case_type(s, "beta of the queue\t", "1 queued");
    pty_case_type(s, "/queue edit 1\r", "› beta of the queue");
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    vt_wait_text(s->vt, "beta of the queue");
}

/* What waited for how it went on stays there, and the fork says so. */
static void test_queue_stays_behind(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n text \"first is over\"\n" WAITS);
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "first is over");
    pty_case_type(s, "go on\r", "Running");
    pty_case_type(s, "and then the docs\t", "1 queued");
    pty_case_type(s, "\033", "1 queued: kept");
    pty_case_type(s, "/fork at 2\r", "1 queued stayed behind");
    vt_wait_text(s->vt, "› go on");
    assert_false(pty_case_sees(s, "and then the docs"));
}

/* The queue outlives the program, in the order it was given last. */
static void test_queue_command(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, WAITS);
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "Running");
    pty_case_type(s, "alpha\t", "1 queued");
    pty_case_type(s, "beta\t", "2 queued");
    pty_case_type(s, "gamma\t", "3 queued");
    pty_case_type(s, "/queue move 3 1\r", "moved to place 1");
    pty_case_type(s, "/queue drop 2\r", "dropped; 2 left");
    pty_case_type(s, "/queue drop 7\r", "there is no queued draft 7");
    pty_case_type(s, "/queue bake 1\r", "/queue, /queue edit N");
    pty_case_type(s, "/queue\r", "k up");
    vt_wait_text(s->vt, "1  gamma");
    pty_case_type(s, "j", "1  beta");
    pty_case_type(s, "\033", "⋮ 1  beta");
    vt_wait_text(s->vt, "⋮ 2  gamma");
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    vt_wait_text(s->vt, "⋮ 1  beta");
    vt_wait_text(s->vt, "⋮ 2  gamma");
    pty_case_type(s, "/queue edit 1\r", "› beta");
    vt_wait_no_text(s->vt, "⋮ 1  beta");
    vt_wait_text(s->vt, "⋮ 1  gamma");
    pty_case_type(s, "\003", "cleared");
    pty_case_type(s, "/queue clear\r", "the queue is empty");
    vt_wait_no_text(s->vt, "gamma");
}

static void test_escape_stack(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, WAITS);
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "Running");
    pty_case_type(s, "a queued thought\t", "1 queued");
    pty_case_type(s, "/stat", "session, model, axes");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "session, model, axes");
    assert_true(pty_case_sees(s, "Esc cancels"));
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "Esc cancels");
    assert_true(pty_case_sees(s, "› /stat"));
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "› /stat");
    vt_wait_quiet(s->vt);
    pty_case_type(s, "\033", "queued draft is dropped");
    assert_false(pty_case_sees(s, "Esc close"));
    pty_case_type(s, "\033\033", "Esc close");
    vt_type(s->vt, "\033");
    vt_wait_no_text(s->vt, "Esc close");
    pty_case_type(s, "\037", "› /stat");
}

static void test_interrupt(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, WAITS);
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "Running");
    pty_case_type(s, "words", "› words");
    pty_case_type(s, "\003", "cleared");
    assert_true(pty_case_sees(s, "Running"));
    vt_type(s->vt, "\003");
    vt_wait_no_text(s->vt, "Esc cancels");
    vt_wait_quiet(s->vt);
    pty_case_type(s, "\003", "again quits");
    vt_type(s->vt, "\003\003");
    assert_int_equal(vt_wait_exit(s->vt), 0);
    pty_case_expect_restored(s->vt, "after Ctrl+C");
}

static void test_end_of_input(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "ab\002\002\004", "› b");
    vt_type(s->vt, "\004\004");
    assert_int_equal(vt_wait_exit(s->vt), 0);
    pty_case_expect_restored(s->vt, "after Ctrl+D");
}

/* ---- suspending ---- */

static void test_suspend(void **state)
{
    static const char *const shell[] = { "/bin/bash", "--norc", "--noprofile", "-i", NULL };
    static const char *const keys[] = { "\032", "\033[27;5;122~", "\033[122;5u", "\030z" };
    struct pty_case *s = *state;
    const struct sf_strbuf *out;

    sandbox_setenv(s->sandbox, "PS1", "at the shell> ");
    pty_case_run(s, shell);
    vt_wait_text(s->vt, "at the shell>");
    vt_type(s->vt, SF_PROGRAM "\r");
    vt_wait_text(s->vt, "›");
    pty_case_type(s, "half a thou", "› half a thou");
    vt_wait_text(s->vt, "F1 help");
    sf_strbuf_reset(&s->screen);
    vt_dump(s->vt, &s->screen);
    for (size_t i = 0; i < SF_COUNT(keys); i++) {
        vt_type(s->vt, keys[i]);
        vt_wait_text(s->vt, "Stopped");
        assert_false(vt_modes(s->vt)->alternate);
        assert_int_equal(vt_modes(s->vt)->other_keys, 0);
        vt_type(s->vt, "clear; fg\r");
        pty_case_wait_screen(s, &s->screen);
    }
    out = vt_take(s->vt);
    assert_null(memmem(out->buf, out->len, "\033]104", 5)); /* the palette is the user's */
}

/* ---- pastes ---- */

enum { PASTE_BYTES = 1 << 20 };

static void test_large_paste(void **state)
{
    struct pty_case *s = *state;
    struct sf_strbuf text = SF_STRBUF_INIT, want = SF_STRBUF_INIT;
    const char *body;
    size_t len;
    bool whole;

    pty_case_serve(s, "reply\n text \"what a lot\"\n");
    pty_case_large_window(s);
    pty_case_begin(s, NULL);
    for (int line = 0; text.len < PASTE_BYTES; line++) {
        sf_strbuf_addf(&text, "line %d of a long file\n", line);
        sf_strbuf_addf(&want, "line %d of a long file\\n", line);
    }
    sf_strbuf_truncate(&want, want.len - 2); /* what ends in blanks is sent without */
    vt_type(s->vt, "look: \033[200~");
    vt_send(s->vt, text.buf, text.len);
    vt_type(s->vt, "\033[201~");
    vt_wait_text(s->vt, "[paste 1:");
    vt_type(s->vt, "\r");
    body = pty_case_request(s, 0, &len);
    whole = memmem(body, len, want.buf, want.len) != NULL;
    sf_strbuf_release(&text);
    sf_strbuf_release(&want);
    assert_true(whole);
    vt_wait_text(s->vt, "what a lot");
    assert_int_equal(model_server_count(s->server), 1);
}

static void test_pasted_escapes(void **state)
{
    static const char paste[] = "\033[200~\030a\033[27;6;65~\003\003\004\033OP\033]52;c;eA==\007"
                                "\033[2Jhello\r\n\033[<0;1;1M\tworld\033[201~";
    struct pty_case *s = *state;
    const struct sf_strbuf *out;

    pty_case_begin(s, NULL);
    vt_take(s->vt);
    vt_send(s->vt, paste, sizeof(paste) - 1);
    vt_wait_text(s->vt, "world");
    vt_wait_quiet(s->vt);
    out = vt_take(s->vt);
    assert_null(memmem(out->buf, out->len, "\033]52", 4));
    assert_true(pty_case_sees(s, "chat | manual | normal | smart"));
    assert_false(pty_case_sees(s, "Esc close"));
    pty_case_type(s, "!", "world!");
}

static void test_unfolding_a_paste(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "\033[200~a\nb\nc\nd\ne\nf\ng\nh\ni\nlast line\033[201~",
                  "[paste 1: 10 lines]");
    pty_case_type(s, "\017", "last line");
    assert_false(pty_case_sees(s, "[paste 1"));
}

/* Text that fills its row to the last column stays in sight. */
static void test_full_row(void **state)
{
    static const char row[] =
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrs"; /* 97: 100 less the prompt */
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, row, row);
    pty_case_type(s, "Z", "Z");
    assert_true(pty_case_sees(s, row));
}

/* ---- cards ---- */

#define ASKS "reply\n call Write {\"file_path\": \"made.txt\", \"content\": \"made\\n\"}\n"

static bool has_file(struct pty_case *s, const char *name)
{
    char *path = test_path(s->sandbox->workspace, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

enum { STALL_MS = 200, KEYS_MAX = 20000, TRIES = 20 };

/*
 * As many keys, or until the text is there; each a read of its own. False when this machine held
 * one up for so long that sf takes it for a pause.
 */
static bool type_on(struct pty_case *s, int keys, const char *until)
{
    int64_t last = sf_clock_monotonic_ms(), gap = 0;

    for (int i = 0; gap < STALL_MS && i < keys && !(until && pty_case_sees(s, until)); i++) {
        vt_type(s->vt, "y\033[F");
        vt_wait_quiet(s->vt);
        gap = sf_clock_monotonic_ms() - last;
        last += gap;
    }
    return gap < STALL_MS;
}

static bool type_through(struct pty_case *s)
{
    model_server_stop(s->server);
    pty_case_serve(s, ASKS "reply\n text \"denied\"\n");
    pty_case_begin(s, NULL);
    vt_type(s->vt, "begin\r");
    return type_on(s, KEYS_MAX, "until you pause") && type_on(s, 40, NULL);
}

/* Somebody types on while a question comes up: none of the keys is an answer. */
static void test_typing_through_a_card(void **state)
{
    struct pty_case *s = *state;

    for (int i = 0; !type_through(s); i++)
        assert_true(i < TRIES);
    assert_true(pty_case_sees(s, "until you pause"));
    assert_false(has_file(s, "made.txt"));
    vt_wait_text(s->vt, "waiting for you");
    vt_type(s->vt, "n");
    vt_wait_text(s->vt, "denied");
    vt_wait_text(s->vt, "› yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
    assert_false(has_file(s, "made.txt"));
}

/* The answer is typed behind the command or the key that asks, without a moment in between. */
static void test_cards_that_were_asked_for(void **state)
{
    static const struct {
        const char *name, *keys, *then;
    } cases[] = {
        { "trust in the files", "/trust add\rn", "not trusted" },
        { "the fence", "/trust on\rn", "Enter send" },
        { "yolo", "/mode yolo\rn", "Enter send" },
        { "a preset by Tab", "\t\t\tn", "Enter send" },
        { "the profile", "/mode build\r/permission-profile unrestricted\rn", "Enter send" },
        { "init", "/init\rn", "Enter send" },
    };
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        pty_case_type(s, cases[i].keys, cases[i].then);
        vt_wait_quiet(s->vt);
        if (pty_case_sees(s, "› n") || pty_case_sees(s, "waiting for you"))
            fail_msg("%s: the answer was not taken", cases[i].name);
    }
}

/* The files are looked at first; the answer is typed as soon as the card is there. */
static void test_undo_is_answered_at_once(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, ASKS "reply\n text \"all done\"\n");
    pty_case_begin(s, NULL);
    vt_type(s->vt, "begin\r");
    pty_case_wait_card(s->vt, 1);
    vt_type(s->vt, "y");
    vt_wait_text(s->vt, "all done");
    assert_true(has_file(s, "made.txt"));
    pty_case_type(s, "/undo\r", "waiting for you");
    vt_type(s->vt, "y");
    vt_wait_no_text(s->vt, "waiting for you");
    vt_wait_text(s->vt, "made.txt");
    vt_wait_quiet(s->vt);
    pty_case_lacks(s, "› y");
}

static void test_answering_a_card(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, ASKS "reply\n text \"all done\"\n");
    pty_case_begin(s, NULL);
    vt_type(s->vt, "begin\r");
    pty_case_wait_card(s->vt, 1);
    vt_type(s->vt, "\r");
    vt_wait_quiet(s->vt);
    assert_true(pty_case_sees(s, "waiting for you"));
    vt_type(s->vt, "y");
    vt_wait_text(s->vt, "all done");
    assert_true(has_file(s, "made.txt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_axis_chords),
        AT_TERMINAL(test_model_mode),
        AT_TERMINAL(test_leader_everywhere),
        AT_TERMINAL(test_widest_profile_asks),
        AT_TERMINAL(test_leader_takes_one_letter),
        AT_TERMINAL(test_newlines),
        AT_TERMINAL(test_other_keys_are_text),
        AT_TERMINAL(test_tab),
        AT_TERMINAL(test_files_menu),
        AT_TERMINAL(test_prefixes),
        AT_TERMINAL(test_editor),
        AT_TERMINAL(test_interrupt_in_editor),
        AT_TERMINAL(test_overlays),
        AT_TERMINAL(test_history_and_palette),
        AT_TERMINAL(test_expand_and_find),
        AT_TERMINAL(test_doctor),
        AT_TERMINAL(test_steer_and_queue),
        AT_TERMINAL(test_queued_lines),
        AT_TERMINAL(test_queue_edit),
        AT_TERMINAL(test_queue_stays_behind),
        AT_TERMINAL(test_queue_command),
        AT_TERMINAL(test_escape_stack),
        AT_TERMINAL(test_interrupt),
        AT_TERMINAL(test_end_of_input),
        AT_TERMINAL(test_suspend),
        AT_TERMINAL(test_large_paste),
        AT_TERMINAL(test_pasted_escapes),
        AT_TERMINAL(test_unfolding_a_paste),
        AT_TERMINAL(test_full_row),
        AT_TERMINAL(test_typing_through_a_card),
        AT_TERMINAL(test_cards_that_were_asked_for),
        AT_TERMINAL(test_undo_is_answered_at_once),
        AT_TERMINAL(test_answering_a_card),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
