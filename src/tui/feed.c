/*
 * feed.c: what the session tells, as the user reads it. A call is one line from its beginning to
 * its end; what it came to replaces what it was about to do.
 */
#include <string.h>

#include "tui/internal.h"

#define IN "  in " /* between what is looked for and where */

enum {
    NOTIFY_MS = 10000,  /* a turn that took longer is announced to who looks elsewhere */
    PLAIN_COLS = 10000, /* of a line that is cut only on the screen */
    ANSWER_COLS = 30,   /* of an answer beside its question */
};

/* "3 steps, 1 done", or how a plan that is submitted begins */
static void about_plan(const struct sf_json *args, struct sf_strbuf *out)
{
    const struct sf_json *items = sf_json_get(args, "items");
    struct sf_error ignored = SF_ERROR_INIT;
    size_t count = 0, done = 0;
    const char *plan;

    if (sf_json_get_str(args, "submit", &plan, &ignored)) {
        plan += strspn(plan, "# \n");
        sf_strbuf_add(out, plan, strcspn(plan, "\n"));
        return;
    }

    for (const struct sf_json *it = items ? sf_json_first(items) : NULL; it;
         it = sf_json_next(it)) {
        const char *status;

        count++;
        done += sf_json_get_str(it, "status", &status, &ignored) && !strcmp(status, "completed");
    }
    if (count)
        sf_strbuf_addf(out, "%zu step%s", count, count == 1 ? "" : "s");
    if (done)
        sf_strbuf_addf(out, ", %zu done", done);
}

/* Which argument says what the call is about, where it is not the path. */
static const struct verb {
    const char *tool, *running, *done, *arg;
    bool marked;                                                      /* the argument is Markdown */
    void (*about)(const struct sf_json *args, struct sf_strbuf *out); /* or what tells it */
} verbs[] = {
    { "Read", "Reading", "Read", NULL, false, NULL },
    { "Write", "Writing", "Wrote", NULL, false, NULL },
    { "Edit", "Editing", "Edited", NULL, false, NULL },
    { "MultiEdit", "Editing", "Edited", NULL, false, NULL },
    { "ApplyPatch", "Patching", "Patched", NULL, false, NULL },
    { "LS", "Listing", "Listed", NULL, false, NULL },
    { "Glob", "Looking", "Looked", "pattern", false, NULL },
    { "Grep", "Searching", "Searched", "pattern", false, NULL },
    { "Bash", "Running", "Ran", NULL, false, NULL },
    { "BashOutput", "Watching", "Watched", "id", false, NULL },
    { "BashKill", "Stopping", "Stopped", "id", false, NULL },
    { "Fetch", "Fetching", "Fetched", NULL, false, NULL },
    { "Plan", "Planning", "Planned", NULL, false, about_plan },
    { "AskUser", "Asking", "Asked", "question", true, NULL },
    { "ChangeToolMode", "Switching", "Scope", "mode", false, NULL },
    { "Agent", "Sending", "Agent", "description", false, NULL },
    { "Remember", "Noting", "Noted", "note", false, NULL },
    { "RevertTurn", "Reverting", "Reverted", NULL, false, NULL },
};

static const struct verb *find_verb(const char *tool)
{
    for (size_t i = 0; i < SF_COUNT(verbs); i++)
        if (!strcmp(verbs[i].tool, tool))
            return &verbs[i];
    return NULL;
}

const char *sf_feed_verb(const char *tool, bool done)
{
    const struct verb *v = find_verb(tool);

    return !v ? tool : done ? v->done : v->running;
}

/* A line of Markdown as it is read, without the marks. */
static void add_unmarked(struct sf_strbuf *out, const char *text)
{
    struct sf_page page = SF_PAGE_INIT;

    sf_page_reset(&page, PLAIN_COLS);
    sf_markdown_lay(&page, text, strlen(text), "", NULL, sf_look(SF_LOOK_TEXT));
    for (size_t i = 0; i < page.count; i++) {
        const struct sf_page_line *line = &page.lines[i];

        if (line->len > line->lead)
            sf_strbuf_addf(out, "%s%.*s", out->len ? " " : "", (int)(line->len - line->lead),
                           page.text.buf + line->at + line->lead);
    }
    sf_page_release(&page);
}

