/*
 * preset.c: the three rows and their names.
 */
#include "modes/preset.h"

#include <string.h>

const struct sf_preset sf_presets[SF_PRESET_COUNT] = {
    {
        .name = "plan",
        .number = "1",
        .help = "think and write a plan; nothing else changes",
        .work = SF_WORK_PLAN,
        .control = SF_RUN_MANUAL,
        .profile = SF_PROFILE_RESTRICTED,
    },
    {
        .name = "agent",
        .number = "2",
        .help = "work on one unit at a time, asking where it matters",
        .work = SF_WORK_BUILD,
        .control = SF_RUN_ASSISTED,
        .profile = SF_PROFILE_NORMAL,
    },
    {
        .name = "yolo",
        .number = "3",
        .help = "work, asking only before what destroys or goes out; also outside the workspace",
        .work = SF_WORK_BUILD,
        .control = SF_RUN_ASSISTED,
        .control_floor = true,
        .profile = SF_PROFILE_UNRESTRICTED,
        .scope = "free",
        .trust = true,
    },
};

static const struct {
    const char *name, *now;
} old_names[] = {
    { "normal", "agent" },
};

static const char *modern(const char *word)
{
    for (size_t i = 0; i < SF_COUNT(old_names); i++)
        if (!strcmp(old_names[i].name, word))
            return old_names[i].now;
    return word;
}

const struct sf_preset *sf_preset_find(const char *word, bool *old)
{
    const char *name = modern(word);

    if (old)
        *old = name != word;
    for (size_t i = 0; i < SF_PRESET_COUNT; i++)
        if (!strcmp(sf_presets[i].name, name) || !strcmp(sf_presets[i].number, name))
            return &sf_presets[i];
    return NULL;
}

void sf_preset_change(const struct sf_preset *preset, struct sf_mode_change *change)
{
    sf_change_axis(change, SF_AXIS_WORK, (int)preset->work);
    if (preset->control_floor)
        sf_change_axis_floor(change, SF_AXIS_CONTROL, (int)preset->control);
    else
        sf_change_axis(change, SF_AXIS_CONTROL, (int)preset->control);
    sf_change_axis(change, SF_AXIS_PROFILE, (int)preset->profile);
    if (preset->scope)
        sf_change_scope(change, preset->scope);
    else
        sf_change_scope_default(change);
    sf_change_trust(change, preset->trust);
}

static bool is_in(const struct sf_mode_state *state, const struct sf_preset *preset)
{
    bool driven = preset->control_floor ? state->control >= preset->control
                                        : state->control == preset->control;

    return driven && state->work == preset->work && state->profile == preset->profile &&
           (!preset->scope || !strcmp(state->scope, preset->scope)) &&
           (!preset->trust || state->trust);
}

const struct sf_preset *sf_preset_of(const struct sf_mode_state *state)
{
    for (size_t i = 0; i < SF_PRESET_COUNT; i++)
        if (is_in(state, &sf_presets[i]))
            return &sf_presets[i];
    return NULL;
}

const struct sf_preset *sf_preset_next(const struct sf_preset *preset)
{
    return preset ? &sf_presets[(size_t)(preset - sf_presets + 1) % SF_PRESET_COUNT]
                  : &sf_presets[0];
}
