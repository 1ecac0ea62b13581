/*
 * A program that talks to sf over one process: prompts, answers, steering, cancelling and commands
 * as lines on standard input, and every object that comes back held against the schema.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/agent_sandbox.h"
#include "support/schema.h"
#include "support/test.h"

enum { PATIENCE_MS = 120000 };

/* A running sf, and what it has printed so far. */
struct talk {
    pid_t pid;
    int to, from;
    struct sf_strbuf out;
    size_t read; /* bytes of `out` that talk_until has passed */
};

static void talk_start(struct talk *t, struct sandbox *w, const char *const *words)
{
    char *argv[16] = { (char *)(uintptr_t)SF_PROGRAM };
    int in[2], out[2];

    for (size_t i = 0; words[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i];
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    *t = (struct talk){ .pid = fork(), .to = in[1], .from = out[0], .out = SF_STRBUF_INIT };
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || chdir(w->workspace) != 0)
            _exit(126);
        execve(SF_PROGRAM, argv, w->env.items);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
}

/* More of the output; false at its end. */
static bool talk_more(struct talk *t)
{
    struct pollfd p = { .fd = t->from, .events = POLLIN };
    char buf[65536];
    ssize_t n;

    if (poll(&p, 1, PATIENCE_MS) != 1)
        fail_msg("sf has gone silent after\n%s", t->out.buf);
    n = read(t->from, buf, sizeof(buf));
    assert_true(n >= 0);
    sf_strbuf_add(&t->out, buf, (size_t)n);
    return n > 0;
}

/* The next object of that type that has the text; it is the caller's. */
static char *talk_until(struct talk *t, const char *type, const char *has)
{
    char want[64];

    snprintf(want, sizeof(want), "\"type\":\"%s\"", type);
    for (;;) {
        const char *line = t->out.buf + t->read, *end = strchr(line, '\n');
        char *one;

        if (!end && !talk_more(t))
            fail_msg("no %s with %s in\n%s", type, has, t->out.buf);
        if (!end)
            continue;
        t->read += (size_t)(end - line) + 1;
        one = sf_strndup(line, (size_t)(end - line));
        if (strstr(one, want) && strstr(one, has))
            return one;
        free(one);
    }
}

static void talk_see(struct talk *t, const char *type, const char *has)
{
    free(talk_until(t, type, has));
}

static void talk_say(struct talk *t, const char *lines)
{
    assert_int_equal(write(t->to, lines, strlen(lines)), (ssize_t)strlen(lines));
}

