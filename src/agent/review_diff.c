/*
 * review_diff.c: reads what git says about changes. Each line of the text begins with its number,
 * so no content can pass for a heading or for the end of the diff.
 */
#include "agent/review_diff.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 4, NUMBER_COLS = 6 };

void sf_review_diff_release(struct sf_review_diff *diff)
{
    for (size_t i = 0; i < diff->count; i++) {
        free(diff->files[i].path);
        free(diff->files[i].from);
        free(diff->files[i].hunks);
    }
    free(diff->files);
    sf_strbuf_release(&diff->text);
    *diff = (struct sf_review_diff){ .count = 0 };
}

/* ---- the list of files ---- */

static struct sf_review_file *add_file(struct sf_review_diff *diff, const char *path)
{
    if (diff->count == SF_REVIEW_FILES_MAX) {
        diff->more++;
        return NULL;
    }
    diff->files = sf_grow(diff->files, &diff->cap, diff->count + 1, sizeof(*diff->files));
    diff->files[diff->count] = (struct sf_review_file){ .path = sf_strdup(path) };
    return &diff->files[diff->count++];
}

/* "12" or "-", which ends with a tab. */
static const char *read_count(const char *at, const char *end, int64_t *out)
{
    char *stop = NULL;

    if (at + 1 < end && at[0] == '-' && at[1] == '\t') {
        *out = -1;
        return at + 2;
    }
    errno = 0;
    *out = strtoll(at, &stop, 10);
    return stop > at && stop < end && *stop == '\t' && *out >= 0 && !errno ? stop + 1 : NULL;
}

static const char *next_text(const char *at, const char *end, const char **text)
{
    const char *nul = at < end ? memchr(at, '\0', (size_t)(end - at)) : NULL;

    *text = at;
    return nul ? nul + 1 : NULL;
}

/* One entry: two counts and the path; or an empty path, then the old and the new one. */
static const char *read_entry(struct sf_review_diff *diff, const char *at, const char *end)
{
    const char *path, *from = NULL;
    struct sf_review_file *file;
    int64_t added, removed;

    at = read_count(at, end, &added);
    at = at ? read_count(at, end, &removed) : NULL;
    at = at ? next_text(at, end, &path) : NULL;
    if (at && !*path) {
        at = next_text(at, end, &from);
        at = at ? next_text(at, end, &path) : NULL;
    }
    if (!at)
        return NULL;
    diff->added += added > 0 ? added : 0;
    diff->removed += removed > 0 ? removed : 0;
    file = add_file(diff, path);
    if (file) {
        file->from = from ? sf_strdup(from) : NULL;
        file->added = added;
        file->removed = removed;
    }
    return at;
}

bool sf_review_diff_stat(struct sf_review_diff *diff, const char *out, size_t len)
{
    const char *at = out, *end = out + len;

    while (at && at < end)
        at = read_entry(diff, at, end);
    return at != NULL;
}

static struct sf_review_file *find(const struct sf_review_diff *diff, const char *path)
{
    for (size_t i = 0; i < diff->count; i++)
        if (!strcmp(diff->files[i].path, path))
            return &diff->files[i];
    return NULL;
}

const struct sf_review_file *sf_review_diff_find(const struct sf_review_diff *diff,
                                                 const char *path)
{
    return find(diff, path);
}

void sf_review_diff_saw(struct sf_review_diff *diff, const char *path)
{
    struct sf_review_file *file = find(diff, path);

    if (file)
        file->seen = true;
}

/* ---- lines with their numbers ---- */

/* Valid UTF-8 without NUL, since services accept nothing else; long lines are cut. */
static void add_content(struct sf_strbuf *out, const char *text, size_t len)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;
    bool cut = len > SF_REVIEW_LINE_BYTES;

    sf_utf8_scrub(&clean, text, cut ? sf_utf8_cut(text, SF_REVIEW_LINE_BYTES) : len);
    for (size_t i = 0; i < clean.len; i++)
        if (clean.buf[i] == '\0' || clean.buf[i] == '\r')
            clean.buf[i] = ' ';
    sf_strbuf_add(out, clean.buf, clean.len);
    sf_strbuf_adds(out, cut ? "…\n" : "\n");
    sf_strbuf_release(&clean);
}

