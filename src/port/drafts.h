/*
 * drafts: the text being typed in a session, kept in a file of the session. A worker writes each
 * text, one file at a time and in order, so that no key waits for the disk; on exit sf waits for
 * the last one. Nothing is written while another process owns the session, and with it the file.
 */
#ifndef SF_PORT_DRAFTS_H
#define SF_PORT_DRAFTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_port;

/* The session's draft; empty if there is none or it exceeds `max`. Borrowed until the next call. */
const struct sf_strbuf *sf_port_draft_load(struct sf_port *port, size_t max);

/* Takes over the draft of an earlier session that never got a prompt; false: there is none. */
bool sf_port_draft_claim(struct sf_port *port);

/* Writes the draft in the background, unless the file has this text already. */
void sf_port_draft_keep(struct sf_port *port, const char *text, size_t len);

/* The same for a text that comes from the queue: its row is dropped once the text is written. */
void sf_port_draft_keep_queued(struct sf_port *port, const char *text, size_t len, int64_t row);

void sf_port_draft_drop(struct sf_port *port);   /* removes the session's draft */
void sf_port_draft_settle(struct sf_port *port); /* returns when all drafts are written */

#endif
