/*
 * undo_list.c: lists the snapshots of a workspace with what their turns changed. Rows come newest
 * first, so the end of a turn, which has the numbers, and the states of files that were put back in
 * it come before its beginning, which is the state to restore.
 */
#include <string.h>

#include "base/base.h"
#include "journal/undo.h"

struct turn_end {
    int64_t before; /* the row the turn began with */
    struct sf_undo_stat stat;
};

/* States of files that were put back in a turn whose beginning was not seen yet. */
struct saved {
    char session[SF_ID_LEN + 1];
    size_t count;
};

struct walk {
    sf_undo_row_fn *fn;
    void *ctx;
    struct turn_end *ends; /* ends whose beginnings were not seen yet */
    size_t count, cap;
    struct saved *saved; /* one for each session */
    size_t saved_count, saved_cap;
};

static uint64_t read_count(const struct sf_json *details, const char *key)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t n = 0;

    return sf_json_get_int(details, key, &n, &ignored) && n > 0 ? (uint64_t)n : 0;
}

static void note_end(struct walk *w, const struct sf_snapshot_row *row)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(row->details, strlen(row->details), NULL, &ignored);

    if (!json)
        return;
    w->ends = sf_grow(w->ends, &w->cap, w->count + 1, sizeof(*w->ends));
    w->ends[w->count++] = (struct turn_end){ .before = (int64_t)read_count(json, "before"),
                                             .stat = { .files = read_count(json, "files"),
                                                       .plus = read_count(json, "plus"),
                                                       .minus = read_count(json, "minus"),
                                                       .left = read_count(json, "left") } };
    sf_json_free(json);
}

/* Removes from the list the end of the turn that began with the row; false: not in the list. */
static bool take_end(struct walk *w, int64_t row, struct sf_undo_stat *out)
{
    for (size_t i = w->count; i-- > 0;) {
        if (w->ends[i].before != row)
            continue;
        *out = w->ends[i].stat;
        w->ends[i] = w->ends[--w->count];
        return true;
    }
    return false;
}

static size_t *saved_of(struct walk *w, const char *session)
{
    struct saved *s;

    for (size_t i = 0; i < w->saved_count; i++)
        if (!strcmp(w->saved[i].session, session))
            return &w->saved[i].count;
    w->saved = sf_grow(w->saved, &w->saved_cap, w->saved_count + 1, sizeof(*w->saved));
    s = &w->saved[w->saved_count++];
    *s = (struct saved){ .count = 0 };
    snprintf(s->session, sizeof(s->session), "%s", session);
    return &s->count;
}

static bool see_row(void *ctx, const struct sf_snapshot_row *row)
{
    struct walk *w = ctx;
    bool begins = !strcmp(row->kind, "before");
    struct sf_undo_entry entry = { .row = row,
                                   .is_state = begins || !strcmp(row->kind, "restore") };
    size_t *saved = saved_of(w, row->session);
    struct sf_undo_stat turn;

    if (!strcmp(row->kind, "after"))
        note_end(w, row);
    if (!strcmp(row->kind, "edit"))
        ++*saved;
    if (begins) {
        entry.saved = *saved;
        *saved = 0;
    }
    if (take_end(w, row->id, &turn))
        entry.turn = &turn;
    return w->fn(w->ctx, &entry);
}

bool sf_undo_each(struct sf_store *store, const struct sf_snapshot_filter *filter,
                  sf_undo_row_fn *fn, void *ctx, struct sf_error *err)
{
    struct walk w = { .fn = fn, .ctx = ctx };
    bool ok = sf_store_each_snapshot(store, filter, see_row, &w, err);

    free(w.saved);
    free(w.ends);
    return ok;
}
