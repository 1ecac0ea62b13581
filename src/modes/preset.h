/*
 * preset: three postures with a name each, as /mode 1 2 3 and Tab set them. A preset sets the
 * whole posture: where its row names no scope it asks for the work mode's default, and trust is
 * off unless the row turns it on, so that leaving yolo takes back what yolo unlocked. The model
 * mode is not part of it.
 *
 * "plan" is a work mode as well: by name /mode sets that axis alone, the preset is 1.
 */
#ifndef SF_MODES_PRESET_H
#define SF_MODES_PRESET_H

#include <stdbool.h>

#include "modes/axes.h"
#include "modes/change.h"
#include "modes/state.h"

struct sf_preset {
    const char *name;
    const char *number; /* as /mode takes it */
    const char *help;
    enum sf_work_mode work;
    enum sf_run_control control;
    bool control_floor; /* at least that control */
    enum sf_profile profile;
    const char *scope;   /* NULL: the default of the work mode */
    bool trust;          /* needs a trusted workspace, or a confirmation */
    const char *unlocks; /* what that confirmation has to name, or NULL */
};

enum { SF_PRESET_COUNT = 3 };

extern const struct sf_preset sf_presets[SF_PRESET_COUNT];

/* By name, number or old name; NULL: none. `old` (or NULL) says that the name is an old one. */
const struct sf_preset *sf_preset_find(const char *word, bool *old);

void sf_preset_change(const struct sf_preset *preset, struct sf_mode_change *change);

/*
 * The preset a state is in, or NULL. A preset without scope and trust of its own is recognised
 * by its axes alone: agent in scope test is still agent.
 */
const struct sf_preset *sf_preset_of(const struct sf_mode_state *state);

/* Tab: plan, agent, yolo, plan …; from no preset (NULL) to plan. */
const struct sf_preset *sf_preset_next(const struct sf_preset *preset);

#endif
