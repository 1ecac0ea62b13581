/*
 * test_theme.c: the built-in ones are complete and can be read, files of users are taken or refused
 * with the place of the mistake, and colours keep their hue in smaller palettes.
 */
#include <math.h>
#include <string.h>

#include "io/io.h"
#include "support/test.h"
#include "view/theme.h"

/* ---- the built-in ones ---- */

static char *theme_file(const char *name)
{
    char path[400];

    snprintf(path, sizeof(path), "%s/themes/%s.toml", SF_SOURCE, name);
    return test_read(path, NULL);
}

/* What each of them leaves out would be the dark theme's, which need not fit. */
static void test_builtins_name_every_role(void **state)
{
    (void)state;
    for (size_t i = 0; sf_theme_names[i]; i++) {
        char *text = theme_file(sf_theme_names[i]);
        const char *roles = strstr(text, "[roles]");

        assert_non_null(roles);
        for (size_t k = 0; k < SF_LOOK_ROLES; k++) {
            char line[60];

            snprintf(line, sizeof(line), "\n%s = ", sf_look_role_names[k]);
            if (!strstr(roles, line))
                fail_msg("%s does not name %s", sf_theme_names[i], sf_look_role_names[k]);
        }
        free(text);
    }
    assert_null(sf_look_role_names[SF_LOOK_ROLES]);
}

static void test_builtins_are_their_files(void **state)
{
    (void)state;
    for (size_t i = 0; sf_theme_names[i]; i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_theme builtin, read;
        char *text = theme_file(sf_theme_names[i]);

        assert_true(sf_theme_builtin(&builtin, sf_theme_names[i]));
        if (!sf_theme_parse(&read, text, strlen(text), &err))
            fail_msg("%s: %s", sf_theme_names[i], err.msg);
        free(text);
        assert_string_equal(builtin.name, sf_theme_names[i]);
        assert_string_equal(read.name, sf_theme_names[i]);
        for (size_t k = 0; k < SF_LOOK_ROLES; k++)
            assert_true(builtin.paints[k].fg == read.paints[k].fg &&
                        builtin.paints[k].bg == read.paints[k].bg &&
                        builtin.paints[k].attrs == read.paints[k].attrs);
    }
}

static void test_no_such_builtin(void **state)
{
    struct sf_theme theme;

    (void)state;
    assert_false(sf_theme_builtin(&theme, "solarised"));
    assert_false(sf_theme_builtin(&theme, ""));
}

/* ---- contrast, as WCAG 2 counts it ---- */

