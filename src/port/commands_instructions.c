/*
 * commands_instructions.c: /instructions: what AGENTS.md and its like say now and did not say when
 * the user saw them last. Asked about before the first words; until it is accepted the model is told
 * the old text.
 */
#include <string.h>

#include "port/internal.h"

static void accept(struct sf_port *p, const struct sf_instructions *held)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_instructions_accept(p->setup.session.state_dir, held, &err))
        sf_port_note(p, false, "accepted: the model is told with the next words");
    else
        sf_port_fail(p, &err);
}

static void free_held(struct sf_instructions *held)
{
    sf_instructions_release(held);
    free(held);
}

/* What is accepted is what was shown, whatever the files say by then. */
static void answered(struct sf_port *p, void *ctx, bool yes)
{
    if (yes)
        accept(p, ctx);
    else
        sf_port_note(p, false, "left out: the old text is used; /instructions shows it again");
    free_held(ctx);
}

static struct sf_instructions *held_now(struct sf_port *p)
{
    struct sf_instructions *held = sf_alloc(sizeof(*held));

    *held = (struct sf_instructions)SF_INSTRUCTIONS_INIT;
    sf_session_instructions_held(p->session, held);
    return held;
}

void sf_port_ask_instructions(struct sf_port *p)
{
    struct sf_instructions *held = held_now(p);
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (!held->count || sf_port_asks(p, answered)) {
        free_held(held);
        return;
    }
    sf_strbuf_adds(&text, "Instructions of this workspace changed since you saw them last. Use "
                          "them? Until you do, the old ones hold.\n\n```diff\n");
    sf_instructions_diff(p->setup.session.state_dir, held, &text);
    sf_strbuf_adds(&text, "```\n");
    sf_port_ask(p, text.buf, answered, held);
    sf_strbuf_release(&text);
}

static void show(struct sf_port *p, const struct sf_instructions *held)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_DIFF, "Instructions that changed");
    sf_instructions_diff(p->setup.session.state_dir, held, &r.text);
    snprintf(r.hint, sizeof(r.hint),
             "/instructions accept uses them; until then the old ones hold");
    sf_port_respond(p, &r);
}

void sf_command_instructions(struct sf_port *p, const char *args)
{
    struct sf_instructions *held = held_now(p);

    if (*args && strcmp(args, "accept") != 0)
        sf_port_note(p, true, "/instructions, /instructions accept");
    else if (!held->count)
        sf_port_say(p, "the instructions are as you saw them last");
    else if (*args)
        accept(p, held);
    else
        show(p, held);
    free_held(held);
}
