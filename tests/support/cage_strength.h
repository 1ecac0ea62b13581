/*
 * cage_strength: every strength of cage there is: what this kernel offers, and the same with less,
 * down to nothing but a filter.
 */
#ifndef SF_TESTS_SUPPORT_CAGE_STRENGTH_H
#define SF_TESTS_SUPPORT_CAGE_STRENGTH_H

#include <stdbool.h>
#include <stddef.h>

#include "cage/cage.h"

enum { CAGE_STRENGTHS = 6 };

extern const char *const cage_strength_names[CAGE_STRENGTHS];

struct sf_kernel cage_weaken(size_t i);

/* False: this kernel has less than that, so it would only repeat another one. */
bool cage_is_offered(size_t i);

#endif
