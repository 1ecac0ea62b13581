/*
 * What goes wrong between sf and a service, with the whole program in each wire format: the exit
 * code, the words for people and for programs, and a session that goes on as soon as the service
 * is well again. Cuts at every byte and garbage are in tests/session.
 */
#include <stdlib.h>

#include "base/base.h"
#include "support/agent_sandbox.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

/* One more try after a wait nobody notices; limits that only a hang would reach. */
#define PATIENT "[network]\nretries = 1\nretry_wait = 0.01\nretry_wait_max = 0.02\n"
#define QUICK \
    "[network]\nretries = 1\nretry_wait = 0.01\nfirst_byte_timeout = 0.7\nsilence_timeout = 0.7\n"
#define SHORT "[network]\nretries = 1\nanswer_timeout = 0.7\n"

enum { TEMPORARY = 75, FAILED = 1, DONE_MS = 120000 };

#define ANSWER \
    "    text delta=3 \"half an ünswer 🌍\"\n    call Write {\"file_path\":\"half\",\"content\":\"1\"}\n"

static const struct fault {
    const char *name;
    const char *reply; /* of each try */
    const char *settings;
    int code, tries;
    const char *category, *message, *advice;
} faults[] = {
    { "429", "    status 429\n", PATIENT, TEMPORARY, 2, "rate-limit", "", "wait a moment" },
    { "429 with Retry-After", "    status 429 retry-after=60\n", PATIENT, TEMPORARY, 2,
      "rate-limit", "", "wait a moment" },
    { "429 with a date", "    status 429 retry-date=60\n", PATIENT, TEMPORARY, 2, "rate-limit", "",
      "wait a moment" },
    { "429, out of credit", "    status 429 code=insufficient_quota\n", PATIENT, FAILED, 1, "quota",
      "", "add credit" },
    { "500", "    status 500\n", PATIENT, TEMPORARY, 2, "server", "", "try again" },
    { "a gateway's page", "    html 502\n", PATIENT, TEMPORARY, 2, "server", "", "try again" },
    { "503", "    status 503 code=overloaded_error\n", PATIENT, TEMPORARY, 2, "overload", "",
      "try again" },
    { "529", "    status 529\n", PATIENT, TEMPORARY, 2, "overload", "", "try again" },
    { "overloaded in mid-answer", ANSWER "    error overloaded_error \"try later\"\n", PATIENT,
      TEMPORARY, 2, "overload", "try later", "try again" },
    { "a wrong key", "    status 401\n", PATIENT, FAILED, 1, "auth", "", "key" },
    { "no such model", "    status 404\n", PATIENT, FAILED, 1, "model", "", "another model" },
    { "a request it rejects", "    status 400 \"tools.0: bad\"\n", PATIENT, FAILED, 1, "request",
      "tools.0: bad", "another model" },
    { "another address", "    redirect \"http://127.0.0.1:1/\"\n", PATIENT, FAILED, 1, "model",
      "http://127.0.0.1:1/", "base_url" },
    { "a stall before the headers", ANSWER "    stall headers\n", QUICK, TEMPORARY, 2, "stall",
      "said nothing for 0.7 s", "ask again" },
    { "a stall before the answer", ANSWER "    stall 0\n", QUICK, TEMPORARY, 2, "stall",
      "said nothing for 0.7 s", "ask again" },
    { "a stall in mid-answer", ANSWER "    stall 700\n", QUICK, TEMPORARY, 2, "stall",
      "said nothing for 0.7 s", "ask again" },
    { "an answer without end", "    text \"so\"\n    delay 20000\n" ANSWER, SHORT, TEMPORARY, 1,
      "timeout", "took longer", "ask for less" },
    { "a cut before the headers", ANSWER "    cut headers\n", PATIENT, TEMPORARY, 2, "connect", "",
      "check the network" },
    { "a cut behind the headers", ANSWER "    cut 0\n", PATIENT, TEMPORARY, 2, "connect", "",
      "check the network" },
    { "a cut in mid-answer", ANSWER "    cut 700\n", PATIENT, TEMPORARY, 2, "connect", "",
      "check the network" },
    { "a reset in mid-answer", ANSWER "    cut 700 how=rst\n", PATIENT, TEMPORARY, 2, "connect", "",
      "check the network" },
    { "the end is missing",
      "    text \"half\"\n    no-end\n    cut 420\n    newline crlf\n    write 1\n", PATIENT,
      TEMPORARY, 2, "connect", "", "check the network" },
    { "a page instead of an answer", "    html 200\n", PATIENT, TEMPORARY, 2, "malformed", "",
      "address and format" },
    { "bytes nobody can read", "    text \"so\"\n    bytes \"data: {]\\n\\n\"\n" ANSWER, PATIENT,
      TEMPORARY, 2, "malformed", "", "address and format" },
    { "a line that does not end", "    huge 6\n", PATIENT, FAILED, 1, "oversize", "longer than",
      "ask for less" },
};

