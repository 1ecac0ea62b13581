/*
 * import.c: reads the checklist into a tree of headings and items, then writes it as a plan. The
 * plan is written as text and not built, so that what comes out passed the one reader there is.
 */
#include "plan/import.h"

#include "plan/plan_read.h"

enum { DEEPEST = 32 };

struct item {
    struct sf_plan_slip text;
    struct sf_strbuf more; /* lines below it */
    size_t depth;          /* columns before its mark */
    bool done;
    size_t heading;
    struct sf_strbuf parts; /* ids of the open items below it */
    int number;             /* of its task */
};

struct heading {
    struct sf_plan_slip text;
    size_t marks;
};

struct list {
    struct heading *headings; /* the first stands for what has none above */
    size_t heading_count, heading_cap;
    struct item *items;
    size_t item_count, item_cap;
    size_t outermost; /* the fewest marks of a heading */
    bool fenced;
};

static const struct sf_plan_slip nothing = { "", 0 };

/* ---- reading ---- */

static size_t blanks(struct sf_plan_slip line)
{
    size_t n = 0, columns = 0;

    for (; n < line.len && (line.at[n] == ' ' || line.at[n] == '\t'); n++)
        columns += line.at[n] == '\t' ? 4 : 1;
    return columns;
}

/* "- ", "* ", "+ " or "12. ": its length; 0: none. */
static size_t bullet_length(struct sf_plan_slip s)
{
    size_t n = 0;

    while (n < s.len && n < 9 && s.at[n] >= '0' && s.at[n] <= '9')
        n++;
    if (n < s.len && strchr(n ? ".)" : "-*+", s.at[n]))
        n++;
    else
        n = 0;
    return n && n < s.len && s.at[n] == ' ' ? n + 1 : 0;
}

/* The text behind the box; false: this is no item. */
static bool read_box(struct sf_plan_slip line, bool *done, struct sf_plan_slip *text)
{
    struct sf_plan_slip s = sf_plan_trim(line);
    size_t n = bullet_length(s);

    s = sf_plan_trim((struct sf_plan_slip){ s.at + n, s.len - n });
    if (!n || s.len < 4 || s.at[0] != '[' || s.at[2] != ']' || !strchr(" xX", s.at[1]))
        return false;
    *done = s.at[1] != ' ';
    *text = sf_plan_trim((struct sf_plan_slip){ s.at + 3, s.len - 3 });
    return text->len != 0;
}

static size_t heading_marks(struct sf_plan_slip line)
{
    size_t n = 0;

    while (n < line.len && line.at[n] == '#')
        n++;
    return n && n <= 6 && n < line.len && line.at[n] == ' ' ? n : 0;
}

static void add_item(struct list *l, struct sf_plan_slip text, size_t depth, bool done)
{
    l->items = sf_grow(l->items, &l->item_cap, l->item_count + 1, sizeof(*l->items));
    l->items[l->item_count++] = (struct item){ .text = text,
                                               .more = SF_STRBUF_INIT,
                                               .depth = depth,
                                               .done = done,
                                               .heading = l->heading_count - 1,
                                               .parts = SF_STRBUF_INIT };
}

static void add_heading(struct list *l, struct sf_plan_slip text, size_t marks)
{
    l->headings = sf_grow(l->headings, &l->heading_cap, l->heading_count + 1, sizeof(*l->headings));
    l->headings[l->heading_count++] = (struct heading){ text, marks };
}

/* What is indented below an item belongs to it; other words are left out. */
static void add_words(struct list *l, struct sf_plan_slip line)
{
    struct item *last = l->item_count ? &l->items[l->item_count - 1] : NULL;
    struct sf_plan_slip s = sf_plan_trim(line);

    if (!last || last->heading != l->heading_count - 1 || !s.len || blanks(line) <= last->depth ||
        last->more.len + s.len > 4096)
        return;
    sf_strbuf_addch(&last->more, '\n');
    sf_strbuf_add(&last->more, s.at, s.len);
}