void sf_feed_what(const char *tool, const char *what, const char *args, size_t len,
                  struct sf_strbuf *out)
{
    const struct verb *v = find_verb(tool);
    struct sf_error ignored = SF_ERROR_INIT;
    bool reads = v && (v->arg || v->about);
    struct sf_json *json = reads ? sf_json_parse(args, len, NULL, &ignored) : NULL;
    const char *text = NULL;

    if (json && v->arg && sf_json_get_str(json, v->arg, &text, &ignored) && text) {
        (v->marked ? add_unmarked : sf_strbuf_adds)(out, text);
        if (what && *what && strcmp(what, ".") != 0)
            sf_strbuf_addf(out, IN "%s", what);
    } else if (json && v->about) {
        v->about(json, out);
    } else {
        sf_strbuf_adds(out, what ? what : "");
    }
    sf_json_free(json);
}

/* A summary is a sentence: what follows the name of the thing goes to the right of the line. */
static const char *note_of(const char *summary, const char *what, char *out, size_t size)
{
    const char *in = what ? strstr(what, IN) : NULL;
    size_t len = in ? (size_t)(in - what) : what ? strlen(what) : 0;
    const char *at = len ? memmem(summary, strlen(summary), what, len) : NULL;

    at = at ? at + len : summary;
    while (*at == ' ' || *at == '(' || *at == ',' || *at == ':')
        at++;
    len = strlen(at);
    if (len && at[len - 1] == ')' && !memchr(at, '(', len))
        len--;
    snprintf(out, size, "%.*s", (int)len, at);
    return out;
}

/* Of a command: the time stands beside it anyway, and success goes without saying. */
static const char *command_note(const char *summary, char *out, size_t size)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (const char *at = summary; *at;) {
        size_t n = strcspn(at, ",");
        bool took = strchr("0123456789", at[0]) && at[n - 1] == 's' && !memchr(at, ' ', n);

        if (!took && strncmp(at, "exit code 0", 11) != 0)
            sf_strbuf_addf(&text, "%s%.*s", text.len ? ", " : "", (int)n, at);
        at += n;
        at += strspn(at, ", ");
    }
    snprintf(out, size, "%s", text.buf);
    sf_strbuf_release(&text);
    return out;
}

/* ---- calls ---- */

static struct sf_call_view view_of(const struct sf_event *event, enum sf_item_call_state state)
{
    return (struct sf_call_view){ .id = event->call->id, .state = state, .depth = event->depth };
}

static void show_call(struct sf_tui *ui, const struct sf_event *event)
{
    struct sf_call_view view = view_of(event, SF_ITEM_CALL_PREPARES);
    struct sf_strbuf what = SF_STRBUF_INIT;

    sf_feed_what(event->call->name, event->call->what, event->call->args, event->call->len, &what);
    view.verb = sf_feed_verb(event->call->name, false);
    view.what = what.buf;
    view.started_ms = sf_clock_monotonic_ms();
    view.begins = true;
    view.open = !strncmp(view.id, SF_USER_CALL, strlen(SF_USER_CALL));
    sf_transcript_call(ui->transcript, &view);
    sf_strbuf_release(&what);
}

const char *sf_feed_cage(const struct sf_judged *judged)
{
    if (!judged->cage)
        return NULL;
    return strcmp(judged->cage, "none") != 0 ? "caged" : "not caged";
}

static void show_verdict(struct sf_tui *ui, const struct sf_event *event)
{
    struct sf_call_view view = view_of(event, SF_ITEM_CALL_RUNS);
    const struct sf_judged *judged = event->verdict.judged;
    const struct sf_verdict *v = &judged->verdict;

    if (v->answer == SF_ASK)
        view.state = SF_ITEM_CALL_ASKS;
    else if (v->answer == SF_DENY)
        view.state = SF_ITEM_CALL_REFUSED;
    else
        view.started_ms = sf_clock_monotonic_ms();
    if (view.state == SF_ITEM_CALL_RUNS)
        view.note = sf_feed_cage(judged);
    sf_transcript_call(ui->transcript, &view);
}