static double linear(int channel)
{
    double c = channel / 255.0;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(int32_t colour)
{
    return 0.2126 * linear(colour >> 16 & 0xff) + 0.7152 * linear(colour >> 8 & 0xff) +
           0.0722 * linear(colour & 0xff);
}

static double contrast(int32_t a, int32_t b)
{
    double high = fmax(luminance(a), luminance(b)), low = fmin(luminance(a), luminance(b));

    return (high + 0.05) / (low + 0.05);
}

/* What the terminal makes of it. */
static int32_t shown(int32_t colour, enum sf_colours colours)
{
    static const int steps[] = { 0, 95, 135, 175, 215, 255 };
    int n = sf_colour_256(colour) - 16, grey = 8 + 10 * (n - 216);

    if (colours == SF_COLOURS_TRUE)
        return colour;
    if (n >= 216)
        return grey << 16 | grey << 8 | grey;
    return steps[n / 36] << 16 | steps[n / 6 % 6] << 8 | steps[n % 6];
}

static const struct {
    const char *theme;
    int32_t policy, text; /* the terminal's, as we suppose: not the easiest; of some, the theme's */
    double least, dim;
} grounds[] = {
    { "dark", 0x1e1e1e, 0xe0e0e0, 4.5, 4.5 },
    { "dark", 0x000000, 0xe0e0e0, 4.5, 4.5 },
    { "light", 0xfafafa, 0x202020, 4.5, 4.5 },
    { "high-contrast", 0x000000, 0xffffff, 7, 7 },
    { "catppuccin", 0, 0, 4.5, 3 },
    { "dracula", 0, 0, 4.5, 3 },
    { "github", 0, 0, 4.5, 3 },
    { "gruvbox", 0, 0, 4.5, 3 },
    { "nord", 0, 0, 4.5, 3 },
    { "rose-pine", 0, 0, 4.5, 3 },
    { "solarized", 0, 0, 3, 3 }, /* its colours are close to their ground by design */
    { "solarized-light", 0, 0, 3, 3 },
    { "tokyo-night", 0, 0, 4.5, 3 },
};

static bool is_dim(enum sf_look_role role)
{
    return role == SF_LOOK_DIM || role == SF_LOOK_RULE || role == SF_LOOK_COMMENT ||
           role == SF_LOOK_QUOTE;
}

/* What is drawn there: code and its label, lines of a diff, the dots for blanks in them. */
static bool stands_on(enum sf_look_role role, enum sf_look_ground ground)
{
    if (!ground)
        return true;
    if (role == SF_LOOK_ADDED || role == SF_LOOK_REMOVED)
        return ground == SF_GROUND_PANEL || (role == SF_LOOK_ADDED) == (ground == SF_GROUND_ADDED);
    return role == SF_LOOK_TEXT || role == SF_LOOK_DIM || role == SF_LOOK_CODE ||
           (role >= SF_LOOK_KEYWORD && role <= SF_LOOK_PREPROCESSOR);
}

static void check_contrast(size_t i, const struct sf_theme *theme, struct sf_look look,
                           enum sf_colours colours)
{
    struct sf_paint paint = sf_theme_paint(theme, look, colours);
    int32_t fg = paint.fg == SF_COLOUR_DEFAULT ? grounds[i].text : paint.fg;
    int32_t bg = paint.bg == SF_COLOUR_DEFAULT ? grounds[i].policy : paint.bg;
    double got = contrast(shown(fg, colours), shown(bg, colours));
    enum sf_look_role role = (enum sf_look_role)look.role;

    if (role == SF_LOOK_RULE && paint.bg == SF_COLOUR_DEFAULT)
        return; /* lines on a ground we can only guess are meant to be faint */
    if (got < (is_dim(role) ? grounds[i].dim : grounds[i].least))
        fail_msg("%s, %s on ground %d, %s: contrast %.2f", grounds[i].theme,
                 sf_look_role_names[role], look.ground,
                 colours == SF_COLOURS_256 ? "256 colours" : "24 bits", got);
}

static void test_contrast(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(grounds); i++) {
        struct sf_theme theme;

        assert_true(sf_theme_builtin(&theme, grounds[i].theme));
        for (unsigned at = 0; at < SF_LOOK_ROLES * SF_GROUNDS; at++) {
            enum sf_look_role role = (enum sf_look_role)(at / SF_GROUNDS);
            enum sf_look_ground ground = (enum sf_look_ground)(at % SF_GROUNDS);

            if (!stands_on(role, ground))
                continue;
            check_contrast(i, &theme, sf_look_on(sf_look(role), ground), SF_COLOURS_TRUE);
            check_contrast(i, &theme, sf_look_on(sf_look(role), ground), SF_COLOURS_256);
        }
    }
}

static void test_every_theme_is_measured(void **state)
{
    (void)state;
    for (size_t i = 0; sf_theme_names[i]; i++) {
        bool measured = !strcmp(sf_theme_names[i], "mono"); /* no colours */

        for (size_t k = 0; k < SF_COUNT(grounds); k++)
            measured |= !strcmp(grounds[k].theme, sf_theme_names[i]);
        if (!measured)
            fail_msg("%s: nobody knows whether it can be read", sf_theme_names[i]);
    }
}

/* xterm's own sixteen. */
static const int32_t sixteen[] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                   0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                   0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff };

static void test_sixteen_colours_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; sf_theme_names[i]; i++) {
        struct sf_theme theme;

        assert_true(sf_theme_builtin(&theme, sf_theme_names[i]));
        for (size_t k = 0; k < SF_LOOK_PANEL; k++) { /* grounds are not shown */
            struct sf_paint paint =
                sf_theme_paint(&theme, sf_look((enum sf_look_role)k), SF_COLOURS_16);
            int fg = sf_colour_16(paint.fg), bg = sf_colour_16(paint.bg);

            if (fg >= 0 && bg >= 0 && contrast(sixteen[fg], sixteen[bg]) < 3)
                fail_msg("%s, %s: %d on %d", sf_theme_names[i], sf_look_role_names[k], fg, bg);
        }
    }
}

static void test_mono_has_no_colours(void **state)
{
    struct sf_theme theme;

    (void)state;
    assert_true(sf_theme_builtin(&theme, "mono"));
    for (size_t k = 0; k < SF_LOOK_ROLES; k++)
        assert_true(theme.paints[k].fg == SF_COLOUR_DEFAULT &&
                    theme.paints[k].bg == SF_COLOUR_DEFAULT);
}

/* ---- grounds ---- */

