/*
 * markdown.c: blocks. The parser walks the text and calls back; we keep a stack of the quotes,
 * lists and items we are in, which gives every paragraph its lead. A list's marker is text, not
 * lead: it is part of what a person would copy.
 */
#include "view/markdown.h"

#include <string.h>

#include "view/markdown_parts.h"

enum {
    RULE_COLUMNS = 32,
    UNDERLINED = 50, /* columns of a page on which the highest headings have a rule below */
};

static struct sf_md_level *top(struct sf_md *md)
{
    return &md->levels[md->depth - 1];
}

/* ---- paragraphs ---- */

void sf_md_close(struct sf_md *md)
{
    if (md->open)
        sf_page_end(md->page);
    md->open = false;
}

/* The lead of the next line: the caller's first one, once, and that of the place behind it. */
static void first_lead(struct sf_md *md, struct sf_strbuf *out, size_t lead_len)
{
    sf_strbuf_adds(out, md->first ? md->first : "");
    if (md->first)
        sf_strbuf_add(out, md->lead.buf + md->rest_len, lead_len - md->rest_len);
    else
        sf_strbuf_add(out, md->lead.buf, lead_len);
}

static struct sf_look rest_look(const struct sf_md *md)
{
    return md->quotes ? sf_look(SF_LOOK_QUOTE) : md->lead_look;
}

void sf_md_open(struct sf_md *md, bool keep)
{
    struct sf_strbuf first = SF_STRBUF_INIT;

    first_lead(md, &first, md->marker.len ? md->marker_lead : md->lead.len);
    sf_page_begin(md->page, first.buf, md->lead.buf, md->first ? md->lead_look : rest_look(md),
                  keep);
    md->page->rest_look = rest_look(md);
    if (md->marker.len)
        sf_page_add(md->page, md->marker.buf, md->marker.len, md->marker_look);
    sf_strbuf_reset(&md->marker);
    sf_strbuf_release(&first);
    md->first = NULL;
    md->open = true;
}

/* A blank line; within a quote it has the quote's bar. */
static void blank(struct sf_md *md)
{
    if (!md->quotes) {
        sf_page_blank(md->page);
        return;
    }
    sf_md_open(md, false);
    sf_md_close(md);
}

/* Before a block begins: ends the one before, and keeps it apart from it. */
static void part(struct sf_md *md)
{
    struct sf_md_level *level = top(md);

    sf_md_close(md);
    if (level->filled && !level->tight)
        blank(md);
    level->filled = true;
}

/* A block that cannot share its first line with an item's marker leaves it a line of its own. */
static void flush_marker(struct sf_md *md)
{
    if (!md->marker.len)
        return;
    sf_md_open(md, false);
    sf_md_close(md);
}

/* ---- levels ---- */

static void push(struct sf_md *md, struct sf_md_level level)
{
    level.lead_len = md->lead.len;
    if (md->depth == SF_MD_DEPTH) {
        md->deeper++;
        return;
    }
    md->levels[md->depth++] = level;
}

static void pop(struct sf_md *md)
{
    sf_md_close(md);
    flush_marker(md);
    if (md->deeper) {
        md->deeper--;
        return;
    }
    sf_strbuf_truncate(&md->lead, top(md)->lead_len);
    md->depth--;
}

static void enter_quote(struct sf_md *md)
{
    part(md);
    flush_marker(md);
    push(md, (struct sf_md_level){ .kind = SF_MD_QUOTE });
    md->quotes++;
    if (!md->deeper)
        sf_strbuf_adds(&md->lead, "│ ");
}

static void leave_quote(struct sf_md *md)
{
    pop(md);
    md->quotes--;
}

/* ---- lists ---- */

/* The counting pass: how many items each list has, in the order the lists begin. */
struct counting {
    struct sf_md *md;
    size_t *stack; /* lists we are in */
    size_t depth, cap;
};

static int count_enter(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct counting *c = ctx;
    struct sf_md *md = c->md;

    (void)detail;
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
        md->counts = sf_grow(md->counts, &md->count_cap, md->count_len + 1, sizeof(*md->counts));
        c->stack = sf_grow(c->stack, &c->cap, c->depth + 1, sizeof(*c->stack));
        c->stack[c->depth++] = md->count_len;
        md->counts[md->count_len++] = 0;
    }
    if (type == MD_BLOCK_LI && c->depth)
        md->counts[c->stack[c->depth - 1]]++;
    return 0;
}

