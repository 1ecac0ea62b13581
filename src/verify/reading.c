/*
 * reading.c: one pass over the lines of an output. Each line is shown to every runner of the table;
 * what they tell is added up at the end and weighed against the exit code. A runner that frames a
 * run speaks for the runners in between: the tests of ctest print summaries of their own.
 */
#include "verify/reading.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "verify/line.h"
#include "verify/runner.h"

enum { RUNNERS_MAX = 96, CHUNK = 64 * 1024, TIMED_OUT = 124, NOT_EXECUTABLE = 126, SIGNAL = 128 };
enum { UNCAUGHT = 255 }; /* how Perl and PHP end by an error that nothing catches */

const char *const sf_tests_verdicts[] = { "pass", "fail", "none", "broken", "unknown", NULL };

/* What one runner told, or all of them. */
struct told {
    int64_t passed, failed, skipped;
    int64_t parts; /* that passed, without a number */
    size_t first;  /* the line it begins with */
    bool counted, untold, empty, broken, failure, unfinished, touched;
};

static const struct told nothing = { .passed = 0 };

struct reader {
    struct sf_run_block now[RUNNERS_MAX];
    struct told before[RUNNERS_MAX]; /* the blocks that are over */
    uint64_t first[RUNNERS_MAX][4];  /* the bytes that lines of the runner can begin with */
    size_t lines;
    bool idle;    /* make says that there was nothing to do for a target. */
    bool said;    /* Something was printed besides make's own lines. */
    bool missing; /* see sf_reading */
    const char *runner;
};

/* ---- numbers ---- */

/* A sum with a number that is not told is not told, either. */
static int64_t plus(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? -1 : a + b;
}

static void merge(struct told *all, const struct told *more)
{
    if (more->counted) {
        all->passed = all->counted ? plus(all->passed, more->passed) : more->passed;
        all->failed = all->counted ? plus(all->failed, more->failed) : more->failed;
        all->skipped = all->counted ? plus(all->skipped, more->skipped) : more->skipped;
        all->counted = true;
    }
    if (more->touched && !all->touched)
        all->first = more->first;
    all->parts += more->parts;
    all->untold = all->untold || more->untold;
    all->empty = all->empty || more->empty;
    all->broken = all->broken || more->broken;
    all->failure = all->failure || more->failure;
    all->unfinished = all->unfinished || more->unfinished;
    all->touched = all->touched || more->touched;
}

static int64_t get(const struct sf_numbers *numbers, enum sf_tally_field field)
{
    return sf_numbers_get(numbers, field);
}

/* What is left of the total; -1 where the runner does not tell it that way. */
static int64_t derive(const struct sf_runner *runner, const struct sf_numbers *n)
{
    const int64_t lost = get(n, SF_TALLY_FAILED) + get(n, SF_TALLY_SKIPPED);
    int64_t left = 0;

    if (n->n[SF_TALLY_RAN] >= 0)
        left = n->n[SF_TALLY_RAN] - get(n, SF_TALLY_FAILED);
    else if (!(runner->flags & SF_RUNNER_DERIVES) ||
             ((runner->flags & SF_RUNNER_LOOSE) && n->n[SF_TALLY_FAILED] < 0))
        return -1;
    else if (n->n[SF_TALLY_TOTAL] >= 0)
        left = n->n[SF_TALLY_TOTAL] - lost;
    return left > 0 ? left : 0;
}

static int64_t passed_of(const struct sf_runner *runner, const struct sf_run_block *block)
{
    const int64_t wrong = get(&block->sum, SF_TALLY_WRONG) + get(&block->items, SF_TALLY_WRONG);
    int64_t passed = block->sum.n[SF_TALLY_PASSED];

    if (passed < 0)
        passed = derive(runner, &block->sum);
    if (passed < 0)
        return -1;
    return passed > wrong ? passed - wrong : 0;
}

/* Tests of the total that neither passed nor were skipped have failed. */
static int64_t failed_of(const struct sf_runner *runner, const struct sf_run_block *block)
{
    const struct sf_numbers *n = &block->sum;
    const int64_t rest = n->n[SF_TALLY_TOTAL] - get(n, SF_TALLY_PASSED) - get(n, SF_TALLY_SKIPPED);

    if (n->n[SF_TALLY_FAILED] >= 0)
        return n->n[SF_TALLY_FAILED];
    if (n->n[SF_TALLY_TOTAL] >= 0 && n->n[SF_TALLY_PASSED] >= 0 && rest > 0)
        return rest;
    return runner->flags & SF_RUNNER_LOOSE ? -1 : 0;
}

/* A list of common words is one about tests only where it tells of some. */
static bool counts(const struct sf_runner *runner, const struct told *t)
{
    return !(runner->flags & SF_RUNNER_LOOSE) || t->passed >= 0 || t->failed > 0 || t->skipped > 0;
}

static void tell_summary(const struct sf_runner *runner, const struct sf_run_block *block,
                         struct told *t)
{
    const int64_t skipped = block->sum.n[SF_TALLY_SKIPPED];
    const bool partial = block->sum.n[SF_TALLY_PASSED] < 0 && block->ended[0];

