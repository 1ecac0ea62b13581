/*
 * ruling: what the engine itself makes of one path, in a session that may do everything else.
 */
#ifndef SUPPORT_RULING_H
#define SUPPORT_RULING_H

#include "guard/guard.h"

enum path_deed { PATH_READS, PATH_WRITES, PATH_CREATES, PATH_DELETES };

/* SF_ALLOW also when what the engine objects to is not the path. `out` may be NULL. */
enum sf_answer path_ruling(const struct sf_path_facts *facts, enum path_deed deed,
                           const struct sf_scope *scope, struct sf_verdict *out);

#endif
