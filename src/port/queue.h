/*
 * queue: words for the turns that follow. They are rows of the store from the moment they are
 * queued, so whoever resumes the session finds them; the list here is a copy of those rows. A row is
 * taken before its words are said; where the program ends in between, it waits again.
 */
#ifndef SF_PORT_QUEUE_H
#define SF_PORT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_port;

enum { SF_QUEUE_MAX = 32 };

struct sf_queued_prompt {
    int64_t id; /* of the store's row */
    char *text;
};

struct sf_queue {
    struct sf_queued_prompt *items;
    size_t count, cap;
    bool held; /* it goes on when a command of the user has ended */
    uint64_t timer;
};

const struct sf_queue *sf_port_queue(const struct sf_port *port);

/* False: it is full, or cannot be written; the surface was told. */
bool sf_port_queue_add(struct sf_port *port, const char *text);
void sf_port_queue_drop(struct sf_port *port, size_t index);
void sf_port_queue_edit(struct sf_port *port, size_t index); /* back to where it is written */
void sf_port_queue_move(struct sf_port *port, size_t from, size_t to);

/* The item leaves the list; its text is the caller's, and its row stays until sf_port_queue_end. */
bool sf_port_queue_end(struct sf_port *port, int64_t row, struct sf_error *err);

void sf_port_queue_send(struct sf_port *port); /* the first, unless a turn runs */

#endif