/* What is about to run is another thing now. */
static void show_amended(struct sf_tui *ui, const struct sf_event *event)
{
    struct sf_call_view view = view_of(event, SF_ITEM_CALL_RUNS);
    struct sf_strbuf what = SF_STRBUF_INIT;

    sf_feed_what(event->call->name, event->call->what, event->call->args, event->call->len, &what);
    view.what = what.buf;
    view.note = sf_feed_cage(event->verdict.judged);
    view.started_ms = sf_clock_monotonic_ms();
    sf_transcript_call(ui->transcript, &view);
    sf_strbuf_release(&what);
}

/* Nothing goes on while somebody is being asked. */
static void show_asked(struct sf_tui *ui, const struct sf_event *event)
{
    const struct sf_call_view view = view_of(event, SF_ITEM_CALL_ASKS);

    sf_transcript_call(ui->transcript, &view);
}

void sf_feed_submitted(struct sf_transcript *to, const char *id, enum sf_item_call_state state,
                       const char *text, size_t len)
{
    const struct sf_call_view view = {
        .id = id, .state = state, .note = "unfold: the plan", .output = text, .output_len = len
    };

    sf_transcript_call(to, &view);
}

/* What was answered, beside the question. */
static const char *answer_note(const struct sf_call_view *view, char *out, size_t size)
{
    const char *end = memchr(view->output, '\n', view->output_len);
    size_t len = end ? (size_t)(end - view->output) : view->output_len, used;
    size_t fits = sf_text_fit(view->output, len, ANSWER_COLS, &used);

    snprintf(out, size, "%.*s%s", (int)fits, view->output, fits < view->output_len ? "…" : "");
    return out;
}

void sf_feed_result(struct sf_transcript *to, struct sf_call_view *view, const char *tool,
                    const char *summary)
{
    const char *what = sf_transcript_call_what(to, view->id);
    char note[160];
    bool failed;

    if (summary && !strcmp(tool, "Bash"))
        view->note = command_note(summary, note, sizeof(note));
    else if (summary)
        view->note = note_of(summary, what, note, sizeof(note));
    else if (!strcmp(tool, "AskUser") && view->state == SF_ITEM_CALL_DONE && view->output)
        view->note = answer_note(view, note, sizeof(note));
    if (!strcmp(tool, "Plan") && view->state == SF_ITEM_CALL_DONE)
        view->output = NULL; /* what was planned stays, and is worth more */
    /* what was refused never ran, so it cannot have failed */
    if (view->state == SF_ITEM_CALL_FAILED && sf_transcript_call_refused(to, view->id))
        view->state = SF_ITEM_CALL_REFUSED;
    /* a command that failed ran all the same; what else failed, did not happen */
    failed = view->state == SF_ITEM_CALL_FAILED && strcmp(tool, "Bash") != 0;
    view->verb = view->state == SF_ITEM_CALL_REFUSED ? "Refused"
                 : failed                            ? tool
                                                     : sf_feed_verb(tool, true);
    sf_transcript_call(to, view);
    view->note = NULL; /* it was ours */
}

static void show_result(struct sf_tui *ui, const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;
    struct sf_call_view view = view_of(event, event->result.refused ? SF_ITEM_CALL_REFUSED
                                              : r->is_error         ? SF_ITEM_CALL_FAILED
                                                                    : SF_ITEM_CALL_DONE);

    if (r->exit_code > 0)
        view.state = SF_ITEM_CALL_FAILED;
    view.diff = r->diff.buf;
    view.diff_len = r->diff.len;
    view.output = r->text.buf;
    view.output_len = r->text.len;
    view.timed = event->result.took_ms >= 0;
    view.took_ms = event->result.took_ms;
    sf_feed_result(ui->transcript, &view, event->call->name, r->summary);
}

