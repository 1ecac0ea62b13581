/*
 * draft.c: what is being written and what is queued, kept in a file of the session's own a moment
 * after each change, so that no end of the program loses it. It is JSON:
 *
 *     {"draft": "…", "queue": ["…"], "sending": "…", "after": 17}
 *
 * `sending` is a queued draft on its way into the log: it was sent if the session has an event
 * behind number `after`, and is the first of the queue again if not. A draft of a session in which
 * nothing was ever said goes on to the next new one. Who watches leaves the file to its owner.
 */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "desk/internal.h"

enum {
    DRAFT_MS = 400,
    FILE_MAX = 64 * 1024 * 1024,
    STRAYS_MAX = 256, /* files looked at for one that nobody owns */
};

static char *draft_dir(const struct sf_desk *d)
{
    return sf_path_join(d->setup.talk.state_dir, "drafts");
}

static char *draft_path(const struct sf_desk *d)
{
    char *dir = draft_dir(d), *path = sf_path_join(dir, sf_talk_id(d->talk));

    free(dir);
    return path;
}

static bool newest(const struct sf_event_row *event, void *ctx)
{
    *(int64_t *)ctx = event->seq;
    return true;
}

/* The number of the session's last event (of that kind, or NULL); 0: it has none. */
static int64_t last_number(const struct sf_desk *d, const char *session, const char *kind)
{
    const struct sf_event_filter filter = { .session = session, .kind = kind, .limit = 1 };
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t seq = 0;

    return sf_store_each_event(d->setup.talk.store, &filter, newest, &seq, &ignored) ? seq : -1;
}

/* ---- reading ---- */

static void add_words(struct sf_desk *d, const char *text)
{
    struct sf_strbuf all = SF_STRBUF_INIT;

    sf_composer_text(d->composer, &all);
    if (*text) {
        if (all.len)
            sf_strbuf_adds(&all, "\n\n");
        sf_strbuf_adds(&all, text);
        sf_composer_set(d->composer, all.buf, all.len);
    }
    sf_strbuf_release(&all);
}

static bool take(struct sf_desk *d, const struct sf_json *json, struct sf_error *err)
{
    const struct sf_json *queue;
    const char *draft, *sending, *text;
    int64_t after;

    if (!sf_json_opt_array(json, "queue", &queue, err) ||
        !sf_json_opt_str(json, "draft", "", &draft, err) ||
        !sf_json_opt_str(json, "sending", NULL, &sending, err) ||
        !sf_json_opt_int(json, "after", 0, &after, err))
        return false;
    if (sending && last_number(d, sf_talk_id(d->talk), NULL) <= after)
        sf_strlist_add(&d->queue, sending);
    for (const struct sf_json *it = queue ? sf_json_first(queue) : NULL; it; it = sf_json_next(it))
        if (d->queue.count < SF_DESK_QUEUE && sf_json_as_str(it, "a queued draft", &text, err))
            sf_strlist_add(&d->queue, text);
    add_words(d, draft);
    return true;
}

/* False with `err`: it is there and cannot be read. */
static bool load_file(struct sf_desk *d, const char *path, struct sf_error *err)
{
    const struct sf_json_limits limits = { .bytes = FILE_MAX };
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_json *json = NULL;
    bool ok = sf_file_read(path, FILE_MAX, &text, err);

    if (!ok && err->code == SF_E_NOENT) {
        ok = true;
    } else if (ok) {
        json = sf_json_parse(text.buf, text.len, &limits, err);
        ok = json && take(d, json, err);
    }
    sf_json_free(json);
    sf_strbuf_release(&text);
    return ok;
}

/* ---- drafts that nobody can come back to ---- */

/* Nobody talks in that session, and nothing was said in it. */
static bool is_stray(struct sf_desk *d, const char *session)
{
    char *lock_path = sf_hold_path(d->setup.talk.state_dir, session);
    struct sf_lock lock = SF_LOCK_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    bool stray = strlen(session) == SF_ID_LEN && sf_lock_take(lock_path, 0, &lock, &ignored) &&
                 last_number(d, session, SF_LOG_USER) == 0;

    sf_lock_drop(&lock);
    free(lock_path);
    return stray;
}

