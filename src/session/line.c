/*
 * line.c: the line to the model. Which model answers a turn, what the request says, and how what
 * comes back reaches the machine.
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

/* `auto`: by what is asked, not by who asks; the user sees which one it was. */
static enum sf_model_mode route(const struct sf_mode_state *state, const char *words)
{
    size_t len = strlen(words);
    bool hard = len > 2000 || state->work == SF_WORK_PLAN || state->work == SF_WORK_REPAIR;

    for (size_t i = 0; i < SF_COUNT(hard_words); i++)
        hard = hard || mentions(words, hard_words[i]);
    if (hard)
        return SF_MODEL_DEEP;
    return len < 160 && state->work == SF_WORK_CHAT ? SF_MODEL_FAST : SF_MODEL_SMART;
}

/* The provider's model for the mode, or the nearest mode it has one for. */
static const char *tier(const struct sf_provider *p, enum sf_model_mode mode)
{
    if (p->tiers[mode])
        return p->tiers[mode];
    for (int i = 2; i >= 0; i--)
        if (p->tiers[i])
            return p->tiers[i];
    return p->name;
}

void sf_line_choose(struct sf_talk *t, const char *words)
{
    const struct sf_mode_state *state = sf_mode_machine_state(t->machine);
    bool automatic = t->model_asked && !strcmp(t->model_asked, "auto");
    enum sf_model_mode mode = automatic ? route(state, words) : state->model;
    const char *name =
        t->model_asked && !automatic ? t->model_asked : tier(t->setup.provider, mode);

    if (t->wished_model) {
        name = t->wished_model;
        automatic = false;
    }
    t->routed = automatic;
    t->mode = mode;
    if (!t->model || strcmp(t->model, name) != 0) {
        struct sf_error ignored = SF_ERROR_INIT;
        bool stored;

        free(t->model);
        t->model = sf_strdup(name);
        t->row = sf_catalog_model(t->setup.catalog, t->setup.provider->name, name);
        sf_agent_set_window(t->agent, t->row->window, t->row->max_output);
        stored = t->watch || sf_store_session_update(t->setup.store, t->id, NULL,
                                                     t->setup.provider->name, name, &ignored);
        (void)stored; /* a label for lists; each usage row names its model */
    }
}

/* ---- what is sent ---- */

/* The list depends on the profile alone, in a fixed order, so that caches hold. */
void sf_line_faces(struct sf_talk *t)
{
    enum sf_profile profile = sf_mode_machine_state(t->machine)->profile;
    struct sf_tool_filter filter = { .profile = profile,
                                     .allow_shell = t->setup.ground->allow_shell,
                                     .patches = t->patches,
                                     .allowed = t->setup.allowed,
                                     .disallowed = t->setup.disallowed,
                                     .depth = t->depth };

    if (t->faces_profile == (int)profile)
        return;
    sf_arena_release(&t->faces_arena);
    t->faces_arena = (struct sf_arena)SF_ARENA_INIT;
    t->faces = sf_arena_alloc(&t->faces_arena, sf_tool_count * sizeof(*t->faces));
    t->face_count = 0;
    t->faces_profile = (int)profile;
    for (size_t i = 0; i < sf_tool_count; i++) {
        const struct sf_tool *tool = sf_tools[i];
        struct sf_strbuf schema = SF_STRBUF_INIT;
        struct sf_json_writer w;

        if (!sf_tool_offered(tool, &filter))
            continue;
        sf_jw_init(&w, &schema);
        sf_args_schema(tool->args, tool->arg_count, &w);
        t->faces[t->face_count++] = (struct sf_tool_face){
            .name = tool->name,
            .help = tool->help,
            .schema = sf_arena_strndup(&t->faces_arena, schema.buf, schema.len),
        };
        sf_strbuf_release(&schema);
    }
}

