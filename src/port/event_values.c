/*
 * event_values.c: how the value of each member is found in an event, one small function each. The
 * rows that name these functions are in event_table.c.
 */
#include "port/event_values.h"

#include <string.h>

#include "port/dialogue.h"
#include "port/event_words.h"
#include "port/incoming.h"
#include "port/overview.h"
#include "port/response.h"
#include "verify/verify.h"

static struct sf_event_words words_of(const char *text)
{
    return (struct sf_event_words){ text, text ? strlen(text) : 0 };
}

/* Functions that only read a field of the event, or a text that an expression names. */

#define INTEGER_OF(function, field)            \
    int64_t function(const struct sf_event *e) \
    {                                          \
        return e->field;                       \
    }

#define BOOLEAN_OF(function, field)         \
    bool function(const struct sf_event *e) \
    {                                       \
        return e->field;                    \
    }

#define TEXT_OF(function, expression)                        \
    struct sf_event_words function(const struct sf_event *e) \
    {                                                        \
        return words_of(expression);                         \
    }

#define WORDS_OF(function, field, len_field)                      \
    struct sf_event_words function(const struct sf_event *e)      \
    {                                                             \
        return (struct sf_event_words){ e->field, e->len_field }; \
    }

/* ---- values of the head ---- */

bool sf_value_in_turn(const struct sf_event *e)
{
    return e->turn > 0;
}

bool sf_value_in_message(const struct sf_event *e)
{
    return e->turn > 0 && e->message > 0;
}

bool sf_value_of_agent(const struct sf_event *e)
{
    return e->depth > 0;
}

INTEGER_OF(sf_value_head_time, time_ms)
TEXT_OF(sf_value_head_session, e->session)
INTEGER_OF(sf_value_head_turn, turn)
INTEGER_OF(sf_value_head_message, message)
INTEGER_OF(sf_value_agent_depth, depth)
TEXT_OF(sf_value_agent_parent, e->parent)

/* ---- values of responses ---- */

TEXT_OF(sf_value_response_command, e->response->command)
TEXT_OF(sf_value_response_part, *e->response->part ? e->response->part : NULL)
BOOLEAN_OF(sf_value_response_editable, response->editable)
BOOLEAN_OF(sf_value_response_secret, response->secret)
TEXT_OF(sf_value_response_kind, sf_response_kinds[e->response->kind])

bool sf_value_response_bad(const struct sf_event *e)
{
    return e->response->bad || e->response->kind == SF_RESPONSE_ERROR ||
           e->response->kind == SF_RESPONSE_SCREEN; /* No screen reads this. */
}

TEXT_OF(sf_value_response_title, *e->response->title ? e->response->title : NULL)

struct sf_event_words sf_value_response_text(const struct sf_event *e)
{
    const struct sf_strbuf *text = &e->response->text;

    return (struct sf_event_words){ text->len ? text->buf : NULL, text->len };
}

TEXT_OF(sf_value_response_hint, *e->response->hint ? e->response->hint : NULL)

bool sf_value_has_columns(const struct sf_event *e)
{
    return e->response->columns != NULL;
}

static void write_names(const char *const *names, struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    for (size_t i = 0; names[i]; i++)
        sf_jw_str(w, names[i]);
    sf_jw_array_end(w);
}

void sf_value_response_columns(const struct sf_event *e, struct sf_json_writer *w)
{
    write_names(e->response->columns, w);
}

bool sf_value_has_values(const struct sf_event *e)
{
    return e->response->values != NULL;
}

void sf_value_response_values(const struct sf_event *e, struct sf_json_writer *w)
{
    write_names(e->response->values, w);
}

bool sf_value_has_rows(const struct sf_event *e)
{
    return e->response->kind == SF_RESPONSE_TABLE || e->response->kind == SF_RESPONSE_CHOICE ||
           e->response->count;
}

void sf_value_response_rows(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_response_rows_json(e->response, w);
}

const char *sf_choice_response(size_t index)
{
    return sf_response_kinds[index];
}

/* ---- values of input ---- */

INTEGER_OF(sf_value_input_line, input.line)
TEXT_OF(sf_value_input_id, e->input.id)
TEXT_OF(sf_value_input_kind, e->input.kind)
TEXT_OF(sf_value_input_status, sf_input_status_names[e->input.status])
TEXT_OF(sf_value_input_message, e->input.message)
TEXT_OF(sf_value_input_hint, e->input.hint)

