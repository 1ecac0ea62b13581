/*
 * base: the ground everything stands on. Strings, memory, errors, JSON, TOML, UTF-8 and time
 * as text. Nothing here opens a file, reads a clock or draws. The other rooms include this
 * header alone.
 *
 * Decisions, each with the tests that hold it:
 *
 * - TOML is read and edited by sf itself.
 *   Problem: Debian has no C library for TOML, and warnings need the line and column of a value.
 *   Decision: A reader of our own keeps the place of every value in the text, so the editor can
 *     change one value and leave comments and order alone.
 *   Cost: About a thousand lines of parser, held to a public test suite.
 *   Enforced by: base/toml
 *
 * - An edit of a settings file proves itself.
 *   Problem: An editor that misplaces one byte can change a setting nobody asked about.
 *   Decision: The editor reads its own result again and compares all other data; if anything else
 *     would change, the file stays as it was.
 *   Cost: Each edit parses the file twice.
 *   Enforced by: base/toml_edit
 *
 * - Running out of memory ends the program.
 *   Problem: Code that handles every failed allocation is never tested, and half of it is wrong.
 *   Decision: A failed allocation ends the program through one hook, which puts the terminal back
 *     first. Anything whose size outsiders choose has a ceiling before it is allocated.
 *   Cost: No caller can recover from an allocation it could do without.
 *   Enforced by: base/mem, term/terminal
 */
#ifndef SF_BASE_BASE_H
#define SF_BASE_BASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/frontmatter.h"
#include "base/id.h"
#include "base/json.h"
#include "base/json_schema.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/plain.h"
#include "base/sha1.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "base/strlist.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/time.h"
#include "base/toml.h"
#include "base/toml_edit.h"
#include "base/url.h"
#include "base/utf8.h"
#include "base/zone.h"
/* clang-format off: last, behind every libc header */
#include "base/banned.h"
/* clang-format on */

#endif
