/*
 * Any bytes as a file and as the two texts of an edit. What the edit does not name stays byte for
 * byte, an exact edit is what a plain search and splice gives, a refusal leaves nothing, and the
 * diff of before and after leads from the one to the other, as data and as a patch.
 */
#include <stdint.h>
#include <stdio.h>

#include "edit/edit.h"

#define HOLDS(promise)                                                    \
    do {                                                                  \
        if (!(promise)) {                                                 \
            fprintf(stderr, "line %d: broken: %s\n", __LINE__, #promise); \
            abort();                                                      \
        }                                                                 \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const char *a, size_t a_len, const char *b, size_t b_len)
{
    return a_len == b_len && (!a_len || !memcmp(a, b, a_len));
}

static void check_textfile(const char *bytes, size_t len)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_textfile file;

    sf_textfile_read(&file, bytes, len);
    if (!file.trouble) {
        HOLDS(sf_textfile_write(&file, file.text, file.len, &out, &err));
        HOLDS(same(out.buf, out.len, bytes, len));
    } else {
        HOLDS(!sf_textfile_check(&file, &err) && err.msg[0]);
    }
    sf_textfile_release(&file);
    sf_strbuf_release(&out);
}

/* The changes as data: old lines outside of them, new lines inside. */
static void check_changes(const struct sf_diff *d, const char *new_text, size_t new_len)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    const uint32_t *olds = d->old_lines.starts, *news = d->new_lines.starts;
    size_t at = 0;

    for (size_t i = 0; i < d->count; i++) {
        const struct sf_diff_change *c = &d->changes[i];

        HOLDS(c->old_count || c->new_count);
        HOLDS(c->old_at >= at && (!i || c->old_at > at));
        sf_strbuf_add(&out, d->old_text + olds[at], olds[c->old_at] - olds[at]);
        sf_strbuf_add(&out, d->new_text + news[c->new_at],
                      news[c->new_at + c->new_count] - news[c->new_at]);
        at = c->old_at + c->old_count;
    }
    sf_strbuf_add(&out, d->old_text + olds[at], olds[d->old_lines.count] - olds[at]);
    HOLDS(same(out.buf, out.len, new_text, new_len));
    sf_strbuf_release(&out);
}

/* The diff as text, read back as a patch. CR would count as an ending there. */
static void check_patch(const struct sf_strbuf *text, const char *before, size_t len,
                        const char *after, size_t after_len)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit_result r;
    struct sf_patch *patch;
    struct sf_textfile file;

    sf_textfile_read(&file, before, len);
    sf_edit_result_init(&r);
    if (!file.trouble && file.encoding == SF_ENCODING_UTF8 && !memchr(before, '\r', len) &&
        !memchr(after, '\r', after_len)) {
        patch = sf_patch_parse(text->buf, text->len, &err);
        HOLDS(patch && patch->count == 1);
        if (sf_patch_apply(&patch->ops[0], before, len, &r, &err))
            HOLDS(same(r.bytes.buf, r.bytes.len, after, after_len));
        else
            HOLDS(!sf_utf8_valid(after, after_len, NULL) || memchr(after, 0, after_len));
        sf_patch_free(patch);
    }
    sf_edit_result_release(&r);
    sf_textfile_release(&file);
}

static void check_diff(const char *before, size_t len, const char *after, size_t after_len)
{
    const struct sf_diff_style style = { "a/f", "b/f", 3, 0 }, small = { NULL, NULL, 3, 100 };
    struct sf_strbuf text = SF_STRBUF_INIT, some = SF_STRBUF_INIT;
    struct sf_diff_left left;
    struct sf_diff diff;

    sf_diff_init(&diff, before, len, after, after_len);
    check_changes(&diff, after, after_len);
    sf_diff_add(&text, &diff, &style, &left);
    HOLDS(!left.hunks && !left.removed && !left.added);
    HOLDS(sf_diff_add(&some, &diff, &small, &left) || some.len < 400);
    if (text.len && !memchr(text.buf, 0, text.len))
        check_patch(&text, before, len, after, after_len);
    else
        HOLDS(text.len || same(before, len, after, after_len));
    sf_diff_release(&diff);
    sf_strbuf_release(&text);
    sf_strbuf_release(&some);
}

