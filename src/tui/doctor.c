/*
 * doctor.c: the findings of /doctor as a page. The checks do not know the terminal, so its lines
 * are added here.
 */
#include <string.h>

#include "tui/internal.h"

enum { LABEL = 26 };

/* A text stays on one line, and cannot end the block of code it stands in. */
static void add_line(struct sf_strbuf *out, const char *text)
{
    size_t from = out->len;

    sf_text_sanitize(out, text, strlen(text), SF_TEXT_ONE_LINE);
    for (size_t i = from; i < out->len; i++)
        if (out->buf[i] == '`')
            out->buf[i] = '\'';
    sf_strbuf_addch(out, '\n');
}

static void add_finding(struct sf_strbuf *out, const char *health, const char *check,
                        const char *text, const char *hint)
{
    sf_strbuf_addf(out, "%-8s %-16s ", health, check);
    add_line(out, text);
    if (*hint) {
        sf_strbuf_addf(out, "%*s", LABEL, "");
        add_line(out, hint);
    }
}

static void add_terminal(struct sf_tui *ui, struct sf_strbuf *out)
{
    static const char *const colours[] = {
        [SF_COLOURS_NONE] = "no colours",
        [SF_COLOURS_16] = "16 colours",
        [SF_COLOURS_256] = "256 colours",
        [SF_COLOURS_TRUE] = "16 million colours",
    };
    const struct sf_terminal_facts *facts = sf_terminal_facts(ui->terminal);
    struct sf_strbuf line = SF_STRBUF_INIT;
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    sf_strbuf_addf(&line, "%s, %s, %d columns, %d rows%s", facts->name, colours[facts->colours],
                   cols, rows, facts->tmux ? ", inside tmux" : "");
    add_finding(out, "ok", "terminal", line.buf, "");
    sf_strbuf_reset(&line);
    sf_terminal_keys(facts, &line);
    add_finding(out, "ok", "terminal", line.buf, "");
    sf_strbuf_release(&line);
}

static void add_findings(struct sf_tui *ui, const struct sf_response *r, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "```\n");
    for (size_t i = 0; i < r->count; i++) {
        char *const *cells = r->rows[i].cells.items;

        /* The check itself saw no terminal; its group is of that name too. */
        if (!strcmp(cells[1], "terminal"))
            add_terminal(ui, out);
        else
            add_finding(out, cells[0], cells[1], cells[2], cells[3]);
    }
    sf_strbuf_adds(out, "```\n");
}

const struct sf_overlay_kind sf_doctor_overlay = { .title = "Doctor", .page = add_findings };
