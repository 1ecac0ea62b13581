/*
 * Which base addresses are taken, and what is known of them.
 */
#include <stdlib.h>

#include "base/base.h"
#include "model/address.h"
#include "support/test.h"

static const struct {
    const char *url;
    const char *objection; /* a part of it; NULL: none */
    bool loopback, plain;
} addresses[] = {
    { "https://api.example.com", NULL, false, false },
    { "HTTPS://api.example.com:8443/v1/", NULL, false, false },
    { "http://127.0.0.1:11434/v1", NULL, true, true },
    { "http://localhost", NULL, true, true },
    { "https://[::1]:8443/v1", NULL, true, false },
    { "http://[::1]", NULL, true, true },
    { "http://192.0.2.7:8000/v1", NULL, false, true },
    { "http://127.0.0.1.example.com/", NULL, false, true },
    { "", "begin with", false, false },
    { "api.example.com", "begin with", false, false },
    { "ftp://api.example.com", "begin with", false, false },
    { "https:/api.example.com", "begin with", false, false },
    { "file:///etc/passwd", "begin with", false, false },
    { "https://", "name a host", false, false },
    { "https:///v1", "name a host", false, false },
    { "https://:80/", "name a host", false, false },
    { "https://a:port/", "name a host", false, false },
    { "https://a:123456/", "name a host", false, false },
    { "https://[::1/", "name a host", false, false },
    { "https://[::1]x/", "name a host", false, false },
    { "https://me:word@a/", "name or password", false, false },
    { "https://me@a/", "name or password", false, false },
    { "https://a/v1?key=1", "before ? and #", false, false },
    { "https://a/v1#x", "before ? and #", false, false },
    { "https://a b/", "blanks", false, false },
    { "https://a\\@b/", "blanks", false, false },
    { "https://a/\n", "blanks", false, false },
    { "https://\xc3\xa4/", "ASCII", false, false },
};

static void test_addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(addresses); i++) {
        const char *url = addresses[i].url, *got = sf_address_objection(url);

        if (!got != !addresses[i].objection || (got && !strstr(got, addresses[i].objection)))
            fail_msg("%s: %s", url, got ? got : "taken");
        if (!got && (sf_address_is_loopback(url) != addresses[i].loopback ||
                     sf_address_is_plain(url) != addresses[i].plain))
            fail_msg("%s: loopback or plain is wrong", url);
    }
}

static void test_too_long(void **state)
{
    struct sf_strbuf url = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&url, "https://a/");
    sf_strbuf_fill(&url, 'x', 5000);
    assert_non_null(sf_address_objection(url.buf));
    sf_strbuf_release(&url);
}

static void test_trim(void **state)
{
    char *url = sf_address_trim("https://a/v1///");

    (void)state;
    assert_string_equal(url, "https://a/v1");
    free(url);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_addresses),
                                        cmocka_unit_test(test_too_long),
                                        cmocka_unit_test(test_trim) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
