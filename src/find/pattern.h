/*
 * pattern: a search expression, compiled once by PCRE2 with its JIT compiler and shared by all
 * threads; a matcher is one thread's place to run it in.
 *
 * Without `multiline` an expression is matched against each line by itself, whatever it says about
 * white space, as grep does. Text is UTF-8, where \w and case are Unicode's; bytes that are not
 * UTF-8 match nothing and disturb nothing. "$" stands before "\n" only.
 *
 * How it is fast: bytes that every match must have are looked for first; pure ASCII is matched by
 * a second program that knows of nothing else; where a line's match cannot depend on other lines,
 * whole blocks of lines are matched at once.
 */
#ifndef SF_FIND_PATTERN_H
#define SF_FIND_PATTERN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_PATTERN_LEN_MAX = 16384,        /* bytes */
    SF_PATTERN_STEPS_MAX = 2000000,    /* of one attempt to match, unless said otherwise */
    SF_PATTERN_STACK_MAX = 1024 * 1024 /* bytes of a matcher's own stack */
};

struct sf_pattern_options {
    bool ignore_case;
    bool multiline;     /* "." matches line breaks, and a match may have several lines */
    bool word;          /* no word character directly before or behind the match */
    bool fixed;         /* the text stands for itself */
    uint32_t steps_max; /* 0: SF_PATTERN_STEPS_MAX */
};

struct sf_pattern;

/* NULL with PCRE2's own words and `err->column` when it is no expression. */
struct sf_pattern *sf_pattern_new(const char *text, size_t len,
                                  const struct sf_pattern_options *options, struct sf_error *err);
void sf_pattern_free(struct sf_pattern *pattern); /* NULL is welcome */
bool sf_pattern_is_multiline(const struct sf_pattern *pattern);

struct sf_matcher;

enum sf_match {
    SF_MATCH_NONE, /* also when cancelled */
    SF_MATCH_FOUND,
    SF_MATCH_FAILED, /* it takes too long, or too much memory: sf_matcher_problem */
};

/* Offsets in the text. The lines are all that the match touches, without the last "\n". */
struct sf_span {
    size_t from, to;
    size_t line_from, line_to;
};

/* The pattern must outlive it; `cancel` may be NULL. */
struct sf_matcher *sf_matcher_new(const struct sf_pattern *pattern, const atomic_bool *cancel);
void sf_matcher_free(struct sf_matcher *matcher); /* NULL is welcome */

/* The text to be searched from now on; borrowed. */
void sf_matcher_start(struct sf_matcher *matcher, const char *text, size_t len);

/* The first match from `at` on, which is the beginning of a line or the end of a match. */
enum sf_match sf_matcher_next(struct sf_matcher *matcher, size_t at, struct sf_span *span);

/* Why the last call failed; returns false. `path` goes into the message. */
bool sf_matcher_problem(const struct sf_matcher *matcher, const char *path, struct sf_error *err);

#endif
