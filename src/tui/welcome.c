/*
 * welcome.c: the text of a conversation in which nothing has been said: who answers, what the badge
 * says, three keys. The welcome is no part of the conversation and goes away with the first words;
 * in less room it says less, down to nothing. Where the conversation is printed, the welcome is
 * printed once, since nothing that is printed can go away.
 */
#include <string.h>

#include "tui/internal.h"

enum { LABEL = 14, NARROW = 60 }; /* In fewer columns than NARROW the text is not indented. */

enum extent {
    EXTENT_FULL,
    EXTENT_BRIEF,
    EXTENT_TINY,
    EXTENT_NONE,
};

/* ---- the words; text in backticks can be typed ---- */

static void add_offline(enum extent extent, struct sf_strbuf *out)
{
    switch (extent) {
    case EXTENT_FULL:
        sf_strbuf_adds(out, " No model is connected yet, so the offline operator answers. It is no "
                            "language model, but it does what plain words ask for; `/connect` adds "
                            "a model.");
        break;
    case EXTENT_BRIEF:
        sf_strbuf_adds(out, " The offline operator answers: `find TODO in src`, `run the tests`, "
                            "`help`. `/connect` adds a model.");
        break;
    case EXTENT_TINY:
        sf_strbuf_adds(out, " Offline: `/connect`");
        break;
    case EXTENT_NONE:
        break;
    }
}

static void add_greeting(const struct sf_tui *ui, enum extent extent, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "Welcome to %s.", sf_port_project(ui->port));
    if (sf_port_is_offline(ui->port))
        add_offline(extent, out);
    else if (extent == EXTENT_TINY)
        sf_strbuf_addf(out, " %s answers.", sf_port_model(ui->port));
    else
        sf_strbuf_addf(out, " %s answers, from %s; `/model` chooses another.",
                       sf_port_model(ui->port), sf_port_provider_title(ui->port));
}

static const char examples[] =
    "`find TODO in src` · `run the tests` · `replace foo with bar in src/a.c` · `help`";

static void add_trust(const struct sf_tui *ui, struct sf_strbuf *out)
{
    if (!sf_port_is_trusted(ui->port))
        sf_strbuf_adds(out,
                       "This workspace is not trusted: its own files may only make your settings "
                       "stricter. `/trust list` says more.");
}

static const struct {
    const char *key, *what;
} keys[] = {
    { "Tab", "walks through plan, agent and yolo" },
    { "Ctrl+X", "and a letter changes one word of the badge" },
    { "F1", "lists all keys and commands" },
};

/* ---- the layout ---- */

static void lay_words(struct sf_page *page, const char *lead, const char *text, struct sf_look look)
{
    bool typed = false;

    sf_page_begin(page, lead, NULL, look, false);
    while (*text) {
        size_t len = strcspn(text, "`");

        sf_page_add(page, text, len, typed ? sf_look(SF_LOOK_CODE) : look);
        text += len + (text[len] == '`');
        typed = !typed;
    }
    sf_page_end(page);
}

static void lay_row(struct sf_page *page, const char *lead, const char *label, struct sf_look look,
                    const char *text)
{
    struct sf_strbuf head = SF_STRBUF_INIT;

    sf_strbuf_addf(&head, "%s%-*s", lead, LABEL, label);
    sf_page_begin(page, head.buf, NULL, look, false);
    sf_page_adds(page, text, sf_look(SF_LOOK_DIM));
    sf_page_end(page);
    sf_strbuf_release(&head);
}

static void lay_badge(const struct sf_tui *ui, struct sf_page *page, const char *lead)
{
    struct sf_mode_state now = sf_port_preview(ui->port);

    for (int i = 0; i < SF_AXIS_SETTABLE; i++) {
        enum sf_axis axis = (enum sf_axis)i;
        int value = sf_mode_state_get(&now, axis);

        lay_row(page, lead, sf_axis_name(axis, value), sf_look_of_style(sf_axis_role(axis, value)),
                sf_axis_help(axis, value));
    }
}

static void lay_examples(const struct sf_tui *ui, struct sf_page *page, int cols)
{
    if (!sf_port_is_offline(ui->port))
        return;
    sf_page_blank(page);
    lay_words(page, cols < NARROW ? "   " : "    ", examples, sf_look(SF_LOOK_DIM));
}

static void lay(const struct sf_tui *ui, enum extent extent, struct sf_page *page, int cols)
{
    const char *lead = cols < NARROW ? " " : "  ";
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_page_reset(page, cols - 1);
    add_greeting(ui, extent, &text);
    lay_words(page, lead, text.buf, sf_look(SF_LOOK_TEXT));
    sf_strbuf_reset(&text);
    if (extent == EXTENT_FULL) {
        lay_examples(ui, page, cols);
        sf_page_blank(page);
        lay_badge(ui, page, lead);
        sf_page_blank(page);
        for (size_t i = 0; i < SF_COUNT(keys); i++)
            lay_row(page, lead, keys[i].key, sf_look(SF_LOOK_KEY), keys[i].what);
        add_trust(ui, &text);
    } else if (extent == EXTENT_BRIEF) {
        sf_strbuf_adds(&text, "`Tab` modes, `F1` help");
    }
    if (text.len) {
        sf_page_blank(page);
        lay_words(page, lead, text.buf, sf_look(SF_LOOK_DIM));
    }
    sf_strbuf_release(&text);
}

void sf_welcome_draw(struct sf_tui *ui, struct sf_area *area)
{
    struct sf_page page = SF_PAGE_INIT;
    enum extent extent = EXTENT_FULL;
    struct sf_area part;
    size_t below, room;

    if (!ui->pane.welcoming || ui->setup.inline_mode)
        return;
    below = sf_transcript_lines(ui->pane.transcript, 0, sf_transcript_count(ui->pane.transcript),
                                area->cols);
    below += below > 0; /* A blank line between welcome and transcript. */
    room = (size_t)area->rows > below ? (size_t)area->rows - below : 0;
    for (lay(ui, extent, &page, area->cols); extent < EXTENT_NONE && page.count > room;)
        if (++extent < EXTENT_NONE)
            lay(ui, extent, &page, area->cols);
    if (extent < EXTENT_NONE) {
        part = sf_area_take_top(area, (int)page.count);
        for (size_t i = 0; i < page.count; i++)
            sf_page_draw(&page, i, part, (int)i, 0);
        if (below)
            sf_area_take_top(area, 1);
    }
    sf_page_release(&page);
}

void sf_welcome_begin(struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    ui->pane.welcoming = true;
    if (ui->setup.inline_mode) {
        add_greeting(ui, EXTENT_FULL, &text);
        if (sf_port_is_offline(ui->port))
            sf_strbuf_addf(&text, "\n\n%s\n\n", examples);
        sf_strbuf_adds(&text, " `F1` lists keys and commands.");
        sf_transcript_add(ui->pane.transcript, SF_ITEM_PAGE, text.buf, text.len, 0);
    }
    sf_strbuf_release(&text);
    sf_paint_soon(&ui->painter);
}
