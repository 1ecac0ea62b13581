/*
 * cmd_exec.c: sf -p and sf exec: one request to its end, without a screen. The loop runs until
 * the turn is done; the first Ctrl+C stops the turn, which leaves a valid session, the second
 * ends the program on the spot.
 */
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "app/app.h"
#include "app/ask.h"
#include "app/show.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"

enum { STDIN_MAX = 4 * 1024 * 1024, STDIN_PATIENCE_MS = 3000 };

struct run {
    struct sf_invocation *inv;
    struct sf_config *config;
    struct sf_loop *loop;
    struct sf_workers *workers;
    struct sf_ground ground;
    struct sf_catalog *catalog;
    struct sf_provider provider;
    struct sf_talk *talk;
    struct sf_show show;
    struct sf_ask ask;
    struct sf_strlist allowed, disallowed;
    int signo; /* that ended it */
    uint64_t deadline;
    bool timed_out; /* by --timeout */
    bool done;
    enum sf_exit code;
};

/* ---- the prompt ---- */

static bool read_stdin(struct sf_strbuf *out, struct sf_error *err)
{
    char buf[65536];
    ssize_t n;

    while ((n = read(STDIN_FILENO, buf, sizeof(buf))) > 0) {
        if (out->len + (size_t)n > STDIN_MAX)
            return sf_fail(err, SF_E_LIMIT, "standard input holds more than %d MiB",
                           STDIN_MAX >> 20);
        sf_strbuf_add(out, buf, (size_t)n);
    }
    return n == 0 || sf_fail_errno(err, "cannot read standard input");
}

/* A pipe that somebody forgot to close must not hang a run that has its prompt already. */
static bool stdin_speaks(bool has_prompt)
{
    struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

    if (isatty(STDIN_FILENO))
        return false;
    if (!has_prompt || poll(&p, 1, STDIN_PATIENCE_MS) != 0)
        return true;
    sf_print_warning("standard input is open but silent: going on without it",
                     "give it an end: sf -p … </dev/null");
    return false;
}

static bool read_prompt(struct sf_invocation *inv, bool optional, struct sf_strbuf *out,
                        struct sf_error *err)
{
    const char *given = sf_cli_get(inv, "print");
    struct sf_strbuf piped = SF_STRBUF_INIT;
    bool ok = true;

    if (given && strcmp(given, "-") != 0)
        sf_strbuf_adds(out, given);
    for (size_t i = 0; i < inv->arg_count; i++)
        if (strcmp(inv->args[i], "-") != 0)
            sf_strbuf_addf(out, "%s%s", out->len ? " " : "", inv->args[i]);
    if (stdin_speaks(out->len || optional))
        ok = read_stdin(&piped, err);
    if (ok && piped.len) {
        if (out->len)
            sf_strbuf_adds(out, "\n\n");
        sf_strbuf_add(out, piped.buf, piped.len);
    }
    if (ok && !out->len && optional)
        sf_strbuf_adds(out, "Go on where you were interrupted.");
    if (ok && !out->len) {
        sf_fail(err, SF_E_ARG, "there is no prompt");
        ok = sf_hint(err, "sf -p 'what to do', or pipe it in");
    }
    sf_strbuf_release(&piped);
    return ok;
}

/* ---- the parts ---- */

static const char *setting(void *ctx, const char *key)
{
    const struct sf_config_value *v = sf_config_find(ctx, key);

    return v ? v->text : NULL;
}

static bool open_provider(struct run *r, struct sf_error *err)
{
    const struct sf_provider_sources sources = { r->catalog, setting, r->config };

    return sf_provider_open(&r->provider, sf_config_text(r->config, "models.provider"), &sources,
                            err);
}

