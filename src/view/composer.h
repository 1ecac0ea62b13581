/*
 * composer: the text being written, and how it is edited. Pure: it is told what to do (by an
 * action, a paste, a character) and draws itself. Knows graphemes, words and lines as they are
 * wrapped, undo and redo, a kill ring, folded pastes, and vim's normal mode where it is wanted.
 *
 * A paste longer than SF_PASTE_LINES lines or SF_PASTE_BYTES becomes a chip: one thing on screen
 * ("[paste 1: 312 lines]"), its text kept beside it. The text of the composer has the chips'
 * contents in place; that is what is sent and kept as a draft.
 */
#ifndef SF_VIEW_COMPOSER_H
#define SF_VIEW_COMPOSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "view/frame.h"

enum {
    SF_PASTE_LINES = 8,
    SF_PASTE_BYTES = 2000,
    SF_COMPOSER_MAX = 8 * 1024 * 1024, /* bytes; more is refused */
    SF_COMPOSER_UNDO = 200,
    SF_COMPOSER_KILLS = 16,
};

struct sf_composer;

struct sf_composer *sf_composer_new(void);
void sf_composer_free(struct sf_composer *c); /* NULL is welcome */

enum sf_compose {
    SF_COMPOSE_LEFT,
    SF_COMPOSE_RIGHT,
    SF_COMPOSE_UP, /* by lines as they are shown */
    SF_COMPOSE_DOWN,
    SF_COMPOSE_WORD_LEFT,
    SF_COMPOSE_WORD_RIGHT,
    SF_COMPOSE_HOME, /* of the line; again: of the text */
    SF_COMPOSE_END,
    SF_COMPOSE_FIRST,
    SF_COMPOSE_LAST,
    SF_COMPOSE_NEWLINE,
    SF_COMPOSE_BACKSPACE,
    SF_COMPOSE_DELETE,
    SF_COMPOSE_KILL_WORD,      /* Ctrl+W: back to white space */
    SF_COMPOSE_KILL_WORD_BACK, /* Alt+Backspace: back to a word's start */
    SF_COMPOSE_KILL_WORD_FORWARD,
    SF_COMPOSE_KILL_LINE, /* to its end; at the end: the newline */
    SF_COMPOSE_KILL_START,
    SF_COMPOSE_YANK,
    SF_COMPOSE_YANK_POP, /* right after a yank: the kill before it */
    SF_COMPOSE_TRANSPOSE,
    SF_COMPOSE_UNDO,
    SF_COMPOSE_REDO,
    SF_COMPOSE_ACTIONS,
};

/* False: it had no effect (a cursor at the border), so that the key may mean something else. */
bool sf_composer_do(struct sf_composer *c, enum sf_compose act);

/*
 * What was typed; false when it would be too long, and then nothing comes in. Damage becomes U+FFFD,
 * "\r\n" and "\r" a newline, and other controls but the tab stay outside, here and in pastes. In
 * vim's normal mode the characters are commands.
 */
bool sf_composer_type(struct sf_composer *c, const char *text, size_t len);
bool sf_composer_paste(struct sf_composer *c, const char *text, size_t len);

/* Puts the contents in place of the chip under the cursor or in front of it; false: none there. */
bool sf_composer_unfold(struct sf_composer *c);

bool sf_composer_is_empty(const struct sf_composer *c);
void sf_composer_text(const struct sf_composer *c, struct sf_strbuf *out); /* chips unfolded */
void sf_composer_clear(struct sf_composer *c);                             /* undoable */

/* Instead of all there is, undoable; a large text becomes a chip. False: too long, no effect. */
bool sf_composer_set(struct sf_composer *c, const char *text, size_t len);

/* What stands in front of the cursor, with folded pastes as marks. Borrowed until the next change. */
const char *sf_composer_head(const struct sf_composer *c, size_t *len);

/*
 * The word the cursor is in or behind, from its `sigil` (@, /) up to the cursor, for completion;
 * NULL: none. A word begins behind white space or an opening bracket or quote, so there is none in
 * a@b and a/b. Borrowed until the next change.
 */
const char *sf_composer_word(const struct sf_composer *c, char sigil, size_t *len);
/* Puts `text`, sigil and all, in the place of that word and what follows it up to a space. */
void sf_composer_complete(struct sf_composer *c, char sigil, const char *text);

/* Whether the whole text is one line that begins with `sigil`. */
bool sf_composer_begins_with(const struct sf_composer *c, char sigil);

/* ---- on screen ---- */

/* Rows it takes, at least 1; `cols` are those of the area less those of the prompt. */
int sf_composer_rows(struct sf_composer *c, int cols);

/* Draws behind `prompt`, scrolled so that the cursor is in view, and places the cursor. */
void sf_composer_draw(struct sf_composer *c, struct sf_area area, const char *prompt,
                      struct sf_look prompt_look, const char *placeholder);

/* Puts the cursor where the mouse clicked in the area drawn last. */
void sf_composer_click(struct sf_composer *c, int row, int col);

/* ---- vim ---- */

void sf_composer_set_vim(struct sf_composer *c, bool on);
/*
 * In normal mode keys are commands: `code` is a character, `mods` as the terminal's decoder has
 * them. False: not a key of vim (insert mode, a chord, a key that is no character), which may mean
 * something else. A character without a meaning is taken and does nothing.
 */
bool sf_composer_vim_key(struct sf_composer *c, uint32_t code, unsigned mods);
/* Escape: out of insert or visual mode, or out of a command half typed; false: of no use here. */
bool sf_composer_vim_escape(struct sf_composer *c);
const char *sf_composer_vim_mode(const struct sf_composer *c); /* "INSERT"; NULL: vim is off */

#endif
