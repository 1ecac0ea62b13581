/*
 * load.c: a session's log on its way back into memory. First the conversation, from where its
 * history begins, with what the end of a process left open repaired; then, from the first event on,
 * what summaries leave alone: keepsakes and pinned facts. A surface that wants to show something
 * first lets it be read in pieces on the loop, when somebody is about to go on; whatever needs it
 * before it is there reads the rest at once, and so does who watches, since what is seen later comes
 * behind all of it.
 */
#include <inttypes.h>

#include "base/base.h"
#include "session/internal.h"
#include "session/start.h"

enum { PIECE = 64, SLICE_MS = 8 };

struct sf_load {
    int64_t last;    /* the newest event when the session was opened */
    int64_t history; /* the next one to be read for the conversation; 0: not known yet */
    int64_t rest;    /* … and for what is no part of it */
    int64_t context; /* tokens, as the service counted them last; -1: it did not */
    bool there;      /* the conversation is */
    uint64_t timer;
    struct sf_error err; /* why it cannot be read, or none */
};

/* ---- the conversation ---- */

struct reading {
    struct sf_talk *talk;
    struct sf_error *err;
    bool ok;
};

static bool read_event(const struct sf_event_row *event, void *ctx)
{
    struct reading *r = ctx;

    r->ok = sf_agent_load(r->talk->agent, event->kind, event->json, event->len, r->err);
    sf_shell_recall(r->talk, event->kind, event->json, event->len);
    sf_fence_recall(r->talk, event->kind, event->json, event->len);
    r->talk->last_read = event->id;
    return r->ok;
}

/* What is no part of the conversation; it may lie before the point where that begins. */
static bool recall_event(const struct sf_event_row *event, void *ctx)
{
    struct sf_talk *t = ctx;

    sf_briefing_recall(t, event);
    sf_pins_recall(t, event->kind, event->json, event->len);
    sf_keepsake_read(t, event);
    if (!strcmp(event->kind, SF_LOG_COMPACTION))
        sf_toolbox_forget_shown(t->box);
    return true;
}

bool sf_load_event(struct sf_talk *t, const struct sf_event_row *event, struct sf_error *err)
{
    struct reading r = { t, err, true };

    if (!read_event(event, &r))
        return false;
    recall_event(event, t);
    sf_keepsake_read_model(t, event);
    return true;
}

/* Only what is to be written: nobody waits for the end of a turn of the past. */
static void save_repairs(struct sf_talk *t, const struct sf_effects *effects)
{
    for (size_t i = 0; i < effects->count; i++) {
        struct sf_effects one = { &effects->items[i], 1, 1 };

        if (one.items->kind == SF_DO_SAVE)
            sf_talk_perform(t, &one);
    }
}

/* What no service would take is told here, in words, and not found out request by request. */
static bool check_history(const struct sf_talk *t, struct sf_error *err)
{
    const struct sf_history *history = sf_agent_history(t->agent);

    if (!history->count || sf_history_check(history, err))
        return true;
    sf_error_prefix(err, "session %s cannot be gone on with: ", t->id);
    return sf_hint(err, "begin a new session; `sf log --session %s` shows this one", t->id);
}

bool sf_load_repair(struct sf_talk *t, struct sf_error *err)
{
    struct sf_strbuf partial = SF_STRBUF_INIT;
    struct sf_effects effects = { 0 };
    struct sf_event_count shells;
    bool ok = sf_store_partial_get(t->setup.store, t->id, &partial, err) &&
              sf_store_event_count(t->setup.store, t->id, "shell", INT64_MAX, &shells, err);

    if (ok) {
        t->shell_count = shells.count;
        sf_agent_repair(t->agent, partial.buf, partial.len, &effects);
        save_repairs(t, &effects);
        ok = !t->dead || sf_fail(err, SF_E_IO, "the session cannot be written");
        ok = ok && check_history(t, err);
    }
    sf_effects_release(&effects);
    sf_strbuf_release(&partial);
    return ok;
}

/* Who only watches repairs nothing: the turn may be running. */
static bool end_history(struct sf_talk *t, struct sf_error *err)
{
    bool ok = t->watch || sf_load_repair(t, err);

    t->load->there = true;
    return ok;
}

/* ---- piece by piece ---- */

static bool read_piece(struct sf_talk *t, int64_t *next, sf_event_fn *fn, void *ctx,
                       struct sf_error *err)
{
    const struct sf_event_range piece = { .session = t->id,
                                          .first = *next,
                                          .last = *next + PIECE - 1 < t->load->last
                                                      ? *next + PIECE - 1
                                                      : t->load->last };

    *next += PIECE;
    return sf_store_each_in_range(t->setup.store, &piece, fn, ctx, err);
}

static bool is_history_there(const struct sf_load *l)
{
    return l->there;
}

