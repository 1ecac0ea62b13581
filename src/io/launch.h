/*
 * launch: from a spec to a running supervisor; internal to the room. Finds the program, makes
 * the pipes, forks.
 */
#ifndef SF_IO_LAUNCH_H
#define SF_IO_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/base.h"
#include "io/child.h"

/* This program's side. The caller owns every descriptor; they close on exec and do not block. */
struct sf_launch {
    pid_t supervisor;
    int end;     /* readable when the supervisor ended; -1 where the kernel has no pidfd */
    int control; /* closing it tells the supervisor to stop */
    int status;  /* struct sf_supervisor_report, one after the other, until the supervisor ends */
    int in;      /* -1: the command reads /dev/null */
    int out;
    int err; /* -1: merged into `out` */
};

bool sf_launch_start(const struct sf_child_spec *spec, struct sf_launch *launch,
                     struct sf_error *err) SF_MUST_CHECK;

#endif
