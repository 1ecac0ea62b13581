/*
 * Every command of the table, once without a screen and once in the terminal: the same data. What
 * `sf -p` answers as stream-json is looked for on the screen: titles, sentences, the first cell of each row.
 */
#include "port/port.h"
#include "support/test.h"
#include "support/tui_case.h"

enum { ROWS = 50, COLS = 200, PIECES = 12, PIECE_COLUMNS = 60 };

#define ESC "\033[27u"

enum how {
    ANSWERS, /* the same answer in both */
    TITLE,   /* the same page; the terminal puts something of its own in front */
    SCREEN,  /* about the screen: only a terminal does it */
    ACTS,    /* it is told by events, or asks; the terminal shows `seen` */
};

/* One row a command; a command without a row fails the test. */
static const struct {
    const char *line;
    enum how how;
    int code;         /* without a screen */
    const char *seen; /* in the terminal; NULL: what was answered */
} cases[] = {
    { "/rename two words", ANSWERS, 0, NULL }, /* first: later ones show the title */
    { "/rename", ANSWERS, 2, NULL },
    { "/help", TITLE, 0, NULL },
    { "/status", ANSWERS, 0, NULL },
    { "/cost", ANSWERS, 0, NULL },
    { "/session-report", TITLE, 0, NULL },
    { "/model", ANSWERS, 0, NULL },
    { "/connect", TITLE, 0, NULL },
    { "/sessions", ANSWERS, 0, NULL },
    { "/queue", ANSWERS, 0, NULL },
    { "/queue drop 7", ANSWERS, 2, NULL },
    { "/plan", ANSWERS, 0, NULL },
    { "/plan show none", ANSWERS, 2, NULL },
    { "/goal", ANSWERS, 0, NULL },
    { "/goal ship it", ACTS, 0, "ship it" },
    { "/goal clear", ACTS, 0, "goal" },
    { "/context", TITLE, 0, NULL },
    { "/pin a fact to keep", ACTS, 0, "pinned" }, /* the second time it is there already */
    { "/pin", ANSWERS, 0, NULL },
    { "/memory", TITLE, 0, NULL },
    { "/backtrack", TITLE, 0, NULL },
    { "/fork at", TITLE, 0, NULL },
    { "/export md copy.md", ACTS, 0, "copy.md" },
    { "/diff 99", ANSWERS, 2, NULL },
    { "/diff turn", ANSWERS, 0, "nothing changed" },
    { "/undo", ANSWERS, 2, NULL },
    { "/redo", ANSWERS, 2, NULL },
    { "/restore", TITLE, 0, NULL },
    { "/restore undo", ANSWERS, 2, NULL },
    { "/tasks", TITLE, 0, NULL },
    { "/add-dir", ANSWERS, 0, NULL },
    { "/bashes", ANSWERS, 0, NULL },
    { "/bashes 7", ANSWERS, 2, NULL },
    { "/todos", ANSWERS, 0, NULL },
    { "/config ui.theme", ACTS, 0, NULL }, /* a field to write in, there */
    { "/instructions", ANSWERS, 0, NULL },
    { "/permissions", ANSWERS, 0, NULL },
    { "/permissions revoke 7", ANSWERS, 2, NULL },
    { "/logs", TITLE, 0, NULL },
    { "/commands", ANSWERS, 0, NULL },
    { "/init", ACTS, 3, NULL }, /* a card: tui/answers and port/trust have those */
    { "/doctor", TITLE, -1, NULL },
    { "/copy", SCREEN, 2, NULL },
    { "/find", SCREEN, 2, NULL },
    { "/editor", SCREEN, 2, NULL },
    { "/theme", SCREEN, 2, NULL },
    { "/vim", SCREEN, 2, NULL },
    { "/mouse", SCREEN, 2, NULL },
    { "/sidebar", SCREEN, 2, NULL },
    { "/statusline", TITLE, 0, NULL },
    { "/statusline {brnch}", ACTS, 2, "did you mean {branch}?" },
    { "/quit", SCREEN, 2, NULL },
    { "/tour", SCREEN, 2, NULL },
    { "/review", ACTS, -1, NULL },
    { "/compact", ACTS, -1, NULL },
    { "/new", ACTS, 2, NULL },
    /* the axes */
    { "/mode", ANSWERS, 0, NULL },
    { "/control", ANSWERS, 0, NULL },
    { "/permission-profile", ANSWERS, 0, NULL },
    { "/model-mode", ANSWERS, 0, NULL },
    { "/scope", ANSWERS, 0, NULL },
    { "/trust list", TITLE, 0, NULL },
    { "/mode nonsense", ANSWERS, 2, NULL },
    { "/mode yolo", ACTS, 3, NULL },
    { "/autonomous", ACTS, 0, "autonomous" },
    { "/pause", ACTS, -1, NULL },
    { "/next", ACTS, -1, NULL },
    { "/stop", ACTS, -1, NULL },
    { "/steer model-mode deep", ACTS, 0, "deep" },
    { "/no-such-thing", ANSWERS, 2, NULL },
};

static struct sf_strlist pieces[SF_COUNT(cases)];

/* ---- without a screen ---- */

