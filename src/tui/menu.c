/*
 * menu.c: completion above the composer: commands after a slash, files after an @. A worker makes
 * the list of files once, when it is first needed; words are matched against it at once, even where
 * it has a hundred thousand names.
 */
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
    struct sf_fuzzy_hit hits[HITS];
    size_t count, at;
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
    size_t count = sf_fuzzy_set_count(source(m));

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

/* The word that is being completed, with its sigil; NULL: there is none. */
static const char *word_of(const struct sf_composer *c, size_t *len)
{
    const char *word = NULL;

    *len = 0;
    if (sf_composer_begins_with(c, '/'))
        word = sf_composer_word(c, '/', len);
    return word ? word : sf_composer_word(c, '@', len);
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
    if (m->sigil == '/' && before != '/')
        fill_commands(ui);
    if (m->sigil == '@' && !m->listed)
        begin_listing(ui);
    if (m->dismissed && len != m->dismissed_len)
        m->dismissed = false;
    m->count = 0;
    m->query_len = len > 1 ? (len - 1 < sizeof(m->query) ? len - 1 : sizeof(m->query)) : 0;
    if (word && m->query_len)
        memcpy(m->query, word + 1, m->query_len);
    if (m->sigil && !m->dismissed && len > 1)
        m->count = sf_fuzzy_set_best(source(m), word + 1, len - 1, m->hits, HITS);
    else if (m->sigil && !m->dismissed)
        offer_first(m);
    if (m->sigil == '@' && len > 1)
        sort_equal(m);
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

/* Enter runs a command that is written out in full, and completes one that is only begun. */
static bool is_written_out(const struct sf_menu *m, const struct sf_composer *c)
{
    size_t len;
    const char *word = sf_composer_word(c, m->sigil, &len);

    for (size_t i = 0; word && m->sigil == '/' && i < sf_fuzzy_set_count(m->commands); i++) {
        const char *name = sf_fuzzy_set_name(m->commands, i);

        if (strlen(name) == len - 1 && !strncmp(name, word + 1, len - 1))
            return true;
    }
    return false;
}

static bool enter(struct sf_tui *ui)
{
    const struct sf_menu *m = ui->menu;
    bool bare = m->sigil == '/' && m->helps.items[m->hits[m->at].index][0] != '\t' &&
                m->helps.items[m->hits[m->at].index][0] != '[';

    if (is_written_out(m, ui->draft.composer))
        return false;
    complete(ui);
    if (m->sigil != '@' && !bare)
        sf_tui_act(ui, SF_ACTION_SEND);
    return true;
}

bool sf_menu_act(struct sf_tui *ui, enum sf_action_id action)
{
    struct sf_menu *m = ui->menu;

    if (!m->count)
        return false;
    if (action == SF_ACTION_SEND)
        return m->sigil == '@' ? (complete(ui), true) : enter(ui);
    if (action == SF_ACTION_TAB) {
        complete(ui);
    } else if (action == SF_ACTION_UP || action == SF_ACTION_DOWN) {
        m->at = (m->at + (action == SF_ACTION_UP ? m->count - 1 : 1)) % m->count;
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
                         i == m->at);
}

/* `kept` columns at the right are somebody else's. */
static void draw_entry(const struct sf_menu *m, size_t i, struct sf_area line, int width, int kept)
{
    bool here = i == m->at, command = m->sigil == '/';
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
                      sf_look(m->at + 1 == end ? SF_LOOK_SELECTED : SF_LOOK_DIM));
}