static const struct {
    const char *name, *theme;
    struct sf_look look;
    enum sf_colours colours;
    enum sf_look_role fg, bg; /* whose colours it has; SF_LOOK_TEXT: its ground is the text's */
    unsigned attrs;
} paints[] = {
    { "a word of an added line",
      "dark",
      { SF_LOOK_KEYWORD, 0, SF_GROUND_ADDED },
      SF_COLOURS_TRUE,
      SF_LOOK_KEYWORD,
      SF_LOOK_ADDED_LINE,
      0 },
    { "of a removed one",
      "dark",
      { SF_LOOK_STRING, 0, SF_GROUND_REMOVED },
      SF_COLOURS_TRUE,
      SF_LOOK_STRING,
      SF_LOOK_REMOVED_LINE,
      0 },
    { "a changed word has its own ground",
      "dark",
      { SF_LOOK_ADDED_WORD, 0, SF_GROUND_ADDED },
      SF_COLOURS_TRUE,
      SF_LOOK_ADDED_WORD,
      SF_LOOK_ADDED_WORD,
      0 },
    { "code on its panel",
      "dark",
      { SF_LOOK_TYPE, 0, SF_GROUND_PANEL },
      SF_COLOURS_TRUE,
      SF_LOOK_TYPE,
      SF_LOOK_PANEL,
      0 },
    { "256: a dark tint would be grey",
      "dark",
      { SF_LOOK_TYPE, 0, SF_GROUND_ADDED },
      SF_COLOURS_256,
      SF_LOOK_ADDED,
      SF_LOOK_TEXT,
      0 },
    { "256: a light one stays",
      "light",
      { SF_LOOK_TYPE, 0, SF_GROUND_ADDED },
      SF_COLOURS_256,
      SF_LOOK_TYPE,
      SF_LOOK_ADDED_LINE,
      0 },
    { "256: a panel may be grey",
      "dark",
      { SF_LOOK_TYPE, 0, SF_GROUND_PANEL },
      SF_COLOURS_256,
      SF_LOOK_TYPE,
      SF_LOOK_PANEL,
      0 },
    { "16: the sign's colour",
      "dark",
      { SF_LOOK_TYPE, 0, SF_GROUND_REMOVED },
      SF_COLOURS_16,
      SF_LOOK_REMOVED,
      SF_LOOK_TEXT,
      0 },
    { "16: marks keep theirs",
      "dark",
      { SF_LOOK_DIM, 0, SF_GROUND_REMOVED },
      SF_COLOURS_16,
      SF_LOOK_DIM,
      SF_LOOK_TEXT,
      0 },
    { "16: a changed word",
      "dark",
      { SF_LOOK_REMOVED_WORD, 0, SF_GROUND_REMOVED },
      SF_COLOURS_16,
      SF_LOOK_REMOVED,
      SF_LOOK_TEXT,
      SF_LOOK_REVERSE },
    { "16: no panel",
      "dark",
      { SF_LOOK_TYPE, 0, SF_GROUND_PANEL },
      SF_COLOURS_16,
      SF_LOOK_TYPE,
      SF_LOOK_TEXT,
      0 },
    { "no colours: a changed word",
      "dark",
      { SF_LOOK_ADDED_WORD, 0, SF_GROUND_ADDED },
      SF_COLOURS_NONE,
      SF_LOOK_ADDED_WORD,
      SF_LOOK_ADDED_WORD,
      SF_LOOK_BOLD | SF_LOOK_UNDERLINE },
    { "no colours: what is selected",
      "dark",
      { SF_LOOK_SELECTED, 0, 0 },
      SF_COLOURS_NONE,
      SF_LOOK_SELECTED,
      SF_LOOK_SELECTED,
      SF_LOOK_REVERSE },
    { "mono: an added line",
      "mono",
      { SF_LOOK_TYPE, 0, SF_GROUND_ADDED },
      SF_COLOURS_TRUE,
      SF_LOOK_ADDED,
      SF_LOOK_TEXT,
      SF_LOOK_BOLD },
    { "attributes of both",
      "dark",
      { SF_LOOK_HEADING, SF_LOOK_ITALIC, 0 },
      SF_COLOURS_TRUE,
      SF_LOOK_HEADING,
      SF_LOOK_TEXT,
      SF_LOOK_BOLD | SF_LOOK_ITALIC },
};

static void test_paints(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(paints); i++) {
        struct sf_theme theme;
        struct sf_paint got;

        assert_true(sf_theme_builtin(&theme, paints[i].theme));
        got = sf_theme_paint(&theme, paints[i].look, paints[i].colours);
        if (got.fg != theme.paints[paints[i].fg].fg || got.bg != theme.paints[paints[i].bg].bg ||
            got.attrs != paints[i].attrs)
            fail_msg("%s: #%06x on #%06x, %u", paints[i].name, (unsigned)got.fg, (unsigned)got.bg,
                     got.attrs);
    }
}

