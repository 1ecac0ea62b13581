/*
 * A session that is recorded and played again: --record, sf sessions export --format replay, and
 * the provider replay:FILE, through the program.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/io.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

static void fill_task(struct sandbox *w)
{
    agent_sandbox_file(w, "src/add.sh", "add() { echo $(( a - b )); }\n");
    agent_sandbox_file(w, "src/version", "1.0\n");
    agent_sandbox_file(w, "tests/run.sh",
                       "a=2 b=3; . src/add.sh; [ \"$(add)\" = 5 ] && echo PASS || { echo FAIL; "
                       "exit 1; }\n");
}

/* ---- times and ids ---- */

/* Members that hold a time or an id, and who answers: the recording says `replay` there. */
static const char *const masked[] = { "time",    "session",     "turn_id", "resume",
                                      "took_ms", "duration_ms", "wait_ms", "provider" };

static size_t value_len(const char *value)
{
    return *value == '"' ? strcspn(value + 1, "\"") + 2 : strcspn(value, ",}");
}

static void mask_member(struct sf_strbuf *out, const char *name)
{
    char key[32];
    size_t at = 0;

    snprintf(key, sizeof(key), "\"%s\":", name);
    for (char *hit; (hit = strstr(out->buf + at, key));) {
        size_t from = (size_t)(hit - out->buf) + strlen(key);

        sf_strbuf_splice(out, from, value_len(out->buf + from), "*", 1);
        at = from;
    }
}

/* "exit code 0, 8ms, 1 line": how long it took. */
static void mask_durations(struct sf_strbuf *out)
{
    static const char before[] = "\"summary\":\"exit code ";
    size_t at = 0;

    for (char *hit; (hit = strstr(out->buf + at, before));) {
        size_t from = (size_t)(hit - out->buf) + strlen(before);

        from += strcspn(out->buf + from, ",") + 2;
        sf_strbuf_splice(out, from, strcspn(out->buf + from, ","), "*", 1);
        at = from;
    }
}

/* " (HTTP 401 from NAME at ADDRESS, …)": the recording does not know it. */
static void mask_whom(struct sf_strbuf *out)
{
    for (char *hit; (hit = strstr(out->buf, " (HTTP ")) != NULL;)
        sf_strbuf_splice(out, (size_t)(hit - out->buf), strcspn(hit, ")") + 1, "", 0);
}

static char *mask(const char *stream)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_strbuf_adds(&out, stream);
    for (size_t i = 0; i < SF_COUNT(masked); i++)
        mask_member(&out, masked[i]);
    mask_durations(&out);
    mask_whom(&out);
    return sf_strbuf_detach(&out);
}

/* The first lines that differ, for the eye. */
static void assert_same_events(const char *was, const char *is, const char *name)
{
    char *a = mask(was), *b = mask(is), *p = a, *q = b;

    while (*p && *q) {
        size_t m = strcspn(p, "\n"), n = strcspn(q, "\n");

        if (m != n || strncmp(p, q, m) != 0)
            fail_msg("%s:\nrecorded %.*s\nreplayed %.*s", name, (int)m, p, (int)n, q);
        p += m + (p[m] == '\n');
        q += n + (q[n] == '\n');
    }
    if (*p || *q)
        fail_msg("%s: one stream is longer: %s%s", name, p, q);
    free(a);
    free(b);
}

/* Runs sf with these words, FILE and more words. */
static struct outcome run(struct sandbox *w, int code, const char *before, const char *file,
                          const char *behind)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&words, "%s%s %s", before, file, behind);
    o = sandbox_run(w, words.buf);
    if (o.code != code)
        fail_msg("sf %s: exit code %d, not %d\n%s\n%s", words.buf, o.code, code, o.out, o.err);
    sf_strbuf_release(&words);
    return o;
}

#define TASK "--output-format stream-json --permission-profile trusted 'Make add() add'"

static char *record_task(struct sandbox *w, enum sf_wire_format format, const char *name,
                         struct outcome *o)
{
    struct model_server *server = agent_sandbox_serve(w, format, NULL, "ten-steps.txt");
    char *file = test_path(w->dir, name);

    fill_task(w);
    *o = run(w, 0, "exec --record ", file, TASK);
    agent_sandbox_check(server, name);
    model_server_stop(server);
    return file;
}

static void test_ten_steps(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        struct outcome recorded, replayed;
        char *file = record_task(w, formats[i], sf_wire_format_names[formats[i]], &recorded);

        fill_task(w);
        replayed = run(w, 0, "exec --provider replay:", file, TASK);
        assert_same_events(recorded.out, replayed.out, sf_wire_format_names[formats[i]]);
        outcome_release(&recorded);
        outcome_release(&replayed);
        free(file);
    }
}

