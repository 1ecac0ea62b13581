/*
 * place_walk: the walk behind sf_place_resolve, and the check that a place is still where it
 * was; internal to the room.
 */
#ifndef SF_IO_PLACE_WALK_H
#define SF_IO_PLACE_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "io/place.h"

/* Checks that the held directory is still at the path of the place; else SF_E_BUSY. */
bool sf_place_confirm(const struct sf_place *place, struct sf_error *err) SF_MUST_CHECK;

/* Fills all but `root` and `shown`. SF_E_BUSY: the tree changed during the walk, try again. */
bool sf_place_walk(struct sf_place *place, const char *path, size_t len, bool follow_last,
                   struct sf_error *err) SF_MUST_CHECK;

#endif
