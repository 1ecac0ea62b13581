/*
 * composer_kill.c: what was cut, to be put back. Cuts in a row become one, in the order of the
 * text; the ring keeps the newest first and forgets the oldest.
 */
#include "base/base.h"
#include "view/composer_parts.h"

void sf_composer_drop_kill(struct sf_composer *c)
{
    struct sf_kill *k = &c->kills[--c->kill_count];

    c->kill_bytes -= k->text.len;
    sf_composer_let_go(c, k->text.buf, k->text.len);
    sf_strbuf_release(&k->text);
}

void sf_composer_keep(struct sf_composer *c, const char *text, size_t len, bool lines)
{
    if (c->kill_count == SF_COMPOSER_KILLS)
        sf_composer_drop_kill(c);
    memmove(c->kills + 1, c->kills, c->kill_count * sizeof(*c->kills));
    c->kill_count++;
    c->kills[0] = (struct sf_kill){ .text = SF_STRBUF_INIT, .lines = lines };
    sf_composer_hold(c, text, len);
    sf_strbuf_add(&c->kills[0].text, text, len);
    c->kill_bytes += len;
    sf_composer_trim(c);
}

/* Adds to the newest one: in front when the cut was to the left. */
static void extend(struct sf_composer *c, const char *text, size_t len, bool left)
{
    struct sf_strbuf *newest = &c->kills[0].text;

    sf_composer_hold(c, text, len);
    sf_strbuf_splice(newest, left ? 0 : newest->len, 0, text, len);
    c->kill_bytes += len;
}

bool sf_composer_kill(struct sf_composer *c, size_t from, size_t to)
{
    bool row = c->was == SF_LAST_KILLED && c->kill_count &&
               c->kills[0].text.len + (to - from) <= SF_COMPOSER_MAX;

    if (from == to)
        return false;
    if (row)
        extend(c, c->text.buf + from, to - from, to == c->cursor);
    else
        sf_composer_keep(c, c->text.buf + from, to - from, false);
    sf_composer_split(c);
    sf_composer_edit(c, from, to - from, "", 0);
    c->last = SF_LAST_KILLED;
    return true;
}

static bool put(struct sf_composer *c, size_t at, size_t remove)
{
    const struct sf_strbuf *kill = &c->kills[c->yank_kill].text;
    size_t len = kill->len;

    sf_composer_split(c);
    if (!sf_composer_edit(c, at, remove, kill->buf, len))
        return false;
    c->yank_at = at;
    c->yank_len = len;
    c->last = SF_LAST_YANKED;
    return true;
}

bool sf_composer_yank(struct sf_composer *c)
{
    c->yank_kill = 0;
    return c->kill_count && put(c, c->cursor, 0);
}

bool sf_composer_yank_pop(struct sf_composer *c)
{
    if (c->was != SF_LAST_YANKED || c->kill_count < 2)
        return false;
    c->yank_kill = (c->yank_kill + 1) % c->kill_count;
    return put(c, c->yank_at, c->yank_len);
}
