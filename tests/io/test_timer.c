/*
 * test_timer.c: order, repetition, removal, and room for everything else.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/bench.h"
#include "support/test.h"

static void test_timers_run_in_order_of_time(void **state)
{
    static const int after[] = { 30, 0, 10, 20, 10, 0 };
    struct bench *b = *state;
    struct mark marks[SF_COUNT(after)];

    uint64_t ids[SF_COUNT(after)] = { 0 };
    int64_t began;

    do { /* again, where so much time went by that a later one is due earlier */
        began = sf_clock_monotonic_ms();
        for (size_t i = 0; i < SF_COUNT(after); i++) {
            marks[i] = (struct mark){ b, (char)('a' + i), NULL };
            sf_loop_remove(b->loop, ids[i]);
            ids[i] = sf_loop_add_timer(b->loop, after[i], 0, leave_mark, &marks[i]);
        }
    } while (sf_clock_monotonic_ms() - began > 5);
    sf_loop_run(b->loop);
    assert_string_equal(b->trace.buf, "bfceda");
}

static void count_to_five(void *ctx)
{
    struct bench *b = ctx;

    if (++b->count == 5)
        sf_loop_remove(b->loop, b->ids[0]);
}

static void test_repeating_timer_ends_itself(void **state)
{
    struct bench *b = *state;

    b->ids[0] = sf_loop_add_timer(b->loop, 1, 1, count_to_five, b);
    sf_loop_run(b->loop);
    assert_int_equal(b->count, 5);
}

static void test_timer_removes_another_that_is_due(void **state)
{
    struct bench *b = *state;
    struct mark first = { b, 'a', &b->ids[1] }, second = { b, 'b', NULL }, third = { b, 'c', NULL };

    b->ids[0] = sf_loop_add_timer(b->loop, 0, 0, leave_mark, &first);
    b->ids[1] = sf_loop_add_timer(b->loop, 0, 0, leave_mark, &second);
    b->ids[2] = sf_loop_add_timer(b->loop, 0, 0, leave_mark, &third);
    sf_loop_run(b->loop);
    assert_string_equal(b->trace.buf, "ac");
}

/* A timer of no length that adds itself again must leave room for everything else. */
static void add_again(void *ctx)
{
    struct bench *b = ctx;

    b->count++;
    sf_loop_add_timer(b->loop, 0, 0, add_again, b);
}

static void test_timers_do_not_starve_descriptors(void **state)
{
    struct bench *b = *state;

    add_again(b);
    assert_int_equal(write(b->pipes[0][1], "x", 1), 1);
    b->ids[0] = sf_loop_watch_fd(b->loop, b->pipes[0][0], SF_FD_READ, leave_fd_mark,
                                 &(struct mark){ b, 'r', NULL });
    for (int i = 0; i < 3; i++)
        assert_true(sf_loop_turn(b->loop, -1));
    assert_int_equal(b->count, 4);
    assert_string_equal(b->trace.buf, "rrr");
}

static void test_ten_thousand_timers(void **state)
{
    enum { MANY = 10000 };
    struct bench *b = *state;
    struct mark m = { b, 't', NULL };
    uint64_t *ids = sf_alloc_array(MANY, sizeof(*ids));
    unsigned lot = 12345;

    for (int i = 0; i < MANY; i++) {
        lot = lot * 1103515245 + 12345;
        ids[i] = sf_loop_add_timer(b->loop, (int64_t)(lot >> 16) % 50, 0, leave_mark, &m);
    }
    for (int i = 0; i < MANY; i += 2)
        sf_loop_remove(b->loop, ids[i]);
    sf_loop_run(b->loop);
    for (int i = 0; i < MANY; i++)
        sf_loop_remove(b->loop, ids[i]);
    free(ids);
    assert_int_equal(b->trace.len, MANY / 2);
}

struct late {
    struct bench *bench;
    int64_t index;
    int64_t due, latest; /* between them, as the clock may go on while it is added */
};

static void note_lateness(void *ctx)
{
    struct late *l = ctx;

    if (sf_clock_monotonic_ms() < l->due)
        l->bench->count++; /* early */
    sf_strbuf_add(&l->bench->trace, &l->index, sizeof(l->index));
}

/* Any order of adding gives the order of time, and nothing comes early. */
static void test_random_timers_never_early(void **state)
{
    enum { MANY = 500 };
    struct bench *b = *state;
    struct late *lates = sf_alloc_array(MANY, sizeof(*lates));
    uint64_t *ids = sf_alloc_array(MANY, sizeof(*ids));
    unsigned lot = 99;
    bool sorted = true;
    int64_t after, index, last = 0;

    for (int i = 0; i < MANY; i++) {
        lot = lot * 1103515245 + 12345;
        after = (int64_t)(lot >> 16) % 40;
        lates[i] = (struct late){ .bench = b, .index = i, .due = sf_clock_monotonic_ms() + after };
        ids[i] = sf_loop_add_timer(b->loop, after, 0, note_lateness, &lates[i]);
        lates[i].latest = sf_clock_monotonic_ms() + after;
    }
    for (int i = 0; i < MANY; i += 2)
        sf_loop_remove(b->loop, ids[i]);
    sf_loop_run(b->loop);
    for (size_t i = 0; i + sizeof(index) <= b->trace.len; i += sizeof(index)) {
        memcpy(&index, b->trace.buf + i, sizeof(index));
        sorted = sorted && lates[index].latest >= last;
        last = lates[index].due > last ? lates[index].due : last;
    }
    free(ids);
    free(lates);
    assert_int_equal(b->trace.len, MANY / 2 * sizeof(int64_t));
    assert_int_equal(b->count, 0);
    assert_true(sorted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_BENCH(test_timers_run_in_order_of_time),
        ON_BENCH(test_repeating_timer_ends_itself),
        ON_BENCH(test_timer_removes_another_that_is_due),
        ON_BENCH(test_timers_do_not_starve_descriptors),
        ON_BENCH(test_ten_thousand_timers),
        ON_BENCH(test_random_timers_never_early),
    };

    return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
