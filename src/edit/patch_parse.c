/*
 * patch_parse.c: from patch text to operations, and the reader of the envelope. Lenient about
 * what models wrap around a patch (a code fence, a shell's here-document), strict about the
 * patch itself: a text that ends too early is no patch, for it may have been cut.
 */
#include "edit/patch_parse.h"

enum { PATH_MAX_BYTES = 4096 };

bool sf_patch_peek(const struct sf_patch_reader *r, struct sf_patch_text *line)
{
    const char *s = r->patch->text + r->at, *stop;

    if (r->at >= r->len)
        return false;
    stop = memchr(s, '\n', r->len - r->at);
    line->s = s;
    line->len = stop ? (size_t)(stop - s) : r->len - r->at;
    if (r->crlf && line->len && s[line->len - 1] == '\r')
        line->len--;
    return true;
}

void sf_patch_skip(struct sf_patch_reader *r)
{
    const char *s = r->patch->text + r->at, *stop = memchr(s, '\n', r->len - r->at);

    r->at = stop ? (size_t)(stop - r->patch->text) + 1 : r->len;
    r->line++;
}

bool sf_patch_fail(struct sf_patch_reader *r, const char *what)
{
    sf_fail(r->err, SF_E_SYNTAX, "line %u of the patch: %s", r->line, what);
    r->err->line = r->line;
    r->err->column = 1;
    return false;
}

bool sf_patch_starts(struct sf_patch_text line, const char *prefix)
{
    size_t len = strlen(prefix);

    return line.len >= len && !memcmp(line.s, prefix, len);
}

bool sf_patch_is_blank(struct sf_patch_text line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!sf_fold_is_space(line.s[i]) && line.s[i] != '\r')
            return false;
    return true;
}

static struct sf_patch_text trim(struct sf_patch_text t)
{
    while (t.len && (sf_fold_is_space(t.s[t.len - 1]) || t.s[t.len - 1] == '\r'))
        t.len--;
    while (t.len && sf_fold_is_space(t.s[0]))
        t.s++, t.len--;
    return t;
}

static struct sf_patch_text rest_of(struct sf_patch_text line, size_t skip)
{
    return trim((struct sf_patch_text){ line.s + skip, line.len - skip });
}

bool sf_patch_check_path(struct sf_patch_reader *r, struct sf_patch_text path)
{
    if (!path.len)
        return sf_patch_fail(r, "the path is missing");
    if (path.len > PATH_MAX_BYTES)
        return sf_patch_fail(r, "the path is too long");
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.s[i] < 0x20 || path.s[i] == 0x7f)
            return sf_patch_fail(r, "the path holds a control character");
    return true;
}

struct sf_patch_op *sf_patch_last_op(const struct sf_patch_reader *r)
{
    return r->patch->count ? &r->patch->ops[r->patch->count - 1] : NULL;
}

struct sf_patch_hunk *sf_patch_last_hunk(const struct sf_patch_reader *r)
{
    return &r->patch->hunks[r->hunk_count - 1];
}

bool sf_patch_begin_op(struct sf_patch_reader *r, enum sf_patch_kind kind,
                       struct sf_patch_text path)
{
    struct sf_patch *p = r->patch;

    if (!sf_patch_check_path(r, path))
        return false;
    if (p->count == SF_PATCH_HUNKS_MAX)
        return sf_fail(r->err, SF_E_LIMIT, "the patch names more than %d files",
                       SF_PATCH_HUNKS_MAX);
    p->ops = sf_grow(p->ops, &r->op_cap, p->count + 1, sizeof(*p->ops));
    p->ops[p->count++] = (struct sf_patch_op){
        .kind = kind, .path = sf_arena_strndup(&p->arena, path.s, path.len), .line = r->line
    };
    return true;
}

