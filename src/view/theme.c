/*
 * theme.c: theme files into paints, and colours into the nearest ones of smaller palettes. The
 * built-in themes are files like any other, carried by the program; a theme of the user lies over
 * the dark one, so that a file may name two roles and leave the rest.
 */
#include "view/theme.h"

#include <string.h>

#include "view/theme_texts.h"

enum { TEXT_MAX = 64 * 1024 };

#define NAME(id, name) name,
const char *const sf_theme_names[] = { SF_THEME_TEXTS(NAME) NULL };
#undef NAME

static const struct {
    const char *text;
    const size_t *len;
} builtins[] = {
#define TEXT(id, name) { sf_theme_##id, &sf_theme_##id##_len },
    SF_THEME_TEXTS(TEXT)
#undef TEXT
};

static const char *const ansi_names[] = {
    "black",        "red",
    "green",        "yellow",
    "blue",         "magenta",
    "cyan",         "white",
    "bright-black", "bright-red",
    "bright-green", "bright-yellow",
    "bright-blue",  "bright-magenta",
    "bright-cyan",  "bright-white",
    NULL,
};

/* What a role's table may hold; an attribute's place is its bit. */
static const char *const paint_keys[] = { "bold",  "italic", "underline", "reverse",
                                          "faint", "fg",     "bg",        NULL };

struct reader {
    const struct sf_toml *doc;
    const struct sf_toml_value *palette; /* NULL: none */
    struct sf_theme *theme;
    struct sf_error *err;
};

static int index_of(const char *const *names, const char *word)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], word))
            return i;
    return -1;
}

/* Says where the value stands; "roles.accent" is its key. */
SF_PRINTF(4, 5)
static bool object(struct reader *r, const struct sf_toml_value *at, const char *key,
                   const char *format, ...)
{
    unsigned line, column;
    char why[200];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    sf_toml_where(r->doc, at->key_at, &line, &column);
    sf_fail(r->err, SF_E_SYNTAX, "line %u: %.80s %s", line, key, why);
    r->err->line = line;
    r->err->column = column;
    return false;
}

static bool unknown(struct reader *r, const struct sf_toml_value *at, const char *key,
                    const char *const *names)
{
    struct sf_suggest near;

    object(r, at, key, "is not a key of a theme");
    sf_suggest_start(&near, strrchr(key, '.') ? strrchr(key, '.') + 1 : key);
    for (size_t i = 0; names[i]; i++)
        sf_suggest_offer(&near, names[i]);
    return sf_suggest_hint(&near, NULL, r->err);
}

static bool read_hex(const char *text, int32_t *colour)
{
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return false;
    *colour = (int32_t)strtol(text + 1, NULL, 16);
    return true;
}

/* Without the palette: what stands in it, and what is meant by a role it does not name. */
static bool read_plain_colour(const char *text, int32_t *colour)
{
    int ansi = index_of(ansi_names, text);

    if (ansi >= 0)
        *colour = SF_COLOUR_ANSI(ansi);
    else if (!strcmp(text, "default"))
        *colour = SF_COLOUR_DEFAULT;
    else
        return read_hex(text, colour);
    return true;
}

static bool is_text(const struct sf_toml_value *value)
{
    return value->type == SF_TOML_STRING && strlen(value->as.str.text) == value->as.str.len;
}

static bool read_colour(struct reader *r, const struct sf_toml_value *value, const char *key,
                        int32_t *colour)
{
    const struct sf_toml_value *named;

    if (!is_text(value))
        return object(r, value, key, "must be a colour in quotes");
    named = r->palette ? sf_toml_get(r->palette, value->as.str.text) : NULL;
    if (!read_plain_colour(named ? named->as.str.text : value->as.str.text, colour)) {
        object(r, value, key, "is not a colour: %.40s", value->as.str.text);
        return sf_hint(r->err, "write \"#rrggbb\", \"red\", \"bright-red\", \"default\" or a name "
                               "of [palette]");
    }
    return true;
}

