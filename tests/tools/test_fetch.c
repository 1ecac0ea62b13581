/*
 * Pages from a real server on loopback: what is told of each answer, where redirects lead, what
 * is never asked, and that every way out comes back once with nothing left open.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "support/child.h"
#include "support/peer.h"
#include "support/test.h"
#include "support/toolcase.h"
#include "tools/box.h"
#include "tools/output.h"

struct fixture {
    struct toolcase *tools;
    struct peer *peer;
    int fds;
};

static int setup(void **state)
{
    struct fixture *f = sf_alloc(sizeof(*f));
    void *tools = NULL;

    *state = f;
    peer_dead_port(); /* its descriptor stays */
    f->fds = child_count_fds();
    if (toolcase_setup(&tools) != 0)
        return -1;
    f->tools = tools;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    void *tools = f->tools;
    int fds = f->fds, rc = toolcase_teardown(&tools);

    peer_stop(f->peer);
    free(f);
    if (child_count_fds() != fds) {
        print_error("descriptors were %d and are %d\n", fds, child_count_fds());
        return -1;
    }
    return rc;
}

#define ON_WEB(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static void serve(struct fixture *f, const struct peer_answer *answers, size_t count)
{
    peer_stop(f->peer);
    f->peer = peer_start(answers, count);
}

/* `args` holds one %d for the port. */
static char *with_port(const char *args, int port)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    const char *gap = strstr(args, "%d");

    assert_non_null(gap);
    sf_strbuf_add(&sb, args, (size_t)(gap - args));
    sf_strbuf_addf(&sb, "%d%s", port, gap + 2);
    return sf_strbuf_detach(&sb);
}

static const char *fetch(struct fixture *f, const char *args)
{
    char *text = with_port(args, peer_port(f->peer));
    const char *result = tool_run(f->tools, "Fetch", text);

    free(text);
    return result;
}

#define PAGE "{'url':'http://127.0.0.1:%d/a/b'}"

static void expect(struct fixture *f, const char *name, bool failed, const char *text,
                   const char *has)
{
    if (tool_failed(f->tools) != failed || !strstr(text, has))
        fail_msg("%s: %s: %s", name, tool_failed(f->tools) ? "failed" : "succeeded", text);
}

