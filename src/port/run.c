/*
 * run.c: the run of an accepted plan, as the user drives it: /autonomous, /next, /pause, /stop. A
 * run belongs to the session it works in and goes with it; the next one finds it in the log.
 */
#include <string.h>

#include "port/internal.h"

/* ---- what the run asks and says ---- */

struct review {
    enum sf_run_asked what;
    char *task;
};

static void reviewed(struct sf_port *p, void *ctx, bool yes)
{
    struct review *r = ctx;
    struct sf_error err = SF_ERROR_INIT;

    if (p->plan.run && r->what == SF_ASKED_APPROVAL)
        sf_run_answer(p->plan.run, r->what, yes);
    else if (p->plan.run && yes &&
             !sf_run_word(p->plan.run, SF_UNITS_WORD_ACCEPT, r->task, "", &err))
        sf_port_fail(p, &err);
    else if (p->plan.run && !yes)
        sf_port_say(p, "%s waits: /next redo %s WORDS has it done again, /next skip %s leaves it",
                    r->task, r->task, r->task);
    free(r->task);
    free(r);
}

static void ask(void *ctx, enum sf_run_asked what, const char *task, const char *words)
{
    struct sf_port *p = ctx;
    struct review *r = sf_alloc(sizeof(*r));
    struct sf_strbuf text = SF_STRBUF_INIT;

    *r = (struct review){ what, sf_strdup(task) };
    if (what == SF_ASKED_APPROVAL)
        sf_strbuf_addf(&text, "The plan wants **%s** to be approved before it begins. Begin it?",
                       task);
    else
        sf_strbuf_addf(&text,
                       "**%s** is ready for your review: /diff shows what changed.%s%s\n\nAccept "
                       "it?",
                       task, *words ? " It is not verified: " : "", words);
    sf_port_ask(p, text.buf, reviewed, r);
    sf_strbuf_release(&text);
}

/* The badge says what is true: nothing follows by itself while a run is halted, or over. */
static bool stop_driving(struct sf_port *p, bool over, struct sf_error *err)
{
    struct sf_mode_change change = SF_MODE_CHANGE_INIT;

    if (!sf_mode_state_drives(sf_session_state(p->session)))
        return true;
    sf_handoff_halt(&change, over);
    return sf_session_change(p->session, &change, SF_WHEN_DEFAULT, "the run has halted", NULL, err);
}

/* The store that the run could not write may not take the change either, which was said then. */
static void trouble(void *ctx, const struct sf_error *err)
{
    struct sf_port *p = ctx;
    struct sf_error ignored = SF_ERROR_INIT;

    sf_port_fail(p, err);
    if (!stop_driving(p, false, &ignored))
        sf_log(SF_LOG_WARN, "run: %s", ignored.msg);
    sf_port_changed(p);
}

static void control(void *ctx, enum sf_units_state now)
{
    struct sf_port *p = ctx;
    struct sf_error err = SF_ERROR_INIT;

    if (now == SF_UNITS_STATE_GOING)
        return;
    if (!stop_driving(p, now != SF_UNITS_STATE_PAUSED, &err))
        sf_port_fail(p, &err);
    sf_port_changed(p);
}

/* ---- its life ---- */

static bool open_run(struct sf_port *p, struct sf_error *err)
{
    const struct sf_session_setup *s = &p->setup.session;
    const struct sf_run_setup setup = { .loop = p->loop,
                                        .workers = s->workers,
                                        .store = s->store,
                                        .config = s->config,
                                        .workspace = s->workspace,
                                        .state_dir = s->state_dir,
                                        .session = p->session,
                                        .surface =
                                            sf_axis_name(SF_AXIS_SURFACE, (int)s->state.surface),
                                        .attended = s->attended,
                                        .ask = ask,
                                        .trouble = trouble,
                                        .control = control,
                                        .ctx = p };

    if (p->plan.run && (sf_run_works(p->plan.run) || sf_run_holds(p->plan.run)))
        return true;
    sf_run_close(p->plan.run); /* the plan may be another one by now */
    p->plan.run = sf_run_open(&setup, NULL, err);
    return p->plan.run != NULL;
}

void sf_port_run_close(struct sf_port *p)
{
    sf_loop_remove(p->loop, p->plan.timer);
    p->plan.timer = 0;
    p->plan.submitted = false;
    sf_run_close(p->plan.run);
    p->plan.run = NULL;
}

bool sf_port_carries_out(const struct sf_port *p)
{
    return p->plan.timer || (p->plan.run && sf_run_works(p->plan.run));
}

static bool note_plan(const struct sf_plan_row *row, void *ctx)
{
    bool *found = ctx;

    *found = *found || row->done < row->tasks;
    return true;
}

static bool has_plan(struct sf_port *p)
{
    struct sf_error err = SF_ERROR_INIT;
    bool found = false;

    if (!sf_store_each_plan(p->setup.session.store, NULL, note_plan, &found, &err))
        sf_port_fail(p, &err);
    return found;
}

/* The turn in which a plan was accepted is over: what was chosen with it follows. */
static void begin_accepted(void *ctx)
{
    struct sf_port *p = ctx;
    const struct sf_mode_state now = sf_session_preview(p->session);

    p->plan.timer = 0;
    p->plan.submitted = false;
    if (sf_mode_state_drives(&now) && has_plan(p))
        sf_port_run_begin(p, false);
}

static bool submits(const struct sf_event *event)
{
    return event->kind == SF_EVENT_RESULT && !event->depth && !strcmp(event->call->name, "Plan") &&
           !event->result.tool->is_error;
}