    t->passed = partial ? -1 : passed_of(runner, block);
    t->failed = failed_of(runner, block);
    t->skipped = skipped < 0 && !(runner->flags & SF_RUNNER_SPARSE) && !partial ? 0 : skipped;
    t->parts = block->ended[0];
    t->counted = counts(runner, t);
}

/* A run that began and has no summary: the tests that ended until then. */
static void tell_rest(const struct sf_run_block *block, struct told *t)
{
    const struct sf_numbers *n = &block->items;

    t->unfinished = !block->empty;
    if (n->n[SF_TALLY_PASSED] < 0 && n->n[SF_TALLY_FAILED] < 0 && n->n[SF_TALLY_SKIPPED] < 0)
        return;
    t->passed = get(n, SF_TALLY_PASSED);
    t->failed = get(n, SF_TALLY_FAILED);
    t->skipped = get(n, SF_TALLY_SKIPPED);
    t->counted = true;
}

/* Suites that broke, less those that merely have no test. */
static void tell_suites(const struct sf_run_block *block, struct told *t)
{
    const int64_t broken = get(&block->sum, SF_TALLY_BROKEN) + get(&block->items, SF_TALLY_BROKEN);
    const int64_t empty = get(&block->items, SF_TALLY_EMPTY);

    t->broken = block->broken || (block->summary && broken > empty);
    t->empty = block->empty || (empty && block->summary && !t->broken && t->passed <= 0 &&
                                t->failed <= 0 && !t->parts);
}

static struct told settle(const struct sf_runner *runner, struct sf_run_block *block)
{
    struct told t = nothing;

    if (runner->finish)
        runner->finish(block);
    if (block->summary)
        tell_summary(runner, block, &t);
    else if (block->begun)
        tell_rest(block, &t);
    tell_suites(block, &t);
    t.untold = block->untold;
    t.failure = block->failed;
    t.touched = block->touched;
    t.first = block->first;
    return t;
}

/* ---- lines ---- */

/* Ends the block of a runner, which begins anew. */
static void end_block(struct reader *r, size_t runner)
{
    const struct told t = settle(&sf_runners[runner], &r->now[runner]);

    if (t.touched)
        merge(&r->before[runner], &t);
    sf_run_block_init(&r->now[runner]);
}

/* The others that began behind the beginning of this one were parts of it. */
static void speak_for(struct reader *r, size_t runner)
{
    const size_t from = r->now[runner].from;

    for (size_t i = 0; i < sf_runner_count && r->now[runner].framed; i++) {
        if (i == runner)
            continue;
        if (r->now[i].touched && r->now[i].first >= from)
            sf_run_block_init(&r->now[i]);
        if (r->before[i].touched && r->before[i].first >= from)
            r->before[i] = nothing;
    }
}

static const struct sf_runner_line *find_line(const struct sf_runner *runner, const char *line,
                                              size_t len, struct sf_numbers *told)
{
    for (const struct sf_runner_line *row = runner->lines; row->pattern; row++)
        if (sf_pattern_read(row->pattern, runner->words, line, len, told))
            return row;
    return NULL;
}

static void show(struct reader *r, size_t runner, const char *line, size_t len)
{
    struct sf_numbers told = SF_NUMBERS_INIT;
    const struct sf_runner_line *row = find_line(&sf_runners[runner], line, len, &told);
    struct sf_run_block *block = &r->now[runner];

    if (!row || row->means == SF_LINE_PASSES)
        return;
    if ((sf_runners[runner].flags & SF_RUNNER_FRAMED) && !block->begun &&
        row->means != SF_LINE_BEGINS && row->means != SF_LINE_EMPTY)
        return;
    if (sf_run_block_is_over(block, row, &told))
        end_block(r, runner);
    if (row->means == SF_LINE_SUMS_UP || row->means == SF_LINE_ADDS) {
        speak_for(r, runner);
        r->runner = sf_runners[runner].name;
    }
    sf_run_block_take(block, row, &told, r->lines);
}

static void read_line(struct reader *r, const char *line, size_t len)
{
    const bool idle = sf_line_is_idle(line, len);
    const unsigned char first = len ? (unsigned char)*line : 0;

    r->lines++;
    r->idle = r->idle || idle;
    r->said = r->said || (!idle && sf_line_is_said(line, len));
    r->missing = r->missing || sf_line_is_unstarted(line, len);
    for (size_t i = 0; i < sf_runner_count && len; i++)
        if (r->first[i][first / 64] >> (first % 64) & 1)
            show(r, i, line, len);
}

/* Takes the lines that are complete out of the text. */
static void read_lines(struct reader *r, struct sf_strbuf *text)
{
    size_t at = 0;

    for (const char *newline; (newline = memchr(text->buf + at, '\n', text->len - at));) {
        read_line(r, text->buf + at, (size_t)(newline - text->buf) - at);
        at = (size_t)(newline - text->buf) + 1;
    }
    sf_strbuf_splice(text, 0, at, "", 0);
}

