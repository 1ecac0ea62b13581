/*
 * fuzzy.c: matching and ranking. A word of the query is aligned with the file's own name so that
 * its score is the best there is (a small table, row by row of the word); where the name does not
 * hold it, it is found backwards along the whole path, which is fast and good enough for
 * directories. The length only decides between equals.
 */
#include "view/fuzzy.h"

#include "base/base.h"

enum {
    MATCH = 16,
    FIRST = 10,   /* of the path or the file's own name */
    BOUNDARY = 8, /* behind a separator */
    CAMEL = 7,    /* aB */
    NUMBER = 3,   /* a1 */
    ROW = 6,      /* right behind the one before */
    SAME_CASE = 1,
    GAP = 3,     /* and one for each further byte */
    GAP_MAX = 8, /* along a path */
    IN_NAME = 5, /* for each, in the file's own name */
    PREFIX = 15, /* the name begins with the word */
    NONE = -100000,
    NAME_MAX_LEN = 128, /* bytes of a file's own name that are aligned the best way */
    LENGTHS = 256,      /* a score counts as many lengths */
};

struct word {
    const char *text;
    size_t len;
    size_t tail; /* where what is looked for in the file's own name begins */
    uint64_t mask, tail_mask;
    bool exact; /* has capitals */
};

struct query {
    char text[SF_FUZZY_QUERY];
    struct word words[SF_FUZZY_QUERY / 2];
    size_t count;
};

struct name {
    const char *text, *lower;
    size_t len, base; /* where the file's own name begins */
    uint64_t mask, base_mask;
};

static char to_lower(char ch)
{
    if (ch >= 'A' && ch <= 'Z')
        ch = (char)(ch | 0x20);
    return ch;
}

/* One bit for a letter or digit, the others share what is left. */
static uint64_t mask_of(const char *text, size_t len)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned ch = (unsigned char)to_lower(text[i]);
        unsigned bit = ch - 'a' < 26 ? ch - 'a' : ch - '0' < 10 ? 26 + ch - '0' : 36 + ch % 28;

        mask |= UINT64_C(1) << bit;
    }
    return mask;
}

/* ---- queries and names ---- */

static void add_word(struct query *q, const char *text, size_t len)
{
    struct word *w = &q->words[q->count++];
    const char *slash = memrchr(text, '/', len);

    *w = (struct word){ .text = text, .len = len };
    w->tail = slash ? (size_t)(slash - text) + 1 : 0;
    w->mask = mask_of(text, len);
    w->tail_mask = mask_of(text + w->tail, len - w->tail);
    for (size_t i = 0; i < len; i++)
        w->exact = w->exact || to_lower(text[i]) != text[i];
}

static void read_query(struct query *q, const char *text, size_t len)
{
    size_t at = 0, end;

    len = len < SF_FUZZY_QUERY ? len : SF_FUZZY_QUERY;
    q->count = 0;
    if (len)
        memcpy(q->text, text, len);
    for (; at < len; at = end + 1) {
        for (end = at; end < len && q->text[end] != ' ';)
            end++;
        if (end > at)
            add_word(q, q->text + at, end - at);
    }
}

static size_t base_of(const char *text, size_t len)
{
    const char *slash = len ? memrchr(text, '/', len - 1) : NULL; /* "a/b/" is called b */

    return slash ? (size_t)(slash - text) + 1 : 0;
}

/* ---- scores ---- */

static bool is_lower(char ch)
{
    return ch >= 'a' && ch <= 'z';
}

static bool is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

/* What a match at this place is worth. */
static int worth(const struct name *n, size_t at, char wanted)
{
    char ch = n->text[at], before;
    int score = MATCH + (ch == wanted ? SAME_CASE : 0);

    if (!at || at == n->base)
        return score + FIRST;
    before = n->text[at - 1];
    if (before == '/' || before == '_' || before == '-' || before == '.' || before == ' ')
        return score + BOUNDARY;
    if (is_lower(before) && ch >= 'A' && ch <= 'Z')
        return score + CAMEL;
    return score + (is_digit(ch) && !is_digit(before) ? NUMBER : 0);
}

/* Backwards from `end`; all of `wanted` or NONE. Spots are those of the bytes of `wanted`. */
static int along_path(const struct name *n, const char *in, const char *wanted, size_t count,
                      size_t end, uint32_t *spots)
{
    size_t later = SIZE_MAX;
    int score = 0;

    while (count) {
        while (end && in[end - 1] != wanted[count - 1])
            end--;
        if (!end--)
            return NONE;
        count--;
        score += worth(n, end, wanted[count]);
        if (later != SIZE_MAX)
            score += later == end + 1            ? ROW
                     : later - end > GAP_MAX + 1 ? -GAP_MAX
                                                 : -(int)(later - end - 1);
        if (spots)
            spots[count] = (uint32_t)end;
        later = end;
    }
    return score;
}

