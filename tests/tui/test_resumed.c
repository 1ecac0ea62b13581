/*
 * What is on the screen before a SIGKILL is on it after resuming: the conversation, the badge in
 * the first frame, costs, what waits, the queue and the draft. Random runs; the seeds are
 * printed. SF_ROUNDS and SF_SEED as in the test of sessions.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "support/agent_sandbox.h"
#include "support/pty_case.h"
#include "support/test.h"

enum { ROUNDS = 3, SEED = 40, ACTS = 5, ROWS = 60, OFTEN = 7 };

#define AT_TERMINAL(fn) cmocka_unit_test_setup_teardown(fn, pty_case_setup, pty_case_teardown)

static unsigned draw(uint64_t *lot)
{
    *lot = *lot * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*lot >> 33);
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- what is compared ---- */

/* The whole row, with what stands to its right: how it went, and how long it took. */
static void add_row(struct sf_strbuf *out, const char *row)
{
    if (*row && !strstr(row, "Welcome to"))
        sf_strbuf_addf(out, "%s\n", row);
}

static void read_rows(struct vt *vt, struct sf_strbuf *out)
{
    for (int i = 2; i < ROWS - 1; i++) {
        char *row = vt_row(vt, i);

        add_row(out, row);
        free(row);
    }
}

/* All from the header down to the hints, which depend on the moment. */
static void read_screen(struct vt *vt, struct sf_strbuf *out)
{
    char *head = vt_row(vt, 0);

    sf_strbuf_reset(out);
    sf_strbuf_addf(out, "%s\n", head); /* badge and costs */
    free(head);
    read_rows(vt, out);
}

struct same {
    struct sf_strbuf *now;
    const char *wanted;
};

static bool are_rows_same(struct vt *vt, const void *ctx)
{
    const struct same *s = ctx;

    sf_strbuf_reset(s->now);
    read_rows(vt, s->now);
    return !strcmp(s->now->buf, s->wanted);
}

static bool is_same(struct vt *vt, const void *ctx)
{
    const struct same *s = ctx;

    read_screen(vt, s->now);
    return !strcmp(s->now->buf, s->wanted);
}

/* ---- random runs ---- */

static void say(struct pty_case *s, unsigned n)
{
    char line[64], answer[64];

    snprintf(line, sizeof(line), "question %u\r", n);
    snprintf(answer, sizeof(answer), "answer %u", n);
    pty_case_type(s, line, answer);
    vt_wait_no_text(s->vt, "Esc cancels");
}

static void act(struct pty_case *s, unsigned lot, unsigned *said)
{
    static const char *const modes[] = { "build", "review", "chat", "repair" };
    char line[96], then[64];

    switch (lot % 5) {
    case 0:
    case 1:
        say(s, (*said)++);
        break;
    case 2:
        snprintf(line, sizeof(line), "/mode %s\r", modes[lot / 5 % 4]);
        snprintf(then, sizeof(then), "SF  %s", modes[lot / 5 % 4]);
        pty_case_type(s, line, then);
        break;
    case 3:
        snprintf(line, sizeof(line), "!echo sum-$((%u+1))\r", lot % 1000);
        snprintf(then, sizeof(then), "sum-%u", lot % 1000 + 1);
        pty_case_type(s, line, then);
        snprintf(then, sizeof(then), "Ran      echo sum-$((%u", lot % 1000);
        vt_wait_text(s->vt, then);
        break;
    default:
        pty_case_type(s, "/steer model-mode deep for-next-unit", "for-next-unit");
        pty_case_type(s, "\r", "deep");
        vt_wait_no_text(s->vt, "› /steer");
        break;
    }
}

static void write_scenario(struct sf_strbuf *out)
{
    for (int i = 0; i < 2 * ACTS; i++)
        sf_strbuf_addf(out,
                       "reply\n    usage input=%d output=7\n    text \"answer %d with *words*\"\n"
                       "    call Read {\"file_path\":\"a.txt\"}\n"
                       "    call Plan {\"items\":[{\"content\":\"read it, and then all of what is "
                       "behind it, up to the very end of the last of the files\","
                       "\"status\":\"completed\"},"
                       "{\"content\":\"mend it\",\"status\":\"in_progress\"}]}\n"
                       "reply\n    usage input=%d output=3\n    text \"read it\"\n",
                       1000 + i, i, 1100 + i);
}

