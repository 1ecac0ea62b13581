/*
 * report: what came of a session, in numbers: how long, how many turns, which tools, what the guard
 * decided, what it cost, which files it changed. Everything is counted from the store, with the
 * session's sub-agents; what it shares with the session it was forked from is counted there.
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

enum { SF_REPORT_FILES = 500 }; /* names that are listed at most */

struct sf_report_model {
    char *provider, *model;
    struct sf_usage_totals spent;
};

struct sf_report_tool {
    char *name;
    int64_t calls, failed;
};

/* A verdict and what became of it: "" for what needed no answer, or got none. */
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
    char began[SF_TIME_MAX], ended[SF_TIME_MAX]; /* of its own events; "": there are none */
    int64_t span_ms, busy_ms;                    /* between these; of that, in turns */
    int64_t turns, units;                        /* begun; of those, done */
    int64_t agents, commands, summaries;         /* sub-agents; typed by the user; of the history */
    struct sf_report_end *ends;
    size_t end_count, end_cap;
    struct sf_report_model *models;
    size_t model_count, model_cap;
    struct sf_usage_totals spent; /* the sum of the models */
    struct sf_report_tool *tools;
    size_t tool_count, tool_cap;
    struct sf_report_verdict *verdicts;
    size_t verdict_count, verdict_cap;
    struct sf_strlist files; /* that its tools changed */
    size_t more_files;       /* that are not listed */
    int64_t plus, minus;     /* lines, by the snapshots of its turns */
};

bool sf_report_read(struct sf_session_report *report, struct sf_store *store, const char *state_dir,
                    const char *session, struct sf_error *err) SF_MUST_CHECK;
void sf_report_release(struct sf_session_report *report);

void sf_report_json(const struct sf_session_report *report, struct sf_strbuf *out);
void sf_report_markdown(const struct sf_session_report *report, struct sf_strbuf *out);
void sf_report_costs(const struct sf_session_report *report,
                     struct sf_strbuf *out); /* its part, Markdown */

#endif
