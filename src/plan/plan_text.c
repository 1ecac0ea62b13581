/*
 * plan_text.c: pieces of text: blanks at their ends, the indentation of values, ids.
 */
#include "plan/plan_read.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct sf_plan_slip sf_plan_trim(struct sf_plan_slip s)
{
    while (s.len && is_blank(s.at[s.len - 1]))
        s.len--;
    while (s.len && is_blank(*s.at)) {
        s.at++;
        s.len--;
    }
    return s;
}

bool sf_plan_is_seen(uint32_t cp)
{
    if (cp < 0xa0)
        return cp >= 0x20 ? cp < 0x7f : cp == '\n' || cp == '\t' || cp == '\r';
    return !sf_text_is_hidden(cp);
}

static size_t line_length(const char *text, size_t len)
{
    const char *nl = memchr(text, '\n', len);

    return nl ? (size_t)(nl - text) : len;
}

static size_t indentation(const char *line, size_t len)
{
    size_t n = 0;

    while (n < len && (line[n] == ' ' || line[n] == '\t'))
        n++;
    return n;
}

/* The least indentation of the lines that are not blank. */
static size_t common_indentation(const char *text, size_t len)
{
    size_t least = len;

    while (len) {
        size_t line = line_length(text, len), in = indentation(text, line);

        if (sf_plan_trim((struct sf_plan_slip){ text, line }).len && in < least)
            least = in;
        line += line < len;
        text += line;
        len -= line;
    }
    return least;
}

static void add_line(struct sf_strbuf *out, const char *line, size_t len, size_t in)
{
    while (len && is_blank(line[len - 1]))
        len--;
    if (len > in)
        sf_strbuf_add(out, line + in, len - in);
}

void sf_plan_dedent(const char *text, size_t len, struct sf_strbuf *out)
{
    struct sf_plan_slip s = sf_plan_trim((struct sf_plan_slip){ text, len });
    size_t line = line_length(s.at, s.len), in;

    add_line(out, s.at, line, 0);
    s.at += line;
    s.len -= line;
    in = s.len ? common_indentation(s.at + 1, s.len - 1) : 0;
    while (s.len) {
        sf_strbuf_addch(out, '\n');
        line = line_length(++s.at, --s.len);
        add_line(out, s.at, line, in);
        s.at += line;
        s.len -= line;
    }
}

size_t sf_plan_id_read(const char *text, size_t len, char letter, int *number)
{
    size_t n = 1;
    int value = 0;

    if (len < 2 || text[0] != letter || text[1] < '1' || text[1] > '9')
        return 0;
    for (; n < len && text[n] >= '0' && text[n] <= '9'; n++)
        if ((value = value * 10 + (text[n] - '0')) > SF_PLAN_NUMBER)
            return 0;
    *number = value;
    return n;
}

/* The length of a mark that stands alone at the beginning; 0: none. */
static size_t mark_length(struct sf_plan_slip s)
{
    static const char *const marks[] = { ":", ".", "-", "\xe2\x80\x93", "\xe2\x80\x94" };

    for (size_t i = 0; i < SF_COUNT(marks); i++) {
        size_t n = strlen(marks[i]);

        if (s.len >= n && !memcmp(s.at, marks[i], n) &&
            (s.len == n || s.at[n] == ' ' || s.at[n] == '\t'))
            return n;
    }
    return 0;
}

struct sf_plan_slip sf_plan_title(struct sf_plan_slip s)
{
    size_t n;

    s = sf_plan_trim(s);
    while ((n = mark_length(s)) != 0)
        s = sf_plan_trim((struct sf_plan_slip){ s.at + n, s.len - n });
    return s;
}
