/*
 * queue: prompts for later turns. They are rows of the store from the moment they are queued, so a
 * resumed session finds them; the list here is a copy of those rows. A row is marked as taken
 * before its prompt is sent; if the program dies in between, it is queued again.
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
    int64_t id; /* id of the store's row */
    char *text;
};

struct sf_queue {
    struct sf_queued_prompt *items;
    size_t count, cap;
    bool held; /* continues when the user's command or a restore has ended */
    uint64_t timer;
};

const struct sf_queue *sf_port_queue(const struct sf_port *port);

/* False: the queue is full or cannot be written, and a response says so. */
bool sf_port_queue_add(struct sf_port *port, const char *text);
void sf_port_queue_drop(struct sf_port *port, size_t index);
void sf_port_queue_edit(struct sf_port *port, size_t index); /* makes it the draft again */
void sf_port_queue_move(struct sf_port *port, size_t from, size_t to);

/* Drops the row of a prompt that sf_port_queue_edit took out of the list, once its text is safe. */
bool sf_port_queue_end(struct sf_port *port, int64_t row, struct sf_error *err);

void sf_port_queue_send(struct sf_port *port); /* sends the first, unless a turn runs */

#endif
