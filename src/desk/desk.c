/*
 * desk.c: the life of the terminal surface. Callbacks change state and mark it dirty; the loop's
 * hook paints, at most once a frame and only when something changed. At rest nothing runs.
 */
#include <signal.h>
#include <string.h>

#include "desk/internal.h"

enum {
    FRAME_MS = 16,
    SPIN_MS = 100,   /* between two pictures of the spinner */
    STILL_MS = 1000, /* the clock alone, where motion is not wanted */
    PULSE_MS = 500,
    STATUS_MS = 8000,
    SETTLE_MS = 80,       /* after the last of several sizes */
    SETTLE_TMUX_MS = 300, /* which tmux tells a quarter of a second late */
    ENDING_MS = 10000,    /* for what runs to end, before sf goes without it */
};

void sf_desk_dirty(struct sf_desk *d)
{
    d->dirty = true;
}

/* ---- painting ---- */

static void paint_due(void *ctx)
{
    struct sf_desk *d = ctx;

    d->paint_timer = 0;
}

static void paint(struct sf_desk *d)
{
    struct sf_badge_facts facts;
    struct sf_mode_state pending = sf_talk_preview(d->talk);
    struct sf_strbuf title = SF_STRBUF_INIT;

    d->dirty = false;
    d->painted_ms = sf_clock_monotonic_ms();
    if (d->setup.inline_mode && sf_desk_prints(d)) {
        sf_desk_print(d);
    } else {
        sf_desk_draw(d);
        sf_terminal_paint(d->terminal, &d->frame);
    }
    facts =
        (struct sf_badge_facts){ sf_talk_state(d->talk), &pending, &d->setup.talk.ground->scopes };
    sf_badge_title(&facts, d->project, &title);
    sf_terminal_title(d->terminal, title.buf);
    sf_strbuf_release(&title);
}

/* Things that move by themselves set the pace; without them there is no timer. */
static void tick(void *ctx)
{
    struct sf_desk *d = ctx;

    d->tick_timer = 0;
    d->ticks++;
    if (sf_clock_monotonic_ms() - d->renewed_ms >= STILL_MS) {
        d->renewed_ms = sf_clock_monotonic_ms();
        sf_overlay_renew(d);
    }
    sf_desk_dirty(d);
}

static int64_t pace(const struct sf_desk *d)
{
    const struct sf_mode_state *state = sf_talk_state(d->talk);

    if (sf_card_first(d)) /* when it begins to listen is seen at once */
        return sf_desk_is_guarded(d) ? SPIN_MS : STILL_MS;
    if (d->turn_ms || sf_transcript_runs(d->transcript))
        return d->low_motion ? STILL_MS : SPIN_MS;
    if (state->control == SF_RUN_AUTONOMOUS && !state->paused && !d->low_motion)
        return PULSE_MS;
    return sf_overlay_moves(d) ? STILL_MS : 0;
}

static void before_wait(void *ctx)
{
    struct sf_desk *d = ctx;
    int64_t due, wait, every = pace(d);

    sf_tour_look(d);
    if (every && !d->tick_timer)
        d->tick_timer = sf_loop_add_timer(d->loop, every, 0, tick, d);
    if (!d->dirty || d->editor)
        return;
    due = d->painted_ms + FRAME_MS;
    wait = (due > d->settles_ms ? due : d->settles_ms) - sf_clock_monotonic_ms();
    if (wait <= 0)
        paint(d);
    else if (!d->paint_timer)
        d->paint_timer = sf_loop_add_timer(d->loop, wait, 0, paint_due, d);
}

/* ---- words to the user ---- */

static void status_over(void *ctx)
{
    struct sf_desk *d = ctx;

    d->status_timer = 0;
    d->status[0] = '\0';
    sf_desk_dirty(d);
}

void sf_desk_say(struct sf_desk *d, bool bad, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(d->status, sizeof(d->status), format, args);
    va_end(args);
    d->status_bad = bad;
    sf_loop_remove(d->loop, d->status_timer);
    d->status_timer = sf_loop_add_timer(d->loop, STATUS_MS, 0, status_over, d);
    sf_desk_dirty(d);
}

/*
 * What failed stays readable: in the conversation, not in a line that goes away. There it stands
 * before an answer that comes in, which may be longer than the screen.
 */
void sf_desk_fail(struct sf_desk *d, const struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s%s%s", err->msg, *err->hint ? "\n" : "", err->hint);
    sf_transcript_add(d->transcript, SF_ITEM_ERROR, text.buf, text.len, sf_clock_wall_ms());
    sf_transcript_bottom(d->transcript);
    if (d->turn_ms)
        sf_desk_say(d, true, "%s", err->msg);
    sf_strbuf_release(&text);
    sf_desk_dirty(d);
}