void sf_port_run_follow(struct sf_port *p, const struct sf_event *event)
{
    if (p->plan.run)
        sf_run_event(p->plan.run, event);
    p->plan.submitted = p->plan.submitted || submits(event);
    if (event->kind == SF_EVENT_DONE && !event->depth && p->plan.submitted && !p->plan.timer &&
        event->done.status == SF_TURN_DONE)
        p->plan.timer = sf_loop_add_timer(p->loop, 0, 0, begin_accepted, p);
}

/* ---- commands ---- */

/* The work of a run begins, or goes on, when nothing else is under way. */
static bool is_free(struct sf_port *p)
{
    const struct sf_run *run = p->plan.run;

    if (!sf_port_works(p) || (run && (sf_run_works(run) || sf_run_holds(run))))
        return true;
    sf_port_note(p, true, "%s runs: say it again when it has ended", sf_port_running(p));
    return false;
}

void sf_port_run_begin(struct sf_port *p, bool single)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!is_free(p))
        return;
    if (!open_run(p, &err)) {
        if (err.code == SF_E_NOENT)
            sf_port_say(p, "%s; %s", err.msg, err.hint);
        else
            sf_port_fail(p, &err);
    } else if (single) {
        sf_run_next(p->plan.run);
    } else {
        sf_run_go(p->plan.run);
    }
}

/* "accept M1/S1/T1", "redo M1/S1/T1 use a map instead" */
void sf_port_run_word(struct sf_port *p, const char *text, size_t len)
{
    char *line = sf_strndup(text, len), *rest = line, *word = strsep(&rest, " \t"), *task = NULL;
    struct sf_error err = SF_ERROR_INIT;
    bool known;
    int which;

    if (rest) {
        rest += strspn(rest, " \t");
        task = strsep(&rest, " \t");
    }
    known = sf_names_parse(sf_units_words, "word about a unit", word, &which, &err);
    if (known && (!task || !*task))
        sf_port_usage(p, "/next %s wants the id of a task, such as M1/S1/T1", word);
    else if (known && which == SF_UNITS_WORD_REVERT)
        sf_port_say(p, "/undo takes back what the unit changed; then /next redo %s WORDS", task);
    else if (!known || (is_free(p) &&
                        (!open_run(p, &err) || !sf_run_word(p->plan.run, (enum sf_units_word)which,
                                                            task, rest ? rest : "", &err))))
        sf_port_fail(p, &err);
    free(line);
}

void sf_port_run_pause(struct sf_port *p)
{
    if (p->plan.run && sf_run_works(p->plan.run))
        sf_run_pause(p->plan.run);
}

void sf_port_run_stop(struct sf_port *p)
{
    struct sf_error ignored = SF_ERROR_INIT;

    if (p->plan.run || open_run(p, &ignored))
        sf_run_stop(p->plan.run);
}

/* ---- looking ---- */

bool sf_port_run_halt(const struct sf_port *p, enum sf_units_guard *guard)
{
    const struct sf_units_halt *halt =
        p->plan.run ? sf_units_halt(sf_run_units(p->plan.run)) : NULL;

    if (halt)
        *guard = halt->guard;
    return halt != NULL;
}

static void add_limits(const struct sf_units *units, struct sf_strbuf *out)
{
    for (int scope = 0; scope < SF_UNITS_PER_COUNT; scope++) {
        struct sf_budget budget;

        sf_units_budget(units, (enum sf_units_scope)scope, &budget);
        for (int kind = 0; kind < SF_BUDGET_COUNT; kind++) {
            if (!budget.limit[kind])
                continue;
            sf_strbuf_addf(out, "| %s | %s | ", sf_units_scopes[scope], sf_budgets[kind].label);
            sf_budget_text(&budget, (enum sf_budget_kind)kind, out);
            sf_strbuf_adds(out, " |\n");
        }
    }
}

void sf_port_run_add(const struct sf_port *p, struct sf_strbuf *out)
{
    const struct sf_units *units;
    const struct sf_units_halt *halt;
    struct sf_run_counts counts;

    if (!p->plan.run)
        return;
    units = sf_run_units(p->plan.run);
    halt = sf_units_halt(units);
    sf_run_count(p->plan.run, &counts);
    sf_strbuf_addf(out, "\n## The plan %s\n\n| | |\n|---|---|\n| done | %zu of %zu",
                   sf_run_plan(p->plan.run), counts.done, counts.tasks);
    if (counts.failed || counts.blocked)
        sf_strbuf_addf(out, "; %zu failed, %zu blocked", counts.failed, counts.blocked);
    sf_strbuf_addf(out, " |\n| run | %s%s |\n", sf_units_states[sf_units_state(units)],
                   sf_units_is_single(units) ? ", one unit" : "");
    if (sf_units_current(units))
        sf_strbuf_addf(out, "| unit | %s |\n", sf_units_current(units));
    else if (sf_units_peek(units))
        sf_strbuf_addf(out, "| next | %s |\n", sf_units_peek(units));
    if (halt) {
        sf_strbuf_addf(out, "| halted | %s: ", sf_units_guards[halt->guard].what);
        sf_port_cell_add(out, halt->why);
        sf_strbuf_adds(out, " |\n| to go on | ");
        sf_units_way_out(halt, out);
        sf_strbuf_adds(out, " |\n");
    }
    sf_strbuf_adds(out, "\n| per | limit | used |\n|---|---|--:|\n");
    add_limits(units, out);
}
