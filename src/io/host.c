/*
 * host.c: recognises loopback and the ranges of addresses that are not public. The ranges are those
 * of the IANA registries of special-purpose addresses, as far as a host can answer there.
 */
#include "io/host.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

bool sf_host_is_loopback(const char *host)
{
    struct in_addr v4;
    struct in6_addr v6;
    char bare[INET6_ADDRSTRLEN + 1];
    size_t len = strlen(host);

    if (!strcasecmp(host, "localhost"))
        return true;
    if (inet_pton(AF_INET, host, &v4) == 1)
        return (ntohl(v4.s_addr) >> 24) == 127;
    if (len > 2 && host[0] == '[' && host[len - 1] == ']') {
        host++;
        len -= 2;
    }
    if (len >= sizeof(bare))
        return false;
    memcpy(bare, host, len);
    bare[len] = '\0';
    return inet_pton(AF_INET6, bare, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

struct range {
    unsigned char bytes[16];
    int bits;
    enum sf_net_zone zone;
};

/* The first matching row decides, so exceptions come before their range. */
static const struct range v4_ranges[] = {
    { { 127 }, 8, SF_NET_LOOPBACK },
    { { 169, 254 }, 16, SF_NET_NEVER },           /* link-local; metadata of most clouds */
    { { 100, 100, 100, 200 }, 32, SF_NET_NEVER }, /* metadata, inside the shared range */
    { { 192, 0, 0, 192 }, 32, SF_NET_NEVER },     /* metadata, inside the protocols' range */
    { { 168, 63, 129, 16 }, 32, SF_NET_NEVER },   /* metadata, in the middle of public ones */
    { { 10 }, 8, SF_NET_PRIVATE },
    { { 172, 16 }, 12, SF_NET_PRIVATE },
    { { 192, 168 }, 16, SF_NET_PRIVATE },
    { { 100, 64 }, 10, SF_NET_PRIVATE }, /* shared, behind a carrier's translation */
    { { 192, 0, 0 }, 24, SF_NET_PRIVATE },
    { { 198, 18 }, 15, SF_NET_PRIVATE }, /* benchmarks */
    { { 0 }, 8, SF_NET_NEVER },          /* reaches this machine, by another name */
    { { 224 }, 3, SF_NET_NEVER },        /* multicast, reserved, broadcast */
};

static const struct range v6_ranges[] = {
    { { [15] = 1 }, 128, SF_NET_LOOPBACK },
    { { 0 }, 128, SF_NET_NEVER }, /* unspecified */
    { { 0xfe, 0x80 }, 10, SF_NET_NEVER },
    { { 0xfd, 0x00, 0x0e, 0xc2 }, 32, SF_NET_NEVER }, /* metadata */
    { { 0xfe, 0xc0 }, 10, SF_NET_PRIVATE },           /* site-local, of old */
    { { 0xfc }, 7, SF_NET_PRIVATE },
    { { 0xff }, 8, SF_NET_NEVER }, /* multicast */
};

/* Where IPv6 leads to an IPv4 address, which stands behind these bits. */
static const struct range v4_inside[] = {
    { { [10] = 0xff, [11] = 0xff }, 96, SF_NET_PUBLIC },           /* mapped */
    { { 0x00, 0x64, 0xff, 0x9b }, 96, SF_NET_PUBLIC },             /* NAT64 */
    { { 0x00, 0x64, 0xff, 0x9b, 0x00, 0x01 }, 96, SF_NET_PUBLIC }, /* NAT64, local */
    { { 0x20, 0x02 }, 16, SF_NET_PUBLIC },                         /* 6to4 */
    { { 0 }, 96, SF_NET_PUBLIC },                                  /* compatible, of old */
};

static bool in_range(const struct range *range, const unsigned char *address)
{
    size_t whole = (size_t)range->bits / 8;
    unsigned mask = 0xff00u >> (range->bits % 8) & 0xffu;

    return !memcmp(range->bytes, address, whole) &&
           (!mask || ((range->bytes[whole] ^ address[whole]) & mask) == 0);
}

static const struct range *find(const struct range *ranges, size_t count,
                                const unsigned char *address)
{
    for (size_t i = 0; i < count; i++)
        if (in_range(&ranges[i], address))
            return &ranges[i];
    return NULL;
}

static enum sf_net_zone v4_zone(const unsigned char *address)
{
    const struct range *range = find(v4_ranges, SF_COUNT(v4_ranges), address);

    return range ? range->zone : SF_NET_PUBLIC;
}

static enum sf_net_zone v6_zone(const unsigned char *address)
{
    const struct range *range = find(v6_ranges, SF_COUNT(v6_ranges), address);

    if (range)
        return range->zone;
    range = find(v4_inside, SF_COUNT(v4_inside), address);
    return range ? v4_zone(address + range->bits / 8) : SF_NET_PUBLIC;
}

enum sf_net_zone sf_net_zone(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;

        memcpy(&in, address, sizeof(in));
        return v4_zone((const unsigned char *)&in.sin_addr);
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;

        memcpy(&in6, address, sizeof(in6));
        return v6_zone(in6.sin6_addr.s6_addr);
    }
    return SF_NET_NEVER;
}

enum sf_net_zone sf_host_zone(const char *host)
{
    struct in_addr v4;
    struct in6_addr v6;
    char bare[INET6_ADDRSTRLEN + 1] = "";
    size_t len = strlen(host);

    if (!strcasecmp(host, "localhost"))
        return SF_NET_LOOPBACK;
    if (inet_pton(AF_INET, host, &v4) == 1)
        return v4_zone((const unsigned char *)&v4);
    if (len > 2 && len < sizeof(bare) && host[0] == '[' && host[len - 1] == ']')
        memcpy(bare, host + 1, len - 2);
    return inet_pton(AF_INET6, bare, &v6) == 1 ? v6_zone(v6.s6_addr) : SF_NET_PUBLIC;
}
