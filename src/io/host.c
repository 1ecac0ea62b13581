/*
 * host.c: loopback or not.
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
