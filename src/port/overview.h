/*
 * overview: what is true now, for a surface that shows it beside the conversation: the steps of the
 * plan, the files that changed, jobs, questions. The facts are kept up to date by events and by
 * looks on a worker; asking for them touches no file.
 */
#ifndef SF_PORT_OVERVIEW_H
#define SF_PORT_OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

struct sf_port;

enum sf_todo_state { SF_TODO_PENDING, SF_TODO_RUNNING, SF_TODO_DONE };

extern const char *const sf_todo_states[]; /* "pending", "in_progress", "completed" */

/* One step of the model's list, as one line without control characters. */
struct sf_todo {
    char *text;
    enum sf_todo_state state;
};

/* A file that differs from the session's start, and lines that were added and removed. */
struct sf_changed_file {
    char *path; /* below the workspace, as one line without control characters */
    uint64_t plus, minus;
};

struct sf_overview {
    struct sf_todo *todos;
    size_t todo_count, todo_cap, todos_done;
    struct sf_changed_file *files; /* the first of them */
    size_t file_count, file_cap;
    struct sf_strlist unlisted; /* private: names of files beyond those, up to a limit */
    size_t changed;             /* number of all */
    uint64_t plus, minus;       /* of all */
    bool about;                 /* summed up from single edits: files were not compared since */
    size_t jobs;                /* background jobs that run */
    size_t questions;           /* that wait for the user */
};

/* Valid until the next event. */
const struct sf_overview *sf_port_overview(struct sf_port *port);

/*
 * Whether the surface shows which files changed beside the conversation: while it does, they are
 * compared after each turn that touched some, and now if that was left out before. What /status and
 * the user's line of facts show of them needs no such word.
 */
void sf_port_overview_want(struct sf_port *port, bool wanted);

#endif
