/*
 * patch_apply.c: hunks onto a file's lines. All places are those of the file as it was; the new
 * text is written in one pass from top to bottom, so a hunk can only lie below the one before.
 * Lines of context are copied from the file, never from the patch.
 */
#include "edit/patch.h"
#include "edit/splice.h"
#include "edit/textfile.h"

enum { SHOWN_LINES = 12 };

static const uint64_t work_max = UINT64_C(4) * 1024 * 1024 * 1024; /* bytes searched for one file */

struct applier {
    const struct sf_patch_op *op;
    const struct sf_patch_hunk *hunk;
    size_t number; /* of the hunk, counted from 1 */
    struct sf_textfile file;
    struct sf_lines lines;
    struct sf_ladder ladder;
    struct sf_strbuf out;
    struct sf_strbuf old_text; /* what the hunk expects, with "\n" endings */
    size_t old_count;          /* lines of it */
    size_t next;               /* the first line of the file that is not written yet */
    size_t from;               /* the first line the hunk may begin at */
    bool pinned;               /* the patch names one line that the hunk comes behind */
    int64_t drift;             /* how far the last hunk was from its hint */
    bool crlf;                 /* lines of the patch end with "\r" */
    enum sf_rung rung;
    struct sf_edit_result *result;
    struct sf_error *err;
};

struct piece {
    const char *text;
    size_t len;
};

static struct piece file_line(const struct applier *a, size_t i)
{
    const uint32_t *starts = a->lines.starts;

    return (struct piece){ a->file.text + starts[i], starts[i + 1] - starts[i] };
}

/* A line of the patch without what a diff takes for text: the "\r" of CRLF, the file's mark. */
static struct piece patch_line(const struct applier *a, size_t i)
{
    struct piece line = { a->hunk->lines[i].text, a->hunk->lines[i].len };

    line.len -= line.len && line.text[line.len - 1] == '\r';
    if (a->file.encoding == SF_ENCODING_UTF8_BOM && line.len >= 3 &&
        !memcmp(line.text, "\xef\xbb\xbf", 3)) {
        line.text += 3;
        line.len -= 3;
    }
    return line;
}

/* The words in front of any message about this hunk. */
static bool fail_hunk(struct applier *a, enum sf_errc code, const char *what)
{
    a->result->failed = a->number - 1;
    sf_fail(a->err, code, "%s, hunk %zu (line %u of the patch): %s", a->op->path, a->number,
            a->hunk->line, what);
    a->err->line = a->hunk->line;
    return false;
}

static bool fail_work(struct applier *a)
{
    fail_hunk(a, SF_E_LIMIT, "finding the hunks takes too long");
    return sf_hint(a->err, "split the patch");
}

static void show_wanted(struct applier *a, const char *text, size_t len)
{
    struct sf_strbuf *out = &a->result->detail;
    struct sf_lines lines;

    sf_lines_init(&lines, text, len, SF_LINES_ANY);
    sf_utf8_scrub(out, a->op->path, strlen(a->op->path));
    sf_strbuf_addf(out, ", hunk %zu looked for:\n", a->number);
    for (size_t i = 0; i < lines.count && i < SHOWN_LINES; i++) {
        size_t n = lines.starts[i + 1] - lines.starts[i];

        n -= sf_line_ending(text + lines.starts[i], n);
        sf_utf8_scrub(out, text + lines.starts[i], n < 200 ? n : 200);
        sf_strbuf_addch(out, '\n');
    }
    if (lines.count > SHOWN_LINES)
        sf_strbuf_addf(out, "… and %zu lines more\n", lines.count - SHOWN_LINES);
    sf_lines_release(&lines);
}

static bool fail_missing(struct applier *a, const char *what, const char *text, size_t len)
{
    char first[80];
    struct sf_strbuf shown = SF_STRBUF_INIT;
    size_t n = 0;

    while (n < len && text[n] != '\n')
        n++;
    sf_text_sanitize(&shown, text, n, SF_TEXT_ONE_LINE);
    snprintf(first, sizeof(first), "%.*s", (int)sf_text_fit(shown.buf, shown.len, 40, NULL),
             shown.buf);
    fail_hunk(a, SF_E_NOENT, what);
    show_wanted(a, text, len);
    sf_nearest_describe(&a->result->detail, &a->result->nearest, a->file.text, a->file.len, text,
                        len);
    sf_strbuf_release(&shown);
    if (a->result->nearest.lines)
        return sf_hint(a->err, "it begins with '%s'; the nearest text is at line %zu", first,
                       a->result->nearest.line);
    return sf_hint(a->err, "it begins with '%s'; read the file again", first);
}

