/*
 * view: from state to cells. Text of all kinds laid out into pages, the parts of the screen drawn
 * into frames, the text being written. Pure: no terminal, no file, no clock; colours are roles.
 *
 * Decisions, each with the tests that hold it:
 *
 * - The transcript is never laid out as a whole.
 *   Problem: Laying out a long conversation takes longer than a frame.
 *   Decision: The view is held by its top line, as an item and a line of it, and only items near
 *     the screen have pages. An answer that streams in is cut where Markdown allows it, so only its
 *     last block is laid out again.
 *   Cost: The height of the whole is never known exactly.
 *   Enforced by: view/transcript, view/markdown
 *
 * The other rooms include this header alone.
 */
#ifndef SF_VIEW_VIEW_H
#define SF_VIEW_VIEW_H

#include "view/code.h"
#include "view/composer.h"
#include "view/frame.h"
#include "view/fuzzy.h"
#include "view/look.h"
#include "view/markdown.h"
#include "view/marked_text.h"
#include "view/match_marks.h"
#include "view/page.h"
#include "view/theme.h"
#include "view/transcript.h"

#endif
