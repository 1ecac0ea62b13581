/*
 * test_add_dir.c: --add-dir with the real program: what is read in an added directory, what asks,
 * what the cage lets a command write there, and that a resumed session has it still.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/agent_sandbox.h"
#include "support/test.h"

static void plant(struct sandbox *w)
{
    struct outcome o;

    o = sandbox_run_program(
        w, "/bin/sh",
        "-c 'mkdir -p ../other/sub ../else && echo alpha > ../other/x && echo omega > ../else/y && "
        "ln -s ../else/y ../other/leak && echo here > z'");
    assert_int_equal(o.code, 0);
    outcome_release(&o);
    sandbox_expect(w, "trust add", 0, NULL, NULL);
}

static void expect_other(struct sandbox *w, const char *name, const char *want)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&words, "../%s", name);
    o = sandbox_run_program(w, "/bin/cat", words.buf);
    if (strcmp(o.out, want) != 0)
        fail_msg("%s holds %s", name, o.out);
    outcome_release(&o);
    sf_strbuf_release(&words);
}

static const struct {
    const char *name, *words;
    int code;
    const char *out, *err;
} rows[] = {
    { "not added", "-p 'read ../other/x'", 3, NULL, "outside the workspace" },
    { "a file", "--add-dir ../other -p 'read ../other/x'", 0, "alpha", NULL },
    { "two directories", "--add-dir ../other --add-dir ../else -p 'read ../else/y'", 0, "omega",
      NULL },
    { "a list", "--add-dir ../other -p 'list ../other'", 0, "sub/", NULL },
    { "a search", "--add-dir ../other -p 'find alpha in ../other'", 0, "x", NULL },
    { "a search does not follow links", "--add-dir ../other -p 'find omega in ../other'", 0,
      "no matches", NULL },
    { "a link that leads out", "--add-dir ../other -p 'read ../other/leak'", 3, NULL,
      "outside the workspace" },
    { "writing asks, and nobody is there",
      "--add-dir ../other --mode build -p 'create ../other/n with hello'", 3, NULL,
      "no snapshot covers it" },
    { "no directory", "--add-dir ../nowhere -p 'read z'", 2, NULL, "is not there" },
    { "all of it", "--add-dir / -p 'read z'", 2, NULL, "no directory of a project" },
    { "the workspace", "--add-dir . -p 'read z'", 2, NULL, "in the workspace" },
    { "a command adds none here", "-p '/add-dir ../other'", 2, NULL, "--add-dir DIR" },
    { "a command lists them", "--add-dir ../other -p /add-dir", 0, "/other", NULL },
    { "the status says it", "--add-dir ../other -p /status", 0, "not covered by undo", NULL },
};

static void test_rows(void **state)
{
    plant(*state);
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        print_message("%s\n", rows[i].name);
        sandbox_expect(*state, rows[i].words, rows[i].code, rows[i].out, rows[i].err);
    }
    expect_other(*state, "other/x", "alpha\n");
}

static void test_resumed(void **state)
{
    plant(*state);
    sandbox_expect(*state, "exec --add-dir ../other 'read ../other/x'", 0, "alpha", NULL);
    sandbox_expect(*state, "exec --continue 'list ../other'", 0, "sub/", NULL);
    sandbox_expect(*state, "exec 'read ../other/x'", 3, NULL, "outside the workspace");
}

/* A file that was approved is written; commands write there only when a person confirms it. */
static void test_writing(void **state)
{
    struct model_server *server = agent_sandbox_serve(
        *state, SF_WIRE_CHAT,
        "reply\n    call Write {\"file_path\":\"../other/made\",\"content\":\"new\\n\"}\n"
        "    call Bash {\"command\":\"cat ../other/x\"}\n"
        "    call Bash {\"command\":\"echo no > ../other/no\"}\n"
        "    call Bash {\"command\":\"python3 -c 'open(\\\"../other/x\\\",\\\"w\\\")'\"}\n"
        "reply\n    text \"done\"\n",
        NULL);
    size_t len;

    plant(*state);
    sandbox_expect(*state,
                   "exec --add-dir ../other --mode build --control assisted --on-ask allow 'go'", 3,
                   "done", "it needs a person");
    assert_non_null(strstr(model_server_body(server, 0, &len), "added directory: "));
    assert_non_null(strstr(model_server_body(server, 1, &len), "alpha"));
    expect_other(*state, "other/made", "new\n");
    expect_other(*state, "other/no", "");
    expect_other(*state, "other/x", "alpha\n"); /* the cage held, whatever the program tried */
    model_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_resumed, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_writing, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
