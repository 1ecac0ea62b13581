/*
 * vim.c: keys as vim's commands. A key is a digit of a count, the key something waits for, a
 * motion, or a command of the table. What changes the text is kept as its keys (and what was typed
 * after them), and done again by feeding the same keys.
 */
#include "view/vim.h"

#include "base/base.h"
#include "view/composer_parts.h"

enum {
    SHIFT = 1, /* as the terminal's decoder counts them */
    CTRL = 4,
    NOT_CHARACTERS = 0x110000, /* keys from here on */
    TYPED_MAX = 64 * 1024,     /* more is not typed again */
};

static bool feed(struct sf_composer *c, uint32_t key);

/* ---- modes ---- */

void sf_vim_release(struct sf_composer *c)
{
    sf_strbuf_release(&c->vim.typed);
    sf_strbuf_release(&c->vim.dot_typed);
}

bool sf_vim_inserts(const struct sf_composer *c)
{
    return c->vim.mode == SF_VIM_INSERT;
}

bool sf_vim_commands(const struct sf_composer *c)
{
    return c->vim.mode == SF_VIM_NORMAL || c->vim.mode == SF_VIM_VISUAL;
}

void sf_vim_settle(struct sf_composer *c)
{
    if (sf_vim_commands(c) && c->cursor == sf_composer_line_end(c, c->cursor) &&
        c->cursor > sf_composer_line_start(c, c->cursor))
        c->cursor = sf_composer_prev(c, c->cursor);
}

bool sf_vim_selection(const struct sf_composer *c, size_t *from, size_t *to)
{
    size_t anchor = sf_composer_snap(c, c->vim.anchor);

    if (c->vim.mode != SF_VIM_VISUAL)
        return false;
    *from = anchor < c->cursor ? anchor : c->cursor;
    *to = sf_composer_next(c, anchor < c->cursor ? c->cursor : anchor);
    return true;
}

void sf_vim_note(struct sf_composer *c, const char *text, size_t len)
{
    struct sf_vim *v = &c->vim;

    if (!text)
        v->goal = -1;
    if (!text || v->typed.len + len > TYPED_MAX)
        v->typed_whole = false;
    else if (v->typed_whole)
        sf_strbuf_add(&v->typed, text, len);
}

void sf_vim_note_erased(struct sf_composer *c)
{
    struct sf_strbuf *typed = &c->vim.typed;
    size_t at = 0, next;

    if (!typed->len)
        c->vim.typed_whole = false;
    for (; at < typed->len; at = next) {
        next = at + sf_grapheme_next(typed->buf + at, typed->len - at);
        if (next >= typed->len)
            break;
    }
    sf_strbuf_truncate(typed, at);
}

static void forget_command(struct sf_vim *v)
{
    v->count = v->op_count = 0;
    v->op = v->wait = 0;
    v->key_count = 0;
}

static void set_mode(struct sf_composer *c, enum sf_vim_mode mode)
{
    c->vim.mode = mode;
    c->vim.goal = -1;
    forget_command(&c->vim);
    sf_vim_settle(c);
}

void sf_composer_set_vim(struct sf_composer *c, bool on)
{
    if (on != (c->vim.mode != SF_VIM_OFF))
        set_mode(c, on ? SF_VIM_INSERT : SF_VIM_OFF);
}

const char *sf_composer_vim_mode(const struct sf_composer *c)
{
    static const char *const names[] = {
        [SF_VIM_INSERT] = "INSERT", [SF_VIM_NORMAL] = "NORMAL", [SF_VIM_VISUAL] = "VISUAL"
    };

    return names[c->vim.mode];
}

/* ---- inserting ---- */

void sf_vim_start_insert(struct sf_composer *c, int repeat)
{
    c->vim.mode = SF_VIM_INSERT;
    c->vim.repeat = repeat;
    c->vim.typed_whole = true;
    sf_strbuf_reset(&c->vim.typed);
    c->last = SF_LAST_TYPED;
}

static void end_insert(struct sf_composer *c, const struct sf_strbuf *typed, int times)
{
    for (int i = 0; i < times && typed->len; i++)
        if (!sf_composer_edit(c, c->cursor, 0, typed->buf, typed->len))
            break;
    if (c->cursor > sf_composer_line_start(c, c->cursor))
        c->cursor = sf_composer_prev(c, c->cursor);
    set_mode(c, SF_VIM_NORMAL);
}

