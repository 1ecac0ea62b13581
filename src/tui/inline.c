/*
 * inline.c: the desk below a conversation that is printed. What cannot change any more is printed
 * once and belongs to the terminal from then on; what still can, and all that is written or asked,
 * is the block below it. Lists, pages and looking back take the alternate screen for a while.
 */
#include "tui/internal.h"

enum { CHUNK = 200 }; /* lines that are encoded at a time */

bool sf_tui_prints(const struct sf_tui *ui)
{
    return (!ui->overlay || (sf_card_first(ui) && !sf_overlay_is_secret(ui))) && !ui->finding &&
           sf_transcript_at_end(ui->transcript);
}

static void print_until(struct sf_tui *ui, size_t end)
{
    const struct sf_transcript_now now = { .mono_ms = sf_clock_monotonic_ms(),
                                           .spin = -1,
                                           .times = ui->times };
    struct sf_frame lines = SF_FRAME_INIT;
    int rows, cols;
    size_t count;

    sf_terminal_size(ui->terminal, &rows, &cols);
    count = sf_transcript_lines(ui->transcript, ui->printed, end, cols);
    for (size_t at = 0; at < count; at += CHUNK) {
        sf_frame_resize(&lines, (int)(count - at < CHUNK ? count - at : CHUNK), cols);
        sf_transcript_print(ui->transcript, ui->printed, at, sf_frame_area(&lines), &now);
        sf_terminal_print(ui->terminal, &lines);
    }
    sf_transcript_put_away(ui->transcript, end);
    ui->printed = end;
    sf_frame_release(&lines);
}

void sf_tui_print(struct sf_tui *ui)
{
    if (!sf_port_busy(ui->port)) /* nothing grows between turns */
        sf_transcript_seal(ui->transcript);
    if (ui->printed > sf_transcript_count(ui->transcript))
        ui->printed = 0; /* another session */
    print_until(ui, sf_transcript_settled(ui->transcript, ui->printed));
    sf_terminal_paint_block(ui->terminal, &ui->frame, sf_tui_draw_block(ui));
}

void sf_tui_print_rest(struct sf_tui *ui)
{
    print_until(ui, sf_transcript_count(ui->transcript));
}
