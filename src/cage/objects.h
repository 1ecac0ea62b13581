/*
 * objects: whether a git repository has a file's content already; internal to the room. What it
 * has, every command can read from there, so hiding the file would hide nothing; and nobody gets
 * content in there without having read it.
 */
#ifndef SF_CAGE_OBJECTS_H
#define SF_CAGE_OBJECTS_H

#include <stdbool.h>

enum { SF_OBJECTS_FILE_MAX = 1024 * 1024 }; /* larger files are taken for unknown */

/* `git_dir` has objects/ in it. False also when it cannot be told. */
bool sf_objects_hold(const char *git_dir, const char *path);

#endif
