/*
 * report.c: one query for each part of the report, about the session and its sub-agents. Ids are
 * made of letters and digits, so they can be part of the SQL text.
 */
#include "journal/report.h"

#include <string.h>

#include "agent/agent.h"

#define OWN                                                                                      \
    "WITH RECURSIVE own (id) AS (VALUES ('%s') UNION SELECT s.id FROM own JOIN sessions AS s ON" \
    " s.parent_id = own.id WHERE s.role = 'agent') "

enum { PATH_LEN = 400 }; /* bytes shown of a name */

struct reading {
    struct sf_session_report *report;
    const char *dir, *session;
    bool open;              /* a turn has begun and not ended */
    int64_t since_ms;       /* when that turn began */
    struct sf_map unlisted; /* files that are counted, but are too many to be listed */
    struct sf_arena names;  /* of those */
};

/* ---- values ---- */

static int64_t number(const struct sf_query_row *row, size_t i)
{
    return row->values[i].type == SF_QUERY_INT ? row->values[i].integer : 0;
}

static const char *text(const struct sf_query_row *row, size_t i)
{
    return row->values[i].type == SF_QUERY_TEXT ? row->values[i].bytes : "";
}

/* Sanitised for display: names of tools and models come from outside. */
static char *plain(const struct sf_query_row *row, size_t i)
{
    struct sf_strbuf out = SF_STRBUF_INIT;

    sf_text_sanitize(&out, text(row, i), strlen(text(row, i)), SF_TEXT_ONE_LINE);
    return sf_strbuf_detach(&out);
}

static int64_t wall_of(const char *time)
{
    struct sf_error ignored = SF_ERROR_INIT;
    int64_t ms;

    return sf_time_parse_rfc3339(time, strlen(time), &ms, &ignored) ? ms : 0;
}

/* ---- parts ---- */

static bool add_model(const struct sf_query_row *row, void *ctx)
{
    struct sf_session_report *r = ((struct reading *)ctx)->report;
    struct sf_report_model *m;

    r->models = sf_grow(r->models, &r->model_cap, r->model_count + 1, sizeof(*r->models));
    m = &r->models[r->model_count++];
    *m = (struct sf_report_model){ .provider = plain(row, 0),
                                   .model = plain(row, 1),
                                   .spent = { .requests = number(row, 2),
                                              .input = number(row, 3),
                                              .output = number(row, 4),
                                              .cache_read = number(row, 5),
                                              .cache_write = number(row, 6),
                                              .reasoning = number(row, 7),
                                              .cost_micro_usd = number(row, 8),
                                              .unpriced = number(row, 9) } };
    return true;
}

static bool add_tool(const struct sf_query_row *row, void *ctx)
{
    struct sf_session_report *r = ((struct reading *)ctx)->report;

    r->tools = sf_grow(r->tools, &r->tool_cap, r->tool_count + 1, sizeof(*r->tools));
    r->tools[r->tool_count++] = (struct sf_report_tool){ .name = plain(row, 0),
                                                         .calls = number(row, 1),
                                                         .failed = number(row, 2) };
    return true;
}

static bool add_verdict(const struct sf_query_row *row, void *ctx)
{
    struct sf_session_report *r = ((struct reading *)ctx)->report;

    r->verdicts = sf_grow(r->verdicts, &r->verdict_cap, r->verdict_count + 1, sizeof(*r->verdicts));
    r->verdicts[r->verdict_count++] = (struct sf_report_verdict){ .verdict = plain(row, 0),
                                                                  .answer = plain(row, 1),
                                                                  .count = number(row, 2) };
    return true;
}

static bool add_end(const struct sf_query_row *row, void *ctx)
{
    struct sf_session_report *r = ((struct reading *)ctx)->report;

    r->ends = sf_grow(r->ends, &r->end_cap, r->end_count + 1, sizeof(*r->ends));
    r->ends[r->end_count] = (struct sf_report_end){ plain(row, 0), number(row, 1) };
    if (!strcmp(r->ends[r->end_count].status, sf_turn_status_names[SF_TURN_DONE]))
        r->units += r->ends[r->end_count].count;
    r->end_count++;
    return true;
}

