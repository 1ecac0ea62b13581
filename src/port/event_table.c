/*
 * event_table.c: the rows, and how the value of each member is found in an event. A row's sentence
 * stands in the documents as it stands here.
 */
#include "port/event_table.h"

#include <string.h>

#include "port/response.h"

/* ---- values of the head ---- */

static struct sf_event_words words_of(const char *text)
{
    return (struct sf_event_words){ text, text ? strlen(text) : 0 };
}

static bool in_turn(const struct sf_event *e)
{
    return e->turn > 0;
}

static bool in_message(const struct sf_event *e)
{
    return e->turn > 0 && e->message > 0;
}

static bool of_agent(const struct sf_event *e)
{
    return e->depth > 0;
}

static int64_t head_time(const struct sf_event *e)
{
    return e->time_ms;
}

static struct sf_event_words head_session(const struct sf_event *e)
{
    return words_of(e->session);
}

static int64_t head_turn(const struct sf_event *e)
{
    return e->turn;
}

static int64_t head_message(const struct sf_event *e)
{
    return e->message;
}

static int64_t agent_depth(const struct sf_event *e)
{
    return e->depth;
}

static struct sf_event_words agent_parent(const struct sf_event *e)
{
    return words_of(e->parent);
}

/* ---- values of responses ---- */

static struct sf_event_words response_command(const struct sf_event *e)
{
    return words_of(e->response->command);
}

static struct sf_event_words response_kind(const struct sf_event *e)
{
    return words_of(sf_response_kinds[e->response->kind]);
}

static bool response_bad(const struct sf_event *e)
{
    return e->response->bad || e->response->kind == SF_RESPONSE_ERROR;
}

static struct sf_event_words response_title(const struct sf_event *e)
{
    return words_of(*e->response->title ? e->response->title : NULL);
}

static struct sf_event_words response_text(const struct sf_event *e)
{
    const struct sf_strbuf *text = &e->response->text;

    return (struct sf_event_words){ text->len ? text->buf : NULL, text->len };
}

static struct sf_event_words response_hint(const struct sf_event *e)
{
    return words_of(*e->response->hint ? e->response->hint : NULL);
}

static bool has_columns(const struct sf_event *e)
{
    return e->response->columns != NULL;
}

static void response_columns(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    for (size_t i = 0; e->response->columns[i]; i++)
        sf_jw_str(w, e->response->columns[i]);
    sf_jw_array_end(w);
}

static bool has_rows(const struct sf_event *e)
{
    return e->response->kind == SF_RESPONSE_TABLE || e->response->kind == SF_RESPONSE_CHOICE ||
           e->response->count;
}

static void response_rows(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_response_rows_json(e->response, w);
}

static const char *choose_response(size_t index)
{
    return sf_response_kinds[index];
}

/* ---- values of calls ---- */

static struct sf_event_words call_id(const struct sf_event *e)
{
    return words_of(e->call->id);
}

static struct sf_event_words call_name(const struct sf_event *e)
{
    return words_of(e->call->name);
}

static struct sf_event_words call_what(const struct sf_event *e)
{
    return words_of(e->call->what);
}

static struct sf_json *parse_input(const struct sf_event *e)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(e->call->args, e->call->len, NULL, &ignored);

    if (json && sf_json_type(json) == SF_JSON_OBJECT)
        return json;
    sf_json_free(json);
    return NULL;
}

static bool has_input(const struct sf_event *e)
{
    struct sf_json *json = parse_input(e);

    sf_json_free(json);
    return json != NULL;
}

static void call_input(const struct sf_event *e, struct sf_json_writer *w)
{
    struct sf_json *json = parse_input(e);

    sf_jw_json(w, json);
    sf_json_free(json);
}

static struct sf_event_words call_input_text(const struct sf_event *e)
{
    return has_input(e) ? words_of(NULL) : (struct sf_event_words){ e->call->args, e->call->len };
}

static const struct sf_judged *judged_of(const struct sf_event *e)
{
    return e->kind == SF_EVENT_ASK ? e->ask.judged : e->verdict.judged;
}

static const struct sf_verdict *verdict_of(const struct sf_event *e)
{
    return &judged_of(e)->verdict;
}

static struct sf_event_words verdict_answer(const struct sf_event *e)
{
    return words_of(sf_answer_names[verdict_of(e)->answer]);
}

static struct sf_event_words verdict_layer(const struct sf_event *e)
{
    return words_of(sf_guard_layers[verdict_of(e)->layer].name);
}