static void add_numbered(struct sf_strbuf *out, int64_t number, char mark, const char *text,
                         size_t len)
{
    if (number)
        sf_strbuf_addf(out, "%*" PRId64 " %c ", NUMBER_COLS, number, mark);
    else
        sf_strbuf_addf(out, "%*s %c ", NUMBER_COLS, "", mark);
    add_content(out, text, len);
}

static struct sf_review_hunk *add_hunk(struct sf_review_file *file,
                                       const struct sf_review_hunk *hunk)
{
    file->hunks = sf_grow(file->hunks, &file->cap, file->count + 1, sizeof(*file->hunks));
    file->hunks[file->count] = *hunk;
    return &file->hunks[file->count++];
}

static bool has_room(const struct sf_review_diff *diff, size_t file_start)
{
    return diff->text.len <= diff->room && diff->text.len - file_start <= SF_REVIEW_FILE_BYTES;
}

static void check_line(const struct sf_review_diff *diff, struct sf_review_file *file,
                       const char *text, size_t len)
{
    if (diff->secrets && sf_review_secrets_have(diff->secrets, text, len))
        file->secret = true;
}

static void begin_file(struct sf_review_diff *diff, struct sf_review_file *file)
{
    file->at = diff->text.len;
    sf_strbuf_adds(&diff->text, "=== ");
    add_content(&diff->text, file->path, strlen(file->path));
}

static void end_file(struct sf_review_diff *diff, struct sf_review_file *file)
{
    if (file->cut)
        sf_strbuf_adds(&diff->text, "    … the rest of this file is left out: read it\n");
    if (file->secret)
        file->count = 0;
    file->shown = file->count > 0;
    if (!file->shown)
        sf_strbuf_truncate(&diff->text, file->at);
    file->len = diff->text.len - file->at;
}

/* ---- new files ---- */

static void add_fresh_lines(struct sf_review_diff *diff, struct sf_review_file *file,
                            const char *text, size_t len)
{
    struct sf_review_hunk hunk = { .first = 1, .old_first = 1 };
    size_t before;

    begin_file(diff, file);
    for (size_t n; len; text += n, len -= n) {
        const char *newline = memchr(text, '\n', len);
        size_t line = newline ? (size_t)(newline - text) : len;

        n = line + (newline != NULL);
        check_line(diff, file, text, line);
        if (file->cut)
            continue;
        before = diff->text.len;
        add_numbered(&diff->text, hunk.last + 1, '+', text, line);
        file->cut = !has_room(diff, file->at);
        if (file->cut)
            sf_strbuf_truncate(&diff->text, before);
        else
            hunk.last++;
    }
    if (hunk.last)
        add_hunk(file, &hunk);
    end_file(diff, file);
}

static int64_t count_lines(const char *text, size_t len)
{
    int64_t lines = len && text[len - 1] != '\n';

    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    return lines;
}

void sf_review_diff_fresh(struct sf_review_diff *diff, const char *path, const char *text,
                          size_t len, bool whole)
{
    struct sf_review_file *file = add_file(diff, path);

    if (!file)
        return;
    file->fresh = true;
    file->added = file->removed = text ? -1 : -2;
    if (!text || memchr(text, '\0', len))
        return;
    file->added = count_lines(text, len);
    file->removed = 0;
    diff->added += file->added;
    add_fresh_lines(diff, file, text, len);
    file->cut = file->cut || !whole;
}

/* ---- patches ---- */

struct patch {
    struct sf_review_diff *diff;
    struct sf_review_file *file; /* NULL: none that is wanted */
    struct sf_review_hunk *hunk; /* NULL: not in a hunk */
    int64_t old_left, new_left;  /* lines of the hunk that are to come */
    int64_t old_at, new_at;
    size_t hunk_at; /* where the text of the hunk begins */
};

