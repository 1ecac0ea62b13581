/*
 * args: the arguments of a tool as rows. The schema for models and the check of their arguments use
 * the same rows. Schemas are flat objects of scalars, since servers of local models support little
 * more; a list of objects is the only exception.
 */
#ifndef SF_TOOLS_ARGS_H
#define SF_TOOLS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum sf_arg_type {
    SF_ARG_STRING,
    SF_ARG_INT,
    SF_ARG_BOOL,
    SF_ARG_ENUM,    /* one of `choices` */
    SF_ARG_STRINGS, /* a list of strings */
    SF_ARG_OBJECTS, /* a list of objects, their members in `members` */
};

struct sf_tool_arg {
    const char *name;
    enum sf_arg_type type;
    bool required;
    const char *help;
    int64_t min, max;           /* range of integers, both 0: any; for lists, the length */
    const char *const *choices; /* NULL-terminated */
    const struct sf_tool_arg *members;
    size_t member_count;
    const char *alias; /* another name that models use, or NULL */
};

#define SF_TOOL_ARGS_MAX ((size_t)8 * 1024 * 1024) /* bytes of one call's arguments */

/* {"type":"object","properties":{…},"required":[…],"additionalProperties":false} */
void sf_args_schema(const struct sf_tool_arg *args, size_t count, struct sf_json_writer *w);

/*
 * Parses arguments into a tree that fits the rows; NULL with an error that tells a model what is
 * wrong and what would be right. Integers sent as "5" or 5.0 and booleans sent as "true" are
 * accepted; null counts as absent. An empty text is an empty object.
 */
struct sf_json *sf_args_read(const struct sf_tool_arg *args, size_t count, const char *text,
                             size_t len, struct sf_error *err) SF_MUST_CHECK;

/* Get a value from a checked tree; `fallback` if the argument is absent. */
const char *sf_arg_str(const struct sf_json *args, const char *name, const char *fallback);
int64_t sf_arg_int(const struct sf_json *args, const char *name, int64_t fallback);
bool sf_arg_bool(const struct sf_json *args, const char *name, bool fallback);

#endif
