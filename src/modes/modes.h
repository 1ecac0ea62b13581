/*
 * modes: the five axes, the write scopes, presets, transitions and the badge, as data. Pure: no
 * file, no clock, no terminal; time is passed in as text. Other rooms include only this header.
 *
 * Decisions, each with the tests that hold it:
 *
 * - A transition is data before it is an effect.
 *   Problem: Two surfaces on one session could each apply a change and lose the other's.
 *   Decision: The machine returns the row to write, with the states before and after; it applies
 *     the row only when the caller says that it was written.
 *   Cost: Every change of an axis takes two steps.
 *   Enforced by: modes/machine, modes/machine_random, store/mode
 */
#ifndef SF_MODES_MODES_H
#define SF_MODES_MODES_H

#include "modes/authority.h"
#include "modes/axes.h"
#include "modes/badge.h"
#include "modes/change.h"
#include "modes/command.h"
#include "modes/handoff.h"
#include "modes/machine.h"
#include "modes/names.h"
#include "modes/preset.h"
#include "modes/scope.h"
#include "modes/start.h"
#include "modes/state.h"
#include "modes/transition.h"
#include "modes/work_mode.h"

#endif
