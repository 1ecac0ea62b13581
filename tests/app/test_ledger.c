/*
 * Money and tokens: after runs with caches, tries that broke off, a sub-agent, a summary and a turn
 * that ran out of time, everything sf says it used is what the service said, to the micro-dollar,
 * for each kind of service: rows, the session's sums, its report, and the results of the runs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli.h"
#include "base/base.h"
#include "session/session.h"
#include "support/agent_sandbox.h"
#include "support/store_case.h"
#include "support/test.h"

static const enum sf_wire_format formats[] = { SF_WIRE_ANTHROPIC, SF_WIRE_CHAT, SF_WIRE_RESPONSES };

/* Micro-dollars a million tokens; what a request costs is rounded up to a whole one. */
enum { INPUT = 3000000, OUTPUT = 15130000, CACHE_READ = 300000, CACHE_WRITE = 3750000 };

static const char prices[] =
    "[models.scripted.\"test-model\"]\nwindow = 200000\nmax_output = 8000\n"
    "price_input = 3.0\nprice_output = 15.13\nprice_cache_read = 0.3\n"
    "price_cache_write = 3.75\n";

/* In one session, one after the other. */
static const struct {
    const char *options, *words;
    int code;
    const char *replies;
} runs[] = {
    { "", "look twice", 0,
      "reply\n    usage input=1201 output=33 cache-write=5003\n"
      "    call LS {\"path\":\".\"}\n    call Glob {\"pattern\":\"*\"}\n"
      "reply\n    usage input=77 output=19 cache-read=5003 cache-write=11\n    text \"Twice.\"\n" },
    { "-c", "what broke off", 0,
      "reply\n    status 529 \"overloaded\"\n"
      "reply\n    usage input=501 output=7 cache-read=4001\n    text delta=4 \"Half of \"\n"
      "    error overloaded_error \"later\"\n"
      "reply\n    usage input=507 output=10 cache-read=4005\n    text delta=50 \"${fill:3000}\"\n"
      "    cut 1200\n"
      "reply\n    usage input=505 output=11 cache-read=4007\n    text \"All of it.\"\n" },
    { "-c", "let another look", 0,
      "reply\n    usage input=13 output=17 cache-read=19\n"
      "    call Agent {\"prompt\":\"count\",\"description\":\"count\"}\n"
      "reply\n    usage input=601 output=23 cache-write=607\n    call LS {\"path\":\".\"}\n"
      "reply\n    status 500\n"
      "reply\n    usage input=29 output=31 cache-read=607\n    text \"one\"\n"
      "reply\n    usage input=37 output=41 cache-read=43\n    text \"One.\"\n" },
    { "-c", "too much", 0,
      "reply\n    status 400 code=context_length_exceeded \"prompt is too long: 9 > 8\"\n"
      "reply\n    usage input=47 output=53 cache-write=59\n    text \"In short.\"\n" },
    { "-c --max-time 3", "take your time", SF_EXIT_LIMIT,
      "reply\n    usage input=61 output=67 cache-read=71\n    text delta=50 \"${fill:3000}\"\n"
      "    stall 1200\n" },
};

struct sums {
    int64_t in, out, cache_read, cache_write, cost, requests;
};

/* What the server said, request by request. */
static struct sums ledger(struct model_server *server)
{
    struct sums s = { 0 };

    for (size_t i = 0, count = model_server_count(server); i < count; i++) {
        struct model_bill b = model_server_bill(server, i);
        int64_t parts = b.input * INPUT + b.output * OUTPUT + b.cache_read * CACHE_READ +
                        b.cache_write * CACHE_WRITE;

        s.in += b.input;
        s.out += b.output;
        s.cache_read += b.cache_read;
        s.cache_write += b.cache_write;
        s.cost += (parts + 999999) / 1000000;
        s.requests += parts > 0;
    }
    return s;
}

static int64_t integer(const struct sf_json *json, const char *key)
{
    struct sf_error err = SF_ERROR_INIT;
    int64_t n = -1;

    if (!sf_json_get_int(json, key, &n, &err))
        fail_msg("%s", err.msg);
    return n;
}

static void expect(const char *what, const char *name, int64_t is, int64_t want)
{
    if (is != want)
        fail_msg("%s: %s is %lld, the service said %lld", what, name, (long long)is,
                 (long long)want);
}

/* ---- what sf says ---- */

static void check_rows(struct sandbox *w, const struct sums *l)
{
    static const struct {
        const char *name, *column;
        size_t at;
    } columns[] = {
        { "input", "sum(input_tokens)", offsetof(struct sums, in) },
        { "output", "sum(output_tokens)", offsetof(struct sums, out) },
        { "read from the cache", "sum(cache_read_tokens)", offsetof(struct sums, cache_read) },
        { "written to the cache", "sum(cache_write_tokens)", offsetof(struct sums, cache_write) },
        { "cost", "sum(cost_micro_usd)", offsetof(struct sums, cost) },
        { "requests", "count(*)", offsetof(struct sums, requests) },
    };
    struct outcome o = sandbox_run(w, "store path");

    *strrchr(o.out, '/') = '\0';
    for (size_t i = 0; i < SF_COUNT(columns); i++) {
        struct sf_strbuf sql = SF_STRBUF_INIT;
        int64_t want;

        memcpy(&want, (const char *)l + columns[i].at, sizeof(want));
        sf_strbuf_addf(&sql, "SELECT %s FROM usage", columns[i].column);
        expect("the rows", columns[i].name, test_sql_int(o.out, sql.buf), want);
        sf_strbuf_release(&sql);
    }
    outcome_release(&o);
}

