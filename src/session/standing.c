/*
 * standing.c: what is in force and told with every turn: axes, scope, model, goal, pinned facts;
 * and what all of it weighs beside the conversation.
 */
#include <time.h>

#include "base/base.h"
#include "session/internal.h"

static void add_meta(struct sf_talk *t, struct sf_strbuf *out)
{
    struct sf_strbuf goal = SF_STRBUF_INIT;
    time_t now = (time_t)(sf_clock_wall_ms() / 1000);
    char date[64] = "";
    struct tm tm;
    const struct sf_mode_state *state = sf_mode_machine_state(t->machine);
    struct sf_turn_facts facts = { .date = date,
                                   .state = state,
                                   .scopes = &t->setup.ground->scopes,
                                   .model = t->model,
                                   .routed = t->routed,
                                   .cwd = sf_toolbox_cwd(t->box) };

    if (localtime_r(&now, &tm))
        strftime(date, sizeof(date), "%Y-%m-%d %A", &tm);
    sf_goal_meta(&t->goal, &goal);
    facts.goal = goal.buf;
    sf_prompt_turn_meta(&facts, out);
    sf_strbuf_release(&goal);
}

void sf_standing_close(struct sf_talk *t, struct sf_message *message)
{
    struct sf_strbuf meta = SF_STRBUF_INIT;

    sf_briefing_add(t, message);
    sf_pins_add(t, message);
    add_meta(t, &meta);
    sf_message_add_text(message, meta.buf, meta.len);
    sf_strbuf_release(&meta);
}

void sf_standing_add(void *ctx, struct sf_strbuf *out)
{
    struct sf_talk *t = ctx;

    sf_briefing_standing(t, out);
    sf_pins_standing(t, out);
    add_meta(t, out);
}

/* ---- what it weighs ---- */

void sf_standing_note(struct sf_talk *t, const struct sf_instructions *files)
{
    t->memory_tokens = t->instruction_tokens = 0;
    for (size_t i = 0; i < files->count; i++) {
        const struct sf_instruction *it = &files->items[i];
        int64_t tokens = (int64_t)(sf_text_tokens(it->name) + sf_text_tokens(it->text));

        *(it->memory ? &t->memory_tokens : &t->instruction_tokens) += tokens;
    }
}

static int64_t face_tokens(const struct sf_talk *t)
{
    size_t tokens = 0;

    for (size_t i = 0; i < t->face_count; i++)
        tokens += sf_text_tokens(t->faces[i].name) + sf_text_tokens(t->faces[i].help) +
                  sf_text_tokens(t->faces[i].schema);
    return (int64_t)tokens;
}

/* The offline operator is sent nothing of the kind. */
static bool is_sent(const struct sf_talk *t)
{
    return t->setup.provider->kind == SF_PROVIDER_HTTP;
}

void sf_standing_weigh(struct sf_talk *t)
{
    if (!is_sent(t))
        return;
    sf_line_faces(t);
    if (t->weighed == t->faces_profile + 1)
        return;
    t->weighed = t->faces_profile + 1;
    sf_agent_set_overhead(t->agent, (int64_t)sf_text_tokens(t->system) + face_tokens(t));
}

bool sf_talk_weigh(struct sf_talk *t, struct sf_context *out, struct sf_error *err)
{
    struct sf_context_facts facts = { .history = sf_agent_history(t->agent),
                                      .window = t->row->window,
                                      .max_output = t->row->max_output };

    if (!sf_load_all(t, err))
        return false;
    sf_standing_weigh(t);
    if (is_sent(t)) {
        facts.instructions = t->instruction_tokens;
        facts.memory = t->memory_tokens;
        facts.system = (int64_t)sf_text_tokens(t->system) - facts.instructions - facts.memory;
        facts.tools = face_tokens(t);
    }
    facts.total = sf_agent_context(t->agent);
    sf_context_weigh(&facts, out);
    return true;
}

/* ---- summaries, when the user wants one ---- */

bool sf_talk_sums_up(const struct sf_talk *t)
{
    return sf_agent_phase(t->agent) == SF_PHASE_COMPACT && !sf_agent_in_turn(t->agent);
}

bool sf_talk_compact(struct sf_talk *t, const char *focus, struct sf_error *err)
{
    struct sf_input in = { .kind = SF_IN_COMPACT, .text = focus, .len = focus ? strlen(focus) : 0 };

    if (!sf_talk_can(t, err))
        return false;
    if (sf_talk_busy(t))
        return sf_fail(err, SF_E_BUSY, "a turn is running: sum it up when it is over");
    if (!sf_load_all(t, err))
        return false;
    if (sf_agent_history(t->agent)->count < 2)
        return sf_fail(err, SF_E_ARG, "there is nothing to sum up yet");
    sf_standing_weigh(t);
    sf_talk_feed(t, &in);
    return true;
}
