/*
 * vim_command.c: what vim's commands do, once they are whole. Operators work on the range of a
 * motion or a text object; the other commands are rows of a table, and some of them are short for
 * an operator and its motion. What is deleted or copied is kept with the composer's kills.
 */
#include "base/base.h"
#include "view/composer_parts.h"

/* ---- operators ---- */

static int times(const struct sf_vim *v)
{
    int n = (v->count ? v->count : 1) * (v->op_count ? v->op_count : 1);

    return n < SF_VIM_COUNT ? n : SF_VIM_COUNT;
}

static void keep_range(struct sf_composer *c, const struct sf_vim_range *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_add(&text, c->text.buf + r->from, r->to - r->from);
    if (r->lines)
        sf_strbuf_addch(&text, '\n');
    if (text.len)
        sf_composer_keep(c, text.buf, text.len, r->lines);
    sf_strbuf_release(&text);
}

static size_t first_letter(const struct sf_composer *c, size_t at)
{
    size_t end = sf_composer_line_end(c, at);

    at = sf_composer_line_start(c, at);
    while (at < end && sf_composer_letter(c, at) == SF_LETTER_SPACE)
        at = sf_composer_next(c, at);
    return at;
}

/* Whole lines go with one of their newlines. */
static void delete_lines(struct sf_composer *c, size_t from, size_t to)
{
    if (to < c->text.len)
        to++;
    else if (from)
        from--;
    sf_composer_edit(c, from, to - from, "", 0);
    c->cursor = first_letter(c, c->cursor);
}

static bool operate(struct sf_composer *c, uint32_t op, const struct sf_vim_range *r)
{
    if (r->from == r->to && op != 'c' && !r->lines)
        return false;
    keep_range(c, r);
    if (op == 'y') {
        if (!r->lines || r->from < sf_composer_line_start(c, c->cursor))
            c->cursor = r->lines ? r->cursor : r->from;
        return true;
    }
    sf_composer_split(c);
    if (op == 'd' && r->lines)
        delete_lines(c, r->from, r->to);
    else
        sf_composer_edit(c, r->from, r->to - r->from, "", 0);
    if (op == 'c') {
        c->cursor = r->from < c->text.len ? sf_composer_snap(c, r->from) : c->text.len;
        sf_vim_start_insert(c, 1);
    }
    return true;
}

/* The operator that waits, on this; it is a change unless it only copies. */
static bool operate_waiting(struct sf_composer *c, const struct sf_vim_range *r)
{
    uint32_t op = c->vim.op;

    if (op != 'y')
        sf_vim_keep_dot(&c->vim);
    return operate(c, op, r);
}

/* cw leaves the spaces behind the word alone: it is ce, but stays in a word it is at the end of. */
static bool word_to_change(struct sf_composer *c, uint32_t key, int count, struct sf_vim_range *r)
{
    size_t next = sf_composer_next(c, c->cursor);
    enum sf_letter here = sf_composer_letter(c, c->cursor), then = sf_composer_letter(c, next);
    bool ends = then == SF_LETTER_SPACE || (key == 'w' && then != here);

    if (ends && --count == 0) {
        *r = (struct sf_vim_range){ .from = c->cursor, .to = next };
        return true;
    }
    return sf_vim_motion(c, key == 'w' ? 'e' : 'E', 0, count, r);
}

bool sf_vim_go(struct sf_composer *c, uint32_t key, uint32_t with)
{
    struct sf_vim *v = &c->vim;
    int count = v->count || v->op_count ? times(v) : 0;
    struct sf_vim_range r;
    bool found;

    if (v->op == 'c' && (key == 'w' || key == 'W') &&
        sf_composer_letter(c, c->cursor) != SF_LETTER_SPACE)
        found = word_to_change(c, key, count ? count : 1, &r);
    else
        found = sf_vim_motion(c, key, with, count, &r);
    if (!found)
        return false;
    if (v->op)
        return operate_waiting(c, &r);
    c->cursor = r.cursor;
    return true;
}

/* dd, cc, yy */
bool sf_vim_operate_lines(struct sf_composer *c)
{
    struct sf_vim_range r = { .from = sf_composer_line_start(c, c->cursor), .lines = true };

    r.to = sf_composer_line_end(c, c->cursor);
    for (int i = 1; i < times(&c->vim) && r.to < c->text.len; i++)
        r.to = sf_composer_line_end(c, r.to + 1);
    return operate_waiting(c, &r);
}