static void one_pty_case(struct pty_case *s, uint64_t seed)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT, now = SF_STRBUF_INIT;
    struct same same = { &now, s->screen.buf };
    uint64_t lot = seed;
    unsigned said = 0;
    char draft[64], row[32];

    /* the drafts of earlier rounds lie beside this one */
    snprintf(row, sizeof(row), "of two rows, %" PRIu64, seed);
    snprintf(draft, sizeof(draft), "a draft\n %s", row);
    write_scenario(&scenario);
    pty_case_serve(s, scenario.buf);
    sf_strbuf_release(&scenario);
    pty_case_begin(s, NULL);
    say(s, said++);
    for (int i = 0; i < ACTS; i++)
        act(s, draw(&lot), &said);
    pty_case_type(s, draft, row);
    vt_wait_text(s->vt, "a draft");
    pty_case_wait_draft(s, row);
    vt_wait_still(s->vt);
    read_screen(s->vt, &s->screen);
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    same.wanted = s->screen.buf;
    vt_wait_text(s->vt, "F1 help");
    read_screen(s->vt, &now);
    if (strcspn(now.buf, "\n") != strcspn(s->screen.buf, "\n") ||
        strncmp(now.buf, s->screen.buf, strcspn(now.buf, "\n")) != 0)
        fail_msg("seed %" PRIu64 ": the first frame is %s, before it was %s", seed, now.buf,
                 s->screen.buf);
    vt_wait(s->vt, is_same, &same, s->screen.buf);
    sf_strbuf_release(&now);
    vt_close(s->vt);
    s->vt = NULL;
    model_server_stop(s->server);
    s->server = NULL;
}

static void test_random_runs(void **state)
{
    uint64_t rounds = number_of("SF_ROUNDS", ROUNDS), seed = number_of("SF_SEED", SEED);
    struct pty_case *s = *state;

    s->rows = ROWS;
    pty_case_file(s, "a.txt", "text\n");
    for (uint64_t i = 0; i < rounds; i++) {
        print_message("seed %" PRIu64 "\n", seed + i);
        one_pty_case(s, seed + i);
    }
}

/* How a turn ended reads the same, be it stopped or failed. */
static void test_ends(void **state)
{
    struct pty_case *s = *state;
    struct sf_strbuf now = SF_STRBUF_INIT;
    struct same same = { &now, NULL };

    pty_case_serve(s, "reply\n    text \"so far\"\n    delay 60000\n    text \"never\"\n"
                      "reply\n    status 401 \"no such key\"\n");
    s->rows = ROWS;
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "so far");
    pty_case_type(s, "\033[27u", "stopped");
    pty_case_type(s, "again\r", "no such key");
    vt_wait_no_text(s->vt, "Esc cancels");
    vt_wait_quiet(s->vt);
    read_rows(s->vt, &s->screen);
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    same.wanted = s->screen.buf;
    vt_wait(s->vt, are_rows_same, &same, s->screen.buf);
    sf_strbuf_release(&now);
}

/* The screen of before, after a kill and `sf -c`. */
static void expect_same_rows(struct pty_case *s)
{
    struct sf_strbuf now = SF_STRBUF_INIT;
    struct same same = { &now, NULL };

    vt_wait_no_text(s->vt, "Esc cancels");
    vt_wait_quiet(s->vt);
    sf_strbuf_reset(&s->screen);
    read_rows(s->vt, &s->screen);
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    same.wanted = s->screen.buf;
    vt_wait(s->vt, are_rows_same, &same, s->screen.buf);
    sf_strbuf_release(&now);
}

#define WAITS_FOR(file) "    until \"${workspace}/" file "\"\n"

/*
 * Words said in mid-answer wait below it and then stand behind it, changes of the axes before it;
 * its Markdown stays whole, and the log tells the same story.
 */
