/*
 * undo_diff.c: compares two snapshots, as line counts and as text. The current workspace becomes a
 * temporary snapshot, so that both sides are read the same way and do not change meanwhile.
 */
#include <sys/stat.h>

#include "base/base.h"
#include "edit/edit.h"
#include "journal/undo.h"

enum { TEXT_MAX = 1024 * 1024, BINARY_LOOK = 8000 };

struct compare {
    struct sf_snap *snap;
    const char *from, *to;
    const struct sf_strlist *without, *only; /* or NULL */
    size_t max;
    struct sf_strbuf *out; /* or NULL */
    struct sf_undo_stat *stat;
    sf_undo_file_fn *file; /* or NULL */
    void *ctx;
    const atomic_bool *cancel; /* or NULL */
    size_t unshown;            /* files that differ and are not in the text, as it is full */
};

static bool is_text(const struct sf_strbuf *s)
{
    return s->len <= TEXT_MAX && !memchr(s->buf, 0, s->len < BINARY_LOOK ? s->len : BINARY_LOOK);
}

static bool is_full(const struct compare *c)
{
    return c->out && c->out->len >= c->max;
}

static void add_words(struct compare *c, const struct sf_snap_change *change, const char *words)
{
    if (!c->out || is_full(c))
        return;
    sf_text_sanitize(c->out, change->path, strlen(change->path), SF_TEXT_ONE_LINE);
    sf_strbuf_addf(c->out, ": %s\n", words);
}

static void compare_text(struct compare *c, const struct sf_snap_change *change,
                         const struct sf_strbuf *a, const struct sf_strbuf *b)
{
    struct sf_strbuf old_name = SF_STRBUF_INIT, new_name = SF_STRBUF_INIT, text = SF_STRBUF_INIT;
    struct sf_diff_style style = { .context = 3 };
    struct sf_diff diff;

    sf_diff_init(&diff, a->buf, a->len, b->buf, b->len);
    c->stat->plus += diff.added;
    c->stat->minus += diff.removed;
    if (c->out && !is_full(c)) {
        sf_strbuf_adds(&old_name, change->from_mode ? "a/" : "/dev/null");
        sf_strbuf_adds(&new_name, change->to_mode ? "b/" : "/dev/null");
        if (change->from_mode)
            sf_text_sanitize(&old_name, change->path, strlen(change->path), SF_TEXT_ONE_LINE);
        if (change->to_mode)
            sf_text_sanitize(&new_name, change->path, strlen(change->path), SF_TEXT_ONE_LINE);
        style.old_name = old_name.buf;
        style.new_name = new_name.buf;
        style.max = c->max - c->out->len;
        sf_diff_add(&text, &diff, &style, NULL);
        sf_text_sanitize(c->out, text.buf, text.len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    }
    if (!diff.count && change->from_mode != change->to_mode)
        add_words(c, change, "its permissions or kind changed");
    sf_diff_release(&diff);
    sf_strbuf_release(&old_name);
    sf_strbuf_release(&new_name);
    sf_strbuf_release(&text);
}

/* A file without a copy in a snapshot is only named. */
static void add_left(struct compare *c, const struct sf_snap_change *change)
{
    static const char *const deeds[] = { [SF_SNAP_HOW_ADDED] = "made",
                                         [SF_SNAP_HOW_CHANGED] = "changed",
                                         [SF_SNAP_HOW_REMOVED] = "removed" };
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_strbuf_addf(&words, "%s, no copy was kept: %s", deeds[change->how], change->kept);
    add_words(c, change, words.buf);
    sf_strbuf_release(&words);
}

static bool is_cancelled(const atomic_bool *cancel)
{
    return cancel && atomic_load(cancel);
}

static bool compare_one(void *ctx, const struct sf_snap_change *change)
{
    struct compare *c = ctx;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf a = SF_STRBUF_INIT, b = SF_STRBUF_INIT;
    const struct sf_undo_stat before = *c->stat;
    uint32_t mode;

    if (is_cancelled(c->cancel))
        return false;
    if (S_ISDIR(change->from_mode ? change->from_mode : change->to_mode) &&
        (!change->from_mode || !change->to_mode || S_ISDIR(change->to_mode)))
        return true;
    if ((c->without && sf_strlist_has(c->without, change->path)) ||
        (c->only && !sf_strlist_has(c->only, change->path)))
        return true;
    if (change->kept) {
        c->stat->left++;
        c->unshown += is_full(c);
        add_left(c, change);
        if (c->file)
            c->file(c->ctx, change->path, 0, 0);
        return true;
    }
    c->stat->files++;
    c->unshown += is_full(c);
    if (!sf_snap_read_blob(c->snap, c->from, change->path, &a, &mode, &ignored) ||
        !sf_snap_read_blob(c->snap, c->to, change->path, &b, &mode, &ignored))
        add_words(c, change, ignored.msg);
    else if (is_text(&a) && is_text(&b))
        compare_text(c, change, &a, &b);
    else
        add_words(c, change, "binary or large");
    if (c->file)
        c->file(c->ctx, change->path, c->stat->plus - before.plus, c->stat->minus - before.minus);
    sf_strbuf_release(&a);
    sf_strbuf_release(&b);
    return true;
}

bool sf_undo_diff(struct sf_snap *snap, const struct sf_undo_pair *pair, struct sf_strbuf *out,
                  struct sf_undo_stat *stat, struct sf_error *err)
{
    const struct sf_snap_request request = { .kind = SF_SNAP_MARK,
                                             .label = "to be compared",
                                             .extra = pair->extra,
                                             .cancel = pair->cancel };
    struct sf_snap_result now = SF_SNAP_RESULT_INIT;
    struct compare c = { .snap = snap,
                         .from = pair->from,
                         .to = pair->to,
                         .without = pair->without,
                         .only = pair->only,
                         .max = pair->max,
                         .out = out,
                         .stat = stat,
                         .file = pair->file,
                         .ctx = pair->ctx,
                         .cancel = pair->cancel };
    bool ok = pair->to || sf_snap_take(snap, &request, &now, err);

    *stat = (struct sf_undo_stat){ 0 };
    if (!c.to)
        c.to = now.id;
    if (pair->back) {
        c.from = c.to;
        c.to = pair->from;
    }
    ok = ok && sf_snap_diff(snap, c.from, c.to, compare_one, &c, err);
    if (ok && is_cancelled(pair->cancel))
        ok = sf_fail(err, SF_E_CANCELLED, "the comparison was cancelled");
    if (ok && c.unshown)
        sf_strbuf_addf(out, "… and %zu more file%s\n", c.unshown, c.unshown == 1 ? "" : "s");
    if (*now.id)
        sf_snap_forget(snap, now.id);
    sf_snap_result_release(&now);
    return ok;
}
