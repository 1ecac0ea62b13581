/*
 * transcript.c: the items of a conversation and how each is laid out. An answer that is coming in
 * is cut at the places later text cannot change, so that only its last block is laid out again.
 */
#include <string.h>

#include "view/code.h"
#include "view/marked_text.h"
#include "view/transcript_items.h"

enum {
    FOLDED_DIFF = 12, /* lines shown of what is folded */
    FOLDED_ERROR = 5,
    LIVE_LINES = 3,
    PART_BYTES = 8 * 1024, /* of an answer, from which on it is taken apart */
    WIDE = 60,             /* columns from which the gutter is comfortable */
};

void sf_item_free(struct sf_item *item)
{
    sf_strbuf_release(&item->text);
    sf_strbuf_release(&item->diff);
    sf_page_release(&item->page);
    free(item->id);
    free(item->verb);
    free(item->what);
    free(item->note);
    free(item);
}

struct sf_transcript *sf_transcript_new(void)
{
    struct sf_transcript *t = sf_alloc(sizeof(*t));

    t->follow = true;
    t->width = 80;
    sf_strbuf_init(&t->needle);
    return t;
}

static void cut_items(struct sf_transcript *t, size_t count)
{
    while (t->count > count) {
        struct sf_item *item = t->items[--t->count];

        if (item->kind == SF_ITEM_CALL && item->state == SF_ITEM_CALL_RUNS)
            t->runs--;
        sf_item_free(item);
    }
    if (t->open > t->count)
        t->open = t->count;
    if (t->top.item >= t->count) {
        t->follow = true;
        t->top = (struct sf_spot){ 0 };
    }
    t->selecting = false;
}

void sf_transcript_clear(struct sf_transcript *t)
{
    cut_items(t, 0);
    t->follow = true;
}

void sf_transcript_free(struct sf_transcript *t)
{
    if (!t)
        return;
    cut_items(t, 0);
    free(t->items);
    free(t->drawn);
    sf_strbuf_release(&t->needle);
    free(t);
}

size_t sf_transcript_count(const struct sf_transcript *t)
{
    return t->count;
}

bool sf_transcript_runs(const struct sf_transcript *t)
{
    return t->runs > 0;
}

/* ---- adding ---- */

static bool is_answer(enum sf_item_kind kind)
{
    return kind == SF_ITEM_ANSWER || kind == SF_ITEM_PLAIN;
}

static bool is_agents(enum sf_item_kind kind)
{
    return is_answer(kind) || kind == SF_ITEM_REASONING || kind == SF_ITEM_CALL ||
           kind == SF_ITEM_STEPS;
}

/* A blank line between speakers, and where words follow on work. */
static bool needs_gap(const struct sf_item *before, enum sf_item_kind kind)
{
    if (!before)
        return false;
    if (kind == SF_ITEM_CALL || kind == SF_ITEM_REASONING)
        return !is_agents(before->kind);
    if (kind == SF_ITEM_NOTE || kind == SF_ITEM_STEPS || kind == SF_ITEM_ERROR)
        return before->kind == SF_ITEM_USER || before->kind == SF_ITEM_PAGE;
    return true;
}

/* The first of what the agent does since the user spoke carries its name. */
static bool needs_label(const struct sf_transcript *t, size_t at, enum sf_item_kind kind)
{
    if (kind == SF_ITEM_USER)
        return true;
    if (!is_answer(kind))
        return false;
    for (size_t i = at; i-- > 0;) {
        const struct sf_item *item = t->items[i];

        if (item->kind == SF_ITEM_USER)
            return true;
        if (is_answer(item->kind))
            return false;
    }
    return true;
}

void sf_item_join(struct sf_transcript *t, size_t index)
{
    struct sf_item *item = t->items[index];

    item->gap = needs_gap(index ? t->items[index - 1] : NULL, item->kind);
    item->label = needs_label(t, index, item->kind);
    item->laid = false;
}

