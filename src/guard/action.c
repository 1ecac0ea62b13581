/*
 * action.c: questions about an action that the engine asks, and whoever acts on its verdict. The
 * table answers them for all acts but a command, whose class is asked.
 */
#include "guard/action.h"

const struct sf_act_row sf_acts[] = {
    [SF_ACT_OWN] = { .own = true },
    [SF_ACT_READ] = { .looks = true },
    [SF_ACT_WRITE] = { .writes = true, .may_change = true },
    [SF_ACT_DELETE] = { .may_change = true },
    [SF_ACT_SHELL] = { 0 },
    [SF_ACT_FETCH] = { .looks = true },
    [SF_ACT_EXTERNAL] = { .may_change = true },
    [SF_ACT_REVERT] = { 0 }, /* takes snapshots of its own */
    [SF_ACT_NOTE] = { .writes = true },
    [SF_ACT_SUBMIT] = { .own = true },
    [SF_ACT_ACCEPT] = { .own = true },
};

bool sf_action_writes(const struct sf_action *action)
{
    const struct sf_shell_report *shell = action->shell;

    if (action->act == SF_ACT_SHELL)
        return shell->class == SF_CLASS_LOCAL_EDIT || shell->redirects || shell->writing.count;
    return sf_acts[action->act].writes;
}

bool sf_action_may_change(const struct sf_action *action)
{
    if (action->act == SF_ACT_SHELL)
        return action->shell->class != SF_CLASS_READONLY;
    return sf_acts[action->act].may_change;
}

bool sf_action_looks(const struct sf_action *action)
{
    if (action->act == SF_ACT_SHELL)
        return !sf_action_may_change(action);
    return sf_acts[action->act].looks;
}

bool sf_action_needs_shell(const struct sf_action *action)
{
    return action->terms.needs_shell || action->act == SF_ACT_SHELL;
}
