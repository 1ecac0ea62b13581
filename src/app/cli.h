/*
 * cli: the command line as data. Commands and options are rows; parsing, --help, completion and
 * the manual page all read the rows, so text and behaviour cannot drift apart.
 */
#ifndef SF_APP_CLI_H
#define SF_APP_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* What a shell can offer for an argument. */
enum sf_complete {
    SF_COMPLETE_NOTHING,
    SF_COMPLETE_FILE,
    SF_COMPLETE_DIRECTORY,
    SF_COMPLETE_SETTING, /* keys of the schema */
    SF_COMPLETE_CHOICE,  /* the row's own list */
};

struct sf_option {
    char letter;                /* or '\0' */
    const char *name;           /* without the dashes */
    const char *arg;            /* name of its argument, NULL: it takes none */
    const char *lone;           /* its value where it is the last word; NULL: one must follow */
    const char *setting;        /* key of the setting it sets, or NULL */
    enum sf_complete complete;  /* of its argument */
    const char *const *choices; /* NULL-terminated, for SF_COMPLETE_CHOICE */
    const char *help;           /* one line; NULL hides the option */
};

struct sf_invocation;

/* Runs the command; returns an exit code of sf_exits. */
typedef int sf_command_fn(struct sf_invocation *inv);

struct sf_command {
    const char *name;
    const char *args;   /* as shown in the usage line; NULL: none */
    const char *help;   /* one line */
    const char *more;   /* a paragraph below it, or NULL */
    sf_command_fn *run; /* NULL: only its subcommands can be called */
    size_t min_args, max_args;
    enum sf_complete complete; /* of its arguments */
    const char *const *choices;
    const struct sf_option *options;
    size_t option_count;
    const struct sf_command *subs;
    size_t sub_count;
};

/* The program itself: its options are accepted by every command. */
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
    const char *value; /* NULL: it takes none */
};

struct sf_app;

struct sf_invocation {
    struct sf_app *app;
    const struct sf_command *chain[4]; /* the root, the command, its subcommand … */
    size_t depth;
    struct sf_given *given;
    size_t given_count, given_cap;
    const char **args; /* NULL-terminated */
    size_t arg_count, arg_cap;
};

/* Borrowed from argv. On failure the invocation still tells how far it came. */
bool sf_cli_parse(struct sf_invocation *inv, int argc, char *const *argv, struct sf_error *err);
void sf_cli_release(struct sf_invocation *inv);

/* Fills `err`: the word is no command here, with the nearest that is; returns false. */
bool sf_cli_unknown(const struct sf_invocation *inv, const char *word, struct sf_error *err);

const struct sf_command *sf_cli_command(const struct sf_invocation *inv);

/* The last value given for the option; "" for one that takes none; NULL: not given. */
const char *sf_cli_get(const struct sf_invocation *inv, const char *name);

/* As if it had been given last; `name` is an option of sf itself, `value` is borrowed. */
void sf_cli_give(struct sf_invocation *inv, const char *name, const char *value);

/* Whether the count of arguments fits the command. */
bool sf_cli_check_args(const struct sf_invocation *inv, struct sf_error *err);

/* "sf config get": the words that lead to the command. */
void sf_cli_add_name(struct sf_strbuf *out, const struct sf_invocation *inv);

/* ---- texts made from the rows ---- */

void sf_help_add(struct sf_strbuf *out, const struct sf_invocation *inv);
bool sf_completion_add(struct sf_strbuf *out, const char *shell); /* false: unknown shell */
void sf_manual_add(struct sf_strbuf *out);                        /* sf.1 */
void sf_settings_doc_add(struct sf_strbuf *out);                  /* docs/CONFIG.md */
void sf_modes_doc_add(struct sf_strbuf *out);                     /* docs/MODES.md */

#endif
