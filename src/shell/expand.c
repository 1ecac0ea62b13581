/*
 * expand.c: what begins with $ or a backtick, and process substitution. Commands inside
 * are read at once by the same parser at the same cursor, so nothing is scanned twice; only
 * backticks, whose inside is unescaped first, are read from a copy.
 */
#include <string.h>

#include "shell/reader.h"

/* What a substitution must not disturb in the text around it. */
struct outside {
    bool piped, waits;
    enum sf_join join;
    struct sf_redirect *waiting, **tail;
};

static void go_inside(struct sf_reader *r, struct outside *o)
{
    *o = (struct outside){ r->piped, r->outer_waits, r->join, r->waiting, r->waiting_tail };
    r->join = SF_JOIN_THEN;
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_OUTPUT);
    r->outer_waits = r->outer_waits || r->waiting != NULL;
    r->waiting = NULL;
    r->waiting_tail = &r->waiting;
}

static void come_back(struct sf_reader *r, const struct outside *o)
{
    if (r->waiting)
        sf_reader_fail(r, "a here-document has no end");
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_OUTPUT);
    r->join = o->join;
    r->piped = o->piped;
    r->outer_waits = o->waits;
    r->waiting = o->waiting;
    r->waiting_tail = o->waiting ? o->tail : &r->waiting;
}

/* The cursor is behind the opening parenthesis; eats the closing one. */
static void read_commands(struct sf_reader *r)
{
    struct outside o;

    if (!sf_reader_enter(r))
        return;
    go_inside(r, &o);
    sf_parse_list(r);
    if (!sf_reader_eat(r, ")"))
        sf_reader_fail(r, "a parenthesis is not closed");
    come_back(r, &o);
    sf_reader_leave(r);
}

void sf_expand_process(struct sf_reader *r, struct sf_word_builder *w)
{
    sf_word_expands(r, w, SF_WORD_SUBST | SF_WORD_PROCESS);
    sf_word_piece(r, w, SF_PIECE_UNKNOWN, NULL);
    sf_reader_skip(r, 2);
    read_commands(r);
}

/* Backslashes before $ ` and \ (and " inside double quotes) are removed once. */
static size_t unescape(const struct sf_reader *r, bool quoted, struct sf_strbuf *inside)
{
    size_t i = 1;

    for (;; i++) {
        char c = sf_reader_at(r, i);
        char next = sf_reader_at(r, i + 1);

        if (c == '\0' || c == '`')
            return c ? i + 1 : 0;
        if (c == '\\' && next && (strchr("$`\\", next) || (quoted && next == '"'))) {
            c = next;
            i++;
        }
        sf_strbuf_addch(inside, c);
    }
}

static void read_copy(struct sf_reader *r, char *copy, size_t len, size_t behind)
{
    struct sf_reader saved = *r;

    r->origin = sf_reader_place(r, r->pos);
    r->copied = true;
    r->text = copy;
    r->pos = 0;
    r->end = len;
    sf_parse_list(r);
    if (r->pos < r->end)
        sf_reader_fail(r, "a command in backticks cannot be read");
    r->text = saved.text;
    r->end = saved.end;
    r->origin = saved.origin;
    r->copied = saved.copied;
    r->pos = sf_reader_failed(r) ? r->end : behind;
}

void sf_expand_backtick(struct sf_reader *r, struct sf_word_builder *w, bool quoted)
{
    struct sf_strbuf inside = SF_STRBUF_INIT;
    struct outside o;
    size_t taken = unescape(r, quoted, &inside);

    sf_word_expands(r, w, SF_WORD_SUBST | (quoted ? 0 : SF_WORD_SPLITS));
    sf_word_piece(r, w, SF_PIECE_OUTPUT, NULL);
    r->out->steps += inside.len + 2;
    if (!taken) {
        sf_reader_fail(r, "a backtick is not closed");
    } else if (r->arena->used + inside.len > SF_SHELL_MEMORY) {
        sf_reader_fail(r, "it is too large");
    } else if (sf_reader_enter(r)) {
        char *copy = sf_arena_strndup(r->arena, inside.buf, inside.len);
        size_t len = inside.len;

        sf_strbuf_release(&inside);
        go_inside(r, &o);
        read_copy(r, copy, len, r->pos + taken);
        come_back(r, &o);
        sf_reader_leave(r);
    }
    sf_strbuf_release(&inside);
}

