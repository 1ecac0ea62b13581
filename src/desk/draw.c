/*
 * draw.c: where everything stands. From top to bottom: header, conversation, what waits, the
 * composer, hints. As the screen gets smaller the hints go first, then the rules between the
 * parts, then the header's details; badge, conversation and composer stay. Below 20 by 6 one line
 * says so.
 */
#include <string.h>

#include "desk/internal.h"

enum {
    ROWS_MIN = 6,
    COLS_MIN = 20,
    ROWS_HEADER = 8, /* below, the badge stands in the last line */
    ROWS_RULES = 10, /* lines between the parts */
    ROWS_HINTS = 14,
    ROWS_QUEUE = 20,
    FIND_BRIEF = 64,  /* … and the search's note is numbers */
    HINTS_BRIEF = 76, /* columns below which the leader's letters stand alone */
    BLOCK_COLS = 80,  /* at most, below what is printed: rows that do not reach the terminal's
                         edge are not broken when it gets narrower */
    BRAND = 4,        /* columns of the mark in front of the badge */
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

/* ---- the header ---- */

static int draw_badge(const struct sf_desk *d, struct sf_area area, int row)
{
    struct sf_mode_state pending = sf_talk_preview(d->talk);
    const struct sf_badge_facts facts = { sf_talk_state(d->talk), &pending,
                                          &d->setup.talk.ground->scopes };
    bool bright = d->low_motion || d->ticks % 2 == 0;
    int col = 1, gap = area.cols >= SF_BADGE_WIDE; /* a blank behind the mark, where it is wide */
    struct sf_badge badge;
    size_t first;

    sf_badge_fit(&badge, &facts, (size_t)(area.cols < SF_BADGE_WIDE ? area.cols - 2 : area.cols));
    first = badge.count && !strncmp(badge.segments[0].text, "SF", 2);
    if (first || (int)badge.width + BRAND <= area.cols) {
        sf_area_puts(area, row, 0, " SF ", sf_look(SF_LOOK_BRAND));
        col = BRAND + gap;
    }
    for (size_t i = first; i < badge.count; i++)
        col += sf_area_puts(area, row, col, badge.segments[i].text,
                            look_of(&badge.segments[i], bright));
    return col;
}

static void add_money(struct sf_strbuf *out, int64_t micro)
{
    if (micro < 1000000)
        sf_strbuf_addf(out, "$%.3f", (double)micro / 1e6);
    else
        sf_strbuf_addf(out, "$%.2f", (double)micro / 1e6);
}

/* Each detail with its weight: the least important ones go first where room is short. */
static void draw_details(const struct sf_desk *d, struct sf_area area, int row, int from)
{
    struct sf_strbuf parts[4] = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT };
    static const int order[] = { 1, 0, 2, 3 }; /* dropped in this order */
    bool shown[4] = { true, true, true, true };
    int64_t used, window;
    size_t dropped = 0;
    int width;

    sf_strbuf_adds(&parts[0], d->project);
    sf_strbuf_adds(&parts[1], d->branch ? d->branch : "");
    sf_talk_context(d->talk, &used, &window);
    if (window > 0 && used >= 0)
        sf_strbuf_addf(&parts[2], "ctx %d%%", (int)(used * 100 / window));
    if (d->setup.talk.provider->kind == SF_PROVIDER_OFFLINE)
        sf_strbuf_adds(&parts[3], "offline");
    else if (d->cost_known)
        add_money(&parts[3], d->cost);
    else
        sf_strbuf_adds(&parts[3], "cost unknown");
    for (;;) {
        width = -1; /* two blanks between them, one behind the last */
        for (int i = 0; i < 4; i++)
            if (shown[i] && parts[i].len)
                width += (int)sf_text_width(parts[i].buf, parts[i].len) + 2;
        if (from + 1 + width <= area.cols || dropped == SF_COUNT(order))
            break;
        shown[order[dropped++]] = false;
    }
    width = area.cols - width;
    for (int i = 0; i < 4; i++)
        if (shown[i] && parts[i].len)
            width += sf_area_puts(area, row, width, parts[i].buf,
                                  sf_look(i ? SF_LOOK_DIM : SF_LOOK_TEXT)) +
                     2;
    for (int i = 0; i < 4; i++)
        sf_strbuf_release(&parts[i]);
}

