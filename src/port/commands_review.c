/*
 * commands_review.c: /review begins a review, and shows the last report again: as a list, one
 * finding with what stands around it, or as words that ask for a fix. Nothing is fixed by itself.
 */
#include <string.h>

#include "port/internal.h"
#include "port/review.h"

/* ---- events ---- */

static bool read_report(const char *json, size_t len, struct sf_review_report *out)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_json *row = sf_json_parse(json, len, NULL, &ignored);
    bool ok = row && sf_review_report_read(out, row, &ignored);

    sf_json_free(row);
    return ok;
}

/* A finding that is severe enough counts for more than files that nobody saw. */
static enum sf_reviewed come_to(const struct sf_review_report *report)
{
    if (report->verdict == SF_REVIEW_RUNNING)
        return SF_REVIEWED_NOT_YET;
    if (report->verdict == SF_REVIEW_NOT_DONE)
        return SF_REVIEWED_NOTHING;
    if (sf_review_report_fails(report))
        return SF_REVIEWED_FAILED;
    return report->verdict == SF_REVIEW_PART || report->unseen_count ? SF_REVIEWED_PART
                                                                     : SF_REVIEWED_PASSED;
}

enum sf_reviewed sf_event_reviewed(const struct sf_event *event)
{
    struct sf_review_report report;
    enum sf_reviewed reviewed = SF_REVIEWED_NOTHING;

    if (!read_report(event->words.text, event->words.len, &report))
        return reviewed;
    reviewed = come_to(&report);
    sf_review_report_release(&report);
    return reviewed;
}

void sf_event_review_text(const struct sf_event *event, struct sf_strbuf *out)
{
    struct sf_review_report report;

    if (!read_report(event->words.text, event->words.len, &report))
        return;
    if (report.verdict != SF_REVIEW_RUNNING)
        sf_review_text_add(&report, out);
    sf_review_report_release(&report);
}

void sf_event_review_page(const struct sf_event *event, struct sf_strbuf *out)
{
    struct sf_review_report report;

    if (!read_report(event->words.text, event->words.len, &report))
        return;
    if (report.verdict != SF_REVIEW_RUNNING)
        sf_review_page_add(&report, out);
    sf_review_report_release(&report);
}

/* ---- the last report ---- */

struct newest {
    struct sf_review_report *report;
    bool ok;
};

static bool take_row(const struct sf_event_row *row, void *ctx)
{
    struct newest *n = ctx;

    n->ok = read_report(row->json, row->len, n->report);
    return false;
}

/* A review that neither runs nor has a report was cut off. */
static void settle_running(struct sf_port *p, struct sf_review_report *report)
{
    if (report->verdict != SF_REVIEW_RUNNING || sf_port_busy(p))
        return;
    report->verdict = SF_REVIEW_NOT_DONE;
    report->reason = sf_strdup("sf was ended in the middle of it");
}

static bool find_last(struct sf_port *p, struct sf_review_report *report)
{
    struct sf_event_range range = { .session = sf_session_id(p->session) };
    struct newest newest = { .report = report };
    struct sf_event_count n = { 0 };
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_store_event_count(p->setup.session.store, range.session, SF_LOG_REVIEW, INT64_MAX,
                                   &n, &err);

    range.first = range.last = n.last;
    ok = ok && (!n.count ||
                sf_store_each_in_range(p->setup.session.store, &range, take_row, &newest, &err));
    if (!ok)
        sf_port_fail(p, &err);
    else if (!newest.ok)
        sf_port_note(p, false, "nothing was reviewed in this session yet: /review begins one");
    else
        settle_running(p, report);
    return ok && newest.ok;
}

static void show_list(struct sf_port *p)
{
    static const char *const columns[] = { "severity", "place", "finding", NULL };
    struct sf_review_report report;
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_response r;
    char value[32];

    if (!find_last(p, &report))
        return;
    sf_review_tally_add(&report, &line);
    if (!report.count) {
        sf_port_note(p, false, "review of %s: %s", report.what, line.buf);
    } else {
        sf_response_init(&r, SF_RESPONSE_CHOICE, line.buf);
        r.columns = columns;
        for (size_t i = 0; i < report.count; i++) {
            const struct sf_finding *f = &report.findings[i];

            snprintf(value, sizeof(value), "show %zu", i + 1);
            sf_response_row(&r, value);
            sf_response_cell(&r, "%s", sf_severity_names[f->severity]);
            sf_strbuf_reset(&line);
            sf_finding_place_add(f, &line);
            if (sf_finding_is_doubtful(f))
                sf_strbuf_addf(&line, " (%s)", sf_finding_spot_names[f->spot]);
            sf_response_cell(&r, "%s", line.buf);
            sf_response_cell(&r, "%s", f->title);
        }
        sf_port_respond(p, &r);
    }
    sf_strbuf_release(&line);
    sf_review_report_release(&report);
}

