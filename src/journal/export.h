/*
 * export: a session as a file for people and programs, including the events it shares with its
 * parent.
 *
 *     md     Markdown: prompts, answers, calls and their results
 *     html   the same as one self-contained page: no script, nothing loaded from elsewhere
 *     json   one document with one event per line, as import.h reads it:
 *            {"format":"sf-session","version":1,"session":{…},"events":[
 *            {"seq":1,"time":…,"surface":…,"kind":…,"data":{…}},
 *            …
 *            ]}
 *     replay what the models answered, for `replay:FILE` (docs/REPLAY.md)
 *
 * Text of the conversation is escaped, so that it cannot become markup of the page.
 */
#ifndef SF_JOURNAL_EXPORT_H
#define SF_JOURNAL_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "store/store.h"

#define SF_EXPORT_FORMAT "sf-session"

enum { SF_EXPORT_VERSION = 1 };

extern const char *const sf_export_names[]; /* ends with NULL; the first is the default */

/* The format that the extension of the file name stands for; NULL: none. */
const char *sf_export_format_of(const char *path);

/* Gets the pieces in order; returns false with `err` to stop the export. */
typedef bool sf_export_fn(void *ctx, const char *text, size_t len, struct sf_error *err);

struct sf_export {
    struct sf_store *store;
    const char *session; /* the id or a unique prefix of it */
    const char *format;  /* one of sf_export_names */
    sf_export_fn *sink;
    void *ctx;
};

bool sf_export_run(const struct sf_export *how, struct sf_error *err) SF_MUST_CHECK;

/* Exports into a file, which must not exist yet. */
bool sf_export_file(const struct sf_export *how, const char *path,
                    struct sf_error *err) SF_MUST_CHECK;

/* Writes any text into a file, which must not exist yet. */
bool sf_export_text(const char *path, const struct sf_strbuf *text,
                    struct sf_error *err) SF_MUST_CHECK;

#endif
