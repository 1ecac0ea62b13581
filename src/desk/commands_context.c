/*
 * commands_context.c: commands about what the model has before it: the goal, pinned facts,
 * summaries.
 */
#include <string.h>

#include "desk/commands.h"
#include "desk/internal.h"

/* ---- the goal ---- */

static void show_goal(struct sf_desk *d)
{
    const struct sf_goal *g = sf_talk_goal(d->talk);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!g->set) {
        sf_strbuf_adds(&text, "There is no goal. `/goal TEXT [--budget 50k]` sets one: it is told "
                              "to the model with every turn, and what it takes is counted.");
    } else {
        sf_strbuf_addf(&text, "**%s**\n\n| | |\n|---|---|\n| status | %s%s%s |\n| used | ", g->text,
                       sf_goal_status_names[g->status], g->why[0] ? ": " : "", g->why);
        sf_goal_used(g, &text);
        sf_strbuf_addf(&text, " |\n| time | %d:%02d |\n\n", (int)(g->time_ms / 60000),
                       (int)(g->time_ms / 1000 % 60));
        sf_strbuf_adds(&text, "`/goal pause`, `resume [--budget TOKENS]`, `complete`, `blocked "
                              "WHY`, `clear`");
    }
    sf_overlay_page(d, "Goal", &text);
    sf_strbuf_release(&text);
}

void sf_do_goal(struct sf_desk *d, const char *args)
{
    struct sf_goal_command command;
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_goal_command_parse(args, strlen(args), &command, &err))
        sf_desk_fail(d, &err);
    else if (command.verb == SF_GOAL_SHOW)
        show_goal(d);
    else if (!sf_talk_goal_do(d->talk, &command, &err))
        sf_desk_fail(d, &err);
}

/* ---- summaries ---- */

void sf_do_compact(struct sf_desk *d, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_talk_compact(d->talk, args, &err)) {
        sf_desk_fail(d, &err);
        return;
    }
    if (sf_talk_busy(d->talk)) {
        sf_desk_work(d);
        snprintf(d->waiting, sizeof(d->waiting), "summing up");
    }
}

/* ---- pinned facts ---- */

static void show_pins(struct sf_desk *d)
{
    const struct sf_strlist *pins = sf_talk_pins(d->talk);
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t i = 0; i < pins->count; i++)
        sf_strbuf_addf(&text, "%zu. %s\n", i + 1, pins->items[i]);
    if (!pins->count)
        sf_strbuf_adds(&text, "Nothing is pinned. `/pin TEXT` keeps a fact before the model for "
                              "the whole session, over every summary.");
    else
        sf_strbuf_adds(&text, "\n`/pin drop N` takes one out.");
    sf_overlay_page(d, "Pinned for this session", &text);
    sf_strbuf_release(&text);
}

void sf_do_pin(struct sf_desk *d, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;
    unsigned number;
    int end = 0;

    if (!*args) {
        show_pins(d);
    } else if (sscanf(args, "drop %u%n", &number, &end) == 1 && !args[end]) {
        if (sf_talk_unpin(d->talk, (size_t)number - 1, &err))
            sf_desk_say(d, false, "no longer pinned; the model hears of it with your next words");
        else
            sf_desk_fail(d, &err);
    } else if (sf_talk_pin(d->talk, args, &err)) {
        sf_desk_say(d, false,
                    "pinned for this session; the model hears of it with your next words");
    } else {
        sf_desk_fail(d, &err);
    }
}
