/*
 * import: a session out of a file that export.h wrote, or somebody else. It becomes a new session
 * with an id of its own, or nothing does. The file is a stranger's: it is bounded, each event is
 * read as resuming would read it and written anew from what was understood, and all it brings is
 * what was said. Axes, approvals, costs, and which files were seen begin as in any new session.
 */
#ifndef SF_JOURNAL_IMPORT_H
#define SF_JOURNAL_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "store/store.h"

enum { SF_IMPORT_BYTES_MAX = 256 * 1024 * 1024, SF_IMPORT_EVENTS_MAX = 200 * 1000 };

struct sf_import {
    struct sf_store *store;
    const char *project; /* of the new session */
    const char *surface;
    const char *text;
    size_t len;
};

/* `passed_over` counts events that are none of a conversation's. */
bool sf_import_run(const struct sf_import *how, char id_out[SF_ID_LEN + 1], size_t *passed_over,
                   struct sf_error *err) SF_MUST_CHECK;

#endif
