/*
 * Addresses of the web: what is one, what is not, and what references mean on a page.
 */
#include "base/base.h"
#include "support/test.h"

static const struct {
    const char *name, *text, *written; /* NULL: refused */
    const char *words;                 /* words of the error */
} addresses[] = {
    { "plain", "http://example.org", "http://example.org/", NULL },
    { "path, query and fragment", "https://example.org/a/b?c=d#e", "https://example.org/a/b?c=d",
      NULL },
    { "query alone", "https://example.org?c", "https://example.org/?c", NULL },
    { "fragment alone", "https://example.org#c", "https://example.org/", NULL },
    { "capitals in scheme and host", "HTTPS://Example.ORG/A", "https://example.org/A", NULL },
    { "a port", "http://example.org:8080/", "http://example.org:8080/", NULL },
    { "the usual port", "http://example.org:80/", "http://example.org/", NULL },
    { "the other's usual port", "http://example.org:443/", "http://example.org:443/", NULL },
    { "an empty port", "http://example.org:/", "http://example.org/", NULL },
    { "four numbers", "http://127.0.0.1:1/", "http://127.0.0.1:1/", NULL },
    { "IPv6", "http://[::1]:9/x", "http://[::1]:9/x", NULL },
    { "IPv6 the long way", "http://[0:0:0:0:0:0:0:1]/", "http://[::1]/", NULL },
    { "an at sign behind the host", "https://example.org/@me", "https://example.org/@me", NULL },
    { "underscores", "https://a_b.example.org/", "https://a_b.example.org/", NULL },

    { "nothing", "", NULL, "must begin with https://" },
    { "another scheme", "ftp://example.org/", NULL, "must begin with https://" },
    { "a file", "file:///etc/passwd", NULL, "must begin with https://" },
    { "no scheme", "example.org", NULL, "must begin with https://" },
    { "one slash", "http:/example.org", NULL, "must begin with https://" },
    { "no host", "http:///x", NULL, "names no host" },
    { "no host but a port", "http://:80/", NULL, "names no host" },
    { "a name", "http://me@example.org/", NULL, "name or password" },
    { "name and password", "http://good.org:x@evil.org/", NULL, "name or password" },
    { "an empty name", "http://@example.org/", NULL, "name or password" },
    { "a backslash", "http://good.org\\@evil.org/", NULL, "backslash" },
    { "a blank", "http://example.org/a b", NULL, "blank" },
    { "a newline", "http://example.org/a\nHost: b", NULL, "control" },
    { "an escape", "http://example.org/\x1b[2J", NULL, "control" },
    { "delete", "http://example.org/\x7f", NULL, "control" },
    { "beyond ASCII", "http://example.org/ä", NULL, "ASCII" },
    { "a host beyond ASCII", "http://exämple.org/", NULL, "ASCII" },
    { "a host with percents", "http://127.0.0.%31/", NULL, "no host that can be read" },
    { "one number", "http://2130706433/", NULL, "no host that can be read" },
    { "a short number", "http://127.1/", NULL, "no host that can be read" },
    { "octal numbers", "http://0177.0.0.1/", NULL, "no host that can be read" },
    { "hexadecimal numbers", "http://0x7f.0.0.1/", NULL, "no host that can be read" },
    { "hexadecimal at the end", "http://127.0.0.0x1/", NULL, "no host that can be read" },
    { "a dot at the end", "http://example.org./", NULL, "no host that can be read" },
    { "two dots", "http://example..org/", NULL, "no host that can be read" },
    { "IPv6 with a zone", "http://[fe80::1%25eth0]/", NULL, "no host that can be read" },
    { "IPv6 left open", "http://[::1/", NULL, "no host that can be read" },
    { "empty brackets", "http://[]/", NULL, "no host that can be read" },
    { "behind the brackets", "http://[::1]x/", NULL, "behind its host" },
    { "a word as port", "http://example.org:http/", NULL, "no port" },
    { "port nought", "http://example.org:0/", NULL, "no port" },
    { "a port too large", "http://example.org:65536/", NULL, "no port" },
    { "a long label",
      "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.org/", NULL,
      "no host that can be read" },
};

