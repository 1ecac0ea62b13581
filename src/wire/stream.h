/*
 * stream: what a model's answer is made of while it arrives, the same for every service. Deltas
 * are for showing; blocks come whole, each once, in order, and only they make history. A call is
 * never reported before its arguments are complete, and no call of an answer may be run before
 * SF_STREAM_END: until then the answer may still fail and be asked for again.
 */
#ifndef SF_WIRE_STREAM_H
#define SF_WIRE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/message.h"

enum sf_stop {
    SF_STOP_END,     /* said all it wanted */
    SF_STOP_CALLS,   /* waits for its tools */
    SF_STOP_LENGTH,  /* ran into the output limit */
    SF_STOP_CONTEXT, /* the window is full */
    SF_STOP_REFUSAL, /* declined, or a filter did */
    SF_STOP_PAUSE,   /* wants to be asked to go on */
    SF_STOP_UNABLE,  /* the offline operator did not do what was asked */
};

extern const char *const sf_stop_names[];

/* Tokens; input counts those neither read from nor written to a cache. */
struct sf_usage {
    int64_t input, output, cache_read, cache_write, reasoning; /* reasoning is part of output */
};

/* Why a request came to nothing, by what can be done about it. */
enum sf_fault {
    SF_FAULT_NONE,
    SF_FAULT_AUTH,      /* no key, or a wrong one */
    SF_FAULT_FORBIDDEN, /* the key is known, and may not do this */
    SF_FAULT_QUOTA,     /* out of credit: waiting does not help */
    SF_FAULT_REQUEST,   /* the service rejects what we sent */
    SF_FAULT_MODEL,     /* there is no such model or address */
    SF_FAULT_CONTEXT,   /* too long for the model */
    SF_FAULT_RATE,      /* too fast; retried */
    SF_FAULT_OVERLOAD,  /* busy; retried */
    SF_FAULT_SERVER,    /* broke on its side; retried */
    SF_FAULT_CONNECT,   /* not reached, or lost; retried */
    SF_FAULT_TLS,       /* its certificate or the handshake is not right */
    SF_FAULT_STALL,     /* silent for too long; retried */
    SF_FAULT_TIMEOUT,   /* took longer than a request may */
    SF_FAULT_MALFORMED, /* the answer cannot be read; retried */
    SF_FAULT_OVERSIZE,  /* the answer is larger than sf takes, and would be again */
    SF_FAULT_REPLAY,    /* a recording cannot be played, or what happens departs from it */
    SF_FAULT_CANCELLED,
};

struct sf_fault_info {
    enum sf_fault fault;
    const char *name; /* "rate-limit": in events */
    bool retry;       /* asking again may help */
    bool temporary;   /* to the caller: exit code 75 */
    const char *hint; /* what to do */
};

extern const struct sf_fault_info sf_faults[]; /* by enum sf_fault */

struct sf_wire_error {
    enum sf_fault fault;
    int status;             /* of HTTP, or 0 */
    int64_t retry_after_ms; /* what the service asked for; -1: nothing */
    char message[512];      /* made safe to show */
};

enum sf_stream_kind {
    SF_STREAM_BEGIN,     /* text: the model's own name for itself, or "" */
    SF_STREAM_TEXT,      /* text: a piece of the answer */
    SF_STREAM_REASONING, /* text: a piece of its reasoning */
    SF_STREAM_CALL,      /* text: name of a tool whose call is being written */
    SF_STREAM_BLOCK,     /* block: complete; the receiver may take its strings */
    SF_STREAM_USAGE,     /* usage so far, replaces what was said before */
    SF_STREAM_END,       /* stop: the answer is complete */
    SF_STREAM_ERROR,     /* error: it never will be; nothing follows */
};

/* Borrowed for the call. */
struct sf_stream_event {
    enum sf_stream_kind kind;
    const char *text;
    size_t len;
    struct sf_block *block;
    struct sf_usage usage;
    enum sf_stop stop;
    const struct sf_wire_error *error;
};

typedef void sf_stream_fn(void *ctx, const struct sf_stream_event *event);

#endif
