/*
 * error: what went wrong and what to do next, in the user's words. The struct is the caller's
 * and has fixed arrays, so an error path allocates nothing. A function that can fail returns
 * bool (or a pointer) and takes `struct sf_error *err` last, never NULL.
 *
 * Messages are lower case, name the thing and carry no code: "cannot open a.md: permission
 * denied". Codes exist only where a caller acts on them.
 */
#ifndef SF_BASE_ERROR_H
#define SF_BASE_ERROR_H

#include <stdbool.h>

#include "base/macros.h"

enum sf_errc {
    SF_E_NONE,
    SF_E_ARG,      /* the caller or the user asked for something that makes no sense */
    SF_E_IO,       /* the system refused */
    SF_E_NOENT,    /* the thing is not there */
    SF_E_EXIST,    /* the thing is there already */
    SF_E_LIMIT,    /* a ceiling was reached */
    SF_E_SYNTAX,   /* text that cannot be read */
    SF_E_FULL,     /* no space left */
    SF_E_READONLY, /* the place cannot be written */
    SF_E_BUSY,     /* somebody else holds it, beyond patience */
    SF_E_DAMAGED,  /* the file is not what it should be */
    SF_E_NEWER,    /* written by a later version */
    SF_E_TIMEOUT,
    SF_E_CANCELLED,
    SF_E_DENIED, /* a permission is needed, and nobody is there to give it */
};

struct sf_error {
    enum sf_errc code;
    unsigned line, column; /* where in the text that could not be read; 0: it has no place */
    char msg[512];
    char hint[256]; /* what to do next, or empty */
};

/* clang-format off */
#define SF_ERROR_INIT { SF_E_NONE, 0, 0, "", "" }
/* clang-format on */

/* Both return false, so that `return sf_fail(...)` reads well. Over-long text ends in "…". */
bool sf_fail(struct sf_error *err, enum sf_errc code, const char *format, ...) SF_PRINTF(3, 4);
bool sf_hint(struct sf_error *err, const char *format, ...) SF_PRINTF(2, 3);

/* As sf_fail, with ": " and the text of errno appended; picks FULL, READONLY, NOENT itself. */
bool sf_fail_errno(struct sf_error *err, const char *format, ...) SF_PRINTF(2, 3);

/* Puts context in front of the message: "reading a.toml: " + what was there. */
void sf_error_prefix(struct sf_error *err, const char *format, ...) SF_PRINTF(2, 3);

#endif
