/*
 * compound.c: groups, loops, conditions and functions. Each reads its parts with the same
 * list reader and keeps only what a judge needs: the commands inside, the words of `for`, `case`
 * and [[ ]], and the redirections behind the closing word.
 */
#include <string.h>

#include "shell/reader.h"

static bool expect(struct sf_reader *r, const char *keyword)
{
    sf_reader_newlines(r);
    if (sf_reader_eat_keyword(r, keyword))
        return true;
    return sf_reader_fail(r, "a compound command is not complete");
}

/* A list that must hold at least one command. */
static void read_body(struct sf_reader *r)
{
    size_t before = r->out->count;

    sf_parse_list(r);
    if (r->out->count == before)
        sf_reader_fail(r, "a compound command is empty");
}

/* Gets to the next branch: the one behind a condition that held, or another one. */
static void turn(struct sf_reader *r, enum sf_join join)
{
    r->join = join;
    sf_parse_mark(r, SF_SHELL_TURN, SF_NEST_BRANCH);
}

static void read_if(struct sf_reader *r)
{
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_BRANCH);
    for (;;) {
        read_body(r);
        expect(r, "then");
        turn(r, SF_JOIN_AND);
        read_body(r);
        sf_reader_newlines(r);
        turn(r, SF_JOIN_OR);
        if (!sf_reader_eat_keyword(r, "elif") || sf_reader_failed(r))
            break;
    }
    if (sf_reader_eat_keyword(r, "else"))
        read_body(r);
    expect(r, "fi");
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_BRANCH);
}

static void read_do(struct sf_reader *r)
{
    expect(r, "do");
    read_body(r);
    expect(r, "done");
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_LOOP);
}

static void read_while(struct sf_reader *r)
{
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_LOOP);
    read_body(r);
    read_do(r);
}

static bool read_arith(struct sf_reader *r, bool loop)
{
    if (!sf_reader_eat(r, "(("))
        return false;
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_GROUP);
    sf_expand_arith(r, loop);
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_GROUP);
    return true;
}

static void read_values(struct sf_reader *r)
{
    struct sf_word word;

    for (sf_reader_blanks(r); !sf_is_meta(sf_reader_at(r, 0)); sf_reader_blanks(r)) {
        if (!sf_word_read(r, SF_WORD_MODE_PLAIN, &word))
            return;
        sf_parse_push(r, &word);
    }
}

/* for and select: NAME [in words] ; do … done */
static void read_for(struct sf_reader *r)
{
    size_t from = r->count, at = r->pos;
    struct sf_word word;

    sf_reader_blanks(r);
    if (!read_arith(r, true)) {
        struct sf_shell_command *cmd = sf_parse_add(r, SF_SHELL_FOR, at);

        if (!sf_reader_name(r))
            sf_reader_fail(r, "a loop has no variable");
        if (!sf_word_read(r, SF_WORD_MODE_PLAIN, &word))
            return;
        sf_parse_push(r, &word);
        sf_reader_newlines(r);
        if (sf_reader_eat_keyword(r, "in"))
            read_values(r);
        sf_parse_words(r, cmd, from);
    }
    sf_reader_blanks(r);
    sf_reader_eat(r, ";");
    r->join = SF_JOIN_SAME;
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_LOOP);
    read_do(r);
}

static void read_patterns(struct sf_reader *r)
{
    struct sf_word word;

    sf_reader_eat(r, "(");
    do {
        sf_reader_blanks(r);
        if (!sf_word_read(r, SF_WORD_MODE_PATTERN, &word))
            return;
        sf_reader_blanks(r);
    } while (sf_reader_eat(r, "|"));
    if (!sf_reader_eat(r, ")"))
        sf_reader_fail(r, "a case pattern is not closed");
}

/* Adds a command whose only word comes next; NULL: it cannot be read. */
static struct sf_shell_command *add_with_word(struct sf_reader *r, enum sf_shell_kind kind)
{
    struct sf_shell_command *cmd = sf_parse_add(r, kind, r->pos);
    size_t from = r->count;
    struct sf_word word;

    sf_reader_blanks(r);
    if (!sf_word_read(r, SF_WORD_MODE_PLAIN, &word))
        return NULL;
    sf_parse_push(r, &word);
    sf_parse_words(r, cmd, from);
    return cmd;
}

static void read_case(struct sf_reader *r)
{
    if (!add_with_word(r, SF_SHELL_CASE))
        return;
    expect(r, "in");
    r->join = SF_JOIN_SAME;
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_BRANCH);
    for (;;) {
        sf_reader_newlines(r);
        if (sf_reader_failed(r) || sf_reader_eat_keyword(r, "esac"))
            break;
        read_patterns(r);
        sf_parse_list(r);
        turn(r, SF_JOIN_THEN);
        sf_reader_newlines(r);
        if (!sf_reader_eat(r, ";;&") && !sf_reader_eat(r, ";;") && !sf_reader_eat(r, ";&")) {
            expect(r, "esac");
            break;
        }
    }
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_BRANCH);
}

