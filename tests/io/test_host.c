/*
 * Which names stay on this machine.
 */
#include "base/base.h"
#include "io/io.h"
#include "support/test.h"

static const struct {
    const char *host;
    bool loopback;
} hosts[] = {
    { "localhost", true },
    { "LOCALHOST", true },
    { "127.0.0.1", true },
    { "127.255.3.4", true },
    { "::1", true },
    { "[::1]", true },
    { "0:0:0:0:0:0:0:1", true },
    { "", false },
    { "127", false },
    { "127.1", false },
    { "0x7f.0.0.1", false },
    { "0177.0.0.1", false },
    { "2130706433", false },
    { "127.0.0.1.example.com", false },
    { "localhost.example.com", false },
    { "localhost.", false },
    { "128.0.0.1", false },
    { "0.0.0.0", false },
    { "::", false },
    { "[::1", false },
    { "[]", false },
    { "::ffff:127.0.0.1", false },
    { "fe80::1", false },
    { "[0000000000000000000000000000000000000000000000000000000000000000::1]", false },
};

static void test_hosts(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(hosts); i++)
        if (sf_host_is_loopback(hosts[i].host) != hosts[i].loopback)
            fail_msg("'%s' should %sbe loopback", hosts[i].host, hosts[i].loopback ? "" : "not ");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hosts) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
