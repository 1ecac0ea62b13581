/*
 * host: what the name or the address of a machine says by itself, without asking anybody.
 */
#ifndef SF_IO_HOST_H
#define SF_IO_HOST_H

#include <stdbool.h>

struct sockaddr;

/*
 * "localhost", 127.0.0.0/8 in four numbers, ::1 with or without brackets. Nothing else, also
 * where it would lead to the same place: other spellings are read differently by different
 * programs.
 */
bool sf_host_is_loopback(const char *host);

/* Who can be behind an address. */
enum sf_net_zone {
    SF_NET_PUBLIC,
    SF_NET_PRIVATE,  /* of this network alone */
    SF_NET_LOOPBACK, /* of this machine alone */
    SF_NET_NEVER,    /* link-local, where clouds keep their keys; multicast, and what is no one */
};

/* IPv4 inside of IPv6 (mapped, NAT64, 6to4) counts as what it leads to. Other families: never. */
enum sf_net_zone sf_net_zone(const struct sockaddr *address);

/* Of a host written as four numbers, or as IPv6 in brackets; "localhost" is loopback. A name,
 * of which only asking could tell, is public. */
enum sf_net_zone sf_host_zone(const char *host);

#endif
