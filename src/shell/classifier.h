/*
 * classifier: the working state of one classification and the calls its parts share. Private to
 * the room. Everything here can only raise the class.
 *
 * classify.c    the whole text: redirections, assignments, pipes, what leaves the machine
 * variables.c   what it means to set one, or to take it away
 * survey.c      functions and variables of a text, before any of it is judged
 * classifier.c  one command: finds its fact, follows wrappers
 * substitute.c  its words with what is known put in
 * options.c     reads options by the list of a fact
 * effects.c     what they mean
 * arith.c       expressions that bash evaluates
 * cwd.c         in which directories a command may run, and which variables surely have a value
 * values.c      which paths a word may stand for
 * outputs.c     which names a command prints
 * reach.c       where a path leads
 * classify_*.c  operands that need more than a table
 * code_*.c      little readers for sed, awk, SQL and inline programs
 */
#ifndef SF_SHELL_CLASSIFIER_H
#define SF_SHELL_CLASSIFIER_H

#include "shell/classify.h"
#include "shell/facts.h"
#include "shell/syntax.h"

enum {
    SF_CLASSIFY_DEPTH = 8,    /* shell texts inside shell texts */
    SF_CLASSIFY_WRAPPERS = 8, /* wrappers in front of one command */
    SF_CLASSIFY_CALLS =
        20000, /* commands judged in one text, readings of the same words included */
    SF_MADE_MAX = 32,
    SF_NAMES_MAX = 256,  /* variables and functions that are followed */
    SF_OPTIONS_MAX = 64, /* options of one command; more are not looked at and count as unknown */
    SF_DIRS_MAX = 6,     /* directories a command may stand in; more are unknown */
    SF_WORD_VALUES_MAX = 64, /* paths one word may stand for; more are unknown */
    SF_SET_MAX = 64,         /* variables that surely have a value */
};

/* Directories, relative to where the text begins, absolute, or from ~. */
struct sf_dirs {
    const char *at[SF_DIRS_MAX];
    unsigned count;
    bool unknown; /* or any other */
};

/* Where a shell may stand, and where `cd -` would take it. */
struct sf_stand {
    struct sf_dirs here, back;
};

struct sf_set_name {
    const char *name;
    unsigned depth;
    bool conditional; /* behind && or ||: forgotten with the list */
    uint32_t from;    /* where in the text it begins to hold */
};

struct sf_cwd {
    struct sf_stand now;                /* of the command that is judged */
    struct sf_stand done, failed;       /* of the shell behind it */
    struct sf_stand or_done, or_failed; /* the same, had it not been reached */
    struct sf_stand pipe;               /* where its pipeline began */
    struct sf_stand outside;            /* where the compound command that ended last began */
    struct sf_dirs pushed;              /* what popd may take it to, besides where it is */
    struct sf_cwd_open *open;
    unsigned depth;
    bool conditional;
    uint32_t at;           /* of the command that is judged */
    const char *loop_name; /* of a for whose body comes next */
    struct sf_set_name set[SF_SET_MAX];
    size_t nset;
};

/* What a variable may hold, by one assignment; with neither word nor listing it is unknown. */
struct sf_value {
    const char *name;
    const struct sf_word *word;
    const char *text;                      /* of the word, or the end of it */
    const struct sf_shell *shell;          /* the text the word stands in */
    const struct sf_shell_command *listed; /* a name that this command prints */
    bool below;                            /* not what the word names, but something in there */
    bool each;                             /* one word at a time, so it is never empty */
    bool number;                           /* what arithmetic made */
    bool array;                            /* stands for the elements, which are noted as well */
    bool element;                          /* one of those */
    bool joins;                            /* it is put behind another value */
    bool appended;                         /* of one without a word: something of that kind */
};

/* The name of the variable that stands for what find and xargs put in. */
#define SF_FOUND "{}"

/*
 * In a path that a word may stand for: an unknown name, or several with slashes between, or
 * none. It does not begin with a slash and does not climb.
 */
