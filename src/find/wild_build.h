/*
 * wild_build: the program of a wildcard pattern, as the compiler (wild.c) writes it and the
 * matcher (wild_match.c) runs it. Private to the two.
 */
#ifndef SF_FIND_WILD_BUILD_H
#define SF_FIND_WILD_BUILD_H

#include <stdint.h>

#include "find/wild.h"

/* An empty set never stands in a program; what a step consumes is at most one byte. */
enum sf_wild_op {
    SF_OP_BYTE,  /* this byte */
    SF_OP_ANY,   /* one byte but "/" */
    SF_OP_SET,   /* one byte of set `arg` */
    SF_OP_STAR,  /* stays on any byte but "/"; or goes on without one */
    SF_OP_TAIL,  /* stays on the continuation bytes of a character; or goes on */
    SF_OP_ALL,   /* stays on any byte; or goes on */
    SF_OP_DIRS,  /* stays on any byte; goes on behind a "/" */
    SF_OP_SPLIT, /* goes on, and at `arg` */
    SF_OP_JUMP,  /* goes on at `arg` */
    SF_OP_END,
};

enum { SF_WILD_STEPS_MAX = 2 * SF_WILD_LEN_MAX + 8 };

struct sf_wild_step {
    uint8_t op, byte;
    uint16_t arg;
};

/* How most patterns can be matched without running the program. */
enum sf_wild_shape {
    SF_SHAPE_PLAIN,  /* the text is `head` */
    SF_SHAPE_NAME,   /* "*.c": the text ends in `tail` and has no "/" before it */
    SF_SHAPE_ENDING, /* "**" "/" "*.c": the text ends in `tail` */
    SF_SHAPE_OTHER,  /* begins with `head`, ends with `tail`, and the program decides */
};

struct sf_wild {
    enum sf_wild_shape shape;
    char *head, *tail;
    size_t head_len, tail_len;
    struct sf_wild_step *steps;
    size_t count;
    unsigned char (*sets)[32];
};

#endif
