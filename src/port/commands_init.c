/*
 * commands_init.c: /init shows the files that would be written, and writes the missing ones after
 * the user has said yes.
 */
#include <string.h>

#include "port/internal.h"

static void free_files(struct sf_init_files *files)
{
    sf_init_files_release(files);
    free(files);
}

/* Who said yes to the text has seen it. */
static bool accept_own(struct sf_port *p, struct sf_error *err)
{
    struct sf_instructions held = SF_INSTRUCTIONS_INIT;
    bool ok;

    sf_session_instructions_held(p->session, &held);
    ok = !held.count || sf_instructions_accept(p->setup.session.state_dir, &held, err);
    sf_instructions_release(&held);
    return ok;
}

static void answered(struct sf_port *p, void *ctx, bool yes)
{
    struct sf_init_files *files = ctx;
    struct sf_error err = SF_ERROR_INIT;

    if (yes && sf_init_files_write(files, false, &err) && accept_own(p, &err))
        sf_port_note(p, false,
                     "written; scopes hold in full once you trust the workspace: sf trust add");
    else if (yes)
        sf_port_fail(p, &err);
    free_files(files);
}

/* Appends the new files with their contents, as Markdown. */
static void add_new(const struct sf_init_files *files, struct sf_strbuf *out)
{
    for (size_t i = 0; i < SF_INIT_FILES_COUNT; i++) {
        const struct sf_init_file *f = &files->files[i];

        if (f->state == SF_INIT_FILE_NEW)
            sf_strbuf_addf(out, "%s**%s** would be written:\n\n```\n%s```\n", out->len ? "\n" : "",
                           f->path, f->text.buf);
    }
}

void sf_command_init(struct sf_port *p, const char *args)
{
    struct sf_init_files *files = sf_alloc(sizeof(*files));
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    (void)args;
    *files = (struct sf_init_files)SF_INIT_FILES_INIT;
    if (!sf_init_files_plan(files, sf_port_workspace(p), &err)) {
        sf_port_fail(p, &err);
        free_files(files);
        return;
    }
    add_new(files, &text);
    if (text.len) {
        sf_port_ask(p, text.buf, answered, files);
    } else {
        sf_port_note(p, false,
                     "what is there stays as it is; `sf init --dry-run` shows what differs");
        free_files(files);
    }
    sf_strbuf_release(&text);
}
