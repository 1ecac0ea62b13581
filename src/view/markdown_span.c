/*
 * markdown_span.c: what stands within blocks. Spans only change the look of the text behind them;
 * links and images say their address behind their text, so that what is shown is where it leads.
 */
#include <string.h>
#include <strings.h>

#include "view/markdown_parts.h"

static struct sf_look look_here(const struct sf_md *md)
{
    bool low = md->heading >= SF_MD_LOW_HEADING;
    unsigned attrs = (md->strong || md->heading ? SF_LOOK_BOLD : 0) |
                     (md->emphasis || low ? SF_LOOK_ITALIC : 0) | (md->struck ? SF_LOOK_FAINT : 0);
    enum sf_look_role role = md->code                ? SF_LOOK_CODE
                             : md->link || md->image ? SF_LOOK_LINK
                             : md->heading && !low   ? SF_LOOK_HEADING
                             : md->quotes            ? SF_LOOK_QUOTE
                                                     : SF_LOOK_TEXT;

    return sf_look_with(role, attrs);
}

static void put_safe(struct sf_md *md, const char *text, size_t len, struct sf_look look)
{
    if (!len)
        return;
    if (md->link)
        sf_strbuf_add(&md->link_text, text, len);
    if (md->in_cell) {
        sf_md_table_add(&md->table, text, len, look);
        return;
    }
    if (md->in_table)
        return; /* nothing but cells has text */
    if (!md->open)
        sf_md_open(md, false);
    sf_page_add(md->page, text, len, look);
}

static void put(struct sf_md *md, const char *text, size_t len, struct sf_look look)
{
    struct sf_strbuf clean = SF_STRBUF_INIT;

    if (!len || (!md->source.extra_count && !memchr(text, SF_MD_STOP, len))) {
        put_safe(md, text, len, look);
        return;
    }
    sf_md_restore(&md->source, &clean, text, len);
    put_safe(md, clean.buf, clean.len, look);
    sf_strbuf_release(&clean);
}

void sf_md_attribute(const struct sf_md *md, struct sf_strbuf *out, const MD_ATTRIBUTE *attribute)
{
    if (!attribute->text)
        return;
    for (size_t i = 0; attribute->substr_offsets[i] < attribute->size; i++) {
        const char *text = attribute->text + attribute->substr_offsets[i];
        size_t len = attribute->substr_offsets[i + 1] - attribute->substr_offsets[i];

        if (attribute->substr_types[i] == MD_TEXT_ENTITY)
            sf_md_entity(out, text, len);
        else
            sf_md_restore(&md->source, out, text, len);
    }
}

/* ---- links and images ---- */

/* The same, but for a scheme nobody writes out and a slash at the end. */
static bool says_address(const char *text, const char *address)
{
    static const char *const schemes[] = { "", "https://", "http://", "mailto:" };
    size_t len = strlen(text);

    for (size_t i = 0; i < SF_COUNT(schemes); i++) {
        size_t n = strlen(schemes[i]);

        if (!strncmp(address, schemes[i], n) && !strncmp(address + n, text, len) &&
            (!address[n + len] || !strcmp(address + n + len, "/")))
            return true;
    }
    return false;
}

/* The address, and behind it what would pop up under a mouse. */
static void put_address(struct sf_md *md, const struct sf_strbuf *address,
                        const MD_ATTRIBUTE *title)
{
    struct sf_strbuf words = SF_STRBUF_INIT;

    sf_md_attribute(md, &words, title);
    put(md, address->buf, address->len, sf_look(SF_LOOK_DIM));
    if (words.len) {
        put(md, " \"", 2, sf_look(SF_LOOK_DIM));
        put(md, words.buf, words.len, sf_look(SF_LOOK_DIM));
        put(md, "\"", 1, sf_look(SF_LOOK_DIM));
    }
    sf_strbuf_release(&words);
}

static void leave_link(struct sf_md *md, const MD_SPAN_A_DETAIL *detail)
{
    struct sf_strbuf address = SF_STRBUF_INIT;
    bool shown;

    sf_md_attribute(md, &address, &detail->href);
    shown = says_address(md->link_text.buf, address.buf);
    md->link--;
    if ((address.len && !shown) || detail->title.size) {
        put(md, " (", 2, sf_look(SF_LOOK_DIM));
        put_address(md, &address, &detail->title);
        put(md, ")", 1, sf_look(SF_LOOK_DIM));
    }
    sf_strbuf_release(&address);
}

