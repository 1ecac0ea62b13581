/*
 * tree: directories full of files to be searched, the answers of other programs about them, and
 * a generator of random numbers that gives the same ones each time.
 */
#ifndef SF_TESTS_SUPPORT_TREE_H
#define SF_TESTS_SUPPORT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* Writes DIR/PATH with all directories it needs. */
void tree_put(const char *dir, const char *path, const void *data, size_t len);
void tree_puts(const char *dir, const char *path, const char *text);

int tree_open(const char *dir); /* a handle to the directory */

/* Runs a shell command in the directory, without anybody's settings for git and rg. */
char *tree_run(const char *dir, const char *command, size_t *len); /* what it prints; owned */

/* The same as lines, which end in `end`; sorted by bytes. */
void tree_lines(const char *dir, const char *command, char end, struct sf_strlist *out);

bool tree_has_rg(void);

/* Fails the test with the first difference, naming the case. Both lists are sorted. */
void tree_same(const char *name, const struct sf_strlist *got, const struct sf_strlist *want);

struct tree_random {
    uint64_t state;
};
unsigned tree_pick(struct tree_random *r, unsigned below);

/* `count` words of the list (NULL at its end) in a row. */
void tree_words(struct tree_random *r, const char *const *words, unsigned count,
                struct sf_strbuf *out);

#endif
