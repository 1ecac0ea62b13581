/*
 * menu.c: completion above the composer: commands after a slash, files after an @. Enter takes a
 * command that is written out, the only one that begins so, or one that was chosen with the arrow
 * keys; else it takes none. A worker makes the list of files once, when it is first needed; words
 * are matched against it at once, even where it has a hundred thousand names.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/internal.h"

enum {
    SHOWN = 8,
    HITS = 64,
    HELP_MIN = 16,  /* In fewer columns the help of a command is not shown. */
    ARGS_COLS = 60, /* From so many columns on, the arguments of a command are shown. */
};

struct sf_menu {
    char sigil; /* '/', '@', or 0: the menu is closed. */
    struct sf_fuzzy_set *commands, *files;
    struct sf_strlist helps; /* "args\thelp" of each command, in the order of `commands`. */
    size_t names;            /* How many of the commands are no aliases, which come last. */
    struct sf_fuzzy_hit hits[HITS];
    size_t count, at;
    bool begins; /* The names begin with what is typed; else it is spread over them. */
    bool picked; /* The row was chosen with the arrow keys. */
    char query[SF_FUZZY_QUERY]; /* The word without its sigil, as far as it counts. */
    size_t query_len;
    bool dismissed; /* Closed by Esc until the length of the word changes. */
    size_t dismissed_len;
    struct listing *listing; /* The list of files that is being made; or NULL. */
    bool listed;
};

/* ---- files ---- */

struct listing {
    struct sf_tui *ui; /* NULL: the menu is gone, and nobody waits for the list. */
    struct sf_fuzzy_set *files;
    struct sf_file_list *walk;
};

static void add_file(void *ctx, const char *path, size_t len)
{
    struct listing *l = ctx;

    sf_fuzzy_set_add(l->files, path, len);
}

static void listed(void *ctx)
{
    struct listing *l = ctx;

    if (l->ui) {
        struct sf_menu *m = l->ui->menu;

        sf_fuzzy_set_free(m->files);
        m->files = l->files;
        l->files = NULL;
        m->listing = NULL;
        m->listed = true;
        sf_menu_refresh(l->ui);
        sf_paint_soon(&l->ui->painter);
    }
    sf_fuzzy_set_free(l->files);
    free(l);
}

static void begin_listing(struct sf_tui *ui)
{
    struct sf_file_list_wish wish = { .add = add_file, .done = listed };

    if (ui->menu->listing)
        return;
    wish.ctx = ui->menu->listing = sf_alloc(sizeof(*ui->menu->listing));
    ui->menu->listing->ui = ui;
    ui->menu->listing->files = sf_fuzzy_set_new();
    ui->menu->listing->walk = sf_port_list_files(ui->port, &wish);
}

/* ---- life ---- */

struct sf_menu *sf_menu_new(void)
{
    struct sf_menu *m = sf_alloc(sizeof(*m));

    m->commands = sf_fuzzy_set_new();
    m->files = sf_fuzzy_set_new();
    m->helps = (struct sf_strlist)SF_STRLIST_INIT;
    return m;
}

static void add_command(struct sf_menu *m, const char *name, const char *args, const char *help)
{
    if (sf_fuzzy_set_add(m->commands, name, strlen(name)))
        sf_strlist_addf(&m->helps, "%s\t%s", args, help);
}

/* Aliases are offered when they are begun. */
static void add_aliases(struct sf_menu *m)
{
    struct sf_strbuf help = SF_STRBUF_INIT;

    m->names = sf_fuzzy_set_count(m->commands);
    for (size_t i = 0; i < sf_port_command_count; i++)
        for (const char *const *a = sf_port_commands[i].aliases; a && *a; a++) {
            sf_strbuf_reset(&help);
            sf_strbuf_addf(&help, "/%s: %s", /* is_double() reads the name. */
                           sf_port_commands[i].name, sf_port_commands[i].help);
            add_command(m, *a, sf_port_commands[i].args, help.buf);
        }
    sf_strbuf_release(&help);
}

/* Fills in all commands, with those that come from files. */
static void fill_commands(struct sf_tui *ui)
{
    const struct sf_custom_files *customs = sf_port_customs(ui->port);
    struct sf_menu *m = ui->menu;
    struct sf_strbuf help = SF_STRBUF_INIT;

    sf_fuzzy_set_free(m->commands);
    m->commands = sf_fuzzy_set_new();
    sf_strlist_release(&m->helps);
    for (size_t i = 0; i < sf_port_command_count; i++)
        add_command(m, sf_port_commands[i].name, sf_port_commands[i].args,
                    sf_port_commands[i].help);
    for (size_t i = 0; i < sf_mode_command_count; i++)
        add_command(m, sf_mode_commands[i].name, sf_mode_commands[i].args,
                    sf_mode_commands[i].help);
    for (size_t i = 0; i < customs->count; i++) {
        const struct sf_custom_file *f = &customs->items[i];

        if (f->hidden)
            continue;
        sf_strbuf_reset(&help);
        sf_strbuf_addf(&help, "%s (%s)", sf_custom_help(f), f->origin);
        add_command(m, f->name, f->custom.hint ? f->custom.hint : "", help.buf);
    }
    sf_strbuf_release(&help);
    add_aliases(m);
}

