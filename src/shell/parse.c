/*
 * parse.c: lists, pipelines, simple commands and redirections, by recursive descent.
 * The tree is not kept: each command found is appended to one flat list, with the little of its
 * surroundings that matters later (what feeds its input).
 */
#include <stdlib.h>
#include <string.h>

#include "shell/reader.h"

static struct sf_shell_command *append(struct sf_reader *r, enum sf_shell_kind kind, size_t at)
{
    struct sf_shell_command *cmd = sf_arena_alloc(r->arena, sizeof(*cmd));

    cmd->kind = kind;
    cmd->piped = r->piped;
    cmd->feed = r->feed;
    cmd->join = r->join;
    r->join = SF_JOIN_THEN;
    cmd->at = (uint32_t)sf_reader_place(r, at);
    if (r->out->last)
        r->out->last->next = cmd;
    else
        r->out->first = cmd;
    r->out->last = cmd;
    return cmd;
}

struct sf_shell_command *sf_parse_add(struct sf_reader *r, enum sf_shell_kind kind, size_t at)
{
    struct sf_shell_command *cmd = append(r, kind, at);

    if (++r->out->count > SF_SHELL_COMMANDS || r->arena->used > SF_SHELL_MEMORY)
        sf_reader_fail(r, "it holds too many commands");
    return cmd;
}

void sf_parse_mark(struct sf_reader *r, enum sf_shell_kind kind, enum sf_nest nest)
{
    append(r, kind, r->pos)->nest = nest;
}

void sf_parse_arith(struct sf_reader *r, const struct sf_word *expression, const char *array)
{
    enum sf_join join = r->join;
    struct sf_shell_command *cmd = append(r, SF_SHELL_ARITH, r->pos);

    r->join = join; /* it belongs to the command whose word is being read */
    cmd->join = SF_JOIN_SAME;
    cmd->words = sf_arena_alloc(r->arena, sizeof(*cmd->words));
    cmd->words[0] = *expression;
    cmd->count = 1;
    cmd->array = array;
    if (++r->out->count > SF_SHELL_COMMANDS || r->arena->used > SF_SHELL_MEMORY)
        sf_reader_fail(r, "it is too large");
}

void sf_parse_push(struct sf_reader *r, const struct sf_word *word)
{
    if (r->count >= SF_SHELL_WORDS) {
        sf_reader_fail(r, "it holds too many words");
        return;
    }
    r->words = sf_grow(r->words, &r->cap, r->count + 1, sizeof(*r->words));
    r->words[r->count++] = *word;
}

/* Gives the words pushed since `from` to the command. */
void sf_parse_words(struct sf_reader *r, struct sf_shell_command *cmd, size_t from)
{
    size_t n = r->count - from;

    if (n) {
        cmd->words = sf_arena_alloc(r->arena, n * sizeof(*cmd->words));
        memcpy(cmd->words, r->words + from, n * sizeof(*cmd->words));
        cmd->count = n;
    }
    r->count = from;
    cmd->span = (uint32_t)(r->copied ? 0 : sf_reader_place(r, r->pos) - cmd->at);
    if (r->arena->used > SF_SHELL_MEMORY)
        sf_reader_fail(r, "it is too large");
}

/* clang-format off */
static const struct {
    const char *sign;
    enum sf_redirect_op op;
} signs[] = { /* longer ones first */
    { "&>>", SF_REDIRECT_BOTH },    { "<<<", SF_REDIRECT_STRING }, { "<<-", SF_REDIRECT_TEXT },
    { "&>",  SF_REDIRECT_BOTH },    { "<<",  SF_REDIRECT_TEXT },   { "<&",  SF_REDIRECT_DUP },
    { "<>",  SF_REDIRECT_READWRITE },{ ">>", SF_REDIRECT_APPEND }, { ">&",  SF_REDIRECT_DUP },
    { ">|",  SF_REDIRECT_WRITE },   { ">",   SF_REDIRECT_WRITE },  { "<",   SF_REDIRECT_READ },
};
/* clang-format on */

