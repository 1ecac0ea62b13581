/*
 * incoming_table.c: the rows: each type of line that a program may send, with its members. The
 * sentence of a row stands in the documents as it stands here.
 */
#include "port/incoming.h"

const char *const sf_line_replies[] = {
    [SF_LINE_REPLY_ONCE] = "once",
    [SF_LINE_REPLY_SURE] = "confirm",
    [SF_LINE_REPLY_SESSION] = "session",
    [SF_LINE_REPLY_WORKSPACE] = "workspace",
    [SF_LINE_REPLY_DENY] = "deny",
    [SF_LINE_REPLY_STOP] = "stop",
    NULL,
};

static const char *choose_reply(size_t index)
{
    return sf_line_replies[index];
}

/* clang-format off */
#define WORDS(n)  .name = (n), .type = SF_MEMBER_TEXT, .stable = true
#define FLAG(n)   .name = (n), .type = SF_MEMBER_BOOLEAN, .stable = true
#define ANY(n)    .name = (n), .type = SF_MEMBER_OPEN, .stable = true
#define OPTIONAL  .need = SF_NEED_SOME

const struct sf_member sf_incoming_common[] = {
    { WORDS("id"), OPTIONAL, .help = "A name of your own for the line; the `input` objects about it repeat it." },
};
const size_t sf_incoming_common_count = SF_COUNT(sf_incoming_common);

static const struct sf_member prompt_members[] = {
    { WORDS("text"), .help = "The words. They are never a command, whatever they begin with." },
};
static const struct sf_member steer_members[] = {
    { WORDS("text"), .help = "The words." },
};
static const struct sf_member answer_members[] = {
    { WORDS("call"), .help = "The `id` of the `ask`, `question` or `plan_submitted`." },
    { WORDS("reply"), OPTIONAL, .choice = choose_reply,
      .help = "One of the `replies` of the `ask`. For a plan, `once` accepts, `deny` and `stop` reject. "
              "A question of the model needs `words` alone." },
    { WORDS("words"), OPTIONAL, .help = "Why not, for the model; or the answer to its question." },
};
static const struct sf_member confirm_members[] = {
    { FLAG("yes"), .help = "The answer." },
};
static const struct sf_member command_members[] = {
    { WORDS("text"), .help = "The command, with its slash: `/mode plan`, `/model NAME`, `/permissions`, `/cost`." },
    { FLAG("now"), OPTIONAL, .help = "Whether it runs at once, before what waits and while a turn runs." },
};
static const struct sf_member user_members[] = {
    { ANY("message"), .help = "Its `content` is a text, or a list of objects of the type `text`." },
};

#define MEMBERS(rows) .members = (rows), .count = SF_COUNT(rows)

const struct sf_incoming_type sf_incoming_types[] = {
    { SF_INCOMING_PROMPT, "prompt", "Words for the model, which begin a turn. While something runs they wait, and where too many lines wait already they are refused; lines that wait are taken in their order, however the turn before them ended.", MEMBERS(prompt_members) },
    { SF_INCOMING_STEER, "steer", "Words for the turn that runs: they join it before its next request (`steer`, then `steered`). Where none runs they are a prompt.", MEMBERS(steer_members) },
    { SF_INCOMING_ANSWER, "answer", "Answers a call that waits: an `ask`, a `question` or a `plan_submitted`.", MEMBERS(answer_members) },
    { SF_INCOMING_CONFIRM, "confirm", "Answers a question of sf's own: the first `response` of the kind `question` that waits.", MEMBERS(confirm_members) },
    { SF_INCOMING_CANCEL, "cancel", "Stops the turn or the command that runs; lines that wait stay.", .count = 0 },
    { SF_INCOMING_COMMAND, "command", "A slash command, answered with `response`, `transition` or a turn. It waits like a prompt.", MEMBERS(command_members) },
    { SF_INCOMING_END, "end", "No line follows: what waits is worked through, then the run ends. The end of standard input says the same.", .count = 0 },
    { SF_INCOMING_USER, "user", "A prompt in the form in which Claude Code takes it.", MEMBERS(user_members), .open = true },
};
/* clang-format on */
const size_t sf_incoming_type_count = SF_COUNT(sf_incoming_types);
