/*
 * plan_read.c: reads the body of a plan line by line: headings open milestones, slices and tasks,
 * bullets of a task are its fields, everything else is notes. After a fault the reader goes on, so
 * that one reading finds what there is to find; a heading that is wrong still opens something, so
 * that its fields are not faults too.
 */
#include "plan/plan_read.h"

#include <stdarg.h>

#include "modes/modes.h"

enum { TOP = -1 }; /* before the first heading; then enum sf_plan_level */

struct body {
    struct sf_plan_reader *r;
    int level;
    struct sf_strbuf notes;
    const char *notes_at;
    struct sf_plan_slip fence; /* what opened the code block; empty: none is open */
    const struct sf_plan_field *field;
    struct sf_plan_slip value;
    unsigned seen; /* fields of this task, by row */
    unsigned line;
};

/* ---- faults ---- */

static void locate(const struct sf_plan_reader *r, const char *at, struct sf_error *fault)
{
    const char *line = r->text;

    fault->line = 1;
    for (const char *p = r->text; p < at; p++)
        if (*p == '\n') {
            fault->line++;
            line = p + 1;
        }
    fault->column = 1;
    for (; line < at; line++)
        fault->column += (*line & 0xc0) != 0x80;
}

void sf_plan_fault(struct sf_plan_reader *r, const char *at, const char *hint, const char *format,
                   ...)
{
    struct sf_error fault = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    sf_fail(&fault, SF_E_SYNTAX, "%s", text.buf);
    if (hint && *hint)
        sf_hint(&fault, "%s", hint);
    if (r->faults->count < SF_PLAN_FAULTS_MAX)
        locate(r, at, &fault);
    sf_plan_faults_add(r->faults, &fault);
    sf_strbuf_release(&text);
}

/* ---- notes ---- */

static bool starts_fence(struct sf_plan_slip line, struct sf_plan_slip *fence)
{
    struct sf_plan_slip s = sf_plan_trim(line);
    size_t n = 0;

    if (s.at - line.at > 3 || !s.len || (*s.at != '`' && *s.at != '~'))
        return false;
    while (n < s.len && s.at[n] == *s.at)
        n++;
    *fence = (struct sf_plan_slip){ s.at, n };
    return n >= 3 && (*s.at == '~' || !memchr(s.at + n, '`', s.len - n));
}

static bool ends_fence(struct sf_plan_slip fence, struct sf_plan_slip line)
{
    struct sf_plan_slip mark;

    return starts_fence(line, &mark) && *mark.at == *fence.at && mark.len >= fence.len &&
           sf_plan_trim(line).len == mark.len;
}

static void add_note(struct body *b, struct sf_plan_slip line)
{
    if (!b->notes.len && !line.len)
        return;
    if (!b->notes.len)
        b->notes_at = line.at;
    sf_strbuf_add(&b->notes, line.at, line.len);
    sf_strbuf_addch(&b->notes, '\n');
}

static const char **notes_of(struct body *b)
{
    struct sf_plan *p = b->r->plan;

    switch (b->level) {
    case SF_PLAN_LEVEL_MILESTONE:
        return &p->milestones[p->milestone_count - 1].head.notes;
    case SF_PLAN_LEVEL_SLICE:
        return &p->slices[p->slice_count - 1].head.notes;
    case SF_PLAN_LEVEL_TASK:
        return &p->tasks[p->task_count - 1].head.notes;
    default:
        return &p->notes;
    }
}

static void close_notes(struct body *b)
{
    size_t len = b->notes.len;

    while (len && b->notes.buf[len - 1] == '\n')
        len--;
    if (len > SF_PLAN_NOTES)
        sf_plan_fault(b->r, b->notes_at, NULL, "these words are longer than %d KiB",
                      SF_PLAN_NOTES / 1024);
    else
        *notes_of(b) = sf_arena_strndup(&b->r->plan->arena, b->notes.buf, len);
    sf_strbuf_reset(&b->notes);
}

/* ---- fields ---- */

static void close_field(struct body *b)
{
    if (b->field)
        sf_plan_read_value(b->r, b->field, b->value);
    b->field = NULL;
}

static void close_task(struct body *b)
{
    const struct sf_plan *p = b->r->plan;

    close_field(b);
    for (const struct sf_plan_field *f = sf_plan_fields; b->level == SF_PLAN_LEVEL_TASK && f->name;
         f++)
        if (f->required && !(b->seen & 1U << (f - sf_plan_fields))) {
            struct sf_error fault = SF_ERROR_INIT;

            sf_fail(&fault, SF_E_SYNTAX, "%s: %s has none", f->name,
                    p->tasks[p->task_count - 1].head.id);
            sf_hint(&fault, "add \"- %s: %s\"", f->name, f->form);
            fault.line = p->tasks[p->task_count - 1].head.line;
            fault.column = 1;
            sf_plan_faults_add(b->r->faults, &fault);
        }
    close_notes(b);
    b->seen = 0;
}

