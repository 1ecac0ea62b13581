/*
 * Nothing that a model, a tool, a file name or a keyboard sends can command the terminal: every
 * byte sf writes is read here, and each sequence must be one that sf makes itself. Then the
 * terminal is as it was.
 *
 * SF_HOSTILE_SECONDS makes the random tests go on for that long, each round with another seed.
 */
#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

enum { INPUT_ROUNDS = 6, INPUT_BYTES = 6000, OUTPUT_ROUNDS = 1, PIECES = 120 };

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

/* ---- what sf may write ---- */

/* The body of a control sequence: its parameters, intermediates and final byte. */
static const char *const fixed[] = {
    "?u",     ">q",     "?2026$p", "c",       "<u",     ">1u",     ">4;2m",  ">4m",
    "22;2t",  "23;2t",  "22;0;0t", "23;0;0t", "4l",     "4h",      "!p",     "?3;4l",
    "?7h",    "?1h",    "?1l",     "?12l",    "?12h",   "?12;25h", "?25h",   "?25l",
    "?1000l", "?1002h", "?1002l",  "?1003l",  "?1006h", "?1006l",  "?1004h", "?1004l",
    "?1049h", "?1049l", "?2004h",  "?2004l",  "?2026h", "?2026l",  "?7l",
};

static bool is_plain(const char *seq, size_t len)
{
    static const char moving[] = "ABCDGHJKLMPSTXZbdfr@";

    if (seq[len - 1] != 'm' && !strchr(moving, seq[len - 1]))
        return false;
    for (size_t i = 0; i + 1 < len; i++)
        if ((seq[i] < '0' || seq[i] > '9') && seq[i] != ';' && seq[i] != ':')
            return false;
    return len < 40;
}

static bool is_own_csi(const char *seq, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(fixed); i++)
        if (strlen(fixed[i]) == len && !memcmp(fixed[i], seq, len))
            return true;
    return is_plain(seq, len);
}

static bool copying; /* the user may press what copies; then the clipboard is written to */

/* The title, and what is copied: letters of base64 alone. */
static size_t own_string(const char *at, size_t left)
{
    size_t n = 2;

    if (copying && left > 7 && !strncmp(at + 2, "52;c;", 5))
        for (n = 7; n < left && (isalnum((unsigned char)at[n]) || strchr("+/=", at[n]));)
            n++;
    else if (left > 7 && !strncmp(at + 2, "2;SF[", 5))
        while (n < left && (unsigned char)at[n] >= 0x20 && at[n] != 0x7f)
            n++;
    return n > 2 && n + 1 < left && at[n] == 033 && at[n + 1] == '\\' ? n + 2 : 0;
}

/* Bytes of one sequence from its ESC; 0: not one of sf's. */
static size_t own_sequence(const char *at, size_t left)
{
    size_t n = 2;

    if (left < 2)
        return 0;
    if (strchr("78=>M\\", at[1]))
        return 2;
    if (strchr("()*+", at[1]))
        return left > 2 && strchr("0B", at[2]) ? 3 : 0;
    if (at[1] == '[') {
        while (n < left && (at[n] < 0x40 || at[n] > 0x7e))
            n++;
        return n < left && is_own_csi(at + 2, n - 1) ? n + 1 : 0;
    }
    return at[1] == ']' ? own_string(at, left) : 0;
}

static bool is_hostile_point(uint32_t cp)
{
    return cp == SF_UTF8_INVALID || cp == 0x7f || (cp >= 0x80 && cp < 0xa0) ||
           (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069) || cp == 0xfeff ||
           (cp >= 0xe0000 && cp <= 0xe007f);
}

/* The offset of the first thing sf would not write; `len`: all is well. */
static size_t first_alien(const char *bytes, size_t len)
{
    size_t at = 0, n;
    uint32_t cp;

    while (at < len) {
        if (bytes[at] == 033) {
            n = own_sequence(bytes + at, len - at);
        } else if ((unsigned char)bytes[at] < 0x20) {
            n = strchr("\r\n\b\a\016\017", bytes[at]) && bytes[at] ? 1 : 0;
        } else {
            n = sf_utf8_decode(bytes + at, len - at, &cp);
            if (is_hostile_point(cp))
                n = 0;
        }
        if (!n)
            return at;
        at += n;
    }
    return len;
}

