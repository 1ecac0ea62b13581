/*
 * html.c: the effect of each tag on the flow of text. There is no tree: an element is what its tags
 * do, and a missing tag costs a line break, not the page.
 */
#include "tools/html.h"

#include "tools/entity.h"
#include "tools/flow.h"
#include "tools/markup.h"

enum { LISTS_MAX = 8 };

struct page {
    struct sf_flow flow;
    const struct sf_url *base;

    struct sf_strlist links; /* addresses, by number from 1 */
    struct sf_map numbers;   /* from address to number; the keys belong to `links` */
    size_t unlisted;
    const char *href; /* of the open link, or NULL */
    size_t href_len;
    size_t href_shown; /* visible bytes when the link began */

    size_t depth; /* nesting of lists; `items` counts ordered items, -1 for other lists */
    int items[LISTS_MAX];
    bool row;   /* a cell of this row has begun */
    int pre;    /* nesting of elements that keep whitespace */
    bool after; /* directly after <pre>, where a line break does not count */
    bool titled;

    const char *raw; /* the raw text content of an element, for its tag */
    size_t raw_len;
    char skipped[SF_MARKUP_NAME]; /* the element that is being skipped, or "" */
    size_t skip_depth;
};

typedef void sf_tag_fn(struct page *p, const struct sf_markup *tag, int n);

struct row {
    const char *name;
    sf_tag_fn *open, *close; /* NULL: nothing */
    int n;
    bool raw; /* its content is not markup, and is skipped unless `open` uses it */
};

/* ---- text ---- */

/* The length of plain text before an entity or a no-break space. */
static size_t plain_run(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && text[n] != '&' && (unsigned char)text[n] != 0xc2)
        n++;
    return n;
}

static size_t add_special(struct page *p, const char *text, size_t len)
{
    uint32_t cp = SF_UTF8_INVALID;
    size_t n = text[0] == '&' ? sf_entity_read(text, len, &cp) : sf_utf8_decode(text, len, &cp);

    if (n && cp != SF_UTF8_INVALID) {
        sf_flow_char(&p->flow, cp);
        return n;
    }
    sf_flow_text(&p->flow, text, 1);
    return 1;
}

static void add_text(struct page *p, const char *text, size_t len)
{
    if (p->after && len) {
        size_t cut = text[0] == '\n' ? 1 : len > 1 && text[0] == '\r' && text[1] == '\n' ? 2 : 0;

        text += cut;
        len -= cut;
        p->after = false;
    }
    for (size_t at = 0; at < len;) {
        size_t n = plain_run(text + at, len - at);

        sf_flow_text(&p->flow, text + at, n);
        at += n;
        if (at < len)
            at += add_special(p, text + at, len - at);
    }
}

/* ---- links ---- */

/* Normalises the attribute to a valid address: trimmed, with other spaces as %XX. */
static void read_href(const char *href, size_t len, struct sf_strbuf *out)
{
    for (size_t at = 0; at < len && out->len <= SF_URL_MAX;) {
        char bytes[4] = { href[at] };
        size_t n = 1, taken;
        uint32_t cp;

        taken = href[at] == '&' ? sf_entity_read(href + at, len - at, &cp) : 0;
        if (taken)
            n = sf_utf8_encode(cp, bytes);
        at += taken ? taken : 1;
        for (size_t i = 0; i < n; i++) {
            unsigned char c = (unsigned char)bytes[i];

            if (c > ' ' && c < 0x7f)
                sf_strbuf_addch(out, bytes[i]);
            else if (c != '\t' && c != '\n' && c != '\r' && (c != ' ' || out->len))
                sf_strbuf_addf(out, "%%%02X", c);
        }
    }
    while (out->len >= 3 && !memcmp(out->buf + out->len - 3, "%20", 3))
        sf_strbuf_truncate(out, out->len - 3);
}

