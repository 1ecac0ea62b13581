/*
 * summary.c: when a conversation is summarised, and how. The model is asked with the whole history;
 * if it fails while the window is full, a summary is made by rule. If a summary that the user asked
 * for fails, nothing changes.
 */
#include "agent/internal.h"
#include "base/base.h"

enum {
    ROOM_MIN = 1500, /* least bytes of a summary, however small the window */
};

/* Tokens of a request: more of them are summed up first. */
static int64_t most_sent(const struct sf_agent *a)
{
    int64_t room = a->setup.window - a->setup.max_output;

    if (room < a->setup.window / 2)
        room = a->setup.window / 2;
    return room - room / 10;
}

bool sf_summary_is_due(struct sf_agent *a)
{
    return a->setup.window > 0 && !a->compacted && sf_agent_context(a) > most_sent(a);
}

static void add_standing(const struct sf_agent *a, struct sf_strbuf *out)
{
    if (a->setup.standing)
        a->setup.standing(a->setup.ctx, out);
}

bool sf_summary_begin(struct sf_agent *a, const char *focus, size_t len, struct sf_effects *fx)
{
    struct sf_strbuf standing = SF_STRBUF_INIT, ask = SF_STRBUF_INIT;
    bool fits;

    a->compacted = true;
    a->asked_for = focus != NULL;
    sf_strbuf_reset(&a->focus);
    if (focus)
        sf_text_sanitize(&a->focus, focus, len, SF_TEXT_ONE_LINE);
    sf_strbuf_reset(&a->partial);
    add_standing(a, &standing);
    sf_compact_ask(a->focus.buf, standing.buf, &ask);
    fits = !a->setup.by_rule &&
           (a->setup.window <= 0 ||
            sf_agent_context(a) + (int64_t)sf_text_tokens(ask.buf) <= a->setup.window);
    if (fits) {
        a->phase = SF_PHASE_COMPACT;
        if (!a->asked_for)
            sf_effect_notice(fx, "the conversation is getting long for the model: making a "
                                 "summary of it");
        sf_strbuf_add(&sf_effect_add(fx, SF_DO_SUMMARY)->text, ask.buf, ask.len);
    } else {
        sf_summary_by_rule(a, fx);
    }
    sf_strbuf_release(&standing);
    sf_strbuf_release(&ask);
    return fits;
}

/* The lower of a quarter of the window and a quarter of the conversation. */
static int64_t tokens_kept(const struct sf_agent *a, int64_t before)
{
    int64_t window = a->setup.window / 4, own = (before - a->overhead) / 4;

    return window > 0 && window < own ? window : own;
}

static size_t room_of(const struct sf_agent *a)
{
    int64_t room = a->setup.window / 4 * 3; /* a quarter of the tokens, at three bytes each */

    if (a->setup.window <= 0)
        return 0;
    return room < ROOM_MIN ? ROOM_MIN : (size_t)room;
}

int64_t sf_agent_room(const struct sf_agent *a)
{
    int64_t room = most_sent(a) - a->overhead;

    if (a->setup.window <= 0)
        return 0;
    if (a->conversation.history.count)
        room -= (int64_t)room_of(a) / 3;
    return room > 1 ? room : 1;
}

static void save(const struct sf_agent *a, const struct sf_effect *event, size_t keep,
                 const char *by, const char *why, struct sf_effect *e)
{
    struct sf_json_writer w;

    e->event = SF_LOG_COMPACTION;
    sf_jw_init(&w, &e->json);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "summary");
    sf_jw_strn(&w, event->text.buf, event->text.len);
    sf_jw_key_int(&w, "keep", (int64_t)keep);
    sf_jw_key_str(&w, "by", by);
    sf_jw_key_str(&w, "why", why);
    sf_jw_key_int(&w, "before", event->before);
    sf_jw_key_int(&w, "after", event->after);
    if (a->focus.len)
        sf_jw_key_str(&w, "focus", a->focus.buf);
    sf_jw_object_end(&w);
}

static void compact(struct sf_agent *a, bool by_model, struct sf_effects *fx)
{
    struct sf_strbuf standing = SF_STRBUF_INIT;
    struct sf_effect event = { .kind = SF_DO_COMPACTED, .before = sf_agent_context(a) };
    size_t at = fx->count;
    struct sf_compact how = { .history = &a->conversation.history,
                              .keep = sf_compact_keep(&a->conversation.history,
                                                      tokens_kept(a, event.before)),
                              .said = by_model ? a->partial.buf : NULL,
                              .len = a->partial.len,
                              .room = room_of(a) };

    sf_strbuf_init(&event.text);
    add_standing(a, &standing);
    how.standing = standing.buf;
    sf_compact_text(&how, &event.text);
    sf_effect_add(fx, SF_DO_SAVE);
    sf_conversation_compact(&a->conversation, event.text.buf, event.text.len, how.keep);
    sf_agent_count(a, 0, 0);
    event.after = sf_agent_context(a);
    save(a, &event, how.keep, by_model ? "model" : "sf", a->asked_for ? "asked" : "full",
         &fx->items[at]);
    *sf_effect_add(fx, SF_DO_COMPACTED) = event;
    if (!by_model && !a->setup.by_rule)
        sf_effect_notice(fx, "the summary was made by rule, since the model gave none");
    sf_strbuf_release(&standing);
}

void sf_summary_by_rule(struct sf_agent *a, struct sf_effects *fx)
{
    compact(a, false, fx);
}

/* Nothing was summarised that a person would want to read, so no event tells of it. */
void sf_summary_afresh(struct sf_agent *a, const char *text, size_t len, struct sf_effects *fx)
{
    struct sf_effect event = { .kind = SF_DO_COMPACTED, .before = sf_agent_context(a) };
    struct sf_effect *saved = sf_effect_add(fx, SF_DO_SAVE);

    sf_strbuf_init(&event.text);
    sf_strbuf_add(&event.text, text, len);
    sf_strbuf_addch(&event.text, '\n');
    add_standing(a, &event.text);
    sf_strbuf_reset(&a->focus);
    sf_conversation_compact(&a->conversation, event.text.buf, event.text.len, 0);
    sf_agent_count(a, 0, 0);
    event.after = sf_agent_context(a);
    save(a, &event, 0, "sf", SF_WHY_AFRESH, saved);
    sf_strbuf_release(&event.text);
}

void sf_summary_end(struct sf_agent *a, const struct sf_wire_error *error, struct sf_effects *fx)
{
    bool ok = !error && a->partial.len > 0;

    if (!ok && a->asked_for) {
        a->end.status = SF_TURN_FAILED;
        a->end.error = error ? *error : (struct sf_wire_error){ .retry_after_ms = -1 };
        if (!error)
            snprintf(a->end.error.message, sizeof(a->end.error.message),
                     "the model gave no summary: the conversation stays as it is");
        sf_strbuf_reset(&a->partial);
        sf_agent_finish(a, fx);
        return;
    }
    compact(a, ok, fx);
    sf_strbuf_reset(&a->partial);
    if (a->conversation.in_turn)
        sf_agent_ask(a, fx);
    else
        sf_agent_finish(a, fx);
}