/* What comes behind the last giving back of the terminal is the kernel's echo of late keys. */
static size_t end_of_own(const struct sf_strbuf *out)
{
    static const char given_back[] = "\033[?1l\033>";
    size_t len = sizeof(given_back) - 1;

    for (size_t at = out->len; at >= len; at--)
        if (!memcmp(out->buf + at - len, given_back, len))
            return at;
    return out->len;
}

static void expect_own(struct vt *vt, const char *name)
{
    const struct sf_strbuf *out = vt_take(vt);
    size_t end = end_of_own(out), at = first_alien(out->buf, end);
    struct sf_strbuf shown = SF_STRBUF_INIT;
    char text[400];

    if (at == end)
        return;
    for (size_t i = at > 20 ? at - 20 : 0; i < out->len && i < at + 40; i++)
        sf_strbuf_addf(&shown, i == at ? " >%02x" : " %02x", (unsigned)(unsigned char)out->buf[i]);
    snprintf(text, sizeof(text), "%s", shown.buf);
    sf_strbuf_release(&shown);
    fail_msg("%s: what no sequence of sf is:%s", name, text);
}

static const struct {
    const char *name, *bytes;
    bool own;
} scanned[] = {
    { "colours", "\033[38;5;12ma\033[m", true },
    { "a title", "\033]2;SF[chat] x\033\\", true },
    { "a clipboard", "\033]52;c;eA==\007", false },
    { "another title", "\033]2;mine\033\\", false },
    { "a question", "\033[6n", false },
    { "a reset", "\033c", false },
    { "a private mode", "\033[?1003h", false },
    { "a device string", "\033P+q\033\\", false },
    { "C1", "\302\23331m", false },
    { "a raw byte", "\233", false },
    { "bidi", "\342\200\256", false },
    { "a delete", "\177", false },
    { "a vertical tab", "\v", false },
};

static void test_scanner(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(scanned); i++) {
        size_t len = strlen(scanned[i].bytes);

        if ((first_alien(scanned[i].bytes, len) == len) != scanned[i].own)
            fail_msg("%s", scanned[i].name);
    }
}

/* ---- random input ---- */

static uint32_t seed;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(seed >> 8) * below) >> 24);
}

/*
 * Without `!`, behind which a command would run, and without the keys of the editor and of
 * suspending: while the terminal is lent the kernel itself echoes what is typed.
 */
static void add_input(struct sf_strbuf *out)
{
    static const char *const starts[] = { "\033[",    "\033O", "\033]",       "\033P",  "\033[<",
                                          "\033[27;", "\033",  "\033[200~",   "\030",   "\033[201~",
                                          "/",        "@",     "\033[<64;5;", "\033[M", "#" };
    static const char letters[] = "0123456789;:?<>~uABCDHFPQRSmMIO\r\t\n\003\033\177 abcxyz/@";

    switch (any(4)) {
    case 0:
        sf_strbuf_adds(out, starts[any(SF_COUNT(starts))]);
        break;
    case 1:
        sf_strbuf_addch(out, (char)(any(255) + 1));
        break;
    default:
        sf_strbuf_addch(out, letters[any(sizeof(letters) - 1)]);
        break;
    }
    if (strchr("!\a\032zZ", out->buf[out->len - 1]))
        sf_strbuf_truncate(out, out->len - 1);
}

static bool has_ended(struct vt *vt)
{
    return waitid(P_PID, (id_t)vt_pid(vt), &(siginfo_t){ 0 }, WEXITED | WNOHANG | WNOWAIT) != 0;
}

