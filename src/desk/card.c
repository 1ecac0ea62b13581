/*
 * card.c: questions that wait for an answer, one at a time in the order they came. A card copies
 * all it shows, since what the session told is gone when the call returns. Nothing is decided by
 * accident: Enter alone answers nothing, and what destroys wants a word.
 */
#include <string.h>

#include "desk/internal.h"

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
    sf_strlist_release(&c->facts);
    sf_strlist_release(&c->choices);
    free(c);
}

static void remove_card(struct sf_desk *d, size_t index)
{
    struct sf_cards *cards = &d->cards;

    if (cards->items[index]->answered)
        cards->items[index]->answered(d, cards->items[index]->ctx, false);
    free_card(cards->items[index]);
    memmove(&cards->items[index], &cards->items[index + 1],
            (cards->count - index - 1) * sizeof(struct sf_card *));
    cards->count--;
    if (index == 0) {
        sf_card_forget(d);
        if (cards->count)
            cards->items[0]->since_ms = sf_clock_monotonic_ms();
    }
    sf_desk_dirty(d);
}

void sf_card_drop(struct sf_desk *d)
{
    remove_card(d, 0);
}

void sf_cards_release(struct sf_desk *d)
{
    while (d->cards.count)
        remove_card(d, d->cards.count - 1);
    free(d->cards.in_editor);
    d->cards.in_editor = NULL;
}

struct sf_card *sf_card_first(const struct sf_desk *d)
{
    return d->cards.count ? d->cards.items[0] : NULL;
}

struct sf_card *sf_card_new(struct sf_desk *d, enum sf_card_kind kind)
{
    struct sf_card *c = sf_alloc(sizeof(*c));

    *c = (struct sf_card){ .kind = kind,
                           .diff = SF_STRBUF_INIT,
                           .losses = SF_STRLIST_INIT,
                           .facts = SF_STRLIST_INIT,
                           .choices = SF_STRLIST_INIT,
                           .since_ms = sf_clock_monotonic_ms() };
    d->cards.items =
        sf_grow(d->cards.items, &d->cards.cap, d->cards.count + 1, sizeof(struct sf_card *));
    d->cards.items[d->cards.count++] = c;
    sf_desk_dirty(d);
    return c;
}

/* ---- from what was told ---- */

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

/* What going ahead takes, and the way back; of RevertTurn the files it would change. */
static void add_losses(struct sf_card *c, const struct sf_told *told)
{
    const char *p = told->text, *end = told->text ? told->text + told->len : NULL;

    for (size_t i = 0; told->facts && i < told->facts->count; i++)
        sf_strlist_add(&c->losses, told->facts->items[i]);
    while (p && p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = stop ? (size_t)(stop - p) : (size_t)(end - p);

        sf_strlist_addf(&c->losses, "%s\t%.*s", p == told->text ? "changes" : "", (int)n, p);
        p += n + 1;
    }
}

/* The part of a command that its class comes from. */
static void add_risk(struct sf_card *c, const struct sf_shell_report *report)
{
    size_t len = strlen(c->what);

    if (report->class == SF_CLASS_READONLY || report->at > len || report->len > len - report->at)
        return;
    c->risk_at = report->at;
    c->risk_len = report->len;
}

static void add_judged(struct sf_card *c, const struct sf_judged *j)
{
    struct sf_strlist likes = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;

    c->reason = sf_strdup(j->verdict.reason);
    c->rule = sf_strdup(j->verdict.rule);
    c->hint = sf_strdup(j->verdict.hint);
    c->advice = j->verdict.advice;
    c->cage = sf_feed_cage(j);
    c->classes = sf_strdup(j->has_report ? sf_class_name(j->report.class) : "");
    add_paths(c, &j->action);
    if (j->has_report) {
        add_risk(c, &j->report);
        join(&j->report.hosts, &text);
        add_fact(c, "hosts", &text);
        sf_strbuf_reset(&text);
    }
    if (j->cage_brief) {
        sf_strbuf_adds(&text, j->cage_brief);
        add_fact(c, "cage", &text);
        sf_strbuf_reset(&text);
    }
    c->remembers = sf_verdict_remembers(&j->verdict);
    if (c->remembers)
        sf_rule_remember(&j->action, &likes);
    join(&likes, &text);
    c->likes = sf_strdup(text.buf);
    sf_strlist_release(&likes);
    sf_strbuf_release(&text);
}

