/*
 * guard: may it? Owns the verdict on every tool call, the facts it rests on, and nothing that
 * looks or acts: no file, no clock, no environment, no process. The shell reader says what a
 * command would do, the path rules say what a resolved path means, the matrix says what a
 * profile allows, and ten layers in order make one answer of it.
 *
 *     verdict   the ten layers          path      what a real path means
 *     matrix    profiles by kind        rule      patterns and approvals
 *     classify  what a command does     shell     reading command text
 *     git_settings  which of git's are tame
 *     grant     tools and their limits, as people list them
 *     registry  which tools are offered
 *
 * The other rooms include this header alone.
 */
#ifndef SF_GUARD_GUARD_H
#define SF_GUARD_GUARD_H

#include "guard/action.h"
#include "guard/grant.h"
#include "guard/matrix.h"
#include "guard/path.h"
#include "guard/registry.h"
#include "guard/rule.h"
#include "guard/verdict.h"
#include "shell/shell.h"

#endif
