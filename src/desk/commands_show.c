/*
 * commands_show.c: commands that show what is: help, status, cost, the log. Pages of Markdown made
 * from tables and from the store; nothing here changes anything.
 */
#include <inttypes.h>
#include <string.h>

#include "desk/commands.h"
#include "desk/internal.h"

/* ---- help ---- */

static void add_keys(struct sf_desk *d, struct sf_strbuf *out)
{
    const struct sf_terminal_facts *facts = sf_terminal_facts(d->terminal);
    bool extended = facts->kitty || facts->other_keys;
    const char *group = "";
    char chord[SF_CHORD_TEXT];

    for (size_t i = 0; i < sf_action_row_count; i++) {
        const struct sf_action_row *row = &sf_action_rows[i];

        if (strcmp(group, row->group) != 0)
            sf_strbuf_addf(out, "\n## %s\n\n| | |\n|---|---|\n", row->group);
        group = row->group;
        sf_strbuf_addf(out, "| %s | %s |\n", sf_keymap_shown(d->keys, row->action, extended, chord),
                       row->help);
    }
}

static void add_commands(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "\n## Commands\n\n| | |\n|---|---|\n");
    for (size_t i = 0; i < sf_desk_command_count; i++)
        sf_strbuf_addf(out, "| /%s %s | %s |\n", sf_desk_commands[i].name, sf_desk_commands[i].args,
                       sf_desk_commands[i].help);
    for (size_t i = 0; i < sf_mode_command_count; i++)
        sf_strbuf_addf(out, "| /%s %s | %s |\n", sf_mode_commands[i].name, sf_mode_commands[i].args,
                       sf_mode_commands[i].help);
}

void sf_do_help(struct sf_desk *d, const char *args)
{
    const struct sf_terminal_facts *facts = sf_terminal_facts(d->terminal);
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_strbuf_addf(&text,
                   "Write what you want done and press Enter. `@` names a file, `/` a command.\n\n"
                   "The badge at the top says what sf is doing, who drives, what it may do "
                   "unasked, and how hard it thinks; Ctrl+X and a letter changes each.\n\n"
                   "This terminal (%s) sends %s.\n",
                   facts->name,
                   facts->kitty        ? "every key, by the kitty protocol"
                   : facts->other_keys ? "most chords (modifyOtherKeys)"
                                       : "plain keys only: Ctrl+Shift chords do not arrive");
    add_keys(d, &text);
    add_commands(&text);
    sf_overlay_page(d, "Help", &text);
    sf_strbuf_release(&text);
}

/* ---- status ---- */

static void add_budget(const struct sf_budget *b, struct sf_strbuf *out)
{
    for (int i = 0; i < SF_BUDGET_COUNT; i++) {
        if (b->limit[i] <= 0)
            continue;
        sf_strbuf_addf(out, "| %s | ", sf_budgets[i].name);
        sf_budget_text(b, (enum sf_budget_kind)i, out);
        sf_strbuf_adds(out, " |\n");
    }
}

void sf_do_status(struct sf_desk *d, const char *args)
{
    const struct sf_mode_state *s = sf_talk_state(d->talk);
    struct sf_strbuf text = SF_STRBUF_INIT;
    int64_t used, window;

    (void)args;
    sf_talk_context(d->talk, &used, &window);
    sf_strbuf_addf(
        &text,
        "| | |\n|---|---|\n| session | %.8s |\n| workspace | %s%s |\n| model | %s (%s) |\n"
        "| scope | %s |\n| context | %" PRId64 " of %" PRId64 " tokens |\n"
        "| store | %s |\n",
        sf_talk_id(d->talk), d->setup.talk.workspace->root,
        d->setup.talk.workspace_trusted ? ", trusted" : ", not trusted", sf_talk_model(d->talk),
        d->setup.talk.provider->name, s->scope, used, window, d->setup.talk.state_dir);
    for (int axis = 0; axis < SF_AXIS_COUNT; axis++)
        sf_strbuf_addf(&text, "| %s | %s |\n", sf_axes[axis].noun,
                       sf_axis_name((enum sf_axis)axis, sf_mode_state_get(s, (enum sf_axis)axis)));
    sf_strbuf_adds(&text, "\n## Limits of this run\n\n| | |\n|---|---|\n");
    add_budget(sf_talk_budget(d->talk), &text);
    sf_overlay_page(d, "Status", &text);
    sf_strbuf_release(&text);
}

