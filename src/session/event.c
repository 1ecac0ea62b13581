/*
 * event.c: makes events, live or from the log. The room port turns them into text.
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
