/*
 * commands.c: the tables of the command line. A help text is one line in lower case without a full
 * stop.
 */
#include "app/app.h"
#include "base/base.h"
#include "journal/journal.h"
#include "modes/modes.h"

static const char *const shells[] = { "bash", "zsh", "fish", NULL };
static const char *const on_asks[] = { "deny", "ask", "allow", NULL };
static const char *const formats[] = { "text", "json", "stream-json", NULL };
static const char *const input_formats[] = { "text", "stream-json", NULL };
static const char *const documents[] = { "config",       "doctor", "events", "events-schema",
                                         "input-schema", "keys",   "man",    "modes",
                                         "plans",        "themes", NULL };

#define CHOICE(list) .complete = SF_COMPLETE_CHOICE, .choices = (list)

static const struct sf_option common_options[] = {
    { .letter = 'C',
      .name = "workspace",
      .arg = "DIR",
      .complete = SF_COMPLETE_DIRECTORY,
      .help = "work in DIR instead of the current directory" },
    { .name = "config",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "read FILE instead of your settings file" },
    { .name = "profile", .arg = "NAME", .help = "lay [profiles.NAME] of your settings over them" },
    { .name = "mode",
      .arg = "MODE",
      .setting = "defaults.work_mode",
      CHOICE(sf_work_mode_names),
      .help = "work mode to start in" },
    { .name = "scope",
      .arg = "SCOPE",
      .setting = "defaults.scope",
      .help = "what may be written: free, implement, test, docs, or one of yours" },
    { .name = "control",
      .arg = "CONTROL",
      .setting = "defaults.run_control",
      CHOICE(sf_run_control_names),
      .help = "run control to start with" },
    { .name = "permission-profile",
      .arg = "PROFILE",
      .setting = "defaults.permission_profile",
      CHOICE(sf_profile_names),
      .help = "permission profile to start with" },
    { .name = "model-mode",
      .arg = "MODE",
      .setting = "defaults.model_mode",
      CHOICE(sf_model_mode_names),
      .help = "model mode to start with" },
    { .name = "model",
      .arg = "MODEL",
      .filled = true,
      .setting = "models.model",
      .help = "model to use" },
    { .name = "provider",
      .arg = "PROVIDER",
      .filled = true,
      .setting = "models.provider",
      .help = "provider to use" },
    { .letter = 'p',
      .name = "print",
      .arg = "PROMPT",
      .lone = "-", /* The prompt comes through a pipe. */
      .help = "answer one request on standard output, then exit; - reads it from a pipe" },
    { .letter = 'c', .name = "continue", .help = "resume the last session here" },
    { .letter = 'r',
      .name = "resume",
      .arg = "ID",
      .lone = SF_RESUME_LIST,
      .help = "resume this session: its id, a unique beginning, or latest; as the last word, "
              "choose one on the screen" },
    { .name = "ephemeral",
      .help = "for -p and exec: keep nothing of the session; it cannot be resumed or undone" },
    { .name = "fork",
      .help = "with -c or -r: continue in a fork, and leave that session as it is" },
    { .name = "name", .arg = "NAME", .filled = true, .help = "title of the session" },
    { .name = "fallback-model",
      .arg = "MODEL",
      .filled = true,
      .help = "model that goes on with a turn when the first one stays overloaded" },
    { .name = "output-format",
      .arg = "FORMAT",
      CHOICE(formats),
      .help = "for -p and exec: text, one json object, or stream-json" },
    { .name = "input-format",
      .arg = "FORMAT",
      CHOICE(input_formats),
      .help = "for -p and exec: text, or stream-json: a conversation, line by line" },
    { .name = "record",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "write what the model answers to FILE, which the provider replay:FILE plays" },
    { .letter = 'i',
      .name = "image",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "for -p and exec: show the model this picture; may be given more than once" },
    { .letter = 'o',
      .name = "output-last-message",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "for -p and exec: also write the last answer to FILE" },
    { .name = "output-schema",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "for -p and exec: the answer is JSON that fits the JSON Schema in FILE" },
    { .name = "on-ask",
      .arg = "ANSWER",
      CHOICE(on_asks),
      .help = "for -p and exec: what happens to calls and restores that need approval" },
    { .name = "confirm",
      .arg = "WHAT",
      .setting = "guard.confirm",
      .help = "for -p and exec: delete[:PATHS] confirms deletions that a snapshot brings back" },
    { .name = "verify",
      .arg = "COMMAND",
      .help = "for -p and exec: run COMMAND after the turn (auto: the project's own check); code 6 "
              "unless it passes" },
    { .name = "fail-on-refusal",
      .help = "for -p and exec: code 3 also when another way was found around a refusal" },
    { .name = "yolo", .help = "build unrestricted, in a workspace you trust" },
    { .name = "allowed-tools",
      .arg = "NAMES",
      .help = "offer only these tools, perhaps with limits: 'Read,Bash(git log:*)'" },
    { .name = "disallowed-tools",
      .arg = "NAMES",
      .help = "do not offer these tools, or only outside of limits: 'Bash(git push:*)'" },
    { .name = "system-prompt",
      .arg = "TEXT",
      .help = "begin a session with TEXT in place of sf's own words about the agent's role" },
    { .name = "append-system-prompt", .arg = "TEXT", .help = "add TEXT to the system prompt" },
    { .name = "append-system-prompt-file",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "add the content of FILE to the system prompt" },
    { .name = "add-dir",
      .arg = "DIR",
      .complete = SF_COMPLETE_FILE,
      .help = "let the session read DIR too; writing there asks; may be repeated" },
    { .name = "max-turns",
      .arg = "N",
      .setting = "limits.max_turns",
      .help = "at most N answers of the model" },
    { .name = "max-tool-calls",
      .arg = "N",
      .setting = "limits.max_tool_calls",
      .help = "at most N calls of tools" },
    { .name = "max-tokens",
      .arg = "N",
      .setting = "limits.max_tokens",
      .help = "at most N tokens, in and out" },
    { .name = "max-cost",
      .arg = "USD",
      .setting = "limits.max_cost",
      .help = "at most so many US dollars" },
    { .name = "max-time",
      .arg = "SECONDS",
      .setting = "limits.max_time",
      .help = "at most so long; the run ends with code 5" },
    { .name = "max-subagents",
      .arg = "N",
      .setting = "limits.max_subagents",
      .help = "at most N sub-agents at work at once" },
    { .name = "timeout",
      .arg = "SECONDS",
      .setting = "limits.timeout",
      .help = "end a one-shot run or a query after so long, with code 124" },
    { .name = "inline",
      .help = "leave the conversation in the terminal's own scrollback, without a screen of its "
              "own" },
    { .name = "no-mouse-capture", .help = "leave the mouse to the terminal" },
    { .letter = 'v', .name = "verbose", .help = "print more, here and in the log file" },
    { .name = "version", .help = "print the version; with -v those of loaded modules too" },
    { .letter = 'h', .name = "help", .help = "explain the command" },
    { .name = "dump-docs", .arg = "DOCUMENT", CHOICE(documents), .help = NULL },
};

