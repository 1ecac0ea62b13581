/*
 * statusline: the user's own line of facts, such as "{model} · {branch}{dirty}". The template is a
 * setting of the user's alone, since no repository may put words into sf's own rows; every surface
 * has the same text from it. Nothing is run for it, and nothing in it changes while sf is idle.
 */
#ifndef SF_PORT_STATUSLINE_H
#define SF_PORT_STATUSLINE_H

#include <stdbool.h>

#include "base/base.h"

struct sf_port;

#define SF_STATUSLINE "ui.statusline"

bool sf_port_has_statusline(const struct sf_port *port);

/* Appends the line as it is now, without control characters; nothing if there is no template. */
void sf_port_statusline_add(struct sf_port *port, struct sf_strbuf *out);

/* Whether a template typed for that setting can be expanded; of other settings: true. */
bool sf_statusline_check(const char *key, const char *typed, struct sf_error *err) SF_MUST_CHECK;

#endif
