/*
 * drafts: what is being written in a session, kept in a file of it. Each text is written by a worker,
 * one file at a time and in order, so that no disk holds up a key; who leaves waits for the last one.
 * Where another process talks in the session nothing is written: the file is that process's.
 */
#ifndef SF_PORT_DRAFTS_H
#define SF_PORT_DRAFTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_port;

/* The session's draft, up to `max` bytes; empty where there is none. Borrowed until the next call. */
const struct sf_strbuf *sf_port_draft_load(struct sf_port *port, size_t max);

/* The draft of a new session that nobody ever talked in becomes this one's; false: there is none. */
bool sf_port_draft_claim(struct sf_port *port);

/* Written behind the caller's back, unless it is what the file holds already. */
void sf_port_draft_keep(struct sf_port *port, const char *text, size_t len);

/* The same for words that were queued: once they are written, the queue lets the row go. */
void sf_port_draft_keep_queued(struct sf_port *port, const char *text, size_t len, int64_t row);

void sf_port_draft_drop(struct sf_port *port);   /* the session has none any more */
void sf_port_draft_settle(struct sf_port *port); /* returns when all of them are written */

#endif
