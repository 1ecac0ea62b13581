/*
 * transcript_feed.c: events as items of the transcript, whether they are live or read from the log:
 * one translation for both. A call is one line from its beginning to its end; its result replaces
 * what it was about to do.
 */
#include <string.h>

#include "tui/internal.h"

/* ---- answers ---- */

/* Answers of sub-agents are read by their callers, not shown. */
static void show_piece(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    enum sf_item_kind answer = f->plain ? SF_ITEM_PLAIN : SF_ITEM_ANSWER;

    if (!event->depth)
        sf_transcript_add(f->to, event->kind == SF_EVENT_TEXT ? answer : SF_ITEM_REASONING,
                          event->words.text, event->words.len, event->time_ms);
}

static void show_restart(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    if (!event->depth)
        sf_transcript_drop_open(f->to);
}

static void show_message_end(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    if (!event->depth)
        sf_transcript_seal(f->to);
}

/* Prompts, and words that joined a turn, which are shown from the moment the model gets them. */
static void show_words(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    if (event->depth)
        return;
    sf_transcript_seal(f->to);
    sf_transcript_add(f->to, SF_ITEM_USER, event->words.text, event->words.len, event->time_ms);
}

/* ---- calls ---- */

static struct sf_call_view view_of(const struct sf_event *event, enum sf_item_call_state state)
{
    return (struct sf_call_view){ .id = event->call->id, .state = state, .depth = event->depth };
}

/* A past call counts as failed until its result is read: without one it never ended. */
static void show_call(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    static const enum sf_item_call_state states[] = {
        [SF_FEED_LIVE] = SF_ITEM_CALL_PREPARES,
        [SF_FEED_WATCHED] = SF_ITEM_CALL_RUNS,
        [SF_FEED_PAST] = SF_ITEM_CALL_FAILED,
    };
    struct sf_call_view view = view_of(event, states[f->moment]);
    struct sf_strbuf what = SF_STRBUF_INIT;

    sf_call_line_what(event->call, &what);
    view.verb = sf_call_line_verb(event->call->name, false);
    view.what = what.buf;
    view.started_ms = f->moment == SF_FEED_PAST ? 0 : sf_clock_monotonic_ms();
    view.begins = true;
    view.open = sf_call_is_users(view.id);
    sf_transcript_call(f->to, &view);
    sf_strbuf_release(&what);
}

const char *sf_feed_cage(const struct sf_judged *judged)
{
    if (!judged->cage)
        return NULL;
    return strcmp(judged->cage, "none") != 0 ? "caged" : "not caged";
}

static void show_verdict(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    static const enum sf_item_call_state states[] = { [SF_ALLOW] = SF_ITEM_CALL_RUNS,
                                                      [SF_ASK] = SF_ITEM_CALL_ASKS,
                                                      [SF_DENY] = SF_ITEM_CALL_REFUSED };
    const struct sf_judged *judged = event->verdict.judged;
    struct sf_call_view view = view_of(event, states[judged->verdict.answer]);

    if (view.state == SF_ITEM_CALL_RUNS) {
        view.started_ms = sf_clock_monotonic_ms();
        view.note = sf_feed_cage(judged);
    }
    sf_transcript_call(f->to, &view);
}

/* The user changed the call, so its line says what runs instead. */
static void show_amended(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    struct sf_call_view view = view_of(event, SF_ITEM_CALL_RUNS);
    struct sf_strbuf what = SF_STRBUF_INIT;

    sf_call_line_what(event->call, &what);
    view.what = what.buf;
    view.note = sf_feed_cage(event->verdict.judged);
    view.started_ms = sf_clock_monotonic_ms();
    sf_transcript_call(f->to, &view);
    sf_strbuf_release(&what);
}

/* The call waits while the user is asked. */
static void show_ask(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    const struct sf_call_view view = view_of(event, SF_ITEM_CALL_ASKS);

    sf_transcript_call(f->to, &view);
}

/*
 * A question in another process is shown by the line of its call alone; a live one has a card.
 * Calls of sub-agents have no line in a watched session.
 */
static void show_asked(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    bool asked = event->kind == SF_EVENT_ASKED;
    struct sf_call_view view = view_of(event, asked ? SF_ITEM_CALL_ASKS : SF_ITEM_CALL_RUNS);

    view.started_ms = sf_clock_monotonic_ms();
    if (f->moment == SF_FEED_WATCHED && sf_transcript_call_what(f->to, view.id))
        sf_transcript_call(f->to, &view);
}

