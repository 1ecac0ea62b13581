/*
 * find: looking through a tree: files by name, text by pattern, directories by listing. It stays
 * below the directory handle it is given, follows no link, opens nothing but directories and
 * regular files, and keeps what the tree's own ignore files leave out out of sight. Calls block
 * and take a flag to end them; run them on a worker. Whether a path may be seen at all is asked
 * of the caller (walk.h, veto). The other rooms include this header alone.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Searching is our own, around PCRE2.
 *   Problem: A search must not leave the workspace, follow links or show credentials, and its
 *     answer must not depend on timing.
 *   Decision: The walk opens only directories and regular files below one handle, asks the caller
 *     before it opens anything, and gives the same answer whatever its threads do. `./dev bench
 *     grep` compares answers and times with ripgrep's.
 *   Cost: Four thousand lines that ripgrep would have spared us.
 *   Enforced by: find/walk, find/search, find/content
 */
#ifndef SF_FIND_FIND_H
#define SF_FIND_FIND_H

#include "find/beneath.h"
#include "find/entries.h"
#include "find/files.h"
#include "find/filter.h"
#include "find/glob.h"
#include "find/ignore.h"
#include "find/list.h"
#include "find/pattern.h"
#include "find/search.h"
#include "find/types.h"
#include "find/walk.h"

#endif
