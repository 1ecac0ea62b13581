/*
 * composer.c: what can be done with the text. A row of the table says where an action leads and
 * whether the cursor goes there, or what lies between goes; the few that are neither have a
 * function. All text comes in through `clean`.
 */
#include "view/composer.h"

#include "base/base.h"
#include "view/composer_parts.h"

struct sf_composer *sf_composer_new(void)
{
    struct sf_composer *c = sf_alloc(sizeof(*c));

    sf_strbuf_init(&c->text);
    sf_strbuf_init(&c->vim.typed);
    sf_strbuf_init(&c->vim.dot_typed);
    return c;
}

void sf_composer_free(struct sf_composer *c)
{
    if (!c)
        return;
    sf_composer_forget_steps(c);
    while (c->kill_count)
        sf_composer_drop_kill(c);
    sf_composer_let_go(c, c->text.buf, c->text.len);
    sf_strbuf_release(&c->text);
    sf_vim_release(c);
    free(c->chips);
    free(c->steps);
    free(c->rows);
    free(c);
}

void sf_composer_begin(struct sf_composer *c)
{
    c->was = c->last;
    c->last = SF_LAST_OTHER;
}

/* ---- text comes in ---- */

static bool is_kept(uint32_t cp)
{
    return cp == '\n' || cp == '\t' || (cp >= 0x20 && cp != 0x7f && (cp < 0x80 || cp > 0x9f));
}

static size_t plain_run(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && text[n] >= 0x20 && text[n] < 0x7f)
        n++;
    return n;
}

static void clean(struct sf_strbuf *out, const char *text, size_t len)
{
    for (size_t at = 0, n; at < len; at += n) {
        uint32_t cp;

        n = plain_run(text + at, len - at);
        if (n) {
            sf_strbuf_add(out, text + at, n);
            continue;
        }
        n = sf_utf8_decode(text + at, len - at, &cp);
        if (cp == '\r') {
            n += at + 1 < len && text[at + 1] == '\n';
            cp = '\n';
        }
        if (cp == SF_UTF8_INVALID || is_kept(cp))
            sf_utf8_add(out, cp);
    }
}

static bool is_blank_byte(char ch)
{
    return ch == ' ' || ch == '\t' || ch == '\n';
}

/* Whether the typing goes on that of before: a blank behind a word begins anew. */
static bool goes_on(const struct sf_composer *c, char first)
{
    if (sf_vim_inserts(c))
        return c->was == SF_LAST_TYPED || c->was == SF_LAST_ERASED;
    return c->was == SF_LAST_TYPED &&
           !(is_blank_byte(first) && c->cursor && !is_blank_byte(c->text.buf[c->cursor - 1]));
}

static bool type_clean(struct sf_composer *c, const char *text, size_t len)
{
    if (!len)
        return true;
    if (!goes_on(c, *text))
        sf_composer_split(c);
    if (!sf_composer_edit(c, c->cursor, 0, text, len))
        return false;
    sf_vim_note(c, text, len);
    c->last = SF_LAST_TYPED;
    return true;
}

static bool type_commands(struct sf_composer *c, const char *text, size_t len)
{
    while (len) {
        uint32_t cp;
        size_t n = sf_utf8_decode(text, len, &cp);

        if (!sf_vim_commands(c)) /* one of them was i, and the rest is typed */
            return sf_composer_type(c, text, len);
        sf_composer_vim_key(c, cp, 0);
        text += n;
        len -= n;
    }
    return true;
}

bool sf_composer_type(struct sf_composer *c, const char *text, size_t len)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    bool ok;

    if (sf_vim_commands(c))
        return type_commands(c, text, len);
    sf_composer_begin(c);
    if (len > SF_COMPOSER_MAX)
        return false;
    clean(&safe, text, len);
    ok = type_clean(c, safe.buf, safe.len);
    sf_strbuf_release(&safe);
    return ok;
}

/* Puts the text in place of `remove` bytes: a large one as a chip. */
static bool put_large(struct sf_composer *c, size_t at, size_t remove, const char *text, size_t len)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    char mark[SF_MARK_LEN];
    bool ok;

    sf_composer_begin(c);
    if (len > SF_COMPOSER_MAX)
        return false;
    sf_vim_note(c, NULL, 0);
    sf_composer_split(c);
    clean(&safe, text, len);
    if (sf_composer_is_large(safe.buf, safe.len)) {
        sf_composer_add_chip(c, safe.buf, safe.len, mark);
        sf_composer_hold(c, mark, sizeof(mark));
        ok = sf_composer_edit(c, at, remove, mark, sizeof(mark));
        sf_composer_let_go(c, mark, sizeof(mark));
    } else {
        ok = sf_composer_edit(c, at, remove, safe.buf, safe.len);
    }
    sf_strbuf_release(&safe);
    return ok;
}