/* In chat every write asks, whichever layer says so; the way out is work mode build. */
static bool offers_build(const struct sf_desk *d, const struct sf_judged *j)
{
    bool writes = j->action.act == SF_ACT_WRITE || j->verdict.kind == SF_ROW_COMMAND_LOCAL;

    return writes && !j->verdict.confirm &&
           sf_work_modes[sf_talk_preview(d->talk).work].writes == SF_WRITES_ASK;
}

static void add_call(struct sf_card *c, const struct sf_told_call *call)
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

void sf_card_raise(struct sf_desk *d)
{
    struct sf_cards *cards = &d->cards;
    struct sf_card *last = cards->items[cards->count - 1];

    memmove(&cards->items[1], &cards->items[0], (cards->count - 1) * sizeof(struct sf_card *));
    cards->items[0] = last;
    sf_card_forget(d);
    sf_desk_dirty(d);
}

struct sf_card *sf_card_find(const struct sf_desk *d, const char *id)
{
    for (size_t i = 0; i < d->cards.count; i++)
        if (d->cards.items[i]->id && !strcmp(d->cards.items[i]->id, id))
            return d->cards.items[i];
    return NULL;
}

static void drop_answered(struct sf_desk *d, const char *id)
{
    for (size_t i = d->cards.count; i-- > 0;)
        if (d->cards.items[i]->id && !strcmp(d->cards.items[i]->id, id))
            remove_card(d, i);
}

void sf_card_told(struct sf_desk *d, const struct sf_told *told)
{
    struct sf_card *c;

    if (told->kind == SF_TOLD_RESULT || told->kind == SF_TOLD_AMENDED) {
        drop_answered(d, told->call->id);
        return;
    }
    if (told->kind == SF_TOLD_QUESTION) {
        c = sf_card_new(d, SF_CARD_QUESTION);
        add_call(c, told->call);
        c->reason = sf_strndup(told->text, told->len);
        add_choices(c);
        return;
    }
    c = sf_card_new(d, told->judged->verdict.confirm ? SF_CARD_CONFIRM : SF_CARD_APPROVE);
    add_call(c, told->call);
    add_judged(c, told->judged);
    add_losses(c, told);
    sf_preview_diff(told, &c->diff);
    c->offers_build = !told->depth && offers_build(d, told->judged);
    c->draft = told->draft ? sf_strdup(told->draft) : NULL;
    c->amended = told->amended;
}

void sf_card_ask(struct sf_desk *d, const char *markdown, sf_card_fn *answered, void *ctx)
{
    struct sf_card *c = sf_card_new(d, SF_CARD_YES_NO);

    c->reason = sf_strdup(markdown);
    c->answered = answered;
    c->ctx = ctx;
}

/* ---- answering ---- */

void sf_card_answer(struct sf_desk *d, enum sf_reply reply, const char *words)
{
    char *id = sf_strdup(sf_card_first(d)->id);
    bool allowed = reply <= SF_REPLY_WORKSPACE;
    const struct sf_call_view view = { .id = id,
                                       .note = allowed ? sf_card_first(d)->cage : NULL,
                                       .state = allowed ? SF_CALL_RUNS : SF_CALL_REFUSED,
                                       .started_ms = sf_clock_monotonic_ms() };

    remove_card(d, 0);
    sf_transcript_call(d->transcript, &view);
    sf_talk_answer(d->talk, id, reply, words, "user");
    free(id);
}

/* The call first: it keeps the state it was judged in, and what follows has the new one. */
static void answer_and_build(struct sf_desk *d)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_card_answer(d, SF_REPLY_ONCE, NULL);
    sf_desk_change(d, &change, SF_WHEN_DEFAULT, "allow and switch to build");
}

static void answer_own(struct sf_desk *d, bool yes)
{
    struct sf_card *c = sf_card_first(d);
    sf_card_fn *answered = c->answered;
    void *ctx = c->ctx;

    c->answered = NULL;
    remove_card(d, 0);
    answered(d, ctx, yes);
}

static const struct {
    uint32_t key;
    enum sf_reply reply;
    bool confirms; /* enough for what destroys */
} replies[] = {
    { 'y', SF_REPLY_ONCE, false },      { 's', SF_REPLY_SESSION, false },
    { 'w', SF_REPLY_WORKSPACE, false }, { 'n', SF_REPLY_DENY, true },
    { 'q', SF_REPLY_STOP, true },
};