/* Lines outside of the place are the same bytes. */
static void check_outside(const char *bytes, size_t len, const struct sf_edit *edit,
                          const struct sf_edit_result *r)
{
    struct sf_textfile before, after;
    struct sf_lines lines, wanted;
    size_t first = r->done[0].line - 1, last, head, tail;

    sf_textfile_read(&before, bytes, len);
    sf_textfile_read(&after, r->bytes.buf, r->bytes.len);
    sf_lines_init(&lines, before.text, before.len, SF_LINES_ANY);
    sf_lines_init(&wanted, edit->old_text, edit->old_len, SF_LINES_ANY);
    last = first + wanted.count < lines.count ? first + wanted.count : lines.count;
    head = lines.starts[first < lines.count ? first : lines.count];
    tail = before.len - lines.starts[last];
    if (!after.trouble && after.encoding == before.encoding) {
        HOLDS(after.len >= head + tail);
        HOLDS(same(after.text, head, before.text, head));
        HOLDS(same(after.text + after.len - tail, tail, before.text + before.len - tail, tail));
    }
    sf_lines_release(&lines);
    sf_lines_release(&wanted);
    sf_textfile_release(&before);
    sf_textfile_release(&after);
}

/* Without marks and carriage returns an exact edit is a search and a splice. */
static void check_exact(const char *bytes, size_t len, const struct sf_edit *edit,
                        const struct sf_edit_result *r)
{
    struct sf_strbuf want = SF_STRBUF_INIT;
    const char *hit = memmem(bytes, len, edit->old_text, edit->old_len);

    HOLDS(hit != NULL);
    sf_strbuf_add(&want, bytes, len);
    sf_strbuf_splice(&want, (size_t)(hit - bytes), edit->old_len, edit->new_text, edit->new_len);
    HOLDS(same(want.buf, want.len, r->bytes.buf, r->bytes.len));
    sf_strbuf_release(&want);
}

static bool is_plain(const char *s, size_t len)
{
    return !len || (!memchr(s, '\r', len) && (unsigned char)s[0] < 0xef);
}

static void check_edit(const char *bytes, size_t len, const struct sf_edit *edit, bool stale)
{
    struct sf_edit_job job = { bytes, len, stale, edit, 1 };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit_result r;

    sf_edit_result_init(&r);
    if (!sf_edit_apply(&job, &r, &err)) {
        HOLDS(!r.bytes.len && err.code != SF_E_NONE && err.msg[0]);
        HOLDS(r.detail.len < 16384 && sf_utf8_valid(r.detail.buf, r.detail.len, NULL));
        HOLDS(err.code != SF_E_EXIST || r.places.count > 1);
    } else {
        HOLDS(r.count == 1 && !same(r.bytes.buf, r.bytes.len, bytes, len));
        HOLDS(!stale || r.rung == SF_RUNG_EXACT);
        if (edit->old_len && r.done[0].replaced == 1)
            check_outside(bytes, len, edit, &r);
        if (edit->old_len && r.done[0].replaced == 1 && r.rung == SF_RUNG_EXACT &&
            is_plain(bytes, len) && is_plain(edit->old_text, edit->old_len) &&
            is_plain(edit->new_text, edit->new_len))
            check_exact(bytes, len, edit, &r);
        check_diff(bytes, len, r.bytes.buf, r.bytes.len);
    }
    sf_edit_result_release(&r);
}

/* Twice the same edit in one job: the second fails or finds its text anew; never a crash. */
static void check_job(const char *bytes, size_t len, const struct sf_edit *edit)
{
    struct sf_edit edits[2] = {
        *edit, { edit->new_text, edit->old_text, edit->new_len, edit->old_len, edit->all }
    };
    struct sf_edit_job job = { bytes, len, false, edits, 2 };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_edit_result r;

    sf_edit_result_init(&r);
    if (!sf_edit_apply(&job, &r, &err))
        HOLDS(!r.bytes.len && r.failed < 2);
    sf_edit_result_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data + 3;
    size_t len, first, second;
    struct sf_edit edit;

    if (size < 3)
        return 0;
    len = size - 3;
    first = len * data[1] / 255;
    second = first + (len - first) * data[2] / 255;
    edit = (struct sf_edit){ s + first, s + second, second - first, len - second, data[0] & 1 };
    if (data[0] & 2) { /* the old text is a piece of the file */
        edit.old_text = s + (first ? data[2] % first : 0);
        edit.old_len = (size_t)(s + first - edit.old_text) % (data[0] / 4 + 1u);
        edit.new_text = s + first;
        edit.new_len = len - first;
    }
    check_textfile(s, first);
    check_edit(s, first, &edit, data[0] & 4);
    check_job(s, first, &edit);
    check_diff(s, first, edit.new_text, edit.new_len);
    return 0;
}
