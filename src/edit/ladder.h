/*
 * ladder: finding text that a model wrote from memory. Each rung ignores a little more than the
 * one before; all of them find places in the text's own bytes. Only the lowest rung may find
 * several places; what is found loosely counts when it is the only one.
 *
 * A ladder belongs to one text and keeps its folded forms, made when a rung is first used.
 * Life: sf_ladder_init, use, sf_ladder_release; the text must outlive it.
 */
#ifndef SF_EDIT_LADDER_H
#define SF_EDIT_LADDER_H

#include "base/base.h"
#include "edit/fold.h"

enum sf_rung {
    SF_RUNG_EXACT,       /* but for the kind of line endings */
    SF_RUNG_TRAILING,    /* white space at the end of lines ignored */
    SF_RUNG_INDENT,      /* and at their beginning: whole lines only */
    SF_RUNG_PUNCTUATION, /* typographic quotes, dashes and spaces count as plain */
    SF_RUNG_LOOSE,       /* all of that: whole lines only */
    SF_RUNGS,
};

enum { SF_PLACES_MAX = 16 };

struct sf_line_span {
    size_t start, end;
    bool open; /* it ends with a newline that was looked for, but that the text does not have */
};

struct sf_places {
    enum sf_rung rung;
    size_t count; /* SF_PLACES_MAX: perhaps more */
    struct sf_line_span spans[SF_PLACES_MAX];
};

struct sf_ladder {
    const char *text;
    size_t len;
    bool whole; /* every rung finds whole lines only */
    bool made[SF_RUNGS];
    struct sf_fold folds[SF_RUNGS];
    uint64_t work; /* bytes searched so far, for ceilings */
};

/* How a rung matched, in words: "exact", "ignoring trailing white space". */
const char *sf_rung_name(enum sf_rung rung);

void sf_ladder_init(struct sf_ladder *ladder, const char *text, size_t len, bool whole);
void sf_ladder_release(struct sf_ladder *ladder);

/*
 * The places from offset `from` on (the beginning of a line where only whole lines count),
 * overlapping ones included, on the lowest rung that finds any; false: no rung does.
 */
bool sf_ladder_climb(struct sf_ladder *ladder, const char *what, size_t len, size_t from,
                     struct sf_places *places);

/* As sf_ladder_climb, on one rung. */
bool sf_ladder_seek(struct sf_ladder *ladder, enum sf_rung rung, const char *what, size_t len,
                    size_t from, struct sf_places *places);

/* Walks the exact places that do not overlap, as often as there are any. */
struct sf_seeker {
    struct sf_ladder *ladder;
    struct sf_target {
        const struct sf_fold *in;
        struct sf_strbuf pattern; /* what is looked for, folded, with its boundaries */
        size_t lead, tail;        /* newlines in front and behind, no part of the place */
        bool whole, closed;       /* only whole lines; it ends with a newline */
    } target;
    size_t at;
};

void sf_seeker_init(struct sf_seeker *search, struct sf_ladder *ladder, const char *what,
                    size_t len);
bool sf_seeker_next(struct sf_seeker *search, struct sf_line_span *span);
void sf_seeker_release(struct sf_seeker *search);

#endif
