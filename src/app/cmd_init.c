/*
 * cmd_init.c: sf init. Prints what became of each file, and what to do about files that were left
 * as they are.
 */
#include "app/app.h"
#include "base/base.h"
#include "io/io.h"
#include "session/session.h"

static const char *const words[] = {
    [SF_INIT_FILE_NEW] = "would be written",
    [SF_INIT_FILE_SAME] = "is there, as it would be written",
    [SF_INIT_FILE_DIFFERS] =
        "is there and stays (--dry-run shows the difference, --force replaces)",
    [SF_INIT_FILE_ODD] = "is no plain file and stays as it is",
    [SF_INIT_FILE_NOTHING] = "is not needed: there is nothing to say yet",
    [SF_INIT_FILE_WRITTEN] = "written",
    [SF_INIT_FILE_REPLACED] = "replaced",
};

static void add_json(struct sf_strbuf *out, const struct sf_init_file *f, bool dry)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "path", f->path);
    sf_jw_key_str(&w, "state", sf_init_file_states[f->state]);
    if (f->backup)
        sf_jw_key_str(&w, "backup", f->backup);
    if (dry) {
        sf_jw_key(&w, "text");
        sf_jw_strn(&w, f->text.buf, f->text.len);
    }
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

static void add_text(struct sf_strbuf *out, const struct sf_init_file *f, bool dry)
{
    sf_strbuf_addf(out, "%s: %s", f->path, words[f->state]);
    if (f->backup)
        sf_strbuf_addf(out, "; what was there is %s now", f->backup);
    sf_strbuf_addch(out, '\n');
    if (dry && f->state == SF_INIT_FILE_NEW)
        sf_strbuf_addf(out, "\n%s\n", f->text.buf);
    else if (dry && f->state == SF_INIT_FILE_DIFFERS)
        sf_strbuf_addf(out, "\n%s\n", f->diff.buf);
}

/* Scopes are settings, and those of a project take full effect only where it is trusted. */
static void add_trust(struct sf_strbuf *out, const char *root, const struct sf_init_files *files)
{
    struct sf_error ignored = SF_ERROR_INIT;
    enum sf_trust_state trust = SF_TRUST_NO;
    bool settings = false;

    for (size_t i = 0; i < SF_INIT_FILES_COUNT; i++)
        settings = settings || (!strcmp(files->files[i].path, ".sf/config.toml") &&
                                (files->files[i].state == SF_INIT_FILE_WRITTEN ||
                                 files->files[i].state == SF_INIT_FILE_REPLACED));
    if (settings && sf_trust_check(root, &trust, &ignored) && trust != SF_TRUST_YES)
        sf_strbuf_adds(out,
                       "The scopes hold in full once you trust this workspace: sf trust add\n");
}

int sf_cmd_init(struct sf_invocation *inv)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_workspace *workspace = sf_app_workspace(inv->app, &err);
    struct sf_init_files files = SF_INIT_FILES_INIT;
    struct sf_strbuf out = SF_STRBUF_INIT;
    bool dry = sf_cli_get(inv, "dry-run") != NULL, json = sf_cli_get(inv, "json") != NULL;
    bool ok = workspace && sf_init_files_plan(&files, workspace->root, &err);

    if (ok && !dry)
        ok = sf_init_files_write(&files, sf_cli_get(inv, "force") != NULL, &err);
    for (size_t i = 0; ok && i < SF_INIT_FILES_COUNT; i++)
        (json ? add_json : add_text)(&out, &files.files[i], dry);
    if (ok && !json)
        add_trust(&out, workspace->root, &files);
    sf_print(&out);
    sf_strbuf_release(&out);
    sf_init_files_release(&files);
    return ok ? SF_EXIT_DONE : sf_print_error(&err, SF_EXIT_FAILED);
}
