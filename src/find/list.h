/*
 * list: what a directory holds, for the LS tool: names, kinds and sizes, sorted by name, ignored
 * ones marked; to some depth, as a tree. Ignored directories and .git and its like are named but
 * not entered. Nothing is opened but directories, no link is followed. The call blocks.
 */
#ifndef SF_FIND_LIST_H
#define SF_FIND_LIST_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/base.h"
#include "find/entries.h"

enum { SF_LIST_DEPTH_MAX = 64, SF_LIST_MAX = 20000 };

struct sf_list_request {
    int root;
    const char *start; /* a directory below the root; NULL, "" and ".": the root */
    unsigned depth;    /* 0 and 1: the directory alone */
    size_t max;        /* entries in all; 0: SF_LIST_MAX */
    size_t dir_max;    /* entries of one directory below the start; 0: no limit of its own */
    bool all;          /* nothing is ignored */
    const char *user_ignore;
    const atomic_bool *cancel; /* or NULL */
};

/* In the order of a tree: a directory, then what it holds. */
struct sf_list_item {
    char *path;     /* below the start */
    size_t name;    /* path + name: the last component */
    unsigned depth; /* 0: directly in the start */
    enum sf_entry_kind kind;
    int64_t size; /* bytes of a file; -1: not known */
    bool ignored;
    size_t more; /* of a directory: entries that are not listed because of a limit */
};

struct sf_list_result {
    struct sf_list_item *items;
    size_t count, cap;
    size_t total; /* of the start itself, listed or not */
    bool truncated;
};

bool sf_list(const struct sf_list_request *request, struct sf_list_result *result,
             struct sf_error *err) SF_MUST_CHECK;
void sf_list_release(struct sf_list_result *result);

#endif
