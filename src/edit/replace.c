/*
 * replace.c: one edit after the other on the file's text, which is encoded again only at the
 * end. An edit that fails leaves nothing behind; the edits before it are then replayed once, to
 * say which of them took its text away.
 */
#include "edit/replace.h"

#include "edit/splice.h"
#include "edit/textfile.h"

enum {
    WORK_MAX = 1024 * 1024 * 1024,      /* bytes looked at by all edits of a job */
    TEXT_MAX = SF_TEXTFILE_MAX / 2 * 3, /* UTF-16 may grow by half when it becomes UTF-8 */
};

/* One edit on its way: texts with "\n" endings, and what it works on. */
struct step {
    struct sf_fold old_fold, new_fold;
    const char *old_text, *new_text;
    size_t old_len, new_len;
    const char *ending; /* of the new text, for a file that has none */
    bool all;
    struct sf_strbuf *text; /* the file's; becomes the new one */
    struct sf_edit_result *result;
    struct sf_edit_done done;
};

void sf_edit_result_init(struct sf_edit_result *result)
{
    *result = (struct sf_edit_result){ .culprit = SIZE_MAX };
    sf_strbuf_init(&result->bytes);
    sf_strbuf_init(&result->detail);
}

void sf_edit_result_release(struct sf_edit_result *result)
{
    sf_strbuf_release(&result->bytes);
    sf_strbuf_release(&result->detail);
    free(result->done);
    sf_edit_result_init(result);
}

static void skip_mark(const char **text, size_t *len)
{
    if (*len >= 3 && !memcmp(*text, "\xef\xbb\xbf", 3)) {
        *text += 3;
        *len -= 3;
    }
}

/* A mark in front of the texts means the file's own, which is not part of its text. */
static void step_init(struct step *step, const struct sf_edit *edit, bool marked)
{
    struct sf_edit e = *edit;

    *step = (struct step){ .all = e.all };
    if (marked) {
        skip_mark(&e.old_text, &e.old_len);
        skip_mark(&e.new_text, &e.new_len);
    }
    sf_fold_init(&step->old_fold, e.old_text, e.old_len, 0);
    sf_fold_init(&step->new_fold, e.new_text, e.new_len, 0);
    step->old_text = step->old_fold.text;
    step->old_len = step->old_fold.len;
    step->new_text = step->new_fold.text;
    step->new_len = step->new_fold.len;
    step->ending = e.new_len && memmem(e.new_text, e.new_len, "\r\n", 2) ? "\r\n" : "\n";
}

static void step_release(struct step *step)
{
    sf_fold_release(&step->old_fold);
    sf_fold_release(&step->new_fold);
}

static bool check_texts(const struct sf_textfile *file, const struct sf_edit *edit,
                        const struct step *step, struct sf_error *err)
{
    if (!sf_textfile_accepts(file, edit->old_text, edit->old_len, err) ||
        !sf_textfile_accepts(file, edit->new_text, edit->new_len, err))
        return false;
    if (step->old_len != step->new_len ||
        (step->old_len && memcmp(step->old_text, step->new_text, step->old_len) != 0))
        return true;
    if (edit->old_len == edit->new_len &&
        (!edit->old_len || !memcmp(edit->old_text, edit->new_text, edit->old_len)))
        return sf_fail(err, SF_E_ARG, "old_string and new_string are the same");
    sf_fail(err, SF_E_ARG, "old_string and new_string differ only in their line endings");
    return sf_hint(err, "an edit keeps the endings the file has; write the file to change them");
}

static void add_numbers(struct sf_strbuf *out, const struct sf_edit_result *r)
{
    for (size_t i = 0; i < r->places.count; i++)
        sf_strbuf_addf(out, "%s%zu", i ? ", " : "", r->lines[i]);
    if (r->places.count == SF_PLACES_MAX)
        sf_strbuf_adds(out, " …");
}

static bool fail_several(struct sf_edit_result *r, const struct sf_places *places,
                         const struct sf_lines *lines, struct sf_error *err)
{
    struct sf_strbuf numbers = SF_STRBUF_INIT;
    bool exact = places->rung == SF_RUNG_EXACT;

    r->places = *places;
    for (size_t i = 0; i < places->count; i++)
        r->lines[i] = sf_lines_at(lines, places->spans[i].start) + 1;
    add_numbers(&numbers, r);
    if (exact)
        sf_fail(err, SF_E_EXIST, "old_string is there %zu times%s: lines %s", places->count,
                places->count == SF_PLACES_MAX ? " or more" : "", numbers.buf);
    else
        sf_fail(err, SF_E_EXIST,
                "old_string is not there as it is; %s, it fits %zu places: lines %s",
                sf_rung_name(places->rung), places->count, numbers.buf);
    sf_strbuf_addf(&r->detail, "it was found at lines %s\n", numbers.buf);
    sf_strbuf_release(&numbers);
    return sf_hint(err, exact ? "add lines around it until it is the only one, or replace all"
                              : "copy the text exactly as the file has it");
}