static struct sf_event_words verdict_rule(const struct sf_event *e)
{
    return words_of(verdict_of(e)->rule);
}

static struct sf_event_words verdict_class(const struct sf_event *e)
{
    return words_of(sf_matrix[verdict_of(e)->kind].name);
}

static struct sf_event_words verdict_reason(const struct sf_event *e)
{
    return words_of(verdict_of(e)->reason);
}

static struct sf_event_words verdict_hint(const struct sf_event *e)
{
    return words_of(verdict_of(e)->hint);
}

static struct sf_event_words verdict_cage(const struct sf_event *e)
{
    return words_of(judged_of(e)->cage);
}

static struct sf_event_words ask_preview(const struct sf_event *e)
{
    return words_of(e->ask.preview);
}

static bool result_is_error(const struct sf_event *e)
{
    return e->result.tool->is_error;
}

static struct sf_event_words result_text(const struct sf_event *e)
{
    return (struct sf_event_words){ e->result.tool->text.buf, e->result.tool->text.len };
}

static struct sf_event_words result_summary(const struct sf_event *e)
{
    return words_of(e->result.tool->summary);
}

static bool has_exit_code(const struct sf_event *e)
{
    return e->result.tool->exit_code >= 0;
}

static int64_t result_exit_code(const struct sf_event *e)
{
    return e->result.tool->exit_code;
}

static struct sf_event_words result_diff(const struct sf_event *e)
{
    const struct sf_strbuf *diff = &e->result.tool->diff;

    return (struct sf_event_words){ diff->len ? diff->buf : NULL, diff->len };
}

static bool was_timed(const struct sf_event *e)
{
    return e->result.took_ms >= 0;
}

static int64_t result_took(const struct sf_event *e)
{
    return e->result.took_ms;
}

static bool result_refused(const struct sf_event *e)
{
    return e->result.refused;
}

/* ---- values of the rest ---- */

static struct sf_event_words plain_words(const struct sf_event *e)
{
    return e->words;
}

static struct sf_event_words notice_text(const struct sf_event *e)
{
    return (struct sf_event_words){ e->notice.text, e->notice.len };
}

static bool notice_urgent(const struct sf_event *e)
{
    return e->notice.urgent;
}

static int64_t usage_input(const struct sf_event *e)
{
    return e->usage.tokens->input;
}

static int64_t usage_output(const struct sf_event *e)
{
    return e->usage.tokens->output;
}

static int64_t usage_cache_read(const struct sf_event *e)
{
    return e->usage.tokens->cache_read;
}

static int64_t usage_cache_write(const struct sf_event *e)
{
    return e->usage.tokens->cache_write;
}

static int64_t usage_reasoning(const struct sf_event *e)
{
    return e->usage.tokens->reasoning;
}

static bool has_cost(const struct sf_event *e)
{
    return e->usage.cost >= 0;
}

static double usage_cost(const struct sf_event *e)
{
    return (double)e->usage.cost / 1e6;
}

static int64_t retry_attempt(const struct sf_event *e)
{
    return e->retry->attempt;
}

static int64_t retry_of(const struct sf_event *e)
{
    return e->retry->of;
}

static int64_t retry_wait(const struct sf_event *e)
{
    return e->retry->wait_ms;
}

static struct sf_event_words retry_category(const struct sf_event *e)
{
    return words_of(sf_faults[e->retry->why->fault].name);
}

static struct sf_event_words retry_message(const struct sf_event *e)
{
    return words_of(e->retry->why->message);
}

static void transition_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_transition_json(e->transition, w);
}

static void transition_axes(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_mode_state_json(&e->transition->to, w);
}

static void plan_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_jw_raw(w, e->words.text, e->words.len);
}

static struct sf_event_words submitted_digest(const struct sf_event *e)
{
    return words_of(e->submitted.digest);
}

static struct sf_event_words submitted_text(const struct sf_event *e)
{
    return (struct sf_event_words){ e->submitted.text, e->submitted.len };
}

static bool has_goal(const struct sf_event *e)
{
    return e->goal.now->set;
}

static void goal_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_goal_json(e->goal.now, w);
}

static struct sf_event_words goal_change(const struct sf_event *e)
{
    return (struct sf_event_words){ e->goal.change, e->goal.len };
}

static int64_t compacted_before(const struct sf_event *e)
{
    return e->compacted.before;
}

static int64_t compacted_after(const struct sf_event *e)
{
    return e->compacted.after;
}