static void show_submitted(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    struct sf_call_view view =
        view_of(event, f->moment == SF_FEED_PAST ? SF_ITEM_CALL_FAILED : SF_ITEM_CALL_ASKS);

    view.note = "unfold: the plan";
    view.output = event->submitted.text;
    view.output_len = event->submitted.len;
    if (sf_transcript_call_what(f->to, view.id))
        sf_transcript_call(f->to, &view);
}

static void show_output(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    sf_transcript_output(f->to, event->call->id, event->words.text, event->words.len);
}

/* A refused call never ran, so it did not fail; an earlier event may have told the refusal. */
static enum sf_item_call_state result_state(const struct sf_transcript_feed *f,
                                            const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;
    bool failed = r->is_error || r->exit_code > 0;

    if (event->result.refused && r->exit_code <= 0)
        return SF_ITEM_CALL_REFUSED;
    if (failed && sf_transcript_call_refused(f->to, event->call->id))
        return SF_ITEM_CALL_REFUSED;
    return failed ? SF_ITEM_CALL_FAILED : SF_ITEM_CALL_DONE;
}

/* A command that failed did run; another call that failed did nothing. */
static const char *result_verb(const char *tool, enum sf_item_call_state state)
{
    if (state == SF_ITEM_CALL_REFUSED)
        return "Refused";
    if (state == SF_ITEM_CALL_FAILED && strcmp(tool, "Bash") != 0)
        return tool;
    return sf_call_line_verb(tool, true);
}

/* Sentences of sf for the model name files from the root on; people see where they are. */
static void add_within(struct sf_strbuf *out, const struct sf_strbuf *text, const char *root)
{
    const char *at = text->buf, *end = text->buf + text->len, *found;
    size_t len = strlen(root);

    while ((found = memmem(at, (size_t)(end - at), root, len))) {
        bool whole = found == text->buf || strchr(" '\"(`\n", found[-1]);

        sf_strbuf_add(out, at, (size_t)(found - at));
        at = found + len;
        if (whole && *at == '/')
            at++;
        else
            sf_strbuf_add(out, found, len);
    }
    sf_strbuf_add(out, at, (size_t)(end - at));
}

static void show_result(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    const struct sf_tool_result *r = event->result.tool;
    const char *tool = event->call->name;
    struct sf_call_view view = view_of(event, result_state(f, event));
    bool planned = !strcmp(tool, "Plan") && view.state == SF_ITEM_CALL_DONE;
    struct sf_strbuf what = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    char note[160];

    if (r->is_error && strcmp(tool, "Bash") != 0)
        add_within(&text, &r->text, f->workspace);
    if (event->call->amended) { /* The line says what was done, not what the model asked for. */
        sf_call_line_what(event->call, &what);
        view.what = what.buf;
    }
    view.verb = result_verb(tool, view.state);
    view.note =
        sf_call_line_note(event, sf_transcript_call_what(f->to, view.id), note, sizeof(note));
    view.diff = r->diff.buf;
    view.diff_len = r->diff.len;
    view.output = planned    ? NULL /* The plan itself stays, and is worth more. */
                  : text.len ? text.buf
                             : r->text.buf;
    view.output_len = text.len ? text.len : r->text.len;
    view.timed = true; /* The clock of the call stops. */
    view.took_ms = event->result.took_ms;
    sf_transcript_call(f->to, &view);
    sf_strbuf_release(&text);
    sf_strbuf_release(&what);
}

/* ---- the rest ---- */

static void note(const struct sf_transcript_feed *f, const struct sf_event *event, const char *text,
                 size_t len)
{
    sf_transcript_add(f->to, SF_ITEM_NOTE, text, len, event->time_ms);
}

static void add_change(struct sf_strbuf *out, const char *noun, const char *from, const char *to)
{
    if (strcmp(from, to) != 0)
        sf_strbuf_addf(out, "%s%s %s → %s", out->len ? ", " : "", noun, from, to);
}

static void add_changes(struct sf_strbuf *out, const struct sf_mode_state *from,
                        const struct sf_mode_state *to)
{
    for (int axis = 0; axis < SF_AXIS_SETTABLE; axis++)
        add_change(out, sf_axes[axis].noun,
                   sf_axis_name((enum sf_axis)axis, sf_mode_state_get(from, (enum sf_axis)axis)),
                   sf_axis_name((enum sf_axis)axis, sf_mode_state_get(to, (enum sf_axis)axis)));
    add_change(out, "scope", from->scope, to->scope);
    add_change(out, "trust", from->trust ? "on" : "off", to->trust ? "on" : "off");
    add_change(out, "pause", from->paused ? "on" : "off", to->paused ? "on" : "off");
}