/* The number of the address in the list; 0: not a web address, or the list is full. */
static size_t number_of(struct page *p, const char *address, size_t len)
{
    uintptr_t known = (uintptr_t)sf_map_get(&p->numbers, address, len);

    if (known)
        return known;
    if (p->links.count == SF_HTML_LINKS) {
        p->unlisted++;
        return 0;
    }
    sf_strlist_add(&p->links, address);
    known = p->links.count;
    sf_map_add(&p->numbers, p->links.items[known - 1], len, (void *)known);
    return known;
}

static void close_link(struct page *p, const struct sf_markup *tag, int n)
{
    struct sf_strbuf href = SF_STRBUF_INIT, address = SF_STRBUF_INIT;
    bool shown = sf_flow_shown(&p->flow) > p->href_shown;
    char mark[32];
    size_t number = 0;

    (void)tag;
    (void)n;
    if (p->href && shown && !p->pre) {
        read_href(p->href, p->href_len, &href);
        if (href.len && href.buf[0] != '#' && sf_url_join(p->base, href.buf, href.len, &address))
            number = number_of(p, address.buf, address.len);
        snprintf(mark, sizeof(mark), "[%zu]", number);
        if (number)
            sf_flow_mark(&p->flow, mark);
    }
    p->href = NULL;
    sf_strbuf_release(&href);
    sf_strbuf_release(&address);
}

static void open_link(struct page *p, const struct sf_markup *tag, int n)
{
    close_link(p, tag, n);
    p->href = tag->href;
    p->href_len = tag->href_len;
    p->href_shown = sf_flow_shown(&p->flow);
}

static void list_links(struct page *p)
{
    sf_flow_break(&p->flow, 2);
    for (size_t i = 0; i < p->links.count; i++) {
        char number[32];

        snprintf(number, sizeof(number), "%s[%zu] ", i ? "" : "Links:\n", i + 1);
        sf_flow_prefix(&p->flow, number);
        sf_flow_text(&p->flow, p->links.items[i], strlen(p->links.items[i]));
        sf_flow_break(&p->flow, 1);
    }
    if (p->unlisted)
        sf_flow_text(&p->flow, "[more links are not listed]", 27);
}

/* ---- elements ---- */

static void block(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    sf_flow_break(&p->flow, n);
}

static void line_break(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    (void)n;
    sf_flow_line(&p->flow);
}

static void end_row(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    sf_flow_end_row(&p->flow);
    sf_flow_break(&p->flow, n);
}

static void rule(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    sf_flow_break(&p->flow, n);
    sf_flow_text(&p->flow, "---", 3);
    sf_flow_break(&p->flow, n);
}

static void open_heading(struct page *p, const struct sf_markup *tag, int n)
{
    static const char marks[] = "###### ";

    (void)tag;
    sf_flow_break(&p->flow, 2);
    sf_flow_prefix(&p->flow, marks + 6 - n);
}

static void close_heading(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    (void)n;
    sf_flow_clear(&p->flow);
    sf_flow_break(&p->flow, 2);
}

/* `n` is the count before the first item: 0, or -1 for a list that is not numbered. */
static void open_list(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    sf_flow_break(&p->flow, p->depth ? 1 : 2);
    if (p->depth < LISTS_MAX)
        p->items[p->depth] = n;
    p->depth++;
}

static void close_list(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    (void)n;
    sf_flow_clear(&p->flow);
    if (p->depth)
        p->depth--;
    sf_flow_break(&p->flow, p->depth ? 1 : 2);
}

static void open_item(struct page *p, const struct sf_markup *tag, int n)
{
    size_t level = p->depth < LISTS_MAX ? p->depth : LISTS_MAX;
    int indent = level ? 2 * ((int)level - 1) : 0;
    int *count = level ? &p->items[level - 1] : NULL;
    char prefix[48];

    (void)tag;
    (void)n;
    sf_flow_clear(&p->flow);
    sf_flow_break(&p->flow, 1);
    if (count && *count >= 0)
        snprintf(prefix, sizeof(prefix), "%*s%d. ", indent, "", ++*count);
    else
        snprintf(prefix, sizeof(prefix), "%*s- ", indent, "");
    sf_flow_prefix(&p->flow, prefix);
}