static void test_sixteen_leave_the_ground(void **state)
{
    struct sf_theme theme;
    struct sf_paint text, code;

    (void)state;
    assert_true(sf_theme_builtin(&theme, "nord"));
    text = sf_theme_paint(&theme, sf_look(SF_LOOK_TEXT), SF_COLOURS_16);
    code = sf_theme_paint(&theme, sf_look(SF_LOOK_STRING), SF_COLOURS_16);
    assert_true(text.fg == SF_COLOUR_DEFAULT && text.bg == SF_COLOUR_DEFAULT);
    assert_true(code.fg == theme.paints[SF_LOOK_STRING].fg && code.bg == SF_COLOUR_DEFAULT);
}

static void test_ground_is_named_once(void **state)
{
    static const char text[] = "[roles]\ntext = { fg = \"#102030\", bg = \"#fafafa\" }\n"
                               "code = \"default\"\nlink = \"blue\"\n";
    struct sf_error err = SF_ERROR_INIT;
    struct sf_theme theme;

    (void)state;
    assert_true(sf_theme_parse(&theme, text, strlen(text), &err));
    assert_true(theme.paints[SF_LOOK_CODE].fg == 0x102030);
    assert_true(theme.paints[SF_LOOK_LINK].bg == 0xfafafa);
    assert_true(theme.paints[SF_LOOK_DIM].bg == 0xfafafa); /* the dark theme's, on this ground */
    assert_true(theme.paints[SF_LOOK_SELECTED].bg != 0xfafafa);
}

/* ---- files of users ---- */

static void test_a_file(void **state)
{
    static const char text[] = "name = \"mine\"\n"
                               "[roles]\n"
                               "accent = \"blue\"\n"
                               "error = \"bright-red\"\n"
                               "text = \"default\"\n"
                               "selected = { fg = \"#Ff0102\", bg = \"black\", bold = true, "
                               "faint = true, italic = false }\n"
                               "[palette]\n"
                               "blue = \"#010203\"\n";
    struct sf_error err = SF_ERROR_INIT;
    struct sf_theme theme, dark;

    (void)state;
    assert_true(sf_theme_parse(&theme, text, strlen(text), &err));
    assert_true(sf_theme_builtin(&dark, "dark"));
    assert_string_equal(theme.name, "mine");
    assert_int_equal(theme.paints[SF_LOOK_ACCENT].fg, 0x010203);
    assert_int_equal(theme.paints[SF_LOOK_ERROR].fg, SF_COLOUR_ANSI(9));
    assert_int_equal(theme.paints[SF_LOOK_TEXT].fg, SF_COLOUR_DEFAULT);
    assert_int_equal(theme.paints[SF_LOOK_SELECTED].fg, 0xff0102);
    assert_int_equal(theme.paints[SF_LOOK_SELECTED].bg, SF_COLOUR_ANSI(0));
    assert_int_equal(theme.paints[SF_LOOK_SELECTED].attrs, SF_LOOK_BOLD | SF_LOOK_FAINT);
    assert_int_equal(theme.paints[SF_LOOK_HEADING].fg, dark.paints[SF_LOOK_HEADING].fg);
    assert_int_equal(theme.paints[SF_LOOK_HEADING].attrs, SF_LOOK_BOLD);
}

static const struct {
    const char *name, *text, *message, *hint;
} mistakes[] = {
    { "no TOML", "[roles\n", "", "" },
    { "an unknown key", "colour = 1\n", "line 1: colour is not", "" },
    { "a role nearly right", "[roles]\nacent = \"red\"\n", "line 2: roles.acent is not", "accent" },
    { "no colour", "[roles]\n\ndim = \"gray-ish\"\n", "line 3: roles.dim is not a colour: gray-ish",
      "#rrggbb" },
    { "a short colour", "[roles]\ndim = \"#fff\"\n", "line 2: roles.dim is not a colour", "" },
    { "a sign in a colour", "[roles]\ndim = \"#+12345\"\n", "line 2: roles.dim is not a colour",
      "" },
    { "a number", "[roles]\ndim = 7\n", "line 2: roles.dim must be a colour", "" },
    { "a NUL in a colour", "[roles]\ndim = \"red\\u0000\"\n", "line 2: roles.dim must be", "" },
    { "an attribute", "[roles]\ndim = { fg = \"red\", blod = true }\n",
      "line 2: roles.dim.blod is not", "bold" },
    { "not yes or no", "[roles]\ndim = { bold = \"yes\" }\n", "roles.dim.bold must be true", "" },
    { "a palette of palettes", "[palette]\na = \"b\"\nb = \"red\"\n",
      "line 2: palette.a is not a colour", "" },
    { "a palette of numbers", "[palette]\na = 1\n[roles]\ndim = \"a\"\n",
      "line 2: palette.a must be", "" },
    { "no table", "roles = 1\n", "line 1: roles must be a table", "" },
    { "palette no table", "palette = \"red\"\n", "line 1: palette must be a table", "" },
    { "a long name", "name = \"0123456789012345678901234567890123456789\"\n", "line 1: name must",
      "" },
    { "an empty name", "name = \"\"\n", "line 1: name must", "" },
};

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(mistakes); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_theme theme = { .name = "before" };

        if (sf_theme_parse(&theme, mistakes[i].text, strlen(mistakes[i].text), &err))
            fail_msg("%s: taken", mistakes[i].name);
        if (!strstr(err.msg, mistakes[i].message) || !strstr(err.hint, mistakes[i].hint) ||
            !err.line)
            fail_msg("%s: '%s' '%s' line %u", mistakes[i].name, err.msg, err.hint, err.line);
        assert_string_equal(theme.name, "before");
    }
}