/* table[i][j]: the best score of the word's first i + 1 bytes with the last of them at j. */
struct alignment {
    int table[SF_FUZZY_QUERY][NAME_MAX_LEN];
};

static bool occurs(const char *in, size_t len, const char *wanted, size_t count)
{
    size_t i = 0;

    for (size_t j = 0; j < len && i < count; j++)
        i += in[j] == wanted[i];
    return i == count;
}

static void fill_row(struct alignment *a, const struct name *n, const char *in, char wanted,
                     size_t row)
{
    const int *above = row ? a->table[row - 1] : NULL;
    size_t len = n->len - n->base;
    int run = NONE; /* the best of the row above, less the gap */

    for (size_t j = row; j < len; j++) {
        int from = 0;

        if (row && j >= row + 1)
            run = above[j - 2] - GAP > run - 1 ? above[j - 2] - GAP : run - 1;
        if (in[j] != wanted) {
            a->table[row][j] = NONE;
            continue;
        }
        if (row)
            from = above[j - 1] + ROW > run ? above[j - 1] + ROW : run;
        a->table[row][j] = from + worth(n, n->base + j, wanted);
    }
}

/* Back along the choices that made the best score. */
static void trace(const struct alignment *a, const struct name *n, const char *wanted, size_t count,
                  size_t at, uint32_t *spots)
{
    for (size_t row = count; row-- > 0;) {
        int left = a->table[row][at] - worth(n, n->base + at, wanted[row]);
        size_t j = at - 1;

        spots[row] = (uint32_t)(n->base + at);
        if (!row)
            return;
        if (a->table[row - 1][j] + ROW != left)
            while (j-- > row - 1 && a->table[row - 1][j] - GAP - (int)(at - 2 - j) != left)
                continue;
        at = j;
    }
}

/* In the file's own name, the best way there is. */
static int in_name(const struct name *n, const char *in, const char *wanted, size_t count,
                   uint32_t *spots)
{
    struct alignment a;
    size_t len = n->len - n->base, best = 0;
    int score = NONE;

    in += n->base;
    if (len > NAME_MAX_LEN || !count || !occurs(in, len, wanted, count))
        return NONE;
    for (size_t row = 0; row < count; row++)
        fill_row(&a, n, in, wanted[row], row);
    for (size_t j = count - 1; j < len; j++)
        if (a.table[count - 1][j] > score)
            score = a.table[count - 1][best = j];
    if (spots)
        trace(&a, n, wanted, count, best, spots);
    return score + IN_NAME * (int)count + (!memcmp(in, wanted, count) ? PREFIX : 0);
}

static int score_word(const struct word *w, const struct name *n, uint32_t *spots)
{
    const char *in = w->exact ? n->text : n->lower;
    int score = NONE, head = 0;

    if ((n->base_mask & w->tail_mask) == w->tail_mask)
        score = in_name(n, in, w->text + w->tail, w->len - w->tail, spots ? spots + w->tail : NULL);
    if (score > NONE && w->tail)
        head = along_path(n, in, w->text, w->tail, n->base, spots);
    if (score > NONE && head > NONE)
        return score + head;
    return along_path(n, in, w->text, w->len, n->len, spots);
}

static bool score_name(const struct query *q, const struct name *n, int *score, uint32_t *spots)
{
    int sum = 0;

    for (size_t i = 0; i < q->count; i++) {
        const struct word *w = &q->words[i];
        int part = (n->mask & w->mask) == w->mask ? score_word(w, n, spots) : NONE;

        if (part == NONE)
            return false;
        sum += part;
        if (spots)
            spots += w->len;
    }
    *score = sum * LENGTHS - (int)(n->len < LENGTHS ? n->len : LENGTHS - 1);
    return true;
}

/* Fills the name in; `lower` is room for as many bytes. False: it is too long to be one. */
static bool read_name(struct name *n, const char *text, size_t len, char lower[SF_FUZZY_NAME])
{
    if (len > SF_FUZZY_NAME)
        return false;
    for (size_t i = 0; i < len; i++)
        lower[i] = to_lower(text[i]);
    *n = (struct name){ .text = text, .lower = lower, .len = len, .base = base_of(text, len) };
    n->mask = mask_of(text, len);
    n->base_mask = mask_of(text + n->base, len - n->base);
    return true;
}