static void test_steering_an_answer(void **state)
{
    static const char whole[] = "        int two;\n"
                                "      That was it.\n"
                                " you  wait, use longs\n"
                                " you  and one more\n"
                                " sf   Longs it is.\n";
    struct pty_case *s = *state;

    pty_case_serve(
        s, "reply\n    text \"Here:\\n\\n```c\\nint one;\\n\"\n" WAITS_FOR(
               "go") "    text \"int two;\\n```\\n\\n**That** was it.\"\n"
                     "reply\n    expect-contains \"and one more\"\n    text \"Longs it is.\"\n");
    s->rows = ROWS;
    pty_case_begin(s, NULL);
    pty_case_type(s, "write it\r", "int one;");
    pty_case_type(s, "wait, use longs\r", "↳ wait, use longs");
    vt_wait_text(s->vt, "joins the turn at its next step");
    assert_false(pty_case_sees(s, "you  wait"));
    pty_case_type(s, "\030p", "profile normal → trusted"); /* a note in mid-answer */
    pty_case_type(s, "and one more\r", "↳ and one more");
    pty_case_file(s, "go", "");
    vt_wait_text(s->vt, "Longs it is.");
    assert_false(pty_case_sees(s, "↳"));
    expect_same_rows(s);
    if (!strstr(s->screen.buf, whole))
        fail_msg("it is not whole: %s", s->screen.buf);
}

/* The log is read in pieces: none of them begins between words and the answer they wait for. */
static void test_steering_often(void **state)
{
    struct sf_strbuf scenario = SF_STRBUF_INIT;
    struct pty_case *s = *state;
    char words[48], then[48];

    for (int i = 0; i < OFTEN; i++)
        sf_strbuf_addf(&scenario,
                       "reply\n    text \"begun %d\"\n    until \"${workspace}/go%d\"\n"
                       "    text \", over\"\nreply\n    text \"heard %d\"\n",
                       i, i, i);
    pty_case_serve(s, scenario.buf);
    sf_strbuf_release(&scenario);
    s->rows = ROWS;
    pty_case_begin(s, NULL);
    for (int i = 0; i < OFTEN; i++) {
        snprintf(then, sizeof(then), "begun %d", i);
        pty_case_type(s, "go\r", then);
        for (int j = 0; j <= i % 3; j++) {
            snprintf(words, sizeof(words), "word %d-%d\r", i, j);
            snprintf(then, sizeof(then), "↳ word %d-%d", i, j);
            pty_case_type(s, words, then);
        }
        snprintf(words, sizeof(words), "go%d", i);
        pty_case_file(s, words, "");
        snprintf(then, sizeof(then), "heard %d", i);
        vt_wait_text(s->vt, then);
        vt_wait_no_text(s->vt, "Esc cancels");
    }
    expect_same_rows(s);
    assert_non_null(strstr(s->screen.buf, ", over\n you  word 6-0\n sf   heard 6\n"));
}

/* They go with the last of several results, and are not lost when the turn is cancelled. */
static void test_steering_calls(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    text \"Two calls.\"\n"
                      "    call Bash {\"command\": \"until test -e go; do sleep 0.02; done\"}\n"
                      "    call Bash {\"command\": \"until test -e went; do sleep 0.02; done\"}\n"
                      "reply\n    expect-contains \"meanwhile\"\n    text \"so far\"\n" WAITS_FOR(
                          "ever") "reply\n    expect-contains \"behind it\"\n" WAITS_FOR("ever"));
    s->rows = ROWS;
    pty_case_begin(s, "--mode build --permission-profile trusted");
    pty_case_type(s, "begin\r", "Running");
    pty_case_type(s, "meanwhile\r", "↳ meanwhile");
    pty_case_file(s, "go", "");
    pty_case_file(s, "went", "");
    vt_wait_text(s->vt, "so far");
    vt_wait_text(s->vt, "you  meanwhile");
    pty_case_type(s, "behind it\r", "↳ behind it");
    pty_case_type(s, "\033[27u", "stopped");
    vt_wait_text(s->vt, "you  behind it");
    expect_same_rows(s);
    pty_case_type(s, "go on\r", "Esc cancels");
    pty_case_type(s, "too late\r", "↳ too late");
    pty_case_type(s, "\033[27u", "not delivered, since the turn ended: too late");
    assert_false(pty_case_sees(s, "↳"));
    expect_same_rows(s);
}