static int talk_wait(struct talk *t)
{
    int status;

    while (talk_more(t))
        ;
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    close(t->from);
    if (t->to >= 0)
        close(t->to);
    schema_check_stream(t->out.buf, t->out.len, "a conversation");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Closes the input and waits for the end; the exit code. */
static int talk_end(struct talk *t)
{
    close(t->to);
    t->to = -1;
    return talk_wait(t);
}

static const char *const plain[] = { "exec", "--input-format", "stream-json", NULL };

/* ---- five turns ---- */

static const char five[] =
    "reply\n    expect-contains \"the first\"\n    text \"One.\"\n"
    "reply\n    expect-contains \"the second\"\n"
    "    call Bash id=net {\"command\":\"curl http://127.0.0.1:1/\"}\n"
    "    call Bash id=del {\"command\":\"rm gone.txt\"}\n"
    "reply\n    expect-tool-result Bash contains \"not that one\"\n    text \"Two.\"\n"
    "reply\n    expect-contains \"the third\"\n"
    "    call Bash {\"command\":\"echo begun; until [ -e go ]; do sleep 0.05; done\"}\n"
    "reply\n    expect-contains \"and this too\"\n    text \"Three.\"\n"
    "reply\n    expect-contains \"the fourth\"\n"
    "    call Bash {\"command\":\"echo at work; sleep 600\"}\n"
    "reply\n    expect-contains \"the fifth\"\n"
    "    call AskUser id=who {\"question\":\"Who?\"}\n"
    "reply\n    expect-tool-result AskUser contains \"a program\"\n    text \"Five.\"\n";

static void test_five_turns(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, five, NULL);
    struct talk t;

    agent_sandbox_file(w, "gone.txt", "x\n");
    talk_start(&t, w, plain);
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"the first\",\"id\":\"p1\"}\n");
    talk_see(&t, "input", "\"line\":1,\"id\":\"p1\",\"kind\":\"prompt\",\"status\":\"taken\"");
    talk_see(&t, "turn_end", "\"status\":\"done\"");

    talk_say(&t, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"the second\"},"
                 "\"session_id\":\"x\"}\n");
    talk_see(&t, "ask", "\"id\":\"net\"");
    talk_say(&t, "{\"type\":\"answer\",\"call\":\"net\",\"reply\":\"once\"}\n");
    talk_see(&t, "tool_result", "\"id\":\"net\"");
    talk_see(&t, "ask", "\"replies\":[\"confirm\",\"deny\",\"stop\"]");
    talk_say(&t, "{\"type\":\"answer\",\"call\":\"del\",\"reply\":\"once\"}\n");
    talk_see(&t, "input", "needs to be confirmed");
    talk_say(&t, "{\"type\":\"answer\",\"call\":\"del\",\"reply\":\"deny\","
                 "\"words\":\"not that one\"}\n");
    talk_see(&t, "turn_end", "\"status\":\"done\"");

    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"the third\"}\n");
    talk_see(&t, "tool_output", "begun");
    talk_say(&t, "{\"type\":\"steer\",\"text\":\"and this too\"}\n");
    talk_see(&t, "steer", "and this too");
    agent_sandbox_file(w, "go", "");
    talk_see(&t, "steered", "and this too");
    talk_see(&t, "turn_end", "\"status\":\"done\"");

    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"the fourth\"}\n");
    talk_see(&t, "tool_output", "at work");
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"the fifth\",\"id\":\"p5\"}\n");
    talk_see(&t, "input", "\"id\":\"p5\",\"kind\":\"prompt\",\"status\":\"queued\"");
    talk_say(&t, "{\"type\":\"cancel\"}\n");
    talk_see(&t, "turn_end", "\"status\":\"cancelled\"");

    talk_see(&t, "question", "Who?");
    talk_say(&t, "{\"type\":\"answer\",\"call\":\"who\",\"words\":\"a program\"}\n");
    talk_see(&t, "text", "Five.");
    assert_int_equal(talk_end(&t), 0);
    assert_non_null(strstr(t.out.buf, "\"type\":\"done\""));
    assert_non_null(strstr(t.out.buf, "\"exit_code\":0"));
    assert_non_null(strstr(t.out.buf, "\"result\":\"Five.\""));
    agent_sandbox_check(server, "five turns");
    model_server_stop(server);
    sf_strbuf_release(&t.out);
}

/* ---- all lines at once ---- */

static const char two_replies[] = "reply\n    text \"One.\"\nreply\n    text \"Two.\"\n";

