/*
 * load.c: reads the log of a resumed session. First comes the conversation, from the last summary
 * on, and the repair of a turn that was cut off; then, from the first event on, what summaries do
 * not replace: side state and pinned facts. A surface that wants to show something first has the
 * log read in pieces on the loop, once the user begins to type; a function that needs more than was
 * read so far reads the rest at once. A watcher reads everything at once, because the events it
 * follows come after it.
 */
#include <inttypes.h>

#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

enum { PIECE = 64, SLICE_MS = 8 };

struct sf_load {
    int64_t last;    /* the newest event when the session was opened */
    int64_t history; /* the next event of the conversation to read; 0: not known yet */
    int64_t rest;    /* the next event to read for what is beside the conversation */
    int64_t context; /* tokens as the service last counted them; -1: unknown */
    bool there;      /* the conversation is complete */
    uint64_t timer;
    struct sf_error err; /* why the log cannot be read, or none */
};

/* ---- the conversation ---- */

struct reading {
    struct sf_session *session;
    struct sf_error *err;
    bool ok;
};

static bool read_event(const struct sf_event_row *event, void *ctx)
{
    struct reading *r = ctx;

    r->ok = sf_agent_load(r->session->agent, event->kind, event->json, event->len, r->err);
    sf_shell_recall(r->session, event->kind, event->json, event->len);
    sf_scope_news_recall(r->session, event->kind, event->json, event->len);
    sf_review_recall(r->session, event->kind, event->json, event->len);
    r->session->last_read = event->id;
    return r->ok;
}

/* Reads what is beside the conversation, which may lie before the last summary. */
static bool recall_event(const struct sf_event_row *event, void *ctx)
{
    struct sf_session *s = ctx;

    sf_briefing_recall(s, event);
    sf_pins_recall(s, event->kind, event->json, event->len);
    sf_dirs_recall(s, event);
    sf_side_state_read(s, event);
    if (!strcmp(event->kind, SF_LOG_COMPACTION))
        sf_toolbox_forget_shown(s->box);
    return true;
}

bool sf_load_event(struct sf_session *s, const struct sf_event_row *event, struct sf_error *err)
{
    struct reading r = { s, err, true };

    if (!read_event(event, &r))
        return false;
    recall_event(event, s);
    sf_side_state_read_model(s, event);
    return true;
}

/* Performs only the saves: no surface waits for the end of a past turn. */
static void save_repairs(struct sf_session *s, const struct sf_effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        struct sf_effects one = { &effects->items[i], 1, 1 };

        if (one.items->kind == SF_DO_SAVE)
            sf_session_perform(s, &one);
    }
}

/* Rejects a history that no service would accept now, rather than with every request. */
static bool check_history(const struct sf_session *s, struct sf_error *err)
{
    const struct sf_history *history = sf_agent_history(s->agent);

    if (!history->count || sf_history_check(history, err))
        return true;
    sf_error_prefix(err, "session %s cannot be resumed: ", s->id);
    return sf_hint(err, "start a new session; `sf log --session %s` shows this one", s->id);
}

bool sf_load_repair(struct sf_session *s, struct sf_error *err)
{
    struct sf_strbuf partial = SF_STRBUF_INIT;
    struct sf_effects effects = { 0 };
    struct sf_event_count shells;
    bool ok = sf_store_partial_get(s->setup.store, s->id, &partial, err) &&
              sf_store_event_count(s->setup.store, s->id, SF_LOG_SHELL, INT64_MAX, &shells, err);

    if (ok) {
        s->typed.count = shells.count;
        sf_agent_repair(s->agent, partial.buf, partial.len, &effects);
        save_repairs(s, &effects);
        ok = !s->dead;
        if (s->dead)
            *err = s->death;
        ok = ok && check_history(s, err) && sf_review_mend(s, err);
    }
    sf_effects_release(&effects);
    sf_strbuf_release(&partial);
    return ok;
}

/* A watcher repairs nothing: the turn may still be running. */
static bool end_history(struct sf_session *s, struct sf_error *err)
{
    bool ok = s->watch || sf_load_repair(s, err);

    s->load->there = true;
    return ok;
}

/* ---- piece by piece ---- */

static bool read_piece(struct sf_session *s, int64_t *next, sf_event_fn *fn, void *ctx,
                       struct sf_error *err)
{
    const struct sf_event_range piece = { .session = s->id,
                                          .first = *next,
                                          .last = *next + PIECE - 1 < s->load->last
                                                      ? *next + PIECE - 1
                                                      : s->load->last };

    *next += PIECE;
    return sf_store_each_in_range(s->setup.store, &piece, fn, ctx, err);
}

static bool is_history_there(const struct sf_load *l)
{
    return l->there;
}

static bool read_history(struct sf_session *s, struct sf_error *err)
{
    struct reading r = { s, err, true };
    struct sf_load *l = s->load;

    if (!l->history)
        return sf_log_start(s->setup.store, s->id, l->last, &l->history, err);
    if (l->history <= l->last)
        return read_piece(s, &l->history, read_event, &r, err) && r.ok;
    return end_history(s, err);
}

static bool is_all_there(const struct sf_load *l)
{
    return is_history_there(l) && l->rest > l->last;
}

