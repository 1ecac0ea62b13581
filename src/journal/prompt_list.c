/*
 * prompt_list.c: one walk over the events, one over the snapshots. A snapshot belongs to the last
 * prompt of its session that was sent before it was taken.
 */
#include "journal/prompt_list.h"

#include <string.h>

#include "agent/agent.h"
#include "journal/log_event.h"
#include "journal/undo.h"

enum { SAID_MAX = 65536 }; /* only this many of the newest prompts are kept */

static void drop_first(struct sf_prompt_list *list)
{
    free(list->items[0].time);
    free(list->items[0].text);
    memmove(list->items, list->items + 1, --list->count * sizeof(*list->items));
    list->dropped++;
}

/* The first block of a user's event is the prompt, whatever it looks like; sf's notes follow. */
static void add(struct sf_prompt_list *list, const struct sf_event_row *event)
{
    const struct sf_block *b;
    struct sf_log_event logged;
    struct sf_prompt_entry *said;

    sf_log_event_read(&logged, event);
    b = logged.has_message && logged.message.count ? &logged.message.blocks[0] : NULL;
    if (b && b->kind == SF_BLOCK_TEXT) {
        if (list->count == SAID_MAX)
            drop_first(list);
        list->items = sf_grow(list->items, &list->cap, list->count + 1, sizeof(*list->items));
        said = &list->items[list->count++];
        *said = (struct sf_prompt_entry){ .seq = event->seq,
                                          .at = list->last,
                                          .time = sf_strdup(event->time),
                                          .text = sf_strndup(b->text, b->len),
                                          .len = b->len };
        snprintf(said->session, sizeof(said->session), "%s", event->session);
    }
    sf_log_event_release(&logged);
}

static bool read_event(const struct sf_event_row *event, void *ctx)
{
    struct sf_prompt_list *list = ctx;
    struct sf_prompt_entry *said;

    if (!strcmp(event->kind, SF_LOG_USER)) {
        if (!list->open) /* within a turn, sf wrote it to have an answer continued */
            add(list, event);
        list->open = true;
    } else if (!strcmp(event->kind, SF_LOG_END)) {
        list->open = false;
    }
    list->last = event->seq;
    said = list->count ? &list->items[list->count - 1] : NULL;
    if (said && !strcmp(said->session, event->session))
        snprintf(said->until, sizeof(said->until), "%s", event->time);
    return true;
}

/* ---- what changed ---- */

/* Snapshots that the parent took after the point of the fork do not count. */
static struct sf_prompt_entry *owner_of(struct sf_prompt_list *list,
                                        const struct sf_snapshot_row *row)
{
    for (size_t i = list->count; i-- > 0;) {
        struct sf_prompt_entry *said = &list->items[i];

        if (strcmp(said->time, row->created_at) <= 0 && !strcmp(said->session, row->session))
            return strcmp(row->created_at, said->until) <= 0 ? said : NULL;
    }
    return NULL;
}

/* Rows come newest first, so the last one seen is the state before the turn. */
static bool add_snapshot(void *ctx, const struct sf_undo_entry *entry)
{
    const struct sf_snapshot_row *row = entry->row;
    const struct sf_undo_stat *turn = entry->turn;
    struct sf_prompt_entry *said;

    if (strcmp(row->kind, "before") != 0 || !(said = owner_of(ctx, row)))
        return true;
    said->before = row->id;
    if (turn) {
        said->files += (int64_t)turn->files;
        said->plus += (int64_t)turn->plus;
        said->minus += (int64_t)turn->minus;
    }
    return true;
}

/* A turn that changed nothing has no snapshot; the next turn's shows the same files. */
static void hand_back(struct sf_prompt_list *list)
{
    int64_t before = 0;

    for (size_t i = list->count; i-- > 0;) {
        if (list->items[i].before)
            before = list->items[i].before;
        list->items[i].before = before;
    }
}

static bool read_changes(struct sf_prompt_list *list, struct sf_store *store, const char *worktree,
                         struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = worktree };
    bool ok = sf_undo_each(store, &filter, add_snapshot, list, err);

    hand_back(list);
    return ok;
}

bool sf_prompt_list_read(struct sf_prompt_list *list, struct sf_store *store, const char *session,
                         const char *worktree, struct sf_error *err)
{
    const struct sf_event_filter filter = { .session = session };

    return sf_store_each_event(store, &filter, read_event, list, err) &&
           (!worktree || read_changes(list, store, worktree, err));
}

void sf_prompt_list_release(struct sf_prompt_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].time);
        free(list->items[i].text);
    }
    free(list->items);
    *list = (struct sf_prompt_list)SF_PROMPT_LIST_INIT;
}
