/*
 * draw.c: where everything stands. From top to bottom: header, conversation, status and waiting
 * words, composer, hints. As the screen gets smaller the hints go first, then the rules between the
 * parts, then the details of the header; badge, conversation and composer stay. On a screen below
 * 20 by 6 one line says that it is too small.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    ROWS_MIN = 6,
    COLS_MIN = 20,
    ROWS_HEADER = 8, /* On lower screens the badge stands in the last line. */
    ROWS_RULES = 10, /* From here on there are lines between the parts. */
    ROWS_HINTS = 14,
    ROWS_QUEUE = 20,
    MORE_WIDE = 60,   /* From so many columns on, the key that goes to the end is named. */
    HINTS_BRIEF = 76, /* In fewer columns the letters behind the leader stand alone. */
    BLOCK_COLS = 80, /* The most columns of the block below a printed conversation: rows that do not
                         reach the edge of the terminal are not broken when it gets narrower. */
};

/* ---- the status line ---- */

static void add_clock(struct sf_strbuf *out, int64_t ms)
{
    sf_strbuf_addf(out, "%d:%02d", (int)(ms / 60000), (int)(ms / 1000 % 60));
}

/* True while a turn runs, a custom command prepares its prompt, or a command of the user runs. */
static bool is_working(const struct sf_tui *ui)
{
    return ui->progress.turn_ms || sf_port_works(ui->port);
}

/* Without rules between the parts, the status line says that there is more below. */
static bool has_more(const struct sf_tui *ui, int rows)
{
    return rows < ROWS_RULES && !sf_transcript_at_end(ui->pane.transcript);
}

/* A background job runs, and no sidebar says so. */
static bool has_jobs(const struct sf_tui *ui)
{
    const struct sf_frame *frame = &ui->painter.frame;

    return sf_port_overview(ui->port)->jobs && !sf_sidebar_cols(ui, frame->rows, frame->cols);
}

/* Small screens have no line for running work, but one for a sentence to the user. */
static bool has_news(const struct sf_tui *ui, int rows)
{
    if (ui->status.text[0] || sf_keymap_leader(ui->keyboard.map) || has_more(ui, rows))
        return true;
    return rows >= ROWS_HEADER &&
           (is_working(ui) || has_jobs(ui) || sf_port_queue(ui->port)->count ||
            sf_tui_watches(ui) || sf_port_goal(ui->port)->set);
}

/* Where there is nothing to tell: the vim mode, and the user's own line of facts. */
static bool has_facts(const struct sf_tui *ui, int rows)
{
    return rows >= ROWS_HEADER &&
           (sf_composer_vim_mode(ui->draft.composer) || sf_port_has_statusline(ui->port));
}

/* The letter that follows the leader; "" where the action has none. */
static const char *led_by(const struct sf_tui *ui, enum sf_action_id action,
                          char text[SF_CHORD_TEXT])
{
    const struct sf_key *leader = sf_keymap_leader(ui->keyboard.map);
    struct sf_chord chord;

    for (size_t i = 0; sf_keymap_chord(ui->keyboard.map, action, i, &chord); i++)
        if (chord.keys[1].code && chord.keys[0].code == leader->code) {
            sf_chord_text(&chord, text);
            return strrchr(text, ' ') + 1;
        }
    return "";
}

/* The letters that may follow the leader and what they do, as far as they fit; axes come first. */
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
        { SF_ACTION_SIDEBAR, "sidebar" },   { SF_ACTION_COPY, "copy" },
        { SF_ACTION_HELP, "help" },         { SF_ACTION_TIMES, "times" },
        { SF_ACTION_KILL_LINE, "cut" },     { SF_ACTION_YANK, "paste" },
        { SF_ACTION_SUSPEND, "suspend" },
    };
    enum { AXES = 6, ENDS = 8 }; /* Rows that are shown if brief; columns for blanks and "Esc". */
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

