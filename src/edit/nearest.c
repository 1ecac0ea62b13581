/*
 * nearest.c: a window as high as the text looked for slides over the lines; a line's worth is
 * how many of its letter triples the looked-for text has, less those it has not, if most are. The set of
 * triples is a table of bits, so a triple costs one hash and one look. The best windows are then
 * compared line by line.
 */
#include "edit/nearest.h"

enum {
    BITS = 1 << 16,
    LINE_BITS = 1 << 12, /* for the triples of one line */
    WINDOW_MAX = 64,     /* lines of the looked-for text that count */
    LINE_MAX_SEEN = 512, /* bytes of a line that count */
    CANDIDATES = 12,
    SHIFTS = 2, /* lines a window may begin too early, where some are missing */
    SHOWN_LINES = 16,
    SHOWN_BYTES = 200,
    PERCENT_MIN = 40,
};

struct triples {
    uint64_t *bits;
    uint32_t mask; /* how many there are, less one */
};

struct window {
    int64_t score;
    size_t line;
};

/* The letters of a line as a stream: lower case, without white space. */
struct letters {
    const char *text;
    size_t at, len;
    uint32_t last; /* three of them */
    unsigned seen;
};

/* Moves to the next triple; false at the end of the line. */
static bool next_triple(struct letters *l, uint32_t *hash)
{
    while (l->at < l->len) {
        unsigned char c = (unsigned char)l->text[l->at++];

        if (c <= ' ')
            continue;
        if (c >= 'A' && c <= 'Z')
            c = (unsigned char)(c + ('a' - 'A'));
        l->last = (l->last << 8 | c) & 0xffffff;
        if (++l->seen >= 3) {
            *hash = (l->last * UINT32_C(2654435761)) >> 16;
            return true;
        }
    }
    return false;
}

static struct letters letters_of(const char *text, size_t len)
{
    return (struct letters){ .text = text, .len = len < LINE_MAX_SEEN ? len : LINE_MAX_SEEN };
}

static bool has(const struct triples *set, uint32_t hash)
{
    hash &= set->mask;
    return set->bits[hash / 64] >> (hash % 64) & 1;
}

/* Adds a line's triples; returns how many were new. */
static size_t learn(struct triples *set, const char *text, size_t len)
{
    struct letters l = letters_of(text, len);
    uint32_t hash;
    size_t fresh = 0;

    while (next_triple(&l, &hash)) {
        fresh += !has(set, hash);
        set->bits[(hash & set->mask) / 64] |= UINT64_C(1) << (hash % 64);
    }
    return fresh;
}

static void count(const struct triples *set, const char *text, size_t len, size_t *hits,
                  size_t *total)
{
    struct letters l = letters_of(text, len);
    size_t found = 0, all = 0;
    uint32_t hash;

    for (; next_triple(&l, &hash); all++)
        found += has(set, hash);
    *hits = found;
    *total = all;
}

/* Keeps the best windows, best first. */
static void offer(struct window best[CANDIDATES], int64_t score, size_t line)
{
    size_t i = CANDIDATES;

    while (i > 0 && (best[i - 1].line == SIZE_MAX || best[i - 1].score < score))
        i--;
    if (i == CANDIDATES)
        return;
    memmove(best + i + 1, best + i, (CANDIDATES - 1 - i) * sizeof(*best));
    best[i] = (struct window){ score, line };
}

static void slide(struct window best[CANDIDATES], const struct triples *set, const char *text,
                  const struct sf_lines *lines, size_t height)
{
    int64_t ring[WINDOW_MAX] = { 0 }, sum = 0;

    for (size_t i = 0; i < CANDIDATES; i++)
        best[i] = (struct window){ 0, SIZE_MAX };
    for (size_t i = 0; i < lines->count; i++) {
        size_t hits, total;

        count(set, text + lines->starts[i], lines->starts[i + 1] - lines->starts[i], &hits, &total);
        sum -= ring[i % height];
        ring[i % height] = 3 * hits > total ? (int64_t)(3 * hits - total) : 0;
        sum += ring[i % height];
        if (sum > 0)
            offer(best, sum, i + 1 < height ? 0 : i + 1 - height);
    }
}

/* Equal but for white space. */
static bool alike(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t i = 0, k = 0;

    for (;;) {
        while (i < a_len && (unsigned char)a[i] <= ' ')
            i++;
        while (k < b_len && (unsigned char)b[k] <= ' ')
            k++;
        if (i == a_len || k == b_len)
            return i == a_len && k == b_len;
        if (a[i++] != b[k++])
            return false;
    }
}

/* Twice the shared triples of two lines, and all of theirs. */
static void liken(const char *a, size_t a_len, const char *b, size_t b_len, size_t sums[2])
{
    uint64_t bits[LINE_BITS / 64] = { 0 };
    struct triples set = { bits, LINE_BITS - 1 };
    size_t fresh = learn(&set, a, a_len), hits, total;

    count(&set, b, b_len, &hits, &total);
    if (alike(a, a_len, b, b_len)) /* also what is too short for a triple */
        fresh = hits = total = total + 1;
    sums[0] += 2 * (hits < fresh ? hits : fresh);
    sums[1] += fresh + total;
}

