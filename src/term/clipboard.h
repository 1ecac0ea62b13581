/*
 * clipboard: text to where the user can paste it. Internal to the room.
 */
#ifndef SF_TERM_CLIPBOARD_H
#define SF_TERM_CLIPBOARD_H

#include "base/base.h"

/*
 * Hands the text to wl-copy, xclip or xsel, whichever belongs to this desktop and is installed;
 * true when it took it over. Waits for it, a moment at most. The program stays behind to serve
 * the clipboard and outlives this one, so it is no sf_child.
 */
bool sf_clipboard_program(const char *text, size_t len);

/* The sequence that asks the terminal itself; false when the text is longer than they take. */
bool sf_clipboard_add_sequence(struct sf_strbuf *out, const char *text, size_t len);

#endif