static struct sf_event_words compacted_summary(const struct sf_event *e)
{
    return (struct sf_event_words){ e->compacted.summary, e->compacted.len };
}

static struct sf_event_words done_status(const struct sf_event *e)
{
    return words_of(sf_turn_status_names[e->done.status]);
}

/* ---- values of a run ---- */

static bool opened_resumed(const struct sf_event *e)
{
    return e->opened.resumed;
}

static struct sf_event_words opened_workspace(const struct sf_event *e)
{
    return words_of(e->opened.workspace);
}

static struct sf_event_words opened_provider(const struct sf_event *e)
{
    return words_of(e->opened.provider);
}

static struct sf_event_words opened_model(const struct sf_event *e)
{
    return words_of(e->opened.model);
}

static void axes_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_mode_state_json(e->axes, w);
}

static struct sf_event_words error_category(const struct sf_event *e)
{
    return words_of(e->error.category);
}

static struct sf_event_words error_limit(const struct sf_event *e)
{
    return words_of(e->error.limit);
}

static struct sf_event_words error_message(const struct sf_event *e)
{
    return words_of(e->error.message);
}

static struct sf_event_words ended_status(const struct sf_event *e)
{
    return words_of(sf_turn_status_names[e->ended.status]);
}

static int64_t ended_exit_code(const struct sf_event *e)
{
    return e->ended.exit_code;
}

static struct sf_event_words ended_result(const struct sf_event *e)
{
    return (struct sf_event_words){ e->ended.result, e->ended.len };
}

static struct sf_event_words ended_reason(const struct sf_event *e)
{
    return words_of(e->ended.reason);
}

static bool has_totals(const struct sf_event *e)
{
    return e->ended.totals != NULL;
}

static struct sf_event_words total_resume(const struct sf_event *e)
{
    return words_of(e->ended.totals->resume);
}

static struct sf_event_words total_model(const struct sf_event *e)
{
    return words_of(e->ended.totals->model);
}

static void total_axes(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_mode_state_json(e->ended.totals->axes, w);
}

static int64_t total_turns(const struct sf_event *e)
{
    return e->ended.totals->turns;
}

static int64_t total_calls(const struct sf_event *e)
{
    return e->ended.totals->calls;
}

static int64_t total_input(const struct sf_event *e)
{
    return e->ended.totals->tokens_in;
}

static int64_t total_output(const struct sf_event *e)
{
    return e->ended.totals->tokens_out;
}

static bool has_total_cost(const struct sf_event *e)
{
    return e->ended.totals && e->ended.totals->cost >= 0;
}

static double total_cost(const struct sf_event *e)
{
    return (double)e->ended.totals->cost / 1e6;
}

static int64_t total_duration(const struct sf_event *e)
{
    return e->ended.totals->duration_ms;
}

/* ---- the only values of a text ---- */

#define CHOICE_OF(function, names)            \
    static const char *function(size_t index) \
    {                                         \
        return (names)[index];                \
    }

CHOICE_OF(choose_status, sf_turn_status_names)
CHOICE_OF(choose_actor, sf_actor_names)
CHOICE_OF(choose_when, sf_when_names)
CHOICE_OF(choose_outcome, sf_outcome_names)
CHOICE_OF(choose_goal_status, sf_goal_status_names)

static const char *choose_answer(size_t index)
{
    return index <= SF_DENY ? sf_answer_names[(enum sf_answer)index] : NULL;
}

static const char *choose_layer(size_t index)
{
    return index < SF_GUARD_LAST ? sf_guard_layers[index + 1].name : NULL;
}

static const char *choose_class(size_t index)
{
    return index < SF_ROW_COUNT ? sf_matrix[index].name : NULL;
}

static const char *choose_fault(size_t index)
{
    return index < SF_FAULT_CANCELLED ? sf_faults[index + 1].name : NULL;
}

static const char *choose_budget(size_t index)
{
    return index < SF_BUDGET_COUNT ? sf_budgets[index].name : NULL;
}

static const char *choose_step(size_t index)
{
    static const char *const names[] = { "pending", "in_progress", "completed", NULL };

    return names[index];
}

static const char *choose_axis(enum sf_axis axis, size_t index)
{
    return index < (size_t)sf_axes[axis].count ? sf_axes[axis].names[index] : NULL;
}

static const char *choose_work(size_t index)
{
    return choose_axis(SF_AXIS_WORK, index);
}

