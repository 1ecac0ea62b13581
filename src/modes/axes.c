/*
 * axes.c: the words of the five axes.
 */
#include "modes/axes.h"

#include "base/base.h"

const char *const sf_work_mode_names[] = { "chat",   "plan",     "build", "review",
                                           "repair", "research", NULL };
const char *const sf_run_control_names[] = { "manual", "assisted", "autonomous", NULL };
const char *const sf_profile_names[] = { "restricted", "normal", "trusted", "unrestricted", NULL };
const char *const sf_model_mode_names[] = { "fast", "smart", "deep", NULL };
const char *const sf_surface_names[] = { "tui", "web", "headless", "rpc", NULL };