/* {name[subscript]}> evaluates the subscript; nobody writes that, so it is not read. */
static bool at_element_descriptor(const struct sf_reader *r)
{
    size_t n = 1;

    if (sf_reader_at(r, 0) != '{')
        return false;
    while (sf_is_name(sf_reader_at(r, n)))
        n++;
    if (n < 2 || sf_reader_at(r, n) != '[')
        return false;
    while (sf_reader_at(r, n) && !(sf_reader_at(r, n) == ']' && sf_reader_at(r, n + 1) == '}') &&
           n < 256)
        n++;
    return sf_reader_at(r, n) == ']' && sf_reader_at(r, n + 2) &&
           strchr("<>", sf_reader_at(r, n + 2));
}

/* Length of a descriptor in front of a redirection: digits or {name}, right before < or >. */
static size_t descriptor_length(const struct sf_reader *r, int *fd)
{
    size_t n = 0;
    char c;

    *fd = -1;
    if (sf_reader_at(r, 0) == '{') {
        for (n = 1; n < 64 && sf_is_name(sf_reader_at(r, n)); n++)
            ;
        n = n > 1 && sf_reader_at(r, n) == '}' ? n + 1 : 0;
        *fd = -2;
    } else {
        for (int value = 0; n < 4 && (c = sf_reader_at(r, n)) >= '0' && c <= '9'; n++)
            *fd = value = value * 10 + (c - '0');
    }
    c = sf_reader_at(r, n);
    if (c != '<' && c != '>')
        n = 0;
    if (!n)
        *fd = -1;
    return n;
}

static bool is_number_or_dash(const struct sf_word *w)
{
    size_t n = strspn(w->text, "0123456789");

    return !(w->flags & SF_WORD_EXPANDS) &&
           ((n && n == w->len) || (n + 1 == w->len && w->text[n] == '-'));
}

static void wait_for_body(struct sf_reader *r, struct sf_redirect *doc)
{
    if (doc->target.flags & (SF_WORD_EXPANDS | SF_WORD_ODD) ||
        memchr(doc->target.text, '\n', doc->target.len))
        sf_reader_fail(r, "the end of a here-document cannot be known");
    doc->expands = !(doc->target.flags & SF_WORD_QUOTED);
    *r->waiting_tail = doc;
    r->waiting_tail = &doc->waits_next;
}

/* Appends one redirection; false when none begins here. */
bool sf_parse_redirect(struct sf_reader *r, struct sf_redirect ***tail)
{
    struct sf_redirect *redirect;
    int fd;
    size_t skip = descriptor_length(r, &fd), i = 0;
    const char *name = fd == -2 ? sf_arena_strndup(r->arena, r->text + r->pos + 1, skip - 2) : NULL;

    if ((sf_reader_at(r, skip) == '<' || sf_reader_at(r, skip) == '>') &&
        sf_reader_at(r, skip + 1) == '(')
        return false; /* a process substitution is a word */
    if (at_element_descriptor(r)) {
        sf_reader_fail(r, "an array subscript cannot be read");
        return true;
    }
    sf_reader_skip(r, skip);
    while (i < SF_COUNT(signs) && !sf_reader_eat(r, signs[i].sign))
        i++;
    if (i == SF_COUNT(signs)) {
        r->pos -= skip;
        return false;
    }
    redirect = sf_arena_alloc(r->arena, sizeof(*redirect));
    *redirect = (struct sf_redirect){ .op = signs[i].op, .fd = fd, .name = name };
    if (fd == -1 && redirect->op == SF_REDIRECT_DUP)
        redirect->fd = signs[i].sign[0] == '>';
    redirect->strips = !strcmp(signs[i].sign, "<<-");
    sf_reader_blanks(r);
    if (!sf_word_read(r, SF_WORD_MODE_PLAIN, &redirect->target))
        return true;
    if (is_number_or_dash(&redirect->target) &&
        (sf_reader_at(r, 0) == '<' || sf_reader_at(r, 0) == '>'))
        sf_reader_fail(r, "a redirection can be read in two ways");
    if (redirect->op == SF_REDIRECT_TEXT)
        wait_for_body(r, redirect);
    else if (redirect->op == SF_REDIRECT_DUP && !is_number_or_dash(&redirect->target))
        redirect->op = signs[i].sign[0] == '>' ? SF_REDIRECT_BOTH : SF_REDIRECT_READ;
    **tail = redirect;
    *tail = &redirect->next;
    return true;
}

