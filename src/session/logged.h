/*
 * logged: events of a session's log as what was said. For surfaces that show a conversation again,
 * list prompts or preview a session.
 */
#ifndef SF_SESSION_LOGGED_H
#define SF_SESSION_LOGGED_H

#include <stdbool.h>

#include "base/base.h"
#include "store/store.h"
#include "wire/wire.h"

/* Somebody is being asked about a call, and no longer is; for who watches. */
#define SF_EVENT_ASKS     "asks"
#define SF_EVENT_ANSWERED "answered"

/* Instructions changed, and the model is told with the words that follow; see briefing.c. */
#define SF_EVENT_BRIEFED "instructions"
void sf_logged_add_briefed(const struct sf_strlist *names, struct sf_strbuf *out);

/* Life: sf_logged_read, use, sf_logged_release; both also when it was nothing. */
struct sf_logged {
    struct sf_json *json; /* the whole event; NULL: it cannot be read */
    struct sf_message message;
    bool has_message;
};

void sf_logged_read(struct sf_logged *logged, const struct sf_event_row *event);
void sf_logged_release(struct sf_logged *logged);

/* Whether the text is somebody's words, and not what sf added for the model. */
bool sf_logged_is_words(const struct sf_block *block);

/* The first such text of the message; NULL: none. */
const struct sf_block *sf_logged_words(const struct sf_message *message);

#endif
