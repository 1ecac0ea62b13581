/*
 * sf -p '/review': a planted diff with three defects, in every wire format: places and severities,
 * exit codes, and that nothing was written; also when sf is killed in the middle of it.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"
#include "support/tree.h"

#define GIT "git -c user.name=n -c user.email=e@x -c init.defaultBranch=main "

#define FINDING(file, line, severity, title)                                                     \
    "{\"file\":\"" file "\",\"line\":" #line ",\"severity\":\"" severity "\",\"title\":\"" title \
    "\",\"explanation\":\"because\"}"

#define WRITES                                                            \
    "reply\n    call Write {\"file_path\":\"pool.c\",\"content\":\"\"}\n" \
    "    call Bash {\"command\":\"sed -i d pool.c\"}\n"                   \
    "    call Bash {\"command\":\"git commit -qam mine\"}\n"

static const char three[] = WRITES
    "reply\n    call Read {\"file_path\":\"pool.c\"}\n"
    "reply\n    call Findings {\"findings\":[" FINDING("pool.c", 4, "minor", "the size is off by one") "," FINDING(
        "pool.c", 8, "critical",
        "freed twice") "," FINDING("pool.c", 12, "major",
                                   "the error is lost") "]}\nreply\n    text \"That is all.\"\n";

/* Three defects on top of a commit that has none of them. */
static void plant(struct sandbox *w)
{
    free(
        tree_run(w->workspace,
                 "printf 'a\\nb\\nc\\nsize\\ne\\nf\\ng\\nfree\\ni\\nj\\nk\\nerr\\n' >pool.c && " GIT
                 "init -q . && " GIT "add pool.c && " GIT "commit -qm base && "
                 "sed -i '4s/.*/size + 1;/; 8s/.*/free(p); free(p);/; 12s/.*/(void)err;/' pool.c",
                 NULL));
}

static char *digest(struct sandbox *w)
{
    return tree_run(w->workspace, "find . -type f -print0 | sort -z | xargs -0 sha256sum", NULL);
}

static void test_three_defects(void **state)
{
    static const char want[] = "pool.c:8: critical: freed twice\n    because\n"
                               "pool.c:12: major: the error is lost\n    because\n"
                               "pool.c:4: minor: the size is off by one\n    because\n"
                               "3 findings: 1 critical, 1 major, 1 minor\n";
    struct sandbox *w = *state;
    char *before, *after;

    plant(w);
    before = digest(w);
    for (int format = 0; format <= SF_WIRE_RESPONSES; format++) {
        struct model_server *server =
            agent_sandbox_serve(w, (enum sf_wire_format)format, three, NULL);
        struct outcome o = sandbox_run(
            w, "--mode build --control assisted --permission-profile trusted -p /review");

        if (o.code != 1 || strcmp(o.out, want) != 0)
            fail_msg("format %d: exit code %d: %s\n%s", format, o.code, o.out, o.err);
        agent_sandbox_check(server, "three defects");
        outcome_release(&o);
        model_server_stop(server);
    }
    after = digest(w);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* Whatever the session may do otherwise, no write was allowed. */
static void test_decisions(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;

    plant(w);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, three, NULL);
    o = sandbox_run(w, "--mode build --control assisted --permission-profile trusted -p /review "
                       "--output-format stream-json");
    for (const char *at = o.out; (at = strstr(at, "\"type\":\"verdict\""));) {
        const char *end = strchr(at, '\n');
        char *line = sf_strndup(at, (size_t)(end - at));

        if ((strstr(line, "\"name\":\"Write\"") || strstr(line, "\"name\":\"Bash\"")) &&
            !strstr(line, "\"verdict\":\"deny\""))
            fail_msg("%s", line);
        free(line);
        at = end;
    }
    assert_non_null(strstr(o.out, "\"verdict\":\"deny\""));
    assert_non_null(strstr(o.out, "\"type\":\"review\""));
    assert_non_null(strstr(o.out, "\"workMode\":\"review\""));
    outcome_release(&o);
    model_server_stop(server);
}

