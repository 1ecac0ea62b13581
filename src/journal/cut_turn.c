/*
 * cut_turn.c: ends turns that were cut off. Commands are claimed nothing of: what one had written
 * when it was interrupted went with the process. A file that a tool wrote and that was changed
 * again, by whomever, no longer has the digest in the log, and is not claimed either.
 */
#include "journal/cut_turn.h"

#include <sys/stat.h>

#include "agent/agent.h"
#include "base/base.h"

struct sf_cut_write {
    char *path;
    char session[SF_ID_LEN + 1]; /* of the turn, or of one of its sub-agents */
    char sha256[SF_SHA256_HEX + 1];
};

void sf_cut_turn_release(struct sf_cut_turn *cut)
{
    for (size_t i = 0; i < cut->count; i++)
        free(cut->writes[i].path);
    free(cut->writes);
    free(cut->label);
    sf_strlist_release(&cut->mine);
    sf_snap_result_release(&cut->result);
    *cut = (struct sf_cut_turn)SF_CUT_TURN_INIT;
}

/* ---- the turn ---- */

struct walk {
    struct sf_cut_turn *cut;
    const struct sf_undo_place *place;
    struct sf_strlist past;  /* sessions whose last turn was seen, or is not to be looked at */
    struct sf_strlist ended; /* the first rows of turns that have an end, as numbers */
};

static bool has_ended(struct walk *w, int64_t row)
{
    char number[24];

    snprintf(number, sizeof(number), "%lld", (long long)row);
    return sf_strlist_has(&w->ended, number);
}

static void take_row(struct sf_cut_turn *cut, const struct sf_snapshot_row *row)
{
    cut->row = row->id;
    snprintf(cut->id, sizeof(cut->id), "%s", row->commit);
    snprintf(cut->session, sizeof(cut->session), "%s", row->session);
    snprintf(cut->since, sizeof(cut->since), "%s", row->created_at);
    cut->label = sf_strdup(row->label);
}

/* Rows before a restore are not looked at: what it did not put back is settled. */
static bool find_open(void *ctx, const struct sf_snapshot_row *row)
{
    struct walk *w = ctx;

    if (!strcmp(row->kind, "restore"))
        return false;
    if (!strcmp(row->kind, "after"))
        sf_strlist_addf(&w->ended, "%lld", (long long)sf_undo_detail(row, "before"));
    if (strcmp(row->kind, "before") != 0 || sf_strlist_has(&w->past, row->session) ||
        (w->place->session && strcmp(w->place->session, row->session) != 0))
        return true;
    sf_strlist_add(&w->past, row->session);
    if (!has_ended(w, row->id) && !*row->pruned_at)
        take_row(w->cut, row);
    return !w->cut->row;
}

/* ---- what it wrote ---- */

static void note_write(struct sf_cut_turn *cut, const char *session, const struct sf_json *seen)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *path, *sha256;
    struct sf_cut_write *write;
    bool wrote;

    if (!sf_json_opt_bool(seen, "wrote", false, &wrote, &ignored) || !wrote ||
        !sf_json_get_str(seen, "path", &path, &ignored) || path[0] == '/' ||
        !sf_json_get_str(seen, "sha256", &sha256, &ignored))
        return;
    cut->writes = sf_grow(cut->writes, &cut->cap, cut->count + 1, sizeof(*write));
    write = &cut->writes[cut->count++];
    *write = (struct sf_cut_write){ .path = sf_strdup(path) };
    snprintf(write->session, sizeof(write->session), "%s", session);
    snprintf(write->sha256, sizeof(write->sha256), "%s", sha256);
}

static bool read_result(const struct sf_event_row *event, void *ctx)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *json = memmem(event->json, event->len, "\"wrote\"", strlen("\"wrote\""))
                               ? sf_json_parse(event->json, event->len, NULL, &ignored)
                               : NULL;
    const struct sf_json *detail = json ? sf_json_get(json, "detail") : NULL;
    const struct sf_json *seen = detail ? sf_json_get(detail, "seen") : NULL;

    for (const struct sf_json *it = seen ? sf_json_first(seen) : NULL; it; it = sf_json_next(it))
        note_write(ctx, event->session, it);
    sf_json_free(json);
    return true;
}

/* Whether the session is that of the turn, or a sub-agent of it, however deep. */
static bool is_of_turn(const struct sf_cut_turn *cut, struct sf_store *store, const char *session)
{
    enum { DEPTH_MAX = 16 };
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_session_row row = { .agent = true };
    bool is = !strcmp(session, cut->session);

    for (int i = 0; !is && i < DEPTH_MAX && row.agent; i++) {
        if (!sf_store_session_get(store, session, &arena, &row, &ignored))
            break;
        session = row.parent_id;
        is = row.agent && !strcmp(session, cut->session);
    }
    sf_arena_release(&arena);
    return is;
}

/* What sessions wrote that ran at the same time is not the turn's. */
static void drop_foreign(struct sf_cut_turn *cut, struct sf_store *store)
{
    size_t left = 0;

    for (size_t i = 0; i < cut->count; i++) {
        if (is_of_turn(cut, store, cut->writes[i].session))
            cut->writes[left++] = cut->writes[i];
        else
            free(cut->writes[i].path);
    }
    cut->count = left;
}

static bool read_writes(struct sf_cut_turn *cut, struct sf_store *store, struct sf_error *err)
{
    struct sf_event_filter filter = { .kind = SF_LOG_RESULT };

    if (!sf_time_parse_rfc3339(cut->since, strlen(cut->since), &filter.since_ms, err) ||
        !sf_store_each_event(store, &filter, read_result, cut, err))
        return false;
    drop_foreign(cut, store);
    return true;
}

