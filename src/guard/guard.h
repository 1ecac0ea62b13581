/*
 * guard: what a command would do, said before it runs. Owns the shell reader, the facts about
 * programs and the classifier that joins them. Pure: nothing here opens a file, looks at the
 * environment or runs anything; the answer depends on the text alone.
 */
#ifndef SF_GUARD_GUARD_H
#define SF_GUARD_GUARD_H

#include "guard/class.h"
#include "guard/classify.h"
#include "guard/corpus.h"
#include "guard/shell.h"

#endif
