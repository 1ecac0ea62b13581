/*
 * host: what the name or the address of a machine says by itself, without a name lookup.
 */
#ifndef SF_IO_HOST_H
#define SF_IO_HOST_H

#include <stdbool.h>

struct sockaddr;

/*
 * "localhost", 127.0.0.0/8 as four numbers, ::1 with or without brackets. Other spellings of the
 * same addresses do not count, because programs disagree on what they mean.
 */
bool sf_host_is_loopback(const char *host);

/* From where an address can be reached. */
enum sf_net_zone {
    SF_NET_PUBLIC,
    SF_NET_PRIVATE,  /* within this network only */
    SF_NET_LOOPBACK, /* on this machine only */
    SF_NET_NEVER,    /* link-local, which has the metadata of clouds; multicast; reserved */
};

/* IPv4 inside IPv6 (mapped, NAT64, 6to4) counts as that IPv4 address. Other families: never. */
enum sf_net_zone sf_net_zone(const struct sockaddr *address);

/* For a host written as four numbers, or as IPv6 in brackets; "localhost" is loopback. Any other
 * name counts as public, because only a lookup could tell. */
enum sf_net_zone sf_host_zone(const char *host);

#endif
