/*
 * diff.c: the shortest edit script (Myers, An O(ND) Difference Algorithm, 1986), in linear space.
 * Lines become numbers; lines the other side does not have drop out at once; the rest is split
 * at a point both ends can reach with the fewest edits, again and again. Each box has a limit on
 * its edits and the whole a budget of steps; a box that runs out of it is replaced outright.
 */
#include "edit/diff.h"

enum {
    BOX_EDITS = 512,     /* beyond it the best point so far will do */
    BUDGET = 30000000,   /* steps over all boxes */
    LINES_MAX = 4000000, /* both sides together, without what they have in common at the ends */
};

/* One text's lines that are worth comparing. */
struct side {
    uint32_t *ids;   /* equal lines have equal numbers */
    uint32_t *lines; /* which line of the text it is */
    bool *changed;   /* of all the text's lines */
    size_t count;
};

struct box {
    int32_t old_low, old_high, new_low, new_high;
};

struct work {
    struct side sides[2];
    int32_t *ahead, *back; /* furthest points by diagonal, from either corner */
    int64_t budget;
    bool coarse;
    struct box *boxes;
    size_t count, cap;
};

static const char *line_of(const struct sf_diff *diff, int side, size_t i, size_t *len)
{
    const struct sf_lines *lines = side ? &diff->new_lines : &diff->old_lines;

    *len = lines->starts[i + 1] - lines->starts[i];
    return (side ? diff->new_text : diff->old_text) + lines->starts[i];
}

static bool same_line(const struct sf_diff *diff, int side, size_t i, int other, size_t k)
{
    size_t len, other_len;
    const char *a = line_of(diff, side, i, &len), *b = line_of(diff, other, k, &other_len);

    return len == other_len && !memcmp(a, b, len);
}

/* The lines of both sides in one table: slots hold index + 1 into `seen`. */
struct table {
    uint32_t *slots;
    size_t mask, count;
    struct {
        uint32_t line;
        uint8_t first, sides; /* the side `line` belongs to; bits of the sides that have it */
    } * seen;
};

static uint64_t hash_line(const char *text, size_t len)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* Probing counts as effort: lines made to collide end in a coarse diff, not in a long wait. */
static uint32_t number_of(struct table *table, const struct sf_diff *diff, int side, size_t i,
                          int64_t *budget)
{
    size_t len;
    const char *text = line_of(diff, side, i, &len);
    size_t slot = hash_line(text, len) & table->mask;
    uint32_t id;

    for (; table->slots[slot]; slot = (slot + 1) & table->mask) {
        id = table->slots[slot] - 1;
        if (same_line(diff, side, i, table->seen[id].first, table->seen[id].line))
            break;
        if (--*budget < 0)
            return 0;
    }
    if (!table->slots[slot]) {
        id = (uint32_t)table->count++;
        table->slots[slot] = id + 1;
        table->seen[id].line = (uint32_t)i;
        table->seen[id].first = (uint8_t)side;
    }
    id = table->slots[slot] - 1;
    table->seen[id].sides |= (uint8_t)(1 << side);
    return id;
}

/* Lines only one side has are changed, whatever else happens. */
static void keep_shared(struct side *side, const struct table *table)
{
    size_t kept = 0;

    for (size_t i = 0; i < side->count; i++) {
        if (table->seen[side->ids[i]].sides != 3) {
            side->changed[side->lines[i]] = true;
            continue;
        }
        side->ids[kept] = side->ids[i];
        side->lines[kept++] = side->lines[i];
    }
    side->count = kept;
}

