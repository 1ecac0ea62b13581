/*
 * session.c: opens a session, new or resumed, and has the simple functions that surfaces call. load.c
 * reads the log of a resumed session; closing.c closes it.
 */
#include <inttypes.h>

#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

/* ---- opening ---- */

static bool create_row(struct sf_session *s, const char *parent, struct sf_error *err)
{
    const struct sf_session_new row = { .project = s->setup.workspace->project,
                                        .surface = sf_axis_name(SF_AXIS_SURFACE,
                                                                (int)s->setup.state.surface),
                                        .provider = s->setup.provider->name,
                                        .parent_id = parent,
                                        .agent = parent != NULL };

    return sf_store_session_create(s->setup.store, &row, s->id, err) &&
           sf_store_mode_begin(s->setup.store, s->id, &s->setup.state, err);
}

static void tell_notices(void *ctx)
{
    struct sf_session *s = ctx;

    s->outbox.notice_timer = 0;
    while (s->outbox.notices.count) {
        struct sf_event event =
            sf_event_of_notice(s->outbox.notices.items[0], strlen(s->outbox.notices.items[0]));

        sf_session_tell(s, &event);
        sf_strlist_remove(&s->outbox.notices, 0);
    }
}

/* Not while the session is being opened: the surface clears its state when it gets the session. */
void sf_session_note(struct sf_session *s, const char *text)
{
    if (s->depth) /* the session that started the sub-agent sends the same notices */
        return;
    sf_strlist_add(&s->outbox.notices, text);
    if (!s->outbox.notice_timer)
        s->outbox.notice_timer = sf_loop_add_timer(s->setup.loop, 0, 0, tell_notices, s);
}

/* Another provider answers from now on; the user should know which service gets the history. */
static void note_service(struct sf_session *s, const char *before)
{
    const char *now = s->setup.provider->name;
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!*before || !strcmp(before, now))
        return;
    sf_strbuf_addf(&text, "this session used %s so far and continues with %s", before, now);
    sf_session_note(s, text.buf);
    sf_strbuf_release(&text);
}

bool sf_session_find(struct sf_session *s, struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    enum sf_surface surface = s->setup.state.surface;
    struct sf_session_row row;
    bool found = false, ok;

    ok =
        sf_store_session_get(s->setup.store, s->id[0] ? s->id : s->setup.resume, &arena, &row, err);
    if (ok) {
        ok = strcmp(row.id, SF_SESSION_PROJECT) != 0 ||
             sf_fail(err, SF_E_NOENT, "%s is not a conversation", row.id);
    }
    if (ok) {
        snprintf(s->id, sizeof(s->id), "%s", row.id);
        s->titled = *row.title != '\0';
        if (!s->axes.machine && !row.blank) /* with a machine, a watcher is taking over */
            note_service(s, row.provider);
        ok = sf_store_mode_load(s->setup.store, s->id, &s->setup.state, &found, err);
    }
    s->setup.state.surface = surface;
    if (ok && !found)
        ok = sf_store_mode_begin(s->setup.store, s->id, &s->setup.state, err);
    sf_arena_release(&arena);
    return ok;
}

/* Zero would mean the client's own default, so the least is a millisecond. */
static int64_t setting_ms(struct sf_config *config, const char *key)
{
    double ms = sf_config_find(config, key)->number * 1000;

    return ms < 1 ? 1 : (int64_t)ms;
}

static struct sf_client_limits read_limits(struct sf_config *config)
{
    return (struct sf_client_limits){
        .connect_ms = setting_ms(config, "network.connect_timeout"),
        .first_byte_ms = setting_ms(config, "network.first_byte_timeout"),
        .silence_ms = setting_ms(config, "network.silence_timeout"),
        .total_ms = setting_ms(config, "network.answer_timeout"),
        .tries = (int)sf_config_int(config, "network.retries") + 1,
        .wait_first_ms = setting_ms(config, "network.retry_wait"),
        .wait_max_ms = setting_ms(config, "network.retry_wait_max"),
    };
}

static void tell_job(struct sf_session *s, int64_t id)
{
    if (s->setup.job && !s->opening)
        s->setup.job(s->setup.ctx, id);
}

static void job_wrote(void *ctx, int64_t id)
{
    tell_job(ctx, id);
}

/* Logs the end of the background job and audits what it wrote outside the scope. */
static void job_ended(void *ctx, int64_t id)
{
    sf_side_state_jobs(ctx, false);
    sf_scope_audit_job_ended(ctx, id);
    tell_job(ctx, id);
}