static void test_too_large(void **state)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_theme theme = { .name = "before" };
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_fill(&text, '\n', 1000000);
    assert_false(sf_theme_parse(&theme, text.buf, text.len, &err));
    sf_strbuf_release(&text);
}

/* ---- smaller palettes ---- */

static const struct {
    const char *name;
    int32_t colour;
    int of_256, of_16;
} colours[] = {
    { "the terminal's own", SF_COLOUR_DEFAULT, -1, -1 },
    { "ANSI stays", SF_COLOUR_ANSI(3), 3, 3 },
    { "bright ANSI stays", SF_COLOUR_ANSI(12), 12, 12 },
    { "black", 0x000000, 16, 0 },
    { "white", 0xffffff, 231, 15 },
    { "full red", 0xff0000, 196, 9 },
    { "dark green", 0x005f00, 22, 2 },
    { "middle grey", 0x808080, 244, 8 },
    { "light grey", 0xc6c6c6, 251, 7 },
    { "nearly black", 0x080808, 232, 0 },
    { "a soft blue stays blue", 0x7aa2f7, 111, 12 },
    { "a soft red stays red", 0xf7768e, 210, 9 },
    { "a soft yellow stays yellow", 0xe6b450, 179, 11 },
    { "a soft violet stays violet", 0xd19af5, 177, 13 },
};

static void test_smaller_palettes(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(colours); i++) {
        int of_256 = sf_colour_256(colours[i].colour), of_16 = sf_colour_16(colours[i].colour);

        if (of_256 != colours[i].of_256 || of_16 != colours[i].of_16)
            fail_msg("%s: %d and %d", colours[i].name, of_256, of_16);
    }
}

static long gap_of(int32_t colour, int index)
{
    int n = index - 16, step[3] = { n / 36, n / 6 % 6, n % 6 };
    long sum = 0;

    for (int k = 0; k < 3; k++) {
        int value = index >= 232 ? 8 + 10 * (index - 232) : step[k] ? 55 + 40 * step[k] : 0;
        long gap = (colour >> (16 - 8 * k) & 0xff) - value;

        sum += gap * gap;
    }
    return sum;
}

/* By trying all of them. */
static int nearest(int32_t colour)
{
    int best = 16;

    for (int i = 17; i < 256; i++)
        if (gap_of(colour, i) < gap_of(colour, best))
            best = i;
    return best;
}

static void test_256_is_the_nearest(void **state)
{
    (void)state;
    for (int32_t colour = 0; colour <= 0xffffff; colour += 4099) {
        int got = sf_colour_256(colour), want = nearest(colour);

        if (gap_of(colour, got) > gap_of(colour, want))
            fail_msg("#%06x: %d, but %d is nearer", (unsigned)colour, got, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtins_name_every_role),
        cmocka_unit_test(test_builtins_are_their_files),
        cmocka_unit_test(test_no_such_builtin),
        cmocka_unit_test(test_contrast),
        cmocka_unit_test(test_every_theme_is_measured),
        cmocka_unit_test(test_paints),
        cmocka_unit_test(test_sixteen_leave_the_ground),
        cmocka_unit_test(test_ground_is_named_once),
        cmocka_unit_test(test_sixteen_colours_can_be_read),
        cmocka_unit_test(test_mono_has_no_colours),
        cmocka_unit_test(test_a_file),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_smaller_palettes),
        cmocka_unit_test(test_256_is_the_nearest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
