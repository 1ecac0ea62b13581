/*
 * plan_value.c: the values of fields, one reader for each kind. A value that is wrong is a fault at
 * its own place, and the field stays as it was.
 */
#include "modes/modes.h"
#include "plan/plan_read.h"

typedef void read_fn(struct sf_plan_reader *r, const struct sf_plan_field *f,
                     struct sf_plan_slip value, struct sf_plan_task *t);

static void *member(struct sf_plan_task *t, const struct sf_plan_field *f)
{
    return (char *)t + f->offset;
}

static void read_text(struct sf_plan_reader *r, const struct sf_plan_field *f,
                      struct sf_plan_slip value, struct sf_plan_task *t)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_plan_dedent(value.at, value.len, &text);
    if (text.len > f->most)
        sf_plan_fault(r, value.at, NULL, "%s: it is longer than %zu bytes", f->name, f->most);
    else
        *(const char **)member(t, f) = sf_arena_strndup(&r->plan->arena, text.buf, text.len);
    sf_strbuf_release(&text);
}

/* `make test` as code is make test. */
static struct sf_plan_slip without_ticks(struct sf_plan_slip s)
{
    if (s.len > 2 && s.at[0] == '`' && memchr(s.at + 1, '`', s.len - 1) == s.at + s.len - 1)
        return sf_plan_trim((struct sf_plan_slip){ s.at + 1, s.len - 2 });
    return s;
}

static void read_line(struct sf_plan_reader *r, const struct sf_plan_field *f,
                      struct sf_plan_slip value, struct sf_plan_task *t)
{
    value = without_ticks(value);
    if (memchr(value.at, '\n', value.len)) {
        sf_plan_fault(r, value.at, "join commands with &&, or put them into a script",
                      "%s: it takes one line", f->name);
        return;
    }
    read_text(r, f, value, t);
}

static const char *keep_word(struct sf_plan_reader *r, struct sf_plan_slip s)
{
    return sf_arena_strndup(&r->plan->arena, s.at, s.len);
}

static void read_word(struct sf_plan_reader *r, const struct sf_plan_field *f,
                      struct sf_plan_slip value, struct sf_plan_task *t)
{
    struct sf_error err = SF_ERROR_INIT;
    int found;

    if (sf_names_parse(f->words, f->name, keep_word(r, without_ticks(value)), &found, &err))
        *(int *)member(t, f) = found;
    else
        sf_plan_fault(r, value.at, err.hint, "%s: %s", f->name, err.msg);
}

/* "2h", "20m" or both; 0: none of these. */
static int minutes_of(struct sf_plan_slip s, size_t most)
{
    size_t total = 0, number = 0, digits = 0;
    char last = '\0';

    for (size_t i = 0; i < s.len; i++) {
        char c = s.at[i];

        if (c >= '0' && c <= '9') {
            number = number * 10 + (size_t)(c - '0');
            digits++;
        } else if (digits && (c == 'h' || c == 'm') && (!last || (last == 'h' && c == 'm'))) {
            total += number * (c == 'h' ? 60 : 1);
            last = c;
            number = digits = 0;
        } else {
            return 0;
        }
        if (number > most || total > most)
            return 0;
    }
    return digits ? 0 : (int)total;
}

static void wrong(struct sf_plan_reader *r, const struct sf_plan_field *f,
                  struct sf_plan_slip value)
{
    char quote[SF_QUOTE_MAX];
    char hint[64];

    snprintf(hint, sizeof(hint), "write it as %s", f->form);
    sf_plan_fault(r, value.at, hint, "%s: \"%s\" is none", f->name,
                  sf_quote(quote, value.at, value.len));
}

static void read_minutes(struct sf_plan_reader *r, const struct sf_plan_field *f,
                         struct sf_plan_slip value, struct sf_plan_task *t)
{
    int minutes = minutes_of(value, f->most);

    if (minutes)
        *(int *)member(t, f) = minutes;
    else
        wrong(r, f, value);
}

static void read_priority(struct sf_plan_reader *r, const struct sf_plan_field *f,
                          struct sf_plan_slip value, struct sf_plan_task *t)
{
    if (value.len == 1 && *value.at >= '1' && *value.at <= '9')
        *(int *)member(t, f) = *value.at - '0';
    else
        wrong(r, f, value);
}

/* ---- lists: items between commas, or one a line behind a dash ---- */

static bool next_item(struct sf_plan_slip *rest, struct sf_plan_slip *item)
{
    while (rest->len) {
        size_t n = 0;

        while (n < rest->len && rest->at[n] != ',' && rest->at[n] != '\n')
            n++;
        *item = sf_plan_trim((struct sf_plan_slip){ rest->at, n });
        n += n < rest->len;
        rest->at += n;
        rest->len -= n;
        if (item->len > 1 && (item->at[0] == '-' || item->at[0] == '*') && item->at[1] == ' ')
            *item = sf_plan_trim((struct sf_plan_slip){ item->at + 1, item->len - 1 });
        *item = without_ticks(*item);
        if (item->len)
            return true;
    }
    return false;
}

