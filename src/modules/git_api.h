/*
 * git_api: what the git module does: an object database in git's format, and nothing else of
 * git. No repository is opened, so no configuration, attribute, filter or hook is ever looked
 * at; whoever wants trees and commits writes them as the bytes they are.
 *
 * Objects written gather in a batch, seen by `has` alone. `flush` puts them in place: a few as
 * loose objects, many as one pack, so that a first snapshot makes one file and not fifty
 * thousand. A process that dies before leaves at most a file named tmp_* behind.
 *
 * A database belongs to one thread at a time. Writers of several processes take turns by a lock
 * of their own; readers need none.
 */
#ifndef SF_MODULES_GIT_API_H
#define SF_MODULES_GIT_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { SF_OID_SIZE = 20, SF_OID_HEX = 40 };

/* All zero: none. */
struct sf_oid {
    unsigned char id[SF_OID_SIZE];
};

enum sf_object_kind { SF_OBJECT_COMMIT = 1, SF_OBJECT_TREE = 2, SF_OBJECT_BLOB = 3 };

struct sf_odb;

typedef void sf_oid_fn(void *ctx, const struct sf_oid *oid);

struct sf_git_api {
    int abi;
    void (*describe)(struct sf_strbuf *out);

    /* `objects` is the directory of that name, which exists and has pack/ in it. */
    struct sf_odb *(*open)(const char *objects, struct sf_error *err);
    void (*close)(struct sf_odb *odb); /* drops the batch; NULL is welcome */

    bool (*has)(struct sf_odb *odb, const struct sf_oid *oid);

    /* Appends the object's bytes; SF_E_DAMAGED when it is missing, another kind, or broken. */
    bool (*read)(struct sf_odb *odb, const struct sf_oid *oid, enum sf_object_kind kind,
                 struct sf_strbuf *out, struct sf_error *err);

    /* Into the batch, unless the database has it. */
    bool (*write)(struct sf_odb *odb, enum sf_object_kind kind, const struct sf_strbuf *data,
                  struct sf_oid *out, struct sf_error *err);

    /* Into the batch, which becomes a pack, although the database has it. */
    bool (*copy)(struct sf_odb *odb, const struct sf_oid *oid, struct sf_error *err);

    uint64_t (*batched)(const struct sf_odb *odb); /* bytes it would add, about */
    bool (*flush)(struct sf_odb *odb, struct sf_error *err);
    void (*drop)(struct sf_odb *odb);

    /* Every object of the pack whose index this file is. */
    bool (*each_packed)(const char *idx, sf_oid_fn *fn, void *ctx, struct sf_error *err);
};

#endif
