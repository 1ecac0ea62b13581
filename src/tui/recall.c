/*
 * recall.c: a session's log as the conversation it was, in the same words as when it happened. It
 * is read from its end, a piece at a time: as much as is looked at, or all of it, piece by piece on
 * the loop, for somebody who looks for the beginning or for words. A piece begins where no call of
 * before waits for its result, and no words that were said before wait to join the turn.
 */
#include <inttypes.h>
#include <string.h>

#include "tui/internal.h"

enum {
    PIECE = 16,    /* events, where the screen waits for them */
    BEFORE = 8,    /* … and before them, which are only looked at */
    PAGE = 64,     /* … somebody turns a page … */
    MANY = 256,    /* … or all of them are read */
    PRINTED = 400, /* items of a conversation that is printed */
    SLICE_MS = 8,  /* on the loop, at a time */
    WORDS = 160,   /* bytes of the line that says what is missing */
};

struct recall {
    struct sf_tui *desk;
    struct sf_transcript *to;
    int64_t wall_ms;
    int64_t first;               /* the number of the event that begins the piece … */
    bool begun, cut;             /* … and whether it can begin there */
    bool settled;                /* nothing that was said before it joins it */
    bool newest;                 /* nothing stands behind it */
    struct sf_steers *steers;    /* said, and not yet part of a turn */
    char session[SF_ID_LEN + 1]; /* whose events these are … */
    char oldest[SF_ID_LEN + 1];  /* … and the first of them is */
};

static int64_t wall_of(const char *time)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms;

    return sf_time_parse_rfc3339(time, strlen(time), &ms, &ignored) ? ms : 0;
}

/* What the user said; sf's own notes to the model are no words of theirs. */
static void show_user(struct recall *r, const struct sf_log_event *l)
{
    const struct sf_message *m = &l->message;

    for (size_t i = 0; i < m->count; i++) {
        const struct sf_block *b = &m->blocks[i];

        if (!sf_log_event_is_words(b))
            continue;
        sf_transcript_seal(r->to);
        sf_transcript_add(r->to, SF_ITEM_USER, b->text, b->len, r->wall_ms);
    }
}

static void show_call(struct recall *r, const struct sf_block *b)
{
    bool runs = sf_port_owner(r->desk->port) != NULL; /* elsewhere; else it would have a result */
    struct sf_call_view view = { .id = b->id,
                                 .state = runs ? SF_ITEM_CALL_RUNS : SF_ITEM_CALL_FAILED };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf what = SF_STRBUF_INIT;
    struct sf_tool_call *call =
        sf_tool_call_new(sf_tool_find(b->name), b->id, b->text, b->len, &ignored);

    sf_feed_what(b->name, call ? sf_tool_call_what(call) : "", b->text, b->len, &what);
    view.verb = sf_feed_verb(b->name, false);
    view.what = what.buf;
    view.started_ms = runs ? sf_clock_monotonic_ms() : 0;
    view.begins = true;
    sf_transcript_call(r->to, &view);
    sf_strbuf_release(&what);
    sf_tool_call_free(call);
}

static void show_answer(struct recall *r, const struct sf_log_event *l)
{
    const struct sf_message *m = &l->message;

    sf_transcript_seal(r->to);
    for (size_t i = 0; i < m->count; i++) { /* texts in a row are one, as they were told */
        const struct sf_block *b = &m->blocks[i];

        if (b->kind == SF_BLOCK_TEXT)
            sf_transcript_add(r->to, sf_feed_answer(r->desk), b->text, b->len, r->wall_ms);
        else if (b->kind == SF_BLOCK_REASONING && b->len)
            sf_transcript_add(r->to, SF_ITEM_REASONING, b->text, b->len, r->wall_ms);
        else if (b->kind == SF_BLOCK_CALL)
            show_call(r, b);
    }
    sf_transcript_seal(r->to);
    sf_steers_answer(r->steers, r->to, sf_message_calls(m), r->wall_ms);
}