/* ---- what waits ---- */

static void add_clock(struct sf_strbuf *out, int64_t ms)
{
    sf_strbuf_addf(out, "%d:%02d", (int)(ms / 60000), (int)(ms / 1000 % 60));
}

/* Small screens have no line for what merely goes on, but for what was just asked or answered. */
static bool has_status(const struct sf_desk *d, int rows)
{
    if (d->status[0] || sf_keymap_leader(d->keys) || !sf_transcript_at_end(d->transcript))
        return true;
    return rows >= ROWS_HEADER && (d->turn_ms || d->queue.count || sf_desk_watches(d) ||
                                   sf_composer_vim_mode(d->composer) || sf_talk_goal(d->talk)->set);
}

/* With what each letter does, where that fits. */
static void leader_hints(const struct sf_desk *d, int cols, struct sf_strbuf *out)
{
    static const enum sf_action_id shown[] = { SF_ACTION_WORK_MODE, SF_ACTION_AUTONOMOUS,
                                               SF_ACTION_ASSISTED,  SF_ACTION_MANUAL,
                                               SF_ACTION_REPAIR,    SF_ACTION_PROFILE };
    static const char *const names[] = { "mode",   "autonomous", "assisted",
                                         "manual", "repair",     "profile" };
    bool brief = cols < HINTS_BRIEF;
    char chord[SF_CHORD_TEXT];

    sf_strbuf_adds(out, brief ? "^X " : "Ctrl+X");
    for (size_t i = 0; i < SF_COUNT(shown); i++) {
        const char *space = strrchr(sf_keymap_shown(d->keys, shown[i], false, chord), ' ');

        if (space)
            sf_strbuf_addf(out, brief ? "%s " : "  %s %s", space + 1, names[i]);
    }
    if (brief)
        sf_strbuf_adds(out, "· h help");
}

/* Tall screens list what is queued above the composer; on others it is a word in the status. */
static int queue_rows(const struct sf_desk *d, int rows)
{
    return rows >= ROWS_QUEUE ? sf_queue_rows(d) : 0;
}

/* "working 0:07 · 1 queued “then update the changelog”" */
static void add_work(const struct sf_desk *d, struct sf_strbuf *out)
{
    if (d->turn_ms) {
        sf_strbuf_adds(out, d->waiting[0] ? d->waiting : "working");
        sf_strbuf_addch(out, ' ');
        add_clock(out, sf_clock_monotonic_ms() - d->turn_ms);
    }
    if (d->queue.count)
        sf_strbuf_addf(out, "%s%zu queued", out->len ? " · " : "", d->queue.count);
    if (d->queue.count && !queue_rows(d, d->frame.rows))
        sf_strbuf_addf(out, " “%s”", d->queue.items[0].text);
}

/* "goal fix the parser", and "paused" where it is not being worked on. */
static void add_goal(const struct sf_desk *d, struct sf_strbuf *out)
{
    const struct sf_goal *g = sf_talk_goal(d->talk);

    if (!g->set)
        return;
    sf_strbuf_addf(out, "%sgoal ", out->len ? " · " : "");
    if (g->status != SF_GOAL_ACTIVE)
        sf_strbuf_addf(out, "%s: ", sf_goal_status_names[g->status]);
    sf_strbuf_adds(out, g->text);
}

/* At the right: what it has used. */
static void add_goal_used(const struct sf_desk *d, struct sf_strbuf *out)
{
    const struct sf_goal *g = sf_talk_goal(d->talk);

    if (g->set)
        sf_goal_used(g, out);
    if (d->turn_ms)
        sf_strbuf_addf(out, "%sEsc cancels", out->len ? " · " : "");
}

