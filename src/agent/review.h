/*
 * review: a review of changes, as data. What is to be reviewed, as the user said it; the report
 * with its findings, as the log has it and surfaces show it; and the words that ask a model for one.
 *
 * A report has one of four verdicts: findings, clean, reviewed in part, or not reviewed. Nobody has
 * looked at a change that is "not reviewed", nor at the files that a report lists as not seen, so
 * neither ever counts as clean.
 */
#ifndef SF_AGENT_REVIEW_H
#define SF_AGENT_REVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/review_diff.h"
#include "base/base.h"

#define SF_LOG_REVIEW "review" /* the kind of log events with a report */

/* ---- what is to be reviewed ---- */

enum sf_review_of {
    SF_REVIEW_OF_CHANGES, /* what is not committed, new files too */
    SF_REVIEW_OF_STAGED,
    SF_REVIEW_OF_NAME,  /* `from` is a branch, a commit, a path or the first word of the focus */
    SF_REVIEW_OF_RANGE, /* from..to */
    SF_REVIEW_OF_FORK,  /* from...to: since both went apart */
    SF_REVIEW_OF_PULL,  /* the pull request `number` */
};

enum sf_severity {
    SF_SEVERITY_CRITICAL,
    SF_SEVERITY_MAJOR,
    SF_SEVERITY_MINOR,
    SF_SEVERITY_NOTE,
    SF_SEVERITY_COUNT,
};

extern const char *const sf_severity_names[]; /* "critical" … NULL */
extern const char *const sf_severity_helps[]; /* what each is for, for models and documents */
bool sf_severity_parse(const char *name, enum sf_severity *out);

/* All texts are owned; NULL: none. */
struct sf_review_what {
    enum sf_review_of of;
    char *from, *to; /* names of revisions; "" in a range: HEAD */
    int64_t number;
    struct sf_strlist paths; /* only these */
    char *focus;             /* what matters most, in the user's words */
    enum sf_severity fail_on;
};

/*
 * Reads the words behind /review. A name that could be taken for an option, or that git would read
 * as something else than a revision, is an error.
 */
bool sf_review_what_parse(struct sf_review_what *what, const char *words,
                          struct sf_error *err) SF_MUST_CHECK;
void sf_review_what_release(struct sf_review_what *what);

/* Whether the text may be passed to git as the name of a revision. */
bool sf_review_is_revision(const char *text);

/* Whether a word that git does not know may begin the focus: it looks like no name of anything. */
bool sf_review_is_prose(const char *word);

/* ---- the report ---- */

enum sf_review_verdict {
    SF_REVIEW_RUNNING, /* a review began, and there is no report yet */
    SF_REVIEW_FINDINGS,
    SF_REVIEW_CLEAN,
    SF_REVIEW_PART,     /* no findings, but some files were not seen */
    SF_REVIEW_NOT_DONE, /* `reason` says why nobody has judged the change */
};
extern const char *const sf_review_verdict_names[]; /* "running" … NULL */

/* Where the place of a finding was looked for and found. */
enum sf_finding_spot {
    SF_SPOT_DIFF,      /* in the lines that were reviewed */
    SF_SPOT_FILE,      /* elsewhere in a file */
    SF_SPOT_NONE,      /* no such file or line: the model is wrong about the place */
    SF_SPOT_UNCHECKED, /* it was not looked up: too many files, a secret, another revision */
};
extern const char *const sf_finding_spot_names[]; /* "diff", "file", "not found" … NULL */

struct sf_finding {
    char *file;
    int64_t line, end_line; /* from 1; 0: the whole file; end_line is at least line */
    enum sf_severity severity;
    char *title, *explanation;
    char *suggestion; /* or NULL */
    char *context;    /* lines around the place, with their numbers; or NULL */
    enum sf_finding_spot spot;
};

enum {
    SF_FINDINGS_MAX = 200,
    SF_UNSEEN_NAMES = 100, /* names of files that were not seen */
};

struct sf_review_report {
    enum sf_review_verdict verdict;
    char *what;    /* what was reviewed: "main...HEAD: 3 files, +20 -4" */
    char *reason;  /* why there is no report; or NULL */
    char *summary; /* the reviewer's, or NULL */
    enum sf_severity fail_on;
    struct sf_finding *findings; /* by severity, then by place */
    size_t count, cap;
    struct sf_strlist
        unseen;          /* changed files that the reviewer saw no line of, or the first ones */
    size_t unseen_count; /* all of them */
};

void sf_review_report_release(struct sf_review_report *report);
void sf_review_report_sort(struct sf_review_report *report);

/*
 * Makes a report that follows an earlier one of the same review say at least as much: findings stay
 * unless they are there again, by title or place, and keep the worse severity. Empties `earlier` of
 * what it takes.
 */
void sf_review_report_join(struct sf_review_report *report, struct sf_review_report *earlier);

/* Notes which files of the change were neither shown nor read, and settles the verdict. */
void sf_review_report_cover(struct sf_review_report *report, const struct sf_review_diff *diff,
                            const struct sf_strlist *withheld);

/* Whether a command that went well prints lines of the file; a guess that rather says no. */
bool sf_review_command_shows(const char *command, const char *path);

/* The names of the files that were not seen, each between two texts. */
void sf_review_unseen_add(const struct sf_review_report *report, const char *before,
                          const char *behind, struct sf_strbuf *out);

/* Whether a finding is as severe as `fail_on`, so that a run without a screen fails. */
bool sf_review_report_fails(const struct sf_review_report *report);

/* The report as JSON, for the log and for events. Reading trusts nothing. */
void sf_review_report_json(const struct sf_review_report *report, struct sf_json_writer *w);
bool sf_review_report_read(struct sf_review_report *report, const struct sf_json *json,
                           struct sf_error *err) SF_MUST_CHECK;

/* Whether people are to be told that the place was not found, or not checked. */
bool sf_finding_is_doubtful(const struct sf_finding *finding);

/* "src/a.c:12", "src/a.c:12-14" or "src/a.c". */
void sf_finding_place_add(const struct sf_finding *finding, struct sf_strbuf *out);

/* "3 findings: 1 critical, 2 minor"; "no findings; not seen: 2 files"; "not reviewed: why". */
void sf_review_tally_add(const struct sf_review_report *report, struct sf_strbuf *out);

/* For a run without a screen: "src/a.c:12: major: title" and the explanation below it. */
void sf_review_text_add(const struct sf_review_report *report, struct sf_strbuf *out);

/* As Markdown: the whole report in a few lines, and one finding with everything about it. */
void sf_review_page_add(const struct sf_review_report *report, struct sf_strbuf *out);
void sf_finding_page_add(const struct sf_finding *finding, struct sf_strbuf *out);

/* Words to the model that ask for a fix of this one finding. */
void sf_finding_fix_add(const struct sf_finding *finding, struct sf_strbuf *out);

/* ---- asking for it ---- */

struct sf_review_asking {
    const char *title; /* what is reviewed */
    const char *focus; /* or NULL */
    const char *state; /* revision whose files are reviewed; NULL: the workspace's */
    const struct sf_review_diff *diff;
    const struct sf_strlist *withheld; /* changed files that are not shown: they may hold secrets */
};

/* The text that follows the user's words and has all that a model needs. */
void sf_review_prompt_add(const struct sf_review_asking *asking, struct sf_strbuf *out);

#endif