static void show_outcome(struct recall *r, const struct sf_log_event *l)
{
    const struct sf_message *m = &l->message;
    const struct sf_json *detail = sf_json_get(l->json, "detail");
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_block *b = m->count ? &m->blocks[0] : NULL;
    struct sf_call_view view = { .depth = 0 };
    const char *summary = NULL, *diff = NULL, *amended = NULL;
    int64_t code = 0, took = -1;
    bool refused = false;

    if (!b || b->kind != SF_BLOCK_RESULT)
        return;
    if (detail && (!sf_json_opt_str(detail, "summary", NULL, &summary, &ignored) ||
                   !sf_json_opt_str(detail, "diff", NULL, &diff, &ignored) ||
                   !sf_json_opt_str(detail, "amended", NULL, &amended, &ignored) ||
                   !sf_json_opt_int(detail, "exit", 0, &code, &ignored) ||
                   !sf_json_opt_int(detail, "took_ms", -1, &took, &ignored) ||
                   !sf_json_opt_bool(detail, "refused", false, &refused, &ignored)))
        return; /* not as sf writes it */
    view.id = b->id;
    view.what = amended; /* what was done, where that is not what was asked for */
    view.state = refused                   ? SF_ITEM_CALL_REFUSED
                 : b->is_error || code > 0 ? SF_ITEM_CALL_FAILED
                                           : SF_ITEM_CALL_DONE;
    view.diff = diff;
    view.diff_len = diff ? strlen(diff) : 0;
    view.output = b->text;
    view.output_len = b->len;
    view.timed = true; /* at least we do not count any longer */
    view.took_ms = took;
    sf_watch_answered(r->desk, r->to, b->id);
    sf_feed_result(r->to, &view, b->name, summary);
}

static void show_result(struct recall *r, const struct sf_log_event *l)
{
    show_outcome(r, l);
    sf_steers_result(r->steers, r->to, r->wall_ms);
}

static void show_steer(struct recall *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;

    if (sf_json_get_str(l->json, "text", &text, &ignored))
        sf_steers_say(r->steers, text, strlen(text));
}

/* The same words as when it ended; one that nobody here knows has its own. */
static void show_end(struct recall *r, const struct sf_log_event *l)
{
    struct sf_wire_error error;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_event_done done;
    const char *text;

    if (r->newest)
        sf_watch_forget(r->desk);
    sf_steers_end(r->steers, r->to, r->wall_ms);
    if (sf_event_read_end(&done, &error, l->json))
        sf_feed_end(r->to, &done, r->wall_ms);
    else if (sf_json_get_str(l->json, "message", &text, &ignored) ||
             sf_json_get_str(l->json, "status", &text, &ignored))
        sf_transcript_add(r->to, SF_ITEM_NOTE, text, strlen(text), r->wall_ms);
}

static void show_plan(struct recall *r, const struct sf_log_event *l)
{
    sf_feed_plan(r->to, l->json, r->wall_ms);
}

static void show_shell(struct recall *r, const struct sf_log_event *l)
{
    const struct sf_json *json = l->json;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_call_view view = { .state = SF_ITEM_CALL_DONE, .open = true };
    const char *summary;
    bool failed;
    int64_t code, took;

    if (!sf_json_get_str(json, "id", &view.id, &ignored) ||
        !sf_json_get_str(json, "command", &view.what, &ignored) ||
        !sf_json_get_str(json, "text", &view.output, &ignored) ||
        !sf_json_get_int(json, "exit", &code, &ignored) ||
        !sf_json_get_bool(json, "error", &failed, &ignored) ||
        !sf_json_opt_int(json, "took_ms", -1, &took, &ignored) ||
        !sf_json_opt_str(json, "summary", NULL, &summary, &ignored))
        return;
    view.output_len = strlen(view.output);
    view.state = failed || code > 0 ? SF_ITEM_CALL_FAILED : SF_ITEM_CALL_DONE;
    view.timed = true;
    view.took_ms = took;
    sf_feed_result(r->to, &view, "Bash", summary);
}

static void show_transition(struct recall *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_transition t;

    if (sf_transition_shown(&t, l->json, &ignored))
        sf_feed_transition(r->to, &t, r->wall_ms);
}

/* Where what is shared with another session ends. */
static void show_fork(struct recall *r, const char *session)
{
    char text[64];

    if (!strcmp(r->session, session))
        return;
    if (*r->session) {
        snprintf(text, sizeof(text), "forked from %.10s here", r->session);
        sf_transcript_add(r->to, SF_ITEM_NOTE, text, strlen(text), r->wall_ms);
    }
    snprintf(r->session, sizeof(r->session), "%s", session);
}