static struct sf_item *insert_item(struct sf_transcript *t, size_t at, enum sf_item_kind kind,
                                   int64_t wall_ms)
{
    struct sf_item *item = sf_alloc(sizeof(*item));

    *item = (struct sf_item){ .kind = kind,
                              .wall_ms = wall_ms,
                              .text = SF_STRBUF_INIT,
                              .diff = SF_STRBUF_INIT,
                              .page = SF_PAGE_INIT,
                              .took_ms = -1 };
    t->items = sf_grow(t->items, &t->cap, t->count + 1, sizeof(struct sf_item *));
    memmove(t->items + at + 1, t->items + at, (t->count - at) * sizeof(struct sf_item *));
    t->items[at] = item;
    t->count++;
    sf_item_join(t, at);
    return item;
}

static struct sf_item *new_item(struct sf_transcript *t, enum sf_item_kind kind, int64_t wall_ms)
{
    return insert_item(t, t->count, kind, wall_ms);
}

static bool grows(enum sf_item_kind kind)
{
    return is_answer(kind) || kind == SF_ITEM_REASONING;
}

static bool is_growing(const struct sf_transcript *t)
{
    return !t->sealed && t->open < t->count && grows(t->items[t->count - 1]->kind);
}

/*
 * Whatever happens while an answer comes in stands before it, as in the log, where an answer is
 * written when it is complete; so nothing breaks the Markdown of a half-written one.
 */
static struct sf_item *insert_before_open(struct sf_transcript *t, enum sf_item_kind kind,
                                          int64_t wall_ms)
{
    struct sf_item *item = insert_item(t, t->open, kind, wall_ms);

    sf_transcript_shift(t, t->open);
    t->open++;
    sf_item_join(t, t->open);
    return item;
}

void sf_transcript_add(struct sf_transcript *t, enum sf_item_kind kind, const char *text,
                       size_t len, int64_t wall_ms)
{
    struct sf_item *last = t->count ? t->items[t->count - 1] : NULL;

    if (!grows(kind) && is_growing(t)) {
        sf_strbuf_add(&insert_before_open(t, kind, wall_ms)->text, text, len);
        return;
    }
    if (!last || t->sealed || last->kind != kind || !grows(kind))
        last = new_item(t, kind, wall_ms);
    t->sealed = false;
    sf_strbuf_add(&last->text, text, len);
    last->laid = false;
    if (!grows(kind))
        sf_transcript_seal(t);
}

/* The part of the text that settles next, with what the one behind it begins in; 0: none. */
static size_t next_part(const char *text, size_t len, struct sf_markdown_code *code)
{
    size_t n = sf_markdown_split_code(text, len, PART_BYTES, code);

    if (!n && !code->on)
        n = sf_markdown_split(text, len, PART_BYTES);
    return n < len ? n : 0;
}

void sf_transcript_settle(struct sf_transcript *t)
{
    struct sf_item *last = t->count ? t->items[t->count - 1] : NULL;
    struct sf_markdown_code code;
    struct sf_strbuf whole;
    size_t at = 0, n;

    if (!last || t->sealed || last->kind != SF_ITEM_ANSWER)
        return;
    code = last->code;
    n = next_part(last->text.buf, last->text.len, &code);
    if (!n)
        return;
    whole = last->text;
    sf_strbuf_init(&last->text);
    while (n) {
        sf_strbuf_add(&last->text, whole.buf + at, n);
        last->laid = false;
        at += n;
        last = new_item(t, SF_ITEM_ANSWER, last->wall_ms);
        last->code = code;
        last->gap = !code.on;
        n = next_part(whole.buf + at, whole.len - at, &code);
    }
    sf_strbuf_add(&last->text, whole.buf + at, whole.len - at);
    sf_strbuf_release(&whole);
}

void sf_transcript_seal(struct sf_transcript *t)
{
    sf_transcript_settle(t);
    t->sealed = true;
    t->open = t->count;
}

void sf_transcript_drop_open(struct sf_transcript *t)
{
    cut_items(t, t->open);
    t->sealed = true;
}

bool sf_transcript_drop_note(struct sf_transcript *t, const char *text)
{
    const struct sf_item *last = t->count ? t->items[t->count - 1] : NULL;

    if (!last || last->kind != SF_ITEM_NOTE || strcmp(last->text.buf, text) != 0)
        return false;
    cut_items(t, t->count - 1);
    t->open = t->open < t->count ? t->open : t->count;
    return true;
}

static struct sf_item *find_call(const struct sf_transcript *t, const char *id)
{
    for (size_t i = t->count; i-- > 0;)
        if (t->items[i]->kind == SF_ITEM_CALL && !strcmp(t->items[i]->id, id))
            return t->items[i];
    return NULL;
}

