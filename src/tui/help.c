/*
 * help.c: the keys, as this terminal sends them: all of them in front of the page of commands, or
 * those that some words are about.
 */
#include <string.h>

#include "tui/internal.h"

static const char *shown(const struct sf_tui *ui, enum sf_action_id action,
                         char chord[SF_CHORD_TEXT])
{
    const struct sf_terminal_facts *facts = sf_terminal_facts(ui->terminal);

    return sf_keymap_shown(ui->keyboard.map, action, facts->kitty || facts->other_keys, chord);
}

static bool add_keys(const struct sf_tui *ui, const char *words, struct sf_strbuf *out)
{
    const char *group = "";
    char chord[SF_CHORD_TEXT];

    for (size_t i = 0; i < sf_action_row_count; i++) {
        const struct sf_action_row *row = &sf_action_rows[i];
        const char *key = shown(ui, row->action, chord);

        if (!sf_port_mentions(words, row->help, key))
            continue;
        if (strcmp(group, row->group) != 0)
            sf_strbuf_addf(out, "\n## %s%s\n\n| | |\n|---|---|\n", *words ? "Keys: " : "",
                           row->group);
        group = row->group;
        sf_strbuf_adds(out, "| ");
        sf_port_cell_add(out, key);
        sf_strbuf_addf(out, " | %s |\n", row->help);
    }
    return *group;
}

static void add_intro(const struct sf_terminal_facts *facts, struct sf_strbuf *out)
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
}

bool sf_help_keys_add(void *ctx, const char *words, struct sf_strbuf *out)
{
    const struct sf_tui *ui = ctx;

    if (!*words)
        add_intro(sf_terminal_facts(ui->terminal), out);
    return add_keys(ui, words, out);
}
