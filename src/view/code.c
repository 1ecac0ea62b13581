/*
 * code.c: finding a language and laying out code. Each line is a paragraph that keeps every byte;
 * where it is broken, a mark in the lead of the next line says so.
 */
#include "view/code.h"

#include <string.h>

#include "view/code_lex.h"

enum { PANEL_WIDTH = 50 }; /* columns of a page; on narrower ones code stands in a little alone */

#define WRAP_MARK "↪ " /* stands in the last two columns of the lead */

/* Is the word one of the list's? `any_case` for what people type after a fence. */
static bool lists(const char *list, const char *word, size_t len, bool any_case)
{
    while (list && *list) {
        size_t n = strcspn(list, " ");

        if (n == len && !(any_case ? strncasecmp(list, word, n) : memcmp(list, word, n)))
            return true;
        list += n + (list[n] == ' ');
    }
    return false;
}

const struct sf_language *sf_language_named(const char *name, size_t len)
{
    for (size_t i = 0; len && i < sf_language_count; i++)
        if (lists(sf_languages[i].names, name, len, true))
            return &sf_languages[i];
    return NULL;
}

const struct sf_language *sf_language_of_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    for (int whole = 1; whole >= 0; whole--) {
        const char *word = whole ? name : dot;

        for (size_t i = 0; word && *word && i < sf_language_count; i++)
            if (lists(sf_languages[i].files, word, strlen(word), !whole))
                return &sf_languages[i];
    }
    return NULL;
}

static void add_piece(void *ctx, const char *text, size_t len, struct sf_look look)
{
    sf_page_add(ctx, text, len, look);
}

/* The lead of a line's further parts: the same, with the mark in place of its last two columns. */
static void make_wrap_lead(struct sf_strbuf *out, const char *lead)
{
    size_t len = strlen(lead);

    if (len >= 2 && !memcmp(lead + len - 2, "  ", 2))
        len -= 2;
    sf_strbuf_add(out, lead, len);
    sf_strbuf_adds(out, WRAP_MARK);
}

/* Where the ground of a panel begins and ends; `to` is 0 without one. */
struct panel {
    int from, to;
};

static bool is_wider(const char *line, size_t len, size_t columns)
{
    size_t tabs = 0;

    for (size_t i = 0; i < len; i++)
        tabs += line[i] == '\t';
    return len + tabs * (SF_PAGE_TAB - 1) > columns &&
           sf_text_width(line, len) + tabs * (SF_PAGE_TAB - 1) > columns;
}

/* As wide as prose, or as the page where a line needs that: the edge does not follow each line. */
static struct panel panel_of(const struct sf_page *page, const char *text, size_t len,
                             const struct sf_code_lead *lead)
{
    int inner = (int)sf_text_width(lead->lead, strlen(lead->lead));
    struct panel panel = { inner - 2, SF_PAGE_PROSE };

    if (!lead->panel || page->width < PANEL_WIDTH || inner < 2)
        return (struct panel){ 0, 0 };
    for (size_t at = 0; at < len && panel.to == SF_PAGE_PROSE;) {
        const char *newline = memchr(text + at, '\n', len - at);
        size_t line = newline ? (size_t)(newline - text) - at : len - at;

        if (inner >= SF_PAGE_PROSE || is_wider(text + at, line, (size_t)(SF_PAGE_PROSE - inner)))
            panel.to = page->width;
        at += line + 1;
    }
    return panel;
}

static void begin_line(struct sf_page *page, const struct panel *panel, const char *first,
                       const char *rest, struct sf_look look)
{
    sf_page_begin(page, first, rest, look, true);
    if (panel->to)
        sf_page_ground(page, SF_GROUND_PANEL, panel->from, panel->to);
}

void sf_code_lay(struct sf_page *page, const char *text, size_t len,
                 const struct sf_language *language, const struct sf_code_lead *lead)
{
    const char *first = lead->first ? lead->first : lead->lead;
    struct sf_look look = lead->first ? lead->first_look : lead->look;
    const struct panel panel = panel_of(page, text, len, lead);
    struct sf_strbuf rest = SF_STRBUF_INIT;
    struct sf_lexer lexer;

    if (panel.to && lead->label && *lead->label) {
        begin_line(page, &panel, first, lead->lead, look);
        page->ornament = true;
        sf_page_adds(page, lead->label, sf_look(SF_LOOK_DIM));
        sf_page_end(page);
        first = lead->lead;
        look = lead->look;
    }
    sf_lexer_init(&lexer, language);
    if (lead->state)
        lexer.state = *lead->state;
    make_wrap_lead(&rest, lead->lead);
    if (len && text[len - 1] == '\n')
        len -= len > 1 && text[len - 2] == '\r' ? 2 : 1;
    for (size_t at = 0; at <= len;) {
        const char *newline = len > at ? memchr(text + at, '\n', len - at) : NULL;
        size_t end = newline ? (size_t)(newline - text) : len;
        size_t shown = newline && end > at && text[end - 1] == '\r' ? end - 1 : end;

        begin_line(page, &panel, first, rest.buf, look);
        page->rest_look = lead->look;
        if (shown > at)
            sf_lexer_line(&lexer, text + at, shown - at, add_piece, page);
        sf_page_end(page);
        first = lead->lead;
        look = lead->look;
        at = end + 1;
    }
    sf_strbuf_release(&rest);
}
