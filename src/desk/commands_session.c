/*
 * commands_session.c: commands about sessions: another one, its title, its queue, an earlier
 * prompt, the end.
 */
#include <string.h>

#include "desk/commands.h"
#include "desk/internal.h"

void sf_do_new(struct sf_desk *d, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)args;
    if (!sf_desk_open(d, NULL, &err))
        sf_desk_fail(d, &err);
}

void sf_do_quit(struct sf_desk *d, const char *args)
{
    (void)args;
    if (sf_talk_busy(d->talk))
        sf_talk_cancel(d->talk);
    sf_desk_quit(d);
}

void sf_do_rename(struct sf_desk *d, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*args)
        sf_desk_say(d, true, "/rename TITLE");
    else if (sf_store_session_update(d->setup.talk.store, sf_talk_id(d->talk), args, NULL, NULL,
                                     &err))
        sf_desk_say(d, false, "this session is called %s", args);
    else
        sf_desk_fail(d, &err);
}

/* ---- another session ---- */

static void session_chosen(struct sf_desk *d, const char *value)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!strcmp(value, sf_talk_id(d->talk)))
        return;
    if (!sf_desk_open(d, value, &err))
        sf_desk_fail(d, &err);
}

static bool add_preview(const struct sf_event_row *event, void *ctx)
{
    enum { EXCERPT = 400 };
    struct sf_strbuf *out = ctx;
    bool user = !strcmp(event->kind, SF_LOG_USER), said = !strcmp(event->kind, SF_LOG_ASSISTANT);
    const struct sf_block *b;
    struct sf_logged logged;

    if (!user && !said)
        return true;
    sf_logged_read(&logged, event);
    b = logged.has_message ? sf_logged_words(&logged.message) : NULL;
    if (b)
        sf_strbuf_addf(out, "%s%.*s\n\n", user ? "**you** " : "",
                       (int)(b->len > EXCERPT ? sf_utf8_cut(b->text, EXCERPT) : b->len), b->text);
    sf_logged_release(&logged);
    return true;
}

static void session_moved(struct sf_desk *d, const char *value)
{
    const struct sf_event_filter filter = { .session = value, .limit = 12 };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    if (sf_store_each_event(d->setup.talk.store, &filter, add_preview, &text, &ignored))
        sf_overlay_preview(d, text.buf, text.len, false);
    sf_strbuf_release(&text);
}

static bool add_session(const struct sf_session_row *s, void *ctx)
{
    struct sf_desk *d = ctx;
    char when[32];

    if (*s->parent_id && !*s->title)
        return true; /* a sub-agent's, that never got a word of the user's */
    snprintf(when, sizeof(when), "%.10s %.5s", s->updated_at,
             strlen(s->updated_at) > 11 ? s->updated_at + 11 : "");
    sf_overlay_row(d, s->id, "%s\t%s\t%s\t%.8s", *s->title ? s->title : "(nothing said yet)", when,
                   s->model, s->id);
    return true;
}

void sf_do_sessions(struct sf_desk *d, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "Sessions",
                                                 .keys = "Enter go on   ↑ ↓ choose",
                                                 .filter = true,
                                                 .chosen = session_chosen,
                                                 .moved = session_moved };
    struct sf_error err = SF_ERROR_INIT;

    if (*args) {
        session_chosen(d, args);
        return;
    }
    sf_overlay_list(d, &kind);
    if (!sf_store_each_session(d->setup.talk.store, add_session, d, &err)) {
        sf_overlay_close(d);
        sf_desk_fail(d, &err);
        return;
    }
    sf_overlay_choose(d, sf_talk_id(d->talk));
}

/* ---- the queue ---- */

void sf_do_queue(struct sf_desk *d, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    unsigned number;

    if (!strcmp(args, "clear")) {
        sf_strlist_release(&d->queue);
        sf_desk_say(d, false, "the queue is empty");
    } else if (sscanf(args, "drop %u", &number) == 1) {
        if (number >= 1 && number <= d->queue.count)
            sf_strlist_remove(&d->queue, number - 1);
        else
            sf_desk_say(d, true, "there is no queued draft %u", number);
    } else if (*args) {
        sf_desk_say(d, true, "/queue, /queue drop N, /queue clear");
    } else {
        for (size_t i = 0; i < d->queue.count; i++)
            sf_strbuf_addf(&text, "%zu. %s\n", i + 1, d->queue.items[i]);
        if (!text.len)
            sf_strbuf_adds(&text, "Nothing waits. While a turn runs, Tab queues what is written.");
        sf_overlay_page(d, "Queue", &text);
    }
    sf_strbuf_release(&text);
}

/* ---- an earlier prompt ---- */

static void prompt_chosen(struct sf_desk *d, const char *value)
{
    const struct sf_history *h = sf_talk_history(d->talk);
    size_t index = (size_t)strtoul(value, NULL, 10);
    const struct sf_block *b = index < h->count ? sf_logged_words(&h->messages[index]) : NULL;

    if (b)
        sf_composer_set(d->composer, b->text, b->len);
}

void sf_do_backtrack(struct sf_desk *d, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "What you said",
                                                 .keys = "Enter takes it into the composer",
                                                 .filter = true,
                                                 .chosen = prompt_chosen };
    const struct sf_history *h = sf_talk_history(d->talk);

    (void)args;
    sf_overlay_list(d, &kind);
    for (size_t i = h->count; i-- > 0;) {
        const struct sf_message *m = &h->messages[i];
        const struct sf_block *b = m->role == SF_ROLE_USER ? sf_logged_words(m) : NULL;
        char value[24];

        if (!b)
            continue;
        snprintf(value, sizeof(value), "%zu", i);
        sf_overlay_row(d, value, "%.*s", (int)strcspn(b->text, "\n\t"), b->text);
    }
}
