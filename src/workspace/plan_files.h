/*
 * plan_files: the plans of a workspace as files, .sf/plans/NAME.md. Links on the way are not
 * followed, so that a plan never leaves the workspace.
 */
#ifndef SF_WORKSPACE_PLAN_FILES_H
#define SF_WORKSPACE_PLAN_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { SF_PLAN_NAME_MAX = 64 };

/* Letters, digits, "-", "_" and "." behind the first: a name that is one file. */
bool sf_plan_name_check(const char *name, struct sf_error *err) SF_MUST_CHECK;

/* Appends the text; SF_E_NOENT when there is no such plan. */
bool sf_plan_file_read(const char *root, const char *name, struct sf_strbuf *out,
                       struct sf_error *err) SF_MUST_CHECK;

/* Makes the file; with `replace` one that is there gets the text. Else SF_E_EXIST. */
bool sf_plan_file_write(const char *root, const char *name, const struct sf_strbuf *text,
                        bool replace, struct sf_error *err) SF_MUST_CHECK;

/* Adds the names, sorted; a directory that is not there has none. */
void sf_plan_files_list(const char *root, struct sf_strlist *out);

#endif
