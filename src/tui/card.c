/*
 * card.c: the cards that wait for an answer, and what keys and answers do. Nothing is decided by
 * accident: Enter alone answers nothing, a card ignores keys for a moment when it appears, and a
 * destructive call wants a whole word.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    UNSEEN_MS = 300,  /* Nobody has read a new card within this time. */
    GUARD_MS = 700,   /* A card ignores keys for so long if the user was typing just before. */
    TYPING_MS = 1500, /* A key within this time before the card counts as typing. */
    PAUSE_MS = 500,   /* A user who types on is ignored until a pause of this length. */
};

static void free_card(struct sf_card *c)
{
    free(c->id);
    free(c->tool);
    free(c->what);
    free(c->args);
    free(c->reason);
    free(c->rule);
    free(c->hint);
    free(c->classes);
    free(c->likes);
    free(c->digest);
    free(c->draft);
    sf_strbuf_release(&c->diff);
    sf_strlist_release(&c->losses);
    sf_strlist_release(&c->names);
    sf_strlist_release(&c->facts);
    sf_strlist_release(&c->choices);
    free(c);
}

static void remove_card(struct sf_tui *ui, size_t index)
{
    struct sf_cards *cards = &ui->cards;

    if (cards->items[index]->answered)
        cards->items[index]->answered(ui, cards->items[index]->ctx, false);
    free_card(cards->items[index]);
    memmove(&cards->items[index], &cards->items[index + 1],
            (cards->count - index - 1) * sizeof(struct sf_card *));
    cards->count--;
    if (index == 0) {
        sf_card_forget(cards);
        if (cards->count) {
            cards->items[0]->since_ms = sf_clock_monotonic_ms();
            cards->items[0]->opened = false; /* It was not in sight when it was asked for. */
        }
    }
    sf_paint_soon(&ui->painter);
}

void sf_cards_drop(struct sf_tui *ui)
{
    while (ui->cards.count)
        remove_card(ui, ui->cards.count - 1);
    free(ui->cards.in_editor);
    ui->cards.in_editor = NULL;
}

void sf_cards_release(struct sf_cards *cards)
{
    sf_page_release(&cards->text.call);
    sf_page_release(&cards->text.about);
    sf_page_release(&cards->text.names);
    sf_page_release(&cards->text.pinned);
    sf_composer_free(cards->words);
    free(cards->items);
}

struct sf_card *sf_card_first(const struct sf_cards *cards)
{
    return cards->count ? cards->items[0] : NULL;
}

bool sf_cards_are_guarded(const struct sf_cards *cards, const struct sf_keyboard *keyboard)
{
    const struct sf_card *c = sf_card_first(cards);
    int64_t now = sf_clock_monotonic_ms(), since = c ? now - c->since_ms : 0;

    if (!c || (c->opened && !cards->unseen))
        return false;
    if (since < UNSEEN_MS || cards->unseen)
        return true;
    if (since < GUARD_MS && keyboard->last_key_ms < c->since_ms &&
        c->since_ms - keyboard->last_key_ms < TYPING_MS)
        return true;
    return keyboard->through_ms >= c->since_ms && now - keyboard->through_ms < PAUSE_MS;
}

struct sf_card *sf_card_new(struct sf_cards *cards, enum sf_card_kind kind)
{
    struct sf_card *c = sf_alloc(sizeof(*c));

    *c = (struct sf_card){ .kind = kind,
                           .diff = SF_STRBUF_INIT,
                           .losses = SF_STRLIST_INIT,
                           .names = SF_STRLIST_INIT,
                           .facts = SF_STRLIST_INIT,
                           .choices = SF_STRLIST_INIT,
                           .since_ms = sf_clock_monotonic_ms() };
    cards->items = sf_grow(cards->items, &cards->cap, cards->count + 1, sizeof(struct sf_card *));
    cards->items[cards->count++] = c;
    return c;
}

/* ---- from events ---- */

static void join(const struct sf_strlist *list, struct sf_strbuf *out)
{
    for (size_t i = 0; i < list->count; i++)
        sf_strbuf_addf(out, "%s%s", i ? ", " : "", list->items[i]);
}

static void add_fact(struct sf_card *c, const char *label, const struct sf_strbuf *text)
{
    if (text->len)
        sf_strlist_addf(&c->facts, "%s\t%s", label, text->buf);
}