static void input_round(struct pty_case *s, uint32_t with)
{
    struct sf_strbuf *keys = &s->screen;
    bool late;
    char name[64];
    int status;

    seed = with;
    sf_strbuf_reset(keys);
    while (keys->len < INPUT_BYTES)
        add_input(keys);
    pty_case_begin(s, NULL);
    for (size_t at = 0; at < keys->len && !has_ended(s->vt);) {
        size_t n = 1 + any(200);

        n = n < keys->len - at ? n : keys->len - at;
        vt_send(s->vt, keys->buf + at, n);
        vt_pump(s->vt, 0);
        at += n;
    }
    if (!has_ended(s->vt))
        vt_signal(s->vt, SIGTERM);
    status = vt_wait_exit(s->vt);
    late = WIFSIGNALED(status) && /* ^C or ^\ on its way out, from the tty */
           (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGQUIT);
    if (!late && (!WIFEXITED(status) || (WEXITSTATUS(status) != 143 && WEXITSTATUS(status) != 0))) {
        char *text = vt_text(s->vt);

        print_message("%s\n", text);
        free(text);
        fail_msg("seed %u: status %x", with, (unsigned)status);
    }
    snprintf(name, sizeof(name), "random input, seed %u, status %x", with, (unsigned)status);
    if (!late) /* a signal from the tty takes with it what was written and not read yet */
        pty_case_expect_restored(s->vt, name);
    expect_own(s->vt, name);
}

static bool goes_on(int round, int rounds, int64_t since)
{
    const char *seconds = getenv("SF_HOSTILE_SECONDS");

    return seconds ? sf_clock_monotonic_ms() - since < strtoll(seconds, NULL, 10) * 500
                   : round < rounds;
}

static void test_random_input(void **state)
{
    struct pty_case *s = *state;
    int64_t since = sf_clock_monotonic_ms();
    int round = 0;

    copying = true;
    sandbox_setenv(s->sandbox, "EDITOR", "true");
    sandbox_setenv(s->sandbox, "VISUAL", "true");
    pty_case_file(s, "src/a.c", "int a;\n");
    for (; goes_on(round, INPUT_ROUNDS, since); round++)
        input_round(s, 4711 + (uint32_t)round * 7919);
    copying = false;
    print_message("  %d rounds of %d bytes\n", round, INPUT_BYTES);
}

/* ---- hostile output ---- */

static const char *const pieces[] = {
    "\033]52;c;SEVJTEM=\007",
    "\033]0;HOSTILE\007",
    "\033[2J",
    "\033c",
    "\033[?1049l",
    "\033[31;777m",
    "\033[6n",
    "\033P+q\033\\",
    "\302\23331m",
    "\342\200\256",
    "\342\201\246",
    "\033[?1000h",
    "\r",
    "\b\b\b",
    "\177",
    "\a",
    "\v\f",
    "\016",
    "\033(0",
    "\t",
    "漢字",
    "e\314\201",
    "👨‍👩‍👧",
    "❤️",
    "\357\273\277",
    "plain words ",
    "`code`",
    "**",
    "\n\n",
    "| a | b |\n|-|-|\n",
    "```\n",
    "# ",
    "- ",
    "> ",
    "[a](http://x\033[m)",
    "<!-- ",
    "\363\240\201\201",
    "\033]8;;http://x\033\\",
    "&#27;[31m",
    "$(x)",
};

static void add_hostile(struct sf_strbuf *out, bool broken)
{
    for (int i = 0; i < PIECES; i++) {
        uint32_t pick = any((uint32_t)SF_COUNT(pieces) + (broken ? 6 : 1));

        if (pick < SF_COUNT(pieces))
            sf_strbuf_adds(out, pieces[pick]);
        else if (broken)
            sf_strbuf_addch(out, (char)(any(255) + 1));
        else
            sf_strbuf_addf(out, "%0*d", (int)any(300), 7);
    }
}

static void add_json(struct sf_strbuf *out, const struct sf_strbuf *text)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_strn(&w, text->buf, text->len);
}

