/*
 * classify: what a command text would do, as one of five classes, with the reason. The class of
 * the whole is the worst of its parts; text that cannot be read is destructive. Life:
 * sf_shell_classify fills the caller's report, sf_shell_report_release empties it.
 */
#ifndef SF_SHELL_CLASSIFY_H
#define SF_SHELL_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "shell/class.h"

/* The longest of the lists below and of their texts; `more` says when one was cut. */
enum { SF_REPORT_ITEMS = 64, SF_REPORT_BYTES = 16384 };

struct sf_report_path {
    char *text; /* what is known of it */
    bool known; /* all of it */
    bool writes;
    bool secret;   /* of one that is not known: it may well stand for a file with secrets */
    bool glob;     /* of one that is not known: for want of nothing but what a pattern stands for */
    bool anywhere; /* of one that is not known: it may lead out of the workspace */
    bool names;    /* no more than names and dates are shown of it */
    bool named;    /* to a build, which may write it: `make .envrc` */
    size_t at, len; /* where the text names it; a length of 0: nowhere */
};

struct sf_shell_report {
    enum sf_class class;
    const char *rule;   /* which fact decided: a stable name; "" for readonly */
    const char *reason; /* the same as a sentence; static text */
    size_t at, len;     /* the piece that decided, in the text */
    struct sf_strlist programs, hosts;
    struct sf_strlist families; /* `cargo build`, `npm ci`: what an approval may cover */
    struct sf_strlist options;  /* of all commands together */
    bool talks;                 /* some part is known to use the network */
    bool sends;                 /* of network: something goes out, or that is not known */
    struct sf_report_path paths[SF_REPORT_ITEMS];
    size_t npaths;
    bool more;
    bool redirects;                 /* output of some command goes into a file */
    struct sf_strlist writing;      /* options by which what only looks or fetches writes a file */
    bool steered;                   /* a variable is set that some program may obey */
    struct sf_strlist removes;      /* paths that a command of the text deletes */
    struct sf_strlist removes_like; /* patterns of paths that it deletes */
    bool removes_more;              /* and some the text does not tell */
    struct sf_strlist git_dirs;     /* where git runs, from where the text starts; "" is there */
    bool git_anywhere;              /* and where the text does not tell */
    size_t steps;                   /* work done, for tests of linear time */
};

void sf_shell_classify(const char *text, size_t len, struct sf_shell_report *out);
void sf_shell_report_release(struct sf_shell_report *report);

/* What is known from elsewhere: the class is at least this, by a rule of sf_rule_reason. */
void sf_shell_report_raise(struct sf_shell_report *report, enum sf_class class, const char *rule);

#endif
