/*
 * checks: the commands that would verify a project, by the files in its root, and whether a command
 * that someone wrote down is there. Files come from the caller, as far as they may be read.
 */
#ifndef SF_VERIFY_CHECKS_H
#define SF_VERIFY_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { SF_CHECKS_MAX = 16, SF_CHECKS_FILE = 256 * 1024 }; /* commands; bytes of a file */

/* Appends a file of the project; false: it is not there, or not to be read. */
typedef bool sf_checks_read_fn(void *ctx, const char *path, struct sf_strbuf *out);

struct sf_checks_project {
    const struct sf_strlist *names; /* what is in the root: files and directories */
    sf_checks_read_fn *read;
    bool (*has_program)(void *ctx, const char *name); /* NULL: nobody knows */
    void *ctx;
};

/* The first command is the one to run. Each has its reason at the same place. */
struct sf_checks {
    struct sf_strlist commands, reasons; /* "npm run test", "package.json has a script test" */
};

#define SF_CHECKS_INIT                   \
    {                                    \
        SF_STRLIST_INIT, SF_STRLIST_INIT \
    }

void sf_checks_detect(const struct sf_checks_project *project, struct sf_checks *out);
void sf_checks_release(struct sf_checks *checks);

enum sf_check_presence {
    SF_CHECK_THERE,   /* Its program is there, and so is the target or the script. */
    SF_CHECK_MISSING, /* Something that it names is not there. */
    SF_CHECK_UNSURE,  /* The text alone does not tell. */
};

enum sf_check_presence sf_checks_find(const struct sf_checks_project *project, const char *command);

/* ---- what others read from the same files ---- */

/* Whether a Makefile has the target at the start of a line: "check: all". */
bool sf_checks_has_target(const char *makefile, const char *target);

/* Whether package.json, composer.json or deno.json has the script; npm's placeholder is none. */
bool sf_checks_has_script(const struct sf_strbuf *text, const char *key, const char *name);

/* The program that runs the scripts of package.json, by its lock file. */
const char *sf_checks_node_runner(const struct sf_strlist *names);

#endif