static void close_item(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    (void)n;
    sf_flow_clear(&p->flow);
    sf_flow_break(&p->flow, 1);
}

static void open_row(struct page *p, const struct sf_markup *tag, int n)
{
    end_row(p, tag, n);
    p->row = false;
}

static void open_cell(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    (void)n;
    if (p->row)
        sf_flow_bar(&p->flow);
    p->row = true;
}

static void open_pre(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    sf_flow_break(&p->flow, n);
    if (!p->pre++)
        sf_flow_prefix(&p->flow, "```\n");
    p->flow.exact = p->after = true;
}

static void close_pre(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    if (!p->pre || --p->pre)
        return;
    p->flow.exact = p->after = false;
    if (!sf_flow_clear(&p->flow)) {
        sf_flow_break(&p->flow, 1);
        sf_flow_text(&p->flow, "```", 3);
    }
    sf_flow_break(&p->flow, n);
}

static void image(struct page *p, const struct sf_markup *tag, int n)
{
    (void)n;
    if (!tag->alt || !tag->alt_len)
        return;
    add_text(p, "[image: ", 8);
    add_text(p, tag->alt, tag->alt_len);
    sf_flow_mark(&p->flow, "]");
}

static void skip(struct page *p, const struct sf_markup *tag, int n)
{
    (void)n;
    memcpy(p->skipped, tag->name, sizeof(p->skipped));
    p->skip_depth = 1;
}

static void title(struct page *p, const struct sf_markup *tag, int n); /* uses the raw content */

/* clang-format off */
static const struct row rows[] = {
    { "a",          open_link,    close_link,    0, false },
    { "address",    block,        block,         1, false },
    { "article",    block,        block,         2, false },
    { "aside",      block,        block,         2, false },
    { "blockquote", block,        block,         2, false },
    { "body",       block,        block,         2, false },
    { "br",         line_break,   line_break,    1, false },
    { "caption",    block,        block,         1, false },
    { "dd",         block,        block,         1, false },
    { "details",    block,        block,         2, false },
    { "dialog",     block,        block,         2, false },
    { "div",        block,        block,         1, false },
    { "dl",         block,        block,         2, false },
    { "dt",         block,        block,         1, false },
    { "fieldset",   block,        block,         1, false },
    { "figcaption", block,        block,         1, false },
    { "figure",     block,        block,         2, false },
    { "footer",     block,        block,         2, false },
    { "form",       block,        block,         1, false },
    { "h1",         open_heading, close_heading, 1, false },
    { "h2",         open_heading, close_heading, 2, false },
    { "h3",         open_heading, close_heading, 3, false },
    { "h4",         open_heading, close_heading, 4, false },
    { "h5",         open_heading, close_heading, 5, false },
    { "h6",         open_heading, close_heading, 6, false },
    { "header",     block,        block,         2, false },
    { "hr",         rule,         NULL,          2, false },
    { "iframe",     NULL,         NULL,          0, true },
    { "img",        image,        NULL,          0, false },
    { "legend",     block,        block,         1, false },
    { "li",         open_item,    close_item,    0, false },
    { "main",       block,        block,         2, false },
    { "menu",       open_list,    close_list,   -1, false },
    { "nav",        block,        block,         2, false },
    { "noembed",    NULL,         NULL,          0, true },
    { "noframes",   NULL,         NULL,          0, true },
    { "ol",         open_list,    close_list,    0, false },
    { "p",          block,        block,         2, false },
    { "pre",        open_pre,     close_pre,     2, false },
    { "script",     NULL,         NULL,          0, true },
    { "section",    block,        block,         2, false },
    { "select",     skip,         NULL,          0, false },
    { "style",      NULL,         NULL,          0, true },
    { "summary",    block,        block,         1, false },
    { "svg",        skip,         NULL,          0, false },
    { "table",      end_row,      end_row,       2, false },
    { "tbody",      end_row,      end_row,       1, false },
    { "td",         open_cell,    NULL,          0, false },
    { "template",   skip,         NULL,          0, false },
    { "textarea",   NULL,         NULL,          0, true },
    { "tfoot",      end_row,      end_row,       1, false },
    { "th",         open_cell,    NULL,          0, false },
    { "thead",      end_row,      end_row,       1, false },
    { "title",      title,        NULL,          2, true },
    { "tr",         open_row,     end_row,       1, false },
    { "ul",         open_list,    close_list,   -1, false },
};
/* clang-format on */

