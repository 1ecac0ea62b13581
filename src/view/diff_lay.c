/*
 * diff_lay.c: a unified diff as people read it: the line's number, its sign, its text. A run of
 * removed lines followed by added ones is compared pair by pair, to mark the words that changed.
 * On a wide page the old lines stand on the left and the new ones on the right. A first walk over
 * the rows finds what all lines need to know; without one hunk in it the text is no diff and shown
 * as it is.
 */
#include <inttypes.h>
#include <string.h>

#include "view/code.h"
#include "view/code_lex.h"
#include "view/diff_parts.h"

enum { SIDES_WIDTH = 136 }; /* columns of a page: a screen of 140 less the edges of a card */

struct survey {
    size_t files, hunks, rows;
    uint64_t last;  /* the highest line number */
    bool carriages; /* every line ends with a carriage return: nothing to show then */
};

struct lay {
    struct sf_page *page;
    const struct sf_diff_lay *how;
    struct survey survey;
    size_t digits;
    size_t shown, max; /* rows of the diff */
    size_t file_hunks; /* in this file so far */
    struct sf_diff_painter painter;
    const struct sf_language *language;
    bool beside;                  /* old and new lines of this file stand beside each other */
    struct sf_page sides[2];      /* one pair of them */
    struct sf_strbuf first, rest; /* leads, made anew for each row */
    struct sf_diff_words words;
    struct sf_diff_row *removed; /* the run that waits for what was added in its place */
    size_t removed_count, removed_cap;
};

static bool has_carriage(const struct sf_diff_row *row)
{
    return row->len && row->text[row->len - 1] == '\r';
}

static bool is_body(enum sf_diff_kind kind)
{
    return kind == SF_DIFF_CONTEXT || kind == SF_DIFF_REMOVED || kind == SF_DIFF_ADDED;
}

static bool starts(const struct sf_diff_row *row, const char *with)
{
    return strlen(with) <= row->len && !memcmp(row->text, with, strlen(with));
}

/* What git says before the names, which say it better. */
static bool is_noise(const struct sf_diff_row *row)
{
    return row->kind == SF_DIFF_OTHER && (starts(row, "diff --git ") || starts(row, "index "));
}

static struct survey look_over(const char *diff, size_t len)
{
    struct sf_diff_reader reader = { .text = diff, .len = len };
    struct survey s = { .carriages = true };
    struct sf_diff_row row;

    while (sf_diff_read(&reader, &row)) {
        s.files += row.kind == SF_DIFF_FILE;
        s.hunks += row.kind == SF_DIFF_HUNK;
        s.rows += !is_noise(&row) && row.kind != SF_DIFF_FILE && row.kind != SF_DIFF_HUNK;
        if (!is_body(row.kind))
            continue;
        s.last = row.number > s.last ? row.number : s.last;
        s.carriages &= has_carriage(&row);
    }
    return s;
}

/* ---- rows ---- */

/*
 * "   41 │ " in front of the first line of a row, and the bar alone in front of the others. Number
 * 0: there is none. A changed line is tinted behind the bar.
 */
static void begin_row(struct lay *l, struct sf_page *page, uint64_t number,
                      enum sf_look_ground ground)
{
    const char *lead = page == l->page ? l->how->lead : "";

    sf_strbuf_reset(&l->first);
    sf_strbuf_reset(&l->rest);
    sf_strbuf_adds(&l->first, lead);
    sf_strbuf_adds(&l->rest, lead);
    sf_strbuf_fill(&l->rest, ' ', l->digits);
    if (number)
        sf_strbuf_addf(&l->first, "%*" PRIu64, (int)l->digits, number);
    else
        sf_strbuf_fill(&l->first, ' ', l->digits);
    sf_strbuf_adds(&l->first, " │ ");
    sf_strbuf_adds(&l->rest, " │  "); /* behind the sign */
    sf_page_begin(page, l->first.buf, l->rest.buf, sf_look(SF_LOOK_DIM), true);
    if (ground)
        sf_page_ground(page, ground, (int)sf_text_width(l->first.buf, l->first.len), page->width);
}

static size_t shown_len(const struct lay *l, const struct sf_diff_row *row)
{
    return l->survey.carriages && has_carriage(row) ? row->len - 1 : row->len;
}