#define SF_ANY_NAME "\001"

/* In front of the name of an associative array, among the variables that surely have a value. */
#define SF_MAP "[]"

/* How a path in the directory sf gives its commands for temporary files begins. */
#define SF_OWN_TEMP "$TMPDIR"

/* The paths a word may stand for. */
struct sf_word_values {
    size_t count;
    bool anywhere; /* or any other */
    bool glob;     /* some of them are patterns */
    bool stands;   /* some of them stand for names, or for a directory only the run knows */
    bool digits;   /* digits in some of them stand for others */
    bool listing;  /* some stand for names with anything in them, blanks too */
    bool names;    /* some stand for names of files, which may begin with a dash */
    const char *texts[SF_WORD_VALUES_MAX]; /* `count` of them */
};

struct sf_word_option {
    const char *name; /* as listed, without dashes; borrowed from the list */
    size_t name_len;
    bool dashes; /* written with two */
    char effect; /* 0 or one of the signs of facts.h */
    const struct sf_word *word;
    const char *value;              /* NULL: none */
    const struct sf_word *value_in; /* the word that holds it */
};

struct sf_options {
    struct sf_word_option items[SF_OPTIONS_MAX];
    size_t count;
    const struct sf_word **operands;
    size_t noperands;
    const struct sf_word *unknown; /* the first one that is not listed */
    const struct sf_word *any;     /* one that may be any option of the list */
    bool fuzzy;                    /* an operand could turn into options */
    bool harmful;                  /* the list has an option with an effect */
    bool cut;                      /* there were more options than are looked at */
    size_t end;                    /* index of the first operand, when reading stops there */
};

struct sf_shell_call {
    const struct sf_shell_command *cmd; /* for redirections and what feeds it */
    const struct sf_word *words;        /* all of them; of wrappers those behind the options */
    size_t count;
    const struct sf_word *argv; /* all of them, in any case */
    size_t argc;
    const struct sf_fact *fact;
    const struct sf_options *options;
    const struct sf_word *const *operands; /* behind the verb */
    size_t noperands;
    unsigned wrapped; /* wrappers in front of it */
};

/* A file the text itself wrote; running it is running that. */
struct sf_made {
    const char *name;
    const char *text; /* NULL: its content is not known */
    size_t len;
    bool fetched;
};

/* The text that is read now, which may stand inside another one, and the command in it. */
struct sf_text_place {
    const char *text;
    size_t text_len;
    size_t origin; /* where it stands in the whole, if that is known */
    bool known;
    size_t at, len;             /* else the word that holds it, in the whole */
    const struct sf_word *argv; /* of the command that is judged; or NULL */
    size_t argc;
};

struct sf_classifier {
    struct sf_shell_report *report;
    struct sf_arena *arena;
    struct sf_map rows;           /* the facts of each program seen, found once */
    const struct sf_shell *shell; /* the text this call comes from */
    unsigned depth;
    size_t calls;        /* commands judged so far */
    enum sf_class worst; /* of the command that is judged */
    bool searching;      /* inside a search for programs among words, which is not repeated */
    struct sf_text_place place;
    const struct sf_word *named; /* the word whose paths are noted now; or NULL */
    bool armed;                  /* some text holds what arithmetic would run */
    bool bare;                   /* some command starts without the variables that sf sets */
    bool away;   /* the text changes to a directory that is surely not the workspace */
    bool passes; /* programs get to see a variable nobody knows, set at: */
    size_t passed_at, passed_len; /* a place in the whole text */
    bool starts;                  /* some command is no builtin that only prints or sets */
    bool talks;                   /* a network command was seen */
    bool reads_secret;            /* something reads a secret, at: */
    size_t secret_at, secret_len; /* a place in the whole text */
    bool group_input;             /* a compound command has its input redirected */
    struct sf_made made[SF_MADE_MAX];
    size_t nmade;
    struct sf_strlist talkers;    /* families that use the network */
    struct sf_strlist functions;  /* defined somewhere in the text */
    struct sf_strlist defined;    /* those of them that have been passed */
    uint32_t body_end;            /* of the last function passed */
    struct sf_strlist safe_names; /* variables that only ever hold names inside the workspace */
    struct sf_strlist open_names; /* variables that hold anything else */
    struct sf_strlist integers;   /* variables that evaluate what they are given */
    struct sf_strlist maps;       /* associative arrays */
    struct sf_strlist arrays;     /* those and the others */
    struct sf_strlist dropped;    /* variables that are unset somewhere */
    size_t nvalues;
    bool moves;      /* some command of the text changes the directory */
    bool late;       /* a text inside another one set variables */
    bool odd_splits; /* unquoted values may fall apart elsewhere than at blanks */
    struct sf_cwd where;
    struct sf_value values[SF_NAMES_MAX]; /* `nvalues` of them; the rest is not even empty */
};