/* The key and the address of the service are nowhere in the file, which only its owner can read. */
static void test_no_secrets(void **state)
{
    struct sandbox *w = *state;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct outcome o;
    char *file = record_task(w, SF_WIRE_ANTHROPIC, "tape", &o);
    struct stat st;

    assert_true(sf_file_read(file, (size_t)1024 * 1024, &text, &err));
    assert_null(strstr(text.buf, "test-key"));
    assert_null(strstr(text.buf, "127.0.0.1"));
    assert_null(strstr(text.buf, "PASS")); /* results are digests */
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    outcome_release(&o);
    sf_strbuf_release(&text);
    free(file);
}

/* Nor where a request fails, whose message names both to the user. */
static void test_failures(void **state)
{
    static const char *const replies[] = { "reply\n    status 529 \"busy\"\n",
                                           "reply\n    status 400 \"no http://127.0.0.1 here\"\n",
                                           NULL /* nobody listens */ };
    struct sandbox *w = *state;

    agent_sandbox_settings(w, "[network]\nretry_wait = 0.01\nretries = 1\n");
    for (size_t i = 0; i < SF_COUNT(replies); i++) {
        struct model_server *server =
            replies[i] ? agent_sandbox_serve(w, SF_WIRE_CHAT, replies[i], NULL) : NULL;
        struct sf_strbuf text = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        char *file = test_path(w->dir, "tape");
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct outcome o;

        if (!server)
            agent_sandbox_nobody(w, SF_WIRE_CHAT);
        sf_strbuf_addf(&words, "exec --record %s go", file);
        o = sandbox_run(w, words.buf);
        assert_int_not_equal(o.code, 0);
        model_server_stop(server);
        assert_true(sf_file_read(file, (size_t)1024 * 1024, &text, &err));
        assert_non_null(strstr(text.buf, "{\"error\":"));
        if (strstr(text.buf, "127.0.0.1") || strstr(text.buf, "KEY"))
            fail_msg("reply %zu: %s", i, text.buf);
        unlink(file);
        outcome_release(&o);
        sf_strbuf_release(&words);
        sf_strbuf_release(&text);
        free(file);
    }
}

/* ---- what a script can make of it ---- */

static const struct {
    const char *name, *replies;
    int code; /* of both runs */
} runs[] = {
    { "text in many pieces", "reply\n    text delta=1 \"one letter after the other\"\n", 0 },
    { "pieces that come slowly",
      "reply\n    write 40 pace=5\n    text delta=7 \"one piece after the other, slowly\"\n", 0 },
    { "a try that fails and one that does not",
      "reply\n    text \"half of\"\n    error overloaded_error \"busy\"\nreply\n    text \"all\"\n",
      0 },
    { "a request that the service refuses", "reply\n    status 401 \"no such key\"\n", 1 },
    { "arguments that are no JSON",
      "reply\n    call LS \"{\\\"path\\\":\"\nreply\n    text \"So not.\"\n", 0 },
    { "a sub-agent",
      "reply\n    call Agent {\"prompt\":\"count\",\"description\":\"count\"}\n"
      "reply\n    call LS {\"path\":\".\"}\nreply\n    text \"two\"\nreply\n    text \"Two.\"\n",
      0 },
    { "calls that could run side by side",
      "reply\n    call Read {\"file_path\":\"src/version\"}\n    call LS {\"path\":\"src\"}\n"
      "    call Glob {\"pattern\":\"*\"}\n    call Grep {\"pattern\":\"add\"}\nreply\n    text \"Read.\"\n",
      0 },
    { "a call that is refused",
      "reply\n    call Write {\"file_path\":\"/etc/x\",\"content\":\"x\"}\nreply\n    text \"No.\"\n",
      3 },
};

static void test_runs(void **state)
{
    struct sandbox *w = *state;

    agent_sandbox_settings(w, "[network]\nretry_wait = 0.01\n");
    fill_task(w);
    for (size_t i = 0; i < SF_COUNT(runs); i++) {
        struct model_server *server =
            agent_sandbox_serve(w, SF_WIRE_ANTHROPIC, runs[i].replies, NULL);
        char name[32], *file;
        struct outcome recorded, replayed;

        snprintf(name, sizeof(name), "tape%zu", i);
        file = test_path(w->dir, name);
        recorded = run(w, runs[i].code, "exec --output-format stream-json --record ", file, "go");
        model_server_stop(server);
        replayed =
            run(w, runs[i].code, "exec --output-format stream-json --provider replay:", file, "go");
        assert_same_events(recorded.out, replayed.out, runs[i].name);
        outcome_release(&recorded);
        outcome_release(&replayed);
        free(file);
    }
}

