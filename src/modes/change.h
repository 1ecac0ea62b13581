/*
 * change: a requested change of the state, before it is known when and whether it happens. It is a
 * set of fields with a value each; fields not in the set stay as they are.
 *
 * The surface is not among the fields: it follows the connection. Entering another work mode also
 * sets that mode's default scope, unless the same change names one; leaving autonomous ends a
 * pause. Otherwise no axis affects another.
 */
#ifndef SF_MODES_CHANGE_H
#define SF_MODES_CHANGE_H

#include <stdbool.h>

#include "base/base.h"
#include "modes/axes.h"
#include "modes/scope.h"
#include "modes/state.h"

/* The settable axes first, with the same numbers. */
enum sf_field {
    SF_FIELD_WORK,
    SF_FIELD_CONTROL,
    SF_FIELD_PROFILE,
    SF_FIELD_MODEL,
    SF_FIELD_SCOPE,
    SF_FIELD_PAUSED,
    SF_FIELD_TRUST,
};

enum { SF_FIELD_COUNT = 7, SF_FIELDS_ALL = (1 << SF_FIELD_COUNT) - 1 };

#define SF_FIELD_BIT(field) (1u << (field))

extern const char *const sf_field_nouns[]; /* such as "work mode" */

struct sf_mode_change {
    unsigned fields;           /* SF_FIELD_BIT of each requested field */
    unsigned floors;           /* axes for which the value is a minimum */
    unsigned roofs;            /* axes for which the value is a maximum */
    bool default_scope;        /* SF_FIELD_SCOPE means the default of the work mode */
    struct sf_mode_state want; /* surface and version mean nothing here */
};

#define SF_MODE_CHANGE_INIT \
    (struct sf_mode_change) \
    {                       \
        .fields = 0         \
    }

/* Each replaces an earlier request for the same field. The axis must be settable. */
void sf_change_axis(struct sf_mode_change *change, enum sf_axis axis, int value);
void sf_change_axis_floor(struct sf_mode_change *change, enum sf_axis axis, int value);
void sf_change_axis_roof(struct sf_mode_change *change, enum sf_axis axis, int value);
void sf_change_scope(struct sf_mode_change *change, const char *name); /* a valid name */
void sf_change_scope_default(struct sf_mode_change *change);
void sf_change_paused(struct sf_mode_change *change, bool paused);
void sf_change_trust(struct sf_mode_change *change, bool trust);

/* Adds the requests of `top` to `change`; for fields in both, `top` wins. */
void sf_change_put(struct sf_mode_change *change, const struct sf_mode_change *top);

/* The state after the change. Keeps the version, which the machine counts. */
struct sf_mode_state sf_change_target(const struct sf_mode_change *change,
                                      const struct sf_mode_state *from,
                                      const struct sf_scope_set *scopes);

/* The fields in which two states differ. */
unsigned sf_change_between(const struct sf_mode_state *a, const struct sf_mode_state *b);

/* Copies the field from `from` to `to`. */
void sf_field_copy(struct sf_mode_state *to, const struct sf_mode_state *from, enum sf_field field);

#endif