/*
 * The length of NAME= or NAME+= or NAME[subscript]= at the cursor, or 0; *bracket is where the
 * subscript ends, or 0.
 */
static size_t assignment_length(const struct sf_reader *r, size_t *name, size_t *bracket)
{
    size_t n = *name = sf_reader_name(r);

    *bracket = 0;
    if (n && sf_reader_at(r, n) == '[') {
        for (n++; n < *name + 256; n++) {
            char c = sf_reader_at(r, n);

            if (!sf_is_name(c) && (!c || !strchr("@*.+-/%:# ${}\"'", c)))
                break;
        }
        *bracket = n;
        if (sf_reader_at(r, n++) != ']')
            return 0;
    }
    if (n && sf_reader_at(r, n) == '+')
        n++;
    return n && sf_reader_at(r, n) == '=' ? n + 1 : 0;
}

/* `[subscript]=value` among the elements of an array. */
static void subscript_of_item(struct sf_reader *r, const struct sf_word *item, const char *array)
{
    const char *end = item->text[0] == '[' ? strstr(item->text, "]=") : NULL;
    struct sf_word subscript = *item;

    if (!end)
        return;
    subscript.len = (uint32_t)(end - item->text);
    subscript.text = sf_arena_strndup(r->arena, item->text, subscript.len);
    subscript.npieces = 0;
    while (subscript.npieces < item->npieces && item->pieces[subscript.npieces].at <= subscript.len)
        subscript.npieces++;
    sf_parse_arith(r, &subscript, array);
}

/* The elements of NAME=(…), behind the parenthesis; the value stands for all of them. */
static void read_array(struct sf_reader *r, struct sf_assign *assign)
{
    struct sf_word item, *value = &assign->value;
    size_t from = r->count;

    for (;;) {
        sf_reader_newlines(r);
        if (sf_reader_eat(r, ")") || sf_reader_failed(r))
            break;
        if (!sf_word_read(r, SF_WORD_MODE_PLAIN, &item))
            break;
        if (r->count == from || !(value->flags & SF_WORD_EXPANDS))
            *value = item;
        subscript_of_item(r, &item, assign->name);
        sf_parse_push(r, &item);
    }
    assign->nitems = r->count - from;
    if (assign->nitems) {
        struct sf_word *items = sf_arena_alloc(r->arena, assign->nitems * sizeof(*items));

        memcpy(items, r->words + from, assign->nitems * sizeof(*items));
        assign->items = items;
    }
    r->count = from;
    assign->array = true;
    value->flags |= SF_WORD_EXPANDS | SF_WORD_SPLITS;
    value->pieces = &sf_piece_unknown;
    value->npieces = 1;
}

static void assign_value(struct sf_reader *r, struct sf_assign *assign)
{
    static const char none[] = "";

    assign->value = (struct sf_word){ .text = none, .at = (uint32_t)sf_reader_place(r, r->pos) };
    if (sf_reader_eat(r, "("))
        read_array(r, assign);
    else if (!sf_is_meta(sf_reader_at(r, 0)) ||
             (strchr("<>", sf_reader_at(r, 0)) && sf_reader_at(r, 1) == '('))
        sf_word_read(r, SF_WORD_MODE_PLAIN, &assign->value);
}

