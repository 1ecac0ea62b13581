/*
 * io: the room that touches the system: files, the clock, the event loop, child processes, the
 * log file. Other rooms include only this header.
 *
 * Decisions, each with the tests that hold it:
 *
 * - Every child has a supervisor.
 *   Problem: Only the parent of an orphan can find and end it, and a process group cannot hold a
 *     process that opened a session of its own.
 *   Decision: A small process of ours stands between sf and each command. It outlives a killed sf
 *     just long enough to clean up. It opens the files of /proc that it needs before the command
 *     exists, and a scan that fails never counts as "no process is left".
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
#include "io/write_record.h"
#include "io/zone_file.h"

#endif