static const struct {
    const char *name, *replies, *input;
    int code;
    size_t inputs; /* objects of the type input */
    const char *has[4], *lacks;
} cases[] = {
    { "nothing", two_replies, "", 0, 0, { "\"type\":\"done\"" }, "\"prompt\"" },
    { "empty lines alone", two_replies, "\n  \n\r\n", 0, 0, { "\"exit_code\":0" }, "\"input\"" },
    { "a line without its newline",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"a\"}",
      0,
      1,
      { "\"text\":\"One.\"" },
      "refused" },
    { "two prompts at once are two turns",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"prompt\",\"text\":\"b\"}\n",
      0,
      3,
      { "One.", "\"line\":2,\"kind\":\"prompt\",\"status\":\"queued\"",
        "\"line\":2,\"kind\":\"prompt\",\"status\":\"taken\"", "\"result\":\"Two.\"" },
      NULL },
    { "a mark in front of UTF-8",
      two_replies,
      "\xef\xbb\xbf{\"type\":\"prompt\",\"text\":\"a\"}\n",
      0,
      1,
      { "One." },
      "refused" },
    { "a prompt is never a command",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"/cost\"}\n{\"type\":\"prompt\",\"text\":\"!ls\"}\n",
      0,
      3,
      { "\"text\":\"/cost\"", "\"result\":\"Two.\"" },
      "\"response\"" },
    { "a command changes the mode and waits for its turn",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"command\",\"text\":\"/mode plan\"}\n"
      "{\"type\":\"prompt\",\"text\":\"b\"}\n",
      0,
      5,
      { "\"transition\"", "\"workMode\":\"plan\"", "\"result\":\"Two.\"" },
      "refused" },
    { "garbage, then a prompt",
      two_replies,
      "garbage\n[1]\n{}\n{\"type\":7}\n{\"type\":\"prompt\",\"text\":\"a\"}\n",
      0,
      5,
      { "\"line\":4,\"kind\":null,\"status\":\"refused\"", "a line must be an object", "One." },
      NULL },
    { "garbage alone is a wrong use", two_replies, "\x01\xff\xfe\n", 2, 1, { "refused" }, NULL },
    { "a type that is nearly right",
      two_replies,
      "{\"type\":\"promt\",\"text\":\"a\"}\n",
      2,
      1,
      { "did you mean prompt?" },
      NULL },
    { "a member too many",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"a\",\"wrods\":\"b\"}\n",
      2,
      1,
      { "has no member wrods" },
      NULL },
    { "a member of another type",
      two_replies,
      "{\"type\":\"prompt\",\"text\":1,\"id\":\"x\"}\n",
      2,
      1,
      { "\"id\":\"x\",\"kind\":\"prompt\",\"status\":\"refused\"" },
      NULL },
    { "a member too few",
      two_replies,
      "{\"type\":\"answer\"}\n",
      2,
      1,
      { "needs \\\"call\\\"" },
      NULL },
    { "no words",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\" \"}\n",
      2,
      1,
      { "no words" },
      NULL },
    { "a picture",
      two_replies,
      "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"image\"}]}}\n",
      2,
      1,
      { "of the type text alone" },
      NULL },
    { "an answer to nothing",
      two_replies,
      "{\"type\":\"answer\",\"call\":\"c\",\"reply\":\"once\"}\n{\"type\":\"confirm\",\"yes\":"
      "true}\n{\"type\":\"cancel\"}\n",
      2,
      3,
      { "no call c waits", "no question of sf", "nothing runs" },
      NULL },
    { "steering without a turn is a prompt",
      two_replies,
      "{\"type\":\"steer\",\"text\":\"a\"}\n",
      0,
      1,
      { "\"type\":\"prompt\"", "One." },
      "\"steered\"" },
    { "lines behind the end are not read",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"end\"}\n{\"type\":\"prompt\",\"text\":"
      "\"b\"}\n",
      0,
      2,
      { "\"result\":\"One.\"" },
      "Two." },
    { "cut in the middle of the last line",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"prompt\",\"te",
      0,
      2,
      { "\"line\":2,\"kind\":null,\"status\":\"refused\"", "bad JSON", "\"result\":\"One.\"" },
      NULL },
    { "a question that nobody is left to answer",
      "reply\n    call Bash {\"command\":\"curl http://127.0.0.1:1/\"}\nreply\n    text \"No.\"\n",
      "{\"type\":\"prompt\",\"text\":\"a\"}\n",
      3,
      1,
      { "\"ask\"", "\"refused\":true", "\"exit_code\":3" },
      NULL },
    { "a turn that fails, and the next one goes well",
      "reply\n    status 400 \"no\"\nreply\n    text \"Two.\"\n",
      "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"prompt\",\"text\":\"b\"}\n",
      0,
      3,
      { "\"status\":\"failed\",\"category\":", "\"result\":\"Two.\"" },
      NULL },
    { "a command that fails before a turn that goes well",
      two_replies,
      "{\"type\":\"command\",\"text\":\"/nope\"}\n{\"type\":\"prompt\",\"text\":\"a\"}\n",
      0,
      2,
      { "\"result\":\"One.\"", "\"exit_code\":0" },
      NULL },
    { "a command that fails behind a turn that went well",
      two_replies,
      "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"command\",\"text\":\"/nope\"}\n",
      0,
      3,
      { "\"result\":\"One.\"", "\"exit_code\":0" },
      NULL },
    { "a command that fails alone",
      two_replies,
      "{\"type\":\"command\",\"text\":\"/nope\"}\n",
      2,
      1,
      { "\"exit_code\":2" },
      NULL },
    { "a turn that fails last",
      "reply\n    text \"One.\"\nreply\n    status 400 \"no\"\n",
      "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"prompt\",\"text\":\"b\"}\n",
      1,
      3,
      { "One.", "\"exit_code\":1", "\"result\":\"\"" },
      NULL },
};

