/*
 * place.c: checks the path before the walk and the kind of what was found after it. The walk itself
 * is in place_walk.c, reading and writing in place_use.c.
 */
#include "io/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "io/file.h"
#include "io/place_walk.h"

#define SHOWN_COLUMNS 120
#define ATTEMPTS      4 /* walks before a tree that keeps changing is given up */

bool sf_place_root_open(struct sf_place_root *root, const char *path, struct sf_error *err)
{
    struct stat st;

    *root = (struct sf_place_root)SF_PLACE_ROOT_INIT;
    root->path = realpath(path, NULL);
    if (root->path)
        root->fd = open(root->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (root->fd < 0 || fstat(root->fd, &st) < 0) {
        sf_fail_errno(err, "cannot open the workspace %s", path);
        sf_place_root_close(root);
        return false;
    }
    root->dev = st.st_dev;
    root->ino = st.st_ino;
    return true;
}

void sf_place_root_close(struct sf_place_root *root)
{
    if (root->fd >= 0)
        close(root->fd);
    free(root->path);
    *root = (struct sf_place_root)SF_PLACE_ROOT_INIT;
}

void sf_place_release(struct sf_place *place)
{
    if (place->dir >= 0)
        close(place->dir);
    free(place->shown);
    free(place->real);
    free(place->missing);
    free(place->name);
    sf_strlist_release(&place->via);
    *place = (struct sf_place)SF_PLACE_INIT;
}

char *sf_place_path(const struct sf_place *place)
{
    if (!place->inside)
        return sf_strdup(place->real);
    return *place->real ? sf_path_join(place->root->path, place->real)
                        : sf_strdup(place->root->path);
}

static char *show(const char *path, size_t len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t fit;

    sf_text_sanitize(&sb, path, len < SF_PLACE_PATH_MAX ? len : SF_PLACE_PATH_MAX,
                     SF_TEXT_ONE_LINE);
    fit = sf_text_fit(sb.buf, sb.len, SHOWN_COLUMNS, NULL);
    if (fit < sb.len) {
        sf_strbuf_truncate(&sb, fit);
        sf_strbuf_adds(&sb, "…");
    }
    return sf_strbuf_detach(&sb);
}

/* Line separators and direction marks count too: with them a question could show another path. */
static bool is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp <= 0x9f) || cp == 0x61c || cp == 0x200e || cp == 0x200f ||
           (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

static bool check_text(const char *shown, const char *path, size_t len, struct sf_error *err)
{
    size_t at = 0;

    if (!len)
        return sf_fail(err, SF_E_ARG, "the path is empty");
    if (len > SF_PLACE_PATH_MAX)
        return sf_fail(err, SF_E_LIMIT, "%s: file name too long: over %d bytes", shown,
                       SF_PLACE_PATH_MAX);
    while (at < len) {
        uint32_t cp;

        at += sf_utf8_decode(path + at, len - at, &cp);
        if (cp == SF_UTF8_INVALID)
            return sf_fail(err, SF_E_ARG, "the path %s is not valid UTF-8", shown);
        if (cp == 0)
            return sf_fail(err, SF_E_ARG, "the path %s holds a NUL byte", shown);
        if (is_control(cp))
            return sf_fail(err, SF_E_ARG, "the path %s holds a control character", shown);
    }
    return true;
}

static const char *kind_name(enum sf_place_kind kind)
{
    static const char *const names[] = {
        [SF_PLACE_NOTHING] = "not there", [SF_PLACE_FILE] = "a file",
        [SF_PLACE_DIR] = "a directory",   [SF_PLACE_LINK] = "a link",
        [SF_PLACE_FIFO] = "a FIFO",       [SF_PLACE_SOCKET] = "a socket",
        [SF_PLACE_DEVICE] = "a device",
    };

    return names[kind];
}

static bool check_kind(const struct sf_place *place, enum sf_place_want want, struct sf_error *err)
{
    static const unsigned welcome[] = {
        [SF_WANT_FILE] = 1u << SF_PLACE_NOTHING | 1u << SF_PLACE_FILE,
        [SF_WANT_DIR] = 1u << SF_PLACE_DIR,
        [SF_WANT_ANY] = 1u << SF_PLACE_NOTHING | 1u << SF_PLACE_FILE | 1u << SF_PLACE_DIR,
        [SF_WANT_NAME] = ~(1u << SF_PLACE_DIR),
    };

    if (welcome[want] >> place->kind & 1)
        return true;
    if (place->kind == SF_PLACE_NOTHING)
        return sf_fail(err, SF_E_NOENT, "%s is not there", place->shown);
    return sf_fail(err, SF_E_ARG, "%s is %s, not %s", place->shown, kind_name(place->kind),
                   want == SF_WANT_DIR ? "a directory" : "a regular file");
}

void sf_place_show_as(struct sf_place *place, const char *path)
{
    free(place->shown);
    place->shown = show(path, strlen(path));
}

bool sf_place_resolve(const struct sf_place_root *root, const char *path, size_t len,
                      enum sf_place_want want, struct sf_place *place, struct sf_error *err)
{
    bool ok = false;

    *place = (struct sf_place)SF_PLACE_INIT;
    place->shown = show(path, len);
    if (!check_text(place->shown, path, len, err))
        goto out;
    for (int attempt = 0; attempt < ATTEMPTS && !ok; attempt++) {
        char *shown = place->shown;

        place->shown = NULL;
        sf_place_release(place);
        place->shown = shown;
        place->root = root;
        ok = sf_place_walk(place, path, len, want != SF_WANT_NAME, err);
        if (!ok && err->code != SF_E_BUSY)
            break;
    }
    ok = ok && check_kind(place, want, err);
out:
    if (!ok)
        sf_place_release(place);
    return ok;
}
