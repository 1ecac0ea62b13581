/*
 * init_files.c: compares the new contents with existing files, and writes them.
 */
#include "workspace/init_files.h"

#include <string.h>

#include "edit/edit.h"
#include "workspace/project_scan.h"

enum { THERE_MAX = 1024 * 1024, DIFF_MAX = 64 * 1024, BACKUPS = 99 };

const char *const sf_init_file_states[] = {
    [SF_INIT_FILE_NEW] = "new",           [SF_INIT_FILE_SAME] = "same",
    [SF_INIT_FILE_DIFFERS] = "differs",   [SF_INIT_FILE_ODD] = "odd",
    [SF_INIT_FILE_NOTHING] = "nothing",   [SF_INIT_FILE_WRITTEN] = "written",
    [SF_INIT_FILE_REPLACED] = "replaced",
};

static const struct {
    const char *path;
    void (*make)(const struct sf_project_scan *sketch, struct sf_strbuf *out);
} makers[SF_INIT_FILES_COUNT] = {
    { "AGENTS.md", sf_project_scan_agents },
    { ".sf/config.toml", sf_project_scan_config },
};

/* Resolves the path; false if it is outside or leads through a link. */
static bool open_place(const struct sf_init_files *charter, const char *path,
                       struct sf_place *place)
{
    struct sf_error ignored = SF_ERROR_INIT;

    return sf_place_resolve(&charter->root, path, strlen(path), SF_WANT_FILE, place, &ignored) &&
           place->inside && !place->via.count;
}

static void compare(struct sf_init_file *f, const struct sf_strbuf *there)
{
    const struct sf_diff_style style = {
        .old_name = f->path, .new_name = f->path, .context = 3, .max = DIFF_MAX
    };
    struct sf_diff diff;

    if (there->len == f->text.len && !memcmp(there->buf, f->text.buf, there->len)) {
        f->state = SF_INIT_FILE_SAME;
        return;
    }
    f->state = SF_INIT_FILE_DIFFERS;
    sf_diff_init(&diff, there->buf, there->len, f->text.buf, f->text.len);
    sf_diff_add(&f->diff, &diff, &style, NULL);
    sf_diff_release(&diff);
}

static void look(const struct sf_init_files *charter, struct sf_init_file *f)
{
    struct sf_place place = SF_PLACE_INIT;
    struct sf_strbuf there = SF_STRBUF_INIT;
    struct sf_error ignored = SF_ERROR_INIT;

    f->state = SF_INIT_FILE_ODD;
    if (!f->text.len)
        f->state = SF_INIT_FILE_NOTHING;
    else if (open_place(charter, f->path, &place) && place.kind == SF_PLACE_NOTHING)
        f->state = SF_INIT_FILE_NEW;
    else if (place.kind == SF_PLACE_FILE && place.inside && !place.via.count &&
             sf_place_read(&place, THERE_MAX, &there, &ignored))
        compare(f, &there);
    sf_place_release(&place);
    sf_strbuf_release(&there);
}

bool sf_init_files_plan(struct sf_init_files *charter, const char *root, struct sf_error *err)
{
    struct sf_project_scan sketch = SF_PROJECT_SCAN_INIT;
    bool ok =
        sf_place_root_open(&charter->root, root, err) && sf_project_scan_look(&sketch, root, err);

    for (size_t i = 0; i < SF_INIT_FILES_COUNT; i++) {
        charter->files[i].path = makers[i].path;
        sf_strbuf_init(&charter->files[i].text);
        sf_strbuf_init(&charter->files[i].diff);
        if (!ok)
            continue;
        makers[i].make(&sketch, &charter->files[i].text);
        look(charter, &charter->files[i]);
    }
    sf_project_scan_release(&sketch);
    return ok;
}

/* ---- writing ---- */

/* Copies the old file to the first unused name. */
static bool back_up(const struct sf_init_files *charter, struct sf_init_file *f,
                    struct sf_place *place, struct sf_error *err)
{
    struct sf_strbuf there = SF_STRBUF_INIT, name = SF_STRBUF_INIT;
    bool ok = sf_place_read(place, THERE_MAX, &there, err), done = false;

    for (int i = 1; ok && !done && i <= BACKUPS; i++) {
        struct sf_place copy = SF_PLACE_INIT;

        sf_strbuf_reset(&name);
        sf_strbuf_addf(&name, "%s.%d.bak", f->path, i);
        if (open_place(charter, name.buf, &copy) && copy.kind == SF_PLACE_NOTHING) {
            ok = sf_place_create(&copy, there.buf, there.len, 0644, err);
            done = ok;
        }
        sf_place_release(&copy);
    }
    if (done)
        f->backup = sf_strbuf_detach(&name);
    else if (ok)
        sf_fail(err, SF_E_EXIST, "there are too many copies of %s", f->path);
    sf_strbuf_release(&there);
    sf_strbuf_release(&name);
    return done;
}

static bool write_file(const struct sf_init_files *charter, struct sf_init_file *f,
                       struct sf_error *err)
{
    struct sf_place place = SF_PLACE_INIT;
    bool is_new = f->state == SF_INIT_FILE_NEW;
    bool ok = open_place(charter, f->path, &place) ||
              sf_fail(err, SF_E_BUSY, "%s is not what it was a moment ago", f->path);

    if (ok && is_new)
        ok = sf_place_create(&place, f->text.buf, f->text.len, 0644, err);
    else if (ok)
        ok = back_up(charter, f, &place, err) &&
             sf_place_replace(&place, f->text.buf, f->text.len, err);
    if (ok)
        f->state = is_new ? SF_INIT_FILE_WRITTEN : SF_INIT_FILE_REPLACED;
    sf_place_release(&place);
    return ok;
}

bool sf_init_files_write(struct sf_init_files *charter, bool replace, struct sf_error *err)
{
    for (size_t i = 0; i < SF_INIT_FILES_COUNT; i++) {
        struct sf_init_file *f = &charter->files[i];

        if ((f->state == SF_INIT_FILE_NEW || (replace && f->state == SF_INIT_FILE_DIFFERS)) &&
            !write_file(charter, f, err))
            return false;
    }
    return true;
}

void sf_init_files_release(struct sf_init_files *charter)
{
    for (size_t i = 0; i < SF_INIT_FILES_COUNT; i++) {
        sf_strbuf_release(&charter->files[i].text);
        sf_strbuf_release(&charter->files[i].diff);
        free(charter->files[i].backup);
    }
    sf_place_root_close(&charter->root);
    *charter = (struct sf_init_files)SF_INIT_FILES_INIT;
}
