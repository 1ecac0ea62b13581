/*
 * themes_doc.c: docs/THEMES.md, from the table of themes and the table of roles.
 */
#include "base/base.h"
#include "term/term.h"

static const char begin_text[] =
    "# Themes\n\n<!-- made by `./dev docs` from the tables in src/view/look.c and "
    "src/view/theme_texts.h; edit them there -->\n\n"
    "`/theme` shows a sample of each theme while you move through the list. Enter keeps the one "
    "under the\ncursor, in `ui.theme` of your settings; Esc goes back.\n\n"
    "| Theme | What it is |\n|---|---|\n";

static const char own_text[] =
    "\nThe named ones have their published colours. Where one of those could not be read on its "
    "ground, it\nis a lighter or darker shade of the same: text has a contrast of 4.5 or more (of 3 "
    "in Solarized, which\nis soft by design), dim text of 3, on every ground, in 24 bits and in 256 "
    "colours.\n\n"
    "## Your own\n\nCopy a file of [themes/](../themes) to `themes/NAME.toml` beside your settings, "
    "change it, and choose it\nwith `/theme NAME`. `[palette]` names colours, `[roles]` uses them; "
    "what a file leaves out is the dark\ntheme's.\n\n"
    "    [palette]\n    sea = \"#2aa198\"\n    [roles]\n    accent = \"sea\"\n"
    "    selected = { fg = \"#ffffff\", bg = \"#34477a\", bold = true }\n\n"
    "A colour is `#rrggbb`, one of the 16 names (`red`, `bright-red` and so on) or `default`: for "
    "`text` that\nis the terminal's own, for all others what `text` has. Attributes are `bold`, "
    "`italic`, `underline`,\n`reverse` and `faint`.\n\n"
    "With 256 colours the grounds of changed lines are used if they are still told apart; else, and "
    "with 16\ncolours, the lines have the colour of their sign. With `NO_COLOR` the signs remain, "
    "and changed words are\nbold and underlined.\n\n"
    "## Roles\n\n| Role | What it colours |\n|---|---|\n";

void sf_themes_doc_add(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, begin_text);
    for (size_t i = 0; sf_theme_names[i]; i++)
        sf_strbuf_addf(out, "| `%s` | %s |\n", sf_theme_names[i], sf_theme_about[i]);
    sf_strbuf_adds(out, own_text);
    for (size_t i = 0; sf_look_role_names[i]; i++)
        sf_strbuf_addf(out, "| `%s` | %s |\n", sf_look_role_names[i], sf_look_role_help[i]);
}