/* A long text on the left is cut for `squeeze`; otherwise what is on the right is left out. */
static void draw_ends(struct sf_area area, const struct sf_strbuf *left, const char *right,
                      struct sf_look look, bool squeeze)
{
    int width = (int)sf_text_width(right, strlen(right)), room = area.cols - 2 - width - 2;
    bool both = sf_spoken_width(left->buf) + width + 4 < area.cols ||
                (squeeze && *right && room >= area.cols / 2);

    sf_area_put_spoken(area, 0, 1, both && *right ? room : area.cols - 2, left->buf, look);
    if (both)
        sf_area_put_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, right,
                          sf_look(SF_LOOK_DIM));
}

static void draw_status(const struct sf_desk *d, struct sf_area area)
{
    struct sf_strbuf left = SF_STRBUF_INIT, used = SF_STRBUF_INIT;
    const char *right = "", *vim = sf_composer_vim_mode(d->composer);
    struct sf_look look = sf_look(SF_LOOK_DIM);

    if (sf_keymap_leader(d->keys)) {
        leader_hints(d, area.cols, &left);
        look = sf_look(SF_LOOK_ACCENT);
        right = "Esc";
    } else if (d->status[0]) {
        sf_strbuf_adds(&left, d->status);
        look = sf_look(d->status_bad ? SF_LOOK_ERROR : SF_LOOK_INFO);
    } else if (sf_desk_watches(d)) {
        sf_watch_status(d, &left);
        look = sf_look(SF_LOOK_WARNING);
    } else if (d->turn_ms || d->queue.count) {
        add_work(d, &left);
    } else if (!sf_transcript_at_end(d->transcript)) {
        sf_strbuf_adds(&left, "↓ more below");
        right = "Ctrl+End to the end";
    } else if (vim) {
        sf_strbuf_adds(&left, vim);
    }
    if (!*right && !d->status[0]) {
        add_goal(d, &left);
        add_goal_used(d, &used);
        right = used.buf;
    } else if (!*right && d->turn_ms) {
        right = "Esc cancels";
    }
    draw_ends(area, &left, right, look, used.len && sf_talk_goal(d->talk)->set);
    sf_strbuf_release(&used);
    sf_strbuf_release(&left);
}

static void draw_find(struct sf_desk *d, struct sf_area area)
{
    bool brief = area.cols < FIND_BRIEF;
    char note[64];

    if (d->find_total)
        snprintf(note, sizeof(note),
                 brief ? "%zu/%zu" : "%zu of %zu  Enter older  ↓ newer  Esc ends", d->found,
                 d->find_total);
    else
        snprintf(note, sizeof(note), brief ? "none" : "nothing found  Esc ends");
    sf_composer_draw(
        d->find,
        sf_area_part(area, 0, 0, 1, area.cols - 2 - (int)sf_text_width(note, strlen(note))),
        area.cols < FIND_BRIEF / 2 ? " / " : " find ", sf_look(SF_LOOK_ACCENT),
        "words in the conversation");
    sf_area_put_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, note, sf_look(SF_LOOK_DIM));
}

/* ---- hints ---- */

struct hint {
    const char *key, *what;
};

/* What the keys do now: with a menu open, while a turn runs, else. */
static const struct hint *hints_of(const struct sf_desk *d)
{
    static const struct hint idle[] = {
        { "Enter", "send" }, { "Ctrl+J", "newline" }, { "Tab", "plan·agent·yolo" },
        { "^X", "modes" },   { "/", "commands" },     { "@", "files" },
        { "!", "shell" },    { NULL, NULL },
    };
    static const struct hint menu[] = {
        { "Enter", "take it" }, { "Tab", "complete" }, { "↑ ↓", "choose" },
        { "Esc", "close" },     { NULL, NULL },
    };
    static const struct hint running[] = {
        { "Enter", "steer" },    { "Tab", "queue" }, { "^X", "modes" }, { "/", "commands" },
        { "Ctrl+J", "newline" }, { "@", "files" },   { NULL, NULL },
    };

    static const struct hint watching[] = {
        { "/fork", "goes on beside it" },
        { "/", "commands" },
        { "PgUp", "back" },
        { NULL, NULL },
    };

    if (sf_menu_is_open(d))
        return menu;
    return sf_desk_watches(d) ? watching : d->turn_ms ? running : idle;
}