static void leave_image(struct sf_md *md, const MD_SPAN_IMG_DETAIL *detail)
{
    struct sf_strbuf address = SF_STRBUF_INIT;

    sf_md_attribute(md, &address, &detail->src);
    md->image--;
    put(md, " (", 2, sf_look(SF_LOOK_DIM));
    put_address(md, &address, &detail->title);
    put(md, ")]", 2, sf_look(SF_LOOK_DIM));
    sf_strbuf_release(&address);
}

/* The counter a span keeps while we are in it. */
static unsigned *counter_of(struct sf_md *md, MD_SPANTYPE type)
{
    switch (type) {
    case MD_SPAN_EM:
    case MD_SPAN_U:
        return &md->emphasis;
    case MD_SPAN_STRONG:
        return &md->strong;
    case MD_SPAN_DEL:
        return &md->struck;
    case MD_SPAN_CODE:
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY:
        return &md->code;
    case MD_SPAN_A:
    case MD_SPAN_WIKILINK:
        return &md->link;
    case MD_SPAN_IMG:
        return &md->image;
    }
    return &md->emphasis;
}

int sf_md_enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    struct sf_md *md = ctx;

    (void)detail;
    if (type == MD_SPAN_IMG)
        put(md, "[image: ", strlen("[image: "), sf_look(SF_LOOK_DIM));
    if (type == MD_SPAN_A && !md->link)
        sf_strbuf_reset(&md->link_text);
    ++*counter_of(md, type);
    return 0;
}

int sf_md_leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    struct sf_md *md = ctx;

    if (type == MD_SPAN_A)
        leave_link(md, detail);
    else if (type == MD_SPAN_IMG)
        leave_image(md, detail);
    else
        --*counter_of(md, type);
    return 0;
}

/* ---- text ---- */

/* <br>, <br/> and <br />, which people write into the cells of tables. */
static bool is_break(const char *text, size_t len)
{
    return len >= 4 && !strncasecmp(text, "<br", 3) && text[len - 1] == '>' &&
           strspn(text + 3, " /") == len - 4;
}

static void put_entity(struct sf_md *md, const char *text, size_t len)
{
    struct sf_strbuf decoded = SF_STRBUF_INIT;

    sf_md_entity(&decoded, text, len);
    put(md, decoded.buf, decoded.len, look_here(md));
    sf_strbuf_release(&decoded);
}

/* In a cell even code escapes its pipes, since an open one would end the cell. */
static void put_code(struct sf_md *md, const char *text, size_t len)
{
    struct sf_strbuf code = SF_STRBUF_INIT;

    for (size_t i = 0; i < len; i++)
        if (!md->in_cell || text[i] != '\\' || i + 1 == len || text[i + 1] != '|')
            sf_strbuf_addch(&code, text[i]);
    put(md, code.buf, code.len, look_here(md));
    sf_strbuf_release(&code);
}

int sf_md_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE len, void *ctx)
{
    struct sf_md *md = ctx;

    if (md->in_code || md->in_html) {
        sf_md_restore(&md->source, &md->block, text, len);
        return 0;
    }
    switch (type) {
    case MD_TEXT_BR:
    case MD_TEXT_SOFTBR: /* models break lines where they mean to, as people do in a chat */
        put(md, "\n", 1, look_here(md));
        break;
    case MD_TEXT_ENTITY:
        put_entity(md, text, len);
        break;
    case MD_TEXT_HTML:
        if (is_break(text, len))
            put(md, "\n", 1, look_here(md));
        else
            put(md, text, len, look_here(md));
        break;
    case MD_TEXT_NORMAL:
    case MD_TEXT_NULLCHAR:
    case MD_TEXT_LATEXMATH:
        put(md, text, len, look_here(md));
        break;
    case MD_TEXT_CODE:
        put_code(md, text, len);
        break;
    }
    return 0;
}