/* ---- the rest ---- */

static void note(struct sf_tui *ui, const char *text, size_t len)
{
    sf_transcript_add(ui->transcript, SF_ITEM_NOTE, text, len, sf_clock_wall_ms());
}

static void add_change(struct sf_strbuf *out, const char *noun, const char *from, const char *to)
{
    if (strcmp(from, to) != 0)
        sf_strbuf_addf(out, "%s%s %s → %s", out->len ? ", " : "", noun, from, to);
}

/* The badge shows what is; this line, in the order of things, that it changed and why. */
void sf_feed_transition(struct sf_transcript *to, const struct sf_transition *t, int64_t wall_ms)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (t->outcome != SF_OUTCOME_APPLIED && t->outcome != SF_OUTCOME_REFUSED)
        return; /* another one took its place */
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        add_change(
            &text, sf_axes[axis].noun,
            sf_axis_name((enum sf_axis)axis, sf_mode_state_get(&t->from, (enum sf_axis)axis)),
            sf_axis_name((enum sf_axis)axis, sf_mode_state_get(&t->to, (enum sf_axis)axis)));
    add_change(&text, "scope", t->from.scope, t->to.scope);
    add_change(&text, "trust", t->from.trust ? "on" : "off", t->to.trust ? "on" : "off");
    add_change(&text, "run", t->from.paused ? "paused" : "on", t->to.paused ? "paused" : "on");
    if (t->outcome == SF_OUTCOME_REFUSED)
        sf_strbuf_addf(&text, "%srefused: %s", text.len ? ", " : "", t->note);
    if (text.len && t->actor != SF_ACTOR_USER)
        sf_strbuf_addf(&text, "  (%s: %s)", sf_actor_names[t->actor], t->reason);
    if (text.len)
        sf_transcript_add(to, SF_ITEM_NOTE, text.buf, text.len, wall_ms);
    sf_strbuf_release(&text);
}

/* Its line unfolds to what was kept. */
void sf_feed_compacted(struct sf_transcript *to, int64_t before, int64_t after, const char *summary)
{
    struct sf_strbuf what = SF_STRBUF_INIT;
    char id[48];
    struct sf_call_view view = { .id = id,
                                 .state = SF_ITEM_CALL_DONE,
                                 .verb = "Summary",
                                 .note = "unfold: what was kept",
                                 .output = summary,
                                 .output_len = strlen(summary) };

    snprintf(id, sizeof(id), "compaction-%zu", sf_transcript_count(to));
    if (before > 0) {
        sf_strbuf_adds(&what, "about ");
        sf_tokens_add(&what, before);
        sf_strbuf_adds(&what, " → ");
        sf_tokens_add(&what, after);
        sf_strbuf_adds(&what, " tokens");
    } else { /* older logs do not say */
        sf_strbuf_adds(&what, "of what came before");
    }
    view.what = what.buf;
    sf_transcript_seal(to);
    sf_transcript_call(to, &view);
    sf_strbuf_release(&what);
}

static void show_retry(struct sf_tui *ui, const struct sf_event *event)
{
    const struct sf_retry_notice *r = event->retry;
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s; try %d of %d follows in %.1f s", r->why->message, r->attempt + 1,
                   r->of, (double)r->wait_ms / 1000.0);
    note(ui, text.buf, text.len);
    snprintf(ui->waiting, sizeof(ui->waiting), "trying again");
    sf_strbuf_release(&text);
}

void sf_feed_end(struct sf_transcript *to, const struct sf_event_done *done, int64_t wall_ms)
{
    bool stopped = done->status == SF_TURN_CANCELLED || done->command;
    struct sf_strbuf reason = SF_STRBUF_INIT;

    /* what was refused on the way has been shown */
    if (done->status != SF_TURN_DONE || done->command)
        sf_event_reason(done, &reason);
    if (reason.len)
        sf_transcript_add(to, stopped ? SF_ITEM_NOTE : SF_ITEM_ERROR, reason.buf, reason.len,
                          wall_ms);
    sf_strbuf_release(&reason);
}

