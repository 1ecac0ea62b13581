/*
 * cage: commands confined by the kernel. A plan says what one command may touch; the kernel's
 * facts say how much of that can be enforced here; a cage is both made ready before the fork and
 * entered between fork and exec. Whatever is promised is in force before the command runs, or it
 * does not run.
 *
 *     wish ──► plan ──► cage (+ kernel) ──► sf_cage_enter, in the child
 *              no I/O   looks at the disk   system calls alone
 *
 * The other rooms include this header alone.
 */
#ifndef SF_CAGE_CAGE_H
#define SF_CAGE_CAGE_H

#include "cage/apply.h"
#include "cage/coverage.h"
#include "cage/environment.h"
#include "cage/git_repair.h"
#include "cage/hints.h"
#include "cage/kernel.h"
#include "cage/listing.h"
#include "cage/plan.h"
#include "cage/repositories.h"
#include "cage/secrets.h"

#endif
