/*
 * event.c: events made, and what they say in words: the same for every surface, now and when the
 * log is read again.
 */
#include "session/event.h"

#include "base/base.h"

struct sf_event sf_event_of_words(enum sf_event_kind kind, const char *text, size_t len)
{
    return (struct sf_event){ .kind = kind, .words = { text, len } };
}

struct sf_event sf_event_of_notice(const char *text, size_t len)
{
    return (struct sf_event){ .kind = SF_EVENT_NOTICE, .notice = { text, len, false } };
}

void sf_event_reason(const struct sf_event_done *done, struct sf_strbuf *out)
{
    const struct sf_budget_row *b = done->budget >= 0 ? &sf_budgets[done->budget] : NULL;

    switch (done->status) {
    case SF_TURN_DONE:
    case SF_TURN_UNABLE:
        if (done->command)
            sf_strbuf_addf(out, "%s was not said, since a command of it was refused",
                           done->command);
        if (done->denied && done->refusal && *done->refusal)
            sf_strbuf_addf(out, "%s%s", out->len ? ": " : "", done->refusal);
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

static int budget_of(const char *name)
{
    for (int i = 0; i < SF_BUDGET_COUNT; i++)
        if (!strcmp(sf_budgets[i].name, name))
            return i;
    return -1;
}

static enum sf_fault fault_of(const char *name)
{
    for (int i = 0; i <= SF_FAULT_CANCELLED; i++)
        if (sf_faults[i].name && !strcmp(sf_faults[i].name, name))
            return (enum sf_fault)i;
    return SF_FAULT_NONE;
}

bool sf_event_read_end(struct sf_event_done *done, struct sf_wire_error *error,
                       const struct sf_json *json)
{
    struct sf_error ignored = SF_ERROR_INIT;
    const char *status, *limit, *fault, *message;
    int i = 0;

    if (!sf_json_get_str(json, "status", &status, &ignored) ||
        !sf_json_opt_str(json, "limit", "", &limit, &ignored) ||
        !sf_json_opt_str(json, "fault", "", &fault, &ignored) ||
        !sf_json_opt_str(json, "message", "", &message, &ignored))
        return false;
    while (sf_turn_status_names[i] && strcmp(sf_turn_status_names[i], status) != 0)
        i++;
    if (!sf_turn_status_names[i])
        return false;
    *error = (struct sf_wire_error){ .fault = fault_of(fault), .retry_after_ms = -1 };
    snprintf(error->message, sizeof(error->message), "%s", *message ? message : status);
    *done = (struct sf_event_done){ .status = (enum sf_turn_status)i,
                                    .budget = budget_of(limit),
                                    .error = error };
    return true;
}

void sf_event_compacted(const struct sf_event_compacted *compacted, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "the conversation became a summary: about ");
    sf_tokens_add(out, compacted->before);
    sf_strbuf_adds(out, " tokens before, about ");
    sf_tokens_add(out, compacted->after);
    sf_strbuf_adds(out, " now");
}