static bool fail_several(struct applier *a, const struct sf_places *places)
{
    struct sf_strbuf what = SF_STRBUF_INIT;

    a->result->places = *places;
    sf_strbuf_adds(&what, "its lines are there several times: lines ");
    for (size_t i = 0; i < places->count; i++) {
        a->result->lines[i] = sf_lines_at(&a->lines, places->spans[i].start) + 1;
        sf_strbuf_addf(&what, "%s%zu", i ? ", " : "", a->result->lines[i]);
    }
    if (places->count == SF_PLACES_MAX)
        sf_strbuf_adds(&what, " …");
    fail_hunk(a, SF_E_EXIST, what.buf);
    sf_utf8_scrub(&a->result->detail, a->err->msg, strlen(a->err->msg));
    sf_strbuf_addch(&a->result->detail, '\n');
    sf_strbuf_release(&what);
    return sf_hint(a->err, "give more lines around it, or '@@' and a line above it");
}

static void expect(struct applier *a)
{
    sf_strbuf_reset(&a->old_text);
    a->old_count = 0;
    for (size_t i = 0; i < a->hunk->count; i++) {
        struct piece line = patch_line(a, i);

        if (a->hunk->lines[i].op != ' ' && a->hunk->lines[i].op != '-')
            continue;
        sf_strbuf_add(&a->old_text, line.text, line.len);
        sf_strbuf_addch(&a->old_text, '\n');
        a->old_count++;
    }
}

/* Whether the hunk's old lines stand exactly at line `at`. */
static bool stands_at(const struct applier *a, size_t at)
{
    if (at < a->from || at > a->lines.count || a->old_count > a->lines.count - at)
        return false;
    for (size_t i = 0; i < a->hunk->count; i++) {
        struct piece want = patch_line(a, i), line;

        if (a->hunk->lines[i].op != ' ' && a->hunk->lines[i].op != '-')
            continue;
        line = file_line(a, at++);
        line.len -= sf_line_ending(line.text, line.len);
        if (line.len != want.len || memcmp(line.text, want.text, line.len) != 0)
            return false;
    }
    return true;
}

static size_t offset_of(const struct applier *a, size_t line)
{
    return a->lines.starts[line < a->lines.count ? line : a->lines.count];
}

/* A part of a line will do where no whole line is the one named. */
static bool find_part(struct applier *a, struct piece name, struct sf_line_span *span)
{
    size_t from = offset_of(a, a->from);
    const char *hit = memmem(a->file.text + from, a->file.len - from, name.text, name.len);

    a->pinned = false;
    a->ladder.work += 2 * (a->file.len - from);
    if (!hit)
        return false;
    span->start = (size_t)(hit - a->file.text);
    from = span->start + 1;
    a->pinned = !memmem(a->file.text + from, a->file.len - from, name.text, name.len);
    return true;
}

/* Goes to the lines named by "@@ …", one below the other. */
static bool go_to_names(struct applier *a, size_t *behind)
{
    for (size_t i = 0; i < a->hunk->count && a->hunk->lines[i].op == '@'; i++) {
        struct piece name = patch_line(a, i);
        struct sf_places places;
        bool found =
            sf_ladder_climb(&a->ladder, name.text, name.len, offset_of(a, a->from), &places);

        if (a->ladder.work > work_max)
            return fail_work(a);
        a->pinned = found && places.count == 1;
        if (!found && !find_part(a, name, &places.spans[0]))
            return fail_missing(a, "the line behind '@@' is not in the file", name.text, name.len);
        a->from = sf_lines_at(&a->lines, places.spans[0].start);
        *behind = a->from + 1;
    }
    return true;
}

static uint64_t distance(size_t a, int64_t b)
{
    int64_t d = (int64_t)a - b;

    return (uint64_t)(d < 0 ? -d : d);
}

/* Of several exact places the one nearest to the hint, if no other is as near. */
static bool pick_nearest(const struct applier *a, const struct sf_places *places, int64_t hint,
                         size_t *at)
{
    uint64_t best = UINT64_MAX;
    bool only = false;

    for (size_t i = 0; i < places->count; i++) {
        size_t line = sf_lines_at(&a->lines, places->spans[i].start);
        uint64_t d = distance(line, hint);

        only = d == best ? false : d < best ? true : only;
        if (d < best) {
            best = d;
            *at = line;
        }
    }
    return only && places->count < SF_PLACES_MAX;
}

static bool choose(struct applier *a, const struct sf_places *places, int64_t hint, size_t *at)
{
    *at = sf_lines_at(&a->lines, places->spans[0].start);
    if (places->count == 1)
        return true;
    if (places->rung == SF_RUNG_EXACT && a->hunk->hinted && pick_nearest(a, places, hint, at))
        return true;
    if (places->rung == SF_RUNG_EXACT && a->pinned) {
        *at = sf_lines_at(&a->lines, places->spans[0].start);
        return true;
    }
    return fail_several(a, places);
}