static const char *choose_control(size_t index)
{
    return choose_axis(SF_AXIS_CONTROL, index);
}

static const char *choose_profile(size_t index)
{
    return choose_axis(SF_AXIS_PROFILE, index);
}

static const char *choose_model_mode(size_t index)
{
    return choose_axis(SF_AXIS_MODEL, index);
}

static const char *choose_surface(size_t index)
{
    return choose_axis(SF_AXIS_SURFACE, index);
}

/* ---- shapes ---- */

/* clang-format off */
#define TEXT(n, get)    .name = (n), .type = SF_MEMBER_TEXT, .text = (get)
#define INTEGER(n, get) .name = (n), .type = SF_MEMBER_INTEGER, .integer = (get)
#define NUMBER(n, get)  .name = (n), .type = SF_MEMBER_NUMBER, .number = (get)
#define BOOLEAN(n, get) .name = (n), .type = SF_MEMBER_BOOLEAN, .boolean = (get)
#define OBJECT(n, get, s) .name = (n), .type = SF_MEMBER_OBJECT, .object = (get), .shape = (s)
#define STABLE          .stable = true
#define OR_NULL         .need = SF_NEED_NULL
#define OR_MISSING      .need = SF_NEED_SOME

#define FOUR_AXES                                                                                       \
    { TEXT("workMode", NULL), STABLE, .choice = choose_work, .help = "What the agent is doing." },      \
    { TEXT("runControl", NULL), STABLE, .choice = choose_control, .help = "Who drives." },              \
    { TEXT("permissionProfile", NULL), STABLE, .choice = choose_profile,                                \
      .help = "What may happen unasked." },                                                             \
    { TEXT("modelMode", NULL), STABLE, .choice = choose_model_mode, .help = "How hard it thinks." }

static const struct sf_member axes_members[] = {
    FOUR_AXES,
    { TEXT("surface", NULL), STABLE, .choice = choose_surface, .help = "Where the user sits." },
    { TEXT("scope", NULL), STABLE, .help = "The write scope." },
    { BOOLEAN("paused", NULL), STABLE, .help = "Whether an autonomous run is paused." },
    { BOOLEAN("trust", NULL), STABLE, .help = "Whether the session may reach outside the workspace." },
    { INTEGER("version", NULL), STABLE, .help = "Counts the changes of the record." },
};
static const struct sf_shape axes = {
    "axes_record", "The five axes with what belongs to them.", axes_members, SF_COUNT(axes_members),
};

static const struct sf_member moved_members[] = {
    FOUR_AXES,
    { TEXT("scope", NULL), STABLE, OR_MISSING, .help = "The write scope, where it changes." },
    { BOOLEAN("paused", NULL), STABLE, OR_MISSING, .help = "Whether the run is paused, where that changes." },
    { BOOLEAN("trust", NULL), STABLE, OR_MISSING, .help = "The trust, where it changes." },
};
static const struct sf_shape moved = {
    "transition_state", "One side of a transition.", moved_members, SF_COUNT(moved_members),
};

static const struct sf_member transition_members[] = {
    { TEXT("timestamp", NULL), STABLE, .help = "When it was asked for, RFC 3339." },
    { OBJECT("from", NULL, &moved), STABLE, .help = "The axes before it." },
    { OBJECT("to", NULL, &moved), STABLE, .help = "The axes it leads to." },
    { TEXT("reason", NULL), .help = "Why, in words." },
    { TEXT("scope", NULL), STABLE, .choice = choose_when, .help = "When it takes effect." },
    { TEXT("sessionId", NULL), STABLE, .help = "The session it belongs to." },
    { TEXT("actor", NULL), STABLE, .choice = choose_actor, .help = "Who asked for it." },
    { INTEGER("id", NULL), STABLE, .help = "Its number among the transitions; 0 for one that another process made." },
    { TEXT("outcome", NULL), STABLE, .choice = choose_outcome, .help = "What became of it." },
    { .name = "supersedes", .type = SF_MEMBER_INTEGERS, STABLE, OR_MISSING, .help = "The transitions whose place it took." },
    { INTEGER("supersededBy", NULL), STABLE, OR_MISSING, .help = "The transition that took its place." },
    { INTEGER("reverts", NULL), STABLE, OR_MISSING, .help = "The transition whose one unit is over." },
    { TEXT("note", NULL), OR_MISSING, .help = "Why it was refused, in words." },
};
static const struct sf_member response_row_members[] = {
    { TEXT("value", NULL), STABLE, OR_MISSING, .help = "What the row stands for, as the command takes it." },
    { BOOLEAN("heading", NULL), STABLE, OR_MISSING, .help = "Whether it stands between rows and has one cell." },
    { BOOLEAN("current", NULL), STABLE, OR_MISSING, .help = "Whether it is what is in force." },
    { .name = "cells", .type = SF_MEMBER_TEXTS, STABLE, .help = "Its cells, in the order of the columns." },
};
static const struct sf_shape response_row = {
    "response_row", "A row of a command's answer.", response_row_members, SF_COUNT(response_row_members),
};
static const struct sf_shape transition = {
    "transition_record", "A change of the axes, as the log has it.", transition_members, SF_COUNT(transition_members),
};