/* A name and what both shapes of output have to say. */
struct run {
    const char *name;
    const struct fault *fault;
    struct outcome o;
};

static void fail_run(const struct run *r, const char *what)
{
    fail_msg("%s: %s (exit code %d)\nstdout: %s\nstderr: %s", r->name, what, r->o.code, r->o.out,
             r->o.err);
}

static void check_text(const struct run *r)
{
    const struct fault *f = r->fault;
    const char *resume = strstr(r->o.err, "resume with: sf exec --resume ");

    if (!strstr(r->o.err, f->category) || !strstr(r->o.err, f->message) ||
        !strstr(r->o.err, f->advice))
        fail_run(r, "stderr does not say what happened and what to do");
    if (!resume)
        fail_run(r, "stderr does not say how to go on");
    if (!sf_utf8_valid(r->o.out, strlen(r->o.out), NULL) ||
        !sf_utf8_valid(r->o.err, strlen(r->o.err), NULL))
        fail_run(r, "that is no UTF-8");
}

static size_t count_objects(const char *out, const char *type)
{
    struct sf_strbuf key = SF_STRBUF_INIT;
    size_t n = 0;

    sf_strbuf_addf(&key, "{\"v\":1,\"type\":\"%s\"", type);
    for (const char *at = out; (at = strstr(at, key.buf)); at++)
        n++;
    sf_strbuf_release(&key);
    return n;
}

static bool says(const char *out, const char *type, const char *key, const char *text)
{
    struct sf_json *json = agent_sandbox_object(out, type);
    struct sf_error err = SF_ERROR_INIT;
    const char *is = "";
    bool ok = json && sf_json_get_str(json, key, &is, &err) && strstr(is, text);

    sf_json_free(json);
    return ok;
}

static void check_stream(const struct run *r)
{
    const struct fault *f = r->fault;

    if (!says(r->o.out, "error", "category", f->category) ||
        !says(r->o.out, "error", "message", f->message) ||
        !says(r->o.out, "error", "message", f->advice))
        fail_run(r, "the error object does not say it");
    if (!says(r->o.out, "done", "resume", "sf exec --resume ") ||
        !says(r->o.out, "done", "status", "failed"))
        fail_run(r, "the done object does not say it");
    if (count_objects(r->o.out, "retry") != (size_t)f->tries - 1)
        fail_run(r, "another number of tries");
    if (f->tries > 1 && !says(r->o.out, "retry", "category", f->category))
        fail_run(r, "the retry object does not say why");
    if (count_objects(r->o.out, "tool_use"))
        fail_run(r, "a call of half an answer was begun");
}

static void check(struct run *r, bool stream)
{
    if (r->o.code != r->fault->code)
        fail_run(r, "the exit code is wrong");
    if (stream)
        check_stream(r);
    else
        check_text(r);
    outcome_release(&r->o);
}

/* The same session against a service that is well, and takes what the history has become. */
static void go_on(struct sandbox *w, enum sf_wire_format format, const char *name)
{
    struct model_server *server = agent_sandbox_serve(
        w, format, "reply\n    expect-contains \"the first words\"\n    text \"well again\"\n",
        NULL);

    sandbox_expect(w, "exec --continue 'and now'", 0, "well again", NULL);
    agent_sandbox_check(server, name);
    model_server_stop(server);
}

