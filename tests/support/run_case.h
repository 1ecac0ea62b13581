/*
 * run_case: a plan of a few files carried out at a port, with a scripted model. What is told of the
 * run is kept, and what the store was left with is held against the table of legal moves.
 *
 * Life: fixtures; run_case_begin, then lines at the port. A failed step fails the test.
 */
#ifndef SF_TESTS_SUPPORT_RUN_CASE_H
#define SF_TESTS_SUPPORT_RUN_CASE_H

#include "support/port_case.h"

/* A plan is a head and tasks; each writes a file that `make` then looks for. */
#define RUN_HEAD "---\ntitle: Files\n---\n\n## M1 Files\n\n### S1 All\n"
#define RUN_TASK(id, letter, more)                                                            \
    "\n#### " id " Write " letter "\n\n- what: Write " letter ".txt.\n- verify: make " letter \
    "\n" more
#define RUN_UNIT(id)      "reply\n    expect-contains \"Unit M1/S1/" id "\"\n"
#define RUN_WRITE(letter) "    call Write {\"file_path\": \"" letter ".txt\", \"content\": \"x\"}\n"
#define RUN_SAYS          "reply\n    text \"It is written.\"\n"

/* Runs until the file "go" is there; what it prints comes at once. */
#define RUN_WAITS                                                                         \
    "    call Bash {\"command\": \"echo begun; while ! test -e go; do sleep 0.02; done; " \
    "echo x >> a.txt\"}\n"

/* What was told since the beginning. */
struct run_heard {
    struct sf_strbuf lines;   /* of the run: "what task: text | way out" */
    struct sf_strbuf notices; /* a line each */
    bool begun;               /* a command has printed something */
};

int run_case_setup(void **state); /* cmocka fixtures: *state is a struct port_case */
int run_case_teardown(void **state);

struct run_heard *run_heard(struct port_case *c);
void run_case_add(struct sf_strbuf *lines, const struct sf_event_run *run); /* a line */

/* Accepts the plan, serves the model and opens the port. */
void run_case_begin(struct port_case *c, const char *plan, const char *scenario);

void run_case_output(struct port_case *c); /* until a command of the unit has printed something */
void run_case_wait(struct port_case *c, const char *words); /* until they are told of the run */
void run_case_end(struct port_case *c);                     /* until nothing works any more */
void run_case_let_go(struct port_case *c);                  /* makes the file "go" */

/* What was told of the run has the words, or has not. */
void run_case_said(struct port_case *c, const char *words);
void run_case_silent(struct port_case *c, const char *words);

/* What is in the store, in the workspace, and was asked of the model. */
int64_t run_case_count(struct port_case *c, const char *what); /* "TABLE where …" */
void run_case_state(struct port_case *c, const char *task, const char *want);
void run_case_done(struct port_case *c, int64_t want); /* tasks of the plan */
void run_case_requests(struct port_case *c, size_t want);
bool run_case_has(struct port_case *c, const char *name); /* that file */
bool run_case_leased(struct port_case *c);                /* somebody holds the run's lock */

#endif
