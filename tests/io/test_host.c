/*
 * Which names stay on this machine, and who can be behind an address.
 */
#include <netinet/in.h>

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

static const struct {
    const char *host;
    enum sf_net_zone zone;
} zones[] = {
    { "localhost", SF_NET_LOOPBACK },
    { "127.0.0.1", SF_NET_LOOPBACK },
    { "127.255.255.255", SF_NET_LOOPBACK },
    { "[::1]", SF_NET_LOOPBACK },
    { "[::ffff:127.0.0.1]", SF_NET_LOOPBACK },
    { "[::127.0.0.1]", SF_NET_LOOPBACK },
    { "[64:ff9b::7f00:1]", SF_NET_LOOPBACK },
    { "[64:ff9b:1::7f00:1]", SF_NET_LOOPBACK },
    { "[2002:7f00:1::]", SF_NET_LOOPBACK },
    { "10.0.0.1", SF_NET_PRIVATE },
    { "172.15.255.255", SF_NET_PUBLIC },
    { "172.16.0.0", SF_NET_PRIVATE },
    { "172.31.255.255", SF_NET_PRIVATE },
    { "172.32.0.0", SF_NET_PUBLIC },
    { "192.168.255.1", SF_NET_PRIVATE },
    { "192.169.0.1", SF_NET_PUBLIC },
    { "100.63.255.255", SF_NET_PUBLIC },
    { "100.64.0.0", SF_NET_PRIVATE },
    { "100.127.255.255", SF_NET_PRIVATE },
    { "100.128.0.0", SF_NET_PUBLIC },
    { "198.18.0.1", SF_NET_PRIVATE },
    { "198.19.255.255", SF_NET_PRIVATE },
    { "198.20.0.0", SF_NET_PUBLIC },
    { "[fc00::1]", SF_NET_PRIVATE },
    { "[fdff::1]", SF_NET_PRIVATE },
    { "[fec0::1]", SF_NET_PRIVATE },
    { "[::ffff:10.1.2.3]", SF_NET_PRIVATE },
    { "169.254.0.0", SF_NET_NEVER },
    { "169.254.169.254", SF_NET_NEVER },
    { "[fe80::1]", SF_NET_NEVER },
    { "[febf::1]", SF_NET_NEVER },
    { "[::ffff:169.254.169.254]", SF_NET_NEVER },
    { "[64:ff9b::a9fe:a9fe]", SF_NET_NEVER },
    { "[2002:a9fe:a9fe::1]", SF_NET_NEVER },
    { "[fd00:ec2::254]", SF_NET_NEVER },
    { "100.100.100.200", SF_NET_NEVER },
    { "192.0.0.192", SF_NET_NEVER },
    { "168.63.129.16", SF_NET_NEVER },
    { "168.63.129.17", SF_NET_PUBLIC },
    { "0.0.0.0", SF_NET_NEVER },
    { "0.1.2.3", SF_NET_NEVER },
    { "[::]", SF_NET_NEVER },
    { "224.0.0.1", SF_NET_NEVER },
    { "255.255.255.255", SF_NET_NEVER },
    { "223.255.255.255", SF_NET_PUBLIC },
    { "[ff02::1]", SF_NET_NEVER },
    { "8.8.8.8", SF_NET_PUBLIC },
    { "[2606:4700::1]", SF_NET_PUBLIC },
    { "[::ffff:8.8.8.8]", SF_NET_PUBLIC },
    { "example.org", SF_NET_PUBLIC },
    { "127.1", SF_NET_PUBLIC },
    { "[", SF_NET_PUBLIC },
    { "[]", SF_NET_PUBLIC },
    { "", SF_NET_PUBLIC },
};

static void test_zones(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(zones); i++)
        if (sf_host_zone(zones[i].host) != zones[i].zone)
            fail_msg("'%s' is in zone %d, not %d", zones[i].host, sf_host_zone(zones[i].host),
                     zones[i].zone);
}

/* As a resolver hands them over. */
static void test_socket_addresses(void **state)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    struct sockaddr other = { .sa_family = AF_UNIX };

    (void)state;
    assert_int_equal(sf_net_zone((struct sockaddr *)&v4), SF_NET_PRIVATE);
    assert_int_equal(sf_net_zone((struct sockaddr *)&v6), SF_NET_LOOPBACK);
    assert_int_equal(sf_net_zone(&other), SF_NET_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_zones),
        cmocka_unit_test(test_socket_addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
