/*
 * line: what a line of output says besides tests: that make had nothing to do, and that a shell could
 * not start a command. Within the room.
 */
#ifndef SF_VERIFY_LINE_H
#define SF_VERIFY_LINE_H

#include <stdbool.h>
#include <stddef.h>

bool sf_line_is_idle(const char *line, size_t len);      /* "make: Nothing to be done for 'all'." */
bool sf_line_is_said(const char *line, size_t len);      /* It is not empty, and not make's own. */
bool sf_line_is_unstarted(const char *line, size_t len); /* "sh: 1: pytest: not found" */

#endif