static void add_text(struct lay *l, const char *text, size_t len, struct sf_look look)
{
    const struct sf_exact part = { .text = text, .len = len, .end = len };

    if (l->how->exact)
        sf_page_add_exact(l->page, part, look);
    else
        sf_page_add(l->page, text, len, look);
}

static enum sf_look_ground ground_of(enum sf_diff_kind kind)
{
    return kind == SF_DIFF_ADDED     ? SF_GROUND_ADDED
           : kind == SF_DIFF_REMOVED ? SF_GROUND_REMOVED
                                     : SF_GROUND_NONE;
}

/* A line of a file; what is marked in it changed. */
static void lay_line(struct lay *l, struct sf_page *page, const struct sf_diff_row *row,
                     struct sf_diff_marks marks)
{
    bool added = row->kind == SF_DIFF_ADDED, stays = row->kind == SF_DIFF_CONTEXT;
    bool old = !added && (!stays || page == &l->sides[0]);

    begin_row(l, page, old && stays ? row->before : row->number, ground_of(row->kind));
    sf_page_adds(page,
                 stays   ? " "
                 : added ? "+"
                         : "-",
                 sf_look(stays   ? SF_LOOK_CODE
                         : added ? SF_LOOK_ADDED
                                 : SF_LOOK_REMOVED));
    sf_diff_paint(&l->painter, page, row, l->how->exact && !stays ? row->len : shown_len(l, row),
                  marks, l->how->exact, !old);
    sf_page_end(page);
}

/* ---- beside each other ---- */

/* The shorter one of a pair is as high as the other, on the same ground. */
static void lay_below(struct lay *l, struct sf_page *page, enum sf_look_ground ground, size_t lines)
{
    while (page->count < lines && !page->event) {
        begin_row(l, page, 0, ground);
        page->ornament = true;
        sf_page_end(page);
    }
}

/* One of both may be NULL. */
static void lay_beside(struct lay *l, const struct sf_diff_row *const rows[2],
                       const struct sf_diff_marks marks[2])
{
    int lead = (int)sf_text_width(l->how->lead, strlen(l->how->lead));
    int width = (l->page->width - lead - SF_PAGE_BETWEEN) / 2;

    for (int i = 0; i < 2; i++) {
        sf_page_reset(&l->sides[i], width);
        if (rows[i])
            lay_line(l, &l->sides[i], rows[i], marks[i]);
    }
    for (int i = 0; i < 2; i++)
        lay_below(l, &l->sides[i], rows[i] ? ground_of(rows[i]->kind) : SF_GROUND_NONE,
                  l->sides[!i].count);
    sf_page_beside(l->page, l->how->lead, &l->sides[0], &l->sides[1]);
}

static void lay_context(struct lay *l, const struct sf_diff_row *row)
{
    const struct sf_diff_row *const both[2] = { row, row };
    static const struct sf_diff_marks none[2];
    const struct sf_lex_state before = l->painter.states[1];

    if (l->beside) {
        lay_beside(l, both, none);
        return;
    }
    lay_line(l, l->page, row, none[0]);
    sf_diff_painter_pass(&l->painter, row->text, shown_len(l, row), &before);
}

static void lay_remark(struct lay *l, const struct sf_diff_row *row)
{
    begin_row(l, l->page, 0, SF_GROUND_NONE);
    add_text(l, row->text, row->len, sf_look(SF_LOOK_DIM));
    sf_page_end(l->page);
}

/* May one more row be shown? The last line of those allowed is for what is left out. */
static bool count_row(struct lay *l)
{
    if (l->shown >= l->max)
        return false;
    l->shown++;
    return true;
}

/* ---- runs of removed and added lines ---- */

static void hold_removed(struct lay *l, const struct sf_diff_row *row)
{
    l->removed = sf_grow(l->removed, &l->removed_cap, l->removed_count + 1, sizeof(*l->removed));
    l->removed[l->removed_count++] = *row;
}

static bool find_words(struct lay *l, const struct sf_diff_row *a, const struct sf_diff_row *b)
{
    return sf_diff_words_find(&l->words, a->text, a->len, b->text, b->len);
}

static struct sf_diff_marks marks_of(const struct lay *l, bool alike, bool now)
{
    return (struct sf_diff_marks){ l->words.spans[now], alike ? l->words.count[now] : 0 };
}