static bool read_next(struct sf_session *s, struct sf_error *err)
{
    struct sf_load *l = s->load;

    return is_history_there(l) ? read_piece(s, &l->rest, recall_event, s, err)
                               : read_history(s, err);
}

void sf_load_drop(struct sf_session *s)
{
    if (s->load)
        sf_loop_remove(s->setup.loop, s->load->timer);
    free(s->load);
    s->load = NULL;
}

/* Reads until `enough` or the deadline. An error is kept: after one, every call fails with it. */
static bool read_until(struct sf_session *s, bool (*enough)(const struct sf_load *l),
                       int64_t until_ms, struct sf_error *err)
{
    struct sf_load *l = s->load;

    while (l->err.code == SF_E_NONE && !enough(l) && sf_clock_monotonic_ms() < until_ms)
        if (!read_next(s, &l->err) && l->err.code == SF_E_NONE)
            sf_fail(&l->err, SF_E_IO, "session %s cannot be read", s->id);
    if (l->err.code == SF_E_NONE)
        return true;
    *err = l->err;
    return false;
}

static void slice(void *ctx)
{
    struct sf_session *s = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_event event;
    bool ok = read_until(s, is_all_there, sf_clock_monotonic_ms() + SLICE_MS, &err);

    s->load->timer = 0;
    if (!ok) {
        event = sf_event_of_notice(err.msg, strlen(err.msg));
        sf_session_tell(s, &event);
    } else if (is_all_there(s->load)) {
        sf_load_drop(s);
    } else {
        s->load->timer = sf_loop_add_timer(s->setup.loop, 0, 0, slice, s);
    }
}

bool sf_load_all(struct sf_session *s, struct sf_error *err)
{
    if (!s->load)
        return true;
    if (!read_until(s, is_all_there, INT64_MAX, err))
        return false;
    sf_load_drop(s);
    return true;
}

/* ---- opening ---- */

struct ending {
    bool found, open;
};

static bool note_ending(const struct sf_event_row *event, void *ctx)
{
    struct ending *e = ctx;
    bool begins = !strcmp(event->kind, SF_LOG_USER);

    if (begins || !strcmp(event->kind, SF_LOG_END))
        *e = (struct ending){ .found = true, .open = begins };
    return true;
}

/* Whether the last turn never ended; then the log is repaired before the surface shows it. */
static bool is_cut_off(struct sf_session *s, bool *cut_off, struct sf_error *err)
{
    struct sf_event_range range = { .session = s->id, .last = s->load->last };
    struct ending e = { .found = false };
    bool ok = true;

    for (int64_t back = 0; ok && !e.found && range.last > 0; back = 2 * back + 1) {
        range.first = range.last > back ? range.last - back : 1;
        ok = sf_store_each_in_range(s->setup.store, &range, note_ending, &e, err);
        range.last = range.first - 1;
    }
    *cut_off = e.found && e.open;
    return ok;
}

struct moment {
    char time[SF_TIME_MAX];
};

static bool note_time(const struct sf_event_row *event, void *ctx)
{
    struct moment *m = ctx;

    snprintf(m->time, sizeof(m->time), "%s", event->time);
    return true;
}

/* The service's token count for the last answer, unless a summary has been made since. */
static bool find_context(struct sf_session *s, struct sf_error *err)
{
    struct sf_usage_last usage;
    struct sf_event_count summaries;
    struct sf_event_range one = { .session = s->id };
    struct moment summary = { "" };
    bool ok = sf_store_usage_last(s->setup.store, s->id, &usage, err) &&
              sf_store_event_count(s->setup.store, s->id, SF_LOG_COMPACTION, s->load->last,
                                   &summaries, err);

    if (ok && summaries.last) {
        one.first = one.last = summaries.last;
        ok = sf_store_each_in_range(s->setup.store, &one, note_time, &summary, err);
    }
    s->load->context = ok && strcmp(usage.time, summary.time) > 0 ? usage.tokens : -1;
    return ok;
}

bool sf_load_begin(struct sf_session *s, struct sf_error *err)
{
    bool cut_off = false;

    s->load = sf_alloc(sizeof(*s->load));
    *s->load = (struct sf_load){ .rest = 1, .err = SF_ERROR_INIT };
    if (!sf_store_event_last(s->setup.store, s->id, &s->load->last, err) || !find_context(s, err) ||
        !sf_side_state_find_model(s, err) || !is_cut_off(s, &cut_off, err))
        return false;
    if (!s->setup.at_leisure || s->watch)
        return sf_load_all(s, err);
    if (cut_off && !read_until(s, is_history_there, INT64_MAX, err))
        return false;
    if (s->load->context < 0) /* only the whole history shows how full the window is */
        sf_session_prepare(s);
    return true;
}

void sf_session_prepare(struct sf_session *s)
{
    if (s->load && !s->load->timer && s->load->err.code == SF_E_NONE)
        s->load->timer = sf_loop_add_timer(s->setup.loop, 0, 0, slice, s);
}

int64_t sf_load_context(const struct sf_session *s)
{
    return s->load && !s->load->there ? s->load->context : sf_agent_context(s->agent);
}
