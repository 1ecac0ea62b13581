/*
 * modes: the five axes and the write scopes, as data. Pure: no file, no clock, no terminal.
 * The other rooms include this header alone.
 */
#ifndef SF_MODES_MODES_H
#define SF_MODES_MODES_H

#include "modes/axes.h"
#include "modes/scope.h"

#endif