/* Where lines come that replace none. */
static size_t insertion_at(const struct applier *a, size_t behind)
{
    int64_t at = (int64_t)a->hunk->old_at + a->drift;

    if (behind)
        return behind;
    if (!a->hunk->hinted || a->hunk->at_end || at > (int64_t)a->lines.count)
        return a->lines.count;
    return at > (int64_t)a->from ? (size_t)at : a->from;
}

static bool locate(struct applier *a, size_t *at)
{
    int64_t hint = (int64_t)a->hunk->old_at - 1 + a->drift;
    struct sf_places places;
    size_t behind = 0, end = a->lines.count;

    a->rung = SF_RUNG_EXACT;
    a->from = a->next;
    a->pinned = false;
    if (!go_to_names(a, &behind))
        return false;
    if (!a->old_count) {
        *at = insertion_at(a, behind);
        return true;
    }
    *at = hint >= 0 ? (size_t)hint : 0;
    if (a->hunk->hinted && stands_at(a, *at))
        return true;
    *at = end - a->old_count;
    if (a->hunk->at_end && a->old_count <= end && stands_at(a, *at))
        return true;
    if (sf_ladder_climb(&a->ladder, a->old_text.buf, a->old_text.len, offset_of(a, a->from),
                        &places)) {
        a->rung = places.rung;
        return choose(a, &places, hint, at);
    }
    if (sf_ladder_seek(&a->ladder, SF_RUNG_EXACT, a->old_text.buf, a->old_text.len, 0, &places))
        return fail_missing(a,
                            "its lines are only there above the hunk before it, or above the "
                            "line behind '@@'; hunks go from top to bottom",
                            a->old_text.buf, a->old_text.len);
    return fail_missing(a, "its lines are not in the file", a->old_text.buf, a->old_text.len);
}

/* The ending of line `like` of the file, or the patch's own where the file has none. */
static void add_ending(struct applier *a, size_t like)
{
    size_t len;
    const char *ending =
        sf_ending_near(a->file.text, &a->lines, like, a->crlf ? "\r\n" : "\n", &len);

    sf_strbuf_add(&a->out, ending, len);
}

/* A line may only follow one that is closed. */
static void close_line(struct applier *a)
{
    if (a->out.len && !sf_line_ending(a->out.buf, a->out.len))
        add_ending(a, a->lines.count);
}

static void copy_lines(struct applier *a, size_t upto)
{
    if (a->next >= upto)
        return;
    close_line(a);
    sf_strbuf_add(&a->out, a->file.text + a->lines.starts[a->next],
                  a->lines.starts[upto] - a->lines.starts[a->next]);
    a->next = upto;
}

/* With the ending of line `like` of the file. */
static void add_line(struct applier *a, struct piece line, const struct sf_indents *indents,
                     size_t like)
{
    close_line(a);
    sf_indents_add(indents, &a->out, line.text, line.len);
    add_ending(a, like);
}

static bool learn_indents(struct applier *a, size_t at, struct sf_indents *indents)
{
    indents->count = 0;
    if (a->rung != SF_RUNG_INDENT && a->rung != SF_RUNG_LOOSE)
        return true;
    for (size_t i = 0; i < a->hunk->count; i++) {
        const struct sf_patch_line *line = &a->hunk->lines[i];
        struct piece there;

        if (line->op != ' ' && line->op != '-')
            continue;
        there = file_line(a, at++);
        if (!sf_indents_learn(indents, line->text, line->len, there.text, there.len))
            return fail_missing(a, "its indentation does not follow that of the file",
                                a->old_text.buf, a->old_text.len);
    }
    return true;
}

/* Writes the file up to the hunk, and the hunk. */
static bool write_hunk(struct applier *a, size_t at)
{
    struct sf_indents indents;
    size_t like = at;

    if (!learn_indents(a, at, &indents))
        return false;
    copy_lines(a, at);
    for (size_t i = 0; i < a->hunk->count; i++) {
        char op = a->hunk->lines[i].op;

        if (op == ' ') {
            copy_lines(a, a->next + 1);
            like = a->next;
        } else if (op == '-') {
            a->next++;
        } else if (op == '+') { /* line by line in place of the removed ones */
            add_line(a, patch_line(a, i), &indents, like);
            like += like + 1 < a->next;
        }
    }
    return true;
}

static bool check_line_breaks(struct applier *a)
{
    for (size_t i = 0; i < a->hunk->count; i++) {
        struct piece line = patch_line(a, i);

        a->crlf = a->crlf || line.text + line.len < a->hunk->lines[i].text + a->hunk->lines[i].len;
        if (line.len && memchr(line.text, '\r', line.len))
            return fail_hunk(a, SF_E_ARG, "a carriage return stands inside a line");
    }
    return true;
}

