/*
 * write_record.c: the program's side of a write record: the notes, and sets made from them.
 */
#include "io/write_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "io/launch.h"
#include "io/log.h"
#include "io/write_notes.h"

struct sf_write_record {
    struct sf_write_notes notes;
    unsigned holders;
    bool ended;
    atomic_size_t visited; /* bytes of the notes */
    char root[];
};

/* Nothing but the descriptor leads to the file. */
static int open_copies(const char *dir)
{
    char *name = sf_path_join(dir, "copies-XXXXXX");
    int fd = mkostemp(name, O_CLOEXEC);

    if (fd >= 0)
        unlink(name);
    else
        sf_log(SF_LOG_WARN, "no copies of what a command changes: %s", strerror(errno));
    free(name);
    return fd;
}

bool sf_write_record_works(void)
{
    return sf_write_notes_work();
}

struct sf_write_record *sf_write_record_new(const char *root, const char *copies,
                                            struct sf_error *err)
{
    size_t len = strlen(root);
    struct sf_write_record *record = sf_alloc(sizeof(*record) + len + 1);
    const char sure = 0;

    memcpy(record->root, root, len + 1);
    record->holders = 1;
    atomic_init(&record->visited, 1);
    record->notes.root = record->root;
    record->notes.file = memfd_create("sf-writes", MFD_CLOEXEC);
    record->notes.images = copies ? open_copies(copies) : -1;
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
    if (record->notes.images >= 0)
        close(record->notes.images);
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
    return record ? record->notes : (struct sf_write_notes){ .file = -1, .images = -1 };
}

/* ---- notes ---- */

static bool read_notes(const struct sf_write_record *record, size_t from, struct sf_strbuf *out)
{
    char chunk[16384];
    ssize_t n;

    while ((n = pread(record->notes.file, chunk, sizeof(chunk), (off_t)(from + out->len))) > 0)
        sf_strbuf_add(out, chunk, (size_t)n);
    return n == 0;
}

typedef void note_fn(void *ctx, char kind, const struct sf_write_first *first);

/* Returns how much was read: the last note may be half there while the command runs. */
static size_t each_note(const char *text, size_t len, note_fn *fn, void *ctx)
{
    const char *end = text + len, *at = text;

    while (at < end) {
        const char *stop = memchr(at + 1, '\0', (size_t)(end - at - 1));
        struct sf_write_first first = { .path = at + 1 };

        if (!stop || (*at == SF_WRITE_IMAGE && (size_t)(end - stop - 1) < sizeof(first.image)))
            break;
        if (*at == SF_WRITE_IMAGE)
            memcpy(&first.image, stop + 1, sizeof(first.image));
        fn(ctx, *at, &first);
        at = stop + 1 + (*at == SF_WRITE_IMAGE ? sizeof(first.image) : 0);
    }
    return (size_t)(at - text);
}

struct visit {
    sf_write_first_fn *fn;
    void *ctx;
};

static void visit_first(void *ctx, char kind, const struct sf_write_first *first)
{
    const struct visit *visit = ctx;

    if (kind == SF_WRITE_IMAGE || kind == SF_WRITE_ABSENT)
        visit->fn(visit->ctx, first);
}

void sf_write_record_visit(struct sf_write_record *record, sf_write_first_fn *fn, void *ctx)
{
    struct visit visit = { fn, ctx };
    struct sf_strbuf text = SF_STRBUF_INIT;
    size_t from = atomic_load(&record->visited);

    if (read_notes(record, from, &text) && text.len)
        from += each_note(text.buf, text.len, visit_first, &visit);
    atomic_store(&record->visited, from);
    sf_strbuf_release(&text);
}

bool sf_write_record_has_more(const struct sf_write_record *record)
{
    struct stat st;

    return fstat(record->notes.file, &st) == 0 && st.st_size > (off_t)atomic_load(&record->visited);
}

static void ignore(void *ctx, const struct sf_write_first *first)
{
    (void)ctx;
    (void)first;
}

void sf_write_record_pass(struct sf_write_record *record)
{
    sf_write_record_visit(record, ignore, NULL);
}

bool sf_write_record_copy(const struct sf_write_record *record, const struct sf_write_image *image,
                          struct sf_strbuf *out)
{
    size_t left = image->size;
    ssize_t n = 1;

    if (!image->copied || left > SF_WRITE_IMAGE_MAX)
        return false;
    while (left && n > 0) {
        n = pread(record->notes.images, sf_strbuf_room(out, left), left,
                  (off_t)(image->offset + image->size - left));
        if (n > 0) {
            sf_strbuf_grew(out, (size_t)n);
            left -= (size_t)n;
        }
    }
    return !left;
}

/* ---- sets ---- */

void sf_write_set_release(struct sf_write_set *set)
{
    sf_map_release(&set->paths);
    sf_map_release(&set->inodes);
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

struct inode {
    uint64_t device, number;
};

static void add_inode(struct sf_write_set *set, const struct sf_write_image *image)
{
    struct inode *inode = sf_arena_alloc(&set->arena, sizeof(*inode));

    *inode = (struct inode){ image->device, image->inode };
    if (!sf_map_get(&set->inodes, (const char *)inode, sizeof(*inode)))
        sf_map_add(&set->inodes, (const char *)inode, sizeof(*inode), inode);
}

/* Whether the command wrote the file under another of its names. */
static bool is_linked(const struct sf_write_set *set, const char *path)
{
    char *whole = set->inodes.count ? sf_path_join(set->root, path) : NULL;
    struct stat st;
    bool is = whole && lstat(whole, &st) == 0 && st.st_nlink > 1;
    const struct inode inode = { is ? st.st_dev : 0, is ? st.st_ino : 0 };

    free(whole);
    return is && sf_map_get(&set->inodes, (const char *)&inode, sizeof(inode));
}

static void add_note(void *ctx, char kind, const struct sf_write_first *first)
{
    struct sf_write_set *set = ctx;

    if (kind == SF_WRITE_IMAGE && first->image.inode)
        add_inode(set, &first->image);
    if (kind == SF_WRITE_IMAGE || kind == SF_WRITE_ABSENT)
        return;
    if (kind == SF_WRITE_TREE)
        sf_strlist_add(&set->trees, first->path);
    add(set, first->path, kind == SF_WRITE_BOTH ? SF_WRITER_BOTH : SF_WRITER_COMMAND);
}

void sf_write_set_read(struct sf_write_set *set, const struct sf_write_record *record)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok = read_notes(record, 0, &text);

    if (!set->root)
        set->root = sf_arena_strndup(&set->arena, record->root, strlen(record->root));
    set->unsure = set->unsure || !ok || !text.len || text.buf[0];
    if (text.len > 1)
        each_note(text.buf + 1, text.len - 1, add_note, set);
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
    if (!writer && is_linked(set, path))
        return SF_WRITER_COMMAND;
    return writer ? *writer : SF_WRITER_OTHERS;
}