static const struct {
    const char *name, *scenario, *words;
    int code;
    const char *out, *err;
} codes[] = {
    { "nothing is found", "reply\n    call Findings {\"findings\":[]}\nreply\n    text \"ok\"\n",
      "-p /review", 0, "no findings\n", NULL },
    { "a minor one",
      "reply\n    call Findings {\"findings\":[" FINDING(
          "pool.c", 4, "minor", "off by one") "]}\nreply\n    text \"ok\"\n",
      "-p /review", 0, "pool.c:4: minor: off by one\n", NULL },
    { "a minor one, where it counts",
      "reply\n    call Findings {\"findings\":[" FINDING(
          "pool.c", 4, "minor", "off by one") "]}\nreply\n    text \"ok\"\n",
      "exec '/review --fail-on minor'", 1, "pool.c:4: minor: off by one\n", NULL },
    { "a place that is not there",
      "reply\n    call Findings {\"findings\":[" FINDING("pool.c", 400, "major",
                                                         "odd") "]}\nreply\n    text \"ok\"\n",
      "-p /review", 1, "pool.c:400: major: odd (place not found)\n", NULL },
    { "a corrected place",
      "reply\n    call Findings {\"findings\":[" FINDING(
          "pool.c", 400, "major", "odd") "]}\n"
                                         "reply\n    call Findings {\"findings\":[" FINDING(
                                             "pool.c", 4, "note",
                                             "odd") "]}\nreply\n    text \"ok\"\n",
      "-p /review", 1, "pool.c:4: major: odd\n    because\n1 finding: 1 major\n", NULL },
    { "a report that is taken back",
      "reply\n    call Findings {\"findings\":[" FINDING(
          "pool.c", 4, "major",
          "odd") "]}\n"
                 "reply\n    call Findings {\"findings\":[]}\nreply\n    text \"ok\"\n",
      "-p /review", 1, "pool.c:4: major: odd\n    because\n1 finding: 1 major\n", NULL },
    { "a server that refuses", "reply\n    status 401 \"no such key\"\n", "-p /review", 4,
      "not reviewed: ", NULL },
    { "a mistyped option", "", "-p '/review main --failon minor'", 2, "", "--fail-on" },
    { "words without a report", "reply\n    text \"All is well.\"\n", "-p /review", 4,
      "not reviewed: the turn ended without a report\n", NULL },
    { "no such branch", "", "-p '/review mian'", 2, "", "did you mean main?" },
    { "an option of git's", "", "-p '/review --output=x'", 2, "", "no option" },
    { "nothing to review", "", "-p '/review --staged'", 0, "nothing to review: no staged changes\n",
      NULL },
};

static void test_codes(void **state)
{
    struct sandbox *w = *state;

    plant(w);
    for (size_t i = 0; i < SF_COUNT(codes); i++) {
        struct model_server *server = agent_sandbox_serve(
            w, SF_WIRE_CHAT, *codes[i].scenario ? codes[i].scenario : "reply\n    text \"no\"\n",
            NULL);
        struct outcome o = sandbox_run(w, codes[i].words);

        if (o.code != codes[i].code || strncmp(o.out, codes[i].out, strlen(codes[i].out)) != 0 ||
            (codes[i].err && !strstr(o.err, codes[i].err)))
            fail_msg("%s: exit code %d: %s\n%s", codes[i].name, o.code, o.out, o.err);
        outcome_release(&o);
        model_server_stop(server);
    }
}

/* ---- what nobody saw ---- */

#define NO_FINDINGS "reply\n    call Findings {\"findings\":[]}\n"

