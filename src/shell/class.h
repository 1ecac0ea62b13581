/*
 * class: the five kinds of effect a command can have, mildest first, so that the worst of
 * several parts is their maximum.
 */
#ifndef SF_SHELL_CLASS_H
#define SF_SHELL_CLASS_H

#include <stdbool.h>

enum sf_class {
    SF_CLASS_READONLY,    /* shows something; decided from the text alone */
    SF_CLASS_LOCAL_EDIT,  /* changes files of the workspace so that it can be undone */
    SF_CLASS_BUILD_TEST,  /* runs project code, a tool-chain or a program no table describes */
    SF_CLASS_NETWORK,     /* talks to another host */
    SF_CLASS_DESTRUCTIVE, /* asks under every profile */
    SF_CLASS_COUNT,
};

const char *sf_class_name(enum sf_class class);

#endif