static int octal(const char *at)
{
    int value = 0;

    for (int i = 0; i < 3; i++) {
        if (at[i] < '0' || at[i] > '7')
            return -1;
        value = 8 * value + (at[i] - '0');
    }
    return value;
}

/* A name as git writes it in double quotes. */
static void add_unquoted(struct sf_strbuf *out, const char *at, const char *end)
{
    static const char letters[] = "abtnvfr\"\\", bytes[] = "\a\b\t\n\v\f\r\"\\";

    for (; at < end && *at != '"'; at++) {
        const char *letter = *at == '\\' && at + 1 < end ? strchr(letters, at[1]) : NULL;

        if (letter && *letter) {
            sf_strbuf_addch(out, bytes[letter - letters]);
            at++;
        } else if (*at == '\\' && end - at > 3 && octal(at + 1) >= 0) {
            sf_strbuf_addch(out, (char)octal(at + 1));
            at += 3;
        } else {
            sf_strbuf_addch(out, *at);
        }
    }
}

/* The file of a line "+++ b/PATH" or "--- a/PATH"; NULL: /dev/null, or a file that is not listed. */
static struct sf_review_file *file_named(const struct sf_review_diff *diff, const char *at,
                                         const char *end)
{
    struct sf_strbuf name = SF_STRBUF_INIT;
    struct sf_review_file *file = NULL;

    if (at < end && *at == '"') {
        add_unquoted(&name, at + 1, end);
    } else {
        if (end > at && end[-1] == '\t')
            end--;
        sf_strbuf_add(&name, at, (size_t)(end - at));
    }
    if (name.len > 2 && name.buf[1] == '/' && (name.buf[0] == 'a' || name.buf[0] == 'b'))
        file = find(diff, name.buf + 2);
    sf_strbuf_release(&name);
    return file;
}

static void finish_file(struct patch *p)
{
    if (p->file)
        end_file(p->diff, p->file);
    p->file = NULL;
    p->hunk = NULL;
}

static void take_name(struct patch *p, const char *line, const char *end)
{
    struct sf_review_file *file = file_named(p->diff, line + 4, end);

    if (!file || file == p->file || file->shown)
        return;
    finish_file(p);
    p->file = file;
    if (file->added == -1) {
        file->by_text = true;
        file->added = file->removed = 0;
    }
    begin_file(p->diff, file);
}

static const char *read_side(const char *at, char mark, int64_t *first, int64_t *count)
{
    char *stop;

    if (!at || *at != mark)
        return NULL;
    *first = strtoll(at + 1, &stop, 10);
    *count = 1;
    if (*stop == ',')
        *count = strtoll(stop + 1, &stop, 10);
    return *first >= 0 && *count >= 0 ? stop + (*stop == ' ') : NULL;
}

/* "@@ -1,3 +1,4 @@ where"; the text ends with a line break, so reading numbers ends there. */
static void begin_hunk(struct patch *p, const char *line, const char *end)
{
    struct sf_review_hunk hunk;
    const char *at = read_side(line + 3, '-', &p->old_at, &p->old_left);

    at = read_side(at, '+', &p->new_at, &p->new_left);
    p->hunk = NULL;
    if (!at || !p->file || p->file->cut)
        return;
    hunk = (struct sf_review_hunk){ .first = p->new_at,
                                    .last = p->new_at + p->new_left - 1,
                                    .old_first = p->old_at,
                                    .old_last = p->old_at + p->old_left - 1 };
    p->hunk_at = p->diff->text.len;
    add_content(&p->diff->text, line, (size_t)(end - line));
    p->hunk = add_hunk(p->file, &hunk);
}

/* A hunk that does not fit is taken back whole, so that what is listed as shown is shown. */
static void drop_hunk(struct patch *p)
{
    sf_strbuf_truncate(&p->diff->text, p->hunk_at);
    p->file->count--;
    p->file->cut = true;
    p->hunk = NULL;
}

/* git counted nothing, as it took the file for a binary one. */
static void count_line(const struct patch *p, char mark)
{
    p->file->added += mark == '+';
    p->file->removed += mark == '-';
    p->diff->added += mark == '+';
    p->diff->removed += mark == '-';
}