/* Tall screens list queued words above the composer; on others the status counts them. */
static int queue_rows(const struct sf_tui *ui, int rows)
{
    return rows >= ROWS_QUEUE ? sf_queue_rows(sf_port_queue(ui->port)) : 0;
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

/* "restoring 24,000 files: your words wait"; false: no restore runs. */
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

/* "1 job running · /tasks", where the sidebar does not say it; a status message stands beside it. */
static void add_jobs(const struct sf_tui *ui, struct sf_strbuf *out)
{
    size_t jobs = sf_port_overview(ui->port)->jobs;

    if (!has_jobs(ui))
        return;
    part(out);
    sf_strbuf_addf(out, "%zu job%s running · /tasks", jobs, jobs == 1 ? "" : "s");
}

/* "working 0:07 · 1 queued “then update the changelog”" */
static void add_work(const struct sf_tui *ui, struct sf_strbuf *out)
{
    int64_t since = ui->progress.turn_ms ? ui->progress.turn_ms : ui->progress.shell_ms;

    if (!add_restore(ui, out) && is_working(ui)) {
        part(out);
        sf_strbuf_adds(out, !since                    ? "stopping"
                            : ui->progress.waiting[0] ? ui->progress.waiting
                            : ui->progress.turn_ms    ? "working"
                                                      : "your command runs");
    }
    if (since) {
        sf_strbuf_addch(out, ' ');
        add_clock(out, sf_clock_monotonic_ms() - since);
    }
    if (ui->progress.turn_ms && !ui->progress.waiting[0])
        sf_progress_add(&ui->progress, out);
    if (sf_port_queue(ui->port)->count) {
        part(out);
        sf_strbuf_addf(out, "%zu queued", sf_port_queue(ui->port)->count);
    }
    if (sf_port_queue(ui->port)->count && !queue_rows(ui, ui->painter.frame.rows))
        sf_strbuf_addf(out, " “%s”", sf_port_queue(ui->port)->items[0].text);
}

/* "goal fix the parser", with "paused" where nobody works on the goal. */
static void add_goal(const struct sf_tui *ui, struct sf_strbuf *out)
{
    const struct sf_goal *g = sf_port_goal(ui->port);

    if (!g->set)
        return;
    part(out);
    sf_strbuf_adds(out, "goal ");
    sf_port_goal_line(g, out);
}

static const char *escape_hint(const struct sf_tui *ui)
{
    return sf_tui_escape_pauses(ui) ? "Esc pauses" : "Esc cancels";
}

/* At the right stands what the goal has used. */
static void add_goal_used(const struct sf_tui *ui, struct sf_strbuf *out)
{
    const struct sf_goal *g = sf_port_goal(ui->port);

    if (g->set)
        sf_port_goal_used(g, out);
    if (is_working(ui)) {
        part(out);
        sf_strbuf_adds(out, escape_hint(ui));
    }
}

/* With `squeeze` a long text on the left is cut; otherwise the text on the right is left out. */
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
    const char *right = "", *vim = sf_composer_vim_mode(ui->draft.composer);
    struct sf_look look = sf_look(SF_LOOK_DIM);

    if (sf_keymap_leader(ui->keyboard.map)) {
        leader_hints(ui, area.cols, &left);
        look = sf_look(SF_LOOK_ACCENT);
        right = "Esc";
    } else if (ui->status.text[0]) {
        sf_strbuf_adds(&left, ui->status.text);
        look = sf_look(ui->status.bad ? SF_LOOK_ERROR : SF_LOOK_INFO);
    } else if (sf_tui_watches(ui)) {
        sf_watch_status(ui, &left);
        look = sf_look(SF_LOOK_WARNING);
    } else if (has_more(ui, ui->painter.frame.rows)) {
        sf_strbuf_adds(&left, "↓ more below");
        add_work(ui, &left);
    } else {
        sf_strbuf_adds(&left, vim ? vim : "");
        add_work(ui, &left);
    }
    if (!*right && !ui->status.text[0]) {
        add_jobs(ui, &left);
        add_goal(ui, &left);
        add_goal_used(ui, &used);
        right = used.buf;
    } else if (!*right && is_working(ui)) {
        right = escape_hint(ui);
    } else if (!*right) {
        add_jobs(ui, &used);
        right = used.buf;
    }
    draw_ends(area, &left, right, look,
              used.len && (sf_port_goal(ui->port)->set || ui->status.text[0]));
    sf_strbuf_release(&used);
    sf_strbuf_release(&left);
}