static bool fail_missing(struct step *step, struct sf_error *err)
{
    struct sf_edit_result *r = step->result;
    const char *hint = "copy the text exactly as the file has it; read that part again";

    sf_fail(err, SF_E_NOENT, "old_string is not in the file");
    sf_nearest_describe(&r->detail, &r->nearest, step->text->buf, step->text->len, step->old_text,
                        step->old_len);
    if (r->nearest.lines)
        sf_fail(err, SF_E_NOENT, "old_string is not in the file; the nearest text is at line %zu",
                r->nearest.line);
    if (step->new_len > 3 &&
        memmem(step->text->buf, step->text->len, step->new_text, step->new_len))
        hint = "new_string is in the file: perhaps the change was made already";
    return sf_hint(err, "%s", hint);
}

/* New text in the middle of a line: its newlines become those of the place. */
static void add_inline(struct sf_strbuf *out, const struct step *step, const struct sf_lines *lines,
                       size_t at)
{
    const char *text = step->new_text, *end = text + step->new_len, *stop, *ending;
    size_t len;

    while (text < end && (stop = memchr(text, '\n', (size_t)(end - text)))) {
        ending = sf_ending_near(step->text->buf, lines, sf_lines_at(lines, at), step->ending, &len);
        sf_strbuf_add(out, text, (size_t)(stop - text));
        sf_strbuf_add(out, ending, len);
        text = stop + 1;
    }
    sf_strbuf_add(out, text, (size_t)(end - text));
}

static bool check_size(const struct sf_strbuf *out, struct sf_error *err)
{
    if (out->len <= TEXT_MAX)
        return true;
    return sf_fail(err, SF_E_LIMIT, "the file would become larger than 16 MiB");
}

static bool replace_all(struct step *step, struct sf_ladder *ladder, const struct sf_lines *lines,
                        struct sf_strbuf *out, struct sf_error *err)
{
    bool in_line = !memchr(step->old_text, '\n', step->old_len), ok = true;
    struct sf_splice splice;
    struct sf_seeker search;
    struct sf_line_span span;
    size_t at = 0;

    sf_splice_init(&splice, step->text->buf, lines, step->ending);
    sf_splice_texts(&splice, step->old_text, step->old_len, step->new_text, step->new_len);
    sf_seeker_init(&search, ladder, step->old_text, step->old_len);
    while (ok && sf_seeker_next(&search, &span)) {
        sf_strbuf_add(out, step->text->buf + at, span.start - at);
        if (in_line)
            add_inline(out, step, lines, span.start);
        else
            ok = sf_splice_add(&splice, out, span, SF_RUNG_EXACT);
        at = span.end;
        ok = ok && check_size(out, err);
        if (ok && ++step->done.replaced > SF_REPLACED_MAX)
            ok =
                sf_fail(err, SF_E_LIMIT, "old_string is there more than %d times", SF_REPLACED_MAX);
    }
    sf_strbuf_add(out, step->text->buf + at, step->text->len - at);
    sf_seeker_release(&search);
    sf_splice_release(&splice);
    return ok;
}

static bool replace_one(struct step *step, struct sf_line_span span, enum sf_rung rung,
                        const struct sf_lines *lines, struct sf_strbuf *out, struct sf_error *err)
{
    size_t old_len = step->old_len, new_len = step->new_len;
    struct sf_splice splice;
    bool ok;

    if (span.open && new_len && step->new_text[new_len - 1] == '\n')
        old_len--, new_len--; /* the file ends without a newline, and goes on doing so */
    sf_splice_init(&splice, step->text->buf, lines, step->ending);
    sf_splice_texts(&splice, step->old_text, old_len, step->new_text, new_len);
    sf_strbuf_add(out, step->text->buf, span.start);
    ok = sf_splice_add(&splice, out, span, rung);
    sf_strbuf_add(out, step->text->buf + span.end, step->text->len - span.end);
    sf_splice_release(&splice);
    step->done.replaced = 1;
    return ok || fail_missing(step, err);
}

