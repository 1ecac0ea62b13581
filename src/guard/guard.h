/*
 * guard: may it? Owns the verdict on every tool call, the facts it rests on, and nothing that
 * looks or acts: no file, no clock, no environment, no process. The room `shell` says what a
 * command would do, the path rules say what a resolved path means, the matrix says what a
 * profile allows, and ten layers in order make one answer of it.
 *
 *     verdict   the ten layers          advice    what would change a verdict
 *     matrix    profiles by kind        rule      patterns of the settings
 *     path      what a real path means  registry  which tools are offered
 *     approval  what an approval covers family    words of a command that cannot make it more
 *     grant     tools and their limits, as people list them
 *     confirm   deletions that were confirmed beforehand
 *
 * Decisions, each with the tests that hold it:
 *
 * - One answer to "is it offered?".
 *   Problem: A list that only shapes the request stops nobody, since a model can call what it was
 *     never shown.
 *   Decision: The registry answers for the request and for layer 4 of every verdict, so a call that
 *     is not offered is refused with a row of its own.
 *   Cost: Each verdict asks the registry again.
 *   Enforced by: guard/registry, app/exec
 *
 * - An approval is as wide as what was seen.
 *   Problem: A pattern made from a call matches more than anybody looked at: another host, another
 *     remote, another directory.
 *   Decision: An approval keeps the row of the matrix and the words of the call, without those a
 *     table lists as harmless, and covers a call whose keys are the same letter by letter. What
 *     is kept is said in the words of the card.
 *   Cost: A flag nobody listed is asked about again.
 *   Enforced by: guard/approval
 *
 * - An advice is tried before it is given.
 *   Problem: A refusal that names an option which does not help is worse than one without advice.
 *   Decision: `advice` changes a copy of the state, asks the same layers again, and names the
 *     fewest steps that are enough. A refusal only has to become a question.
 *   Cost: A refused call runs the layers several times.
 *   Enforced by: guard/verdict
 *
 * - A note is an act of its own.
 *   Problem: A note outlives the session and is read as the user's word, so a stranger's file could
 *     write one through the model.
 *   Decision: Notes have a row of the matrix, and a workspace that is not trusted asks under every
 *     profile. Plans and questions stay sf's own.
 *   Cost: One more question in new workspaces.
 *   Enforced by: guard/verdict, workspace/memory
 *
 * - A confirmation given beforehand answers one question.
 *   Problem: Where nobody can answer, a run that has to delete a file fails; but whoever says yes to
 *     all deletions beforehand has not seen one of them.
 *   Decision: `--confirm delete[:PATHS]` covers plain deletions inside the workspace, at the paths
 *     it names, which were looked up, lie in the write scope and are known to be in a snapshot as a
 *     whole. What was not looked up, is ignored, too large, linked or outside is refused as before.
 *   Cost: The files are looked up before the verdict, and the call is judged twice.
 *   Enforced by: guard/confirm, app/exec_confirm
 *
 * The other rooms include this header alone.
 */
#ifndef SF_GUARD_GUARD_H
#define SF_GUARD_GUARD_H

#include "guard/action.h"
#include "guard/approval.h"
#include "guard/confirm.h"
#include "guard/grant.h"
#include "guard/matrix.h"
#include "guard/path.h"
#include "guard/promise.h"
#include "guard/registry.h"
#include "guard/rule.h"
#include "guard/verdict.h"
#include "shell/shell.h"

#endif