#define STREAM_WORDS "exec --output-format stream-json 'the first words'"
#define TEXT_WORDS   "-p 'the first words'"

/* People read one format's, programs the others'; which one changes from fault to fault. */
static void one_fault(struct sandbox *w, size_t i, size_t f)
{
    const struct fault *fault = &faults[i];
    bool stream = i % SF_COUNT(formats) != f;
    struct sf_strbuf scenario = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    struct run r = { .fault = fault };
    struct model_server *server;

    sf_strbuf_addf(&name, "%s, %s", fault->name, sf_wire_format_names[formats[f]]);
    r.name = name.buf;
    for (int t = 0; t < fault->tries; t++)
        sf_strbuf_addf(&scenario, "reply\n%s", fault->reply);
    agent_sandbox_settings(w, fault->settings);
    server = agent_sandbox_serve(w, formats[f], scenario.buf, NULL);
    r.o = sandbox_run(w, stream ? STREAM_WORDS : TEXT_WORDS);
    /* one that sf gave up may still have to be read */
    if (!model_server_wait_done(server, (size_t)fault->tries, DONE_MS))
        fail_run(&r, "not all tries came to the server");
    agent_sandbox_check(server, r.name);
    assert_int_equal(model_server_replies(server), fault->tries);
    check(&r, stream);
    model_server_stop(server);
    agent_sandbox_settings(w, NULL);
    go_on(w, formats[f], r.name);
    sf_strbuf_release(&scenario);
    sf_strbuf_release(&name);
}

static void test_faults(void **state)
{
    for (size_t i = 0; i < SF_COUNT(faults); i++)
        for (size_t f = 0; f < SF_COUNT(formats); f++)
            one_fault(*state, i, f);
}

/* ---- nobody there, nobody to trust ---- */

static const struct fault refused = { "refused", "",        PATIENT, TEMPORARY,
                                      2,         "connect", "",      "check the network" };
static const struct fault no_tls = { "no tls", "",    PATIENT, FAILED,
                                     1,        "tls", "",      "the provider's address" };

static void point_to_https(struct sandbox *w)
{
    size_t len;
    char *text = test_read(w->config, &len);
    struct sf_strbuf changed = SF_STRBUF_INIT;
    char *at = strstr(text, "http://");

    assert_non_null(at);
    sf_strbuf_add(&changed, text, len);
    sf_strbuf_splice(&changed, (size_t)(at - text) + 4, 0, "s", 1);
    test_write(w->config, changed.buf, changed.len);
    sf_strbuf_release(&changed);
    free(text);
}

static void unreachable(struct sandbox *w, size_t f, const struct fault *fault)
{
    bool tls = fault == &no_tls;

    for (int stream = 0; stream < 2; stream++) {
        struct model_server *server = NULL;
        struct run r = { .name = fault->name, .fault = fault };

        agent_sandbox_settings(w, fault->settings);
        if (tls) {
            server = agent_sandbox_serve(w, formats[f], "reply\n    text \"never\"\n", NULL);
            point_to_https(w);
        } else {
            agent_sandbox_nobody(w, formats[f]);
        }
        r.o = sandbox_run(w, stream ? STREAM_WORDS : TEXT_WORDS);
        check(&r, stream);
        if (server)
            assert_int_equal(model_server_replies(server), 0);
        model_server_stop(server);
        agent_sandbox_settings(w, NULL);
        go_on(w, formats[f], fault->name);
    }
}

static void test_unreachable(void **state)
{
    for (size_t f = 0; f < SF_COUNT(formats); f++) {
        unreachable(*state, f, &refused);
        unreachable(*state, f, &no_tls);
    }
}

/* ---- what is no fault ---- */

#define WHOLE "    reasoning delta=2 \"hm 🤔\"\n    text delta=1 \"Grüße, 世界 🌍 ✓\"\n"