static void show_done(struct sf_tui *ui, const struct sf_event *event)
{
    int64_t took = ui->turn_ms ? sf_clock_monotonic_ms() - ui->turn_ms : 0;

    if (event->depth)
        return;
    sf_transcript_seal(ui->transcript);
    sf_feed_end(ui->transcript, &event->done, event->time_ms);
    sf_steers_release(&ui->steers); /* a notice said what became of them */
    ui->turn_ms = 0;
    ui->waiting[0] = '\0';
    sf_tui_branch(ui);
    if (ui->unfocused && took > NOTIFY_MS)
        sf_terminal_notify(ui->terminal, "sf: the turn is over");
}

/* A command of the user's came to its end; those of a custom command are part of more. */
static void show_own_end(struct sf_tui *ui, const struct sf_event *event)
{
    if (!strncmp(event->call->id, SF_USER_CALL, strlen(SF_USER_CALL)))
        ui->shell_ms = 0;
}

/* The model's words, without line breaks of theirs. */
static void add_line(struct sf_strbuf *out, const char *text)
{
    for (size_t n; *text; text += n + (text[n] != '\0')) {
        n = strcspn(text, "\r\n");
        sf_strbuf_add(out, text, n);
        if (text[n])
            sf_strbuf_addch(out, ' ');
    }
}

void sf_feed_plan(struct sf_transcript *to, const struct sf_json *plan, int64_t wall_ms)
{
    static const struct {
        const char *status, *mark;
    } marks[] = { { "completed", "☑" }, { "in_progress", SF_STEP_CURRENT }, { "pending", "☐" } };
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *items = plan ? sf_json_get(plan, "items") : NULL;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (const struct sf_json *it = items ? sf_json_first(items) : NULL; it;
         it = sf_json_next(it)) {
        const char *what = "", *status = "", *mark = "☐";

        if (!sf_json_get_str(it, "content", &what, &ignored))
            continue;
        if (sf_json_get_str(it, "status", &status, &ignored))
            for (size_t i = 0; i < SF_COUNT(marks); i++)
                if (!strcmp(marks[i].status, status))
                    mark = marks[i].mark;
        sf_strbuf_addf(&text, "%s%s ", text.len ? "\n" : "", mark);
        add_line(&text, what);
    }
    if (text.len)
        sf_transcript_add(to, SF_ITEM_STEPS, text.buf, text.len, wall_ms);
    sf_strbuf_release(&text);
}

static void show_plan(struct sf_tui *ui, const struct sf_event *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(event->words.text, event->words.len, NULL, &ignored);

    sf_feed_plan(ui->transcript, json, sf_clock_wall_ms());
    sf_json_free(json);
}

/* The offline operator prints what it found, which is no Markdown. */
enum sf_item_kind sf_feed_answer(const struct sf_tui *ui)
{
    bool plain = sf_port_raw_setup(ui->port)->provider->kind == SF_PROVIDER_OFFLINE;

    return plain ? SF_ITEM_PLAIN : SF_ITEM_ANSWER;
}

/* Behind the changes that come with the turn and before all else, as it stands in the log. */
void sf_feed_unsaid(struct sf_tui *ui)
{
    if (!ui->unsaid)
        return;
    sf_transcript_seal(ui->transcript);
    sf_transcript_add(ui->transcript, SF_ITEM_USER, ui->unsaid, ui->unsaid_len, sf_clock_wall_ms());
    ui->unsaid = NULL;
}

/* An answer as it comes in; those of sub-agents are their callers' to read. */
static void show_stream(struct sf_tui *ui, const struct sf_event *event)
{
    if (event->kind == SF_EVENT_RESTART)
        sf_transcript_drop_open(ui->transcript);
    else if (event->depth)
        return;
    else if (event->kind == SF_EVENT_MESSAGE_END)
        sf_transcript_seal(ui->transcript);
    else
        sf_transcript_add(ui->transcript,
                          event->kind == SF_EVENT_TEXT ? sf_feed_answer(ui) : SF_ITEM_REASONING,
                          event->words.text, event->words.len, event->time_ms);
}