static const struct sf_option json_option[] = {
    { .name = "json", .help = "one JSON object a line" },
};

static const struct sf_option config_options[] = {
    { .name = "origin", .help = "also say where each value comes from" },
    { .name = "json", .help = "one JSON object a line" },
};

static const struct sf_option config_write_options[] = {
    { .name = "project", .help = "in the workspace's .sf/config.toml, not in your own settings" },
};

static const struct sf_command config_commands[] = {
    { .name = "get",
      .args = "KEY",
      .help = "print one value",
      .run = sf_cmd_config_get,
      .min_args = 1,
      .max_args = 1,
      .complete = SF_COMPLETE_SETTING,
      .options = config_options,
      .option_count = SF_COUNT(config_options) },
    { .name = "set",
      .args = "KEY VALUE",
      .help = "change one value in the settings file",
      .more = "Comments and order of the file stay as they are. Lists are written a,b or as "
              "TOML: [\"a\", \"b\"].",
      .run = sf_cmd_config_set,
      .min_args = 2,
      .max_args = 2,
      .complete = SF_COMPLETE_SETTING,
      .options = config_write_options,
      .option_count = SF_COUNT(config_write_options) },
    { .name = "unset",
      .args = "KEY",
      .help = "take one value out of the settings file",
      .run = sf_cmd_config_unset,
      .min_args = 1,
      .max_args = 1,
      .complete = SF_COMPLETE_SETTING,
      .options = config_write_options,
      .option_count = SF_COUNT(config_write_options) },
    { .name = "path", .help = "print where settings are read from", .run = sf_cmd_config_path },
};

static const struct sf_command trust_commands[] = {
    { .name = "status",
      .help = "show whether this workspace is trusted",
      .run = sf_cmd_trust_status,
      .options = json_option,
      .option_count = SF_COUNT(json_option) },
    { .name = "add",
      .help = "trust this workspace, with its policy files as they are now",
      .run = sf_cmd_trust_add },
    { .name = "remove", .help = "stop trusting this workspace", .run = sf_cmd_trust_remove },
    { .name = "list",
      .help = "list all trusted workspaces",
      .run = sf_cmd_trust_list,
      .options = json_option,
      .option_count = SF_COUNT(json_option) },
};