/* The waiting run, now that `added` of the lines behind it are known. */
static void lay_removed(struct lay *l, const struct sf_diff_row *added, size_t added_count)
{
    for (size_t i = 0; i < l->removed_count; i++) {
        bool alike = i < added_count && find_words(l, &l->removed[i], &added[i]);

        if (count_row(l))
            lay_line(l, l->page, &l->removed[i], marks_of(l, alike, false));
    }
}

static void lay_added(struct lay *l, const struct sf_diff_row *added, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool alike = i < l->removed_count && find_words(l, &l->removed[i], &added[i]);

        if (count_row(l))
            lay_line(l, l->page, &added[i], marks_of(l, alike, true));
    }
}

static void lay_pairs(struct lay *l, const struct sf_diff_row *added, size_t count)
{
    for (size_t i = 0; i < l->removed_count || i < count; i++) {
        const struct sf_diff_row *const rows[2] = { i < l->removed_count ? &l->removed[i] : NULL,
                                                    i < count ? &added[i] : NULL };
        bool alike = rows[0] && rows[1] && find_words(l, rows[0], rows[1]);
        const struct sf_diff_marks marks[2] = { marks_of(l, alike, false),
                                                marks_of(l, alike, true) };

        if (!count_row(l))
            return;
        l->shown += rows[0] && rows[1];
        lay_beside(l, rows, marks);
    }
}

static void lay_run(struct lay *l, const struct sf_diff_row *added, size_t count)
{
    if (l->beside) {
        lay_pairs(l, added, count);
    } else {
        lay_removed(l, added, count);
        lay_added(l, added, count);
    }
    l->removed_count = 0;
}

/* ---- files and hunks ---- */

struct name {
    const char *text;
    size_t len;
};

/* The path of a header line, without its date and git's a/ or b/. */
static struct name name_of(const char *line, size_t len, const char *prefix)
{
    struct name name = { line + 4, len - 4 };
    const char *tab = memchr(name.text, '\t', name.len);

    if (tab)
        name.len = (size_t)(tab - name.text);
    while (name.len && (name.text[name.len - 1] == '\r' || name.text[name.len - 1] == ' '))
        name.len--;
    if (name.len > 2 && !memcmp(name.text, prefix, 2)) {
        name.text += 2;
        name.len -= 2;
    }
    return name;
}

static bool is_nothing(struct name name)
{
    return name.len == strlen("/dev/null") && !memcmp(name.text, "/dev/null", name.len);
}

static void set_language(struct lay *l, struct name name)
{
    char *path = sf_strndup(name.text, name.len);

    l->language = sf_language_of_file(path);
    free(path);
}

/* Only a file of which lines went and came is worth two columns. */
static bool has_both(struct sf_diff_reader ahead)
{
    struct sf_diff_row row;
    bool removed = false, added = false;

    while (!(removed && added) && sf_diff_read(&ahead, &row) && row.kind != SF_DIFF_FILE) {
        removed |= row.kind == SF_DIFF_REMOVED;
        added |= row.kind == SF_DIFF_ADDED;
    }
    return removed && added;
}

static void choose_sides(struct lay *l, const struct sf_diff_reader *reader)
{
    l->beside = l->page->width >= SIDES_WIDTH && has_both(*reader);
}

static void lay_file(struct lay *l, const struct sf_diff_row *row)
{
    struct name before = name_of(row->text, row->len, "a/");
    struct name after = name_of(row->more, row->more_len, "b/");
    bool gone = is_nothing(after), fresh = is_nothing(before);
    struct name name = gone ? before : after;
    struct sf_look bold = sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD), dim = sf_look(SF_LOOK_DIM);
    bool moved = !gone && !fresh &&
                 (before.len != after.len || memcmp(before.text, after.text, after.len) != 0);

    set_language(l, name);
    l->file_hunks = 0;
    if ((!l->how->headers && l->survey.files < 2) || l->shown >= l->max)
        return;
    if (l->shown)
        sf_page_blank(l->page);
    sf_page_begin(l->page, l->how->lead, NULL, dim, false);
    if (moved) {
        add_text(l, before.text, before.len, bold);
        sf_page_adds(l->page, " → ", dim);
    }
    add_text(l, name.text, name.len, bold);
    if (gone || fresh)
        sf_page_adds(l->page, gone ? "  removed" : "  new", dim);
    sf_page_end(l->page);
}