/* The subscript as an expression of its own; it must end where the scan for the sign ended. */
static void read_element(struct sf_reader *r, struct sf_assign *assign, size_t name, size_t bracket)
{
    size_t end = r->pos + bracket + 1;

    assign->adds = assign->array = true;
    sf_reader_skip(r, name + 1);
    sf_expand_subscript(r, assign->name);
    if (!sf_reader_failed(r) && r->pos != end)
        sf_reader_fail(r, "an array subscript cannot be read");
}

static bool read_assignment(struct sf_reader *r, struct sf_assign ***tail)
{
    struct sf_assign *assign;
    size_t name, bracket, start = r->pos;
    size_t len = assignment_length(r, &name, &bracket);

    if (!len)
        return false;
    assign = sf_arena_alloc(r->arena, sizeof(*assign));
    assign->name = sf_arena_strndup(r->arena, r->text + r->pos, name);
    assign->adds = sf_reader_at(r, len - 2) == '+';
    if (bracket)
        read_element(r, assign, name, bracket);
    if (!sf_reader_failed(r)) {
        sf_reader_skip(r, start + len - r->pos);
        assign_value(r, assign);
    }
    **tail = assign;
    *tail = &assign->next;
    return true;
}

struct simple {
    struct sf_shell_command *cmd;
    struct sf_assign **assigns, **declared;
    struct sf_redirect **redirects;
    size_t from; /* its words on the stack */
};

static bool declares(const struct sf_word *first)
{
    static const char *const names[] = { "declare", "typeset", "local", "readonly", "export" };

    for (size_t i = 0; i < SF_COUNT(names); i++)
        if (!strcmp(first->text, names[i]))
            return true;
    return false;
}

/* `declare a=(…)`: the only place where a parenthesis may follow a word of a command. */
static void array_of_declaration(struct sf_reader *r, struct sf_word *word, struct simple *s)
{
    struct sf_assign *assign;

    if (sf_reader_at(r, 0) != '(' || r->count <= s->from || !declares(&r->words[s->from]) ||
        !word->len || word->text[word->len - 1] != '=')
        return;
    sf_reader_skip(r, 1);
    assign = sf_arena_alloc(r->arena, sizeof(*assign));
    assign->value.text = "";
    assign->name = sf_arena_strndup(r->arena, word->text, strcspn(word->text, "+=["));
    read_array(r, assign);
    word->flags |= SF_WORD_EXPANDS | SF_WORD_SPLITS;
    word->pieces = &sf_piece_unknown;
    word->npieces = 1;
    word->tail = 0;
    *s->declared = assign;
    s->declared = &assign->next;
}

static bool is_reserved(const struct sf_word *w)
{
    static const char *const words[] = { "if",       "then",   "elif",   "else", "fi",
                                         "while",    "until",  "do",     "done", "for",
                                         "case",     "esac",   "{",      "}",    "!",
                                         "function", "select", "coproc", "[[" };

    for (size_t i = 0; i < SF_COUNT(words); i++)
        if (!(w->flags & SF_WORD_QUOTED) && !strcmp(w->text, words[i]))
            return true;
    return false;
}

static bool at_word(const struct sf_reader *r)
{
    char c = sf_reader_at(r, 0);

    return !sf_is_meta(c) || ((c == '<' || c == '>') && sf_reader_at(r, 1) == '(');
}

/* name() { … }; the name was read as the first word. */
static bool is_function(struct sf_reader *r, const struct simple *s)
{
    size_t mark = r->pos;

    if (r->count != s->from + 1 || s->cmd->assigns || s->cmd->redirects)
        return false;
    sf_reader_blanks(r);
    if (sf_reader_eat(r, "(")) {
        sf_reader_blanks(r);
        if (sf_reader_eat(r, ")") && !(r->words[s->from].flags & ~(unsigned)SF_WORD_ODD)) {
            s->cmd->kind = SF_SHELL_FUNCTION;
            return true;
        }
        sf_reader_fail(r, "a parenthesis is out of place");
    }
    if (!sf_reader_failed(r))
        r->pos = mark;
    return false;
}

