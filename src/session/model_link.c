/*
 * model_link.c: the link to the model: which model answers a turn, what a request contains, and how
 * the response reaches the agent.
 */
#include "base/base.h"
#include "session/internal.h"

/* ---- which model ---- */

static const char *const hard_words[] = { "why",      "design",   "architecture", "refactor",
                                          "race",     "deadlock", "security",     "prove",
                                          "optimise", "optimize", "migrate",      "debug" };

static bool mentions(const char *words, const char *word)
{
    return strcasestr(words, word) != NULL;
}

/* `auto` chooses by the prompt and the work mode; the user sees which model was chosen. */
static enum sf_model_mode route(const struct sf_mode_state *state, const char *words)
{
    size_t len = strlen(words);
    bool hard = len > 2000;

    for (size_t i = 0; i < SF_COUNT(hard_words); i++)
        hard = hard || mentions(words, hard_words[i]);
    return sf_work_model(state->work, hard        ? SF_MODEL_DEEP
                                      : len < 160 ? SF_MODEL_FAST
                                                  : SF_MODEL_SMART);
}

/* The provider's model for the mode, else its model for the highest mode that has one. */
static const char *tier(const struct sf_provider *p, enum sf_model_mode mode)
{
    if (p->tiers[mode])
        return p->tiers[mode];
    for (int i = 2; i >= 0; i--)
        if (p->tiers[i])
            return p->tiers[i];
    return p->name;
}

/* Whose models these are; a recording has the window and the prices of who answered in it. */
static const char *answers(const struct sf_provider *p)
{
    return p->plays ? p->plays : p->name;
}

/* models.NAME.window is stronger than the data file, which may not know the server at all. */
static const struct sf_model_row *row_of(struct sf_session *s, const char *name)
{
    const char *provider = answers(s->setup.provider);
    struct sf_strbuf key = SF_STRBUF_INIT;
    const struct sf_config_value *window;

    sf_strbuf_addf(&key, "models.%s.window", provider);
    window = sf_config_find(s->setup.config, key.buf);
    sf_strbuf_release(&key);
    s->link.own = *sf_catalog_model(s->setup.catalog, provider, name);
    if (window && window->integer > 0) {
        s->link.own.window = window->integer;
        if (s->link.own.max_output > s->link.own.window / 2)
            s->link.own.max_output = s->link.own.window / 2; /* the rest is for the question */
    }
    return &s->link.own;
}

static void use_model(struct sf_session *s, const char *name)
{
    struct sf_error ignored = SF_ERROR_INIT;
    bool stored;

    if (s->link.model && !strcmp(s->link.model, name))
        return;
    free(s->link.model);
    s->link.model = sf_strdup(name);
    s->link.row = row_of(s, name);
    sf_agent_set_window(s->agent, s->link.row->window, s->link.row->max_output);
    stored = s->watch || sf_store_session_update(s->setup.store, s->id, NULL,
                                                 s->setup.provider->name, name, &ignored);
    (void)stored; /* only a label in lists; each usage row names its model */
}

void sf_model_link_choose(struct sf_session *s, const char *words)
{
    const struct sf_mode_state *state = sf_mode_machine_state(s->axes.machine);
    bool automatic = s->link.asked && !strcmp(s->link.asked, "auto");
    enum sf_model_mode mode = automatic ? route(state, words) : state->model;
    const char *name = s->link.asked && !automatic ? s->link.asked : tier(s->setup.provider, mode);

    if (s->link.wished) {
        name = s->link.wished;
        automatic = false;
    }
    s->link.routed = automatic;
    s->link.mode = mode;
    s->link.fell = false;
    use_model(s, name);
}

/* ---- what is sent ---- */

static void add_schema(struct sf_session *s, const struct sf_tool *tool)
{
    struct sf_strbuf schema = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_jw_init(&w, &schema);
    sf_args_schema(tool->args, tool->arg_count, &w);
    s->link.schemas[s->link.schema_count++] = (struct sf_tool_schema){
        .name = tool->name,
        .help = tool->help,
        .schema = sf_arena_strndup(&s->link.schemas_arena, schema.buf, schema.len),
    };
    sf_strbuf_release(&schema);
}

/* The list depends on the profile only and has a fixed order, so that prompt caches stay valid. */
void sf_model_link_schemas(struct sf_session *s)
{
    enum sf_profile profile = sf_mode_machine_state(s->axes.machine)->profile;

    if (s->link.schemas_profile == (int)profile)
        return;
    sf_arena_release(&s->link.schemas_arena);
    s->link.schemas_arena = (struct sf_arena)SF_ARENA_INIT;
    s->link.schemas =
        sf_arena_alloc(&s->link.schemas_arena, s->tools.count * sizeof(*s->link.schemas));
    s->link.schema_count = 0;
    s->link.schemas_profile = (int)profile;
    for (size_t i = 0; i < s->tools.count; i++) {
        const struct sf_tool *tool = s->tools.rows[i];
        struct sf_offer_terms terms = sf_toolset_terms(&s->tools, tool);

        if (sf_registry_lists(&s->registry, tool->name, &terms, profile))
            add_schema(s, tool);
    }
}

/* ---- what comes back ---- */

