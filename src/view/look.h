/*
 * look: how a piece of text is meant to look: a role, which a theme gives its colours, and
 * attributes on top. Nothing above the terminal knows a colour.
 */
#ifndef SF_VIEW_LOOK_H
#define SF_VIEW_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "modes/modes.h"

enum sf_look_role {
    SF_LOOK_TEXT,
    SF_LOOK_DIM, /* the six of enum sf_style, in its order */
    SF_LOOK_ACCENT,
    SF_LOOK_SUCCESS,
    SF_LOOK_WARNING,
    SF_LOOK_ERROR,
    SF_LOOK_INFO,
    SF_LOOK_BRAND,    /* the SF in front of the badge */
    SF_LOOK_USER,     /* what the user said, and "you" */
    SF_LOOK_AGENT,    /* "sf" */
    SF_LOOK_RULE,     /* lines between parts of the screen, edges of cards */
    SF_LOOK_KEY,      /* a key's name in hints and cards */
    SF_LOOK_SELECTED, /* the row under the cursor of a list */
    SF_LOOK_MARKED,   /* text selected with the mouse */
    SF_LOOK_MATCH,    /* what a search found */
    SF_LOOK_CHIP,     /* a folded paste */
    SF_LOOK_HEADING,
    SF_LOOK_CODE,
    SF_LOOK_LINK,
    SF_LOOK_QUOTE,
    SF_LOOK_ADDED, /* lines of a diff, and the words in them that changed */
    SF_LOOK_REMOVED,
    SF_LOOK_ADDED_WORD,
    SF_LOOK_REMOVED_WORD,
    SF_LOOK_HUNK,
    SF_LOOK_KEYWORD, /* of highlighted code */
    SF_LOOK_TYPE,
    SF_LOOK_STRING,
    SF_LOOK_NUMBER,
    SF_LOOK_COMMENT,
    SF_LOOK_FUNCTION,
    SF_LOOK_PREPROCESSOR,
    SF_LOOK_PANEL,      /* what a block of code stands on */
    SF_LOOK_ADDED_LINE, /* what changed lines of a diff stand on */
    SF_LOOK_REMOVED_LINE,
    SF_LOOK_ROLES,
};

extern const char *const sf_look_role_names[]; /* as theme files spell them; NULL at the end */

enum {
    SF_LOOK_BOLD = 1,
    SF_LOOK_ITALIC = 2,
    SF_LOOK_UNDERLINE = 4,
    SF_LOOK_REVERSE = 8,
    SF_LOOK_FAINT = 16, /* paused, not in force */
};

/* What text stands on; its own colour stays. A terminal that cannot tint it has a fallback. */
enum sf_look_ground {
    SF_GROUND_NONE,
    SF_GROUND_PANEL,
    SF_GROUND_ADDED,
    SF_GROUND_REMOVED,
    SF_GROUNDS
};

struct sf_look {
    uint8_t role;   /* enum sf_look_role */
    uint8_t attrs;  /* SF_LOOK_BOLD and its like */
    uint8_t ground; /* enum sf_look_ground */
};

static inline struct sf_look sf_look(enum sf_look_role role)
{
    return (struct sf_look){ .role = (uint8_t)role };
}

static inline struct sf_look sf_look_with(enum sf_look_role role, unsigned attrs)
{
    return (struct sf_look){ .role = (uint8_t)role, .attrs = (uint8_t)attrs };
}

static inline struct sf_look sf_look_on(struct sf_look look, enum sf_look_ground ground)
{
    look.ground = (uint8_t)ground;
    return look;
}

static inline bool sf_look_same(struct sf_look a, struct sf_look b)
{
    return a.role == b.role && a.attrs == b.attrs && a.ground == b.ground;
}

/* The role of a badge's segment. */
static inline struct sf_look sf_look_of_style(enum sf_style style)
{
    return sf_look((enum sf_look_role)(SF_LOOK_DIM + (int)style));
}

#endif
