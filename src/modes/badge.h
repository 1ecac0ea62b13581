/*
 * badge: the state as a few coloured words, for any surface. A badge is data: segments, each with a
 * text and a colour role; a surface draws them or joins them to plain text.
 *
 *   full     SF build:test | assisted | normal | smart
 *   labels   build:test | assisted | normal | smart
 *   tight    build:test|assisted|normal|smart
 *   compact  [B:test][S][N][S]
 *   tiny     B:t S N S
 *   title    SF[build:test|S|normal|smart] project
 *
 * Behind it stands the approval mode where that is not the usual one: "(approval: never)", in the
 * shorter forms "(never)" and "(n)", for the profile says nothing then of what is asked.
 *
 * In every form, the scope is shown if it is not the work mode's default, a pending change appears
 * as build→repair, and a paused run as "paused" with the whole badge dim; while something still
 * runs it reads "pausing". Autonomous pulses only while something runs: nothing follows by itself
 * when nothing does. Review and repair are never shortened to a letter. All text except the arrow is ASCII; the project's name is sanitised.
 */
#ifndef SF_MODES_BADGE_H
#define SF_MODES_BADGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "modes/axes.h"
#include "modes/scope.h"
#include "modes/state.h"

enum {
    SF_BADGE_SEGMENTS = 12,
    SF_BADGE_TEXT = 104,   /* bytes of one segment, including NUL */
    SF_BADGE_WIDE = 80,    /* the full form is used from this width on */
    SF_BADGE_PROJECT = 40, /* columns of a project's name in a title */
};

struct sf_badge_segment {
    char text[SF_BADGE_TEXT];
    enum sf_style role;
    bool dim;   /* overrides the role: the run is paused, or this is a separator */
    bool pulse; /* sf drives itself right now: pulses slowly, unless low_motion is set */
};

enum sf_badge_form {
    SF_BADGE_FULL,
    SF_BADGE_LABELS,
    SF_BADGE_TIGHT,
    SF_BADGE_COMPACT,
    SF_BADGE_TINY,
};

struct sf_badge {
    struct sf_badge_segment segments[SF_BADGE_SEGMENTS];
    size_t count;
    size_t width; /* columns of all segments */
    enum sf_badge_form form;
};

/* Borrowed for the call. `pending` is the state after pending changes, or NULL. */
struct sf_badge_facts {
    const struct sf_mode_state *state;
    const struct sf_mode_state *pending;
    const struct sf_scope_set *scopes;
    const char *approval; /* the approval mode, where it is not the usual one; or NULL */
    bool runs;            /* a turn, a command or a restore of the session runs */
};

/* Review and repair keep their names in every form, also as pending modes: [B→repair]. */
void sf_badge_make(struct sf_badge *badge, const struct sf_badge_facts *facts,
                   enum sf_badge_form form);

/*
 * Chooses the form for a screen of that width: full from SF_BADGE_WIDE on, else compact; for review
 * and repair the longest labels that fit. A badge wider than the screen gets the next shorter form.
 * Where no form fits it is the compact one, and the surface has to cut it.
 */
void sf_badge_fit(struct sf_badge *badge, const struct sf_badge_facts *facts, size_t columns);

void sf_badge_text(const struct sf_badge *badge, struct sf_strbuf *out); /* appended, plain */

/* Appends the terminal's title. Without a project name it ends after the bracket. */
void sf_badge_title(const struct sf_badge_facts *facts, const char *project, struct sf_strbuf *out);

#endif