bool sf_vim_take_object(struct sf_composer *c, bool around, uint32_t key)
{
    struct sf_vim_range r;

    if (!sf_vim_object(c, around, key, &r))
        return false;
    if (c->vim.op)
        return operate_waiting(c, &r);
    if (r.from == r.to)
        return false;
    c->vim.anchor = r.from;
    c->cursor = sf_composer_prev(c, r.to);
    return true;
}

/* ---- commands ---- */

static bool insert_here(struct sf_composer *c, size_t at)
{
    sf_vim_keep_dot(&c->vim);
    c->cursor = at;
    sf_composer_split(c);
    sf_vim_start_insert(c, times(&c->vim));
    return true;
}

static bool cmd_insert(struct sf_composer *c)
{
    return insert_here(c, c->cursor);
}

static bool cmd_append(struct sf_composer *c)
{
    bool end = c->cursor == sf_composer_line_end(c, c->cursor);

    return insert_here(c, end ? c->cursor : sf_composer_next(c, c->cursor));
}

static bool cmd_insert_first(struct sf_composer *c)
{
    return insert_here(c, first_letter(c, c->cursor));
}

static bool cmd_append_last(struct sf_composer *c)
{
    return insert_here(c, sf_composer_line_end(c, c->cursor));
}

static bool open_line(struct sf_composer *c, size_t at, bool above)
{
    sf_vim_keep_dot(&c->vim);
    sf_composer_split(c);
    if (!sf_composer_edit(c, at, 0, "\n", 1))
        return false;
    if (above)
        c->cursor = at;
    sf_vim_start_insert(c, 1);
    return true;
}

static bool cmd_open(struct sf_composer *c)
{
    return open_line(c, sf_composer_line_end(c, c->cursor), false);
}

static bool cmd_open_above(struct sf_composer *c)
{
    return open_line(c, sf_composer_line_start(c, c->cursor), true);
}

static bool cmd_join(struct sf_composer *c)
{
    int joins = times(&c->vim) > 2 ? times(&c->vim) - 1 : 1;
    bool done = false;

    sf_vim_keep_dot(&c->vim);
    sf_composer_split(c);
    for (int i = 0; i < joins; i++) {
        size_t end = sf_composer_line_end(c, c->cursor), next;
        bool space;

        if (end == c->text.len)
            break;
        next = first_letter(c, end + 1);
        space = end > sf_composer_line_start(c, end) && c->text.buf[end - 1] != ' ' &&
                next < c->text.len && c->text.buf[next] != '\n' && c->text.buf[next] != ')';
        sf_composer_edit(c, end, next - end, " ", space);
        c->cursor = sf_composer_snap(c, end);
        done = true;
    }
    return done;
}

static bool cmd_swap_case(struct sf_composer *c)
{
    size_t at = c->cursor, end = at, stop = sf_composer_line_end(c, at);
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_vim_keep_dot(&c->vim);
    for (int i = 0; i < times(&c->vim) && end < stop; i++)
        end = sf_composer_next(c, end);
    sf_strbuf_add(&text, c->text.buf + at, end - at);
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned)((text.buf[i] | 0x20) - 'a') < 26)
            text.buf[i] ^= 0x20;
    sf_composer_split(c);
    sf_composer_edit(c, at, end - at, text.buf, text.len);
    sf_strbuf_release(&text);
    return true;
}

bool sf_vim_replace(struct sf_composer *c, uint32_t with)
{
    size_t at = c->cursor, end = at, stop = sf_composer_line_end(c, at);
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (int i = 0; i < times(&c->vim); i++) {
        if (end >= stop)
            goto out;
        end = sf_composer_next(c, end);
        sf_utf8_add(&text, with);
    }
    sf_vim_keep_dot(&c->vim);
    sf_composer_split(c);
    if (sf_composer_edit(c, at, end - at, text.buf, text.len))
        c->cursor = sf_composer_prev(c, c->cursor);
out:
    sf_strbuf_release(&text);
    return end > at;
}