bool sf_composer_paste(struct sf_composer *c, const char *text, size_t len)
{
    return put_large(c, c->cursor, 0, text, len);
}

bool sf_composer_set(struct sf_composer *c, const char *text, size_t len)
{
    bool ok = put_large(c, 0, c->text.len, text, len);

    sf_vim_settle(c);
    return ok;
}

void sf_composer_clear(struct sf_composer *c)
{
    put_large(c, 0, c->text.len, "", 0);
}

/* ---- actions ---- */

static size_t to_next(const struct sf_composer *c, size_t at)
{
    return sf_composer_next(c, at);
}

static size_t to_prev(const struct sf_composer *c, size_t at)
{
    return at ? sf_composer_prev(c, at) : 0;
}

/* The line's border; there already: the text's. */
static size_t to_home(const struct sf_composer *c, size_t at)
{
    size_t start = sf_composer_line_start(c, at);

    return start == at ? 0 : start;
}

static size_t to_end(const struct sf_composer *c, size_t at)
{
    size_t end = sf_composer_line_end(c, at);

    return end == at ? c->text.len : end;
}

static size_t to_first(const struct sf_composer *c, size_t at)
{
    (void)c, (void)at;
    return 0;
}

static size_t to_last(const struct sf_composer *c, size_t at)
{
    (void)at;
    return c->text.len;
}

/* The line's border; there already: with the newline beyond it. */
static size_t to_line_start(const struct sf_composer *c, size_t at)
{
    size_t start = sf_composer_line_start(c, at);

    return start == at && at ? at - 1 : start;
}

static size_t to_line_end(const struct sf_composer *c, size_t at)
{
    size_t end = sf_composer_line_end(c, at);

    return end == at && at < c->text.len ? at + 1 : end;
}

static bool go_up(struct sf_composer *c)
{
    return sf_composer_go_rows(c, -1);
}

static bool go_down(struct sf_composer *c)
{
    return sf_composer_go_rows(c, 1);
}

static bool add_newline(struct sf_composer *c)
{
    return type_clean(c, "\n", 1);
}

/* The clusters around the cursor; at a line's end the two in front of it. */
static bool transpose(struct sf_composer *c)
{
    size_t at = c->cursor, start, end;
    struct sf_strbuf swapped = SF_STRBUF_INIT;

    if (at && at == sf_composer_line_end(c, at))
        at = sf_composer_prev(c, at);
    start = at ? sf_composer_prev(c, at) : 0;
    if (!at || at >= c->text.len || c->text.buf[start] == '\n' || c->text.buf[at] == '\n')
        return false;
    end = sf_composer_next(c, at);
    sf_strbuf_add(&swapped, c->text.buf + at, end - at);
    sf_strbuf_add(&swapped, c->text.buf + start, at - start);
    sf_composer_split(c);
    sf_composer_edit(c, start, end - start, swapped.buf, swapped.len);
    sf_strbuf_release(&swapped);
    return true;
}

static bool erase(struct sf_composer *c, size_t to)
{
    size_t from = to < c->cursor ? to : c->cursor, end = to < c->cursor ? c->cursor : to;
    bool on = c->was == SF_LAST_ERASED || (sf_vim_inserts(c) && c->was == SF_LAST_TYPED);

    if (from == end)
        return false;
    if (!on)
        sf_composer_split(c);
    sf_composer_edit(c, from, end - from, "", 0);
    if (to == from)
        sf_vim_note_erased(c);
    c->last = SF_LAST_ERASED;
    return true;
}