static void make_parts(struct sf_session *s)
{
    const struct sf_agent_setup agent = { .budget = s->setup.budget,
                                          .by_rule = s->setup.provider->kind == SF_PROVIDER_OFFLINE,
                                          .stand = s->setup.below,
                                          .parallel = sf_session_is_parallel,
                                          .cost = sf_session_cost,
                                          .standing = sf_turn_meta_add,
                                          .ctx = s };
    const struct sf_config_value *proxy = sf_config_find(s->setup.config, "network.proxy");
    const struct sf_config_value *ca = sf_config_find(s->setup.config, "network.ca_file");
    const struct sf_client_setup client = { .loop = s->setup.loop,
                                            .provider = s->setup.provider,
                                            .limits = read_limits(s->setup.config),
                                            .proxy = proxy ? proxy->text : NULL,
                                            .ca_file = ca ? ca->text : NULL,
                                            .recording = s->setup.recording };
    char *spill = sf_path_join(s->setup.state_dir, "spill"), *dir;
    struct sf_toolbox_setup box = { .loop = s->setup.loop,
                                    .workers = s->setup.workers,
                                    .root = &s->setup.policy->root,
                                    .places = &s->setup.policy->places,
                                    .stand = s->setup.below,
                                    .child_env = sf_confine_env(s->confine),
                                    .cage = &s->cage,
                                    .proxy = client.proxy,
                                    .ca_file = client.ca_file,
                                    .by_name = sf_session_is_taped(s),
                                    .job_ended = job_ended,
                                    .job_wrote = job_wrote,
                                    .ctx = s };

    sf_call_cage(s);
    dir = sf_path_join(spill, s->id);
    box.spill_dir = dir;
    s->agent = sf_agent_new(&agent);
    s->link.client = sf_client_new(&client);
    s->box = sf_toolbox_new(&box);
    sf_policy_context_set_spill(s->setup.policy, spill);
    free(dir);
    free(spill);
}

static bool make_machine(struct sf_session *s, struct sf_error *err)
{
    struct sf_machine_setup setup = { .state = s->setup.state,
                                      .scopes = &s->setup.policy->scopes,
                                      .workspace_trusted = s->setup.workspace_trusted,
                                      .elsewhere = s->watch != NULL };

    if (!sf_store_transition_last(s->setup.store, s->id, &setup.last_id, err))
        return false;
    s->axes.machine = sf_mode_machine_new(&setup);
    s->axes.last_transition = setup.last_id;
    return sf_pending_read(s->setup.store, s->id, s->axes.machine, NULL, err);
}

/* An empty list withholds nothing; NULL spares the registry a lookup. */
static const struct sf_strlist *given(const struct sf_strlist *list)
{
    return list && list->count ? list : NULL;
}

static bool add_dirs(struct sf_session *s, struct sf_error *err)
{
    const struct sf_strlist *dirs = s->setup.dirs;

    for (size_t i = 0; dirs && i < dirs->count; i++)
        if (!sf_session_add_dir(s, dirs->items[i], err))
            return false;
    return true;
}

static struct sf_session *open_session(const struct sf_session_setup *setup,
                                       const struct sf_call *parent, struct sf_error *err)
{
    struct sf_session *s = sf_alloc(sizeof(*s));
    bool ok;

    s->setup = *setup;
    s->opening = true;
    s->lock = (struct sf_lock)SF_LOCK_INIT;
    s->link.asked = setup->model && *setup->model ? sf_strdup(setup->model) : NULL;
    s->link.provider_asked = sf_side_state_names(setup);
    s->link.news = setup->model_named || s->link.provider_asked;
    s->prompt.append = setup->append ? sf_strdup(setup->append) : NULL;
    s->prompt.role = setup->role ? sf_strdup(setup->role) : NULL;
    s->link.schemas_profile = -1;
    s->link.schemas_arena = (struct sf_arena)SF_ARENA_INIT;
    s->prompt.briefing = sf_briefing_new();
    sf_strbuf_init(&s->outbox.text);
    sf_strbuf_init(&s->typed.shown);
    sf_strbuf_init(&s->news);
    for (size_t i = 0; i < SF_COUNT(s->calls); i++)
        s->calls[i].session = s;
    if (parent) {
        s->depth = parent->session->depth + 1;
        s->snapshots = parent->session->snapshots;
        s->parent_call = sf_strdup(parent->id);
    }
    sf_toolset_init(&s->tools, false, s->depth);
    s->registry = (struct sf_registry){ .allow_shell = setup->policy->allow_shell,
                                        .session = setup->allowed,
                                        .withheld = given(setup->disallowed) };
    ok = setup->resume ? sf_session_find(s, err)
                       : create_row(s, parent ? parent->session->id : NULL, err);
    if (ok)
        s->confine = sf_confine_new(setup->policy, setup->config, setup->workspace, err);
    ok = ok && s->confine;
    if (ok)
        make_parts(s);
    ok = ok && sf_session_lock(s, err) && make_machine(s, err) &&
         (!setup->resume || sf_load_begin(s, err));
    ok = ok && (parent || sf_goal_load(setup->store, s->id, &s->goal.now, err));
    ok = ok && (s->watch || sf_session_acquire(s, err)) && (s->watch || add_dirs(s, err));
    if (!ok) {
        sf_session_close(s);
        return NULL;
    }
    sf_side_state_named(s);
    sf_model_link_choose(s, "");
    sf_briefing_make(s);
    s->opening = false;
    return s;
}