static void show_compaction(struct recall *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t before = 0, after = 0;
    const char *summary;

    if (sf_json_get_str(l->json, "summary", &summary, &ignored) &&
        sf_json_opt_int(l->json, "before", 0, &before, &ignored) &&
        sf_json_opt_int(l->json, "after", 0, &after, &ignored))
        sf_feed_compacted(r->to, before, after, summary);
}

/* What was said about the goal when it changed is not kept, but what it was. */
static void show_goal(struct recall *r, const struct sf_log_event *l)
{
    const struct sf_json *goal = sf_json_get(l->json, "goal");
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;
    const char *text, *status;

    if (goal && sf_json_type(goal) == SF_JSON_OBJECT &&
        sf_json_get_str(goal, "text", &text, &ignored) &&
        sf_json_get_str(goal, "status", &status, &ignored))
        sf_strbuf_addf(&line, "goal %s: %s", status, text);
    else
        sf_strbuf_adds(&line, "goal cleared");
    sf_transcript_add(r->to, SF_ITEM_NOTE, line.buf, line.len, r->wall_ms);
    sf_strbuf_release(&line);
}

/* One that the model asked for is the result of its call. */
static void show_restore(struct recall *r, const struct sf_log_event *l)
{
    struct sf_strbuf line = SF_STRBUF_INIT;

    if (sf_restored_add(l->json, &line))
        sf_transcript_add(r->to, SF_ITEM_NOTE, line.buf, line.len, r->wall_ms);
    sf_strbuf_release(&line);
}

static void show_briefed(struct recall *r, const struct sf_log_event *l)
{
    const struct sf_json *names = sf_json_get(l->json, "names");
    struct sf_strlist list = SF_STRLIST_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    const char *name;

    for (const struct sf_json *it = names ? sf_json_first(names) : NULL; it; it = sf_json_next(it))
        if (sf_json_as_str(it, "names", &name, &ignored))
            sf_strlist_add(&list, name);
    sf_log_event_add_instructions(&list, &line);
    if (list.count)
        sf_transcript_add(r->to, SF_ITEM_NOTE, line.buf, line.len, r->wall_ms);
    sf_strbuf_release(&line);
    sf_strlist_release(&list);
}

/* Before the piece: whether somebody spoke whose words the next answer, result or end settles. */
static void look_before(struct recall *r, const char *kind)
{
    bool said = !strcmp(kind, SF_LOG_STEER);

    if (!said && strcmp(kind, SF_LOG_USER) != 0 && strcmp(kind, SF_LOG_ASSISTANT) != 0 &&
        strcmp(kind, SF_LOG_RESULT) != 0 && strcmp(kind, SF_LOG_END) != 0)
        return;
    r->settled = !said;
}

static bool may_begin(const struct recall *r, const char *kind)
{
    return r->first <= 1 || !strcmp(kind, SF_LOG_USER) ||
           (r->settled && (!strcmp(kind, SF_LOG_ASSISTANT) || !strcmp(kind, SF_LOG_END)));
}

/* What somebody is asked elsewhere matters while nobody has answered: at the end of the log. */
static void show_asks(struct recall *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *call, *tool = "Plan", *what = "";

    if (r->newest && sf_json_get_str(l->json, "call", &call, &ignored) &&
        sf_json_opt_str(l->json, "tool", "Plan", &tool, &ignored) &&
        sf_json_opt_str(l->json, "what", "", &what, &ignored))
        sf_watch_asks(r->desk, r->to, call, tool, what);
}

static void show_submitted(struct recall *r, const struct sf_log_event *l)
{
    bool waits = sf_port_owner(r->desk->port) != NULL; /* elsewhere; else a result follows */
    struct sf_error ignored = SF_ERROR_INIT;
    const char *call, *text;

    if (sf_json_get_str(l->json, "call", &call, &ignored) &&
        sf_json_get_str(l->json, "text", &text, &ignored) && sf_transcript_call_what(r->to, call))
        sf_feed_submitted(r->to, call, waits ? SF_ITEM_CALL_ASKS : SF_ITEM_CALL_FAILED, text,
                          strlen(text));
    show_asks(r, l);
}

static void show_answered(struct recall *r, const struct sf_log_event *l)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *call;

    if (r->newest && sf_json_get_str(l->json, "call", &call, &ignored))
        sf_watch_answered(r->desk, r->to, call);
}