static bool replace_found(struct step *step, struct sf_ladder *ladder,
                          const struct sf_places *places, struct sf_strbuf *out,
                          struct sf_error *err)
{
    struct sf_lines lines;
    bool ok;

    sf_lines_init(&lines, step->text->buf, step->text->len, SF_LINES_ANY);
    step->done.rung = places->rung;
    step->done.line = sf_lines_at(&lines, places->spans[0].start) + 1;
    if (places->count == 1)
        ok = replace_one(step, places->spans[0], places->rung, &lines, out, err);
    else if (step->all && places->rung == SF_RUNG_EXACT)
        ok = replace_all(step, ladder, &lines, out, err);
    else
        ok = fail_several(step->result, places, &lines, err);
    sf_lines_release(&lines);
    return ok;
}

/* Puts the replaced text in place of the old one. */
static bool replace(struct step *step, bool stale, struct sf_error *err)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_ladder ladder;
    struct sf_places places;
    bool ok;

    sf_ladder_init(&ladder, step->text->buf, step->text->len, false);
    if (stale) {
        step->all = false; /* the other places may never have been read */
        ok = sf_ladder_seek(&ladder, SF_RUNG_EXACT, step->old_text, step->old_len, 0, &places);
    } else {
        ok = sf_ladder_climb(&ladder, step->old_text, step->old_len, 0, &places);
    }
    ok = ok ? replace_found(step, &ladder, &places, &out, err) : fail_missing(step, err);
    if (ok && out.len == step->text->len && !memcmp(out.buf, step->text->buf, out.len))
        ok = sf_fail(err, SF_E_ARG, "the file would not change: it has the new text already");
    sf_ladder_release(&ladder);
    ok = ok && check_size(&out, err);
    if (ok) {
        sf_strbuf_release(step->text);
        *step->text = out;
    } else {
        sf_strbuf_release(&out);
    }
    return ok;
}

static bool create(struct step *step, const struct sf_edit *edit, struct sf_error *err)
{
    if (step->text->len) {
        sf_fail(err, SF_E_ARG, "old_string is empty, but the file is not");
        return sf_hint(err, "say which text to replace, or write the whole file");
    }
    sf_strbuf_add(step->text, edit->new_text, edit->new_len);
    step->done = (struct sf_edit_done){ SF_RUNG_EXACT, 1, 1 };
    return true;
}

static bool apply_one(struct sf_strbuf *text, const struct sf_textfile *file,
                      const struct sf_edit *edit, bool stale, struct sf_edit_result *result,
                      struct sf_error *err)
{
    bool marked = file->encoding == SF_ENCODING_UTF8_BOM || file->encoding == SF_ENCODING_UTF16LE ||
                  file->encoding == SF_ENCODING_UTF16BE;
    struct step step;
    bool ok;

    step_init(&step, edit, marked);
    step.text = text;
    step.result = result;
    ok = check_texts(file, edit, &step, err) &&
         (step.old_len ? replace(&step, stale, err) : create(&step, edit, err));
    if (ok) {
        result->done[result->count++] = step.done;
        result->created = result->created || !step.old_len;
        if (step.done.rung > result->rung)
            result->rung = step.done.rung;
    }
    step_release(&step);
    return ok;
}

/* Whether the edit's text is there as often as the edit needs it. */
static bool fits(const struct sf_strbuf *text, const struct sf_edit *edit)
{
    struct sf_ladder ladder;
    struct sf_places places;
    struct sf_fold old;

    sf_fold_init(&old, edit->old_text, edit->old_len, 0);
    sf_ladder_init(&ladder, text->buf, text->len, false);
    sf_ladder_seek(&ladder, SF_RUNG_EXACT, old.text, old.len, 0, &places);
    sf_ladder_release(&ladder);
    sf_fold_release(&old);
    return edit->all ? places.count > 0 : places.count == 1;
}

