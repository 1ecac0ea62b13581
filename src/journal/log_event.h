/*
 * log_event: reads the messages in events of a session's log, for surfaces that show a conversation
 * again, list prompts or preview a session.
 */
#ifndef SF_JOURNAL_LOG_EVENT_H
#define SF_JOURNAL_LOG_EVENT_H

#include <stdbool.h>

#include "base/base.h"
#include "store/store.h"
#include "wire/wire.h"

/* The user is being asked about a call, and no longer is; written for watchers. */
#define SF_LOG_ASKED    "asks"
#define SF_LOG_ANSWERED "answered"

/* The approval mode of the session was changed. */
#define SF_LOG_APPROVAL_MODE "approval_mode"

/* Instructions changed; the model gets the changes with the next prompt, see briefing.c. */
#define SF_LOG_INSTRUCTIONS "instructions"
void sf_log_event_add_instructions(const struct sf_strlist *names, struct sf_strbuf *out);

/* Life: sf_log_event_read, use, sf_log_event_release, also when reading found nothing. */
struct sf_log_event {
    struct sf_json *json; /* the whole event; NULL: not valid JSON */
    struct sf_message message;
    bool has_message;
};

void sf_log_event_read(struct sf_log_event *logged, const struct sf_event_row *event);
void sf_log_event_release(struct sf_log_event *logged);

/* Whether the text is a person's or the model's, rather than a note that sf added. */
bool sf_log_event_is_words(const struct sf_block *block);

/* The first such text of the message, or NULL. */
const struct sf_block *sf_log_event_words(const struct sf_message *message);

#endif
