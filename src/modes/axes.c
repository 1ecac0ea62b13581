/*
 * axes.c: the words of the five axes, and one row for each axis.
 */
#include "modes/axes.h"

#include <assert.h>
#include <string.h>

#include "modes/names.h"

const char *const sf_work_mode_names[] = { "chat",   "plan",     "build", "review",
                                           "repair", "research", NULL };
const char *const sf_run_control_names[] = { "manual", "assisted", "autonomous", NULL };
const char *const sf_profile_names[] = { "restricted", "normal", "trusted", "unrestricted", NULL };
const char *const sf_model_mode_names[] = { "fast", "smart", "deep", NULL };
const char *const sf_surface_names[] = { "tui", "web", "headless", "rpc", NULL };
const char *const sf_role_names[] = {
    "dim", "accent", "success", "warning", "error", "info", NULL
};

static const enum sf_style work_roles[] = { SF_STYLE_DIM,     SF_STYLE_ACCENT, SF_STYLE_SUCCESS,
                                            SF_STYLE_WARNING, SF_STYLE_ERROR,  SF_STYLE_INFO };
static const enum sf_style control_roles[] = { SF_STYLE_DIM, SF_STYLE_WARNING, SF_STYLE_SUCCESS };
static const enum sf_style profile_roles[] = { SF_STYLE_SUCCESS, SF_STYLE_DIM, SF_STYLE_WARNING,
                                               SF_STYLE_ERROR };
static const enum sf_style model_roles[] = { SF_STYLE_DIM, SF_STYLE_DIM, SF_STYLE_INFO };
static const enum sf_style surface_roles[] = { SF_STYLE_DIM, SF_STYLE_DIM, SF_STYLE_DIM,
                                               SF_STYLE_DIM };

/* clang-format off */
static const char *const work_helps[] = {
    "talk and look; every write asks",
    "look, then write a plan you accept",
    "change what the scope covers, run, test",
    "read and judge; writes nothing",
    "find what is broken and fix it",
    "gather and compare; writes only its notes",
};
static const char *const control_helps[] = {
    "you approve every side effect",
    "one unit runs to its end, then you look",
    "one request runs to its end; nothing follows by itself yet",
};
static const char *const profile_helps[] = {
    "only looks; what changes anything is refused",
    "edits in the scope; asks before builds and network",
    "builds and installs too; asks before the network",
    "asks only before it publishes or destroys",
};
static const char *const model_helps[] = {
    "the quickest and cheapest answer",
    "the ordinary model",
    "the strongest model; slower and more expensive",
};
static const char *const surface_helps[] = {
    "a terminal",
    "a browser",
    "no screen: scripts and pipes",
    "another program",
};

const struct sf_axis_info sf_axes[SF_AXIS_COUNT] = {
    { "workMode",          "work_mode",          "mode",               "work mode",
      "What kind of work is sf doing?",
      sf_work_mode_names,   work_helps,    "CPBRRR", work_roles,    6, SF_WORK_CHAT },
    { "runControl",        "run_control",        "control",            "run control",
      "Who advances the loop?",
      sf_run_control_names, control_helps, "MSA",    control_roles, 3, SF_RUN_MANUAL },
    { "permissionProfile", "permission_profile", "permission-profile", "permission profile",
      "What may proceed without approval?",
      sf_profile_names,     profile_helps, "RNTU",   profile_roles, 4, SF_PROFILE_NORMAL },
    { "modelMode",         "model_mode",         "model-mode",         "model mode",
      "How fast, how costly, how deep?",
      sf_model_mode_names,  model_helps,   "FSD",    model_roles,   3, SF_MODEL_SMART },
    { "surface",           "surface",            NULL,                 "surface",
      "Where does the user sit?",
      sf_surface_names,     surface_helps, "TWHR",   surface_roles, 4, SF_SURFACE_TUI },
};
/* clang-format on */

static_assert(SF_COUNT(work_roles) == SF_WORK_RESEARCH + 1, "a role for each work mode");
static_assert(SF_COUNT(control_roles) == SF_RUN_AUTONOMOUS + 1, "a role for each run control");
static_assert(SF_COUNT(profile_roles) == SF_PROFILE_UNRESTRICTED + 1, "a role for each profile");
static_assert(SF_COUNT(model_roles) == SF_MODEL_DEEP + 1, "a role for each model mode");
static_assert(SF_COUNT(surface_roles) == SF_SURFACE_RPC + 1, "a role for each surface");
static_assert(SF_COUNT(work_helps) == SF_COUNT(work_roles), "a line for each work mode");
static_assert(SF_COUNT(control_helps) == SF_COUNT(control_roles), "a line for each run control");
static_assert(SF_COUNT(profile_helps) == SF_COUNT(profile_roles), "a line for each profile");
static_assert(SF_COUNT(model_helps) == SF_COUNT(model_roles), "a line for each model mode");
static_assert(SF_COUNT(surface_helps) == SF_COUNT(surface_roles), "a line for each surface");

bool sf_axis_has(enum sf_axis axis, int value)
{
    return value >= 0 && value < sf_axes[axis].count;
}

const char *sf_axis_name(enum sf_axis axis, int value)
{
    assert(sf_axis_has(axis, value));
    return sf_axes[axis].names[value];
}

char sf_axis_letter(enum sf_axis axis, int value)
{
    assert(sf_axis_has(axis, value));
    return sf_axes[axis].letters[value];
}

const char *sf_axis_help(enum sf_axis axis, int value)
{
    assert(sf_axis_has(axis, value));
    return sf_axes[axis].helps[value];
}

enum sf_style sf_axis_role(enum sf_axis axis, int value)
{
    assert(sf_axis_has(axis, value));
    return sf_axes[axis].roles[value];
}

int sf_axis_next(enum sf_axis axis, int value)
{
    assert(sf_axis_has(axis, value));
    return (value + 1) % sf_axes[axis].count;
}

bool sf_axis_parse(enum sf_axis axis, const char *word, int *out, struct sf_error *err)
{
    return sf_names_parse(sf_axes[axis].names, sf_axes[axis].noun, word, out, err);
}

int sf_axis_by_word(const char *word)
{
    for (int i = 0; i < SF_AXIS_SETTABLE; i++)
        if (!strcmp(sf_axes[i].word, word))
            return i;
    return -1;
}

bool sf_surface_typed(enum sf_surface surface)
{
    return surface != SF_SURFACE_HEADLESS;
}
