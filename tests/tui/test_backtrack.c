/*
 * Going back at the terminal over a turn with parallel calls and a sub-agent, for every kind of service:
 * the conversation, the files or both; the prompt is in the composer again; results are no prompts;
 * what is said next is taken by the service. Where the conversation stays, it stays whole.
 */
#include <string.h>
#include <unistd.h>

#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

static const char turns[] =
    "reply\n    call Write {\"file_path\":\"a.txt\",\"content\":\"one\\n\"}\n"
    "reply\n    text \"One is written.\"\n"
    "reply\n    call Write {\"file_path\":\"a.txt\",\"content\":\"two\\n\"}\n"
    "    call Write {\"file_path\":\"b.txt\",\"content\":\"more\\n\"}\n"
    "    call Agent {\"prompt\":\"count\",\"description\":\"count\"}\n"
    "reply\n    call LS {\"path\":\".\"}\n"
    "reply\n    text \"there are two\"\n"
    "reply\n    text \"More is written.\"\n";

struct way {
    const char *name, *keys, *then;
    bool conversation, files;
};

static const struct way ways[] = {
    { "conversation", "\r", "a fork", true, false },
    { "files", "\033[B\r", "Put files back", false, true },
    { "both", "\033[B\033[B\r", "Put files back", true, true },
};

static void begin(struct pty_case *s, enum sf_wire_format format, const struct way *way)
{
    struct sf_strbuf script = SF_STRBUF_INIT;

    sf_strbuf_adds(&script, turns);
    sf_strbuf_addf(&script, "reply\n    expect-contains \"One is written.\"\n    %s\n",
                   way->conversation ? "expect-lacks \"More is written.\""
                                     : "expect-contains \"More is written.\"");
    sf_strbuf_adds(&script, "    text \"And on.\"\n");
    s->server = agent_sandbox_serve(s->sandbox, format, script.buf, NULL);
    sf_strbuf_release(&script);
    pty_case_begin(s, "--mode build --control assisted --permission-profile trusted");
    pty_case_type(s, "write one\r", "One is written.");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "write more\r", "More is written.");
    vt_wait_no_text(s->vt, "Esc cancels");
}

static void expect_file(struct pty_case *s, const char *name, const char *want)
{
    char *path = test_path(s->sandbox->workspace, name), *text = NULL;

    if (!want) {
        assert_int_equal(access(path, F_OK), -1);
    } else {
        text = agent_sandbox_text(s->sandbox, name);
        assert_string_equal(text, want);
    }
    free(text);
    free(path);
}

/* Two prompts were said, and two are in the list. */
static void choose(struct pty_case *s, const struct way *way)
{
    pty_case_type(s, "\033\033", "What you said");
    vt_wait_text(s->vt, "write one");
    vt_wait_text(s->vt, "▸ 2  write more");
    pty_case_type(s, "\r", "What goes back?");
    pty_case_type(s, way->keys, way->then);
    if (way->files) {
        pty_case_wait_card(s->vt, 1);
        pty_case_type(s, "y",
                      way->conversation ? "files and conversation are" : "files are as they were");
    }
}

static void go_back(struct pty_case *s, enum sf_wire_format format, const struct way *way)
{
    begin(s, format, way);
    choose(s, way);
    if (way->conversation) {
        vt_wait_text(s->vt, "› write more");
        vt_wait_no_text(s->vt, "More is written.");
        vt_type(s->vt, "\025");
        vt_wait_no_text(s->vt, "› write more");
    }
    expect_file(s, "a.txt", way->files ? "one\n" : "two\n");
    expect_file(s, "b.txt", way->files ? NULL : "more\n");
    pty_case_type(s, "go on\r", "And on.");
    agent_sandbox_check(s->server, way->name);
}

static void test_conversation(void **state)
{
    go_back(*state, SF_WIRE_CHAT, &ways[0]);
}

static void test_files(void **state)
{
    go_back(*state, SF_WIRE_RESPONSES, &ways[1]);
}

static void test_both(void **state)
{
    go_back(*state, SF_WIRE_ANTHROPIC, &ways[2]);
}

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_conversation),
        AT_TERMINAL(test_files),
        AT_TERMINAL(test_both),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