static size_t count_inputs(const char *out)
{
    size_t count = 0;

    for (; (out = strstr(out, "\"type\":\"input\"")); out++)
        count++;
    return count;
}

static void test_lines(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, cases[i].replies, NULL);
        struct talk t;
        int code;

        talk_start(&t, w, plain);
        talk_say(&t, cases[i].input);
        code = talk_end(&t);
        if (code != cases[i].code)
            fail_msg("%s: exit code %d, not %d\n%s", cases[i].name, code, cases[i].code, t.out.buf);
        for (size_t k = 0; k < SF_COUNT(cases[i].has) && cases[i].has[k]; k++)
            if (!strstr(t.out.buf, cases[i].has[k]))
                fail_msg("%s: no %s in\n%s", cases[i].name, cases[i].has[k], t.out.buf);
        if (count_inputs(t.out.buf) != cases[i].inputs)
            fail_msg("%s: %zu objects about lines, not %zu, in\n%s", cases[i].name,
                     count_inputs(t.out.buf), cases[i].inputs, t.out.buf);
        if (cases[i].lacks && strstr(t.out.buf, cases[i].lacks))
            fail_msg("%s: %s in\n%s", cases[i].name, cases[i].lacks, t.out.buf);
        model_server_stop(server);
        sf_strbuf_release(&t.out);
    }
}

/* ---- one turn after the other ---- */

/* A refused custom command ends each of two turns, and the third one goes well. */
static void test_refused_commands(void **state)
{
    static const char *const words[] = { "exec",     "--input-format", "stream-json",
                                         "--on-ask", "deny",           NULL };
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, two_replies, NULL);
    struct talk t;

    agent_sandbox_file(w, ".sf/commands/asks.md", "find TODO in !`./unknown`");
    sandbox_expect(w, "trust add", 0, NULL, NULL);
    talk_start(&t, w, words);
    for (int i = 0; i < 2; i++) {
        talk_say(&t, "{\"type\":\"command\",\"text\":\"/asks\"}\n");
        talk_see(&t, "turn_end", "\"status\":\"done\"");
    }
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"a\"}\n");
    assert_int_equal(talk_end(&t), 0);
    assert_non_null(strstr(t.out.buf, "\"result\":\"One.\""));
    model_server_stop(server);
    sf_strbuf_release(&t.out);
}

/* ---- sizes ---- */

/* sf reads while the test writes, so both ends go on. */
static void say_long(struct talk *t, size_t len)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    size_t done = 0;

    sf_strbuf_adds(&line, "{\"type\":\"prompt\",\"text\":\"");
    sf_strbuf_fill(&line, 'x', len);
    sf_strbuf_adds(&line, "\"}\n");
    while (done < line.len) {
        ssize_t n = write(t->to, line.buf + done, line.len - done);

        assert_true(n > 0);
        done += (size_t)n;
    }
    sf_strbuf_release(&line);
}