/* Lines go below or above this one, other text behind or in front of the cursor. */
static bool put(struct sf_composer *c, bool behind)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    const struct sf_kill *k = c->kills;
    size_t at = c->cursor, end = sf_composer_line_end(c, at);
    bool ok = false;

    sf_vim_keep_dot(&c->vim);
    if (!c->kill_count || k->text.len > SF_COMPOSER_MAX / (size_t)times(&c->vim))
        return false;
    for (int i = 0; i < times(&c->vim); i++)
        sf_strbuf_add(&text, k->text.buf, k->text.len);
    if (k->lines)
        at = behind ? end : sf_composer_line_start(c, at);
    else if (behind && at < end)
        at = sf_composer_next(c, at);
    if (k->lines && behind) { /* the newline goes in front */
        sf_strbuf_truncate(&text, text.len - 1);
        sf_strbuf_splice(&text, 0, 0, "\n", 1);
    }
    sf_composer_split(c);
    ok = sf_composer_edit(c, at, 0, text.buf, text.len);
    if (ok && c->kills[0].lines)
        c->cursor = first_letter(c, behind ? at + 1 : at);
    else if (ok)
        c->cursor = sf_composer_prev(c, c->cursor);
    sf_strbuf_release(&text);
    return ok;
}

static bool cmd_put(struct sf_composer *c)
{
    return put(c, true);
}

static bool cmd_put_before(struct sf_composer *c)
{
    return put(c, false);
}

static bool cmd_undo(struct sf_composer *c)
{
    bool done = false;

    for (int i = times(&c->vim); i > 0 && sf_composer_undo(c); i--)
        done = true;
    return done;
}

bool sf_vim_redo(struct sf_composer *c)
{
    bool done = false;

    for (int i = times(&c->vim); i > 0 && sf_composer_redo(c); i--)
        done = true;
    return done;
}

static bool cmd_visual(struct sf_composer *c)
{
    c->vim.anchor = c->cursor;
    c->vim.mode = SF_VIM_VISUAL;
    return true;
}

static bool cmd_again(struct sf_composer *c)
{
    return sf_vim_repeat(c, c->vim.count);
}

/* Either a function, or the operator and motion it is short for. */
static const struct command {
    uint32_t key;
    bool (*run)(struct sf_composer *c);
    const char *means;
} commands[] = {
    { 'i', cmd_insert, NULL },
    { 'a', cmd_append, NULL },
    { 'I', cmd_insert_first, NULL },
    { 'A', cmd_append_last, NULL },
    { 'o', cmd_open, NULL },
    { 'O', cmd_open_above, NULL },
    { 'J', cmd_join, NULL },
    { '~', cmd_swap_case, NULL },
    { 'p', cmd_put, NULL },
    { 'P', cmd_put_before, NULL },
    { 'u', cmd_undo, NULL },
    { 'v', cmd_visual, NULL },
    { '.', cmd_again, NULL },
    { 'x', NULL, "dl" },
    { 'X', NULL, "dh" },
    { 'D', NULL, "d$" },
    { 'C', NULL, "c$" },
    { 's', NULL, "cl" },
    { 'S', NULL, "cc" },
    { 'Y', NULL, "yy" },
};

void sf_vim_wait(struct sf_vim *v, uint32_t op)
{
    v->op = op;
    v->op_count = v->count;
    v->count = 0;
}

bool sf_vim_run(struct sf_composer *c, uint32_t key)
{
    c->vim.goal = -1;
    for (size_t i = 0; i < SF_COUNT(commands); i++) {
        const struct command *command = &commands[i];

        if (command->key != key)
            continue;
        if (command->run)
            return command->run(c);
        sf_vim_wait(&c->vim, (uint32_t)command->means[0]);
        if (command->means[0] == command->means[1])
            return sf_vim_operate_lines(c);
        return sf_vim_go(c, (uint32_t)command->means[1], 0);
    }
    return false;
}

/* ---- visual ---- */

bool sf_vim_run_visual(struct sf_composer *c, uint32_t key)
{
    struct sf_vim_range r = { .lines = false };
    size_t swap = c->vim.anchor;

    if (key == 'o') {
        c->vim.anchor = c->cursor;
        c->cursor = sf_composer_snap(c, swap);
        return true;
    }
    if (key != 'v' && !(key < 0x80 && key && strchr("dxcsy", (int)key)))
        return false;
    sf_vim_selection(c, &r.from, &r.to);
    c->vim.mode = SF_VIM_NORMAL;
    return key == 'v' || operate(c, key == 'x' ? 'd' : key == 's' ? 'c' : key, &r);
}