static void add_paths(struct sf_card *c, const struct sf_action *action)
{
    struct sf_strbuf reads = SF_STRBUF_INIT, writes = SF_STRBUF_INIT;

    for (size_t i = 0; i < action->path_count; i++) {
        struct sf_strbuf *out = action->paths[i].writes ? &writes : &reads;

        sf_strbuf_addf(out, "%s%s", out->len ? ", " : "", action->paths[i].path);
    }
    add_fact(c, "reads", &reads);
    add_fact(c, "writes", &writes);
    sf_strbuf_release(&reads);
    sf_strbuf_release(&writes);
}

/* What the call would take away, and the way back; for RevertTurn the files it would change. */
static void add_losses(struct sf_card *c, const struct sf_event_ask *ask)
{
    for (int i = 0; ask->losses && i < SF_LOSS_COUNT; i++)
        if (ask->losses->text[i])
            sf_strlist_addf(&c->losses, "%s\t%s", sf_loss_labels[i], ask->losses->text[i]);
    for (size_t i = 0; ask->losses && i < ask->losses->names.count; i++)
        sf_strlist_add(&c->names, ask->losses->names.items[i]);
    for (const char *p = ask->preview; p && *p;) {
        size_t n = strcspn(p, "\n");

        sf_strlist_addf(&c->losses, "%s\t%.*s", p == ask->preview ? "changes" : "", (int)n, p);
        p += n + (p[n] == '\n');
    }
}

/* The part of a command that decided. */
static void add_risk(struct sf_card *c, const struct sf_verdict *verdict)
{
    size_t len = strlen(c->what);

    if (verdict->at > len || verdict->len > len - verdict->at)
        return;
    c->risk_at = verdict->at;
    c->risk_len = verdict->len;
}

/* What is approved goes on after its answer has come, which the command itself does not say. */
static void add_background(struct sf_card *c)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(c->args, strlen(c->args), NULL, &ignored);
    bool background = false;

    if (json && sf_json_get_bool(json, "run_in_background", &background, &ignored) && background)
        sf_strlist_add(&c->facts, "runs\tin the background, until it or the session ends");
    sf_json_free(json);
}

static void add_judged(struct sf_card *c, const struct sf_event_ask *ask)
{
    const struct sf_judged *j = ask->judged;
    struct sf_strbuf text = SF_STRBUF_INIT;

    c->reason = sf_strdup(j->verdict.reason);
    c->rule = sf_strdup(j->verdict.rule);
    c->hint = sf_strdup(j->verdict.hint);
    c->advice = j->verdict.advice;
    c->cage = sf_feed_cage(j);
    c->classes = sf_strdup(sf_ask_class(j));
    add_background(c);
    add_paths(c, &j->action);
    if (j->has_report) {
        add_risk(c, &j->verdict);
        join(&j->report.hosts, &text);
        add_fact(c, "hosts", &text);
        sf_strbuf_reset(&text);
    }
    if (j->cage_brief) {
        sf_strbuf_adds(&text, j->cage_brief);
        add_fact(c, "cage", &text);
        sf_strbuf_reset(&text);
    }
    c->partly = ask->partly;
    c->remembers = sf_ask_keeps(ask, &text);
    c->likes = sf_strdup(text.buf);
    sf_strbuf_release(&text);
}

/* In work mode chat every write asks, whichever layer says so; work mode build is the way out. */
static bool offers_build(const struct sf_tui *ui, const struct sf_judged *j)
{
    return sf_ask_writes(j) && !j->verdict.confirm &&
           sf_work_modes[sf_port_preview(ui->port).work].writes == SF_WRITES_ASK;
}

static void add_call(struct sf_card *c, const struct sf_event_call *call)
{
    c->id = sf_strdup(call->id);
    c->tool = sf_strdup(call->name);
    c->what = sf_strdup(call->what);
    c->args = sf_strndup(call->args, call->len);
}

static void add_choices(struct sf_card *c)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(c->args, strlen(c->args), NULL, &ignored);
    const struct sf_json *list = json ? sf_json_get(json, "options") : NULL;

    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it)) {
        const char *text;

        if (c->choices.count < SF_CARD_CHOICES && sf_json_as_str(it, "option", &text, &ignored))
            sf_strlist_add(&c->choices, text);
    }
    sf_json_free(json);
}

void sf_card_raise(struct sf_cards *cards)
{
    struct sf_card *last = cards->items[cards->count - 1];

    memmove(&cards->items[1], &cards->items[0], (cards->count - 1) * sizeof(struct sf_card *));
    cards->items[0] = last;
    sf_card_forget(cards);
}

