/*
 * keys_doc.c: docs/KEYS.md, from the table of actions and the names of keys.
 */
#include "base/base.h"
#include "term/key.h"
#include "term/keymap.h"

static const char begin_text[] =
    "# Keys\n\n<!-- made by `./dev docs` from the table in src/term/actions.c; edit it there -->\n\n"
    "`F1` shows the keys that your terminal can send. A binding is a key (`Alt+Enter`), or a "
    "leader and\na key: for `Ctrl+X m` press Ctrl+X, let go, then m; it does no harm to hold Ctrl "
    "for both.\n\nKeys marked with * need a terminal with the kitty keyboard protocol or "
    "modifyOtherKeys, and nothing\nin between that folds or takes them: the first key of a row "
    "works without.\n\nWhat is pasted is never sent by itself. Where a paste does not come marked as "
    "one (tmux's\n`paste-buffer`), more than 16 bytes that come at once with a line break in them "
    "count as one; a line\nbreak at their end is Enter, if nothing follows within a moment.\n\n"
    "Enter runs a `/command` that is written out, the only one that begins so, or one that was "
    "chosen with\n`↑` and `↓`; where several begin so it runs none, and `Tab` completes the first.\n\n";

static const char bind_text[] =
    "## Your own\n\nIn `[keys]` of the settings (CONFIG.md) an action gets other keys by its name. "
    "They replace all it\nhad; several are separated by commas, and an empty text leaves it "
    "without. A key that two actions\nclaim is an error that names both.\n\n"
    "    [keys]\n    palette = \"ctrl+k, f2\"\n    cycle-work-mode = \"ctrl+x m\"\n"
    "    transpose = \"\"\n\n"
    "Modifiers are `ctrl+`, `alt+`, `shift+` and `super+`. Keys are characters, `f1` to `f24`";

static void add_keys(struct sf_strbuf *out, const struct sf_keymap *map, enum sf_action_id action)
{
    struct sf_chord chord;

    for (size_t i = 0; sf_keymap_chord(map, action, i, &chord); i++) {
        char text[SF_CHORD_TEXT];

        sf_chord_text(&chord, text);
        sf_strbuf_addf(out, "%s`%s`%s", i ? ", " : "", text,
                       sf_chord_is_plain(&chord) ? "" : "\\*");
    }
}

/* All rows of a group, from the first of them on. */
static void add_group(struct sf_strbuf *out, const struct sf_keymap *map, size_t first)
{
    const char *group = sf_action_rows[first].group;

    sf_strbuf_addf(out, "## %s\n\n| Keys | What they do | Action |\n|---|---|---|\n", group);
    for (size_t i = first; i < sf_action_row_count; i++) {
        const struct sf_action_row *row = &sf_action_rows[i];

        if (strcmp(row->group, group) != 0)
            continue;
        sf_strbuf_adds(out, "| ");
        add_keys(out, map, row->action);
        sf_strbuf_addf(out, " | %s | `%s` |\n", row->help, row->name);
    }
    sf_strbuf_addch(out, '\n');
}

static bool is_first_of_group(size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (!strcmp(sf_action_rows[i].group, sf_action_rows[at].group))
            return false;
    return true;
}

static void add_names(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, " and these,\nin any case:\n\n   ");
    for (size_t i = 0; i < sf_key_name_count; i++)
        sf_strbuf_addf(out, " %s", sf_key_names[i].name);
    sf_strbuf_addch(out, '\n');
}

void sf_keys_doc_add(struct sf_strbuf *out)
{
    struct sf_keymap *map = sf_keymap_new();

    sf_strbuf_adds(out, begin_text);
    for (size_t i = 0; i < sf_action_row_count; i++)
        if (is_first_of_group(i))
            add_group(out, map, i);
    sf_strbuf_adds(out, bind_text);
    add_names(out);
    sf_keymap_free(map);
}
