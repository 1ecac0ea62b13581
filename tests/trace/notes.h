/* notes: what the tracer writes and the driver reads. */
#ifndef SF_TESTS_TRACE_NOTES_H
#define SF_TESTS_TRACE_NOTES_H

#include <stdatomic.h>
#include <stdint.h>

enum { TRACE_NOTES_MAX = 8 << 20 };

struct trace_note {
    uint64_t thread, function; /* the function as an offset into the program */
    uint64_t left;             /* 0: it is entered; 1: it is left */
};

struct trace_notes {
    _Atomic uint64_t count; /* so far, also those there was no room for */
    struct trace_note notes[TRACE_NOTES_MAX];
};

#endif
