/*
 * term: the terminal: keys in, cells out. Decodes what it sends, knows which key does what, paints
 * frames, and puts it back as it was.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Keys are decoded by sf, not by ncurses.
 *   Problem: No terminfo entry knows of the kitty protocol, modifyOtherKeys, pastes or replies.
 *   Decision: The decoder has no clock and no descriptor, so any chunking of any bytes can be
 *     tried. What it does not understand it drops whole, and it cannot get stuck.
 *   Cost: A table of sequences of our own.
 *   Enforced by: term/decoder
 *
 * - The key that is shown is one that arrives.
 *   Problem: Terminals and multiplexers take or fold Ctrl+Shift.
 *   Decision: Each such chord has a twin behind Ctrl+X, which stands first in its row.
 *   Cost: Two chords for one action.
 *   Enforced by: term/keymap, tui/keys
 *
 * - A block below printed text owns its rows.
 *   Problem: Terminals that break lines anew scroll when they get narrower, and some keep what is
 *     erased from the first cell of the screen on.
 *   Decision: `--inline` never erases from there, keeps its last row in its place, ends its rows at
 *     column 80 and waits until a size stands.
 *   Cost: Wide terminals are not used to their full width.
 *   Enforced by: term/inline, tui/inline
 *
 * The other rooms include this header alone.
 */
#ifndef SF_TERM_TERM_H
#define SF_TERM_TERM_H

#include "term/decoder.h"
#include "term/keymap.h"
#include "term/terminal.h"

#endif
