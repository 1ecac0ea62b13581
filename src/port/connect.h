/*
 * connect: connects a model: which service, where its key comes from, whether it answers, and which
 * of its models to use for which mode. Each step is a table, and sf_port_connect_choose picks a
 * row; services are queried in the background, and nothing is written before one has answered.
 *
 * Life: begun by /connect, ended by the last step, sf_port_connect_back or sf_port_connect_leave.
 */
#ifndef SF_PORT_CONNECT_H
#define SF_PORT_CONNECT_H

#include <stdbool.h>

struct sf_port;

/* Picks a row of the step that was shown last. */
void sf_port_connect_choose(struct sf_port *port, const char *value);

/* Goes back from one model to the table of models; from any other step it gives up, with a note. */
void sf_port_connect_back(struct sf_port *port);

/* Gives up silently; a running trial is cancelled and frees itself when it ends. */
void sf_port_connect_leave(struct sf_port *port);

#endif
