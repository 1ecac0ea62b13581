/*
 * class.c: the names of the classes, as users and the corpus write them.
 */
#include "shell/class.h"

#include <string.h>

#include "base/base.h"

static const char *const names[SF_CLASS_COUNT] = { "readonly", "local-edit", "build-test",
                                                   "network", "destructive" };

const char *sf_class_name(enum sf_class class)
{
    return names[class];
}

bool sf_class_parse(const char *name, enum sf_class *out)
{
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        if (!strcmp(name, names[i])) {
            *out = (enum sf_class)i;
            return true;
        }
    }
    return false;
}