void sf_menu_free(struct sf_menu *m)
{
    if (!m)
        return;
    if (m->listing) { /* The end of the walk frees the list. */
        sf_file_list_cancel(m->listing->walk);
        m->listing->ui = NULL;
    }
    sf_fuzzy_set_free(m->commands);
    sf_fuzzy_set_free(m->files);
    sf_strlist_release(&m->helps);
    free(m);
}

/* ---- what is offered ---- */

static const struct sf_fuzzy_set *source(const struct sf_menu *m)
{
    return m->sigil == '@' ? m->files : m->commands;
}

/* Before a letter is typed, all names are offered in the order of their table. */
static void offer_first(struct sf_menu *m)
{
    size_t count = m->sigil == '/' ? m->names : sf_fuzzy_set_count(m->files);

    m->begins = true;
    m->count = count < HITS ? count : HITS;
    for (size_t i = 0; i < m->count; i++)
        m->hits[i] = (struct sf_fuzzy_hit){ (uint32_t)i, 0 };
}

/* Files come in the order of their directory; equally good matches are sorted by name. */
static void sort_equal(struct sf_menu *m)
{
    for (size_t i = 1; i < m->count; i++) {
        struct sf_fuzzy_hit hit = m->hits[i];
        const char *name = sf_fuzzy_set_name(source(m), hit.index);
        size_t at = i;

        while (at && m->hits[at - 1].score == hit.score &&
               strverscmp(sf_fuzzy_set_name(source(m), m->hits[at - 1].index), name) > 0) {
            m->hits[at] = m->hits[at - 1];
            at--;
        }
        m->hits[at] = hit;
    }
}

/* ---- commands that begin with what is typed ---- */

static const char *name_of(const struct sf_menu *m, size_t hit)
{
    return sf_fuzzy_set_name(source(m), m->hits[hit].index);
}

static bool is_begun(const struct sf_menu *m, size_t hit)
{
    return !strncmp(name_of(m, hit), m->query, m->query_len);
}

/* An alias says nothing new where the name of its command begins so, too. */
static bool is_double(const struct sf_menu *m, size_t hit)
{
    size_t index = m->hits[hit].index;

    return index >= m->names &&
           !strncmp(strchr(m->helps.items[index], '\t') + 2, m->query, m->query_len);
}

static bool is_exact(const struct sf_menu *m, size_t hit)
{
    return is_begun(m, hit) && strlen(name_of(m, hit)) == m->query_len;
}

static void put_first(struct sf_menu *m, size_t hit)
{
    const struct sf_fuzzy_hit first = m->hits[hit];

    memmove(&m->hits[1], &m->hits[0], hit * sizeof(first));
    m->hits[0] = first;
}

static int by_table(const void *a, const void *b)
{
    const struct sf_fuzzy_hit *left = a, *right = b;

    return (left->index > right->index) - (left->index < right->index);
}

/*
 * Where some commands begin so, those that only have the letters somewhere are left out; the others
 * keep the order of their table.
 */
static void keep_begun(struct sf_menu *m)
{
    size_t kept = 0;

    for (size_t i = 0; i < m->count; i++)
        if (is_begun(m, i) && !is_double(m, i))
            m->hits[kept++] = m->hits[i];
    m->begins = kept > 0;
    if (!kept)
        return;
    m->count = kept;
    qsort(m->hits, kept, sizeof(m->hits[0]), by_table);
    for (size_t i = 1; i < m->count; i++)
        if (is_exact(m, i))
            put_first(m, i);
}

/* Whether Enter takes the row under the cursor, which is marked then. */
static bool takes_row(const struct sf_menu *m)
{
    if (m->sigil == '@' || m->picked)
        return true;
    return m->begins && m->query_len && (m->count == 1 || is_exact(m, 0));
}

/* The word that is being completed, with its sigil; NULL: there is none. */
static const char *word_of(const struct sf_composer *c, size_t *len)
{
    const char *head = sf_composer_head(c, len);

    if (*len && sf_composer_begins_with(c, '/') && !memchr(head, ' ', *len))
        return head;
    *len = 0;
    return sf_composer_word(c, '@', len);
}

