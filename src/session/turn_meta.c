/*
 * turn_meta.c: the facts that go to the model with every turn (axes, scope, model, goal), the facts
 * that go with every summary (also the pinned ones), and estimates of how many tokens of the
 * context are not conversation. /compact begins here as well.
 */
#include <time.h>

#include "base/base.h"
#include "session/internal.h"

void sf_turn_meta_write(struct sf_session *s, struct sf_strbuf *out)
{
    struct sf_strbuf goal = SF_STRBUF_INIT, approval = SF_STRBUF_INIT;
    enum sf_approval_mode mode = s->setup.policy->approval;
    time_t now = (time_t)(sf_clock_wall_ms() / 1000);
    char date[64] = "";
    struct tm tm;
    const struct sf_mode_state *state = sf_mode_machine_state(s->axes.machine);
    struct sf_turn_facts facts = { .date = date,
                                   .state = state,
                                   .scopes = &s->setup.policy->scopes,
                                   .model = s->link.model,
                                   .routed = s->link.routed,
                                   .stand = s->setup.below,
                                   .cwd = sf_toolbox_cwd(s->box),
                                   .dirs = &s->setup.policy->added };

    if (localtime_r(&now, &tm))
        strftime(date, sizeof(date), "%Y-%m-%d %A", &tm);
    sf_goal_meta(&s->goal.now, &goal);
    facts.goal = goal.buf;
    sf_strbuf_addf(&approval, "%s: %s", sf_approval_mode_names[mode], sf_approval_mode_helps[mode]);
    facts.approval = sf_approval_mode_unusual(mode) ? approval.buf : NULL;
    sf_prompt_turn_meta(&facts, out);
    sf_strbuf_release(&approval);
    sf_strbuf_release(&goal);
}

void sf_turn_meta_add(void *ctx, struct sf_strbuf *out)
{
    struct sf_session *s = ctx;

    sf_briefing_standing(s, out);
    sf_pins_standing(s, out);
    sf_turn_meta_write(s, out);
}

/* ---- estimates ---- */

void sf_turn_meta_note(struct sf_session *s, const struct sf_instructions *files)
{
    s->prompt.memory_tokens = s->prompt.instruction_tokens = 0;
    for (size_t i = 0; i < files->count; i++) {
        const struct sf_instruction *it = &files->items[i];
        int64_t tokens = (int64_t)(sf_text_tokens(it->name) + sf_text_tokens(it->text));

        *(it->memory ? &s->prompt.memory_tokens : &s->prompt.instruction_tokens) += tokens;
    }
}

static int64_t face_tokens(const struct sf_session *s)
{
    size_t tokens = 0;

    for (size_t i = 0; i < s->link.schema_count; i++)
        tokens += sf_text_tokens(s->link.schemas[i].name) +
                  sf_text_tokens(s->link.schemas[i].help) +
                  sf_text_tokens(s->link.schemas[i].schema);
    return (int64_t)tokens;
}

/* The offline operator gets no system prompt and no tool schemas. */
static bool is_sent(const struct sf_session *s)
{
    return s->setup.provider->kind == SF_PROVIDER_HTTP;
}

void sf_turn_meta_weigh(struct sf_session *s)
{
    if (!is_sent(s))
        return;
    sf_model_link_schemas(s);
    if (s->prompt.weighed == s->link.schemas_profile + 1)
        return;
    s->prompt.weighed = s->link.schemas_profile + 1;
    sf_agent_set_overhead(s->agent, (int64_t)sf_text_tokens(s->prompt.system) + face_tokens(s));
}

bool sf_session_weigh(struct sf_session *s, struct sf_context *out, struct sf_error *err)
{
    struct sf_context_facts facts = { .history = sf_agent_history(s->agent),
                                      .window = s->link.row->window,
                                      .max_output = s->link.row->max_output };

    if (!sf_load_all(s, err))
        return false;
    sf_turn_meta_weigh(s);
    if (is_sent(s)) {
        facts.instructions = s->prompt.instruction_tokens;
        facts.memory = s->prompt.memory_tokens;
        facts.system =
            (int64_t)sf_text_tokens(s->prompt.system) - facts.instructions - facts.memory;
        facts.tools = face_tokens(s);
    }
    facts.total = sf_agent_context(s->agent);
    sf_context_weigh(&facts, out);
    return true;
}

/* ---- summaries on request ---- */

bool sf_session_sums_up(const struct sf_session *s)
{
    return sf_agent_phase(s->agent) == SF_PHASE_COMPACT && !sf_agent_in_turn(s->agent);
}

bool sf_session_compact(struct sf_session *s, const char *focus, struct sf_error *err)
{
    struct sf_input in = { .kind = SF_IN_COMPACT, .text = focus, .len = focus ? strlen(focus) : 0 };

    if (!sf_session_can(s, err))
        return false;
    if (sf_session_busy(s))
        return sf_fail(err, SF_E_BUSY, "a turn is running: sum it up when it is over");
    if (s->restore)
        return sf_fail(err, SF_E_BUSY, "files are going back: sum it up when they are");
    if (!sf_load_all(s, err))
        return false;
    if (sf_agent_history(s->agent)->count < 2)
        return sf_fail(err, SF_E_ARG, "there is nothing to sum up yet");
    sf_turn_meta_weigh(s);
    sf_session_feed(s, &in);
    return true;
}