static const struct sf_command permissions_commands[] = {
    { .name = "list",
      .help = "list the rules of the settings and the approvals of every session here",
      .run = sf_cmd_permissions_list,
      .options = json_option,
      .option_count = SF_COUNT(json_option) },
    { .name = "revoke",
      .args = "N",
      .help = "take an approval back; sessions that run ask again",
      .run = sf_cmd_permissions_revoke,
      .min_args = 1,
      .max_args = 1 },
};

static const struct sf_option init_options[] = {
    { .name = "dry-run", .help = "print what would be written, and write nothing" },
    { .name = "force", .help = "replace what is there; a copy of it stays beside it" },
    { .name = "json", .help = "one JSON object a line" },
};

static const struct sf_option log_options[] = {
    { .name = "kind",
      .arg = "KIND",
      CHOICE(sf_log_kinds),
      .help = "only events of this kind: user, end, goal, transition …; decision lists verdicts" },
    { .name = "session",
      .arg = "ID",
      .help = "only events of this session: its id or a unique beginning" },
    { .name = "since", .arg = "WHEN", .help = "only newer ones: 90m, 2h, 1d, or an RFC 3339 time" },
    { .name = "limit", .arg = "N", .help = "at most the newest N (default 50; 0: all)" },
    { .name = "json", .help = "one JSON object a line" },
    { .name = "sql", .arg = "QUERY", .help = "run one read-only SELECT instead" },
};

static const struct sf_command store_commands[] = {
    { .name = "path", .help = "print the path of this project's store", .run = sf_cmd_store_path },
    { .name = "check",
      .help = "read everything once and report damage",
      .run = sf_cmd_store_check },
    { .name = "recover",
      .help = "set a damaged store aside and save what can be read",
      .more = "The damaged files are moved to a directory beside the new store and never "
              "deleted.",
      .run = sf_cmd_store_recover },
};

#define STATE_OPTIONS                                                                              \
    { .name = "axes", .arg = "AXES", .help = "judge under these: 'build|assisted|normal|smart'" }, \
    {                                                                                              \
        .name = "scope", .arg = "NAME", .help = "judge under this write scope"                     \
    }

static const struct sf_option explain_options[] = {
    STATE_OPTIONS,
    { .name = "tool", .arg = "NAME", .help = "judge a call of this tool (default: Bash)" },
    { .name = "path", .arg = "PATH", .complete = SF_COMPLETE_FILE, .help = "with this path" },
    { .name = "session",
      .arg = "ID",
      .help = "with the approvals of this session, too: its id or a unique beginning" },
    { .name = "no-approvals", .help = "as if nothing had been approved for the workspace" },
    { .name = "record", .help = "also write the verdict to the log" },
    { .name = "json", .help = "one JSON object" },
};

static const struct sf_option state_options[] = { STATE_OPTIONS };

static const struct sf_command guard_commands[] = {
    { .name = "explain",
      .args = "[--] [COMMAND]",
      .help = "show what would happen to a call, and why",
      .more = "Nothing is run. What you approved for the workspace counts, as it does for a new "
              "session.\n"
              "Quote the command: sf guard explain -- 'git push --force'\n"
              "or name a tool: sf guard explain --tool Edit --path tests/a.c\n"
              "or sf guard explain --tool Fetch -- https://example.org/",
      .run = sf_cmd_guard_explain,
      .max_args = 1,
      .options = explain_options,
      .option_count = SF_COUNT(explain_options) },
    { .name = "classify",
      .help = "read commands, one a line, and print class, verdict and rule of each",
      .more = "In a line \\\\ is a backslash, \\n \\t \\r and \\xNN are control characters and "
              "\\u{H} is a code point.",
      .run = sf_cmd_guard_classify,
      .options = state_options,
      .option_count = SF_COUNT(state_options) },
    { .name = "matrix",
      .help = "print what each profile says to each kind of action",
      .run = sf_cmd_guard_matrix,
      .options = state_options,
      .option_count = SF_COUNT(state_options) },
};

static const struct sf_option cage_options[] = {
    { .name = "as-judged",
      .help = "hand COMMAND to the shell as the agent does, confined by what it is judged to be" },
    { .name = "explain",
      .help = "show what the command could touch, and what this kernel enforces" },
    { .name = "network", .help = "with the network, as after a verdict that allowed it" },
};

static const struct sf_option doctor_options[] = {
    { .name = "all", .help = "every check, also where all is well" },
    { .name = "gate", .help = "only what keeps work from being dispatched; 1: something does" },
    { .name = "json", .help = "one JSON object" },
    { .name = "online", .help = "also ask whether the chosen service answers" },
};

static const struct sf_option doctor_fix_options[] = {
    { .name = "dry-run", .help = "only show what would be done" },
};

