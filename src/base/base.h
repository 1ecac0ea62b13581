/*
 * base: the ground everything stands on. Strings, memory, errors, JSON, TOML, UTF-8 and time
 * as text. Nothing here opens a file, reads a clock or draws. The other rooms include this
 * header alone.
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
#include "base/frontmatter.h"
#include "base/id.h"
#include "base/json.h"
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
