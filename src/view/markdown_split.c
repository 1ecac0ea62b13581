/*
 * markdown_split.c: where a text may be taken apart, and what is done to a piece before it is
 * parsed. A piece always begins in the same state, so the pieces of a text are those of its
 * parts: that is why a growing answer can be laid out bit by bit with the same result.
 *
 * It costs definitions of links elsewhere in the text: [1]: lines stay visible as they are.
 */
#include <ctype.h>
#include <string.h>

#include "view/markdown.h"
#include "view/markdown_parts.h"

enum {
    TAB = 4,
    MARKERS_MAX = 24,      /* quotes and lists begun by one line */
    MARKER_DIGITS = 9,     /* of an ordered item */
    CODE_INDENT = 4,       /* from here on a line is code, outside of lists */
    MARKER_SPACES = 4,     /* behind a marker; with more, the item begins with code */
    INDENT_COUNTED = 1000, /* no need to know more exactly */
    RULE_DASHES = 3,
    PIECE_MAX = 64 * 1024, /* the parser's effort can grow with the square of a piece */
    CUT_BACK = 1024,       /* how far back a space is looked for in a line longer than that */
};

static bool is_one_of(const char *set, char c)
{
    return c && strchr(set, c);
}

struct line {
    const char *text; /* behind the indentation */
    size_t len;       /* without its ending */
    size_t indent;    /* columns */
    bool ended;       /* its ending is there */
};

static struct line read_line(const char *text, size_t len)
{
    const char *newline = memchr(text, '\n', len);
    struct line line = { text, newline ? (size_t)(newline - text) : len, 0, newline != NULL };

    if (line.len && text[line.len - 1] == '\r') /* its newline may be yet to come */
        line.len--;
    while (line.len && (*line.text == ' ' || *line.text == '\t')) {
        if (line.indent < INDENT_COUNTED)
            line.indent += *line.text == '\t' ? TAB - line.indent % TAB : 1;
        line.text++;
        line.len--;
    }
    return line;
}

/* Bytes of the list marker in front, with the space behind it; 0: there is none. */
static size_t marker_len(const char *text, size_t len)
{
    size_t n = 0;

    if (len && is_one_of("-+*", *text)) {
        n = 1;
    } else {
        while (n < len && n < MARKER_DIGITS && isdigit((unsigned char)text[n]))
            n++;
        if (!n || n == len || (text[n] != '.' && text[n] != ')'))
            return 0;
        n++;
    }
    if (n == len)
        return n;
    return text[n] == ' ' || text[n] == '\t' ? n + 1 : 0;
}

/* Where in the text we are, as far as taking it apart is concerned. */
struct place {
    size_t item_indent; /* of the text of the outermost item we may be in; 0: no list */
    bool seen, blank;   /* a line with something on it; and a blank one behind it */
};

/* Characters of the fence the line is or begins with; 0: none. */
static size_t fence_len(const struct line *line)
{
    size_t n = 0;

    while (n < line->len && line->text[n] == line->text[0])
        n++;
    return line->len && (line->text[0] == '`' || line->text[0] == '~') && n >= 3 ? n : 0;
}

/* A fence outside of lists: what stands in it is a piece of its own. */
static bool opens_fence(const struct place *place, const struct line *line)
{
    size_t n = fence_len(line);

    return n && line->indent < (place->item_indent ? place->item_indent : CODE_INDENT) &&
           (line->text[0] != '`' || !memchr(line->text + n, '`', line->len - n));
}

static bool closes_fence(const struct sf_md_fence *fence, const struct line *line)
{
    size_t n = fence_len(line);

    if (!n || n < fence->marks || line->text[0] != fence->mark || line->indent >= CODE_INDENT)
        return false;
    while (n < line->len && (line->text[n] == ' ' || line->text[n] == '\t'))
        n++;
    return n == line->len;
}

static size_t line_end(const char *text, size_t len, size_t at)
{
    const char *newline = memchr(text + at, '\n', len - at);

    return newline ? (size_t)(newline - text) + 1 : len;
}