bool sf_patch_begin_hunk(struct sf_patch_reader *r)
{
    struct sf_patch *p = r->patch;

    if (r->hunk_count == SF_PATCH_HUNKS_MAX)
        return sf_fail(r->err, SF_E_LIMIT, "the patch has more than %d hunks", SF_PATCH_HUNKS_MAX);
    p->hunks = sf_grow(p->hunks, &r->hunk_cap, r->hunk_count + 1, sizeof(*p->hunks));
    p->hunks[r->hunk_count++] = (struct sf_patch_hunk){ .line = r->line };
    sf_patch_last_op(r)->count++;
    r->blanks = 0;
    return true;
}

static void push_line(struct sf_patch_reader *r, char op, struct sf_patch_text line)
{
    struct sf_patch *p = r->patch;

    p->lines = sf_grow(p->lines, &r->line_cap, r->line_count + 1, sizeof(*p->lines));
    p->lines[r->line_count++] = (struct sf_patch_line){ op, (uint32_t)line.len, line.s };
    sf_patch_last_hunk(r)->count++;
}

/*
 * A bare empty line is an empty line of context, unless it comes last: then it only separates
 * the hunk from what follows, and as context it would keep the hunk from being found.
 */
void sf_patch_add_line(struct sf_patch_reader *r, char op, struct sf_patch_text line)
{
    static const struct sf_patch_text empty = { "", 0 };

    if (!op) {
        r->blanks++;
        return;
    }
    for (; r->blanks; r->blanks--)
        push_line(r, sf_patch_last_op(r)->kind == SF_PATCH_ADD ? '+' : ' ', empty);
    push_line(r, op, line);
}

void sf_patch_note_open(struct sf_patch_reader *r)
{
    struct sf_patch_hunk *hunk = sf_patch_last_hunk(r);
    int op = hunk->count ? r->patch->lines[r->line_count - 1].op : ' ';

    hunk->old_open = hunk->old_open || op != '+';
    hunk->new_open = hunk->new_open || op != '-';
}

static const char *read_number(const char *s, const char *end, size_t *n)
{
    const char *start = s;

    for (*n = 0; s < end && *s >= '0' && *s <= '9' && s - start < 10; s++)
        *n = *n * 10 + (size_t)(*s - '0');
    return s == start ? NULL : s;
}

/* "-12,3" or "+12": where and how many. */
static const char *read_range(const char *s, const char *end, char sign, size_t range[2])
{
    while (s < end && *s == ' ')
        s++;
    if (s == end || *s != sign)
        return NULL;
    s = read_number(s + 1, end, &range[0]);
    range[1] = 1;
    if (s && s < end && *s == ',')
        s = read_number(s + 1, end, &range[1]);
    return s;
}

void sf_patch_read_header(struct sf_patch_reader *r, struct sf_patch_text line, size_t counts[2])
{
    struct sf_patch_hunk *hunk = sf_patch_last_hunk(r);
    const char *end = line.s + line.len, *s;
    size_t olds[2], news[2];
    struct sf_patch_text words = rest_of(line, 2);

    counts[0] = counts[1] = 0;
    s = read_range(line.s + 2, end, '-', olds);
    if (s)
        s = read_range(s, end, '+', news);
    if (s) {
        hunk->hinted = true;
        hunk->old_at = olds[0];
        counts[0] = olds[1];
        counts[1] = news[1];
        return; /* words behind the numbers name what the hunk is in, not a line to go to */
    }
    if (words.len >= 2 && !memcmp(words.s + words.len - 2, "@@", 2))
        words = trim((struct sf_patch_text){ words.s, words.len - 2 });
    if (words.len && !sf_patch_starts(words, "...") && !sf_patch_starts(words, "-"))
        sf_patch_add_line(r, '@', words);
}

static bool is_marker(struct sf_patch_text line)
{
    return sf_patch_starts(line, "*** ");
}

/* The body of "*** Add File": every line begins with '+'. */
static bool read_added(struct sf_patch_reader *r)
{
    struct sf_patch_text line;

    if (!sf_patch_begin_hunk(r))
        return false;
    while (sf_patch_peek(r, &line) && !is_marker(line)) {
        if (line.len && line.s[0] == '+')
            sf_patch_add_line(r, '+', (struct sf_patch_text){ line.s + 1, line.len - 1 });
        else if (sf_patch_is_blank(line))
            sf_patch_add_line(r, 0, line);
        else
            return sf_patch_fail(r, "each line of a new file must begin with '+'");
        sf_patch_skip(r);
    }
    return true;
}