static void replace(char **place, const char *text)
{
    if (!text)
        return;
    free(*place);
    *place = sf_strdup(text);
}

static void keep_end(struct sf_strbuf *text)
{
    if (text->len > SF_TOOL_CALL_OUTPUT_MAX)
        sf_strbuf_splice(text, 0, text->len - SF_TOOL_CALL_OUTPUT_MAX / 2, "", 0);
}

static void set_state(struct sf_transcript *t, struct sf_item *item, enum sf_item_call_state state)
{
    t->runs += (state == SF_ITEM_CALL_RUNS) - (size_t)(item->state == SF_ITEM_CALL_RUNS);
    item->state = state;
}

void sf_transcript_call(struct sf_transcript *t, const struct sf_call_view *view)
{
    struct sf_item *item = view->begins ? NULL : find_call(t, view->id);

    if (!item) {
        bool users = view->open && is_growing(t); /* the answer goes on */

        item = users ? insert_before_open(t, SF_ITEM_CALL, 0) : new_item(t, SF_ITEM_CALL, 0);
        item->id = sf_strdup(view->id);
        item->depth = view->depth;
        item->open = view->open;
        if (!users)
            sf_transcript_seal(t);
    }
    set_state(t, item, view->state);
    replace(&item->verb, view->verb);
    replace(&item->what, view->what);
    replace(&item->note, view->note);
    if (view->started_ms)
        item->started_ms = view->started_ms;
    if (view->timed)
        item->took_ms = view->took_ms;
    if (view->diff) {
        sf_strbuf_reset(&item->diff);
        sf_strbuf_add(&item->diff, view->diff, view->diff_len);
    }
    if (view->output) {
        sf_strbuf_reset(&item->text);
        sf_strbuf_add(&item->text, view->output, view->output_len);
        keep_end(&item->text);
    }
    item->laid = false;
}

bool sf_transcript_call_refused(const struct sf_transcript *t, const char *id)
{
    const struct sf_item *item = find_call(t, id);

    return item && item->state == SF_ITEM_CALL_REFUSED;
}

const char *sf_transcript_call_what(const struct sf_transcript *t, const char *id)
{
    const struct sf_item *item = find_call(t, id);

    return item ? item->what : NULL;
}

void sf_transcript_output(struct sf_transcript *t, const char *id, const char *text, size_t len)
{
    struct sf_item *item = find_call(t, id);

    if (!item)
        return;
    if (len > SF_TOOL_CALL_OUTPUT_MAX) {
        text += len - SF_TOOL_CALL_OUTPUT_MAX;
        len = SF_TOOL_CALL_OUTPUT_MAX;
    }
    sf_strbuf_add(&item->text, text, len);
    keep_end(&item->text);
    item->laid = false;
}

bool sf_transcript_answer(const struct sf_transcript *t, struct sf_strbuf *out)
{
    size_t end = t->count, start;

    while (end && !is_answer(t->items[end - 1]->kind))
        end--;
    for (start = end; start && is_answer(t->items[start - 1]->kind);)
        start--;
    for (size_t i = start; i < end; i++)
        sf_strbuf_add(out, t->items[i]->text.buf, t->items[i]->text.len);
    return end > start;
}

/* ---- laying out ---- */

int sf_transcript_gutter(int width)
{
    return width >= WIDE ? 6 : 5;
}

static bool is_unfolded(const struct sf_transcript *t, const struct sf_item *item)
{
    return (t->unfolded || item->open) != item->flip;
}

static const char *lead_of(const struct sf_item *item, int width)
{
    bool wide = width >= WIDE;

    if (item->kind == SF_ITEM_ERROR)
        return wide ? "    ✗ " : "   ✗ ";
    if (item->kind == SF_ITEM_NOTE || item->kind == SF_ITEM_EARLIER)
        return wide ? "    · " : "   · ";
    if (item->kind == SF_ITEM_PAGE)
        return wide ? "  " : " ";
    if (!item->label)
        return wide ? "      " : "     ";
    if (item->kind == SF_ITEM_USER)
        return wide ? " you  " : " you ";
    return wide ? " sf   " : " sf  ";
}

