/*
 * rule: patterns people write; approvals, which are kept by keys, see approval.h. A rule names commands by their first
 * words (`cargo build` covers its flags, not `cargo publish`; `yarn` covers `yarn test`, not
 * yarnx), or with a prefix a path (`path:src/gen/`), a host (`host:*.example.org`) or a tool
 * (`tool:Fetch`). Options in a command rule must be there: `git push --force`.
 *
 * A rule that denies or asks hits when any part of the action fits; one that allows must fit
 * every part. Order does not matter: deny beats ask beats allow.
 */
#ifndef SF_GUARD_RULE_H
#define SF_GUARD_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "guard/action.h"
#include "guard/matrix.h"

/* Where a rule comes from; the words stand in verdicts. */
enum sf_rule_source {
    SF_RULE_SETTINGS,
    SF_RULE_SESSION,   /* approved for the session */
    SF_RULE_WORKSPACE, /* approved for the workspace */
};

struct sf_rule {
    const char *pattern; /* of approvals: the key */
    enum sf_answer answer;
    enum sf_rule_source source;
    const char *session; /* the one that it was approved for; NULL: not for one session */
};

const char *sf_rule_source_name(enum sf_rule_source source);

/* Whether the pattern can ever match; the reason is for the user. */
bool sf_rule_check(const char *pattern, struct sf_error *err) SF_MUST_CHECK;

/* The rule of the settings with that answer that hits, or NULL. */
const struct sf_rule *sf_rule_hit(const struct sf_rule *rules, size_t count, enum sf_answer answer,
                                  const struct sf_action *action);

/*
 * What output is redirected into is no part of any command: whether rules allow to write all that
 * the action writes. True where nothing is redirected.
 */
bool sf_rule_redirects(const struct sf_rule *rules, size_t count, const struct sf_action *action);

#endif
