/*
 * report_text.c: a report as JSON for programs and as Markdown for people. Both have the same
 * numbers; JSON has costs as integers in micro-dollars.
 */
#include <inttypes.h>
#include <string.h>

#include "journal/report.h"

/* ---- JSON ---- */

static void write_spent(struct sf_json_writer *w, const struct sf_usage_totals *spent)
{
    sf_jw_key_int(w, "requests", spent->requests);
    sf_jw_key_int(w, "input_tokens", spent->input);
    sf_jw_key_int(w, "output_tokens", spent->output);
    sf_jw_key_int(w, "cache_read_tokens", spent->cache_read);
    sf_jw_key_int(w, "cache_write_tokens", spent->cache_write);
    sf_jw_key_int(w, "reasoning_tokens", spent->reasoning);
    sf_jw_key_int(w, "cost_micro_usd", spent->cost_micro_usd);
    sf_jw_key_bool(w, "cost_known", spent->unpriced == 0);
}

static void write_models(struct sf_json_writer *w, const struct sf_session_report *r)
{
    sf_jw_key(w, "usage");
    sf_jw_object_begin(w);
    write_spent(w, &r->spent);
    sf_jw_key(w, "models");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < r->model_count; i++) {
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "provider", r->models[i].provider);
        sf_jw_key_str(w, "model", r->models[i].model);
        write_spent(w, &r->models[i].spent);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
    sf_jw_object_end(w);
}

static void write_tools(struct sf_json_writer *w, const struct sf_session_report *r)
{
    sf_jw_key(w, "tools");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < r->tool_count; i++) {
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "name", r->tools[i].name);
        sf_jw_key_int(w, "calls", r->tools[i].calls);
        sf_jw_key_int(w, "failed", r->tools[i].failed);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

static void write_verdicts(struct sf_json_writer *w, const struct sf_session_report *r)
{
    sf_jw_key(w, "decisions");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < r->verdict_count; i++) {
        sf_jw_object_begin(w);
        sf_jw_key_str(w, "verdict", r->verdicts[i].verdict);
        if (*r->verdicts[i].answer)
            sf_jw_key_str(w, "answer", r->verdicts[i].answer);
        sf_jw_key_int(w, "count", r->verdicts[i].count);
        sf_jw_object_end(w);
    }
    sf_jw_array_end(w);
}

static void write_files(struct sf_json_writer *w, const struct sf_session_report *r)
{
    sf_jw_key(w, "files");
    sf_jw_object_begin(w);
    sf_jw_key_int(w, "count", (int64_t)(r->files.count + r->more_files));
    sf_jw_key_int(w, "plus", r->plus);
    sf_jw_key_int(w, "minus", r->minus);
    sf_jw_key(w, "names");
    sf_jw_array_begin(w);
    for (size_t i = 0; i < r->files.count; i++)
        sf_jw_str(w, r->files.items[i]);
    sf_jw_array_end(w);
    sf_jw_object_end(w);
}

void sf_report_json(const struct sf_session_report *r, struct sf_strbuf *out)
{
    struct sf_json_writer w;

    sf_jw_init(&w, out);
    sf_jw_object_begin(&w);
    sf_jw_key_str(&w, "session", r->id);
    sf_jw_key_str(&w, "title", r->title);
    if (*r->parent)
        sf_jw_key_str(&w, "parent", r->parent);
    sf_jw_key_str(&w, "began", *r->began ? r->began : NULL);
    sf_jw_key_str(&w, "ended", *r->ended ? r->ended : NULL);
    sf_jw_key_int(&w, "duration_ms", r->span_ms);
    sf_jw_key_int(&w, "busy_ms", r->busy_ms);
    sf_jw_key_int(&w, "turns", r->turns);
    sf_jw_key_int(&w, "units", r->units);
    sf_jw_key(&w, "ends");
    sf_jw_object_begin(&w);
    for (size_t i = 0; i < r->end_count; i++)
        sf_jw_key_int(&w, r->ends[i].status, r->ends[i].count);
    sf_jw_object_end(&w);
    sf_jw_key_int(&w, "agents", r->agents);
    sf_jw_key_int(&w, "commands", r->commands);
    sf_jw_key_int(&w, "summaries", r->summaries);
    write_models(&w, r);
    write_tools(&w, r);
    write_verdicts(&w, r);
    write_files(&w, r);
    sf_jw_object_end(&w);
    sf_strbuf_addch(out, '\n');
}

/* ---- Markdown ---- */

static void add_duration(struct sf_strbuf *out, int64_t ms)
{
    int64_t seconds = ms / 1000;

    if (seconds < 60)
        sf_strbuf_addf(out, "%.1f s", (double)ms / 1000);
    else if (seconds < 86400)
        sf_strbuf_addf(out, "%d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60),
                       (int)(seconds % 60));
    else
        sf_strbuf_addf(out, "%" PRId64 " d %d h", seconds / 86400, (int)(seconds / 3600 % 24));
}

