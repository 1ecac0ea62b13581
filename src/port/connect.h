/*
 * connect: a model being connected: which service, where its key comes from, whether it answers, and
 * which of its models for what. Each step is a choice of which sf_port_connect_choose takes a row;
 * asking services goes on beside it, and nothing is written before one has answered.
 *
 * Life: begun by /connect, ended by the last step, sf_port_connect_back or sf_port_connect_leave.
 */
#ifndef SF_PORT_CONNECT_H
#define SF_PORT_CONNECT_H

#include <stdbool.h>

struct sf_port;

/* The row of the step that was shown last. */
void sf_port_connect_choose(struct sf_port *port, const char *value);

/* A step back: to all models from one of them; from anywhere else it is given up, which is said. */
void sf_port_connect_back(struct sf_port *port);

/* It is given up; what is being tried is stopped, and ends by itself. */
void sf_port_connect_leave(struct sf_port *port);

#endif
