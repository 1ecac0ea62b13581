/*
 * The ways to a host: names that lead inside are refused where only the public network is
 * wanted, by the address they stand for and not by how they look. libcurl takes every name below
 * "localhost" for loopback without asking anybody, which makes such a name of any.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "modules/modules.h"
#include "support/http_case.h"
#include "support/peer.h"
#include "support/test.h"

static const struct peer_answer hello = { .bytes = OK_HEAD "Content-Length: 5\r\n\r\nhello" };

static const struct {
    const char *name, *host;
    bool public_only;
    enum sf_http_end end;
    const char *message;
} hosts[] = {
    { "a name of loopback", "inside.localhost", false, SF_HTTP_DONE, "" },
    { "the same from outside", "inside.localhost", true, SF_HTTP_OTHER,
      "which is not an address of the public network" },
    { "loopback itself", "127.0.0.1", true, SF_HTTP_OTHER, "127.0.0.1 leads to 127.0.0.1" },
    { "and where it is wanted", "127.0.0.1", false, SF_HTTP_DONE, "" },
};

static void test_hosts(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];

    for (size_t i = 0; i < SF_COUNT(hosts); i++) {
        struct sf_http_request request = { .plain = true, .public_only = hosts[i].public_only };
        struct sf_strbuf url = SF_STRBUF_INIT;
        bool done = hosts[i].end == SF_HTTP_DONE;

        http_case_serve(f, &hello, 1);
        sf_strbuf_addf(&url, "http://%s:%d/", hosts[i].host, peer_port(f->peer));
        request.url = url.buf;
        probe_reset(p);
        probe_begin(p, &request);
        probe_wait(p);
        sf_strbuf_release(&url);
        if (p->end != hosts[i].end || !strstr(p->message, hosts[i].message) ||
            peer_connections(f->peer) != (done ? 1 : 0))
            fail_msg("%s: end %d, %zu connections, %s", hosts[i].name, p->end,
                     peer_connections(f->peer), p->message);
    }
}

/* A connection somebody else opened would pass by the look at the address. */
static void test_no_borrowed_connection(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    struct sf_http_request request = { .plain = true };
    char url[64];

    http_case_serve(f, &hello, 1);
    snprintf(url, sizeof(url), "http://inside.localhost:%d/", peer_port(f->peer));
    request.url = url;
    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->end, SF_HTTP_DONE);
    probe_reset(p);
    request.public_only = true;
    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->end, SF_HTTP_OTHER);
    assert_int_equal(peer_requests(f->peer), 1);
}

static const struct {
    const char *name, *url, *variable, *without;
    bool proxied;
} proxies[] = {
    { "http by its proxy", "http://sf-test.invalid/a", "http_proxy", NULL, true },
    { "by the proxy for all", "http://sf-test.invalid/a", "ALL_PROXY", NULL, true },
    { "not by a header's name", "http://sf-test.localhost/a", "HTTP_PROXY", NULL, false },
    { "not by the other scheme's", "http://sf-test.localhost/a", "https_proxy", NULL, false },
    { "an exception", "http://sf-test.localhost/a", "http_proxy", "a.b, .localhost", false },
    { "the host as exception", "http://sf-test.localhost/a", "http_proxy", "SF-test.localhost",
      false },
    { "everything is an exception", "http://sf-test.localhost/a", "http_proxy", "*", false },
    { "half a label is none", "http://sf-test.invalid/a", "http_proxy", "test.invalid,,x", true },
};

/* What a proxy resolves cannot be seen; without one, names of loopback are refused as ever. */
static void test_proxies(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];

    for (size_t i = 0; i < SF_COUNT(proxies); i++) {
        struct sf_http_request request = { .url = proxies[i].url,
                                           .plain = true,
                                           .public_only = true };
        char proxy[64];

        http_case_serve(f, &hello, 1);
        setenv(proxies[i].variable, http_case_url("http", peer_port(f->peer), proxy, sizeof(proxy)),
               1);
        if (proxies[i].without)
            setenv("no_proxy", proxies[i].without, 1);
        probe_reset(p);
        probe_begin(p, &request);
        probe_wait(p);
        unsetenv(proxies[i].variable);
        unsetenv("no_proxy");
        if (p->end != (proxies[i].proxied ? SF_HTTP_DONE : SF_HTTP_OTHER) ||
            peer_requests(f->peer) != (proxies[i].proxied ? 1 : 0))
            fail_msg("%s: end %d, %s", proxies[i].name, p->end, p->message);
    }
}

/* An address comes whole, or so long that nobody takes it for one. */
static void test_locations(void **state)
{
    struct http_case *f = *state;
    struct probe *p = &f->probes[0];
    static const struct peer_answer answer = {
        .bytes = "HTTP/1.1 302 Found\r\nLocation: /caf\xc3\xa9 a\033b\r\nContent-Length: 0\r\n\r\n"
    };
    struct sf_http_request request = { 0 };
    char url[64];

    http_case_serve(f, &answer, 1);
    request.url = http_case_url("http", peer_port(f->peer), url, sizeof(url));
    probe_begin(p, &request);
    probe_wait(p);
    assert_int_equal(p->end, SF_HTTP_REDIRECT);
    assert_string_equal(p->location, "/caf%C3%A9%20a%1Bb");
}

int main(void)
{
    static const char *const variables[] = { "http_proxy", "https_proxy", "HTTPS_PROXY",
                                             "HTTP_PROXY", "all_proxy",   "ALL_PROXY",
                                             "no_proxy",   "NO_PROXY" };
    const struct CMUnitTest tests[] = {
        ON_WIRE(test_hosts),
        ON_WIRE(test_no_borrowed_connection),
        ON_WIRE(test_proxies),
        ON_WIRE(test_locations),
    };

    for (size_t i = 0; i < SF_COUNT(variables); i++)
        unsetenv(variables[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