/* What an expression holds besides plain characters; false: nothing of that kind is here. */
static bool read_inside(struct sf_reader *r, struct sf_word_builder *e)
{
    char c = sf_reader_at(r, 0);

    if (c == '$') {
        sf_expand_dollar(r, e, true);
    } else if (c == '`') {
        sf_expand_backtick(r, e, true);
    } else if (c == '"') {
        sf_reader_skip(r, 1);
        sf_word_double(r, e);
    } else {
        return false;
    }
    return true;
}

static void put_plain(struct sf_reader *r, struct sf_word_builder *e)
{
    sf_word_put(r, e, sf_reader_at(r, 0));
    sf_reader_skip(r, 1);
}

/* Lists the expression as evaluated by the command that is being read. */
static void finish_arith(struct sf_reader *r, struct sf_word_builder *e, const char *array)
{
    struct sf_word expression;

    sf_word_finish(r, e, &expression);
    sf_parse_arith(r, &expression, array);
}

/* $((…)), ((…)) and for ((…)); ends right behind the two closing parentheses. */
void sf_expand_arith(struct sf_reader *r, bool loop)
{
    struct sf_word_builder e;
    unsigned open = 0;

    if (!sf_reader_enter(r))
        return;
    sf_word_begin(r, &e);
    while (!sf_reader_failed(r)) {
        char c = sf_reader_at(r, 0);

        r->out->steps++;
        if (read_inside(r, &e))
            continue;
        if (c == '\0' || c == '\'' || c == '\\' || (c == ';' && !loop)) {
            sf_reader_fail(r, "arithmetic cannot be read");
        } else if (c == ')' && !open) {
            if (!sf_reader_eat(r, "))"))
                sf_reader_fail(r, "parentheses can be read in two ways");
            break;
        } else {
            open += c == '(';
            open -= c == ')';
            put_plain(r, &e);
        }
    }
    finish_arith(r, &e, NULL);
    sf_reader_leave(r);
}

/* Up to the bracket that closes: the old $[…], or a subscript. */
static void read_brackets(struct sf_reader *r, struct sf_word_builder *e, bool subscript)
{
    unsigned open = 0;

    while (!sf_reader_failed(r)) {
        char c = sf_reader_at(r, 0);

        r->out->steps++;
        if (read_inside(r, e))
            continue;
        if (c == ']' && !open) {
            sf_reader_skip(r, 1);
            return;
        }
        if (c == '\'' && subscript) {
            sf_reader_skip(r, 1);
            sf_word_single(r, e);
        } else if (c == '\0' || strchr("\\\n'", c) || (c == '[' && subscript)) {
            sf_reader_fail(r, subscript ? "an array subscript cannot be read"
                                        : "arithmetic cannot be read");
        } else {
            open += c == '[';
            open -= c == ']';
            put_plain(r, e);
        }
    }
}

/* A subscript is arithmetic, or any text for an associative array. */
void sf_expand_subscript(struct sf_reader *r, const char *array)
{
    bool all = sf_reader_at(r, 0) && strchr("@*", sf_reader_at(r, 0)) && sf_reader_at(r, 1) == ']';
    struct sf_word_builder e;

    if (!sf_reader_enter(r))
        return;
    sf_word_begin(r, &e);
    read_brackets(r, &e, true);
    if (all) {
        sf_strbuf_truncate(&r->text_stack, e.start);
        r->npieces = e.pieces;
    } else {
        finish_arith(r, &e, array);
    }
    sf_reader_leave(r);
}

static void read_old_arith(struct sf_reader *r)
{
    struct sf_word_builder e;

    if (!sf_reader_enter(r))
        return;
    sf_word_begin(r, &e);
    read_brackets(r, &e, false);
    finish_arith(r, &e, NULL);
    sf_reader_leave(r);
}

/* The part behind an operator, up to the closing brace, which stays. True: it was plain text. */
static bool read_operand(struct sf_reader *r, struct sf_word_builder *w, bool quoted)
{
    bool plain = true;

    while (!sf_reader_failed(r)) {
        char c = sf_reader_at(r, 0);

        r->out->steps++;
        if (c == '}')
            return plain;
        plain = plain && c && !strchr("$`\\'\"", c);
        if (c == '\0' || (c == '\'' && quoted)) {
            sf_reader_fail(r, "a parameter expansion cannot be read");
        } else if (c == '$') {
            sf_expand_dollar(r, w, quoted);
        } else if (c == '`') {
            sf_expand_backtick(r, w, quoted);
        } else if (c == '\\') {
            put_plain(r, w);
            sf_reader_skip(r, sf_reader_at(r, 0) != '\0');
        } else if (c == '\'') {
            sf_reader_skip(r, 1);
            sf_word_single(r, w);
        } else if (c == '"') {
            sf_reader_skip(r, 1);
            sf_word_double(r, w);
        } else if ((c == '<' || c == '>') && sf_reader_at(r, 1) == '(') {
            sf_expand_process(r, w);
        } else {
            put_plain(r, w);
        }
    }
    return plain;
}

