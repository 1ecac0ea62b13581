/*
 * syntax: reads a command text the way sh and bash would, without running any of it. The result
 * is flat: every simple command the text can reach, wherever it hides (lists, pipelines,
 * substitutions, loop and function bodies), each with its words, assignments and redirections.
 * Nothing is expanded; a word that holds an expansion is partly unknown and says so. Marks in
 * the list say where compound commands and substitutions begin and end.
 *
 * Strict: what is not surely understood makes the whole text unreadable, with reason and place.
 * Everything is taken from the caller's arena and borrows from the text; both must outlive it.
 */
#ifndef SF_SHELL_SYNTAX_H
#define SF_SHELL_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_SHELL_BYTES = 256 * 1024,  /* longest text that is read */
    SF_SHELL_DEPTH = 48,          /* nesting of substitutions, groups and loops */
    SF_SHELL_COMMANDS = 2048,     /* simple commands in one text */
    SF_SHELL_PIECES = 32,         /* expansions of one word that are told apart */
    SF_SHELL_WORDS = 4096,        /* words of the commands that are open at one time */
    SF_SHELL_MEMORY = 600 * 1000, /* what the arena may hold before reading stops */
};

enum sf_word_flag {
    SF_WORD_EXPANDS = 1 << 0, /* some of it is only known when the command runs */
    SF_WORD_SPLITS = 1 << 1,  /* and unquoted, so that it may become several words, or none */
    SF_WORD_SUBST = 1 << 2,   /* the unknown part is the output of a command */
    SF_WORD_PROCESS = 1 << 3, /* <( ) or >( ): the name of a pipe */
    SF_WORD_GLOB = 1 << 4,    /* unquoted * ? or [ ] */
    SF_WORD_BRACE = 1 << 5,   /* {a,b} or {1..9}: several words; counts as EXPANDS too */
    SF_WORD_TILDE = 1 << 6,   /* begins with an unquoted ~ */
    SF_WORD_QUOTED = 1 << 7,  /* some quoting was removed */
    SF_WORD_ODD = 1 << 8,     /* an unquoted control character or one outside ASCII */
    SF_WORD_STANDS = 1 << 9,  /* digits in it stand for others; set where values are put in */
    SF_WORD_ANY = 1 << 10,    /* it may be any option; the same */
    SF_WORD_ONE = 1 << 11,    /* of a pattern: it is one of the names that match; the same */
};

/* What an expansion puts into a word, as far as its spelling tells. */
enum sf_piece_kind {
    SF_PIECE_VALUE,   /* $x and ${x}: the value of a variable */
    SF_PIECE_SHRUNK,  /* ${x%…} ${x^} ${x,}: its beginning, perhaps in other letters */
    SF_PIECE_STEM,    /* ${x%.…} ${x%/…}: its beginning, and what it begins with stays */
    SF_PIECE_LAST,    /* ${x##…} up to the last slash: what stands behind it */
    SF_PIECE_INDEX,   /* ${!x[@]}: numbers, unless the array is associative */
    SF_PIECE_NUMBER,  /* digits: $? $# $$ ${#x} $((…)) */
    SF_PIECE_OUTPUT,  /* $(…) and backticks */
    SF_PIECE_UNKNOWN, /* anything else */
};

struct sf_piece {
    const char *name; /* of the variable or parameter, of the first five kinds; else NULL */
    enum sf_piece_kind kind;
    uint32_t at; /* bytes of the word's text in front of it */
};

extern const struct sf_piece sf_piece_unknown;

/*
 * `text` is what is known after quote removal, expansions left out; NUL-terminated, no NUL
 * inside. Of a word that expands, the first `head` bytes stand before the first expansion and
 * the last `tail` bytes behind the last one; else head is len. Braces stay in the text.
 */
struct sf_word {
    const char *text;
    const char *lead; /* the variable it begins with ("HOME" of "$HOME/x"), or NULL */
    uint32_t len, head, tail;
    uint32_t at, span; /* place in the text that was read */
    unsigned flags;
    const struct sf_piece *pieces; /* its expansions, in order; braces are none */
    uint32_t npieces;
};

enum sf_redirect_op {
    SF_REDIRECT_READ,      /* < */
    SF_REDIRECT_WRITE,     /* > and >| */
    SF_REDIRECT_APPEND,    /* >> */
    SF_REDIRECT_BOTH,      /* &> and >& file */
    SF_REDIRECT_READWRITE, /* <> */
    SF_REDIRECT_DUP,       /* n>&m, n<&m, n>&- */
    SF_REDIRECT_TEXT,      /* << and <<-: the body is `body` */
    SF_REDIRECT_STRING,    /* <<< */
};

