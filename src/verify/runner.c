/*
 * runner.c: what a line does to the block it stands in, and what some runners leave to be worked out
 * when the block is over: tests that are in the total and did not run, plans that were not kept,
 * packages that failed without a failed test.
 */
#include "verify/runner.h"

static int64_t get(const struct sf_numbers *numbers, enum sf_tally_field field)
{
    return sf_numbers_get(numbers, field);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void sf_run_block_init(struct sf_run_block *block)
{
    *block = (struct sf_run_block){ .sum = SF_NUMBERS_INIT, .items = SF_NUMBERS_INIT };
}

static int64_t results(const struct sf_run_block *block)
{
    return get(&block->items, SF_TALLY_PASSED) + get(&block->items, SF_TALLY_FAILED) +
           get(&block->items, SF_TALLY_SKIPPED);
}

/* A stream of TAP has one plan, at either end; the next one begins with its plan or with test 1. */
static bool is_next_stream(const struct sf_run_block *block, const struct sf_numbers *told)
{
    const int64_t plan = block->items.n[SF_TALLY_PLAN];

    if (plan < 0)
        return false;
    return told->n[SF_TALLY_PLAN] >= 0 || (told->n[SF_TALLY_OTHER] == 1 && results(block) >= plan);
}

/*
 * A second summary takes the place of the first, which a test may have printed. Where nothing says
 * that another run began in between, one that told of failures stands.
 */
bool sf_run_block_is_over(const struct sf_run_block *block, const struct sf_runner_line *line,
                          const struct sf_numbers *told)
{
    switch (line->means) {
    case SF_LINE_BEGINS:
        return true;
    case SF_LINE_SUMS_UP:
        return line->field != 'a' && block->summary && !block->begun &&
               get(&block->sum, SF_TALLY_FAILED) > 0;
    case SF_LINE_NOTES:
    case SF_LINE_COUNTS:
        return is_next_stream(block, told);
    case SF_LINE_STARTS:
    case SF_LINE_RESETS:
    case SF_LINE_ADDS:
    case SF_LINE_ENDS:
    case SF_LINE_CLOSES:
    case SF_LINE_EMPTY:
    case SF_LINE_BREAKS:
    case SF_LINE_FAILS:
    case SF_LINE_UNTOLD:
    case SF_LINE_PASSES:
        break;
    }
    return false;
}

static void add(struct sf_numbers *numbers, const struct sf_numbers *told)
{
    for (size_t i = 0; i < SF_TALLY_COUNT; i++)
        if (told->n[i] >= 0)
            sf_numbers_add(numbers, (enum sf_tally_field)i, told->n[i]);
}

static void sum_up(struct sf_run_block *block, const struct sf_numbers *told)
{
    block->sum = *told;
    block->summary = true;
    block->closed = false;
}

static void begin(struct sf_run_block *block, size_t at)
{
    if (!block->framed)
        block->from = at;
    block->framed = true;
}

static void end_part(struct sf_run_block *block, char field)
{
    if (field == 'n')
        sf_numbers_add(&block->items, SF_TALLY_EMPTY, 1);
    else
        block->ended[field == 'f']++;
    block->summary = true;
}

void sf_run_block_take(struct sf_run_block *block, const struct sf_runner_line *line,
                       const struct sf_numbers *told, size_t at)
{
    if (!block->touched)
        block->first = at;
    block->touched = true;
    switch (line->means) {
    case SF_LINE_BEGINS:
        block->begun = true;
        begin(block, at);
        break;
    case SF_LINE_STARTS:
        begin(block, at);
        break;
    case SF_LINE_RESETS:
        block->sum = (struct sf_numbers)SF_NUMBERS_INIT;
        block->summary = false;
        break;
    case SF_LINE_SUMS_UP:
        sum_up(block, told);
        break;
    case SF_LINE_ADDS:
        add(&block->sum, told);
        block->summary = true;
        break;
    case SF_LINE_NOTES:
        add(&block->items, told);
        break;
    case SF_LINE_COUNTS:
        sf_numbers_add(&block->items, sf_tally_field_of(line->field), 1);
        break;
    case SF_LINE_ENDS:
        end_part(block, line->field);
        break;
    case SF_LINE_CLOSES:
        if (block->summary)
            add(&block->sum, told);
        block->closed = block->summary;
        break;
    case SF_LINE_EMPTY:
        block->empty = true;
        break;
    case SF_LINE_BREAKS:
        block->broken = true;
        break;
    case SF_LINE_FAILS:
        block->failed = true;
        break;
    case SF_LINE_UNTOLD:
        block->untold = true;
        break;
    case SF_LINE_PASSES:
        break;
    }
}

/* ---- what some runners need ---- */

/* The total has the skipped tests, but not the disabled ones; both are listed a second time. */
void sf_finish_ctest(struct sf_run_block *block)
{
    const int64_t skipped =
        larger(get(&block->items, SF_TALLY_SKIPPED), get(&block->items, SF_TALLY_EMPTY));
    const int64_t off =
        larger(get(&block->items, SF_TALLY_WRONG), get(&block->items, SF_TALLY_RAN));

    block->items.n[SF_TALLY_EMPTY] = block->items.n[SF_TALLY_RAN] = -1;
    block->items.n[SF_TALLY_WRONG] = -1;
    block->items.n[SF_TALLY_SKIPPED] = skipped + off;
    if (!block->summary)
        return;
    block->sum.n[SF_TALLY_PASSED] =
        get(&block->sum, SF_TALLY_TOTAL) - get(&block->sum, SF_TALLY_FAILED) - skipped;
    block->sum.n[SF_TALLY_SKIPPED] = skipped + off;
}

/* Takes the lines of single tests in place of a summary, which there is none of. */
static void sum_items(struct sf_run_block *block)
{
    block->sum = block->items;
    for (size_t i = SF_TALLY_PASSED; i <= SF_TALLY_SKIPPED; i++)
        block->sum.n[i] = get(&block->items, (enum sf_tally_field)i);
}

/* Without a failed test a package has broken. Only -v tells what passed and what was skipped. */
void sf_finish_go(struct sf_run_block *block)
{
    const bool verbose =
        block->items.n[SF_TALLY_PASSED] >= 0 || block->items.n[SF_TALLY_SKIPPED] >= 0;

    const bool died = !get(&block->items, SF_TALLY_FAILED) || get(&block->items, SF_TALLY_BROKEN);

    block->items.n[SF_TALLY_BROKEN] = -1;
    block->broken = block->broken || (block->ended[1] && died);
    block->empty = block->empty || (get(&block->items, SF_TALLY_EMPTY) && !block->ended[0] &&
                                    !block->ended[1] && !results(block));
    block->begun = block->begun || results(block);
    if (!block->summary)
        return;
    sum_items(block);
    if (verbose || block->empty)
        block->ended[0] = 0;
    else
        block->sum.n[SF_TALLY_PASSED] = block->sum.n[SF_TALLY_SKIPPED] = -1;
}

/* Every test is told, so a package without one has none. */
void sf_finish_go_json(struct sf_run_block *block)
{
    if (block->summary)
        sf_numbers_add(&block->items, SF_TALLY_PASSED, 0);
    sf_finish_go(block);
    block->empty = block->empty || (block->summary && !results(block) && !block->ended[1]);
}

/* A suite that fails without a failed test broke, unless all that it lacks is a test. */
void sf_finish_jest(struct sf_run_block *block)
{
    const int64_t empty = get(&block->items, SF_TALLY_EMPTY);

    if (!get(&block->sum, SF_TALLY_FAILED) && get(&block->items, SF_TALLY_RAN) > empty)
        block->broken = true;
    block->items.n[SF_TALLY_RAN] = -1;
}

/* Surefire says nothing at all where there is no test. */
void sf_finish_maven(struct sf_run_block *block)
{
    if (block->begun && !block->summary && !results(block) && block->items.n[SF_TALLY_TOTAL] < 0 &&
        !block->broken && !block->failed)
        block->empty = true;
    if (block->summary || block->items.n[SF_TALLY_TOTAL] < 0)
        return;
    block->items.n[SF_TALLY_PASSED] = get(&block->items, SF_TALLY_TOTAL) -
                                      get(&block->items, SF_TALLY_FAILED) -
                                      get(&block->items, SF_TALLY_SKIPPED);
}

/* A suite may have the name of a file; its line at the end has one at the beginning. */
void sf_finish_node(struct sf_run_block *block)
{
    const int64_t suites = get(&block->items, SF_TALLY_RAN);

    block->items.n[SF_TALLY_WRONG] = larger(get(&block->items, SF_TALLY_WRONG) - suites, 0);
    block->items.n[SF_TALLY_RAN] = -1;
}

/* The report names the failures of each file; without one a failed run broke. */
void sf_finish_prove(struct sf_run_block *block)
{
    const int64_t failed = get(&block->items, SF_TALLY_FAILED);

    if (!block->summary)
        return;
    block->broken = block->broken || (block->failed && !failed);
    block->sum.n[SF_TALLY_FAILED] = failed;
    block->sum.n[SF_TALLY_PASSED] = larger(get(&block->sum, SF_TALLY_TOTAL) - failed, 0);
    if (!block->closed && !block->failed) {
        block->begun = true;
        block->summary = false;
    }
}

/* Lines of single tests count where no summary does: the words are quoted in many other places. */
void sf_finish_quoted(struct sf_run_block *block)
{
    block->summary = block->summary || results(block);
    if (block->sum.n[SF_TALLY_PASSED] < 0 && block->sum.n[SF_TALLY_TOTAL] < 0 && results(block))
        sum_items(block);
}

/* Fewer results than were planned: it died on the way, and so it did without any plan. */
void sf_finish_tap(struct sf_run_block *block)
{
    const int64_t plan = block->items.n[SF_TALLY_PLAN];

    if (block->items.n[SF_TALLY_BROKEN] > 0) {
        sf_numbers_add(&block->items, SF_TALLY_FAILED, block->items.n[SF_TALLY_BROKEN]);
        block->broken = true;
    }
    block->begun = block->begun || plan >= 0 || results(block);
    block->items.n[SF_TALLY_OTHER] = block->items.n[SF_TALLY_PLAN] = -1;
    if (plan < 0 || results(block) < plan)
        return;
    block->empty = block->empty || !results(block);
    block->summary = true;
    sum_items(block);
}

/* The number of tests alone says nothing about how they ended. */
void sf_finish_unittest(struct sf_run_block *block)
{
    if (!block->summary || block->closed || get(&block->sum, SF_TALLY_FAILED))
        return;
    block->begun = !block->failed;
    block->summary = false;
}
