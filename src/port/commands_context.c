/*
 * commands_context.c: commands about the model's context: the goal, pinned facts, summaries, and
 * how full the window is.
 */
#include <string.h>

#include "port/internal.h"

/* ---- the goal ---- */

static void show_goal(struct sf_port *p)
{
    const struct sf_goal *g = sf_session_goal(p->session);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!g->set) {
        sf_port_say(p, "there is no goal: /goal TEXT [--budget 50k] sets one, which the model gets "
                       "with every turn");
        return;
    }
    sf_strbuf_addf(&text, "**%s**\n\n| | |\n|---|---|\n| status | %s%s", g->text,
                   sf_goal_status_names[g->status], g->why[0] ? ": " : "");
    sf_port_cell_add(&text, g->why);
    sf_strbuf_adds(&text, " |\n| used | ");
    sf_goal_used(g, &text);
    sf_strbuf_addf(&text, " |\n| time | %d:%02d |\n\n", (int)(g->time_ms / 60000),
                   (int)(g->time_ms / 1000 % 60));
    if (g->status == SF_GOAL_BUDGET_LIMITED)
        sf_strbuf_adds(&text, "Its budget is used up. The model is told to bring what is in "
                              "hand to an end; nothing is stopped, and what it uses is counted "
                              "on.\n\n");
    sf_strbuf_adds(&text, "`/goal pause`, `resume [--budget TOKENS]`, `complete`, `blocked "
                          "WHY`, `clear`");
    sf_port_page(p, "Goal", &text);
}

void sf_command_goal(struct sf_port *p, const char *args)
{
    struct sf_goal_command command;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_goal_command_parse(args, strlen(args), &command, &err);

    if (ok && command.verb == SF_GOAL_VERB_SHOW)
        show_goal(p);
    else if (!ok || !sf_session_goal_do(p->session, &command, &err))
        sf_port_fail(p, &err);
}

/* ---- summaries ---- */

void sf_command_compact(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_session_compact(p->session, args, &err)) {
        sf_port_fail(p, &err);
        return;
    }
    if (sf_session_busy(p->session)) {
        struct sf_sent sent = { .as = SF_SENT_SUMMARY, .text = args, .len = strlen(args) };

        sf_port_tell_sent(p, &sent);
    }
}

/* ---- pinned facts ---- */

static void show_pins(struct sf_port *p)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_strlist *pins = sf_session_pins(p->session, &err);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!pins) {
        sf_port_fail(p, &err);
        return;
    }
    if (!pins->count) {
        sf_port_say(p, "nothing is pinned: /pin TEXT keeps a fact before the model, over every "
                       "summary");
        return;
    }
    for (size_t i = 0; i < pins->count; i++)
        sf_strbuf_addf(&text, "%zu. %s\n", i + 1, pins->items[i]);
    sf_strbuf_adds(&text, "\n`/pin drop N` takes one out.");
    sf_port_page(p, "Pinned for this session", &text);
}

void sf_command_pin(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;
    unsigned number;
    int end = 0;

    if (!*args) {
        show_pins(p);
    } else if (sscanf(args, "drop %u%n", &number, &end) == 1 && !args[end]) {
        if (sf_session_unpin(p->session, (size_t)number - 1, &err))
            sf_port_note(p, false, "no longer pinned; the model hears of it with your next words");
        else
            sf_port_fail(p, &err);
    } else if (sf_session_pin(p->session, args, &err)) {
        sf_port_note(p, false,
                     "pinned for this session; the model hears of it with your next words");
    } else {
        sf_port_fail(p, &err);
    }
}

/* ---- added directories ---- */

static void show_dirs(struct sf_port *p)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_strlist *dirs = sf_session_dirs(p->session, &err);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!dirs) {
        sf_port_fail(p, &err);
        return;
    }
    for (size_t i = 0; i < dirs->count; i++)
        sf_strbuf_addf(&text, "- %s\n", dirs->items[i]);
    if (!dirs->count)
        sf_strbuf_adds(&text, "No directory was added. `/add-dir DIR` lets this session read one "
                              "outside the workspace.");
    else
        sf_strbuf_adds(&text, "\nFiles in there are read like those of the workspace; writing one "
                              "asks, and no snapshot covers it: `/undo` does not bring it back.");
    sf_port_page(p, "Added to this session", &text);
}

