/*
 * write_record.c: the program's side of a write record: the notes, and sets made from them.
 */
#include "io/write_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/launch.h"
#include "io/write_notes.h"

struct sf_write_record {
    struct sf_write_notes notes;
    unsigned holders;
    bool ended;
    char root[];
};

struct sf_write_record *sf_write_record_new(const char *root, struct sf_error *err)
{
    size_t len = strlen(root);
    struct sf_write_record *record = sf_alloc(sizeof(*record) + len + 1);
    const char sure = 0;

    memcpy(record->root, root, len + 1);
    record->holders = 1;
    record->notes.root = record->root;
    record->notes.file = memfd_create("sf-writes", MFD_CLOEXEC);
    /* coarse, as the times of files are */
    clock_gettime(CLOCK_REALTIME_COARSE, &record->notes.began);
    if (record->notes.file >= 0 && pwrite(record->notes.file, &sure, 1, 0) == 1)
        return record;
    sf_fail_errno(err, "cannot record what a command writes");
    sf_write_record_drop(record);
    return NULL;
}

struct sf_write_record *sf_write_record_hold(struct sf_write_record *record)
{
    record->holders++;
    return record;
}

void sf_write_record_drop(struct sf_write_record *record)
{
    if (!record || --record->holders)
        return;
    if (record->notes.file >= 0)
        close(record->notes.file);
    free(record);
}

void sf_write_record_end(struct sf_write_record *record)
{
    record->ended = true;
}

bool sf_write_record_has_ended(const struct sf_write_record *record)
{
    return record->ended;
}

struct sf_write_notes sf_write_record_notes(const struct sf_write_record *record)
{
    return record ? record->notes : (struct sf_write_notes){ .file = -1 };
}

/* ---- sets ---- */

void sf_write_set_release(struct sf_write_set *set)
{
    sf_map_release(&set->paths);
    sf_strlist_release(&set->trees);
    sf_arena_release(&set->arena);
    *set = (struct sf_write_set)SF_WRITE_SET_INIT;
}

/* Where one record knows only of others, and another of the command, they were these others. */
static void add(struct sf_write_set *set, const char *path, enum sf_writer writer)
{
    size_t len = strlen(path);
    enum sf_writer *known = sf_map_get(&set->paths, path, len);

    if (!known) {
        known = sf_arena_alloc(&set->arena, sizeof(*known));
        sf_map_add(&set->paths, sf_arena_strndup(&set->arena, path, len), len, known);
    }
    if (writer > *known)
        *known = writer;
}

void sf_write_set_add(struct sf_write_set *set, const char *path)
{
    add(set, path, SF_WRITER_COMMAND);
}

static void add_note(struct sf_write_set *set, char kind, const char *path)
{
    if (kind == SF_WRITE_TREE)
        sf_strlist_add(&set->trees, path);
    add(set, path, kind == SF_WRITE_BOTH ? SF_WRITER_BOTH : SF_WRITER_COMMAND);
}

/* The last note may be half there while the command runs. */
static void add_notes(struct sf_write_set *set, const char *text, size_t len)
{
    const char *end = text + len, *at = text;

    while (at < end) {
        const char *stop = memchr(at + 1, '\0', (size_t)(end - at - 1));

        if (!stop)
            return;
        add_note(set, *at, at + 1);
        at = stop + 1;
    }
}

void sf_write_set_read(struct sf_write_set *set, const struct sf_write_record *record)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char chunk[16384];
    ssize_t n;

    while ((n = pread(record->notes.file, chunk, sizeof(chunk), (off_t)text.len)) > 0)
        sf_strbuf_add(&text, chunk, (size_t)n);
    set->unsure = set->unsure || n < 0 || !text.len || text.buf[0];
    if (text.len > 1)
        add_notes(set, text.buf + 1, text.len - 1);
    sf_strbuf_release(&text);
}

static bool lies_in(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    return !strncmp(path, dir, n) && (path[n] == '/' || !path[n]);
}

enum sf_writer sf_write_set_writer(const struct sf_write_set *set, const char *path)
{
    const enum sf_writer *writer = sf_map_gets(&set->paths, path);

    for (size_t i = 0; !writer && i < set->trees.count; i++)
        if (lies_in(path, set->trees.items[i]))
            return SF_WRITER_COMMAND;
    return writer ? *writer : SF_WRITER_OTHERS;
}
