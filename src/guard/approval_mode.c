/*
 * approval_mode.c: the names of the approval modes, and what each means for questions.
 */
#include "guard/verdict.h"

const char *const sf_approval_mode_names[] = { "never", "suggest", "auto", NULL };

const char *const sf_approval_mode_helps[] = {
    [SF_APPROVAL_NEVER] = "nobody is asked: whatever is not read-only is refused",
    [SF_APPROVAL_SUGGEST] = "what is neither allowed nor refused is asked about",
    [SF_APPROVAL_AUTO] = "nobody is asked: all but what destroys is answered with yes",
};

const char *sf_approval_mode_unusual(enum sf_approval_mode mode)
{
    return mode == SF_APPROVAL_SUGGEST ? NULL : sf_approval_mode_names[mode];
}