/* ${NAME:=text} sets the variable: a command of its own, with nothing but that. */
static void add_assignment(struct sf_reader *r, const char *name, size_t len)
{
    struct sf_shell_command *cmd = sf_parse_add(r, SF_SHELL_SIMPLE, r->pos);
    struct sf_assign *assign = sf_arena_alloc(r->arena, sizeof(*assign));

    assign->name = sf_arena_strndup(r->arena, name, len);
    assign->value = (struct sf_word){ .text = "",
                                      .flags = SF_WORD_EXPANDS,
                                      .at = cmd->at,
                                      .pieces = &sf_piece_unknown,
                                      .npieces = 1 };
    cmd->assigns = assign;
}

/* ${x:offset:length}: both are arithmetic, and so is what the two are made of. */
static void read_slice(struct sf_reader *r, bool quoted)
{
    struct sf_word_builder e;

    sf_reader_skip(r, 1);
    sf_word_begin(r, &e);
    read_operand(r, &e, quoted);
    finish_arith(r, &e, NULL);
}

static void read_operator(struct sf_reader *r, struct sf_word_builder *w, bool quoted)
{
    char c = sf_reader_at(r, 0);
    size_t assigning = c == '=' ? 1 : c == ':' && sf_reader_at(r, 1) == '=' ? 2 : 0;

    if (c == '@') {
        char how = sf_reader_at(r, 1);

        if (how == 'P')
            sf_reader_trick(r, SF_TRICK_PROMPT);
        if (!how || !strchr("PQUuLEAaKk", how) || sf_reader_at(r, 2) != '}')
            sf_reader_fail(r, "a parameter expansion cannot be read");
        else
            sf_reader_skip(r, 2);
    } else if (assigning) {
        sf_reader_skip(r, assigning);
        sf_reader_trick(r, read_operand(r, w, quoted) ? SF_TRICK_ASSIGN : SF_TRICK_ASSEMBLE);
    } else if (c == ':' && sf_reader_at(r, 1) && !strchr("-?+", sf_reader_at(r, 1))) {
        read_slice(r, quoted);
    } else if (c && strchr(":-?+#%/^,", c)) {
        sf_reader_skip(r, 1);
        read_operand(r, w, quoted);
    } else {
        sf_reader_fail(r, "a parameter expansion cannot be read");
    }
}

static size_t parameter_length(const struct sf_reader *r)
{
    size_t n = sf_reader_name(r);
    char c = sf_reader_at(r, 0);

    if (n)
        return n;
    while (sf_reader_at(r, n) >= '0' && sf_reader_at(r, n) <= '9')
        n++;
    return n ? n : c && strchr("*@#?-$!", c) != NULL;
}

/* ${!x*}, ${!x@} and ${!x[@]} list names; every other ${!…} reads through one. */
static bool lists_names(const struct sf_reader *r, size_t name)
{
    char c = sf_reader_at(r, name);

    if ((c == '*' || c == '@') && sf_reader_at(r, name + 1) == '}')
        return true;
    c = sf_reader_at(r, name + 1);
    return sf_reader_at(r, name) == '[' && (c == '@' || c == '*');
}

/* What is wrong with an expansion is wrong with all of it, from `${` to `}`. */
static void place_tricks(struct sf_reader *r, unsigned before, size_t start)
{
    for (size_t i = 0; i < SF_TRICK_COUNT; i++)
        if (r->out->tricks & ~before & 1u << i) {
            r->out->trick_at[i] = sf_reader_place(r, start);
            r->out->trick_len[i] = r->copied ? 0 : r->pos - start;
        }
}

