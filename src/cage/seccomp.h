/*
 * seccomp: the filter of system calls; internal to the room. Made before the fork, loaded in the
 * child. What it refuses fails with an error a program can understand; nobody is killed.
 *
 * A filter sees numbers, not what pointers lead to. So it cannot tell one path of a socket from
 * another: where no mount namespace hides the sockets of other programs, sockets of the local
 * kind (AF_UNIX) cannot be made at all; pairs of them can, as those are between friends.
 */
#ifndef SF_CAGE_SECCOMP_H
#define SF_CAGE_SECCOMP_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

enum { SF_SECCOMP_MAX = 320 };

struct sf_seccomp_wish {
    bool internet;     /* AF_INET and AF_INET6: allowed, or harmless in a namespace */
    bool local;        /* AF_UNIX by name: sockets of others are hidden */
    bool own_children; /* the kernel keeps ptrace and its kin to processes of the same cage */
};

struct sf_seccomp {
    struct sock_filter code[SF_SECCOMP_MAX];
    size_t len;
};

bool sf_seccomp_is_known(void); /* this machine's numbers are in the table */
void sf_seccomp_make(struct sf_seccomp *filter, const struct sf_seccomp_wish *wish);
bool sf_seccomp_load(const struct sf_seccomp *filter); /* needs no_new_privs */

#endif