struct sf_card *sf_card_find(const struct sf_cards *cards, const char *id)
{
    for (size_t i = 0; i < cards->count; i++)
        if (cards->items[i]->id && !strcmp(cards->items[i]->id, id))
            return cards->items[i];
    return NULL;
}

static void drop_answered(struct sf_tui *ui, const char *id)
{
    for (size_t i = ui->cards.count; i-- > 0;)
        if (ui->cards.items[i]->id && !strcmp(ui->cards.items[i]->id, id))
            remove_card(ui, i);
}

void sf_card_take(struct sf_tui *ui, const struct sf_event *event)
{
    const struct sf_event_ask *ask = &event->ask;
    struct sf_card *c;

    if (event->kind == SF_EVENT_RESULT || event->kind == SF_EVENT_AMENDED) {
        drop_answered(ui, event->call->id);
        return;
    }
    if (event->kind == SF_EVENT_QUESTION) {
        c = sf_card_new(&ui->cards, SF_CARD_QUESTION);
        add_call(c, event->call);
        c->reason = sf_strndup(event->words.text, event->words.len);
        add_choices(c);
        return;
    }
    c = sf_card_new(&ui->cards, ask->judged->verdict.confirm ? SF_CARD_CONFIRM : SF_CARD_APPROVE);
    add_call(c, event->call);
    add_judged(c, ask);
    add_losses(c, ask);
    sf_preview_diff(event, &c->diff);
    c->offers_build = !event->depth && offers_build(ui, ask->judged);
    c->draft = ask->draft ? sf_strdup(ask->draft) : NULL;
    c->amended = event->call->amended;
}

void sf_card_ask(struct sf_cards *cards, const char *markdown, sf_card_fn *answered, void *ctx)
{
    struct sf_card *c = sf_card_new(cards, SF_CARD_YES_NO);

    c->reason = sf_strdup(markdown);
    c->answered = answered;
    c->ctx = ctx;
}

/* ---- answering ---- */

void sf_card_answer(struct sf_tui *ui, enum sf_reply reply, const char *words)
{
    char *id = sf_strdup(sf_card_first(&ui->cards)->id);
    bool allowed = reply <= SF_REPLY_WORKSPACE;
    const struct sf_call_view view = { .id = id,
                                       .note = allowed ? sf_card_first(&ui->cards)->cage : NULL,
                                       .state = allowed ? SF_ITEM_CALL_RUNS : SF_ITEM_CALL_REFUSED,
                                       .started_ms = sf_clock_monotonic_ms() };

    remove_card(ui, 0);
    sf_transcript_call(ui->pane.transcript, &view);
    sf_port_answer(ui->port, id, reply, words, "user");
    free(id);
}

/*
 * The call is answered first: it keeps the modes it was judged in, and what follows has the new
 * ones.
 */
static void answer_and_build(struct sf_tui *ui)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_card_answer(ui, SF_REPLY_ONCE, NULL);
    sf_port_change(ui->port, &change, SF_WHEN_DEFAULT, "allow and switch to build");
}

void sf_card_answer_own(struct sf_tui *ui, bool yes)
{
    struct sf_card *c = sf_card_first(&ui->cards);
    sf_card_fn *answered = c->answered;
    void *ctx = c->ctx;

    c->answered = NULL;
    remove_card(ui, 0);
    answered(ui, ctx, yes);
}

static const struct {
    uint32_t key;
    enum sf_reply reply;
    bool confirms; /* The key also answers a card that wants the whole word. */
} replies[] = {
    { 'y', SF_REPLY_ONCE, false },      { 's', SF_REPLY_SESSION, false },
    { 'w', SF_REPLY_WORKSPACE, false }, { 'n', SF_REPLY_DENY, true },
    { 'q', SF_REPLY_STOP, true },
};

/* Whether the key does more than answer this one call. */
static bool leads_on(const struct sf_card *c, char key)
{
    return c->kind == SF_CARD_APPROVE &&
           (key == 'b' ? c->offers_build : (key == 's' || key == 'w') && c->remembers);
}