/* Only a person at a screen adds one: a script may pass on what others wrote. */
void sf_command_add_dir(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!*args) {
        show_dirs(p);
    } else if (!sf_port_moves(p)) {
        sf_fail(&err, SF_E_ARG, "a run without a screen adds no directory by a command");
        sf_hint(&err, "--add-dir DIR does, where the run is started");
        sf_port_fail(p, &err);
    } else if (sf_session_add_dir(p->session, args, &err)) {
        sf_port_say(p, "added for this session: read like the workspace, not covered by /undo; "
                       "writing there asks");
    } else {
        sf_port_fail(p, &err);
    }
}

/* ---- what fills the window ---- */

enum {
    BAR_MAX = 36, /* fits a small screen, even one that became small after drawing */
    BAR_OWN = 20,
    BAR_ROOM = 66, /* from this width on, parts have bars too */
};

static void add_cells(struct sf_strbuf *out, const char *cell, int count)
{
    for (int i = 0; i < count; i++)
        sf_strbuf_adds(out, cell);
}

/* Draws three sections: used, reserved for the answer, free. */
static void add_bar(const struct sf_context *c, int cells, struct sf_strbuf *out)
{
    int used = sf_context_cells(c->used, c->window, cells);
    int answer = sf_context_cells(c->tokens[SF_CONTEXT_ANSWER], c->window, cells);

    if (answer > cells - used)
        answer = cells - used;
    add_cells(out, "█", used);
    add_cells(out, "▒", answer);
    add_cells(out, "░", cells - used - answer);
    sf_strbuf_adds(out, "\n\n");
}

static void add_total(const struct sf_context *c, struct sf_strbuf *out)
{
    int percent = c->window > 0 ? (int)(c->used * 100 / c->window) : 0; /* as in the header */

    sf_strbuf_adds(out, "About **");
    sf_tokens_add(out, c->used);
    if (c->window > 0) {
        sf_strbuf_adds(out, "** of ");
        sf_tokens_add(out, c->window);
        sf_strbuf_addf(out, " tokens, %s%d%%\n\n", c->used && !percent ? "<" : "",
                       c->used && !percent ? 1 : percent);
    } else {
        sf_strbuf_adds(out, "** tokens; how many the model holds is not known\n\n");
    }
}

static void add_part(const struct sf_context *c, int part, bool bars, struct sf_strbuf *out)
{
    int64_t tokens = c->tokens[part];
    int percent = sf_context_percent(c, tokens);

    if (!tokens && part != SF_CONTEXT_FREE)
        return;
    sf_strbuf_addf(out, "| %s | ", sf_context_names[part]);
    sf_tokens_add(out, tokens);
    sf_strbuf_addf(out, tokens && !percent ? " | <1%%" : " | %d%%", percent);
    if (bars) {
        sf_strbuf_adds(out, " | ");
        if (part < SF_CONTEXT_ANSWER)
            add_cells(out, "▪", sf_context_cells(tokens, c->used, BAR_OWN));
    }
    sf_strbuf_adds(out, " |\n");
}

void sf_command_context(struct sf_port *p, const char *args)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_context c;
    int cols = sf_port_columns(p);
    bool bars = cols >= BAR_ROOM;

    (void)args;
    if (!sf_session_weigh(p->session, &c, &err)) {
        sf_port_fail(p, &err);
        return;
    }
    add_total(&c, &text);
    if (c.window > 0)
        add_bar(&c, cols - 4 < BAR_MAX ? cols - 4 : BAR_MAX, &text);
    sf_strbuf_adds(&text, bars ? "| part | about | | |\n|---|--:|--:|---|\n"
                               : "| part | about | |\n|---|--:|--:|\n");
    for (int i = 0; i < SF_CONTEXT_COUNT; i++)
        if (i < SF_CONTEXT_ANSWER || c.window > 0)
            add_part(&c, i, bars, &text);
    sf_strbuf_adds(&text, "\nParts are estimated from their text. `/compact` sums the conversation "
                          "up.\n");
    sf_port_page(p, "Context", &text);
}
