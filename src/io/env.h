/*
 * env: directories named by the environment, and the variables that a child may see. An empty
 * variable counts as unset. Paths returned are absolute and owned by the caller.
 */
#ifndef SF_IO_ENV_H
#define SF_IO_ENV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

const char *sf_env_get(const char *name); /* NULL: unset or empty; borrowed from the environment */

/* $HOME, or the home directory of the user's passwd entry when it is unset or relative. */
char *sf_env_home(struct sf_error *err);

/*
 * $SF_HOME; else $XDG_STATE_HOME/sf; else ~/.local/state/sf. A relative SF_HOME is an error, as
 * state would land in whatever directory the program was started from; a relative XDG variable
 * is ignored, as the XDG specification demands.
 */
char *sf_env_state_dir(struct sf_error *err);

/* $XDG_CONFIG_HOME/sf; else ~/.config/sf. */
char *sf_env_config_dir(struct sf_error *err);

/*
 * Programs below this directory are a stranger's: from now on sf_env_path leaves out what lies in
 * there. Real and absolute; before other threads run.
 */
void sf_env_distrust(const char *root);

/*
 * The directories of a PATH in which programs may be searched: absolute, and not in there, nor by a
 * link, nor when they will be made. Joined by ":"; "": none is left. With `left_out` (or NULL) the
 * others are added there.
 */
char *sf_env_path(const char *path, struct sf_strlist *left_out);

/*
 * Adds "NAME=value" for every variable that is on the list of harmless ones: paths, language,
 * terminal, time zone. Everything else, above all secrets, stays out unless a caller adds it.
 */
void sf_env_safe(struct sf_strlist *out);

#endif
