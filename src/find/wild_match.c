/*
 * wild_match.c: running a pattern's program. All the steps the match could be at are carried
 * along together, each at most once, so no pattern makes it try anything twice.
 */
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "find/wild_build.h"

struct states {
    const struct sf_wild *wild;
    uint32_t seen[SF_WILD_STEPS_MAX]; /* the round a step was last added in */
    uint32_t round;
    uint16_t lists[2][SF_WILD_STEPS_MAX];
    size_t counts[2];
};

/* Adds the step, and those reached from it without a byte. */
static void add(struct states *s, int list, size_t at)
{
    const struct sf_wild_step *steps = s->wild->steps;

    while (s->seen[at] != s->round) {
        s->seen[at] = s->round;
        switch ((enum sf_wild_op)steps[at].op) {
        case SF_OP_SPLIT:
            add(s, list, at + 1);
            at = steps[at].arg;
            continue;
        case SF_OP_JUMP:
            at = steps[at].arg;
            continue;
        case SF_OP_STAR:
        case SF_OP_TAIL:
        case SF_OP_ALL:
            s->lists[list][s->counts[list]++] = (uint16_t)at;
            at++;
            continue;
        case SF_OP_BYTE:
        case SF_OP_ANY:
        case SF_OP_SET:
        case SF_OP_DIRS:
        case SF_OP_END:
            s->lists[list][s->counts[list]++] = (uint16_t)at;
            return;
        }
    }
}

static bool in_set(const struct sf_wild *wild, size_t set, unsigned char c)
{
    return wild->sets[set][c / 8] & 1u << c % 8;
}

/* One byte from one step. */
static void advance(struct states *s, int to, size_t at, unsigned char c)
{
    const struct sf_wild_step *step = &s->wild->steps[at];
    bool on = false, stay = false;

    switch ((enum sf_wild_op)step->op) {
    case SF_OP_BYTE:
        on = step->byte == c;
        break;
    case SF_OP_ANY:
        on = c != '/';
        break;
    case SF_OP_SET:
        on = in_set(s->wild, step->arg, c);
        break;
    case SF_OP_STAR:
        stay = c != '/';
        break;
    case SF_OP_TAIL:
        stay = (c & 0xc0) == 0x80;
        break;
    case SF_OP_ALL:
        stay = true;
        break;
    case SF_OP_DIRS:
        stay = true;
        on = c == '/';
        break;
    case SF_OP_SPLIT:
    case SF_OP_JUMP:
    case SF_OP_END:
        break;
    }
    if (stay)
        add(s, to, at);
    if (on)
        add(s, to, at + 1);
}

static bool run(const struct sf_wild *wild, const char *text, size_t len)
{
    struct states s;
    int now = 0;

    s.wild = wild;
    s.round = 1;
    s.counts[0] = 0;
    memset(s.seen, 0, wild->count * sizeof(s.seen[0]));
    add(&s, now, 0);
    for (size_t i = 0; i < len && s.counts[now]; i++, now = !now) {
        s.round++;
        s.counts[!now] = 0;
        for (size_t k = 0; k < s.counts[now]; k++)
            advance(&s, !now, s.lists[now][k], (unsigned char)text[i]);
    }
    for (size_t k = 0; k < s.counts[now]; k++)
        if (wild->steps[s.lists[now][k]].op == SF_OP_END)
            return true;
    return false;
}

static bool has_ends(const struct sf_wild *wild, const char *text, size_t len)
{
    return len >= wild->head_len && len >= wild->tail_len &&
           !memcmp(text, wild->head, wild->head_len) &&
           !memcmp(text + len - wild->tail_len, wild->tail, wild->tail_len);
}

bool sf_wild_match(const struct sf_wild *wild, const char *text, size_t len)
{
    if (len > SF_WILD_TEXT_MAX || !has_ends(wild, text, len))
        return false;
    switch (wild->shape) {
    case SF_SHAPE_PLAIN:
        return len == wild->head_len;
    case SF_SHAPE_NAME:
        return !memchr(text, '/', len - wild->tail_len);
    case SF_SHAPE_ENDING:
        return true;
    case SF_SHAPE_OTHER:
        break;
    }
    return run(wild, text, len);
}
