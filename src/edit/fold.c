/*
 * fold.c: folds line by line and remembers runs. A run is a stretch where both texts go byte by
 * byte, or one folded byte that stands for several (or no) original ones; dropped bytes lie
 * between the runs. A text with nothing to fold is borrowed, without any run.
 */
#include "edit/fold.h"

#include "edit/lines.h"

static const struct {
    uint32_t from, to;
    char plain;
} characters[] = {
    { 0x00a0, 0x00a0, ' ' },  { 0x2002, 0x200a, ' ' }, { 0x2010, 0x2015, '-' },
    { 0x2018, 0x201b, '\'' }, { 0x201c, 0x201f, '"' }, { 0x202f, 0x202f, ' ' },
    { 0x205f, 0x205f, ' ' },  { 0x2212, 0x2212, '-' }, { 0x3000, 0x3000, ' ' },
};

char sf_fold_character(const char *text, size_t len, size_t *took)
{
    uint32_t cp;

    *took = sf_utf8_decode(text, len, &cp);
    for (size_t i = 0; i < SF_COUNT(characters); i++)
        if (cp >= characters[i].from && cp <= characters[i].to)
            return characters[i].plain;
    return 0;
}

bool sf_fold_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static void add_run(struct sf_fold *fold, size_t original, uint32_t width)
{
    fold->runs = sf_grow(fold->runs, &fold->cap, fold->count + 1, sizeof(*fold->runs));
    fold->runs[fold->count++] =
        (struct sf_fold_run){ (uint32_t)fold->buf.len, (uint32_t)original, width };
}

static void add_same(struct sf_fold *fold, const char *text, size_t at, size_t len)
{
    const struct sf_fold_run *last = fold->count ? &fold->runs[fold->count - 1] : NULL;

    if (!len)
        return;
    if (!last || last->width != SF_FOLD_SAME ||
        last->original + (fold->buf.len - last->folded) != at)
        add_run(fold, at, SF_FOLD_SAME);
    sf_strbuf_add(&fold->buf, text + at, len);
}

static void add_one(struct sf_fold *fold, char c, size_t at, size_t width)
{
    add_run(fold, at, (uint32_t)width);
    sf_strbuf_addch(&fold->buf, c);
}

static void add_plain(struct sf_fold *fold, const char *text, size_t at, size_t end)
{
    size_t same = at, took = 0;

    for (; at < end; at += took) {
        char plain = 0;

        took = 1;
        if ((unsigned char)text[at] >= 0x80)
            plain = sf_fold_character(text + at, end - at, &took);
        if (!plain)
            continue;
        add_same(fold, text, same, at - same);
        add_one(fold, plain, at, took);
        same = at + took;
    }
    add_same(fold, text, same, end - same);
}

static void add_line(struct sf_fold *fold, const char *text, size_t at, size_t end, unsigned flags)
{
    size_t ending = sf_line_ending(text + at, end - at), stop = end - ending;

    if (flags & SF_FOLD_TRAILING)
        while (stop > at && sf_fold_is_space(text[stop - 1]))
            stop--;
    if (flags & SF_FOLD_INDENT)
        while (at < stop && sf_fold_is_space(text[at]))
            at++;
    if (flags & SF_FOLD_PUNCTUATION)
        add_plain(fold, text, at, stop);
    else
        add_same(fold, text, at, stop - at);
    if (ending == 1 && text[end - 1] == '\n')
        add_same(fold, text, end - 1, 1);
    else if (ending)
        add_one(fold, '\n', end - ending, ending);
    else if (flags & SF_FOLD_CLOSED)
        add_one(fold, '\n', end, 0);
}

void sf_fold_init(struct sf_fold *fold, const char *text, size_t len, unsigned flags)
{
    struct sf_lines lines;

    *fold = (struct sf_fold){ .text = len ? text : "", .len = len, .original_len = len };
    sf_strbuf_init(&fold->buf);
    if (!flags && (!len || !memchr(text, '\r', len)))
        return;
    if (flags & SF_FOLD_OPENED)
        add_one(fold, '\n', 0, 0);
    sf_lines_init(&lines, text, len, SF_LINES_ANY);
    for (size_t i = 0; i < lines.count; i++)
        add_line(fold, text, lines.starts[i], lines.starts[i + 1], flags);
    sf_lines_release(&lines);
    fold->text = fold->buf.buf;
    fold->len = fold->buf.len;
}

void sf_fold_release(struct sf_fold *fold)
{
    sf_strbuf_release(&fold->buf);
    free(fold->runs);
    *fold = (struct sf_fold){ .text = "" };
    sf_strbuf_init(&fold->buf);
}

/* The last run that begins at or before the offset; there is one, unless nothing is left. */
static const struct sf_fold_run *run_at(const struct sf_fold *fold, size_t at)
{
    size_t low = 0, high = fold->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (fold->runs[middle].folded <= at)
            low = middle;
        else
            high = middle;
    }
    return &fold->runs[low];
}

size_t sf_fold_start(const struct sf_fold *fold, size_t at)
{
    const struct sf_fold_run *run;

    if (fold->text != fold->buf.buf)
        return at;
    if (at >= fold->len)
        return fold->original_len;
    run = run_at(fold, at);
    return run->original + (at - run->folded);
}

size_t sf_fold_end(const struct sf_fold *fold, size_t at)
{
    const struct sf_fold_run *run;

    if (fold->text != fold->buf.buf || !at)
        return at;
    run = run_at(fold, at - 1);
    return run->original + (run->width == SF_FOLD_SAME ? at - run->folded : run->width);
}

size_t sf_fold_at(const struct sf_fold *fold, size_t original)
{
    size_t low = 0, high = fold->count, at, limit;
    const struct sf_fold_run *run;

    if (fold->text != fold->buf.buf)
        return original;
    if (!fold->count)
        return 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (fold->runs[middle].original <= original)
            low = middle;
        else
            high = middle;
    }
    run = &fold->runs[low];
    limit = low + 1 < fold->count ? run[1].folded : fold->len;
    if (original < run->original)
        return run->folded;
    if (run->width != SF_FOLD_SAME)
        return run->folded + (original >= run->original + run->width);
    at = run->folded + (original - run->original);
    return at < limit ? at : limit;
}
