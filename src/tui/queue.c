/*
 * queue.c: words that wait for the next turns, as the terminal shows them: above the composer, and
 * in a list whose rows can be edited, dropped and moved.
 */
#include <string.h>

#include "tui/internal.h"

enum { QUEUE_ROWS = 3 };

/* ---- above the composer ---- */

int sf_queue_rows(const struct sf_queue *queue)
{
    return queue->count < QUEUE_ROWS ? (int)queue->count : QUEUE_ROWS;
}

void sf_queue_draw(const struct sf_queue *queue, struct sf_area area)
{
    const struct sf_look dim = sf_look(SF_LOOK_DIM);
    char number[32];

    for (int row = 0; row < area.rows; row++) {
        size_t left = queue->count - (size_t)row;
        bool rest = row == area.rows - 1 && left > 1;

        snprintf(number, sizeof(number), rest ? "%zu more" : "%zu", rest ? left : (size_t)row + 1);
        sf_area_puts(area, row, 1, rest ? "…" : "⋮", dim);
        sf_area_puts(area, row, 3, number, dim);
        if (!rest)
            sf_area_put_cut(area, row, 6, area.cols - 7, queue->items[row].text, dim);
    }
}

/* ---- the list ---- */

static size_t index_of(const struct sf_tui *ui, const char *value)
{
    const struct sf_queue *q = sf_port_queue(ui->port);
    int64_t id = strtoll(value, NULL, 10);
    size_t i = 0;

    while (i < q->count && q->items[i].id != id)
        i++;
    return i;
}

static void chosen(struct sf_tui *ui, const char *value)
{
    size_t index = index_of(ui, value);

    if (index < sf_port_queue(ui->port)->count)
        sf_port_queue_edit(ui->port, index);
}

static bool key(struct sf_tui *ui, uint32_t code, const char *value)
{
    size_t index = index_of(ui, value), count = sf_port_queue(ui->port)->count;

    if (index == count || (code != 'd' && code != 'k' && code != 'j'))
        return false;
    if (code == 'd')
        sf_port_queue_drop(ui->port, index);
    else if (code == 'k' ? index > 0 : index + 1 < count)
        sf_port_queue_move(ui->port, index, code == 'k' ? index - 1 : index + 1);
    sf_overlay_renew(ui);
    return true;
}

static void renew(struct sf_tui *ui)
{
    sf_tui_again(ui, "/queue");
}

const struct sf_overlay_kind sf_queue_overlay = {
    .title = "Queue",
    .keys = "Enter edit   d drop   k up   j down",
    .chosen = chosen,
    .key = key,
    .renew = renew,
};