/* ---- values of calls ---- */

TEXT_OF(sf_value_call_id, e->call->id)
TEXT_OF(sf_value_call_name, e->call->name)
TEXT_OF(sf_value_call_what, e->call->what)

static struct sf_json *parse_input(const struct sf_event *e)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(e->call->args, e->call->len, NULL, &ignored);

    if (json && sf_json_type(json) == SF_JSON_OBJECT)
        return json;
    sf_json_free(json);
    return NULL;
}

bool sf_value_has_input(const struct sf_event *e)
{
    struct sf_json *json = parse_input(e);

    sf_json_free(json);
    return json != NULL;
}

void sf_value_call_input(const struct sf_event *e, struct sf_json_writer *w)
{
    struct sf_json *json = parse_input(e);

    sf_jw_json(w, json);
    sf_json_free(json);
}

struct sf_event_words sf_value_call_input_text(const struct sf_event *e)
{
    return sf_value_has_input(e) ? words_of(NULL)
                                 : (struct sf_event_words){ e->call->args, e->call->len };
}

static const struct sf_judged *judged_of(const struct sf_event *e)
{
    return e->kind == SF_EVENT_ASK ? e->ask.judged : e->verdict.judged;
}

static const struct sf_verdict *verdict_of(const struct sf_event *e)
{
    return &judged_of(e)->verdict;
}

TEXT_OF(sf_value_verdict_answer, sf_answer_names[verdict_of(e)->answer])
TEXT_OF(sf_value_verdict_layer, sf_guard_layers[verdict_of(e)->layer].name)
TEXT_OF(sf_value_verdict_rule, verdict_of(e)->rule)
TEXT_OF(sf_value_verdict_class, sf_matrix[verdict_of(e)->kind].name)
TEXT_OF(sf_value_verdict_reason, verdict_of(e)->reason)
TEXT_OF(sf_value_verdict_hint, verdict_of(e)->hint)
TEXT_OF(sf_value_verdict_cage, judged_of(e)->cage)
TEXT_OF(sf_value_ask_preview, e->ask.preview)
WORDS_OF(sf_value_ask_diff, ask.planned.text, ask.planned.len)

bool sf_value_has_losses(const struct sf_event *e)
{
    for (int i = 0; e->ask.losses && i < SF_LOSS_COUNT; i++)
        if (e->ask.losses->text[i])
            return true;
    return false;
}

void sf_value_ask_losses(const struct sf_event *e, struct sf_json_writer *w)
{
    const struct sf_losses *losses = e->ask.losses;

    sf_jw_array_begin(w);
    for (int i = 0; i < SF_LOSS_COUNT; i++)
        if (losses->text[i])
            sf_jw_str(w, losses->text[i]);
    sf_jw_array_end(w);
}

void sf_value_ask_replies(const struct sf_event *e, struct sf_json_writer *w)
{
    struct sf_strbuf kept = SF_STRBUF_INIT;
    bool confirm = e->ask.judged->verdict.confirm, keeps = sf_ask_keeps(&e->ask, &kept);

    sf_jw_array_begin(w);
    sf_jw_str(w, sf_line_replies[confirm ? SF_LINE_REPLY_SURE : SF_LINE_REPLY_ONCE]);
    for (int i = SF_LINE_REPLY_SESSION; i <= SF_LINE_REPLY_STOP; i++)
        if (i >= SF_LINE_REPLY_DENY || (keeps && !confirm))
            sf_jw_str(w, sf_line_replies[i]);
    sf_jw_array_end(w);
    sf_strbuf_release(&kept);
}

BOOLEAN_OF(sf_value_result_is_error, result.tool->is_error)
WORDS_OF(sf_value_result_text, result.tool->text.buf, result.tool->text.len)
TEXT_OF(sf_value_result_summary, e->result.tool->summary)

bool sf_value_has_exit_code(const struct sf_event *e)
{
    return e->result.tool->exit_code >= 0;
}

INTEGER_OF(sf_value_result_exit_code, result.tool->exit_code)

struct sf_event_words sf_value_result_diff(const struct sf_event *e)
{
    const struct sf_strbuf *diff = &e->result.tool->diff;

    return (struct sf_event_words){ diff->len ? diff->buf : NULL, diff->len };
}

