/*
 * state: the one record on which badge, verdicts and behaviour depend: the five axes, the write
 * scope, and two switches. A plain value: copy it freely, nothing in it is borrowed.
 *
 * `paused` suspends an autonomous run and is false under any other run control. `trust` permits
 * reaching outside the workspace in this session. `version` counts applied changes, so that a
 * writer with an old copy notices.
 */
#ifndef SF_MODES_STATE_H
#define SF_MODES_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "modes/axes.h"
#include "modes/scope.h"

struct sf_mode_state {
    enum sf_work_mode work;
    enum sf_run_control control;
    enum sf_profile profile;
    enum sf_model_mode model;
    enum sf_surface surface;
    char scope[SF_SCOPE_NAME_MAX + 1];
    bool paused;
    bool trust;
    int64_t version;
};

/* chat | manual | normal | smart on that surface, scope free, version 0. */
void sf_mode_state_init(struct sf_mode_state *state, enum sf_surface surface);

int sf_mode_state_get(const struct sf_mode_state *state, enum sf_axis axis);

/* Appends "build | assisted | normal | smart". */
void sf_mode_state_words(const struct sf_mode_state *state, struct sf_strbuf *out);
void sf_mode_state_set(struct sf_mode_state *state, enum sf_axis axis, int value); /* only this */
void sf_mode_state_set_scope(struct sf_mode_state *state, const char *name); /* a valid name */

/*
 * One JSON object with all nine members, in this order: workMode, runControl,
 * permissionProfile, modelMode, surface, scope, paused, trust, version. Parsing requires all of
 * them and accepts no others; `state` changes only on success.
 */
void sf_mode_state_json(const struct sf_mode_state *state, struct sf_json_writer *w);
bool sf_mode_state_from_json(struct sf_mode_state *state, const struct sf_json *json,
                             struct sf_error *err) SF_MUST_CHECK;

/*
 * Parses "build:test|assisted|normal|smart", the format of badges and --axes: spaces around "|" and
 * a leading "SF " are allowed, the scope is optional, all four axes are required; "paused" means a
 * paused autonomous run. Changes the four axes, the pause and, if one is named, the scope.
 */
bool sf_mode_state_parse(struct sf_mode_state *state, const char *text,
                         struct sf_error *err) SF_MUST_CHECK;

/* Whether sf drives itself: the run is autonomous and not paused. */
bool sf_mode_state_drives(const struct sf_mode_state *state);
/* Whether one unit runs to its end, and then the user decides. */
bool sf_mode_state_steps(const struct sf_mode_state *state);

#endif
