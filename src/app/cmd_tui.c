/*
 * cmd_tui.c: sf in a terminal: makes the parts of a session from the command line and runs the
 * terminal surface with them.
 */
#include <unistd.h>

#include "app/app.h"
#include "app/parts.h"
#include "base/base.h"
#include "tui/tui.h"

static bool apply_options(void *ctx, struct sf_session *session, struct sf_error *err)
{
    struct sf_parts *parts = ctx;
    bool resumed = parts->resume[0] != '\0';

    parts->resume[0] = '\0'; /* The options hold only for the session that sf was started with. */
    return !resumed || sf_parts_apply_options(parts, session, err);
}

static struct sf_config *reload(void *ctx, struct sf_error *err)
{
    const struct sf_parts *parts = ctx;

    return sf_app_read_config(parts->inv->app, err);
}

static bool renew(void *ctx, const char *name, const char *key, struct sf_session_setup *session,
                  struct sf_error *err)
{
    return sf_parts_renew(ctx, name, key, session, err);
}

static bool provide(void *ctx, const char *resume, struct sf_session_setup *session,
                    struct sf_error *err)
{
    return sf_parts_provide(ctx, resume, session, err);
}

/* -r alone: the list of sessions is the first thing on the screen. */
static bool wants_list(const struct sf_invocation *inv)
{
    const char *resume = sf_cli_get(inv, "resume");

    return resume && !strcmp(resume, SF_RESUME_LIST) && !inv->arg_count;
}

/*
 * Joins the words of the command line to the first prompt. The caller owns the result; NULL: there
 * are none.
 */
static char *first_words(const struct sf_invocation *inv)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (wants_list(inv))
        return sf_strdup("/sessions");

    for (size_t i = 0; i < inv->arg_count; i++)
        sf_strbuf_addf(&text, "%s%s", i ? " " : "", inv->args[i]);
    return inv->arg_count ? sf_strbuf_detach(&text) : NULL;
}

/* The steps of the tour name these values, whatever the settings of the user are. */
static void set_axes(const struct sf_parts *parts, struct sf_mode_state *state)
{
    sf_mode_state_set(state, SF_AXIS_WORK, SF_WORK_CHAT);
    sf_mode_state_set(state, SF_AXIS_CONTROL, SF_RUN_MANUAL);
    sf_mode_state_set(state, SF_AXIS_PROFILE, SF_PROFILE_NORMAL);
    sf_mode_state_set(state, SF_AXIS_MODEL, SF_MODEL_SMART);
    sf_mode_state_set_scope(state, sf_work_default_scope(&parts->policy.scopes, state->work));
}

bool sf_app_run_tui(struct sf_invocation *inv, size_t *tour, int *signo, char id[SF_ID_LEN + 1],
                    struct sf_error *err)
{
    struct sf_parts parts = SF_PARTS_INIT;
    char *first = first_words(inv);
    char *resume = NULL;
    struct sf_tui_setup setup = { .first = first,
                                  .tour = tour,
                                  .port = { .settings_file = sf_cli_get(inv, "config"),
                                            .opened = apply_options,
                                            .reload = reload,
                                            .renew = renew,
                                            .provide = provide,
                                            .ctx = &parts } };
    bool ok;

    if (wants_list(inv))
        sf_cli_drop(inv, "resume");
    ok = sf_parts_open(&parts, inv, err) &&
         sf_parts_setup(&parts, SF_SURFACE_TUI, &setup.port.session, err) &&
         sf_parts_fork(&parts, err);

    if (ok) {
        resume = setup.port.session.resume ? sf_strdup(setup.port.session.resume) : NULL;
        setup.port.session.resume = resume;
        setup.mouse =
            sf_config_bool(parts.config, "ui.mouse") && !sf_cli_get(inv, "no-mouse-capture");
        setup.inline_mode = sf_cli_get(inv, "inline") != NULL;
        if (tour)
            set_axes(&parts, &setup.port.session.state);
        ok = sf_tui_run(&setup, signo, id, err);
    }
    sf_parts_close(&parts);
    free(resume);
    free(first);
    return ok;
}

int sf_cmd_tui(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    char id[SF_ID_LEN + 1] = "";
    int signo = 0;

    if (!sf_app_run_tui(inv, NULL, &signo, id, &err))
        return sf_print_error(
            &err, err.code == SF_E_ARG || err.code == SF_E_NOENT ? SF_EXIT_USAGE : SF_EXIT_FAILED);
    if (id[0]) {
        sf_strbuf_addf(&text, "resume with: sf -r %.8s\n", id);
        sf_print(&text);
    }
    sf_strbuf_release(&text);
    return signo ? 128 + signo : SF_EXIT_DONE;
}