static struct sf_look lead_look(const struct sf_item *item)
{
    static const struct sf_look looks[] = {
        [SF_ITEM_USER] = { .role = SF_LOOK_USER, .attrs = SF_LOOK_BOLD },
        [SF_ITEM_ANSWER] = { .role = SF_LOOK_AGENT, .attrs = SF_LOOK_BOLD },
        [SF_ITEM_PLAIN] = { .role = SF_LOOK_AGENT, .attrs = SF_LOOK_BOLD },
        [SF_ITEM_REASONING] = { .role = SF_LOOK_DIM },
        [SF_ITEM_CALL] = { .role = SF_LOOK_DIM },
        [SF_ITEM_NOTE] = { .role = SF_LOOK_DIM },
        [SF_ITEM_STEPS] = { .role = SF_LOOK_DIM },
        [SF_ITEM_EARLIER] = { .role = SF_LOOK_DIM },
        [SF_ITEM_ERROR] = { .role = SF_LOOK_ERROR },
        [SF_ITEM_PAGE] = { .role = SF_LOOK_TEXT },
    };

    return looks[item->kind];
}

/* A line of words may be broken between them; what is set in columns keeps every blank. */
static bool is_prose(const char *line, size_t len)
{
    return len && line[0] != ' ' && !memchr(line, '\t', len) && !memmem(line, len, "  ", 2);
}

/* Lines of one kind together, each kind broken in its own way. */
static size_t lines_alike(const char *text, size_t len, bool *prose)
{
    size_t at = 0;

    while (at < len) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t line = end ? (size_t)(end - text) - at : len - at;

        if (at && is_prose(text + at, line) != *prose)
            break;
        *prose = is_prose(text + at, line);
        at += line + (end != NULL);
    }
    return at;
}

static void lay_lines(struct sf_item *item, const char *text, size_t len, const char *lead,
                      bool keep, struct sf_look look)
{
    bool spoken = item->kind == SF_ITEM_NOTE || item->kind == SF_ITEM_ERROR;

    sf_page_begin(&item->page, lead, NULL, lead_look(item), keep);
    (spoken ? sf_page_add_marked : sf_page_add)(&item->page, text, len, look);
    sf_page_end(&item->page);
}

static size_t len_of(const struct sf_item *item)
{
    size_t len = item->text.len;

    while (len && item->text.buf[len - 1] == '\n')
        len--;
    return len;
}

static void lay_text(struct sf_item *item, const char *lead, struct sf_look look)
{
    lay_lines(item, item->text.buf, len_of(item), lead, false, look);
}

static void lay_plain(struct sf_item *item, const char *lead, struct sf_look look)
{
    const char *text = item->text.buf;
    struct sf_strbuf rest = SF_STRBUF_INIT;
    size_t len = len_of(item), at = 0;

    sf_strbuf_fill(&rest, ' ', sf_text_width(lead, strlen(lead)));
    do {
        bool prose = false;
        size_t part = lines_alike(text + at, len - at, &prose);

        /* the end of line behind it parts it from what follows */
        lay_lines(item, text + at, part - (at + part < len), at ? rest.buf : lead, !prose, look);
        at += part;
    } while (at < len);
    sf_strbuf_release(&rest);
}

/* The last lines of the text; how many came before them is said first where `count` asks for it. */
static void lay_tail(struct sf_item *item, size_t lines, const char *lead, struct sf_look look)
{
    const char *text = item->text.buf;
    size_t len = item->text.len, start, left = lines;

    while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    for (start = len; start && left; start--)
        if (text[start - 1] == '\n' && !--left)
            break;
    for (size_t at = start; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        struct sf_strbuf line = SF_STRBUF_INIT;

        sf_strbuf_adds(&line, lead);
        sf_strbuf_add(&line, text + at, n);
        sf_page_line(&item->page, line.buf, line.len, look);
        sf_strbuf_release(&line);
        at += n + 1;
    }
}

