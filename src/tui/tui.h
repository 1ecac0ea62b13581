/*
 * tui: the terminal: keys in, cells out. Decodes what it sends, knows which key does what, paints
 * frames, and puts it back as it was.
 *
 * The other rooms include this header alone.
 */
#ifndef SF_TUI_TUI_H
#define SF_TUI_TUI_H

#include "tui/decoder.h"
#include "tui/keymap.h"
#include "tui/terminal.h"

#endif
