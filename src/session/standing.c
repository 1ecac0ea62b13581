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

    sf_pins_add(t, message);
    add_meta(t, &meta);
    sf_message_add_text(message, meta.buf, meta.len);
    sf_strbuf_release(&meta);
}

void sf_standing_add(void *ctx, struct sf_strbuf *out)
{
    struct sf_talk *t = ctx;

    sf_pins_standing(t, out);
    add_meta(t, out);
}

void sf_standing_weigh(struct sf_talk *t)
{
    size_t tokens = sf_text_tokens(t->system);

    sf_line_faces(t);
    for (size_t i = 0; i < t->face_count; i++)
        tokens += sf_text_tokens(t->faces[i].name) + sf_text_tokens(t->faces[i].help) +
                  sf_text_tokens(t->faces[i].schema);
    sf_agent_set_overhead(t->agent, (int64_t)tokens);
}

/* ---- summaries, when the user wants one ---- */

bool sf_talk_sums_up(const struct sf_talk *t)
{
    return sf_agent_phase(t->agent) == SF_PHASE_COMPACT && !sf_agent_in_turn(t->agent);
}

bool sf_talk_compact(struct sf_talk *t, const char *focus, struct sf_error *err)
{
    struct sf_input in = { .kind = SF_IN_COMPACT, .text = focus, .len = focus ? strlen(focus) : 0 };

    if (t->dead)
        return sf_fail(err, SF_E_IO, "the session cannot be written any more");
    if (sf_talk_busy(t))
        return sf_fail(err, SF_E_BUSY, "a turn is running: sum it up when it is over");
    if (sf_agent_history(t->agent)->count < 2)
        return sf_fail(err, SF_E_ARG, "there is nothing to sum up yet");
    sf_standing_weigh(t);
    sf_talk_feed(t, &in);
    return true;
}
