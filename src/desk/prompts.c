/*
 * prompts.c: what was sent before, from the log of all the project's sessions.
 */
#include <string.h>

#include "desk/internal.h"

enum { PROMPTS_MAX = 300 };

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
