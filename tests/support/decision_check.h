/*
 * decision_check: what a scripted run left in its store, held against the one promise of the gate:
 * every result of a tool has a decision before it. What ran was permitted by that decision; what
 * was not permitted did not run, and says so. World and session cases check it as they end, so it
 * holds for every run of the suite.
 */
#ifndef SF_TESTS_SUPPORT_DECISION_CHECK_H
#define SF_TESTS_SUPPORT_DECISION_CHECK_H

#include <stddef.h>

#include "base/base.h"

/*
 * Looks through every store below the directory; one that cannot be read is not looked at. Adds a
 * line for each result that breaks the promise, and returns how many results there were.
 */
size_t decision_check(const char *dir, struct sf_strbuf *broken);

/* The same, and fails the test when there are any. For fixtures. */
void decision_check_or_fail(const char *dir);

#endif