bool sf_fuzzy_score(const char *query, size_t query_len, const char *name, size_t len, int *score)
{
    char lower[SF_FUZZY_NAME];
    struct query q;
    struct name n;

    read_query(&q, query, query_len);
    return read_name(&n, name, len, lower) && score_name(&q, &n, score, NULL);
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

size_t sf_fuzzy_spots(const char *query, size_t query_len, const char *name, size_t len,
                      uint32_t spots[SF_FUZZY_QUERY])
{
    char lower[SF_FUZZY_NAME];
    size_t count = 0, unique = 0;
    struct query q;
    struct name n;
    int score;

    read_query(&q, query, query_len);
    if (!read_name(&n, name, len, lower) || !score_name(&q, &n, &score, spots))
        return 0;
    for (size_t i = 0; i < q.count; i++)
        count += q.words[i].len;
    qsort(spots, count, sizeof(*spots), by_place);
    for (size_t i = 0; i < count; i++)
        if (!unique || spots[unique - 1] != spots[i])
            spots[unique++] = spots[i];
    return unique;
}

/* ---- sets ---- */

struct member {
    uint64_t mask, base_mask;
    uint32_t at;
    uint16_t len, base;
};

struct sf_fuzzy_set {
    struct sf_strbuf text, lower; /* each name with its NUL */
    struct member *members;
    size_t count, cap;
};

struct sf_fuzzy_set *sf_fuzzy_set_new(void)
{
    struct sf_fuzzy_set *set = sf_alloc(sizeof(*set));

    sf_strbuf_init(&set->text);
    sf_strbuf_init(&set->lower);
    return set;
}

void sf_fuzzy_set_free(struct sf_fuzzy_set *set)
{
    if (!set)
        return;
    sf_strbuf_release(&set->text);
    sf_strbuf_release(&set->lower);
    free(set->members);
    free(set);
}

bool sf_fuzzy_set_add(struct sf_fuzzy_set *set, const char *name, size_t len)
{
    char lower[SF_FUZZY_NAME];
    struct name n;

    if (set->count == SF_FUZZY_NAMES || set->text.len + len >= SF_FUZZY_BYTES ||
        !read_name(&n, name, len, lower))
        return false;
    set->members = sf_grow(set->members, &set->cap, set->count + 1, sizeof(*set->members));
    set->members[set->count++] = (struct member){ n.mask, n.base_mask, (uint32_t)set->text.len,
                                                  (uint16_t)len, (uint16_t)n.base };
    sf_strbuf_add(&set->text, name, len);
    sf_strbuf_addch(&set->text, '\0');
    sf_strbuf_add(&set->lower, lower, len);
    sf_strbuf_addch(&set->lower, '\0');
    return true;
}

size_t sf_fuzzy_set_count(const struct sf_fuzzy_set *set)
{
    return set->count;
}

const char *sf_fuzzy_set_name(const struct sf_fuzzy_set *set, size_t index)
{
    return set->text.buf + set->members[index].at;
}

/* Keeps the hits in order; returns how many there are now. */
static size_t add_hit(struct sf_fuzzy_hit *hits, size_t count, size_t max, struct sf_fuzzy_hit hit)
{
    size_t at = count;

    if (count == max && hit.score <= hits[max - 1].score)
        return count;
    if (count == max)
        at = --count;
    for (; at && hits[at - 1].score < hit.score; at--)
        hits[at] = hits[at - 1];
    hits[at] = hit;
    return count + 1;
}

size_t sf_fuzzy_set_best(const struct sf_fuzzy_set *set, const char *query, size_t len,
                         struct sf_fuzzy_hit *hits, size_t max)
{
    struct query q;
    uint64_t mask = 0;
    size_t count = 0;

    read_query(&q, query, len);
    for (size_t i = 0; i < q.count; i++)
        mask |= q.words[i].mask;
    for (size_t i = 0; max && i < set->count; i++) {
        const struct member *m = &set->members[i];
        struct sf_fuzzy_hit hit = { .index = (uint32_t)i };
        struct name n;

        if ((m->mask & mask) != mask)
            continue;
        n = (struct name){ set->text.buf + m->at, set->lower.buf + m->at, m->len, m->base, m->mask,
                           m->base_mask };
        if (score_name(&q, &n, &hit.score, NULL))
            count = add_hit(hits, count, max, hit);
    }
    return count;
}
