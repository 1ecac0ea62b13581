/*
 * memory.c: reads and writes memory files. A file that grew beyond its limit could not be read the
 * next time, so writing enforces the limits too.
 */
#include "workspace/memory.h"

#include <string.h>
#include <sys/stat.h>

#include "io/io.h"

const struct sf_memory_row sf_memories[SF_MEMORY_COUNT] = {
    [SF_MEMORY_PROJECT] = { "project", "this project", "Memory of earlier sessions" },
    [SF_MEMORY_USER] = { "user", "you, in every project", "Memory of the user, for all projects" },
};

static const char file[] = "memory.md";

char *sf_memory_path(enum sf_memory which, const char *state_dir, const char *user_dir)
{
    const char *dir = which == SF_MEMORY_PROJECT ? state_dir : user_dir;

    return dir ? sf_path_join(dir, file) : NULL;
}

/* A link could lead anywhere, so it is refused. */
static bool is_plain(const char *path, struct sf_error *err)
{
    struct stat st;

    if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
        return true;
    sf_fail(err, SF_E_ARG, "%s is a link, which is not followed", path);
    return sf_hint(err, "put the file itself there");
}

bool sf_memory_read(const char *path, struct sf_strbuf *out, struct sf_error *err)
{
    return is_plain(path, err) && sf_file_read(path, SF_MEMORY_FILE, out, err);
}

bool sf_memory_read_head(const char *path, size_t max, struct sf_strbuf *out, struct sf_error *err)
{
    return is_plain(path, err) && sf_file_read_head(path, max, out, err);
}

bool sf_memory_write(const char *path, const char *text, size_t len, struct sf_error *err)
{
    char *dir = sf_strdup(path);
    bool ok;

    *strrchr(dir, '/') = '\0';
    if (len > SF_MEMORY_FILE)
        ok = sf_fail(err, SF_E_LIMIT, "a memory holds at most %d bytes", SF_MEMORY_FILE);
    else
        ok = is_plain(path, err) && sf_dir_make(dir, 0700, err) &&
             sf_file_write_atomic(path, text, len, 0600, err);
    free(dir);
    return ok;
}

bool sf_memory_note(const char *path, const char *note, struct sf_error *err)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok =
        strlen(note) <= SF_MEMORY_NOTE ||
        sf_fail(err, SF_E_LIMIT, "the note is longer than %d bytes: make it shorter, one fact",
                SF_MEMORY_NOTE);

    ok = ok && (sf_memory_read(path, &text, err) || err->code == SF_E_NOENT);
    if (ok) {
        if (text.len && text.buf[text.len - 1] != '\n')
            sf_strbuf_addch(&text, '\n');
        sf_strbuf_adds(&text, "- ");
        sf_text_sanitize(&text, note, strlen(note), SF_TEXT_ONE_LINE);
        sf_strbuf_addch(&text, '\n');
        ok = text.len <= SF_MEMORY_BYTES ||
             sf_fail(err, SF_E_LIMIT, "the memory is full: ask the user to tidy up %s", path);
        ok = ok && sf_memory_write(path, text.buf, text.len, err);
    }
    sf_strbuf_release(&text);
    return ok;
}
