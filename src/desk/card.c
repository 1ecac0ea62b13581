/*
 * card.c: questions that wait for an answer, one at a time in the order they came. A card copies
 * all it shows, since what the session told is gone when the call returns. Nothing is decided by
 * accident: Enter alone answers nothing, and what destroys wants a word.
 */
#include <string.h>

#include "desk/internal.h"

enum {
    LABEL = 8,
    WORDS_MAX_ROWS = 4,
    KEY_ROWS = 2,     /* at most; else the letters stand alone */
    FRAMED_COLS = 30, /* below, or with fewer rows, there is no room for a frame and labels */
    FRAMED_ROWS = 8,
    GAP_COLS = 60, /* below, keys stand closer together */
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
    free(c->cage);
    free(c->classes);
    free(c->likes);
    free(c->digest);
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
        cards->writing = false;
        cards->scroll = 0;
        sf_composer_clear(cards->words);
        if (cards->count)
            cards->items[0]->since_ms = sf_clock_monotonic_ms();
    }
    sf_desk_dirty(d);
}

void sf_cards_release(struct sf_desk *d)
{
    while (d->cards.count)
        remove_card(d, d->cards.count - 1);
}

struct sf_card *sf_card_first(const struct sf_desk *d)
{
    return d->cards.count ? d->cards.items[0] : NULL;
}

struct sf_card *sf_card_new(struct sf_desk *d, enum sf_card_kind kind)
{
    struct sf_card *c = sf_alloc(sizeof(*c));

