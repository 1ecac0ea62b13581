/*
 * edit: changes to files as bytes in, bytes out. Says what a file's bytes are, replaces text in
 * them, compares them and applies patches, and touches no byte it was not asked to touch.
 * Nothing here opens a file or decides whether a path may be written.
 *
 *     textfile  encoding, line endings      replace  Edit and MultiEdit
 *     diff      unified diffs, hunks        patch    ApplyPatch: reading, applying, planning
 *     ladder    finding text that is only nearly right
 *
 * Decisions, each with the tests that hold it:
 *
 * - A loose match changes no loose byte.
 *   Problem: Models quote text nearly right: with other white space, quotes or line endings.
 *   Decision: The text is searched for in a folded copy and replaced in the original. Lines that
 *     the edit does not change keep their own bytes, and an ambiguous place is refused.
 *   Cost: The rungs of the ladder have to map every folded byte back to its place.
 *   Enforced by: edit/replace
 *
 * The other rooms include this header alone.
 */
#ifndef SF_EDIT_EDIT_H
#define SF_EDIT_EDIT_H

#include "edit/diff.h"
#include "edit/fold.h"
#include "edit/ladder.h"
#include "edit/lines.h"
#include "edit/nearest.h"
#include "edit/patch.h"
#include "edit/replace.h"
#include "edit/textfile.h"

#endif
