/*
 * port: what every surface does in the same way. So far that is the event as JSON: its table, the
 * writer and the documents made from the table.
 */
#ifndef SF_PORT_PORT_H
#define SF_PORT_PORT_H

#include "port/event_json.h"

#endif
