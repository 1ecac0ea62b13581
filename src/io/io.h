/*
 * io: the room that touches the system: files, the clock, the event loop, child processes, the
 * log file. The other rooms include this header alone.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Every child has a supervisor.
 *   Problem: Only the parent of an orphan can find and end it, and a process group cannot hold a
 *     process that opened a session of its own.
 *   Decision: A small process of ours stands between sf and each command. It outlives a killed sf
 *     just long enough to clean up. What it looks with is open before the command exists, and a
 *     look that fails never counts as "nobody is left".
 *   Cost: One more process for each command.
 *   Enforced by: io/supervisor, app/exec_kill
 */
#ifndef SF_IO_IO_H
#define SF_IO_IO_H

#include "io/child.h"
#include "io/clock.h"
#include "io/env.h"
#include "io/fd.h"
#include "io/file.h"
#include "io/filewatch.h"
#include "io/host.h"
#include "io/lock.h"
#include "io/lock_owner.h"
#include "io/log.h"
#include "io/loop.h"
#include "io/place.h"
#include "io/worker.h"
#include "io/zone_file.h"

#endif