size_t sf_md_fence_end(const struct sf_md_fence *fence, const char *code, size_t len, bool growing,
                       size_t *next)
{
    for (size_t at = 0; at < len; at = *next) {
        struct line line = read_line(code + at, len - at);

        *next = line_end(code, len, at);
        if (closes_fence(fence, &line) && (line.ended || !growing))
            return at;
    }
    *next = len;
    return len;
}

size_t sf_md_fence(const char *text, size_t len, struct sf_md_fence *fence, bool growing)
{
    struct line open = read_line(text, len);
    size_t at = line_end(text, len, 0), next;

    if (!opens_fence(&(struct place){ 0 }, &open) || (growing && !open.ended))
        return 0;
    *fence = (struct sf_md_fence){ .indent = open.indent, .marks = fence_len(&open) };
    fence->mark = open.text[0];
    fence->info = open.text + fence->marks;
    fence->info_len = open.len - fence->marks;
    fence->code = text + at;
    fence->code_len = sf_md_fence_end(fence, text + at, len - at, growing, &next);
    return at + next;
}

/* Does a new top-level block begin with this line, whatever comes behind what is there of it? */
static bool begins_block(const struct place *place, const struct line *line, bool growing)
{
    if (!place->seen)
        return false;
    if (opens_fence(place, line) && (line->ended || !growing))
        return true;
    if (!place->blank)
        return false;
    if (!place->item_indent)
        return line->indent < CODE_INDENT;
    if (growing && !line->ended && is_one_of("-+*0123456789", *line->text))
        return false;
    return line->indent < place->item_indent && !marker_len(line->text, line->len);
}

static void pass_line(struct place *place, const struct line *line)
{
    size_t n = marker_len(line->text, line->len), spaces = 1;

    place->seen = true;
    place->blank = false;
    if (!n || line->indent >= (place->item_indent ? place->item_indent : CODE_INDENT))
        return;
    while (n < line->len && line->text[n] == ' ' && spaces <= MARKER_SPACES)
        n++, spaces++;
    n -= spaces > MARKER_SPACES ? spaces - 1 : 0;
    place->item_indent = line->indent + (n > 1 ? n : 2);
}

/* Where a line that is too long for one piece is cut. */
static size_t cut_line(const char *text)
{
    size_t at = PIECE_MAX;

    while (at > PIECE_MAX - CUT_BACK && text[at] != ' ')
        at--;
    if (text[at] != ' ')
        at = sf_utf8_cut(text, PIECE_MAX);
    return at > PIECE_MAX - CUT_BACK ? at : PIECE_MAX;
}

/* Bytes of the blank lines in front. */
static size_t blank_len(const char *text, size_t len)
{
    size_t at = 0;

    while (at < len && !read_line(text + at, len - at).len)
        at = line_end(text, len, at);
    return at;
}

size_t sf_md_piece(const char *text, size_t len, bool growing)
{
    size_t blanks = blank_len(text, len);
    struct place place = { 0 };
    struct sf_md_fence fence;
    struct line line = read_line(text, len);

    if (blanks)
        return blanks;
    if (opens_fence(&place, &line)) {
        size_t n = sf_md_fence(text, len, &fence, growing);

        return n ? n : len;
    }
    for (size_t at = 0, end; at < len; at = end) {
        line = read_line(text + at, len - at);
        end = line_end(text, len, at);
        if (!line.len) {
            place.blank = place.seen;
            continue;
        }
        if (begins_block(&place, &line, growing))
            return at;
        if (end > PIECE_MAX)
            return place.seen ? at : cut_line(text);
        pass_line(&place, &line);
    }
    return len;
}

size_t sf_markdown_split(const char *text, size_t len, size_t enough)
{
    size_t at = 0;

    for (;;) {
        size_t n = sf_md_piece(text + at, len - at, true);

        if (n == len - at || (at && n > enough - at))
            return at;
        at += n;
        if (at >= enough)
            return at;
    }
}

/* ---- defusing ---- */

/* Bytes in front of a line that begin quotes and items; `count`: how many of those. */
static size_t containers(const char *text, size_t len, size_t *count)
{
    size_t at = 0;

    for (*count = 0; *count <= MARKERS_MAX; ++*count) {
        size_t n;

        while (at < len && (text[at] == ' ' || text[at] == '\t'))
            at++;
        n = at < len && text[at] == '>' ? 1 : marker_len(text + at, len - at);
        if (!n)
            break;
        at += n;
    }
    return at;
}