/* Without a word of the user's a one-shot run builds, and hands back at the end. */
static void headless_defaults(struct run *r, struct sf_mode_state *state)
{
    if (sf_config_find(r->config, "defaults.work_mode")->origin.layer == SF_LAYER_BUILTIN) {
        sf_mode_state_set(state, SF_AXIS_WORK, SF_WORK_BUILD);
        if (!sf_config_find(r->config, "defaults.scope"))
            sf_mode_state_set_scope(state, sf_work_default_scope(&r->ground.scopes, state->work));
    }
    if (sf_config_find(r->config, "defaults.run_control")->origin.layer == SF_LAYER_BUILTIN)
        sf_mode_state_set(state, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
}

static bool apply_yolo(struct run *r, bool trusted, struct sf_mode_state *state,
                       struct sf_error *err)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    if (!sf_cli_get(r->inv, "yolo"))
        return true;
    if (!trusted) {
        sf_fail(err, SF_E_ARG, "--yolo needs a workspace you trust");
        return sf_hint(err, "look at it, then: sf trust add");
    }
    sf_preset_change(sf_preset_find("yolo", NULL), &change);
    *state = sf_change_target(&change, state, &r->ground.scopes);
    return true;
}

static void split_names(const char *text, struct sf_strlist *out)
{
    while (text && *text) {
        size_t n = strcspn(text, ", ");

        if (n)
            sf_strlist_adopt(out, sf_strndup(text, n));
        text += n + (text[n] != '\0');
    }
}

static bool read_tools(struct run *r, struct sf_error *err)
{
    struct sf_tool_filter filter = { .allowed = &r->allowed, .disallowed = &r->disallowed };

    split_names(sf_cli_get(r->inv, "allowed-tools"), &r->allowed);
    split_names(sf_cli_get(r->inv, "disallowed-tools"), &r->disallowed);
    return sf_tool_filter_check(&filter, err);
}

static struct sf_budget read_budget(struct run *r)
{
    struct sf_budget b = { 0 };

    b.limit[SF_BUDGET_TOKENS] = sf_config_int(r->config, "limits.max_tokens");
    b.limit[SF_BUDGET_COST] = (int64_t)(sf_config_find(r->config, "limits.max_cost")->number * 1e6);
    b.limit[SF_BUDGET_TURNS] = sf_config_int(r->config, "limits.max_turns");
    b.limit[SF_BUDGET_CALLS] = sf_config_int(r->config, "limits.max_tool_calls");
    b.limit[SF_BUDGET_TIME] = sf_config_int(r->config, "limits.max_time") * 1000;
    return b;
}

static bool read_append(struct run *r, struct sf_strbuf *out, struct sf_error *err)
{
    const char *text = sf_cli_get(r->inv, "append-system-prompt");
    const char *file = sf_cli_get(r->inv, "append-system-prompt-file");

    if (text)
        sf_strbuf_adds(out, text);
    return !file || sf_file_read(file, (size_t)256 * 1024, out, err);
}

static enum sf_on_ask read_on_ask(const struct run *r)
{
    const char *word = sf_cli_get(r->inv, "on-ask");

    for (size_t i = 0; word && sf_on_ask_names[i]; i++)
        if (!strcmp(word, sf_on_ask_names[i]))
            return (enum sf_on_ask)i;
    if (sf_cli_get(r->inv, "auto"))
        return SF_ON_ASK_ALLOW;
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) ? SF_ON_ASK_ASK : SF_ON_ASK_DENY;
}

/* ---- which session ---- */

/* The id to go on with in `id`, or "" for a new session. */
static bool find_session(struct run *r, struct sf_store *store, char id[SF_ID_LEN + 1],
                         struct sf_error *err)
{
    const char *named[] = { sf_cli_get(r->inv, "resume"), sf_cli_get(r->inv, "session-id") };
    bool again = sf_cli_get(r->inv, "continue") != NULL;

    id[0] = '\0';
    if ((named[0] != NULL) + (named[1] != NULL) + again > 1)
        return sf_fail(err, SF_E_ARG, "--resume, --session-id and --continue exclude each other");
    for (size_t i = 0; i < SF_COUNT(named); i++) {
        if (named[i] && !strcmp(named[i], "latest"))
            again = true;
        else if (named[i] && !*named[i])
            return sf_fail(err, SF_E_ARG, "which session? its id is missing");
        else if (named[i])
            snprintf(id, SF_ID_LEN + 1, "%s", named[i]);
    }
    if (!again)
        return true;
    if (!sf_app_last_session(store, id, err))
        return false;
    return id[0] || sf_fail(err, SF_E_NOENT, "there is no session to go on with yet");
}