    *c = (struct sf_card){ .kind = kind,
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

static void add_judged(struct sf_card *c, const struct sf_judged *j)
{
    struct sf_strlist likes = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;

    c->reason = sf_strdup(j->verdict.reason);
    c->rule = sf_strdup(j->verdict.rule);
    c->hint = sf_strdup(j->verdict.hint);
    c->classes = sf_strdup(j->has_report ? sf_class_name(j->report.class) : "");
    add_paths(c, &j->action);
    if (j->has_report) {
        join(&j->report.hosts, &text);
        add_fact(c, "hosts", &text);
        sf_strbuf_reset(&text);
    }
    if (j->cage_brief) {
        sf_strbuf_adds(&text, j->cage_brief);
        add_fact(c, "cage", &text);
        sf_strbuf_reset(&text);
    }
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

        if (c->choices.count < 9 && sf_json_as_str(it, "option", &text, &ignored))
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
    cards->writing = false;
    cards->scroll = 0;
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

    if (told->kind == SF_TOLD_RESULT) {
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
    c->offers_build = !told->depth && offers_build(d, told->judged);
}

void sf_card_ask(struct sf_desk *d, const char *markdown, sf_card_fn *answered, void *ctx)
{
    struct sf_card *c = sf_card_new(d, SF_CARD_YES_NO);

    c->reason = sf_strdup(markdown);
    c->answered = answered;
    c->ctx = ctx;
}

/* ---- drawing ---- */

static const struct {
    const char *title;
    enum sf_look_role edge;
    const char *keys;
} kinds[] = {
    [SF_CARD_APPROVE] = { "sf asks", SF_LOOK_WARNING,
                          "y\tonce\ts\tsession\tw\tworkspace\te\tedit\tn\tdeny\td\tsay why\tq\tstop" },
    [SF_CARD_CONFIRM] = { "sf asks: hard to take back", SF_LOOK_ERROR,
                          "yes ⏎\trun\tn\tdeny\td\tsay why\tq\tstop" },
    [SF_CARD_QUESTION] = { "sf has a question", SF_LOOK_ACCENT, "⏎\tanswer\tEsc\tno answer" },
    [SF_CARD_YES_NO] = { "sf asks", SF_LOOK_WARNING, "y\tdo it\tn\tleave it" },
    [SF_CARD_PLAN] = { "sf has a plan", SF_LOOK_ACCENT,
                       "y\taccept\ta\taccept, run by itself\tp\tprofile\te\tedit\td\tsay why "
                       "not\tn\treject" },
};

/* Labels stand in a column of their own, where there is room for one. */
static void add_label(const struct sf_page *page, const char *label, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%-*s ", page->width < FRAMED_COLS ? 0 : LABEL, label);
}

static void lay_gap(struct sf_page *page)
{
    if (page->width >= FRAMED_COLS)
        sf_page_blank(page);
}

static void lay_label(struct sf_page *page, const char *label, const char *text,
                      struct sf_look look)
{
    struct sf_strbuf lead = SF_STRBUF_INIT;

    add_label(page, label, &lead);
    sf_page_begin(page, lead.buf, NULL, sf_look(SF_LOOK_DIM), false);
    sf_page_adds(page, text, look);
    sf_page_end(page);
    sf_strbuf_release(&lead);
}

/* The command in code, and where the reader found what decided, that part in colour. */
static void lay_what(struct sf_page *page, const struct sf_card *c)
{
    struct sf_strbuf lead = SF_STRBUF_INIT, diff = SF_STRBUF_INIT;
    struct sf_diff_lay how = { .lead = "", .max_lines = 60 };

    add_label(page, !strcmp(c->tool, "Bash") ? "Run" : c->tool, &lead);
    sf_page_begin(page, lead.buf, NULL, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD), true);
    sf_page_adds(page, c->what, sf_look_with(SF_LOOK_CODE, SF_LOOK_BOLD));
    sf_page_end(page);
    if (sf_preview_diff(c->tool, c->args, &diff)) {
        lay_gap(page);
        sf_diff_lay(page, diff.buf, diff.len, &how);
    }
    sf_strbuf_release(&lead);
    sf_strbuf_release(&diff);
}

static void lay_asked(struct sf_page *page, const struct sf_card *c)
{
    bool confirm = c->kind == SF_CARD_CONFIRM;

    lay_what(page, c);
    lay_gap(page);
    lay_label(page, "why", c->reason, sf_look(confirm ? SF_LOOK_ERROR : SF_LOOK_TEXT));
    if (*c->classes)
        lay_label(page, "class", c->classes, sf_look(SF_LOOK_DIM));
    lay_label(page, "rule", c->rule, sf_look(SF_LOOK_DIM));
    for (size_t i = 0; i < c->facts.count; i++) {
        const char *tab = strchr(c->facts.items[i], '\t');
        char label[LABEL + 1];

        snprintf(label, sizeof(label), "%.*s", (int)(tab - c->facts.items[i]), c->facts.items[i]);
        lay_label(page, label, tab + 1, sf_look(SF_LOOK_DIM));
    }
    if (c->kind == SF_CARD_APPROVE && *c->likes)
        lay_label(page, "s and w", c->likes, sf_look(SF_LOOK_DIM));
    if (c->offers_build) {
        sf_page_begin(page, "b        ", NULL, sf_look(SF_LOOK_KEY), false);
        sf_page_adds(page, "allow and switch to build", sf_look(SF_LOOK_TEXT));
        sf_page_end(page);
    }
}

static void lay_card(struct sf_page *page, const struct sf_card *c, int width)
{
    sf_page_reset(page, width);
    switch (c->kind) {
    case SF_CARD_APPROVE:
    case SF_CARD_CONFIRM:
        lay_asked(page, c);
        break;
    case SF_CARD_QUESTION:
        sf_markdown_lay(page, c->reason, strlen(c->reason), "", NULL, sf_look(SF_LOOK_TEXT));
        for (size_t i = 0; i < c->choices.count; i++) {
            char lead[32];

            snprintf(lead, sizeof(lead), "%zu  ", i + 1);
            sf_page_begin(page, lead, NULL, sf_look(SF_LOOK_KEY), false);
            sf_page_adds(page, c->choices.items[i], sf_look(SF_LOOK_TEXT));
            sf_page_end(page);
        }
        break;
    case SF_CARD_YES_NO:
        sf_markdown_lay(page, c->reason, strlen(c->reason), "", NULL, sf_look(SF_LOOK_TEXT));
        break;
    case SF_CARD_PLAN:
        sf_plan_lay(c, page);
        break;
    }
}

static bool takes_words(const struct sf_desk *d, const struct sf_card *c)
{
    return d->cards.writing || c->kind == SF_CARD_QUESTION || c->kind == SF_CARD_CONFIRM;
}

static const char *keys_of(const struct sf_card *c)
{
    return c->choices.count ? "1-9\tchoose\t⏎\tanswer\tEsc\tno answer" : kinds[c->kind].keys;
}

/* Keys and what they do, or the keys alone, in as many rows as it takes. */
static int flow_keys(const char *keys, struct sf_area area, bool brief, bool draw)
{
    int col = 0, row = 0, gap = brief ? 1 : area.cols < GAP_COLS ? 2 : 3;

    while (*keys) {
        size_t key = strcspn(keys, "\t"), len;
        const char *what = keys + key + (keys[key] == '\t');
        int first = (int)sf_text_width(keys, key), second;

        len = strcspn(what, "\t");
        second = brief ? 0 : 1 + (int)sf_text_width(what, len);
        if (col && col + first + second > area.cols) {
            col = 0;
            row++;
        }
        if (draw)
            sf_area_put(area, row, col, keys, key, sf_look(SF_LOOK_KEY));
        if (draw && !brief)
            sf_area_put(area, row, col + first + 1, what, len, sf_look(SF_LOOK_TEXT));
        col += first + second + gap;
        keys = what + len + (what[len] == '\t');
    }
    return row + 1;
}

static int key_rows(const struct sf_desk *d, int cols, bool *brief)
{
    const struct sf_area area = { .cols = cols };
    int rows = flow_keys(keys_of(sf_card_first(d)), area, false, false);

    *brief = rows > (d->cards.framed ? KEY_ROWS : 1);
    return *brief ? 1 : rows;
}

/* With a frame around it and a line below it, where the screen is large enough for them. */
int sf_card_rows(struct sf_desk *d, int cols, int max)
{
    const struct sf_card *c = sf_card_first(d);
    bool framed = max >= FRAMED_ROWS && cols >= FRAMED_COLS, brief;
    struct sf_page page = SF_PAGE_INIT;
    int inside = framed ? cols - 4 : cols - 2, rows;

    d->cards.framed = framed;
    lay_card(&page, c, inside);
    rows = (int)page.count + key_rows(d, inside, &brief) + takes_words(d, c) + (framed ? 3 : 0);
    sf_page_release(&page);
    return rows < max ? rows : max;
}

static void draw_waiting(const struct sf_desk *d, struct sf_area area, bool more)
{
    const struct sf_card *c = sf_card_first(d);
    int64_t ms = sf_clock_monotonic_ms() - c->since_ms;
    const char *right = more ? "PgDn more" : c->hint ? c->hint : "";
    char text[96] = "what you type goes to the composer until you pause";
    int used;

    if (!sf_desk_is_guarded(d))
        snprintf(text, sizeof(text), "waiting for you %d:%02d", (int)(ms / 60000),
                 (int)(ms / 1000 % 60));
    used = sf_area_put_cut(area, 0, 1, area.cols - 2, text, sf_look(SF_LOOK_DIM));
    if (used + 4 + (int)sf_text_width(right, strlen(right)) < area.cols)
        sf_area_put_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, right,
                          sf_look(more ? SF_LOOK_INFO : SF_LOOK_DIM));
}

static struct sf_area frame_card(const struct sf_desk *d, struct sf_area area)
{
    const struct sf_card *c = sf_card_first(d);
    char note[32] = "";