/* classifier.c */
void sf_classify_raise(struct sf_classifier *j, enum sf_class class, const char *rule,
                       const struct sf_word *at);
/* Where in the whole text it stands; the name of a program stands for its whole command. */
void sf_classify_place(const struct sf_classifier *j, const struct sf_word *word, size_t *at,
                       size_t *len);
void sf_classify_secret(struct sf_classifier *j, const struct sf_word *at); /* a secret is read */
/* What comes out of a pipe is run; `at` is named where the pipe's own place is not known. */
void sf_classify_raise_piped(struct sf_classifier *j, const struct sf_shell_command *cmd,
                             const struct sf_word *at);
/* As raise, but a rule that says more takes the place of one of the same class. */
void sf_classify_rename(struct sf_classifier *j, enum sf_class class, const char *rule,
                        const struct sf_word *at);
void sf_classify_words(struct sf_classifier *j, const struct sf_shell_command *cmd,
                       const struct sf_word *words, size_t count, unsigned wrapped);
void sf_classify_text(struct sf_classifier *j, const char *text, size_t len,
                      const struct sf_word *at);
void sf_classify_word_text(struct sf_classifier *j, const struct sf_word *w, const char *text);
bool sf_classify_knows(struct sf_classifier *j, const char *program);
const char *sf_program_name(const struct sf_word *w, bool *foreign);

/* effects.c */
void sf_effects_apply(struct sf_classifier *j, const struct sf_fact *fact,
                      const struct sf_options *o);

/* substitute.c: what is known put in; at least one choice, which may be the words themselves. */
struct sf_word_choice {
    const struct sf_word *words;
    size_t count;
};
size_t sf_substitute(struct sf_classifier *j, const struct sf_word *words, size_t count,
                     struct sf_word_choice out[SF_WORD_VALUES_MAX]);

/* options.c; the second list is asked for what the first does not hold, either may be NULL */
void sf_options_read(struct sf_options *out, const char *const lists[2],
                     const struct sf_word *words, size_t count, bool stop, struct sf_arena *arena);
/* Whether an option of the list has one of the effects. */
bool sf_options_list_has(const char *list, const char *effects);
bool sf_options_has(const struct sf_options *o, const char *names);   /* "-n --dry-run" */
bool sf_option_is(const struct sf_word_option *o, const char *names); /* one of them */
const struct sf_word_option *sf_options_find(const struct sf_options *o, const char *names);

/* cwd.c: sf_cwd_step before each command; `done` is where a command that moves leads. */
void sf_cwd_begin(struct sf_classifier *j, struct sf_cwd *outer);
void sf_cwd_step(struct sf_classifier *j, const struct sf_shell_command *cmd);
void sf_cwd_end(struct sf_classifier *j, const struct sf_cwd *outer, bool moved);
void sf_cwd_go(struct sf_classifier *j, const struct sf_word_values *to, bool surely, bool pushes);
/* The words can come out in another way, which leads there. */
void sf_cwd_also(struct sf_cwd *where, const struct sf_stand *done, const struct sf_stand *failed);
bool sf_cwd_return(struct sf_classifier *j,
                   bool surely);          /* cd -; false: where it leads is unknown */