/* Axes named on the command line hold for a resumed session too, as a change of the user's. */
static bool apply_options(struct run *r, struct sf_error *err)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++) {
        const struct sf_config_value *v;
        char key[64];

        snprintf(key, sizeof(key), "defaults.%s", sf_axes[axis].config);
        v = sf_config_find(r->config, key);
        if (v->origin.layer == SF_LAYER_COMMAND_LINE)
            sf_change_axis(&change, (enum sf_axis)axis, (int)v->integer);
    }
    return !change.fields ||
           sf_talk_change(r->talk, &change, SF_WHEN_DEFAULT, "command line", true, err);
}

/* ---- running ---- */

static enum sf_exit exit_of(const struct run *r, const struct sf_told *done)
{
    if (r->timed_out)
        return SF_EXIT_TIMEOUT;
    if (r->signo)
        return (enum sf_exit)(128 + r->signo);
    switch (done->status) {
    case SF_TURN_DONE:
        return done->denied ? SF_EXIT_DENIED : SF_EXIT_DONE;
    case SF_TURN_CANCELLED:
        return SF_EXIT_INTERRUPT;
    case SF_TURN_FAILED:
        return sf_faults[done->error->fault].temporary ? SF_EXIT_TEMPORARY : SF_EXIT_FAILED;
    case SF_TURN_LIMIT:
        return SF_EXIT_LIMIT;
    case SF_TURN_BLOCKED:
        return SF_EXIT_BLOCKED;
    case SF_TURN_REFUSED:
        return SF_EXIT_FAILED;
    }
    return SF_EXIT_FAILED;
}

static void told(void *ctx, const struct sf_told *t)
{
    struct run *r = ctx;

    sf_show_told(&r->show, t);
    sf_ask_told(&r->ask, t);
    if (t->kind != SF_TOLD_DONE || t->depth)
        return;
    r->done = true;
    r->code = exit_of(r, t);
    sf_show_end(&r->show, t, r->code);
    sf_loop_stop(r->loop);
}

static void on_signal(void *ctx, int signo)
{
    struct run *r = ctx;

    if (r->signo)
        _exit(128 + signo);
    r->signo = signo;
    sf_talk_cancel(r->talk);
}

static void on_deadline(void *ctx)
{
    struct run *r = ctx;

    r->timed_out = true;
    sf_talk_cancel(r->talk);
}

static bool talk_through(struct run *r, const struct sf_strbuf *prompt, struct sf_error *err)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    const struct sf_config_value *timeout = sf_config_find(r->config, "limits.timeout");
    uint64_t watches[SF_COUNT(signals)];
    bool ok;

    for (size_t i = 0; i < SF_COUNT(signals); i++)
        watches[i] = sf_loop_watch_signal(r->loop, signals[i], on_signal, r);
    if (timeout && timeout->integer > 0)
        r->deadline = sf_loop_add_timer(r->loop, timeout->integer * 1000, 0, on_deadline, r);
    ok = sf_talk_send(r->talk, prompt->buf, prompt->len, err);
    if (ok && !r->done)
        sf_loop_run(r->loop);
    sf_loop_remove(r->loop, r->deadline);
    for (size_t i = 0; i < SF_COUNT(signals); i++)
        sf_loop_remove(r->loop, watches[i]);
    return ok;
}

/* Where the user stands, below the workspace's root; owned by the caller. */
static char *standing_below(const struct run *r, const char *root)
{
    const char *start = sf_cli_get(r->inv, "workspace");
    struct sf_error ignored = SF_ERROR_INIT;
    char *here = sf_path_real(start ? start : ".", &ignored), *below;
    size_t n = strlen(root);
    bool inside = here && !strncmp(here, root, n) && here[n] == '/';

    below = sf_strdup(inside ? here + n + 1 : "");
    free(here);
    return below;
}

