/*
 * session_rows.c: the tools that the session itself implements: plans, findings, questions,
 * the scope, memory, sub-agents. Here are only their rows.
 */
#include <string.h>

#include "base/base.h"
#include "tools/call.h"
#include "tools/table_rows.h"

static const char *const plan_states[] = { "pending", "in_progress", "completed", NULL };
static const char *const severities[] = { "critical", "major", "minor", "note", NULL };

/* clang-format off */
static const struct sf_tool_arg plan_items[] = {
    { .name = "content", .type = SF_ARG_STRING, .required = true, .help = "The step, in a few words" },
    { .name = "status", .type = SF_ARG_ENUM, .required = true, .choices = plan_states },
};

static const struct sf_tool_arg plan_args[] = {
    { .name = "items", .type = SF_ARG_OBJECTS, .max = 100, .alias = "todos",
      .members = plan_items, .member_count = SF_COUNT(plan_items),
      .help = "All steps in order; this list takes the place of the one before" },
    { .name = "submit", .type = SF_ARG_STRING,
      .help = "In work mode plan: the finished plan as Markdown, for the user to accept" },
};

static const struct sf_tool_arg finding_members[] = {
    { .name = "file", .type = SF_ARG_STRING, .required = true, .help = "Path from the workspace's root" },
    { .name = "line", .type = SF_ARG_INT, .required = true, .min = 0, .max = INT32_MAX, .help = "0 for the whole file" },
    { .name = "end_line", .type = SF_ARG_INT, .min = 0, .max = INT32_MAX },
    { .name = "severity", .type = SF_ARG_ENUM, .required = true, .choices = severities },
    { .name = "title", .type = SF_ARG_STRING, .required = true, .help = "What is wrong, in one line" },
    { .name = "explanation", .type = SF_ARG_STRING, .required = true, .help = "Why, and what makes it fail" },
    { .name = "suggestion", .type = SF_ARG_STRING },
};

static const struct sf_tool_arg findings_args[] = {
    { .name = "findings", .type = SF_ARG_OBJECTS, .required = true, .max = 200,
      .members = finding_members, .member_count = SF_COUNT(finding_members),
      .help = "All of them, worst first; empty where nothing is wrong" },
    { .name = "summary", .type = SF_ARG_STRING, .help = "What was looked at and what was not, in two sentences" },
};

static const struct sf_tool_arg ask_args[] = {
    { .name = "question", .type = SF_ARG_STRING, .required = true, .help = "One question" },
    { .name = "options", .type = SF_ARG_STRINGS, .max = 9, .help = "Answers to choose from; others can be typed" },
};

static const struct sf_tool_arg mode_args[] = {
    { .name = "mode", .type = SF_ARG_STRING, .required = true, .alias = "scope", .help = "Name of the scope, for example tests" },
    { .name = "reason", .type = SF_ARG_STRING, .help = "Why, in one sentence; the user reads it" },
};

static const struct sf_tool_arg agent_args[] = {
    { .name = "prompt", .type = SF_ARG_STRING, .required = true, .help = "The whole task: the sub-agent knows nothing of this conversation" },
    { .name = "description", .type = SF_ARG_STRING, .required = true, .help = "The task in three to six words" },
    { .name = "mode", .type = SF_ARG_STRING, .alias = "scope", .help = "Scope it works in; this one's when left out" },
};

static const struct sf_tool_arg revert_args[] = {
    { .name = "turns", .type = SF_ARG_INT, .min = 1, .max = 1000, .help = "How many turns to go back; 1 unless given" },
    { .name = "snapshot", .type = SF_ARG_INT, .min = 1, .max = INT64_MAX, .help = "Number of a snapshot to go back to instead" },
};

static const struct sf_tool_arg remember_args[] = {
    { .name = "note", .type = SF_ARG_STRING, .required = true, .help = "One fact, complete in itself" },
};
/* clang-format on */

