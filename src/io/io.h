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
 *
 * - The heap is not copied for a supervisor.
 *   Problem: Page tables of a large heap, and each page that is written after a fork, are copied
 *     for every command.
 *   Decision: What a new process reads before its exec lies in mapped arenas; the heap is left out
 *     of the fork.
 *   Cost: A setup must not follow a pointer to the heap.
 *   Enforced by: house/release
 *
 * - The kernel says what a command writes.
 *   Problem: A change of the workspace does not tell whether the command made it or an editor.
 *   Decision: The supervisor is told of each writing call before it happens, notes the path and
 *     lets it go on. Paths are read from the command's memory, so notes attribute and never permit.
 *   Cost: Some microseconds for each file that is opened to write, renamed or removed.
 *   Enforced by: io/write_record, session/scope_audit
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
#include "io/stand.h"
#include "io/thread.h"
#include "io/worker.h"
#include "io/write_record.h"
#include "io/zone_file.h"

#endif