/* A user event within a turn is sf's own, written to have an answer continued. */
static bool add_moment(const struct sf_query_row *row, void *ctx)
{
    struct reading *r = ctx;
    bool begins = !strcmp(text(row, 0), SF_LOG_USER);
    int64_t now = wall_of(text(row, 1));

    if (begins && !r->open) {
        r->report->turns++;
        r->since_ms = now;
    } else if (!begins && r->open) {
        r->report->busy_ms += now - r->since_ms;
    }
    r->open = begins;
    return true;
}

static bool add_span(const struct sf_query_row *row, void *ctx)
{
    struct sf_session_report *r = ((struct reading *)ctx)->report;

    snprintf(r->began, sizeof(r->began), "%s", text(row, 0));
    snprintf(r->ended, sizeof(r->ended), "%s", text(row, 1));
    r->span_ms = *r->began ? wall_of(r->ended) - wall_of(r->began) : 0;
    r->commands = number(row, 2);
    r->summaries = number(row, 3);
    return true;
}

static bool add_agents(const struct sf_query_row *row, void *ctx)
{
    ((struct reading *)ctx)->report->agents = number(row, 0) - 1;
    return true;
}

static bool add_lines(const struct sf_query_row *row, void *ctx)
{
    struct sf_session_report *r = ((struct reading *)ctx)->report;

    r->plus = number(row, 0);
    r->minus = number(row, 1);
    return true;
}

/* Once for each file, however often it was changed. */
static void count_more(struct reading *r, const struct sf_strbuf *path)
{
    const char *name = sf_arena_strndup(&r->names, path->buf, path->len);

    if (sf_map_add(&r->unlisted, name, path->len, r))
        r->report->more_files++;
}

static void add_file(struct reading *reading, const char *name, size_t len)
{
    struct sf_session_report *r = reading->report;
    struct sf_strbuf path = SF_STRBUF_INIT;

    sf_text_sanitize(&path, name, len, SF_TEXT_ONE_LINE);
    if (path.len > PATH_LEN)
        sf_strbuf_truncate(&path, sf_utf8_cut(path.buf, PATH_LEN));
    if (!sf_strlist_has(&r->files, path.buf) && strcmp(path.buf, "/dev/null") != 0) {
        if (r->files.count < SF_REPORT_FILES)
            sf_strlist_add(&r->files, path.buf);
        else
            count_more(reading, &path);
    }
    sf_strbuf_release(&path);
}

/* Takes names from pairs of "---" and "+++"; a removed line that begins with "--" has no "+++". */
static bool add_diff(const struct sf_query_row *row, void *ctx)
{
    const char *line = text(row, 0), *old = NULL;

    while (*line) {
        size_t len = strcspn(line, "\n");

        if (old && !strncmp(line, "+++ ", 4)) {
            const char *name = (!strncmp(line + 4, "/dev/null", 9) ? old : line) + 4;

            add_file(ctx, name, strcspn(name, "\t\n"));
        }
        old = !strncmp(line, "--- ", 4) ? line : NULL;
        line += len + (line[len] == '\n');
    }
    return true;
}

