/*
 * event_table.c: the rows: each type of object with its members. The sentence of a row stands in the
 * documents as it stands here; event_values.c finds the values.
 */
#include "port/event_table.h"

#include "port/event_values.h"

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
    { TEXT("workMode", NULL), STABLE, .choice = sf_choice_work, .help = "What the agent is doing." },      \
    { TEXT("runControl", NULL), STABLE, .choice = sf_choice_control, .help = "Who drives." },              \
    { TEXT("permissionProfile", NULL), STABLE, .choice = sf_choice_profile,                                \
      .help = "What may happen unasked." },                                                             \
    { TEXT("modelMode", NULL), STABLE, .choice = sf_choice_model_mode, .help = "How hard it thinks." }

static const struct sf_member axes_members[] = {
    FOUR_AXES,
    { TEXT("surface", NULL), STABLE, .choice = sf_choice_surface, .help = "Where the user sits." },
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
    { TEXT("scope", NULL), STABLE, .choice = sf_choice_when, .help = "When it takes effect." },
    { TEXT("sessionId", NULL), STABLE, .help = "The session it belongs to." },
    { TEXT("actor", NULL), STABLE, .choice = sf_choice_actor, .help = "Who asked for it." },
    { INTEGER("id", NULL), STABLE, .help = "Its number among the transitions; 0 for one that another process made." },
    { TEXT("outcome", NULL), STABLE, .choice = sf_choice_outcome, .help = "What became of it." },
    { .name = "supersedes", .type = SF_MEMBER_INTEGERS, STABLE, OR_MISSING, .help = "The transitions whose place it took." },
    { INTEGER("supersededBy", NULL), STABLE, OR_MISSING, .help = "The transition that took its place." },
    { INTEGER("reverts", NULL), STABLE, OR_MISSING, .help = "The transition whose one unit is over." },
    { TEXT("note", NULL), OR_MISSING, .help = "Why it was refused, in words." },
};
static const struct sf_member response_row_members[] = {
    { TEXT("value", NULL), STABLE, OR_MISSING, .help = "What the row stands for, as the command takes it." },
    { BOOLEAN("heading", NULL), STABLE, OR_MISSING, .help = "Whether it stands between rows and has one cell." },
    { BOOLEAN("current", NULL), STABLE, OR_MISSING, .help = "Whether it is what is in force." },
    { TEXT("time", NULL), OR_MISSING, .help = "The instant whose age one of its cells shows." },
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
    { TEXT("status", NULL), STABLE, .choice = sf_choice_goal_status, .help = "Where it stands." },
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
    { TEXT("status", NULL), STABLE, .choice = sf_choice_step, .help = "Where it stands." },
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

static const struct sf_member finding_members[] = {
    { TEXT("file", NULL), STABLE, .help = "The path, from the workspace's root." },
    { INTEGER("line", NULL), STABLE, .help = "The line, from 1; 0 for the whole file." },
    { INTEGER("end_line", NULL), STABLE, .help = "The last line, where there are several; otherwise the same." },
    { TEXT("severity", NULL), STABLE, .choice = sf_choice_severity, .help = "How bad it is." },
    { TEXT("title", NULL), STABLE, .help = "What is wrong, in a line." },
    { TEXT("explanation", NULL), STABLE, .help = "Why, and what makes it fail." },
    { TEXT("suggestion", NULL), STABLE, OR_MISSING, .help = "What to do about it." },
    { TEXT("context", NULL), OR_MISSING, .help = "The lines around the place, with their numbers, for people." },
    { TEXT("place", NULL), STABLE, .choice = sf_choice_spot,
      .help = "Where the place was found: in the diff, elsewhere in a file, nowhere, or not looked up." },
};
static const struct sf_shape finding = {
    "finding", "One fault that a review found.", finding_members, SF_COUNT(finding_members),
};

static const struct sf_member review_members[] = {
    { TEXT("what", NULL), .help = "What is reviewed, in words." },
    { TEXT("verdict", NULL), STABLE, .choice = sf_choice_review,
      .help = "What came of it; a change that is not reviewed, or in part, is not clean." },
    { TEXT("reason", NULL), OR_MISSING, .help = "Why it was not reviewed, in words." },
    { TEXT("summary", NULL), OR_MISSING, .help = "The reviewer's own words about it." },
    { TEXT("fail_on", NULL), STABLE, .choice = sf_choice_severity, .help = "From this severity on a run fails." },
    { .name = "findings", .type = SF_MEMBER_OBJECTS, .shape = &finding, STABLE, .help = "By severity, then by place." },
    { INTEGER("unseen_count", NULL), STABLE, OR_MISSING, .help = "How many changed files the reviewer saw no line of; missing: none." },
    { .name = "unseen", .type = SF_MEMBER_TEXTS, STABLE, OR_MISSING, .help = "Their paths, or those of the first hundred." },
};
static const struct sf_shape review = {
    "review_report", "The report of a review.", review_members, SF_COUNT(review_members),
};

static const struct sf_member agent_members[] = {
    { TEXT("session", sf_value_head_session), STABLE, .help = "The sub-agent's own session." },
    { INTEGER("depth", sf_value_agent_depth), STABLE, .help = "1 for an agent of the user's own session." },
    { TEXT("parent", sf_value_agent_parent), STABLE, .help = "The id of the call that started it." },
};
static const struct sf_shape agent = {
    "agent", "Which sub-agent an object is about.", agent_members, SF_COUNT(agent_members),
};

const struct sf_shape *const sf_event_shapes[] = {
    &axes, &moved, &transition, &goal, &step, &plan, &finding, &review, &agent, &response_row, NULL,
};

/* ---- the head of every object ---- */

const struct sf_member sf_event_common[] = {
    { .name = "time", .type = SF_MEMBER_TIME, .integer = sf_value_head_time, STABLE, .help = "When it happened, RFC 3339 in UTC." },
    { TEXT("session", sf_value_head_session), STABLE, OR_NULL, .help = "The session it happened in; null where none could be opened." },
    { INTEGER("turn_id", sf_value_head_turn), STABLE, OR_NULL, .has = sf_value_in_turn,
      .help = "The turn: the number of the row of the log that began it; null between turns." },
    { INTEGER("message_id", sf_value_head_message), STABLE, OR_NULL, .has = sf_value_in_message,
      .help = "The answer it belongs to, counted from 1 in its turn; null before the first." },
    { OBJECT("agent", NULL, &agent), STABLE, OR_MISSING, .has = sf_value_of_agent, .help = "Which sub-agent it is about." },
};
const size_t sf_event_common_count = SF_COUNT(sf_event_common);

/* ---- the types ---- */

#define CALL_ID   { TEXT("id", sf_value_call_id), STABLE, .help = "The id of the call." }
#define CALL_NAME { TEXT("name", sf_value_call_name), STABLE, .help = "The name of the tool." }
#define VERDICT \
    CALL_ID, CALL_NAME, \
    { TEXT("verdict", sf_value_verdict_answer), STABLE, .choice = sf_choice_answer, .help = "Whether the call may run." }, \
    { TEXT("layer", sf_value_verdict_layer), STABLE, .choice = sf_choice_layer, .help = "The layer that decided." }, \
    { TEXT("rule", sf_value_verdict_rule), STABLE, .help = "The rule that decided." }, \
    { TEXT("class", sf_value_verdict_class), STABLE, .choice = sf_choice_class, .help = "The class of the action." }, \
    { TEXT("reason", sf_value_verdict_reason), .help = "Why, in words." }, \
    { TEXT("hint", sf_value_verdict_hint), .help = "What would change the verdict; empty where nothing would." }, \
    { TEXT("cage", sf_value_verdict_cage), OR_MISSING, .help = "What holds the command, in words." }

static const struct sf_member opened_members[] = {
    { BOOLEAN("resumed", sf_value_opened_resumed), STABLE, .help = "Whether the session existed before." },
    { TEXT("workspace", sf_value_opened_workspace), STABLE, .help = "The root of the workspace." },
    { TEXT("provider", sf_value_opened_provider), STABLE, .help = "The provider of models." },
    { TEXT("model", sf_value_opened_model), STABLE, OR_NULL, .help = "The concrete model." },
};
static const struct sf_member axes_event_members[] = {
    { OBJECT("axes", sf_value_axes_itself, &axes), STABLE, .help = "The axes when the run begins." },
    { TEXT("approval_mode", sf_value_axes_approval), STABLE, .choice = sf_choice_approval,
      .help = "Whether questions are asked, whatever the profile says." },
};
static const struct sf_member prompt_members[] = {
    { TEXT("text", sf_value_plain_words), STABLE, .help = "The user's words." },
};
static const struct sf_member text_members[] = {
    { TEXT("text", sf_value_plain_words), STABLE, .help = "The piece; the pieces of a message follow each other without a gap." },
};
static const struct sf_member call_members[] = {
    CALL_ID, CALL_NAME,
    { .name = "input", .type = SF_MEMBER_OPEN, .object = sf_value_call_input, .has = sf_value_has_input, STABLE, OR_MISSING,
      .help = "The arguments, as the tool's schema has them." },
    { TEXT("input_text", sf_value_call_input_text), STABLE, OR_MISSING, .help = "What the model sent instead, where that is no JSON object." },
};
static const struct sf_member verdict_members[] = { VERDICT };
static const struct sf_member ask_members[] = {
    VERDICT,
    { TEXT("preview", sf_value_ask_preview), OR_MISSING, .help = "What a revert would change, in words." },
    { TEXT("diff", sf_value_ask_diff), STABLE, OR_MISSING, .help = "The planned change of a file, as a unified diff." },
    { .name = "losses", .type = SF_MEMBER_TEXTS, .object = sf_value_ask_losses, .has = sf_value_has_losses, OR_MISSING, .help = "What a destructive call would delete, in words." },
    { .name = "replies", .type = SF_MEMBER_TEXTS, .object = sf_value_ask_replies, STABLE, .help = "How a line of the type `answer` may answer it." },
};
static const struct sf_member asked_members[] = {
    CALL_ID, CALL_NAME,
    { TEXT("what", sf_value_call_what), .help = "What the call is about, or the question, in a line." },
};
static const struct sf_member answered_members[] = { CALL_ID };
static const struct sf_member question_members[] = {
    CALL_ID,
    { TEXT("question", sf_value_plain_words), STABLE, .help = "The question." },
};
static const struct sf_member output_members[] = {
    CALL_ID,
    { TEXT("text", sf_value_plain_words), STABLE, .help = "The piece of output; bytes that are no UTF-8 are replaced." },
};
static const struct sf_member result_members[] = {
    CALL_ID, CALL_NAME,
    { BOOLEAN("is_error", sf_value_result_is_error), STABLE, .help = "Whether the call failed or was refused." },
    { BOOLEAN("refused", sf_value_result_refused), STABLE, .help = "Whether its verdict was deny, so that it never ran." },
    { TEXT("text", sf_value_result_text), STABLE, .help = "What the model reads." },
    { TEXT("summary", sf_value_result_summary), OR_MISSING, .help = "What it came to, in a line." },
    { INTEGER("exit_code", sf_value_result_exit_code), .has = sf_value_has_exit_code, STABLE, OR_MISSING, .help = "The exit code of a command." },
    { INTEGER("took_ms", sf_value_result_took), .has = sf_value_was_timed, STABLE, OR_MISSING, .help = "How long it ran." },
    { TEXT("diff", sf_value_result_diff), STABLE, OR_MISSING, .help = "What changed in files, as a unified diff." },
};
static const struct sf_member usage_members[] = {
    { INTEGER("input_tokens", sf_value_usage_input), STABLE, .help = "Tokens neither read from nor written to a cache." },
    { INTEGER("output_tokens", sf_value_usage_output), STABLE, .help = "Tokens of the answer." },
    { INTEGER("cache_read_tokens", sf_value_usage_cache_read), STABLE, .help = "Tokens read from a cache." },
    { INTEGER("cache_write_tokens", sf_value_usage_cache_write), STABLE, .help = "Tokens written to a cache." },
    { INTEGER("reasoning_tokens", sf_value_usage_reasoning), STABLE, .help = "Tokens of reasoning, which are part of the answer's." },
    { NUMBER("cost_usd", sf_value_usage_cost), .has = sf_value_has_cost, STABLE, OR_NULL, .help = "What the request cost; null where no price is known." },
};
static const struct sf_member retry_members[] = {
    { INTEGER("attempt", sf_value_retry_attempt), STABLE, .help = "The attempt that failed, from 1." },
    { INTEGER("of", sf_value_retry_of), STABLE, .help = "How many are made at most." },
    { INTEGER("wait_ms", sf_value_retry_wait), STABLE, .help = "How long sf waits before the next one." },
    { TEXT("category", sf_value_retry_category), STABLE, .choice = sf_choice_fault, .help = "What kind of failure it was." },
    { TEXT("message", sf_value_retry_message), .help = "The failure in words." },
};
static const struct sf_member transition_event_members[] = {
    { OBJECT("transition", sf_value_transition_itself, &transition), STABLE, .help = "The change." },
    { OBJECT("axes", sf_value_transition_axes, &axes), STABLE, .help = "The axes it leads to." },
};
static const struct sf_member plan_event_members[] = {
    { OBJECT("plan", sf_value_plan_itself, &plan), STABLE, .help = "The steps as they are now." },
};
static const struct sf_member review_event_members[] = {
    { OBJECT("review", sf_value_review_itself, &review), STABLE, .help = "The report as it is now." },
};
static const struct sf_member submitted_members[] = {
    CALL_ID,
    { TEXT("digest", sf_value_submitted_digest), STABLE, .help = "The SHA-256 of the text, to which an acceptance is bound." },
    { TEXT("text", sf_value_submitted_text), STABLE, .help = "The plan, Markdown." },
};
static const struct sf_member goal_event_members[] = {
    { OBJECT("goal", sf_value_goal_itself, &goal), .has = sf_value_has_goal, STABLE, OR_NULL, .help = "The goal as it is now; null where it was cleared." },
    { TEXT("text", sf_value_goal_change), .help = "What changed, in words." },
};
static const struct sf_member compaction_members[] = {
    { INTEGER("before", sf_value_compacted_before), STABLE, .help = "Tokens of the conversation before, about." },
    { INTEGER("after", sf_value_compacted_after), STABLE, .help = "Tokens of the conversation now, about." },
    { TEXT("summary", sf_value_compacted_summary), STABLE, .help = "The summary." },
};
static const struct sf_member run_members[] = {
    { TEXT("what", sf_value_run_what), STABLE, .help = "`begin`, `go`, `pausing`, `halt`, `repair`, `end` of the run; `start`, `ended`, `verdict`, `word` of a unit." },
    { TEXT("task", sf_value_run_task), STABLE, .help = "The unit it is about, or empty." },
    { TEXT("text", sf_value_run_text), .help = "What happened, for people." },
    { TEXT("way_out", sf_value_run_way_out), .help = "Of a halt: the command that leads on; else empty." },
};
static const struct sf_member notice_members[] = {
    { TEXT("text", sf_value_notice_text), .help = "The remark, for people." },
    { BOOLEAN("urgent", sf_value_notice_urgent), STABLE, .help = "Whether somebody should see it even when the session is closing." },
};
static const struct sf_member restored_members[] = {
    { TEXT("text", sf_value_plain_words), .help = "How many files went back, and which did not, for people." },
};
static const struct sf_member done_members[] = {
    { TEXT("status", sf_value_done_status), STABLE, .choice = sf_choice_status, .help = "How the turn ended." },
    { TEXT("category", sf_value_done_category), STABLE, OR_MISSING, .choice = sf_choice_fault, .help = "The kind of failure of a request that ended the turn." },
    { TEXT("message", sf_value_done_message), OR_MISSING, .help = "That failure in words." },
};
static const struct sf_member response_members[] = {
    { TEXT("command", sf_value_response_command), STABLE, .help = "The name of the command, without the slash; empty where none is meant." },
    { TEXT("part", sf_value_response_part), STABLE, OR_MISSING, .help = "Which of the command's answers it is, where the command has several." },
    { TEXT("kind", sf_value_response_kind), STABLE, .choice = sf_choice_response, .help = "What the answer is." },
    { BOOLEAN("bad", sf_value_response_bad), STABLE, .help = "Whether what was asked for was not done." },
    { TEXT("title", sf_value_response_title), OR_MISSING, .help = "Its title." },
    { TEXT("text", sf_value_response_text), OR_MISSING, .help = "A sentence, a page of Markdown or a diff." },
    { TEXT("hint", sf_value_response_hint), OR_MISSING, .help = "What to do about it." },
    { BOOLEAN("editable", sf_value_response_editable), .has = sf_value_response_editable, STABLE, OR_MISSING, .help = "True for a page whose text the user may change." },
    { BOOLEAN("secret", sf_value_response_secret), .has = sf_value_response_secret, STABLE, OR_MISSING, .help = "True for a field whose text must not be shown." },
    { .name = "values", .type = SF_MEMBER_TEXTS, .object = sf_value_response_values, .has = sf_value_has_values, STABLE, OR_MISSING, .help = "What a field can be; missing where any text is possible." },
    { .name = "columns", .type = SF_MEMBER_TEXTS, .object = sf_value_response_columns, .has = sf_value_has_columns, STABLE, OR_MISSING, .help = "The names of a table's columns." },
    { .name = "rows", .type = SF_MEMBER_OBJECTS, .shape = &response_row, .object = sf_value_response_rows, .has = sf_value_has_rows, STABLE, OR_MISSING, .help = "The rows of a table or a choice." },
};
static const struct sf_member input_members[] = {
    { INTEGER("line", sf_value_input_line), STABLE, .help = "Which line of the input it is about, counted from 1; 0 for the prompt of the command line." },
    { TEXT("id", sf_value_input_id), STABLE, OR_MISSING, .help = "The `id` that the line has." },
    { TEXT("kind", sf_value_input_kind), STABLE, OR_NULL, .help = "The `type` of the line; null where that cannot be told." },
    { TEXT("status", sf_value_input_status), STABLE, .choice = sf_choice_input, .help = "What became of it. A line that is `queued` is `taken` or `dropped` later." },
    { TEXT("message", sf_value_input_message), OR_MISSING, .help = "Why it was refused, and what was expected." },
    { TEXT("hint", sf_value_input_hint), OR_MISSING, .help = "What to do about it." },
};
static const struct sf_member error_members[] = {
    { TEXT("category", sf_value_error_category), STABLE,
      .help = "The kind of failure: one of those of `retry`, a status of `done`, or `timeout`, `permission`, `verification`, `schema`, `start`." },
    { TEXT("limit", sf_value_error_limit), STABLE, OR_MISSING, .choice = sf_choice_budget, .help = "The limit that was reached." },
    { TEXT("message", sf_value_error_message), .help = "The failure in words, and what to do." },
};
static const struct sf_member ended_members[] = {
    { TEXT("status", sf_value_ended_status), STABLE, .choice = sf_choice_status, .help = "How the run ended." },
    { INTEGER("exit_code", sf_value_ended_exit_code), STABLE, .help = "The exit code of the program." },
    { TEXT("resume", sf_value_total_resume), .has = sf_value_has_resume, STABLE, OR_MISSING,
      .help = "The command that goes on with the session; not with `--ephemeral`." },
    { TEXT("result", sf_value_ended_result), STABLE, .help = "The text of the last answer; of a command, all that it answered." },
    { TEXT("reason", sf_value_ended_reason), OR_MISSING, .help = "Why it did not end well, in words." },
    { .name = "refusals", .type = SF_MEMBER_TEXTS, .object = sf_value_ended_refusals, .has = sf_value_has_refusals, OR_MISSING,
      .help = "What was refused on the way, each with its reason, in words; also where another way was found." },
    { TEXT("verification", sf_value_ended_verification), STABLE, OR_MISSING, .choice = sf_choice_proof,
      .help = "What the command of `--verify` proved." },
    { .name = "structured_output", .type = SF_MEMBER_ANY, .object = sf_value_ended_structured, .has = sf_value_has_structured,
      STABLE, OR_MISSING, .help = "The answer as JSON, which fits the schema of `--output-schema`." },
    { TEXT("model", sf_value_total_model), .has = sf_value_has_totals, STABLE, OR_MISSING, .help = "The model of the last turn." },
    { OBJECT("axes", sf_value_total_axes, &axes), .has = sf_value_has_totals, STABLE, OR_MISSING, .help = "The axes at the end." },
    { TEXT("approval_mode", sf_value_total_approval), .has = sf_value_has_totals, STABLE, OR_MISSING, .choice = sf_choice_approval,
      .help = "The approval mode at the end." },
    { INTEGER("turns", sf_value_total_turns), .has = sf_value_has_totals, STABLE, OR_MISSING, .help = "How many requests were made." },
    { INTEGER("tool_calls", sf_value_total_calls), .has = sf_value_has_totals, STABLE, OR_MISSING, .help = "How many calls were made." },
    { INTEGER("input_tokens", sf_value_total_input), .has = sf_value_has_totals, STABLE, OR_MISSING, .help = "Tokens sent, those of caches included." },
    { INTEGER("output_tokens", sf_value_total_output), .has = sf_value_has_totals, STABLE, OR_MISSING, .help = "Tokens answered." },
    { NUMBER("cost_usd", sf_value_total_cost), .has = sf_value_has_total_cost, STABLE, OR_NULL, .help = "What the run cost; null where a price is not known." },
    { INTEGER("duration_ms", sf_value_total_duration), .has = sf_value_has_totals, STABLE, OR_MISSING, .help = "How long the run took." },
};

#define MEMBERS(rows) .members = (rows), .count = SF_COUNT(rows)

const struct sf_event_type sf_event_types[] = {
    { "session", "A session was opened; the first line of a run.", SF_EVENT_OPENED, MEMBERS(opened_members) },
    { "axes", "The axes as they are when the run begins.", SF_EVENT_AXES, MEMBERS(axes_event_members) },
    { "prompt", "The user's words; a turn begins.", SF_EVENT_PROMPT, MEMBERS(prompt_members) },
    { "text", "A piece of an answer, as the model writes it: with `--output-schema`, also of answers that do not fit and are asked for again; only `structured_output` of `result` is known to fit.", SF_EVENT_TEXT, MEMBERS(text_members) },
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
    { "review", "A review began, or there is a report of it.", SF_EVENT_REVIEW, MEMBERS(review_event_members) },
    { "plan_submitted", "A plan waits to be accepted.", SF_EVENT_SUBMITTED, MEMBERS(submitted_members) },
    { "goal", "The goal changed.", SF_EVENT_GOAL, MEMBERS(goal_event_members) },
    { "compaction", "The conversation became a summary.", SF_EVENT_COMPACTED, MEMBERS(compaction_members) },
    { "steer", "Words said during the turn wait to become part of it.", SF_EVENT_STEER, MEMBERS(prompt_members) },
    { "steered", "Words said during the turn became part of it.", SF_EVENT_STEERED, MEMBERS(prompt_members) },
    { "restored", "Files went back to what they were before.", SF_EVENT_RESTORED, MEMBERS(restored_members) },
    { "run", "What a run of a plan's units does, decides or waits for.", SF_EVENT_RUN, MEMBERS(run_members) },
    { "notice", "A remark of sf's, for people.", SF_EVENT_NOTICE, MEMBERS(notice_members) },
    { "turn_end", "A turn of the session is over.", SF_EVENT_DONE, MEMBERS(done_members) },
    { "agent_done", "A sub-agent's turn is over.", SF_EVENT_DONE, .of_agents = true, MEMBERS(done_members) },
    { "response", "What a command answered.", SF_EVENT_RESPONSE, MEMBERS(response_members) },
    { "input", "What became of a line of the input, see [Lines of input](#lines-of-input).", SF_EVENT_INPUT, MEMBERS(input_members) },
    { "error", "Why the run did not come to a good end; `done` follows.", SF_EVENT_ERROR, MEMBERS(error_members) },
    { "done", "The run is over; the last line, and the only one of `--output-format json`.", SF_EVENT_ENDED, MEMBERS(ended_members) },
};
const size_t sf_event_type_count = SF_COUNT(sf_event_types);
/* clang-format on */
