/*
 * report: a session in numbers: its duration, turns, tools, verdicts, costs and changed files.
 * Everything is counted from the store and includes sub-agents. Events shared with the session that
 * this one was forked from count there, not here.
 *
 * Life: sf_report_read, the texts, sf_report_release.
 */
#ifndef SF_JOURNAL_REPORT_H
#define SF_JOURNAL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "store/store.h"

enum { SF_REPORT_FILES = 500 }; /* at most this many names are listed */

struct sf_report_model {
    char *provider, *model;
    struct sf_usage_totals spent;
};

struct sf_report_tool {
    char *name;
    int64_t calls, failed;
};

/* A verdict and its answer, which is "" if none was needed or given. */
struct sf_report_verdict {
    char *verdict, *answer;
    int64_t count;
};

/* How turns ended: done, cancelled, failed and so on. */
struct sf_report_end {
    char *status;
    int64_t count;
};

struct sf_session_report {
    char *id, *title, *parent;
    char began[SF_TIME_MAX], ended[SF_TIME_MAX]; /* first and last own event; "": none */
    int64_t span_ms, busy_ms;                    /* between these; of that, within turns */
    int64_t turns, units;                        /* begun; of those, done */
    int64_t agents, commands, summaries;         /* sub-agents; user's commands; compactions */
    struct sf_report_end *ends;
    size_t end_count, end_cap;
    struct sf_report_model *models;
    size_t model_count, model_cap;
    struct sf_usage_totals spent; /* the sum of the models */
    struct sf_report_tool *tools;
    size_t tool_count, tool_cap;
    struct sf_report_verdict *verdicts;
    size_t verdict_count, verdict_cap;
    struct sf_strlist files; /* files that tools changed */
    size_t more_files;       /* number of files that are not listed */
    int64_t plus, minus;     /* lines, from the snapshots around turns */
};

bool sf_report_read(struct sf_session_report *report, struct sf_store *store, const char *state_dir,
                    const char *session, struct sf_error *err) SF_MUST_CHECK;
void sf_report_release(struct sf_session_report *report);

void sf_report_json(const struct sf_session_report *report, struct sf_strbuf *out);
void sf_report_markdown(const struct sf_session_report *report, struct sf_strbuf *out);
/* Only the table of costs, as Markdown. */
void sf_report_costs(const struct sf_session_report *report, struct sf_strbuf *out);

#endif
