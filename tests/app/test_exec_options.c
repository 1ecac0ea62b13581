/*
 * Options about the session of a run: another model where the first stays overloaded, a fork, a
 * name, and a session of which nothing stays.
 */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/program.h"
#include "support/test.h"

#define SAY       "reply\n    text \"done\"\n"
#define BUSY(n)   "reply repeat=2\n    status " n " retry-after=0\n"
#define ONLY(n)   "reply\n    status " n "\n"
#define FEW_TRIES "[network]\nretries = 1\nretry_wait = 0.01\n"
#define FALLBACK  "exec --fallback-model other-model go"

static const struct {
    const char *name, *scenario, *words;
    int code;
    const char *says;
    bool other; /* the last request names the other model */
} fallbacks[] = {
    { "overloaded", BUSY("529") SAY, FALLBACK, 0, "other-model takes over for this turn", true },
    { "unavailable", BUSY("503") SAY, FALLBACK, 0, "test-model is not available", true },
    { "too many requests", BUSY("429") SAY, FALLBACK, 0, "rate-limit", true },
    { "both are busy", BUSY("529") BUSY("529"), FALLBACK, 75, "overload", true },
    { "no such model", ONLY("404"), FALLBACK, 1, "", false },
    { "a wrong key", ONLY("401"), FALLBACK, 1, "", false },
};

static void test_fallback(void **state)
{
    struct sandbox *w = *state;

    agent_sandbox_settings(w, FEW_TRIES);
    for (size_t i = 0; i < SF_COUNT(fallbacks); i++) {
        struct model_server *server =
            agent_sandbox_serve(w, SF_WIRE_CHAT, fallbacks[i].scenario, NULL);
        struct outcome o = sandbox_run(w, fallbacks[i].words);
        size_t len, count = model_server_count(server);
        const char *body = count ? model_server_body(server, count - 1, &len) : "";

        if (o.code != fallbacks[i].code || !strstr(o.err, fallbacks[i].says) ||
            (strstr(body, "\"model\":\"other-model\"") != NULL) != fallbacks[i].other)
            fail_msg("%s: exit code %d: %s", fallbacks[i].name, o.code, o.err);
        outcome_release(&o);
        model_server_stop(server);
    }
}

/* The usage is that of the model that answered, and the next turn tries the first again. */
static void test_fallback_is_of_the_turn(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    size_t len;

    agent_sandbox_settings(w, FEW_TRIES);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, BUSY("529") SAY SAY, NULL);
    sandbox_expect(w, FALLBACK, 0, "done", NULL);
    sandbox_expect(w, "log --sql 'select model from usage'", 0, "other-model", NULL);
    sandbox_expect(w, "log --kind fallback", 0, "other-model went on with the turn", NULL);
    sandbox_expect(w, "exec --continue --fallback-model other-model again", 0, "done", NULL);
    assert_non_null(strstr(model_server_body(server, 3, &len), "\"model\":\"test-model\""));
    model_server_stop(server);
}

static void test_fork_and_name(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, SAY SAY SAY, NULL);
    struct outcome o;
    size_t len;

    sandbox_expect(w, "exec --name 'the first one' 'say one'", 0, "done", NULL);
    sandbox_expect(w, "exec --continue --fork --name branch 'say two'", 0, "done", NULL);
    assert_non_null(strstr(model_server_body(server, 1, &len), "say one"));
    o = sandbox_run(w, "sessions");
    if (!strstr(o.out, "the first one") || !strstr(o.out, "branch"))
        fail_msg("%s", o.out);
    outcome_release(&o);
    sandbox_expect(w, "log --sql 'select count(*) as n from sessions where parent_id is not null'",
                   0, "1", NULL);
    sandbox_expect(w, "exec --fork go", 2, NULL, "--fork of which session?");
    model_server_stop(server);
}

