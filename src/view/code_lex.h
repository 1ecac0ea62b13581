/*
 * code_lex: one line of code into pieces with looks. A lexer holds what carries over from line to
 * line (an open comment, an open string); the language says what those look like. Internal to the
 * room: code.h is what the others use.
 */
#ifndef SF_VIEW_CODE_LEX_H
#define SF_VIEW_CODE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/code.h"
#include "view/look.h"

enum {
    SF_QUOTE_ESCAPES = 1, /* a backslash takes the next character with it */
    SF_QUOTE_LINES = 2,   /* goes on over the end of the line */
    SF_QUOTE_CHAR = 4,    /* one character only, so that a lone quote means something else */
};

/* Tried in order, so longer openings stand first. The row behind the last has no `open`. */
struct sf_quote {
    const char *open, *close;
    unsigned flags; /* SF_QUOTE_ESCAPES and its like */
};

enum {
    SF_LANGUAGE_NESTS = 1 << 0,     /* block comments hold block comments */
    SF_LANGUAGE_FOLDS = 1 << 1,     /* words in any case */
    SF_LANGUAGE_HASHES = 1 << 2,    /* a line that begins with # is for the preprocessor */
    SF_LANGUAGE_CALLS = 1 << 3,     /* a word before ( is a function */
    SF_LANGUAGE_CAPITALS = 1 << 4,  /* a word like This is a type */
    SF_LANGUAGE_VARIABLES = 1 << 5, /* $NAME, ${NAME}, $(NAME) */
    SF_LANGUAGE_MARKS = 1 << 6,     /* @word before a declaration */
    SF_LANGUAGE_KEYS = 1 << 7,     /* a word or string before : or = at the line's start is a key */
    SF_LANGUAGE_SECTIONS = 1 << 8, /* a line that begins with [ is a section */
    SF_LANGUAGE_TAGS = 1 << 9,     /* <name attribute="…">: strings only in there */
    SF_LANGUAGE_BANGS = 1 << 10,   /* word! is a macro */
    SF_LANGUAGE_SPACED = 1 << 11,  /* a comment begins behind a space only */
    SF_LANGUAGE_DIFF = 1 << 12,    /* looks by the line's first character */
};

/* Lists are words with one space between; what a language has not is NULL. */
struct sf_language {
    const char *names;         /* after a fence */
    const char *files;         /* endings with their dot, and whole names */
    const char *line_comments; /* what begins them */
    const char *block_open, *block_close;
    const struct sf_quote *quotes;
    const char *word_extra; /* characters of words beside letters, digits and _ */
    const char *keywords, *types, *constants;
    unsigned flags; /* SF_LANGUAGE_NESTS and its like */
};

extern const struct sf_language sf_languages[];
extern const size_t sf_language_count;

enum { SF_LEX_SLOTS = 512 }; /* more than twice the words of any language */

struct sf_lex_word {
    const char *text;
    uint8_t len, role;
};

struct sf_lexer {
    const struct sf_language *language;
    struct sf_lex_state state;
    uint8_t classes[256];
    struct sf_lex_word words[SF_LEX_SLOTS];
};

typedef void sf_lex_fn(void *ctx, const char *text, size_t len, struct sf_look look);

void sf_lexer_init(struct sf_lexer *lexer, const struct sf_language *language); /* may be NULL */

/* Calls `emit` for every piece of the line, in order; together they are the line. */
void sf_lexer_line(struct sf_lexer *lexer, const char *line, size_t len, sf_lex_fn *emit,
                   void *ctx);

/* What stands in front of the lines of code; `first`, unless NULL, in front of the first one. */
struct sf_code_lead {
    const char *first, *lead;
    struct sf_look first_look, look;
    bool panel;                       /* on a ground of its own, where the page is wide enough */
    const char *label;                /* the language, above it on the panel; NULL or "": none */
    const struct sf_lex_state *state; /* of code that goes on; NULL: it begins here */
};

/* Appends the lines of the code to the page; `language` may be NULL. */
void sf_code_lay(struct sf_page *page, const char *text, size_t len,
                 const struct sf_language *language, const struct sf_code_lead *lead);

#endif
