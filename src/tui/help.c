/*
 * help.c: the keys, as this terminal sends them, in front of the page of commands.
 */
#include <string.h>

#include "tui/internal.h"

static void add_keys(const struct sf_keymap *map, const struct sf_terminal_facts *facts,
                     struct sf_strbuf *out)
{
    bool extended = facts->kitty || facts->other_keys;
    const char *group = "";
    char chord[SF_CHORD_TEXT];

    for (size_t i = 0; i < sf_action_row_count; i++) {
        const struct sf_action_row *row = &sf_action_rows[i];

        if (strcmp(group, row->group) != 0)
            sf_strbuf_addf(out, "\n## %s\n\n| | |\n|---|---|\n", row->group);
        group = row->group;
        sf_strbuf_addf(out, "| %s | %s |\n", sf_keymap_shown(map, row->action, extended, chord),
                       row->help);
    }
}

void sf_help_keys_add(const struct sf_keymap *map, const struct sf_terminal_facts *facts,
                      struct sf_strbuf *out)
{
    sf_strbuf_addf(out,
                   "Write what you want done and press Enter. `@` names a file, `/` a command.\n\n"
                   "The badge at the top says what sf is doing, who drives, what it may do "
                   "unasked, and how hard it thinks; Ctrl+X and a letter changes each.\n\n"
                   "This terminal (%s) sends %s.\n",
                   facts->name,
                   facts->kitty        ? "every key, by the kitty protocol"
                   : facts->other_keys ? "most chords (modifyOtherKeys)"
                   : facts->tmux
                       ? "plain keys; Ctrl+Shift chords where tmux passes them on (`extended-keys`)"
                       : "plain keys only: Ctrl+Shift chords do not arrive");
    add_keys(map, facts, out);
}
