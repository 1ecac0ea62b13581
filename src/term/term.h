/*
 * term: the terminal: keys in, cells out. Decodes what it sends, knows which key does what, paints
 * frames, and puts it back as it was.
 *
 * The other rooms include this header alone.
 */
#ifndef SF_TERM_TERM_H
#define SF_TERM_TERM_H

#include "term/decoder.h"
#include "term/keymap.h"
#include "term/terminal.h"

#endif
