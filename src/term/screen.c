/*
 * screen.c: rows that differ from the last frame go to ncurses, whose answer is taken out of the
 * file in memory. A role becomes a colour pair when a cell has it for the first time.
 *
 * Traps: alloc_pair crashes where there are no colours; init_extended_color would rewrite the
 * user's palette; newterm takes signals over that are not its own; getch paints.
 */
#include "term/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ncurses.h>

/* A role on a ground, as ncurses knows it. */
struct paint {
    attr_t attrs;
    short pair;
    bool made;
};

struct sf_screen {
    SCREEN *curses;
    FILE *file; /* in memory */
    enum sf_colours colours;
    bool utf8;
    struct sf_theme theme;
    struct paint paints[SF_GROUNDS][SF_LOOK_ROLES]; /* made when they are first needed */
    struct sf_frame shown;
    bool all; /* `shown` says nothing: every row is new */
    cchar_t *row;
};

/* ---- opening ---- */

static const char *const terminfo_places[] = { "share/terminfo", "../share/sf/terminfo" };

/* Where our own descriptions lie, beside the program. */
static bool find_terminfo(const char *name, char *path, size_t size)
{
    char dir[4096], entry[sizeof(dir) + 64];

    if (!sf_program_dir(dir, sizeof(dir)))
        return false;
    for (size_t i = 0; i < SF_COUNT(terminfo_places); i++) {
        snprintf(entry, sizeof(entry), "%s/%s/%c/%s", dir, terminfo_places[i], *name, name);
        if (access(entry, R_OK) == 0)
            return (size_t)snprintf(path, size, "%s/%s", dir, terminfo_places[i]) < size;
    }
    return false;
}

/* A variable as it was, and its value for the moment: children must not inherit it. */
struct loan {
    const char *name;
    char *before;
};

static struct loan borrow(const char *name, const char *value)
{
    const char *set = getenv(name);
    struct loan loan = { name, set ? sf_strdup(set) : NULL };

    setenv(name, value, 1);
    return loan;
}

static void give_back(struct loan loan)
{
    if (loan.before)
        setenv(loan.name, loan.before, 1);
    else
        unsetenv(loan.name);
    free(loan.before);
}

/*
 * ncurses cannot ask a file for its size, and believes these two; the first thing it sends are
 * margins of that height. It takes over signals that are not handled yet; they are given back.
 */
static SCREEN *new_terminal(const char *name, const struct sf_screen *screen)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
    struct sigaction before[SF_COUNT(signals)];
    char rows[16], cols[16];
    struct loan lines, columns;
    SCREEN *curses;

    snprintf(rows, sizeof(rows), "%d", screen->shown.rows);
    snprintf(cols, sizeof(cols), "%d", screen->shown.cols);
    lines = borrow("LINES", rows);
    columns = borrow("COLUMNS", cols);
    for (size_t i = 0; i < SF_COUNT(signals); i++)
        sigaction(signals[i], NULL, &before[i]);
    curses = newterm(name, screen->file, screen->file);
    for (size_t i = 0; i < SF_COUNT(signals); i++)
        sigaction(signals[i], &before[i], NULL);
    give_back(columns);
    give_back(lines);
    return curses;
}

static SCREEN *open_truecolour(const struct sf_probe *probe, const struct sf_screen *screen)
{
    const char *name = probe->family == SF_FAMILY_MUX ? "sf-tmux" : "sf-xterm";
    char path[4200];
    struct loan place;
    SCREEN *curses;

    if (!find_terminfo(name, path, sizeof(path)))
        return NULL;
    place = borrow("TERMINFO", path);
    curses = new_terminal(name, screen);
    give_back(place);
    return curses;
}

/* Relatives of xterm that this system has never heard of are drawn as xterm. */
static SCREEN *open_curses(const struct sf_probe *probe, const struct sf_screen *screen)
{
    SCREEN *curses = NULL;

    if (probe->truecolour && !probe->no_colour && probe->family != SF_FAMILY_PLAIN)
        curses = open_truecolour(probe, screen);
    if (!curses)
        curses = new_terminal(probe->term, screen);
    if (!curses && probe->family == SF_FAMILY_XTERM)
        curses = new_terminal("xterm-256color", screen);
    return curses;
}

static FILE *open_memory(struct sf_error *err)
{
    int fd = memfd_create("sf-screen", MFD_CLOEXEC);
    FILE *file = NULL;

    if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) == 0)
        file = fdopen(fd, "w+");
    if (!file) {
        sf_fail_errno(err, "cannot make room for the screen");
        if (fd >= 0)
            close(fd);
    }
    return file;
}

static enum sf_colours find_colours(bool no_colour)
{
    if (no_colour || !has_colors() || start_color() == ERR)
        return SF_COLOURS_NONE;
    use_default_colors();
    if (COLORS >= 0x1000000)
        return SF_COLOURS_TRUE;
    return COLORS >= 256 ? SF_COLOURS_256 : COLORS >= 8 ? SF_COLOURS_16 : SF_COLOURS_NONE;
}

