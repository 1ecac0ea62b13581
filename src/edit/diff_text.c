/*
 * diff_text.c: a diff as people and models read it. Hunks are built on the way, so a ceiling on
 * the output is also one on the work.
 */
#include "edit/diff.h"

bool sf_diff_next(const struct sf_diff *diff, size_t context, struct sf_diff_hunk *hunk)
{
    size_t at = hunk->change + hunk->changes, end, before, after;
    const struct sf_diff_change *first, *last;

    if (at >= diff->count)
        return false;
    first = last = &diff->changes[at];
    for (end = at + 1; end < diff->count; end++, last++)
        if (diff->changes[end].old_at - (last->old_at + last->old_count) > 2 * context)
            break;
    before = first->old_at < context ? first->old_at : context;
    after = diff->old_lines.count - (last->old_at + last->old_count);
    after = after < context ? after : context;
    hunk->change = at;
    hunk->changes = end - at;
    hunk->old_at = first->old_at - before;
    hunk->new_at = first->new_at - before;
    hunk->old_count = last->old_at + last->old_count + after - hunk->old_at;
    hunk->new_count = last->new_at + last->new_count + after - hunk->new_at;
    return true;
}

/* As git does: a name that would not survive in a header line is quoted like a C string. */
static void add_name(struct sf_strbuf *out, const char *sign, const char *name)
{
    bool plain = true;

    for (const char *c = name; *c; c++)
        plain = plain && (unsigned char)*c >= 0x20 && *c != 0x7f && *c != '"' && *c != '\\';
    sf_strbuf_adds(out, sign);
    if (plain) {
        sf_strbuf_addf(out, "%s\n", name);
        return;
    }
    sf_strbuf_addch(out, '"');
    for (const char *c = name; *c; c++) {
        if (*c == '"' || *c == '\\')
            sf_strbuf_addf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f)
            sf_strbuf_addf(out, "\\%03o", (unsigned)*c);
        else
            sf_strbuf_addch(out, *c);
    }
    sf_strbuf_adds(out, "\"\n");
}

static void add_range(struct sf_strbuf *out, char sign, size_t at, size_t count)
{
    sf_strbuf_addf(out, " %c%zu", sign, count ? at + 1 : at);
    if (count != 1)
        sf_strbuf_addf(out, ",%zu", count);
}

/* What is written so far and how much may be. */
struct printer {
    struct sf_strbuf *out;
    const struct sf_diff *diff;
    size_t start, max;
    struct sf_diff_left left;
};

static bool fits(const struct printer *p, size_t more)
{
    size_t used = p->out->len - p->start;

    return !p->max || (used <= p->max && more <= p->max - used);
}

static bool add_line(struct printer *p, char sign, size_t i)
{
    static const char unclosed[] = "\n\\ No newline at end of file\n";
    bool added = sign == '+';
    const struct sf_lines *lines = added ? &p->diff->new_lines : &p->diff->old_lines;
    const char *line = (added ? p->diff->new_text : p->diff->old_text) + lines->starts[i];
    size_t len = lines->starts[i + 1] - lines->starts[i];
    char end = p->diff->rule == SF_LINES_CR ? '\r' : '\n';
    bool closed = len && line[len - 1] == end;

    if (!fits(p, len + sizeof(unclosed)))
        return false;
    sf_strbuf_addch(p->out, sign);
    sf_strbuf_add(p->out, line, len - closed);
    sf_strbuf_adds(p->out, closed ? "\n" : unclosed);
    return true;
}

/* As many lines as fit; the rest is counted. */
static bool add_lines(struct printer *p, char sign, size_t at, size_t count)
{
    size_t i = 0;
    bool full = p->left.removed || p->left.added;

    while (i < count && !full && add_line(p, sign, at + i))
        i++;
    if (sign == '-')
        p->left.removed += count - i;
    else if (sign == '+')
        p->left.added += count - i;
    return i == count;
}

static bool add_hunk(struct printer *p, const struct sf_diff_hunk *hunk)
{
    size_t old_at = hunk->old_at;
    bool all = true;

    sf_strbuf_adds(p->out, "@@");
    add_range(p->out, '-', hunk->old_at, hunk->old_count);
    add_range(p->out, '+', hunk->new_at, hunk->new_count);
    sf_strbuf_adds(p->out, " @@\n");
    for (size_t i = 0; i < hunk->changes; i++) {
        const struct sf_diff_change *c = &p->diff->changes[hunk->change + i];

        all = all && add_lines(p, ' ', old_at, c->old_at - old_at);
        if (!all) {
            p->left.removed += c->old_count;
            p->left.added += c->new_count;
            continue;
        }
        all = add_lines(p, '-', c->old_at, c->old_count);
        all = add_lines(p, '+', c->new_at, c->new_count) && all;
        old_at = c->old_at + c->old_count;
    }
    return all && add_lines(p, ' ', old_at, hunk->old_at + hunk->old_count - old_at);
}

static void leave_out(struct printer *p, const struct sf_diff_hunk *hunk)
{
    p->left.hunks++;
    for (size_t i = 0; i < hunk->changes; i++) {
        p->left.removed += p->diff->changes[hunk->change + i].old_count;
        p->left.added += p->diff->changes[hunk->change + i].new_count;
    }
}

bool sf_diff_add(struct sf_strbuf *out, const struct sf_diff *diff,
                 const struct sf_diff_style *style, struct sf_diff_left *left)
{
    struct printer p = { .out = out, .diff = diff, .start = out->len, .max = style->max };
    struct sf_diff_hunk hunk = { 0 };
    bool all = true;

    if (diff->count && style->old_name && style->new_name) {
        add_name(out, "--- ", style->old_name);
        add_name(out, "+++ ", style->new_name);
    }
    while (sf_diff_next(diff, style->context, &hunk)) {
        if (!all || !fits(&p, 1))
            leave_out(&p, &hunk);
        else if (!add_hunk(&p, &hunk))
            p.left.hunks++;
        all = p.left.hunks == 0;
    }
    if (!all)
        sf_strbuf_addf(out, "[left out: %zu hunk%s, %zu lines removed, %zu lines added]\n",
                       p.left.hunks, p.left.hunks == 1 ? "" : "s", p.left.removed, p.left.added);
    if (left)
        *left = p.left;
    return all;
}
