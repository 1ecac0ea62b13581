/*
 * agent_sandbox: sf with a scripted model behind it: a sandbox, a server on loopback, and the
 * settings that lead from one to the other.
 */
#ifndef SF_TESTS_SUPPORT_AGENT_SANDBOX_H
#define SF_TESTS_SUPPORT_AGENT_SANDBOX_H

#include "support/model_server.h"
#include "support/program.h"
#include "wire/wire.h"

/* Starts the server with the script (text, or a file of tests/scenarios/) and points sf to it. */
struct model_server *agent_sandbox_serve(struct sandbox *w, enum sf_wire_format format,
                                         const char *scenario, const char *file);

/* Points sf to a port where nobody listens, and nobody else will. */
void agent_sandbox_nobody(struct sandbox *w, enum sf_wire_format format);

/* More lines for the settings file; kept over agent_sandbox_serve. NULL empties it. */
void agent_sandbox_settings(struct sandbox *w, const char *toml);

/* A file of the workspace, its directories made. */
void agent_sandbox_file(struct sandbox *w, const char *name, const char *text);

/* Its text, owned by the caller; fails the test when it is not there. */
char *agent_sandbox_text(struct sandbox *w, const char *name);

/* The last object of that type in stream-json output; the caller frees it. NULL: none. */
struct sf_json *agent_sandbox_object(const char *out, const char *type);

/* Fails the test when the server did not like something. */
void agent_sandbox_check(struct model_server *server, const char *name);

#endif