static struct sf_json *ask(struct sandbox *w, const char *verb, const char *session)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json;
    struct outcome o;

    sf_strbuf_addf(&words, "sessions %s %s --json", verb, session);
    o = sandbox_run(w, words.buf);
    json = sf_json_parse(o.out, o.out_len, NULL, &err);
    if (!json)
        fail_msg("%s: %s%s", words.buf, o.out, o.err);
    outcome_release(&o);
    sf_strbuf_release(&words);
    return json;
}

static void check_show(struct sandbox *w, const char *session, const struct sums *l)
{
    struct sf_json *json = ask(w, "show", session);

    expect("show", "in", integer(json, "tokens_in"), l->in + l->cache_read + l->cache_write);
    expect("show", "out", integer(json, "tokens_out"), l->out);
    expect("show", "cost", integer(json, "cost_micro_usd"), l->cost);
    expect("show", "turns", integer(json, "turns"), (int64_t)SF_COUNT(runs));
    sf_json_free(json);
}

static void check_report(struct sandbox *w, const char *session, const struct sums *l)
{
    struct sf_json *json = ask(w, "report", session);
    const struct sf_json *usage = sf_json_get(json, "usage");

    expect("report", "in", integer(usage, "input_tokens"), l->in);
    expect("report", "out", integer(usage, "output_tokens"), l->out);
    expect("report", "read", integer(usage, "cache_read_tokens"), l->cache_read);
    expect("report", "written", integer(usage, "cache_write_tokens"), l->cache_write);
    expect("report", "cost", integer(usage, "cost_micro_usd"), l->cost);
    expect("report", "requests", integer(usage, "requests"), l->requests);
    expect("report", "turns", integer(json, "turns"), (int64_t)SF_COUNT(runs));
    expect("report", "units", integer(json, "units"), (int64_t)SF_COUNT(runs) - 1);
    expect("report", "agents", integer(json, "agents"), 1);
    expect("report", "summaries", integer(json, "summaries"), 1);
    sf_json_free(json);
}

/* ---- running ---- */

static void run(struct sandbox *w, size_t i, struct sums *said, char session[SF_ID_LEN + 1])
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    const char *id;
    double cost = -1;
    struct sf_json *done;
    struct outcome o;

    sf_strbuf_addf(&words, "exec --output-format stream-json %s '%s'", runs[i].options,
                   runs[i].words);
    o = sandbox_run(w, words.buf);
    done = agent_sandbox_object(o.out, "done");
    if (o.code != runs[i].code || !done || !sf_json_get(done, "cost_usd") ||
        !sf_json_as_double(sf_json_get(done, "cost_usd"), "cost_usd", &cost, &err))
        fail_msg("%s: %d\n%s%s", words.buf, o.code, o.out, o.err);
    assert_true(sf_json_get_str(done, "session", &id, &err));
    snprintf(session, SF_ID_LEN + 1, "%s", id);
    said->in += integer(done, "input_tokens");
    said->out += integer(done, "output_tokens");
    said->cost += llround(cost * 1e6);
    sf_json_free(done);
    outcome_release(&o);
    sf_strbuf_release(&words);
}

static void test_ledger(void **state)
{
    struct sandbox *w = *state;
    char *catalog = test_path(w->dir, "config/sf/models.toml");
    char session[SF_ID_LEN + 1];

    agent_sandbox_settings(w, "[network]\nretries = 4\nretry_wait = 0.001\n");
    for (size_t k = 0; k < SF_COUNT(formats); k++) {
        struct sf_strbuf script = SF_STRBUF_INIT;
        struct sums said = { 0 }, l;
        struct model_server *server;

        for (size_t i = 0; i < SF_COUNT(runs); i++)
            sf_strbuf_adds(&script, runs[i].replies);
        server = agent_sandbox_serve(w, formats[k], script.buf, NULL);
        test_write(catalog, prices, sizeof(prices) - 1);
        for (size_t i = 0; i < SF_COUNT(runs); i++)
            run(w, i, &said, session);
        l = ledger(server);
        agent_sandbox_check(server, sf_wire_format_names[formats[k]]);
        assert_true(l.in > 1000 && l.out > 100 && l.cache_read > 4000 && l.cost > 1000);
        expect("the results", "in", said.in, l.in + l.cache_read + l.cache_write);
        expect("the results", "out", said.out, l.out);
        expect("the results", "cost", said.cost, l.cost);
        if (k == 0)
            check_rows(w, &l);
        check_show(w, session, &l);
        check_report(w, session, &l);
        model_server_stop(server);
        sf_strbuf_release(&script);
    }
    free(catalog);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ledger, sandbox_setup, sandbox_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
