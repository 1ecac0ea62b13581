/*
 * fork.c: finds the point, checks the history up to there by reading it as opening the fork will,
 * and only then creates the row.
 */
#include "journal/fork.h"

#include <string.h>

#include "agent/agent.h"
#include "journal/log_start.h"
#include "journal/prompt_list.h"
#include "wire/wire.h"

enum { GENERATIONS_MAX = 1000 };

static bool find_point(const struct sf_fork *fork, const char *session, int64_t *at,
                       bool *shortened, struct sf_error *err)
{
    struct sf_prompt_list list = SF_PROMPT_LIST_INIT;
    bool ok = sf_prompt_list_read(&list, fork->store, session, NULL, err), legal = false;

    *at = fork->at;
    *shortened = false;
    if (ok && fork->at == SF_FORK_LAST) {
        *shortened = list.open && list.count;
        *at = *shortened ? list.items[list.count - 1].at : list.last;
    }
    for (size_t i = 0; i < list.count && !legal; i++)
        legal = list.items[i].at == *at;
    legal = legal || (*at == list.last && !list.open);
    if (ok && !legal) {
        sf_fail(err, SF_E_ARG, "one cannot fork session %s in the middle of a turn", session);
        ok = sf_hint(err, "`sf sessions show %.10s` lists the prompts: fork before one of them",
                     session);
    }
    sf_prompt_list_release(&list);
    return ok;
}

/* ---- the shared history ---- */

struct reading {
    struct sf_conversation conversation;
    struct sf_error *err;
    bool ok;
};

static bool read_event(const struct sf_event_row *event, void *ctx)
{
    struct reading *r = ctx;

    r->ok = sf_conversation_read(&r->conversation, event->kind, event->json, event->len, r->err);
    return r->ok;
}

static bool check_history(struct sf_store *store, const char *session, int64_t at,
                          struct sf_error *err)
{
    struct sf_event_range filter = { .session = session, .last = at };
    struct reading r = { .conversation = SF_CONVERSATION_INIT, .err = err, .ok = true };
    bool ok = !at || (sf_log_start(store, session, at, &filter.first, err) &&
                      sf_store_each_in_range(store, &filter, read_event, &r, err) && r.ok);

    if (ok && (r.conversation.open || r.conversation.in_turn))
        ok = sf_fail(err, SF_E_DAMAGED, "a call has no result there");
    ok = ok && (!r.conversation.history.count || sf_history_check(&r.conversation.history, err));
    if (!ok)
        sf_error_prefix(err, "session %s cannot be forked there: ", session);
    sf_conversation_release(&r.conversation);
    return ok;
}

/* ---- the row ---- */

static bool check_generations(struct sf_store *store, const struct sf_session_row *row,
                              struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row up = *row;
    bool ok = true;

    for (int n = 0; ok && *up.parent_id && up.forked_at_seq; n++) {
        if (n == GENERATIONS_MAX)
            ok = sf_fail(err, SF_E_LIMIT, "session %s has been forked %d times over", row->id, n);
        else
            ok = sf_store_session_get(store, up.parent_id, &arena, &up, err);
    }
    sf_arena_release(&arena);
    return ok;
}

static bool make(const struct sf_fork *fork, const struct sf_session_row *parent, int64_t at,
                 char id_out[SF_ID_LEN + 1], struct sf_error *err)
{
    const struct sf_session_new row = { .project = parent->project,
                                        .surface = fork->surface,
                                        .title = at ? parent->title : NULL,
                                        .provider = *parent->provider ? parent->provider : NULL,
                                        .model = *parent->model ? parent->model : NULL,
                                        .parent_id = parent->id,
                                        .forked_at_seq = at };
    struct sf_mode_state state;
    bool found = false;

    return sf_store_mode_load(fork->store, parent->id, &state, &found, err) &&
           sf_store_session_create(fork->store, &row, id_out, err) &&
           (!found || sf_store_mode_begin(fork->store, id_out, &state, err)) &&
           sf_store_goal_copy(fork->store, parent->id, id_out, err);
}

bool sf_fork_make(const struct sf_fork *fork, char id_out[SF_ID_LEN + 1], bool *shortened,
                  struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row parent;
    bool cut = false, ok;
    int64_t at = 0;

    ok = sf_store_session_get(fork->store, fork->session, &arena, &parent, err);
    if (ok && (parent.agent || !strcmp(parent.id, SF_SESSION_PROJECT)))
        ok = sf_fail(err, SF_E_ARG, "%s is not a conversation of yours", parent.id);
    ok = ok && find_point(fork, parent.id, &at, &cut, err) &&
         check_generations(fork->store, &parent, err) &&
         check_history(fork->store, parent.id, at, err) && make(fork, &parent, at, id_out, err);
    if (shortened)
        *shortened = cut;
    sf_arena_release(&arena);
    return ok;
}