static void read_braced(struct sf_reader *r, struct sf_word_builder *w, bool quoted)
{
    const unsigned tricks = r->out->tricks;
    const size_t dollar = r->pos - strlen("${");
    const char *start;
    size_t name;

    if (!sf_reader_enter(r))
        return;
    if (sf_reader_at(r, 0) == '!' && sf_reader_at(r, 1) != '}') {
        sf_reader_skip(r, 1);
        name = parameter_length(r);
        if (!lists_names(r, name))
            sf_reader_trick(r, SF_TRICK_INDIRECT);
        sf_reader_skip(r, name);
        if (sf_reader_at(r, 0) != '}' && sf_reader_at(r, 0) != '[' && lists_names(r, 0))
            sf_reader_skip(r, 1);
    } else {
        if (sf_reader_at(r, 0) == '#' && !strchr("}:-?+%/#", sf_reader_at(r, 1)))
            sf_reader_skip(r, 1);
        name = parameter_length(r);
        sf_reader_skip(r, name);
    }
    start = r->text + r->pos - name;
    if (!name)
        sf_reader_fail(r, "a parameter expansion cannot be read");
    if (sf_reader_eat(r, "["))
        sf_expand_subscript(r, sf_arena_strndup(r->arena, start, name));
    if (sf_reader_at(r, 0) == '=' || (sf_reader_at(r, 0) == ':' && sf_reader_at(r, 1) == '='))
        add_assignment(r, start, name);
    if (sf_reader_at(r, 0) != '}' && !sf_reader_failed(r))
        read_operator(r, w, quoted);
    if (!sf_reader_eat(r, "}"))
        sf_reader_fail(r, "a parameter expansion is not closed");
    place_tricks(r, tricks, dollar);
    sf_reader_leave(r);
}

/* Remembers the variable a word begins with, when its value or a start of it is taken. */
static void note_lead(struct sf_reader *r, struct sf_word_builder *w)
{
    size_t brace = sf_reader_at(r, 0) == '{';
    size_t n;

    if (r->text_stack.len != w->start || w->flags & SF_WORD_EXPANDS)
        return;
    sf_reader_skip(r, brace);
    n = sf_reader_name(r);
    if (n && (!brace || (sf_reader_at(r, n) && strchr("}%^,", sf_reader_at(r, n)))))
        w->lead = sf_arena_strndup(r->arena, r->text + r->pos, n);
    r->pos -= brace;
}

/* Whether what is at the cursor, in braces or not, can only be digits: $? ${#x}; $! may be none. */
static bool is_number(const struct sf_reader *r, bool brace)
{
    char c = sf_reader_at(r, 0);
    size_t n = 1;

    if (!c || !strchr("#?$", c))
        return false;
    if (!brace || sf_reader_at(r, 1) == '}')
        return true;
    while (c == '#' && (sf_is_name(sf_reader_at(r, n)) || strchr("@*", sf_reader_at(r, n))) &&
           sf_reader_at(r, n))
        n++;
    return n > 1 && (sf_reader_at(r, n) == '}' || sf_reader_at(r, n) == '[');
}

/* What ${x%…} and its kin leave of the value; the cursor is at the name, `n` bytes of it. */
static enum sf_piece_kind shrunk_kind(const struct sf_reader *r, size_t n)
{
    const char *rest = r->text + r->pos + n;
    size_t left = r->end - r->pos - n;

    if (left > 2 && !memcmp(rest, "%/}", 3))
        return SF_PIECE_VALUE; /* a slash at the end says nothing */
    if (left > 5 && !memcmp(rest, "##*/}", 5))
        return SF_PIECE_LAST;
    if (left > 2 && *rest == '%' && strchr("./", rest[1]))
        return SF_PIECE_STEM;
    return left && strchr("%^,", *rest) ? SF_PIECE_SHRUNK : SF_PIECE_UNKNOWN;
}

/* Behind ${: the name in `!name[@]}`, or 0. */
static size_t index_length(struct sf_reader *r)
{
    size_t n;

    if (sf_reader_at(r, 0) != '!')
        return 0;
    sf_reader_skip(r, 1);
    n = sf_reader_name(r);
    if (!n || sf_reader_at(r, n) != '[' || !sf_reader_at(r, n + 1) ||
        !strchr("@*", sf_reader_at(r, n + 1)) || sf_reader_at(r, n + 2) != ']' ||
        sf_reader_at(r, n + 3) != '}')
        n = 0;
    r->pos--;
    return n;
}