/* A note that is too long goes back to the model as an error, before the user is asked. */
static bool describe_note(struct sf_tool_call *call, struct sf_error *err)
{
    call->note = sf_arg_str(call->args, "note", "");
    return strlen(call->note) <= SF_TOOL_CALL_NOTE_MAX ||
           sf_fail(err, SF_E_LIMIT, "the note is longer than %d bytes: make it shorter, one fact",
                   SF_TOOL_CALL_NOTE_MAX);
}

/* A list of steps is only noted; a submitted plan may lead to build mode. */
static bool describe_plan(struct sf_tool_call *call, struct sf_error *err)
{
    (void)err;
    if (*sf_arg_str(call->args, "submit", ""))
        call->act = SF_ACT_SUBMIT;
    return true;
}

const struct sf_tool sf_tool_plan = {
    .name = "Plan",
    .help =
        "Keep a list of the steps of a longer task, where the user sees it. Send the whole "
        "list each time. Exactly one step is in_progress while you work; mark a step "
        "completed as soon as it is done. Leave this out for tasks of one or two steps. In work "
        "mode plan, submit the whole plan when it is finished: the user accepts it, and then "
        "you build it, or says what is wrong with it.",
    .args = plan_args,
    .arg_count = SF_COUNT(plan_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_SESSION,
    .describe = describe_plan,
};

const struct sf_tool sf_tool_findings = {
    .name = "Findings",
    .help =
        "Report the result of a code review, once and complete: the user gets it as a list with "
        "places and severities. Only for reviews.",
    .args = findings_args,
    .arg_count = SF_COUNT(findings_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_SESSION,
};

const struct sf_tool sf_tool_ask_user = {
    .name = "AskUser",
    .help = "Ask the user one question and wait for the answer. Only for what cannot be found "
            "out and would change the work; otherwise choose and say what you chose.",
    .args = ask_args,
    .arg_count = SF_COUNT(ask_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_SESSION,
};

const struct sf_tool sf_tool_change_tool_mode = {
    .name = "ChangeToolMode",
    .help = "Change the scope, which decides what files may be written. Use it when a write was "
            "refused because of the scope and the task does call for that file.",
    .args = mode_args,
    .arg_count = SF_COUNT(mode_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_SESSION,
};

const struct sf_tool sf_tool_agent = {
    .name = "Agent",
    .help = "Give a task to a sub-agent with a fresh memory and at most your permissions, and "
            "get its report. Good for wide searches and for work apart from the rest. What it "
            "did is not visible here: ask for all you need in its report.",
    .args = agent_args,
    .arg_count = SF_COUNT(agent_args),
    .act = SF_ACT_OWN,
    .least = SF_PROFILE_RESTRICTED,
    .delegates = true,
    .where = SF_TOOL_SESSION,
};

const struct sf_tool sf_tool_remember = {
    .name = "Remember",
    .help = "Keep a fact about this project for later sessions: a command that works, a rule of "
            "the house, a decision with its reason. Nothing secret, and nothing that only "
            "matters today.",
    .args = remember_args,
    .arg_count = SF_COUNT(remember_args),
    .act = SF_ACT_NOTE,
    .least = SF_PROFILE_NORMAL,
    .where = SF_TOOL_SESSION,
    .describe = describe_note,
};

const struct sf_tool sf_tool_revert_turn = {
    .name = "RevertTurn",
    .help = "Put the files of the workspace back as they were before a turn. Counted are turns "
            "that changed files, the running one included; the conversation stays as it is. The "
            "user is always asked and sees what would change. What others changed since stays, "
            "and the present state is saved first. Only when the user wants it, or when your own "
            "changes went wrong beyond mending.",
    .args = revert_args,
    .arg_count = SF_COUNT(revert_args),
    .act = SF_ACT_REVERT,
    .least = SF_PROFILE_RESTRICTED,
    .where = SF_TOOL_SESSION,
};