static bool read_palette(struct reader *r, const struct sf_toml_value *table)
{
    const struct sf_map *keys;

    if (table->type != SF_TOML_TABLE)
        return object(r, table, "palette", "must be a table");
    keys = &table->as.table->keys;
    for (size_t i = 0; i < keys->count; i++) {
        char key[100];
        int32_t colour;

        snprintf(key, sizeof(key), "palette.%.60s", keys->entries[i].key);
        if (!read_colour(r, keys->entries[i].value, key, &colour)) /* no palette yet: plain ones */
            return false;
    }
    r->palette = table;
    return true;
}

static bool read_attr(struct reader *r, const struct sf_toml_value *value, const char *key,
                      unsigned attr, struct sf_paint *paint)
{
    if (value->type != SF_TOML_BOOLEAN)
        return object(r, value, key, "must be true or false");
    if (value->as.boolean)
        paint->attrs |= (uint8_t)attr;
    return true;
}

static bool read_paint(struct reader *r, const struct sf_toml_value *table, const char *role,
                       struct sf_paint *paint)
{
    const struct sf_map *keys = &table->as.table->keys;
    bool ok = true;

    for (size_t i = 0; i < keys->count && ok; i++) {
        const struct sf_toml_value *value = keys->entries[i].value;
        const char *name = keys->entries[i].key;
        int known = index_of(paint_keys, name);
        char key[160];

        snprintf(key, sizeof(key), "%.80s.%.60s", role, name);
        if (known < 0)
            ok = unknown(r, value, key, paint_keys);
        else if (name[1] == 'g') /* fg and bg */
            ok = read_colour(r, value, key, name[0] == 'f' ? &paint->fg : &paint->bg);
        else
            ok = read_attr(r, value, key, 1u << known, paint);
    }
    return ok;
}

static bool read_roles(struct reader *r, const struct sf_toml_value *table)
{
    const struct sf_map *keys;

    if (table->type != SF_TOML_TABLE)
        return object(r, table, "roles", "must be a table");
    keys = &table->as.table->keys;
    for (size_t i = 0; i < keys->count; i++) {
        const struct sf_toml_value *value = keys->entries[i].value;
        int role = index_of(sf_look_role_names, keys->entries[i].key);
        struct sf_paint paint = { SF_COLOUR_DEFAULT, SF_COLOUR_DEFAULT, 0 };
        char key[100];

        snprintf(key, sizeof(key), "roles.%.60s", keys->entries[i].key);
        if (role < 0)
            return unknown(r, value, key, sf_look_role_names);
        if (value->type == SF_TOML_TABLE ? !read_paint(r, value, key, &paint)
                                         : !read_colour(r, value, key, &paint.fg))
            return false;
        r->theme->paints[role] = paint;
    }
    return true;
}

static bool read_name(struct reader *r, const struct sf_toml_value *value)
{
    if (!is_text(value) || !value->as.str.len || value->as.str.len >= sizeof(r->theme->name) ||
        !sf_utf8_valid(value->as.str.text, value->as.str.len, NULL))
        return object(r, value, "name", "must be a text of 1 to 31 bytes");
    snprintf(r->theme->name, sizeof(r->theme->name), "%s", value->as.str.text);
    return true;
}

/* The palette first, wherever it stands: roles speak of it. */
static bool read_all(struct reader *r)
{
    static const char *const names[] = { "palette", "name", "roles", NULL };
    static bool (*const read[])(
        struct reader *, const struct sf_toml_value *) = { read_palette, read_name, read_roles };
    const struct sf_toml_value *root = sf_toml_root(r->doc);
    const struct sf_map *keys = &root->as.table->keys;

    for (size_t i = 0; i < keys->count; i++)
        if (index_of(names, keys->entries[i].key) < 0)
            return unknown(r, keys->entries[i].value, keys->entries[i].key, names);
    for (size_t i = 0; i < SF_COUNT(read); i++) {
        const struct sf_toml_value *value = sf_toml_get(root, names[i]);

        if (value && !read[i](r, value))
            return false;
    }
    return true;
}

/* What a role leaves to others is the text's, so that a theme names its ground once. */
static void fill_defaults(struct sf_theme *theme)
{
    const struct sf_paint *text = &theme->paints[SF_LOOK_TEXT];

    for (size_t i = 0; i < SF_LOOK_ROLES; i++) {
        struct sf_paint *paint = &theme->paints[i];

        if (paint->fg == SF_COLOUR_DEFAULT)
            paint->fg = text->fg;
        if (paint->bg == SF_COLOUR_DEFAULT)
            paint->bg = text->bg;
    }
}

