/*
 * cmd_mode.c: sf mode. Changes go the way of every surface: they are parsed by the common table,
 * judged by the machine, written as a row, and then applied.
 */
#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "modes/modes.h"
#include "session/session.h"

/* Finds the session: the one that is named, the last conversation, or the project itself. */
static bool find_session(struct sf_invocation *inv, struct sf_store *store, char id[SF_ID_LEN + 1],
                         struct sf_error *err)
{
    const char *asked = sf_cli_get(inv, "session");
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    bool ok = true;

    if (!asked) {
        if (!sf_app_open_session(inv->app, id, err))
            return false;
        if (!id[0])
            snprintf(id, SF_ID_LEN + 1, "%s", SF_SESSION_PROJECT);
        return true;
    }
    ok = sf_store_session_get(store, asked, &arena, &row, err);
    if (ok)
        snprintf(id, SF_ID_LEN + 1, "%s", row.id);
    sf_arena_release(&arena);
    return ok;
}

/* A session and the change of its axes. */
struct change {
    const struct sf_policy_context *policy;
    enum sf_approval_mode approval; /* The one that is in force. */
    struct sf_store *store;
    char session[SF_ID_LEN + 1];
    bool trusted; /* The workspace is trusted. */
    bool held;    /* A process holds the session; pending changes wait there. */
    bool runs;    /* That process is in the middle of a turn. */
    struct sf_mode_state state, pending;
};

/* Loads the state of the session; a session without one gets its starting state written down. */
static bool load_state(struct sf_invocation *inv, struct change *c, struct sf_error *err)
{
    bool found;

    if (!sf_store_mode_load(c->store, c->session, &c->state, &found, err))
        return false;
    if (found)
        return true;
    if (!sf_policy_context_state(c->policy, sf_app_config(inv->app, err), SF_SURFACE_TUI, &c->state,
                                 err))
        return false;
    c->state.surface = SF_SURFACE_HEADLESS;
    return sf_store_mode_begin(c->store, c->session, &c->state, err);
}

static void show(const struct sf_invocation *inv, const struct change *c)
{
    const struct sf_mode_state *state = &c->state;
    const struct sf_badge_facts facts = { .state = state,
                                          .pending = &c->pending,
                                          .scopes = &c->policy->scopes,
                                          .approval = sf_approval_mode_unusual(c->approval),
                                          .runs = c->runs };
    bool waits = sf_change_between(state, &c->pending) != 0;
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_json_writer w;
    struct sf_badge badge;

    if (sf_cli_get(inv, "json")) {
        sf_jw_init(&w, &out);
        sf_jw_object_begin(&w);
        sf_jw_key_str(&w, "session", c->session);
        sf_jw_key(&w, "state");
        sf_mode_state_json(state, &w);
        sf_jw_key_str(&w, "approval_mode", sf_approval_mode_names[c->approval]);
        if (waits) {
            sf_jw_key(&w, "pending");
            sf_mode_state_json(&c->pending, &w);
        }
        sf_jw_object_end(&w);
        sf_strbuf_addch(&out, '\n');
    } else {
        sf_badge_make(&badge, &facts, SF_BADGE_FULL);
        sf_badge_text(&badge, &out);
        sf_strbuf_addf(&out, "\nsession  %s\nscope    %s\ntrust    %s\n", c->session, state->scope,
                       state->trust ? "on: the fence around the workspace is lifted" : "off");
    }
    sf_print(&out);
    sf_strbuf_release(&out);
}

static bool take_kind(const struct sf_query_row *row, void *ctx)
{
    const struct sf_query_value *kind = &row->values[0];
    bool *open = ctx;

    *open = kind->len == strlen(SF_LOG_USER) && !memcmp(kind->bytes, SF_LOG_USER, kind->len);
    return false;
}

/* Reads in the log whether a turn has begun and not ended. The id is of letters and digits. */
static bool find_turn(const char *dir, const char *session, bool *open, struct sf_error *err)
{
    struct sf_query query = { .row = take_kind, .ctx = open };
    struct sf_strbuf sql = SF_STRBUF_INIT;
    bool ok;

    sf_strbuf_addf(&sql,
                   "select kind from events where session_id = '%s' and kind in ('" SF_LOG_USER
                   "', '" SF_LOG_END "') order by seq desc limit 1",
                   session);
    query.sql = sql.buf;
    ok = sf_store_query(dir, &query, err);
    sf_strbuf_release(&sql);
    return ok;
}

/* What was chosen for the session is in force while it is held; later only the strictest is. */
static bool read_approval(struct change *c, struct sf_error *err)
{
    c->approval = c->policy->approval;
    for (int mode = 0; sf_approval_mode_names[mode]; mode++) {
        bool chosen;

        if (!sf_store_approval_mode_is(c->store, c->session, sf_approval_mode_names[mode], &chosen,
                                       err))
            return false;
        if (chosen && (c->held || mode == SF_APPROVAL_NEVER))
            c->approval = (enum sf_approval_mode)mode;
    }
    return true;
}

