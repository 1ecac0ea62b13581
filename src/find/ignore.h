/*
 * ignore: which paths a tree's own ignore files leave out. One node stands for a directory that
 * has such files and points to the node above; directories without any share their parent's.
 * Nodes never change once made and are counted, so that threads can share them.
 *
 * The rules are git's, to the letter and byte: nested .gitignore files, negation, anchoring,
 * directories only, escapes, trailing blanks, a link in place of the file is not followed. The
 * last matching line of the deepest file decides; .git/info/exclude comes behind the .gitignore
 * files, the user's own patterns behind that. A directory that holds .git starts anew: what
 * .gitignore files above it say does not count there. Where there is no repository at all,
 * .gitignore counts nevertheless.
 *
 * A .ignore file has the same syntax and goes before all of them at any depth, as in ripgrep.
 *
 * Hidden files are ordinary files here. .git, .hg, .svn and .jj are never entered, not even when
 * nothing else is ignored: they hold machinery, not sources. A directory that is left out is left
 * out with everything in it, negated lines below it included.
 */
#ifndef SF_FIND_IGNORE_H
#define SF_FIND_IGNORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum {
    SF_IGNORE_FILE_MAX = 256 * 1024,       /* bytes of one file; lines beyond count for nothing */
    SF_IGNORE_CHAIN_MAX = 2 * 1024 * 1024, /* of all files from a directory up; as above */
};

struct sf_ignore;

/* What one directory says. Borrowed for the call; NULL: there is no such file. */
struct sf_ignore_texts {
    const char *gitignore, *ignore, *exclude;
    size_t gitignore_len, ignore_len, exclude_len;
    bool repository; /* .git lies here */
};

/*
 * The rules of a directory, whose path below the root has `dir_len` bytes, without a slash at its
 * end; 0 is the root. `above` (NULL: nothing) stays the caller's; the result is a new reference,
 * to `above` itself when the directory has nothing to say, and NULL when there is nothing at all.
 */
struct sf_ignore *sf_ignore_enter(struct sf_ignore *above, size_t dir_len,
                                  const struct sf_ignore_texts *texts);

/* Rules of the lowest rank for everything below the root, such as the user's own. */
struct sf_ignore *sf_ignore_user(const char *text, size_t len);

struct sf_ignore *sf_ignore_ref(struct sf_ignore *ignore); /* NULL is welcome */
void sf_ignore_unref(struct sf_ignore *ignore);

/* `path` is below the root and in the directory of the node or deeper. Parents are not asked. */
bool sf_ignore_covers(const struct sf_ignore *ignore, const char *path, size_t len, bool dir);

/* Reads the files a directory has. `has` says which, as its listing showed them. */
struct sf_ignore_seen {
    bool gitignore, ignore, git;
};
bool sf_ignore_sees(struct sf_ignore_seen *has, const char *name); /* true: it is one of them */
struct sf_ignore *sf_ignore_load(struct sf_ignore *above, int fd, size_t dir_len,
                                 const struct sf_ignore_seen *has);

/* The same with this text in place of .git/info/exclude, whatever lies there now. */
struct sf_ignore *sf_ignore_load_as(struct sf_ignore *above, int fd, size_t dir_len,
                                    const struct sf_ignore_seen *has,
                                    const struct sf_strbuf *exclude);

/* Appends .git/info/exclude of a directory; of a linked worktree it is out of reach. */
bool sf_ignore_read_exclude(int dir, struct sf_strbuf *out); /* false: there is none */

/*
 * The rules of all directories from the root down to the one above `path` (in the form of
 * beneath.h), with the user's own patterns (or NULL) behind them.
 */
struct sf_ignore *sf_ignore_load_above(int root, const char *path, const char *user);

bool sf_ignore_is_machinery(const char *name); /* .git and its like */

#endif
