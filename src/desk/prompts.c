/*
 * prompts.c: what was sent before and what is being written. Earlier prompts come from the log of
 * all the project's sessions; the draft lies in a file of its own, written a moment after each
 * change, so that no end of the program loses it; what was queued and not sent is a part of it.
 */
#include <string.h>
#include <unistd.h>

#include "desk/internal.h"

enum { PROMPTS_MAX = 300, DRAFT_MS = 400 };

/* ---- earlier prompts ---- */

static bool add_prompt(const struct sf_event_row *event, void *ctx)
{
    struct sf_desk *d = ctx;
    const struct sf_block *b;
    struct sf_logged logged;

    sf_logged_read(&logged, event);
    b = logged.has_message ? sf_logged_words(&logged.message) : NULL;
    if (b)
        sf_past_add(d->past, b->text, b->len);
    sf_logged_release(&logged);
    return true;
}

void sf_prompts_load(struct sf_desk *d)
{
    const struct sf_event_filter filter = { .kind = SF_LOG_USER, .limit = PROMPTS_MAX };
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_store_each_event(d->setup.talk.store, &filter, add_prompt, d, &err))
        sf_desk_fail(d, &err);
}

void sf_prompts_add(struct sf_desk *d, const char *text)
{
    sf_past_add(d->past, text, strlen(text));
}

bool sf_prompts_step(struct sf_desk *d, int direction)
{
    struct sf_strbuf draft = SF_STRBUF_INIT;
    size_t len = 0;
    const char *text;

    sf_composer_text(d->composer, &draft);
    text = direction < 0 ? sf_past_previous(d->past, draft.buf, draft.len, &len)
                         : sf_past_next(d->past, &len);
    if (text)
        sf_composer_set(d->composer, text, len);
    sf_strbuf_release(&draft);
    return text != NULL;
}

static void prompt_chosen(struct sf_desk *d, const char *value)
{
    size_t len;
    const char *text = sf_past_at(d->past, (size_t)strtoul(value, NULL, 10), &len);

    if (text)
        sf_composer_set(d->composer, text, len);
}

void sf_prompts_search(struct sf_desk *d)
{
    static const struct sf_overlay_kind kind = { .title = "Sent before",
                                                 .keys = "Enter takes it into the composer",
                                                 .filter = true,
                                                 .chosen = prompt_chosen };
    size_t len;

    sf_overlay_list(d, &kind);
    for (size_t i = 0; i < sf_past_count(d->past); i++) {
        const char *text = sf_past_at(d->past, i, &len);
        char value[24];

        snprintf(value, sizeof(value), "%zu", i);
        sf_overlay_row(d, value, "%.*s", (int)strcspn(text, "\n\t"), text);
    }
}

/* ---- the draft ---- */

static char *draft_path(const struct sf_desk *d)
{
    return sf_path_join(d->setup.talk.state_dir, "draft");
}

void sf_draft_load(struct sf_desk *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    char *path = draft_path(d);

    if (sf_file_read(path, SF_COMPOSER_MAX, &text, &ignored) && text.len)
        sf_composer_set(d->composer, text.buf, text.len);
    free(path);
    sf_strbuf_release(&text);
}

/* What is to be written, copied for the worker; "" takes the file away. */
struct sf_draft_write {
    struct sf_desk *desk;
    char *path;
    struct sf_strbuf text;
    struct sf_error err;
    bool ok;
};

static struct sf_draft_write *begin_write(struct sf_desk *d)
{
    struct sf_draft_write *w = sf_alloc(sizeof(*w));

    w->desk = d;
    w->path = draft_path(d);
    sf_strbuf_init(&w->text);
    for (size_t i = 0; i < d->queue.count; i++)
        sf_strbuf_addf(&w->text, "%s%s", i ? "\n\n" : "", d->queue.items[i]);
    if (w->text.len && !sf_composer_is_empty(d->composer))
        sf_strbuf_adds(&w->text, "\n\n");
    sf_composer_text(d->composer, &w->text);
    return w;
}

static void run_write(void *ctx)
{
    struct sf_draft_write *w = ctx;

    w->ok = true;
    if (w->text.len)
        w->ok = sf_file_write_atomic(w->path, w->text.buf, w->text.len, 0600, &w->err);
    else
        unlink(w->path);
}

static void end_write(void *ctx)
{
    struct sf_draft_write *w = ctx;
    struct sf_desk *d = w->desk;

    if (d->draft_write == w)
        d->draft_write = NULL;
    if (!w->ok)
        sf_desk_say(d, true, "the draft cannot be kept: %s", w->err.msg);
    free(w->path);
    sf_strbuf_release(&w->text);
    free(w);
}

/* At the end, when nothing comes after it: an older one must not be the last to be written. */
void sf_draft_save(struct sf_desk *d)
{
    struct sf_draft_write *w;

    sf_loop_remove(d->loop, d->draft_timer);
    d->draft_timer = 0;
    while (d->draft_write)
        sf_loop_turn(d->loop, -1);
    w = begin_write(d);
    run_write(w);
    end_write(w);
}

static void draft_due(void *ctx)
{
    struct sf_desk *d = ctx;

    d->draft_timer = 0;
    if (d->draft_write) { /* one at a time, and in their order */
        sf_draft_changed(d);
        return;
    }
    d->draft_write = begin_write(d);
    sf_workers_start(d->setup.talk.workers, run_write, end_write, d->draft_write);
}

void sf_draft_changed(struct sf_desk *d)
{
    if (!d->draft_timer)
        d->draft_timer = sf_loop_add_timer(d->loop, DRAFT_MS, 0, draft_due, d);
}