bool sf_value_was_timed(const struct sf_event *e)
{
    return e->result.took_ms >= 0;
}

INTEGER_OF(sf_value_result_took, result.took_ms)
BOOLEAN_OF(sf_value_result_refused, result.refused)

/* ---- values of the rest ---- */

struct sf_event_words sf_value_plain_words(const struct sf_event *e)
{
    return e->words;
}

WORDS_OF(sf_value_notice_text, notice.text, notice.len)
TEXT_OF(sf_value_run_what, e->run.what)
TEXT_OF(sf_value_run_task, e->run.task)
WORDS_OF(sf_value_run_text, run.text, run.len)
TEXT_OF(sf_value_run_way_out, e->run.way_out)
BOOLEAN_OF(sf_value_notice_urgent, notice.urgent)
INTEGER_OF(sf_value_usage_input, usage.tokens->input)
INTEGER_OF(sf_value_usage_output, usage.tokens->output)
INTEGER_OF(sf_value_usage_cache_read, usage.tokens->cache_read)
INTEGER_OF(sf_value_usage_cache_write, usage.tokens->cache_write)
INTEGER_OF(sf_value_usage_reasoning, usage.tokens->reasoning)

bool sf_value_has_cost(const struct sf_event *e)
{
    return e->usage.cost >= 0;
}

double sf_value_usage_cost(const struct sf_event *e)
{
    return (double)e->usage.cost / 1e6;
}

INTEGER_OF(sf_value_retry_attempt, retry->attempt)
INTEGER_OF(sf_value_retry_of, retry->of)
INTEGER_OF(sf_value_retry_wait, retry->wait_ms)
TEXT_OF(sf_value_retry_category, sf_faults[e->retry->why->fault].name)
TEXT_OF(sf_value_retry_message, e->retry->why->message)

void sf_value_transition_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_transition_json(e->transition, w);
}

void sf_value_transition_axes(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_mode_state_json(&e->transition->to, w);
}

void sf_value_plan_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_jw_raw(w, e->words.text, e->words.len);
}

void sf_value_review_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_jw_raw(w, e->words.text, e->words.len);
}

TEXT_OF(sf_value_submitted_digest, e->submitted.digest)
WORDS_OF(sf_value_submitted_text, submitted.text, submitted.len)
BOOLEAN_OF(sf_value_has_goal, goal.now->set)

void sf_value_goal_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_goal_json(e->goal.now, w);
}

WORDS_OF(sf_value_goal_change, goal.change, goal.len)
INTEGER_OF(sf_value_compacted_before, compacted.before)
INTEGER_OF(sf_value_compacted_after, compacted.after)
WORDS_OF(sf_value_compacted_summary, compacted.summary, compacted.len)
TEXT_OF(sf_value_done_status, sf_turn_status_names[e->done.status])

static const struct sf_wire_error *fault_of(const struct sf_event *e)
{
    const struct sf_wire_error *error = e->done.error;

    return e->done.status == SF_TURN_FAILED && error && error->fault ? error : NULL;
}

TEXT_OF(sf_value_done_category, fault_of(e) ? sf_faults[fault_of(e)->fault].name : NULL)
TEXT_OF(sf_value_done_message, fault_of(e) ? fault_of(e)->message : NULL)

/* ---- values of a run ---- */

BOOLEAN_OF(sf_value_opened_resumed, opened.resumed)
TEXT_OF(sf_value_opened_workspace, e->opened.workspace)
TEXT_OF(sf_value_opened_provider, e->opened.provider)
TEXT_OF(sf_value_opened_model, e->opened.model)

void sf_value_axes_itself(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_mode_state_json(e->axes.state, w);
}

TEXT_OF(sf_value_error_category, e->error.category)
TEXT_OF(sf_value_error_limit, e->error.limit)
TEXT_OF(sf_value_error_message, e->error.message)
TEXT_OF(sf_value_ended_status, sf_turn_status_names[e->ended.status])
INTEGER_OF(sf_value_ended_exit_code, ended.exit_code)
WORDS_OF(sf_value_ended_result, ended.result, ended.len)
TEXT_OF(sf_value_ended_reason, e->ended.reason)
TEXT_OF(sf_value_ended_verification, e->ended.verification)

bool sf_value_has_refusals(const struct sf_event *e)
{
    return e->ended.refusals && e->ended.refusals->count;
}

