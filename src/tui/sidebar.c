/*
 * sidebar.c: what is true now, beside the conversation on wide screens: the steps, the files that
 * changed, what runs, what waits, and what was used. Nothing in it moves by itself. A part without
 * content is left out, and long lists are cut so that every part keeps its place.
 */
#include <string.h>

#include "tui/internal.h"

enum {
    WIDE = 130, /* From so many columns on there is room for it. */
    TALL = 16,
    COLS_LEAST = 36,
    COLS_MOST = 48,
    LABEL = 9,       /* Columns of the words at the left: "Changed". */
    FILES_LEAST = 3, /* Files that are listed although the steps need the room. */
    BAR = 10,
    BAR_LEAST = 4,
};

const char *const sf_sidebar_names[] = { "auto", "on", "off", NULL };

/* ---- whether it is there ---- */

static bool has_content(const struct sf_tui *ui, const struct sf_overview *o)
{
    const struct sf_port_totals *t = sf_port_totals(ui->port);

    return o->todo_count || o->changed || o->jobs || o->questions || t->tokens_in + t->tokens_out;
}

static bool may_show(const struct sf_tui *ui, int rows, int cols)
{
    return cols >= WIDE && rows >= TALL && ui->sidebar != SF_SIDEBAR_OFF && !ui->setup.inline_mode;
}

void sf_sidebar_want(const struct sf_tui *ui)
{
    int rows, cols;

    if (!ui->terminal)
        return;
    sf_terminal_size(ui->terminal, &rows, &cols);
    sf_port_overview_want(ui->port, may_show(ui, rows, cols));
}

int sf_sidebar_cols(const struct sf_tui *ui, int rows, int cols)
{
    int wide = cols / 4;

    if (!may_show(ui, rows, cols))
        return 0;
    if (ui->sidebar == SF_SIDEBAR_AUTO && !has_content(ui, sf_port_overview(ui->port)))
        return 0;
    return wide < COLS_LEAST ? COLS_LEAST : wide > COLS_MOST ? COLS_MOST : wide;
}

/* ---- lines ---- */

/* One line: a text at the left, cut where it would meet the one at the right. */
static void put_line(struct sf_area *area, const char *left, struct sf_look look, const char *right,
                     struct sf_look end)
{
    struct sf_area line = sf_area_take_top(area, 1);
    int width = (int)sf_text_width(right, strlen(right));

    if (line.rows < 1)
        return;
    sf_area_put_cut(line, 0, 0, line.cols - width - (width > 0), left, look);
    if (width)
        sf_area_put_right(line, 0, right, end);
}

/* "Changed  3 files                +46 −5" */
static void put_head(struct sf_area *area, const char *label, const char *text, const char *right)
{
    struct sf_area line = *area;

    put_line(area, "", sf_look(SF_LOOK_TEXT), right, sf_look(SF_LOOK_DIM));
    if (line.rows < 1)
        return;
    sf_area_puts(line, 0, 0, label, sf_look_with(SF_LOOK_TEXT, SF_LOOK_BOLD));
    sf_area_put_cut(line, 0, LABEL,
                    line.cols - LABEL - 1 - (int)sf_text_width(right, strlen(right)), text,
                    sf_look(SF_LOOK_DIM));
}

static void put_more(struct sf_area *area, size_t count)
{
    char text[40];

    snprintf(text, sizeof(text), "  … %zu more", count);
    put_line(area, text, sf_look(SF_LOOK_DIM), "", sf_look(SF_LOOK_DIM));
}

static void put_gap(struct sf_area *area)
{
    sf_area_take_top(area, 1);
}

/* ---- parts ---- */

/* The rows that lists get; a list that is cut spends its last row on saying so. */
struct room {
    size_t todos, files;
};

/* The steps begin so that the one being done is in sight, with one before it. */
static size_t first_todo(const struct sf_overview *o, size_t rows)
{
    size_t at = 0;

    while (at < o->todo_count && o->todos[at].state == SF_TODO_DONE)
        at++;
    at -= at > 0;
    return at + rows > o->todo_count ? o->todo_count - rows : at;
}