/* The finding of that number in the last report, passed to `use`. */
static void with_finding(struct sf_port *p, const char *args,
                         void (*use)(struct sf_port *p, const struct sf_finding *f))
{
    struct sf_review_report report;
    int64_t number;

    if (!sf_args_number(args, &number)) {
        sf_port_usage(p, "/review show N, or /review fix N");
        return;
    }
    if (!find_last(p, &report))
        return;
    if (number >= 1 && (size_t)number <= report.count)
        use(p, &report.findings[number - 1]);
    else
        sf_port_usage(p, "the last review has %zu finding%s: /review list", report.count,
                      report.count == 1 ? "" : "s");
    sf_review_report_release(&report);
}

static void show_one(struct sf_port *p, const struct sf_finding *f)
{
    struct sf_strbuf page = SF_STRBUF_INIT, title = SF_STRBUF_INIT;

    sf_finding_place_add(f, &title);
    sf_finding_page_add(f, &page);
    sf_port_page(p, title.buf, &page);
    sf_strbuf_release(&title);
}

static void ask_fix(struct sf_port *p, const struct sf_finding *f)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_DRAFT, "");
    sf_finding_fix_add(f, &r.text);
    sf_port_respond(p, &r);
}

void sf_review_explain(struct sf_port *p, const char *value, struct sf_strbuf *out)
{
    struct sf_review_report report;
    int64_t number;

    if (!sf_args_take(&value, "show") || !sf_args_number(value, &number) || !find_last(p, &report))
        return;
    if (number >= 1 && (size_t)number <= report.count)
        sf_finding_page_add(&report.findings[number - 1], out);
    sf_review_report_release(&report);
}

/* ---- beginning one ---- */

struct start {
    struct sf_port *port;
    const char *command;
    bool told; /* the surface knows that the turn is about to begin */
};

static void tell_sent(const struct start *st, const char *line, bool over, bool failed)
{
    const struct sf_sent sent = {
        .as = SF_SENT_TURN, .text = line, .len = strlen(line), .over = over, .failed = failed
    };

    sf_port_tell_sent(st->port, &sent);
}

static void say_outcome(struct start *st, enum sf_reviewing how, const char *text,
                        const struct sf_error *err)
{
    if (st->told)
        tell_sent(st, text, true, how != SF_REVIEWING_STARTED);
    if (how == SF_REVIEWING_NOTHING)
        sf_port_note(st->port, false, "nothing to review: no %s", text);
    else if (how == SF_REVIEWING_FAILED)
        sf_port_fail(st->port, err);
}

static void on_review(void *ctx, enum sf_reviewing how, const char *text,
                      const struct sf_error *err)
{
    struct start *st = ctx;
    struct sf_port *p = st->port;
    const char *before = p->command;

    if (how == SF_REVIEWING_STARTS) {
        st->told = true;
        tell_sent(st, text, false, false);
        return;
    }
    p->command = st->command;
    if (!p->ending) {
        sf_port_passing(p, "");
        say_outcome(st, how, text, err);
    }
    p->command = before;
    free(st);
    sf_port_paid(p);
}

static void begin(struct sf_port *p, const char *args)
{
    struct start *st = sf_alloc(sizeof(*st));
    struct sf_strbuf line = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    *st = (struct start){ .port = p, .command = p->command };
    sf_strbuf_addf(&line, "/review%s%s", *args ? " " : "", args);
    if (sf_session_review(p->session, line.buf, args, on_review, st, &err)) {
        sf_port_owe(p);
        sf_port_passing(p, "collecting the changes …");
    } else {
        free(st);
        sf_port_fail(p, &err);
    }
    sf_strbuf_release(&line);
}

void sf_command_review(struct sf_port *p, const char *args)
{
    if (!strcmp(args, "last") || !strcmp(args, "list"))
        show_list(p);
    else if (sf_args_take(&args, "show"))
        with_finding(p, args, show_one);
    else if (sf_args_take(&args, "fix"))
        with_finding(p, args, ask_fix);
    else if (sf_port_works(p))
        sf_port_note_while(p, SF_HOLDS_RUNNING, "%s is running: Esc ends it; then try again",
                           sf_port_running(p));
    else
        begin(p, args);
}
