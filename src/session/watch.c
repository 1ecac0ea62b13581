/*
 * watch.c: follows a session that another process owns. Two files wake us: the database, when
 * something was written, and the lock, when its owner released it or died; the kernel closes the
 * files of a killed process too. In between nothing runs. A watcher reads the log from where it
 * stopped the last time, so it can continue the session the moment it gets the lock.
 */
#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

enum {
    STORE = 1, /* bits of the file watch: the files in the order they were added */
    LOCK = 2,
    LOOK_MS = 30,     /* writes within this time are read together */
    TRY_MS = 20,      /* the kernel reports the close of a file before it drops the lock */
    TRY_MAX_MS = 500, /* others may hold the lock for a moment, to see who owns it */
    TRIES = 8,
    BLIND_MS = 1000, /* polling interval where files cannot be watched */
};

struct sf_watch {
    struct sf_session *session;
    char *path;           /* of the lock file */
    struct sf_lock place; /* the lock file, opened but not locked yet */
    struct sf_lock_owner holder;
    struct sf_filewatch *notice;
    uint64_t look_timer, try_timer, blind_timer;
    int tries;
    struct sf_strbuf shown; /* the part of the unfinished answer that was sent */
    bool ours;              /* new events are our own, and already loaded */
};

/* ---- following ---- */

static void see(struct sf_watch *w, struct sf_watch_event *seen)
{
    struct sf_session *s = w->session;

    seen->holder = &w->holder;
    s->setup.seen(s->setup.ctx, seen);
}

static void lose(struct sf_watch *w, const struct sf_error *err)
{
    struct sf_watch_event seen = { .kind = SF_WATCH_LOST, .error = err };

    w->session->dead = true;
    see(w, &seen);
}

static void tell_text(struct sf_watch *w, enum sf_event_kind kind, const char *text, size_t len)
{
    struct sf_event event = sf_event_of_words(kind, text, len);

    sf_session_tell(w->session, &event);
}

/* Drops the pieces of an answer, which the complete message replaces. */
static void forget_text(struct sf_watch *w)
{
    if (w->shown.len)
        tell_text(w, SF_EVENT_RESTART, NULL, 0);
    sf_strbuf_reset(&w->shown);
}

struct later {
    struct sf_watch *watch;
    struct sf_error *err;
    bool ok;
};

static bool see_event(const struct sf_event_row *event, void *ctx)
{
    struct later *l = ctx;
    struct sf_watch *w = l->watch;
    struct sf_watch_event seen = { .kind = SF_WATCH_EVENT, .event = event };

    l->ok = w->ours || sf_load_event(w->session, event, l->err);
    w->session->last_read = event->id;
    if (!l->ok)
        return false;
    if (!strcmp(event->kind, SF_LOG_ASSISTANT) || !strcmp(event->kind, SF_LOG_END))
        forget_text(w);
    see(w, &seen);
    return true;
}

static bool see_text(struct sf_watch *w, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = sf_store_partial_get(w->session->setup.store, w->session->id, &text, err);

    if (ok && (text.len < w->shown.len || memcmp(text.buf, w->shown.buf, w->shown.len) != 0))
        forget_text(w);
    if (ok && text.len > w->shown.len) {
        tell_text(w, SF_EVENT_TEXT, text.buf + w->shown.len, text.len - w->shown.len);
        sf_strbuf_add(&w->shown, text.buf + w->shown.len, text.len - w->shown.len);
    }
    sf_strbuf_release(&text);
    return ok;
}

static bool look(struct sf_watch *w, struct sf_error *err)
{
    struct sf_session *s = w->session;
    struct later later = { w, err, true };

    return sf_store_each_later(s->setup.store, s->id, s->last_read, see_event, &later, err) &&
           later.ok && see_text(w, err) && sf_session_refresh(s, err) && sf_goal_refresh(s, err);
}

static void look_due(void *ctx)
{
    struct sf_watch *w = ctx;
    struct sf_error err = SF_ERROR_INIT;

    w->look_timer = 0;
    if (!w->session->dead && !look(w, &err))
        lose(w, &err);
}

static void look_soon(struct sf_watch *w)
{
    if (!w->look_timer)
        w->look_timer = sf_loop_add_timer(w->session->setup.loop, LOOK_MS, 0, look_due, w);
}

/* ---- taking over ---- */

static bool same(const struct sf_lock_owner *a, const struct sf_lock_owner *b)
{
    return a->pid == b->pid && a->since_ms == b->since_ms;
}

static void see_holder(struct sf_watch *w)
{
    struct sf_lock_owner now = sf_lock_owner_read(w->path);
    struct sf_watch_event seen = { .kind = SF_WATCH_OWNER };

    if (same(&now, &w->holder))
        return;
    w->holder = now;
    see(w, &seen);
}