static bool says_none(struct sf_plan_slip value)
{
    return value.len == 4 && !memcmp(value.at, "none", 4);
}

static size_t count_items(struct sf_plan_slip value)
{
    struct sf_plan_slip item;
    size_t n = 0;

    while (next_item(&value, &item))
        n++;
    return n;
}

static bool list_fits(struct sf_plan_reader *r, const struct sf_plan_field *f,
                      struct sf_plan_slip value)
{
    if (count_items(value) <= SF_PLAN_LIST)
        return true;
    sf_plan_fault(r, value.at, NULL, "%s: it lists more than %d", f->name, SF_PLAN_LIST);
    return false;
}

/* Digits from `at` to `end`; 0: none, or too many. */
static int line_number(const char *at, const char *end)
{
    int n = 0;

    if (at == end || end - at > 8 || *at == '0')
        return 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return 0;
        n = n * 10 + (*at - '0');
    }
    return n;
}

/* "src/a.c:10-40": takes the lines off the path. False: there are lines, but they are none. */
static bool take_lines(struct sf_plan_slip *path, struct sf_plan_span *span)
{
    const char *colon = memrchr(path->at, ':', path->len), *end = path->at + path->len, *dash;

    if (!colon || colon + 1 == end || strchr("0123456789", colon[1]) == NULL)
        return true;
    dash = memchr(colon, '-', (size_t)(end - colon));
    span->from = line_number(colon + 1, dash ? dash : end);
    span->to = dash ? line_number(dash + 1, end) : span->from;
    path->len = (size_t)(colon - path->at);
    return span->from && span->to >= span->from;
}

static bool has_dots(struct sf_plan_slip path)
{
    for (size_t i = 0; i + 1 < path.len; i++)
        if (path.at[i] == '.' && path.at[i + 1] == '.' && (!i || path.at[i - 1] == '/') &&
            (i + 2 == path.len || path.at[i + 2] == '/'))
            return true;
    return false;
}

static bool read_span(struct sf_plan_reader *r, const struct sf_plan_field *f,
                      struct sf_plan_slip item, struct sf_plan_span *span)
{
    struct sf_plan_slip path = item;
    const char *why = NULL;
    char quote[SF_QUOTE_MAX];

    if (!take_lines(&path, span))
        why = "lines are given as :10 or :10-40";
    else if (path.len > f->most)
        why = "the path is too long";
    else if (!path.len || path.at[0] == '/' || path.at[0] == '~' || has_dots(path))
        why = "a path is relative to the workspace and stays in it";
    if (why) {
        sf_plan_fault(r, item.at, why, "%s: \"%s\" names no file here", f->name,
                      sf_quote(quote, item.at, item.len));
        return false;
    }
    span->path = keep_word(r, path);
    return true;
}

static void read_files(struct sf_plan_reader *r, const struct sf_plan_field *f,
                       struct sf_plan_slip value, struct sf_plan_task *t)
{
    struct sf_plan_files *files = member(t, f);
    struct sf_plan_slip item;

    if (says_none(value) || !list_fits(r, f, value))
        return;
    files->items =
        sf_arena_alloc(&r->plan->arena, sizeof(*files->items) * (count_items(value) + 1));
    while (next_item(&value, &item))
        if (read_span(r, f, item, &files->items[files->count]))
            files->count++;
}

/* What they name may stand further down, so that they wait. */
static void read_refs(struct sf_plan_reader *r, const struct sf_plan_field *f,
                      struct sf_plan_slip value, struct sf_plan_task *t)
{
    struct sf_plan_slip item;

    if (says_none(value) || !list_fits(r, f, value))
        return;
    while (next_item(&value, &item)) {
        r->waiting =
            sf_grow(r->waiting, &r->waiting_cap, r->waiting_count + 1, sizeof(*r->waiting));
        r->waiting[r->waiting_count++] =
            (struct sf_plan_waiting){ .task = (size_t)(t - r->plan->tasks), .word = item };
    }
}

void sf_plan_read_value(struct sf_plan_reader *r, const struct sf_plan_field *field,
                        struct sf_plan_slip value)
{
    static read_fn *const readers[] = {
        [SF_PLAN_KIND_TEXT] = read_text,         [SF_PLAN_KIND_LINE] = read_line,
        [SF_PLAN_KIND_FILES] = read_files,       [SF_PLAN_KIND_WORD] = read_word,
        [SF_PLAN_KIND_REFS] = read_refs,         [SF_PLAN_KIND_MINUTES] = read_minutes,
        [SF_PLAN_KIND_PRIORITY] = read_priority,
    };

    value = sf_plan_trim(value);
    if (value.len)
        readers[field->kind](r, field, value, &r->plan->tasks[r->plan->task_count - 1]);
}
