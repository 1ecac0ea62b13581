/*
 * repair: the parts that git_repair looks at, and how each is put back. Private to the room:
 * git_repair.c has the order of things, each of the other files one kind of part.
 *
 * Everything is done through a handle on the directory a part lies in, and no link is followed: a
 * command that still runs may put one anywhere.
 */
#ifndef SF_CAGE_REPAIR_H
#define SF_CAGE_REPAIR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/base.h"
#include "cage/git_repair.h"

enum {
    SF_MEND_TEXT_MAX = 1 << 20,
    SF_MEND_TOLD_MAX = 8,
};

enum sf_repair_kind {
    SF_MEND_SETTINGS,
    SF_MEND_HOOKS, /* a directory of them */
    SF_MEND_HOOK,  /* what can be run in there */
    SF_MEND_COMMON,
    SF_MEND_BACK,
    SF_MEND_EXACT,
    SF_MEND_POINTER,
    SF_MEND_POLICY,
    SF_MEND_OBEYED,
    SF_MEND_KINDS
};

struct sf_repair_part {
    enum sf_repair_kind kind;
    char *path;
    bool linked; /* lies in the directory of a linked worktree */
    bool held;   /* by a mount, while the command ran */
    bool there, regular;
    mode_t mode;
    char *link;              /* where a link leads, or NULL */
    struct sf_strbuf text;   /* of a regular file */
    struct sf_strlist items; /* SF_MEND_POLICY: what is no work of sf's */
};

struct sf_repair_parts {
    struct sf_repair_part *list;
    size_t count, cap, obeyed;
    struct sf_map by_path;
};

struct sf_git_repair {
    struct sf_repositories *all;
    struct sf_git_repair_how how;
    struct sf_strlist may_change; /* what how.may_change points to */
    struct sf_repair_parts before;
    struct sf_repositories_found kept; /* directories of the history, copied; the rest is empty */
    bool keeps;                        /* the history was kept and is not settled */
    atomic_bool hurry;
};

/* What goes on while parts are put back. */
struct sf_repair {
    struct sf_git_repair *care;
    struct sf_strlist mended, failed;
    struct sf_strlist policy;
    struct sf_strlist obeyed;
};

/* ---- parts: repair_part.c ---- */

/* All there is now. What was found is good until the next look. */
const struct sf_repositories_found *sf_repair_take(struct sf_repair_parts *parts,
                                                   struct sf_repositories *all,
                                                   const struct sf_git_repair_how *how);
void sf_repair_drop(struct sf_repair_parts *parts);

/* Adopts the path; the part is good until the next is added. */
struct sf_repair_part *sf_repair_add(struct sf_repair_parts *parts,
                                     const struct sf_repair_part *like);
bool sf_repair_has(const struct sf_repair_parts *parts, const char *path);
bool sf_repair_same_text(const struct sf_repair_part *a, const struct sf_repair_part *b);

/* ---- the disk: repair_file.c ---- */

/* The directory of a path, without following links, and the name in there. */
int sf_repair_open_parent(const char *path, const char **name);
bool sf_repair_remove(const char *path);
/* A new file takes its place when it is complete, and no other name of the old one is written to. */
bool sf_repair_write(const char *path, const char *text, size_t len);
/* With its mode, and the directories around it. */
bool sf_repair_restore(const struct sf_repair_part *was);

/* ---- menders: `now` is there, `before` may be NULL ---- */

typedef void sf_repair_mend_fn(struct sf_repair *m, const struct sf_repair_part *now,
                               const struct sf_repair_part *before);

sf_repair_mend_fn sf_repair_mend_settings; /* repair_settings.c */
sf_repair_mend_fn sf_repair_mend_hooks;    /* repair_hooks.c */
sf_repair_mend_fn sf_repair_mend_hook;
sf_repair_mend_fn sf_repair_mend_obeyed; /* repair_obeyed.c */

/* Takes what lies in a directory of hooks, or of what others obey. */
void sf_repair_add_hooks(struct sf_repair_parts *parts, const char *dir);
void sf_repair_add_obeyed(struct sf_repair_parts *parts, const char *path, bool held);

/* Those that are gone, where no mount held them. */
void sf_repair_bring_back(struct sf_repair *m, const struct sf_repair_parts *now);

/* Told with what was done; the path is shown from the workspace where it lies in there. */
void sf_repair_tell(struct sf_repair *m, bool ok, const char *path, const char *what);
void sf_repair_put_back(struct sf_repair *m, const struct sf_repair_part *before);
/* A link that was not there is no file of git's; one that was is left alone. True: it is one. */
bool sf_repair_mend_link(struct sf_repair *m, const struct sf_repair_part *now,
                         const struct sf_repair_part *before);

#endif