/* Repairs what the end of the owner left open, as resuming does, and sends the repairs. */
static bool take_over(struct sf_watch *w, struct sf_error *err)
{
    struct sf_session *s = w->session;
    bool ok = sf_session_find(s, err) && sf_load_repair(s, err);

    w->ours = true;
    forget_text(w);
    if (!ok || !look(w, err) || !sf_session_acquire(s, err))
        return false;
    s->watch = NULL;
    sf_side_state_named(s);
    sf_model_link_choose(s, ""); /* the previous owner may have chosen another model */
    return true;
}

static void taken(struct sf_watch *w)
{
    struct sf_session *s = w->session;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_watch_event seen = { .kind = SF_WATCH_TAKEN };

    s->lock = w->place;
    w->place = (struct sf_lock)SF_LOCK_INIT;
    sf_lock_owner_sign(&s->lock);
    if (!look(w, &err)) {
        lose(w, &err);
        return;
    }
    seen.cut = sf_agent_in_turn(s->agent);
    if (!take_over(w, &err)) {
        lose(w, &err);
        return;
    }
    see(w, &seen);
    sf_watch_free(w);
}

static void try_due(void *ctx);

static void try_again(struct sf_watch *w)
{
    int64_t wait = (int64_t)TRY_MS << w->tries;

    if (++w->tries > TRIES)
        return;
    w->try_timer = sf_loop_add_timer(w->session->setup.loop, wait < TRY_MAX_MS ? wait : TRY_MAX_MS,
                                     0, try_due, w);
}

static void try_due(void *ctx)
{
    struct sf_watch *w = ctx;
    struct sf_error err = SF_ERROR_INIT;

    w->try_timer = 0;
    if (w->session->dead)
        return;
    if (sf_lock_try(w->path, &w->place, &err)) {
        taken(w);
    } else if (err.code == SF_E_BUSY) {
        see_holder(w);
        try_again(w);
    } else { /* the lock file was replaced, which happens when a session is deleted */
        sf_lock_drop(&w->place);
        if (sf_session_find(w->session, &err) && sf_lock_queue(w->path, &w->place, &err))
            try_again(w);
        else
            lose(w, &err);
    }
}

/* The lock may be free now or in a moment. */
static void try_soon(struct sf_watch *w)
{
    w->tries = 0;
    if (!w->try_timer)
        w->try_timer = sf_loop_add_timer(w->session->setup.loop, 0, 0, try_due, w);
}

static void noticed(void *ctx, unsigned which)
{
    struct sf_watch *w = ctx;

    if (which & LOCK)
        try_soon(w);
    if (which & STORE)
        look_soon(w);
}

static void blind_due(void *ctx)
{
    noticed(ctx, LOCK | STORE);
}

/* ---- life ---- */

struct sf_watch *sf_watch_new(struct sf_session *s, struct sf_error *err)
{
    struct sf_watch *w = sf_alloc(sizeof(*w));

    *w = (struct sf_watch){ .session = s,
                            .path = sf_session_lock_path(s->setup.state_dir, s->id),
                            .place = SF_LOCK_INIT,
                            .shown = SF_STRBUF_INIT };
    if (!sf_lock_queue(w->path, &w->place, err)) {
        sf_watch_free(w);
        return NULL;
    }
    w->holder = sf_lock_owner_read(w->path);
    w->notice = sf_filewatch_new(s->setup.loop, noticed, w);
    if (!w->notice || !sf_filewatch_add(w->notice, s->setup.state_dir) ||
        !sf_filewatch_add(w->notice, w->path))
        w->blind_timer = sf_loop_add_timer(s->setup.loop, BLIND_MS, BLIND_MS, blind_due, w);
    noticed(w, LOCK | STORE); /* catches up on changes since the lock was refused */
    return w;
}

void sf_watch_free(struct sf_watch *w)
{
    if (!w)
        return;
    sf_loop_remove(w->session->setup.loop, w->look_timer);
    sf_loop_remove(w->session->setup.loop, w->try_timer);
    sf_loop_remove(w->session->setup.loop, w->blind_timer);
    sf_filewatch_free(w->notice);
    sf_lock_drop(&w->place);
    sf_strbuf_release(&w->shown);
    free(w->path);
    free(w);
}

const struct sf_lock_owner *sf_session_holder(const struct sf_session *s)
{
    return s->watch ? &s->watch->holder : NULL;
}

bool sf_watch_refuse(const struct sf_watch *w, struct sf_error *err)
{
    struct sf_strbuf who = SF_STRBUF_INIT;

    sf_lock_owner_add(&w->holder, sf_clock_wall_ms(), &who);
    sf_fail(err, SF_E_BUSY, "%s holds this session: you are watching", who.buf);
    sf_strbuf_release(&who);
    return sf_hint(err, "it is yours when that one ends; /fork goes on beside it");
}
