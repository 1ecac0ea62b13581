/*
 * recall.c: a session's log as the conversation it was. Reads the events once, in order, and puts
 * them in the same words as when they happened.
 */
#include <string.h>

#include "desk/internal.h"

struct recall {
    struct sf_desk *desk;
    int64_t wall_ms;
    char session[SF_ID_LEN + 1]; /* whose events these are */
};

static int64_t wall_of(const char *time)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms;

    return sf_time_parse_rfc3339(time, strlen(time), &ms, &ignored) ? ms : 0;
}

/* What the user said; sf's own notes to the model are no words of theirs. */
static void show_user(struct recall *r, const struct sf_message *m)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct sf_block *b = &m->blocks[i];

        if (!sf_logged_is_words(b))
            continue;
        sf_transcript_seal(r->desk->transcript);
        sf_transcript_add(r->desk->transcript, SF_ITEM_USER, b->text, b->len, r->wall_ms);
    }
}

static void show_call(struct recall *r, const struct sf_block *b)
{
    bool runs = sf_talk_holder(r->desk->talk) != NULL; /* elsewhere; else it would have a result */
    struct sf_call_view view = { .id = b->id, .state = runs ? SF_CALL_RUNS : SF_CALL_FAILED };
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf what = SF_STRBUF_INIT;
    struct sf_call *call = sf_call_new(b->id, b->name, b->text, b->len, &ignored);

    sf_feed_what(b->name, call ? sf_call_what(call) : "", b->text, b->len, &what);
    view.verb = sf_feed_verb(b->name, false);
    view.what = what.buf;
    view.started_ms = runs ? sf_clock_monotonic_ms() : 0;
    sf_transcript_call(r->desk->transcript, &view);
    sf_strbuf_release(&what);
    sf_call_free(call);
}

static void show_answer(struct recall *r, const struct sf_message *m)
{
    for (size_t i = 0; i < m->count; i++) {
        const struct sf_block *b = &m->blocks[i];

        sf_transcript_seal(r->desk->transcript);
        if (b->kind == SF_BLOCK_TEXT)
            sf_transcript_add(r->desk->transcript, sf_feed_answer(r->desk), b->text, b->len,
                              r->wall_ms);
        else if (b->kind == SF_BLOCK_REASONING && b->len)
            sf_transcript_add(r->desk->transcript, SF_ITEM_REASONING, b->text, b->len, r->wall_ms);
        else if (b->kind == SF_BLOCK_CALL)
            show_call(r, b);
    }
    sf_transcript_seal(r->desk->transcript);
}

static void show_result(struct recall *r, const struct sf_message *m, const struct sf_json *json)
{
    const struct sf_json *detail = sf_json_get(json, "detail");
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_block *b = m->count ? &m->blocks[0] : NULL;
    struct sf_call_view view = { .depth = 0 };
    const char *summary = NULL, *diff = NULL;
    int64_t code = 0;

    if (!b || b->kind != SF_BLOCK_RESULT)
        return;
    if (detail && (!sf_json_opt_str(detail, "summary", NULL, &summary, &ignored) ||
                   !sf_json_opt_str(detail, "diff", NULL, &diff, &ignored) ||
                   !sf_json_opt_int(detail, "exit", 0, &code, &ignored)))
        return; /* not as sf writes it */
    view.id = b->id;
    view.state = b->is_error || code > 0 ? SF_CALL_FAILED : SF_CALL_DONE;
    view.diff = diff;
    view.diff_len = diff ? strlen(diff) : 0;
    view.output = b->text;
    view.output_len = b->len;
    sf_feed_result(r->desk, &view, b->name, summary);
}

static void show_text(struct recall *r, const struct sf_json *json, const char *key,
                      enum sf_item_kind kind)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;

    if (sf_json_get_str(json, key, &text, &ignored))
        sf_transcript_add(r->desk->transcript, kind, text, strlen(text), r->wall_ms);
}

static void show_end(struct recall *r, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *status = "", *text;

    if (!sf_json_get_str(json, "status", &status, &ignored) || !strcmp(status, "done"))
        return;
    if (!sf_json_get_str(json, "message", &text, &ignored))
        text = status;
    sf_transcript_add(r->desk->transcript, SF_ITEM_NOTE, text, strlen(text), r->wall_ms);
}

static void show_shell(struct recall *r, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_call_view view = { .state = SF_CALL_DONE, .open = true };
    const char *summary;
    bool failed;
    int64_t code;

    if (!sf_json_get_str(json, "id", &view.id, &ignored) ||
        !sf_json_get_str(json, "command", &view.what, &ignored) ||
        !sf_json_get_str(json, "text", &view.output, &ignored) ||
        !sf_json_get_int(json, "exit", &code, &ignored) ||
        !sf_json_get_bool(json, "error", &failed, &ignored) ||
        !sf_json_opt_str(json, "summary", NULL, &summary, &ignored))
        return;
    view.output_len = strlen(view.output);
    view.state = failed || code > 0 ? SF_CALL_FAILED : SF_CALL_DONE;
    sf_feed_result(r->desk, &view, "Bash", summary);
}