/* One line inside a hunk; false when it is none. */
static bool read_body_line(struct sf_patch_reader *r, struct sf_patch_text line)
{
    if (!line.len || (line.len == 1 && line.s[0] == '\r'))
        sf_patch_add_line(r, 0, line);
    else if (line.s[0] == '\\')
        sf_patch_note_open(r);
    else if (line.s[0] == ' ' || line.s[0] == '+' || line.s[0] == '-')
        sf_patch_add_line(r, line.s[0], (struct sf_patch_text){ line.s + 1, line.len - 1 });
    else
        return false;
    return true;
}

static bool has_body(const struct sf_patch_reader *r)
{
    const struct sf_patch_hunk *hunk = sf_patch_last_hunk(r);

    return hunk->count && r->patch->lines[r->line_count - 1].op != '@';
}

static bool read_hunk(struct sf_patch_reader *r)
{
    struct sf_patch_text line;
    size_t counts[2];

    if (!sf_patch_begin_hunk(r))
        return false;
    while (sf_patch_peek(r, &line) && sf_patch_starts(line, "@@")) {
        sf_patch_read_header(r, line, counts);
        sf_patch_skip(r);
    }
    while (sf_patch_peek(r, &line) && !sf_patch_starts(line, "@@")) {
        if (sf_patch_starts(line, "*** End of File")) {
            sf_patch_last_hunk(r)->at_end = true;
            sf_patch_skip(r);
            break;
        }
        if (is_marker(line))
            break;
        if (!read_body_line(r, line))
            return sf_patch_fail(r, "a line of a hunk must begin with ' ', '+', '-' or '@@'");
        sf_patch_skip(r);
    }
    return has_body(r) || sf_patch_fail(r, "the hunk before this line is empty");
}

static bool read_updated(struct sf_patch_reader *r)
{
    struct sf_patch_op *op = sf_patch_last_op(r);
    struct sf_patch_text line, path;

    if (sf_patch_peek(r, &line) && sf_patch_starts(line, "*** Move to:")) {
        path = rest_of(line, strlen("*** Move to:"));
        if (!sf_patch_check_path(r, path))
            return false;
        op->move_to = sf_arena_strndup(&r->patch->arena, path.s, path.len);
        sf_patch_skip(r);
    }
    while (sf_patch_peek(r, &line) && !is_marker(line)) {
        if (sf_patch_is_blank(line) && !sf_patch_starts(line, " "))
            sf_patch_skip(r);
        else if (!read_hunk(r))
            return false;
    }
    return op->count || op->move_to ||
           sf_patch_fail(r, "the update before this line changes nothing");
}

static bool read_nothing(struct sf_patch_reader *r)
{
    (void)r;
    return true;
}

static const struct {
    const char *marker;
    enum sf_patch_kind kind;
    bool (*read)(struct sf_patch_reader *r);
} sections[] = {
    { "*** Add File:", SF_PATCH_ADD, read_added },
    { "*** Delete File:", SF_PATCH_DELETE, read_nothing },
    { "*** Update File:", SF_PATCH_UPDATE, read_updated },
};

static bool read_section(struct sf_patch_reader *r, struct sf_patch_text line)
{
    for (size_t i = 0; i < SF_COUNT(sections); i++) {
        if (!sf_patch_starts(line, sections[i].marker))
            continue;
        if (!sf_patch_begin_op(r, sections[i].kind, rest_of(line, strlen(sections[i].marker))))
            return false;
        sf_patch_skip(r);
        return sections[i].read(r);
    }
    return sf_patch_fail(r, "expected '*** Add File:', '*** Delete File:', '*** Update File:' "
                            "or '*** End Patch'");
}

