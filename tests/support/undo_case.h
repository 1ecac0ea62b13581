/*
 * undo_case: going back over the turns of a session_case as a surface would, and the files of its
 * workspace. A failed step fails the test.
 */
#ifndef SF_TESTS_SUPPORT_UNDO_CASE_H
#define SF_TESTS_SUPPORT_UNDO_CASE_H

#include "support/session_case.h"

void undo_case_undo(struct session_case *c, const char *session); /* NULL: of any session */
void undo_case_redo(struct session_case *c);

/* What undoing the last turn would do, as text; owned. */
char *undo_case_preview(struct session_case *c);
/* The same of the last turn that took a snapshot, whether or not it has anything to undo. */
char *undo_case_number_preview(struct session_case *c);

/* `want` NULL: the file is not there. */
void undo_case_expect(struct session_case *c, const char *name, const char *want);

#endif