static const struct sf_command doctor_commands[] = {
    { .name = "fix",
      .args = "[CHECK…]",
      .help = "repair what can be repaired safely",
      .more = "CHECK is a check or a group; without one, all of them. A file that is in the way is "
              "moved into the project's state, never deleted; what was there before is written "
              "down first, so that `sf doctor undo` takes it back. A task with nobody there is to "
              "be tried again; nothing is ever marked as done.",
      .run = sf_cmd_doctor_fix,
      .max_args = 100,
      .options = doctor_fix_options,
      .option_count = SF_COUNT(doctor_fix_options) },
    { .name = "undo",
      .args = "[NUMBER]",
      .help = "take the last repair back, or the one of that number",
      .run = sf_cmd_doctor_undo,
      .max_args = 1 },
};

#define RESTORE_OPTIONS                                                                     \
    { .name = "dry-run", .help = "only show what would change" },                           \
        { .name = "yes", .help = "do not ask" },                                            \
        { .name = "overwrite", .help = "also what you changed since sf last worked here" }, \
    {                                                                                       \
        .name = "path", .arg = "PATH", .complete = SF_COMPLETE_FILE,                        \
        .help = "only this file or directory; may be given more than once"                  \
    }

static const struct sf_option restore_options[] = { RESTORE_OPTIONS };

static const struct sf_option resume_options[] = {
    { .name = "back", .help = "put everything back as it was before" },
};

static const struct sf_option list_options[] = {
    { .name = "all", .help = "every snapshot with its kind, the ends of turns too" },
    { .name = "json", .help = "one JSON object a line" },
};

static const struct sf_command restore_commands[] = {
    { .name = "take",
      .args = "[LABEL]",
      .help = "take a snapshot of the workspace",
      .run = sf_cmd_restore_take,
      .max_args = 1 },
    { .name = "list",
      .args = "[COUNT]",
      .help = "list the newest snapshots of this workspace",
      .more = "One line for each state to go back to: before a turn, with the files and lines the "
              "turn changed; before a restore; taken by hand. COUNT counts these. Where sf put "
              "files back in a turn, what they were before that is in --all and --json.",
      .run = sf_cmd_restore_list,
      .max_args = 1,
      .options = list_options,
      .option_count = SF_COUNT(list_options) },
    { .name = "show",
      .args = "NUMBER",
      .help = "show what restoring a snapshot would change",
      .run = sf_cmd_restore_show,
      .min_args = 1,
      .max_args = 1 },
    { .name = "undo",
      .help = "undo the last restore; a second time redoes it",
      .run = sf_cmd_restore_undo,
      .options = restore_options,
      .option_count = SF_COUNT(restore_options) },
    { .name = "resume",
      .help = "finish a restore that was interrupted",
      .run = sf_cmd_restore_resume,
      .options = resume_options,
      .option_count = SF_COUNT(resume_options) },
};

static const struct sf_option fork_options[] = {
    { .name = "last", .help = "the session used last" },
    { .name = "at", .arg = "N", .help = "before its Nth prompt, not behind its last turn" },
};

static const struct sf_option sessions_options[] = {
    { .name = "all", .help = "also archived and empty sessions" },
    { .name = "json", .help = "one JSON object a line" },
};

static const struct sf_option archive_options[] = {
    { .name = "undo", .help = "put the session back into the list" },
};

static const struct sf_option delete_options[] = {
    { .name = "yes", .help = "do not ask" },
};

static const char *const export_formats[] = { "md", "json", "html", "replay", NULL };

static const struct sf_option export_options[] = {
    { .name = "format",
      .arg = "FORMAT",
      CHOICE(export_formats),
      .help = "md, json, html or replay; as FILE ends, or else md" },
    { .letter = 'o',
      .name = "output",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "write to FILE, which must not exist yet" },
    { .name = "json", .help = "the same as --format json" },
};

static const struct sf_option report_options[] = {
    { .name = "json", .help = "one JSON object" },
    { .name = "save",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "write to FILE, which must not exist yet" },
};