/* Behind the end only what may have been wrapped around the patch. */
static bool read_tail(struct sf_patch_reader *r)
{
    struct sf_patch_text line;

    for (; sf_patch_peek(r, &line); sf_patch_skip(r)) {
        struct sf_patch_text word = trim(line);

        for (size_t i = 0; i < word.len; i++)
            if (word.s[i] == ' ' || word.s[i] == '\t')
                return sf_patch_fail(r, "there is text behind '*** End Patch'");
    }
    return true;
}

static bool parse_envelope(struct sf_patch_reader *r)
{
    struct sf_patch_text line;

    sf_patch_skip(r); /* "*** Begin Patch" */
    while (sf_patch_peek(r, &line)) {
        if (sf_patch_starts(line, "*** End Patch")) {
            sf_patch_skip(r);
            return read_tail(r);
        }
        if (sf_patch_is_blank(line))
            sf_patch_skip(r);
        else if (!read_section(r, line))
            return false;
    }
    return sf_patch_fail(r, "the patch ends without '*** End Patch'");
}

/* Over blank lines, a code fence and the first line of a here-document. */
static void skip_wrapping(struct sf_patch_reader *r)
{
    struct sf_patch_text line;

    while (sf_patch_peek(r, &line)) {
        bool document = line.len > 2 && memmem(line.s, line.len, "<<", 2) != NULL &&
                        !sf_patch_starts(line, "***");

        if (!sf_patch_is_blank(line) && !sf_patch_starts(line, "```") && !document)
            return;
        sf_patch_skip(r);
    }
}

/* The arrays have stopped moving: gives each operation its hunks and each hunk its lines. */
static void link_up(struct sf_patch *p)
{
    size_t hunk = 0, line = 0;

    for (size_t i = 0; i < p->count; i++) {
        if (!p->ops[i].count)
            continue;
        p->ops[i].hunks = p->hunks + hunk;
        for (size_t k = 0; k < p->ops[i].count; k++, hunk++) {
            p->hunks[hunk].lines = p->lines ? p->lines + line : NULL;
            line += p->hunks[hunk].count;
        }
    }
}

static bool parse(struct sf_patch_reader *r)
{
    struct sf_patch_text line = { "", 0 };

    if (r->len > SF_PATCH_MAX)
        return sf_fail(r->err, SF_E_LIMIT, "the patch is larger than 4 MiB");
    if (memchr(r->patch->text, '\0', r->len))
        return sf_fail(r->err, SF_E_SYNTAX, "the patch holds a NUL byte");
    skip_wrapping(r);
    if (!sf_patch_peek(r, &line))
        return sf_patch_fail(r, "the patch is empty");
    if (sf_patch_starts(trim(line), "*** Begin Patch"))
        return parse_envelope(r);
    if (sf_patch_starts(line, "*** "))
        return sf_patch_fail(r, "the first line must be '*** Begin Patch', and the last one "
                                "'*** End Patch'");
    r->patch->unified = true;
    return sf_patch_parse_unified(r);
}

struct sf_patch *sf_patch_parse(const char *text, size_t len, struct sf_error *err)
{
    struct sf_patch *patch = sf_alloc(sizeof(*patch));
    struct sf_patch_reader r = { .patch = patch, .len = len, .line = 1, .err = err };
    const char *stop = len ? memchr(text, '\n', len) : NULL;
    bool ok;

    r.crlf = stop && stop > text && stop[-1] == '\r';
    patch->text = sf_strndup(text, len <= SF_PATCH_MAX ? len : 0);
    ok = parse(&r);
    if (ok && !patch->count)
        ok = sf_fail(err, SF_E_SYNTAX, "the patch changes no file");
    if (!ok) {
        sf_patch_free(patch);
        return NULL;
    }
    link_up(patch);
    return patch;
}

void sf_patch_free(struct sf_patch *patch)
{
    if (!patch)
        return;
    free(patch->ops);
    free(patch->hunks);
    free(patch->lines);
    free(patch->text);
    sf_arena_release(&patch->arena);
    free(patch);
}