struct sf_session *sf_session_open(const struct sf_session_setup *setup, struct sf_error *err)
{
    return open_session(setup, NULL, err);
}

struct sf_session *sf_session_open_child(struct sf_call *call, const struct sf_session_setup *setup,
                                         struct sf_error *err)
{
    return open_session(setup, call, err);
}

/* ---- queries ---- */

const char *sf_session_id(const struct sf_session *s)
{
    return s->id;
}

const struct sf_mode_state *sf_session_state(const struct sf_session *s)
{
    return sf_mode_machine_state(s->axes.machine);
}

const char *sf_session_model(const struct sf_session *s)
{
    return s->link.model;
}

const struct sf_budget *sf_session_budget(const struct sf_session *s)
{
    return sf_agent_budget(s->agent);
}

const struct sf_restore_job *sf_session_restoring(const struct sf_session *s)
{
    return s->restore ? s->restore->job : NULL;
}

bool sf_session_busy(const struct sf_session *s)
{
    return !s->dead && sf_agent_phase(s->agent) != SF_PHASE_IDLE;
}

const struct sf_history *sf_session_history(const struct sf_session *s)
{
    return sf_agent_history(s->agent);
}

bool sf_session_is_blank(const struct sf_session *s)
{
    return !s->load && !sf_agent_history(s->agent)->count;
}

struct sf_mode_state sf_session_preview(const struct sf_session *s)
{
    return sf_mode_machine_preview(s->axes.machine);
}

void sf_session_context(const struct sf_session *s, int64_t *used, int64_t *window)
{
    *used = sf_load_context(s);
    *window = s->link.row->window;
}

void sf_session_each_job(const struct sf_session *s, sf_job_view_fn *fn, void *ctx)
{
    sf_toolbox_each_job(s->box, fn, ctx);
}

bool sf_session_job_output(const struct sf_session *s, int64_t id, struct sf_strbuf *about,
                           struct sf_strbuf *output, struct sf_error *err)
{
    return sf_toolbox_job_output(s->box, id, about, output, err);
}

bool sf_session_end_job(struct sf_session *s, int64_t id)
{
    return sf_toolbox_end_job(s->box, id);
}

void sf_session_cage(const struct sf_session *s, struct sf_strbuf *out)
{
    bool trusted = sf_mode_machine_state(s->axes.machine)->trust;
    struct sf_cage_coverage coverage = sf_confine_coverage(s->confine, NULL, trusted);

    sf_cage_coverage_add(out, &coverage);
}

/* ---- talking ---- */

void sf_session_cancel(struct sf_session *s)
{
    struct sf_input in = { .kind = SF_IN_CANCEL };

    sf_restore_cancel(s);
    sf_custom_cancel(s);
    sf_review_cancel(s);
    sf_call_stop(&s->calls[SF_CALL_USER]);
    sf_session_feed(s, &in);
}

void sf_session_set_model(struct sf_session *s, const char *model)
{
    free(s->link.asked);
    s->link.asked = model && *model ? sf_strdup(model) : NULL;
    sf_side_state_model(s);
    if (!sf_session_busy(s)) { /* a running turn keeps the model it began with */
        sf_turn_take_wish(s, NULL);
        sf_model_link_choose(s, "");
    }
}
