/*
 * checkout: what is known of the project's checkout, for a surface that names it: the project, the
 * branch, and whether tracked files differ from the last commit. Asking touches no file except for
 * the branch, the first time; a worker looks at the files.
 */
#ifndef SF_PORT_CHECKOUT_H
#define SF_PORT_CHECKOUT_H

#include <stdbool.h>

struct sf_port;

/*
 * Has the checkout looked at again: branch and files may have changed. A look that runs is followed
 * by one more. Once a surface has asked, calls that may have changed files are followed by a look as
 * well.
 */
void sf_port_look_checkout(struct sf_port *port);

/* Tracked files differ from the last commit; false also while that is not known. */
bool sf_port_is_dirty(const struct sf_port *port);

const char *sf_port_branch(struct sf_port *port); /* or the commit; "": there is no repository */
const char *sf_port_project(const struct sf_port *port); /* the name of the workspace's directory */

#endif
