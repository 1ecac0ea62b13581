/*
 * key: where a service's key comes from: a command that prints it, a private file, a variable.
 * Internal to the room. A key is never shown, not even in part; errors name its source alone.
 */
#ifndef SF_MODEL_KEY_H
#define SF_MODEL_KEY_H

#include <stdbool.h>

#include "base/base.h"
#include "io/io.h"

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

/* What somebody typed, without the blanks around it; `source` names it in messages. */
char *sf_key_make(const char *text, size_t len, const char *source, struct sf_error *err);

/*
 * The key a command prints, without waiting for it here: `fn` is called once, from the loop, with
 * the key (the callee's; to be freed with sf_key_free) or with NULL and why.
 */
struct sf_key_wait;
typedef void sf_key_fn(void *ctx, char *key, const struct sf_error *err);
struct sf_key_wait *sf_key_wait_start(struct sf_loop *loop, const char *command, sf_key_fn *fn,
                                      void *ctx, struct sf_error *err);
void sf_key_wait_cancel(struct sf_key_wait *wait); /* `fn` still follows */

void sf_key_free(char *key); /* wipes it; NULL is welcome */

#endif