static const struct {
    const char *name, *plants, *scenario;
    int code;
    const char *out;
} seen[] = {
    { "a file too large to be shown", "seq 60000 >big.c", NO_FINDINGS, 4,
      "not seen: big.c\nnot reviewed: the model saw no line of the change; not seen: 1 file\n" },
    { "that file, read", "seq 60000 >big.c",
      "reply\n    call Read {\"file_path\":\"big.c\"}\n" NO_FINDINGS, 0, "no findings\n" },
    { "that file, printed by a command", "seq 60000 >big.c",
      "reply\n    call Bash {\"command\":\"head -5 big.c\"}\n" NO_FINDINGS, 0, "no findings\n" },
    { "another file, read", "seq 60000 >big.c",
      "reply\n    call Read {\"file_path\":\"pool.c\"}\n" NO_FINDINGS, 4, "not seen: big.c\n" },
    { "that file, read after the first report", "seq 60000 >big.c",
      NO_FINDINGS
      "reply\n    expect-tool-result Findings contains \"read those that can be read\"\n"
      "    call Read {\"file_path\":\"big.c\"}\n" NO_FINDINGS,
      0, "no findings\n" },
    { "a binary file", "printf 'a\\0b' >bin", NO_FINDINGS, 4, "not seen: bin\nnot reviewed: " },
    { "a file that may hold secrets", "echo TOKEN=hush >.env", NO_FINDINGS, 4,
      "not seen: .env\nnot reviewed: " },
    { "a large file beside small ones",
      "for i in $(seq 305); do echo $i >f$i.c; done; seq 20000 >big.c", NO_FINDINGS, 4,
      "not seen: big.c\n" },
    { "a minor finding beside a file that was not seen", "echo a >a.c; seq 60000 >big.c",
      "reply\n    call Findings {\"findings\":[" FINDING("a.c", 1, "minor", "odd") "]}\n", 4,
      "a.c:1: minor: odd\n    because\nnot seen: big.c\n1 finding: 1 minor; not seen: 1 file\n" },
    { "a major finding beside a file that was not seen", "echo a >a.c; seq 60000 >big.c",
      "reply\n    call Findings {\"findings\":[" FINDING("a.c", 1, "major", "odd") "]}\n", 1,
      "a.c:1: major: odd\n" },
    { "a file that was only renamed", "git mv pool.c pond.c", NO_FINDINGS, 0, "no findings\n" },
};

static void test_not_seen(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf scenario = SF_STRBUF_INIT, command = SF_STRBUF_INIT;

    plant(w);
    for (size_t i = 0; i < SF_COUNT(seen); i++) {
        struct model_server *server;
        struct outcome o;

        sf_strbuf_reset(&command);
        sf_strbuf_addf(&command, "git reset -q --hard && { %s; } && git add -A -f", seen[i].plants);
        free(tree_run(w->workspace, command.buf, NULL));
        sf_strbuf_reset(&scenario);
        sf_strbuf_addf(&scenario, "%sreply\n    text \"ok\"\n", seen[i].scenario);
        server = agent_sandbox_serve(w, SF_WIRE_CHAT, scenario.buf, NULL);
        o = sandbox_run(w, "-p '/review --staged'");
        if (o.code != seen[i].code || !strstr(o.out, seen[i].out))
            fail_msg("%s: exit code %d: %s\n%s", seen[i].name, o.code, o.out, o.err);
        agent_sandbox_check(server, seen[i].name);
        outcome_release(&o);
        model_server_stop(server);
    }
    sf_strbuf_release(&command);
    sf_strbuf_release(&scenario);
}

static void test_not_seen_json(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;

    plant(w);
    free(tree_run(w->workspace, "printf 'a\\0b' >bin; echo a >a.c", NULL));
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, NO_FINDINGS "reply\n    text \"ok\"\n", NULL);
    o = sandbox_run(w, "exec --output-format stream-json /review");
    if (o.code != 4 || !strstr(o.out, "\"verdict\":\"reviewed in part\"") ||
        !strstr(o.out, "\"unseen_count\":1,\"unseen\":[\"bin\"]"))
        fail_msg("exit code %d: %s", o.code, o.out);
    outcome_release(&o);
    model_server_stop(server);
}

