/*
 * peer: the other end of a connection: a server on loopback that answers every request with bytes
 * the test wrote, in pieces of its choice, and then does what it was told, nicely or not. Each
 * connection has a thread of its own.
 */
#ifndef SF_TESTS_SUPPORT_PEER_H
#define SF_TESTS_SUPPORT_PEER_H

#include <stdbool.h>
#include <stddef.h>

enum peer_then {
    PEER_KEEP,  /* waits for the next request on the connection */
    PEER_CLOSE, /* an orderly end */
    PEER_RESET,
    PEER_STALL, /* says nothing more until the other side goes */
};

/* Borrowed: must outlive the peer. */
struct peer_answer {
    const char *bytes;
    size_t len;   /* 0: up to the NUL */
    size_t piece; /* bytes a write; 0: all at once */
    size_t hold;  /* bytes behind which it waits for peer_go_on; 0: it does not */
    enum peer_then then;
    bool deaf; /* does not read a request first */
};

struct peer;

/* Request N of all connections gets answer N, the last one again and again. Fails the test. */
struct peer *peer_start(const struct peer_answer *answers, size_t count);
void peer_stop(struct peer *peer); /* NULL is welcome; waits for its threads */

void peer_go_on(struct peer *peer); /* for one answer that is held */

int peer_port(const struct peer *peer);
size_t peer_connections(struct peer *peer);
size_t peer_requests(struct peer *peer);
size_t peer_answered(struct peer *peer);    /* answers that are written, as far as it went */
char *peer_last_request(struct peer *peer); /* head and body, owned by the caller */

/* A port nobody listens at, the same each time; its descriptor stays open. */
int peer_dead_port(void);

#endif
