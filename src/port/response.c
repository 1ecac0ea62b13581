/*
 * response.c: builds responses of commands and writes them as JSON and as text.
 */
#include "port/response.h"

#include <stdarg.h>
#include <stdlib.h>

#include "io/io.h"

const char *const sf_response_kinds[] = {
    [SF_RESPONSE_NOTE] = "note",         [SF_RESPONSE_ERROR] = "error",
    [SF_RESPONSE_PAGE] = "page",         [SF_RESPONSE_DIFF] = "diff",
    [SF_RESPONSE_TABLE] = "table",       [SF_RESPONSE_CHOICE] = "choice",
    [SF_RESPONSE_QUESTION] = "question", [SF_RESPONSE_FIELD] = "field",
    [SF_RESPONSE_DRAFT] = "draft",       [SF_RESPONSE_SCREEN] = "screen",
    [SF_RESPONSE_COUNT] = NULL,
};

void sf_response_init(struct sf_response *r, enum sf_response_kind kind, const char *title)
{
    *r = (struct sf_response){ .kind = kind, .command = "", .part = "", .text = SF_STRBUF_INIT };
    snprintf(r->title, sizeof(r->title), "%s", title ? title : "");
}

void sf_response_release(struct sf_response *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->rows[i].value);
        free(r->rows[i].time);
        sf_strlist_release(&r->rows[i].cells);
    }
    free(r->rows);
    sf_strbuf_release(&r->text);
}

struct sf_response_row *sf_response_row(struct sf_response *r, const char *value)
{
    struct sf_response_row *row;

    r->rows = sf_grow(r->rows, &r->cap, r->count + 1, sizeof(*r->rows));
    row = &r->rows[r->count++];
    *row = (struct sf_response_row){ .value = sf_strdup(value), .cells = SF_STRLIST_INIT };
    return row;
}

void sf_response_cell(struct sf_response *r, const char *format, ...)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    va_list args;

    va_start(args, format);
    sf_strbuf_vaddf(&text, format, args);
    va_end(args);
    sf_strlist_adopt(&r->rows[r->count - 1].cells, sf_strbuf_detach(&text));
}

void sf_response_age(struct sf_response *r, const char *instant)
{
    struct sf_response_row *row = &r->rows[r->count - 1];
    char age[SF_CLOCK_MAX];

    sf_clock_age(age, instant, sf_clock_wall_ms());
    sf_response_cell(r, "%s", age);
    free(row->time);
    row->time = *instant ? sf_strdup(instant) : NULL;
}

void sf_response_heading(struct sf_response *r, const char *text)
{
    sf_response_row(r, "")->heading = true;
    sf_response_cell(r, "%s", text);
}

/* ---- JSON ---- */

void sf_response_rows_json(const struct sf_response *r, struct sf_json_writer *w)
{
    sf_jw_array_begin(w);
    for (size_t i = 0; i < r->count; i++) {
        const struct sf_response_row *row = &r->rows[i];

        sf_jw_object_begin(w);
        if (*row->value)
            sf_jw_key_str(w, "value", row->value);
        if (row->time)
            sf_jw_key_str(w, "time", row->time);
        if (row->heading)
            sf_jw_key_bool(w, "heading", true);
        if (row->current)
            sf_jw_key_bool(w, "current", true);
        sf_jw_key(w, "cells");
        sf_jw_array_begin(w);
        for (size_t k = 0; k < row->cells.count; k++)
            sf_jw_str(w, row->cells.items[k]);
        sf_jw_array_end(w);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

/* ---- text ---- */

enum { COLUMNS_MAX = 12 };

static void measure(size_t widths[COLUMNS_MAX], size_t column, const char *cell)
{
    size_t width = sf_text_width(cell, strlen(cell));

    if (column < COLUMNS_MAX && width > widths[column])
        widths[column] = width;
}

static void add_padded(struct sf_strbuf *out, const char *cell, size_t width, bool right, bool last)
{
    size_t own = sf_text_width(cell, strlen(cell)), gap = own < width ? width - own : 0;

    sf_strbuf_addf(out, "%*s%s", right ? (int)gap : 0, "", cell);
    if (!last)
        sf_strbuf_addf(out, "%*s", right ? 2 : (int)gap + 2, "");
}

static void add_line(const struct sf_response *r, const char *const *cells, size_t count,
                     const size_t widths[COLUMNS_MAX], struct sf_strbuf *out)
{
    for (size_t i = 0; i < count; i++) {
        bool right = r->align && i < strlen(r->align) && r->align[i] == 'r';

        add_padded(out, cells[i], i < COLUMNS_MAX ? widths[i] : 0, right, i + 1 == count);
    }
    while (out->len && out->buf[out->len - 1] == ' ')
        sf_strbuf_truncate(out, out->len - 1);
    sf_strbuf_addch(out, '\n');
}

/* If a row is the current one, a star marks it. */
static bool has_current(const struct sf_response *r)
{
    bool any = false;

    for (size_t i = 0; i < r->count; i++)
        any = any || r->rows[i].current;
    return any;
}

static void add_table(const struct sf_response *r, struct sf_strbuf *out)
{
    size_t widths[COLUMNS_MAX] = { 0 }, named = 0;
    bool stars = has_current(r);

    for (; r->columns && r->columns[named]; named++)
        measure(widths, named, r->columns[named]);
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; !r->rows[i].heading && k < r->rows[i].cells.count; k++)
            measure(widths, k, r->rows[i].cells.items[k]);
    if (named) {
        sf_strbuf_adds(out, stars ? "  " : "");
        add_line(r, r->columns, named, widths, out);
    }
    for (size_t i = 0; i < r->count; i++) {
        if (stars)
            sf_strbuf_adds(out, r->rows[i].current ? "* " : r->rows[i].heading ? "" : "  ");
        add_line(r, (const char *const *)r->rows[i].cells.items, r->rows[i].cells.count, widths,
                 out);
    }
}

/* Adds the title; for a field, on the same line as its value. */
static void add_title(const struct sf_response *r, struct sf_strbuf *out)
{
    if (r->kind == SF_RESPONSE_FIELD)
        sf_strbuf_addf(out, "%s = %s", r->title, r->text.len ? "" : "\n");
    else if (r->kind == SF_RESPONSE_ERROR && *r->title)
        sf_strbuf_addf(out, "%s: ", r->title);
    else if (r->kind != SF_RESPONSE_NOTE && *r->title)
        sf_strbuf_addf(out, "# %s\n\n", r->title);
}

void sf_response_text(const struct sf_response *r, struct sf_strbuf *out)
{
    add_title(r, out);
    add_table(r, out);
    if (r->count && r->text.len)
        sf_strbuf_addch(out, '\n');
    if (r->text.len) {
        sf_strbuf_add(out, r->text.buf, r->text.len);
        if (r->text.buf[r->text.len - 1] != '\n')
            sf_strbuf_addch(out, '\n');
    }
    if (*r->hint)
        sf_strbuf_addf(out, "%s\n", r->hint);
}