static void read_line(struct list *l, struct sf_plan_slip line)
{
    size_t marks = heading_marks(line);
    struct sf_plan_slip s = sf_plan_trim(line), text;
    bool done;

    if (s.len >= 3 && (!memcmp(s.at, "```", 3) || !memcmp(s.at, "~~~", 3)))
        l->fenced = !l->fenced;
    if (!l->fenced && marks)
        add_heading(l, sf_plan_trim((struct sf_plan_slip){ line.at + marks, line.len - marks }),
                    marks);
    else if (!l->fenced && read_box(line, &done, &text))
        add_item(l, text, blanks(line), done);
    else
        add_words(l, line);
}

static void read_list(struct list *l, const char *text, size_t len)
{
    *l = (struct list){ .outermost = 7 };
    add_heading(l, nothing, 0);
    for (size_t at = 0; at < len;) {
        const char *nl = memchr(text + at, '\n', len - at);
        struct sf_plan_slip line = { text + at, nl ? (size_t)(nl - text) - at : len - at };

        at += line.len + 1;
        read_line(l, line);
    }
}

static void release(struct list *l)
{
    for (size_t i = 0; i < l->item_count; i++) {
        sf_strbuf_release(&l->items[i].more);
        sf_strbuf_release(&l->items[i].parts);
    }
    free(l->items);
    free(l->headings);
}

/* ---- writing ---- */

struct writer {
    struct list *list;
    struct sf_strbuf *out;
    int milestone, slice, task;
    size_t heading; /* the one that was written last */
    bool begun;
};

/* One line that can be a title; a long one is cut. */
static void add_title(struct sf_strbuf *out, struct sf_plan_slip s, const char *otherwise)
{
    size_t n;

    s = sf_plan_title(s);
    n = s.len > SF_PLAN_TITLE - 4 ? sf_utf8_cut(s.at, SF_PLAN_TITLE - 4) : s.len;
    sf_strbuf_add(out, n ? s.at : otherwise, n ? n : strlen(otherwise));
    if (n < s.len)
        sf_strbuf_adds(out, "\xe2\x80\xa6");
    sf_strbuf_addch(out, '\n');
}

static void write_title(struct sf_strbuf *out, const char *lead, int number, struct sf_plan_slip s,
                        const char *otherwise)
{
    sf_strbuf_addf(out, "\n%s%d ", lead, number);
    add_title(out, s, otherwise);
}

/* The heading of the milestone above: the last of the outermost ones. */
static struct sf_plan_slip milestone_of(const struct list *l, size_t heading)
{
    while (heading && l->headings[heading].marks != l->outermost)
        heading--;
    return l->headings[heading].text;
}

static void open_headings(struct writer *w, size_t heading)
{
    const struct heading *h = &w->list->headings[heading];
    struct sf_plan_slip above = milestone_of(w->list, heading);
    bool anew = !w->begun || milestone_of(w->list, w->heading).at != above.at;

    if (w->begun && heading == w->heading)
        return;
    if (anew) {
        w->slice = 0;
        write_title(w->out, "## M", ++w->milestone, above, "Work");
    }
    write_title(w->out, "### S", ++w->slice, h->marks > w->list->outermost ? h->text : nothing,
                "Tasks");
    w->task = 0;
    w->heading = heading;
    w->begun = true;
}

static void write_item(struct writer *w, const struct item *it)
{
    struct sf_plan_slip what = it->text;

    open_headings(w, it->heading);
    w->task++;
    write_title(w->out, "#### T", w->task, what, "Task");
    sf_strbuf_adds(w->out, "\n- what: ");
    sf_strbuf_add(w->out, what.at, what.len < 4096 ? what.len : sf_utf8_cut(what.at, 4096));
    for (const char *p = it->more.buf; *p; p++) {
        sf_strbuf_addch(w->out, *p);
        if (*p == '\n')
            sf_strbuf_adds(w->out, "  ");
    }
    sf_strbuf_addch(w->out, '\n');
    if (it->parts.len)
        sf_strbuf_addf(w->out, "- depends_on: %s\n", it->parts.buf);
}

/* Numbers are those that writing gives: open items of a heading, one after the other. */
static void number_items(struct list *l)
{
    int number = 0;

    for (size_t i = 0; i < l->item_count; i++) {
        if (i && l->items[i].heading != l->items[i - 1].heading)
            number = 0;
        l->items[i].number = l->items[i].done ? 0 : ++number;
    }
}

