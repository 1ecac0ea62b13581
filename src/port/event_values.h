/*
 * event_values: where the members of an object get their values, for the rows of event_table.c.
 * Private to this room.
 */
#ifndef SF_PORT_EVENT_VALUES_H
#define SF_PORT_EVENT_VALUES_H

#include "port/event_table.h"

/* ---- values of the head ---- */

sf_event_boolean_fn sf_value_in_turn, sf_value_in_message, sf_value_of_agent;
sf_event_integer_fn sf_value_head_time, sf_value_head_turn, sf_value_head_message,
    sf_value_agent_depth;
sf_event_text_fn sf_value_head_session, sf_value_agent_parent;

/* ---- values of responses ---- */

sf_event_text_fn sf_value_response_command, sf_value_response_part, sf_value_response_kind,
    sf_value_response_title, sf_value_response_text, sf_value_response_hint;
sf_event_boolean_fn sf_value_response_bad, sf_value_response_editable, sf_value_response_secret,
    sf_value_has_columns, sf_value_has_values, sf_value_has_rows;
sf_event_object_fn sf_value_response_columns, sf_value_response_values, sf_value_response_rows;
sf_event_choice_fn sf_choice_response;

/* ---- values of input ---- */

sf_event_integer_fn sf_value_input_line;
sf_event_text_fn sf_value_input_id, sf_value_input_kind, sf_value_input_status,
    sf_value_input_message, sf_value_input_hint;
sf_event_choice_fn sf_choice_input;

/* ---- values of calls ---- */

sf_event_text_fn sf_value_call_id, sf_value_call_name, sf_value_call_what, sf_value_call_input_text,
    sf_value_verdict_answer, sf_value_verdict_layer, sf_value_verdict_rule, sf_value_verdict_class,
    sf_value_verdict_reason, sf_value_verdict_hint, sf_value_verdict_cage, sf_value_ask_preview,
    sf_value_ask_diff, sf_value_result_text, sf_value_result_summary, sf_value_result_diff;
sf_event_boolean_fn sf_value_has_input, sf_value_result_is_error, sf_value_has_exit_code,
    sf_value_was_timed, sf_value_result_refused;
sf_event_boolean_fn sf_value_has_losses;
sf_event_object_fn sf_value_call_input, sf_value_ask_losses, sf_value_ask_replies;
sf_event_integer_fn sf_value_result_exit_code, sf_value_result_took;

/* ---- values of the rest ---- */

sf_event_text_fn sf_value_plain_words, sf_value_notice_text, sf_value_run_what, sf_value_run_task,
    sf_value_run_text, sf_value_run_way_out, sf_value_retry_category, sf_value_retry_message,
    sf_value_submitted_digest, sf_value_submitted_text, sf_value_goal_change,
    sf_value_compacted_summary, sf_value_done_status, sf_value_done_category, sf_value_done_message;
sf_event_boolean_fn sf_value_notice_urgent, sf_value_has_cost, sf_value_has_goal;
sf_event_integer_fn sf_value_usage_input, sf_value_usage_output, sf_value_usage_cache_read,
    sf_value_usage_cache_write, sf_value_usage_reasoning, sf_value_retry_attempt, sf_value_retry_of,
    sf_value_retry_wait, sf_value_compacted_before, sf_value_compacted_after;
sf_event_number_fn sf_value_usage_cost;
sf_event_object_fn sf_value_transition_itself, sf_value_transition_axes, sf_value_plan_itself,
    sf_value_review_itself, sf_value_goal_itself;

/* ---- values of a run ---- */

sf_event_boolean_fn sf_value_opened_resumed, sf_value_has_totals, sf_value_has_total_cost,
    sf_value_has_refusals, sf_value_has_structured, sf_value_has_resume;
sf_event_text_fn sf_value_opened_workspace, sf_value_opened_provider, sf_value_opened_model,
    sf_value_error_category, sf_value_error_limit, sf_value_error_message, sf_value_ended_status,
    sf_value_ended_result, sf_value_ended_reason, sf_value_ended_verification,
    sf_value_axes_approval, sf_value_total_approval, sf_value_total_resume, sf_value_total_model;
sf_event_object_fn sf_value_axes_itself, sf_value_total_axes, sf_value_ended_refusals,
    sf_value_ended_structured;
sf_event_integer_fn sf_value_ended_exit_code, sf_value_total_turns, sf_value_total_calls,
    sf_value_total_input, sf_value_total_output, sf_value_total_duration;
sf_event_number_fn sf_value_total_cost;

/* ---- the only values of a text ---- */

sf_event_choice_fn sf_choice_status, sf_choice_proof, sf_choice_approval, sf_choice_actor,
    sf_choice_when, sf_choice_outcome, sf_choice_goal_status, sf_choice_answer, sf_choice_layer,
    sf_choice_class, sf_choice_fault, sf_choice_budget, sf_choice_step, sf_choice_severity,
    sf_choice_spot, sf_choice_review, sf_choice_work, sf_choice_control, sf_choice_profile,
    sf_choice_model_mode, sf_choice_surface;

#endif