/* ---- from the store ---- */

static void add_value(struct sf_strbuf *out, const struct sf_query_value *v)
{
    switch (v->type) {
    case SF_QUERY_NULL:
        sf_strbuf_adds(out, "–");
        break;
    case SF_QUERY_INT:
        sf_strbuf_addf(out, "%" PRId64, v->integer);
        break;
    case SF_QUERY_REAL:
        sf_strbuf_addf(out, "%.4f", v->real);
        break;
    case SF_QUERY_TEXT:
    case SF_QUERY_BLOB:
        for (size_t i = 0; i < v->len && i < 200; i++)
            sf_strbuf_addch(out, v->bytes[i] == '|' || v->bytes[i] == '\n' ? ' ' : v->bytes[i]);
        break;
    }
}

static bool add_row(const struct sf_query_row *row, void *ctx)
{
    struct sf_strbuf *out = ctx;

    sf_strbuf_adds(out, "|");
    for (size_t i = 0; i < row->count; i++) {
        sf_strbuf_addch(out, ' ');
        add_value(out, &row->values[i]);
        sf_strbuf_adds(out, " |");
    }
    sf_strbuf_addch(out, '\n');
    return true;
}

/* `%s` in the statement is the session's id, which is made of letters and digits. */
static bool add_query(struct sf_desk *d, const char *sql, struct sf_strbuf *out)
{
    struct sf_strbuf statement = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_query query = { .row = add_row, .ctx = out };
    const char *mark = strstr(sql, "%s");
    bool ok;

    sf_strbuf_add(&statement, sql, mark ? (size_t)(mark - sql) : strlen(sql));
    if (mark)
        sf_strbuf_addf(&statement, "%s%s", sf_talk_id(d->talk), mark + 2);
    query.sql = statement.buf;
    ok = sf_store_query(d->setup.talk.state_dir, &query, &err);
    if (!ok)
        sf_desk_fail(d, &err);
    sf_strbuf_release(&statement);
    return ok;
}

void sf_do_cost(struct sf_desk *d, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_strbuf_adds(&text, "| model | requests | in | cached | out | US dollars |\n"
                          "|---|--:|--:|--:|--:|--:|\n");
    if (add_query(d,
                  "select model, count(*), sum(input_tokens), sum(cache_read_tokens), "
                  "sum(output_tokens), case when count(cost_micro_usd)=count(*) then "
                  "sum(cost_micro_usd)/1e6 end from usage where session_id='%s' group by model",
                  &text))
        sf_overlay_page(d, "Cost of this session", &text);
    sf_strbuf_release(&text);
}

void sf_do_logs(struct sf_desk *d, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_strbuf_adds(&text, "`sf log` queries everything; these are the last events.\n\n"
                          "| time | what | |\n|---|---|---|\n");
    if (add_query(d,
                  "select substr(time,12,8), kind, substr(data,1,120) from (select * from events "
                  "where session_id='%s' order by seq desc limit 200) order by seq",
                  &text))
        sf_overlay_page(d, "Log", &text);
    sf_strbuf_release(&text);
}

void sf_do_tasks(struct sf_desk *d, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    (void)args;
    sf_strbuf_adds(&text, "| state | what | mode |\n|---|---|---|\n");
    if (d->turn_ms)
        sf_strbuf_adds(&text, "| running | this session's turn | |\n");
    for (size_t i = 0; i < d->queue.count; i++)
        sf_strbuf_addf(&text, "| queued | %s | |\n", d->queue.items[i]);
    if (add_query(d, "select status, id, work_mode from tasks order by created_at, id limit 500",
                  &text))
        sf_overlay_page(d, "Tasks", &text);
    sf_strbuf_release(&text);
}
