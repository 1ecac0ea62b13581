/*
 * header.c: the line that says in which mode sf works, on what and at what cost: the badge at the
 * left, details at the right. The badge always stands; details go as the screen gets narrower.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    BRANCH_MIN = 8,  /* The fewest columns in which the name of a branch is worth showing. */
    COST_WIDE = 100, /* From so many columns on, the limit stands behind the cost. */
    BRAND = 4,       /* Columns of the mark in front of the badge. */
};

static struct sf_look look_of(const struct sf_badge_segment *segment, bool bright)
{
    struct sf_look look = sf_look_of_style(segment->role);

    if (segment->dim)
        look = sf_look_with(SF_LOOK_DIM, SF_LOOK_FAINT);
    else if (segment->pulse && !bright)
        look.attrs |= SF_LOOK_FAINT;
    else if (segment->pulse)
        look.attrs |= SF_LOOK_BOLD;
    return look;
}

/* Returns the column behind it. */
static int draw_badge(const struct sf_tui *ui, struct sf_area area)
{
    struct sf_mode_state pending = sf_port_preview(ui->port);
    const struct sf_badge_facts facts = sf_paint_badge(ui, &pending);
    bool bright = ui->painter.low_motion || ui->painter.painted_ms / SF_PULSE_MS % 2 == 0;
    int col = 1, gap = area.cols >= SF_BADGE_WIDE; /* A blank behind the mark, on wide screens. */
    struct sf_badge badge;
    size_t first;

    sf_badge_fit(&badge, &facts, (size_t)(area.cols < SF_BADGE_WIDE ? area.cols - 2 : area.cols));
    first = badge.count && !strncmp(badge.segments[0].text, "SF", 2);
    if (first || (int)badge.width + BRAND <= area.cols) {
        sf_area_puts(area, 0, 0, " SF ", sf_look(SF_LOOK_BRAND));
        col = BRAND + gap;
    }
    for (size_t i = first; i < badge.count; i++)
        col +=
            sf_area_puts(area, 0, col, badge.segments[i].text, look_of(&badge.segments[i], bright));
    return col;
}

enum detail { MODEL, PROJECT, BRANCH, CONTEXT, COST, DETAILS };

/* Details have two blanks between them and one behind the last. */
static int details_width(const struct sf_strbuf parts[DETAILS])
{
    int width = -1;

    for (int i = 0; i < DETAILS; i++)
        if (parts[i].len)
            width += (int)sf_text_width(parts[i].buf, parts[i].len) + 2;
    return width;
}

/* Where room is short the least important details go first; a branch is cut before it goes. */
static void fit_details(struct sf_strbuf parts[DETAILS], int room)
{
    static const struct {
        enum detail part;
        int least; /* The fewest columns the part is cut to; 0: it is not cut. */
    } order[] = {
        { MODEL, 0 }, { BRANCH, BRANCH_MIN }, { PROJECT, 0 }, { CONTEXT, 0 }, { COST, 0 }
    };

    for (size_t i = 0; i < SF_COUNT(order) && details_width(parts) > room; i++) {
        struct sf_strbuf *part = &parts[order[i].part];
        int cols = (int)sf_text_width(part->buf, part->len) - (details_width(parts) - room);

        if (order[i].least && cols >= order[i].least) {
            sf_strbuf_truncate(part, sf_text_fit(part->buf, part->len, (size_t)cols - 1, NULL));
            sf_strbuf_adds(part, "…");
        } else {
            sf_strbuf_reset(part);
        }
    }
}

void sf_header_add_cost(const struct sf_tui *ui, bool limit, struct sf_strbuf *out)
{
    int64_t most = sf_port_cost_limit(ui->port);

    if (sf_port_is_offline(ui->port))
        sf_strbuf_adds(out, "offline");
    else if (sf_port_totals(ui->port)->cost_known)
        sf_money_add(out, sf_port_totals(ui->port)->cost);
    else
        sf_strbuf_adds(out, "cost unknown");
    if (limit && most > 0 && !sf_port_is_offline(ui->port)) {
        sf_strbuf_adds(out, " of ");
        sf_limit_add(out, most);
    }
}

/* The offline operator is named where the cost would stand. */
static void add_details(const struct sf_tui *ui, int cols, struct sf_strbuf parts[DETAILS])
{
    int64_t used, window;

    if (!sf_port_is_offline(ui->port))
        sf_strbuf_adds(&parts[MODEL], sf_port_model(ui->port));
    sf_strbuf_adds(&parts[PROJECT], sf_port_project(ui->port));
    sf_strbuf_adds(&parts[BRANCH], sf_port_branch(ui->port));
    sf_port_context(ui->port, &used, &window);
    sf_strbuf_adds(&parts[CONTEXT], window > 0 && used >= 0 ? "ctx " : "");
    sf_context_percent_add(&parts[CONTEXT], used, window);
    sf_header_add_cost(ui, cols >= COST_WIDE, &parts[COST]);
}

static void draw_details(const struct sf_tui *ui, struct sf_area area, int from)
{
    struct sf_strbuf parts[DETAILS] = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT,
                                        SF_STRBUF_INIT, SF_STRBUF_INIT };
    int col, mark = sf_port_is_dirty(ui->port); /* A column behind the branch. */

    add_details(ui, area.cols, parts);
    fit_details(parts, area.cols - from - 1 - mark);
    if (mark && parts[BRANCH].len)
        sf_strbuf_addch(&parts[BRANCH], '*');
    col = area.cols - details_width(parts);
    for (int i = 0; i < DETAILS; i++)
        if (parts[i].len)
            col += sf_area_puts(area, 0, col, parts[i].buf,
                                sf_look(i == PROJECT ? SF_LOOK_TEXT : SF_LOOK_DIM)) +
                   2;
    for (int i = 0; i < DETAILS; i++)
        sf_strbuf_release(&parts[i]);
}

void sf_header_draw(const struct sf_tui *ui, struct sf_area area)
{
    draw_details(ui, area, draw_badge(ui, area) + 1);
}