void sf_desk_quit(struct sf_desk *d)
{
    d->quitting = true;
    sf_loop_stop(d->loop);
}

/* ---- sessions ---- */

static void forget_session(struct sf_desk *d)
{
    sf_cards_release(d);
    sf_recall_drop(d);
    sf_transcript_clear(d->transcript);
    sf_steers_release(&d->steers);
    d->printed = 0;
    d->welcoming = false;
    d->turn_ms = d->shell_ms = d->last_event = 0;
    d->waiting[0] = '\0';
    d->cost = d->tokens_in = d->tokens_out = 0;
    d->cost_known = true;
}

/* A new session goes on with what stands in the composer; else a draft stays with its session. */
static void change_session(struct sf_desk *d, struct sf_talk *talk, bool resumes)
{
    if (d->talk && resumes) {
        sf_draft_save(d);
        sf_composer_clear(d->composer);
    } else if (d->talk) {
        sf_draft_drop(d);
    }
    sf_talk_close(d->talk);
    d->talk = talk;
    forget_session(d);
    sf_draft_load(d);
    sf_queue_load(d);
}

static struct sf_talk *open_talk(struct sf_desk *d, const char *resume, struct sf_error *err)
{
    struct sf_talk_setup setup = d->setup.talk;
    struct sf_talk *talk;

    setup.resume = resume;
    setup.attended = true;
    setup.at_leisure = true;
    setup.told = sf_desk_told;
    setup.seen = sf_desk_seen;
    setup.ctx = d;
    talk = sf_talk_open(&setup, err);
    if (talk && d->setup.opened && !d->setup.opened(d->setup.ctx, talk, err)) {
        sf_talk_close(talk);
        talk = NULL;
    }
    return talk;
}

bool sf_desk_open(struct sf_desk *d, const char *resume, struct sf_error *err)
{
    const struct sf_talk_setup before = d->setup.talk;
    struct sf_talk *talk;

    if (d->talk && sf_desk_works(d))
        return sf_fail(err, SF_E_BUSY, "%s is running",
                       sf_talk_busy(d->talk) ? "a turn" : "a command of yours") ||
               sf_hint(err, "Esc cancels it; then try again");
    if (d->has_next)
        d->setup.talk = d->next;
    talk = d->setup.provide(d->setup.ctx, resume, &d->setup.talk, err) ? open_talk(d, resume, err)
                                                                       : NULL;
    if (!talk) {
        d->setup.talk = before; /* what the session that stays was opened with */
        return false;
    }
    d->has_next = false;
    change_session(d, talk, resume);
    if (!resume && !d->setup.tour)
        sf_welcome_begin(d);
    else if (resume && !sf_desk_recall(d, err))
        return false;
    sf_watch_begin(d);
    sf_desk_dirty(d);
    return true;
}

/* The axes the user chose already are chosen in the session that takes its place as well. */
static void carry_axes(struct sf_desk *d, const struct sf_mode_state *chosen,
                       const struct sf_mode_state *fallback)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    for (int i = 0; i < SF_AXIS_SETTABLE; i++) {
        int value = sf_mode_state_get(chosen, (enum sf_axis)i);

        if (value != sf_mode_state_get(fallback, (enum sf_axis)i))
            sf_change_axis(&change, (enum sf_axis)i, value);
    }
    if (change.fields)
        sf_desk_change(d, &change, SF_WHEN_DEFAULT, "as chosen before");
}

bool sf_desk_renew(struct sf_desk *d, const char *name, const char *key)
{
    const struct sf_mode_state chosen = sf_talk_preview(d->talk), fallback = d->setup.talk.state;
    struct sf_error err = SF_ERROR_INIT;
    char id[SF_ID_LEN + 1];

    if (!d->setup.renew || !d->setup.renew(d->setup.ctx, name, key, &d->next, &err)) {
        sf_desk_fail(d, &err);
        return false;
    }
    d->has_next = true;
    sf_config_free(d->fresh);
    d->fresh = NULL;
    if (!d->welcoming || sf_desk_works(d))
        return false;
    snprintf(id, sizeof(id), "%s", sf_talk_id(d->talk));
    if (!sf_desk_open(d, NULL, &err) || !sf_store_session_delete(d->setup.talk.store, id, &err)) {
        sf_desk_fail(d, &err);
        return false;
    }
    carry_axes(d, &chosen, &fallback);
    return true;
}

