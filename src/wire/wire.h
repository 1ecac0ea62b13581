/*
 * wire: what sf and a model say to each other, and how three kinds of service spell it. Pure:
 * text in, text out. Messages and their blocks are sf's own; the encoders write requests from
 * them, the decoders turn streams of bytes into one vocabulary of events.
 */
#ifndef SF_WIRE_WIRE_H
#define SF_WIRE_WIRE_H

#include "wire/decode.h"
#include "wire/message.h"
#include "wire/request.h"
#include "wire/stream.h"

#endif