static void test_addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(addresses); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_url url;
        bool ok = sf_url_read(&url, addresses[i].text, &err);

        if (ok)
            sf_url_write(&url, &out);
        if (ok != !!addresses[i].written || (ok && strcmp(out.buf, addresses[i].written) != 0) ||
            (!ok && !strstr(err.msg, addresses[i].words)))
            fail_msg("%s: %s%s", addresses[i].name, out.buf, err.msg);
        sf_strbuf_release(&out);
    }
}

static void test_length(void **state)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_url url;

    (void)state;
    sf_strbuf_adds(&text, "http://example.org/");
    sf_strbuf_fill(&text, 'a', SF_URL_MAX - text.len);
    assert_true(sf_url_read(&url, text.buf, &err));
    sf_strbuf_addch(&text, 'a');
    assert_false(sf_url_read(&url, text.buf, &err));
    assert_int_equal(err.code, SF_E_LIMIT);
    sf_strbuf_release(&text);
}

#define PAGE "https://example.org/a/b/c?q=1"

static const struct {
    const char *base, *reference, *want; /* NULL: none */
} references[] = {
    { PAGE, "http://other.org/x", "http://other.org/x" },
    { PAGE, "//other.org/x", "https://other.org/x" },
    { PAGE, "/x", "https://example.org/x" },
    { PAGE, "x", "https://example.org/a/b/x" },
    { PAGE, "./x", "https://example.org/a/b/x" },
    { PAGE, "../x", "https://example.org/a/x" },
    { PAGE, "../../../../x", "https://example.org/x" },
    { PAGE, "..", "https://example.org/a/" },
    { PAGE, ".", "https://example.org/a/b/" },
    { PAGE, "x/../y/./z", "https://example.org/a/b/y/z" },
    { PAGE, "x/", "https://example.org/a/b/x/" },
    { PAGE, "?r=../2", "https://example.org/a/b/c?r=../2" },
    { PAGE, "x?r=/../2", "https://example.org/a/b/x?r=/../2" },
    { PAGE, "#f", "https://example.org/a/b/c" },
    { PAGE, "x#f", "https://example.org/a/b/x" },
    { PAGE, "/..//x", "https://example.org//x" },
    { "http://example.org:8080", "x", "http://example.org:8080/x" },
    { "http://example.org", "", "http://example.org/" },
    { PAGE, "mailto:me@example.org", NULL },
    { PAGE, "javascript:alert(1)", NULL },
    { PAGE, "data:text/html,x", NULL },
    { PAGE, "//me@other.org/", NULL },
    { PAGE, "/\\other.org", NULL },
    { PAGE, "a b", NULL },
    { PAGE, "///x", NULL },
};

static void test_references(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(references); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        struct sf_url base;
        bool ok;

        assert_true(sf_url_read(&base, references[i].base, &err));
        ok = sf_url_join(&base, references[i].reference, strlen(references[i].reference), &out);
        if (ok != !!references[i].want || (ok && strcmp(out.buf, references[i].want) != 0))
            fail_msg("%s on %s: '%s'", references[i].reference, references[i].base, out.buf);
        sf_strbuf_release(&out);
    }
}

static const struct {
    const char *a, *b;
    bool same;
} places[] = {
    { "http://example.org/a", "http://EXAMPLE.org:80/b", true },
    { "https://example.org/", "http://example.org/", false },
    { "http://example.org/", "http://example.org:81/", false },
    { "http://example.org/", "http://www.example.org/", false },
};

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(places); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_url a, b;

        assert_true(sf_url_read(&a, places[i].a, &err) && sf_url_read(&b, places[i].b, &err));
        if (sf_url_same_place(&a, &b) != places[i].same)
            fail_msg("%s and %s", places[i].a, places[i].b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
