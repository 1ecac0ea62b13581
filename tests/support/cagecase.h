/*
 * cagecase: a small sandbox to break out into: a workspace with a repository, a home with secrets,
 * a directory outside, sf's own data, services on loopback and on local sockets, and a process
 * that should live on. What an attempt did is seen from outside, whatever the attempt says.
 */
#ifndef SF_TESTS_SUPPORT_CAGECASE_H
#define SF_TESTS_SUPPORT_CAGECASE_H

#include <stdbool.h>
#include <sys/types.h>

#include "cage/cage.h"
#include "io/io.h"

#define CAGE_SECRET "s3cr3t-of-the-user"

enum cage_service {
    SERVICE_TCP,
    SERVICE_UDP,
    SERVICE_UNIX,
    SERVICE_TMP,
    SERVICE_ABSTRACT,
    SERVICE_RELATIVE,
    SERVICE_RENAMED,
    SERVICE_NEWLINE,
    SERVICES
};

struct cage_sandbox {
    char *dir, *ws, *home, *outside, *state, *temp, *git;
    const char *git_dirs[2];
    struct sf_strlist env;
    struct sf_strlist before; /* what is watched, as it was */
    int services[SERVICES];
    char *tmp_socket;
    char *pack; /* a directory with the files as they were made */
    int cwd;    /* of before: the owner of a socket with a relative name works where that is */
    pid_t victim;
    int victim_line; /* what is written here it says back */
    struct sf_repositories *repositories;
    struct sf_git_history *history;
    char *log;                     /* what git tells of its history, as it was */
    struct sf_cage_memory *memory; /* shared by all runs, as those of a session share theirs */
    struct sf_child_result result;
    bool has_result;
    bool readonly; /* plans are those of commands that only read */
};

int cage_sandbox_setup(void **state); /* cmocka fixtures: *state is a struct cage_sandbox */
int cage_sandbox_teardown(void **state);

/* The plan of an ordinary command here; the caller changes and releases it. */
void cage_sandbox_plan(const struct cage_sandbox *w, struct sf_cage_plan *plan);

/* Runs a script of sh in the workspace, confined; the result lives until the next run. */
const struct sf_child_result *cage_sandbox_run(struct cage_sandbox *w,
                                               const struct sf_kernel *kernel,
                                               const struct sf_cage_plan *plan, const char *script);

/* The same for any program, by its path. */
const struct sf_child_result *cage_sandbox_start(struct cage_sandbox *w,
                                                 const struct sf_kernel *kernel,
                                                 const struct sf_cage_plan *plan,
                                                 const char *const *argv);

/* As the user does who comes back: git in the workspace and in the repositories in there. */
void cage_sandbox_use_git(struct cage_sandbox *w);

/* Whether git tells the same of references, logs and objects as at first; else all is as before. */
bool cage_sandbox_has_history(struct cage_sandbox *w);

/*
 * What the last run did that it must not: a few words, or NULL. The world is as before
 * afterwards.
 */
const char *cage_sandbox_damage(struct cage_sandbox *w);

/*
 * Runs the group as an ordinary user when this is root, who needs no user namespace and is exempt
 * from limits; 0 when it passed, or when this is such a user already. To be called before
 * anything is known about the kernel.
 */
int cage_as_user(int (*group)(void));

#endif