/* A mark between two hunks, with the function the second one is in. */
static void lay_hunk(struct lay *l, const struct sf_diff_row *row)
{
    size_t len = row->len && row->text[row->len - 1] == '\r' ? row->len - 1 : row->len;

    sf_diff_painter_begin(&l->painter, l->language);
    if (!l->file_hunks++ || l->shown >= l->max)
        return;
    sf_strbuf_reset(&l->first);
    sf_strbuf_adds(&l->first, l->how->lead);
    sf_strbuf_fill(&l->first, ' ', l->digits - 1);
    sf_page_begin(l->page, l->first.buf, NULL, sf_look(SF_LOOK_DIM), true);
    sf_page_adds(l->page, len ? "⋯  " : "⋯", sf_look(SF_LOOK_HUNK));
    sf_page_add(l->page, row->text, len, sf_look(SF_LOOK_HUNK));
    sf_page_end(l->page);
}

static void lay_row(struct lay *l, const struct sf_diff_row *row)
{
    switch (row->kind) {
    case SF_DIFF_FILE:
        lay_file(l, row);
        break;
    case SF_DIFF_HUNK:
        lay_hunk(l, row);
        break;
    case SF_DIFF_CONTEXT:
        if (count_row(l))
            lay_context(l, row);
        break;
    case SF_DIFF_NOTE:
    case SF_DIFF_OTHER:
        if (!is_noise(row) && count_row(l))
            lay_remark(l, row);
        break;
    case SF_DIFF_REMOVED:
    case SF_DIFF_ADDED:
        break; /* in runs */
    }
}

/* ---- the whole ---- */

static void lay_rows(struct lay *l, struct sf_diff_reader *reader)
{
    struct sf_diff_row row, *added = NULL;
    size_t count = 0, cap = 0;

    choose_sides(l, reader);
    while (sf_diff_read(reader, &row)) {
        if (count && row.kind != SF_DIFF_ADDED) {
            lay_run(l, added, count);
            count = 0;
        }
        if (row.kind == SF_DIFF_REMOVED) {
            hold_removed(l, &row);
        } else if (row.kind == SF_DIFF_ADDED) {
            added = sf_grow(added, &cap, count + 1, sizeof(*added));
            added[count++] = row;
        } else {
            lay_run(l, NULL, 0);
            if (row.kind == SF_DIFF_FILE)
                choose_sides(l, reader);
            lay_row(l, &row);
        }
    }
    lay_run(l, added, count);
    free(added);
}

/* No diff: its lines as they are. */
static void lay_plain(struct lay *l, const char *text, size_t len)
{
    if (len && text[len - 1] == '\n')
        len--;
    sf_page_begin(l->page, l->how->lead, l->how->lead, sf_look(SF_LOOK_DIM), true);
    add_text(l, text, len, sf_look(SF_LOOK_TEXT));
    sf_page_end(l->page);
}

static void say_left(struct lay *l)
{
    char words[64];
    size_t left = l->survey.rows - l->shown;

    snprintf(words, sizeof(words), "… %zu more line%s", left, left == 1 ? "" : "s");
    sf_page_begin(l->page, l->how->lead, l->how->lead, sf_look(SF_LOOK_DIM), false);
    sf_page_adds(l->page, words, sf_look(SF_LOOK_DIM));
    sf_page_end(l->page);
}

void sf_diff_lay(struct sf_page *page, const char *diff, size_t len, const struct sf_diff_lay *how)
{
    struct sf_diff_reader reader = { .text = diff, .len = len };
    struct lay l = {
        .page = page,
        .how = how,
        .survey = look_over(diff, len),
        .digits = 1,
        .max = SIZE_MAX,
        .first = SF_STRBUF_INIT,
        .rest = SF_STRBUF_INIT,
        .sides = { SF_PAGE_INIT, SF_PAGE_INIT },
    };

    if (!l.survey.hunks) {
        lay_plain(&l, diff, len);
        return;
    }
    for (uint64_t n = l.survey.last; n >= 10; n /= 10)
        l.digits++;
    if (how->max_lines && l.survey.rows > how->max_lines)
        l.max = how->max_lines - 1;
    sf_diff_painter_begin(&l.painter, NULL);
    lay_rows(&l, &reader);
    if (l.shown < l.survey.rows)
        say_left(&l);
    sf_strbuf_release(&l.first);
    sf_strbuf_release(&l.rest);
    sf_page_release(&l.sides[0]);
    sf_page_release(&l.sides[1]);
    sf_diff_words_release(&l.words);
    sf_diff_painter_release(&l.painter);
    free(l.removed);
}
