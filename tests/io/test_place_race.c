/*
 * Places while names change hands: whatever is swapped between looking and writing, nothing
 * outside is touched.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "io/io.h"
#include "support/place_case.h"
#include "support/snapshot.h"
#include "support/swapper.h"
#include "support/test.h"

enum { ATTEMPTS = 10000 };

/*
 * Ten thousand writes while names change hands: each lands in the directory that was judged, or
 * is refused. `path` is asked for each time; the file outside must stay as it is throughout.
 */
static void storm(struct place_case *f, const char *what, const char *path, const char *one,
                  const char *other)
{
    char *a = test_path(f->top, one), *b = test_path(f->top, other);
    struct swapper *swapper = swapper_start(a, b);
    unsigned i, landed = 0, refusals = 0, outside = 0;
    unsigned long swaps;

    /* On a busy machine the swapper may sleep for long: go on until both sides were met. */
    for (i = 0; i < ATTEMPTS || !landed || !refusals; i++) {
        struct sf_error err = SF_ERROR_INIT;
        char text[16];

        snprintf(text, sizeof(text), "%u", i);
        if (place_find(f, path, SF_WANT_FILE, &err) && f->place.inside &&
            place_replace(f, text, &err))
            landed++;
        else
            refusals++;
        if (i % 64 == 0) {
            char *file = test_path(f->top, "out/a.c"), *now = test_read(file, NULL);

            outside += strcmp(now, "theirs") != 0;
            free(now);
            free(file);
        }
    }
    swaps = swapper_stop(swapper);
    free(a);
    free(b);
    printf("%s: %u attempts, %lu swaps, %u landed inside, %u refused, %u outside\n", what, i, swaps,
           landed, refusals, outside);
    place_expect(f, "out/a.c", "theirs");
    assert_int_equal(outside, 0);
}

static void test_link_flips(void **state)
{
    struct place_case *f = *state;

    place_make(f, "ws/good", 0755);
    place_put(f, "ws/good/a.c", "old");
    place_tie(f, "ws/flip", "good");
    place_tie_to(f, "ws/flop", "out");
    snapshot_take(f->top, &f->before);
    storm(f, "a link that flips", "flip/a.c", "ws/flip", "ws/flop");
    place_expect(f, "ws/src/a.c", "old");
}

static void test_directory_swapped_for_link(void **state)
{
    struct place_case *f = *state;

    place_tie_to(f, "ws/evil", "out");
    storm(f, "a directory swapped for a link", "src/a.c", "ws/src", "ws/evil");
}

static void test_file_swapped_for_link(void **state)
{
    struct place_case *f = *state;

    place_tie_to(f, "ws/evil.c", "out/a.c");
    storm(f, "a file swapped for a link", "src/a.c", "ws/src/a.c", "ws/evil.c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(test_link_flips),
        WITH_TREE(test_directory_swapped_for_link),
        WITH_TREE(test_file_swapped_for_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
