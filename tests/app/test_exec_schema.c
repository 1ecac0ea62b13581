/*
 * Answers that fit a schema, and the file of the last answer: what is printed, what is asked again,
 * what the request holds for services with a mode of their own, and that an answer which never fits
 * reaches neither standard output nor the file.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/program.h"
#include "support/test.h"

#define CLOSED                                                                                 \
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]," \
    "\"additionalProperties\":false}\n"
#define SAYS(text) "reply\n    text \"" text "\"\n"

static const struct {
    const char *name, *scenario, *words;
    int code;
    const char *out; /* all of standard output */
    const char *err;
} cases[] = {
    { "an answer that fits", SAYS("{\\\"n\\\": 3}"), "--output-schema s.json", 0, "{\"n\":3}\n",
      "" },
    { "in a fenced block", SAYS("```json\\n{\\\"n\\\": 3}\\n```"), "--output-schema s.json", 0,
      "{\"n\":3}\n", "" },
    { "at the second try", SAYS("three") SAYS("{\\\"n\\\": 3}"), "--output-schema s.json", 0,
      "{\"n\":3}\n", "" },
    { "at the third try", SAYS("three") SAYS("{\\\"n\\\": \\\"x\\\"}") SAYS("{\\\"n\\\": 3}"),
      "--output-schema s.json", 0, "{\"n\":3}\n", "" },
    { "never", SAYS("a") SAYS("b") SAYS("{\\\"n\\\": \\\"x\\\"}"), "--output-schema s.json", 1, "",
      "does not fit the schema, after 3 tries: /n: must be of type integer" },
    { "no such file", SAYS("a"), "--output-schema none.json", 2, "", "none.json" },
    { "no JSON", SAYS("a"), "--output-schema broken.json", 2, "", "broken.json" },
    { "a keyword that is not checked", SAYS("a"), "--output-schema pattern.json", 2, "",
      "/: the keyword pattern is not supported" },
    { "the last answer in a file", SAYS("done"), "-o last.txt", 0, "done\n", "" },
    { "in a directory that is not there", SAYS("a"), "-o nowhere/last.txt", 2, "",
      "--output-last-message" },
    { "in a directory", SAYS("a"), "-o src", 2, "", "not a regular file" },
    { "in a hook", SAYS("a"), "-o .git/hooks/post-commit", 2, "", "protected" },
};

static void fill(struct sandbox *w)
{
    agent_sandbox_file(w, "s.json", CLOSED);
    agent_sandbox_file(w, "broken.json", "{\n");
    agent_sandbox_file(w, "pattern.json", "{\"pattern\":\"a\"}\n");
    agent_sandbox_file(w, "src/a.c", "x\n");
    agent_sandbox_file(w, ".git/hooks/x", "x\n");
}

static void test_cases(void **state)
{
    struct sandbox *w = *state;

    fill(w);
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, cases[i].scenario, NULL);
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct outcome o;

        sf_strbuf_addf(&words, "exec %s 'how many?'", cases[i].words);
        o = sandbox_run(w, words.buf);
        if (o.code != cases[i].code || strcmp(o.out, cases[i].out) != 0 ||
            !strstr(o.err, cases[i].err))
            fail_msg("%s: exit code %d: %s%s", cases[i].name, o.code, o.out, o.err);
        outcome_release(&o);
        sf_strbuf_release(&words);
        model_server_stop(server);
    }
}

/* The object has it as a value; the file has it as text, and is left alone by what never fits. */
static void test_object_and_file(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, SAYS("{\\\"n\\\": 3}"), NULL);
    struct sf_json *done;
    struct outcome o;
    char *text;

    fill(w);
    o = sandbox_run(w, "exec --output-schema s.json -o last.txt --output-format json go");
    done = agent_sandbox_object(o.out, "done");
    if (o.code != 0 || !done || !strstr(o.out, "\"structured_output\":{\"n\":3}"))
        fail_msg("%s%s", o.out, o.err);
    sf_json_free(done);
    outcome_release(&o);
    model_server_stop(server);
    text = agent_sandbox_text(w, "last.txt");
    assert_string_equal(text, "{\"n\":3}\n");
    free(text);

    server = agent_sandbox_serve(w, SF_WIRE_CHAT, SAYS("a") SAYS("b") SAYS("c"), NULL);
    o = sandbox_run(w, "exec --output-schema s.json -o last.txt --output-format json go");
    assert_int_equal(o.code, 1);
    assert_null(strstr(o.out, "structured_output"));
    outcome_release(&o);
    model_server_stop(server);
    text = agent_sandbox_text(w, "last.txt");
    assert_string_equal(text, "{\"n\":3}\n");
    free(text);
}

/* A command has no answer of a model. */
static void test_command(void **state)
{
    struct sandbox *w = *state;

    fill(w);
    sandbox_expect(w, "-p /cost --output-schema s.json", 2, NULL, "is a command");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_object_and_file, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_command, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
