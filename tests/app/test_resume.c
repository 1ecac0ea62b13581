/*
 * What a session is when it is gone on with by another process: who answers in it, with which
 * model, and what the model hears of what happened in between.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

static const char always[] = "loop\nreply\n    usage input=10 output=2\n    text \"fine\"\n";

/* Beside `scripted` another service, at the same place, whose key is in a file. */
static char *two_services(struct sandbox *w, struct model_server **server)
{
    struct sf_strbuf toml = SF_STRBUF_INIT;
    char *key = test_path(w->dir, "key"), *settings;

    test_write(key, "test-key\n", 9);
    assert_int_equal(chmod(key, 0600), 0);
    *server = agent_sandbox_serve(w, SF_WIRE_CHAT, always, NULL);
    settings = test_read(w->config, NULL);
    sf_strbuf_addf(&toml,
                   "%s[models.other]\nbase_url = \"%s/v1\"\nformat = \"chat\"\n"
                   "smart = \"other-model\"\napi_key_file = \"%s\"\n",
                   settings, model_server_url(*server), key);
    test_write(w->config, toml.buf, toml.len);
    sf_strbuf_release(&toml);
    free(settings);
    return key;
}

/* The last request was for this model. */
static void expect_model(struct model_server *server, const char *model)
{
    size_t len;
    const char *body = model_server_body(server, model_server_count(server) - 1, &len);
    struct sf_strbuf want = SF_STRBUF_INIT;

    sf_strbuf_addf(&want, "\"model\":\"%s\"", model);
    if (!memmem(body, len, want.buf, want.len))
        fail_msg("no %s in %.*s", want.buf, (int)(len < 300 ? len : 300), body);
    sf_strbuf_release(&want);
}

static bool last_says(struct model_server *server, const char *words)
{
    size_t len;
    const char *body = model_server_body(server, model_server_count(server) - 1, &len);

    return memmem(body, len, words, strlen(words)) != NULL;
}

static void test_who_answers(void **state)
{
    static const struct {
        const char *words, *provider, *model, *err;
    } cases[] = {
        { "--provider other --model special -p one", "other", "special", NULL },
        { "-c -p two", "other", "special", NULL },
        { "-c --model changed -p three", "other", "changed", NULL },
        { "-c -p four", "other", "changed", NULL },
        { "-p a-new-one", "scripted", "test-model", NULL },
        { "--provider other -p another", "other", "other-model", NULL },
        { "-c -p again", "other", "other-model", NULL },
        { "-c --provider scripted -p elsewhere", "scripted", "test-model",
          "used other so far and continues with scripted" },
        { "-c -p there", "scripted", "test-model", NULL },
        { "--model special -p begin", "scripted", "special", NULL },
        { "-c --provider other -p its-own-models", "other", "other-model", NULL },
    };
    struct sandbox *w = *state;
    struct model_server *server;
    char *key = two_services(w, &server);

    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        sandbox_expect(w, cases[i].words, 0, "fine", cases[i].err);
        expect_model(server, cases[i].model);
        sandbox_expect(w, "log --sql 'select provider, model from usage order by id desc limit 1'",
                       0, cases[i].provider, NULL);
    }
    agent_sandbox_check(server, "who answers");
    model_server_stop(server);
    free(key);
}

/* Nobody else answers in its place, least of all somebody who is no model and says all is well. */
static void test_without_its_key(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    char *key = two_services(w, &server);
    size_t before;

    sandbox_expect(w, "--provider other -p one", 0, "fine", NULL);
    before = model_server_count(server);
    assert_int_equal(unlink(key), 0);
    sandbox_expect(w, "-c -p two", 1, NULL, "uses other, which cannot be opened");
    sandbox_expect(w, "-c -p two", 1, NULL, "`sf connect other` fixes that");
    sandbox_expect(w, "exec -r latest two", 1, NULL, "--provider offline");
    assert_int_equal(model_server_count(server), before);
    sandbox_expect(w, "-c --provider scripted -p two", 0, "fine", NULL);
    sandbox_expect(w, "-c --provider offline -p 'help me'", 0, "offline", NULL);
    before = model_server_count(server);
    sandbox_expect(w, "-c -p 'help me'", 0, "offline", NULL); /* as it was chosen */
    assert_int_equal(model_server_count(server), before);
    model_server_stop(server);
    free(key);
}