/* One redirection, assignment or word; false at the end of the command. */
static bool read_part(struct sf_reader *r, struct simple *s)
{
    struct sf_word word;

    sf_reader_blanks(r);
    if (sf_parse_redirect(r, &s->redirects))
        return !sf_reader_failed(r);
    if (r->count == s->from && read_assignment(r, &s->assigns))
        return !sf_reader_failed(r);
    if (r->count == s->from && sf_reader_at(r, sf_reader_name(r)) == '[' && sf_reader_name(r))
        return sf_reader_fail(r, "an array subscript cannot be read");
    if (!at_word(r) || !sf_word_read(r, SF_WORD_MODE_PLAIN, &word))
        return false;
    array_of_declaration(r, &word, s);
    sf_parse_push(r, &word);
    return !is_function(r, s);
}

static struct sf_shell_command *read_simple(struct sf_reader *r)
{
    struct simple s = { .from = r->count };

    s.cmd = sf_parse_add(r, SF_SHELL_SIMPLE, r->pos);
    s.assigns = &s.cmd->assigns;
    s.declared = &s.cmd->declared;
    s.redirects = &s.cmd->redirects;
    while (read_part(r, &s))
        ;
    if (r->count > s.from && is_reserved(&r->words[s.from]))
        sf_reader_fail(r, "a word of the shell's grammar is out of place");
    if (r->count == s.from && !s.cmd->assigns && !s.cmd->redirects)
        sf_reader_fail(r, "a command is missing");
    sf_parse_words(r, s.cmd, s.from);
    if (s.cmd->kind == SF_SHELL_FUNCTION) {
        sf_parse_function_body(r);
        s.cmd->body_end = (uint32_t)r->pos;
    }
    return s.cmd;
}

/* A simple command, or NULL behind a compound one. */
static struct sf_shell_command *read_command(struct sf_reader *r)
{
    struct sf_shell_command *cmd = NULL;

    if (!sf_reader_enter(r))
        return NULL;
    if (!sf_parse_compound(r)) {
        cmd = read_simple(r);
        if (cmd->kind != SF_SHELL_SIMPLE)
            cmd = NULL;
    }
    sf_reader_leave(r);
    return cmd;
}

/*
 * `time -p`, `!` and `coproc` stand before a pipeline; other options make `time` a program. True:
 * what the command does to the shell, or its success, is not what it seems.
 */
static bool skip_prefixes(struct sf_reader *r)
{
    bool turns = false;

    for (;;) {
        size_t mark = r->pos;

        sf_reader_blanks(r);
        if (sf_reader_eat_keyword(r, "!") || sf_reader_eat_keyword(r, "coproc")) {
            turns = true;
            continue;
        }
        if (!sf_reader_eat_keyword(r, "time"))
            return turns;
        sf_reader_blanks(r);
        if (sf_reader_eat_keyword(r, "-p") || sf_reader_eat_keyword(r, "--"))
            continue;
        if (sf_reader_at(r, 0) == '-' ||
            (sf_is_meta(sf_reader_at(r, 0)) && sf_reader_at(r, 0) != '(')) {
            r->pos = mark;
            sf_reader_blanks(r);
            return turns;
        }
    }
}

static bool eat_pipe(struct sf_reader *r)
{
    sf_reader_blanks(r);
    if (sf_reader_at(r, 0) != '|' || sf_reader_at(r, 1) == '|')
        return false;
    sf_reader_skip(r, sf_reader_at(r, 1) == '&' ? 2 : 1);
    sf_reader_newlines(r);
    return true;
}

