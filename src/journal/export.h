/*
 * export: a session as a file for people and programs, with what it shares with its parent.
 *
 *     md     Markdown: what was said, calls and their results
 *     html   the same as one page that needs nothing else: no script, no address is asked for
 *     json   one document, one event a line, as import.h reads it again:
 *            {"format":"sf-session","version":1,"session":{…},"events":[
 *            {"seq":1,"time":…,"surface":…,"kind":…,"data":{…}},
 *            …
 *            ]}
 *
 * Whatever was said, the page and the text hold it as text.
 */
#ifndef SF_JOURNAL_EXPORT_H
#define SF_JOURNAL_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "store/store.h"

#define SF_EXPORT_FORMAT "sf-session"

enum { SF_EXPORT_VERSION = 1 };

extern const char *const sf_export_names[]; /* up to NULL; the first is the usual one */

/* The one a file's name ends in; NULL: none of them. */
const char *sf_export_format_of(const char *path);

/* The pieces come in their order; false stops it, and the sink says why in `err`. */
typedef bool sf_export_fn(void *ctx, const char *text, size_t len, struct sf_error *err);

struct sf_export {
    struct sf_store *store;
    const char *session; /* its id or a unique beginning */
    const char *format;  /* a name of sf_export_names */
    sf_export_fn *sink;
    void *ctx;
};

bool sf_export_run(const struct sf_export *how, struct sf_error *err) SF_MUST_CHECK;

/* Into a file that must not be there yet. */
bool sf_export_file(const struct sf_export *how, const char *path,
                    struct sf_error *err) SF_MUST_CHECK;

/* Any text, the same way. */
bool sf_export_text(const char *path, const struct sf_strbuf *text,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