static bool read_history(struct sf_talk *t, struct sf_error *err)
{
    struct reading r = { t, err, true };
    struct sf_load *l = t->load;

    if (!l->history)
        return sf_history_start(t->setup.store, t->id, l->last, &l->history, err);
    if (l->history <= l->last)
        return read_piece(t, &l->history, read_event, &r, err) && r.ok;
    return end_history(t, err);
}

static bool is_all_there(const struct sf_load *l)
{
    return is_history_there(l) && l->rest > l->last;
}

static bool read_next(struct sf_talk *t, struct sf_error *err)
{
    struct sf_load *l = t->load;

    return is_history_there(l) ? read_piece(t, &l->rest, recall_event, t, err)
                               : read_history(t, err);
}

void sf_load_drop(struct sf_talk *t)
{
    if (t->load)
        sf_loop_remove(t->setup.loop, t->load->timer);
    free(t->load);
    t->load = NULL;
}

/* Reads until it is `enough`; what failed once fails again. */
static bool read_until(struct sf_talk *t, bool (*enough)(const struct sf_load *l), int64_t until_ms,
                       struct sf_error *err)
{
    struct sf_load *l = t->load;

    while (l->err.code == SF_E_NONE && !enough(l) && sf_clock_monotonic_ms() < until_ms)
        if (!read_next(t, &l->err) && l->err.code == SF_E_NONE)
            sf_fail(&l->err, SF_E_IO, "session %s cannot be read", t->id);
    if (l->err.code == SF_E_NONE)
        return true;
    *err = l->err;
    return false;
}

static void slice(void *ctx)
{
    struct sf_talk *t = ctx;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_told told = { .kind = SF_TOLD_NOTICE, .text = err.msg };
    bool ok = read_until(t, is_all_there, sf_clock_monotonic_ms() + SLICE_MS, &err);

    t->load->timer = 0;
    if (!ok) {
        told.len = strlen(err.msg);
        sf_talk_tell(t, &told);
    } else if (is_all_there(t->load)) {
        sf_load_drop(t);
    } else {
        t->load->timer = sf_loop_add_timer(t->setup.loop, 0, 0, slice, t);
    }
}

bool sf_load_all(struct sf_talk *t, struct sf_error *err)
{
    if (!t->load)
        return true;
    if (!read_until(t, is_all_there, INT64_MAX, err))
        return false;
    sf_load_drop(t);
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

/* Whether the last turn never ended: then the log is repaired before anybody looks at it. */
static bool is_cut_off(struct sf_talk *t, bool *cut_off, struct sf_error *err)
{
    struct sf_event_range range = { .session = t->id, .last = t->load->last };
    struct ending e = { .found = false };
    bool ok = true;

    for (int64_t back = 0; ok && !e.found && range.last > 0; back = 2 * back + 1) {
        range.first = range.last > back ? range.last - back : 1;
        ok = sf_store_each_in_range(t->setup.store, &range, note_ending, &e, err);
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

/* What the service counted for the last answer, unless a summary has replaced that since. */
static bool find_context(struct sf_talk *t, struct sf_error *err)
{
    struct sf_usage_last usage;
    struct sf_event_count summaries;
    struct sf_event_range one = { .session = t->id };
    struct moment summary = { "" };
    bool ok = sf_store_usage_last(t->setup.store, t->id, &usage, err) &&
              sf_store_event_count(t->setup.store, t->id, SF_LOG_COMPACTION, t->load->last,
                                   &summaries, err);

    if (ok && summaries.last) {
        one.first = one.last = summaries.last;
        ok = sf_store_each_in_range(t->setup.store, &one, note_time, &summary, err);
    }
    t->load->context = ok && strcmp(usage.time, summary.time) > 0 ? usage.tokens : -1;
    return ok;
}

bool sf_load_begin(struct sf_talk *t, struct sf_error *err)
{
    bool cut_off = false;

    t->load = sf_alloc(sizeof(*t->load));
    *t->load = (struct sf_load){ .rest = 1, .err = SF_ERROR_INIT };
    if (!sf_store_event_last(t->setup.store, t->id, &t->load->last, err) || !find_context(t, err) ||
        !sf_keepsake_find_model(t, err) || !is_cut_off(t, &cut_off, err))
        return false;
    if (!t->setup.at_leisure || t->watch)
        return sf_load_all(t, err);
    if (cut_off && !read_until(t, is_history_there, INT64_MAX, err))
        return false;
    if (t->load->context < 0) /* how full the window is shows only then */
        sf_talk_prepare(t);
    return true;
}

void sf_talk_prepare(struct sf_talk *t)
{
    if (t->load && !t->load->timer && t->load->err.code == SF_E_NONE)
        t->load->timer = sf_loop_add_timer(t->setup.loop, 0, 0, slice, t);
}

int64_t sf_load_context(const struct sf_talk *t)
{
    return t->load && !t->load->there ? t->load->context : sf_agent_context(t->agent);
}
