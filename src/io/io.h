/*
 * io: the room that touches the system: files, the clock, the event loop, child processes, the
 * log file. The other rooms include this header alone.
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