/* "- name: value" at the start of a line. */
static bool is_bullet(struct sf_plan_slip line)
{
    return line.len > 1 && (line.at[0] == '-' || line.at[0] == '*') && line.at[1] == ' ';
}

static size_t name_length(struct sf_plan_slip s)
{
    size_t n = 0;

    while (n < s.len && (s.at[n] == '_' || s.at[n] == '-' || (s.at[n] >= 'a' && s.at[n] <= 'z') ||
                         (s.at[n] >= 'A' && s.at[n] <= 'Z')))
        n++;
    return n < s.len && s.at[n] == ':' ? n : 0;
}

static void unknown_field(struct body *b, struct sf_plan_slip name)
{
    char *word = sf_strndup(name.at, name.len), quote[SF_QUOTE_MAX];
    struct sf_strbuf names = SF_STRBUF_INIT;
    struct sf_error hint = SF_ERROR_INIT;
    struct sf_suggest s;

    sf_suggest_start(&s, word);
    for (const struct sf_plan_field *f = sf_plan_fields; f->name; f++) {
        sf_suggest_offer(&s, f->name);
        sf_strbuf_addf(&names, "%s%s", names.len ? ", " : "one of ", f->name);
    }
    sf_suggest_hint(&s, names.buf, &hint);
    sf_plan_fault(b->r, name.at, hint.hint, "a task has no field called \"%s\"",
                  sf_quote(quote, name.at, name.len));
    sf_strbuf_release(&names);
    free(word);
}

static void open_field(struct body *b, struct sf_plan_slip line)
{
    struct sf_plan_slip s = sf_plan_trim((struct sf_plan_slip){ line.at + 1, line.len - 1 });
    size_t n = name_length(s);
    const struct sf_plan_field *f = n ? sf_plan_field_find(s.at, n) : NULL;
    unsigned bit = f ? 1U << (f - sf_plan_fields) : 0;

    if (!n)
        sf_plan_fault(b->r, s.at, "other words stand below the heading, without a bullet",
                      "a bullet of a task is a field, as in \"- what: words\"");
    else if (!f)
        unknown_field(b, (struct sf_plan_slip){ s.at, n });
    else if (b->seen & bit)
        sf_plan_fault(b->r, s.at, "what goes on below it is indented", "%s: it is given twice",
                      f->name);
    if (!f || b->seen & bit)
        return;
    b->seen |= bit;
    b->field = f;
    b->value = (struct sf_plan_slip){ s.at + n + 1, s.len - n - 1 };
}

/* ---- lines ---- */

static void on_heading(struct body *b, struct sf_plan_slip line, size_t marks)
{
    struct sf_plan_slip title = { line.at + marks, line.len - marks };

    title = sf_plan_trim(title);
    close_task(b);
    b->level = (int)marks - 2;
    sf_plan_open(b->r, (enum sf_plan_level)b->level, title, b->line);
}

/* How many # begin the line, if it is to be a heading; 0: it is not. */
static size_t heading_marks(struct sf_plan_slip line)
{
    size_t n = 0;

    while (n < line.len && line.at[n] == '#')
        n++;
    return n <= 6 && (n == line.len || line.at[n] == ' ' || line.at[n] == '\t') ? n : 0;
}

/* Headings that readers of Markdown see, or mean, and that would be lost as notes. */
static bool is_odd_heading(struct body *b, struct sf_plan_slip line, size_t marks)
{
    size_t blanks = 0;

    while (blanks < line.len && line.at[blanks] == ' ')
        blanks++;
    if (blanks && blanks < 4 &&
        heading_marks((struct sf_plan_slip){ line.at + blanks, line.len - blanks }))
        sf_plan_fault(b->r, line.at, NULL, "a heading begins where its line begins");
    else if (!marks && line.len > 2 && !memcmp(line.at, "##", 2))
        sf_plan_fault(b->r, line.at, NULL, "a blank belongs behind the # of a heading");
    else if (marks == 1 && b->level != TOP)
        sf_plan_fault(b->r, line.at, "milestones have ##",
                      "a heading with one # does not belong into a plan that has begun");
    else
        return false;
    return true;
}

static void on_words(struct body *b, struct sf_plan_slip line)
{
    struct sf_plan_slip name = { line.at + 2, line.len - 2 };

    if (is_bullet(line) && b->level != TOP && sf_plan_field_find(name.at, name_length(name)))
        sf_plan_fault(b->r, name.at, "write it below the heading of a task",
                      "%.*s: this field belongs to a task", (int)name_length(name), name.at);
    starts_fence(line, &b->fence);
    add_note(b, line);
}

static void on_line(struct body *b, struct sf_plan_slip line)
{
    size_t marks = heading_marks(line);

    if (b->fence.len) {
        if (ends_fence(b->fence, line))
            b->fence.len = 0;
        add_note(b, line);
    } else if (b->field && (!line.len || *line.at == ' ' || *line.at == '\t')) {
        b->value.len = (size_t)(line.at + line.len - b->value.at);
    } else {
        close_field(b);
        if (marks >= 2 && marks <= 4)
            on_heading(b, line, marks);
        else if (!is_odd_heading(b, line, marks) && b->level == SF_PLAN_LEVEL_TASK &&
                 is_bullet(line))
            open_field(b, line);
        else
            on_words(b, line);
    }
}

