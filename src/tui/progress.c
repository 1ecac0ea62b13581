/*
 * progress.c: what the running turn is doing, for the line above the composer: its phase, by the last
 * event that says so, and the tokens of its answers, which services count after each of them.
 */
#include <string.h>

#include "tui/internal.h"

static const char asks_model[] = "waiting for the model";

/* Most pieces of an answer find it set. */
static void set_phase(struct sf_progress *p, const char *phase)
{
    if (strcmp(p->phase, phase) != 0)
        snprintf(p->phase, sizeof(p->phase), "%s", phase);
}

void sf_progress_begin(struct sf_progress *p)
{
    p->turn_ms = sf_clock_monotonic_ms();
    p->calls = 0;
    p->tokens = 0;
    set_phase(p, asks_model);
}

static void name_calls(struct sf_progress *p, const char *tool)
{
    if (p->calls > 1)
        snprintf(p->phase, sizeof(p->phase), "running %d tools", p->calls);
    else
        snprintf(p->phase, sizeof(p->phase), "running %.30s", tool);
}

void sf_progress_take(struct sf_progress *p, const struct sf_event *event)
{
    if (event->depth || !p->turn_ms)
        return;
    if (event->kind == SF_EVENT_REASONING) {
        set_phase(p, "thinking");
    } else if (event->kind == SF_EVENT_TEXT) {
        set_phase(p, "writing");
    } else if (event->kind == SF_EVENT_RESTART || event->kind == SF_EVENT_RETRY) {
        set_phase(p, asks_model);
    } else if (event->kind == SF_EVENT_CALL) {
        p->calls++;
        name_calls(p, event->call->name);
    } else if (event->kind == SF_EVENT_ASKED || event->kind == SF_EVENT_SUBMITTED) {
        set_phase(p, "waiting for your answer");
    } else if (event->kind == SF_EVENT_ANSWERED) {
        name_calls(p, event->call->name);
    } else if (event->kind == SF_EVENT_RESULT) {
        p->calls -= p->calls > 0;
        if (p->calls)
            name_calls(p, "a tool");
        else
            set_phase(p, asks_model);
    } else if (event->kind == SF_EVENT_USAGE) {
        p->tokens += event->usage.tokens->output;
    }
}

void sf_progress_add(const struct sf_progress *p, struct sf_strbuf *out)
{
    if (p->phase[0])
        sf_strbuf_addf(out, "%s%s", out->len ? " · " : "", p->phase);
    if (!p->tokens)
        return;
    sf_strbuf_adds(out, out->len ? " · " : "");
    sf_tokens_add(out, p->tokens);
    sf_strbuf_adds(out, " tokens");
}
