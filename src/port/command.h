/*
 * command: the table of slash commands. Help, palette, completion, documents and every surface use
 * it; a command answers with a response or through events. Commands about the axes are rows of
 * modes/command.h.
 */
#ifndef SF_PORT_COMMAND_H
#define SF_PORT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

struct sf_port;

enum sf_command_when {
    SF_AT_ANY_TIME,
    SF_AT_REST, /* not while a turn or a command runs */
};

struct sf_port_command {
    const char *name;
    const char *const *aliases; /* other names that people type, NULL-terminated; or NULL */
    const char *args, *help;
    enum sf_command_when when;
    void (*run)(struct sf_port *port, const char *args); /* NULL: the surface does it */
    /* Explains a row of the command's table, given its value, as Markdown; or NULL. */
    void (*explain)(struct sf_port *port, const char *value, struct sf_strbuf *out);
};

extern const struct sf_port_command sf_port_commands[];
extern const size_t sf_port_command_count;

/* Of a name that is no command, adds what the user may have meant, and where all are listed. */
void sf_port_command_unknown(struct sf_port *port, const char *name, struct sf_error *err);

/* Whether sf itself has a slash command of this name (given without the slash). */
bool sf_port_command_is_own(const char *name);

/* Runs a line that begins with a slash. */
void sf_port_command(struct sf_port *port, const char *line);

/* Explains a row that a command offered. False: there is no explanation. */
bool sf_port_explain(struct sf_port *port, const char *command, const char *value,
                     struct sf_strbuf *out);

/* The table of slash commands as Markdown, for the docs. */
void sf_port_commands_doc_add(struct sf_strbuf *out);

/* Adds a cell of a Markdown table on one line, with pipes escaped, which would end it. */
void sf_port_cell_add(struct sf_strbuf *out, const char *text);

#endif