static bool apply_hunk(struct applier *a)
{
    size_t at;

    expect(a);
    if (!check_line_breaks(a) || !locate(a, &at))
        return false;
    if (a->ladder.work > work_max)
        return fail_work(a);
    if (a->hunk->hinted)
        a->drift = (int64_t)at - (int64_t)a->hunk->old_at + (a->old_count ? 1 : 0);
    a->result->done[a->result->count++] = (struct sf_edit_done){ a->rung, 1, at + 1 };
    if (a->rung > a->result->rung)
        a->result->rung = a->rung;
    return write_hunk(a, at);
}

/* The last line is closed or open as the file's was, unless the patch says it changes. */
static void finish_end(struct applier *a)
{
    bool closed = a->file.final_newline || !a->file.len;

    for (size_t i = 0; i < a->op->count; i++)
        if (a->op->hunks[i].old_open != a->op->hunks[i].new_open)
            closed = a->op->hunks[i].old_open;
    if (closed)
        close_line(a);
    else
        sf_strbuf_truncate(&a->out, a->out.len - sf_line_ending(a->out.buf, a->out.len));
}

static bool check_outcome(const struct applier *a)
{
    bool same = a->out.len == a->file.len && !memcmp(a->out.buf, a->file.text, a->file.len);

    if (a->op->kind == SF_PATCH_DELETE && a->out.len) {
        sf_fail(a->err, SF_E_ARG, "%s is not what the patch deletes: %zu bytes would be left",
                a->op->path, a->out.len);
        return sf_hint(a->err, "read the file again");
    }
    if (same && !a->op->move_to && a->op->kind == SF_PATCH_UPDATE)
        return sf_fail(a->err, SF_E_ARG, "%s would not change: it is already as the patch wants it",
                       a->op->path);
    return true;
}

static bool apply_hunks(struct applier *a)
{
    bool ok;

    sf_lines_init(&a->lines, a->file.text, a->file.len, SF_LINES_ANY);
    sf_ladder_init(&a->ladder, a->file.text, a->file.len, true);
    ok = sf_textfile_check(&a->file, a->err);
    if (!ok)
        sf_error_prefix(a->err, "%s: ", a->op->path);
    for (size_t i = 0; ok && i < a->op->count; i++) {
        a->hunk = &a->op->hunks[i];
        a->number = i + 1;
        ok = apply_hunk(a);
    }
    if (ok) {
        copy_lines(a, a->lines.count);
        finish_end(a);
        ok = check_outcome(a);
    }
    if (ok && a->op->kind == SF_PATCH_UPDATE) {
        ok = sf_textfile_accepts(&a->file, a->out.buf, a->out.len, a->err) &&
             sf_textfile_write(&a->file, a->out.buf, a->out.len, &a->result->bytes, a->err);
        if (!ok)
            sf_error_prefix(a->err, "%s: ", a->op->path);
    }
    sf_ladder_release(&a->ladder);
    sf_lines_release(&a->lines);
    return ok;
}

static void write_new(const struct sf_patch_op *op, struct sf_strbuf *out)
{
    for (size_t i = 0; i < op->count; i++) {
        const struct sf_patch_hunk *hunk = &op->hunks[i];

        for (size_t k = 0; k < hunk->count; k++) {
            if (hunk->lines[k].op != '+')
                continue;
            sf_strbuf_add(out, hunk->lines[k].text, hunk->lines[k].len);
            sf_strbuf_addch(out, '\n');
        }
        if (hunk->new_open && out->len)
            sf_strbuf_truncate(out, out->len - 1);
    }
}

bool sf_patch_apply(const struct sf_patch_op *op, const char *bytes, size_t len,
                    struct sf_edit_result *result, struct sf_error *err)
{
    struct applier a = { .op = op, .result = result, .err = err };
    bool ok;

    sf_edit_result_release(result);
    if (op->kind == SF_PATCH_ADD) {
        write_new(op, &result->bytes);
        result->created = true;
        return true;
    }
    if (!op->count) {
        if (op->kind == SF_PATCH_UPDATE)
            sf_strbuf_add(&result->bytes, bytes, len);
        return true;
    }
    result->done = sf_alloc_array(op->count, sizeof(*result->done));
    sf_strbuf_init(&a.out);
    sf_strbuf_init(&a.old_text);
    sf_textfile_read(&a.file, bytes, len);
    ok = apply_hunks(&a);
    sf_textfile_release(&a.file);
    sf_strbuf_release(&a.old_text);
    sf_strbuf_release(&a.out);
    return ok;
}
