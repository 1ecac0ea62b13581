/*
 * key: where a service's key comes from: a command that prints it, a private file, a variable.
 * Internal to the room. A key is never shown, not even in part; errors name its source alone.
 */
#ifndef SF_MODEL_KEY_H
#define SF_MODEL_KEY_H

#include <stdbool.h>

#include "base/base.h"

enum { SF_KEY_MAX = 8192 }; /* bytes */

/* The first that is set counts; NULL: not set. Borrowed. */
struct sf_key_sources {
    const char *cmd;  /* of the settings; run by the shell, with the safe environment */
    const char *file; /* of the settings; absolute or below ~/ */
    const char *env;  /* name of a variable */
};

#define SF_KEY_CMD_MS 10000

/*
 * The key, owned by the caller, to be freed with sf_key_free. NULL with `err` filled when there
 * is none: SF_E_NOENT when the variable is not set and nothing else was named.
 */
char *sf_key_find(const struct sf_key_sources *sources, struct sf_error *err);

void sf_key_free(char *key); /* wipes it; NULL is welcome */

#endif
