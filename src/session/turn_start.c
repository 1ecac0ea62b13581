/*
 * turn_start.c: a prompt begins a turn. Several files contribute to the message that the model
 * gets; the table `parts` is their order in it.
 */
#include <inttypes.h>

#include "base/base.h"
#include "journal/journal.h"
#include "session/internal.h"

/* ---- before the turn ---- */

static void time_up(void *ctx)
{
    struct sf_session *s = ctx;
    struct sf_input in = { .kind = SF_IN_TIME };

    s->time_timer = 0;
    sf_session_feed(s, &in);
}

static void watch_time(struct sf_session *s)
{
    const struct sf_budget *b = sf_agent_budget(s->agent);
    int64_t left = b->limit[SF_BUDGET_TIME] - b->spent[SF_BUDGET_TIME];

    if (b->limit[SF_BUDGET_TIME] > 0 && !s->time_timer)
        s->time_timer = sf_loop_add_timer(s->setup.loop, left > 0 ? left + 1 : 1, 0, time_up, s);
}

/* The name that was asked for becomes the title once; without one, the first line of the first prompt. */
static bool set_title(struct sf_session *s, const char *text, size_t len, struct sf_error *err)
{
    const char *end = memchr(text, '\n', len), *name = s->depth ? NULL : s->setup.name;
    struct sf_strbuf title = SF_STRBUF_INIT;
    bool ok;

    if (s->titled && !name)
        return true;
    if (name)
        sf_title_make(&title, name, strlen(name));
    else
        sf_title_make(&title, text, end ? (size_t)(end - text) : len);
    ok = sf_store_session_update(s->setup.store, s->id, title.buf, NULL, NULL, err);
    if (ok)
        s->setup.name = NULL;
    s->titled = true;
    sf_strbuf_release(&title);
    return ok;
}

bool sf_session_rename(struct sf_session *s, const char *title, struct sf_error *err)
{
    if (!sf_title_set(s->setup.store, s->id, title, err))
        return false;
    s->setup.name = NULL;
    s->titled = true;
    return true;
}

/* Replaces the wish of the previous turn. */
void sf_turn_take_wish(struct sf_session *s, const struct sf_wish *wish)
{
    free(s->link.wished);
    s->link.wished = wish && wish->model ? sf_strdup(wish->model) : NULL;
    sf_strlist_release(&s->link.wished_tools);
    s->registry.turn = wish && wish->tools ? &s->link.wished_tools : NULL;
    for (size_t i = 0; s->registry.turn && i < wish->tools->count; i++)
        sf_strlist_add(&s->link.wished_tools, wish->tools->items[i]);
}

/* Fails before anything is spent when the user set a cost limit and the prices are unknown. */
static bool choose_model(struct sf_session *s, const char *words, const struct sf_wish *wish,
                         struct sf_error *err)
{
    const struct sf_usage some = { .input = 1, .output = 1 };

    sf_turn_take_wish(s, wish);
    sf_model_link_choose(s, wish && wish->review ? SF_REVIEW_WORDS : words);
    if (sf_config_find(s->setup.config, "limits.max_cost")->origin.layer == SF_LAYER_BUILTIN ||
        sf_session_cost(s, &some) >= 0)
        return true;
    sf_fail(err, SF_E_ARG, "the price of %s is unknown, so the cost limit cannot be enforced",
            s->link.model);
    return sf_hint(err, "limit tokens instead (--max-tokens), or give its prices in models.toml");
}

/* Makes valid UTF-8 without NUL, which every service accepts. */
static void clean(struct sf_strbuf *out, const char *text, size_t len)
{
    sf_utf8_scrub(out, text, len);
    for (char *nul = out->buf; (nul = memchr(nul, 0, out->len - (size_t)(nul - out->buf)));)
        *nul = ' ';
}

/* ---- the message ---- */

/* The parts of a message that the session itself does not hold. */
struct turn_words {
    struct sf_strbuf text;
    struct sf_strbuf restored; /* what was restored since the last turn */
    const struct sf_wish *wish;
};