/* What came of the answer so far is forgotten; false: the log cannot be written. */
static bool begin_again(struct sf_session *s)
{
    struct sf_input in = { .kind = SF_IN_RETRY };
    struct sf_event restart = { .kind = SF_EVENT_RESTART };
    struct sf_error err = SF_ERROR_INIT;

    sf_session_flush(s);
    if (s->dead)
        return false;
    if (!sf_store_partial_drop(s->setup.store, s->id, &err)) {
        sf_session_die(s, &err);
        return false;
    }
    sf_session_feed(s, &in);
    sf_session_tell(s, &restart);
    return true;
}

static void on_retry(void *ctx, const struct sf_retry_notice *notice)
{
    struct sf_event event = { .kind = SF_EVENT_RETRY, .retry = notice };

    if (begin_again(ctx))
        sf_session_tell(ctx, &event);
}

/* ---- the other model ---- */

/* Busy or broken, and all tries are used up; what another model would be told as well is not. */
static bool is_unavailable(enum sf_fault fault)
{
    return fault == SF_FAULT_RATE || fault == SF_FAULT_OVERLOAD || fault == SF_FAULT_SERVER;
}

static bool note_fallback(struct sf_session *s, const struct sf_wire_error *why)
{
    struct sf_strbuf json = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer w;
    struct sf_event event;
    bool ok;

    sf_jw_init(&w, &json);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "from", s->link.model);
    sf_jw_key_str(&w, "to", s->setup.fallback);
    sf_jw_key_str(&w, "fault", sf_faults[why->fault].name);
    sf_jw_object_end(&w);
    ok = sf_session_append(s, SF_LOG_FALLBACK, &json, &err);
    if (ok) {
        sf_strbuf_addf(&text, "%s is not available (%s): %s takes over for this turn",
                       s->link.model, sf_faults[why->fault].name, s->setup.fallback);
        event = sf_event_of_notice(text.buf, text.len);
        sf_session_tell(s, &event);
    } else {
        sf_session_die(s, &err);
    }
    sf_strbuf_release(&json);
    sf_strbuf_release(&text);
    return ok;
}

bool sf_model_link_fall_back(struct sf_session *s, const struct sf_stream_event *event)
{
    if (event->kind != SF_STREAM_ERROR || !s->setup.fallback || s->link.fell || s->link.sums ||
        !is_unavailable(event->error->fault) || !strcmp(s->setup.fallback, s->link.model) ||
        !begin_again(s) || !note_fallback(s, event->error))
        return false;
    s->link.fell = true;
    use_model(s, s->setup.fallback);
    sf_model_link_request(s, NULL);
    return true;
}

static void fail_request(struct sf_session *s, const struct sf_error *err)
{
    struct sf_wire_error error = { .fault = SF_FAULT_CONNECT, .retry_after_ms = -1 };
    struct sf_stream_event event = { .kind = SF_STREAM_ERROR, .error = &error };
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = &event };
    struct sf_effects effects = { 0 };

    snprintf(error.message, sizeof(error.message), "%s", err->msg);
    in.now_ms = sf_clock_monotonic_ms();
    sf_agent_step(s->agent, &in, &effects);
    sf_session_perform(s, &effects);
    sf_effects_release(&effects);
}

/* The history with one more message at the end; only the array of messages is copied. */
static struct sf_history with_question(const struct sf_history *history, struct sf_message *ask)
{
    struct sf_history h = { sf_alloc_array(history->count + 1, sizeof(*h.messages)),
                            history->count + 1, history->count + 1 };

    memcpy(h.messages, history->messages, history->count * sizeof(*h.messages));
    h.messages[history->count] = *ask;
    return h;
}

static void send(struct sf_session *s, struct sf_wire_request *request)
{
    struct sf_client_events events = { sf_session_take_stream, on_retry, s };
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (s->setup.provider->kind == SF_PROVIDER_HTTP)
        sf_wire_request_add(request, &body);
    if (!sf_client_start(s->link.client, request, &body, &events, &err))
        fail_request(s, &err);
    sf_strbuf_release(&body);
}

void sf_model_link_request(struct sf_session *s, const char *summary)
{
    const struct sf_history *history = sf_agent_history(s->agent);
    struct sf_message ask = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_history longer = SF_HISTORY_INIT;
    struct sf_wire_request request = {
        .format = s->setup.provider->format,
        .model = s->link.model,
        .system = s->prompt.system,
        .history = history,
        .max_output = s->link.row->max_output,
        .effort = s->link.row->efforts[s->link.mode] && *s->link.row->efforts[s->link.mode]
                      ? s->link.row->efforts[s->link.mode]
                      : NULL,
        .thinking_budget = s->link.row->thinking_budgets[s->link.mode],
        .cache = true,
        .images = s->link.row->images,
        .summaries = sf_agent_wants_summaries(s->agent),
        .reasoning_back = s->link.row->reasoning_back,
        .cache_mark = s->link.row->cache_mark,
        .schema = s->link.row->schemas && !s->depth && !summary ? s->setup.schema : NULL,
        .session = s->id,
    };

    s->link.sums = summary != NULL;
    sf_model_link_schemas(s);
    request.tools = s->link.schemas; /* for a summary too: without them the cache would miss */
    request.tool_count = s->link.schema_count;
    if (summary) {
        sf_message_add_text(&ask, summary, strlen(summary));
        longer = with_question(history, &ask);
        request.history = &longer;
    }
    send(s, &request);
    free(longer.messages);
    sf_message_release(&ask);
}