/* ---- departures ---- */

static const struct {
    const char *name, *file, *text, *prompt, *says;
} departures[] = {
    { "a file that is read has changed", "src/add.sh", "add() { echo $(( b - a )); }\n",
      "Make add() add",
      "at step 2: Read {\\\"file_path\\\":\\\"src/add.sh\\\"} gave another result" },
    { "a test that is run has changed", "tests/run.sh",
      "a=2 b=3; . src/add.sh; [ \"$(add)\" = 5 ] && echo PAST || { echo FAIL; exit 1; }\n",
      "Make add() add", "at step 2: Read {\\\"file_path\\\":\\\"tests/run.sh\\\"} gave another" },
    { "a file more in a list", "src/more.sh", "add more\n", "Make add() add", "at step 2: LS {" },
    { "another prompt", "src/version", "1.0\n", "Make it so", "at step 1: the prompt is another" },
};

static void test_departures(void **state)
{
    struct sandbox *w = *state;
    struct outcome o;
    char *file = record_task(w, SF_WIRE_CHAT, "tape", &o);

    outcome_release(&o);
    for (size_t i = 0; i < SF_COUNT(departures); i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;
        char *more = test_path(w->workspace, "src/more.sh");

        unlink(more);
        fill_task(w);
        agent_sandbox_file(w, departures[i].file, departures[i].text);
        sf_strbuf_addf(&words,
                       "exec --output-format stream-json --permission-profile trusted "
                       "--provider replay:%s '%s'",
                       file, departures[i].prompt);
        o = sandbox_run(w, words.buf);
        if (o.code != 1 || !strstr(o.out, "the replay departs from the recording") ||
            !strstr(o.out, departures[i].says))
            fail_msg("%s: exit code %d\n%s", departures[i].name, o.code, o.out);
        outcome_release(&o);
        sf_strbuf_release(&words);
        free(more);
    }
    free(file);
}

/* Files are listed by name: a checkout between the two runs changes their times. */
static void test_glob(void **state)
{
    static const char replies[] = "reply\n    call Glob {\"pattern\":\"src/*\"}\n"
                                  "reply\n    call Grep {\"pattern\":\"add\"}\n"
                                  "reply\n    text \"Read.\"\n";
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(formats); i++) {
        struct model_server *server = agent_sandbox_serve(w, formats[i], replies, NULL);
        char *file = test_path(w->dir, sf_wire_format_names[formats[i]]);
        char *touched = test_path(w->workspace, "src/add.sh");
        struct outcome recorded, replayed;

        fill_task(w);
        assert_int_equal(utimensat(AT_FDCWD, touched, (struct timespec[]){ { 9, 0 }, { 9, 0 } }, 0),
                         0);
        recorded = run(w, 0, "exec --output-format stream-json --record ", file, "look");
        model_server_stop(server);
        assert_int_equal(utimensat(AT_FDCWD, touched, NULL, 0), 0);
        replayed = run(w, 0, "exec --output-format stream-json --provider replay:", file, "look");
        assert_same_events(recorded.out, replayed.out, sf_wire_format_names[formats[i]]);
        outcome_release(&recorded);
        outcome_release(&replayed);
        free(touched);
        free(file);
    }
}

/* What is no recording is a mistake of the command line; no session begins, and no file is left. */
static void test_no_recording(void **state)
{
    static const char *const names[] = { "nope", "src", "garbage", "empty" };
    struct sandbox *w = *state;
    char *left;

    fill_task(w);
    agent_sandbox_file(w, "garbage", "hello\n");
    agent_sandbox_file(w, "empty", "");
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        struct sf_strbuf words = SF_STRBUF_INIT;
        struct outcome o;

        sf_strbuf_addf(&words, "exec --provider replay:%s --record left hello", names[i]);
        o = sandbox_run(w, words.buf);
        if (o.code != 2 || strstr(o.err, "resume with") || !strstr(o.err, names[i]))
            fail_msg("%s: exit code %d: %s", names[i], o.code, o.err);
        outcome_release(&o);
        sf_strbuf_release(&words);
    }
    sandbox_expect(w, "log --sql 'select count(*) from sessions'", 0, "\n1\n",
                   NULL); /* the log's own */
    sandbox_expect(w, "-p /cost --record left", 0, NULL, NULL);
    left = test_path(w->workspace, "left");
    assert_int_not_equal(access(left, F_OK), 0);
    free(left);
}

/* ---- files that are cut ---- */