/* Marks of Markdown are not on the screen, and long lines are cut there. */
static void add_piece(struct sf_strlist *out, const char *text, size_t len)
{
    struct sf_strbuf piece = SF_STRBUF_INIT;

    for (size_t i = 0; i < len && piece.len < PIECE_COLUMNS; i++)
        if (!strchr("*`", text[i]))
            sf_strbuf_addch(&piece, text[i]);
    while (piece.len && strchr(" #|-:", piece.buf[piece.len - 1]))
        sf_strbuf_truncate(&piece, piece.len - 1);
    if (piece.len > 2 && out->count < PIECES)
        sf_strlist_add(out, piece.buf);
    sf_strbuf_release(&piece);
}

static void add_page(struct sf_strlist *out, const char *text)
{
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n"), skip = strspn(line, "| #");

        if (line[0] == '|' && skip < n)
            add_piece(out, line + skip, strcspn(line + skip, "|\n"));
        else if (skip < n)
            add_piece(out, line + skip, n - skip > 40 ? 40 : n - skip);
        line += n + (line[n] == '\n');
    }
}

static void add_rows(struct sf_strlist *out, const struct sf_json *rows)
{
    struct sf_error err = SF_ERROR_INIT;

    for (const struct sf_json *row = rows ? sf_json_first(rows) : NULL; row;
         row = sf_json_next(row)) {
        const struct sf_json *cells = sf_json_get(row, "cells"), *cell = sf_json_first(cells);
        const char *text;

        if (cell && sf_json_as_str(cell, "cells", &text, &err))
            add_piece(out, text, strlen(text));
    }
}

static void collect(struct sf_strlist *out, const char *line, size_t len, bool whole)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse(line, len, NULL, &err);
    const char *type, *title, *text;

    assert_non_null(json);
    assert_true(sf_json_get_str(json, "type", &type, &err));
    if (!strcmp(type, "response")) {
        assert_true(sf_json_opt_str(json, "title", "", &title, &err));
        assert_true(sf_json_opt_str(json, "text", "", &text, &err));
        add_piece(out, title, strcspn(title, ":("));
        if (whole) {
            add_page(out, text);
            add_rows(out, sf_json_get(json, "rows"));
        }
    }
    sf_json_free(json);
}

static void run_without_screen(struct tui_case *c, size_t i)
{
    struct sf_strbuf words = SF_STRBUF_INIT;
    struct outcome o;

    sf_strbuf_addf(&words, "-p '%s' -c --output-format stream-json", cases[i].line);
    o = sandbox_run(c->sandbox, words.buf);
    assert_non_null(o.out);
    if (cases[i].code >= 0 && o.code != cases[i].code)
        fail_msg("%s: exit %d, want %d\n%s%s", cases[i].line, o.code, cases[i].code, o.out, o.err);
    for (const char *line = o.out; *line;) {
        size_t n = strcspn(line, "\n");

        collect(&pieces[i], line, n, cases[i].how == ANSWERS);
        line += n + (line[n] == '\n');
    }
    if (cases[i].how == SCREEN && !strstr(o.out, "\"kind\":\"screen\""))
        fail_msg("%s does not say that it is about the screen: %s", cases[i].line, o.out);
    if (cases[i].how <= TITLE && !pieces[i].count)
        fail_msg("%s answered nothing:\n%s%s", cases[i].line, o.out, o.err);
    outcome_release(&o);
    sf_strbuf_release(&words);
}

/* ---- in the terminal ---- */

static bool sees(struct tui_case *c, const char *text)
{
    char *all = vt_text(c->vt);
    bool there = strstr(all, text) != NULL;

    free(all);
    return there;
}

static void run_in_terminal(struct tui_case *c, size_t i)
{
    tui_case_say(c, cases[i].line);
    for (size_t k = 0; k < pieces[i].count; k++)
        vt_wait_text(c->vt, pieces[i].items[k]);
    if (cases[i].seen)
        vt_wait_text(c->vt, cases[i].seen);
    if (sees(c, "Esc close")) { /* else Esc would mean something else */
        vt_type(c->vt, ESC);
        vt_wait_no_text(c->vt, "Esc close");
    }
    vt_wait_quiet(c->vt);
}

static bool is_shown(size_t i)
{
    return cases[i].how <= TITLE || cases[i].seen;
}

static void test_same(void **state)
{
    struct tui_case *c = *state;

    sandbox_expect(c->sandbox, "-p list", 0, NULL, NULL);
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        run_without_screen(c, i);
    tui_case_open(c, "-c", ROWS, COLS);
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        if (is_shown(i))
            run_in_terminal(c, i);
    for (size_t i = 0; i < SF_COUNT(cases); i++)
        sf_strlist_release(&pieces[i]);
}

/* ---- all of them ---- */

static bool has_case(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        size_t n = strcspn(cases[i].line + 1, " ");

        if (strlen(name) == n && !strncmp(cases[i].line + 1, name, n))
            return true;
    }
    return false;
}

static void test_complete(void **state)
{
    size_t screen = 0;

    (void)state;
    for (size_t i = 0; i < sf_port_command_count; i++) {
        if (!has_case(sf_port_commands[i].name))
            fail_msg("/%s has no row here", sf_port_commands[i].name);
        screen += !sf_port_commands[i].run;
    }
    for (size_t i = 0; i < sf_mode_command_count; i++)
        if (!has_case(sf_mode_commands[i].name))
            fail_msg("/%s has no row here", sf_mode_commands[i].name);
    assert_int_equal(screen, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete),
        cmocka_unit_test_setup_teardown(test_same, tui_case_setup, tui_case_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
