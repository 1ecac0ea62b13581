/*
 * history_file: one of the small files of a repository, and whether it is lost; internal to the room.
 */
#ifndef SF_CAGE_HISTORY_FILE_H
#define SF_CAGE_HISTORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/base.h"

enum sf_git_history_kind {
    SF_GIT_HISTORY_HEAD,
    SF_GIT_HISTORY_PACKED, /* packed-refs */
    SF_GIT_HISTORY_REF,
    SF_GIT_HISTORY_LOG,
    SF_GIT_HISTORY_TABLE, /* of reftable, which has references and logs in files of its own */
    SF_GIT_HISTORY_PLAIN,
    SF_GIT_HISTORY_EXTRA, /* lost only with the repository as a whole */
    SF_GIT_HISTORY_KINDS
};

/* As it was before a command. */
struct sf_git_history_file {
    char *path;  /* below the git directory */
    size_t from; /* of it: where the part in its own repository begins, a submodule's perhaps */
    enum sf_git_history_kind kind;
    ino_t inode;
    off_t size;
    int64_t modified_ns;
    int fate; /* after the command */
};

/* What is looked at afterwards. */
struct sf_git_history_view {
    int live, store; /* handles on the git directory and on its mirror */
    bool git_alone;
    bool torn; /* HEAD is gone or its log, which git never removes */
};

enum sf_git_history_fate {
    SF_FATE_FINE,
    SF_FATE_LOST,
    SF_FATE_REMOVED,  /* as git does it */
    SF_FATE_SHORTENED /* a log without some of its entries, as git does it */
};

enum sf_git_history_fate sf_git_history_file_fate(const struct sf_git_history_file *f,
                                                  const struct sf_git_history_view *view);

int64_t sf_git_history_modified_ns(const struct stat *st);

#endif