static void show_transition(struct recall *r, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_transition t;

    if (sf_transition_shown(&t, json, &ignored))
        sf_feed_transition(r->desk, &t, r->wall_ms);
}

/* Where what is shared with another session ends. */
static void show_fork(struct recall *r, const char *session)
{
    char text[64];

    if (!strcmp(r->session, session))
        return;
    if (*r->session) {
        snprintf(text, sizeof(text), "forked from %.10s here", r->session);
        sf_transcript_add(r->desk->transcript, SF_ITEM_NOTE, text, strlen(text), r->wall_ms);
    }
    snprintf(r->session, sizeof(r->session), "%s", session);
}

static void show_compaction(struct recall *r, const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t before = 0, after = 0;
    const char *summary;

    if (sf_json_get_str(json, "summary", &summary, &ignored) &&
        sf_json_opt_int(json, "before", 0, &before, &ignored) &&
        sf_json_opt_int(json, "after", 0, &after, &ignored))
        sf_feed_compacted(r->desk, before, after, summary);
}

/* What was said about the goal when it changed is not kept, but what it was. */
static void show_goal(struct recall *r, const struct sf_json *json)
{
    const struct sf_json *goal = sf_json_get(json, "goal");
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf line = SF_STRBUF_INIT;
    const char *text, *status;

    if (goal && sf_json_type(goal) == SF_JSON_OBJECT &&
        sf_json_get_str(goal, "text", &text, &ignored) &&
        sf_json_get_str(goal, "status", &status, &ignored))
        sf_strbuf_addf(&line, "goal %s: %s", status, text);
    else
        sf_strbuf_adds(&line, "goal cleared");
    sf_transcript_add(r->desk->transcript, SF_ITEM_NOTE, line.buf, line.len, r->wall_ms);
    sf_strbuf_release(&line);
}

static bool show_event(const struct sf_event_row *event, void *ctx)
{
    struct recall *r = ctx;
    struct sf_logged l;

    sf_logged_read(&l, event);
    r->wall_ms = wall_of(event->time);
    show_fork(r, event->session);
    r->desk->last_event = event->id;
    if (l.has_message && !strcmp(event->kind, SF_LOG_USER))
        show_user(r, &l.message);
    else if (l.has_message && !strcmp(event->kind, SF_LOG_ASSISTANT))
        show_answer(r, &l.message);
    else if (l.has_message && !strcmp(event->kind, SF_LOG_RESULT))
        show_result(r, &l.message, l.json);
    else if (l.json && !strcmp(event->kind, SF_LOG_STEER))
        show_text(r, l.json, "text", SF_ITEM_USER);
    else if (l.json && !strcmp(event->kind, "shell"))
        show_shell(r, l.json);
    else if (l.json && !strcmp(event->kind, SF_TRANSITION_EVENT))
        show_transition(r, l.json);
    else if (l.json && !strcmp(event->kind, SF_LOG_END))
        show_end(r, l.json);
    else if (l.json && !strcmp(event->kind, SF_LOG_COMPACTION))
        show_compaction(r, l.json);
    else if (l.json && !strcmp(event->kind, SF_EVENT_GOAL))
        show_goal(r, l.json);
    sf_logged_release(&l);
    return true;
}

void sf_recall_event(struct sf_desk *d, const struct sf_event_row *event)
{
    struct recall r = { .desk = d };

    snprintf(r.session, sizeof(r.session), "%s", event->session);
    if (event->id > d->last_event)
        show_event(event, &r);
}

struct spent {
    struct sf_desk *desk;
};

static bool add_usage(const struct sf_query_row *row, void *ctx)
{
    struct sf_desk *d = ((struct spent *)ctx)->desk;

    d->tokens_in = row->values[0].integer;
    d->tokens_out = row->values[1].integer;
    d->cost = row->values[2].integer;
    d->cost_known = row->values[3].integer == 0;
    return true;
}

/* What the session has cost so far, as its rows say. */
bool sf_recall_cost(struct sf_desk *d, struct sf_error *err)
{
    struct spent spent = { d };
    struct sf_strbuf sql = SF_STRBUF_INIT;
    struct sf_query query = { .row = add_usage, .ctx = &spent };
    bool ok;

    sf_strbuf_addf(&sql,
                   "select coalesce(sum(input_tokens+cache_read_tokens+cache_write_tokens),0), "
                   "coalesce(sum(output_tokens),0), "
                   "coalesce(sum(cost_micro_usd),0), count(*)-count(cost_micro_usd) from usage "
                   "where session_id = '%s'",
                   sf_talk_id(d->talk));
    query.sql = sql.buf;
    ok = sf_store_query(d->setup.talk.state_dir, &query, err);
    sf_strbuf_release(&sql);
    return ok;
}

bool sf_desk_recall(struct sf_desk *d, struct sf_error *err)
{
    struct recall r = { .desk = d };
    const struct sf_event_filter filter = { .session = sf_talk_id(d->talk) };

    return sf_store_each_event(d->setup.talk.store, &filter, show_event, &r, err) &&
           sf_recall_cost(d, err);
}
