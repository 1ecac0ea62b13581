/*
 * facts: what programs do, as data. Private to the room.
 *
 * The first row that fits a command gives its class; nothing later lowers it. `program` lists
 * names apart by |. `verb` lists sub-commands apart by |, each one or more operands; a part of
 * one may list alternatives apart by commas: "stash list,show|reflog". A * stands for any text.
 * The row with the verb "" holds the options a program takes in front of its verb and is the
 * answer when no other row fits.
 *
 * `when` names options of which at least one must be there; behind a = that one must be all
 * there is, and an option --no-… nobody lists may take it back. `options` lists every option the
 * row accepts; in rows up to local-edit an option that is not listed makes the command build-test.
 * NULL accepts any, and so does a list that begins with *, which names only those with an effect.
 * One option a word:
 *
 *   -abc        flags without a value        -o=  --out=   takes a value, attached or next word
 *   -0          digits, as in -20            --color?      takes a value only when attached
 *
 * and behind that what it means:
 *
 *   >  writes the file it names              !  runs what it names: asks in every profile
 *   <  reads the file it names               $  its value is shell text, and is read
 *   %  its value is a program in the       &  its value is a key of git's configuration
 *      interpreter's own language
 *   ~  edits   +  runs project code   @  network   #  destructive
 *   ^  works in the directory it names    :  follows links in what it reads
 *   ;  reads the files that are named in the one it names
 *   "  its value is expanded once more, as the shell does in double quotes
 *
 * A list that begins with / is for programs whose long options have one dash, one that begins
 * with a dot for those whose options end at the first operand.
 */
#ifndef SF_SHELL_FACTS_H
#define SF_SHELL_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/class.h"

struct sf_classifier;
struct sf_shell_call;

typedef void sf_classify_fn(struct sf_classifier *j, const struct sf_shell_call *call);

struct sf_fact {
    const char *program, *verb, *when;
    enum sf_class class;
    const char *rule;
    const char *options;
    sf_classify_fn *judge; /* looks at the operands; may only raise */
    int skip;              /* of wrappers: 1 + the operands in front of the command; else 0 */
};

struct sf_facts {
    const struct sf_fact *rows;
    size_t count;
};

/* Short names for the tables. */
#define RO  SF_CLASS_READONLY
#define ED  SF_CLASS_LOCAL_EDIT
#define BT  SF_CLASS_BUILD_TEST
#define NET SF_CLASS_NETWORK
#define DEL SF_CLASS_DESTRUCTIVE

extern const struct sf_facts sf_facts_text;
extern const struct sf_facts sf_facts_files;
extern const struct sf_facts sf_facts_system;
extern const struct sf_facts sf_facts_wrappers;
extern const struct sf_facts sf_facts_git;
extern const struct sf_facts sf_facts_packages;
extern const struct sf_facts sf_facts_build;
extern const struct sf_facts sf_facts_code;
extern const struct sf_facts sf_facts_network;
extern const struct sf_facts sf_facts_infra;

/* Every table, in the order they are asked. */
extern const struct sf_facts *const sf_facts_all[];
extern const size_t sf_facts_tables;

enum { SF_FACTS_OF_ONE = 128 }; /* more rows than any program has */

/* The rows that name the program, in the order of the tables; returns how many. */
size_t sf_facts_find(const char *name, const struct sf_fact *out[SF_FACTS_OF_ONE]);

/* Whether the program reads the project before it answers anything. */
bool sf_facts_reads_project(const char *program);

/* The sentence for a rule; NULL when it has none, which a test forbids. */
const char *sf_rule_reason(const char *rule);

/* `pattern` may hold alternatives apart by | and * for any text. */
bool sf_pattern_fits(const char *pattern, size_t len, const char *text);

#endif
