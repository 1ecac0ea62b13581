/*
 * write_record: which files below a directory a command and its descendants opened to write,
 * renamed, removed or made. The kernel tells the supervisor of each such call before it happens
 * (seccomp user notifications), and the supervisor notes the path; nothing is refused. What others
 * write meanwhile, in an editor or in another terminal, is therefore not in here.
 *
 * A record is made before the start and given to a child by its spec; it can be read while the
 * command runs. It is held by reference on the loop's thread; reading is for any thread.
 */
#ifndef SF_IO_WRITE_RECORD_H
#define SF_IO_WRITE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_write_record;
struct sf_write_notes;

/* `root` is a real path. NULL with `err` when there is no memory to note in. */
struct sf_write_record *sf_write_record_new(const char *root, struct sf_error *err);
struct sf_write_record *sf_write_record_hold(struct sf_write_record *record);
void sf_write_record_drop(struct sf_write_record *record); /* NULL is welcome */

/* The command and all its descendants are gone: nothing will be added. */
void sf_write_record_end(struct sf_write_record *record);
bool sf_write_record_has_ended(const struct sf_write_record *record);

struct sf_write_notes sf_write_record_notes(const struct sf_write_record *record); /* for launch */

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
    struct sf_arena arena;
    bool unsure; /* not everything could be noted */
};

/* clang-format off */
#define SF_WRITE_SET_INIT \
    { .paths = SF_MAP_INIT, .trees = SF_STRLIST_INIT, .arena = SF_ARENA_INIT }
/* clang-format on */

void sf_write_set_release(struct sf_write_set *set);
void sf_write_set_add(struct sf_write_set *set, const char *path); /* known to be written */
void sf_write_set_read(struct sf_write_set *set, const struct sf_write_record *record);
enum sf_writer sf_write_set_writer(const struct sf_write_set *set, const char *path);

#endif