/* Its text is the user's, so it is dim, and nothing in it is marked as a command. */
static void draw_facts(const struct sf_tui *ui, struct sf_area area)
{
    const char *vim = sf_composer_vim_mode(ui->draft.composer);
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_adds(&text, vim ? vim : "");
    if (sf_port_has_statusline(ui->port)) {
        part(&text);
        sf_port_statusline_add(ui->port, &text);
    }
    sf_area_put_cut(area, 0, 1, area.cols - 2, text.buf, sf_look(SF_LOOK_DIM));
    sf_strbuf_release(&text);
}

/* ---- hints ---- */

struct hint {
    const char *key, *what;
};

/* What the keys do now depends on the menu and on what runs. */
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

    if (sf_menu_is_open(ui->menu))
        return menu;
    return sf_tui_watches(ui)     ? watching
           : ui->progress.turn_ms ? running
           : is_working(ui)       ? command
                                  : idle;
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

/* The badge says that sf drives, so the screen says that nothing follows by itself. */
static const char *idle_hint(const struct sf_tui *ui)
{
    return sf_mode_state_drives(sf_port_state(ui->port)) && !is_working(ui)
               ? "waits for you: nothing follows yet"
               : "";
}

static void draw_composer(struct sf_tui *ui, struct sf_area *area, int rows)
{
    static const char prompt[] = " › ";
    int lead = (int)sf_text_width(prompt, sizeof(prompt) - 1);
    int wanted = sf_composer_rows(ui->draft.composer, area->cols - lead);
    int most = rows / 3 > 1 ? rows / 3 : 1;

    ui->draft.area = sf_area_take_bottom(area, wanted < most ? wanted : most);
    sf_composer_draw(ui->draft.composer, ui->draft.area, prompt,
                     sf_look_with(SF_LOOK_ACCENT, SF_LOOK_BOLD),
                     sf_tui_watches(ui)     ? "watching; Enter sends nothing here"
                     : ui->progress.turn_ms ? "steer it, or Tab to queue"
                                            : idle_hint(ui));
}

/* The conversation keeps half of the rows that are left. */
static void draw_tour(const struct sf_tour *tour, struct sf_area *area)
{
    int wanted = sf_tour_rows(tour, area->cols), most = area->rows / 2;

    if (wanted > 0 && most > 1) {
        sf_tour_draw(tour, sf_area_take_bottom(area, wanted < most ? wanted : most - 1));
        sf_area_rule(sf_area_take_bottom(area, 1), 0, sf_look(SF_LOOK_RULE));
    }
}

/* The rule says when the end of the conversation is out of sight. */
static void draw_rule(const struct sf_transcript *transcript, struct sf_area area)
{
    const char *more = area.cols >= MORE_WIDE ? " ↓ more below · Ctrl+End " : " ↓ more below ";

    sf_area_rule(area, 0, sf_look(SF_LOOK_RULE));
    if (!sf_transcript_at_end(transcript))
        sf_area_put_right(sf_area_part(area, 0, 0, 1, area.cols - 2), 0, more,
                          sf_look(SF_LOOK_INFO));
}

/* Draws from the bottom up; the rows left in `area` are for the conversation. */
static void draw_bottom(struct sf_tui *ui, struct sf_area *area, int rows)
{
    const struct sf_strlist *steering = sf_port_steering(ui->port);
    bool ruled = rows >= ROWS_RULES;

    if (sf_card_first(&ui->cards)) {
        int taken = sf_card_rows(ui, area->cols, area->rows - 1);

        sf_card_draw(ui, sf_area_take_bottom(area, taken));
        return;
    }
    if (rows >= ROWS_HINTS && !ui->find_bar.open)
        draw_hints(ui, sf_area_take_bottom(area, 1));
    draw_composer(ui, area, rows);
    if (sf_menu_is_open(ui->menu))
        sf_menu_draw(ui->menu, sf_area_take_bottom(area, sf_menu_rows(ui->menu, area->rows / 2)));
    else
        sf_queue_draw(sf_port_queue(ui->port), sf_area_take_bottom(area, queue_rows(ui, rows)));
    sf_steers_draw(steering, sf_area_take_bottom(
                                 area, sf_steers_rows(steering, rows >= ROWS_QUEUE ? rows : 1)));
    if (ui->find_bar.open)
        sf_find_bar_draw(&ui->find_bar, sf_area_take_bottom(area, 1));
    else if (has_news(ui, rows))
        draw_status(ui, sf_area_take_bottom(area, 1));
    else if (has_facts(ui, rows))
        draw_facts(ui, sf_area_take_bottom(area, 1));
    if (ruled)
        draw_rule(ui->pane.transcript, sf_area_take_bottom(area, 1));
    draw_tour(&ui->tour, area);
}

