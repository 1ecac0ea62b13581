/*
 * mode_state_equal: whether two states of the axes are the same in everything but their version.
 */
#ifndef SF_TESTS_SUPPORT_MODE_STATE_EQUAL_H
#define SF_TESTS_SUPPORT_MODE_STATE_EQUAL_H

#include <stdbool.h>
#include <string.h>

#include "modes/modes.h"

static inline bool mode_state_equal(const struct sf_mode_state *a, const struct sf_mode_state *b)
{
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        if (sf_mode_state_get(a, (enum sf_axis)axis) != sf_mode_state_get(b, (enum sf_axis)axis))
            return false;
    return !strcmp(a->scope, b->scope) && a->paused == b->paused && a->trust == b->trust;
}

#endif