/* ---- talking ---- */

void sf_desk_work(struct sf_desk *d)
{
    d->turn_ms = sf_clock_monotonic_ms();
}

/* While a summary is made nothing can be said: it waits its turn. */
static bool queue_instead(struct sf_desk *d, const char *text)
{
    return sf_talk_sums_up(d->talk) && sf_queue_add(d, text);
}

/* They wait above the composer until the turn takes them. */
static void steer(struct sf_desk *d, const char *text, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_steers_say(&d->steers, text, len);
    if (!sf_talk_send(d->talk, text, len, &err)) {
        sf_strlist_remove(&d->steers.words, d->steers.words.count - 1);
        sf_desk_fail(d, &err);
    }
    sf_desk_dirty(d);
}

void sf_desk_send(struct sf_desk *d, const char *text, size_t len)
{
    struct sf_error err = SF_ERROR_INIT;

    if (queue_instead(d, text))
        return;
    if (sf_talk_busy(d->talk)) {
        steer(d, text, len);
        return;
    }
    d->welcoming = false;
    sf_desk_work(d);
    d->unsaid = text;
    d->unsaid_len = len;
    if (!sf_talk_send(d->talk, text, len, &err)) {
        sf_feed_unsaid(d);
        d->turn_ms = 0;
        sf_desk_fail(d, &err);
    }
    sf_feed_unsaid(d);
    sf_transcript_bottom(d->transcript);
    sf_desk_dirty(d);
}

void sf_desk_begin(struct sf_desk *d)
{
    const char *words = d->first;

    if (!words || sf_card_first(d))
        return;
    d->first = NULL;
    if (sf_desk_is_custom(d, words))
        sf_desk_custom(d, words);
    else
        sf_desk_send(d, words, strlen(words));
}

/* ---- life ---- */

/* What is printed cannot be taken back: while a window is dragged, it is waited until it stands. */
static void on_resized(void *ctx)
{
    struct sf_desk *d = ctx;

    if (d->setup.inline_mode)
        d->settles_ms = sf_clock_monotonic_ms() +
                        (sf_terminal_facts(d->terminal)->tmux ? SETTLE_TMUX_MS : SETTLE_MS);
    sf_desk_dirty(d);
}

static void on_gone(void *ctx)
{
    struct sf_desk *d = ctx;

    d->signo = SIGHUP;
    sf_desk_quit(d);
}

/* Ctrl+C in the editor is the editor's, but the kernel gives it to all on the terminal. */
static void on_signal(void *ctx, int signo)
{
    struct sf_desk *d = ctx;

    if (signo == SIGINT && d->editor)
        return;
    d->signo = signo;
    sf_desk_quit(d);
}

static bool load_theme(struct sf_desk *d, struct sf_error *err)
{
    const char *name = sf_config_text(d->setup.talk.config, "ui.theme");

    sf_theme_builtin(&d->theme, "dark");
    return sf_desk_theme(name, &d->theme, err);
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return sf_strdup(slash && slash[1] ? slash + 1 : path);
}

static void make(struct sf_desk *d, const struct sf_desk_setup *setup)
{
    *d = (struct sf_desk){ .setup = *setup,
                           .loop = setup->talk.loop,
                           .first = setup->first,
                           .steers = { .words = SF_STRLIST_INIT },
                           .kept = SF_STRBUF_INIT,
                           .frame = SF_FRAME_INIT,
                           .cost_known = true };
    d->transcript = sf_transcript_new();
    d->composer = sf_composer_new();
    d->find = sf_composer_new();
    d->cards.words = sf_composer_new();
    d->menu = sf_menu_new();
    d->past = sf_past_new();
    d->project = base_name(setup->talk.workspace->root);
    d->low_motion = sf_config_bool(setup->talk.config, "ui.low_motion");
    sf_composer_set_vim(d->composer, sf_config_bool(setup->talk.config, "ui.vim"));
    sf_desk_branch(d);
}

static void release(struct sf_desk *d)
{
    if (d->terminal && d->setup.inline_mode)
        sf_desk_print_rest(d);
    sf_terminal_close(d->terminal);
    d->closed = true;
    sf_talk_close(d->talk);
    sf_overlay_close(d);
    sf_cards_release(d);
    sf_composer_free(d->cards.words);
    free(d->cards.items);
    sf_menu_free(d->menu);
    sf_custom_files_release(&d->customs);
    sf_past_free(d->past);
    sf_composer_free(d->composer);
    sf_composer_free(d->find);
    sf_transcript_free(d->transcript);
    sf_keymap_free(d->keys);
    sf_frame_release(&d->frame);
    sf_queue_release(&d->queue);
    sf_steers_release(&d->steers);
    sf_strbuf_release(&d->kept);
    sf_config_free(d->fresh);
    free(d->project);
    free(d->branch);
    free(d->editor_path);
    free(d->memory);
}