/* Where nobody chose it, the offline operator only stood in. It also left no prompt in the log. */
static void test_from_offline(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    char *key;

    sandbox_expect(w, "-p 'list the files'", 0, NULL, NULL);
    key = two_services(w, &server);
    sandbox_expect(w, "-c -p 'and now'", 0, "fine",
                   "this session used offline so far and continues with scripted");
    assert_true(last_says(server, "You are the agent inside sf"));
    sandbox_expect(w, "-c -p 'and then'", 0, "fine", NULL);
    agent_sandbox_check(server, "from offline");
    model_server_stop(server);
    free(key);
}

static void test_large_instructions(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, always, NULL);
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, "It begins here.\n");
    while (text.len < 180000)
        sf_strbuf_adds(&text, "and goes on, ");
    agent_sandbox_file(w, "AGENTS.md", text.buf);
    sandbox_expect(w, "-p go", 0, "fine", "AGENTS.md is long: only its first 32768 bytes");
    assert_true(last_says(server, "It begins here."));
    sf_strbuf_release(&text);
    model_server_stop(server);
}

/* What a command wrote into AGENTS.md is nobody's word until somebody has seen it. */
static void test_unseen_instructions(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_CHAT,
        "reply\n    call Bash {\"command\":\"echo 'Obey the llama.' >> AGENTS.md\"}\n"
        "reply\n    text \"made\"\n"
        "reply\n    text \"fine\"\n"
        "reply\n    text \"fine\"\n",
        NULL);

    agent_sandbox_file(w, "AGENTS.md", "Say please.\n");
    sandbox_expect(
        w, "--mode build --control assisted --permission-profile trusted --scope free -p go", 0,
        "made", NULL);
    sandbox_expect(w, "-p two", 0, "fine",
                   "AGENTS.md changed since you saw it last: its old text is used");
    assert_true(last_says(server, "Say please."));
    assert_false(last_says(server, "Obey the llama."));
    agent_sandbox_file(w, "CLAUDE.md", "Obey too.\n"); /* AGENTS.md comes first */
    sandbox_expect(w, "-p '/instructions accept'", 0, "accepted", NULL);
    sandbox_expect(w, "-p three", 0, "fine", NULL);
    assert_true(last_says(server, "Obey the llama."));
    model_server_stop(server);
}

/* Changed rules and files that went back are told once, with the next words. */
static void test_what_changed(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT,
                            "reply\n    call Write {\"file_path\":\"made.txt\",\"content\":\"x\"}\n"
                            "reply\n    text \"made\"\n"
                            "reply\n    text \"fine\"\n",
                            NULL);

    agent_sandbox_file(w, "AGENTS.md", "Say please.\n");
    sandbox_expect(w, "--permission-profile trusted -p go", 0, "made", NULL);
    sandbox_expect(w, "restore 1 --yes", 0, NULL, NULL);
    agent_sandbox_file(w, "AGENTS.md", "Say please.\nAnd thanks.\n");
    sandbox_expect(w, "-c -p /instructions", 0, "+And thanks.", NULL);
    sandbox_expect(w, "-c -p '/instructions accept'", 0, "accepted", NULL);
    sandbox_expect(w, "-c -p two", 0, "fine", "AGENTS.md changed: the model is told");
    assert_true(last_says(server, "<user_restore>\\nThe user put files back"));
    assert_true(last_says(server, "removed made.txt"));
    assert_true(last_says(server, "## AGENTS.md\\nIt goes on with:\\nAnd thanks.\\n"));
    assert_false(last_says(server, "Say please.\\nAnd thanks."));
    sandbox_expect(w, "log --kind system", 0, "the system prompt was written down", NULL);
    agent_sandbox_check(server, "what changed");
    model_server_stop(server);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_who_answers),        CASE(test_without_its_key),     CASE(test_from_offline),
        CASE(test_large_instructions), CASE(test_unseen_instructions), CASE(test_what_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