void sf_value_ended_refusals(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    for (size_t i = 0; i < e->ended.refusals->count; i++)
        sf_jw_str(w, e->ended.refusals->items[i]);
    sf_jw_array_end(w);
}

bool sf_value_has_structured(const struct sf_event *e)
{
    return e->ended.structured != NULL;
}

void sf_value_ended_structured(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_jw_raw(w, e->ended.structured, strlen(e->ended.structured));
}

bool sf_value_has_resume(const struct sf_event *e)
{
    return e->ended.totals && e->ended.totals->resume;
}

bool sf_value_has_totals(const struct sf_event *e)
{
    return e->ended.totals != NULL;
}

TEXT_OF(sf_value_total_resume, e->ended.totals->resume)
TEXT_OF(sf_value_axes_approval, e->axes.approval)
TEXT_OF(sf_value_total_approval, e->ended.totals->axes.approval)
TEXT_OF(sf_value_total_model, e->ended.totals->model)

void sf_value_total_axes(const struct sf_event *e, struct sf_json_writer *w)
{
    sf_mode_state_json(e->ended.totals->axes.state, w);
}

INTEGER_OF(sf_value_total_turns, ended.totals->turns)
INTEGER_OF(sf_value_total_calls, ended.totals->calls)
INTEGER_OF(sf_value_total_input, ended.totals->tokens_in)
INTEGER_OF(sf_value_total_output, ended.totals->tokens_out)

bool sf_value_has_total_cost(const struct sf_event *e)
{
    return e->ended.totals && e->ended.totals->cost >= 0;
}

double sf_value_total_cost(const struct sf_event *e)
{
    return (double)e->ended.totals->cost / 1e6;
}

INTEGER_OF(sf_value_total_duration, ended.totals->duration_ms)

/* ---- the only values of a text ---- */

#define CHOICE_OF(function, names)     \
    const char *function(size_t index) \
    {                                  \
        return (names)[index];         \
    }

CHOICE_OF(sf_choice_status, sf_turn_status_names)
CHOICE_OF(sf_choice_input, sf_input_status_names)
CHOICE_OF(sf_choice_proof, sf_proof_names)
CHOICE_OF(sf_choice_approval, sf_approval_mode_names)
CHOICE_OF(sf_choice_actor, sf_actor_names)
CHOICE_OF(sf_choice_when, sf_when_names)
CHOICE_OF(sf_choice_outcome, sf_outcome_names)
CHOICE_OF(sf_choice_goal_status, sf_goal_status_names)
CHOICE_OF(sf_choice_severity, sf_severity_names)
CHOICE_OF(sf_choice_spot, sf_finding_spot_names)
CHOICE_OF(sf_choice_review, sf_review_verdict_names)

const char *sf_choice_answer(size_t index)
{
    return index <= SF_DENY ? sf_answer_names[index] : NULL;
}

const char *sf_choice_layer(size_t index)
{
    return index < SF_GUARD_LAST ? sf_guard_layers[index + 1].name : NULL;
}

const char *sf_choice_class(size_t index)
{
    return index < SF_ROW_COUNT ? sf_matrix[index].name : NULL;
}

const char *sf_choice_fault(size_t index)
{
    return index < SF_FAULT_CANCELLED ? sf_faults[index + 1].name : NULL;
}

const char *sf_choice_budget(size_t index)
{
    return index < SF_BUDGET_COUNT ? sf_budgets[index].name : NULL;
}

const char *sf_choice_step(size_t index)
{
    return sf_todo_states[index];
}

static const char *choose_axis(enum sf_axis axis, size_t index)
{
    return index < (size_t)sf_axes[axis].count ? sf_axes[axis].names[index] : NULL;
}

const char *sf_choice_work(size_t index)
{
    return choose_axis(SF_AXIS_WORK, index);
}

const char *sf_choice_control(size_t index)
{
    return choose_axis(SF_AXIS_CONTROL, index);
}

const char *sf_choice_profile(size_t index)
{
    return choose_axis(SF_AXIS_PROFILE, index);
}

const char *sf_choice_model_mode(size_t index)
{
    return choose_axis(SF_AXIS_MODEL, index);
}

const char *sf_choice_surface(size_t index)
{
    return choose_axis(SF_AXIS_SURFACE, index);
}
