/*
 * host: what the name of a machine says by itself, without asking anybody.
 */
#ifndef SF_IO_HOST_H
#define SF_IO_HOST_H

#include <stdbool.h>

/*
 * "localhost", 127.0.0.0/8 in four numbers, ::1 with or without brackets. Nothing else, also
 * where it would lead to the same place: other spellings are read differently by different
 * programs.
 */
bool sf_host_is_loopback(const char *host);

#endif