static void put_todo(struct sf_area *area, const struct sf_todo *todo)
{
    static const struct {
        const char *mark;
        enum sf_look_role mark_look, look;
    } looks[] = {
        [SF_TODO_PENDING] = { "☐", SF_LOOK_DIM, SF_LOOK_TEXT },
        [SF_TODO_RUNNING] = { SF_STEP_CURRENT, SF_LOOK_ACCENT, SF_LOOK_TEXT },
        [SF_TODO_DONE] = { "☑", SF_LOOK_SUCCESS, SF_LOOK_DIM },
    };
    struct sf_area line = sf_area_take_top(area, 1);

    if (line.rows < 1)
        return;
    sf_area_puts(line, 0, 0, looks[todo->state].mark, sf_look(looks[todo->state].mark_look));
    sf_area_put_cut(line, 0, 2, line.cols - 2, todo->text, sf_look(looks[todo->state].look));
}

static void put_todos(struct sf_area *area, const struct sf_overview *o, size_t rows)
{
    size_t shown = rows < o->todo_count ? rows - 1 : o->todo_count;
    size_t first = first_todo(o, shown);
    char count[48];

    if (!o->todo_count || !rows)
        return;
    snprintf(count, sizeof(count), "%zu of %zu", o->todos_done, o->todo_count);
    put_head(area, "Plan", "", count);
    for (size_t i = 0; i < shown; i++)
        put_todo(area, &o->todos[first + i]);
    if (shown < o->todo_count)
        put_more(area, o->todo_count - shown);
    put_gap(area);
}

/* The end of a path says more than its beginning. */
static void add_path_end(struct sf_strbuf *out, const char *path, int room)
{
    size_t len = strlen(path);
    int width = (int)sf_text_width(path, len);

    if (width > room) {
        sf_strbuf_adds(out, "…");
        while (len && width > room - 1) {
            size_t n = sf_grapheme_next(path, len);

            width -= (int)sf_text_width(path, n);
            path += n;
            len -= n;
        }
    }
    sf_strbuf_add(out, path, len);
}

static void put_file(struct sf_area *area, const struct sf_changed_file *file)
{
    struct sf_strbuf lines = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    int room;

    sf_lines_add(&lines, file->plus, file->minus);
    room = area->cols - 3 - (int)sf_text_width(lines.buf, lines.len);
    sf_strbuf_adds(&name, "  ");
    add_path_end(&name, file->path, room);
    put_line(area, name.buf, sf_look(SF_LOOK_TEXT), lines.buf, sf_look(SF_LOOK_DIM));
    sf_strbuf_release(&name);
    sf_strbuf_release(&lines);
}

static void put_files(struct sf_area *area, const struct sf_overview *o, size_t rows)
{
    bool cut = rows < o->changed || o->file_count < o->changed;
    size_t shown = cut ? rows - 1 : o->changed;
    struct sf_strbuf count = SF_STRBUF_INIT, lines = SF_STRBUF_INIT;

    if (!o->changed || !rows)
        return;
    shown = shown < o->file_count ? shown : o->file_count;
    sf_changed_files_add(&count, o);
    sf_changed_lines_add(&lines, o);
    put_head(area, "Changed", count.buf, lines.buf);
    for (size_t i = 0; i < shown; i++)
        put_file(area, &o->files[i]);
    if (shown < o->changed)
        put_more(area, o->changed - shown);
    put_gap(area);
    sf_strbuf_release(&count);
    sf_strbuf_release(&lines);
}

static void put_count(struct sf_area *area, const char *label, size_t count, const char *noun,
                      const char *right)
{
    char text[48];

    if (!count)
        return;
    snprintf(text, sizeof(text), "%zu %s%s", count, noun, count == 1 ? "" : "s");
    put_head(area, label, text, right);
}