static const struct sf_member goal_members[] = {
    { TEXT("text", NULL), STABLE, .help = "The objective." },
    { TEXT("status", NULL), STABLE, .choice = choose_goal_status, .help = "Where it stands." },
    { TEXT("why", NULL), OR_NULL, .help = "Why it stands there, in words." },
    { INTEGER("budget", NULL), STABLE, OR_NULL, .help = "Tokens it may use." },
    { INTEGER("tokens_used", NULL), STABLE, .help = "Tokens it has used." },
    { INTEGER("time_used_ms", NULL), STABLE, .help = "Time its turns took." },
};
static const struct sf_shape goal = {
    "goal_record", "The session's goal.", goal_members, SF_COUNT(goal_members),
};

static const struct sf_member step_members[] = {
    { TEXT("content", NULL), STABLE, .help = "The step, in a few words." },
    { TEXT("status", NULL), STABLE, .choice = choose_step, .help = "Where it stands." },
};
static const struct sf_shape step = {
    "plan_step", "One step of a plan.", step_members, SF_COUNT(step_members),
};

static const struct sf_member plan_members[] = {
    { .name = "items", .type = SF_MEMBER_OBJECTS, .shape = &step, STABLE, .help = "All steps in order." },
};
static const struct sf_shape plan = {
    "plan_steps", "The steps of the task at hand.", plan_members, SF_COUNT(plan_members),
};

static const struct sf_member agent_members[] = {
    { TEXT("session", head_session), STABLE, .help = "The sub-agent's own session." },
    { INTEGER("depth", agent_depth), STABLE, .help = "1 for an agent of the user's own session." },
    { TEXT("parent", agent_parent), STABLE, .help = "The id of the call that started it." },
};
static const struct sf_shape agent = {
    "agent", "Which sub-agent an object is about.", agent_members, SF_COUNT(agent_members),
};

const struct sf_shape *const sf_event_shapes[] = {
    &axes, &moved, &transition, &goal, &step, &plan, &agent, &response_row, NULL,
};

/* ---- the head of every object ---- */

const struct sf_member sf_event_common[] = {
    { .name = "time", .type = SF_MEMBER_TIME, .integer = head_time, STABLE, .help = "When it happened, RFC 3339 in UTC." },
    { TEXT("session", head_session), STABLE, OR_NULL, .help = "The session it happened in; null where none could be opened." },
    { INTEGER("turn_id", head_turn), STABLE, OR_NULL, .has = in_turn,
      .help = "The turn: the number of the row of the log that began it; null between turns." },
    { INTEGER("message_id", head_message), STABLE, OR_NULL, .has = in_message,
      .help = "The answer it belongs to, counted from 1 in its turn; null before the first." },
    { OBJECT("agent", NULL, &agent), STABLE, OR_MISSING, .has = of_agent, .help = "Which sub-agent it is about." },
};
const size_t sf_event_common_count = SF_COUNT(sf_event_common);

/* ---- the types ---- */

#define CALL_ID   { TEXT("id", call_id), STABLE, .help = "The id of the call." }
#define CALL_NAME { TEXT("name", call_name), STABLE, .help = "The name of the tool." }
#define VERDICT \
    CALL_ID, CALL_NAME, \
    { TEXT("verdict", verdict_answer), STABLE, .choice = choose_answer, .help = "Whether the call may run." }, \
    { TEXT("layer", verdict_layer), STABLE, .choice = choose_layer, .help = "The layer that decided." }, \
    { TEXT("rule", verdict_rule), STABLE, .help = "The rule that decided." }, \
    { TEXT("class", verdict_class), STABLE, .choice = choose_class, .help = "The class of the action." }, \
    { TEXT("reason", verdict_reason), .help = "Why, in words." }, \
    { TEXT("hint", verdict_hint), .help = "What would change the verdict; empty where nothing would." }, \
    { TEXT("cage", verdict_cage), OR_MISSING, .help = "What holds the command, in words." }