/* Those of messages are called where there is one, the others where the event can be read. */
static const struct {
    const char *kind;
    void (*show)(struct recall *r, const struct sf_log_event *l);
    bool message;
} kinds[] = {
    { SF_LOG_USER, show_user, true },
    { SF_LOG_ASSISTANT, show_answer, true },
    { SF_LOG_RESULT, show_result, true },
    { SF_LOG_STEER, show_steer, false },
    { SF_LOG_END, show_end, false },
    { SF_LOG_COMPACTION, show_compaction, false },
    { SF_TRANSITION_EVENT, show_transition, false },
    { SF_LOG_GOAL, show_goal, false },
    { SF_LOG_RESTORE, show_restore, false },
    { SF_LOG_INSTRUCTIONS, show_briefed, false },
    { SF_LOG_ASKED, show_asks, false },
    { SF_LOG_ANSWERED, show_answered, false },
    { "shell", show_shell, false },
    { "plan", show_plan, false },
    { "plan_submitted", show_submitted, false },
    { "plan_accepted", show_answered, false },
    { "plan_rejected", show_answered, false },
};

static void show_kind(struct recall *r, const char *kind, const struct sf_log_event *l)
{
    for (size_t i = 0; i < SF_COUNT(kinds); i++)
        if (!strcmp(kinds[i].kind, kind) && (kinds[i].message ? l->has_message : l->json != NULL))
            kinds[i].show(r, l);
}

static bool show_event(const struct sf_event_row *event, void *ctx)
{
    struct recall *r = ctx;
    struct sf_log_event l;

    if (event->seq < r->first) {
        look_before(r, event->kind);
        return true;
    }
    r->cut = !r->begun && !may_begin(r, event->kind);
    if (r->cut)
        return false;
    if (!r->begun)
        snprintf(r->oldest, sizeof(r->oldest), "%s", event->session);
    r->begun = true;
    sf_log_event_read(&l, event);
    r->wall_ms = wall_of(event->time);
    show_fork(r, event->session);
    if (event->id > r->desk->last_event)
        r->desk->last_event = event->id;
    show_kind(r, event->kind, &l);
    sf_log_event_release(&l);
    return true;
}

void sf_recall_event(struct sf_tui *ui, const struct sf_event_row *event)
{
    struct recall r = { .desk = ui, .to = ui->transcript, .newest = true, .steers = &ui->steers };

    snprintf(r.session, sizeof(r.session), "%s", event->session);
    if (event->id > ui->last_event)
        show_event(event, &r);
}

/* ---- piece by piece ---- */

/* "49,600 earlier events" */
static void show_missing(struct recall *r)
{
    const struct sf_recalled *e = &r->desk->earlier;
    char text[WORDS];

    if (r->first <= 1)
        return;
    if (e->all)
        snprintf(text, sizeof(text), "reading what came earlier: %d %%",
                 (int)((e->last - r->first) * 100 / e->last));
    else
        snprintf(text, sizeof(text), "%" PRId64 " earlier events: scrolling up shows them",
                 r->first - 1);
    sf_transcript_add(r->to, SF_ITEM_EARLIER, text, strlen(text), 0);
}

/* What is looked for may be in what came in. */
static void add_matches(struct sf_tui *ui, size_t matches)
{
    bool first = matches && !ui->find_total;

    ui->find_total += matches;
    if (ui->found)
        ui->found += matches;
    else if (first && ui->finding)
        ui->found = sf_transcript_find_next(ui->transcript, -1);
}

static void put_in_front(struct sf_tui *ui, struct recall *r)
{
    size_t before = sf_transcript_count(ui->transcript);

    if (*ui->earlier.session)
        show_fork(r, ui->earlier.session);
    snprintf(ui->earlier.session, sizeof(ui->earlier.session), "%s", r->oldest);
    ui->earlier.first = r->first;
    add_matches(ui, sf_transcript_prepend(ui->transcript, r->to));
    if (ui->printed) /* that is a number of items too */
        ui->printed += sf_transcript_count(ui->transcript) - before;
}

