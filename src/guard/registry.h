/*
 * registry: which tools are offered, to whom and when. The one answer to that question: the list
 * of tools in a request is made with it, and layer 4 of every verdict asks it again.
 */
#ifndef SF_GUARD_REGISTRY_H
#define SF_GUARD_REGISTRY_H

#include <stdbool.h>

#include "base/base.h"
#include "modes/modes.h"

/* What a tool says about itself, and its session about it. */
struct sf_offer_terms {
    enum sf_profile least; /* the tool is offered from this profile up */
    bool needs_shell;      /* it has nothing to do where commands are switched off */
    const char *lacking;   /* why the session does without it, as a clause; NULL: it has it */
};

/* What settings, session and turn hold tools to. The lists are grants, see grant.h. Borrowed. */
struct sf_registry {
    bool allow_shell;
    const struct sf_strlist *session;  /* no others in this session; NULL: all */
    const struct sf_strlist *turn;     /* no others in this turn; NULL: those of the session */
    const struct sf_strlist *withheld; /* none of these; NULL: nothing is withheld */
};

/* Why a tool is not offered: for the decision's row, for the model and for people. */
struct sf_registry_refusal {
    const char *rule;
    char reason[200];
    const char *hint; /* "": whoever asks finds one */
};

/*
 * Whether calls of the tool can be made now. A tool that a list names with limits is offered; the
 * limits are held against each call.
 */
bool sf_registry_offers(const struct sf_registry *registry, const char *tool,
                        const struct sf_offer_terms *terms, enum sf_profile profile,
                        struct sf_registry_refusal *why);

/* Whether requests list the tool. A turn's own list changes nothing here, so that caches hold. */
bool sf_registry_lists(const struct sf_registry *registry, const char *tool,
                       const struct sf_offer_terms *terms, enum sf_profile profile);

#endif
