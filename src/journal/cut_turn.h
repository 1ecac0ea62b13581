/*
 * cut_turn: gives a turn its end that had none because sf was killed. What is demonstrably of the
 * turn is what its tools wrote and is still as they wrote it: the log has the digest of each file
 * beside the result. The end lists these files as the turn's, and everything else stays unclaimed.
 *
 *     sf_cut_turn_find     reads the store, on the loop
 *     sf_cut_turn_look     takes a snapshot: it blocks, so on a worker
 *     sf_cut_turn_record   writes the row of the end, on the loop again
 *
 * Life: SF_CUT_TURN_INIT, these calls, sf_cut_turn_release.
 */
#ifndef SF_JOURNAL_CUT_TURN_H
#define SF_JOURNAL_CUT_TURN_H

#include "journal/undo.h"

struct sf_cut_write; /* a file that a tool wrote; see cut_turn.c */

struct sf_cut_turn {
    int64_t row;             /* the first of the turn; 0: there is no such turn */
    char id[SF_SNAP_ID + 1]; /* its snapshot */
    char session[SF_ID_LEN + 1];
    char since[SF_TIME_MAX];
    char *label;
    struct sf_cut_write *writes; /* oldest first */
    size_t count, cap;
    struct sf_strlist mine; /* after looking: the files that are the turn's */
    struct sf_snap_result result;
    struct sf_undo_stat stat; /* of those; without any, nothing is recorded */
};

/* clang-format off */
#define SF_CUT_TURN_INIT { .id = "", .mine = SF_STRLIST_INIT, .result = SF_SNAP_RESULT_INIT }
/* clang-format on */

void sf_cut_turn_release(struct sf_cut_turn *cut);

/*
 * Finds the newest turn of the place that was cut off and wrote files, if it is the last of its
 * session and nothing was restored since; without a session in `place`, of any but those in `live`.
 */
bool sf_cut_turn_find(struct sf_cut_turn *cut, const struct sf_undo_place *place,
                      const struct sf_strlist *live, struct sf_error *err) SF_MUST_CHECK;

bool sf_cut_turn_look(struct sf_cut_turn *cut, struct sf_snap *snap,
                      struct sf_error *err) SF_MUST_CHECK;

bool sf_cut_turn_record(const struct sf_cut_turn *cut, const struct sf_undo_place *place,
                        struct sf_error *err) SF_MUST_CHECK;

#endif