static int count_leave(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct counting *c = ctx;

    (void)detail;
    if ((type == MD_BLOCK_UL || type == MD_BLOCK_OL) && c->depth)
        c->depth--;
    return 0;
}

static int count_span(MD_SPANTYPE type, void *detail, void *ctx)
{
    (void)type, (void)detail, (void)ctx;
    return 0;
}

static int count_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE len, void *ctx)
{
    (void)type, (void)text, (void)len, (void)ctx;
    return 0;
}

enum {
    FLAGS =
        MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEURLAUTOLINKS,
};

static void count_items(struct sf_md *md)
{
    const MD_PARSER parser = {
        .flags = FLAGS,
        .enter_block = count_enter,
        .leave_block = count_leave,
        .enter_span = count_span,
        .leave_span = count_span,
        .text = count_text,
    };
    struct counting c = { .md = md };

    if (!md->count_len)
        md_parse(md->source.text.buf, (MD_SIZE)md->source.text.len, &parser, &c);
    free(c.stack);
}

static size_t digits_of(uint64_t number)
{
    size_t digits = 1;

    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

static void enter_list(struct sf_md *md, bool tight, const MD_BLOCK_OL_DETAIL *ordered)
{
    struct sf_md_level level = { .kind = SF_MD_LIST, .tight = tight, .ordered = ordered != NULL };

    if (!md->marker.len)
        part(md);
    if (ordered) {
        uint64_t count;

        count_items(md);
        count = md->list_index < md->count_len ? md->counts[md->list_index] : 1;
        level.number = ordered->start;
        level.digits = digits_of(level.number + (count ? count - 1 : 0));
        level.delimiter = ordered->mark_delimiter;
    }
    md->list_index++;
    md->lists++;
    push(md, level);
}

static void leave_list(struct sf_md *md)
{
    pop(md);
    md->lists--;
}

/* Spaces under the marker, so that all of an item's text stands in one column. */
static void indent_item(struct sf_md *md, size_t marker_from)
{
    size_t width = sf_text_width(md->marker.buf + marker_from, md->marker.len - marker_from);

    if (!md->deeper)
        sf_strbuf_fill(&md->lead, ' ', width);
}

static void enter_item(struct sf_md *md, const MD_BLOCK_LI_DETAIL *detail)
{
    struct sf_md_level *list = top(md);
    size_t before = md->marker.len;

    if (!before) {
        part(md);
        md->marker_lead = md->lead.len;
        md->marker_look = sf_look(SF_LOOK_DIM);
    }
    list->filled = true;
    push(md, (struct sf_md_level){ .kind = SF_MD_ITEM, .tight = list->tight });
    if (detail->is_task) {
        bool done = detail->task_mark != ' ';

        sf_strbuf_adds(&md->marker, done ? "☑ " : "☐ ");
        md->marker_look = sf_look(done ? SF_LOOK_SUCCESS : SF_LOOK_DIM);
    } else if (list->ordered) {
        sf_strbuf_addf(&md->marker, "%*llu%c ", (int)list->digits, (unsigned long long)list->number,
                       list->delimiter);
    } else {
        sf_strbuf_adds(&md->marker, md->lists > 1 ? "– " : "• ");
    }
    list->number++;
    indent_item(md, before);
}

/* ---- other blocks ---- */

static void lay_rule(struct sf_md *md)
{
    size_t room;

    part(md);
    room = sf_md_room(md);
    sf_md_open(md, false);
    sf_md_rule(md, room < RULE_COLUMNS ? room : RULE_COLUMNS);
    sf_md_close(md);
}

static void begin_code(struct sf_md *md, const char *info, size_t len)
{
    part(md);
    flush_marker(md);
    md->in_code = true;
    sf_strbuf_reset(&md->label);
    md->language = sf_md_language(info, len, &md->label);
    sf_strbuf_reset(&md->block);
}

static void enter_code(struct sf_md *md, const MD_BLOCK_CODE_DETAIL *detail)
{
    struct sf_strbuf info = SF_STRBUF_INIT;

    sf_md_attribute(md, &info, &detail->info);
    begin_code(md, info.buf, info.len);
    sf_strbuf_release(&info);
}

static void leave_code(struct sf_md *md)
{
    struct sf_strbuf first = SF_STRBUF_INIT;
    size_t lead_len = md->lead.len;
    struct sf_code_lead lead = {
        .first_look = md->lead_look, .look = rest_look(md), .panel = true, .label = md->label.buf
    };

    first_lead(md, &first, lead_len);
    sf_strbuf_adds(&first, SF_MD_CODE_LEAD);
    sf_strbuf_adds(&md->lead, SF_MD_CODE_LEAD);
    lead.first = md->first ? first.buf : NULL;
    lead.lead = md->lead.buf;
    sf_code_lay(md->page, md->block.buf, md->block.len, md->language, &lead);
    sf_strbuf_truncate(&md->lead, lead_len);
    sf_strbuf_release(&first);
    md->first = NULL;
    md->in_code = false;
}

static void leave_html(struct sf_md *md)
{
    size_t len = md->block.len;

    while (len && md->block.buf[len - 1] == '\n')
        len--;
    sf_md_open(md, false);
    sf_page_add(md->page, md->block.buf, len, sf_look(SF_LOOK_TEXT));
    sf_md_close(md);
    md->in_html = false;
}

static void enter_cell(struct sf_md *md, const MD_BLOCK_TD_DETAIL *detail)
{
    md->in_cell = md->column < SF_MD_COLUMNS;
    if (!md->in_cell)
        return;
    sf_md_table_cell(&md->table, md->row, md->column);
    if (md->row == 0)
        md->table.align[md->column] = (uint8_t)detail->align;
}

static void leave_cell(struct sf_md *md)
{
    struct sf_md_table *table = &md->table;

    if (md->in_cell && !table->cells[table->cell_count - 1].runs)
        table->cell_count--;
    md->in_cell = false;
    md->column++;
    if (md->column > table->columns && md->column <= SF_MD_COLUMNS)
        table->columns = md->column;
}

/* The highest level has a rule as wide as its words, so that levels differ without colours too. */
static void leave_heading(struct sf_md *md)
{
    const struct sf_page *page = md->page;
    size_t widest = 0, room;

    sf_md_close(md);
    for (size_t i = md->heading_from; i < page->count; i++) {
        const struct sf_page_line *line = &page->lines[i];
        size_t width =
            sf_text_width(page->text.buf + line->at + line->lead, line->len - line->lead);

        widest = width > widest ? width : widest;
    }
    room = sf_md_room(md);
    if (md->heading == 1 && widest && page->width >= UNDERLINED) {
        sf_md_open(md, false);
        md->page->ornament = true;
        sf_md_rule(md, widest < room ? widest : room);
        sf_md_close(md);
    }
    md->heading = 0;
}

/* ---- the parser's calls ---- */

static int enter_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct sf_md *md = ctx;

    switch (type) {
    case MD_BLOCK_DOC:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
        break;
    case MD_BLOCK_QUOTE:
        enter_quote(md);
        break;
    case MD_BLOCK_UL:
        enter_list(md, ((MD_BLOCK_UL_DETAIL *)detail)->is_tight, NULL);
        break;
    case MD_BLOCK_OL:
        enter_list(md, ((MD_BLOCK_OL_DETAIL *)detail)->is_tight, detail);
        break;
    case MD_BLOCK_LI:
        enter_item(md, detail);
        break;
    case MD_BLOCK_HR:
        lay_rule(md);
        break;
    case MD_BLOCK_H:
        part(md);
        md->heading = ((MD_BLOCK_H_DETAIL *)detail)->level;
        md->heading_from = md->page->count;
        break;
    case MD_BLOCK_P:
        part(md);
        break;
    case MD_BLOCK_CODE:
        enter_code(md, detail);
        break;
    case MD_BLOCK_HTML:
        part(md);
        sf_strbuf_reset(&md->block);
        md->in_html = true;
        break;
    case MD_BLOCK_TABLE:
        part(md);
        flush_marker(md);
        sf_md_table_reset(&md->table);
        md->in_table = true;
        md->row = 0;
        break;
    case MD_BLOCK_TR:
        md->column = 0;
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        enter_cell(md, detail);
        break;
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
    struct sf_md *md = ctx;

    (void)detail;
    switch (type) {
    case MD_BLOCK_DOC:
        sf_md_close(md);
        break;
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    case MD_BLOCK_HR:
        break;
    case MD_BLOCK_QUOTE:
        leave_quote(md);
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        leave_list(md);
        break;
    case MD_BLOCK_LI:
        pop(md);
        break;
    case MD_BLOCK_H:
        leave_heading(md);
        break;
    case MD_BLOCK_P:
        sf_md_close(md);
        break;
    case MD_BLOCK_CODE:
        leave_code(md);
        break;
    case MD_BLOCK_HTML:
        leave_html(md);
        break;
    case MD_BLOCK_TABLE:
        md->in_table = false;
        if (md->table.columns)
            sf_md_lay_table(md);
        break;
    case MD_BLOCK_TR:
        md->table.rows = ++md->row;
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        leave_cell(md);
        break;
    }
    return 0;
}

/* ---- the whole ---- */

/* The parser gives up for lack of memory only; the text is then shown as it is. */
static void lay_plain(struct sf_md *md, const char *text, size_t len)
{
    sf_md_close(md);
    sf_md_open(md, false);
    sf_page_add(md->page, text, len, sf_look(SF_LOOK_TEXT));
    sf_md_close(md);
}

/* A fenced block needs no parser. */
static bool lay_fence(struct sf_md *md, const char *text, size_t len)
{
    struct sf_md_fence fence;

    if (!sf_md_fence(text, len, &fence, false))
        return false;
    begin_code(md, fence.info, fence.info_len);
    sf_md_outdent(&md->block, fence.code, fence.code_len, fence.indent);
    leave_code(md);
    return true;
}

static bool lay_parsed(struct sf_md *md)
{
    const MD_PARSER parser = {
        .flags = FLAGS,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = sf_md_enter_span,
        .leave_span = sf_md_leave_span,
        .text = sf_md_text,
    };

    md->count_len = md->list_index = 0;
    return md_parse(md->source.text.buf, (MD_SIZE)md->source.text.len, &parser, md) == 0;
}

static void lay_piece(struct sf_md *md, const char *text, size_t len)
{
    if (lay_fence(md, text, len))
        return;
    sf_strbuf_reset(&md->source.text);
    md->source.extra_count = 0;
    sf_md_defuse(&md->source, text, len);
    if (!lay_parsed(md))
        lay_plain(md, text, len);
}

void sf_markdown_lay(struct sf_page *page, const char *text, size_t len, const char *first,
                     const char *rest, struct sf_look lead)
{
    struct sf_md md = {
        .page = page,
        .first = first,
        .lead_look = lead,
        .lead = SF_STRBUF_INIT,
        .levels = { { .kind = SF_MD_TOP } },
        .depth = 1,
        .marker = SF_STRBUF_INIT,
        .link_text = SF_STRBUF_INIT,
        .block = SF_STRBUF_INIT,
        .label = SF_STRBUF_INIT,
        .table = SF_MD_TABLE_INIT,
        .source = SF_MD_SOURCE_INIT,
    };

    if (rest)
        sf_strbuf_adds(&md.lead, rest);
    else
        sf_strbuf_fill(&md.lead, ' ', first ? sf_text_width(first, strlen(first)) : 0);
    md.rest_len = md.lead.len;
    for (size_t at = 0, n; at < len && !page->event; at += n) {
        n = sf_md_piece(text + at, len - at, false);
        lay_piece(&md, text + at, n);
    }
    sf_strbuf_release(&md.lead);
    sf_strbuf_release(&md.marker);
    sf_strbuf_release(&md.link_text);
    sf_strbuf_release(&md.block);
    sf_strbuf_release(&md.label);
    sf_md_table_release(&md.table);
    sf_md_source_release(&md.source);
    free(md.counts);
}
