/*
 * talk.c: opening a session, new or again, and what surfaces call. What an old one needs of its
 * log is read by load.c.
 */
#include <inttypes.h>

#include "base/base.h"
#include "session/internal.h"
#include "session/title.h"
#include "session/waiting.h"

/* ---- what the machine asks of us ---- */

static bool is_parallel(void *ctx, const char *name)
{
    const struct sf_tool *tool = sf_tool_find(name);

    (void)ctx;
    return tool && tool->parallel;
}

static int64_t cost_of(void *ctx, const struct sf_usage *usage)
{
    const struct sf_talk *t = ctx;
    int64_t cost = t->row ? sf_model_cost(t->row, usage) : -1;
    bool free_of_charge = t->setup.provider->kind != SF_PROVIDER_HTTP || t->setup.provider->local;

    return cost < 0 && free_of_charge ? 0 : cost;
}

/* ---- opening ---- */

static bool create_row(struct sf_talk *t, const char *parent, struct sf_error *err)
{
    const struct sf_session_new row = { .project = t->setup.workspace->project,
                                        .surface = sf_axis_name(SF_AXIS_SURFACE,
                                                                (int)t->setup.state.surface),
                                        .provider = t->setup.provider->name,
                                        .parent_id = parent,
                                        .agent = parent != NULL };

    return sf_store_session_create(t->setup.store, &row, t->id, err) &&
           sf_store_mode_begin(t->setup.store, t->id, &t->setup.state, err);
}

static void tell_notices(void *ctx)
{
    struct sf_talk *t = ctx;

    t->notice_timer = 0;
    while (t->notices.count) {
        struct sf_told told = { .kind = SF_TOLD_NOTICE,
                                .text = t->notices.items[0],
                                .len = strlen(t->notices.items[0]) };

        sf_talk_tell(t, &told);
        sf_strlist_remove(&t->notices, 0);
    }
}

/* Not while it is opened: the surface clears its place for the session when it has it. */
void sf_talk_note(struct sf_talk *t, const char *text)
{
    if (t->depth) /* a sub-agent's are those of the session it works for */
        return;
    sf_strlist_add(&t->notices, text);
    if (!t->notice_timer)
        t->notice_timer = sf_loop_add_timer(t->setup.loop, 0, 0, tell_notices, t);
}

/* Somebody else answers than before; which service hears what was said is worth a line. */
static void note_service(struct sf_talk *t, const char *before)
{
    const char *now = t->setup.provider->name;
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!*before || !strcmp(before, now))
        return;
    sf_strbuf_addf(&text, "this session talked with %s so far, and goes on with %s", before, now);
    sf_talk_note(t, text.buf);
    sf_strbuf_release(&text);
}