static const struct sf_member opened_members[] = {
    { BOOLEAN("resumed", opened_resumed), STABLE, .help = "Whether the session existed before." },
    { TEXT("workspace", opened_workspace), STABLE, .help = "The root of the workspace." },
    { TEXT("provider", opened_provider), STABLE, .help = "The provider of models." },
    { TEXT("model", opened_model), STABLE, OR_NULL, .help = "The concrete model." },
};
static const struct sf_member axes_event_members[] = {
    { OBJECT("axes", axes_itself, &axes), STABLE, .help = "The axes when the run begins." },
};
static const struct sf_member prompt_members[] = {
    { TEXT("text", plain_words), STABLE, .help = "The user's words." },
};
static const struct sf_member text_members[] = {
    { TEXT("text", plain_words), STABLE, .help = "The piece; the pieces of a message follow each other without a gap." },
};
static const struct sf_member call_members[] = {
    CALL_ID, CALL_NAME,
    { .name = "input", .type = SF_MEMBER_OPEN, .object = call_input, .has = has_input, STABLE, OR_MISSING,
      .help = "The arguments, as the tool's schema has them." },
    { TEXT("input_text", call_input_text), STABLE, OR_MISSING, .help = "What the model sent instead, where that is no JSON object." },
};
static const struct sf_member verdict_members[] = { VERDICT };
static const struct sf_member ask_members[] = {
    VERDICT,
    { TEXT("preview", ask_preview), OR_MISSING, .help = "What a revert would change, in words." },
};
static const struct sf_member asked_members[] = {
    CALL_ID, CALL_NAME,
    { TEXT("what", call_what), .help = "What the call is about, or the question, in a line." },
};
static const struct sf_member answered_members[] = { CALL_ID };
static const struct sf_member question_members[] = {
    CALL_ID,
    { TEXT("question", plain_words), STABLE, .help = "The question." },
};
static const struct sf_member output_members[] = {
    CALL_ID,
    { TEXT("text", plain_words), STABLE, .help = "The piece of output; bytes that are no UTF-8 are replaced." },
};
static const struct sf_member result_members[] = {
    CALL_ID, CALL_NAME,
    { BOOLEAN("is_error", result_is_error), STABLE, .help = "Whether the call failed or was refused." },
    { BOOLEAN("refused", result_refused), STABLE, .help = "Whether its verdict was deny, so that it never ran." },
    { TEXT("text", result_text), STABLE, .help = "What the model reads." },
    { TEXT("summary", result_summary), OR_MISSING, .help = "What it came to, in a line." },
    { INTEGER("exit_code", result_exit_code), .has = has_exit_code, STABLE, OR_MISSING, .help = "The exit code of a command." },
    { INTEGER("took_ms", result_took), .has = was_timed, STABLE, OR_MISSING, .help = "How long it ran." },
    { TEXT("diff", result_diff), STABLE, OR_MISSING, .help = "What changed in files, as a unified diff." },
};
static const struct sf_member usage_members[] = {
    { INTEGER("input_tokens", usage_input), STABLE, .help = "Tokens neither read from nor written to a cache." },
    { INTEGER("output_tokens", usage_output), STABLE, .help = "Tokens of the answer." },
    { INTEGER("cache_read_tokens", usage_cache_read), STABLE, .help = "Tokens read from a cache." },
    { INTEGER("cache_write_tokens", usage_cache_write), STABLE, .help = "Tokens written to a cache." },
    { INTEGER("reasoning_tokens", usage_reasoning), STABLE, .help = "Tokens of reasoning, which are part of the answer's." },
    { NUMBER("cost_usd", usage_cost), .has = has_cost, STABLE, OR_NULL, .help = "What the request cost; null where no price is known." },
};
static const struct sf_member retry_members[] = {
    { INTEGER("attempt", retry_attempt), STABLE, .help = "The attempt that failed, from 1." },
    { INTEGER("of", retry_of), STABLE, .help = "How many are made at most." },
    { INTEGER("wait_ms", retry_wait), STABLE, .help = "How long sf waits before the next one." },
    { TEXT("category", retry_category), STABLE, .choice = choose_fault, .help = "What kind of failure it was." },
    { TEXT("message", retry_message), .help = "The failure in words." },
};
static const struct sf_member transition_event_members[] = {
    { OBJECT("transition", transition_itself, &transition), STABLE, .help = "The change." },
    { OBJECT("axes", transition_axes, &axes), STABLE, .help = "The axes it leads to." },
};
static const struct sf_member plan_event_members[] = {
    { OBJECT("plan", plan_itself, &plan), STABLE, .help = "The steps as they are now." },
};
static const struct sf_member submitted_members[] = {
    CALL_ID,
    { TEXT("digest", submitted_digest), STABLE, .help = "The SHA-256 of the text, to which an acceptance is bound." },
    { TEXT("text", submitted_text), STABLE, .help = "The plan, Markdown." },
};
static const struct sf_member goal_event_members[] = {
    { OBJECT("goal", goal_itself, &goal), .has = has_goal, STABLE, OR_NULL, .help = "The goal as it is now; null where it was cleared." },
    { TEXT("text", goal_change), .help = "What changed, in words." },
};
static const struct sf_member compaction_members[] = {
    { INTEGER("before", compacted_before), STABLE, .help = "Tokens of the conversation before, about." },
    { INTEGER("after", compacted_after), STABLE, .help = "Tokens of the conversation now, about." },
    { TEXT("summary", compacted_summary), STABLE, .help = "The summary." },
};
static const struct sf_member notice_members[] = {
    { TEXT("text", notice_text), .help = "The remark, for people." },
    { BOOLEAN("urgent", notice_urgent), STABLE, .help = "Whether somebody should see it even when the session is closing." },
};
static const struct sf_member restored_members[] = {
    { TEXT("text", plain_words), .help = "How many files went back, and which did not, for people." },
};
static const struct sf_member done_members[] = {
    { TEXT("status", done_status), STABLE, .choice = choose_status, .help = "How the turn ended." },
};
static const struct sf_member response_members[] = {
    { TEXT("command", response_command), STABLE, .help = "The name of the command, without the slash; empty where none is meant." },
    { TEXT("kind", response_kind), STABLE, .choice = choose_response, .help = "What the answer is." },
    { BOOLEAN("bad", response_bad), STABLE, .help = "Whether what was asked for was not done." },
    { TEXT("title", response_title), OR_MISSING, .help = "Its title." },
    { TEXT("text", response_text), OR_MISSING, .help = "A sentence, a page of Markdown or a diff." },
    { TEXT("hint", response_hint), OR_MISSING, .help = "What to do about it." },
    { .name = "columns", .type = SF_MEMBER_TEXTS, .object = response_columns, .has = has_columns, STABLE, OR_MISSING, .help = "The names of a table's columns." },
    { .name = "rows", .type = SF_MEMBER_OBJECTS, .shape = &response_row, .object = response_rows, .has = has_rows, STABLE, OR_MISSING, .help = "The rows of a table or a choice." },
};
static const struct sf_member error_members[] = {
    { TEXT("category", error_category), STABLE,
      .help = "The kind of failure: one of those of `retry`, a status of `done`, or `timeout`, `permission`, `start`." },
    { TEXT("limit", error_limit), STABLE, OR_MISSING, .choice = choose_budget, .help = "The limit that was reached." },
    { TEXT("message", error_message), .help = "The failure in words, and what to do." },
};
static const struct sf_member ended_members[] = {
    { TEXT("status", ended_status), STABLE, .choice = choose_status, .help = "How the run ended." },
    { INTEGER("exit_code", ended_exit_code), STABLE, .help = "The exit code of the program." },
    { TEXT("resume", total_resume), .has = has_totals, STABLE, OR_MISSING, .help = "The command that goes on with the session." },
    { TEXT("result", ended_result), STABLE, .help = "The text of the last answer." },
    { TEXT("reason", ended_reason), OR_MISSING, .help = "Why it did not end well, in words." },
    { TEXT("model", total_model), .has = has_totals, STABLE, OR_MISSING, .help = "The model of the last turn." },
    { OBJECT("axes", total_axes, &axes), .has = has_totals, STABLE, OR_MISSING, .help = "The axes at the end." },
    { INTEGER("turns", total_turns), .has = has_totals, STABLE, OR_MISSING, .help = "How many requests were made." },
    { INTEGER("tool_calls", total_calls), .has = has_totals, STABLE, OR_MISSING, .help = "How many calls were made." },
    { INTEGER("input_tokens", total_input), .has = has_totals, STABLE, OR_MISSING, .help = "Tokens sent, those of caches included." },
    { INTEGER("output_tokens", total_output), .has = has_totals, STABLE, OR_MISSING, .help = "Tokens answered." },
    { NUMBER("cost_usd", total_cost), .has = has_total_cost, STABLE, OR_NULL, .help = "What the run cost; null where a price is not known." },
    { INTEGER("duration_ms", total_duration), .has = has_totals, STABLE, OR_MISSING, .help = "How long the run took." },
};

