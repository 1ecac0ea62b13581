/*
 * told.c: how a turn ended, in words, the same for every surface.
 */
#include "base/base.h"
#include "session/talk.h"

void sf_told_reason(const struct sf_told *done, struct sf_strbuf *out)
{
    const struct sf_budget_row *b = done->budget >= 0 ? &sf_budgets[done->budget] : NULL;

    switch (done->status) {
    case SF_TURN_DONE:
        if (done->denied)
            sf_strbuf_adds(out, "something needed an approval and nobody was there to give it; "
                                "allow it with --on-ask allow, a wider --permission-profile, or a "
                                "rule: sf config set guard.allow …");
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
        break;
    case SF_TURN_BLOCKED:
        sf_strbuf_adds(out, "stopped, since the model repeated the same call again and again");
        break;
    case SF_TURN_REFUSED:
        sf_strbuf_adds(out, "the model declined to answer");
        break;
    }
}

void sf_told_compacted(const struct sf_told *told, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "the conversation became a summary: about ");
    sf_tokens_add(out, told->before);
    sf_strbuf_adds(out, " tokens before, about ");
    sf_tokens_add(out, told->after);
    sf_strbuf_adds(out, " now");
}