void sf_cwd_pop(struct sf_classifier *j); /* popd, and pushd without a name */
void sf_cwd_set(struct sf_classifier *j, const char *name); /* it has a value from here on */
/* The same from the end of the command on. */
void sf_cwd_set_behind(struct sf_classifier *j, const char *name,
                       const struct sf_shell_command *cmd);
bool sf_cwd_is_set(const struct sf_classifier *j, const char *name);
void sf_dirs_add(struct sf_dirs *dirs, const char *dir);
const char *sf_dir_join(struct sf_classifier *j, const char *dir, const char *path);
bool sf_moves(const struct sf_shell_command *cmd); /* it may change the directory */

/* values.c; `text` is that of the word, or the end of it an option names */
void sf_word_values_of(struct sf_classifier *j, const struct sf_word *w, const char *text,
                       struct sf_word_values *out);
/* What it may say, before it falls apart at its blanks. */
void sf_word_texts_of(struct sf_classifier *j, const struct sf_word *w, struct sf_word_values *out);
void sf_value_note(struct sf_classifier *j, const struct sf_value *value);
/* Whether it names nothing but what is below where the command stands. */
bool sf_word_stays(struct sf_classifier *j, const struct sf_word *w);
/* Whether a path ever stands above its start, or is none that begins there. */
bool sf_text_leaves(const char *text);
/* Whether it may, by what SF_ANY_NAME stands for in it. */
bool sf_name_climbs(const char *text);

/* arith.c: an expression, `len` bytes of the word's text from `text` on */
typedef void sf_arith_name_fn(struct sf_classifier *j, const char *name);
void sf_arith_judge(struct sf_classifier *j, const struct sf_word *w, const char *text, size_t len);
/* The name of a variable, or of an element, for a builtin that evaluates subscripts. */
void sf_arith_name(struct sf_classifier *j, const struct sf_word *w, const char *name);
/* A value that the text does not tell gets evaluated. */
void sf_arith_unknown(struct sf_classifier *j, const struct sf_word *at);
/* Each variable the expression sets. */
void sf_arith_assigns(struct sf_classifier *j, const struct sf_word *w, const char *text,
                      size_t len, sf_arith_name_fn *fn);
/* Whether what is assigned to it is evaluated. */
bool sf_arith_evaluates(const struct sf_classifier *j, const char *name);
/* Text that the shell expands once more, as if in double quotes. */
void sf_classify_expanded(struct sf_classifier *j, const struct sf_word *w, const char *text);

/* survey.c: functions, variables and hidden values of a text, before any of it is judged */
void sf_survey(struct sf_classifier *j, const struct sf_shell *shell);
void sf_survey_add(struct sf_strlist *list, const char *name);

/* outputs.c: whether what the command prints can only be names below where it stands. */
bool sf_outputs_inside(struct sf_classifier *j, const struct sf_shell_command *cmd);
/* Adds them to the texts; anywhere, when it may print something else. */
void sf_outputs_add(struct sf_classifier *j, const struct sf_shell_command *cmd,
                    struct sf_word_values *out);