bool sf_line_offers(struct sf_talk *t, const char *tool)
{
    sf_line_faces(t);
    if (t->narrowed && !sf_grants_name(&t->wished_tools, tool))
        return false;
    for (size_t i = 0; i < t->face_count; i++)
        if (!strcmp(t->faces[i].name, tool))
            return true;
    return false;
}

/* ---- what comes back ---- */

static void on_stream(void *ctx, const struct sf_stream_event *event)
{
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = event };

    sf_talk_feed(ctx, &in);
}

static void on_retry(void *ctx, const struct sf_retry_notice *notice)
{
    struct sf_talk *t = ctx;
    struct sf_input in = { .kind = SF_IN_RETRY };
    struct sf_told restart = { .kind = SF_TOLD_RESTART };
    struct sf_told told = { .kind = SF_TOLD_RETRY, .retry = notice };
    struct sf_error err = SF_ERROR_INIT;

    sf_talk_flush(t);
    if (t->dead)
        return;
    if (!sf_store_partial_drop(t->setup.store, t->id, &err)) {
        sf_talk_die(t, &err);
        return;
    }
    sf_talk_feed(t, &in);
    sf_talk_tell(t, &restart);
    sf_talk_tell(t, &told);
}

static void fail_request(struct sf_talk *t, const struct sf_error *err)
{
    struct sf_wire_error error = { .fault = SF_FAULT_CONNECT, .retry_after_ms = -1 };
    struct sf_stream_event event = { .kind = SF_STREAM_ERROR, .error = &error };
    struct sf_input in = { .kind = SF_IN_STREAM, .stream = &event };
    struct sf_effects effects = { 0 };

    snprintf(error.message, sizeof(error.message), "%s", err->msg);
    in.now_ms = sf_clock_monotonic_ms();
    sf_agent_step(t->agent, &in, &effects);
    sf_talk_perform(t, &effects);
    sf_effects_release(&effects);
}

/* The history with one more message behind it, nothing copied but the list. */
static struct sf_history with_question(const struct sf_history *history, struct sf_message *ask)
{
    struct sf_history h = { sf_alloc_array(history->count + 1, sizeof(*h.messages)),
                            history->count + 1, history->count + 1 };

    memcpy(h.messages, history->messages, history->count * sizeof(*h.messages));
    h.messages[history->count] = *ask;
    return h;
}

static void send(struct sf_talk *t, struct sf_wire_request *request)
{
    struct sf_client_events events = { on_stream, on_retry, t };
    struct sf_strbuf body = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (t->setup.provider->kind == SF_PROVIDER_HTTP)
        sf_wire_request_add(request, &body);
    if (!sf_client_start(t->client, request, &body, &events, &err))
        fail_request(t, &err);
    sf_strbuf_release(&body);
}

void sf_line_request(struct sf_talk *t, const char *summary)
{
    const struct sf_history *history = sf_agent_history(t->agent);
    struct sf_message ask = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_history longer = SF_HISTORY_INIT;
    struct sf_wire_request request = {
        .format = t->setup.provider->format,
        .model = t->model,
        .system = t->system,
        .history = history,
        .max_output = t->row->max_output,
        .effort =
            t->row->efforts[t->mode] && *t->row->efforts[t->mode] ? t->row->efforts[t->mode] : NULL,
        .thinking_budget = t->row->thinking_budgets[t->mode],
        .cache = true,
        .images = t->row->images,
        .summaries = sf_agent_wants_summaries(t->agent),
        .reasoning_back = t->row->reasoning_back,
        .cache_mark = t->row->cache_mark,
        .session = t->id,
    };

    sf_line_faces(t);
    request.tools = t->faces; /* also for a summary: leaving them out would lose the cache */
    request.tool_count = t->face_count;
    if (summary) {
        sf_message_add_text(&ask, summary, strlen(summary));
        longer = with_question(history, &ask);
        request.history = &longer;
    }
    send(t, &request);
    free(longer.messages);
    sf_message_release(&ask);
}
