/*
 * internal: what the checks share, and the checks themselves, by file.
 */
#ifndef SF_HEALTH_INTERNAL_H
#define SF_HEALTH_INTERNAL_H

#include <sys/types.h>

#include "health/health.h"

struct sf_health {
    const struct sf_health_context *at;
    const struct sf_health_check *check; /* the running one */
    struct sf_health_report *out;
};

/* Adds a result; `hint` says what to do, or is "". */
void sf_health_say(struct sf_health *health, enum sf_health_state state, const char *hint,
                   const char *format, ...) SF_PRINTF(4, 5);
void sf_health_error(struct sf_health *health, enum sf_health_state state,
                     const struct sf_error *err);

/* Offers an act that mends the last result. Texts are copied; NULL stays NULL. */
void sf_health_offer(struct sf_health *health, enum sf_health_act_kind kind, const char *subject,
                     const char *was, const char *now);

/* Whether the part is there; otherwise its absence is a result. */
bool sf_health_has_workspace(struct sf_health *health);
bool sf_health_has_state(struct sf_health *health);

/* Whether a key comes from a command, which may ask for a password: run only with `online`. */
bool sf_health_key_commands(struct sf_config *config);

/* The first line that a program prints, or NULL if it fails; owned. Passes `variable` on to it. */
char *sf_health_ask(const char *const *argv, const char *variable);

/* ---- files.c: reading directories and files with a limit ---- */

/* False ends the walk. `path` is borrowed; links are not followed. */
struct stat;
typedef bool sf_health_file_fn(void *ctx, const char *path, const struct stat *st);
struct sf_health_walk {
    sf_health_file_fn *fn;
    void *ctx;
    unsigned depth;        /* directories below the first */
    size_t left;           /* entries that may still be visited */
    const char *const *no; /* names that are passed over; ends with NULL */
};
void sf_health_walk(struct sf_health_walk *walk, const char *dir);

/* The first line of a small file, or NULL; owned. */
char *sf_health_line(const char *dir, const char *name);
bool sf_health_exists(const char *dir, const char *name);
int64_t sf_health_age_ms(const struct stat *st); /* since the last change */

/* Offers to take away from a file, or directory, what others may do with it. */
void sf_health_offer_private(struct sf_health *health, const char *path, const struct stat *st);

/* Whether a process of that number runs on this machine. */
bool sf_health_is_alive(pid_t pid);

/* ---- git_dir.c: where git keeps what belongs to the workspace ---- */

struct sf_health_git {
    char *dir, *common; /* NULL: no repository; the same unless this is a linked worktree */
    bool own;           /* below the workspace or its main work tree: may be mended */
};

/* False: there is no repository, or none that can be found, which is a result then. */
bool sf_health_git_begin(struct sf_health *health, struct sf_health_git *git);
void sf_health_git_release(struct sf_health_git *git);

/* What a reference, or "HEAD", leads to: 40 or 64 digits, or "" where it leads to nothing yet.
 * NULL: it cannot be read. `*name` gets the last reference on the way; both owned. */
char *sf_health_git_resolve(const struct sf_health_git *git, const char *ref, char **name);
bool sf_health_git_has(const struct sf_health_git *git, const char *id); /* the object */

/* ---- the checks ---- */

/* machine.c, installation.c */
sf_health_fn sf_health_look_version, sf_health_look_locale, sf_health_look_terminal,
    sf_health_look_space, sf_health_look_inodes, sf_health_look_clock;
sf_health_fn sf_health_look_modules, sf_health_look_manual, sf_health_look_terminfo,
    sf_health_look_shadow;
/* git.c, git_refs.c */
sf_health_fn sf_health_look_git, sf_health_look_unmerged, sf_health_look_operation,
    sf_health_look_git_locks, sf_health_look_untracked, sf_health_look_owner;
sf_health_fn sf_health_look_head, sf_health_look_branch, sf_health_look_refs,
    sf_health_look_worktrees;
/* workspace.c */
sf_health_fn sf_health_look_writable, sf_health_look_definitions, sf_health_look_instructions,
    sf_health_look_names;
/* settings.c */
sf_health_fn sf_health_look_settings, sf_health_look_unknown, sf_health_look_trust,
    sf_health_look_key_files, sf_health_look_key_text;
/* provider.c, service.c */
sf_health_fn sf_health_look_model, sf_health_look_key, sf_health_look_service;
/* store.c */
sf_health_fn sf_health_look_state, sf_health_look_opens, sf_health_look_store, sf_health_look_log,
    sf_health_look_private, sf_health_look_shared, sf_health_look_session_locks;
/* rows.c, plans.c */
sf_health_fn sf_health_look_orphans, sf_health_look_leases, sf_health_look_workers,
    sf_health_look_tasks;
sf_health_fn sf_health_look_plan_files, sf_health_look_plan_rows;
/* snapshots.c */
sf_health_fn sf_health_look_snapshots, sf_health_look_side, sf_health_look_budget,
    sf_health_look_unreachable, sf_health_look_restore;
/* cage.c */
sf_health_fn sf_health_look_cage, sf_health_look_gaps;
/* leftovers.c */
sf_health_fn sf_health_look_halves, sf_health_look_tempdirs;

#endif