/* Words at the end of the log: whose turn runs elsewhere gets them, one that died did not. */
static void settle_steers(struct recall *r)
{
    if (r->newest && sf_tui_watches(r->desk)) {
        sf_steers_release(&r->desk->steers);
        r->desk->steers = *r->steers;
        *r->steers = (struct sf_steers){ .words = SF_STRLIST_INIT };
    } else {
        sf_steers_end(r->steers, r->to, r->wall_ms);
    }
}

/* So many events before those that are there, or a few more. */
static bool read_back(struct sf_tui *ui, int64_t count, struct sf_error *err)
{
    struct sf_steers steers = { .words = SF_STRLIST_INIT };
    struct recall r = { .desk = ui,
                        .to = sf_transcript_new(),
                        .steers = &steers,
                        .newest = ui->earlier.first > ui->earlier.last };
    struct sf_event_range piece = { .session = sf_port_session(ui->port),
                                    .last = ui->earlier.first - 1 };
    bool ok;

    do {
        r.first = piece.last > count ? piece.last - count + 1 : 1;
        piece.first = r.first > BEFORE ? r.first - BEFORE : 1;
        r.settled = piece.first == 1;
        sf_steers_release(&steers);
        sf_transcript_clear(r.to);
        if (r.newest)
            sf_watch_forget(ui);
        show_missing(&r);
        ok =
            sf_store_each_in_range(sf_port_raw_setup(ui->port)->store, &piece, show_event, &r, err);
        count += PIECE;
    } while (ok && r.cut);
    if (ok)
        settle_steers(&r);
    if (ok)
        put_in_front(ui, &r);
    sf_steers_release(&steers);
    sf_transcript_free(r.to);
    return ok;
}

static bool go_back(struct sf_tui *ui, int64_t count)
{
    struct sf_error err = SF_ERROR_INIT;

    if (ui->earlier.first <= 1)
        return false;
    if (read_back(ui, count, &err))
        return true;
    ui->earlier.first = 0; /* it would fail again */
    sf_tui_fail(ui, &err);
    return false;
}

bool sf_recall_back(struct sf_tui *ui)
{
    return go_back(ui, PAGE);
}

/* Each item has a line at least, so that where there are many none is laid out for this. */
void sf_recall_fill(struct sf_tui *ui, struct sf_area area)
{
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0, count;

    do {
        count = sf_transcript_count(ui->transcript);
    } while (count < rows && sf_transcript_lines(ui->transcript, 0, count, area.cols) < rows &&
             go_back(ui, PIECE));
}

void sf_recall_above(struct sf_tui *ui)
{
    size_t rows = ui->transcript_area.rows > 0 ? (size_t)ui->transcript_area.rows : 0;

    while (sf_transcript_above(ui->transcript) <= 2 * rows && sf_recall_back(ui))
        ;
}

static void slice(void *ctx)
{
    struct sf_tui *ui = ctx;
    int64_t until = sf_clock_monotonic_ms() + SLICE_MS;

    ui->earlier.timer = 0;
    while (ui->earlier.first > 1 && sf_clock_monotonic_ms() < until)
        go_back(ui, MANY);
    if (ui->earlier.to_top)
        sf_transcript_top(ui->transcript);
    if (ui->earlier.first > 1)
        ui->earlier.timer = sf_loop_add_timer(ui->loop, 0, 0, slice, ui);
    sf_tui_dirty(ui);
}

void sf_recall_all(struct sf_tui *ui, bool to_top)
{
    ui->earlier.to_top = to_top;
    if (ui->earlier.first <= 1 || ui->earlier.all)
        return;
    ui->earlier.all = true;
    ui->earlier.timer = sf_loop_add_timer(ui->loop, 0, 0, slice, ui);
}

void sf_recall_drop(struct sf_tui *ui)
{
    sf_loop_remove(ui->loop, ui->earlier.timer);
    ui->earlier = (struct sf_recalled){ .first = 0 };
    sf_watch_forget(ui);
}

bool sf_tui_recall(struct sf_tui *ui, struct sf_error *err)
{
    size_t enough = ui->setup.inline_mode ? PRINTED : 1;
    bool ok = sf_store_event_last(sf_port_raw_setup(ui->port)->store, sf_port_session(ui->port),
                                  &ui->earlier.last, err);

    ui->earlier.first = ui->earlier.last + 1;
    while (ok && ui->earlier.first > 1 && sf_transcript_count(ui->transcript) < enough)
        ok = read_back(ui, PIECE, err);
    return ok;
}
