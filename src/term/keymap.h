/*
 * keymap: which key does what. One table of actions, each with its name, its default keys, where
 * it applies and what it does in a few words; `[keys]` of the settings rebinds them by name; help
 * and docs are printed from the rows.
 *
 * A binding is a chord ("ctrl+shift+m", "alt+enter", "f1") or a leader and a key ("ctrl+x m").
 * While a leader waits, the status row says so and lists what may follow. Letters have no case.
 * Printable characters come as text and not as keys: the owner takes them out of the text
 * (sf_key_of_text) only while a leader waits; alone they cannot be bound.
 */
#ifndef SF_TERM_KEYMAP_H
#define SF_TERM_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "term/decoder.h"

enum sf_action_id {
    SF_ACTION_NONE,
    SF_ACTION_SEND, /* Enter */
    SF_ACTION_NEWLINE,
    SF_ACTION_TAB,       /* complete, queue or cycle presets */
    SF_ACTION_CANCEL,    /* Esc's stack */
    SF_ACTION_INTERRUPT, /* Ctrl+C */
    SF_ACTION_QUIT,      /* Ctrl+D when empty; else deletes */
    SF_ACTION_SUSPEND,
    SF_ACTION_REDRAW,
    SF_ACTION_MODEL_MODE,
    SF_ACTION_WORK_MODE,
    SF_ACTION_AUTONOMOUS,
    SF_ACTION_ASSISTED,
    SF_ACTION_MANUAL,
    SF_ACTION_REPAIR,
    SF_ACTION_PROFILE,
    SF_ACTION_HELP,
    SF_ACTION_PALETTE,
    SF_ACTION_HISTORY,
    SF_ACTION_EDITOR,
    SF_ACTION_EXPAND,
    SF_ACTION_FIND,
    SF_ACTION_BACKTRACK, /* Esc Esc, and Ctrl+X b */
    SF_ACTION_COPY,      /* the last answer */
    SF_ACTION_TIMES,     /* timestamps on or off */
    SF_ACTION_SCROLL_UP, /* a page */
    SF_ACTION_SCROLL_DOWN,
    SF_ACTION_SCROLL_TOP,
    SF_ACTION_SCROLL_BOTTOM,
    SF_ACTION_LINE_UP,
    SF_ACTION_LINE_DOWN,
    SF_ACTION_TASKS,
    SF_ACTION_SIDEBAR, /* shown or hidden */
    SF_ACTION_SESSIONS,
    SF_ACTION_LEFT, /* the composer's own, from here on */
    SF_ACTION_RIGHT,
    SF_ACTION_UP,
    SF_ACTION_DOWN,
    SF_ACTION_WORD_LEFT,
    SF_ACTION_WORD_RIGHT,
    SF_ACTION_HOME,
    SF_ACTION_END,
    SF_ACTION_FIRST,
    SF_ACTION_LAST,
    SF_ACTION_BACKSPACE,
    SF_ACTION_DELETE,
    SF_ACTION_KILL_WORD,
    SF_ACTION_KILL_WORD_BACK,
    SF_ACTION_KILL_WORD_FORWARD,
    SF_ACTION_KILL_LINE,
    SF_ACTION_KILL_START,
    SF_ACTION_YANK,
    SF_ACTION_YANK_POP,
    SF_ACTION_TRANSPOSE,
    SF_ACTION_UNDO,
    SF_ACTION_REDO,
    SF_ACTION_COUNT,
};

enum { SF_BINDING_KEYS = 2, SF_CHORD_TEXT = 64 };

/* One or two keys; the second is 0 where there is one. */
struct sf_chord {
    struct sf_key keys[SF_BINDING_KEYS];
};

struct sf_action_row {
    enum sf_action_id action;
    const char *name;   /* "cycle-work-mode": in [keys] */
    const char *chords; /* defaults, separated by ", "; the first is the one that is shown */
    const char *help;   /* "next work mode" */
    const char *group;  /* "Writing", "Modes", "Moving", "Session": headings in help */
};

extern const struct sf_action_row sf_action_rows[];
extern const size_t sf_action_row_count;

/* "ctrl+x m" or "^x m" to keys; and back, as people read it: "Ctrl+X m". */
bool sf_chord_parse(struct sf_chord *chord, const char *text, struct sf_error *err) SF_MUST_CHECK;
void sf_chord_text(const struct sf_chord *chord, char out[SF_CHORD_TEXT]);

struct sf_keymap;

struct sf_keymap *sf_keymap_new(void); /* with the defaults */
void sf_keymap_free(struct sf_keymap *map);

/*
 * One entry of [keys]: the action's name, and chords separated by commas, which replace all that
 * it had; "" unbinds, NULL gives it its defaults. An unknown action, a bad chord or one that is
 * taken twice is an error that names both, and the action keeps what it had. So that two actions
 * can swap their keys, the owner first unbinds all that [keys] names and then binds them; one that
 * fails gets its defaults back with NULL.
 */
bool sf_keymap_bind(struct sf_keymap *map, const char *action, const char *chords,
                    struct sf_error *err) SF_MUST_CHECK;

/*
 * What the key does. SF_ACTION_NONE with `*waits` true: a leader, the next key decides. That key
 * is always used up. It matches with Ctrl or Shift still held, too, so Enter stands for m and Tab
 * for i where they are not bound themselves; Ctrl+C keeps its meaning, Esc only forgets the leader.
 * Shift that means nothing beside a key without a character is ignored.
 */
enum sf_action_id sf_keymap_feed(struct sf_keymap *map, const struct sf_key *key, bool *waits);
void sf_keymap_forget(struct sf_keymap *map);                       /* the leader that waits */
const struct sf_key *sf_keymap_leader(const struct sf_keymap *map); /* NULL: none waits */

/*
 * The action's key to show, "" when unbound. Where the terminal cannot send a chord
 * (`extended` false: no kitty protocol and no modifyOtherKeys), one that it can, or "".
 */
const char *sf_keymap_shown(const struct sf_keymap *map, enum sf_action_id action, bool extended,
                            char out[SF_CHORD_TEXT]);

/* The first character of typed text as a key; returns its bytes, 0 when there is none. */
size_t sf_key_of_text(struct sf_key *key, const char *text, size_t len);

/* Walks the chords of an action: index from 0; false behind the last. */
bool sf_keymap_chord(const struct sf_keymap *map, enum sf_action_id action, size_t index,
                     struct sf_chord *out);

/* Whether a legacy terminal can send it at all. */
bool sf_chord_is_plain(const struct sf_chord *chord);

void sf_keys_doc_add(struct sf_strbuf *out); /* docs/KEYS.md */

#endif