/* A reply of each kind, full of it: reasoning, text, calls that ask, a question, a command. */
static void make_script(struct sf_strbuf *script)
{
    static const char *const calls[][2] = {
        { " call Bash {\"command\": ", "}\n" },
        { " call AskUser {\"question\": ", "}\n" },
        { " call Write {\"content\": \"x\", \"file_path\": ", "}\n" },
        { " call Grep {\"pattern\": ", "}\n" },
        { " call LS {\"path\": ", "}\n" },
    };
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < SF_COUNT(calls); i++) {
        sf_strbuf_adds(script, "reply\n reasoning delta=7 ");
        sf_strbuf_reset(&text);
        add_hostile(&text, false);
        add_json(script, &text);
        sf_strbuf_adds(script, "\n text delta=5 ");
        add_json(script, &text);
        sf_strbuf_addf(script, "\n%s", calls[i][0]);
        add_json(script, &text);
        sf_strbuf_adds(script, calls[i][1]);
    }
    sf_strbuf_adds(script,
                   "reply\n call Bash {\"command\": \"cat hostile.bin\"}\n"
                   " call LS {\"path\": \".\"}\n call Read {\"file_path\": \"hostile.bin\"}\n"
                   "reply\n text \"${fill:300k}\"\n text \"\\n\\nthat is all\"\n");
    sf_strbuf_release(&text);
}

static void make_files(struct pty_case *s)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char *path = test_path(s->sandbox->workspace, "hostile.bin");

    for (int i = 0; i < 10; i++)
        add_hostile(&text, true);
    test_write(path, text.buf, text.len);
    free(path);
    sf_strbuf_release(&text);
    pty_case_file(s, "two\nlines\033[31m\033]52;c;eA==\007.txt", "x\n");
    pty_case_file(s, "\342\200\256txt.exe", "x\n");
    pty_case_file(s, "broken\377\233name", "x\n");
    pty_case_file(s, ".git/HEAD", "ref: refs/heads/\033]0;HOSTILE\007\033[31m\n");
}

/* A card that takes keys gets its answer, once a second. */
static bool is_over(struct vt *vt, const void *ctx)
{
    struct pty_case *s = *(struct pty_case *const *)ctx;

    if (pty_case_sees(s, "waiting for you") && !pty_case_sees(s, "waiting for you 0:00"))
        vt_type(vt, pty_case_sees(s, "no answer") ? "answer\r" : "n");
    return pty_case_sees(s, "that is all");
}

static void answer_until_over(struct pty_case *s)
{
    vt_wait(s->vt, is_over, &s, "the last answer");
    vt_wait_no_text(s->vt, "Esc cancels");
}

static void look_everywhere(struct pty_case *s)
{
    static const char *const keys[] = {
        "\017",      "\033[5~", "/logs\r", "\033", "/sessions\r", "\033", "\022",
        "\033",      "@",       "two",     "\003", "\006HOS",     "\033", "!cat hostile.bin\r",
        "/status\r", "\033",    "\033[6~"
    };

    for (size_t i = 0; i < SF_COUNT(keys); i++) {
        vt_type(s->vt, keys[i]);
        vt_pump(s->vt, 60);
        vt_wait_quiet(s->vt);
    }
}

static void output_round(struct pty_case *s, uint32_t with)
{
    struct sf_strbuf *script = &s->screen;

    seed = with;
    sf_strbuf_reset(script);
    make_script(script);
    make_files(s);
    model_server_stop(s->server);
    pty_case_serve(s, script->buf);
    pty_case_begin(s, NULL);
    vt_type(s->vt, "begin\r");
    answer_until_over(s);
    look_everywhere(s);
    vt_signal(s->vt, SIGTERM);
    assert_int_equal(WEXITSTATUS(vt_wait_exit(s->vt)), 143);
    pty_case_expect_restored(s->vt, "hostile output");
    expect_own(s->vt, "hostile output");
    pty_case_begin(s, "-c");
    assert_null(strstr(vt_modes(s->vt)->title, "HOSTILE"));
    vt_signal(s->vt, SIGTERM);
    assert_int_equal(WEXITSTATUS(vt_wait_exit(s->vt)), 143);
    expect_own(s->vt, "hostile output, told again");
}

static void test_hostile_output(void **state)
{
    struct pty_case *s = *state;
    int64_t since = sf_clock_monotonic_ms();
    int round = 0;

    pty_case_large_window(s);
    for (; goes_on(round, OUTPUT_ROUNDS, since); round++)
        output_round(s, 815 + (uint32_t)round * 104729);
    print_message("  %d rounds\n", round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scanner),
        AT_TERMINAL(test_random_input),
        AT_TERMINAL(test_hostile_output),
    };

    cmocka_set_test_filter(getenv("SF_TEST_FILTER"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
