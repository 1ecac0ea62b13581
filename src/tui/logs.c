/*
 * logs.c: the list of logged events. Tab shows more or less of them, letters narrow the list, Enter
 * shows a row in full.
 */
#include "tui/internal.h"

static void next_level(struct sf_tui *ui)
{
    enum sf_log_level shown = sf_port_log_level(ui->port);
    char line[32];

    shown = shown == SF_LOG_DEBUG ? SF_LOG_ERROR : (enum sf_log_level)(shown + 1);
    snprintf(line, sizeof(line), "/logs %s", sf_log_level_name(shown));
    sf_port_command(ui->port, line);
}

const struct sf_overlay_kind sf_logs_overlay = {
    .title = "Log",
    .keys = "Enter whole   Tab level   `sf log` queries everything",
    .filter = true,
    .heads = true,
    .chosen = sf_list_choose,
    .tab = next_level,
};
