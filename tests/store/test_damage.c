/*
 * Damage of every kind a disk can do: a good store is cut at every 512 bytes, every block of 512
 * is blanked, every bit of the header is turned over. Reading gives all or says what is wrong;
 * recovery saves what is left and never makes anything up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/store_case.h"
#include "support/store_damage.h"
#include "support/test.h"

enum { BLOCK = 512 };

/* Reading gives all events or says that the store is damaged; never fewer in silence. */
static bool read_or_tell(const char *name, const char *dir)
{
    struct sf_error err = SF_ERROR_INIT;
    struct damage_tally tally;
    bool whole = damage_read_all(dir, SF_STORE_READ, &tally, &err);

    if (whole && (tally.count != damage_events || !tally.true_ones))
        fail_msg("%s: read %d events and called it all", name, (int)tally.count);
    if (!whole && err.code != SF_E_DAMAGED)
        fail_msg("%s: reading: %d %s", name, err.code, err.msg);
    if (!damage_read_all(dir, SF_STORE_WRITE, &tally, &err) && err.code != SF_E_DAMAGED)
        fail_msg("%s: opening: %d %s", name, err.code, err.msg);
    return whole;
}

/* Returns how many events are there afterwards; what was called sound must be whole. */
static int64_t recover(const char *name, const char *dir, const char *bytes, size_t len, bool whole)
{
    struct sf_strbuf report = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int64_t saved = damage_events;

    if (sf_store_recover(dir, &report, &err)) {
        damage_check_kept(name, dir, bytes, len);
        saved = damage_check_sound(name, dir);
    } else if (err.code != SF_E_ARG || !whole) {
        fail_msg("%s: recovering: %d %s", name, err.code, err.msg);
    }
    sf_strbuf_release(&report);
    return saved;
}

static bool is_blank(size_t at)
{
    static const char zeros[BLOCK];

    return !memcmp(damage_sample + at, zeros, BLOCK);
}

static void test_sweep_zeroed(void **state)
{
    int64_t worst = damage_events, lost = 0;
    size_t cases = 0;

    for (size_t at = 0; at < damage_sample_len; at += BLOCK) {
        char *dir = test_path(*state, "z"), *bytes = damage_sample_copy();
        char name[32];
        int64_t saved = damage_events;

        snprintf(name, sizeof(name), "zeros at %zu", at);
        memset(bytes + at, 0, BLOCK);
        damage_put(dir, bytes, damage_sample_len);
        if (!is_blank(at)) {
            saved = recover(name, dir, bytes, damage_sample_len, read_or_tell(name, dir));
            cases++;
        }
        /* One leaf holds some thirty events; nothing beyond the page that was hit may go. */
        if (saved < damage_events - 60)
            fail_msg("%s: only %d events saved", name, (int)saved);
        worst = saved < worst ? saved : worst;
        lost += damage_events - saved;
        free(bytes);
        test_dir_free(dir);
    }
    print_message("zeroed: %zu blocks that were not blank, at worst %d of %d events saved,"
                  " %d lost in all\n",
                  cases, (int)worst, damage_events, (int)lost);
}

/* Opened at every length; recovered at three of each page, as each recovery takes a while. */
static void test_sweep_truncated(void **state)
{
    size_t cases = 0, recovered = 0;
    int64_t before = 0;

    for (size_t len = 0; len < damage_sample_len; len += BLOCK, cases++) {
        char *dir = test_path(*state, "t");
        size_t part = len % 4096;
        int64_t saved = before;
        bool whole;
        char name[32];

        snprintf(name, sizeof(name), "cut at %zu", len);
        damage_put(dir, damage_sample, len);
        whole = read_or_tell(name, dir);
        if (part == 0 || part == BLOCK || part == 4096 - BLOCK) {
            saved = recover(name, dir, damage_sample, len, whole);
            recovered++;
        }
        if (saved < before)
            fail_msg("%s: %d events saved, with less of the file %d", name, (int)saved,
                     (int)before);
        before = saved;
        test_dir_free(dir);
    }
    print_message("truncated: %zu lengths opened, %zu recovered\n", cases, recovered);
}

/* Every bit of the header that SQLite and sf look at. */
static void test_sweep_header_bits(void **state)
{
    size_t cases = 0;

    for (size_t bit = 0; bit < (size_t)100 * 8; bit++, cases++) {
        char *dir = test_path(*state, "h");
        char *bytes = damage_sample_copy();
        struct sf_error err = SF_ERROR_INIT;
        struct damage_tally tally;

        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        damage_put(dir, bytes, damage_sample_len);
        if (damage_read_all(dir, SF_STORE_READ, &tally, &err)) {
            if (tally.count != damage_events || !tally.true_ones)
                fail_msg("bit %zu: %d events", bit, (int)tally.count);
        } else if (err.code != SF_E_DAMAGED) {
            fail_msg("bit %zu: %d %s", bit, err.code, err.msg);
        }
        if (!damage_read_all(dir, SF_STORE_WRITE, &tally, &err) && err.code != SF_E_DAMAGED &&
            err.code != SF_E_NEWER && err.code != SF_E_READONLY)
            fail_msg("bit %zu: %d %s", bit, err.code, err.msg);
        free(bytes);
        test_dir_free(dir);
    }
    print_message("header: %zu bits\n", cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sweep_zeroed, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_sweep_truncated, test_dir_setup, test_dir_teardown),
        cmocka_unit_test_setup_teardown(test_sweep_header_bits, test_dir_setup, test_dir_teardown),
    };

    test_use_memory();
    return cmocka_run_group_tests_name("damage", tests, damage_sample_setup,
                                       damage_sample_teardown);
}