/* Edit `failed` does not fit: the earlier one behind which it no longer did, or SIZE_MAX. */
static size_t find_culprit(const struct sf_edit_job *job, const struct sf_textfile *file,
                           size_t failed)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_edit_result scratch;
    size_t culprit = SIZE_MAX;
    bool fitted;

    sf_edit_result_init(&scratch);
    scratch.done = sf_alloc_array(job->count, sizeof(*scratch.done));
    sf_strbuf_add(&text, file->text, file->len);
    fitted = fits(&text, &job->edits[failed]);
    for (size_t i = 0; fitted && i < failed; i++) {
        if (!apply_one(&text, file, &job->edits[i], job->stale, &scratch, &ignored))
            break;
        fitted = fits(&text, &job->edits[failed]);
        culprit = fitted ? SIZE_MAX : i;
    }
    sf_edit_result_release(&scratch);
    sf_strbuf_release(&text);
    return culprit;
}

static void blame(const struct sf_edit_job *job, const struct sf_textfile *file,
                  struct sf_edit_result *result, struct sf_error *err)
{
    size_t failed = result->count;

    result->failed = failed;
    if (job->stale && (err->code == SF_E_NOENT || err->code == SF_E_EXIST)) {
        sf_error_prefix(err, "the file changed since it was read: ");
        sf_hint(err, "read it again before editing it");
    }
    if (job->count < 2)
        return;
    if (failed && (err->code == SF_E_NOENT || err->code == SF_E_EXIST))
        result->culprit = find_culprit(job, file, failed);
    if (result->culprit != SIZE_MAX)
        sf_hint(
            err,
            "it was right before edit %zu: the edits apply in order, each to the text the last one left",
            result->culprit + 1);
    sf_error_prefix(err, "edit %zu of %zu: ", failed + 1, job->count);
}

static bool check_job(const struct sf_edit_job *job, struct sf_error *err)
{
    if (!job->count)
        return sf_fail(err, SF_E_ARG, "there is no edit to make");
    if (job->count > SF_EDITS_MAX)
        return sf_fail(err, SF_E_LIMIT, "there are more than %d edits", SF_EDITS_MAX);
    for (size_t i = 0; i < job->count; i++)
        if (job->edits[i].old_len > SF_TEXTFILE_MAX || job->edits[i].new_len > SF_TEXTFILE_MAX)
            return sf_fail(err, SF_E_LIMIT, "the texts of an edit are limited to 16 MiB each");
    return true;
}

/* UTF-8 beyond ASCII in a file of another encoding: legal, but worth saying. */
static bool is_foreign(const struct sf_textfile *file, const struct sf_edit_job *job)
{
    bool high = false;

    for (size_t i = 0; i < job->count; i++)
        for (size_t k = 0; k < job->edits[i].new_len; k++)
            high = high || (unsigned char)job->edits[i].new_text[k] >= 0x80;
    return high && file->encoding == SF_ENCODING_BYTES;
}

bool sf_edit_apply(const struct sf_edit_job *job, struct sf_edit_result *result,
                   struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_textfile file;
    size_t work = 0;
    bool ok;

    sf_edit_result_release(result);
    sf_textfile_read(&file, job->bytes, job->len);
    ok = sf_textfile_check(&file, err) && check_job(job, err);
    if (!ok)
        goto out;
    result->done = sf_alloc_array(job->count, sizeof(*result->done));
    sf_strbuf_add(&text, file.text, file.len);
    for (size_t i = 0; ok && i < job->count; i++) {
        work += text.len;
        ok = (work <= WORK_MAX || sf_fail(err, SF_E_LIMIT, "too many edits of so large a file")) &&
             apply_one(&text, &file, &job->edits[i], job->stale, result, err);
    }
    if (!ok)
        blame(job, &file, result, err);
    ok = ok && sf_textfile_write(&file, text.buf, text.len, &result->bytes, err);
    result->stale = job->stale;
    result->foreign = is_foreign(&file, job);
out:
    sf_strbuf_release(&text);
    sf_textfile_release(&file);
    return ok;
}

void sf_edit_describe(const struct sf_edit_result *result, struct sf_strbuf *out)
{
    size_t places = 0;

    for (size_t i = 0; i < result->count; i++)
        places += result->done[i].replaced;
    if (result->created)
        sf_strbuf_adds(out, "created the file");
    else
        sf_strbuf_addf(out, "replaced %zu place%s", places, places == 1 ? "" : "s");
    if (result->rung != SF_RUNG_EXACT)
        sf_strbuf_addf(out, "; the text was found %s", sf_rung_name(result->rung));
    if (result->stale)
        sf_strbuf_adds(out,
                       "; the file had changed since it was read, but the text was there once");
    if (result->foreign)
        sf_strbuf_adds(out, "; the file is not UTF-8, and the new text went in as UTF-8");
    sf_strbuf_addch(out, '\n');
}