static const struct {
    const char *name, *reply;
    const char *event; /* on stderr; NULL: nothing */
} oddities[] = {
    { "CRLF", WHOLE "    newline crlf\n", NULL },
    { "CR", WHOLE "    newline cr\n", NULL },
    { "byte by byte", WHOLE "    write 1\n", NULL },
    { "byte by byte with CRLF", WHOLE "    write 1\n    newline crlf\n", NULL },
    { "in threes", WHOLE "    write 3\n", NULL },
    { "pings and comments", WHOLE "    pings\n    comments\n    unknown-event\n", NULL },
    { "compressed and said so", WHOLE "    gzip declared\n", NULL },
    { "until the connection ends", WHOLE "    framing close\n", NULL },
    { "the second try", "    status 529\nreply\n" WHOLE, "try 2 of 2 follows" },
    { "the second try behind half an answer", "    text \"half of it\"\n    cut 500\nreply\n" WHOLE,
      "try 2 of 2 follows" },
};

static void test_oddities(void **state)
{
    struct sandbox *w = *state;

    for (size_t i = 0; i < SF_COUNT(oddities); i++) {
        for (size_t f = 0; f < SF_COUNT(formats); f++) {
            struct sf_strbuf scenario = SF_STRBUF_INIT;
            struct model_server *server;
            struct outcome o;

            sf_strbuf_addf(&scenario, "reply\n%s", oddities[i].reply);
            agent_sandbox_settings(w, PATIENT);
            server = agent_sandbox_serve(w, formats[f], scenario.buf, NULL);
            o = sandbox_run(w, TEXT_WORDS);
            if (o.code != 0 || strcmp(o.out, "Grüße, 世界 🌍 ✓\n") != 0 ||
                (oddities[i].event ? !strstr(o.err, oddities[i].event) : *o.err != '\0'))
                fail_msg("%s, %s: exit code %d\n%s\n%s", oddities[i].name,
                         sf_wire_format_names[formats[f]], o.code, o.out, o.err);
            agent_sandbox_check(server, oddities[i].name);
            model_server_stop(server);
            outcome_release(&o);
            sf_strbuf_release(&scenario);
        }
    }
    agent_sandbox_settings(w, NULL);
}

/* What the service asks for is waited for, within the limit of the settings. */
static void test_retry_after(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *retry;
    int64_t wait, n;
    struct outcome o;

    agent_sandbox_settings(w, "[network]\nretry_wait = 0.01\nretry_wait_max = 1.5\n");
    server = agent_sandbox_serve(
        w, SF_WIRE_CHAT, "reply\n    status 429 retry-after=1\nreply\n    text \"fine\"\n", NULL);
    o = sandbox_run(w, STREAM_WORDS);
    retry = agent_sandbox_object(o.out, "retry");
    assert_int_equal(o.code, 0);
    assert_non_null(retry);
    assert_true(sf_json_get_int(retry, "wait_ms", &wait, &err));
    assert_in_range(wait, 1000, 1500);
    assert_true(sf_json_get_int(retry, "attempt", &n, &err) && n == 1);
    assert_true(sf_json_get_int(retry, "of", &n, &err) && n == 6);
    sf_json_free(retry);
    outcome_release(&o);
    model_server_stop(server);
    agent_sandbox_settings(w, NULL);
}

/* Whoever waits for plain text reads why, a line for each try, without asking for more words. */
static void test_retries_show_in_text(void **state)
{
    struct sandbox *w = *state;
    struct model_server *server;
    struct outcome o;

    agent_sandbox_settings(w, "[network]\nretry_wait = 0.01\nretry_wait_max = 0.02\n");
    server = agent_sandbox_serve(
        w, SF_WIRE_CHAT, "reply\n    status 503\nreply\n    status 503\nreply\n    text \"fine\"\n",
        NULL);
    o = sandbox_run(w, "-p hello");
    if (o.code != 0 || strcmp(o.out, "fine\n") != 0 || !strstr(o.err, "try 2 of 6 follows") ||
        !strstr(o.err, "try 3 of 6 follows"))
        fail_msg("exit code %d\n%s\n%s", o.code, o.out, o.err);
    outcome_release(&o);
    model_server_stop(server);
    agent_sandbox_settings(w, NULL);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, sandbox_setup, sandbox_teardown)
    const struct CMUnitTest tests[] = {
        CASE(test_faults),      CASE(test_unreachable),          CASE(test_oddities),
        CASE(test_retry_after), CASE(test_retries_show_in_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