static void put_context(struct sf_area *area, const struct sf_tui *ui)
{
    struct sf_strbuf text = SF_STRBUF_INIT, percent = SF_STRBUF_INIT;
    int64_t used, window;

    sf_port_context(ui->port, &used, &window);
    if (window > 0 && used > 0) {
        sf_tokens_add(&text, used);
        sf_strbuf_adds(&text, " of ");
        sf_tokens_add(&text, window);
        sf_context_percent_add(&percent, used, window);
        put_head(area, "Context", text.buf, percent.buf);
    }
    sf_strbuf_release(&percent);
    sf_strbuf_release(&text);
}

static void put_tokens(struct sf_area *area, const struct sf_port_totals *t)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (t->tokens_in + t->tokens_out == 0)
        return;
    sf_tokens_add(&text, t->tokens_in);
    sf_strbuf_adds(&text, " in, ");
    sf_tokens_add(&text, t->tokens_out);
    sf_strbuf_adds(&text, " out");
    put_head(area, "Tokens", text.buf, "");
    sf_strbuf_release(&text);
}

/* "███████░░░ 37%"; in a narrow place the bar is shorter, and a stump of one is left out. */
static void add_bar(struct sf_strbuf *out, int percent, int cols)
{
    int cells = cols - (int)strlen(" 100%");

    cells = cells > BAR ? BAR : cells < BAR_LEAST ? 0 : cells;
    for (int i = 0; i < cells; i++)
        sf_strbuf_adds(out, i * 100 < percent * cells ? "█" : "░");
    sf_strbuf_addf(out, "%s%d%%", cells ? " " : "", percent);
}

/* "Cost     ███████░░░ 37%  $1.84 of $5.00"; without a limit the sum alone. */
static void put_cost(struct sf_area *area, const struct sf_tui *ui)
{
    int64_t limit = sf_port_cost_limit(ui->port), cost = sf_port_totals(ui->port)->cost;
    struct sf_strbuf bar = SF_STRBUF_INIT, sum = SF_STRBUF_INIT;

    if (sf_port_is_offline(ui->port) || (!cost && sf_port_totals(ui->port)->cost_known))
        return;
    sf_header_add_cost(ui, true, &sum);
    if (limit > 0 && sf_port_totals(ui->port)->cost_known)
        add_bar(&bar, (int)(cost >= limit ? 100 : cost * 100 / limit),
                area->cols - LABEL - 1 - (int)sf_text_width(sum.buf, sum.len));
    put_head(area, "Cost", bar.buf, sum.buf);
    sf_strbuf_release(&sum);
    sf_strbuf_release(&bar);
}

/* ---- the whole ---- */

/* What the lists may take once the other lines have theirs. */
static struct room share(const struct sf_overview *o, int rows)
{
    enum { OTHERS = 7, HEADS = 4 }; /* Lines of the other parts; heads and gaps of the lists. */
    size_t all = rows > OTHERS + HEADS ? (size_t)(rows - OTHERS - HEADS) : 0;
    size_t files = o->changed, todos = o->todo_count;

    if (todos + files > all) {
        size_t least = all / 3 > FILES_LEAST ? all / 3 : FILES_LEAST;

        files = todos + least > all && files > least ? least : files;
        files = files < all ? files : all;
        todos = todos < all - files ? todos : all - files;
        files = files < o->changed && todos + files < all ? all - todos : files;
    }
    return (struct room){ todos, files };
}

void sf_sidebar_draw(const struct sf_tui *ui, struct sf_area area)
{
    const struct sf_overview *o = sf_port_overview(ui->port);
    struct room room = share(o, area.rows);

    for (int row = 0; row < area.rows; row++)
        sf_area_puts(area, row, 0, "│", sf_look(SF_LOOK_RULE));
    area = sf_area_part(area, 0, 2, area.rows, area.cols - 3);
    put_todos(&area, o, room.todos);
    put_files(&area, o, room.files);
    put_count(&area, "Running", o->jobs, "job", "/tasks");
    put_count(&area, "Waiting", o->questions, "question", "");
    if (o->jobs || o->questions)
        put_gap(&area);
    put_context(&area, ui);
    put_tokens(&area, sf_port_totals(ui->port));
    put_cost(&area, ui);
}
