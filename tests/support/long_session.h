/*
 * long_session: writes long sessions, for tests and benches. A turn has a prompt, two calls side by
 * side, a third one, their results, an answer, usage and an end: eight events.
 */
#ifndef SF_TESTS_SUPPORT_LONG_SESSION_H
#define SF_TESTS_SUPPORT_LONG_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "store/store.h"

struct long_session {
    const char *project;
    size_t events;  /* that it has at least */
    size_t compact; /* a summary each so many turns; 0: never */
    int lines;      /* of each result; 0: 40 */
};

/* All of it in one transaction. Prompt N begins with "prompt number N:". */
bool long_session_write(struct sf_store *store, const struct long_session *how,
                        char id_out[SF_ID_LEN + 1], struct sf_error *err);

#endif
