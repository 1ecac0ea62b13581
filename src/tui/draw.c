/*
 * draw.c: where everything stands. From top to bottom: header, conversation, what waits, the
 * composer, hints. As the screen gets smaller the hints go first, then the rules between the
 * parts, then the header's details; badge, conversation and composer stay. Below 20 by 6 one line
 * says so.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    ROWS_MIN = 6,
    COLS_MIN = 20,
    ROWS_HEADER = 8, /* below, the badge stands in the last line */
    ROWS_RULES = 10, /* lines between the parts */
    ROWS_HINTS = 14,
    ROWS_QUEUE = 20,
    MORE_WIDE = 60,   /* columns from which the key to the end is named */
    FIND_BRIEF = 64,  /* … and the search's note is numbers */
    HINTS_BRIEF = 76, /* columns below which the leader's letters stand alone */
    BLOCK_COLS = 80,  /* at most, below what is printed: rows that do not reach the terminal's
                         edge are not broken when it gets narrower */
    BRANCH_MIN = 8,   /* columns of a branch's name that are worth showing */
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

static int draw_badge(const struct sf_tui *ui, struct sf_area area, int row)
{
    struct sf_mode_state pending = sf_port_preview(ui->port);
    const struct sf_badge_facts facts = { sf_port_state(ui->port), &pending,
                                          sf_port_scopes(ui->port), sf_port_approval(ui->port) };
    bool bright = ui->low_motion || ui->ticks % 2 == 0;
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

enum detail { PROJECT, BRANCH, CONTEXT, COST, DETAILS };

/* Two blanks between them, one behind the last. */
static int details_width(const struct sf_strbuf parts[DETAILS])
{
    int width = -1;

    for (int i = 0; i < DETAILS; i++)
        if (parts[i].len)
            width += (int)sf_text_width(parts[i].buf, parts[i].len) + 2;
    return width;
}

/* The least important ones go first where room is short, each down to what can still be read. */
static void fit_details(struct sf_strbuf parts[DETAILS], int room)
{
    static const struct {
        enum detail part;
        int least; /* columns that are worth showing; 0: all of it or none */
    } order[] = { { BRANCH, BRANCH_MIN }, { PROJECT, 0 }, { CONTEXT, 0 }, { COST, 0 } };

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

static void draw_details(const struct sf_tui *ui, struct sf_area area, int row, int from)
{
    struct sf_strbuf parts[DETAILS] = { SF_STRBUF_INIT, SF_STRBUF_INIT, SF_STRBUF_INIT,
                                        SF_STRBUF_INIT };
    int64_t used, window;
    int col;

    sf_strbuf_adds(&parts[PROJECT], ui->project);
    sf_strbuf_adds(&parts[BRANCH], ui->branch ? ui->branch : "");
    sf_port_context(ui->port, &used, &window);
    if (window > 0 && used >= 0)
        sf_strbuf_addf(&parts[CONTEXT], "ctx %d%%", (int)(used * 100 / window));
    if (sf_port_is_offline(ui->port))
        sf_strbuf_adds(&parts[COST], "offline");
    else if (sf_port_totals(ui->port)->cost_known)
        add_money(&parts[COST], sf_port_totals(ui->port)->cost);
    else
        sf_strbuf_adds(&parts[COST], "cost unknown");
    fit_details(parts, area.cols - from - 1);
    col = area.cols - details_width(parts);
    for (int i = 0; i < DETAILS; i++)
        if (parts[i].len)
            col += sf_area_puts(area, row, col, parts[i].buf,
                                sf_look(i == PROJECT ? SF_LOOK_TEXT : SF_LOOK_DIM)) +
                   2;
    for (int i = 0; i < DETAILS; i++)
        sf_strbuf_release(&parts[i]);
}

/* ---- what waits ---- */

static void add_clock(struct sf_strbuf *out, int64_t ms)
{
    sf_strbuf_addf(out, "%d:%02d", (int)(ms / 60000), (int)(ms / 1000 % 60));
}

/* A turn, what a custom command prepares, or a command of the user's. */
static bool is_working(const struct sf_tui *ui)
{
    return ui->turn_ms || sf_port_works(ui->port);
}

/* Where there are rules between the parts, that there is more below stands in one of them. */
static bool has_more(const struct sf_tui *ui, int rows)
{
    return rows < ROWS_RULES && !sf_transcript_at_end(ui->transcript);
}

/* Small screens have no line for what merely goes on, but for what was just asked or answered. */
static bool has_status(const struct sf_tui *ui, int rows)
{
    if (ui->status[0] || sf_keymap_leader(ui->keys) || has_more(ui, rows))
        return true;
    return rows >= ROWS_HEADER &&
           (is_working(ui) || sf_port_queue(ui->port)->count || sf_tui_watches(ui) ||
            sf_composer_vim_mode(ui->composer) || sf_port_goal(ui->port)->set);
}

/* The letter that follows the leader; "" where the action has none. */
static const char *led_by(const struct sf_tui *ui, enum sf_action_id action,
                          char text[SF_CHORD_TEXT])
{
    const struct sf_key *leader = sf_keymap_leader(ui->keys);
    struct sf_chord chord;

    for (size_t i = 0; sf_keymap_chord(ui->keys, action, i, &chord); i++)
        if (chord.keys[1].code && chord.keys[0].code == leader->code) {
            sf_chord_text(&chord, text);
            return strrchr(text, ' ') + 1;
        }
    return "";
}

/* With what each letter does, as far as that fits; the axes come first. */
static void leader_hints(const struct sf_tui *ui, int cols, struct sf_strbuf *out)
{
    static const struct {
        enum sf_action_id action;
        const char *name;
    } shown[] = {
        { SF_ACTION_WORK_MODE, "mode" },    { SF_ACTION_AUTONOMOUS, "autonomous" },
        { SF_ACTION_ASSISTED, "assisted" }, { SF_ACTION_MANUAL, "manual" },
        { SF_ACTION_REPAIR, "repair" },     { SF_ACTION_PROFILE, "profile" },
        { SF_ACTION_MODEL_MODE, "model" },  { SF_ACTION_BACKTRACK, "back" },
        { SF_ACTION_SESSIONS, "sessions" }, { SF_ACTION_TASKS, "tasks" },
        { SF_ACTION_COPY, "copy" },         { SF_ACTION_HELP, "help" },
        { SF_ACTION_TIMES, "times" },       { SF_ACTION_KILL_LINE, "cut" },
        { SF_ACTION_YANK, "paste" },        { SF_ACTION_SUSPEND, "suspend" },
    };
    enum { AXES = 6, ENDS = 8 }; /* columns kept for blanks and for Esc */
    bool brief = cols < HINTS_BRIEF;
    struct sf_strbuf one = SF_STRBUF_INIT;
    char chord[SF_CHORD_TEXT];

    sf_strbuf_adds(out, brief ? "^X " : "Ctrl+X");
    for (size_t i = 0; i < SF_COUNT(shown) && (!brief || i < AXES); i++) {
        const char *letter = led_by(ui, shown[i].action, chord);

        sf_strbuf_reset(&one);
        sf_strbuf_addf(&one, brief ? "%s " : "  %s %s", letter, shown[i].name);
        if (*letter && (brief || (int)(out->len + one.len) <= cols - ENDS))
            sf_strbuf_add(out, one.buf, one.len);
    }
    if (brief)
        sf_strbuf_adds(out, "· h help");
    sf_strbuf_release(&one);
}

/* Tall screens list what is queued above the composer; on others it is a word in the status. */
static int queue_rows(const struct sf_tui *ui, int rows)
{
    return rows >= ROWS_QUEUE ? sf_queue_rows(ui) : 0;
}

static void part(struct sf_strbuf *out)
{
    if (out->len)
        sf_strbuf_adds(out, " · ");
}

/* "24,000" */
static void add_thousands(struct sf_strbuf *out, size_t n)
{
    if (n >= 1000)
        add_thousands(out, n / 1000);
    sf_strbuf_addf(out, n >= 1000 ? ",%03zu" : "%zu", n % 1000);
}

/* "restoring 24,000 files: your words wait"; false: no files are on their way. */
static bool add_restore(const struct sf_tui *ui, struct sf_strbuf *out)
{
    const struct sf_restore_job *job = sf_port_restoring(ui->port);

    if (!job || job->state == SF_RESTORE_STATE_PLANNED)
        return false;
    part(out);
    if (job->state == SF_RESTORE_STATE_RUNNING) {
        sf_strbuf_adds(out, "restoring ");
        add_thousands(out, sf_restore_files(job));
        sf_strbuf_adds(out, sf_restore_files(job) == 1 ? " file" : " files");
    } else {
        sf_strbuf_adds(out, "looking at the files");
    }
    sf_strbuf_adds(out,
                   sf_port_queue(ui->port)->held ? ": your words wait" : ": what you send waits");
    return true;
}

/* "working 0:07 · 1 queued “then update the changelog”" */
static void add_work(const struct sf_tui *ui, struct sf_strbuf *out)
{
    int64_t since = ui->turn_ms ? ui->turn_ms : ui->shell_ms;

    if (!add_restore(ui, out) && is_working(ui)) {
        part(out);
        sf_strbuf_adds(out, !since           ? "stopping"
                            : ui->waiting[0] ? ui->waiting
                            : ui->turn_ms    ? "working"
                                             : "your command runs");
    }
    if (since) {
        sf_strbuf_addch(out, ' ');
        add_clock(out, sf_clock_monotonic_ms() - since);
    }
    if (sf_port_queue(ui->port)->count) {
        part(out);
        sf_strbuf_addf(out, "%zu queued", sf_port_queue(ui->port)->count);
    }
    if (sf_port_queue(ui->port)->count && !queue_rows(ui, ui->frame.rows))
        sf_strbuf_addf(out, " “%s”", sf_port_queue(ui->port)->items[0].text);
}

/* "goal fix the parser", and "paused" where it is not being worked on. */
static void add_goal(const struct sf_tui *ui, struct sf_strbuf *out)
{
    const struct sf_goal *g = sf_port_goal(ui->port);

    if (!g->set)
        return;
    part(out);
    sf_strbuf_adds(out, "goal ");
    sf_port_goal_line(g, out);
}

/* At the right: what it has used. */
static void add_goal_used(const struct sf_tui *ui, struct sf_strbuf *out)
{
    const struct sf_goal *g = sf_port_goal(ui->port);

    if (g->set)
        sf_port_goal_used(g, out);
    if (is_working(ui)) {
        part(out);
        sf_strbuf_adds(out, "Esc cancels");
    }
}

/* A long text on the left is cut for `squeeze`; otherwise what is on the right is left out. */
static void draw_ends(struct sf_area area, const struct sf_strbuf *left, const char *right,
                      struct sf_look look, bool squeeze)
{
    int width = (int)sf_text_width(right, strlen(right)), room = area.cols - 2 - width - 2;
    bool both = sf_marked_width(left->buf) + width + 4 < area.cols ||
                (squeeze && *right && room >= area.cols / 2);

    sf_area_put_marked(area, 0, 1, both && *right ? room : area.cols - 2, left->buf, look);
    if (both)
        sf_area_put_right(sf_area_part(area, 0, 0, 1, area.cols - 1), 0, right,
                          sf_look(SF_LOOK_DIM));
}

static void draw_status(const struct sf_tui *ui, struct sf_area area)
{
    struct sf_strbuf left = SF_STRBUF_INIT, used = SF_STRBUF_INIT;
    const char *right = "", *vim = sf_composer_vim_mode(ui->composer);
    struct sf_look look = sf_look(SF_LOOK_DIM);

    if (sf_keymap_leader(ui->keys)) {
        leader_hints(ui, area.cols, &left);
        look = sf_look(SF_LOOK_ACCENT);
        right = "Esc";
    } else if (ui->status[0]) {
        sf_strbuf_adds(&left, ui->status);
        look = sf_look(ui->status_bad ? SF_LOOK_ERROR : SF_LOOK_INFO);
    } else if (sf_tui_watches(ui)) {
        sf_watch_status(ui, &left);
        look = sf_look(SF_LOOK_WARNING);
    } else if (has_more(ui, ui->frame.rows)) {
        sf_strbuf_adds(&left, "↓ more below");
        add_work(ui, &left);
    } else {
        sf_strbuf_adds(&left, vim ? vim : "");
        add_work(ui, &left);
    }
    if (!*right && !ui->status[0]) {
        add_goal(ui, &left);
        add_goal_used(ui, &used);
        right = used.buf;
    } else if (!*right && is_working(ui)) {
        right = "Esc cancels";
    }
    draw_ends(area, &left, right, look, used.len && sf_port_goal(ui->port)->set);
    sf_strbuf_release(&used);
    sf_strbuf_release(&left);
}

static void draw_find(struct sf_tui *ui, struct sf_area area)
{
    bool brief = area.cols < FIND_BRIEF;
    char note[64];

    if (ui->find_total)
        snprintf(note, sizeof(note),
                 brief ? "%zu/%zu" : "%zu of %zu  Enter older  ↓ newer  Esc ends", ui->found,
                 ui->find_total);
    else
        snprintf(note, sizeof(note), brief ? "none" : "nothing found  Esc ends");
    sf_composer_draw(
        ui->find,
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
static const struct hint *hints_of(const struct sf_tui *ui)
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

    static const struct hint command[] = {
        { "Enter", "send" }, { "Tab", "queue" },      { "Esc", "cancel" }, { "^X", "modes" },
        { "/", "commands" }, { "Ctrl+J", "newline" }, { NULL, NULL },
    };

    if (sf_menu_is_open(ui))
        return menu;
    return sf_tui_watches(ui) ? watching : ui->turn_ms ? running : is_working(ui) ? command : idle;
}

static void draw_hints(const struct sf_tui *ui, struct sf_area area)
{
    const struct hint *hints = hints_of(ui);
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

static void draw_transcript(struct sf_tui *ui, struct sf_area area)
{
    const struct sf_transcript_now now = { .mono_ms = sf_clock_monotonic_ms(),
                                           .spin = ui->low_motion ? -1 : ui->ticks,
                                           .times = ui->times };

    sf_welcome_draw(ui, &area);
    ui->transcript_area = area;
    sf_recall_fill(ui, area);
    sf_transcript_draw(ui->transcript, area, &now);
}

static void draw_composer(struct sf_tui *ui, struct sf_area *area, int rows)
{
    static const char prompt[] = " › ";
    int lead = (int)sf_text_width(prompt, sizeof(prompt) - 1);
    int wanted = sf_composer_rows(ui->composer, area->cols - lead);
    int most = rows / 3 > 1 ? rows / 3 : 1;

    ui->composer_area = sf_area_take_bottom(area, wanted < most ? wanted : most);
    sf_composer_draw(ui->composer, ui->composer_area, prompt,
                     sf_look_with(SF_LOOK_ACCENT, SF_LOOK_BOLD),
                     sf_tui_watches(ui) ? "watching; Enter sends nothing here"
                     : ui->turn_ms      ? "steer it, or Tab to queue"
                                        : "");
}

/* Half of what is left is the conversation's. */
static void draw_tour(const struct sf_tui *ui, struct sf_area *area)
{
    int wanted = sf_tour_rows(ui, area->cols), most = area->rows / 2;

    if (wanted > 0 && most > 1) {
        sf_tour_draw(ui, sf_area_take_bottom(area, wanted < most ? wanted : most - 1));
        sf_area_rule(sf_area_take_bottom(area, 1), 0, sf_look(SF_LOOK_RULE));
    }
}

/* The conversation's end is out of sight: said beside whatever else is said below. */
static void draw_rule(const struct sf_tui *ui, struct sf_area area)
{
    const char *more = area.cols >= MORE_WIDE ? " ↓ more below · Ctrl+End " : " ↓ more below ";

    sf_area_rule(area, 0, sf_look(SF_LOOK_RULE));
    if (!sf_transcript_at_end(ui->transcript))
        sf_area_put_right(sf_area_part(area, 0, 0, 1, area.cols - 2), 0, more,
                          sf_look(SF_LOOK_INFO));
}

/* From the bottom up to the conversation; what is left in `area` is the conversation's. */
static void draw_bottom(struct sf_tui *ui, struct sf_area *area, int rows)
{
    bool ruled = rows >= ROWS_RULES;

    if (sf_card_first(ui)) {
        int taken = sf_card_rows(ui, area->cols, area->rows - 1);

        sf_card_draw(ui, sf_area_take_bottom(area, taken));
        return;
    }
    if (rows >= ROWS_HINTS && !ui->finding)
        draw_hints(ui, sf_area_take_bottom(area, 1));
    draw_composer(ui, area, rows);
    if (sf_menu_is_open(ui))
        sf_menu_draw(ui, sf_area_take_bottom(area, sf_menu_rows(ui, area->rows / 2)));
    else
        sf_queue_draw(ui, sf_area_take_bottom(area, queue_rows(ui, rows)));
    sf_steers_draw(ui,
                   sf_area_take_bottom(area, sf_steers_rows(ui, rows >= ROWS_QUEUE ? rows : 1)));
    if (ui->finding)
        draw_find(ui, sf_area_take_bottom(area, 1));
    else if (has_status(ui, rows))
        draw_status(ui, sf_area_take_bottom(area, 1));
    if (ruled)
        draw_rule(ui, sf_area_take_bottom(area, 1));
    draw_tour(ui, area);
}

bool sf_tui_is_small(const struct sf_tui *ui)
{
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    return rows < ROWS_MIN || cols < COLS_MIN;
}

/* One line. A card that is not seen must be drawn again before it takes an answer. */
static void draw_small(struct sf_tui *ui, struct sf_area area)
{
    char text[64];

    ui->cards.unseen = sf_card_first(ui) != NULL;
    snprintf(text, sizeof(text), "sf needs %dx%d", COLS_MIN, ROWS_MIN);
    sf_area_puts(area, 0, 0, ui->cards.unseen ? "a question waits" : text,
                 sf_look(SF_LOOK_WARNING));
    if (ui->cards.unseen && area.rows > 1)
        sf_area_puts(area, 1, 0, text, sf_look(SF_LOOK_WARNING));
}

/* What of the conversation may still change, its end if it is longer than the rest of the screen. */
static void draw_open(struct sf_tui *ui, struct sf_area *area)
{
    const struct sf_transcript_now now = { .mono_ms = sf_clock_monotonic_ms(),
                                           .spin = ui->low_motion ? -1 : ui->ticks,
                                           .times = ui->times };
    size_t lines = sf_transcript_lines(ui->transcript, ui->printed,
                                       sf_transcript_count(ui->transcript), area->cols);
    size_t room = area->rows > 0 ? (size_t)area->rows : 0, shown = lines < room ? lines : room;

    sf_transcript_print(ui->transcript, ui->printed, lines - shown,
                        sf_area_take_bottom(area, (int)shown), &now);
}

int sf_tui_draw_block(struct sf_tui *ui)
{
    struct sf_area area, block, header;
    int rows, cols, end;

    sf_terminal_size(ui->terminal, &rows, &cols);
    sf_frame_resize(&ui->frame, rows, cols);
    area = sf_frame_area(&ui->frame);
    if (sf_tui_is_small(ui)) {
        draw_small(ui, sf_area_take_bottom(&area, 1));
        return area.rows;
    }
    sf_area_take_top(&area, 1); /* a line of what was printed stays in sight */
    block = sf_area_part(area, 0, 0, area.rows, cols < BLOCK_COLS ? cols : BLOCK_COLS);
    header = sf_area_take_bottom(&block, 1);
    end = draw_badge(ui, header, 0);
    draw_details(ui, header, 0, end + 1);
    draw_bottom(ui, &block, rows);
    area = sf_area_part(area, 0, 0, block.rows, cols);
    draw_open(ui, &area);
    return 1 + area.rows;
}

void sf_tui_draw(struct sf_tui *ui)
{
    struct sf_area area, header;
    int rows, cols, end;

    sf_terminal_size(ui->terminal, &rows, &cols);
    sf_frame_resize(&ui->frame, rows, cols);
    area = sf_frame_area(&ui->frame);
    if (sf_tui_is_small(ui)) {
        draw_small(ui, area);
        return;
    }
    header = rows >= ROWS_HEADER ? sf_area_take_top(&area, 1) : sf_area_take_bottom(&area, 1);
    end = draw_badge(ui, header, 0);
    draw_details(ui, header, 0, end + 1);
    if (rows >= ROWS_RULES)
        sf_area_rule(sf_area_take_top(&area, 1), 0, sf_look(SF_LOOK_RULE));
    if (ui->overlay &&
        (!sf_card_first(ui) ||
         sf_overlay_is_secret(ui))) { /* a card has the keys, so it is what is seen */
        sf_overlay_draw(ui, area);
        return;
    }
    draw_bottom(ui, &area, rows);
    draw_transcript(ui, area);
}
