/*
 * markdown_table.c: tables. Cells are collected with their looks; when the table is complete its
 * columns are given widths: as wide as they want while there is room, else the widest give way
 * and their cells are wrapped. Where not even that leaves a few columns each, every row becomes a
 * small record, "head: value" a line.
 */
#include <string.h>

#include "view/markdown_parts.h"

enum {
    BETWEEN = 2,    /* spaces between columns */
    COLUMN_MIN = 8, /* a column is not made narrower than this, if it wants as much */
};

void sf_md_table_reset(struct sf_md_table *table)
{
    sf_strbuf_reset(&table->text);
    table->run_count = table->cell_count = 0;
    table->rows = table->columns = 0;
    memset(table->align, 0, sizeof(table->align));
}

void sf_md_table_release(struct sf_md_table *table)
{
    sf_strbuf_release(&table->text);
    free(table->runs);
    free(table->cells);
    *table = (struct sf_md_table)SF_MD_TABLE_INIT;
}

void sf_md_table_cell(struct sf_md_table *table, size_t row, size_t column)
{
    table->cells =
        sf_grow(table->cells, &table->cell_cap, table->cell_count + 1, sizeof(*table->cells));
    table->cells[table->cell_count++] = (struct sf_md_cell){
        .row = (uint32_t)row,
        .column = (uint32_t)column,
        .run = (uint32_t)table->run_count,
        .at = (uint32_t)table->text.len,
    };
}

void sf_md_table_add(struct sf_md_table *table, const char *text, size_t len, struct sf_look look)
{
    size_t before = table->text.len;

    sf_strbuf_add(&table->text, text, len);
    for (size_t i = before; i < table->text.len; i++)
        if (table->text.buf[i] == '\t')
            table->text.buf[i] = ' ';
    table->runs = sf_grow(table->runs, &table->run_cap, table->run_count + 1, sizeof(*table->runs));
    table->runs[table->run_count++] = (struct sf_text_run){ (uint32_t)len, look };
    table->cells[table->cell_count - 1].runs++;
}

/* ---- widths ---- */

static size_t cell_len(const struct sf_md_table *table, const struct sf_md_cell *cell)
{
    size_t len = 0;

    for (size_t i = 0; i < cell->runs; i++)
        len += table->runs[cell->run + i].len;
    return len;
}

/* Columns of the widest line in the cell. */
static size_t cell_width(const struct sf_md_table *table, const struct sf_md_cell *cell)
{
    const char *text = table->text.buf + cell->at;
    size_t left = cell_len(table, cell), widest = 0;

    while (left) {
        const char *newline = memchr(text, '\n', left);
        size_t n = newline ? (size_t)(newline - text) : left;
        size_t width = sf_text_width(text, n);

        widest = width > widest ? width : widest;
        n += newline != NULL;
        text += n;
        left -= n;
    }
    return widest;
}

static void want_widths(const struct sf_md_table *table, size_t want[SF_MD_COLUMNS])
{
    for (size_t i = 0; i < SF_MD_COLUMNS; i++)
        want[i] = 1;
    for (size_t i = 0; i < table->cell_count; i++) {
        const struct sf_md_cell *cell = &table->cells[i];
        size_t width = cell_width(table, cell);

        if (width > SF_PAGE_PROSE)
            width = SF_PAGE_PROSE;
        if (width > want[cell->column])
            want[cell->column] = width;
    }
}

/*
 * Shares `room` columns out: who wants no more than a fair share gets it, and the others share
 * what is left, until only those remain who must give way. False: there is too little for all.
 */
static bool share_room(size_t widths[SF_MD_COLUMNS], size_t columns, size_t room)
{
    bool settled[SF_MD_COLUMNS] = { false };
    size_t open = columns, least = 0, share;
    bool again = true;

    for (size_t i = 0; i < columns; i++)
        least += widths[i] < COLUMN_MIN ? widths[i] : COLUMN_MIN;
    if (least > room)
        return false;
    while (again && open) {
        again = false;
        share = room / open;
        for (size_t i = 0; i < columns; i++) {
            if (settled[i] || widths[i] > share)
                continue;
            settled[i] = again = true;
            room -= widths[i];
            open--;
        }
    }
    for (size_t i = 0; i < columns; i++) {
        if (settled[i])
            continue;
        widths[i] = room / open;
        room -= widths[i];
        open--;
    }
    return true;
}

/* ---- drawing ---- */

struct layout {
    struct sf_md *md;
    size_t widths[SF_MD_COLUMNS];
    struct sf_page cells;                            /* those of one row, one behind the other */
    size_t begin[SF_MD_COLUMNS], end[SF_MD_COLUMNS]; /* their lines */
};

static struct sf_look in_head(struct sf_look look, bool head)
{
    look.attrs |= head ? SF_LOOK_BOLD : 0;
    return look;
}

static void add_cell(struct sf_page *page, const struct sf_md_table *table,
                     const struct sf_md_cell *cell, bool head)
{
    size_t at = cell->at;

    for (size_t i = 0; i < cell->runs; i++) {
        const struct sf_text_run *run = &table->runs[cell->run + i];

        sf_page_add(page, table->text.buf + at, run->len, in_head(run->look, head));
        at += run->len;
    }
}

static void add_spaces(struct sf_page *page, size_t count)
{
    static const char spaces[] = "                                ";

    while (count) {
        size_t n = count < strlen(spaces) ? count : strlen(spaces);

        sf_page_add(page, spaces, n, sf_look(SF_LOOK_TEXT));
        count -= n;
    }
}

