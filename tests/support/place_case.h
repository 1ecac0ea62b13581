/*
 * place_case: the tree the tests of places share. TOP/ws is the workspace, TOP/out lies beside
 * it, and links of every kind lead from one to the other. Names are given below TOP.
 */
#ifndef SF_TESTS_SUPPORT_PLACE_CASE_H
#define SF_TESTS_SUPPORT_PLACE_CASE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/base.h"
#include "io/io.h"

struct place_case {
    char *top, *ws;
    struct sf_place_root root;
    struct sf_place place, other;
    struct sf_strlist before, after;
};

/* cmocka fixtures: *state is a struct place_case. */
int place_setup(void **state);
int place_teardown(void **state);

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, place_setup, place_teardown)

/* Each fails the test when it does not work. */
void place_put(const struct place_case *f, const char *name, const char *text);
void place_make(const struct place_case *f, const char *name, mode_t mode);
void place_tie(const struct place_case *f, const char *name, const char *target);
void place_tie_to(const struct place_case *f, const char *name, const char *target);
void place_carry(const struct place_case *f, const char *from, const char *to);
void place_expect(const struct place_case *f, const char *name, const char *want);
bool place_there(const struct place_case *f, const char *name);

/* Resolves into `place`; "@" at the start of a path is TOP. */
bool place_find(struct place_case *f, const char *path, enum sf_place_want want,
                struct sf_error *err);
void place_found(struct place_case *f, const char *path, enum sf_place_want want);
bool place_replace(struct place_case *f, const char *text, struct sf_error *err);

#endif
