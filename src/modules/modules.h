/*
 * modules: libraries that are too slow to load at every start. libcurl and libgit2 bring forty
 * shared objects and read certificates as they start; the program therefore does not link them.
 * Each sits in a private shared object beside the program, loaded at its first use and kept.
 *
 * A module exports one table of functions. Nothing but the program's own directories is ever
 * searched for it: build tree (modules/ beside the program) or installation (../lib/sf/).
 *
 * Decisions, each with the tests that hold it:
 *
 * - libcurl's callbacks only take notes.
 *   Problem: libcurl forbids nearly everything from within its callbacks.
 *   Decision: They note what came; callers are told afterwards, outside of libcurl, so that a
 *     request can be started, cancelled or freed from anywhere.
 *   Cost: What came is copied once.
 *   Enforced by: modules/http, modules/engine
 *
 * - SQLite, libyaml, utf8proc and PCRE2 are linked statically where Debian has the archive.
 *   Problem: Relocating SQLite's shared object alone costs more instructions than the whole of `git
 *     --version`.
 *   Decision: The build takes the archive where there is one and the shared object elsewhere.
 *   Cost: A fix in one of these libraries needs a new build.
 *   Enforced by: house/release
 */
#ifndef SF_MODULES_MODULES_H
#define SF_MODULES_MODULES_H

#include "base/base.h"
#include "modules/git_api.h"
#include "modules/http_api.h"

/* Raised with every change of the tables, so that a stale file is refused, not called. */
enum { SF_MODULE_ABI = 3 };

/* NULL with `err` filled when the module is missing, stale or cannot be loaded. */
const struct sf_http_api *sf_module_http(struct sf_error *err);
const struct sf_git_api *sf_module_git(struct sf_error *err);

#endif