static void take_line(struct patch *p, const char *line, const char *end)
{
    size_t len = (size_t)(end - line);
    char mark = ' ';

    if (len)
        mark = *line;
    if (mark == '+' || mark == ' ')
        p->new_left--;
    if (mark == '-' || mark == ' ')
        p->old_left--;
    if (p->file && len)
        check_line(p->diff, p->file, line + 1, len - 1);
    if (p->file && p->file->by_text)
        count_line(p, mark);
    if (!p->hunk || mark == '\\')
        return;
    add_numbered(&p->diff->text, mark == '-' ? 0 : p->new_at++, mark, line + (len > 0),
                 len - (len > 0));
    if (!has_room(p->diff, p->file->at))
        drop_hunk(p);
}

static void take_header(struct patch *p, const char *line, const char *end)
{
    size_t len = (size_t)(end - line);

    if (len > 11 && !memcmp(line, "diff --git ", 11))
        finish_file(p);
    else if (len > 4 && (!memcmp(line, "--- ", 4) || !memcmp(line, "+++ ", 4)))
        take_name(p, line, end);
    else if (len > 3 && !memcmp(line, "@@ ", 3))
        begin_hunk(p, line, end);
}

/* Only lines outside of hunks are headers: the counts of a hunk say which lines are its own. */
void sf_review_diff_patch(struct sf_review_diff *diff, const char *out, size_t len)
{
    struct patch p = { .diff = diff };
    const char *newline;

    for (const char *end = out + len; out < end; out = newline + 1) {
        newline = memchr(out, '\n', (size_t)(end - out));
        if (!newline)
            break;
        if (p.old_left > 0 || p.new_left > 0 || *out == '\\')
            take_line(&p, out, newline);
        else
            take_header(&p, out, newline);
    }
    if (p.hunk && (p.old_left > 0 || p.new_left > 0)) /* the output was cut off here */
        drop_hunk(&p);
    finish_file(&p);
}

/* ---- places ---- */

static bool lies_in(int64_t first, int64_t last, int64_t line, int64_t end_line)
{
    return line >= first && end_line <= last;
}

bool sf_review_file_has(const struct sf_review_file *file, int64_t line, int64_t end_line)
{
    for (size_t i = 0; i < file->count; i++)
        if (lies_in(file->hunks[i].first, file->hunks[i].last, line, end_line) ||
            lies_in(file->hunks[i].old_first, file->hunks[i].old_last, line, end_line))
            return true;
    return false;
}

/* The start of the line that is `count` lines before `at`, but not before `start`. */
static const char *lines_back(const char *start, const char *at, int count)
{
    while (at > start && count-- > 0)
        for (at--; at > start && at[-1] != '\n';)
            at--;
    return at;
}

static const char *lines_on(const char *at, const char *end, int count)
{
    while (at < end && count-- > 0) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));

        at = newline ? newline + 1 : end;
    }
    return at;
}

void sf_review_diff_context(const struct sf_review_diff *diff, const struct sf_review_file *file,
                            int64_t line, struct sf_strbuf *out)
{
    const char *start = diff->text.buf + file->at, *end = start + file->len, *next;

    if (!file->shown)
        return;
    start = lines_on(start, end, 1); /* behind the name */
    for (const char *at = start; at < end; at = next) {
        next = lines_on(at, end, 1);
        if (*at == ' ' && strtoll(at, NULL, 10) == line) {
            const char *from = lines_back(start, at, CONTEXT);

            sf_strbuf_add(out, from, (size_t)(lines_on(at, end, CONTEXT + 1) - from));
            return;
        }
    }
}

void sf_review_text_context(const char *text, size_t len, int64_t line, struct sf_strbuf *out)
{
    const char *end = text + len;
    int64_t number = 1;

    for (const char *at = text; at < end && number <= line + CONTEXT; number++) {
        const char *next = lines_on(at, end, 1);
        size_t n = (size_t)(next - at);

        if (number >= line - CONTEXT)
            add_numbered(out, number, ' ', at, n - (n && next[-1] == '\n'));
        at = next;
    }
}
