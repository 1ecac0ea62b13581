/*
 * axes: the five independent axes of sf's state, defined once. The lists of names end with NULL and
 * are indexed by their enum; run controls, profiles and model modes are ordered from the strictest
 * to the widest. Everything else about a value (its letter, its colour role) is in the rows of
 * sf_axes, so that badge, commands, settings and help cannot disagree.
 */
#ifndef SF_MODES_AXES_H
#define SF_MODES_AXES_H

#include <stdbool.h>

#include "base/base.h"

enum sf_work_mode {
    SF_WORK_CHAT,
    SF_WORK_PLAN,
    SF_WORK_BUILD,
    SF_WORK_REVIEW,
    SF_WORK_REPAIR,
    SF_WORK_RESEARCH,
};

enum sf_run_control {
    SF_RUN_MANUAL,
    SF_RUN_ASSISTED,
    SF_RUN_AUTONOMOUS,
};

enum sf_profile {
    SF_PROFILE_RESTRICTED,
    SF_PROFILE_NORMAL,
    SF_PROFILE_TRUSTED,
    SF_PROFILE_UNRESTRICTED,
};

enum sf_model_mode {
    SF_MODEL_FAST,
    SF_MODEL_SMART,
    SF_MODEL_DEEP,
};

enum sf_surface {
    SF_SURFACE_TUI,
    SF_SURFACE_WEB,
    SF_SURFACE_HEADLESS,
    SF_SURFACE_RPC,
};

extern const char *const sf_work_mode_names[];
extern const char *const sf_run_control_names[];
extern const char *const sf_profile_names[];
extern const char *const sf_model_mode_names[];
extern const char *const sf_surface_names[];

/* The order of the badge; the surface is last because it follows the connection. */
enum sf_axis {
    SF_AXIS_WORK,
    SF_AXIS_CONTROL,
    SF_AXIS_PROFILE,
    SF_AXIS_MODEL,
    SF_AXIS_SURFACE,
};

enum {
    SF_AXIS_COUNT = 5,
    SF_AXIS_SETTABLE = 4, /* all but the surface */
};

/* What a colour means; themes say how it looks. */
enum sf_style {
    SF_STYLE_DIM,
    SF_STYLE_ACCENT,
    SF_STYLE_SUCCESS,
    SF_STYLE_WARNING,
    SF_STYLE_ERROR,
    SF_STYLE_INFO,
};

extern const char *const sf_role_names[]; /* as theme files spell them */

/*
 * One axis. `letters` has one letter for each value. They are unique within an axis, except for R,
 * which research shares with review and repair; those two are never shortened. Assisted is S (for
 * step, like its key), because A is autonomous and the two must not be confused.
 */
struct sf_axis_info {
    const char *json;     /* "workMode": in JSON and the log */
    const char *config;   /* "work_mode": in [defaults] and in columns */
    const char *word;     /* "mode": in /steer and as --mode; NULL for the surface */
    const char *noun;     /* "work mode": in sentences */
    const char *question; /* the question that a value answers */
    const char *const *names;
    const char *const *helps; /* one line for each value */
    const char *letters;
    const enum sf_style *roles;
    int count;
    int fallback; /* the value with which a new interactive session starts */
};

extern const struct sf_axis_info sf_axes[SF_AXIS_COUNT];

const char *sf_axis_name(enum sf_axis axis, int value); /* asserts that the value exists */
char sf_axis_letter(enum sf_axis axis, int value);
const char *sf_axis_help(enum sf_axis axis, int value); /* the meaning in one line */
enum sf_style sf_axis_role(enum sf_axis axis, int value);
bool sf_axis_has(enum sf_axis axis, int value);

/* The value after this one; after the last comes the first. */
int sf_axis_next(enum sf_axis axis, int value);

/* An unknown word is an error that suggests the nearest name. */
bool sf_axis_parse(enum sf_axis axis, const char *word, int *out,
                   struct sf_error *err) SF_MUST_CHECK;

/* Whether the user of this surface can type slash commands. */
bool sf_surface_typed(enum sf_surface surface);

/* The settable axis whose command word (`mode`, `model-mode` …) this is; -1: none. */
int sf_axis_by_word(const char *word);

#endif