/* Nothing is forked for a run that does not begin. */
static void test_fork_of_failed(void **state)
{
    static const char *const words[] = {
        "exec -c --fork -i none.png go",
        "exec -c --fork --verify ' ' go",
        "exec -c --fork --allowed-tools Nonsense go",
        "exec -c --fork --output-schema none.json go",
        "exec -c --fork --input-format nonsense go",
        "exec -c --fork --provider nonsense go",
        "exec -c --fork --yolo go",
    };
    static const char count[] = "log --sql 'select count(*) as n from sessions'";
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(w, SF_WIRE_CHAT, SAY, NULL);
    struct outcome before;

    sandbox_expect(w, "exec 'say one'", 0, "done", NULL);
    before = sandbox_run(w, count);
    for (size_t i = 0; i < SF_COUNT(words); i++) {
        struct outcome o = sandbox_run(w, words[i]);

        if (o.code != 2 && o.code != 1)
            fail_msg("%s: exit code %d: %s", words[i], o.code, o.err);
        outcome_release(&o);
        o = sandbox_run(w, count);
        if (strcmp(o.out, before.out) != 0)
            fail_msg("%s left a session: %s, not %s", words[i], o.out, before.out);
        outcome_release(&o);
    }
    outcome_release(&before);
    model_server_stop(server);
}

#define PROMPT "{\"type\":\"prompt\",\"text\":\"go\"}\n"
#define RENAME "{\"type\":\"command\",\"text\":\"/rename later words\"}\n"

static size_t count_words(const char *text, const char *words)
{
    size_t count = 0;

    for (; (text = strstr(text, words)); text++)
        count++;
    return count;
}

/* What the user says last counts: a name from the command line is given once. */
static void test_rename_stays(void **state)
{
    static const char *const lines[] = { PROMPT RENAME PROMPT, RENAME PROMPT };
    static const char *const names[] = { "--name first", "" };
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, SAY SAY SAY SAY SAY SAY, NULL);
    char *file = test_path(w->dir, "lines");

    for (size_t i = 0; i < 4; i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct outcome o;

        test_write(file, lines[i / 2], strlen(lines[i / 2]));
        sf_strbuf_addf(&words,
                       "-c 'cat ../lines | " SF_PROGRAM " exec --input-format stream-json %s'",
                       names[i % 2]);
        o = sandbox_run_program(w, "/bin/sh", words.buf);
        assert_int_equal(o.code, 0);
        outcome_release(&o);
        o = sandbox_run(w, "sessions");
        if (count_words(o.out, "later words") != i + 1)
            fail_msg("%zu: %s", i, o.out);
        outcome_release(&o);
        sf_strbuf_release(&words);
    }
    model_server_stop(server);
    free(file);
}

/* ---- nothing stays ---- */

static size_t count_left(struct sandbox *w)
{
    char *path = test_path(w->state, "ephemeral");
    DIR *dir = opendir(path);
    size_t count = 0;

    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        count += e->d_name[0] != '.';
    if (dir)
        closedir(dir);
    free(path);
    return count;
}

static void test_ephemeral(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_CHAT,
        "reply\n    call Write {\"file_path\":\"a.txt\",\"content\":\"x\"}\n" SAY SAY, NULL);
    struct outcome o;

    o = sandbox_run(w, "exec --ephemeral --on-ask allow --output-format json 'write a secret'");
    if (o.code != 0 || strstr(o.out, "\"resume\""))
        fail_msg("%s%s", o.out, o.err);
    outcome_release(&o);
    assert_int_equal(count_left(w), 0);
    o = sandbox_run(w, "sessions");
    if (strstr(o.out, "secret"))
        fail_msg("%s", o.out);
    outcome_release(&o);
    sandbox_expect(w, "exec --ephemeral --continue go", 2, NULL, "keeps nothing");
    sandbox_expect(w, "exec --ephemeral --confirm delete go", 2, NULL, "rests on snapshots");
    model_server_stop(server);
}

/* A killed run leaves its directory; whoever opens a store next removes it. */
static void test_ephemeral_killed(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n    stall headers\n", NULL);
    static const char *const words[] = { "exec", "--ephemeral", "go", NULL };
    pid_t pid = sandbox_start(w, SF_PROGRAM, words);

    if (!model_server_wait(server, 1, 30000))
        fail_msg("no request came");
    assert_int_equal(count_left(w), 1);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(count_left(w), 1);
    sandbox_expect(w, "sessions", 0, NULL, NULL);
    assert_int_equal(count_left(w), 0);
    model_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fallback, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_fallback_is_of_the_turn, sandbox_setup,
                                        sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_ephemeral, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_ephemeral_killed, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_fork_and_name, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_fork_of_failed, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_rename_stays, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
