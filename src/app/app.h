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

struct sf_app; /* fields live in app.c */

struct sf_app *sf_app_new(const struct sf_invocation *inv);
void sf_app_free(struct sf_app *app);

/* Each is made once, kept by the app, and NULL with `err` filled when it cannot be had. */
const struct sf_workspace *sf_app_workspace(struct sf_app *app, struct sf_error *err);
struct sf_config *sf_app_config(struct sf_app *app, struct sf_error *err);
const char *sf_app_state_dir(struct sf_app *app, struct sf_error *err);
struct sf_store *sf_app_store(struct sf_app *app, struct sf_error *err); /* for writing */

/* The settings as they are now, read again; the caller's. */
struct sf_config *sf_app_read_config(struct sf_app *app, struct sf_error *err);

/* What verdicts rest on; what is wrong with the settings behind it is said on stderr. */
struct sf_policy_context;
bool sf_app_ground(struct sf_app *app, struct sf_policy_context *policy, struct sf_error *err);

/* The text of a setting, or NULL; `config` is a struct sf_config, as providers ask for it. */
const char *sf_app_setting(void *config, const char *key);

/* The built-in models and those of models.toml beside the user's settings; the caller's. */
struct sf_catalog;
struct sf_catalog *sf_app_catalog(struct sf_error *err);

/*
 * The conversation used last, no sub-agent's, and none in which nothing was said as long as there is
 * another; "" in `id` when there is none.
 */
bool sf_app_last_session(struct sf_store *store, char id[SF_ID_LEN + 1],
                         struct sf_error *err) SF_MUST_CHECK;

/* The same, for what one does to the session that is open: nothing need be said in it yet. */
bool sf_app_open_session(struct sf_store *store, char id[SF_ID_LEN + 1],
                         struct sf_error *err) SF_MUST_CHECK;

/* The one that an id, its unique beginning or "latest" stands for. */
bool sf_app_find_session(struct sf_store *store, const char *name, char id[SF_ID_LEN + 1],
                         struct sf_error *err) SF_MUST_CHECK;

/* Appends an event about the project itself; `json` is an object. */
bool sf_app_record(struct sf_app *app, const char *kind, const struct sf_strbuf *json,
                   struct sf_error *err) SF_MUST_CHECK;

/* ---- printing: whatever the text holds, the terminal is safe ---- */

void sf_print(const struct sf_strbuf *text); /* stdout */
void sf_flush(void);                         /* what was printed is to be seen now */
bool sf_printed(struct sf_error *err);       /* false: something of it was lost */
void sf_print_warning(const char *text, const char *hint);
int sf_print_error(const struct sf_error *err, enum sf_exit code); /* returns the code */

/* The notes of the settings on stderr; true when one of them is an error. */
bool sf_print_notes(const struct sf_config *config);

/* ---- commands, each in a file of its own ---- */

sf_command_fn sf_cmd_root, sf_cmd_completion, sf_cmd_help;
sf_command_fn sf_cmd_exec, sf_cmd_desk, sf_cmd_tour;

/* The terminal surface until the user quits, as sf_tui_run; `tour` as its setup has it. */
bool sf_tui_sit(struct sf_invocation *inv, size_t *tour, int *signo, char id[SF_ID_LEN + 1],
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
sf_command_fn sf_cmd_doctor, sf_cmd_init;
sf_command_fn sf_cmd_mode;
sf_command_fn sf_cmd_goal_get, sf_cmd_goal_set, sf_cmd_goal_clear, sf_cmd_goal_pause,
    sf_cmd_goal_resume, sf_cmd_goal_complete, sf_cmd_goal_blocked;
sf_command_fn sf_cmd_store_path, sf_cmd_store_check, sf_cmd_store_recover;
sf_command_fn sf_cmd_restore, sf_cmd_restore_take, sf_cmd_restore_list, sf_cmd_restore_show,
    sf_cmd_restore_undo, sf_cmd_restore_resume, sf_cmd_diff;

/* sf --version; with `loaded` the modules are loaded and asked for theirs. */
int sf_print_version(bool loaded);

#endif