static void draw_hints(const struct sf_desk *d, struct sf_area area)
{
    const struct hint *hints = hints_of(d);
    int col = 1, room = area.cols - 9;

    for (size_t i = 0; hints[i].key; i++) {
        int width = (int)(sf_text_width(hints[i].key, strlen(hints[i].key)) +
                          sf_text_width(hints[i].what, strlen(hints[i].what))) +
                    1;

        if (col + width > room)
            break;
        col += sf_area_puts(area, 0, col, hints[i].key, sf_look(SF_LOOK_KEY)) + 1;
        col += sf_area_puts(area, 0, col, hints[i].what, sf_look(SF_LOOK_DIM)) + 3;
    }
    if (area.cols >= 30) {
        sf_area_puts(area, 0, area.cols - 8, "F1", sf_look(SF_LOOK_KEY));
        sf_area_puts(area, 0, area.cols - 5, "help", sf_look(SF_LOOK_DIM));
    }
}

/* ---- the whole ---- */

static void draw_transcript(struct sf_desk *d, struct sf_area area)
{
    const struct sf_transcript_now now = { .mono_ms = sf_clock_monotonic_ms(),
                                           .spin = d->low_motion ? -1 : d->ticks,
                                           .times = d->times };

    sf_welcome_draw(d, &area);
    d->transcript_area = area;
    sf_recall_fill(d, area);
    sf_transcript_draw(d->transcript, area, &now);
}

static void draw_composer(struct sf_desk *d, struct sf_area *area, int rows)
{
    static const char prompt[] = " › ";
    int lead = (int)sf_text_width(prompt, sizeof(prompt) - 1);
    int wanted = sf_composer_rows(d->composer, area->cols - lead);
    int most = rows / 3 > 1 ? rows / 3 : 1;

    d->composer_area = sf_area_take_bottom(area, wanted < most ? wanted : most);
    sf_composer_draw(d->composer, d->composer_area, prompt,
                     sf_look_with(SF_LOOK_ACCENT, SF_LOOK_BOLD),
                     sf_desk_watches(d) ? "watching; Enter sends nothing here"
                     : d->turn_ms       ? "steer it, or Tab to queue"
                                        : "");
}

/* Half of what is left is the conversation's. */
static void draw_tour(const struct sf_desk *d, struct sf_area *area)
{
    int wanted = sf_tour_rows(d, area->cols), most = area->rows / 2;

    if (wanted > 0 && most > 1) {
        sf_tour_draw(d, sf_area_take_bottom(area, wanted < most ? wanted : most - 1));
        sf_area_rule(sf_area_take_bottom(area, 1), 0, sf_look(SF_LOOK_RULE));
    }
}

/* From the bottom up to the conversation; what is left in `area` is the conversation's. */
static void draw_bottom(struct sf_desk *d, struct sf_area *area, int rows)
{
    bool ruled = rows >= ROWS_RULES;

    if (sf_card_first(d)) {
        int taken = sf_card_rows(d, area->cols, area->rows - 1);

        sf_card_draw(d, sf_area_take_bottom(area, taken));
        return;
    }
    if (rows >= ROWS_HINTS && !d->finding)
        draw_hints(d, sf_area_take_bottom(area, 1));
    draw_composer(d, area, rows);
    if (sf_menu_is_open(d))
        sf_menu_draw(d, sf_area_take_bottom(area, sf_menu_rows(d, area->rows / 2)));
    else
        sf_queue_draw(d, sf_area_take_bottom(area, queue_rows(d, rows)));
    if (d->finding)
        draw_find(d, sf_area_take_bottom(area, 1));
    else if (has_status(d, rows))
        draw_status(d, sf_area_take_bottom(area, 1));
    if (ruled)
        sf_area_rule(sf_area_take_bottom(area, 1), 0, sf_look(SF_LOOK_RULE));
    draw_tour(d, area);
}