static const struct sf_command sessions_commands[] = {
    { .name = "list",
      .help = "list sessions, last used first",
      .run = sf_cmd_sessions_list,
      .options = sessions_options,
      .option_count = SF_COUNT(sessions_options) },
    { .name = "show",
      .args = "ID",
      .help = "what was asked for in a session, and what each turn changed",
      .run = sf_cmd_sessions_show,
      .min_args = 1,
      .max_args = 1,
      .options = json_option,
      .option_count = SF_COUNT(json_option) },
    { .name = "report",
      .args = "ID",
      .help = "what came of a session in numbers: turns, tools, tokens, cost, decisions, files",
      .run = sf_cmd_sessions_report,
      .min_args = 1,
      .max_args = 1,
      .options = report_options,
      .option_count = SF_COUNT(report_options) },
    { .name = "search",
      .args = "WORDS…",
      .help = "find what was said, in all sessions of the project",
      .run = sf_cmd_sessions_search,
      .min_args = 1,
      .max_args = 100,
      .options = json_option,
      .option_count = SF_COUNT(json_option) },
    { .name = "rename",
      .args = "ID TITLE",
      .help = "give a session another title",
      .run = sf_cmd_sessions_rename,
      .min_args = 2,
      .max_args = 2 },
    { .name = "archive",
      .args = "ID",
      .help = "take a session out of the list; it can still be resumed",
      .run = sf_cmd_sessions_archive,
      .min_args = 1,
      .max_args = 1,
      .options = archive_options,
      .option_count = SF_COUNT(archive_options) },
    { .name = "delete",
      .args = "ID",
      .help = "delete what was said and done in a session, for good",
      .more = "What it cost stays in the accounts, and its snapshots as ways back for files. "
              "A session stays while forks share what was said in it.",
      .run = sf_cmd_sessions_delete,
      .min_args = 1,
      .max_args = 1,
      .options = delete_options,
      .option_count = SF_COUNT(delete_options) },
    { .name = "export",
      .args = "[ID]",
      .help = "write a session as Markdown, JSON, HTML or a file to replay",
      .more = "Without ID, the last session. A file to replay is played with --provider "
              "replay:FILE; docs/REPLAY.md describes it.",
      .run = sf_cmd_sessions_export,
      .max_args = 1,
      .options = export_options,
      .option_count = SF_COUNT(export_options) },
    { .name = "import",
      .args = "FILE",
      .help = "make a session from an exported one (json)",
      .more = "It brings what was said, and nothing else: no permissions, no approvals. Nothing "
              "in it is run.",
      .run = sf_cmd_sessions_import,
      .min_args = 1,
      .max_args = 1,
      .complete = SF_COMPLETE_FILE },
};

#define GOAL_OPTIONS                                                                         \
    { .name = "session", .arg = "ID", .help = "the session: its id or a unique beginning" }, \
    {                                                                                        \
        .name = "json", .help = "one JSON object"                                            \
    }

static const struct sf_option goal_options[] = { GOAL_OPTIONS };
static const struct sf_option goal_budget_options[] = {
    { .name = "budget",
      .arg = "TOKENS",
      .help = "tokens that the goal may use: 20000, 50k, 1.5M, none" },
    GOAL_OPTIONS,
};

#define GOAL_PLAIN  .options = goal_options, .option_count = SF_COUNT(goal_options)
#define GOAL_BUDGET .options = goal_budget_options, .option_count = SF_COUNT(goal_budget_options)

static const struct sf_command goal_commands[] = {
    { .name = "get",
      .help = "print the goal, its status and what it has used",
      .run = sf_cmd_goal_get,
      GOAL_PLAIN },
    { .name = "set",
      .args = "[TEXT…]",
      .help = "set the goal, or with --budget alone change its budget",
      .run = sf_cmd_goal_set,
      .max_args = 1000,
      GOAL_BUDGET },
    { .name = "clear", .help = "take the goal away", .run = sf_cmd_goal_clear, GOAL_PLAIN },
    { .name = "pause",
      .help = "pause the goal: the model does not get it, and nothing is counted",
      .run = sf_cmd_goal_pause,
      GOAL_PLAIN },
    { .name = "resume", .help = "resume the goal", .run = sf_cmd_goal_resume, GOAL_BUDGET },
    { .name = "complete",
      .help = "mark the goal as reached",
      .run = sf_cmd_goal_complete,
      GOAL_PLAIN },
    { .name = "blocked",
      .args = "[WHY…]",
      .help = "mark the goal as blocked",
      .run = sf_cmd_goal_blocked,
      .max_args = 1000,
      GOAL_PLAIN },
};

static const struct sf_option json_options[] = {
    { .name = "json", .help = "JSON instead of text" },
};
static const struct sf_option plan_import_options[] = {
    { .name = "as", .arg = "NAME", .help = "the name of the plan; else that of the file" },
};

#define PLAN_JSON .options = json_options, .option_count = SF_COUNT(json_options)

static const struct sf_command plan_commands[] = {
    { .name = "list", .help = "list the plans of this workspace", .run = sf_cmd_plan, PLAN_JSON },
    { .name = "show",
      .args = "NAME",
      .help = "show a plan and how far its tasks are",
      .run = sf_cmd_plan_show,
      .min_args = 1,
      .max_args = 1,
      PLAN_JSON },
    { .name = "check",
      .args = "FILE",
      .help = "read a plan and list what is wrong with it",
      .more = "Each error is one line, FILE:LINE:COLUMN: what is wrong. docs/PLANS.md describes "
              "plans.",
      .run = sf_cmd_plan_check,
      .min_args = 1,
      .max_args = 1,
      .complete = SF_COMPLETE_FILE,
      PLAN_JSON },
    { .name = "import",
      .args = "FILE",
      .help = "make a plan from a Markdown checklist",
      .more = "Headings become milestones and slices, open items (- [ ]) become tasks. Items that "
              "are done are left out.",
      .run = sf_cmd_plan_import,
      .min_args = 1,
      .max_args = 1,
      .complete = SF_COMPLETE_FILE,
      .options = plan_import_options,
      .option_count = SF_COUNT(plan_import_options) },
    { .name = "drop",
      .args = "NAME",
      .help = "take an accepted plan back: what is not done is cancelled",
      .more = "The file of the plan stays.",
      .run = sf_cmd_plan_drop,
      .min_args = 1,
      .max_args = 1 },
};