static void number_lines(struct work *work, const struct sf_diff *diff, size_t head)
{
    size_t total = work->sides[0].count + work->sides[1].count, slots = 16;
    struct table table = { 0 };

    while (slots < total * 2)
        slots *= 2;
    table.slots = sf_alloc_array(slots, sizeof(*table.slots));
    table.seen = sf_alloc_array(total, sizeof(*table.seen));
    table.mask = slots - 1;
    for (int s = 0; s < 2; s++) {
        struct side *side = &work->sides[s];

        side->ids = sf_alloc_array(side->count, sizeof(*side->ids));
        side->lines = sf_alloc_array(side->count, sizeof(*side->lines));
        for (size_t i = 0; i < side->count; i++) {
            side->lines[i] = (uint32_t)(head + i);
            side->ids[i] = number_of(&table, diff, s, head + i, &work->budget);
        }
    }
    if (work->budget >= 0)
        for (int s = 0; s < 2; s++)
            keep_shared(&work->sides[s], &table);
    free(table.slots);
    free(table.seen);
}

static void mark(struct side *side, int32_t low, int32_t high)
{
    for (int32_t i = low; i < high; i++)
        side->changed[side->lines[i]] = true;
}

struct point {
    int32_t x, y;
};

/* The two fronts of one box: diagonals reached from the upper left and the lower right. */
struct fronts {
    const struct box *box;
    const uint32_t *old_ids, *new_ids;
    int32_t low, high; /* the box's diagonals */
    int32_t ahead_low, ahead_high, back_low, back_high;
    int32_t *ahead, *back;
    bool odd;
};

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* A front may step over the edge of its box; nobody is met out there. */
static bool inside(const struct box *box, int32_t x, int32_t y)
{
    return x >= box->old_low && x <= box->old_high && y >= box->new_low && y <= box->new_high;
}

/* One more edit from the upper left; true when the fronts meet. */
static bool step_ahead(struct fronts *f, int64_t *budget, struct point *at)
{
    if (f->ahead_low > f->low)
        f->ahead[--f->ahead_low - 1] = -1;
    else
        f->ahead_low++;
    if (f->ahead_high < f->high)
        f->ahead[++f->ahead_high + 1] = -1;
    else
        f->ahead_high--;
    for (int32_t d = f->ahead_high; d >= f->ahead_low; d -= 2) {
        int32_t x = larger(f->ahead[d - 1] + 1, f->ahead[d + 1]), start = x;

        while (x < f->box->old_high && x - d < f->box->new_high &&
               f->old_ids[x] == f->new_ids[x - d])
            x++;
        f->ahead[d] = x;
        *budget -= 1 + (x - start);
        if (f->odd && d >= f->back_low && d <= f->back_high && f->back[d] <= x &&
            inside(f->box, x, x - d)) {
            *at = (struct point){ x, x - d };
            return true;
        }
    }
    return false;
}

/* One more edit from the lower right. */
static bool step_back(struct fronts *f, int64_t *budget, struct point *at)
{
    if (f->back_low > f->low)
        f->back[--f->back_low - 1] = INT32_MAX;
    else
        f->back_low++;
    if (f->back_high < f->high)
        f->back[++f->back_high + 1] = INT32_MAX;
    else
        f->back_high--;
    for (int32_t d = f->back_high; d >= f->back_low; d -= 2) {
        int32_t x = smaller(f->back[d - 1], f->back[d + 1] - 1), start = x;

        while (x > f->box->old_low && x - d > f->box->new_low &&
               f->old_ids[x - 1] == f->new_ids[x - d - 1])
            x--;
        f->back[d] = x;
        *budget -= 1 + (start - x);
        if (!f->odd && d >= f->ahead_low && d <= f->ahead_high && x <= f->ahead[d] &&
            inside(f->box, x, x - d)) {
            *at = (struct point){ x, x - d };
            return true;
        }
    }
    return false;
}

/* The point that got furthest from the upper left without meeting anyone. */
static struct point furthest(const struct fronts *f)
{
    struct point best = { f->box->old_low, f->box->new_low };

    for (int32_t d = f->ahead_low; d <= f->ahead_high; d += 2) {
        int32_t x = smaller(f->ahead[d], smaller(f->box->old_high, f->box->new_high + d));

        if (x >= f->box->old_low && x - d >= f->box->new_low && x + (x - d) > best.x + best.y)
            best = (struct point){ x, x - d };
    }
    return best;
}

