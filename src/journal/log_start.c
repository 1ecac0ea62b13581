/*
 * log_start.c: tries the ends of turns before the last summary, from near ones to far ones. Between
 * two turns the history is complete, so reading from there yields the tail of the whole history. A
 * summary that keeps no more than this tail makes both histories the same.
 */
#include "journal/log_start.h"

#include <string.h>

#include "agent/agent.h"

enum { NEAR = 64, FARTHER = 4 }; /* events before the summary at first; factor for each retry */

struct attempt {
    struct sf_conversation conversation;
    int64_t first; /* the event after the first end of a turn; 0: none so far */
    bool prompt;   /* a prompt follows, which has told the model of earlier shell commands */
    bool ok;
};

static bool read_event(const struct sf_event_row *event, void *ctx)
{
    struct attempt *a = ctx;
    struct sf_error short_of = SF_ERROR_INIT;

    if (!a->first) {
        a->first = !strcmp(event->kind, SF_LOG_END) ? event->seq + 1 : 0;
        return true;
    }
    a->prompt = a->prompt || !strcmp(event->kind, SF_LOG_USER);
    a->ok = sf_conversation_read(&a->conversation, event->kind, event->json, event->len, &short_of);
    return a->ok;
}

/* Reads from the first end of a turn within the range; `*first` stays 0 if that does not work. */
static bool try_from(struct sf_store *store, const struct sf_event_range *range, int64_t *first,
                     struct sf_error *err)
{
    struct attempt a = { .conversation = SF_CONVERSATION_INIT, .ok = true };
    bool ok = sf_store_each_in_range(store, range, read_event, &a, err);

    *first = ok && a.ok && a.prompt ? a.first : 0;
    sf_conversation_release(&a.conversation);
    return ok;
}

bool sf_log_start(struct sf_store *store, const char *session, int64_t upto, int64_t *first,
                  struct sf_error *err)
{
    struct sf_event_range range = { .session = session };
    struct sf_event_count summaries;
    int64_t back = NEAR;
    bool ok;

    *first = 1;
    ok = sf_store_event_count(store, session, SF_LOG_COMPACTION, upto, &summaries, err);
    if (!ok || !summaries.last)
        return ok;
    *first = 0;
    range.last = summaries.last;
    for (; ok && !*first && back < summaries.last; back *= FARTHER) {
        range.first = summaries.last - back;
        ok = try_from(store, &range, first, err);
    }
    if (!*first)
        *first = 1;
    return ok;
}
