/*
 * change.c: shows a file before and after. Both sides are treated as text; a side that is not text
 * (a binary file that is replaced by text) counts as empty.
 */
#include "tools/change.h"

#include "base/base.h"
#include "edit/edit.h"
#include "tools/numbered.h"
#include "tools/safe.h"

enum {
    EXCERPT_BYTES = 4096,
    EXCERPT_LINES = 60,
    EXCERPT_AROUND = 3,
    DIFF_AROUND = 3,
    PLAN_AROUND = 1, /* a card is small */
};

static void digest_of(const struct sf_strbuf *bytes, unsigned char digest[SF_SHA256_SIZE])
{
    struct sf_sha256 hash;

    sf_sha256_init(&hash);
    sf_sha256_update(&hash, bytes->buf, bytes->len);
    sf_sha256_final(&hash, digest);
}

bool sf_change_begin(struct sf_change *change, struct sf_toolbox *box, struct sf_place *place,
                     struct sf_error *err)
{
    unsigned char digest[SF_SHA256_SIZE];

    change->place = place;
    change->existed = place->kind != SF_PLACE_NOTHING;
    if (!change->existed)
        return true;
    if (!sf_place_read(place, SF_TEXTFILE_MAX, &change->before, err)) {
        if (err->code == SF_E_LIMIT)
            sf_hint(err, "files up to 16 MiB can be changed here; use a command for this one");
        return false;
    }
    digest_of(&change->before, digest);
    change->state = sf_seen_state(box->seen, place->real, digest);
    return true;
}

void sf_change_release(struct sf_change *change)
{
    sf_strbuf_release(&change->before);
    sf_strbuf_release(&change->after);
}

bool sf_change_commit(struct sf_change *change, struct sf_error *err)
{
    const struct sf_strbuf *after = &change->after;

    if (!change->existed)
        return sf_place_create(change->place, after->buf, after->len, 0666, err);
    if (sf_place_replace(change->place, after->buf, after->len, err))
        return true;
    if (!*err->hint && !(change->place->st.st_mode & 0222))
        sf_hint(err, "the file is read-only; leave it as it is, or ask the user");
    return false;
}

void sf_change_note(const struct sf_change *change, struct sf_toolbox *box,
                    struct sf_tool_call *call, bool whole)
{
    unsigned char digest[SF_SHA256_SIZE];

    digest_of(&change->after, digest);
    sf_seen_note(box->seen, call, change->place, digest, whole)->wrote = true;
}

/* Both sides as text, and their diff. */
struct sides {
    struct sf_textfile before, after;
    struct sf_diff diff;
};

static void compare(struct sides *s, const struct sf_change *change)
{
    sf_textfile_read(&s->before, change->before.buf, change->before.len);
    sf_textfile_read(&s->after, change->after.buf, change->after.len);
    sf_diff_init(&s->diff, s->before.text, s->before.len, s->after.text, s->after.len);
}

static void end_comparing(struct sides *s)
{
    sf_diff_release(&s->diff);
    sf_textfile_release(&s->before);
    sf_textfile_release(&s->after);
}

/* Appends the diff to one that may be there already, as far as both together may grow. */
static void add_diff(struct sf_change *change, struct sf_tool_result *result, const char *name,
                     size_t around, struct sf_strbuf *out)
{
    const char *before = change->from ? change->from : name;
    struct sf_diff_style style = { .old_name = change->existed ? before : "/dev/null",
                                   .new_name = change->gone ? "/dev/null" : name,
                                   .context = around };
    bool room = result->diff.len < SF_TOOL_CALL_DIFF_MAX;
    struct sides s;

    compare(&s, change);
    change->added = s.diff.added;
    change->removed = s.diff.removed;
    style.max = room ? SF_TOOL_CALL_DIFF_MAX - result->diff.len : 0;
    if (room ? !sf_diff_add(out, &s.diff, &style, NULL) : s.diff.count > 0)
        result->diff_cut = true;
    end_comparing(&s);
}

void sf_change_diff(struct sf_change *change, struct sf_tool_call *call, const char *name)
{
    struct sf_strbuf raw = SF_STRBUF_INIT;

    add_diff(change, &call->result, name, DIFF_AROUND, &raw);
    sf_safe_add(&call->result.diff, raw.buf, raw.len);
    sf_strbuf_release(&raw);
}

/* Whoever is asked must be able to see every byte, so nothing is replaced here. */
void sf_change_plan(struct sf_change *change, struct sf_tool_call *call)
{
    add_diff(change, &call->result, change->place->real, PLAN_AROUND, &call->result.diff);
}

/* Adds the new lines of one hunk; false: the excerpt is full. */
static bool show_hunk(struct sf_numbered *n, const struct sides *s, const struct sf_diff_hunk *hunk)
{
    const struct sf_lines *lines = &s->diff.new_lines;

    for (size_t i = hunk->new_at; i < hunk->new_at + hunk->new_count; i++) {
        const char *line = s->after.text + lines->starts[i];
        size_t len = lines->starts[i + 1] - lines->starts[i];

        len -= sf_line_ending(line, len);
        if (n->count >= EXCERPT_LINES || !sf_numbered_add(n, (int64_t)i + 1, line, len, len))
            return false;
    }
    return true;
}

void sf_change_excerpt(const struct sf_change *change, struct sf_tool_call *call)
{
    struct sf_diff_hunk hunk = { 0 };
    struct sf_numbered n;
    struct sides s;
    bool first = true, fits = true;

    compare(&s, change);
    sf_numbered_init(&n, EXCERPT_BYTES);
    while (fits && sf_diff_next(&s.diff, EXCERPT_AROUND, &hunk)) {
        if (!first)
            sf_strbuf_adds(&n.text, "...\n");
        first = false;
        fits = show_hunk(&n, &s, &hunk);
    }
    sf_tool_call_add_text(call, n.text.buf, n.text.len);
    if (!fits)
        sf_tool_call_addf(call, "[more changed lines follow; Read shows them]\n");
    sf_numbered_release(&n);
    end_comparing(&s);
}
