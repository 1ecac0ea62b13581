/*
 * theme_list.c: choosing the colours. While the cursor moves, the whole screen has the theme under
 * it, and a sample beside the list shows what a conversation looks like. Enter writes the choice to
 * the user's settings, Esc goes back to what it was.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

enum {
    CARD_ROWS = 4,
    CARD_FROM = 16, /* In fewer rows the sample has no card. */
    ROWS = 24,
    COLS = 110,
};

/* ---- the sample ---- */

static const struct {
    const char *text;
    enum sf_look_role role;
} badge[] = {
    { "build", SF_LOOK_SUCCESS }, { " | ", SF_LOOK_DIM },    { "assisted", SF_LOOK_INFO },
    { " | ", SF_LOOK_DIM },       { "normal", SF_LOOK_DIM }, { " | ", SF_LOOK_DIM },
    { "smart", SF_LOOK_ACCENT },
};

static void draw_badge(struct sf_area area)
{
    int col = sf_area_puts(area, 0, 0, " SF ", sf_look(SF_LOOK_BRAND)) + 1;

    for (size_t i = 0; i < SF_COUNT(badge); i++)
        col += sf_area_puts(area, 0, col, badge[i].text, sf_look(badge[i].role));
}

static const char answer[] = "## The upper bound\n"
                             "The loop stops **one short**: `hi` counts too.\n"
                             "```c\n"
                             "for (int i = lo; i <= hi; i++) /* both ends */\n"
                             "    sum += table[i] * 2;\n"
                             "```\n";

static const char diff[] = "--- a/range.c\n+++ b/range.c\n@@ -41,2 +41,2 @@\n"
                           "-for (int i = lo; i < hi; i++)\n"
                           "+for (int i = lo; i <= hi; i++)\n"
                           "     sum += table[i];\n";

static void add(struct sf_transcript *t, enum sf_item_kind kind, const char *text)
{
    sf_transcript_add(t, kind, text, strlen(text), 0);
}

static void draw_conversation(struct sf_area area)
{
    const struct sf_call_view call = { .id = "sample",
                                       .state = SF_ITEM_CALL_DONE,
                                       .verb = "Edited",
                                       .what = "range.c",
                                       .note = "+1 −1",
                                       .diff = diff,
                                       .diff_len = sizeof(diff) - 1 };
    const struct sf_transcript_now now = { .spin = -1 };
    struct sf_transcript *t = sf_transcript_new();

    add(t, SF_ITEM_USER, "the last element is dropped");
    add(t, SF_ITEM_ANSWER, answer);
    sf_transcript_call(t, &call);
    add(t, SF_ITEM_NOTE, "profile normal → trusted");
    add(t, SF_ITEM_ERROR, "the service is busy; sf tries again");
    sf_transcript_draw(t, area, &now);
    sf_transcript_top(t);
    sf_area_fill(area, sf_look(SF_LOOK_TEXT));
    sf_transcript_draw(t, area, &now);
    sf_transcript_free(t);
}

static void draw_card(struct sf_area area)
{
    static const char *const keys[] = { "y", "once", "s", "session", "n", "deny" };
    struct sf_area inner = sf_area_box(area, "sf asks", "1 of 2", sf_look(SF_LOOK_WARNING));
    int col = sf_area_puts(inner, 0, 0, "Run      ", sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD));

    sf_area_puts(inner, 0, col, "make test", sf_look_with(SF_LOOK_CODE, SF_LOOK_BOLD));
    for (size_t i = col = 0; i < SF_COUNT(keys); i++)
        col += sf_area_puts(inner, 1, col, keys[i], sf_look(i % 2 ? SF_LOOK_TEXT : SF_LOOK_KEY)) +
               (i % 2 ? 3 : 1);
}

static void draw_sample(struct sf_area area)
{
    area = sf_area_part(area, 0, 0, ROWS, COLS);
    draw_badge(sf_area_take_top(&area, 1));
    sf_area_rule(sf_area_take_top(&area, 1), 0, sf_look(SF_LOOK_RULE));
    if (area.rows >= CARD_FROM)
        draw_card(sf_area_take_bottom(&area, CARD_ROWS));
    draw_conversation(area);
}

/* ---- the list ---- */

static void try_theme(struct sf_tui *ui, const char *name)
{
    struct sf_theme theme = ui->theme;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_tui_theme(name, &theme, &err))
        sf_terminal_set_theme(ui->terminal, &theme);
    else
        sf_tui_fail(ui, &err);
}

/* What cannot be written is in force until sf ends; the error says why. */
static void theme_chosen(struct sf_tui *ui, const char *name)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_tui_theme(name, &ui->theme, &err)) {
        sf_tui_fail(ui, &err);
        return;
    }
    sf_terminal_set_theme(ui->terminal, &ui->theme);
    sf_strbuf_addf(&line, "/config ui.theme %s", name);
    sf_port_command(ui->port, line.buf);
    if (!strcmp(sf_port_setting(ui->port, "ui.theme"), name))
        sf_status_say(&ui->status, false, "theme %s, kept in your settings", name);
    sf_strbuf_release(&line);
}

static void theme_left(struct sf_tui *ui)
{
    sf_terminal_set_theme(ui->terminal, &ui->theme);
}

void sf_do_theme(struct sf_tui *ui, const char *args)
{
    static const struct sf_overlay_kind kind = { .title = "Theme",
                                                 .keys = "Enter keep   ↑ ↓ try",
                                                 .chosen = theme_chosen,
                                                 .moved = try_theme,
                                                 .closed = theme_left,
                                                 .sample = draw_sample };

    if (*args) {
        theme_chosen(ui, args);
        return;
    }
    sf_overlay_list(ui, &kind);
    for (size_t i = 0; sf_theme_names[i]; i++)
        sf_overlay_row(ui->overlay, sf_theme_names[i], "%s", sf_theme_names[i]);
    sf_overlay_choose(ui, ui->theme.name);
}
