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