/* reach.c */
enum sf_reach {
    SF_REACH_SINK,      /* /dev/null and the terminal */
    SF_REACH_INSIDE,    /* relative and not climbing */
    SF_REACH_PROTECTED, /* a name that starts programs or steers tools */
    SF_REACH_OUTSIDE,
    SF_REACH_DEVICE,
    SF_REACH_SOCKET, /* bash's /dev/tcp */
    SF_REACH_UNKNOWN,
};
enum sf_reach sf_reach_of(struct sf_classifier *j, const struct sf_word *w, const char *text);
bool sf_is_secret(const char *text);
/* The same of a pattern. */
bool sf_may_name_secret(const char *pattern);
/* A directory that is surely not the workspace. */
bool sf_leads_away(const struct sf_word *w, const char *text);
/* Plain, relative, and in no directory the command may stand in does it lead out. */
bool sf_stays_inside(struct sf_classifier *j, const struct sf_word *w, const char *text);
void sf_note_path(struct sf_classifier *j, const struct sf_word *w, const char *text, bool writes);
void sf_classify_write(struct sf_classifier *j, const struct sf_word *w, const char *text);
void sf_classify_reads(struct sf_classifier *j, const struct sf_word *w, const char *text);
/* The same, when no more than names and dates are shown. */
void sf_classify_lists(struct sf_classifier *j, const struct sf_word *w, const char *text);
/* Everything below it is read, links in there followed; NULL: below where the command stands. */
void sf_classify_follows(struct sf_classifier *j, const struct sf_word *w, bool names);
/* It reads files that are named in another one. */
void sf_classify_reads_list(struct sf_classifier *j, const char *shown);
/* Words of a build that name what it must not write unasked. */
void sf_classify_named(struct sf_classifier *j, const struct sf_word *words, size_t count);
/* A file or directory that goes: for whoever is asked, the verdict does not rest on it. */
void sf_note_removed(struct sf_classifier *j, const struct sf_word *w);
/* A file or directory that is copied under its own name. */
void sf_classify_lands(struct sf_classifier *j, const struct sf_word *source);

bool sf_is_word_byte(char c);

/* code_*.c: class of a little program; `rule` is set when it is above build-test */
enum sf_class sf_code_inline(const char *code, const char **rule);
enum sf_class sf_code_sql(const char *code, const char **rule);
void sf_classify_sed_script(struct sf_classifier *j, const struct sf_word *w, const char *script);
void sf_classify_awk_script(struct sf_classifier *j, const struct sf_word *w, const char *script);

/* variables.c: who gets to see a value */
enum sf_assign_for {
    SF_ASSIGN_SHELL,   /* the shell, and programs only if they saw the variable before */
    SF_ASSIGN_COMMAND, /* one command */
    SF_ASSIGN_PASSED,  /* the shell and all that it starts */
};
/* `name` may be that of an element. */
void sf_classify_assign(struct sf_classifier *j, const char *name, const struct sf_word *value,
                        enum sf_assign_for who);
/* It gets passed on to programs, whatever it holds. */
void sf_classify_pass(struct sf_classifier *j, const char *name, const struct sf_word *at);
/* False: it only prints or sets something, or what it starts is judged by itself. */
bool sf_heeds_variables(const char *program);
/* It is unset, or no longer passed on to programs. */
void sf_classify_unassign(struct sf_classifier *j, const char *name, const struct sf_word *at);

/* classify.c */
/* Its input holds nothing. */
bool sf_starves(const struct sf_shell_command *cmd);
void sf_report_host(struct sf_classifier *j, const char *text);
void sf_classify_made(struct sf_classifier *j, const char *name, const char *text, size_t len,
                      bool fetched);

/*
 * What a command reads as its input, as far as the text tells. True: all of it is known.
 * Otherwise *some says whether there is any.
 */
bool sf_classify_input(struct sf_classifier *j, const struct sf_shell_command *cmd,
                       const char **text, size_t *len, bool *some);

/* network.c: whether all that talk are known to bring something here and send nothing. */
bool sf_network_only_fetches(const struct sf_shell_report *report,
                             const struct sf_strlist *talkers);
/* Whether a rule of a worse class is about the network all the same. */
bool sf_network_is_meant(const char *rule);

/* A file is run as a script; `shell` says by which kind of interpreter. */
void sf_classify_run_file(struct sf_classifier *j, const struct sf_word *w, const char *name,
                          bool shell);
void sf_classify_run_code(struct sf_classifier *j, const struct sf_fact *fact,
                          const struct sf_word *w, const char *code);
