/*
 * parts: what a session is made of, from the command line and the settings: loop, workers, ground,
 * catalog, provider, tools, budget, and which session it is. The same for one-shot runs and for
 * the terminal.
 *
 * Life: sf_parts_open, sf_parts_setup, sf_parts_provide, talk, close the talk, sf_parts_close.
 */
#ifndef SF_APP_PARTS_H
#define SF_APP_PARTS_H

#include "app/app.h"
#include "session/session.h"

/* Made again when the settings or the trust in the workspace changed; old ones stay in use. */
struct sf_parts_later {
    struct sf_parts_later *next;
    struct sf_config *config;
    struct sf_policy_context policy;
};

/* One that sessions talk with, by the settings it was opened with; never closed before the end. */
struct sf_parts_service {
    struct sf_parts_service *next;
    const struct sf_config *config;
    char *asked; /* "auto", "anthropic" … */
    struct sf_provider provider;
};

struct sf_parts {
    struct sf_invocation *inv;
    struct sf_config *config;
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_policy_context policy;
    struct sf_catalog *catalog;
    struct sf_parts_service *services; /* the newest first */
    struct sf_strlist allowed, disallowed;
    struct sf_strbuf append;
    char *below;
    struct sf_parts_later *later; /* the newest first */
    char resume[SF_ID_LEN + 1];   /* the session to go on with; "": a new one */
    bool begun;                   /* what the command line names was for the first session */
};

/* clang-format off */
#define SF_PARTS_INIT { .policy = { .root = SF_PLACE_ROOT_INIT }, .allowed = SF_STRLIST_INIT, \
                        .disallowed = SF_STRLIST_INIT, .append = SF_STRBUF_INIT }
/* clang-format on */

/* Which session is wanted (--resume, --session-id, --continue) is known afterwards. */
bool sf_parts_open(struct sf_parts *parts, struct sf_invocation *inv,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_parts_close(struct sf_parts *parts);

/* Fills all but the provider and what the surface itself decides: attended, told and ctx. */
bool sf_parts_setup(struct sf_parts *parts, enum sf_surface surface, struct sf_session_setup *setup,
                    struct sf_error *err) SF_MUST_CHECK;

/*
 * Who answers in a session: in the one to go on with (`resume`) its own provider, unless the command
 * line names another for the session sf is started with; in a new one (NULL) the settings'. Without
 * its provider a session is not opened: nobody else answers in its place unasked.
 */
bool sf_parts_provide(struct sf_parts *parts, const char *resume, struct sf_session_setup *setup,
                      struct sf_error *err) SF_MUST_CHECK;

/*
 * The same with the settings, the trust and the provider as they are now, for sessions to come;
 * those that run keep what they have, until sf_parts_close. Nothing changes on failure. `key` is
 * one that was fetched for the provider `name` just now; NULL: the key there is does for it still.
 */
bool sf_parts_renew(struct sf_parts *parts, const char *name, const char *key,
                    struct sf_session_setup *setup, struct sf_error *err) SF_MUST_CHECK;

/* Axes named on the command line hold for a resumed session too, as a change of the user's. */
bool sf_parts_apply_options(const struct sf_parts *parts, struct sf_session *session,
                            struct sf_error *err) SF_MUST_CHECK;

#endif
