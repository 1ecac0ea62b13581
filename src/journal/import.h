/*
 * import: makes a session from a JSON file as export.h writes it. The import creates a new session
 * with an id of its own, or nothing at all. The file is not trusted: its size is limited, each
 * event is parsed as resuming would parse it and written again from what was understood, and only
 * the conversation is taken. Axes, approvals, costs and the record of files seen start as in any
 * new session.
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

/* `passed_over` counts the events that are no part of the conversation. */
bool sf_import_run(const struct sf_import *how, char id_out[SF_ID_LEN + 1], size_t *passed_over,
                   struct sf_error *err) SF_MUST_CHECK;

#endif
