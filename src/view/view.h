/*
 * view: from state to cells. Text of all kinds laid out into pages, the parts of the screen drawn
 * into frames, the text being written. Pure: no terminal, no file, no clock; colours are roles.
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