static const struct sf_option mode_options[] = {
    { .name = "session", .arg = "ID", .help = "the session: its id or a unique beginning" },
    { .name = "json", .help = "one JSON object" },
};

static const struct sf_option exec_options[] = {
    { .name = "auto", .help = "the same as --on-ask allow" },
    { .name = "session-id", .arg = "ID", .help = "the same as --resume" },
};

static const struct sf_option tasks_options[] = {
    { .name = "json", .help = "as stream-json: the rows are in the event of type response" },
};

/* Common options that matter to a run without a screen. */
static const char *const run_options[] = {
    "workspace",
    "mode",
    "permission-profile",
    "model",
    "provider",
    "continue",
    "resume",
    "output-format",
    "on-ask",
    "verify",
    "fail-on-refusal",
    "yolo",
    "max-turns",
    "max-cost",
    "timeout",
    NULL,
};

static const struct sf_option connect_options[] = {
    { .name = "list", .help = "list the providers and what is known of their keys" },
    { .name = "json", .help = "with --list: one JSON object a line" },
    { .name = "base-url",
      .arg = "URL",
      .help = "PROVIDER is a name for another server, at this address of http or https" },
    { .name = "format",
      .arg = "FORMAT",
      .help = "with --base-url: chat, unless it speaks responses or anthropic" },
    { .name = "key-file",
      .arg = "FILE",
      .complete = SF_COMPLETE_FILE,
      .help = "the key is in FILE, which only you can read" },
    { .name = "key-cmd", .arg = "COMMAND", .help = "COMMAND prints the key whenever it is needed" },
    { .name = "key-env", .arg = "NAME", .help = "the key is in the variable NAME" },
    { .name = "fast", .arg = "MODEL", .help = "model for model mode fast" },
    { .name = "smart", .arg = "MODEL", .help = "model for model mode smart" },
    { .name = "deep", .arg = "MODEL", .help = "model for model mode deep" },
};

