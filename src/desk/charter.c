/*
 * charter.c: /init: shows the files that would be written, and writes those that are not there once
 * somebody has said yes.
 */
#include <string.h>

#include "desk/commands.h"
#include "desk/internal.h"

static void free_charter(struct sf_charter *charter)
{
    sf_charter_release(charter);
    free(charter);
}

static void answered(struct sf_desk *d, void *ctx, bool yes)
{
    struct sf_charter *charter = ctx;
    struct sf_error err = SF_ERROR_INIT;

    if (yes && sf_charter_write(charter, false, &err))
        sf_desk_say(d, false,
                    "written; scopes hold in full once you trust the workspace: sf trust "
                    "add");
    else if (yes)
        sf_desk_fail(d, &err);
    free_charter(charter);
}

void sf_do_init(struct sf_desk *d, const char *args)
{
    struct sf_charter *charter = sf_alloc(sizeof(*charter));
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    size_t fresh = 0;

    (void)args;
    *charter = (struct sf_charter)SF_CHARTER_INIT;
    if (!sf_charter_plan(charter, d->setup.talk.workspace->root, &err)) {
        sf_desk_fail(d, &err);
        free_charter(charter);
        return;
    }
    for (size_t i = 0; i < SF_CHARTER_FILES; i++) {
        const struct sf_charter_file *f = &charter->files[i];

        if (f->state != SF_CHARTER_NEW)
            continue;
        sf_strbuf_addf(&text, "%s**%s** would be written:\n\n```\n%s```\n", fresh ? "\n" : "",
                       f->path, f->text.buf);
        fresh++;
    }
    if (fresh) {
        sf_card_ask(d, text.buf, answered, charter);
    } else {
        sf_desk_say(d, false,
                    "what is there stays as it is; `sf init --dry-run` shows what differs");
        free_charter(charter);
    }
    sf_strbuf_release(&text);
}
