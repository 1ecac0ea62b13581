/*
 * theme: the colours of the roles. A theme is a TOML file: `[roles]` gives each role a colour, or
 * a table of fg, bg and attributes; `[palette]` names colours used there.
 *
 *     name = "dark"
 *     [palette]
 *     blue = "#7aa2f7"
 *     [roles]
 *     accent = "blue"
 *     selected = { fg = "#ffffff", bg = "#2a3050", bold = true }
 *
 * A colour is "#rrggbb", one of the 16 ANSI names ("red", "bright-red" …), or "default", which is
 * the terminal's own for `text`, and what `text` has for all other roles. Roles a file does not
 * name are the built-in dark theme's. Pure: a theme holds values; the terminal turns them into what
 * it can show.
 */
#ifndef SF_VIEW_THEME_H
#define SF_VIEW_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "view/look.h"

#define SF_COLOUR_DEFAULT (-1)              /* the terminal's own */
#define SF_COLOUR_ANSI(n) (0x1000000 + (n)) /* 0 to 15; else 0xrrggbb */

struct sf_paint {
    int32_t fg, bg;
    uint8_t attrs; /* SF_LOOK_BOLD and its like */
};

struct sf_theme {
    char name[32];
    struct sf_paint paints[SF_LOOK_ROLES];
};

/* How many colours a terminal has. */
enum sf_colours { SF_COLOURS_NONE, SF_COLOURS_16, SF_COLOURS_256, SF_COLOURS_TRUE };

extern const char *const sf_theme_names[]; /* the built-in ones: "dark", "light" …; NULL */

bool sf_theme_builtin(struct sf_theme *theme, const char *name);

/* The text of a theme file; errors name line and key. `theme` is unchanged on failure. */
bool sf_theme_parse(struct sf_theme *theme, const char *text, size_t len,
                    struct sf_error *err) SF_MUST_CHECK;

/*
 * What the look is painted with, attributes and all, on a terminal of so many colours. Where a
 * diff's grounds cannot be told from each other, its lines have the colour of their sign instead;
 * without colours, what stood out by its ground is reversed, and changed words are underlined.
 */
struct sf_paint sf_theme_paint(const struct sf_theme *theme, struct sf_look look,
                               enum sf_colours colours);

/* The nearest of the 256 colours (16 to 255), and of the 16. ANSI colours stay what they are. */
int sf_colour_256(int32_t colour);
int sf_colour_16(int32_t colour);

#endif