static void add_words(struct sf_session *s, const struct turn_words *w, struct sf_message *message)
{
    (void)s;
    sf_message_add_text(message, w->text.buf, w->text.len);
}

void sf_session_attach(struct sf_session *s, char *media, char *data)
{
    struct sf_block *block = sf_message_add(&s->typed.attached, SF_BLOCK_IMAGE);

    block->media = media;
    block->data = data;
}

static void add_images(struct sf_session *s, const struct turn_words *w, struct sf_message *message)
{
    (void)w;
    for (size_t i = 0; i < s->typed.attached.count; i++)
        sf_message_adopt(message, &s->typed.attached.blocks[i]);
    sf_message_release(&s->typed.attached);
    s->typed.attached = (struct sf_message)SF_MESSAGE_INIT(SF_ROLE_USER);
}

static void add_more(struct sf_session *s, const struct turn_words *w, struct sf_message *message)
{
    (void)s;
    if (w->wish && w->wish->more_len)
        sf_message_add_text(message, w->wish->more, w->wish->more_len);
}

static void add_typed(struct sf_session *s, const struct turn_words *w, struct sf_message *message)
{
    (void)w;
    if (s->typed.shown.len)
        sf_message_add_text(message, s->typed.shown.buf, s->typed.shown.len);
    sf_strbuf_reset(&s->typed.shown);
}

static void add_job_news(struct sf_session *s, const struct turn_words *w,
                         struct sf_message *message)
{
    (void)w;
    sf_scope_news_speak(s, message);
}

static void add_restored(struct sf_session *s, const struct turn_words *w,
                         struct sf_message *message)
{
    (void)s;
    if (w->restored.len)
        sf_message_add_text(message, w->restored.buf, w->restored.len);
}

static void add_changed_prompt(struct sf_session *s, const struct turn_words *w,
                               struct sf_message *message)
{
    (void)w;
    sf_briefing_add(s, message);
}

static void add_pins(struct sf_session *s, const struct turn_words *w, struct sf_message *message)
{
    (void)w;
    sf_pins_add(s, message);
}

static void add_meta(struct sf_session *s, const struct turn_words *w, struct sf_message *message)
{
    struct sf_strbuf meta = SF_STRBUF_INIT;

    (void)w;
    sf_turn_meta_write(s, &meta);
    sf_message_add_text(message, meta.buf, meta.len);
    sf_strbuf_release(&meta);
}

static void (*const parts[])(struct sf_session *s, const struct turn_words *w,
                             struct sf_message *message) = {
    add_words,          /* the prompt as the user wrote it */
    add_images,         /* pictures that go with it */
    add_more,           /* the text of a custom command */
    add_typed,          /* commands the user typed since the last turn */
    add_job_news,       /* audits of background jobs that ended meanwhile */
    add_restored,       /* files that were restored since the last turn */
    add_changed_prompt, /* instructions that changed since the system prompt was made */
    add_pins,           /* pinned facts, if they changed */
    add_meta,           /* axes, scope, model, goal, date: <turn_meta> closes each message */
};

/* ---- the turn ---- */

/* Words that do not fit are refused with both sizes: sf cuts nobody's words. */
static bool check_size(struct sf_session *s, const struct sf_strbuf *text, struct sf_error *err)
{
    int64_t tokens = (int64_t)sf_text_tokens(text->buf), window = s->link.row->window, room;

    if (!window || tokens < window / 8)
        return true;
    sf_turn_meta_weigh(s); /* so that the room is known */
    room = sf_agent_room(s->agent);
    if (tokens <= room)
        return true;
    sf_fail(err, SF_E_LIMIT,
            "these words are about %" PRId64 " tokens, and %s takes about %" PRId64
            " in one message",
            tokens, s->link.model, room);
    return sf_hint(err,
                   "write them to a file and ask for parts of it, or choose a model with a "
                   "larger window with /model or --model; models.NAME.window corrects a wrong one");
}