bool sf_talk_find(struct sf_talk *t, struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    enum sf_surface surface = t->setup.state.surface;
    struct sf_session_row row;
    bool found = false, ok;

    ok =
        sf_store_session_get(t->setup.store, t->id[0] ? t->id : t->setup.resume, &arena, &row, err);
    if (ok) {
        ok = strcmp(row.id, SF_SESSION_PROJECT) != 0 ||
             sf_fail(err, SF_E_NOENT, "%s is no conversation", row.id);
    }
    if (ok) {
        snprintf(t->id, sizeof(t->id), "%s", row.id);
        t->titled = *row.title != '\0';
        if (!t->machine && !row.blank) /* else the one who held it is gone */
            note_service(t, row.provider);
        ok = sf_store_mode_load(t->setup.store, t->id, &t->setup.state, &found, err);
    }
    t->setup.state.surface = surface;
    if (ok && !found)
        ok = sf_store_mode_begin(t->setup.store, t->id, &t->setup.state, err);
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

/* Its end is kept, and what it wrote outside the scope is looked at. */
static void job_ended(void *ctx, int64_t id)
{
    sf_keepsake_jobs(ctx, false);
    sf_fence_job_ended(ctx, id);
}

static void make_parts(struct sf_talk *t)
{
    const struct sf_agent_setup agent = { .budget = t->setup.budget,
                                          .by_rule = t->setup.provider->kind == SF_PROVIDER_OFFLINE,
                                          .parallel = is_parallel,
                                          .cost = cost_of,
                                          .standing = sf_standing_add,
                                          .ctx = t };
    const struct sf_config_value *proxy = sf_config_find(t->setup.config, "network.proxy");
    const struct sf_config_value *ca = sf_config_find(t->setup.config, "network.ca_file");
    const struct sf_client_setup client = { .loop = t->setup.loop,
                                            .provider = t->setup.provider,
                                            .limits = read_limits(t->setup.config),
                                            .proxy = proxy ? proxy->text : NULL,
                                            .ca_file = ca ? ca->text : NULL };
    char *spill = sf_path_join(t->setup.state_dir, "spill"), *dir;
    struct sf_toolbox_setup box = { .loop = t->setup.loop,
                                    .workers = t->setup.workers,
                                    .root = &t->setup.ground->root,
                                    .places = &t->setup.ground->places,
                                    .child_env = sf_confine_env(t->confine),
                                    .cage = &t->cage,
                                    .proxy = client.proxy,
                                    .ca_file = client.ca_file,
                                    .job_ended = job_ended,
                                    .ctx = t };

    sf_work_cage(t);
    dir = sf_path_join(spill, t->id);
    box.spill_dir = dir;
    t->agent = sf_agent_new(&agent);
    t->client = sf_client_new(&client);
    t->box = sf_toolbox_new(&box);
    sf_ground_set_spill(t->setup.ground, spill);
    free(dir);
    free(spill);
}

static bool make_machine(struct sf_talk *t, struct sf_error *err)
{
    struct sf_machine_setup setup = { .state = t->setup.state,
                                      .scopes = &t->setup.ground->scopes,
                                      .workspace_trusted = t->setup.workspace_trusted,
                                      .elsewhere = t->watch != NULL };

    if (!sf_store_transition_last(t->setup.store, t->id, &setup.last_id, err))
        return false;
    t->machine = sf_mode_machine_new(&setup);
    t->last_transition = setup.last_id;
    return sf_waiting_read(t->setup.store, t->id, t->machine, NULL, err);
}

static struct sf_talk *open_talk(const struct sf_talk_setup *setup, const struct sf_work *parent,
                                 struct sf_error *err)
{
    struct sf_talk *t = sf_alloc(sizeof(*t));
    bool ok;

    t->setup = *setup;
    t->lock = (struct sf_lock)SF_LOCK_INIT;
    t->model_asked = setup->model && *setup->model ? sf_strdup(setup->model) : NULL;
    t->provider_asked = sf_keepsake_names(setup);
    t->model_news = setup->model_named || t->provider_asked;
    t->append = setup->append ? sf_strdup(setup->append) : NULL;
    t->faces_profile = -1;
    t->faces_arena = (struct sf_arena)SF_ARENA_INIT;
    t->briefing = sf_briefing_new();
    sf_strbuf_init(&t->fresh);
    sf_strbuf_init(&t->shown);
    sf_strbuf_init(&t->news);
    for (size_t i = 0; i < SF_COUNT(t->works); i++)
        t->works[i].talk = t;
    if (parent) {
        t->depth = parent->talk->depth + 1;
        t->keep = parent->talk->keep;
        t->parent_call = sf_strdup(parent->id);
    }
    ok =
        setup->resume ? sf_talk_find(t, err) : create_row(t, parent ? parent->talk->id : NULL, err);
    if (ok)
        t->confine = sf_confine_new(setup->ground, setup->config, setup->workspace, err);
    ok = ok && t->confine;
    if (ok)
        make_parts(t);
    ok = ok && sf_talk_hold(t, err) && make_machine(t, err) &&
         (!setup->resume || sf_load_begin(t, err));
    ok = ok && (parent || sf_goal_load(setup->store, t->id, &t->goal, err));
    ok = ok && (t->watch || sf_talk_enter(t, err));
    if (!ok) {
        sf_talk_close(t);
        return NULL;
    }
    sf_keepsake_named(t);
    sf_line_choose(t, "");
    sf_briefing_make(t);
    return t;
}

struct sf_talk *sf_talk_open(const struct sf_talk_setup *setup, struct sf_error *err)
{
    return open_talk(setup, NULL, err);
}

struct sf_talk *sf_talk_open_child(struct sf_work *work, const struct sf_talk_setup *setup,
                                   struct sf_error *err)
{
    return open_talk(setup, work, err);
}

/* What runs works with what is about to go: it is ended and awaited, and nobody hears of it. */
static void end_calls(struct sf_talk *t)
{
    sf_told_fn *told = t->setup.told;

    t->setup.told = NULL;
    for (size_t i = 0; i < SF_COUNT(t->works); i++)
        if (t->works[i].state == SF_WORK_RUNNING && !t->works[i].child)
            sf_work_stop(&t->works[i]);
    while (t->box && sf_toolbox_busy(t->box))
        sf_loop_turn(t->setup.loop, -1);
    t->setup.told = told;
}

void sf_talk_close(struct sf_talk *t)
{
    if (!t)
        return;
    sf_loop_remove(t->setup.loop, t->flush_timer);
    sf_loop_remove(t->setup.loop, t->time_timer);
    sf_loop_remove(t->setup.loop, t->close_timer);
    sf_loop_remove(t->setup.loop, t->axes_timer);
    sf_loop_remove(t->setup.loop, t->notice_timer);
    sf_notice_free(t->axes);
    sf_load_drop(t);
    sf_keepsake_jobs(t, true);
    t->dead = true; /* what comes back from here on is not gone on with */
    sf_watch_free(t->watch);
    sf_custom_drop(t);
    sf_talk_close(t->closing);
    for (size_t i = 0; i < SF_COUNT(t->works); i++)
        sf_talk_close(t->works[i].child);
    end_calls(t);
    if (t->box)
        sf_toolbox_end_jobs(t->box); /* what they wrote is still looked at */
    if (!t->depth)
        sf_keep_free(t->keep);
    sf_client_free(t->client);
    sf_toolbox_free(t->box);
    sf_work_drop(t);
    sf_confine_free(t->confine);
    for (size_t i = 0; i < t->queue_count; i++) {
        sf_block_release(&t->queue[i].result);
        free(t->queue[i].detail);
    }
    free(t->queue);
    sf_agent_free(t->agent);
    sf_mode_machine_free(t->machine);
    sf_lock_drop(&t->lock);
    sf_arena_release(&t->faces_arena);
    sf_strbuf_release(&t->fresh);
    sf_strbuf_release(&t->shown);
    sf_strbuf_release(&t->news);
    sf_strlist_release(&t->pins);
    sf_strlist_release(&t->notices);
    sf_briefing_free(t->briefing);
    free(t->model_asked);
    free(t->wished_model);
    sf_strlist_release(&t->wished_tools);
    free(t->append);
    free(t->cwd);
    free(t->jobs_kept);
    free(t->parent_call);
    free(t->system);
    free(t->model);
    free(t);
}

/* ---- asking about it ---- */

const char *sf_talk_id(const struct sf_talk *t)
{
    return t->id;
}

const struct sf_mode_state *sf_talk_state(const struct sf_talk *t)
{
    return sf_mode_machine_state(t->machine);
}

const char *sf_talk_model(const struct sf_talk *t)
{
    return t->model;
}

const struct sf_budget *sf_talk_budget(const struct sf_talk *t)
{
    return sf_agent_budget(t->agent);
}

bool sf_talk_busy(const struct sf_talk *t)
{
    return !t->dead && sf_agent_phase(t->agent) != SF_PHASE_IDLE;
}

const struct sf_history *sf_talk_history(const struct sf_talk *t)
{
    return sf_agent_history(t->agent);
}

bool sf_talk_is_blank(const struct sf_talk *t)
{
    return !t->load && !sf_agent_history(t->agent)->count;
}

struct sf_mode_state sf_talk_preview(const struct sf_talk *t)
{
    return sf_mode_machine_preview(t->machine);
}

void sf_talk_context(const struct sf_talk *t, int64_t *used, int64_t *window)
{
    *used = sf_load_context(t);
    *window = t->row->window;
}

void sf_talk_each_job(const struct sf_talk *t, sf_job_view_fn *fn, void *ctx)
{
    sf_toolbox_each_job(t->box, fn, ctx);
}

bool sf_talk_end_job(struct sf_talk *t, int64_t id)
{
    return sf_toolbox_end_job(t->box, id);
}

void sf_talk_cage(const struct sf_talk *t, struct sf_strbuf *out)
{
    bool trusted = sf_mode_machine_state(t->machine)->trust;
    struct sf_cage_strength strength = sf_confine_strength(t->confine, NULL, trusted);

    sf_cage_strength_add(out, &strength);
}

/* ---- talking ---- */

static void time_up(void *ctx)
{
    struct sf_talk *t = ctx;
    struct sf_input in = { .kind = SF_IN_TIME };

    t->time_timer = 0;
    sf_talk_feed(t, &in);
}

static void watch_time(struct sf_talk *t)
{
    const struct sf_budget *b = sf_agent_budget(t->agent);
    int64_t left = b->limit[SF_BUDGET_TIME] - b->spent[SF_BUDGET_TIME];

    if (b->limit[SF_BUDGET_TIME] > 0 && !t->time_timer)
        t->time_timer = sf_loop_add_timer(t->setup.loop, left > 0 ? left + 1 : 1, 0, time_up, t);
}

/* The first line of the first request, short. */
static bool set_title(struct sf_talk *t, const char *text, size_t len, struct sf_error *err)
{
    struct sf_strbuf title = SF_STRBUF_INIT;
    const char *end = memchr(text, '\n', len);
    bool ok;

    sf_title_make(&title, text, end ? (size_t)(end - text) : len);
    ok = t->titled || sf_store_session_update(t->setup.store, t->id, title.buf, NULL, NULL, err);
    t->titled = true;
    sf_strbuf_release(&title);
    return ok;
}

/* What an earlier turn wished for is over with it. */
static void take_wish(struct sf_talk *t, const struct sf_wish *wish)
{
    free(t->wished_model);
    t->wished_model = wish && wish->model ? sf_strdup(wish->model) : NULL;
    sf_strlist_release(&t->wished_tools);
    t->narrowed = wish && wish->tools;
    for (size_t i = 0; t->narrowed && i < wish->tools->count; i++)
        sf_strlist_add(&t->wished_tools, wish->tools->items[i]);
}

/* A cost limit that somebody set and nobody can count is told before anything is spent. */
static bool choose_model(struct sf_talk *t, const char *words, const struct sf_wish *wish,
                         struct sf_error *err)
{
    const struct sf_usage some = { .input = 1, .output = 1 };

    take_wish(t, wish);
    sf_line_choose(t, words);
    if (sf_config_find(t->setup.config, "limits.max_cost")->origin.layer == SF_LAYER_BUILTIN ||
        cost_of(t, &some) >= 0)
        return true;
    sf_fail(err, SF_E_ARG, "what %s costs is not known, so the cost limit cannot be held",
            t->model);
    return sf_hint(err, "limit tokens instead (--max-tokens), or give its prices in models.toml");
}

bool sf_talk_send(struct sf_talk *t, const char *text, size_t len, struct sf_error *err)
{
    if (t->custom)
        return sf_fail(err, SF_E_BUSY, "a command of yours is running: say it again in a moment");
    return sf_talk_say(t, text, len, NULL, err);
}

bool sf_talk_say(struct sf_talk *t, const char *text, size_t len, const struct sf_wish *wish,
                 struct sf_error *err)
{
    struct sf_message message = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_input in = { .kind = SF_IN_USER, .message = &message };
    struct sf_strbuf clean = SF_STRBUF_INIT, restored = SF_STRBUF_INIT;
    bool ok = true;

    if (!sf_talk_can(t, err))
        return false;
    if (!len)
        return sf_fail(err, SF_E_ARG, "there is nothing to say");
    if (sf_talk_sums_up(t))
        return sf_fail(err, SF_E_BUSY, "a summary is being made: say it again in a moment");
    if (!sf_load_all(t, err))
        return false;
    sf_utf8_scrub(&clean, text, len);
    for (char *nul = clean.buf; (nul = memchr(nul, 0, clean.len - (size_t)(nul - clean.buf)));)
        *nul = ' ';
    if (sf_talk_busy(t)) {
        in = (struct sf_input){ .kind = SF_IN_STEER, .text = clean.buf, .len = clean.len };
        sf_talk_feed(t, &in);
    } else if ((ok = choose_model(t, clean.buf, wish, err) &&
                     set_title(t, clean.buf, clean.len, err) && sf_goal_refresh(t, err) &&
                     sf_briefing_keep(t, err) && sf_restored_find(t, &restored, err))) {
        if (!t->custom) /* on the way here something may have been refused */
            t->refusal = (struct sf_refusal){ 0 };
        if (!t->depth)
            sf_keep_turn(t->keep, clean.buf);
        sf_message_add_text(&message, clean.buf, clean.len);
        if (wish && wish->more_len)
            sf_message_add_text(&message, wish->more, wish->more_len);
        if (t->shown.len)
            sf_message_add_text(&message, t->shown.buf, t->shown.len);
        sf_strbuf_reset(&t->shown);
        sf_fence_speak(t, &message);
        if (restored.len)
            sf_message_add_text(&message, restored.buf, restored.len);
        sf_standing_close(t, &message);
        if (sf_agent_history(t->agent)->count)
            sf_standing_weigh(t);
        sf_talk_notify(t, SF_EVENT_TURN_STARTED);
        sf_talk_notify(t, SF_EVENT_UNIT_STARTED);
        watch_time(t);
        sf_talk_feed(t, &in);
    }
    sf_message_release(&message);
    sf_strbuf_release(&clean);
    sf_strbuf_release(&restored);
    return ok;
}

void sf_talk_cancel(struct sf_talk *t)
{
    struct sf_input in = { .kind = SF_IN_CANCEL };

    sf_custom_cancel(t);
    sf_work_stop(&t->works[SF_WORK_USER]);
    sf_talk_feed(t, &in);
}

/* What the user wants now does not wait for calls that can be ended; the turn goes on. */
static void stop_calls(struct sf_talk *t)
{
    for (size_t i = 0; i < SF_AGENT_CALLS_MAX; i++)
        if (t->works[i].state == SF_WORK_RUNNING && t->works[i].counted)
            sf_work_stop(&t->works[i]);
}

bool sf_talk_change(struct sf_talk *t, const struct sf_mode_change *change, enum sf_when when,
                    const char *reason, struct sf_confirm *confirm, struct sf_error *err)
{
    char now[SF_TIME_MAX];
    struct sf_mode_request request = { .change = *change,
                                       .when = when,
                                       .actor = SF_ACTOR_USER,
                                       .confirmed = confirm && confirm->given,
                                       .reason = reason,
                                       .session = t->id,
                                       .time = now };
    struct sf_machine_receipt receipt = { .id = 0 };
    bool ok;

    sf_time_format_utc(now, sf_clock_wall_ms());
    if (!sf_talk_refresh(t, err))
        return false;
    ok = sf_mode_machine_submit(t->machine, &request, &receipt, err);
    if (confirm)
        confirm->needed = !ok && receipt.confirm;
    if (!ok || !sf_talk_settle(t, err))
        return false;
    if (receipt.abort)
        stop_calls(t);
    return true;
}

void sf_talk_set_model(struct sf_talk *t, const char *model)
{
    free(t->model_asked);
    t->model_asked = model && *model ? sf_strdup(model) : NULL;
    sf_keepsake_model(t);
    if (!sf_talk_busy(t)) { /* a running turn keeps the model it began with */
        take_wish(t, NULL);
        sf_line_choose(t, "");
    }
}
