/*
 * path: what a resolved path means. Others look where a path really leads (links followed, the
 * directory held open); this judges what they found: whether it is inside the workspace, whether
 * a rule protects it, whether it may hold secrets, whether the scope lets it be written.
 *
 * Names are compared by component, never by prefix, and folded first: letters without case, and
 * what some file system would ignore is ignored (trailing dots and blanks, invisible characters,
 * stream suffixes, "\" as "/"). That protects names which are harmless here and .git elsewhere;
 * erring that way costs a question. The scope is compared byte by byte, where erring the other
 * way would cost a file.
 *
 * What follows from profile and trust is for the verdict engine; here is only what the path says.
 */
#ifndef SF_GUARD_PATH_H
#define SF_GUARD_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "modes/modes.h"
#include "shell/shell.h"

enum sf_path_zone {
    SF_PATH_INSIDE,
    SF_PATH_OUTSIDE,
    SF_PATH_PROTECTED,  /* never written, wherever it lies */
    SF_PATH_CREDENTIAL, /* never written, and reading it asks */
};

/* What resolving found; see struct sf_place of io, whose fields these are. */
struct sf_path_found {
    const char *real; /* inside: below the root; outside: absolute */
    bool inside;
    const char *const *via; /* the same, for each link followed, unresolved behind the link */
    size_t via_count;
    bool git_dir;
    unsigned long links; /* names of the file that is there; 0: nothing is */
};

struct sf_path_facts {
    enum sf_path_zone zone;
    bool inside;                     /* also when the zone says something worse */
    const struct sf_path_rule *rule; /* of the last two zones, else NULL */
    bool shared;                     /* the file has another name, perhaps outside */
    const char *real;                /* borrowed from what was found */
};

/*
 * A name that later commands take for something else: an option, a pattern, a home directory, an
 * address, a substitution. `[id].tsx` is none, whole frameworks are named like that.
 */
bool sf_path_is_trap(const char *path);

/* Whether the text of a path alone says that it is protected or holds credentials. */
bool sf_path_is_protected(const char *path);

struct sf_path_facts sf_path_classify(const struct sf_path_found *found,
                                      const struct sf_path_places *places);

#endif