static const struct sf_command root_commands[] = {
    { .name = "exec",
      .args = "[PROMPT…]",
      .help = "run one request without a screen",
      .more =
          "The prompt is the arguments, and what is piped in follows it. A prompt of one line "
          "may be a /command, or as an argument a !command of yours; # begins words, not a "
          "note. Without --on-ask, approvals are asked for at a terminal and refused "
          "elsewhere. What --verify names runs after a turn that went well, judged and caged as "
          "a command of yours: passed, failed, or not verified. Its exit code counts, in a "
          "pipeline that of the first part that fails, and so do the failures in a summary. Not "
          "verified is what ran no test or skipped all, was not found, was a dry run or was left "
          "in the background, and a test run that tells no number. With auto it is the first "
          "check that the project has: a configured CMake or Meson build, a target check or "
          "test, a script test, or what its manifest implies. Code 3 says that the run ended on "
          "a refusal. Only a call of a later "
          "answer makes up for one, and only if it goes as far: looking makes up for a refused "
          "look, work for refused work, and nothing less than its like for what sends, publishes "
          "or destroys. stream-json prints one object a line, as docs/EVENTS.md and "
          "docs/events.schema.json say; the last one has the type done. With --input-format "
          "stream-json, standard input holds one JSON object a line, for prompts, answers, steering, cancelling and /commands: "
          "docs/EVENTS.md describes them. What --record writes, --provider replay:FILE plays "
          "again, with the same events; docs/REPLAY.md says where it can depart.",
      .run = sf_cmd_exec,
      .max_args = 1000,
      .common = run_options,
      .options = exec_options,
      .option_count = SF_COUNT(exec_options) },
    { .name = "config",
      .help = "show or change settings",
      .more = "Without a command, prints all settings in force. Later layers win: built in, "
              "user file, profile, .kibitzer/config.toml, .sf/config.toml, SF_* variables, "
              "command line.",
      .run = sf_cmd_config,
      .options = config_options,
      .option_count = SF_COUNT(config_options),
      .subs = config_commands,
      .sub_count = SF_COUNT(config_commands) },
    { .name = "trust",
      .help = "show or change which workspaces you trust",
      .more = "A workspace that is not trusted may only make settings stricter. Trust is bound "
              "to its policy files: when one changes, it has to be given again.",
      .run = sf_cmd_trust_status,
      .options = json_option,
      .option_count = SF_COUNT(json_option),
      .subs = trust_commands,
      .sub_count = SF_COUNT(trust_commands) },
    { .name = "permissions",
      .help = "list what runs unasked here, and take approvals back",
      .more = "Rules are settings (guard.allow, guard.ask, guard.deny). Approvals were given in a "
              "session, for that session or for the workspace; each has a number.",
      .run = sf_cmd_permissions_list,
      .options = json_option,
      .option_count = SF_COUNT(json_option),
      .subs = permissions_commands,
      .sub_count = SF_COUNT(permissions_commands) },
    { .name = "connect",
      .args = "[PROVIDER]",
      .help = "connect a model: find or ask for its key, try it, keep it",
      .more = "Without PROVIDER it lists them, with the model servers that answer on this machine. "
              "A key is typed without being shown, or piped in; it is tried with one small request "
              "and kept in a file that only you can read, unless an option says where it is.",
      .run = sf_cmd_connect,
      .max_args = 1,
      .options = connect_options,
      .option_count = SF_COUNT(connect_options) },
    { .name = "log",
      .help = "show the log of this project",
      .more = "Prints the newest events of this project, oldest first. --sql answers any "
              "question: sf log --sql 'select kind, count(*) from events group by kind'",
      .run = sf_cmd_log,
      .options = log_options,
      .option_count = SF_COUNT(log_options) },
    { .name = "sessions",
      .help = "list, search, export and put sessions in order",
      .more = "ID is an id, a unique beginning of one, or latest.",
      .run = sf_cmd_sessions_list,
      .options = sessions_options,
      .option_count = SF_COUNT(sessions_options),
      .subs = sessions_commands,
      .sub_count = SF_COUNT(sessions_commands) },
    { .name = "resume",
      .args = "[ID]",
      .help = "resume a session: its id, a unique beginning, or latest",
      .run = sf_cmd_resume,
      .max_args = 1 },
    { .name = "tasks",
      .help = "list what runs and what waits in this project",
      .more = "What /tasks shows in a session. No model is needed.",
      .run = sf_cmd_tasks,
      .options = tasks_options,
      .option_count = SF_COUNT(tasks_options) },
    { .name = "tour",
      .help = "a five-minute tour of sf, in a temporary repository",
      .more = "Modes, an edit with approval, a refusal, undo, leaving and coming back: in the real "
              "terminal, with the offline operator. Nothing of yours is touched.",
      .run = sf_cmd_tour },
    { .name = "fork",
      .args = "[ID]",
      .help = "make a session that begins with what was said in another; prints its id",
      .more = "The fork shares the past and costs nothing yet. It has the axes the other one has "
              "now, and none of its approvals. Both can be resumed.",
      .run = sf_cmd_fork,
      .max_args = 1,
      .options = fork_options,
      .option_count = SF_COUNT(fork_options) },
    { .name = "guard",
      .help = "ask the engine that judges every call",
      .subs = guard_commands,
      .sub_count = SF_COUNT(guard_commands) },
    { .name = "cage",
      .args = "[--] [COMMAND…]",
      .help = "run a command confined like those of the agent",
      .more =
          "Writes stay in the workspace, credentials are not readable, there is no network. "
          "The exit code is the command's. Its standard input is that of sf if it is a pipe or a "
          "file; a terminal or a socket is not passed on. With --explain nothing is run. With --as-judged the "
          "verdict decides, as it does for the agent: a command that only reads gets the "
          "workspace read-only, one that talks to other hosts the network, and one that is "
          "denied is not run; what would be asked about counts as approved.",
      .run = sf_cmd_cage,
      .max_args = 1000,
      .options = cage_options,
      .option_count = SF_COUNT(cage_options) },
    { .name = "doctor",
      .help = "check the installation and the project, and repair what was left",
      .more =
          "Looks at the installation, the terminal, settings, keys (which are never shown), the "
          "store, tasks and plans, snapshots, the cage, git, the workspace, the disk, the clock "
          "and what killed processes left. Each finding says what to do. Nothing is changed, "
          "and without --online no network is used but for a model server on this machine. "
          "The exit code is 1 when there is a warning. docs/DOCTOR.md lists the checks.",
      .run = sf_cmd_doctor,
      .options = doctor_options,
      .option_count = SF_COUNT(doctor_options),
      .subs = doctor_commands,
      .sub_count = SF_COUNT(doctor_commands) },
    { .name = "init",
      .help = "write AGENTS.md and .sf/config.toml from what the repository holds",
      .more = "Looks at names and at build files (Makefile, CMakeLists.txt, package.json, "
              "Cargo.toml, go.mod, pyproject.toml); nothing of the repository is run. Files that "
              "are there already stay as they are.",
      .run = sf_cmd_init,
      .options = init_options,
      .option_count = SF_COUNT(init_options) },
    { .name = "mode",
      .args = "[COMMAND]",
      .help = "show or change the axes of a session",
      .more =
          "COMMAND is what one would type in the session: sf mode build, or "
          "sf mode '/steer permission-profile restricted now'. Without --session it is the "
          "last conversation, or where there is none, the project. A change with a moment of its "
          "own waits for it in the process that has the session: '/steer mode review "
          "after-current-unit' shows as build→review until then.",
      .run = sf_cmd_mode,
      .max_args = 1,
      .options = mode_options,
      .option_count = SF_COUNT(mode_options) },
    { .name = "goal",
      .help = "show or change the goal of a session",
      .more = "Without --session it is the last conversation. The model gets the goal with every "
              "turn, and what the turns use is counted. The command works while another process "
              "has the session open, which sees the change.",
      .run = sf_cmd_goal_get,
      .options = goal_options,
      .option_count = SF_COUNT(goal_options),
      .subs = goal_commands,
      .sub_count = SF_COUNT(goal_commands) },
    { .name = "plan",
      .help = "plans: list, show, check, import, drop",
      .more = "A plan is a file, .sf/plans/NAME.md, with milestones, slices and tasks. Without a "
              "word behind it, sf plan lists them.",
      .run = sf_cmd_plan,
      .options = json_options,
      .option_count = SF_COUNT(json_options),
      .subs = plan_commands,
      .sub_count = SF_COUNT(plan_commands) },
    { .name = "diff",
      .args = "[NUMBER]",
      .help = "show what changed since the last session began, or since a snapshot",
      .more = "Changes of the agent and of others alike; `sf restore list` has the numbers.",
      .run = sf_cmd_diff,
      .max_args = 1 },
    { .name = "restore",
      .args = "[NUMBER]",
      .help = "put files back as a snapshot has them",
      .more = "Turns keep the workspace by themselves before they change it and afterwards. "
              "Shows what would change and asks. The present state is saved first, so that "
              "`sf restore undo` always leads back. Ignored files, other repositories and what "
              "you changed since sf last worked here stay as they are. Without NUMBER, lists "
              "the newest snapshots.",
      .run = sf_cmd_restore,
      .max_args = 1,
      .options = restore_options,
      .option_count = SF_COUNT(restore_options),
      .subs = restore_commands,
      .sub_count = SF_COUNT(restore_commands) },
    { .name = "store",
      .help = "check or recover the project's store",
      .subs = store_commands,
      .sub_count = SF_COUNT(store_commands) },
    { .name = "completion",
      .args = "SHELL",
      .help = "print the completion script for bash, zsh or fish",
      .more = "bash: source <(sf completion bash)\n"
              "zsh:  sf completion zsh > a directory of $fpath, as _sf\n"
              "fish: sf completion fish | source",
      .run = sf_cmd_completion,
      .min_args = 1,
      .max_args = 1,
      CHOICE(shells) },
    { .name = "help",
      .args = "[COMMAND…|options]",
      .help = "explain a command, or the options that all of them accept",
      .run = sf_cmd_help,
      .max_args = 3 },
};