/* One line of a cell, with the spaces its alignment asks for. */
static void add_aligned(struct layout *l, size_t column, size_t index)
{
    const struct sf_page_line *line =
        index < l->end[column] ? &l->cells.lines[index] : &(struct sf_page_line){ 0 };
    size_t used = sf_text_width(l->cells.text.buf + line->at, line->len), at = line->at;
    size_t spare = l->widths[column] > used ? l->widths[column] - used : 0, before = 0;
    MD_ALIGN align = (MD_ALIGN)l->md->table.align[column];

    if (align == MD_ALIGN_RIGHT)
        before = spare;
    else if (align == MD_ALIGN_CENTER)
        before = spare / 2;
    add_spaces(l->md->page, before);
    for (size_t i = 0; i < line->runs; i++) {
        const struct sf_text_run *run = &l->cells.runs[line->run + i];

        sf_page_add(l->md->page, l->cells.text.buf + at, run->len, run->look);
        at += run->len;
    }
    add_spaces(l->md->page, spare - before);
}

/* The row's cells from `*next` on, wrapped into their columns; returns the lines it takes. */
static size_t wrap_row(struct layout *l, size_t row, size_t *next)
{
    const struct sf_md_table *table = &l->md->table;
    size_t tallest = 1;

    sf_page_reset(&l->cells, 1);
    for (size_t i = 0; i < table->columns; i++)
        l->begin[i] = l->end[i] = 0;
    for (; *next < table->cell_count && table->cells[*next].row == row; ++*next) {
        const struct sf_md_cell *cell = &table->cells[*next];
        size_t c = cell->column;

        l->cells.width = (int)l->widths[c];
        l->begin[c] = l->cells.count;
        sf_page_begin(&l->cells, "", "", sf_look(SF_LOOK_TEXT), false);
        add_cell(&l->cells, table, cell, row == 0);
        sf_page_end(&l->cells);
        l->end[c] = l->cells.count;
        if (l->end[c] - l->begin[c] > tallest)
            tallest = l->end[c] - l->begin[c];
    }
    return tallest;
}

void sf_md_rule(struct sf_md *md, size_t columns)
{
    static const char rule[] = "────────────────────────────────";
    size_t unit = strlen("─"), most = strlen(rule) / unit;

    while (columns) {
        size_t n = columns < most ? columns : most;

        sf_page_add(md->page, rule, n * unit, sf_look(SF_LOOK_RULE));
        columns -= n;
    }
}

static void lay_rule(struct layout *l)
{
    sf_md_open(l->md, false);
    l->md->page->prose = false;
    for (size_t c = 0; c < l->md->table.columns; c++) {
        if (c)
            add_spaces(l->md->page, BETWEEN);
        sf_md_rule(l->md, l->widths[c]);
    }
    sf_md_close(l->md);
}

/* A table whose head is empty is only its rows. */
static void lay_rows(struct layout *l)
{
    const struct sf_md_table *table = &l->md->table;
    bool headless = table->rows > 1 && table->cell_count && table->cells[0].row > 0;
    size_t next = 0;

    for (size_t row = headless; row < table->rows && !l->md->page->event; row++) {
        size_t lines = wrap_row(l, row, &next);

        for (size_t i = 0; i < lines; i++) {
            sf_md_open(l->md, false);
            l->md->page->prose = false;
            for (size_t c = 0; c < table->columns; c++) {
                if (c)
                    add_spaces(l->md->page, BETWEEN);
                add_aligned(l, c, l->begin[c] + i);
            }
            sf_md_close(l->md);
        }
        if (row == 0)
            lay_rule(l);
    }
}

/* "head: value" a line, and a blank line between two rows. */
static void lay_records(struct sf_md *md)
{
    const struct sf_md_table *table = &md->table;
    const struct sf_md_cell *heads[SF_MD_COLUMNS] = { NULL };
    size_t row = 0;

    for (size_t i = 0; i < table->cell_count && !md->page->event; i++) {
        const struct sf_md_cell *cell = &table->cells[i];

        if (cell->row == 0) {
            heads[cell->column] = cell;
            if (table->rows > 1)
                continue;
        }
        if (row && row != cell->row)
            sf_page_blank(md->page);
        row = cell->row;
        sf_md_open(md, false);
        if (cell->row && heads[cell->column]) {
            add_cell(md->page, table, heads[cell->column], true);
            sf_page_adds(md->page, ": ", sf_look(SF_LOOK_DIM));
        }
        add_cell(md->page, table, cell, cell->row == 0);
        sf_md_close(md);
    }
}

size_t sf_md_room(struct sf_md *md)
{
    const struct sf_page *page = md->page;
    size_t first, rest;

    sf_page_begin(md->page, md->first ? md->first : "", md->lead.buf, md->lead_look, false);
    first = sf_text_width(page->first.buf, page->first.len) +
            sf_text_width(md->lead.buf + md->rest_len, md->lead.len - md->rest_len);
    rest = sf_text_width(page->rest.buf, page->rest.len);
    first = first > rest ? first : rest;
    return (size_t)page->width > first ? (size_t)page->width - first : 0;
}

void sf_md_lay_table(struct sf_md *md)
{
    size_t between = BETWEEN * (md->table.columns - 1), room = sf_md_room(md);
    struct layout l = { .md = md, .cells = SF_PAGE_INIT };

    want_widths(&md->table, l.widths);
    if (room > between && share_room(l.widths, md->table.columns, room - between))
        lay_rows(&l);
    else
        lay_records(md);
    sf_page_release(&l.cells);
}
