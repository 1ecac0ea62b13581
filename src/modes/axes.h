/*
 * axes: the names of the five axes' values. Each list ends in NULL and is indexed by its enum.
 * Run controls, profiles and model modes stand from the strictest to the widest.
 */
#ifndef SF_MODES_AXES_H
#define SF_MODES_AXES_H

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

#endif
