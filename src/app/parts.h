/*
 * parts: what a session is made of, from the command line and the settings: loop, workers, policy
 * context, catalog, provider, tools, budget, and which session it is. One-shot runs and the
 * terminal share them. Life cycle: sf_parts_open, sf_parts_setup, sf_parts_provide, open and close
 * sessions, sf_parts_close.
 */
#ifndef SF_APP_PARTS_H
#define SF_APP_PARTS_H

#include "app/app.h"
#include "session/session.h"

/*
 * Settings and policy, read again after a change of the settings or of the trust in the workspace.
 * Running sessions go on with the old ones.
 */
struct sf_parts_later {
    struct sf_parts_later *next;
    struct sf_config *config;
    struct sf_policy_context policy;
};

/* An open provider and the settings it was opened with. Providers stay open until the end. */
struct sf_parts_service {
    struct sf_parts_service *next;
    const struct sf_config *config;
    char *asked; /* The name that was asked for: "auto", "anthropic". */
    struct sf_provider provider;
};

struct sf_parts {
    struct sf_invocation *inv;
    struct sf_config *config;
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_policy_context policy;
    struct sf_catalog *catalog;
    struct sf_parts_service *services; /* The newest comes first. */
    struct sf_strlist allowed, disallowed;
    struct sf_strbuf append;
    struct sf_strlist dirs;
    struct sf_recording *recording; /* The file of --record, or NULL. */
    char *below;
    struct sf_parts_later *later; /* The newest comes first. */
    char resume[SF_ID_LEN + 1];   /* The session to resume; "": a new one. */
    bool forked;                  /* It is the fork that --fork asked for. */
    bool begun; /* The first session was opened; options of the command line were for that one. */
};

/* clang-format off */
#define SF_PARTS_INIT { .policy = { .root = SF_PLACE_ROOT_INIT }, .allowed = SF_STRLIST_INIT, \
                        .disallowed = SF_STRLIST_INIT, .append = SF_STRBUF_INIT, .dirs = SF_STRLIST_INIT }
/* clang-format on */

/* Also finds the session that --resume, --session-id or --continue names. */
bool sf_parts_open(struct sf_parts *parts, struct sf_invocation *inv,
                   struct sf_error *err) SF_MUST_CHECK;
void sf_parts_close(struct sf_parts *parts);

/* Closes the file of --record once no session is open. False: it does not hold everything. */
bool sf_parts_end_recording(struct sf_parts *parts, struct sf_error *err) SF_MUST_CHECK;

/* Fills all but the provider and what the surface decides: attended, event and ctx. */
bool sf_parts_setup(struct sf_parts *parts, enum sf_surface surface, struct sf_session_setup *setup,
                    struct sf_error *err) SF_MUST_CHECK;

/*
 * Chooses the provider of a session. A resumed session (`resume`) has its own provider, unless the
 * command line names another one for the session that sf is started with; a new session (NULL) has
 * that of the settings. Where the provider cannot be opened the session is not opened either: no
 * other provider takes its place unasked.
 */
bool sf_parts_provide(struct sf_parts *parts, const char *resume, struct sf_session_setup *setup,
                      struct sf_error *err) SF_MUST_CHECK;

/*
 * With --fork, once: the session to resume stays as it is, and `resume` becomes the id of a fork of
 * it. Called when everything else is known, since a start that fails is to leave no fork.
 */
bool sf_parts_fork(struct sf_parts *parts, struct sf_error *err) SF_MUST_CHECK;

/*
 * Reads the settings and the trust again and opens the provider `name`, for later sessions; running
 * sessions keep their parts until sf_parts_close(). On failure nothing changes. `key` was just
 * fetched for the provider; NULL: the known key is still good.
 */
bool sf_parts_renew(struct sf_parts *parts, const char *name, const char *key,
                    struct sf_session_setup *setup, struct sf_error *err) SF_MUST_CHECK;

/* Applies the axes of the command line to a resumed session, as a change by the user. */
bool sf_parts_apply_options(const struct sf_parts *parts, struct sf_session *session,
                            struct sf_error *err) SF_MUST_CHECK;

#endif