/* Another word than before is looked at from its first row. */
static void take_query(struct sf_menu *m, const char *word, size_t len)
{
    size_t fits = len > sizeof(m->query) ? sizeof(m->query) : len;

    if (fits == m->query_len && !memcmp(m->query, word, fits))
        return;
    memcpy(m->query, word, fits);
    m->query_len = fits;
    m->at = 0;
    m->picked = false;
}

static void offer(struct sf_menu *m, const char *word, size_t len)
{
    if (!len) {
        offer_first(m);
        return;
    }
    m->count = sf_fuzzy_set_best(source(m), word, len, m->hits, HITS);
    if (m->sigil == '@')
        sort_equal(m);
    else
        keep_begun(m);
}

void sf_menu_refresh(struct sf_tui *ui)
{
    struct sf_menu *m = ui->menu;
    char before = m->sigil;
    size_t len;
    const char *word = word_of(ui->draft.composer, &len);

    m->sigil = 0;
    if (word)
        m->sigil = *word;
    if (m->sigil != before)
        m->picked = false;
    if (m->sigil == '/' && before != '/')
        fill_commands(ui);
    if (m->sigil == '@' && !m->listed)
        begin_listing(ui);
    if (m->dismissed && len != m->dismissed_len)
        m->dismissed = false;
    m->count = 0;
    take_query(m, word ? word + 1 : "", word ? len - 1 : 0);
    if (m->sigil && !m->dismissed)
        offer(m, word + 1, len - 1);
    if (m->at >= m->count)
        m->at = 0;
    if (m->sigil && !m->dismissed)
        m->dismissed_len = len;
}

void sf_menu_dismiss(struct sf_menu *m, const struct sf_composer *c)
{
    m->dismissed = word_of(c, &m->dismissed_len) != NULL;
    m->count = 0;
}

bool sf_menu_is_open(const struct sf_menu *m)
{
    return m->count > 0;
}

static const char *chosen(const struct sf_menu *m)
{
    return sf_fuzzy_set_name(source(m), m->hits[m->at].index);
}

/* A name with blanks or quotes in it is quoted, so that its end can be seen. */
static bool is_bare(const struct sf_menu *m)
{
    return m->sigil != '@' || !strpbrk(chosen(m), " \t\n\"'`");
}

static void complete(struct sf_tui *ui)
{
    struct sf_menu *m = ui->menu;
    struct sf_strbuf text = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, is_bare(m) ? "%c%s " : "%c\"%s\" ", m->sigil, chosen(m));
    sf_composer_complete(ui->draft.composer, m->sigil, text.buf);
    sf_strbuf_release(&text);
    m->at = 0;
    sf_menu_refresh(ui);
}

/* The command wants an argument, which has to be written first. */
static bool wants_argument(const struct sf_menu *m)
{
    const char *args = m->helps.items[m->hits[m->at].index];

    return *args != '\t' && *args != '[';
}

/* The first word of the line is a command, wherever the cursor stands in it. */
static bool is_written_out(const struct sf_menu *m, const struct sf_composer *c)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    bool found = false;

    sf_composer_text(c, &line);
    if (m->sigil == '/' && line.len)
        sf_strbuf_truncate(&line, 1 + strcspn(line.buf + 1, " \t"));
    for (size_t i = 0; m->sigil == '/' && !found && i < sf_fuzzy_set_count(m->commands); i++)
        found = line.len && !strcmp(sf_fuzzy_set_name(m->commands, i), line.buf + 1);
    sf_strbuf_release(&line);
    return found;
}

static bool begins_several(const struct sf_tui *ui)
{
    return sf_menu_is_open(ui->menu) && !takes_row(ui->menu);
}

/* False: the line is sent as it stands. */
static bool enter(struct sf_tui *ui)
{
    const struct sf_menu *m = ui->menu;
    bool send;

    if (!m->picked && is_written_out(m, ui->draft.composer))
        return false;
    if (!takes_row(m) && m->begins) {
        sf_status_say(&ui->status, false, "%s: type on, or ↓ and Enter",
                      m->query_len ? "several begin so" : "a command");
        sf_status_while(&ui->status, begins_several);
        return true;
    }
    if (!takes_row(m))
        return false;
    send = m->sigil != '@' && !wants_argument(m);
    complete(ui);
    if (send)
        sf_tui_act(ui, SF_ACTION_SEND);
    return true;
}

/* Without a marked row, the first step goes to the first or to the last one. */
static void step(struct sf_menu *m, bool up)
{
    if (!takes_row(m))
        m->at = up ? m->count - 1 : 0;
    else
        m->at = (m->at + (up ? m->count - 1 : 1)) % m->count;
    m->picked = true;
}