bool sf_composer_vim_escape(struct sf_composer *c)
{
    struct sf_vim *v = &c->vim;
    bool waits = v->op || v->wait || v->count;

    sf_composer_begin(c);
    if (v->mode == SF_VIM_INSERT) {
        if (!v->typed_whole)
            v->repeat = 1, sf_strbuf_reset(&v->typed);
        sf_strbuf_reset(&v->dot_typed);
        sf_strbuf_add(&v->dot_typed, v->typed.buf, v->typed.len);
        end_insert(c, &v->dot_typed, v->repeat - 1);
        return true;
    }
    forget_command(v);
    if (v->mode == SF_VIM_VISUAL)
        set_mode(c, SF_VIM_NORMAL);
    else if (!waits)
        return false;
    return true;
}

/* ---- doing it again ---- */

void sf_vim_keep_dot(struct sf_vim *v)
{
    if (v->replaying || v->key_count >= SF_VIM_KEYS)
        return;
    memcpy(v->dot, v->keys, sizeof(v->dot));
    v->dot_count = v->key_count;
    v->dot_times = v->op ? v->op_count : v->count;
    sf_strbuf_reset(&v->dot_typed);
}

bool sf_vim_repeat(struct sf_composer *c, int count)
{
    struct sf_vim *v = &c->vim;

    if (!v->dot_count || v->replaying)
        return false;
    if (count)
        v->dot_times = count;
    forget_command(v);
    v->replaying = true;
    v->count = v->dot_times;
    for (size_t i = 0; i < v->dot_count; i++)
        feed(c, v->dot[i]);
    if (v->mode == SF_VIM_INSERT)
        end_insert(c, &v->dot_typed, v->repeat);
    v->replaying = false;
    return true;
}

/* ---- keys ---- */

static bool add_digit(struct sf_vim *v, uint32_t key)
{
    if (v->wait || key < '0' || key > '9' || (key == '0' && !v->count))
        return false;
    v->count = v->count * 10 + (int)(key - '0');
    v->count = v->count < SF_VIM_COUNT ? v->count : SF_VIM_COUNT;
    return true;
}

/* The key something waited for. */
static bool answer(struct sf_composer *c, uint32_t wait, uint32_t key)
{
    if (wait == 'r')
        return sf_vim_replace(c, key);
    if (wait == 'i' || wait == 'a')
        return sf_vim_take_object(c, wait == 'a', key);
    if (wait == 'g')
        return key == 'g' && sf_vim_go(c, 'g', 'g');
    return sf_vim_go(c, wait, key);
}

static bool must_wait(const struct sf_vim *v, uint32_t key)
{
    const char *keys = v->op || v->mode == SF_VIM_VISUAL ? "fFtTgia" : "fFtTgr";

    return key && key < 0x80 && strchr(keys, (int)key);
}

static bool is_operator(uint32_t key)
{
    return key == 'd' || key == 'c' || key == 'y';
}

/* True: the command is not whole yet. */
static bool take(struct sf_composer *c, uint32_t key)
{
    struct sf_vim *v = &c->vim;
    uint32_t wait = v->wait;

    if (add_digit(v, key))
        return true;
    v->wait = 0;
    if (wait) {
        answer(c, wait, key);
    } else if (must_wait(v, key)) {
        v->wait = key;
        return true;
    } else if (v->op && v->op == key) {
        sf_vim_operate_lines(c);
    } else if (sf_vim_is_motion(key)) {
        sf_vim_go(c, key, 0);
    } else if (v->mode == SF_VIM_VISUAL) {
        sf_vim_run_visual(c, key);
    } else if (!v->op && is_operator(key)) {
        sf_vim_wait(v, key);
        return true;
    } else if (!v->op) {
        sf_vim_run(c, key);
    }
    return false;
}

/* True when the command is done, and the next key begins another. */
static bool feed(struct sf_composer *c, uint32_t key)
{
    struct sf_vim *v = &c->vim;
    bool counts = !v->op && !v->wait && (key - '1' < 9 || (key == '0' && v->count));

    if (!counts && v->key_count < SF_VIM_KEYS)
        v->keys[v->key_count++] = key;
    if (take(c, key))
        return false;
    forget_command(v);
    sf_vim_settle(c);
    return true;
}

static bool is_character(uint32_t code)
{
    return code >= 0x20 && code < NOT_CHARACTERS && (code < 0x7f || code > 0x9f);
}

bool sf_composer_vim_key(struct sf_composer *c, uint32_t code, unsigned mods)
{
    bool redo = mods == CTRL && code == 'r';

    if (!sf_vim_commands(c))
        return false;
    if (!redo && ((mods & ~(unsigned)SHIFT) || !is_character(code))) {
        forget_command(&c->vim);
        return false;
    }
    sf_composer_begin(c);
    if (!redo) {
        feed(c, code);
        return true;
    }
    sf_vim_redo(c);
    forget_command(&c->vim);
    sf_vim_settle(c);
    return true;
}
