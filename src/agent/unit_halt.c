/*
 * unit_halt.c: why a run gives control back, and the command that leads on. Every guard has a row
 * with its way out. A guard that meets the same input as at its last halt says so, since going on
 * as before cannot help then.
 */
#include "agent/unit_parts.h"
#include "base/base.h"

const char *const sf_units_guard_names[] = { "user",       "review",    "lease",      "health",
                                             "blocked",    "approval",  "stuck",      "budget",
                                             "cost",       "failure",   "unverified", "provider",
                                             "permission", "close-out", "goal",       "revert",
                                             NULL };

const struct sf_units_guard_row sf_units_guards[SF_UNITS_GUARD_COUNT] = {
    [SF_UNITS_GUARD_USER] = { "user", "paused", SF_UNITS_EXIT_GO },
    [SF_UNITS_GUARD_REVIEW] = { "review", "a unit waits for a review", SF_UNITS_EXIT_REVIEW },
    [SF_UNITS_GUARD_LEASE] = { "lease", "another process carries out this plan",
                               SF_UNITS_EXIT_HOLDER },
    [SF_UNITS_GUARD_HEALTH] = { "health", "the health gate failed", SF_UNITS_EXIT_DOCTOR },
    [SF_UNITS_GUARD_BLOCKED] = { "blocked", "no unit that is left can start", SF_UNITS_EXIT_REDO },
    [SF_UNITS_GUARD_APPROVAL] = { "approval", "a unit needs an approval", SF_UNITS_EXIT_APPROVE },
    [SF_UNITS_GUARD_STUCK] = { "stuck", "the run goes in circles", SF_UNITS_EXIT_REDO },
    [SF_UNITS_GUARD_BUDGET] = { "budget", "a budget is used up", SF_UNITS_EXIT_LIMITS },
    [SF_UNITS_GUARD_DEAR] = { "cost", "a unit costs far more than the average", SF_UNITS_EXIT_GO },
    [SF_UNITS_GUARD_FAILURE] = { "failure", "the same check failed twice in the same way",
                                 SF_UNITS_EXIT_REDO },
    [SF_UNITS_GUARD_UNVERIFIED] = { "unverified", "a unit could not be verified",
                                    SF_UNITS_EXIT_REVIEW },
    [SF_UNITS_GUARD_PROVIDER] = { "provider", "the model cannot be reached", SF_UNITS_EXIT_GO },
    [SF_UNITS_GUARD_PERMISSION] = { "permission", "a permission is needed", SF_UNITS_EXIT_REDO },
    [SF_UNITS_GUARD_CLOSE] = { "close-out", "a unit is done but not committed", SF_UNITS_EXIT_GO },
    [SF_UNITS_GUARD_GOAL] = { "goal", "the goal was continued as often as set", SF_UNITS_EXIT_GO },
    [SF_UNITS_GUARD_REVERT] = { "revert", "files could not be put back", SF_UNITS_EXIT_REVIEW },
};

const char *const sf_units_exits[] = { "go",     "review", "redo",   "skip", "approve",
                                       "limits", "doctor", "holder", NULL };

/* Commands by enum sf_units_exit; %s is the task. */
static const struct {
    const char *before, *after;
} commands[SF_UNITS_EXIT_COUNT] = {
    [SF_UNITS_EXIT_GO] = { "/autonomous", NULL },
    [SF_UNITS_EXIT_REVIEW] = { "/next accept ", "" },
    [SF_UNITS_EXIT_REDO] = { "/next redo ", " WORDS" },
    [SF_UNITS_EXIT_SKIP] = { "/next skip ", "" },
    [SF_UNITS_EXIT_APPROVE] = { "/next approve ", "" },
    [SF_UNITS_EXIT_LIMITS] = { "/config work, raise the limit, then /autonomous", NULL },
    [SF_UNITS_EXIT_DOCTOR] = { "/doctor, mend what it finds, then /autonomous", NULL },
    [SF_UNITS_EXIT_HOLDER] = { "sf headless stop, then /autonomous", NULL },
};

void sf_units_way_out(const struct sf_units_halt *halt, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, commands[halt->exit].before);
    if (commands[halt->exit].after)
        sf_strbuf_addf(out, "%s%s", halt->task, commands[halt->exit].after);
}

static void digest_of(const struct sf_units *u, const struct sf_unit_cause *c,
                      char hex[SF_SHA256_HEX + 1])
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_strbuf_addf(&sb, "%s\n%s\n%s", sf_units_guards[c->guard].name,
                   c->task >= 0 ? u->tasks[c->task]->id : "", c->input ? c->input : c->why);
    sf_sha256_hex(sb.buf, sb.len, hex);
    sf_strbuf_release(&sb);
}

/* Without the lease nothing may be saved, but the user is told all the same. */
static void halt_aside(struct sf_units *u, const struct sf_unit_cause *c, const char *digest,
                       enum sf_units_exit way, struct sf_units_effects *fx)
{
    struct sf_units_halt *h = &u->apart;
    bool again = u->aside_seen && h->guard == c->guard && !strcmp(h->digest, digest);

    free(h->why);
    *h = (struct sf_units_halt){
        .guard = c->guard, .exit = way, .who = "sf", .why = sf_strdup(c->why), .again = again
    };
    snprintf(h->task, sizeof(h->task), "%s", c->task >= 0 ? u->tasks[c->task]->id : "");
    snprintf(h->digest, sizeof(h->digest), "%s", digest);
    u->aside = u->aside_seen = true;
    sf_unit_effect(fx, SF_UNITS_DO_HALT)->halt = h;
}

void sf_unit_halt(struct sf_units *u, const struct sf_unit_cause *c, struct sf_units_effects *fx)
{
    enum sf_units_exit way =
        c->exit >= 0 ? (enum sf_units_exit)c->exit : sf_units_guards[c->guard].exit;
    char digest[SF_SHA256_HEX + 1];
    struct sf_unit_event e = {
        .number = { [SF_UNIT_N_GUARD] = (int)c->guard, [SF_UNIT_N_EXIT] = (int)way }
    };

    u->engaged = false;
    digest_of(u, c, digest);
    if (!u->leased) {
        halt_aside(u, c, digest, way, fx);
        return;
    }
    e.number[SF_UNIT_N_FLAG] = !strcmp(u->log.seen[c->guard], digest);
    e.word[SF_UNIT_F_TASK] = c->task >= 0 ? u->tasks[c->task]->id : "";
    e.word[SF_UNIT_F_TEXT] = c->why;
    e.word[SF_UNIT_F_DIGEST] = digest;
    e.word[SF_UNIT_F_WHO] = c->guard == SF_UNITS_GUARD_USER ? u->actor : "sf";
    sf_unit_save(u, SF_UNITS_LOG_HALT, &e, fx);
    sf_unit_effect(fx, SF_UNITS_DO_HALT)->halt = &u->log.halt;
}
