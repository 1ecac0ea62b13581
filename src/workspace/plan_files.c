/*
 * plan_files.c: reads and writes plans through places, which hold the directory they judged.
 */
#include "workspace/plan_files.h"

#include <dirent.h>
#include <unistd.h>

#include "io/io.h"
#include "plan/plan.h"

#define DIR_NAME ".sf/plans"

static bool is_name_char(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (!first && strchr("-_.", c));
}

bool sf_plan_name_check(const char *name, struct sf_error *err)
{
    size_t n = 0;

    while (n <= SF_PLAN_NAME_MAX && name[n] && is_name_char(name[n], !n))
        n++;
    if (n && !name[n] && n <= SF_PLAN_NAME_MAX)
        return true;
    sf_fail(err, SF_E_ARG, "this cannot be the name of a plan");
    return sf_hint(err, "letters, digits, - and _, at most %d", SF_PLAN_NAME_MAX);
}

/* The place of a plan or of their directory; a link on the way is refused. */
static bool open_place(const struct sf_place_root *root, const char *path, enum sf_place_want want,
                       struct sf_place *place, struct sf_error *err)
{
    return sf_place_resolve(root, path, strlen(path), want, place, err) &&
           ((place->inside && !place->via.count) ||
            sf_fail(err, SF_E_ARG, "%s leads through a link", path));
}

typedef bool use_fn(struct sf_place *place, void *ctx, struct sf_error *err);

static bool with_place(const char *root_path, const char *path, enum sf_place_want want,
                       use_fn *use, void *ctx, struct sf_error *err)
{
    struct sf_place_root root = SF_PLACE_ROOT_INIT;
    struct sf_place place = SF_PLACE_INIT;
    bool ok = sf_place_root_open(&root, root_path, err) &&
              open_place(&root, path, want, &place, err) && use(&place, ctx, err);

    sf_place_release(&place);
    sf_place_root_close(&root);
    return ok;
}

static bool read_place(struct sf_place *place, void *ctx, struct sf_error *err)
{
    return sf_place_read(place, SF_PLAN_BYTES, ctx, err);
}

bool sf_plan_file_read(const char *root, const char *name, struct sf_strbuf *out,
                       struct sf_error *err)
{
    char path[SF_PLAN_NAME_MAX + 32];

    if (!sf_plan_name_check(name, err))
        return false;
    snprintf(path, sizeof(path), DIR_NAME "/%s.md", name);
    return with_place(root, path, SF_WANT_FILE, read_place, out, err);
}

struct writing {
    const struct sf_strbuf *text;
    bool replace;
};

static bool write_place(struct sf_place *place, void *ctx, struct sf_error *err)
{
    const struct writing *w = ctx;

    if (place->kind == SF_PLACE_FILE && w->replace)
        return sf_place_replace(place, w->text->buf, w->text->len, err);
    return sf_place_create(place, w->text->buf, w->text->len, 0644, err);
}

bool sf_plan_file_write(const char *root, const char *name, const struct sf_strbuf *text,
                        bool replace, struct sf_error *err)
{
    struct writing w = { text, replace };
    char path[SF_PLAN_NAME_MAX + 32];

    if (!sf_plan_name_check(name, err))
        return false;
    snprintf(path, sizeof(path), DIR_NAME "/%s.md", name);
    return with_place(root, path, SF_WANT_FILE, write_place, &w, err);
}

static bool list_place(struct sf_place *place, void *ctx, struct sf_error *err)
{
    struct sf_strlist *out = ctx;
    int fd = sf_place_open_dir(place, err);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL && out->count < 1000;) {
        size_t len = strlen(e->d_name);
        char *name =
            len > 3 && !strcmp(e->d_name + len - 3, ".md") ? sf_strndup(e->d_name, len - 3) : NULL;
        struct sf_error ignored = SF_ERROR_INIT;

        if (name && sf_plan_name_check(name, &ignored))
            sf_strlist_add(out, name);
        free(name);
    }
    closedir(dir);
    sf_strlist_sort(out);
    return true;
}

void sf_plan_files_list(const char *root, struct sf_strlist *out)
{
    struct sf_error ignored = SF_ERROR_INIT;

    (void)!with_place(root, DIR_NAME, SF_WANT_DIR, list_place, out, &ignored);
}
