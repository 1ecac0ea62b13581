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
    MARKERS_MAX = 24,     /* quotes and lists begun by one line */
    MARKER_DIGITS = 9,    /* of an ordered item */
    CODE_INDENT = 4,      /* from here on a line is code, outside of lists */
    ITEM_INDENT = 2,      /* from here on a line may belong to an item */
    INDENT_COUNTED = 1000 /* no need to know more exactly */
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

    if (newline && line.len && text[line.len - 1] == '\r')
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
    char fence; /* its character; 0: outside */
    size_t fence_len;
    bool fence_inside; /* of a list's item */
    bool in_list;
    bool seen, blank; /* a line with something on it; and a blank one behind it */
};

static size_t fence_len(const struct line *line)
{
    size_t n = 0;

    while (n < line->len && line->text[n] == line->text[0])
        n++;
    return line->len && (line->text[0] == '`' || line->text[0] == '~') && n >= 3 ? n : 0;
}

static bool closes_fence(const struct place *place, const struct line *line)
{
    size_t n = fence_len(line);

    if (n < place->fence_len || line->text[0] != place->fence ||
        (line->indent >= CODE_INDENT && !place->fence_inside))
        return false;
    while (n < line->len && (line->text[n] == ' ' || line->text[n] == '\t'))
        n++;
    return n == line->len;
}

static void open_fence(struct place *place, const struct line *line)
{
    size_t n = fence_len(line);

    if (!n || (line->indent >= CODE_INDENT && !place->in_list) ||
        (line->text[0] == '`' && memchr(line->text + n, '`', line->len - n)))
        return;
    place->fence = line->text[0];
    place->fence_len = n;
    place->fence_inside = place->in_list && line->indent >= ITEM_INDENT;
}

/* Does a new top-level block begin with this line, whatever comes behind what is there of it? */
static bool begins_block(const struct place *place, const struct line *line, bool growing)
{
    if (!place->seen || !place->blank || place->fence)
        return false;
    if (!place->in_list)
        return line->indent < CODE_INDENT;
    if (growing && !line->ended && is_one_of("-+*0123456789", *line->text))
        return false;
    return line->indent < ITEM_INDENT && !marker_len(line->text, line->len);
}

static void pass_line(struct place *place, const struct line *line)
{
    place->seen = true;
    place->blank = false;
    if (place->fence && closes_fence(place, line)) {
        place->fence = 0;
        return;
    }
    if (place->fence)
        return;
    if (line->indent < CODE_INDENT && marker_len(line->text, line->len))
        place->in_list = true;
    open_fence(place, line);
}

size_t sf_md_piece(const char *text, size_t len, bool growing)
{
    struct place place = { 0 };

    for (size_t at = 0; at < len;) {
        const char *newline = memchr(text + at, '\n', len - at);
        struct line line = read_line(text + at, len - at);

        if (!line.len) {
            place.blank = place.seen;
        } else {
            if (place.fence && place.fence_inside && line.indent < ITEM_INDENT)
                place.fence = 0; /* the item it stood in is over */
            if (begins_block(&place, &line, growing))
                return at;
            pass_line(&place, &line);
        }
        at = newline ? (size_t)(newline - text) + 1 : len;
    }
    return len;
}

size_t sf_markdown_split(const char *text, size_t len)
{
    size_t at = 0;

    for (;;) {
        size_t n = sf_md_piece(text + at, len - at, true);

        if (n == len - at)
            return at;
        at += n;
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

/* The line under a table's head, of a table too wide to be one? */
static bool is_wide_table(const char *text, size_t len)
{
    size_t pipes = 0;

    for (size_t i = 0; i < len; i++) {
        if (!is_one_of("|:- \t>", text[i]))
            return false;
        pipes += text[i] == '|';
    }
    return pipes >= SF_MD_COLUMNS;
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

static void defuse_line(struct sf_strbuf *out, const char *text, size_t len)
{
    size_t count, at = containers(text, len, &count);
    bool wide = is_wide_table(text, len);

    if (count <= MARKERS_MAX && !wide)
        at = 0;
    if (wide)
        at = strspn(text, " \t>");
    sf_strbuf_add(out, text, at);
    if (at || wide)
        sf_strbuf_addch(out, SF_MD_STOP);
    add_without_definitions(out, text + at, len - at);
}

void sf_md_defuse(struct sf_strbuf *out, const char *text, size_t len)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text, len, SF_TEXT_NEWLINES | SF_TEXT_TABS);
    for (size_t at = 0; at < safe.len;) {
        const char *newline = memchr(safe.buf + at, '\n', safe.len - at);
        size_t end = newline ? (size_t)(newline - safe.buf) + 1 : safe.len;

        defuse_line(out, safe.buf + at, end - at - (newline != NULL));
        if (newline)
            sf_strbuf_addch(out, '\n');
        at = end;
    }
    sf_strbuf_release(&safe);
}