static bool can_draw(void)
{
    const char *move = tigetstr("cup"), *clear_all = tigetstr("clear");

    return move && move != (const char *)-1 && clear_all && clear_all != (const char *)-1;
}

static void fit(struct sf_screen *screen, int rows, int cols)
{
    sf_frame_resize(&screen->shown, rows, cols);
    screen->row = sf_realloc_array(screen->row, (size_t)cols * 2 + 2, sizeof(*screen->row));
}

struct sf_screen *sf_screen_open(const struct sf_probe *probe, bool utf8, int rows, int cols,
                                 struct sf_error *err)
{
    struct sf_screen *screen = sf_alloc(sizeof(*screen));

    fit(screen, rows, cols);
    screen->file = open_memory(err);
    if (!screen->file)
        goto fail;
    screen->curses = open_curses(probe, screen);
    if (!screen->curses || !can_draw()) {
        sf_fail(err, SF_E_ARG, "unknown TERM: %.60s", probe->term);
        sf_hint(err, "set TERM to what your terminal is, say xterm-256color; `sf -p` works line "
                     "by line");
        goto fail;
    }
    screen->utf8 = utf8;
    screen->colours = find_colours(probe->no_colour);
    screen->all = true;
    typeahead(-1);
    raw();
    noecho();
    nonl();
    keypad(stdscr, FALSE);
    return screen;
fail:
    sf_screen_close(screen);
    return NULL;
}

void sf_screen_close(struct sf_screen *screen)
{
    if (!screen)
        return;
    if (screen->curses) {
        endwin();
        delscreen(screen->curses);
    }
    if (screen->file)
        fclose(screen->file);
    sf_frame_release(&screen->shown);
    free(screen->row);
    free(screen);
}

enum sf_colours sf_screen_colours(const struct sf_screen *screen)
{
    return screen->colours;
}

/* ---- looks ---- */

static attr_t attrs_of(unsigned attrs)
{
    static const attr_t bits[] = { A_BOLD, A_ITALIC, A_UNDERLINE, A_REVERSE, A_DIM };
    attr_t all = A_NORMAL;

    if (!attrs) /* As of most cells. */
        return all;
    for (size_t i = 0; i < SF_COUNT(bits); i++)
        if (attrs & 1u << i)
            all |= bits[i];
    return all;
}

/* The number ncurses knows the colour by. In 24 bits, 0 to 15 are the terminal's own. */
static int number_of(enum sf_colours colours, int32_t colour)
{
    if (colours == SF_COLOURS_16)
        return sf_colour_16(colour);
    if (colours == SF_COLOURS_256 || colour < 0 || colour > 0xffffff)
        return sf_colour_256(colour);
    return colour < 16 ? 16 : (int)colour;
}

/* Eight colours: the bright ones are bold ones, and grey, which would be black, is white. */
static void fold_bright(int *fg, int *bg, attr_t *attrs)
{
    if (COLORS >= 16)
        return;
    if (*fg > 8)
        *attrs |= A_BOLD;
    *fg = *fg == 8 ? 7 : *fg < 0 ? -1 : *fg & 7;
    *bg = *bg < 0 ? -1 : *bg & 7;
}

static struct paint make_paint(const struct sf_screen *screen, struct sf_look look)
{
    struct sf_paint paint = sf_theme_paint(&screen->theme, look, screen->colours);
    attr_t attrs = attrs_of(paint.attrs);
    int pair = 0;

    if (screen->colours != SF_COLOURS_NONE &&
        (paint.fg != SF_COLOUR_DEFAULT || paint.bg != SF_COLOUR_DEFAULT)) {
        int fg = number_of(screen->colours, paint.fg), bg = number_of(screen->colours, paint.bg);

        fold_bright(&fg, &bg, &attrs);
        pair = alloc_pair(fg, bg);
    }
    return (struct paint){ attrs, (short)(pair > 0 && pair <= INT16_MAX ? pair : 0), true };
}

static const struct paint *paint_of(struct sf_screen *screen, struct sf_look look)
{
    size_t role = look.role < SF_LOOK_ROLES ? look.role : SF_LOOK_TEXT;
    struct paint *paint = &screen->paints[look.ground % SF_GROUNDS][role];

    look.attrs = 0;
    if (!paint->made)
        *paint = make_paint(screen, look);
    return paint;
}

void sf_screen_set_theme(struct sf_screen *screen, const struct sf_theme *theme)
{
    screen->theme = *theme;
    memset(screen->paints, 0, sizeof(screen->paints));
    screen->all = true;
}

/* ---- cells ---- */

static void set_one(struct sf_screen *screen, cchar_t *to, const wchar_t *text, struct sf_look look)
{
    const struct paint *paint = paint_of(screen, look);

    setcchar(to, text, paint->attrs | attrs_of(look.attrs), paint->pair, NULL);
}

