/*
 * init_files.c: /init: shows the files that would be written, and writes those that are not there once
 * somebody has said yes.
 */
#include <string.h>

#include "tui/commands.h"
#include "tui/internal.h"

static void free_charter(struct sf_init_files *charter)
{
    sf_init_files_release(charter);
    free(charter);
}

static void answered(struct sf_tui *ui, void *ctx, bool yes)
{
    struct sf_init_files *charter = ctx;
    struct sf_error err = SF_ERROR_INIT;

    if (yes && sf_init_files_write(charter, false, &err))
        sf_tui_say(ui, false,
                   "written; scopes hold in full once you trust the workspace: sf trust "
                   "add");
    else if (yes)
        sf_tui_fail(ui, &err);
    free_charter(charter);
}

void sf_do_init(struct sf_tui *ui, const char *args)
{
    struct sf_init_files *charter = sf_alloc(sizeof(*charter));
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    size_t fresh = 0;

    (void)args;
    *charter = (struct sf_init_files)SF_INIT_FILES_INIT;
    if (!sf_init_files_plan(charter, sf_port_workspace(ui->port), &err)) {
        sf_tui_fail(ui, &err);
        free_charter(charter);
        return;
    }
    for (size_t i = 0; i < SF_INIT_FILES_COUNT; i++) {
        const struct sf_init_file *f = &charter->files[i];

        if (f->state != SF_INIT_FILE_NEW)
            continue;
        sf_strbuf_addf(&text, "%s**%s** would be written:\n\n```\n%s```\n", fresh ? "\n" : "",
                       f->path, f->text.buf);
        fresh++;
    }
    if (fresh) {
        sf_card_ask(ui, text.buf, answered, charter);
    } else {
        sf_tui_say(ui, false,
                   "what is there stays as it is; `sf init --dry-run` shows what differs");
        free_charter(charter);
    }
    sf_strbuf_release(&text);
}