    if (!d->cards.framed)
        return sf_area_part(area, 0, 1, area.rows, area.cols - 2);
    if (d->cards.count > 1)
        snprintf(note, sizeof(note), "1 of %zu", d->cards.count);
    return sf_area_box(area, kinds[c->kind].title, note, sf_look(kinds[c->kind].edge));
}

void sf_card_draw(struct sf_desk *d, struct sf_area area)
{
    const struct sf_card *c = sf_card_first(d);
    struct sf_area bottom = sf_area_take_bottom(&area, d->cards.framed ? 1 : 0), inside, keys;
    struct sf_page page = SF_PAGE_INIT;
    bool brief, more;
    int hidden;

    inside = frame_card(d, area);
    lay_card(&page, c, inside.cols);
    keys = sf_area_take_bottom(&inside, key_rows(d, inside.cols, &brief));
    flow_keys(keys_of(c), keys, brief, true);
    if (takes_words(d, c))
        sf_composer_draw(d->cards.words, sf_area_take_bottom(&inside, 1),
                         c->kind == SF_CARD_CONFIRM && !d->cards.writing ? "type yes: " : "› ",
                         sf_look(SF_LOOK_ACCENT), "");
    d->cards.seen = inside.rows;
    hidden = (int)page.count - inside.rows;
    if (d->cards.scroll > hidden)
        d->cards.scroll = hidden > 0 ? hidden : 0;
    more = hidden > d->cards.scroll;
    for (int row = 0; row < inside.rows && row + d->cards.scroll < (int)page.count; row++)
        sf_page_draw(&page, (size_t)row + (size_t)d->cards.scroll, inside, row, 0);
    if (d->cards.framed)
        draw_waiting(d, bottom, more);
    else if (more)
        sf_area_put_right(keys, keys.rows - 1, "PgDn", sf_look(SF_LOOK_INFO));
    sf_page_release(&page);
}

/* ---- answering ---- */

static void answer(struct sf_desk *d, enum sf_reply reply, const char *words)
{
    char *id = sf_strdup(sf_card_first(d)->id);
    const struct sf_call_view runs = { .id = id,
                                       .state = SF_CALL_RUNS,
                                       .started_ms = sf_clock_monotonic_ms() };

    remove_card(d, 0);
    if (reply <= SF_REPLY_WORKSPACE)
        sf_transcript_call(d->transcript, &runs);
    sf_talk_answer(d->talk, id, reply, words, "user");
    free(id);
}

/* The call first: it keeps the state it was judged in, and what follows has the new one. */
static void answer_and_build(struct sf_desk *d)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    sf_change_axis(&change, SF_AXIS_WORK, SF_WORK_BUILD);
    answer(d, SF_REPLY_ONCE, NULL);
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

void sf_card_write(struct sf_desk *d, const char *text)
{
    d->cards.writing = true;
    d->cards.editing = *text != '\0';
    sf_composer_set(d->cards.words, text, strlen(text));
    sf_desk_dirty(d);
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
    if (key == 'd') {
        sf_card_write(d, "");
        return;
    }
    if (key == 'e' && c->kind == SF_CARD_APPROVE) {
        sf_card_write(d, c->what);
        return;
    }
    if (key == 'b' && c->offers_build) {
        answer_and_build(d);
        return;
    }
    for (size_t i = 0; i < SF_COUNT(replies); i++)
        if (replies[i].key == (uint32_t)key &&
            (c->kind == SF_CARD_APPROVE || replies[i].confirms)) {
            answer(d, replies[i].reply, NULL);
            return;
        }
}

static void send_words(struct sf_desk *d)
{
    struct sf_card *c = sf_card_first(d);
    struct sf_strbuf words = SF_STRBUF_INIT, said = SF_STRBUF_INIT;

    sf_composer_text(d->cards.words, &words);
    if (c->kind == SF_CARD_QUESTION) {
        if (words.len)
            answer(d, SF_REPLY_ONCE, words.buf);
    } else if (c->kind == SF_CARD_CONFIRM && !d->cards.writing) {
        if (!strcasecmp(words.buf, "yes"))
            answer(d, SF_REPLY_ONCE, NULL);
        else if (words.len)
            sf_desk_say(d, true, "only the whole word yes runs it; n refuses");
    } else if (c->kind == SF_CARD_PLAN) {
        if (d->cards.writing && words.len)
            sf_plan_reject(d, words.buf);
    } else if (d->cards.writing && words.len) {
        if (d->cards.editing)
            sf_strbuf_adds(&said, "do this instead: ");
        sf_strbuf_add(&said, words.buf, words.len);
        answer(d, SF_REPLY_DENY, said.buf);
    }
    sf_strbuf_release(&words);
    sf_strbuf_release(&said);
}

static void choose(struct sf_desk *d, size_t index)
{
    char *text = sf_strdup(sf_card_first(d)->choices.items[index]);

    answer(d, SF_REPLY_ONCE, text);
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
    else if (takes_words(d, c) && !answers)
        sf_composer_type(d->cards.words, text, len);
    else if (len == 1)
        letter(d, text[0]);
}

static void escape(struct sf_desk *d)
{
    struct sf_card *c = sf_card_first(d);

    if (d->cards.writing) {
        d->cards.writing = false;
        sf_composer_clear(d->cards.words);
    } else if (c->kind == SF_CARD_YES_NO) {
        answer_own(d, false);
    } else if (c->kind == SF_CARD_QUESTION) {
        answer(d, SF_REPLY_ONCE, "");
    } else {
        answer(d, SF_REPLY_STOP, NULL);
    }
}

/* A line of what was seen stays in sight. */
static void scroll(struct sf_desk *d, int pages)
{
    d->cards.scroll += pages * (d->cards.seen > 2 ? d->cards.seen - 1 : 1);
    if (d->cards.scroll < 0)
        d->cards.scroll = 0;
}

void sf_card_key(struct sf_desk *d, const struct sf_term_event *event, enum sf_action_id action)
{
    struct sf_card *c = sf_card_first(d);

    sf_desk_dirty(d);
    if (event->kind == SF_TERM_TEXT)
        text_key(d, event->text, event->len);
    else if (event->kind == SF_TERM_PASTE && takes_words(d, c))
        sf_composer_paste(d->cards.words, event->text, event->len);
    else if (action == SF_ACTION_SEND)
        send_words(d);
    else if (action == SF_ACTION_CANCEL || action == SF_ACTION_INTERRUPT)
        escape(d);
    else if (action == SF_ACTION_SCROLL_UP)
        scroll(d, -1);
    else if (action == SF_ACTION_SCROLL_DOWN)
        scroll(d, 1);
    else if (action == SF_ACTION_LINE_UP || action == SF_ACTION_LINE_DOWN)
        sf_desk_act(d, action);
    else if (takes_words(d, c))
        sf_field_act(d->cards.words, action);
}