/* Returns where the walk began that this change continues; the note about it so far goes. */
static struct sf_mode_state walk_from(const struct sf_transcript_feed *f,
                                      const struct sf_transition *t)
{
    struct sf_mode_walk *w = f->walk;
    size_t count = sf_transcript_count(f->to);
    bool goes_on = w->to == f->to && w->count == count && f->printed < count;

    if (goes_on && (!w->note[0] || sf_transcript_drop_note(f->to, w->note)))
        return w->from;
    return t->from;
}

/* A walk through the modes is told once, from its beginning to its end. */
static void show_walk(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    struct sf_mode_walk *w = f->walk;
    struct sf_strbuf text = SF_STRBUF_INIT;

    w->from = walk_from(f, event->transition);
    add_changes(&text, &w->from, &event->transition->to);
    if (text.len)
        note(f, event, text.buf, text.len);
    w->to = f->to;
    w->count = sf_transcript_count(f->to);
    snprintf(w->note, sizeof(w->note), "%s", text.buf);
    sf_strbuf_release(&text);
}

/* The badge shows the modes in force; this note shows when and why they changed. */
static void show_transition(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    const struct sf_transition *t = event->transition;
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (t->outcome != SF_OUTCOME_APPLIED && t->outcome != SF_OUTCOME_REFUSED)
        return; /* Another transition replaced this one. */
    if (t->outcome == SF_OUTCOME_APPLIED && t->actor == SF_ACTOR_USER &&
        t->from.trust == t->to.trust) { /* A fence that was open for a while is no walk. */
        show_walk(f, event);
        return;
    }
    add_changes(&text, &t->from, &t->to);
    if (t->outcome == SF_OUTCOME_REFUSED)
        sf_strbuf_addf(&text, "%srefused: %s", text.len ? ", " : "", t->note);
    if (text.len && t->actor != SF_ACTOR_USER)
        sf_strbuf_addf(&text, "  (%s: %s)", sf_actor_names[t->actor], t->reason);
    if (text.len)
        note(f, event, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* The line of a summary unfolds to its text. */
static void show_compacted(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    const struct sf_event_compacted *c = &event->compacted;
    struct sf_strbuf what = SF_STRBUF_INIT;
    char id[48];
    struct sf_call_view view = { .id = id,
                                 .state = SF_ITEM_CALL_DONE,
                                 .verb = "Summary",
                                 .note = "unfold: what was kept",
                                 .output = c->summary,
                                 .output_len = c->len };

    if (event->depth)
        return;
    snprintf(id, sizeof(id), "compaction-%zu", sf_transcript_count(f->to));
    if (c->before > 0) {
        sf_strbuf_adds(&what, "about ");
        sf_tokens_add(&what, c->before);
        sf_strbuf_adds(&what, " → ");
        sf_tokens_add(&what, c->after);
        sf_strbuf_adds(&what, " tokens");
    } else { /* Older logs have no figures. */
        sf_strbuf_adds(&what, "of what came before");
    }
    view.what = what.buf;
    sf_transcript_seal(f->to);
    sf_transcript_call(f->to, &view);
    sf_strbuf_release(&what);
}

/* Words of the model on one line. */
static void add_line(struct sf_strbuf *out, const char *text)
{
    for (size_t n; *text; text += n + (text[n] != '\0')) {
        n = strcspn(text, "\r\n");
        sf_strbuf_add(out, text, n);
        if (text[n])
            sf_strbuf_addch(out, ' ');
    }
}

static void add_steps(const struct sf_json *plan, struct sf_strbuf *text)
{
    static const char *const marks[] = {
        [SF_TODO_PENDING] = "☐", [SF_TODO_RUNNING] = SF_STEP_CURRENT, [SF_TODO_DONE] = "☑"
    };
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *items = plan ? sf_json_get(plan, "items") : NULL;

    for (const struct sf_json *it = items ? sf_json_first(items) : NULL; it;
         it = sf_json_next(it)) {
        const char *what = "", *status = "", *mark = marks[SF_TODO_PENDING];

        if (!sf_json_get_str(it, "content", &what, &ignored))
            continue;
        if (sf_json_get_str(it, "status", &status, &ignored))
            for (size_t i = 0; i < SF_COUNT(marks); i++)
                if (!strcmp(sf_todo_states[i], status))
                    mark = marks[i];
        sf_strbuf_addf(text, "%s%s ", text->len ? "\n" : "", mark);
        add_line(text, what);
    }
}

static void show_plan(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(event->words.text, event->words.len, NULL, &ignored);
    struct sf_strbuf text = SF_STRBUF_INIT;

    add_steps(json, &text);
    if (text.len)
        sf_transcript_add(f->to, SF_ITEM_STEPS, text.buf, text.len, event->time_ms);
    sf_strbuf_release(&text);
    sf_json_free(json);
}

/* The report stands in the conversation as part of it; /review list has it with its places. */
static void show_review(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_event_review_page(event, &text);
    if (text.len && sf_event_reviewed(event) != SF_REVIEWED_NOTHING)
        sf_strbuf_adds(&text, "\n`/review list` opens it.\n");
    if (text.len) {
        sf_transcript_seal(f->to);
        sf_transcript_add(f->to, SF_ITEM_ANSWER, text.buf, text.len, event->time_ms);
        sf_transcript_seal(f->to);
    }
    sf_strbuf_release(&text);
}

static void show_retry(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    const struct sf_retry_notice *r = event->retry;
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s; try %d of %d follows in %.1f s", r->why->message, r->attempt + 1,
                   r->of, (double)r->wait_ms / 1000.0);
    note(f, event, text.buf, text.len);
    sf_strbuf_release(&text);
}

static void show_restored(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    note(f, event, event->words.text, event->words.len);
}

static void show_goal(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    note(f, event, event->goal.change, event->goal.len);
}

static void show_notice(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    note(f, event, event->notice.text, event->notice.len);
}

static void show_run(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_event_run_line(&event->run, &text);
    note(f, event, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* A turn that ended well needs no words; refusals within it have been shown. */
static void show_done(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    const struct sf_event_done *done = &event->done;
    bool stopped = done->status == SF_TURN_CANCELLED || done->command;
    struct sf_strbuf reason = SF_STRBUF_INIT;

    if (event->depth)
        return;
    sf_transcript_seal(f->to);
    if (done->status != SF_TURN_DONE || done->command)
        sf_event_reason(done, &reason);
    if (reason.len)
        sf_transcript_add(f->to, stopped ? SF_ITEM_NOTE : SF_ITEM_ERROR, reason.buf, reason.len,
                          event->time_ms);
    sf_strbuf_release(&reason);
}

static void (*const shows[SF_EVENT_COUNT])(const struct sf_transcript_feed *f,
                                           const struct sf_event *event) = {
    [SF_EVENT_PROMPT] = show_words,
    [SF_EVENT_TEXT] = show_piece,
    [SF_EVENT_REASONING] = show_piece,
    [SF_EVENT_RESTART] = show_restart,
    [SF_EVENT_MESSAGE_END] = show_message_end,
    [SF_EVENT_CALL] = show_call,
    [SF_EVENT_VERDICT] = show_verdict,
    [SF_EVENT_ASK] = show_ask,
    [SF_EVENT_AMENDED] = show_amended,
    [SF_EVENT_ASKED] = show_asked,
    [SF_EVENT_ANSWERED] = show_asked,
    [SF_EVENT_QUESTION] = show_ask,
    [SF_EVENT_OUTPUT] = show_output,
    [SF_EVENT_RESULT] = show_result,
    [SF_EVENT_RETRY] = show_retry,
    [SF_EVENT_TRANSITION] = show_transition,
    [SF_EVENT_PLAN] = show_plan,
    [SF_EVENT_REVIEW] = show_review,
    [SF_EVENT_SUBMITTED] = show_submitted,
    [SF_EVENT_GOAL] = show_goal,
    [SF_EVENT_COMPACTED] = show_compacted,
    [SF_EVENT_STEERED] = show_words,
    [SF_EVENT_RESTORED] = show_restored,
    [SF_EVENT_RUN] = show_run,
    [SF_EVENT_NOTICE] = show_notice,
    [SF_EVENT_DONE] = show_done,
};

void sf_feed_event(const struct sf_transcript_feed *f, const struct sf_event *event)
{
    if (shows[event->kind])
        shows[event->kind](f, event);
}