static void show_question(struct sf_tui *ui, const struct sf_event *event)
{
    sf_card_told(ui, event);
    show_asked(ui, event);
    if (ui->unfocused)
        sf_terminal_notify(ui->terminal, "sf asks");
}

static void show_end(struct sf_tui *ui, const struct sf_event *event)
{
    show_result(ui, event);
    sf_card_told(ui, event);
    show_own_end(ui, event);
}

static void show_submitted(struct sf_tui *ui, const struct sf_event *event)
{
    sf_plan_told(ui, event);
    sf_feed_submitted(ui->transcript, event->call->id, SF_ITEM_CALL_ASKS, event->submitted.text,
                      event->submitted.len);
    if (ui->unfocused)
        sf_terminal_notify(ui->terminal, "sf has a plan");
}

static void show_change(struct sf_tui *ui, const struct sf_event *event)
{
    sf_card_told(ui, event);
    show_amended(ui, event);
}

static void show_output(struct sf_tui *ui, const struct sf_event *event)
{
    sf_transcript_output(ui->transcript, event->call->id, event->words.text, event->words.len);
}

static void show_usage(struct sf_tui *ui, const struct sf_event *event)
{
    (void)event;
    ui->waiting[0] = '\0';
}

static void show_transition(struct sf_tui *ui, const struct sf_event *event)
{
    sf_feed_transition(ui->transcript, event->transition, event->time_ms);
}

static void show_compacted(struct sf_tui *ui, const struct sf_event *event)
{
    if (!event->depth)
        sf_feed_compacted(ui->transcript, event->compacted.before, event->compacted.after,
                          event->compacted.summary);
}

static void show_steered(struct sf_tui *ui, const struct sf_event *event)
{
    if (!event->depth)
        sf_steers_joined(ui, event);
}

static void show_goal(struct sf_tui *ui, const struct sf_event *event)
{
    note(ui, event->goal.change, event->goal.len);
}

static void show_notice(struct sf_tui *ui, const struct sf_event *event)
{
    note(ui, event->notice.text, event->notice.len);
}

static void (*const shows[SF_EVENT_COUNT])(struct sf_tui *ui, const struct sf_event *event) = {
    [SF_EVENT_TEXT] = show_stream,         [SF_EVENT_REASONING] = show_stream,
    [SF_EVENT_RESTART] = show_stream,      [SF_EVENT_MESSAGE_END] = show_stream,
    [SF_EVENT_CALL] = show_call,           [SF_EVENT_VERDICT] = show_verdict,
    [SF_EVENT_ASK] = show_question,        [SF_EVENT_QUESTION] = show_question,
    [SF_EVENT_AMENDED] = show_change,      [SF_EVENT_OUTPUT] = show_output,
    [SF_EVENT_RESULT] = show_end,          [SF_EVENT_USAGE] = show_usage,
    [SF_EVENT_RETRY] = show_retry,         [SF_EVENT_TRANSITION] = show_transition,
    [SF_EVENT_PLAN] = show_plan,           [SF_EVENT_SUBMITTED] = show_submitted,
    [SF_EVENT_COMPACTED] = show_compacted, [SF_EVENT_STEERED] = show_steered,
    [SF_EVENT_GOAL] = show_goal,           [SF_EVENT_NOTICE] = show_notice,
    [SF_EVENT_DONE] = show_done,
};

/* A session on its way out has only the plain terminal. */
void sf_tui_told(void *ctx, const struct sf_event *event)
{
    struct sf_tui *ui = ctx;

    if (ui->closed) {
        if (event->kind == SF_EVENT_NOTICE && event->notice.urgent)
            fprintf(stderr, "sf: %.*s\n", (int)event->notice.len, event->notice.text);
        return;
    }
    if (event->kind != SF_EVENT_TRANSITION)
        sf_feed_unsaid(ui);
    sf_tour_told(ui, event);
    if (shows[event->kind])
        shows[event->kind](ui, event);
    sf_tui_dirty(ui);
}
