/*
 * verdict: the one answer to "may it?". Every tool call of every surface, sub-agent, worker,
 * hook and server passes sf_guard_verdict, and there is no second way in. It is pure: the same
 * action under the same state and policy has the same verdict, whenever and wherever.
 *
 * Ten layers are asked in order. Layers 1 to 6 decide alone when they hit; from 7 on deny beats
 * ask beats allow. The verdict names the layer and the rule that decided, and what would change
 * it: a change of state or settings that was tried, and found to be enough.
 */
#ifndef SF_GUARD_VERDICT_H
#define SF_GUARD_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "guard/action.h"
#include "guard/confirm.h"
#include "guard/matrix.h"
#include "guard/rule.h"

enum sf_guard_layer {
    SF_GUARD_DENYLIST = 1,
    SF_GUARD_PROTECTED,
    SF_GUARD_PATH,
    SF_GUARD_REGISTRY,
    SF_GUARD_HARNESS,
    SF_GUARD_APPROVAL,
    SF_GUARD_RULES,
    SF_GUARD_PROFILE,
    SF_GUARD_CONTROL,
    SF_GUARD_WORK,
    SF_GUARD_LAST = SF_GUARD_WORK,
};

struct sf_guard_layer_row {
    const char *name; /* "safety-harness": in rows of the log */
    const char *help; /* one line for docs */
};

extern const struct sf_guard_layer_row
    sf_guard_layers[SF_GUARD_LAST + 1]; /* by the layer; 0: none */

enum sf_approval_mode { SF_APPROVAL_NEVER, SF_APPROVAL_SUGGEST, SF_APPROVAL_AUTO };

extern const char *const sf_approval_mode_names[]; /* NULL-terminated, as the settings have them */

/* Its name where the profile alone does not say what is asked; NULL: suggest. */
const char *sf_approval_mode_unusual(enum sf_approval_mode mode);
/* What the mode means, in words. */
extern const char *const sf_approval_mode_helps[];

/* What settings and session add to the state. Borrowed for the call. */
struct sf_policy {
    enum sf_approval_mode approval;
    struct sf_registry registry; /* which tools are offered */
    bool workspace_trusted;      /* the user trusts what its files say */
    const struct sf_rule *rules;
    size_t rule_count;
    const struct sf_scope *scope;      /* the one in force; never NULL */
    const struct sf_scope_set *scopes; /* that one could switch to; NULL: nothing is advised */
    const struct sf_confirmation *confirmation; /* given beforehand; NULL: none */
};

struct sf_verdict {
    enum sf_answer answer;
    enum sf_guard_layer layer;
    enum sf_row kind;
    char rule[64];
    char reason[320];
    char hint[240];               /* what would change it, or what else to do; or "" */
    struct sf_mode_change advice; /* the change of the state that the hint names; or empty */
    size_t at, len;               /* the part of the command that decided; a length of 0: none */
    bool confirm;                 /* an ask of the safety harness: takes an explicit confirmation */
    bool confirmable;             /* an ask that could have been confirmed beforehand */
    bool uncovered;               /* the same, and what was confirmed does not cover it */
    bool confirmed;               /* an allow by what was confirmed beforehand */
    bool unanswered;              /* a denial: it was an ask with no terminal to ask on */
};

void sf_guard_verdict(const struct sf_action *action, const struct sf_mode_state *state,
                      const struct sf_policy *policy, struct sf_verdict *out);

/* Whether an approval can be kept that answers this ask the next time; by which keys. */
bool sf_verdict_keeps(const struct sf_verdict *verdict, const struct sf_action *action,
                      struct sf_strlist *keys);

/* Whether a person must answer this ask, and no option, profile or rule does it for them. */
bool sf_verdict_needs_person(const struct sf_verdict *verdict);

/* Nobody can answer: an ask becomes a denial that says so. */
void sf_verdict_unattended(struct sf_verdict *verdict);

/* What was confirmed rests on a snapshot that could not be taken: the allow becomes a denial. */
void sf_verdict_withdraw(struct sf_verdict *verdict);

#endif