/* How the word behind an operator of [[ ]] is to be read. */
static enum sf_word_mode mode_behind(const struct sf_word *w)
{
    if (!strcmp(w->text, "=~"))
        return SF_WORD_MODE_REGEX;
    if (!strcmp(w->text, "==") || !strcmp(w->text, "=") || !strcmp(w->text, "!="))
        return SF_WORD_MODE_PATTERN;
    return SF_WORD_MODE_PLAIN;
}

static bool eat_test_sign(struct sf_reader *r)
{
    static const char *const signs[] = { "&&", "||", "(", ")", "<", ">" };

    for (size_t i = 0; i < SF_COUNT(signs); i++)
        if (sf_reader_eat(r, signs[i]))
            return true;
    return false;
}

static void read_test(struct sf_reader *r)
{
    struct sf_shell_command *cmd = sf_parse_add(r, SF_SHELL_TEST, r->pos);
    enum sf_word_mode mode = SF_WORD_MODE_PLAIN;
    size_t from = r->count;
    struct sf_word word;

    for (;;) {
        sf_reader_newlines(r);
        if (sf_reader_failed(r) || sf_reader_eat_keyword(r, "]]"))
            break;
        if (mode == SF_WORD_MODE_PLAIN && eat_test_sign(r))
            continue;
        if (!sf_word_read(r, mode, &word))
            break;
        mode = word.flags & SF_WORD_QUOTED ? SF_WORD_MODE_PLAIN : mode_behind(&word);
        sf_parse_push(r, &word);
    }
    sf_parse_words(r, cmd, from);
}

static void read_group(struct sf_reader *r)
{
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_GROUP);
    read_body(r);
    expect(r, "}");
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_GROUP);
}

static void read_redirects(struct sf_reader *r)
{
    struct sf_shell_command *cmd = NULL;
    struct sf_redirect *first = NULL, **tail = &first;
    size_t at = r->pos;

    sf_reader_blanks(r);
    while (!sf_reader_failed(r) && sf_parse_redirect(r, &tail))
        sf_reader_blanks(r);
    if (first) {
        cmd = sf_parse_add(r, SF_SHELL_GROUP, at);
        cmd->redirects = first;
        sf_parse_words(r, cmd, r->count);
    }
}

void sf_parse_function_body(struct sf_reader *r)
{
    sf_reader_newlines(r);
    r->join = SF_JOIN_SAME;
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_FUNCTION);
    if (!sf_parse_compound(r))
        sf_reader_fail(r, "a function has no body");
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_FUNCTION);
}

static void read_function(struct sf_reader *r)
{
    struct sf_shell_command *cmd = add_with_word(r, SF_SHELL_FUNCTION);

    if (!cmd)
        return;
    sf_reader_blanks(r);
    if (sf_reader_eat(r, "(")) {
        sf_reader_blanks(r);
        if (!sf_reader_eat(r, ")"))
            sf_reader_fail(r, "a function cannot be read");
    }
    if (sf_reader_enter(r)) {
        sf_parse_function_body(r);
        cmd->body_end = (uint32_t)r->pos;
        sf_reader_leave(r);
    }
}

static void read_subshell(struct sf_reader *r)
{
    sf_parse_mark(r, SF_SHELL_OPEN, SF_NEST_SUBSHELL);
    read_body(r);
    sf_reader_newlines(r);
    if (!sf_reader_eat(r, ")"))
        sf_reader_fail(r, "a parenthesis is not closed");
    sf_parse_mark(r, SF_SHELL_CLOSE, SF_NEST_SUBSHELL);
}

bool sf_parse_compound(struct sf_reader *r)
{
    static const struct {
        const char *keyword;
        void (*read)(struct sf_reader *r);
    } kinds[] = {
        { "if", read_if },   { "while", read_while }, { "until", read_while },
        { "for", read_for }, { "select", read_for },  { "case", read_case },
        { "[[", read_test }, { "{", read_group },
    };

    if (sf_reader_eat_keyword(r, "function")) {
        read_function(r); /* its body reads the redirections */
        return true;
    }
    if (sf_reader_at(r, 0) == '(') {
        if (!read_arith(r, false) && sf_reader_eat(r, "("))
            read_subshell(r);
        read_redirects(r);
        return true;
    }
    for (size_t i = 0; i < SF_COUNT(kinds); i++) {
        if (sf_reader_eat_keyword(r, kinds[i].keyword)) {
            kinds[i].read(r);
            read_redirects(r);
            return true;
        }
    }
    return false;
}