static void letter(struct sf_tui *ui, char key)
{
    struct sf_card *c = sf_card_first(&ui->cards);

    if (c->kind == SF_CARD_YES_NO) {
        if (key == 'y' || key == 'n')
            sf_card_answer_own(ui, key == 'y');
        return;
    }
    if (c->kind == SF_CARD_PLAN) {
        sf_plan_key(ui, key);
        return;
    }
    if (c->kind == SF_CARD_TRUST) {
        sf_trust_key(ui, key);
        return;
    }
    if (key == 'd') {
        sf_card_write(&ui->cards, SF_WORDS_WHY, "");
        return;
    }
    if (key == 'e' && c->kind == SF_CARD_APPROVE && c->draft) {
        sf_card_amend(ui);
        return;
    }
    if (leads_on(c, key) && !c->read_terms) {
        sf_card_say_unread(ui);
        return;
    }
    if (key == 'b' && c->offers_build) {
        answer_and_build(ui);
        return;
    }
    if ((key == 's' || key == 'w') && c->kind == SF_CARD_APPROVE && !c->remembers) {
        sf_status_say(&ui->status, true, "%s: y allows it once",
                      c->partly ? "it cannot be shown whole" : "this is asked each time");
        return;
    }
    for (size_t i = 0; i < SF_COUNT(replies); i++)
        if (replies[i].key == (uint32_t)key &&
            (c->kind == SF_CARD_APPROVE || replies[i].confirms)) {
            sf_card_answer(ui, replies[i].reply, NULL);
            return;
        }
}

static void choose(struct sf_tui *ui, size_t index)
{
    char *text = sf_strdup(sf_card_first(&ui->cards)->choices.items[index]);

    sf_card_answer(ui, SF_REPLY_ONCE, text);
    free(text);
}

static void text_key(struct sf_tui *ui, const char *text, size_t len)
{
    struct sf_card *c = sf_card_first(&ui->cards);
    bool empty = sf_composer_is_empty(ui->cards.words);
    bool answers = c->kind == SF_CARD_CONFIRM && !ui->cards.writing && len == 1 && empty &&
                   strchr("ndq", text[0]);

    if (c->kind == SF_CARD_QUESTION && len == 1 && empty && text[0] >= '1' &&
        (size_t)(text[0] - '1') < c->choices.count)
        choose(ui, (size_t)(text[0] - '1'));
    else if (sf_card_takes_words(&ui->cards) && !answers)
        sf_composer_type(ui->cards.words, text, len);
    else if (len == 1)
        letter(ui, text[0]);
}

/* Text in the field is cleared first. Then Esc is the mildest no, and Ctrl+C ends the turn. */
static void leave(struct sf_tui *ui, bool interrupts)
{
    const struct sf_card *c = sf_card_first(&ui->cards);

    if (sf_card_unwrite(&ui->cards, interrupts))
        return;
    if (c->kind == SF_CARD_YES_NO)
        sf_card_answer_own(ui, false);
    else if (c->kind == SF_CARD_TRUST)
        sf_trust_key(ui, 'n');
    else if (c->kind != SF_CARD_QUESTION)
        sf_card_answer(ui, SF_REPLY_STOP, NULL);
    else if (interrupts)
        sf_port_cancel(ui->port); /* The end of the call takes the card away. */
    else
        sf_card_answer(ui, SF_REPLY_ONCE, "");
}

/* The field has several lines, unless it is for the word that confirms. */
static bool takes_lines(const struct sf_cards *cards)
{
    return sf_card_takes_words(cards) &&
           (sf_card_first(cards)->kind == SF_CARD_QUESTION || cards->writing);
}

void sf_card_key(struct sf_tui *ui, const struct sf_term_event *event, enum sf_action_id action)
{
    sf_paint_soon(&ui->painter);
    if (event->kind == SF_TERM_TEXT)
        text_key(ui, event->text, event->len);
    else if (event->kind == SF_TERM_PASTE && sf_card_takes_words(&ui->cards))
        sf_composer_paste(ui->cards.words, event->text, event->len);
    else if (action == SF_ACTION_SEND)
        sf_card_send(ui);
    else if (action == SF_ACTION_NEWLINE && takes_lines(&ui->cards))
        sf_composer_do(ui->cards.words, SF_COMPOSE_NEWLINE);
    else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT)
        leave(ui, action == SF_ACTION_INTERRUPT);
    else if (action == SF_ACTION_LINE_UP || action == SF_ACTION_LINE_DOWN)
        sf_tui_act(ui, action);
    else if (!sf_card_scroll(&ui->cards, action) && sf_card_takes_words(&ui->cards))
        sf_field_act(ui->cards.words, action);
}