/* The open items directly below each one; what is below a done item goes to the one above that. */
static void link_items(struct list *l)
{
    size_t above[DEEPEST], n = 0, parts[DEEPEST] = { 0 };

    for (size_t i = 0; i < l->item_count; i++) {
        struct item *it = &l->items[i];
        size_t k;

        if (i && it->heading != l->items[i - 1].heading)
            n = 0;
        while (n && l->items[above[n - 1]].depth >= it->depth)
            n--;
        for (k = n; k && l->items[above[k - 1]].done; k--)
            continue;
        if (!it->done && k && parts[k - 1]++ < SF_PLAN_LIST) {
            struct item *whole = &l->items[above[k - 1]];

            sf_strbuf_addf(&whole->parts, "%sT%d", whole->parts.len ? ", " : "", it->number);
        }
        if (n < DEEPEST) {
            parts[n] = 0;
            above[n++] = i;
        }
    }
}

/* The first heading with one # is the title, if it stands alone and above everything. */
static bool is_title(const struct list *l)
{
    size_t ones = 0;

    for (size_t i = 1; i < l->heading_count; i++)
        ones += l->headings[i].marks == 1;
    return l->heading_count > 1 && l->headings[1].marks == 1 && ones == 1;
}

static void write_head(struct sf_strbuf *out, struct sf_plan_slip title)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_json_writer w;

    add_title(&line, title, "Work");
    sf_strbuf_adds(out, "---\ntitle: ");
    sf_jw_init(&w, out);
    sf_jw_strn(&w, line.buf, line.len - 1);
    sf_strbuf_adds(out, "\n---\n");
    sf_strbuf_release(&line);
}

static bool check(const struct sf_strbuf *out, struct sf_error *err)
{
    struct sf_plan_faults faults = SF_PLAN_FAULTS_INIT;
    struct sf_plan plan = SF_PLAN_INIT;
    bool ok = sf_plan_parse(out->buf, out->len, &plan, &faults);

    if (!ok)
        *err = faults.items[0];
    sf_plan_release(&plan);
    sf_plan_faults_release(&faults);
    return ok;
}

static void count_list(struct list *l, struct sf_plan_import *counts)
{
    for (size_t i = 0; i < l->item_count; i++) {
        counts->dropped += l->items[i].done;
        counts->taken += !l->items[i].done;
    }
    for (size_t i = 0; i < l->heading_count; i++)
        if (l->headings[i].marks && l->headings[i].marks < l->outermost)
            l->outermost = l->headings[i].marks;
}

static bool write_list(struct list *l, const char *title, struct sf_strbuf *out,
                       struct sf_plan_import *counts, struct sf_error *err)
{
    struct sf_plan_slip named = { title, strlen(title) };
    struct writer w = { .list = l, .out = out };

    if (is_title(l)) {
        named = l->headings[1].text;
        l->headings[1] = (struct heading){ nothing, 0 };
    }
    count_list(l, counts);
    if (!counts->taken) {
        sf_fail(err, SF_E_SYNTAX, "there is no open item in this list");
        return sf_hint(err, "an item that is open begins with \"- [ ] \"");
    }
    number_items(l);
    link_items(l);
    write_head(out, named);
    for (size_t i = 0; i < l->item_count; i++)
        if (!l->items[i].done)
            write_item(&w, &l->items[i]);
    return check(out, err);
}

bool sf_plan_import(const char *text, size_t len, const char *title, struct sf_strbuf *out,
                    struct sf_plan_import *counts, struct sf_error *err)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;
    struct list l;
    bool ok;

    *counts = (struct sf_plan_import){ 0 };
    if (len > SF_PLAN_BYTES)
        return sf_fail(err, SF_E_LIMIT, "the list is larger than %d MiB",
                       SF_PLAN_BYTES / 1024 / 1024);
    sf_text_sanitize(&clean, text, len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    read_list(&l, clean.buf, clean.len);
    ok = write_list(&l, title, out, counts, err);
    release(&l);
    sf_strbuf_release(&clean);
    return ok;
}