const struct sf_command sf_root_command = {
    .name = "sf",
    .args = "[PROMPT…]",
    .help = "a terminal agent shell whose state is never hidden",
    .more = "In a terminal sf opens its screen; the words behind it, if any, are the first thing "
            "said. Behind -- they are never a command.",
    .run = sf_cmd_root,
    .max_args = 1000,
    .options = common_options,
    .option_count = SF_COUNT(common_options),
    .subs = root_commands,
    .sub_count = SF_COUNT(root_commands),
};

const struct sf_exit_row sf_exits[] = {
    { SF_EXIT_DONE, "done" },
    { SF_EXIT_FAILED, "failed" },
    { SF_EXIT_USAGE, "the command line makes no sense, or names what does not exist" },
    { SF_EXIT_DENIED, "ended on a refusal: a permission is needed or was denied" },
    { SF_EXIT_BLOCKED, "blocked" },
    { SF_EXIT_LIMIT, "a budget or limit was reached" },
    { SF_EXIT_NOT_VERIFIED, "finished, but the command of --verify did not pass" },
    { SF_EXIT_TEMPORARY, "temporary failure of the provider or the network" },
    { SF_EXIT_TIMEOUT, "out of time" },
    { SF_EXIT_HANGUP, "ended by SIGHUP" },
    { SF_EXIT_INTERRUPT, "ended by SIGINT" },
    { SF_EXIT_TERMINATED, "ended by SIGTERM" },
};
const size_t sf_exit_count = SF_COUNT(sf_exits);
