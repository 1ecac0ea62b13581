/*
 * cli: the command line as data. Commands and options are rows; parsing, --help, completion and
 * the manual page all read the rows, so text and behaviour cannot drift apart.
 */
#ifndef SF_APP_CLI_H
#define SF_APP_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* What a shell can offer as completions of an argument. */
enum sf_complete {
    SF_COMPLETE_NOTHING,
    SF_COMPLETE_FILE,
    SF_COMPLETE_DIRECTORY,
    SF_COMPLETE_SETTING, /* Keys of the schema of settings. */
    SF_COMPLETE_CHOICE,  /* The choices of the row. */
};

struct sf_option {
    char letter;                /* '\0': there is no short form. */
    const char *name;           /* Without the dashes. */
    const char *arg;            /* Name of the argument; NULL: the option takes none. */
    const char *lone;           /* The value where it is the last word; NULL: one must follow. */
    bool filled;                /* The empty text is no value of it. */
    const char *setting;        /* Key of the setting that the option sets; or NULL. */
    enum sf_complete complete;  /* Completions of the argument. */
    const char *const *choices; /* For SF_COMPLETE_CHOICE, NULL-terminated. */
    const char *help;           /* One line; NULL hides the option. */
};

struct sf_invocation;

/* Runs the command; returns an exit code of sf_exits. */
typedef int sf_command_fn(struct sf_invocation *inv);

struct sf_command {
    const char *name;
    const char *args;   /* As in the usage line; NULL: none. */
    const char *help;   /* One line. */
    const char *more;   /* A paragraph below the help; or NULL. */
    sf_command_fn *run; /* NULL: only the subcommands can be called. */
    size_t min_args, max_args;
    enum sf_complete complete; /* Completions of the arguments. */
    const char *const *choices;
    const struct sf_option *options;
    size_t option_count;
    const char *const *common; /* Common options that its help explains, too; or NULL. */
    const struct sf_command *subs;
    size_t sub_count;
};

/* The program itself; every command accepts its options. */
extern const struct sf_command sf_root_command;

/* ---- exit codes ---- */

enum sf_exit {
    SF_EXIT_DONE = 0,
    SF_EXIT_FAILED = 1,
    SF_EXIT_USAGE = 2,
    SF_EXIT_DENIED = 3,
    SF_EXIT_BLOCKED = 4,
    SF_EXIT_LIMIT = 5,
    SF_EXIT_NOT_VERIFIED = 6,
    SF_EXIT_TEMPORARY = 75,
    SF_EXIT_TIMEOUT = 124,
    SF_EXIT_HANGUP = 129,
    SF_EXIT_INTERRUPT = 130,
    SF_EXIT_TERMINATED = 143,
};

struct sf_exit_row {
    enum sf_exit code;
    const char *meaning;
};

extern const struct sf_exit_row sf_exits[];
extern const size_t sf_exit_count;

/* ---- parsing ---- */

struct sf_given {
    const struct sf_option *option;
    const char *value; /* NULL: the option takes none. */
};

struct sf_app;

struct sf_invocation {
    struct sf_app *app;
    const struct sf_command *chain[4]; /* The root, the command, its subcommand and so on. */
    size_t depth;
    struct sf_given *given;
    size_t given_count, given_cap;
    const char **args; /* NULL-terminated. */
    size_t arg_count, arg_cap;
};

/*
 * Parses argv, which must outlive the invocation. After a failure the invocation still holds what
 * was read before it.
 */
bool sf_cli_parse(struct sf_invocation *inv, int argc, char *const *argv, struct sf_error *err);
void sf_cli_release(struct sf_invocation *inv);

/* Fills `err`: the word is no command here; the hint names the nearest one. Returns false. */
bool sf_cli_unknown(const struct sf_invocation *inv, const char *word, struct sf_error *err);

const struct sf_command *sf_cli_command(const struct sf_invocation *inv);

/* Returns the last value of the option; "" if it takes none; NULL if it was not given. */
const char *sf_cli_get(const struct sf_invocation *inv, const char *name);

/*
 * Adds an option as if it had been given last. `name` is an option of sf itself; `value` is
 * borrowed.
 */
void sf_cli_give(struct sf_invocation *inv, const char *name, const char *value);

void sf_cli_drop(struct sf_invocation *inv, const char *name); /* As if it had not been given. */

/* Checks that the number of arguments fits the command. */
bool sf_cli_check_args(const struct sf_invocation *inv, struct sf_error *err);

/* Adds the words that lead to the command: "sf config get". */
void sf_cli_add_name(struct sf_strbuf *out, const struct sf_invocation *inv);

/* ---- texts made from the rows ---- */

void sf_help_add(struct sf_strbuf *out, const struct sf_invocation *inv);
void sf_help_options_add(struct sf_strbuf *out); /* The options that every command accepts. */
bool sf_completion_add(struct sf_strbuf *out, const char *shell); /* False: unknown shell. */
void sf_manual_add(struct sf_strbuf *out);                        /* sf.1 */
void sf_settings_doc_add(struct sf_strbuf *out);                  /* docs/CONFIG.md */
void sf_modes_doc_add(struct sf_strbuf *out);                     /* docs/MODES.md */

#endif
