/*
 * path_rules: names that are protected or may hold secrets, wherever they lie. One table, read by
 * the classifier for the text of a command and by the path guard for paths that were resolved.
 *
 * Names are compared by component, never by prefix, and folded first: letters without case, and
 * what some file system would ignore is ignored (trailing dots and blanks, invisible characters,
 * stream suffixes, "\" as "/"). That protects names which are harmless here and .git elsewhere;
 * erring that way costs a question.
 */
#ifndef SF_SHELL_PATH_RULES_H
#define SF_SHELL_PATH_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum { SF_PATH_TEXT_MAX = 4095 }; /* bytes of a path; what is longer names nothing */

enum sf_path_kind {
    SF_KIND_GIT,        /* git's own data */
    SF_KIND_POLICY,     /* settings of sf and of other agents */
    SF_KIND_RUNS,       /* run by an editor, a shell or a hook later on */
    SF_KIND_STATE,      /* sf's own memory */
    SF_KIND_NAME,       /* a name that only a mistake makes */
    SF_KIND_CREDENTIAL, /* may hold secrets; only the programs that keep them write them */
    SF_KIND_SECRET,     /* may hold secrets, and programs of the project obey it */
    SF_KIND_KEY,        /* a private key: a build may make one, as nobody obeys a new one */
    SF_KIND_HINT,       /* sounds like secrets: protects nothing, but is not sent away unasked */
};

enum sf_path_where {
    SF_WHERE_ANY,    /* at any depth, inside and outside */
    SF_WHERE_ROOT,   /* directly in the workspace */
    SF_WHERE_HOME,   /* from the home directory */
    SF_WHERE_TOP,    /* from / */
    SF_WHERE_OWN,    /* one of sf's own directories; no pattern */
    SF_WHERE_SHAPE,  /* what resolving saw to be a git directory; no pattern */
    SF_WHERE_UNSEEN, /* in the workspace, by a name part of which does not show; no pattern */
};

/*
 * One fact. `patterns` is a list, separated by "|"; "*" stands for any run inside a component.
 * A pattern ending in "/" is that name with all beneath it, another one exactly that file.
 */
struct sf_path_rule {
    const char *name;
    enum sf_path_where where;
    enum sf_path_kind kind;
    const char *patterns;
    const char *unless; /* patterns again, or NULL: what these match is ordinary to this rule */
    const char *what;   /* "PATH is …" */
};

extern const struct sf_path_rule sf_path_rules[];
extern const size_t sf_path_rule_count;

/* Reading asks; the other kinds that protect only forbid writing. */
bool sf_path_rule_is_secret(const struct sf_path_rule *rule);

/* What somebody obeys, runs or believes later on: no child of a command changes it unasked. */
bool sf_path_rule_is_obeyed(const struct sf_path_rule *rule);

/* A variable by which the user moves something out of the home directory. */
struct sf_path_move {
    const char *variable;
    const char *home; /* what it would be below the home directory */
    bool list;        /* several, separated by ":" */
};

extern const struct sf_path_move sf_path_moves[];
extern const size_t sf_path_move_count;

/* What it says here: `at` is read as `home` of the home directory is. */
struct sf_path_moved {
    const char *at; /* real and absolute */
    const char *home;
};

/* Where things lie; real absolute paths. `home` may be NULL, `own` is a list of `own_count`. */
struct sf_path_places {
    const char *root;
    const char *home;
    const char *const *own; /* sf's state and settings, and the real place of the project's .sf */
    size_t own_count;
    const struct sf_path_moved *moved;
    size_t moved_count;
};

/*
 * The table of rules for the text of a command, where nothing was looked up. A relative path is read
 * as one below the workspace, "~/x" and "/home/u/x" as x of a home; of what climbs, the names.
 */
const struct sf_path_rule *sf_path_rule_for_text(const char *text);

/* Where the system keeps its programs and headers: what is there is no secret. */
bool sf_path_is_public(const char *real);

/* Whether a pattern of the shell, spelled with * alone, could name what is protected, or secret. */
bool sf_path_glob_may_name(const char *glob, bool secret);

/* The first rule that says the text names secrets, in whatever directory it is meant; or NULL. */
const struct sf_path_rule *sf_path_secret_in_text(const char *text);

/*
 * Whether a rule about secrets of projects and homes could cover a path whose last name this is,
 * unless it lies in a directory that one covers. Quick, for walks: most names are ruled out
 * without reading more.
 */
bool sf_path_name_may_be_secret(const char *name);
bool sf_path_name_may_be_obeyed(const char *name); /* the same for those rules */

/* The first rule that covers the path, or NULL. For sf_path_classify and for listings. */
const struct sf_path_rule *sf_path_rule_for(const char *real, bool inside,
                                            const struct sf_path_places *places);

#endif