/* Lays the text over what `theme` holds. */
static bool lay_over(struct sf_theme *theme, const char *text, size_t len, struct sf_error *err)
{
    struct sf_theme copy = *theme;
    struct reader r = { .theme = &copy, .err = err };
    struct sf_toml *doc = sf_toml_parse(text, len, TEXT_MAX, err);
    bool ok;

    if (!doc)
        return false;
    r.doc = doc;
    ok = read_all(&r);
    if (ok) {
        fill_defaults(&copy);
        *theme = copy;
    }
    sf_toml_free(doc);
    return ok;
}

static void plain(struct sf_theme *theme)
{
    *theme = (struct sf_theme){ .name = "" };
    for (size_t i = 0; i < SF_LOOK_ROLES; i++)
        theme->paints[i] = (struct sf_paint){ SF_COLOUR_DEFAULT, SF_COLOUR_DEFAULT, 0 };
}

bool sf_theme_builtin(struct sf_theme *theme, const char *name)
{
    struct sf_error err = SF_ERROR_INIT;
    int i = index_of(sf_theme_names, name);
    struct sf_theme made;

    if (i < 0)
        return false;
    plain(&made);
    if (!lay_over(&made, builtins[i].text, *builtins[i].len, &err))
        return false;
    *theme = made;
    return true;
}

bool sf_theme_parse(struct sf_theme *theme, const char *text, size_t len, struct sf_error *err)
{
    struct sf_theme made;

    if (!sf_theme_builtin(&made, sf_theme_names[0]))
        plain(&made);
    snprintf(made.name, sizeof(made.name), "custom");
    if (!lay_over(&made, text, len, err))
        return false;
    *theme = made;
    return true;
}

/* ---- painting ---- */

static const struct {
    enum sf_look_role role, instead; /* the ground's, and the text's where there is no ground */
} grounds[] = {
    [SF_GROUND_NONE] = { SF_LOOK_TEXT, SF_LOOK_TEXT },
    [SF_GROUND_PANEL] = { SF_LOOK_PANEL, SF_LOOK_TEXT },
    [SF_GROUND_ADDED] = { SF_LOOK_ADDED_LINE, SF_LOOK_ADDED },
    [SF_GROUND_REMOVED] = { SF_LOOK_REMOVED_LINE, SF_LOOK_REMOVED },
};

static bool has_ground(const struct sf_paint *paint, const struct sf_theme *theme)
{
    return paint->bg != theme->paints[SF_LOOK_TEXT].bg;
}

/* Dark tints are greys among the 256, which say neither "added" nor "removed". */
static bool keeps_hue(int32_t colour, enum sf_colours colours)
{
    int n = colours == SF_COLOURS_256 ? sf_colour_256(colour) - 16 : 1;

    return n < 216 && (n / 36 != n / 6 % 6 || n % 6 != n % 36 / 6);
}

static bool shows_ground(const struct sf_theme *theme, enum sf_look_ground ground,
                         enum sf_colours colours)
{
    const struct sf_paint *added = &theme->paints[SF_LOOK_ADDED_LINE];
    const struct sf_paint *removed = &theme->paints[SF_LOOK_REMOVED_LINE];

    if (colours < SF_COLOURS_256 || !has_ground(&theme->paints[grounds[ground].role], theme))
        return false;
    return ground == SF_GROUND_PANEL ||
           (keeps_hue(added->bg, colours) && keeps_hue(removed->bg, colours));
}

static bool is_syntax(enum sf_look_role role)
{
    return role == SF_LOOK_TEXT || role == SF_LOOK_CODE ||
           (role >= SF_LOOK_KEYWORD && role <= SF_LOOK_PREPROCESSOR);
}

static bool is_word(enum sf_look_role role)
{
    return role == SF_LOOK_ADDED_WORD || role == SF_LOOK_REMOVED_WORD;
}

/*
 * Of the sixteen, black is the one ground all others can be read on; else it is the terminal's.
 * Changed words are reversed, since no two shades of a colour could be told apart.
 */