/* A base and its marks; how many points, and in `columns` its width. */
static int next_character(const uint32_t *points, int left, wchar_t *text, int *columns)
{
    int n = 0;

    *columns = wcwidth((wchar_t)points[0]);
    do
        text[n] = (wchar_t)points[n];
    while (++n < left && points[n] && wcwidth((wchar_t)points[n]) == 0);
    text[n] = L'\0';
    return n;
}

/*
 * Most cells are one character. A flag is two of one column each. What ncurses would measure in
 * another way than the cell says cannot be shown: it would move all that follows.
 */
static int set_cell(struct sf_screen *screen, cchar_t *to, const struct sf_cell *cell)
{
    wchar_t text[SF_CELL_POINTS + 1];
    int count = 0, used = 0, columns, at = 0;

    while (at < SF_CELL_POINTS && cell->points[at] && count < cell->width) {
        if (!screen->utf8 && cell->points[at] > 0x7e)
            break;
        at += next_character(cell->points + at, SF_CELL_POINTS - at, text, &columns);
        if (columns <= 0 || used + columns > cell->width)
            break;
        set_one(screen, &to[count++], text, cell->look);
        used += columns;
    }
    for (; used < cell->width; used++, count++)
        set_one(screen, &to[count], used ? L" " : L"?", cell->look);
    return count;
}

static void put_row(struct sf_screen *screen, const struct sf_frame *frame, int row)
{
    const struct sf_cell *cells = sf_frame_cell(frame, row, 0);
    int count = 0;

    for (int col = 0; col < frame->cols; col++)
        count += set_cell(screen, screen->row + count, &cells[col]);
    mvwadd_wchnstr(stdscr, row, 0, screen->row, count);
}

static bool same_row(const struct sf_screen *screen, const struct sf_frame *frame, int row)
{
    return !screen->all &&
           !memcmp(sf_frame_cell(frame, row, 0), sf_frame_cell(&screen->shown, row, 0),
                   (size_t)frame->cols * sizeof(*frame->cells));
}

/* ---- frames ---- */

/* On its way back ncurses puts the palette right, as it believes: but the user's is not its own. */
static void drop_palette(struct sf_strbuf *out)
{
    const char *reset = tigetstr("oc"), *at;
    size_t len = reset && reset != (const char *)-1 ? strlen(reset) : 0;

    while (len && (at = memmem(out->buf, out->len, reset, len)))
        sf_strbuf_splice(out, (size_t)(at - out->buf), len, "", 0);
}

/* Takes what ncurses wrote out of the file. */
static void take_bytes(struct sf_screen *screen, struct sf_strbuf *out)
{
    int fd = fileno(screen->file);
    off_t size;

    fflush(screen->file);
    size = lseek(fd, 0, SEEK_END);
    if (size <= 0)
        return;
    if (out) {
        ssize_t n = pread(fd, sf_strbuf_room(out, (size_t)size), (size_t)size, 0);

        sf_strbuf_grew(out, n > 0 ? (size_t)n : 0);
        drop_palette(out);
    }
    if (ftruncate(fd, 0) < 0)
        screen->all = true;
}

void sf_screen_resize(struct sf_screen *screen, int rows, int cols)
{
    fit(screen, rows, cols);
    resize_term(rows, cols);
    sf_screen_forget(screen);
}

void sf_screen_forget(struct sf_screen *screen)
{
    screen->all = true;
    clearok(curscr, TRUE);
}

static bool put_cursor(struct sf_screen *screen, const struct sf_frame *frame)
{
    struct sf_frame *shown = &screen->shown;
    bool moved = frame->cursor != shown->cursor || frame->cursor_row != shown->cursor_row ||
                 frame->cursor_col != shown->cursor_col;

    if (!moved && !screen->all)
        return false;
    curs_set(frame->cursor);
    leaveok(stdscr, !frame->cursor);
    shown->cursor = frame->cursor;
    shown->cursor_row = frame->cursor_row;
    shown->cursor_col = frame->cursor_col;
    return true;
}

void sf_screen_add_frame(struct sf_screen *screen, const struct sf_frame *frame,
                         struct sf_strbuf *out)
{
    bool changed = false;

    if (frame->rows != screen->shown.rows || frame->cols != screen->shown.cols)
        return; /* made for another size: the right one is on its way */
    for (int row = 0; row < frame->rows; row++) {
        if (same_row(screen, frame, row))
            continue;
        put_row(screen, frame, row);
        if (frame->cols)
            memcpy(&screen->shown.cells[(size_t)row * (size_t)frame->cols],
                   sf_frame_cell(frame, row, 0), (size_t)frame->cols * sizeof(*frame->cells));
        changed = true;
    }
    changed = put_cursor(screen, frame) || changed;
    if (!changed)
        return;
    screen->all = false;
    wmove(stdscr, frame->cursor ? frame->cursor_row : 0, frame->cursor ? frame->cursor_col : 0);
    wrefresh(stdscr);
    take_bytes(screen, out);
}

void sf_screen_add_leave(struct sf_screen *screen, struct sf_strbuf *out)
{
    endwin();
    take_bytes(screen, out);
    sf_screen_forget(screen);
}