/* Compares line by line; keeps the place when it is the best so far. */
static void weigh(struct sf_nearest *near, size_t line, const char *text,
                  const struct sf_lines *lines, const char *what, const struct sf_lines *wanted)
{
    size_t height = wanted->count < WINDOW_MAX ? wanted->count : WINDOW_MAX, differs = 0;
    size_t sums[2] = { 0, 0 }, last = line + height;
    unsigned percent;

    if (last > lines->count)
        last = lines->count;
    for (size_t i = 0; i < height; i++) {
        const char *a = what + wanted->starts[i], *b = "";
        size_t a_len = wanted->starts[i + 1] - wanted->starts[i], b_len = 0;

        if (line + i < last) {
            b = text + lines->starts[line + i];
            b_len = lines->starts[line + i + 1] - lines->starts[line + i];
        }
        liken(a, a_len, b, b_len, sums);
        if (!differs && !alike(a, a_len, b, b_len))
            differs = line + i < last ? line + i + 1 : last;
    }
    percent = sums[1] ? (unsigned)(sums[0] * 100 / sums[1]) : 0;
    if (percent >= PERCENT_MIN && percent > near->percent)
        *near = (struct sf_nearest){ line + 1, last - line, differs, percent, false };
}

/* `lines` are the text's, by SF_LINES_ANY. */
static void find_nearest(struct sf_nearest *near, const char *text, const struct sf_lines *lines,
                         const char *what, size_t len)
{
    struct triples set = { sf_alloc(BITS / 8), BITS - 1 };
    struct window best[CANDIDATES];
    struct sf_lines wanted;
    size_t height;

    *near = (struct sf_nearest){ 0 };
    sf_lines_init(&wanted, what, len, SF_LINES_ANY);
    height = wanted.count < WINDOW_MAX ? wanted.count : WINDOW_MAX;
    for (size_t i = 0; i < height; i++)
        learn(&set, what + wanted.starts[i], wanted.starts[i + 1] - wanted.starts[i]);
    if (height && lines->count) {
        slide(best, &set, text, lines, height);
        for (size_t i = 0; i < CANDIDATES && best[i].line != SIZE_MAX; i++)
            for (size_t k = best[i].line; k <= best[i].line + SHIFTS && k < lines->count; k++)
                weigh(near, k, text, lines, what, &wanted);
        if (near->lines && wanted.count > WINDOW_MAX) /* only its first lines were compared */
            near->lines = lines->count - near->line + 1 < wanted.count
                              ? lines->count - near->line + 1
                              : wanted.count;
    }
    sf_lines_release(&wanted);
    free(set.bits);
}

/* One line without its ending, scrubbed and cut. */
static void add_line(struct sf_strbuf *out, const char *line, size_t len)
{
    bool cut;

    len -= sf_line_ending(line, len);
    cut = len > SHOWN_BYTES;
    if (cut)
        for (len = SHOWN_BYTES; len > SHOWN_BYTES - 4 && (line[len] & 0xc0) == 0x80;)
            len--;
    sf_utf8_scrub(out, line, len);
    sf_strbuf_adds(out, cut ? "…\n" : "\n");
}

/* The lines around the first difference, as "N: text". */
static void add_lines(struct sf_strbuf *out, const struct sf_nearest *near, const char *text,
                      const struct sf_lines *lines)
{
    size_t first = near->line, last = near->line + near->lines - 1;

    if (near->lines > SHOWN_LINES) {
        if (near->differs > first + 3)
            first = near->differs - 3;
        if (last - first + 1 > SHOWN_LINES)
            last = first + SHOWN_LINES - 1;
    }
    for (size_t n = first; n <= last; n++) {
        sf_strbuf_addf(out, "%zu: ", n);
        add_line(out, text + lines->starts[n - 1], lines->starts[n] - lines->starts[n - 1]);
    }
}

/* On a screen, where accents are composed and characters without a width are dropped. */
static bool looks_same(const char *a, size_t a_len, const char *b, size_t b_len)
{
    struct sf_strbuf left = SF_STRBUF_INIT, right = SF_STRBUF_INIT;
    bool same = a_len <= LINE_MAX_SEEN && b_len <= LINE_MAX_SEEN;

    if (same) {
        sf_text_sanitize(&left, a, a_len, SF_TEXT_ONE_LINE);
        sf_text_sanitize(&right, b, b_len, SF_TEXT_ONE_LINE);
        same = alike(left.buf, left.len, right.buf, right.len);
    }
    sf_strbuf_release(&left);
    sf_strbuf_release(&right);
    return same;
}

void sf_nearest_describe(struct sf_strbuf *out, struct sf_nearest *near, const char *text,
                         size_t len, const char *what, size_t what_len)
{
    struct sf_lines lines, wanted;
    size_t i;

    sf_lines_init(&lines, text, len, SF_LINES_ANY);
    sf_lines_init(&wanted, what, what_len, SF_LINES_ANY);
    find_nearest(near, text, &lines, what, what_len);
    i = near->differs - near->line;
    if (!near->lines) {
        sf_strbuf_adds(out, "nothing in the file is like it\n");
    } else {
        sf_strbuf_addf(out, "the nearest text begins at line %zu (%u%% alike):\n", near->line,
                       near->percent);
        add_lines(out, near, text, &lines);
    }
    if (near->differs && i < wanted.count) {
        const char *line = what + wanted.starts[i], *there = text + lines.starts[near->differs - 1];

        sf_strbuf_addf(out, "line %zu differs; expected:\n", near->differs);
        add_line(out, line, wanted.starts[i + 1] - wanted.starts[i]);
        near->lookalike = looks_same(line, wanted.starts[i + 1] - wanted.starts[i], there,
                                     lines.starts[near->differs] - lines.starts[near->differs - 1]);
    }
    if (near->lookalike)
        sf_strbuf_adds(out, "both look the same, but they are made of different characters "
                            "(composed or decomposed accents, or invisible characters)\n");
    sf_lines_release(&wanted);
    sf_lines_release(&lines);
}