/* Writes each due change before it is applied, row by row. */
static bool settle(struct sf_mode_machine *machine, struct sf_store *store, const char *now,
                   struct sf_error *err)
{
    const struct sf_transition *t;

    while ((t = sf_mode_machine_due(machine, now))) {
        if (!sf_store_transition_save(store, t, err))
            return false;
        sf_store_transition_tell(store, t, SF_SURFACE_HEADLESS);
        if (!sf_mode_machine_apply(machine, t->id, err))
            return false;
    }
    return true;
}

/* With `command` NULL nothing is changed: only pending changes are looked at. */
static bool submit_once(struct change *c, const struct sf_mode_command *command,
                        struct sf_error *err)
{
    struct sf_machine_setup setup = { .state = c->state,
                                      .scopes = &c->policy->scopes,
                                      .workspace_trusted = c->trusted,
                                      .elsewhere = c->held };
    char now[SF_TIME_MAX];
    struct sf_mode_request request = {
        .actor = SF_ACTOR_USER, .reason = "sf mode", .session = c->session, .time = now
    };
    struct sf_machine_receipt receipt;
    struct sf_mode_machine *machine;
    bool ok;

    sf_time_format_utc(now, sf_clock_wall_ms());
    if (!sf_store_transition_last(c->store, c->session, &setup.last_id, err))
        return false;
    machine = sf_mode_machine_new(&setup);
    ok = sf_pending_read(c->store, c->session, machine, NULL, err);
    if (ok && command) {
        request.change = command->change;
        request.when = command->when;
        ok = sf_mode_machine_submit(machine, &request, &receipt, err) &&
             settle(machine, c->store, now, err) && sf_pending_save(c->store, machine, err);
    }
    if (ok) {
        c->state = *sf_mode_machine_state(machine);
        c->pending = sf_mode_machine_preview(machine);
    }
    sf_mode_machine_free(machine);
    return ok;
}

/* If another process changed the state first, the change is judged again on the new state. */
static bool submit(struct change *c, const struct sf_mode_command *command, struct sf_error *err)
{
    enum { TRIES = 100 };
    bool found;

    for (int i = 0; i < TRIES; i++) {
        if (submit_once(c, command, err))
            return true;
        if (err->code != SF_E_BUSY ||
            !sf_store_mode_load(c->store, c->session, &c->state, &found, err))
            return false;
    }
    return false;
}

/* "build" is short for "/mode build". */
static bool parse(const char *typed, const struct sf_policy_context *policy,
                  struct sf_mode_command *command, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok;

    sf_strbuf_addf(&text, "%s%s", *typed == '/' ? "" : "/mode ", typed);
    ok = sf_mode_command_parse(text.buf, text.len, &policy->scopes, command, err);
    if (ok && command->kind == SF_COMMAND_WORDS)
        ok = sf_fail(err, SF_E_ARG,
                     "words are for a running session; sf mode changes only the axes");
    command->words = NULL;
    sf_strbuf_release(&text);
    return ok;
}

static bool run(struct sf_invocation *inv, const struct sf_policy_context *policy,
                struct sf_error *err)
{
    struct change c = { .policy = policy, .store = sf_app_store(inv->app, err) };
    const char *dir = c.store ? sf_app_state_dir(inv->app, err) : NULL;
    struct sf_mode_command command = { .kind = SF_COMMAND_SHOW };

    if (!dir || !find_session(inv, c.store, c.session, err) || !load_state(inv, &c, err))
        return false;
    c.held = sf_session_lock_is_held(dir, c.session);
    if ((c.held && !find_turn(dir, c.session, &c.runs, err)) || !read_approval(&c, err))
        return false;
    c.trusted = policy->trusted;
    if (inv->arg_count && !parse(inv->args[0], policy, &command, err))
        return false;
    if (!submit(&c, command.kind == SF_COMMAND_SHOW ? NULL : &command, err))
        return false;
    show(inv, &c);
    return true;
}

int sf_cmd_mode(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_policy_context policy;
    bool ok;

    if (!sf_app_policy(inv->app, &policy, &err))
        return sf_print_error(&err, SF_EXIT_USAGE);
    ok = run(inv, &policy, &err);
    sf_policy_context_release(&policy);
    if (ok)
        return SF_EXIT_DONE;
    return sf_print_error(&err, err.code == SF_E_ARG || err.code == SF_E_NOENT ? SF_EXIT_USAGE
                                                                               : SF_EXIT_FAILED);
}
