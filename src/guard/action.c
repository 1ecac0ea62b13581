/*
 * action.c: questions about an action that more than one place asks. Each is answered here alone.
 */
#include "guard/action.h"

bool sf_action_needs_shell(const struct sf_action *action)
{
    return action->terms.needs_shell || action->act == SF_ACT_SHELL;
}