/* clang-format off */
static const struct {
    const char *name;
    struct peer_answer answer;
    const char *args;
    bool failed;
    const char *has;
} answers[] = {
    { "a page",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 37\r\n\r\n<h1>Hi</h1><p><a href=c>there</a></p>" },
      PAGE, false, "# Hi\n\nthere[1]\n\nLinks:\n[1] http://127.0.0.1:" },
    { "its head",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc" },
      PAGE, false, "[HTTP 200, text/plain, 3 bytes, http://127.0.0.1:" },
    { "JSON",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{\"a\": 1}\n" },
      PAGE, false, "]\n{\"a\": 1}\n" },
    { "in chunks, to the end",
      { .bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", .piece = 3 },
      PAGE, false, "]\nabcde\n" },
    { "up to the close",
      { .bytes = "HTTP/1.1 200 OK\r\n\r\nabc", .then = PEER_CLOSE },
      PAGE, false, "[HTTP 200, no type, 3 bytes" },
    { "nothing",
      { .bytes = "HTTP/1.1 204 None\r\n\r\n" },
      PAGE, false, "]\n(nothing)\n" },
    { "escapes",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\na\033[2Jb\xe2\x80\xae" "c" },
      PAGE, false, "]\nab\xef\xbf\xbd" "c\n" },
    { "lone returns hide nothing",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nrm -rf /\rls\r\n" },
      PAGE, false, "]\nrm -rf /\nls\n" },
    { "latin-1",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=latin1\r\nContent-Length: 4\r\n\r\ncaf\xe9" },
      PAGE, false, "]\ncafé\n" },
    { "an unknown charset",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=big5\r\nContent-Length: 4\r\n\r\na\xa4\xa4z" },
      PAGE, false, "z\n[the charset big5 is not known" },
    { "not found",
      { .bytes = "HTTP/1.1 404 No\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<p>no such one" },
      PAGE, true, "]\nno such one\n" },
    { "a broken server",
      { .bytes = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" },
      PAGE, true, "[HTTP 503, no type, 0 bytes" },
    { "a picture is not even read",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 999999\r\n\r\n", .then = PEER_STALL },
      PAGE, true, "HTTP 200: this is not text: image/png" },
    { "an archive",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 6\r\n\r\nPK\3\4\0\0", .len = 84 },
      PAGE, true, "HTTP 200: this is not text: a ZIP archive" },
    { "broken off",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .then = PEER_CLOSE },
      PAGE, true, "broke off in the middle" },
    { "reset",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .then = PEER_RESET },
      PAGE, true, "127.0.0.1" },
    { "no HTTP",
      { .bytes = "SSH-2.0-x\r\n", .then = PEER_CLOSE },
      PAGE, true, "does not answer as it should" },
    { "too large",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nabcdef", .then = PEER_STALL },
      "{'url':'http://127.0.0.1:%d/','max_bytes':5}", false, "]\nabcde\n[cut: only the first 5 bytes were read]\n" },
    { "just as large as it may be",
      { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde" },
      "{'url':'http://127.0.0.1:%d/','max_bytes':5}", false, "]\nabcde\n" },
    { "a redirect to nowhere",
      { .bytes = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n" },
      PAGE, true, "does not say where" },
    { "a redirect off the web",
      { .bytes = "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n" },
      PAGE, true, "not a web address: file:///etc/passwd" },
    { "a redirect with a password",
      { .bytes = "HTTP/1.1 302 Found\r\nLocation: http://a:b@127.0.0.1/\r\nContent-Length: 0\r\n\r\n" },
      PAGE, true, "not a web address" },
    { "round and round",
      { .bytes = "HTTP/1.1 302 Found\r\nLocation: c\r\nContent-Length: 0\r\n\r\n" },
      PAGE, true, "leads on and on: 5 times" },
    { "to another host",
      { .bytes = "HTTP/1.1 302 Found\r\nLocation: http://example.org/x\r\nContent-Length: 0\r\n\r\n" },
      PAGE, false, "leads to another place, which was not asked]\nhttp://example.org/x\n" },
    { "to the same host by another name",
      { .bytes = "HTTP/1.1 301 Moved\r\nLocation: //localhost/x\r\nContent-Length: 0\r\n\r\n" },
      PAGE, false, "\nhttp://localhost/x\n" },
    { "to another port",
      { .bytes = "HTTP/1.1 307 Other\r\nLocation: http://127.0.0.1:1/x\r\nContent-Length: 0\r\n\r\n" },
      PAGE, false, "\nhttp://127.0.0.1:1/x\n" },
    { "to another scheme on another port",
      { .bytes = "HTTP/1.1 308 Other\r\nLocation: https://127.0.0.1/x\r\nContent-Length: 0\r\n\r\n" },
      PAGE, false, "\nhttps://127.0.0.1/x\n" },
    { "to the keys of the machine",
      { .bytes = "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n" },
      PAGE, false, "which was not asked]\nhttp://169.254.169.254/\n" },
};
/* clang-format on */

static void test_answers(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(answers); i++) {
        serve(f, &answers[i].answer, 1);
        expect(f, answers[i].name, answers[i].failed, fetch(f, answers[i].args), answers[i].has);
    }
}

static void test_request(void **state)
{
    static const struct peer_answer answer = { .bytes = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\n"
                                                        "Content-Length: 1\r\n\r\nx" };
    struct fixture *f = *state;

    serve(f, &answer, 1);
    for (int i = 0; i < 2; i++) {
        char *seen;

        fetch(f, "{'url':'http://127.0.0.1:%d/a?b=c#d'}");
        seen = peer_last_request(f->peer);
        if (strncmp(seen, "GET /a?b=c HTTP/1.1\r\n", 21) != 0 || !strstr(seen, "User-Agent: sf/") ||
            !strstr(seen, "Accept: text/html") || strcasestr(seen, "cookie") ||
            strcasestr(seen, "authorization"))
            fail_msg("%s", seen);
        free(seen);
    }
}

static void test_redirects_on_the_host(void **state)
{
    static const struct peer_answer chain[] = {
        { .bytes = "HTTP/1.1 301 Moved\r\nLocation: ../c\r\nContent-Length: 5\r\n\r\nmoved" },
        { .bytes = "HTTP/1.1 302 Found\r\nLocation: /d?e=f\r\nContent-Length: 0\r\n\r\n",
          .then = PEER_CLOSE },
        { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere" },
    };
    struct fixture *f = *state;
    const char *text;
    char *seen;

    serve(f, chain, SF_COUNT(chain));
    text = fetch(f, PAGE);
    expect(f, "a chain", false, text, "/d?e=f]\nhere\n");
    seen = peer_last_request(f->peer);
    assert_int_equal(strncmp(seen, "GET /d?e=f ", 11), 0);
    assert_int_equal(peer_requests(f->peer), 3);
    free(seen);
}

/* The body of a redirect is not waited for, and neither is the end of what is too large. */
static void test_bodies_without_end(void **state)
{
    static const struct peer_answer chain[] = {
        { .bytes = "HTTP/1.1 301 Moved\r\nLocation: /c\r\nContent-Length: 99\r\n\r\nx",
          .then = PEER_STALL },
        { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere" },
    };
    struct fixture *f = *state;

    serve(f, chain, SF_COUNT(chain));
    expect(f, "a redirect that stalls", false, fetch(f, PAGE), "here\n");
}

/* http may become https on the same host; seen at a proxy, which is asked for both. */
static void test_made_secure(void **state)
{
    static const struct peer_answer chain[] = {
        { .bytes = "HTTP/1.1 301 Moved\r\nLocation: https://sf-test.invalid/x\r\n"
                   "Content-Length: 0\r\n\r\n" },
        { .bytes = "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n" },
    };
    struct fixture *f = *state;
    struct sf_strbuf proxy = SF_STRBUF_INIT;
    const char *text;
    char *seen;

    serve(f, chain, SF_COUNT(chain));
    sf_strbuf_addf(&proxy, "http://127.0.0.1:%d", peer_port(f->peer));
    f->tools->box->proxy = sf_strbuf_detach(&proxy);
    text = tool_run(f->tools, "Fetch", "{'url':'http://sf-test.invalid/x'}");
    assert_true(tool_failed(f->tools));
    seen = peer_last_request(f->peer);
    if (strncmp(seen, "CONNECT sf-test.invalid:443 ", 28) != 0)
        fail_msg("%s\n%s", text, seen);
    free(seen);
}

static void test_large_pages_are_spilled(void **state)
{
    enum { SIZE = 300000 };
    struct fixture *f = *state;
    struct sf_strbuf page = SF_STRBUF_INIT;
    struct peer_answer answer = { .bytes = NULL };
    const char *text;
    size_t len;

    sf_strbuf_addf(&page, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nfirst\n");
    for (int i = 0; page.len < SIZE; i++)
        sf_strbuf_addf(&page, "line %d\n", i);
    sf_strbuf_adds(&page, "last\n");
    answer.bytes = page.buf;
    answer.then = PEER_CLOSE;
    serve(f, &answer, 1);
    text = fetch(f, PAGE);
    len = strlen(text);
    expect(f, "head", false, text, "]\nfirst\n");
    expect(f, "tail", false, text, "last\n");
    expect(f, "the file", false, text, "/spill/");
    peer_stop(f->peer); /* it borrows the page */
    f->peer = NULL;
    sf_strbuf_release(&page);
    assert_true(len < SF_OUTPUT_SHOWN + 1024);
}

static void test_deadline(void **state)
{
    static const struct peer_answer stalls[] = {
        { .bytes = "", .then = PEER_STALL },
        { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .then = PEER_STALL },
    };
    struct fixture *f = *state;

    f->tools->box->fetch_ms = 30;
    for (size_t i = 0; i < SF_COUNT(stalls); i++) {
        serve(f, &stalls[i], 1);
        expect(f, "slow", true, fetch(f, PAGE), "127.0.0.1 gave no whole answer within 0.03 s");
    }
}

static void on_done(void *ctx, struct sf_tool_call *call)
{
    struct toolcase *t = ctx;

    t->done += call == t->call;
}

/* Before the connection, and when the server has the request. */
static void test_cancel(void **state)
{
    static const struct peer_answer stall = { .bytes = "HTTP/1.1 200 OK\r\n\r\nabc",
                                              .then = PEER_STALL };
    struct fixture *f = *state;
    struct toolcase *t = f->tools;

    for (int late = 0; late < 2; late++) {
        char args[64];
        int len;

        serve(f, &stall, 1);
        len =
            snprintf(args, sizeof(args), "{\"url\":\"http://127.0.0.1:%d/\"}", peer_port(f->peer));
        assert_non_null(tool_prepare(t, "Fetch", args, (size_t)len));
        sf_toolbox_start(t->box, t->call, on_done, NULL, t);
        while (late && !t->done && !peer_requests(f->peer))
            sf_loop_turn(t->loop, 1);
        sf_toolbox_cancel(t->box, t->call);
        sf_toolbox_cancel(t->box, t->call);
        sf_loop_run(t->loop);
        assert_int_equal(t->done, 1);
        assert_true(t->call->result.is_error);
        assert_string_equal(t->call->result.text.buf, "cancelled before the answer was whole");
    }
}

static const struct {
    const char *name, *args, *has;
} refused[] = {
    { "no scheme", "{'url':'example.org'}", "must begin with https:// or http://" },
    { "a file", "{'url':'file:///etc/passwd'}", "must begin with https:// or http://" },
    { "a password", "{'url':'http://a:b@example.org/'}", "name or password" },
    { "a newline", "{'url':'http://example.org/\\nX: y'}", "control" },
    { "no host", "{'url':'http:///x'}", "names no host" },
    { "no address", "{'url':''}", "must begin with https:// or http://" },
    { "cloud metadata", "{'url':'http://169.254.169.254/latest/'}", "never contacted" },
    { "the same in IPv6", "{'url':'http://[::ffff:169.254.169.254]/'}", "never contacted" },
    { "link-local IPv6", "{'url':'http://[fe80::1]/'}", "never contacted" },
    { "no machine", "{'url':'http://0.0.0.0/'}", "never contacted" },
    { "a number", "{'url':'http://2852039166/'}", "no host that can be read" },
    { "too much", "{'url':'http://example.org/','max_bytes':9000000}", "max_bytes" },
    { "nothing", "{'url':'http://example.org/','max_bytes':0}", "max_bytes" },
};

static void test_refused(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < SF_COUNT(refused); i++) {
        const char *text = tool_run(f->tools, "Fetch", refused[i].args);

        if (f->tools->call || !strstr(text, refused[i].has))
            fail_msg("%s: %s", refused[i].name, text);
    }
}

/* Every name below "localhost" is loopback, and none of them is its name. */
static void test_names_that_lead_inside(void **state)
{
    static const struct peer_answer answer = { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 4"
                                                        "\r\n\r\nmine" };
    struct fixture *f = *state;

    serve(f, &answer, 1);
    expect(f, "a name", true, fetch(f, "{'url':'http://evil.localhost:%d/'}"),
           "evil.localhost leads to ");
    assert_int_equal(peer_connections(f->peer), 0);
    expect(f, "the name", false, fetch(f, "{'url':'http://localhost:%d/'}"), "mine");
}

static void test_nobody_there(void **state)
{
    struct fixture *f = *state;
    char *args = with_port(PAGE, peer_dead_port());

    expect(f, "a dead port", true, tool_run(f->tools, "Fetch", args), "cannot be reached");
    free(args);
}

int main(void)
{
    static const char *const variables[] = { "http_proxy", "https_proxy", "HTTPS_PROXY",
                                             "all_proxy",  "ALL_PROXY",   "no_proxy",
                                             "NO_PROXY" };
    const struct CMUnitTest tests[] = {
        ON_WEB(test_answers),
        ON_WEB(test_request),
        ON_WEB(test_redirects_on_the_host),
        ON_WEB(test_bodies_without_end),
        ON_WEB(test_made_secure),
        ON_WEB(test_large_pages_are_spilled),
        ON_WEB(test_deadline),
        ON_WEB(test_cancel),
        ON_WEB(test_refused),
        ON_WEB(test_names_that_lead_inside),
        ON_WEB(test_nobody_there),
    };

    for (size_t i = 0; i < SF_COUNT(variables); i++)
        unsetenv(variables[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