/* The pipes of a line that can be the one under a table's head; 0: it cannot. */
static size_t count_rule_pipes(const char *text, size_t len)
{
    size_t pipes = 0, dashes = 0;

    for (size_t i = 0; i < len; i++) {
        if (!is_one_of("|:- \t>", text[i]))
            return 0;
        pipes += text[i] == '|';
        dashes += text[i] == '-';
    }
    return dashes ? pipes : 0;
}

static void add_extra(struct sf_md_source *source)
{
    source->extras = sf_grow(source->extras, &source->extra_cap, source->extra_count + 1,
                             sizeof(*source->extras));
    source->extras[source->extra_count++] = source->text.len;
    sf_strbuf_addch(&source->text, '-');
}

/* The parser wants three dashes a column, where one is what people need to write. */
static void add_table_rule(struct sf_md_source *source, const char *text, size_t len)
{
    for (size_t i = 0, dashes = 0; i < len; i++) {
        dashes = text[i] == '-' ? dashes + 1 : 0;
        sf_strbuf_addch(&source->text, text[i]);
        if (dashes && (i + 1 == len || text[i + 1] != '-'))
            for (; dashes < RULE_DASHES; dashes++)
                add_extra(source);
    }
}

/* Definitions would vanish, and let a small text become a huge one: their colon is set apart. */
static void add_without_definitions(struct sf_strbuf *out, const char *text, size_t len)
{
    const char *bracket;

    while ((bracket = memmem(text, len, "]:", 2))) {
        size_t n = (size_t)(bracket + 1 - text);

        sf_strbuf_add(out, text, n);
        sf_strbuf_addch(out, SF_MD_STOP);
        text += n;
        len -= n;
    }
    sf_strbuf_add(out, text, len);
}

static void defuse_line(struct sf_md_source *source, const char *text, size_t len)
{
    size_t count, at = containers(text, len, &count), pipes = count_rule_pipes(text, len);

    if (pipes && pipes < SF_MD_COLUMNS && count <= MARKERS_MAX) {
        add_table_rule(source, text, len);
        return;
    }
    if (pipes >= SF_MD_COLUMNS)
        at = strspn(text, " \t>");
    else if (count <= MARKERS_MAX)
        at = 0;
    sf_strbuf_add(&source->text, text, at);
    if (at || pipes >= SF_MD_COLUMNS)
        sf_strbuf_addch(&source->text, SF_MD_STOP);
    add_without_definitions(&source->text, text + at, len - at);
}

void sf_md_defuse(struct sf_md_source *source, const char *text, size_t len)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text, len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    for (size_t at = 0; at < safe.len;) {
        const char *newline = memchr(safe.buf + at, '\n', safe.len - at);
        size_t end = newline ? (size_t)(newline - safe.buf) + 1 : safe.len;

        defuse_line(source, safe.buf + at, end - at - (newline != NULL));
        if (newline)
            sf_strbuf_addch(&source->text, '\n');
        at = end;
    }
    sf_strbuf_release(&safe);
}

/* The first of the extra bytes at or behind `at`. */
static size_t extra_from(const struct sf_md_source *source, size_t at)
{
    size_t low = 0, high = source->extra_count;

    while (low < high) {
        size_t mid = (low + high) / 2;

        if (source->extras[mid] < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

void sf_md_restore(const struct sf_md_source *source, struct sf_strbuf *out, const char *text,
                   size_t len)
{
    bool inside = text >= source->text.buf && text < source->text.buf + source->text.len;
    size_t from = inside ? (size_t)(text - source->text.buf) : 0;
    size_t next = inside ? extra_from(source, from) : source->extra_count;

    for (size_t at = 0, n; at < len; at += n + 1) {
        const char *stop = memchr(text + at, SF_MD_STOP, len - at);

        n = stop ? (size_t)(stop - text) - at : len - at;
        if (next < source->extra_count && source->extras[next] - from < at + n)
            n = source->extras[next++] - from - at;
        sf_strbuf_add(out, text + at, n);
    }
}

void sf_md_source_release(struct sf_md_source *source)
{
    sf_strbuf_release(&source->text);
    free(source->extras);
}