static struct point split(struct work *work, const struct box *box)
{
    struct fronts f = {
        .box = box,
        .old_ids = work->sides[0].ids,
        .new_ids = work->sides[1].ids,
        .low = box->old_low - box->new_high,
        .high = box->old_high - box->new_low,
        .ahead = work->ahead,
        .back = work->back,
    };
    struct point at;

    f.ahead_low = f.ahead_high = box->old_low - box->new_low;
    f.back_low = f.back_high = box->old_high - box->new_high;
    f.odd = (f.ahead_low - f.back_low) & 1;
    f.ahead[f.ahead_low] = box->old_low;
    f.back[f.back_low] = box->old_high;
    for (int edits = 0; edits < BOX_EDITS && work->budget > 0; edits++)
        if (step_ahead(&f, &work->budget, &at) || step_back(&f, &work->budget, &at))
            return at;
    work->coarse = true;
    return furthest(&f);
}

static void push(struct work *work, struct box box)
{
    work->boxes = sf_grow(work->boxes, &work->cap, work->count + 1, sizeof(*work->boxes));
    work->boxes[work->count++] = box;
}

static void solve_box(struct work *work, struct box box)
{
    struct side *olds = &work->sides[0], *news = &work->sides[1];
    struct point at;

    while (box.old_low < box.old_high && box.new_low < box.new_high &&
           olds->ids[box.old_low] == news->ids[box.new_low])
        box.old_low++, box.new_low++;
    while (box.old_low < box.old_high && box.new_low < box.new_high &&
           olds->ids[box.old_high - 1] == news->ids[box.new_high - 1])
        box.old_high--, box.new_high--;
    if (box.old_low < box.old_high && box.new_low < box.new_high && work->budget > 0) {
        at = split(work, &box);
        if ((at.x > box.old_low || at.y > box.new_low) &&
            (at.x < box.old_high || at.y < box.new_high)) {
            push(work, (struct box){ at.x, box.old_high, at.y, box.new_high });
            push(work, (struct box){ box.old_low, at.x, box.new_low, at.y });
            return;
        }
    }
    if (box.old_low < box.old_high && box.new_low < box.new_high)
        work->coarse = true;
    mark(olds, box.old_low, box.old_high);
    mark(news, box.new_low, box.new_high);
}

static void solve(struct work *work)
{
    int32_t old_count = (int32_t)work->sides[0].count, new_count = (int32_t)work->sides[1].count;
    size_t diagonals = (size_t)old_count + (size_t)new_count + 3;
    int32_t *ahead = sf_alloc_array(diagonals, sizeof(*ahead));
    int32_t *back = sf_alloc_array(diagonals, sizeof(*back));

    work->ahead = ahead + new_count + 1;
    work->back = back + new_count + 1;
    push(work, (struct box){ 0, old_count, 0, new_count });
    while (work->count)
        solve_box(work, work->boxes[--work->count]);
    free(work->boxes);
    free(ahead);
    free(back);
}

static void add_change(struct sf_diff *diff, struct sf_diff_change change)
{
    struct sf_diff_change *last = diff->count ? &diff->changes[diff->count - 1] : NULL;

    if (last && last->old_at + last->old_count == change.old_at) {
        last->old_count += change.old_count;
        last->new_count += change.new_count;
        return;
    }
    diff->changes = sf_grow(diff->changes, &diff->cap, diff->count + 1, sizeof(*diff->changes));
    diff->changes[diff->count++] = change;
}

static void collect(struct sf_diff *diff, const struct work *work)
{
    const bool *removed = work->sides[0].changed, *added = work->sides[1].changed;
    size_t i = 0, k = 0;

    while (i < diff->old_lines.count || k < diff->new_lines.count) {
        struct sf_diff_change change = { i, 0, k, 0 };

        while (i < diff->old_lines.count && removed[i])
            i++;
        while (k < diff->new_lines.count && added[k])
            k++;
        change.old_count = i - change.old_at;
        change.new_count = k - change.new_at;
        if (change.old_count || change.new_count)
            add_change(diff, change);
        i += i < diff->old_lines.count;
        k += k < diff->new_lines.count;
    }
}

