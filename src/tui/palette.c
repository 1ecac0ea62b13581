/*
 * palette.c: all commands, commands from files, and actions with their keys, in one list that
 * narrows while the user types.
 */
#include <string.h>

#include "tui/internal.h"

static void palette_chosen(struct sf_tui *ui, const char *value)
{
    if (!strncmp(value, "key:", 4)) {
        sf_tui_act(ui, (enum sf_action_id)atoi(value + 4));
        return;
    }
    if (strchr(value, ' ')) { /* The command needs an argument. */
        sf_draft_replace(ui, value, strcspn(value, " ") + 1);
        return;
    }
    sf_port_line(ui->port, value);
}

void sf_tui_palette(struct sf_tui *ui)
{
    static const struct sf_overlay_kind kind = { .title = "Commands",
                                                 .keys = "Enter run   ↑ ↓ choose",
                                                 .filter = true,
                                                 .chosen = palette_chosen };
    const struct sf_custom_files *customs;
    char value[SF_CUSTOM_DEPTH * (SF_CUSTOM_NAME + 1) + SF_CUSTOM_NAME + 3], chord[SF_CHORD_TEXT];

    customs = sf_port_customs(ui->port);
    sf_overlay_list(ui, &kind);
    for (size_t i = 0; i < sf_port_command_count; i++) {
        const struct sf_port_command *c = &sf_port_commands[i];

        snprintf(value, sizeof(value), "/%s%s", c->name, *c->args && c->args[0] != '[' ? " " : "");
        sf_overlay_row(ui->overlay, value, "/%s %s\t%s", c->name, c->args, c->help);
    }
    for (size_t i = 0; i < sf_mode_command_count; i++) {
        const struct sf_mode_command_row *c = &sf_mode_commands[i];

        snprintf(value, sizeof(value), "/%s%s", c->name, *c->args && c->args[0] != '[' ? " " : "");
        sf_overlay_row(ui->overlay, value, "/%s %s\t%s", c->name, c->args, c->help);
    }
    for (size_t i = 0; i < customs->count; i++) {
        const struct sf_custom_file *f = &customs->items[i];
        const char *hint = f->custom.hint ? f->custom.hint : "";

        if (f->hidden)
            continue;
        snprintf(value, sizeof(value), "/%s%s", f->name, *hint && *hint != '[' ? " " : "");
        sf_overlay_row(ui->overlay, value, "/%s %s\t%s (%s)", f->name, hint, sf_custom_help(f),
                       f->origin);
    }
    for (size_t i = 0; i < sf_action_row_count; i++) {
        const struct sf_action_row *row = &sf_action_rows[i];

        if (!strcmp(row->group, "Editing") || !strcmp(row->group, "Writing"))
            continue;
        snprintf(value, sizeof(value), "key:%d", (int)row->action);
        sf_overlay_row(ui->overlay, value, "%s\t%s",
                       sf_keymap_shown(ui->keyboard.map, row->action, false, chord), row->help);
    }
}