static const struct {
    size_t (*to)(const struct sf_composer *c, size_t at);
    enum { GO, ERASE, KILL } how;
    bool (*run)(struct sf_composer *c); /* instead */
} actions[SF_COMPOSE_ACTIONS] = {
    [SF_COMPOSE_LEFT] = { .to = to_prev },
    [SF_COMPOSE_RIGHT] = { .to = to_next },
    [SF_COMPOSE_UP] = { .run = go_up },
    [SF_COMPOSE_DOWN] = { .run = go_down },
    [SF_COMPOSE_WORD_LEFT] = { .to = sf_composer_word_left },
    [SF_COMPOSE_WORD_RIGHT] = { .to = sf_composer_word_right },
    [SF_COMPOSE_HOME] = { .to = to_home },
    [SF_COMPOSE_END] = { .to = to_end },
    [SF_COMPOSE_FIRST] = { .to = to_first },
    [SF_COMPOSE_LAST] = { .to = to_last },
    [SF_COMPOSE_NEWLINE] = { .run = add_newline },
    [SF_COMPOSE_BACKSPACE] = { to_prev, ERASE, NULL },
    [SF_COMPOSE_DELETE] = { to_next, ERASE, NULL },
    [SF_COMPOSE_KILL_WORD] = { sf_composer_blank_left, KILL, NULL },
    [SF_COMPOSE_KILL_WORD_BACK] = { sf_composer_word_left, KILL, NULL },
    [SF_COMPOSE_KILL_WORD_FORWARD] = { sf_composer_word_right, KILL, NULL },
    [SF_COMPOSE_KILL_LINE] = { to_line_end, KILL, NULL },
    [SF_COMPOSE_KILL_START] = { to_line_start, KILL, NULL },
    [SF_COMPOSE_YANK] = { .run = sf_composer_yank },
    [SF_COMPOSE_YANK_POP] = { .run = sf_composer_yank_pop },
    [SF_COMPOSE_TRANSPOSE] = { .run = transpose },
    [SF_COMPOSE_UNDO] = { .run = sf_composer_undo },
    [SF_COMPOSE_REDO] = { .run = sf_composer_redo },
};

static bool act_on(struct sf_composer *c, enum sf_compose act)
{
    size_t at = c->cursor, to;

    if (actions[act].run)
        return actions[act].run(c);
    to = actions[act].to(c, at);
    if (actions[act].how == ERASE)
        return erase(c, to);
    if (actions[act].how == KILL)
        return sf_composer_kill(c, to < at ? to : at, to < at ? at : to);
    return sf_composer_go(c, to);
}

bool sf_composer_do(struct sf_composer *c, enum sf_compose act)
{
    bool done;

    sf_composer_begin(c);
    if (act != SF_COMPOSE_NEWLINE && act != SF_COMPOSE_BACKSPACE)
        sf_vim_note(c, NULL, 0);
    done = act_on(c, act);
    sf_vim_settle(c);
    return done;
}

/* ---- text goes out ---- */

bool sf_composer_is_empty(const struct sf_composer *c)
{
    return !c->text.len;
}

void sf_composer_text(const struct sf_composer *c, struct sf_strbuf *out)
{
    sf_composer_add_unfolded(c, c->text.buf, c->text.len, out);
}

bool sf_composer_begins_with(const struct sf_composer *c, char sigil)
{
    const char *mark = c->text.buf;

    if (!c->text.len || c->text.buf[0] != sigil || memchr(c->text.buf, '\n', c->text.len))
        return false;
    while ((mark = memchr(mark, SF_MARK, c->text.len - (size_t)(mark - c->text.buf)))) {
        const struct sf_chip *chip = sf_composer_chip(c, mark);

        if (memchr(chip->text, '\n', chip->len))
            return false;
        mark += SF_MARK_LEN;
    }
    return true;
}

/* ---- words to complete ---- */

const char *sf_composer_head(const struct sf_composer *c, size_t *len)
{
    *len = c->cursor;
    return c->text.buf;
}

static bool opens_word(char before)
{
    return is_blank_byte(before) || strchr("([{<\"'`", before);
}

/* From the cursor back to the sigil that begins the word; false: it has none. */
static bool find_sigil(const struct sf_composer *c, char sigil, size_t *at)
{
    const char *s = c->text.buf;

    for (size_t p = c->cursor; p && !is_blank_byte(s[p - 1]) && s[p - 1] != SF_MARK; p--) {
        if (s[p - 1] != sigil || (p > 1 && !opens_word(s[p - 2])))
            continue;
        *at = p - 1;
        return true;
    }
    return false;
}

const char *sf_composer_word(const struct sf_composer *c, char sigil, size_t *len)
{
    size_t at;

    if (!find_sigil(c, sigil, &at))
        return NULL;
    *len = c->cursor - at;
    return c->text.buf + at;
}

void sf_composer_complete(struct sf_composer *c, char sigil, const char *text)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;
    size_t at, end = c->cursor;

    sf_composer_begin(c);
    if (!find_sigil(c, sigil, &at))
        return;
    while (end < c->text.len && !is_blank_byte(c->text.buf[end]) && c->text.buf[end] != SF_MARK)
        end++;
    clean(&safe, text, strlen(text));
    sf_vim_note(c, NULL, 0);
    sf_composer_split(c);
    sf_composer_edit(c, at, end - at, safe.buf, safe.len);
    sf_strbuf_release(&safe);
}