struct sf_redirect {
    struct sf_redirect *next;
    struct sf_redirect *waits_next; /* the reader's own: here-documents of the same line */
    enum sf_redirect_op op;
    int fd;           /* -1: the operator's own; -2: {name} */
    const char *name; /* of {name}: the variable that gets the descriptor; else NULL */
    bool expands, strips;
    struct sf_word target; /* of TEXT: the delimiter */
    const char *body;
    size_t body_len;
};

struct sf_assign {
    struct sf_assign *next;
    const char *name;
    struct sf_word value;        /* of an array: its first element, and expands */
    const struct sf_word *items; /* of an array: its elements */
    size_t nitems;
    bool adds;  /* += */
    bool array; /* of elements: all of them, or one */
};

enum sf_shell_kind {
    SF_SHELL_SIMPLE,
    SF_SHELL_FOR,      /* for and select: word 0 is the variable, the rest its values */
    SF_SHELL_CASE,     /* the word and the patterns */
    SF_SHELL_TEST,     /* the words of [[ ]] */
    SF_SHELL_FUNCTION, /* word 0 is its name; the body follows as commands */
    SF_SHELL_GROUP,    /* carries the redirections of a compound command */
    SF_SHELL_ARITH,    /* word 0 is an expression that the command before it evaluates */
    SF_SHELL_OPEN,     /* a compound command or substitution begins */
    SF_SHELL_TURN,     /* its next branch begins */
    SF_SHELL_CLOSE,    /* it ends; see sf_nest */
};

/* What a compound command means for the directory and the variables behind it. */
enum sf_nest {
    SF_NEST_GROUP,    /* { }: nothing */
    SF_NEST_SUBSHELL, /* ( ): neither outlives it */
    SF_NEST_OUTPUT,   /* $( ) and the like: the same, and it runs before its command */
    SF_NEST_BRANCH,   /* if and case: some of it runs */
    SF_NEST_LOOP,     /* for, while, until: it runs any number of times */
    SF_NEST_FUNCTION, /* it runs from anywhere */
};

/* How a command follows the one before it. */
enum sf_join {
    SF_JOIN_THEN, /* in any case: ; & newline, or it is the first */
    SF_JOIN_AND,
    SF_JOIN_OR,
    SF_JOIN_PIPE,
    SF_JOIN_SAME, /* it belongs to it: the body of a loop, the arms of a case */
};

struct sf_shell_command {
    struct sf_shell_command *next;
    const struct sf_shell_command *from; /* the simple command whose output it reads, if just one */
    const struct sf_shell_command *feed; /* the one that feeds the compound command it is in */
    struct sf_word *words;
    struct sf_assign *assigns;
    struct sf_assign *declared; /* arrays behind declare and its kin, which are words as well */
    struct sf_redirect *redirects;
    size_t count;
    enum sf_shell_kind kind;
    enum sf_nest nest; /* of OPEN, TURN and CLOSE */
    enum sf_join join;
    bool piped; /* its input is some pipe */
    bool loose; /* in a pipeline, behind !, before &: what it does to the shell may not last */
    uint32_t at, span;
    uint32_t body_end; /* of FUNCTION: where its body ends */
    const char *array; /* of ARITH: the array whose subscript it is, or NULL */
};

/* Things inside words that can hide or assemble commands; each remembered once. */
enum sf_shell_trick {
    SF_TRICK_PROMPT,   /* ${x@P} */
    SF_TRICK_INDIRECT, /* ${!x} */
    SF_TRICK_ASSIGN,   /* ${x:=text} with text that is plain */
    SF_TRICK_ASSEMBLE, /* ${x:=text} with an expansion, a quote or a backslash inside */
    SF_TRICK_COUNT,
};

struct sf_shell {
    struct sf_shell_command *first, *last;
    size_t count;        /* without those that only mark a scope */
    const char *problem; /* NULL: the text was read; static text otherwise */
    size_t problem_at;
    unsigned tricks; /* bits 1 << enum sf_shell_trick */
    size_t trick_at[SF_TRICK_COUNT], trick_len[SF_TRICK_COUNT];
    size_t steps; /* bytes looked at, for tests of linear time */
};

/* False: unreadable, see `problem`. Commands found so far stay listed. */
bool sf_shell_read(struct sf_shell *out, const char *text, size_t len, struct sf_arena *arena);

#endif
