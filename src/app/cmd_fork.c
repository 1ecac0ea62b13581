/*
 * cmd_fork.c: sf fork and sf resume: a new session from a point of another one, and going on with a
 * session.
 */
#include <errno.h>
#include <string.h>

#include "app/app.h"
#include "base/base.h"
#include "session/session.h"

static bool read_number(const char *text, uint64_t *out, struct sf_error *err)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    if (!errno && end != text && !*end && *text != '-' && *out > 0)
        return true;
    sf_fail(err, SF_E_ARG, "--at: '%s' is no number of a prompt", text);
    return sf_hint(err, "`sf sessions show ID` numbers them");
}

/* Prompts are numbered from 1; the fork has all that came before the prompt. */
static bool find_point(struct sf_store *store, const char *session, const char *at, int64_t *seq,
                       struct sf_error *err)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    uint64_t number = 0;
    bool ok;

    *seq = SF_FORK_LAST;
    if (!at)
        return true;
    ok = read_number(at, &number, err) && sf_prompt_list_read(&list, store, session, NULL, err);
    if (ok && (number <= list.dropped || number - list.dropped > list.count)) {
        sf_fail(err, SF_E_ARG, "there is no prompt %s in session %s", at, session);
        ok = sf_hint(err, "`sf sessions show ID` numbers them");
    }
    if (ok)
        *seq = list.items[number - list.dropped - 1].at;
    sf_prompt_list_release(&list);
    return ok;
}

static bool run(struct sf_invocation *inv, char id[SF_ID_LEN + 1], bool *shortened,
                struct sf_error *err)
{
    struct sf_store *store = sf_app_store(inv->app, err);
    struct sf_fork fork = { .store = store, .surface = "headless" };
    char from[SF_ID_LEN + 1];

    if (!store)
        return false;
    if ((inv->arg_count != 0) == (sf_cli_get(inv, "last") != NULL)) {
        sf_fail(err, SF_E_ARG, "fork which session?");
        return sf_hint(err, "give its id, or --last");
    }
    if (!sf_app_find_session(store, inv->arg_count ? inv->args[0] : "latest", from, err))
        return false;
    fork.session = from;
    return find_point(store, from, sf_cli_get(inv, "at"), &fork.at, err) &&
           sf_fork_make(&fork, id, shortened, err);
}

int sf_cmd_fork(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    char id[SF_ID_LEN + 1];
    bool shortened = false;

    if (!run(inv, id, &shortened, &err))
        return sf_print_error(
            &err, err.code == SF_E_ARG || err.code == SF_E_NOENT ? SF_EXIT_USAGE : SF_EXIT_FAILED);
    if (shortened)
        sf_print_warning("the last turn is not over: the fork begins before it", "");
    sf_strbuf_addf(&out, "%s\n", id);
    sf_print(&out);
    sf_strbuf_release(&out);
    return SF_EXIT_DONE;
}

/* `sf resume ID` is `sf -r ID`. */
int sf_cmd_resume(struct sf_invocation *inv)
{
    sf_cli_give(inv, "resume", inv->arg_count ? inv->args[0] : "latest");
    inv->arg_count = 0;
    return sf_cli_get(inv, "print") ? sf_cmd_exec(inv) : sf_cmd_tui(inv);
}