static void test_long_line(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, two_replies, NULL);
    struct talk t;

    talk_start(&t, w, plain);
    say_long(&t, (size_t)10 * 1024 * 1024);
    talk_see(&t, "input", "\"line\":1,\"kind\":null,\"status\":\"refused\"");
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"a\"}\n");
    talk_see(&t, "input", "\"line\":2,\"kind\":\"prompt\",\"status\":\"taken\"");
    assert_int_equal(talk_end(&t), 0);
    model_server_stop(server);
    sf_strbuf_release(&t.out);
}

/* More lines than may wait, but none waits: all are taken in their order. */
static void test_many_lines(void **state)
{
    enum { LINES = 300 };
    struct sandbox *w = *state;
    struct sf_strbuf lines = SF_STRBUF_INIT;
    struct talk t;

    for (int i = 1; i <= LINES; i++)
        sf_strbuf_addf(&lines, "{\"type\":\"command\",\"text\":\"/pin fact\",\"id\":\"%d\"}\n", i);
    sandbox_setenv(w, "SF_MODELS_PROVIDER", "offline");
    talk_start(&t, w, plain);
    talk_say(&t, lines.buf);
    for (int i = 1; i <= LINES; i++) {
        char has[96];

        snprintf(has, sizeof(has),
                 "\"line\":%d,\"id\":\"%d\",\"kind\":\"command\",\"status\":\"taken\"", i, i);
        talk_see(&t, "input", has);
    }
    talk_end(&t);
    sf_strbuf_release(&t.out);
    sf_strbuf_release(&lines);
}

/* However much waits, the line that lets it move is read; what would be too much is refused. */
static void test_full_queue(void **state)
{
    enum { LINES = 70, ROOM = 64 };
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_CHAT,
        "reply\n    call AskUser id=who {\"question\":\"Who?\"}\nreply\n    text \"One.\"\n", NULL);
    struct sf_strbuf lines = SF_STRBUF_INIT;
    struct talk t;

    for (int i = 1; i <= LINES; i++)
        sf_strbuf_addf(&lines, "{\"type\":\"command\",\"text\":\"/pin fact\",\"id\":\"c%d\"}\n", i);
    talk_start(&t, w, plain);
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"a\"}\n");
    talk_see(&t, "question", "Who?");
    talk_say(&t, lines.buf);
    talk_see(&t, "input", "\"id\":\"c64\",\"kind\":\"command\",\"status\":\"queued\"");
    for (int i = ROOM + 1; i <= LINES; i++) {
        char has[96];

        snprintf(has, sizeof(has), "\"id\":\"c%d\",\"kind\":\"command\",\"status\":\"refused\"", i);
        talk_see(&t, "input", has);
    }
    talk_say(&t, "{\"type\":\"answer\",\"call\":\"who\",\"words\":\"a program\"}\n");
    talk_see(&t, "turn_end", "\"status\":\"done\"");
    talk_see(&t, "input", "\"id\":\"c64\",\"kind\":\"command\",\"status\":\"taken\"");
    talk_say(&t, "{\"type\":\"command\",\"text\":\"/pin fact\",\"id\":\"last\"}\n");
    talk_see(&t, "input", "\"id\":\"last\",\"kind\":\"command\",\"status\":\"taken\"");
    talk_end(&t);
    agent_sandbox_check(server, "a full queue");
    model_server_stop(server);
    sf_strbuf_release(&t.out);
    sf_strbuf_release(&lines);
}