static void read_output(struct reader *r, const char *output, size_t len)
{
    struct sf_plain plain = SF_PLAIN_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t at = 0; at < len; at += CHUNK) {
        sf_plain_add(&plain, output + at, len - at < CHUNK ? len - at : CHUNK, &text);
        read_lines(r, &text);
    }
    sf_plain_end(&plain, &text);
    sf_strbuf_addch(&text, '\n');
    read_lines(r, &text);
    sf_plain_release(&plain);
    sf_strbuf_release(&text);
}

static void init(struct reader *r)
{
    *r = (struct reader){ .runner = "" };
    assert(sf_runner_count <= RUNNERS_MAX);
    for (size_t i = 0; i < sf_runner_count; i++) {
        sf_run_block_init(&r->now[i]);
        for (const struct sf_runner_line *row = sf_runners[i].lines; row->pattern; row++)
            sf_pattern_first(row->pattern, r->first[i]);
    }
}

/* ---- the verdict ---- */

static void collect_some(const struct reader *r, unsigned kind, struct told *all)
{
    const unsigned kinds = SF_RUNNER_LOOSE | SF_RUNNER_OUTER;

    for (size_t i = 0; i < sf_runner_count; i++)
        if ((sf_runners[i].flags & kinds) == kind)
            merge(all, &r->before[i]);
}

/* Words that many have in common count where no runner has told anything. */
static struct told collect(struct reader *r)
{
    struct told all = nothing;

    for (size_t i = 0; i < sf_runner_count; i++)
        end_block(r, i);
    collect_some(r, 0, &all);
    if (!all.counted && !all.empty && !all.broken && !all.failure && !all.unfinished)
        collect_some(r, SF_RUNNER_LOOSE, &all);
    collect_some(r, SF_RUNNER_OUTER, &all);
    return all;
}

/* Some runners end with the number of failures; any other code above 128 is that of a signal. */
static bool died(int exit_code, const struct told *t)
{
    if (exit_code < 0 || exit_code == TIMED_OUT)
        return true;
    if (exit_code >= NOT_EXECUTABLE && exit_code <= SIGNAL)
        return true;
    return exit_code > SIGNAL && exit_code <= SIGNAL + 64 && t->failed != exit_code;
}

static enum sf_verdict_of_tests verdict_of_failure(int exit_code, const struct told *t)
{
    if (t->failed > 0)
        return SF_TESTS_FAIL;
    if (t->empty && t->passed <= 0 && !t->parts)
        return SF_TESTS_NONE;
    if (exit_code == UNCAUGHT && !t->counted)
        return SF_TESTS_BROKEN;
    if (t->counted && t->passed == 0 && !t->parts && !t->skipped)
        return SF_TESTS_BROKEN;
    return SF_TESTS_FAIL;
}

static enum sf_verdict_of_tests verdict_of_success(const struct reader *r, const struct told *t)
{
    if (t->failed > 0 || t->failure)
        return SF_TESTS_FAIL;
    if (t->passed > 0 || t->parts)
        return SF_TESTS_PASS;
    if (t->counted || t->empty || (r->idle && !r->said))
        return SF_TESTS_NONE;
    return SF_TESTS_UNKNOWN;
}

static enum sf_verdict_of_tests judge(const struct reader *r, int exit_code, const struct told *t)
{
    if (died(exit_code, t) || t->broken || t->unfinished || (r->missing && !exit_code))
        return SF_TESTS_BROKEN;
    return exit_code ? verdict_of_failure(exit_code, t) : verdict_of_success(r, t);
}

/* Where no test ran, none passed and none failed, although no runner said so. */
static void tell_none(struct sf_reading *reading)
{
    int64_t *const counts[] = { &reading->passed, &reading->failed, &reading->skipped };

    for (size_t i = 0; i < SF_COUNT(counts); i++)
        if (*counts[i] < 0)
            *counts[i] = 0;
}

static struct sf_reading read_all(int exit_code, const char *output, size_t len)
{
    struct reader r;
    struct sf_reading reading;
    struct told all;

    init(&r);
    read_output(&r, output, len);
    all = collect(&r);
    reading = (struct sf_reading){ .verdict = judge(&r, exit_code, &all),
                                   .runner = r.runner,
                                   .fails = all.failed > 0 || all.failure || all.broken,
                                   .untold = all.untold,
                                   .missing = r.missing };
    reading.passed = all.counted ? all.passed : -1;
    reading.failed = all.counted ? all.failed : -1;
    reading.skipped = all.counted ? all.skipped : -1;
    if (reading.verdict == SF_TESTS_NONE || (!all.counted && all.empty))
        tell_none(&reading);
    return reading;
}

/* A line that does not end may have been cut: "ok 3 later # skip" begins as "ok 3 later" does. */
struct sf_reading sf_reading_of(int exit_code, const char *output, size_t len)
{
    const struct sf_reading reading = read_all(exit_code, output, len);
    const char *newline = len ? memrchr(output, '\n', len) : NULL;
    const size_t whole = newline ? (size_t)(newline - output) + 1 : 0;

    if (reading.verdict != SF_TESTS_PASS || whole == len)
        return reading;
    return read_all(exit_code, output, whole);
}
