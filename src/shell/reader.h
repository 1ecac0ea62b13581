/*
 * reader: the state the parts of the shell reader share. Private to shell_*.c.
 *
 * shell_lex.c    characters, blanks, comments, newlines with their here-documents
 * shell_word.c   words and quotes
 * shell_expand.c what begins with $ or a backtick
 * shell_parse.c  lists, pipelines, simple commands, redirections
 * shell_compound.c if, while, for, case, [[ ]], functions and groups
 *
 * A failure is final: sf_reader_fail remembers the first one and moves to the end of the text,
 * so every loop ends by itself.
 */
#ifndef SF_SHELL_READER_H
#define SF_SHELL_READER_H

#include "shell/syntax.h"

struct sf_reader {
    struct sf_shell *out;
    struct sf_arena *arena;
    const char *text; /* what is read now: the caller's, or a backtick's inside */
    size_t pos, end;
    size_t origin; /* where `text` stands in the caller's text */
    bool copied;   /* `text` is an unescaped copy: every byte of it stands at `origin` */
    unsigned depth;
    bool piped;
    const struct sf_shell_command *feed;
    enum sf_join join; /* of the command that is read next */
    bool outer_waits;  /* a here-document of an enclosing text is still to come */
    struct sf_redirect *waiting, **waiting_tail;
    struct sf_word *words; /* stack of the words of open commands */
    size_t count, cap;
    struct sf_strbuf text_stack; /* text of the open words */
    struct sf_piece *pieces;     /* stack of their expansions */
    size_t npieces, pieces_cap;
};

enum sf_word_mode {
    SF_WORD_MODE_PLAIN,
    SF_WORD_MODE_PATTERN, /* of case and [[ ==: extended globs are read */
    SF_WORD_MODE_REGEX,   /* of [[ =~: parentheses and bars belong to it */
};

/* shell_lex.c */
char sf_reader_at(const struct sf_reader *r, size_t ahead); /* NUL at the end */
void sf_reader_skip(struct sf_reader *r, size_t count);
bool sf_reader_fail(struct sf_reader *r, const char *problem);
bool sf_reader_failed(const struct sf_reader *r);
size_t sf_reader_place(const struct sf_reader *r, size_t pos);
bool sf_reader_enter(struct sf_reader *r); /* one level deeper; false: too deep */
void sf_reader_leave(struct sf_reader *r);
void sf_reader_trick(struct sf_reader *r, enum sf_shell_trick trick);
void sf_reader_blanks(struct sf_reader *r);   /* blanks, continuations, a comment */
void sf_reader_newlines(struct sf_reader *r); /* any number of them, with blanks */
bool sf_reader_eat(struct sf_reader *r, const char *text);
bool sf_reader_keyword(const struct sf_reader *r, const char *word);
bool sf_reader_eat_keyword(struct sf_reader *r, const char *word);
bool sf_is_meta(char c); /* ends an unquoted word; NUL does */
bool sf_is_name_start(char c);
bool sf_is_name(char c);
size_t sf_reader_name(const struct sf_reader *r); /* length of the name at the cursor */

/* shell_word.c */
struct sf_word_builder {
    size_t start, at; /* in text_stack; in the text */
    size_t head, behind;
    size_t pieces; /* where its own begin on the stack */
    bool crowded;  /* it has more than are kept */
    const char *lead;
    unsigned flags;
    unsigned brace; /* open braces, and whether a separator was seen: see shell_word.c */
    unsigned parens;
    bool bracket;
};

void sf_word_begin(struct sf_reader *r, struct sf_word_builder *w);
void sf_word_put(struct sf_reader *r, struct sf_word_builder *w, char c);
void sf_word_expands(struct sf_reader *r, struct sf_word_builder *w, unsigned flags);
void sf_word_piece(struct sf_reader *r, struct sf_word_builder *w, enum sf_piece_kind kind,
                   const char *name);
void sf_word_double(struct sf_reader *r, struct sf_word_builder *w); /* behind the opening " */
void sf_word_single(struct sf_reader *r, struct sf_word_builder *w); /* behind the opening ' */
void sf_word_ansi(struct sf_reader *r, struct sf_word_builder *w);   /* behind $' */
bool sf_word_read(struct sf_reader *r, enum sf_word_mode mode, struct sf_word *out);
void sf_word_finish(struct sf_reader *r, struct sf_word_builder *w, struct sf_word *out);

/* shell_expand.c; the cursor is at $, at the backtick, or at < and > */
void sf_expand_dollar(struct sf_reader *r, struct sf_word_builder *w, bool quoted);
void sf_expand_backtick(struct sf_reader *r, struct sf_word_builder *w, bool quoted);
void sf_expand_process(struct sf_reader *r, struct sf_word_builder *w);
/* Behind the ((, eats the )). The three parts of a `for ((` have semicolons between them. */
void sf_expand_arith(struct sf_reader *r, bool loop);
/* Behind the [ of `array`, eats the ]. */
void sf_expand_subscript(struct sf_reader *r, const char *array);
void sf_expand_body(struct sf_reader *r, const struct sf_redirect *body);

/* shell_parse.c */
void sf_parse_list(struct sf_reader *r); /* until something that cannot begin a command */
struct sf_shell_command *sf_parse_add(struct sf_reader *r, enum sf_shell_kind kind, size_t at);
void sf_parse_mark(struct sf_reader *r, enum sf_shell_kind kind, enum sf_nest nest);
void sf_parse_arith(struct sf_reader *r, const struct sf_word *expression, const char *array);
void sf_parse_words(struct sf_reader *r, struct sf_shell_command *cmd, size_t from);
void sf_parse_push(struct sf_reader *r, const struct sf_word *word);
bool sf_parse_redirect(struct sf_reader *r, struct sf_redirect ***tail);

/* shell_compound.c */
bool sf_parse_compound(struct sf_reader *r); /* false: none begins here */
void sf_parse_function_body(struct sf_reader *r);

#endif
