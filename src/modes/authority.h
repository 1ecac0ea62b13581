/*
 * authority: who may change what. The user at the terminal may change everything; all others have
 * limits, because text that reaches a model, a schedule or a remote channel may come from an
 * attacker, and a raised profile is the first thing such text asks for.
 *
 *   user        everything; trust in a workspace that is not trusted needs a confirmation
 *   remote      all axes, scope and pause, but the profile no higher than trusted and no trust:
 *               unrestricted and trust need a key press at the terminal
 *   controller  never wider: no higher profile or run control, no trust, no resuming, and no
 *   schedule    work mode that writes more without asking than the current one; any scope that the
 *               work mode allows, since the controller returns to the previous scope
 *   model       only the scope, within the table of its work mode
 *
 * For all actors: a scope must exist, review allows only the scopes of its table, and only an
 * autonomous run can be paused. "user" is the person at sf's own terminal or who started the
 * process; web and rpc clients are "remote".
 */
#ifndef SF_MODES_AUTHORITY_H
#define SF_MODES_AUTHORITY_H

#include <stdbool.h>

#include "base/base.h"
#include "modes/change.h"
#include "modes/scope.h"
#include "modes/state.h"

enum sf_actor {
    SF_ACTOR_USER,
    SF_ACTOR_MODEL,
    SF_ACTOR_CONTROLLER,
    SF_ACTOR_REMOTE,
    SF_ACTOR_SCHEDULE,
};

extern const char *const sf_actor_names[];

bool sf_actor_is_person(enum sf_actor actor); /* user or remote */

/* Whether the user may choose it in a workspace that is not trusted only after a confirmation. */
bool sf_profile_needs_trust(enum sf_profile profile);

struct sf_authority {
    enum sf_actor actor;
    bool confirmed;         /* the user said yes to the question that names what is unlocked */
    bool workspace_trusted; /* recorded by `sf trust` */
};

/*
 * Whether the actor may change `from` into `to`, which sf_change_target computed. A missing
 * confirmation is checked last: if only that is missing, confirming helps.
 */
bool sf_authority_check(const struct sf_authority *authority, const struct sf_mode_change *change,
                        const struct sf_mode_state *from, const struct sf_mode_state *to,
                        const struct sf_scope_set *scopes, struct sf_error *err) SF_MUST_CHECK;

#endif