static void test_json(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;
    struct sf_json *json;
    const struct sf_json *review;
    struct sf_error err = SF_ERROR_INIT;
    const char *verdict;

    plant(w);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, three, NULL);
    o = sandbox_run(w, "exec --output-format stream-json /review");
    assert_int_equal(o.code, 1);
    json = agent_sandbox_object(o.out, "review");
    assert_non_null(json);
    review = sf_json_get(json, "review");
    assert_true(sf_json_get_str(review, "verdict", &verdict, &err));
    assert_string_equal(verdict, "findings");
    assert_int_equal(sf_json_count(sf_json_get(review, "findings")), 3);
    sf_json_free(json);
    outcome_release(&o);
    model_server_stop(server);
}

/* The file of -o has what standard output has, and not what the reviewer said besides. */
static void test_last_message(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;
    char *text;

    plant(w);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, three, NULL);
    o = sandbox_run(w, "exec -o last.txt /review");
    assert_int_equal(o.code, 1);
    text = agent_sandbox_text(w, "last.txt");
    assert_non_null(strstr(text, "freed twice"));
    assert_string_equal(text, o.out);
    free(text);
    outcome_release(&o);
    model_server_stop(server);
}

/* ---- a conversation ---- */

/* The report is the result of its own turn, and of no later one. */
static void test_prompt_after_review(void **state)
{
    static const char lines[] = "{\"type\":\"command\",\"text\":\"/review\"}\n"
                                "{\"type\":\"prompt\",\"text\":\"thanks\"}\n";
    struct sandbox *w = *state;
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct model_server *server;
    struct outcome o;
    char *file = test_path(w->dir, "lines");

    plant(w);
    test_write(file, lines, strlen(lines));
    sf_strbuf_addf(&scenario, "%sreply\n    text \"You are welcome.\"\n", three);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, scenario.buf, NULL);
    o = sandbox_run_program(w, "/bin/sh",
                            "-c 'cat ../lines | " SF_PROGRAM " exec --input-format stream-json'");
    if (o.code != 0 || !strstr(o.out, "\"result\":\"You are welcome.\"") ||
        !strstr(o.out, "freed twice"))
        fail_msg("exit code %d: %s\n%s", o.code, o.out, o.err);
    outcome_release(&o);
    model_server_stop(server);
    sf_strbuf_release(&scenario);
    free(file);
}

/* ---- killed in the middle ---- */

static void test_killed(void **state)
{
    static const char *const words[] = { "--mode", "build",   "--control", "assisted",
                                         "-p",     "/review", NULL };
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;
    pid_t pid;

    plant(w);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n    stall headers\n", NULL);
    pid = sandbox_start(w, SF_PROGRAM, words);
    assert_true(model_server_wait(server, 1, 60000));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    model_server_stop(server);
    server = agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n    text \"no\"\n", NULL);
    o = sandbox_run(w, "-c -p '/review list'");
    if (o.code != 0 || !strstr(o.out, "not reviewed: sf was ended in the middle of it"))
        fail_msg("exit code %d: %s\n%s", o.code, o.out, o.err);
    outcome_release(&o);
    o = sandbox_run(w, "-c -p /status");
    if (!strstr(o.out, "| work mode | build |"))
        fail_msg("%s", o.out);
    outcome_release(&o);
    model_server_stop(server);
}

#define IN_SANDBOX(test) cmocka_unit_test_setup_teardown(test, sandbox_setup, sandbox_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SANDBOX(test_three_defects),
        IN_SANDBOX(test_decisions),
        IN_SANDBOX(test_codes),
        IN_SANDBOX(test_not_seen),
        IN_SANDBOX(test_not_seen_json),
        IN_SANDBOX(test_json),
        IN_SANDBOX(test_prompt_after_review),
        IN_SANDBOX(test_last_message),
        IN_SANDBOX(test_killed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
