/*
 * composer_edit.c: the one way the text changes, and the way back. A step keeps what went and what
 * came; steps that belong together (a word typed, a row of backspaces) share a group and, where
 * they touch, are one step. The oldest go when there are too many or they hold too much.
 */
#include "base/base.h"
#include "view/composer_parts.h"

enum { STEPS_MAX = 4 * SF_COMPOSER_UNDO }; /* groups may have several */

/* Changes the text and what depends on it, without remembering. */
static void apply(struct sf_composer *c, size_t at, size_t remove, const char *text, size_t len)
{
    c->folded += sf_composer_unfolds(c, text, len);
    c->folded -= sf_composer_unfolds(c, c->text.buf + at, remove);
    sf_composer_hold(c, text, len);
    sf_composer_let_go(c, c->text.buf + at, remove);
    sf_strbuf_splice(&c->text, at, remove, text, len);
    sf_composer_lay_edit(c, at, remove, len);
    c->cursor = sf_composer_snap(c, at + len);
}

/* ---- steps ---- */

static void keep_part(struct sf_composer *c, struct sf_strbuf *part, size_t at, const char *text,
                      size_t len)
{
    sf_composer_hold(c, text, len);
    sf_strbuf_splice(part, at, 0, text, len);
    c->step_bytes += len;
}

static void release_step(struct sf_composer *c, struct sf_step *s)
{
    c->step_bytes -= s->removed.len + s->inserted.len;
    sf_composer_let_go(c, s->removed.buf, s->removed.len);
    sf_composer_let_go(c, s->inserted.buf, s->inserted.len);
    sf_strbuf_release(&s->removed);
    sf_strbuf_release(&s->inserted);
}

static void drop_undone(struct sf_composer *c)
{
    while (c->step_count > c->done)
        release_step(c, &c->steps[--c->step_count]);
}

static void drop_oldest(struct sf_composer *c)
{
    uint64_t group = c->steps[0].group;
    size_t n = 0;

    while (n < c->step_count && c->steps[n].group == group)
        release_step(c, &c->steps[n++]);
    memmove(c->steps, c->steps + n, (c->step_count - n) * sizeof(*c->steps));
    c->step_count -= n;
    c->done = c->done > n ? c->done - n : 0;
}

void sf_composer_forget_steps(struct sf_composer *c)
{
    c->done = 0;
    drop_undone(c);
}

/* The last step when the change goes on where it left off, and in the same way. */
static struct sf_step *open_step(struct sf_composer *c)
{
    struct sf_step *s = c->done ? &c->steps[c->done - 1] : NULL;

    return s && s->group == c->group ? s : NULL;
}

static bool join(struct sf_composer *c, size_t at, size_t remove, const char *text, size_t len)
{
    struct sf_step *s = open_step(c);

    if (!s)
        return false;
    if (!remove && s->at + s->inserted.len == at) {
        keep_part(c, &s->inserted, s->inserted.len, text, len);
        return true;
    }
    if (len || s->inserted.len)
        return false;
    if (at + remove == s->at)
        keep_part(c, &s->removed, 0, c->text.buf + at, remove);
    else if (at == s->at)
        keep_part(c, &s->removed, s->removed.len, c->text.buf + at, remove);
    else
        return false;
    s->at = at;
    return true;
}

static void remember(struct sf_composer *c, size_t at, size_t remove, const char *text, size_t len)
{
    struct sf_step *s;

    drop_undone(c);
    if (join(c, at, remove, text, len))
        return;
    c->steps = sf_grow(c->steps, &c->step_cap, c->step_count + 1, sizeof(*c->steps));
    s = &c->steps[c->step_count++];
    c->done = c->step_count;
    *s = (struct sf_step){ .removed = SF_STRBUF_INIT,
                           .inserted = SF_STRBUF_INIT,
                           .at = at,
                           .before = c->cursor,
                           .group = c->group };
    keep_part(c, &s->removed, 0, c->text.buf + at, remove);
    keep_part(c, &s->inserted, 0, text, len);
}

static size_t count_groups(const struct sf_composer *c)
{
    size_t groups = c->step_count > 0;

    for (size_t i = 1; i < c->step_count; i++)
        groups += c->steps[i].group != c->steps[i - 1].group;
    return groups;
}

void sf_composer_trim(struct sf_composer *c)
{
    size_t groups = count_groups(c);

    for (; groups > SF_COMPOSER_UNDO || (c->step_count > STEPS_MAX && groups > 1); groups--)
        drop_oldest(c);
    while (c->step_bytes + c->kill_bytes + c->chip_bytes > SF_COMPOSER_HELD) {
        if (groups > 1)
            drop_oldest(c), groups--;
        else if (c->kill_count > 1)
            sf_composer_drop_kill(c);
        else
            break;
    }
}

bool sf_composer_edit(struct sf_composer *c, size_t at, size_t remove, const char *text, size_t len)
{
    size_t full = c->text.len + c->folded;
    size_t goes = remove + sf_composer_unfolds(c, c->text.buf + at, remove);
    size_t comes = len + sf_composer_unfolds(c, text, len);

    if (full - goes + comes > SF_COMPOSER_MAX)
        return false;
    if (!remove && !len)
        return true;
    remember(c, at, remove, text, len);
    apply(c, at, remove, text, len);
    c->steps[c->done - 1].after = c->cursor;
    sf_composer_trim(c);
    return true;
}

void sf_composer_split(struct sf_composer *c)
{
    c->group++;
}

bool sf_composer_undo(struct sf_composer *c)
{
    uint64_t group;

    if (!c->done)
        return false;
    group = c->steps[c->done - 1].group;
    while (c->done && c->steps[c->done - 1].group == group) {
        const struct sf_step *s = &c->steps[--c->done];

        apply(c, s->at, s->inserted.len, s->removed.buf, s->removed.len);
        c->cursor = sf_composer_snap(c, s->before);
    }
    sf_composer_split(c);
    return true;
}

bool sf_composer_redo(struct sf_composer *c)
{
    uint64_t group;

    if (c->done == c->step_count)
        return false;
    group = c->steps[c->done].group;
    while (c->done < c->step_count && c->steps[c->done].group == group) {
        const struct sf_step *s = &c->steps[c->done++];

        apply(c, s->at, s->removed.len, s->inserted.buf, s->inserted.len);
        c->cursor = sf_composer_snap(c, s->after);
    }
    sf_composer_split(c);
    return true;
}
