/*
 * log_event.c: reads messages from events. Tags mark what sf itself put into a user's message.
 */
#include "journal/log_event.h"

#include <string.h>

#include "agent/agent.h"

static const char *const tags[] = { SF_META_TAG,    "<user_shell>", "<pinned>", SF_RESTORED_TAG,
                                    SF_BRIEFED_TAG, SF_SLASH_OPEN,  SF_UNIT_TAG };

const char *const sf_log_kinds[] = {
    SF_LOG_USER,
    SF_LOG_ASSISTANT,
    SF_LOG_RESULT,
    SF_LOG_STEER,
    SF_LOG_REMARK,
    SF_LOG_COMPACTION,
    SF_LOG_FORGET,
    SF_LOG_END,
    SF_LOG_ASKED,
    SF_LOG_ANSWERED,
    SF_LOG_SHELL,
    SF_LOG_TYPED,
    SF_LOG_PLAN,
    SF_LOG_PLAN_SUBMITTED,
    SF_LOG_PLAN_ACCEPTED,
    SF_LOG_PLAN_REJECTED,
    SF_LOG_REVIEW,
    SF_LOG_PIN,
    SF_LOG_UNPIN,
    SF_LOG_ADD_DIR,
    SF_LOG_GOAL,
    SF_TRANSITION_EVENT,
    SF_DECISION_EVENT,
    SF_LOG_INSTRUCTIONS,
    SF_LOG_SYSTEM,
    SF_LOG_JOBS,
    SF_LOG_MODEL,
    SF_LOG_RESTORE,
    SF_LOG_SCOPE_AUDIT,
    SF_LOG_CAGE_AFTERMATH,
    SF_LOG_USAGE_TOTALS,
    SF_LOG_APPROVAL_MODE,
    SF_LOG_FALLBACK,
    SF_LOG_CONFIG,
    SF_LOG_TRUST,
    SF_LOG_SESSION_DELETED,
    SF_LOG_SESSION_IMPORTED,
    SF_LOG_REPAIRED,
    SF_LOG_REPAIR_UNDONE,
    SF_UNITS_LOG_BEGIN,
    SF_UNITS_LOG_GO,
    SF_UNITS_LOG_PAUSING,
    SF_UNITS_LOG_HALT,
    SF_UNITS_LOG_REPAIR,
    SF_UNITS_LOG_END,
    SF_UNITS_LOG_ADDED,
    SF_UNITS_LOG_MOVE,
    SF_UNITS_LOG_START,
    SF_UNITS_LOG_USED,
    SF_UNITS_LOG_ENDED,
    SF_UNITS_LOG_VERDICT,
    SF_UNITS_LOG_WORD,
    SF_UNITS_LOG_CLOSED,
    SF_UNITS_LOG_DROPPED,
    NULL,
};

void sf_log_event_read(struct sf_log_event *l, const struct sf_event_row *event)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_json *inner;

    *l = (struct sf_log_event){ .message = SF_MESSAGE_INIT(SF_ROLE_USER) };
    l->json = sf_json_parse(event->json, event->len, NULL, &ignored);
    inner = l->json ? sf_json_get(l->json, "message") : NULL;
    l->has_message = inner && sf_message_from_json(&l->message, inner, &ignored);
}

void sf_log_event_release(struct sf_log_event *l)
{
    sf_message_release(&l->message);
    sf_json_free(l->json);
}

bool sf_log_event_is_words(const struct sf_block *block)
{
    if (block->kind != SF_BLOCK_TEXT)
        return false;
    for (size_t i = 0; i < SF_COUNT(tags); i++)
        if (!strncmp(block->text, tags[i], strlen(tags[i])))
            return false;
    return true;
}

void sf_log_event_add_instructions(const struct sf_strlist *names, struct sf_strbuf *out)
{
    for (size_t i = 0; i < names->count; i++)
        sf_strbuf_addf(out, "%s%s", i ? ", " : "", names->items[i]);
    sf_strbuf_adds(out, " changed: the model is told with your words");
}

const struct sf_block *sf_log_event_words(const struct sf_message *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (sf_log_event_is_words(&m->blocks[i]))
            return &m->blocks[i];
    return NULL;
}