static void read_body(struct sf_plan_reader *r, size_t at)
{
    struct body b = { .r = r, .level = TOP, .notes = SF_STRBUF_INIT, .line = 1 };

    for (size_t i = 0; i < at; i++)
        b.line += r->text[i] == '\n';
    for (; at < r->len; b.line++) {
        const char *nl = memchr(r->text + at, '\n', r->len - at);
        struct sf_plan_slip line = { r->text + at, nl ? (size_t)(nl - r->text) - at : r->len - at };

        at += line.len + 1;
        while (line.len && strchr(" \t\r", line.at[line.len - 1]))
            line.len--;
        on_line(&b, line);
    }
    close_task(&b);
    if (b.fence.len)
        sf_plan_fault(r, b.fence.at, NULL, "this block of code does not end");
    sf_strbuf_release(&b.notes);
}

/* ---- the whole ---- */

/* What no reader sees, or what is no text at all, must not be accepted unseen. */
static bool check_bytes(struct sf_plan_reader *r)
{
    size_t i = 0, n;

    for (; i < r->len; i += n) {
        uint32_t cp;

        n = sf_utf8_decode(r->text + i, r->len - i, &cp);
        if (cp == SF_UTF8_INVALID)
            sf_plan_fault(r, r->text + i, NULL, "this is not UTF-8");
        else if (!sf_plan_is_seen(cp) && (i || cp != 0xfeff))
            sf_plan_fault(r, r->text + i, NULL, "a character that nobody sees (U+%04X)",
                          (unsigned)cp);
        if (r->faults->count == SF_PLAN_FAULTS_MAX)
            break;
    }
    return !r->faults->count;
}

static void check_contents(struct sf_plan_reader *r)
{
    const struct sf_plan *p = r->plan;

    if (!p->task_count)
        sf_plan_fault(r, r->text, "a task is \"#### T1 Title\" below a milestone and a slice",
                      "the plan has no task");
    for (size_t i = 0; p->task_count && i < p->slice_count; i++)
        if (!p->slices[i].count)
            sf_plan_empty_fault(r, &p->slices[i].head);
    for (size_t i = 0; p->task_count && i < p->milestone_count; i++)
        if (!p->milestones[i].count)
            sf_plan_empty_fault(r, &p->milestones[i].head);
}

static void read_plan(struct sf_plan_reader *r)
{
    size_t body_at;

    if (r->len > SF_PLAN_BYTES) {
        sf_plan_fault(r, r->text, NULL, "the plan is larger than %d MiB",
                      SF_PLAN_BYTES / 1024 / 1024);
        return;
    }
    if (!check_bytes(r))
        return;
    sf_plan_read_head(r, &body_at);
    if (body_at == r->len && r->faults->count)
        return;
    read_body(r, body_at);
    check_contents(r);
    sf_plan_resolve(r);
}

bool sf_plan_parse(const char *text, size_t len, struct sf_plan *plan,
                   struct sf_plan_faults *faults)
{
    struct sf_plan_reader r = { .text = text, .len = len, .plan = plan, .faults = faults };

    read_plan(&r);
    sf_map_release(&r.ids);
    free(r.waiting);
    if (!faults->count)
        return true;
    sf_plan_faults_sort(faults);
    sf_plan_release(plan);
    return false;
}

/* A heading with an id, "## M1 …", is what no other text has by chance. */
static bool has_id_heading(const char *text, size_t len)
{
    static const char letters[] = "MST";

    while (len) {
        const char *nl = memchr(text, '\n', len);
        struct sf_plan_slip line = { text, nl ? (size_t)(nl - text) : len };
        size_t marks = heading_marks(line);
        int number;

        if (marks >= 2 && marks <= 4) {
            struct sf_plan_slip s =
                sf_plan_trim((struct sf_plan_slip){ line.at + marks, line.len - marks });

            if (sf_plan_id_read(s.at, s.len, letters[marks - 2], &number))
                return true;
        }
        text += line.len + (nl != NULL);
        len -= line.len + (nl != NULL);
    }
    return false;
}

bool sf_plan_is_structured(const char *text, size_t len)
{
    return (len > 3 && !memcmp(text, "---", 3) && strchr("\r\n", text[3])) ||
           has_id_heading(text, len);
}

void sf_plan_release(struct sf_plan *plan)
{
    free(plan->milestones);
    free(plan->slices);
    free(plan->tasks);
    sf_arena_release(&plan->arena);
    *plan = (struct sf_plan)SF_PLAN_INIT;
}

void sf_plan_digest(const char *text, size_t len, char hex[SF_SHA256_HEX + 1])
{
    sf_sha256_hex(text, len, hex);
}