/* What the parameter at the cursor, in braces or not, puts into the word. */
static void note_piece(struct sf_reader *r, struct sf_word_builder *w)
{
    size_t brace = sf_reader_at(r, 0) == '{';
    enum sf_piece_kind kind = SF_PIECE_UNKNOWN;
    const char *name = NULL;
    size_t n, index;

    sf_reader_skip(r, brace);
    index = brace ? index_length(r) : 0;
    n = sf_reader_name(r);
    if (!n && sf_reader_at(r, 0) >= '1' && sf_reader_at(r, 0) <= '9' &&
        (!brace || sf_reader_at(r, 1) == '}'))
        n = 1;
    if (index)
        kind = SF_PIECE_INDEX;
    else if (!n && is_number(r, brace))
        kind = SF_PIECE_NUMBER;
    else if (n && (!brace || sf_reader_at(r, n) == '}'))
        kind = SF_PIECE_VALUE;
    else if (n)
        kind = shrunk_kind(r, n);
    if (kind < SF_PIECE_NUMBER && !w->crowded)
        name = sf_arena_strndup(r->arena, r->text + r->pos + (index > 0), index ? index : n);
    sf_word_piece(r, w, kind, name);
    r->pos -= brace;
}

/* $@, ${@…}, ${x[@]…} and ${!x[@]}: one word each, also in quotes. */
static bool spreads(const struct sf_reader *r)
{
    size_t n = 0;

    if (sf_reader_at(r, n) == '{') {
        n++;
        n += sf_reader_at(r, n) == '!';
        while (sf_is_name(sf_reader_at(r, n)))
            n++;
        n += sf_reader_at(r, n) == '[';
    }
    return sf_reader_at(r, n) == '@';
}

static void read_dollar(struct sf_reader *r, struct sf_word_builder *w, bool quoted)
{
    unsigned split = quoted && !spreads(r) ? 0 : SF_WORD_SPLITS;
    size_t n = parameter_length(r), mark = r->text_stack.len;

    if (n || sf_reader_at(r, 0) == '{') {
        size_t own;

        note_lead(r, w);
        note_piece(r, w);
        own = r->npieces;
        sf_word_expands(r, w, split);
        if (sf_reader_eat(r, "{"))
            read_braced(r, w, quoted);
        else
            sf_reader_skip(r, sf_is_name_start(sf_reader_at(r, 0)) ? n : 1);
        sf_strbuf_truncate(&r->text_stack, mark); /* what the operand says is not known text */
        r->npieces = own;
        w->behind = mark - w->start;
    } else if (sf_reader_eat(r, "((")) {
        sf_word_expands(r, w, split);
        sf_word_piece(r, w, SF_PIECE_NUMBER, NULL);
        sf_expand_arith(r, false);
    } else if (sf_reader_eat(r, "(")) {
        sf_word_expands(r, w, split | SF_WORD_SUBST);
        sf_word_piece(r, w, SF_PIECE_OUTPUT, NULL);
        read_commands(r);
    } else if (sf_reader_eat(r, "[")) {
        sf_word_expands(r, w, split);
        sf_word_piece(r, w, SF_PIECE_NUMBER, NULL);
        read_old_arith(r);
    } else if (sf_reader_at(r, 0) == '\\' && sf_reader_at(r, 1) == '\n') {
        sf_reader_fail(r, "a dollar sign cannot be read");
    } else {
        sf_word_put(r, w, '$');
    }
}

void sf_expand_dollar(struct sf_reader *r, struct sf_word_builder *w, bool quoted)
{
    sf_reader_skip(r, 1);
    r->out->steps++;
    if (!quoted && sf_reader_eat(r, "'"))
        sf_word_ansi(r, w);
    else if (!quoted && sf_reader_eat(r, "\""))
        sf_word_double(r, w);
    else
        read_dollar(r, w, quoted);
}

void sf_expand_body(struct sf_reader *r, const struct sf_redirect *body)
{
    struct sf_reader saved = *r;
    struct sf_word_builder w;

    r->waiting = NULL;
    r->waiting_tail = &r->waiting;
    r->pos = (size_t)(body->body - r->text);
    r->end = r->pos + body->body_len;
    sf_word_begin(r, &w);
    while (r->pos < r->end) {
        char c = r->text[r->pos];

        r->out->steps++;
        if (c == '$')
            sf_expand_dollar(r, &w, true);
        else if (c == '`')
            sf_expand_backtick(r, &w, true);
        else
            sf_reader_skip(r, c == '\\' && r->pos + 1 < r->end ? 2 : 1);
    }
    sf_strbuf_truncate(&r->text_stack, w.start);
    r->npieces = w.pieces;
    r->end = saved.end;
    r->pos = sf_reader_failed(r) ? r->end : saved.pos;
    r->waiting = saved.waiting;
    r->waiting_tail = saved.waiting_tail;
}
