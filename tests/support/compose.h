/*
 * compose: drives a composer with a script and shows what came of it. In a script characters are
 * typed as they stand, one by one, and words in angle brackets are done: <left>, <kill-line>,
 * <esc>, … with a count as in <left*3>; <true> and <false> check what the last one returned.
 *
 *     <chip>       pastes the nine lines of COMPOSE_CHIP
 *     <paste:X>    pastes X            <set:X>    sets the text to X
 *     <width:N>    lays out for N columns         <at:X>  completes the @word with X
 */
#ifndef SF_TESTS_SUPPORT_COMPOSE_H
#define SF_TESTS_SUPPORT_COMPOSE_H

#include "view/composer_parts.h"
#include "view/view.h"

#define COMPOSE_CHIP "1\n2\n3\n4\n5\n6\n7\n8\n9"

/* How many bytes of the text, chips unfolded, stand in front of the cursor. */
static inline size_t compose_cursor(const struct sf_composer *c)
{
    return c->cursor + sf_composer_unfolds(c, c->text.buf, c->cursor);
}

/* Fails the test, naming it, when the script does not hold or cannot be read. */
void compose_run(struct sf_composer *c, const char *script, const char *name);

/* The text with "|" where the cursor is; `want` may say § for COMPOSE_CHIP. False: says what is. */
bool compose_shows(const struct sf_composer *c, const char *want, const char *name);

#endif