/* From before the terminal is taken until after it is given back: none of them finds it taken. */
static void watch_signals(struct sf_desk *d, bool on)
{
    static const int signals[SF_DESK_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

    for (size_t i = 0; i < SF_COUNT(signals); i++) {
        sf_loop_remove(d->loop, d->signals[i]);
        d->signals[i] = on ? sf_loop_watch_signal(d->loop, signals[i], on_signal, d) : 0;
    }
}

static bool open_terminal(struct sf_desk *d, struct sf_error *err)
{
    const struct sf_terminal_setup setup = { .loop = d->loop,
                                             .theme = &d->theme,
                                             .mouse = d->setup.mouse,
                                             .low_motion = d->low_motion,
                                             .shared = d->setup.inline_mode,
                                             .told = sf_desk_event,
                                             .resized = on_resized,
                                             .gone = on_gone,
                                             .ctx = d };

    d->terminal = sf_terminal_open(&setup, err);
    return d->terminal != NULL;
}

/* Nobody is left behind: what runs is ended with all it started. */
static void end_work(struct sf_desk *d)
{
    int64_t left = ENDING_MS, deadline = sf_clock_monotonic_ms() + left;

    sf_queue_release(&d->queue); /* it is in the store */
    if (sf_desk_works(d))
        sf_talk_cancel(d->talk);
    sf_connect_leave(d);
    sf_doctor_leave(d);
    while ((sf_desk_works(d) || sf_connect_ends(d) || d->doctor) && left > 0) {
        sf_loop_turn(d->loop, left);
        left = deadline - sf_clock_monotonic_ms();
    }
    while (d->trip) /* files on their way back arrive, and whoever fetches them knows this desk */
        sf_loop_turn(d->loop, -1);
    if (sf_desk_works(d) || sf_connect_ends(d) || d->doctor)
        exit(d->signo ? 128 + d->signo : 1);
}

/* Up to the first screen nothing waits for the disk: what opening writes is safe behind it. */
static bool open_first(struct sf_desk *d, struct sf_error *err)
{
    return sf_store_hold(d->setup.talk.store, err) && sf_desk_open(d, d->setup.talk.resume, err);
}

static bool show_first(struct sf_desk *d, struct sf_error *err)
{
    if (!d->setup.talk.resume &&
        sf_draft_claim(d->setup.talk.store, d->setup.talk.state_dir, sf_talk_id(d->talk)))
        sf_draft_load(d);
    sf_tour_begin(d);
    paint(d);
    if (!sf_store_let_go(d->setup.talk.store, err))
        return false;
    sf_prompts_load(d);
    return true;
}

static bool loop(struct sf_desk *d, struct sf_error *err)
{
    bool ok = show_first(d, err);

    sf_loop_before_wait(d->loop, before_wait, d);
    if (ok) {
        sf_trust_begin(d);
        sf_desk_begin(d);
    }
    if (ok && !d->quitting)
        sf_loop_run(d->loop);
    sf_loop_before_wait(d->loop, NULL, NULL);
    sf_draft_settle(d);
    end_work(d);
    sf_loop_remove(d->loop, d->paint_timer);
    sf_loop_remove(d->loop, d->tick_timer);
    sf_loop_remove(d->loop, d->status_timer);
    sf_loop_remove(d->loop, d->draft_timer);
    sf_loop_remove(d->loop, d->queue_timer);
    sf_recall_drop(d);
    return ok;
}

bool sf_desk_run(const struct sf_desk_setup *setup, int *signo, char id[SF_ID_LEN + 1],
                 struct sf_error *err)
{
    struct sf_error theme_err = SF_ERROR_INIT;
    struct sf_desk d;
    bool ok;

    make(&d, setup);
    watch_signals(&d, true);
    ok = open_first(&d, err);
    sf_settings_keys(&d); /* what is wrong with them stands in the conversation that is open now */
    if (!load_theme(&d, &theme_err))
        sf_desk_fail(&d, &theme_err);
    ok = ok && open_terminal(&d, err) && loop(&d, err);
    *signo = d.signo;
    if (ok && !sf_talk_is_blank(d.talk))
        snprintf(id, SF_ID_LEN + 1, "%s", sf_talk_id(d.talk));
    release(&d);
    watch_signals(&d, false);
    return ok;
}
