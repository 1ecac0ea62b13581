/*
 * address: the base address of a service as people write it, checked before anything is sent to
 * it.
 */
#ifndef SF_MODEL_ADDRESS_H
#define SF_MODEL_ADDRESS_H

#include <stdbool.h>

/* NULL when it can be used, else what is wrong: "must name a host". */
const char *sf_address_objection(const char *url);

/* Both of an address without objection. */
bool sf_address_is_loopback(const char *url);
bool sf_address_is_plain(const char *url); /* http, not https */

char *sf_address_trim(const char *url); /* a copy without slashes at its end */

#endif