/* Queued while a turn ran that never ended: they wait, and go out in their order. */
static void test_queue(void **state)
{
    struct pty_case *s = *state;

    pty_case_serve(s, "reply\n    text \"so far\"\n    delay 60000\n    text \"never\"\n"
                      "reply\n    text \"first sent\"\nreply\n    text \"second sent\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "begin\r", "so far");
    pty_case_type(s, "one of two\t", "⋮ 1  one of two");
    pty_case_type(s, "two of two\t", "⋮ 2  two of two");
    vt_signal(s->vt, SIGKILL); /* they are kept the moment they are seen */
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    vt_wait_text(s->vt, "2 queued");
    vt_type(s->vt, "\r");
    vt_wait_text(s->vt, "second sent");
    assert_true(pty_case_sees(s, "first sent"));
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    vt_wait_text(s->vt, "second sent");
    assert_false(pty_case_sees(s, "queued"));
}

/* Each session has its own; a new one has what was written where nothing was ever said. */
static void test_drafts_stay_with_their_sessions(void **state)
{
    struct pty_case *s = *state;

    pty_case_begin(s, NULL);
    pty_case_type(s, "list\r", "Listed");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "belongs here", "› belongs here");
    pty_case_leave(s); /* its first Ctrl+C clears the draft */
    pty_case_begin(s, "-c");
    pty_case_type(s, "belongs here", "› belongs here");
    pty_case_wait_draft(s, "belongs here");
    vt_signal(s->vt, SIGKILL); /* a kill does not */
    vt_wait_exit(s->vt);
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "Welcome");
    assert_false(pty_case_sees(s, "belongs here"));
    pty_case_type(s, "of nobody", "› of nobody");
    pty_case_wait_draft(s, "of nobody");
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "› of nobody");
    vt_type(s->vt, "\003");
    vt_wait_no_text(s->vt, "of nobody");
    pty_case_leave(s);
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "Welcome");
    assert_false(pty_case_sees(s, "of nobody"));
}

/* Files that went back: the line stays, who watches sees it too, and the model hears of it. */
static void test_put_back(void **state)
{
    static const char line[] = "files are as they were: 0 added, 0 changed, 1 removed";
    struct pty_case *s = *state;
    const char *body;
    size_t len;

    pty_case_serve(s, "reply\n    call Write {\"file_path\":\"new.c\",\"content\":\"x\"}\n"
                      "reply\n    text \"made it\"\nreply\n    text \"I see\"\n");
    pty_case_begin(s, NULL);
    pty_case_type(s, "make it\r", "waiting for you");
    pty_case_wait_card(s->vt, 1);
    pty_case_type(s, "y", "made it");
    vt_wait_no_text(s->vt, "Esc cancels");
    pty_case_type(s, "/undo\r", "Put files back");
    pty_case_wait_card(s->vt, 1);
    pty_case_type(s, "y", line);
    vt_signal(s->vt, SIGKILL);
    vt_wait_exit(s->vt);
    pty_case_begin(s, "-c");
    vt_wait_text(s->vt, line);
    pty_case_type(s, "and now?\r", "I see");
    body = pty_case_request(s, 2, &len);
    assert_non_null(memmem(body, len, "removed new.c", 13));
    assert_non_null(strstr(body, "<user_restore>\\nThe user put files back"));
}

/* What is to be said when a session opens is on the screen, new or again. */
static void test_notices(void **state)
{
    struct pty_case *s = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;

    while (text.len < 180000)
        sf_strbuf_adds(&text, "rules and rules, ");
    pty_case_file(s, "AGENTS.md", text.buf);
    sf_strbuf_release(&text);
    pty_case_serve(s, "reply\n    text \"fine\"\n");
    pty_case_begin(s, NULL);
    vt_wait_text(s->vt, "AGENTS.md is long: only its first 32768 bytes");
    pty_case_type(s, "go\r", "fine");
    pty_case_leave(s);
    pty_case_begin(s, "-c");
    vt_wait_text(s->vt, "AGENTS.md is long: only its first 32768 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_TERMINAL(test_random_runs),
        AT_TERMINAL(test_ends),
        AT_TERMINAL(test_steering_an_answer),
        AT_TERMINAL(test_steering_often),
        AT_TERMINAL(test_steering_calls),
        AT_TERMINAL(test_queue),
        AT_TERMINAL(test_drafts_stay_with_their_sessions),
        AT_TERMINAL(test_put_back),
        AT_TERMINAL(test_notices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