bool sf_cut_turn_find(struct sf_cut_turn *cut, const struct sf_undo_place *place,
                      const struct sf_strlist *live, struct sf_error *err)
{
    const struct sf_snapshot_filter filter = { .worktree = place->worktree, .pruned = true };
    struct walk w = { cut, place, SF_STRLIST_INIT, SF_STRLIST_INIT };
    bool ok = true, again = true;

    sf_strlist_add(&w.past, SF_SESSION_PROJECT);
    for (size_t i = 0; live && i < live->count; i++)
        sf_strlist_add(&w.past, live->items[i]);
    while (ok && again) {
        ok = sf_store_each_snapshot(place->store, &filter, find_open, &w, err) &&
             (!cut->row || read_writes(cut, place->store, err));
        again = ok && cut->row && !cut->count;
        if (!ok || again)
            sf_cut_turn_release(cut);
    }
    sf_strlist_release(&w.past);
    sf_strlist_release(&w.ended);
    return ok;
}

/* ---- what is still as it was written ---- */

/* Whether a later write of the turn decides about the path. */
static bool is_overtaken(const struct sf_cut_turn *cut, size_t at)
{
    for (size_t i = at + 1; i < cut->count; i++)
        if (!strcmp(cut->writes[i].path, cut->writes[at].path))
            return true;
    return false;
}

/* Tools keep the permissions of a file; where these differ, somebody else was there. */
static bool claim(struct sf_cut_turn *cut, struct sf_snap *snap, size_t at, struct sf_error *err)
{
    const struct sf_cut_write *write = &cut->writes[at];
    struct sf_strbuf text = SF_STRBUF_INIT;
    char sha256[SF_SHA256_HEX + 1];
    uint32_t before = 0, mode = 0;
    bool ok = sf_snap_read_blob(snap, cut->id, write->path, &text, &before, err);

    sf_strbuf_reset(&text);
    ok = ok && sf_snap_read_blob(snap, cut->result.id, write->path, &text, &mode, err);
    if (ok && S_ISREG(mode) && (!before || before == mode)) {
        sf_sha256_hex(text.buf, text.len, sha256);
        if (!strcmp(sha256, write->sha256))
            sf_strlist_add(&cut->mine, write->path);
    }
    sf_strbuf_release(&text);
    return ok;
}

/*
 * Where nothing is left of what it wrote, the turn stays as it is, and so does the answer about it.
 * Files between two states say nothing about who wrote them.
 */
bool sf_cut_turn_look(struct sf_cut_turn *cut, struct sf_snap *snap, struct sf_error *err)
{
    struct sf_strlist written = SF_STRLIST_INIT;
    const struct sf_snap_request request = { .kind = SF_SNAP_AFTER,
                                             .label = cut->label,
                                             .session = cut->session,
                                             .extra = &written,
                                             .since = cut->id };
    const struct sf_undo_pair pair = { .from = cut->id, .to = cut->result.id, .only = &cut->mine };
    char goal[SF_SNAP_ID + 1], before[SF_SNAP_ID + 1];
    bool ok;

    if (sf_snap_interrupted(snap, goal, before))
        return true;
    for (size_t i = 0; i < cut->count; i++)
        if (!is_overtaken(cut, i))
            sf_strlist_add(&written, cut->writes[i].path);
    ok = sf_snap_take(snap, &request, &cut->result, err);
    for (size_t i = 0; ok && i < cut->count; i++)
        ok = is_overtaken(cut, i) || claim(cut, snap, i, err);
    ok = ok && sf_undo_diff(snap, &pair, NULL, &cut->stat, err);
    if (*cut->result.id && !(ok && cut->stat.files))
        sf_snap_forget(snap, cut->result.id);
    sf_strlist_release(&written);
    return ok;
}

/* ---- the row ---- */

static void write_list(struct sf_json_writer *w, const char *key, const struct sf_strlist *list)
{
    sf_jw_key(w, key);
    sf_jw_array_begin(w);
    for (size_t i = 0; i < list->count; i++)
        sf_jw_str(w, list->items[i]);
    sf_jw_array_end(w);
}

static void write_details(const struct sf_cut_turn *cut, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_int(&w, "before", cut->row);
    sf_jw_key_int(&w, "files", (int64_t)cut->stat.files);
    sf_jw_key_int(&w, "plus", (int64_t)cut->stat.plus);
    sf_jw_key_int(&w, "minus", (int64_t)cut->stat.minus);
    if (cut->result.skipped)
        sf_jw_key_int(&w, "skipped", (int64_t)cut->result.skipped);
    write_list(&w, "extra", &cut->result.extra);
    write_list(&w, "mine", &cut->mine);
    sf_jw_key_int(&w, "cut", 1);
    sf_jw_object_end(&w);
}

bool sf_cut_turn_record(const struct sf_cut_turn *cut, const struct sf_undo_place *place,
                        struct sf_error *err)
{
    struct sf_strbuf details = SF_STRBUF_INIT;
    struct sf_snapshot_new end = { .session = cut->session,
                                   .kind = sf_snap_kind_names[SF_SNAP_AFTER],
                                   .worktree = place->worktree,
                                   .commit = cut->result.id,
                                   .label = cut->label,
                                   .bytes = (int64_t)cut->result.bytes };
    int64_t id;
    bool ok;

    if (!cut->stat.files)
        return true;
    write_details(cut, &details);
    end.details = details.buf;
    ok = sf_store_snapshot_add(place->store, &end, &id, err);
    sf_strbuf_release(&details);
    return ok;
}
