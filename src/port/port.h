/*
 * port: what every surface does in the same way. So far that is the event: as JSON, with its table,
 * and read again from the log.
 */
#ifndef SF_PORT_PORT_H
#define SF_PORT_PORT_H

#include "port/event_json.h"
#include "port/log_replay.h"

#endif
