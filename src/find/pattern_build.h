/*
 * pattern_build: what the compiler of expressions (pattern.c) leaves for the matcher
 * (matcher.c). Private to the two, the only ones that know PCRE2.
 */
#ifndef SF_FIND_PATTERN_BUILD_H
#define SF_FIND_PATTERN_BUILD_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "find/literal.h"
#include "find/pattern.h"

enum sf_pattern_way {
    SF_WAY_PLAIN,  /* the literal is all there is to find */
    SF_WAY_CHOSEN, /* the lines with the literal, one by one */
    SF_WAY_BLOCKS, /* many lines at once */
    SF_WAY_LINES,  /* every line by itself */
    SF_WAY_WHOLE,  /* the whole text: multiline */
};

struct sf_pattern_code {
    pcre2_code *code; /* NULL: there is none */
    bool jit;
};

struct sf_pattern {
    enum sf_pattern_way way;
    struct sf_literal literal; /* its bytes are empty when of no use */
    struct sf_pattern_code unicode, ascii;
    bool multiline;
    uint32_t steps_max;
};

#endif