static bool open_talk(struct run *r, const char *resume, const char *append, struct sf_error *err)
{
    const struct sf_workspace *workspace = sf_app_workspace(r->inv->app, err);
    enum sf_trust_state trust = SF_TRUST_NO;
    struct sf_error ignored = SF_ERROR_INIT;
    char *below;
    struct sf_talk_setup setup = { .loop = r->loop,
                                   .workers = r->workers,
                                   .store = sf_app_store(r->inv->app, err),
                                   .config = r->config,
                                   .workspace = workspace,
                                   .ground = &r->ground,
                                   .catalog = r->catalog,
                                   .provider = &r->provider,
                                   .state_dir = sf_app_state_dir(r->inv->app, err),
                                   .resume = *resume ? resume : NULL,
                                   .model = setting(r->config, "models.model"),
                                   .budget = read_budget(r),
                                   .allowed = r->allowed.count ? &r->allowed : NULL,
                                   .disallowed = &r->disallowed,
                                   .append = append,
                                   .attended = r->ask.how != SF_ON_ASK_DENY,
                                   .told = told,
                                   .ctx = r };

    if (!setup.store || !sf_ground_state(&r->ground, r->config, &setup.state, err))
        return false;
    setup.workspace_trusted =
        sf_trust_check(workspace->root, &trust, &ignored) && trust == SF_TRUST_YES;
    headless_defaults(r, &setup.state);
    if (!apply_yolo(r, setup.workspace_trusted, &setup.state, err))
        return false;
    below = standing_below(r, workspace->root);
    setup.below = below;
    r->talk = sf_talk_open(&setup, err);
    free(below);
    r->ask.talk = r->talk;
    return r->talk && (!setup.resume || apply_options(r, err));
}

static bool prepare(struct run *r, struct sf_error *err)
{
    r->loop = sf_loop_new(err);
    if (!r->loop)
        return false;
    r->workers = sf_workers_new(r->loop, 4);
    sf_ask_init(&r->ask, r->loop, read_on_ask(r));
    if (!read_tools(r, err))
        return false;
    r->catalog = sf_app_catalog(err);
    return r->catalog && open_provider(r, err);
}

static void cleanup(struct run *r)
{
    sf_talk_close(r->talk);
    if (r->loop)
        sf_ask_release(&r->ask);
    sf_workers_free(r->workers);
    sf_provider_release(&r->provider);
    sf_catalog_free(r->catalog);
    sf_ground_release(&r->ground);
    sf_show_release(&r->show);
    sf_strlist_release(&r->allowed);
    sf_strlist_release(&r->disallowed);
    sf_loop_free(r->loop);
}

static bool run(struct run *r, struct sf_error *err)
{
    struct sf_strbuf prompt = SF_STRBUF_INIT, append = SF_STRBUF_INIT;
    struct sf_store *store = sf_app_store(r->inv->app, err);
    char id[SF_ID_LEN + 1];
    bool ok = store && find_session(r, store, id, err) &&
              read_prompt(r->inv, id[0] != '\0', &prompt, err) && prepare(r, err) &&
              read_append(r, &append, err) && open_talk(r, id, append.buf, err);

    if (ok) {
        sf_show_begin(&r->show, r->talk, r->ground.root.path, r->provider.name, id[0] != '\0');
        ok = talk_through(r, &prompt, err);
    }
    sf_strbuf_release(&prompt);
    sf_strbuf_release(&append);
    return ok;
}

static enum sf_show_format read_format(const struct sf_invocation *inv)
{
    const char *word = sf_cli_get(inv, "output-format");

    for (size_t i = 0; word && sf_show_formats[i]; i++)
        if (!strcmp(word, sf_show_formats[i]))
            return (enum sf_show_format)i;
    return SF_SHOW_TEXT;
}

int sf_cmd_exec(struct sf_invocation *inv)
{
    struct run r = { .inv = inv, .ground = { .root = SF_PLACE_ROOT_INIT } };
    struct sf_error err = SF_ERROR_INIT;
    enum sf_exit code;

    r.config = sf_app_config(inv->app, &err);
    sf_show_init(&r.show, read_format(inv), sf_cli_get(inv, "verbose") != NULL);
    if (r.config && sf_app_ground(inv->app, &r.ground, &err) && run(&r, &err))
        code = r.code;
    else
        code = (enum sf_exit)sf_print_error(
            &err, err.code == SF_E_ARG || err.code == SF_E_NOENT ? SF_EXIT_USAGE : SF_EXIT_FAILED);
    cleanup(&r);
    return (int)code;
}
