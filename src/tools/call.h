/*
 * call: one call of a tool, from its arguments to its result. Made by sf_tool_call_new, judged by
 * the session, started by sf_toolbox_start, freed by its owner after the result has come (or if it
 * was never started).
 */
#ifndef SF_TOOLS_CALL_H
#define SF_TOOLS_CALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "guard/guard.h"
#include "io/io.h"
#include "tools/table.h"

enum {
    SF_TOOL_CALL_TARGETS_MAX = 256,
    SF_TOOL_CALL_TEXT_MAX = 128 * 1024, /* bytes of a result's text; each tool has a lower limit */
    SF_TOOL_CALL_DIFF_MAX = 1024 * 1024,
    SF_TOOL_CALL_NOTE_MAX = 4 * 1024, /* bytes of a note for later sessions */
};

/* A path that the call names. The session resolves it; the tool uses only `place`. */
struct sf_tool_call_target {
    char *path;  /* as the model gave it */
    char *at;    /* the same below the workspace, which is what is resolved; NULL: `path` is */
    char *shown; /* the same for people; NULL: `at` */
    enum sf_place_want want;
    enum sf_act act; /* SF_ACT_READ, SF_ACT_WRITE or SF_ACT_DELETE */
    struct sf_place place;
};

/* A file as a tool saw it, to tell later whether it has changed since. */
struct sf_file_seen {
    char *path; /* real, below the workspace or absolute */
    int64_t size, mtime_ns;
    unsigned char digest[32]; /* SHA-256 of the whole file */
    bool whole;               /* the whole file was shown */
    int64_t first, last;      /* the lines that were shown; 0: unknown */
    int64_t limit;            /* the number of lines asked for; -1: the result was cut */
    bool again;               /* the lines had been shown before, so they were not repeated */
    bool wrote;               /* the call wrote the file, rather than read it */
};

struct sf_tool_result {
    bool is_error;
    struct sf_strbuf text;     /* for the model: valid UTF-8, sanitised, limited */
    char *summary;             /* one line for people: "edited src/a.c +3 −1"; or NULL */
    struct sf_strbuf diff;     /* of changed files, for people; or empty */
    bool diff_cut;             /* it was longer than SF_TOOL_CALL_DIFF_MAX */
    char *media, *data;        /* an image, base64; or NULL */
    struct sf_file_seen *seen; /* files read or written */
    size_t seen_count, seen_cap;
    int exit_code; /* of a command; -1: none */
    int64_t job;   /* the background job that the result is about; 0: none */
};

struct sf_tool_call {
    const struct sf_tool *tool;
    enum sf_act act; /* from the row, unless `describe` changes it */
    char *id;        /* the model's id of the call */
    struct sf_json *args;
    struct sf_tool_call_target *targets;
    size_t target_count, target_cap;
    const char *command; /* of a shell call, borrowed from args; else NULL */
    const char *url;     /* of a fetch, borrowed from args; else NULL */
    const char *note;    /* for later sessions, borrowed from args; else NULL */
    const char *what;    /* the first of these three that is set, else the first path, else "" */
    struct sf_tool_result result;
    bool endless;    /* a command runs to its end, and never moves to the background */
    bool only_reads; /* a command was judged to read only */
    atomic_bool cancelled;
    void *work;                   /* private to the running tool */
    struct sf_tool_call_run *run; /* private to the toolbox, while the call runs */
};

/* NULL with an error for the model if the arguments do not fit the tool, or `tool` is NULL. */
struct sf_tool_call *sf_tool_call_new(const struct sf_tool *tool, const char *id, const char *args,
                                      size_t len, struct sf_error *err) SF_MUST_CHECK;
void sf_tool_call_free(struct sf_tool_call *call); /* NULL is welcome */

/* For `describe`: adds a target; false if there are too many or the path is empty. */
bool sf_tool_call_add_target(struct sf_tool_call *call, const char *path, enum sf_place_want want,
                             enum sf_act act, struct sf_error *err) SF_MUST_CHECK;

/*
 * The call is made by somebody who stands in a directory below the root of the workspace: relative
 * paths begin there, and people see them from the root.
 */
void sf_tool_call_stand(struct sf_tool_call *call, const char *root, const char *stand);

/* People see the target by this path, which is copied. */
void sf_tool_call_show_target(struct sf_tool_call *call, size_t target, const char *path);

/* The path of a target as people see it, below the workspace or absolute; borrowed. */
const char *sf_tool_call_target_shown(const struct sf_tool_call_target *target);
const char *sf_tool_call_shown(const struct sf_tool_call *call, const struct sf_place *place);

/* For `run`: makes the result an error. */
void sf_tool_call_fail(struct sf_tool_call *call, const struct sf_error *err);
void sf_tool_call_failf(struct sf_tool_call *call, const char *format, ...) SF_PRINTF(2, 3);

/* Adds text to the result, sanitised for model and terminal: no escapes, valid UTF-8. */
void sf_tool_call_add_text(struct sf_tool_call *call, const char *text, size_t len);
void sf_tool_call_addf(struct sf_tool_call *call, const char *format, ...) SF_PRINTF(2, 3);

/* Adds the output of a command, ended by a newline; `if_none` if there is no output. */
void sf_tool_call_add_output(struct sf_tool_call *call, const struct sf_strbuf *text,
                             const char *if_none);

/* Sets the line for people. */
void sf_tool_call_summary(struct sf_tool_call *call, const char *format, ...) SF_PRINTF(2, 3);

/* Adds a file that was seen; the caller fills in the other fields. */
struct sf_file_seen *sf_tool_call_add_seen(struct sf_tool_call *call, const char *path);

#endif