/* A reader that is slower than the model: everything comes, since sf waits for it. */
static void test_slow_reader(void **state)
{
    enum { BYTES = 2 * 1024 * 1024 };
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n    text \"${fill:2M}\"\n", NULL);
    size_t count = 0;
    struct talk t;

    talk_start(&t, w, plain);
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"a\"}\n");
    assert_true(model_server_wait(server, 1, PATIENCE_MS));
    talk_say(&t, "{\"type\":\"end\"}\n");
    assert_int_equal(talk_end(&t), 0);
    for (const char *at = t.out.buf; (at = strstr(at, "\"type\":\"text\"")); at++) {
        at = strstr(at, "\"text\":\"x");
        assert_non_null(at);
        count += strspn(at + strlen("\"text\":\""), "x");
    }
    assert_int_equal(count, BYTES);
    model_server_stop(server);
    sf_strbuf_release(&t.out);
}

/* ---- ends from outside ---- */

static const char working[] =
    "reply\n    call Bash {\"command\":\"echo at work; sleep 600\"}\nreply\n    text \"Two.\"\n";

static void test_signal_drops_what_waits(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, working, NULL);
    struct talk t;

    talk_start(&t, w, plain);
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"a\"}\n{\"type\":\"prompt\",\"text\":\"b\"}\n");
    talk_see(&t, "tool_output", "at work");
    kill(t.pid, SIGTERM);
    talk_see(&t, "input", "\"line\":2,\"kind\":\"prompt\",\"status\":\"dropped\"");
    talk_see(&t, "turn_end", "\"status\":\"cancelled\"");
    assert_int_equal(talk_wait(&t), 143);
    model_server_stop(server);
    sf_strbuf_release(&t.out);
}

static void test_timeout_ends_a_question(void **state)
{
    static const char *const words[] = { "exec", "--input-format", "stream-json", "--timeout", "2",
                                         NULL };
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_CHAT, "reply\n    call AskUser {\"question\":\"Who?\"}\n", NULL);
    struct talk t;

    talk_start(&t, w, words);
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"a\"}\n");
    talk_see(&t, "question", "Who?");
    assert_int_equal(talk_wait(&t), 124);
    model_server_stop(server);
    sf_strbuf_release(&t.out);
}

/* ---- the command line ---- */

static void test_options(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, two_replies, NULL);

    sandbox_expect(w, "exec --input-format stream-json --output-format text", 2, NULL,
                   "does not go with --output-format text");
    sandbox_expect(w, "exec --input-format lines", 2, NULL, "input-format");
    sandbox_expect(w, "-p 'the first' --input-format stream-json --output-format stream-json", 0,
                   "\"line\":0,\"kind\":\"prompt\",\"status\":\"taken\"", NULL);
    model_server_stop(server);
}

/* What the user said during the turn is a part of what the model had answered to. */
static void test_steering_is_recorded(void **state)
{
    static const char *const words[] = { "exec",     "--input-format", "stream-json",
                                         "--record", "tape",           NULL };
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT,
                            "reply\n    call Bash {\"command\":\"echo begun; until [ -e go ]; do "
                            "sleep 0.05; done\"}\nreply\n    text \"Seen.\"\n",
                            NULL);
    struct talk t;

    talk_start(&t, w, words);
    talk_say(&t, "{\"type\":\"prompt\",\"text\":\"look\"}\n");
    talk_see(&t, "tool_output", "begun");
    talk_say(&t, "{\"type\":\"steer\",\"text\":\"only src\"}\n");
    talk_see(&t, "steer", "only src");
    agent_sandbox_file(w, "go", "");
    assert_int_equal(talk_end(&t), 0);
    model_server_stop(server);
    sandbox_expect(w, "exec --provider replay:tape look", 1, NULL,
                   "here the user steered: only src");
    sf_strbuf_release(&t.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_five_turns, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_lines, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_refused_commands, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_long_line, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_many_lines, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_full_queue, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_slow_reader, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_signal_drops_what_waits, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_timeout_ends_a_question, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_steering_is_recorded, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_options, sandbox_setup, sandbox_teardown),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