bool sf_desk_is_small(const struct sf_desk *d)
{
    int rows, cols;

    sf_terminal_size(d->terminal, &rows, &cols);
    return rows < ROWS_MIN || cols < COLS_MIN;
}

/* One line. A card that is not seen must be drawn again before it takes an answer. */
static void draw_small(struct sf_desk *d, struct sf_area area)
{
    char text[64];

    d->cards.unseen = sf_card_first(d) != NULL;
    snprintf(text, sizeof(text), "sf needs %dx%d", COLS_MIN, ROWS_MIN);
    sf_area_puts(area, 0, 0, d->cards.unseen ? "a question waits" : text, sf_look(SF_LOOK_WARNING));
    if (d->cards.unseen && area.rows > 1)
        sf_area_puts(area, 1, 0, text, sf_look(SF_LOOK_WARNING));
}

/* What of the conversation may still change, its end if it is longer than the rest of the screen. */
static void draw_open(struct sf_desk *d, struct sf_area *area)
{
    const struct sf_transcript_now now = { .mono_ms = sf_clock_monotonic_ms(),
                                           .spin = d->low_motion ? -1 : d->ticks,
                                           .times = d->times };
    size_t lines = sf_transcript_lines(d->transcript, d->printed,
                                       sf_transcript_count(d->transcript), area->cols);
    size_t room = area->rows > 0 ? (size_t)area->rows : 0, shown = lines < room ? lines : room;

    sf_transcript_print(d->transcript, d->printed, lines - shown,
                        sf_area_take_bottom(area, (int)shown), &now);
}

int sf_desk_draw_block(struct sf_desk *d)
{
    struct sf_area area, block, header;
    int rows, cols, end;

    sf_terminal_size(d->terminal, &rows, &cols);
    sf_frame_resize(&d->frame, rows, cols);
    area = sf_frame_area(&d->frame);
    if (sf_desk_is_small(d)) {
        draw_small(d, sf_area_take_bottom(&area, 1));
        return area.rows;
    }
    sf_area_take_top(&area, 1); /* a line of what was printed stays in sight */
    block = sf_area_part(area, 0, 0, area.rows, cols < BLOCK_COLS ? cols : BLOCK_COLS);
    header = sf_area_take_bottom(&block, 1);
    end = draw_badge(d, header, 0);
    draw_details(d, header, 0, end + 1);
    draw_bottom(d, &block, rows);
    area = sf_area_part(area, 0, 0, block.rows, cols);
    draw_open(d, &area);
    return 1 + area.rows;
}

void sf_desk_draw(struct sf_desk *d)
{
    struct sf_area area, header;
    int rows, cols, end;

    sf_terminal_size(d->terminal, &rows, &cols);
    sf_frame_resize(&d->frame, rows, cols);
    area = sf_frame_area(&d->frame);
    if (sf_desk_is_small(d)) {
        draw_small(d, area);
        return;
    }
    header = rows >= ROWS_HEADER ? sf_area_take_top(&area, 1) : sf_area_take_bottom(&area, 1);
    end = draw_badge(d, header, 0);
    draw_details(d, header, 0, end + 1);
    if (rows >= ROWS_RULES)
        sf_area_rule(sf_area_take_top(&area, 1), 0, sf_look(SF_LOOK_RULE));
    if (d->overlay && (!sf_card_first(d) ||
                       sf_overlay_is_secret(d))) { /* a card has the keys, so it is what is seen */
        sf_overlay_draw(d, area);
        return;
    }
    draw_bottom(d, &area, rows);
    draw_transcript(d, area);
}