void sf_classify_git_key(struct sf_classifier *j, const struct sf_word_option *o);
/* Git runs, where the command stands; `asks`: it only shows a page of its manual. */
void sf_classify_git_place(struct sf_classifier *j, const struct sf_word *words, size_t count,
                           bool asks);

/* Judges of operands, for the tables. classify_wrap.c */
sf_classify_fn sf_classify_wrapped, sf_classify_env, sf_classify_shell, sf_classify_eval,
    sf_classify_trap, sf_classify_alias, sf_classify_joined, sf_classify_each, sf_classify_run,
    sf_classify_anywhere, sf_classify_env_manager, sf_classify_script, sf_classify_terminal,
    sf_classify_debugger, sf_classify_other_shell, sf_classify_run_or_shell, sf_classify_flock,
    sf_classify_applet, sf_classify_command, sf_classify_exec, sf_classify_tail,
    sf_classify_behind_dashes;
/* classify_found.c */
sf_classify_fn sf_classify_xargs, sf_classify_parallel, sf_classify_find, sf_classify_fd;
/* classify_files.c */
sf_classify_fn sf_classify_delete, sf_classify_operands_read, sf_classify_operands_listed,
    sf_classify_search, sf_classify_operands_written, sf_classify_copy, sf_classify_move,
    sf_classify_link, sf_classify_chmod, sf_classify_cpio, sf_classify_dd, sf_classify_sed,
    sf_classify_awk, sf_classify_tar, sf_classify_second_written, sf_classify_truncate,
    sf_classify_archive, sf_classify_unzip, sf_classify_unrar, sf_classify_filter,
    sf_classify_rename_files, sf_classify_tee, sf_classify_install, sf_classify_last_outside,
    sf_classify_objects, sf_classify_callouts, sf_classify_merge, sf_classify_formatter,
    sf_classify_pages;
/* classify_system.c */
sf_classify_fn sf_classify_declare, sf_classify_subscripts, sf_classify_date, sf_classify_kill,
    sf_classify_set, sf_classify_sysctl, sf_classify_ip, sf_classify_cd, sf_classify_hostname,
    sf_classify_ifconfig, sf_classify_mount, sf_classify_looks_only, sf_classify_service;
/* classify_git.c */
sf_classify_fn sf_classify_git_checkout, sf_classify_git_push, sf_classify_git_config,
    sf_classify_git_branch, sf_classify_git_text, sf_classify_git_dashed, sf_classify_git_clone,
    sf_classify_git_worktree, sf_classify_git_symref, sf_classify_git_odd, sf_classify_git_reflog,
    sf_classify_git_remote, sf_classify_git_clone_plain, sf_classify_git_pull, sf_classify_git_edit,
    sf_classify_git_show, sf_classify_git_history, sf_classify_git_format,
    sf_classify_git_update_ref, sf_classify_gh;
/* classify_code.c */
sf_classify_fn sf_classify_code, sf_classify_sql, sf_classify_script_name, sf_classify_source,
    sf_classify_editor, sf_classify_make, sf_classify_redis;
/* classify_tools.c */
sf_classify_fn sf_classify_fetched_tool, sf_classify_fetched_tool2, sf_classify_runner,
    sf_classify_npm_bare, sf_classify_npm_edit, sf_classify_go_run, sf_classify_dotnet,
    sf_classify_pkg_list, sf_classify_build_verbs, sf_classify_cmake_tool, sf_classify_deno,
    sf_classify_redis_like, sf_classify_migration, sf_classify_transfer, sf_classify_dry_run,
    sf_classify_kubectl_exec, sf_classify_hooks, sf_classify_may_fetch, sf_classify_container_files,
    sf_classify_cloud;
/* classify_net.c */
sf_classify_fn sf_classify_curl, sf_classify_wget, sf_classify_ssh, sf_classify_copy_hosts,
    sf_classify_resolve, sf_classify_container, sf_classify_verbs, sf_classify_socket;

#endif
