/*
 * tools: what a model may call, and what each call does. One table has them all; the JSON schemas
 * for models, the checks of arguments, help and docs are made from its rows.
 *
 *     arguments ──prepare──► call (what it would touch) ──judge──► start ──► one result
 *
 * Preparing touches nothing. The session resolves and judges what the call names, fills in the held
 * places, and only then starts it; a tool works only through those handles. It runs in a worker
 * thread or a child process, never on the loop.
 */
#ifndef SF_TOOLS_TOOLS_H
#define SF_TOOLS_TOOLS_H

#include "tools/args.h"
#include "tools/call.h"
#include "tools/image.h"
#include "tools/kind.h"
#include "tools/safe.h"
#include "tools/script.h"
#include "tools/table.h"
#include "tools/toolbox.h"
#include "tools/toolset.h"

#endif
