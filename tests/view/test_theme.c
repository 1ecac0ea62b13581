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

static const struct {
    const char *theme;
    int32_t policy; /* the terminal's, as we suppose: not the easiest one */
    int32_t text;
    double least;
} grounds[] = {
    { "dark", 0x1e1e1e, 0xe0e0e0, 4.5 },
    { "dark", 0x000000, 0xe0e0e0, 4.5 },
    { "light", 0xfafafa, 0x202020, 4.5 },
    { "high-contrast", 0x000000, 0xffffff, 7 },
};

static void test_contrast(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(grounds); i++) {
        struct sf_theme theme;

        assert_true(sf_theme_builtin(&theme, grounds[i].theme));
        for (size_t k = 0; k < SF_LOOK_ROLES; k++) {
            const struct sf_paint *paint = &theme.paints[k];
            int32_t fg = paint->fg == SF_COLOUR_DEFAULT ? grounds[i].text : paint->fg;
            int32_t bg = paint->bg == SF_COLOUR_DEFAULT ? grounds[i].policy : paint->bg;

            if (k != SF_LOOK_RULE && contrast(fg, bg) < grounds[i].least)
                fail_msg("%s, %s: contrast %.2f", grounds[i].theme, sf_look_role_names[k],
                         contrast(fg, bg));
        }
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
        for (size_t k = 0; k < SF_LOOK_ROLES; k++) {
            int fg = sf_colour_16(theme.paints[k].fg), bg = sf_colour_16(theme.paints[k].bg);

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
