/*
 * event_words.c: sentences about events, for every surface.
 */
#include "port/event_words.h"

#include <inttypes.h>

#include "port/overview.h"

void sf_event_reason(const struct sf_event_done *done, struct sf_strbuf *out)
{
    const struct sf_budget_row *b = done->budget >= 0 ? &sf_budgets[done->budget] : NULL;

    switch (done->status) {
    case SF_TURN_DONE:
    case SF_TURN_UNABLE:
        if (done->command)
            sf_strbuf_addf(out, "%s was not said, since a command of it was refused",
                           done->command);
        if (done->denied && done->refusals && done->refusals->count)
            sf_strbuf_addf(out, "%s%s", out->len ? ": " : "",
                           done->refusals->items[done->refusals->count - 1]);
        else if (done->denied && !done->command)
            sf_strbuf_adds(out, "something was refused");
        break;
    case SF_TURN_CANCELLED:
        sf_strbuf_adds(out, "stopped");
        break;
    case SF_TURN_FAILED:
        sf_strbuf_adds(out, done->error->message);
        if (done->error->fault != SF_FAULT_NONE && sf_faults[done->error->fault].hint)
            sf_strbuf_addf(out, "; %s", sf_faults[done->error->fault].hint);
        break;
    case SF_TURN_LIMIT:
        if (b)
            sf_strbuf_addf(out, "%s was reached; raise it with %s or %s", b->what, b->option,
                           b->setting);
        else
            sf_strbuf_adds(out, "the answer was cut off by the model's length limit, again and "
                                "again; ask for less at a time, or choose another model with "
                                "--model");
        break;
    case SF_TURN_BLOCKED:
        sf_strbuf_adds(out, "stopped, since the model repeated the same call again and again");
        break;
    case SF_TURN_REFUSED:
        sf_strbuf_adds(out, "the model declined to answer");
        break;
    }
}

void sf_event_run_line(const struct sf_event_run *run, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%s%s", *run->task ? run->task : "run",
                   !strcmp(run->what, "start") ? " " : ": ");
    sf_strbuf_add(out, run->text, run->len);
    if (*run->way_out)
        sf_strbuf_addf(out, "; to go on: %s", run->way_out);
}

void sf_event_compacted(const struct sf_event_compacted *compacted, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "the conversation became a summary: about ");
    sf_tokens_add(out, compacted->before);
    sf_strbuf_adds(out, " tokens before, about ");
    sf_tokens_add(out, compacted->after);
    sf_strbuf_adds(out, " now");
}

/* ---- a call that is asked about ---- */

const char *const sf_loss_labels[SF_LOSS_COUNT] = {
    [SF_LOSS_LOST] = "lost",
    [SF_LOSS_SNAPSHOT] = "snapshot",
    [SF_LOSS_BACK] = "back",
};

const char *sf_ask_class(const struct sf_judged *j)
{
    return j->has_report ? sf_class_name(j->report.class) : "";
}

bool sf_ask_writes(const struct sf_judged *j)
{
    return sf_action_writes(&j->action);
}

/* A long command is not written twice on one card. */
static void add_kept(const struct sf_judged *j, const char *key, struct sf_strbuf *words)
{
    const char *exact = j->action.command ? strchr(key, '=') : NULL;

    if (exact && !strcmp(exact + 1, j->action.command))
        sf_strbuf_adds(words, "exactly this command");
    else
        sf_approval_words(key, words);
}

bool sf_ask_keeps(const struct sf_event_ask *ask, struct sf_strbuf *words)
{
    const struct sf_judged *j = ask->judged;
    struct sf_strlist keys = SF_STRLIST_INIT;
    bool keeps = !ask->partly && sf_verdict_keeps(&j->verdict, &j->action, &keys);

    for (size_t i = 0; i < keys.count; i++) {
        sf_strbuf_adds(words, i ? ", " : "");
        add_kept(j, keys.items[i], words);
    }
    sf_strlist_release(&keys);
    return keeps;
}

bool sf_call_is_users(const char *id)
{
    return !strncmp(id, SF_USER_CALL, strlen(SF_USER_CALL));
}

/* ---- a goal, a restore, sums ---- */

void sf_money_add(struct sf_strbuf *out, int64_t micro)
{
    sf_strbuf_addf(out, micro < 1000000 ? "$%.3f" : "$%.2f", (double)micro / 1e6);
}

void sf_limit_add(struct sf_strbuf *out, int64_t micro)
{
    sf_strbuf_addf(out, "$%.2f", (double)micro / 1e6);
}

void sf_context_percent_add(struct sf_strbuf *out, int64_t used, int64_t window)
{
    if (window > 0 && used >= 0)
        sf_strbuf_addf(out, "%d%%", (int)(used * 100 / window));
}

void sf_lines_add(struct sf_strbuf *out, uint64_t plus, uint64_t minus)
{
    if (plus)
        sf_strbuf_addf(out, "+%" PRIu64, plus);
    if (minus)
        sf_strbuf_addf(out, "%s−%" PRIu64, plus ? " " : "", minus);
}

void sf_changed_files_add(struct sf_strbuf *out, const struct sf_overview *o)
{
    if (o->changed)
        sf_strbuf_addf(out, "%zu file%s", o->changed, o->changed == 1 ? "" : "s");
}

void sf_changed_lines_add(struct sf_strbuf *out, const struct sf_overview *o)
{
    sf_strbuf_adds(out, o->about && (o->plus || o->minus) ? "about " : "");
    sf_lines_add(out, o->plus, o->minus);
}

void sf_changed_add(struct sf_strbuf *out, const struct sf_overview *o)
{
    sf_changed_files_add(out, o);
    if (o->changed && (o->plus || o->minus))
        sf_strbuf_adds(out, ", ");
    sf_changed_lines_add(out, o);
}

void sf_port_goal_line(const struct sf_goal *g, struct sf_strbuf *out)
{
    if (g->status != SF_GOAL_ACTIVE)
        sf_strbuf_addf(out, "%s: ", sf_goal_status_names[g->status]);
    sf_strbuf_adds(out, g->text);
}

void sf_port_goal_used(const struct sf_goal *g, struct sf_strbuf *out)
{
    sf_goal_used(g, out);
}

size_t sf_restore_files(const struct sf_restore_job *job)
{
    return job->tally.added + job->tally.changed + job->tally.removed;
}
