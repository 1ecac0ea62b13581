/*
 * review_list.c: the findings of the last review as a list. Enter opens one with what stands around
 * its place; a key puts words into the composer that ask for a fix. Nothing is sent by itself.
 */
#include <string.h>

#include "tui/internal.h"

/* The value of a row is the command that shows it: "show 3". */
static bool key(struct sf_tui *ui, uint32_t code, const char *value)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    const char *number = strchr(value, ' ');

    if (code != 'f' || !number)
        return false;
    sf_strbuf_addf(&line, "/review fix%s", number);
    sf_overlay_close(ui);
    sf_port_command(ui->port, line.buf);
    sf_strbuf_release(&line);
    return true;
}

const struct sf_overlay_kind sf_review_overlay = {
    .title = "Review",
    .keys = "Enter open   f ask for a fix",
    .heads = true,
    .chosen = sf_list_choose,
    .moved = sf_list_explain,
    .key = key,
};