/* Whatever part of a file is left, the replay ends with 0 or says what is missing. */
static void test_cut(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_ANTHROPIC,
        "reply\n    text \"Looking.\"\n    call LS {\"path\":\".\"}\nreply\n    text \"Done.\"\n",
        NULL);
    char *file = test_path(w->dir, "tape"), *cut = test_path(w->dir, "cut");
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct outcome o = run(w, 0, "exec --record ", file, "look");
    size_t first; /* what is left of the first line alone is no recording */

    outcome_release(&o);
    model_server_stop(server);
    assert_true(sf_file_read(file, (size_t)1024 * 1024, &text, &err));
    first = strcspn(text.buf, "\n");
    for (size_t at = 0, lines = 0; at < text.len; lines++) {
        size_t n = strcspn(text.buf + at, "\n");
        const size_t ends[] = { at, at + n / 2, at + n };

        for (size_t k = 0; k < SF_COUNT(ends); k++) {
            bool whole = ends[k] + 1 >= text.len;

            test_write(cut, text.buf, ends[k]);
            o = run(w, whole ? 0 : ends[k] < first ? 2 : 1, "exec --provider replay:", cut, "look");
            if (!whole && !strstr(o.err, "cut") && !strstr(o.err, "no further one"))
                fail_msg("cut at %zu of line %zu: %s", ends[k] - at, lines + 1, o.err);
            outcome_release(&o);
        }
        at += n + 1;
    }
    sf_strbuf_release(&text);
    free(file);
    free(cut);
}

/* A run that is killed leaves the answers that were complete. */
static void test_kill(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server = agent_sandbox_serve(
        w, SF_WIRE_CHAT,
        "reply\n    call LS {\"path\":\"src\"}\nreply\n    text \"Do\"\n    stall 0\n", NULL);
    char *file = test_path(w->dir, "tape");
    const char *const words[] = { "exec", "--record", file, "look", NULL };
    struct outcome o;
    pid_t pid;

    fill_task(w);
    pid = sandbox_start(w, SF_PROGRAM, words);
    assert_true(model_server_wait(server, 2, 120000));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    model_server_stop(server);
    o = run(w, 1, "exec --provider replay:", file, "look");
    assert_non_null(strstr(o.err, "holds 1 answers, and no further one"));
    outcome_release(&o);
    free(file);
}

/* ---- from the log ---- */

static void test_export(void **state)
{
    struct sandbox *w = *state;
    struct outcome recorded, o;
    char *tape = record_task(w, SF_WIRE_RESPONSES, "tape", &recorded);
    char *file = test_path(w->dir, "exported");
    struct sf_json *done = agent_sandbox_object(recorded.out, "done");
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf words = SF_STRBUF_INIT;
    const char *id;

    assert_true(sf_json_get_str(done, "session", &id, &err));
    sandbox_expect(w, "sessions export --format replay", 0, "{\"replay\":{\"version\":1,", NULL);
    sf_strbuf_addf(&words, "sessions export --format replay %s -o ", id);
    o = run(w, 0, words.buf, file, "");
    outcome_release(&o);
    fill_task(w);
    o = run(w, 0, "exec --provider replay:", file, TASK);
    assert_non_null(strstr(o.out, "the tests pass. ✓"));
    outcome_release(&o);
    o = run(w, 1, "exec --provider replay:", file, TASK); /* the files are not as they were */
    assert_non_null(strstr(o.out, "departs from the recording at step 2"));
    outcome_release(&o);
    outcome_release(&recorded);
    sf_json_free(done);
    sf_strbuf_release(&words);
    free(file);
    free(tape);
}

/* ---- where it may go ---- */

static void test_files(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server =
        agent_sandbox_serve(w, SF_WIRE_CHAT, "reply\n    text \"Hi.\"\n", NULL);

    agent_sandbox_file(w, "there", "x\n");
    sandbox_expect(w, "exec --record there hello", 2, NULL, "there already");
    sandbox_expect(w, "exec --record no/such/dir/tape hello", 2, NULL, "no such file");
    sandbox_expect(w, "exec --record .git/config hello", 2, NULL, "protected");
    sandbox_expect(w, "exec --record .sf/config.toml hello", 2, NULL, "protected");
    sandbox_expect(w, "exec --record '' hello", 2, NULL, "--record");
    sandbox_expect(w, "--record tape", 2, NULL, "goes with -p or exec");
    sandbox_expect(w, "--input-format stream-json", 2, NULL, "goes with -p or exec");
    sandbox_expect(w, "-i /nope", 2, NULL, "--image goes with -p or exec");
    assert_int_equal(model_server_count(server), 0);
    sandbox_expect(w, "-p hello --record tape", 0, "Hi.", NULL);
    sandbox_expect(w, "-p hello --provider replay:tape", 0, "Hi.", NULL);
    model_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ten_steps, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_runs, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_no_secrets, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_failures, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_glob, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_no_recording, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_departures, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_cut, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_kill, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_export, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_files, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