/* What was read behind `last`, or from the beginning; not what is inside of compound commands. */
static void loosen(struct sf_reader *r, struct sf_shell_command *last)
{
    unsigned depth = 0;

    for (struct sf_shell_command *c = last ? last->next : r->out->first; c; c = c->next) {
        depth -= c->kind == SF_SHELL_CLOSE && depth;
        c->loose = c->loose || !depth;
        depth += c->kind == SF_SHELL_OPEN;
    }
}

static void read_pipeline(struct sf_reader *r)
{
    const struct sf_shell_command *before = NULL, *feed = r->feed;
    struct sf_shell_command *last = r->out->last;
    bool piped = r->piped, loose = false;

    do {
        struct sf_shell_command *cmd;

        loose = skip_prefixes(r) || loose;
        cmd = read_command(r);
        if (cmd)
            cmd->from = before;
        before = cmd;
        if (!eat_pipe(r))
            break;
        r->piped = loose = true;
        r->feed = before;
        r->join = SF_JOIN_PIPE;
    } while (!sf_reader_failed(r));
    r->piped = piped;
    r->feed = feed;
    sf_reader_blanks(r);
    if (loose || (sf_reader_at(r, 0) == '&' && sf_reader_at(r, 1) != '&'))
        loosen(r, last);
}

/* Whether a command may begin here; the words that close something cannot. */
static bool at_command(const struct sf_reader *r)
{
    static const char *const closing[] = { "then", "elif", "else", "fi", "do",
                                           "done", "esac", "}",    "in" };
    char c = sf_reader_at(r, 0);

    if (c == '\0' || c == ')' || c == ';' || c == '|' || (c == '&' && sf_reader_at(r, 1) != '>'))
        return false;
    for (size_t i = 0; i < SF_COUNT(closing); i++)
        if (sf_reader_keyword(r, closing[i]))
            return false;
    return true;
}

/* && and || demand another pipeline; ; & and newline allow one. */
static bool eat_separator(struct sf_reader *r)
{
    sf_reader_blanks(r);
    if (sf_reader_at(r, 0) == sf_reader_at(r, 1) &&
        (sf_reader_at(r, 0) == '&' || sf_reader_at(r, 0) == '|')) {
        r->join = sf_reader_at(r, 0) == '&' ? SF_JOIN_AND : SF_JOIN_OR;
        sf_reader_skip(r, 2);
        sf_reader_newlines(r);
        if (!at_command(r))
            sf_reader_fail(r, "a command is missing");
        return true;
    }
    r->join = SF_JOIN_THEN;
    if (sf_reader_at(r, 0) == ';' && strchr(";&", sf_reader_at(r, 1)) && sf_reader_at(r, 1))
        return false; /* the end of a case arm */
    if (sf_reader_eat(r, ";") || sf_reader_eat(r, "&"))
        return true;
    return sf_reader_at(r, 0) == '\n';
}

void sf_parse_list(struct sf_reader *r)
{
    do {
        sf_reader_newlines(r);
        if (!at_command(r))
            return;
        read_pipeline(r);
    } while (!sf_reader_failed(r) && eat_separator(r));
}

bool sf_shell_read(struct sf_shell *out, const char *text, size_t len, struct sf_arena *arena)
{
    struct sf_reader r = { .out = out, .arena = arena, .text = text, .end = len };

    *out = (struct sf_shell){ 0 };
    r.waiting_tail = &r.waiting;
    sf_strbuf_init(&r.text_stack);
    if (len > SF_SHELL_BYTES) {
        sf_reader_fail(&r, "it is too large");
    } else if (len && memchr(text, '\0', len)) {
        r.pos = (size_t)((const char *)memchr(text, '\0', len) - text);
        sf_reader_fail(&r, "it holds a zero byte");
    } else {
        sf_parse_list(&r);
        if (!out->problem && r.pos < r.end)
            sf_reader_fail(&r, "something stands where a command should");
        if (!out->problem && r.waiting)
            sf_reader_fail(&r, "a here-document has no end");
    }
    free(r.words);
    free(r.pieces);
    sf_strbuf_release(&r.text_stack);
    return !out->problem;
}