/* A model that cannot see would answer as if it had. */
static bool check_images(const struct sf_session *s, struct sf_error *err)
{
    if (!s->typed.attached.count || s->link.row->images)
        return true;
    sf_fail(err, SF_E_ARG, "%s takes no images", s->link.model);
    return sf_hint(err, "choose a model that does with /model or --model; models.toml says which "
                        "ones can see (images = true)");
}

/* Half of the files may be of another state: what a model does there would be lost or wrong. */
static bool check_files(const struct sf_session *s, struct sf_error *err)
{
    if (s->depth || !sf_snap_is_between(s->setup.state_dir, s->setup.workspace->root))
        return true;
    sf_fail(err, SF_E_BUSY,
            "files are between two states: a restore was interrupted, or runs in "
            "another process");
    return sf_hint(err, "`sf restore resume` finishes it, with --back it is undone");
}

/* Everything that can fail comes first, so that no turn is half begun. */
static bool prepare(struct sf_session *s, struct turn_words *w, struct sf_error *err)
{
    return check_files(s, err) && choose_model(s, w->text.buf, w->wish, err) &&
           check_images(s, err) && check_size(s, &w->text, err) &&
           set_title(s, w->text.buf, w->text.len, err) && sf_goal_refresh(s, err) &&
           sf_briefing_keep(s, err) &&
           (s->depth ||
            sf_restored_find(s->setup.store, s->id, s->setup.workspace->root, &w->restored, err));
}

static void begin(struct sf_session *s, const struct turn_words *w)
{
    struct sf_message message = SF_MESSAGE_INIT(SF_ROLE_USER);
    struct sf_input in = { .kind = SF_IN_USER, .message = &message };

    if (!s->custom) /* a refusal while the custom command was filled in still stands */
        sf_refusal_forget(s);
    if (!s->depth)
        sf_snapshots_turn(s->snapshots, w->text.buf);
    /* The unit first: a change for it must be in force, and in the message, from the start. */
    if (w->wish && w->wish->afresh)
        sf_unit_clear(s);
    sf_mode_machine_notify(s->axes.machine, SF_MACHINE_TURN_STARTED);
    sf_session_notify(s, SF_MACHINE_UNIT_STARTED);
    for (size_t i = 0; i < SF_COUNT(parts); i++)
        parts[i](s, w, &message);
    if (sf_agent_history(s->agent)->count)
        sf_turn_meta_weigh(s);
    watch_time(s);
    sf_session_feed(s, &in);
    sf_message_release(&message);
}

static void steer(struct sf_session *s, const struct sf_strbuf *text)
{
    struct sf_input in = { .kind = SF_IN_STEER, .text = text->buf, .len = text->len };

    sf_session_feed(s, &in);
}

bool sf_session_say(struct sf_session *s, const char *text, size_t len, const struct sf_wish *wish,
                    struct sf_error *err)
{
    struct turn_words w = { .wish = wish };
    bool busy = sf_session_busy(s), ok;

    if (!sf_session_can(s, err))
        return false;
    if (!len)
        return sf_fail(err, SF_E_ARG, "there is nothing to say");
    if (sf_session_sums_up(s))
        return sf_fail(err, SF_E_BUSY, "a summary is being made: say it again in a moment");
    if (!sf_load_all(s, err))
        return false;
    sf_strbuf_init(&w.text);
    sf_strbuf_init(&w.restored);
    clean(&w.text, text, len);
    ok = busy ? check_size(s, &w.text, err) : prepare(s, &w, err);
    if (ok && !busy && wish && wish->review)
        ok = sf_review_begin(s, w.text.buf, err);
    if (ok && busy)
        steer(s, &w.text);
    else if (ok)
        begin(s, &w);
    sf_strbuf_release(&w.text);
    sf_strbuf_release(&w.restored);
    return ok;
}

bool sf_session_send(struct sf_session *s, const char *text, size_t len, struct sf_error *err)
{
    if (s->custom || sf_review_collects(s))
        return sf_fail(err, SF_E_BUSY, "a command of yours is running: say it again in a moment");
    if (s->restore && len)
        return sf_session_can(s, err) && sf_restore_hold_words(s, text, len, err);
    return sf_session_say(s, text, len, NULL, err);
}