static int compare(const void *key, const void *row)
{
    return strcmp(key, ((const struct row *)row)->name);
}

static const struct row *row_of(const char *name)
{
    return bsearch(name, rows, SF_COUNT(rows), sizeof(*rows), compare);
}

/* Uses only the first title, and only if no text was written before it. */
static void title(struct page *p, const struct sf_markup *tag, int n)
{
    (void)tag;
    if (p->titled || sf_flow_shown(&p->flow))
        return;
    p->titled = true;
    add_text(p, p->raw, p->raw_len);
    sf_flow_break(&p->flow, n);
}

/*
 * Inside a skipped element only its own tags count. A drawing or a menu that was never closed ends
 * at a tag that continues the page; a template can contain whole pages.
 */
static bool is_skipped(struct page *p, const struct sf_markup *tag, const struct row *row)
{
    if (!p->skip_depth)
        return false;
    if (!strcmp(tag->name, p->skipped)) {
        p->skip_depth = tag->closing ? p->skip_depth - 1 : p->skip_depth + 1;
        return true;
    }
    if (!row->close || row->close == close_link || !strcmp(p->skipped, "template"))
        return true;
    p->skip_depth = 0;
    return false;
}

/* Returns how many bytes after the tag were consumed. */
static size_t take_tag(struct page *p, const struct sf_markup *tag, const char *rest, size_t len)
{
    const struct row *row = row_of(tag->name);
    sf_tag_fn *act;

    if (!row)
        return 0;
    p->raw = rest;
    p->raw_len = row->raw && !tag->closing ? sf_markup_raw(rest, len, tag->name) : 0;
    act = tag->closing ? row->close : row->open;
    if (!is_skipped(p, tag, row) && act)
        act(p, tag, row->n);
    return p->raw_len;
}

static void read_page(struct page *p, const char *html, size_t len)
{
    for (size_t at = 0; at < len && !sf_flow_full(&p->flow);) {
        const char *open = memchr(html + at, '<', len - at);
        size_t n = open ? (size_t)(open - html) - at : len - at;
        struct sf_markup tag;

        if (!p->skip_depth)
            add_text(p, html + at, n);
        at += n;
        if (at == len)
            break;
        n = sf_markup_read(html + at, len - at, &tag);
        if (!n && !p->skip_depth)
            add_text(p, "<", 1);
        at += n ? n : 1;
        if (n && *tag.name)
            at += take_tag(p, &tag, html + at, len - at);
    }
}

bool sf_html_text(const char *html, size_t len, const struct sf_url *base, struct sf_strbuf *out)
{
    struct page p = { .base = base,
                      .links = SF_STRLIST_INIT,
                      .numbers = SF_MAP_INIT,
                      .flow = { .out = out, .start = out->len, .max = SF_HTML_TEXT_MAX } };
    bool whole;

    read_page(&p, html, len);
    whole = !sf_flow_full(&p.flow);
    close_link(&p, NULL, 0);
    while (p.pre)
        close_pre(&p, NULL, 2);
    sf_flow_clear(&p.flow);
    p.flow.max += (size_t)SF_HTML_LINKS * (SF_URL_MAX + 32); /* addresses follow even a cut page */
    list_links(&p);
    if (out->len > p.flow.start && out->buf[out->len - 1] != '\n')
        sf_strbuf_addch(out, '\n');
    sf_map_release(&p.numbers);
    sf_strlist_release(&p.links);
    return whole;
}
