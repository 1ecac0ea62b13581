/*
 * runner: the table of test runners. A row says how the lines of a runner look and what each of them
 * means; runner.c has what a few of them need besides. Within the room.
 *
 * The lines of one run make a block. A line that begins a run ends the block before it, and blocks
 * are added up; within a block the last summary counts, since a test may print one of its own.
 */
#ifndef SF_VERIFY_RUNNER_H
#define SF_VERIFY_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verify/pattern.h"

enum sf_line_means {
    SF_LINE_BEGINS,  /* A run begins. */
    SF_LINE_STARTS,  /* The same, but it need not have a summary, and many lines may say so. */
    SF_LINE_RESETS,  /* What was told so far in this block does not count. */
    SF_LINE_SUMS_UP, /* The summary, or the first line of it; with field a, of all so far. */
    SF_LINE_ADDS,    /* Another line of the summary. */
    SF_LINE_NOTES,   /* Numbers that are kept until the summary comes. */
    SF_LINE_COUNTS,  /* One of the field of the row. */
    SF_LINE_ENDS,    /* One part of the run, such as a package, ended: p, f, or n for no tests. */
    SF_LINE_CLOSES,  /* The summary is complete. */
    SF_LINE_EMPTY,   /* There was nothing to run. */
    SF_LINE_BREAKS,  /* The run broke: what it counts is incomplete. */
    SF_LINE_FAILS,   /* Something failed; how much is told elsewhere, or nowhere. */
    SF_LINE_UNTOLD,  /* Tests run, and nothing says how many. */
    SF_LINE_PASSES,  /* None of the above, although a row below would fit. */
};

struct sf_runner_line {
    const char *pattern;
    enum sf_line_means means;
    char field;
};

struct sf_run_block {
    struct sf_numbers sum;   /* The summary. */
    struct sf_numbers items; /* Lines about one test, and notes. */
    size_t first, from;      /* The lines of its first word, and of its beginning if `framed`. */
    int64_t ended[2];        /* Parts that passed, and that failed, without a number. */
    bool touched, framed, begun, summary, closed, empty, broken, failed, untold;
};

enum sf_runner_flag {
    SF_RUNNER_DERIVES = 1 << 0, /* Passed is what is left of the total. */
    SF_RUNNER_LOOSE = 1 << 1,   /* It counts only where no other runner told anything. */
    SF_RUNNER_FRAMED = 1 << 2,  /* Its lines count only between its beginning and its end. */
    SF_RUNNER_OUTER = 1 << 3,   /* It starts runners, and tells only of failures. */
    SF_RUNNER_SPARSE = 1 << 4,  /* It does not tell what was skipped, unless it does. */
};

struct sf_runner {
    const char *name;
    unsigned flags;
    const char *words; /* of its lists */
    void (*finish)(struct sf_run_block *block);
    const struct sf_runner_line *lines; /* The first that fits counts; the last has no pattern. */
};

extern const struct sf_runner sf_runners[];
extern const size_t sf_runner_count;

void sf_run_block_init(struct sf_run_block *block);

/* Whether the line belongs to another run than the block, which is then over. */
bool sf_run_block_is_over(const struct sf_run_block *block, const struct sf_runner_line *line,
                          const struct sf_numbers *told);

/* Takes what a line told into the block. */
void sf_run_block_take(struct sf_run_block *block, const struct sf_runner_line *line,
                       const struct sf_numbers *told, size_t at);

/* ---- what some runners need when a block is over ---- */

void sf_finish_ctest(struct sf_run_block *block);
void sf_finish_go(struct sf_run_block *block);
void sf_finish_go_json(struct sf_run_block *block);
void sf_finish_jest(struct sf_run_block *block);
void sf_finish_maven(struct sf_run_block *block);
void sf_finish_node(struct sf_run_block *block);
void sf_finish_prove(struct sf_run_block *block);
void sf_finish_quoted(struct sf_run_block *block);
void sf_finish_tap(struct sf_run_block *block);
void sf_finish_unittest(struct sf_run_block *block);

#endif
