/*
 * action.c: questions about an action that the engine asks, and whoever acts on its verdict.
 */
#include "guard/action.h"

bool sf_action_is_own(const struct sf_action *action)
{
    return action->act == SF_ACT_OWN || action->act == SF_ACT_SUBMIT ||
           action->act == SF_ACT_ACCEPT;
}

bool sf_action_writes(const struct sf_action *action)
{
    const struct sf_shell_report *shell = action->shell;

    if (action->act == SF_ACT_SHELL)
        return shell->class == SF_CLASS_LOCAL_EDIT || shell->redirects || shell->writing.count;
    return action->act == SF_ACT_WRITE || action->act == SF_ACT_NOTE;
}

bool sf_action_may_change(const struct sf_action *action)
{
    if (action->act == SF_ACT_SHELL)
        return action->shell->class != SF_CLASS_READONLY;
    return action->act == SF_ACT_WRITE || action->act == SF_ACT_DELETE ||
           action->act == SF_ACT_EXTERNAL;
}

bool sf_action_looks(const struct sf_action *action)
{
    if (action->act == SF_ACT_SHELL)
        return !sf_action_may_change(action);
    return action->act == SF_ACT_READ || action->act == SF_ACT_FETCH;
}

bool sf_action_needs_shell(const struct sf_action *action)
{
    return action->terms.needs_shell || action->act == SF_ACT_SHELL;
}
