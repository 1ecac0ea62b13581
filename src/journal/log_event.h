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

/*
 * Kinds of events. Those of the conversation are in agent/log.h; SF_LOG_GOAL, SF_LOG_TRUST,
 * SF_TRANSITION_EVENT and SF_DECISION_EVENT belong to rooms below.
 */
#define SF_LOG_ASKED            "asks"     /* the user is asked about a call; for watchers */
#define SF_LOG_ANSWERED         "answered" /* and no longer is */
#define SF_LOG_SHELL            "shell"    /* a command of the user's */
#define SF_LOG_TYPED            "typed"    /* a line that is no prompt, for the prompt history */
#define SF_LOG_PLAN             "plan"     /* the list of steps */
#define SF_LOG_PLAN_SUBMITTED   "plan_submitted"
#define SF_LOG_PLAN_ACCEPTED    "plan_accepted"
#define SF_LOG_PLAN_REJECTED    "plan_rejected"
#define SF_LOG_PIN              "pin"
#define SF_LOG_ADD_DIR          "add-dir"
#define SF_LOG_UNPIN            "unpin"
#define SF_LOG_INSTRUCTIONS     "instructions" /* they changed, see session/briefing.c */
#define SF_LOG_SYSTEM           "system"       /* the system prompt */
#define SF_LOG_JOBS             "jobs"         /* what runs in the background */
#define SF_LOG_MODEL            "model"        /* the user's choice, see session/side_state.c */
#define SF_LOG_FALLBACK         "fallback"     /* another model goes on with the turn */
#define SF_LOG_RESTORE          "restore"
#define SF_LOG_SCOPE_AUDIT      "scope_audit"    /* see session/scope_audit.c */
#define SF_LOG_CAGE_AFTERMATH   "cage_aftermath" /* see session/call_cage.c */
#define SF_LOG_USAGE_TOTALS     "spent"
#define SF_LOG_APPROVAL_MODE    "approval_mode"
#define SF_LOG_CONFIG           "config" /* a setting was changed by a command */
#define SF_LOG_SESSION_DELETED  "session.deleted"
#define SF_LOG_SESSION_IMPORTED "session.imported"
#define SF_LOG_REPAIRED         "doctor.repaired" /* see health/mend.c */
#define SF_LOG_REPAIR_UNDONE    "doctor.undone"

extern const char *const sf_log_kinds[]; /* all of them, those of other rooms too; then NULL */

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