/* Appends the text of a table cell; "|" would end the cell and becomes a space. */
static void add_cell(struct sf_strbuf *out, const char *text)
{
    while (*text) {
        size_t len = strcspn(text, "|");

        sf_strbuf_add(out, text, len);
        if (text[len])
            sf_strbuf_addch(out, ' ');
        text += len + (text[len] != '\0');
    }
}

static void add_money(struct sf_strbuf *out, const struct sf_usage_totals *spent)
{
    if (spent->unpriced == spent->requests && spent->requests)
        sf_strbuf_adds(out, "–");
    else
        sf_strbuf_addf(out, "%s%.6f", spent->unpriced ? "at least " : "",
                       (double)spent->cost_micro_usd / 1e6);
}

static void add_spent(struct sf_strbuf *out, const char *name, const struct sf_usage_totals *spent)
{
    sf_strbuf_adds(out, "| ");
    add_cell(out, name);
    sf_strbuf_addf(out, " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | ",
                   spent->requests, spent->input, spent->cache_read, spent->cache_write,
                   spent->output);
    add_money(out, spent);
    sf_strbuf_adds(out, " |\n");
}

/* With the provider, since two providers may use the same model name. */
static void add_model(struct sf_strbuf *out, const struct sf_report_model *m)
{
    struct sf_strbuf name = SF_STRBUF_INIT;

    sf_strbuf_addf(&name, "%s/%s", m->provider, m->model);
    add_spent(out, name.buf, &m->spent);
    sf_strbuf_release(&name);
}

void sf_report_costs(const struct sf_session_report *r, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "| model | requests | in | cache read | cache write | out | US dollars |\n"
                        "|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < r->model_count; i++)
        add_model(out, &r->models[i]);
    if (r->model_count != 1)
        add_spent(out, "all", &r->spent);
    if (r->agents)
        sf_strbuf_addf(out, "\n%" PRId64 " %s counted in.\n", r->agents,
                       r->agents == 1 ? "sub-agent is" : "sub-agents are");
}

static void add_turns(struct sf_strbuf *out, const struct sf_session_report *r)
{
    sf_strbuf_addf(out, "- session %s", r->id);
    if (*r->parent)
        sf_strbuf_addf(out, ", a fork of %.10s: what both share is counted there", r->parent);
    sf_strbuf_addf(out, "\n- turns: %" PRId64, r->turns);
    for (size_t i = 0; i < r->end_count; i++)
        sf_strbuf_addf(out, "%s%" PRId64 " %s", i ? ", " : ", of which ", r->ends[i].count,
                       r->ends[i].status);
    sf_strbuf_addf(out, "\n- units of work done: %" PRId64 "\n- time: ", r->units);
    add_duration(out, r->busy_ms);
    sf_strbuf_adds(out, " in turns, ");
    add_duration(out, r->span_ms);
    sf_strbuf_addf(out,
                   " in all\n- sub-agents: %" PRId64 ", commands of yours: %" PRId64
                   ", summaries: %" PRId64 "\n",
                   r->agents, r->commands, r->summaries);
}

static void add_tools(struct sf_strbuf *out, const struct sf_session_report *r)
{
    if (r->tool_count)
        sf_strbuf_adds(out, "\n## Tools\n\n| tool | calls | failed |\n|---|--:|--:|\n");
    for (size_t i = 0; i < r->tool_count; i++) {
        sf_strbuf_adds(out, "| ");
        add_cell(out, r->tools[i].name);
        sf_strbuf_addf(out, " | %" PRId64 " | %" PRId64 " |\n", r->tools[i].calls,
                       r->tools[i].failed);
    }
}

static void add_verdicts(struct sf_strbuf *out, const struct sf_session_report *r)
{
    if (r->verdict_count)
        sf_strbuf_adds(out, "\n## Decisions\n\n| verdict | answer | times |\n|---|---|--:|\n");
    for (size_t i = 0; i < r->verdict_count; i++) {
        sf_strbuf_addf(out, "| %s | ", r->verdicts[i].verdict);
        add_cell(out, r->verdicts[i].answer);
        sf_strbuf_addf(out, " | %" PRId64 " |\n", r->verdicts[i].count);
    }
}

static void add_files(struct sf_strbuf *out, const struct sf_session_report *r)
{
    if (r->files.count || r->plus || r->minus)
        sf_strbuf_addf(out, "\n## Files: +%" PRId64 " −%" PRId64 " lines\n\n", r->plus, r->minus);
    for (size_t i = 0; i < r->files.count; i++)
        sf_strbuf_addf(out, "- `%s`\n", r->files.items[i]);
    if (r->more_files)
        sf_strbuf_addf(out, "- … and %zu more\n", r->more_files);
}

void sf_report_markdown(const struct sf_session_report *r, struct sf_strbuf *out)
{
    add_turns(out, r);
    sf_strbuf_adds(out, "\n## Tokens and cost\n\n");
    sf_report_costs(r, out);
    add_tools(out, r);
    add_verdicts(out, r);
    add_files(out, r);
}
