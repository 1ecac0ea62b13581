/*
 * inline.c: a conversation that is printed. Items that cannot change any more are printed once and
 * belong to the terminal from then on; open items, the composer and cards are the block below them.
 * Lists, pages and scrolling back take the alternate screen for a while.
 */
#include "tui/internal.h"

enum { CHUNK = 200 }; /* Lines that are encoded at a time. */

bool sf_tui_prints(const struct sf_tui *ui)
{
    return (!ui->overlay || sf_tui_card_covers(ui)) && !ui->find_bar.open &&
           sf_transcript_at_end(ui->pane.transcript);
}

static void print_until(struct sf_tui *ui, size_t end)
{
    const struct sf_transcript_now now = sf_pane_now(&ui->pane, -1);
    struct sf_frame lines = SF_FRAME_INIT;
    int rows, cols;
    size_t count;

    sf_terminal_size(ui->terminal, &rows, &cols);
    count = sf_transcript_lines(ui->pane.transcript, ui->pane.printed, end, cols);
    for (size_t at = 0; at < count; at += CHUNK) {
        sf_frame_resize(&lines, (int)(count - at < CHUNK ? count - at : CHUNK), cols);
        sf_transcript_print(ui->pane.transcript, ui->pane.printed, at, sf_frame_area(&lines), &now);
        sf_terminal_print(ui->terminal, &lines);
    }
    sf_transcript_put_away(ui->pane.transcript, end);
    ui->pane.printed = end;
    sf_frame_release(&lines);
}

void sf_tui_print(struct sf_tui *ui)
{
    if (!sf_port_busy(ui->port)) /* No item grows between turns. */
        sf_transcript_seal(ui->pane.transcript);
    if (ui->pane.printed > sf_transcript_count(ui->pane.transcript))
        ui->pane.printed = 0; /* The transcript is that of another session. */
    print_until(ui, sf_transcript_settled(ui->pane.transcript, ui->pane.printed));
    sf_terminal_paint_block(ui->terminal, &ui->painter.frame, sf_tui_draw_block(ui));
}

void sf_tui_print_rest(struct sf_tui *ui)
{
    print_until(ui, sf_transcript_count(ui->pane.transcript));
}