/* Each query contains %s for the session's id exactly once. */
static const struct {
    const char *sql;
    sf_query_row_fn *row;
} parts[] = {
    { "SELECT min(time), max(time), sum(kind = 'shell'), sum(kind = 'compaction') FROM events"
      " WHERE session_id = '%s'",
      add_span },
    { "SELECT kind, time FROM events WHERE session_id = '%s' AND kind IN ('user', 'end')"
      " ORDER BY seq",
      add_moment },
    { "SELECT json_extract(data, '$.status'), count(*) FROM events WHERE session_id = '%s'"
      " AND kind = 'end' GROUP BY 1 ORDER BY 2 DESC, 1",
      add_end },
    { OWN "SELECT count(*) FROM own", add_agents },
    { OWN "SELECT provider, model, count(*), sum(input_tokens), sum(output_tokens),"
          " sum(cache_read_tokens), sum(cache_write_tokens), sum(reasoning_tokens),"
          " sum(cost_micro_usd), count(*) - count(cost_micro_usd)"
          " FROM own JOIN usage ON usage.session_id = own.id GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2",
      add_model },
    { OWN "SELECT json_extract(data, '$.message.blocks[0].name'), count(*),"
          " sum(json_extract(data, '$.message.blocks[0].error')"
          " OR coalesce(json_extract(data, '$.detail.exit'), 0) > 0)"
          " FROM own JOIN events ON session_id = own.id WHERE kind = 'result'"
          " GROUP BY 1 ORDER BY 2 DESC, 1",
      add_tool },
    { OWN "SELECT verdict, coalesce(answer, ''), count(*) FROM own JOIN decisions"
          " ON session_id = own.id GROUP BY 1, 2 ORDER BY 1, 2",
      add_verdict },
    { OWN "SELECT sum(json_extract(details, '$.plus')), sum(json_extract(details, '$.minus'))"
          " FROM own JOIN snapshots ON session_id = own.id WHERE kind = 'after'",
      add_lines },
    { OWN "SELECT json_extract(data, '$.detail.diff') FROM own JOIN events ON session_id = own.id"
          " WHERE kind = 'result' AND json_type(data, '$.detail.diff') = 'text'",
      add_diff },
};

static bool read_part(struct reading *r, size_t i, struct sf_error *err)
{
    struct sf_strbuf sql = SF_STRBUF_INIT;
    struct sf_query query = { .row = parts[i].row, .ctx = r };
    const char *mark = strstr(parts[i].sql, "%s");
    bool ok;

    sf_strbuf_add(&sql, parts[i].sql, (size_t)(mark - parts[i].sql));
    sf_strbuf_addf(&sql, "%s%s", r->session, mark + 2);
    query.sql = sql.buf;
    ok = sf_store_query(r->dir, &query, err);
    sf_strbuf_release(&sql);
    return ok;
}

static void add_up(struct sf_session_report *r)
{
    for (size_t i = 0; i < r->model_count; i++) {
        const struct sf_usage_totals *m = &r->models[i].spent;

        r->spent.requests += m->requests;
        r->spent.input += m->input;
        r->spent.output += m->output;
        r->spent.cache_read += m->cache_read;
        r->spent.cache_write += m->cache_write;
        r->spent.reasoning += m->reasoning;
        r->spent.cost_micro_usd += m->cost_micro_usd;
        r->spent.unpriced += m->unpriced;
    }
}

bool sf_report_read(struct sf_session_report *report, struct sf_store *store, const char *state_dir,
                    const char *session, struct sf_error *err)
{
    struct sf_arena arena = SF_ARENA_INIT;
    struct sf_session_row row;
    struct reading r = {
        .report = report, .dir = state_dir, .unlisted = SF_MAP_INIT, .names = SF_ARENA_INIT
    };
    bool ok = sf_store_session_get(store, session, &arena, &row, err);

    *report = (struct sf_session_report){ .files = SF_STRLIST_INIT };
    if (ok) {
        r.session = row.id;
        report->id = sf_strdup(row.id);
        report->title = sf_strdup(row.title);
        report->parent = sf_strdup(row.parent_id);
    }
    for (size_t i = 0; ok && i < SF_COUNT(parts); i++)
        ok = read_part(&r, i, err);
    add_up(report);
    sf_map_release(&r.unlisted);
    sf_arena_release(&r.names);
    sf_arena_release(&arena);
    return ok;
}

void sf_report_release(struct sf_session_report *r)
{
    for (size_t i = 0; i < r->end_count; i++)
        free(r->ends[i].status);
    for (size_t i = 0; i < r->model_count; i++) {
        free(r->models[i].provider);
        free(r->models[i].model);
    }
    for (size_t i = 0; i < r->tool_count; i++)
        free(r->tools[i].name);
    for (size_t i = 0; i < r->verdict_count; i++) {
        free(r->verdicts[i].verdict);
        free(r->verdicts[i].answer);
    }
    free(r->ends);
    free(r->models);
    free(r->tools);
    free(r->verdicts);
    free(r->id);
    free(r->title);
    free(r->parent);
    sf_strlist_release(&r->files);
    *r = (struct sf_session_report){ .files = SF_STRLIST_INIT };
}