static void adopt(struct sf_desk *d)
{
    char *dir = draft_dir(d);
    DIR *files = opendir(dir);
    const struct dirent *entry;
    struct sf_error ignored = SF_ERROR_INIT;
    size_t seen = 0;

    while (files && (entry = readdir(files)) && seen++ < STRAYS_MAX) {
        char *path;

        if (!strcmp(entry->d_name, sf_talk_id(d->talk)) || !is_stray(d, entry->d_name))
            continue;
        path = sf_path_join(dir, entry->d_name);
        if (load_file(d, path, &ignored)) {
            sf_draft_save(d); /* it is ours before it is nobody's */
            unlink(path);
        }
        free(path);
    }
    if (files)
        closedir(files);
    free(dir);
}

void sf_draft_load(struct sf_desk *d)
{
    struct sf_strbuf aside = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *path = draft_path(d);

    sf_strbuf_reset(&d->kept);
    if (sf_desk_watches(d)) {
        free(path);
        return;
    }
    if (!load_file(d, path, &err)) {
        sf_strbuf_addf(&aside, "%s.unreadable", path);
        sf_error_prefix(&err, "the draft of this session: ");
        sf_hint(&err, "it was set aside as %s", aside.buf);
        if (rename(path, aside.buf) == 0)
            sf_desk_fail(d, &err);
    } else if (!sf_talk_history(d->talk)->count) {
        adopt(d);
    }
    if (d->queue.count)
        sf_desk_say(d, false, "%zu queued: kept; Enter on an empty line sends the first",
                    d->queue.count);
    sf_strbuf_release(&aside);
    free(path);
}

/* ---- writing ---- */

static void write_json(struct sf_desk *d, struct sf_strbuf *out)
{
    struct sf_strbuf draft = SF_STRBUF_INIT;
    struct sf_json_writer w;

    sf_composer_text(d->composer, &draft);
    if (!draft.len && !d->queue.count && !d->sending) {
        sf_strbuf_release(&draft);
        return;
    }
    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key(&w, "draft");
    sf_jw_strn(&w, draft.buf, draft.len);
    sf_jw_key(&w, "queue");
    sf_jw_array_begin(&w);
    for (size_t i = 0; i < d->queue.count; i++)
        sf_jw_str(&w, d->queue.items[i]);
    sf_jw_array_end(&w);
    if (d->sending) {
        sf_jw_key_str(&w, "sending", d->sending);
        sf_jw_key_int(&w, "after", d->sending_after);
    }
    sf_jw_object_end(&w);
    sf_strbuf_release(&draft);
}

static bool write_file(const char *dir, const char *path, const struct sf_strbuf *text,
                       struct sf_error *err)
{
    if (!text->len)
        return unlink(path) == 0 || true;
    return sf_dir_make(dir, 0700, err) &&
           sf_file_write_atomic(path, text->buf, text->len, 0600, err);
}

void sf_draft_save(struct sf_desk *d)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    char *dir = draft_dir(d), *path = draft_path(d);

    sf_loop_remove(d->loop, d->draft_timer);
    d->draft_timer = 0;
    write_json(d, &text);
    if (!sf_desk_watches(d) && strcmp(text.buf, d->kept.buf) != 0) {
        if (!write_file(dir, path, &text, &err))
            sf_desk_say(d, true, "the draft cannot be kept: %s", err.msg);
        sf_strbuf_reset(&d->kept);
        sf_strbuf_add(&d->kept, text.buf, text.len);
    }
    free(path);
    free(dir);
    sf_strbuf_release(&text);
}

static void draft_due(void *ctx)
{
    struct sf_desk *d = ctx;

    d->draft_timer = 0;
    sf_draft_save(d);
}

void sf_draft_changed(struct sf_desk *d)
{
    if (!d->draft_timer)
        d->draft_timer = sf_loop_add_timer(d->loop, DRAFT_MS, 0, draft_due, d);
}

/* ---- from the queue into the log ---- */

/* Killed before, between or after these two, it is sent once. */
char *sf_draft_take(struct sf_desk *d)
{
    d->sending_after = last_number(d, sf_talk_id(d->talk), NULL);
    d->sending = sf_strdup(d->queue.items[0]);
    sf_strlist_remove(&d->queue, 0);
    sf_draft_save(d);
    return d->sending;
}

void sf_draft_sent(struct sf_desk *d)
{
    free(d->sending);
    d->sending = NULL;
    sf_draft_save(d);
}
