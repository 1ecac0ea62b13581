/*
 * undo_case.c: going back over turns.
 */
#include "support/undo_case.h"

#include <unistd.h>

#include "journal/journal.h"
#include "support/test.h"

static struct sf_undo_place place_of(struct session_case *c, const char *session)
{
    return (struct sf_undo_place){ .store = c->store,
                                   .worktree = c->workspace.root,
                                   .session = session };
}

static struct sf_snap *open_snap(struct session_case *c)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap *snap = sf_snap_open(c->state_dir, c->workspace.root, &err);

    if (!snap)
        fail_msg("%s", err.msg);
    return snap;
}

/* Goes to the state, and writes it down. */
static void go(struct session_case *c, const struct sf_undo_place *place, struct sf_undo *undo)
{
    const struct sf_undo_how how = { 0 };
    struct sf_snap_restored done = SF_SNAP_RESTORED_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap *snap = open_snap(c);

    if (!sf_undo_go(snap, undo, &how, &done, &err) ||
        !sf_undo_record(place, undo, "a test", "headless", &done, &err))
        fail_msg("%s", err.msg);
    sf_snap_restored_release(&done);
    sf_snap_close(snap);
    sf_undo_release(undo);
}

void undo_case_undo(struct session_case *c, const char *session)
{
    const struct sf_undo_place place = place_of(c, session);
    struct sf_undo to = SF_UNDO_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_undo_turns(&place, 1, &to, &err))
        fail_msg("%s", err.msg);
    go(c, &place, &to);
}

void undo_case_redo(struct session_case *c)
{
    const struct sf_undo_place place = place_of(c, NULL);
    struct sf_undo to = SF_UNDO_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_undo_redo(&place, &to, &err))
        fail_msg("%s", err.msg);
    go(c, &place, &to);
}

static char *preview(struct session_case *c, struct sf_undo *to)
{
    const struct sf_undo_how how = { 0 };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_snap_tally tally;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_snap *snap = open_snap(c);

    if (!sf_undo_preview(snap, to, &how, &out, &tally, &err))
        fail_msg("%s", err.msg);
    sf_undo_release(to);
    sf_snap_close(snap);
    return sf_strbuf_detach(&out);
}

char *undo_case_preview(struct session_case *c)
{
    const struct sf_undo_place place = place_of(c, NULL);
    struct sf_undo to = SF_UNDO_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_undo_turns(&place, 1, &to, &err))
        fail_msg("%s", err.msg);
    return preview(c, &to);
}

static bool find_before(void *ctx, const struct sf_snapshot_row *row)
{
    int64_t *number = ctx;

    if (!strcmp(row->kind, "before"))
        *number = row->id;
    return !*number;
}

char *undo_case_number_preview(struct session_case *c)
{
    const struct sf_snapshot_filter filter = { .worktree = c->workspace.root };
    const struct sf_undo_place place = place_of(c, NULL);
    struct sf_undo to = SF_UNDO_INIT;
    struct sf_error err = SF_ERROR_INIT;
    int64_t number = 0;

    if (!sf_store_each_snapshot(c->store, &filter, find_before, &number, &err) ||
        !sf_undo_number(&place, number, &to, &err))
        fail_msg("%s", err.msg);
    return preview(c, &to);
}

void undo_case_expect(struct session_case *c, const char *name, const char *want)
{
    char *path = test_path(c->workspace.root, name), *text = NULL;

    if (!want) {
        if (access(path, F_OK) == 0)
            fail_msg("%s is there", name);
    } else {
        text = test_read(path, NULL);
        if (strcmp(text, want) != 0)
            fail_msg("%s is \"%s\", want \"%s\"", name, text, want);
    }
    free(text);
    free(path);
}
