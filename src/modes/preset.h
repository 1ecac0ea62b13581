/*
 * preset: three named combinations of axes, set by /mode 1 2 3 and Tab. A preset also sets the
 * scope, to the work mode's default if its row names none, and turns trust off unless the row turns
 * it on, so that leaving yolo revokes what yolo unlocked. The model mode is not part of it.
 *
 * "plan" is also a work mode: /mode plan sets only that axis, /mode 1 sets the preset.
 */
#ifndef SF_MODES_PRESET_H
#define SF_MODES_PRESET_H

#include <stdbool.h>

#include "modes/axes.h"
#include "modes/change.h"
#include "modes/state.h"

struct sf_preset {
    const char *name;
    const char *number; /* as an argument of /mode */
    const char *help;
    enum sf_work_mode work;
    enum sf_run_control control;
    bool control_floor; /* `control` is a minimum */
    enum sf_profile profile;
    const char *scope; /* NULL: the default of the work mode */
    bool trust;        /* needs a trusted workspace, or a confirmation */
};

enum { SF_PRESET_COUNT = 3 };

extern const struct sf_preset sf_presets[SF_PRESET_COUNT];

/* Finds a preset by name, number or old name; NULL: none. Sets `old` (or NULL) for an old name. */
const struct sf_preset *sf_preset_find(const char *word, bool *old);

void sf_preset_change(const struct sf_preset *preset, struct sf_mode_change *change);

/*
 * The preset that matches the state, or NULL. A preset without a scope and trust of its own is
 * recognised by its axes alone: agent with scope test is still agent.
 */
const struct sf_preset *sf_preset_of(const struct sf_mode_state *state);

/* The order of Tab: plan, agent, yolo, plan again; after no preset (NULL) comes plan. */
const struct sf_preset *sf_preset_next(const struct sf_preset *preset);

#endif