static struct sf_paint few_colours(struct sf_paint paint, enum sf_look_role role,
                                   const struct sf_theme *theme)
{
    const struct sf_paint *text = &theme->paints[SF_LOOK_TEXT];

    if (is_word(role)) {
        paint = theme->paints[role == SF_LOOK_ADDED_WORD ? SF_LOOK_ADDED : SF_LOOK_REMOVED];
        paint.attrs |= SF_LOOK_REVERSE;
    }
    if (text->bg == 0 || has_ground(&paint, theme))
        return paint;
    paint.bg = SF_COLOUR_DEFAULT;
    if (paint.fg == text->fg)
        paint.fg = SF_COLOUR_DEFAULT;
    return paint;
}

struct sf_paint sf_theme_paint(const struct sf_theme *theme, struct sf_look look,
                               enum sf_colours colours)
{
    enum sf_look_role role =
        look.role < SF_LOOK_ROLES ? (enum sf_look_role)look.role : SF_LOOK_TEXT;
    enum sf_look_ground ground = (enum sf_look_ground)(look.ground % SF_GROUNDS);
    bool shown = ground && shows_ground(theme, ground, colours);
    struct sf_paint paint;

    if (ground && !shown && is_syntax(role) && grounds[ground].instead)
        role = grounds[ground].instead;
    paint = theme->paints[role];
    paint.attrs |= look.attrs;
    if (shown && !has_ground(&paint, theme))
        paint.bg = theme->paints[grounds[ground].role].bg;
    if (colours == SF_COLOURS_16)
        paint = few_colours(paint, role, theme);
    if (colours == SF_COLOURS_NONE && has_ground(&paint, theme))
        paint.attrs |= is_word(role) ? SF_LOOK_BOLD | SF_LOOK_UNDERLINE : SF_LOOK_REVERSE;
    return paint;
}

/* ---- smaller palettes ---- */

static int channel(int32_t colour, int shift)
{
    return (int)((uint32_t)colour >> shift & 0xff);
}

static int square(int n)
{
    return n * n;
}

static int distance(int32_t colour, int red, int green, int blue)
{
    return square(channel(colour, 16) - red) + square(channel(colour, 8) - green) +
           square(channel(colour, 0) - blue);
}

/* The steps of the 6×6×6 cube are 0, 95, 135, 175, 215, 255. */
static int cube_step(int value)
{
    return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

static int cube_value(int step)
{
    return step ? 55 + 40 * step : 0;
}

int sf_colour_256(int32_t colour)
{
    int red, green, blue, mean, grey;

    if (colour < 0 || colour > 0xffffff)
        return sf_colour_16(colour);
    red = cube_step(channel(colour, 16));
    green = cube_step(channel(colour, 8));
    blue = cube_step(channel(colour, 0));
    mean = (channel(colour, 16) + channel(colour, 8) + channel(colour, 0)) / 3;
    grey = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10; /* 24 steps: 8, 18 … 238 */
    if (distance(colour, 8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey) <
        distance(colour, cube_value(red), cube_value(green), cube_value(blue)))
        return 232 + grey;
    return 16 + 36 * red + 6 * green + blue;
}

/*
 * By hue, not by distance: the nearest of the sixteen to a soft blue is a grey, and a theme would
 * lose all its colours. A channel above the middle of the range is on.
 */
int sf_colour_16(int32_t colour)
{
    int red = channel(colour, 16), green = channel(colour, 8), blue = channel(colour, 0);
    int high = red > green ? red : green, low = red < green ? red : green, middle, luma;

    if (colour == SF_COLOUR_DEFAULT)
        return -1;
    if (colour > 0xffffff)
        return (int)(colour - SF_COLOUR_ANSI(0)) & 15;
    high = blue > high ? blue : high;
    low = blue < low ? blue : low;
    middle = (high + low) / 2;
    luma = (30 * red + 59 * green + 11 * blue) / 100;
    if (high < 64)
        return 0;
    if (high - low < 40)
        return luma < 160 ? 8 : luma < 224 ? 7 : 15;
    return (red > middle) | (green > middle) << 1 | (blue > middle) << 2 | (high >= 192) << 3;
}
