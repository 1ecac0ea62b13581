/*
 * A session that is recorded and played again: --record, sf sessions export --format replay, and
 * the provider replay:FILE, through the program.
 */
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
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
                                      "took_ms", "duration_ms", "provider" };

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

static char *mask(const char *stream)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_strbuf_adds(&out, stream);
    for (size_t i = 0; i < SF_COUNT(masked); i++)
        mask_member(&out, masked[i]);
    mask_durations(&out);
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

    assert_true(sf_file_read(file, 1024 * 1024, &text, &err));
    assert_null(strstr(text.buf, "test-key"));
    assert_null(strstr(text.buf, "127.0.0.1"));
    assert_null(strstr(text.buf, "PASS")); /* results are digests */
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    outcome_release(&o);
    sf_strbuf_release(&text);
    free(file);
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

    outcome_release(&o);
    model_server_stop(server);
    assert_true(sf_file_read(file, 1024 * 1024, &text, &err));
    for (size_t at = 0, lines = 0; at < text.len; lines++) {
        size_t n = strcspn(text.buf + at, "\n");
        const size_t ends[] = { at, at + n / 2, at + n };

        for (size_t k = 0; k < SF_COUNT(ends); k++) {
            bool whole = ends[k] + 1 >= text.len;

            test_write(cut, text.buf, ends[k]);
            o = run(w, whole ? 0 : 1, "exec --provider replay:", cut, "look");
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
    sandbox_expect(w, "exec --record there hello", 1, NULL, "there already");
    sandbox_expect(w, "exec --record no/such/dir/tape hello", 2, NULL, "no such file");
    sandbox_expect(w, "exec --record .git/config hello", 2, NULL, "protected");
    sandbox_expect(w, "exec --record .sf/config.toml hello", 2, NULL, "protected");
    sandbox_expect(w, "exec --record '' hello", 2, NULL, "--record");
    assert_int_equal(model_server_count(server), 0);
    sandbox_expect(w, "-p hello --record tape", 0, "Hi.", NULL);
    sandbox_expect(w, "-p hello --provider replay:tape", 0, "Hi.", NULL);
    model_server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ten_steps, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_no_secrets, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_departures, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_cut, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_export, sandbox_setup, sandbox_teardown),
        cmocka_unit_test_setup_teardown(test_files, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
