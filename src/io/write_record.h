/*
 * write_record: which files below a directory a command and its descendants opened to write,
 * renamed, removed or made. The kernel tells the supervisor of each such call before it happens
 * (seccomp user notifications), and the supervisor notes the path; nothing is refused. What others
 * write meanwhile, in an editor or in another terminal, is therefore not in here.
 *
 * Before the first such call on a path the supervisor also notes what is there, with a copy of a
 * file or link as far as the limits allow.
 *
 * A record is made before the start and given to a child by its spec; it can be read while the
 * command runs. It is held by reference on the loop's thread; reading is for any thread.
 */
#ifndef SF_IO_WRITE_RECORD_H
#define SF_IO_WRITE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_write_record;
struct sf_write_notes;

bool sf_write_record_works(void); /* on this kernel, as far as it tells beforehand */

/*
 * `root` is a real path; copies go to a file without a name in the directory `copies`, NULL: there
 * are none. NULL with `err` when there is no memory to note in.
 */
struct sf_write_record *sf_write_record_new(const char *root, const char *copies,
                                            struct sf_error *err);
struct sf_write_record *sf_write_record_hold(struct sf_write_record *record);
void sf_write_record_drop(struct sf_write_record *record); /* NULL is welcome */

/* The command and all its descendants are gone: nothing will be added. */
void sf_write_record_end(struct sf_write_record *record);
bool sf_write_record_has_ended(const struct sf_write_record *record);

struct sf_write_notes sf_write_record_notes(const struct sf_write_record *record); /* for launch */

/* What was at a path before the command first touched it; borrowed for the call. */
struct sf_write_first {
    const char *path; /* below the root */
    struct sf_write_image {
        uint32_t mode;    /* type and permissions; 0: nothing was there */
        int32_t copied;   /* 0: there is no copy */
        int64_t modified; /* in nanoseconds */
        uint64_t size, offset;
        uint64_t device, inode; /* of a file with several names; 0: it has one */
    } image;
};
typedef void sf_write_first_fn(void *ctx, const struct sf_write_first *first);

/* Visits what was touched since the last visit; by one thread at a time. */
void sf_write_record_visit(struct sf_write_record *record, sf_write_first_fn *fn, void *ctx);
bool sf_write_record_has_more(const struct sf_write_record *record);
void sf_write_record_pass(struct sf_write_record *record); /* leaves out what is noted by now */

/* Appends the copy; false: it cannot be read. */
bool sf_write_record_copy(const struct sf_write_record *record, const struct sf_write_image *image,
                          struct sf_strbuf *out);

/* Who wrote a path, as far as records know; the greater one is surer of the command. */
enum sf_writer {
    SF_WRITER_OTHERS,
    SF_WRITER_BOTH, /* others had changed the file since the record began, then the command did */
    SF_WRITER_COMMAND,
};

/* What several records say together. Life: SF_WRITE_SET_INIT, use, sf_write_set_release. */
struct sf_write_set {
    struct sf_map paths;     /* below the root, to a writer; the keys are in the arena */
    struct sf_strlist trees; /* directories that were renamed, with all that is in them */
    struct sf_map inodes;    /* of files with several names */
    const char *root;        /* in the arena; NULL: nothing was read */
    struct sf_arena arena;
    bool unsure; /* not everything could be noted */
};

/* clang-format off */
#define SF_WRITE_SET_INIT \
    { .paths = SF_MAP_INIT, .trees = SF_STRLIST_INIT, .inodes = SF_MAP_INIT, .arena = SF_ARENA_INIT }
/* clang-format on */

void sf_write_set_release(struct sf_write_set *set);
void sf_write_set_add(struct sf_write_set *set, const char *path); /* known to be written */
void sf_write_set_read(struct sf_write_set *set, const struct sf_write_record *record);
enum sf_writer sf_write_set_writer(const struct sf_write_set *set, const char *path);

#endif
