/*
 * inline.c: the desk below a conversation that is printed. What cannot change any more is printed
 * once and belongs to the terminal from then on; what still can, and all that is written or asked,
 * is the block below it. Lists, pages and looking back take the alternate screen for a while.
 */
#include "desk/internal.h"

enum { CHUNK = 200 }; /* lines that are encoded at a time */

bool sf_desk_prints(const struct sf_desk *d)
{
    return (!d->overlay || (sf_card_first(d) && !sf_overlay_is_secret(d))) && !d->finding &&
           sf_transcript_at_end(d->transcript);
}

static void print_until(struct sf_desk *d, size_t end)
{
    const struct sf_transcript_now now = { .mono_ms = sf_clock_monotonic_ms(),
                                           .spin = -1,
                                           .times = d->times };
    struct sf_frame lines = SF_FRAME_INIT;
    int rows, cols;
    size_t count;

    sf_terminal_size(d->terminal, &rows, &cols);
    count = sf_transcript_lines(d->transcript, d->printed, end, cols);
    for (size_t at = 0; at < count; at += CHUNK) {
        sf_frame_resize(&lines, (int)(count - at < CHUNK ? count - at : CHUNK), cols);
        sf_transcript_print(d->transcript, d->printed, at, sf_frame_area(&lines), &now);
        sf_terminal_print(d->terminal, &lines);
    }
    sf_transcript_put_away(d->transcript, end);
    d->printed = end;
    sf_frame_release(&lines);
}

void sf_desk_print(struct sf_desk *d)
{
    if (!sf_talk_busy(d->talk)) /* nothing grows between turns */
        sf_transcript_seal(d->transcript);
    if (d->printed > sf_transcript_count(d->transcript))
        d->printed = 0; /* another session */
    print_until(d, sf_transcript_settled(d->transcript, d->printed));
    sf_terminal_paint_block(d->terminal, &d->frame, sf_desk_draw_block(d));
}

void sf_desk_print_rest(struct sf_desk *d)
{
    print_until(d, sf_transcript_count(d->transcript));
}
