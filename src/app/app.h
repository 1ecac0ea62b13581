/*
 * app: joins the rooms. One struct sf_app lives as long as the process; its parts are made when
 * they are first asked for, so a command pays only for what it uses.
 *
 * Decisions, each with the tests that hold it:
 *
 * - /doctor is the program again.
 *   Problem: Its checks wait for networks and disks, which the loop of a surface must not do.
 *   Decision: A surface runs `sf doctor` as a child and shows what it says; only the terminal is
 *     described by the surface itself.
 *   Cost: The checks know nothing of the running session.
 *   Enforced by: app/doctor, tui/keys
 */
#ifndef SF_APP_APP_H
#define SF_APP_APP_H

#include "app/cli.h"
#include "config/config.h"
#include "store/store.h"

struct sf_app; /* The fields are in app.c. */

struct sf_app *sf_app_new(const struct sf_invocation *inv);
void sf_app_free(struct sf_app *app);

/* Whether nothing of this run is to stay: --ephemeral. */
bool sf_app_is_ephemeral(const struct sf_app *app);

/* These are made on first use and kept by the app; NULL with `err` filled on failure. */
const struct sf_workspace *sf_app_workspace(struct sf_app *app, struct sf_error *err);
struct sf_config *sf_app_config(struct sf_app *app, struct sf_error *err);
const char *sf_app_state_dir(struct sf_app *app, struct sf_error *err);
struct sf_store *sf_app_store(struct sf_app *app, struct sf_error *err); /* For writing. */

/* Reads the settings again. The caller owns the result. */
struct sf_config *sf_app_read_config(struct sf_app *app, struct sf_error *err);

/* Fills the policy context that verdicts rest on; errors in the settings are printed on stderr. */
struct sf_policy_context;
bool sf_app_policy(struct sf_app *app, struct sf_policy_context *policy, struct sf_error *err);

/* Returns the text of a setting, or NULL. `config` is a struct sf_config; providers call this. */
const char *sf_app_setting(void *config, const char *key);

/*
 * Reads the built-in models and those of models.toml beside the user's settings. The caller owns
 * the result.
 */
struct sf_catalog;
struct sf_catalog *sf_app_catalog(struct sf_error *err);

/*
 * Finds the conversation that was used last. Conversations of sub-agents do not count, and empty
 * ones only where there is no other; `id` is "" where there is none at all.
 */
bool sf_app_last_session(struct sf_store *store, char id[SF_ID_LEN + 1],
                         struct sf_error *err) SF_MUST_CHECK;

/*
 * Finds the conversation that a command from outside means: the newest that a process holds, empty
 * or not; where none is held, the one that --continue takes.
 */
bool sf_app_open_session(struct sf_app *app, char id[SF_ID_LEN + 1],
                         struct sf_error *err) SF_MUST_CHECK;

/* Finds the conversation that an id, its unique beginning or "latest" stands for. */
bool sf_app_find_session(struct sf_store *store, const char *name, char id[SF_ID_LEN + 1],
                         struct sf_error *err) SF_MUST_CHECK;

/* A member of an event; NULL as text leaves the member out. */
struct sf_record_text {
    const char *key, *text;
};

/* Appends an event about the project itself; a key of NULL ends `texts`. */
bool sf_app_record(struct sf_app *app, const char *kind, const struct sf_record_text *texts,
                   struct sf_error *err) SF_MUST_CHECK;

/* ---- printing: whatever the text holds, the terminal is safe ---- */

void sf_print(const struct sf_strbuf *text); /* Prints to standard output. */
void sf_flush(void);                         /* Makes all printed text visible now. */
bool sf_printed(struct sf_error *err);       /* False: some of the output was lost. */
void sf_print_warning(const char *text, const char *hint);
int sf_print_error(const struct sf_error *err, enum sf_exit code); /* Returns `code`. */
int sf_print_failure(const struct sf_error *err); /* Returns the exit code that fits the error. */

/* Prints the notes of the settings on stderr. True: one of them is an error. */
bool sf_print_notes(const struct sf_config *config);

/* ---- commands, each in a file of its own ---- */

sf_command_fn sf_cmd_root, sf_cmd_completion, sf_cmd_help;
sf_command_fn sf_cmd_exec, sf_cmd_tui, sf_cmd_tour, sf_cmd_tasks;

#define SF_RESUME_LIST "list" /* -r alone: the session is chosen on the screen. */

/* Runs the terminal surface until the user quits; see sf_tui_run() and its setup. */
bool sf_app_run_tui(struct sf_invocation *inv, size_t *tour, int *signo, char id[SF_ID_LEN + 1],
                    struct sf_error *err) SF_MUST_CHECK;
sf_command_fn sf_cmd_config, sf_cmd_config_get, sf_cmd_config_set, sf_cmd_config_unset,
    sf_cmd_config_path;
sf_command_fn sf_cmd_permissions_list, sf_cmd_permissions_revoke;
sf_command_fn sf_cmd_trust_status, sf_cmd_trust_add, sf_cmd_trust_remove, sf_cmd_trust_list;
sf_command_fn sf_cmd_connect;
sf_command_fn sf_cmd_log;
sf_command_fn sf_cmd_fork, sf_cmd_resume;
sf_command_fn sf_cmd_sessions_list, sf_cmd_sessions_show, sf_cmd_sessions_search,
    sf_cmd_sessions_rename, sf_cmd_sessions_archive, sf_cmd_sessions_delete, sf_cmd_sessions_export,
    sf_cmd_sessions_import, sf_cmd_sessions_report;
sf_command_fn sf_cmd_guard_explain, sf_cmd_guard_classify, sf_cmd_guard_matrix;
sf_command_fn sf_cmd_cage;
sf_command_fn sf_cmd_doctor, sf_cmd_doctor_fix, sf_cmd_doctor_undo, sf_cmd_init;
sf_command_fn sf_cmd_mode;
sf_command_fn sf_cmd_goal_get, sf_cmd_goal_set, sf_cmd_goal_clear, sf_cmd_goal_pause,
    sf_cmd_goal_resume, sf_cmd_goal_complete, sf_cmd_goal_blocked;
sf_command_fn sf_cmd_plan, sf_cmd_plan_show, sf_cmd_plan_check, sf_cmd_plan_import,
    sf_cmd_plan_drop;
sf_command_fn sf_cmd_store_path, sf_cmd_store_check, sf_cmd_store_recover;
sf_command_fn sf_cmd_restore, sf_cmd_restore_take, sf_cmd_restore_list, sf_cmd_restore_show,
    sf_cmd_restore_undo, sf_cmd_restore_resume, sf_cmd_diff;

/* Prints `sf --version`; with `loaded` the modules are loaded and asked for their versions. */
int sf_print_version(bool loaded);

#endif