#define MEMBERS(rows) .members = (rows), .count = SF_COUNT(rows)

const struct sf_event_type sf_event_types[] = {
    { "session", "A session was opened; the first line of a run.", SF_EVENT_OPENED, MEMBERS(opened_members) },
    { "axes", "The axes as they are when the run begins.", SF_EVENT_AXES, MEMBERS(axes_event_members) },
    { "prompt", "The user's words; a turn begins.", SF_EVENT_PROMPT, MEMBERS(prompt_members) },
    { "text", "A piece of an answer.", SF_EVENT_TEXT, MEMBERS(text_members) },
    { "reasoning", "A piece of the model's reasoning.", SF_EVENT_REASONING, MEMBERS(text_members) },
    { "restart", "The pieces of this message so far are void: the request is made again.", SF_EVENT_RESTART, .count = 0 },
    { "message_end", "The pieces of this message are all of it, and it is in the log.", SF_EVENT_MESSAGE_END, .count = 0 },
    { "tool_use", "A call begins.", SF_EVENT_CALL, MEMBERS(call_members) },
    { "verdict", "The call was judged.", SF_EVENT_VERDICT, MEMBERS(verdict_members) },
    { "ask", "Somebody is asked whether the call may run.", SF_EVENT_ASK, MEMBERS(ask_members) },
    { "amended", "The user changed the call, and it was judged anew.", SF_EVENT_AMENDED, MEMBERS(verdict_members) },
    { "asked", "Somebody is being asked about the call, here or in another process.", SF_EVENT_ASKED, MEMBERS(asked_members) },
    { "answered", "Nobody is being asked about the call any more.", SF_EVENT_ANSWERED, MEMBERS(answered_members) },
    { "question", "The model asks the user something.", SF_EVENT_QUESTION, MEMBERS(question_members) },
    { "tool_output", "A piece of what a running command prints.", SF_EVENT_OUTPUT, MEMBERS(output_members) },
    { "tool_result", "The call is over; every `tool_use` has one.", SF_EVENT_RESULT, MEMBERS(result_members) },
    { "usage", "What one request used.", SF_EVENT_USAGE, MEMBERS(usage_members) },
    { "retry", "A request failed and is made again.", SF_EVENT_RETRY, MEMBERS(retry_members) },
    { "transition", "The axes changed, or a change was refused.", SF_EVENT_TRANSITION, MEMBERS(transition_event_members) },
    { "plan", "The list of steps changed.", SF_EVENT_PLAN, MEMBERS(plan_event_members) },
    { "plan_submitted", "A plan waits to be accepted.", SF_EVENT_SUBMITTED, MEMBERS(submitted_members) },
    { "goal", "The goal changed.", SF_EVENT_GOAL, MEMBERS(goal_event_members) },
    { "compaction", "The conversation became a summary.", SF_EVENT_COMPACTED, MEMBERS(compaction_members) },
    { "steer", "Words said during the turn wait to become part of it.", SF_EVENT_STEER, MEMBERS(prompt_members) },
    { "steered", "Words said during the turn became part of it.", SF_EVENT_STEERED, MEMBERS(prompt_members) },
    { "restored", "Files went back to what they were before.", SF_EVENT_RESTORED, MEMBERS(restored_members) },
    { "notice", "A remark of sf's, for people.", SF_EVENT_NOTICE, MEMBERS(notice_members) },
    { "turn_end", "A turn of the session is over.", SF_EVENT_DONE, MEMBERS(done_members) },
    { "agent_done", "A sub-agent's turn is over.", SF_EVENT_DONE, .of_agents = true, MEMBERS(done_members) },
    { "response", "What a command answered.", SF_EVENT_RESPONSE, MEMBERS(response_members) },
    { "error", "Why the run did not come to a good end; `done` follows.", SF_EVENT_ERROR, MEMBERS(error_members) },
    { "done", "The run is over; the last line, and the only one of `--output-format json`.", SF_EVENT_ENDED, MEMBERS(ended_members) },
};
const size_t sf_event_type_count = SF_COUNT(sf_event_types);
/* clang-format on */
