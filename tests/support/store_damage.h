/*
 * store_damage: stores to be damaged and what must be true of them after a recovery. The events
 * carry their own number, so that a wrongly saved one is told from a true one.
 */
#ifndef SF_TESTS_SUPPORT_STORE_DAMAGE_H
#define SF_TESTS_SUPPORT_STORE_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/* How many events a store gets; set before the group fixture runs. */
extern int damage_events;

/* One session with that many events; a few are long enough to continue on further pages. */
void damage_make_store(const char *dir);

/* Group fixtures: the bytes of such a store, made once. */
extern char *damage_sample;
extern size_t damage_sample_len;
int damage_sample_setup(void **state);
int damage_sample_teardown(void **state);
char *damage_sample_copy(void); /* owned */

/* Puts these bytes as DIR/sf.db, making the directory. */
void damage_put(const char *dir, const char *bytes, size_t len);

struct damage_tally {
    int64_t count, last_seq;
    bool true_ones; /* every event seen so far is one that was written, and in order */
};

/* Opens, reads all events, closes. */
bool damage_read_all(const char *dir, enum sf_store_mode mode, struct damage_tally *tally,
                     struct sf_error *err);

char *damage_find_aside(const char *dir); /* DIR/damaged-…, at most one; NULL: none; owned */

/* Each fails the test, naming the case: the original is kept; the new store is sound, and
 * writable. The second returns how many events it has. */
void damage_check_kept(const char *name, const char *dir, const char *bytes, size_t len);
int64_t damage_check_sound(const char *name, const char *dir);

#endif