bool sf_menu_act(struct sf_tui *ui, enum sf_action_id action)
{
    struct sf_menu *m = ui->menu;

    if (!m->count)
        return false;
    if (action == SF_ACTION_SEND)
        return enter(ui);
    if (action == SF_ACTION_TAB) {
        complete(ui);
    } else if (action == SF_ACTION_UP || action == SF_ACTION_DOWN) {
        step(m, action == SF_ACTION_UP);
    } else if (action == SF_ACTION_CANCEL) {
        m->dismissed = true;
        m->count = 0;
    } else {
        return false;
    }
    sf_paint_soon(&ui->painter);
    return true;
}

/* ---- drawing ---- */

int sf_menu_rows(const struct sf_menu *m, int max)
{
    int rows = m->count < SHOWN ? (int)m->count : SHOWN;

    return rows < max ? rows : max;
}

/* The beginning of a row: "/model [NAME|auto]". */
static void add_entry(const struct sf_menu *m, size_t i, int cols, struct sf_strbuf *out)
{
    const char *name = sf_fuzzy_set_name(source(m), m->hits[i].index);
    const char *args = m->sigil == '/' ? m->helps.items[m->hits[i].index] : "";
    size_t len = strcspn(args, "\t");

    sf_strbuf_addf(out, "%s%s", m->sigil == '/' ? "/" : "", name);
    if (len && cols >= ARGS_COLS)
        sf_strbuf_addf(out, " %.*s", (int)len, args);
}

/* The widest entry on the screen, at most a third of its columns; two fifths for bare names. */
static int entry_width(const struct sf_menu *m, size_t from, struct sf_area area)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    int widest = 0, most;

    for (int row = 0; row < area.rows && from + (size_t)row < m->count; row++) {
        int width;

        sf_strbuf_reset(&text);
        add_entry(m, from + (size_t)row, area.cols, &text);
        width = (int)sf_text_width(text.buf, text.len);
        widest = width > widest ? width : widest;
    }
    sf_strbuf_release(&text);
    most = area.cols < ARGS_COLS ? area.cols * 2 / 5 : area.cols / 3;
    return widest < most ? widest : most;
}

/* The letters that were typed, in the name at the beginning of a row. */
static void mark_entry(const struct sf_menu *m, size_t i, struct sf_area line, int col, int cols)
{
    const char *name = sf_fuzzy_set_name(source(m), m->hits[i].index);
    size_t len = strlen(name);
    const struct sf_match_mark found = sf_match_marks_find(name, len, m->query, m->query_len);
    int sigil = m->sigil == '/';

    sf_area_tint_matches(sf_area_part(line, 0, col + sigil, 1, cols - sigil), &found, name, len,
                         i == m->at && takes_row(m));
}

/* `kept` columns at the right are somebody else's. */
static void draw_entry(const struct sf_menu *m, size_t i, struct sf_area line, int width, int kept)
{
    bool here = i == m->at && takes_row(m), command = m->sigil == '/';
    struct sf_look look = sf_look(here ? SF_LOOK_SELECTED : SF_LOOK_TEXT);
    struct sf_strbuf text = SF_STRBUF_INIT;
    const int col = 3, help = col + width + 2;

    if (here) {
        sf_area_fill(line, look);
        sf_area_puts(line, 0, 1, "▸", look);
    }
    add_entry(m, i, line.cols, &text);
    line.cols -= kept;
    command = command && line.cols - help >= HELP_MIN;
    sf_area_put_cut(line, 0, col, command ? width : line.cols - col - 1, text.buf, look);
    mark_entry(m, i, line, col, command ? width : line.cols - col - 1);
    if (command)
        sf_area_put_cut(line, 0, help, line.cols - help - 1,
                        strchr(m->helps.items[m->hits[i].index], '\t') + 1,
                        here ? look : sf_look(SF_LOOK_DIM));
    sf_strbuf_release(&text);
}

void sf_menu_draw(const struct sf_menu *m, struct sf_area area)
{
    size_t from = m->at >= (size_t)area.rows ? m->at - (size_t)area.rows + 1 : 0;
    size_t end = from + (size_t)area.rows;
    int width = entry_width(m, from, area), kept;
    char more[32] = "";

    if (end < m->count)
        snprintf(more, sizeof(more), area.cols < ARGS_COLS ? "↓ %zu" : "↓ %zu more",
                 m->count - end);
    kept = *more ? (int)sf_text_width(more, strlen(more)) + 1 : 0;
    for (int row = 0; row < area.rows && from + (size_t)row < m->count; row++)
        draw_entry(m, from + (size_t)row, sf_area_part(area, row, 0, 1, area.cols), width,
                   row + 1 == area.rows ? kept : 0);
    sf_area_put_right(sf_area_part(area, 0, 0, area.rows, area.cols - 1), area.rows - 1, more,
                      sf_look(m->at + 1 == end && takes_row(m) ? SF_LOOK_SELECTED : SF_LOOK_DIM));
}