static void letter(struct sf_desk *d, char key)
{
    struct sf_card *c = sf_card_first(d);

    if (c->kind == SF_CARD_YES_NO) {
        if (key == 'y' || key == 'n')
            answer_own(d, key == 'y');
        return;
    }
    if (c->kind == SF_CARD_PLAN) {
        sf_plan_key(d, key);
        return;
    }
    if (c->kind == SF_CARD_TRUST) {
        sf_trust_key(d, key);
        return;
    }
    if (key == 'd') {
        sf_card_write(d, SF_WORDS_WHY, "");
        return;
    }
    if (key == 'e' && c->kind == SF_CARD_APPROVE && c->draft) {
        sf_card_amend(d);
        return;
    }
    if (key == 'b' && c->offers_build) {
        answer_and_build(d);
        return;
    }
    if ((key == 's' || key == 'w') && c->kind == SF_CARD_APPROVE && !c->remembers) {
        sf_desk_say(d, true, "this is asked each time: y allows it once");
        return;
    }
    for (size_t i = 0; i < SF_COUNT(replies); i++)
        if (replies[i].key == (uint32_t)key &&
            (c->kind == SF_CARD_APPROVE || replies[i].confirms)) {
            sf_card_answer(d, replies[i].reply, NULL);
            return;
        }
}

static void choose(struct sf_desk *d, size_t index)
{
    char *text = sf_strdup(sf_card_first(d)->choices.items[index]);

    sf_card_answer(d, SF_REPLY_ONCE, text);
    free(text);
}

static void text_key(struct sf_desk *d, const char *text, size_t len)
{
    struct sf_card *c = sf_card_first(d);
    bool empty = sf_composer_is_empty(d->cards.words);
    bool answers = c->kind == SF_CARD_CONFIRM && !d->cards.writing && len == 1 && empty &&
                   strchr("ndq", text[0]);

    if (c->kind == SF_CARD_QUESTION && len == 1 && empty && text[0] >= '1' &&
        (size_t)(text[0] - '1') < c->choices.count)
        choose(d, (size_t)(text[0] - '1'));
    else if (sf_card_takes_words(d, c) && !answers)
        sf_composer_type(d->cards.words, text, len);
    else if (len == 1)
        letter(d, text[0]);
}

/* What is written goes first. Then Esc is the mildest no there is, and Ctrl+C ends the turn. */
static void leave(struct sf_desk *d, bool interrupts)
{
    const struct sf_card *c = sf_card_first(d);

    if (sf_card_unwrite(d, interrupts))
        return;
    if (c->kind == SF_CARD_YES_NO)
        answer_own(d, false);
    else if (c->kind == SF_CARD_TRUST)
        sf_trust_key(d, 'n');
    else if (c->kind != SF_CARD_QUESTION)
        sf_card_answer(d, SF_REPLY_STOP, NULL);
    else if (interrupts)
        sf_talk_cancel(d->talk); /* its end takes the card away */
    else
        sf_card_answer(d, SF_REPLY_ONCE, "");
}

/* A line of what was seen stays in sight; what is folded unfolds first. */
static void scroll(struct sf_desk *d, int pages)
{
    struct sf_cards *cards = &d->cards;

    if (pages > 0 && cards->folded) {
        cards->whole = true;
        return;
    }
    if (pages < 0 && !cards->scroll)
        cards->whole = false;
    cards->scroll += pages * (cards->seen > 2 ? cards->seen - 1 : 1);
    if (cards->scroll < 0)
        cards->scroll = 0;
}

/* The word that confirms is one line. */
static bool takes_lines(const struct sf_desk *d, const struct sf_card *c)
{
    return sf_card_takes_words(d, c) && (c->kind == SF_CARD_QUESTION || d->cards.writing);
}

void sf_card_key(struct sf_desk *d, const struct sf_term_event *event, enum sf_action_id action)
{
    struct sf_card *c = sf_card_first(d);

    sf_desk_dirty(d);
    if (event->kind == SF_TERM_TEXT)
        text_key(d, event->text, event->len);
    else if (event->kind == SF_TERM_PASTE && sf_card_takes_words(d, c))
        sf_composer_paste(d->cards.words, event->text, event->len);
    else if (action == SF_ACTION_SEND)
        sf_card_send(d);
    else if (action == SF_ACTION_NEWLINE && takes_lines(d, c))
        sf_composer_do(d->cards.words, SF_COMPOSE_NEWLINE);
    else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT)
        leave(d, action == SF_ACTION_INTERRUPT);
    else if (action == SF_ACTION_SCROLL_UP)
        scroll(d, -1);
    else if (action == SF_ACTION_SCROLL_DOWN)
        scroll(d, 1);
    else if (action == SF_ACTION_LINE_UP || action == SF_ACTION_LINE_DOWN)
        sf_desk_act(d, action);
    else if (sf_card_takes_words(d, c))
        sf_field_act(d->cards.words, action);
}