/*
 * Lines only added or only removed may lie in several places with the same effect; they move
 * down as far as they can, to where an eye expects them: behind what they repeat.
 */
static void settle(struct sf_diff *diff)
{
    size_t count = diff->count;

    diff->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct sf_diff_change change = diff->changes[i];
        int side = change.old_count == 0;
        size_t *at = side ? &change.new_at : &change.old_at;
        size_t n = side ? change.new_count : change.old_count;
        size_t limit = side ? diff->new_lines.count : diff->old_lines.count;

        if (i + 1 < count)
            limit = side ? diff->changes[i + 1].new_at : diff->changes[i + 1].old_at;
        if (!change.old_count || !change.new_count)
            while (*at + n < limit && same_line(diff, side, *at, side, *at + n))
                change.old_at++, change.new_at++;
        if (i + 1 < count && *at + n == limit) { /* they have become one */
            diff->changes[i + 1].old_at = change.old_at;
            diff->changes[i + 1].new_at = change.new_at;
            diff->changes[i + 1].old_count += change.old_count;
            diff->changes[i + 1].new_count += change.new_count;
            continue;
        }
        diff->changes[diff->count++] = change;
    }
}

/* Marks the changed lines of both sides; what the ends have in common is none of them. */
static void compare(struct sf_diff *diff, struct work *work)
{
    size_t olds = diff->old_lines.count, news = diff->new_lines.count, head = 0, tail = 0;

    while (head < olds && head < news && same_line(diff, 0, head, 1, head))
        head++;
    while (tail < olds - head && tail < news - head &&
           same_line(diff, 0, olds - 1 - tail, 1, news - 1 - tail))
        tail++;
    work->sides[0].count = olds - head - tail;
    work->sides[1].count = news - head - tail;
    if (work->sides[0].count && work->sides[1].count &&
        work->sides[0].count + work->sides[1].count <= LINES_MAX) {
        number_lines(work, diff, head);
        if (work->budget >= 0) {
            solve(work);
            return;
        }
    }
    work->coarse = work->sides[0].count && work->sides[1].count;
    memset(work->sides[0].changed + head, true, work->sides[0].count);
    memset(work->sides[1].changed + head, true, work->sides[1].count);
}

void sf_diff_init(struct sf_diff *diff, const char *old_text, size_t old_len, const char *new_text,
                  size_t new_len)
{
    struct work work = { .budget = BUDGET };
    bool feeds = (old_len && memchr(old_text, '\n', old_len)) ||
                 (new_len && memchr(new_text, '\n', new_len));

    *diff = (struct sf_diff){ .old_text = old_text, .new_text = new_text };
    diff->rule = feeds ? SF_LINES_LF : SF_LINES_CR;
    sf_lines_init(&diff->old_lines, old_text, old_len, diff->rule);
    sf_lines_init(&diff->new_lines, new_text, new_len, diff->rule);
    work.sides[0].changed = sf_alloc_array(diff->old_lines.count, sizeof(bool));
    work.sides[1].changed = sf_alloc_array(diff->new_lines.count, sizeof(bool));
    compare(diff, &work);
    collect(diff, &work);
    settle(diff);
    diff->coarse = work.coarse;
    for (size_t i = 0; i < diff->count; i++) {
        diff->removed += diff->changes[i].old_count;
        diff->added += diff->changes[i].new_count;
    }
    for (int s = 0; s < 2; s++) {
        free(work.sides[s].ids);
        free(work.sides[s].lines);
        free(work.sides[s].changed);
    }
}

void sf_diff_release(struct sf_diff *diff)
{
    sf_lines_release(&diff->old_lines);
    sf_lines_release(&diff->new_lines);
    free(diff->changes);
    *diff = (struct sf_diff){ .old_text = "", .new_text = "" };
}