/* A card has the keys, so it is on the screen, unless a secret is being typed. */
bool sf_tui_card_covers(const struct sf_tui *ui)
{
    return sf_card_first(&ui->cards) && !sf_overlay_is_secret(ui->overlay);
}

bool sf_tui_is_small(const struct sf_tui *ui)
{
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    return rows < ROWS_MIN || cols < COLS_MIN;
}

/* One line. A card that is not on the screen must be drawn before it takes an answer. */
static void draw_small(struct sf_cards *cards, struct sf_area area)
{
    char text[64];

    cards->unseen = sf_card_first(cards) != NULL;
    snprintf(text, sizeof(text), "sf needs %dx%d", COLS_MIN, ROWS_MIN);
    sf_area_puts(area, 0, 0, cards->unseen ? "a question waits" : text, sf_look(SF_LOOK_WARNING));
    if (cards->unseen && area.rows > 1)
        sf_area_puts(area, 1, 0, text, sf_look(SF_LOOK_WARNING));
}

int sf_tui_draw_block(struct sf_tui *ui)
{
    struct sf_area area, block, header;
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    sf_frame_resize(&ui->painter.frame, rows, cols);
    area = sf_frame_area(&ui->painter.frame);
    if (sf_tui_is_small(ui)) {
        draw_small(&ui->cards, sf_area_take_bottom(&area, 1));
        return area.rows;
    }
    sf_area_take_top(&area, 1); /* One printed line stays in sight. */
    block = sf_area_part(area, 0, 0, area.rows, cols < BLOCK_COLS ? cols : BLOCK_COLS);
    header = sf_area_take_bottom(&block, 1);
    sf_header_draw(ui, header);
    draw_bottom(ui, &block, rows);
    area = sf_area_part(area, 0, 0, block.rows, cols);
    sf_pane_draw_open(&ui->pane, &ui->painter, &area);
    return 1 + area.rows;
}

/* Splits the sidebar off the conversation; the rules above and below meet its edge. */
static void draw_sidebar(struct sf_tui *ui, struct sf_area *area)
{
    struct sf_area whole = sf_frame_area(&ui->painter.frame), body = *area;
    int cols = sf_sidebar_cols(ui, whole.rows, whole.cols), edge = body.cols - cols;

    if (!cols)
        return;
    *area = sf_area_part(body, 0, 0, body.rows, edge);
    sf_sidebar_draw(ui, sf_area_part(body, 0, edge, body.rows, cols));
    if (whole.rows < ROWS_RULES)
        return;
    sf_area_puts(whole, body.row - 1, edge, "┬", sf_look(SF_LOOK_RULE));
    if (!sf_card_first(&ui->cards))
        sf_area_puts(whole, body.row + body.rows, edge, "┴", sf_look(SF_LOOK_RULE));
}

void sf_tui_draw(struct sf_tui *ui)
{
    struct sf_area area, header;
    int rows, cols;

    sf_terminal_size(ui->terminal, &rows, &cols);
    sf_frame_resize(&ui->painter.frame, rows, cols);
    area = sf_frame_area(&ui->painter.frame);
    if (sf_tui_is_small(ui)) {
        draw_small(&ui->cards, area);
        return;
    }
    header = rows >= ROWS_HEADER ? sf_area_take_top(&area, 1) : sf_area_take_bottom(&area, 1);
    sf_header_draw(ui, header);
    if (rows >= ROWS_RULES)
        sf_area_rule(sf_area_take_top(&area, 1), 0, sf_look(SF_LOOK_RULE));
    if (ui->overlay && !sf_tui_card_covers(ui)) {
        sf_overlay_draw(ui->overlay, &ui->status, area);
        return;
    }
    draw_bottom(ui, &area, rows);
    draw_sidebar(ui, &area);
    sf_pane_draw(ui, area);
}
