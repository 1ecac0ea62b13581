/*
 * class_named: the class of commands with this name, as the corpora spell it.
 */
#ifndef SF_TESTS_SUPPORT_CLASS_NAMED_H
#define SF_TESTS_SUPPORT_CLASS_NAMED_H

#include <stdbool.h>
#include <string.h>

#include "shell/shell.h"

/* False: there is no such class. */
static inline bool class_named(const char *name, enum sf_class *out)
{
    for (int i = 0; i < SF_CLASS_COUNT; i++)
        if (!strcmp(name, sf_class_name((enum sf_class)i))) {
            *out = (enum sf_class)i;
            return true;
        }
    return false;
}

#endif