static void lay_call(const struct sf_transcript *t, struct sf_item *item)
{
    bool unfolded = is_unfolded(t, item), failed = item->state == SF_ITEM_CALL_FAILED;
    struct sf_strbuf lead = SF_STRBUF_INIT;
    struct sf_diff_lay how = { .max_lines = unfolded ? 0 : FOLDED_DIFF };

    sf_strbuf_fill(&lead, ' ', (size_t)sf_transcript_gutter(t->width) + 2 * (size_t)item->depth);
    how.lead = lead.buf;
    if (item->diff.len)
        sf_diff_lay(&item->page, item->diff.buf, item->diff.len, &how);
    sf_strbuf_adds(&lead, "  ");
    if (item->text.len && ((unfolded && !item->diff.len) || item->state == SF_ITEM_CALL_REFUSED)) {
        size_t len = item->text.len;

        while (len && item->text.buf[len - 1] == '\n')
            len--;
        sf_page_begin(&item->page, lead.buf, lead.buf, sf_look(SF_LOOK_DIM), unfolded);
        sf_page_add(&item->page, item->text.buf, len, sf_look(SF_LOOK_DIM));
        sf_page_end(&item->page);
    } else if (item->text.len && item->state == SF_ITEM_CALL_RUNS) {
        lay_tail(item, LIVE_LINES, lead.buf, sf_look(SF_LOOK_DIM));
    } else if (item->text.len && failed) {
        lay_tail(item, FOLDED_ERROR, lead.buf, sf_look(SF_LOOK_DIM));
    }
    sf_strbuf_release(&lead);
}

/* What a step is broken into stands below its words, not below its mark. */
static void lay_steps(struct sf_item *item, const char *lead)
{
    const char *text = item->text.buf;
    size_t len = len_of(item);

    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        const char *blank = memchr(text + at, ' ', n);
        size_t mark = blank ? (size_t)(blank - text) + 1 - at : 0;
        bool current = mark && !strncmp(text + at, SF_STEP_CURRENT " ", mark);
        struct sf_strbuf first = SF_STRBUF_INIT;

        sf_strbuf_addf(&first, "%s%.*s", lead, (int)mark, text + at);
        sf_page_begin(&item->page, first.buf, NULL, lead_look(item), false);
        sf_page_add(&item->page, text + at + mark, n - mark,
                    sf_look(current ? SF_LOOK_TEXT : SF_LOOK_DIM));
        sf_page_end(&item->page);
        sf_strbuf_release(&first);
        at += n + 1;
    }
}

static void lay_item(struct sf_transcript *t, struct sf_item *item)
{
    const char *lead = lead_of(item, t->width);

    sf_page_reset(&item->page, t->width);
    switch (item->kind) {
    case SF_ITEM_USER:
        lay_text(item, lead, sf_look(SF_LOOK_USER));
        break;
    case SF_ITEM_NOTE:
    case SF_ITEM_EARLIER:
        lay_text(item, lead, sf_look(SF_LOOK_DIM));
        break;
    case SF_ITEM_STEPS:
        lay_steps(item, lead);
        break;
    case SF_ITEM_ERROR:
        lay_text(item, lead, sf_look(SF_LOOK_ERROR));
        break;
    case SF_ITEM_REASONING:
        if (is_unfolded(t, item))
            lay_text(item, lead, sf_look_with(SF_LOOK_DIM, SF_LOOK_ITALIC));
        break;
    case SF_ITEM_PLAIN:
        lay_plain(item, lead, sf_look(SF_LOOK_TEXT));
        break;
    case SF_ITEM_ANSWER:
    case SF_ITEM_PAGE:
        if (item->code.on)
            sf_markdown_lay_code(&item->page, item->text.buf, item->text.len, &item->code, lead,
                                 lead_look(item));
        else
            sf_markdown_lay(&item->page, item->text.buf, item->text.len, lead, NULL,
                            lead_look(item));
        break;
    case SF_ITEM_CALL:
        lay_call(t, item);
        break;
    }
    item->laid = true;
    item->layout = t->layout;
}

static bool has_head(const struct sf_item *item)
{
    return item->kind == SF_ITEM_CALL || item->kind == SF_ITEM_REASONING;
}

size_t sf_item_lines(struct sf_transcript *t, size_t index)
{
    struct sf_item *item = t->items[index];

    if (!item->laid || item->layout != t->layout)
        lay_item(t, item);
    return (size_t)item->gap + has_head(item) + item->page.count;
}

bool sf_item_is_head(const struct sf_item *item, size_t line)
{
    return has_head(item) && line == (size_t)item->gap;
}

size_t sf_item_page_line(const struct sf_item *item, size_t line)
{
    size_t before = (size_t)item->gap + has_head(item);

    return line < before ? SIZE_MAX : line - before;
}
