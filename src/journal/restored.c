/*
 * restored.c: tells the model about restored files, which it would otherwise take to be as it left
 * them. Each restore writes an event, in the session or, from the command line, outside of any.
 * The events are read from the log with the next prompt, so that resuming yields the same text.
 */
#include "journal/restored.h"

#include <inttypes.h>
#include <string.h>

#include "agent/agent.h"
#include "base/base.h"
#include "journal/log_event.h"
#include "journal/undo.h"
#include "store/store.h"

enum { FILES_MAX = 30 };

/* ---- the event ---- */

/* The contents of the event; missing numbers are 0. */
struct restore {
    struct sf_snap_tally tally;
    const char *what, *worktree;
    bool by_model;
};

static bool read_count(const struct sf_json *json, const char *key, size_t *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t n;

    if (!sf_json_opt_int(json, key, 0, &n, &ignored) || n < 0)
        return false;
    *out = (size_t)n;
    return true;
}

static bool read_restore(const struct sf_json *json, struct restore *r)
{
    struct sf_error ignored = SF_ERROR_INIT;

    return sf_json_get_str(json, "what", &r->what, &ignored) &&
           sf_json_opt_str(json, "worktree", NULL, &r->worktree, &ignored) &&
           sf_json_opt_bool(json, "by_model", false, &r->by_model, &ignored) &&
           read_count(json, "added", &r->tally.added) &&
           read_count(json, "changed", &r->tally.changed) &&
           read_count(json, "removed", &r->tally.removed) &&
           read_count(json, "dirs", &r->tally.dirs) && read_count(json, "kept", &r->tally.kept) &&
           read_count(json, "lost", &r->tally.lost);
}

static void read_list(const struct sf_json *json, const char *key, struct sf_strlist *out)
{
    const struct sf_json *list = sf_json_get(json, key);
    struct sf_error ignored = SF_ERROR_INIT;
    const char *text;

    for (const struct sf_json *it = list ? sf_json_first(list) : NULL; it; it = sf_json_next(it))
        if (sf_json_as_str(it, key, &text, &ignored))
            sf_strlist_add(out, text);
}

/* ---- for people ---- */

void sf_restored_say(const struct sf_snap_tally *tally, const struct sf_strlist *kept,
                     const struct sf_strlist *lost, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, tally->kept || tally->lost ? "files were put back: "
                                                   : "files are as they were: ");
    sf_undo_add_tally(out, tally);
    for (size_t i = 0; i < kept->count; i++)
        sf_strbuf_addf(out, "\nkept %s", kept->items[i]);
    for (size_t i = 0; i < lost->count; i++)
        sf_strbuf_addf(out, "\nnot put back: %s", lost->items[i]);
}

bool sf_restored_add(const struct sf_json *event, struct sf_strbuf *out)
{
    struct sf_strlist kept = SF_STRLIST_INIT, lost = SF_STRLIST_INIT;
    struct restore r = { .what = NULL };

    if (!read_restore(event, &r) || r.by_model)
        return false;
    read_list(event, "left", &kept);
    read_list(event, "gone", &lost);
    sf_restored_say(&r.tally, &kept, &lost, out);
    sf_strlist_release(&kept);
    sf_strlist_release(&lost);
    return true;
}

/* ---- for the model ---- */

struct look {
    const char *worktree;
    struct sf_strbuf *out;
};

static void add_files(const struct sf_json *json, size_t all, struct sf_strbuf *out)
{
    struct sf_strlist files = SF_STRLIST_INIT;
    size_t shown = 0;

    read_list(json, "files", &files);
    for (; shown < files.count && shown < FILES_MAX; shown++)
        sf_strbuf_addf(out, "%s\n", files.items[shown]);
    if (all > shown)
        sf_strbuf_addf(out, "%zu file%s%s\n", all - shown, all - shown == 1 ? "" : "s",
                       shown ? " more" : "");
    sf_strlist_release(&files);
}

static void add_restore(const struct sf_json *json, const struct restore *r, struct sf_strbuf *out)
{
    sf_strbuf_addf(out,
                   SF_RESTORED_TAG "\nThe user put files back (%s). They are not as you left them: "
                                   "read them again before you rely on them.\n",
                   r->what);
    add_files(json, r->tally.added + r->tally.changed + r->tally.removed, out);
    sf_strbuf_adds(out, "</user_restore>\n");
}

/* Skips restores in other worktrees of the project, which have files of their own. */
static bool look_at(const struct sf_event_row *event, void *ctx)
{
    const struct look *l = ctx;
    struct sf_error ignored = SF_ERROR_INIT;
    struct restore r = { .what = NULL };
    struct sf_json *json;

    if (strcmp(event->kind, SF_LOG_RESTORE) != 0)
        return true;
    json = sf_json_parse(event->json, event->len, NULL, &ignored);
    if (json && read_restore(json, &r) && !r.by_model && r.worktree &&
        !strcmp(r.worktree, l->worktree))
        add_restore(json, &r, l->out);
    sf_json_free(json);
    return true;
}

static bool note_id(const struct sf_event_row *event, void *ctx)
{
    int64_t *id = ctx;

    *id = event->id;
    return false;
}

bool sf_restored_find(struct sf_store *store, const char *session, const char *worktree,
                      struct sf_strbuf *out, struct sf_error *err)
{
    struct sf_event_range words = { .session = session }, later = { .session = session };
    struct look look = { worktree, out };
    struct sf_event_count said;
    int64_t id = 0;

    if (!sf_store_event_count(store, session, SF_LOG_USER, INT64_MAX, &said, err))
        return false;
    if (!said.count) /* the model has not seen any file yet */
        return true;
    words.first = words.last = said.last;
    later.first = said.last + 1;
    later.last = INT64_MAX;
    return sf_store_each_in_range(store, &later, look_at, &look, err) &&
           sf_store_each_in_range(store, &words, note_id, &id, err) &&
           sf_store_each_later(store, SF_SESSION_PROJECT, id, look_at, &look, err);
}
