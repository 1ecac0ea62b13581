/*
 * permissions: what runs unasked, is asked about or refused here by the word of the user: the rules
 * of the settings and the approvals given in sessions, as one list for every surface. Approvals have
 * a number, by which they are taken back; rules are changed where they are written.
 *
 * Life: sf_permissions_read, use, sf_permissions_release.
 */
#ifndef SF_PORT_PERMISSIONS_H
#define SF_PORT_PERMISSIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "config/config.h"
#include "guard/guard.h"
#include "store/store.h"

struct sf_permission {
    int64_t number;     /* of an approval; 0: a rule of the settings */
    const char *answer; /* "allow", "ask" or "deny" */
    char *what;         /* "every `cargo build`"; of a rule its pattern */
    const char *scope;  /* "session", "workspace" or "settings" */
    char *origin;       /* the id of the session, or where the rule is written; or "" */
    char *when;         /* an instant; of a rule "" */
};

struct sf_permissions {
    struct sf_permission *items;
    size_t count, cap;
};

#define SF_PERMISSIONS_INIT \
    (struct sf_permissions) \
    {                       \
        .items = NULL       \
    }

/* Those in force for the session; `session` NULL: those of every session. */
bool sf_permissions_read(struct sf_permissions *out, struct sf_config *config,
                         struct sf_store *store, const char *session,
                         struct sf_error *err) SF_MUST_CHECK;
void sf_permissions_release(struct sf_permissions *permissions);

/* Takes back the approval whose number is the text; what it was goes to `what`. */
bool sf_permissions_revoke(struct sf_store *store, const char *number, struct sf_strbuf *what,
                           struct sf_error *err) SF_MUST_CHECK;

/* Whether each rule in a value typed for that setting can match; of other settings: true. */
bool sf_permissions_check(const char *key, const char *typed, struct sf_error *err) SF_MUST_CHECK;

#endif
