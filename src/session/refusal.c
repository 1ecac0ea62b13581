/*
 * refusal.c: which refusals a turn met, and whether one stands when it ends, for the exit code and
 * the last message. A call of a later answer that went as far makes up for it, because then the model
 * found another way; what was refused is listed nevertheless. Calls of one answer were made without
 * knowing of the refusal, so none of them is a way around it, in whatever order they ran.
 */
#include "base/base.h"
#include "session/internal.h"

enum { TEXT_MAX = 640, TEXTS_MAX = 20 };

/* How far a call goes: it only looks, it works on, or it does what cannot be had in another way. */
enum reach { LOOKS, WORKS, SENDS_OR_DESTROYS };

/* A file that may not be written outside the workspace can be written inside. */
static enum reach reach_of(const struct sf_judged *judged)
{
    const enum sf_row row = judged->verdict.kind;

    if (row == SF_ROW_NETWORK_WRITE || row == SF_ROW_EXTERNAL || row == SF_ROW_DESTRUCTIVE)
        return SENDS_OR_DESTROYS;
    return sf_action_looks(&judged->action) ? LOOKS : WORKS;
}

/* What would allow a call that nobody was there to approve, by the layer that asked. */
static const struct {
    enum sf_guard_layer layer;
    const char *advice;
} remedies[] = {
    { SF_GUARD_PROFILE, "allow it with --on-ask allow, a wider --permission-profile, or a rule: "
                        "sf config set guard.allow …" },
    { SF_GUARD_CONTROL, "allow it with --on-ask allow or --control assisted" },
    { SF_GUARD_WORK, "allow it with --on-ask allow or --mode build" },
};

static const char *advice_for(const struct sf_verdict *v)
{
    if (!v->unanswered)
        return v->hint;
    if (v->uncovered || v->confirmable)
        return v->uncovered ? v->hint
                            : "it needs a person: run it in the terminal, or confirm beforehand "
                              "what a snapshot brings back: --confirm delete";
    if (sf_verdict_needs_person(v))
        return "it needs a person: run it in the terminal, no option and no rule allows it";
    for (size_t i = 0; i < SF_COUNT(remedies); i++)
        if (remedies[i].layer == v->layer)
            return remedies[i].advice;
    return "allow it with --on-ask allow";
}

/* What does the same on a surface without typed commands. */
static const struct {
    const char *typed, *given;
} twins[] = {
    { "/mode ", "--mode " },
    { "/scope ", "--scope " },
    { "/control ", "--control " },
    { "/permission-profile ", "--permission-profile " },
    { "/permissions mode suggest", "`sf config set guard.approval_mode suggest`" },
};

/* On a surface without typed commands, names the option instead: --mode for /mode. */
static void add_advice(const struct sf_session *s, const char *advice, struct sf_strbuf *out)
{
    bool typed = sf_surface_typed(s->setup.state.surface);

    while (*advice) {
        size_t i = typed ? SF_COUNT(twins) : 0;

        while (i < SF_COUNT(twins) && strncmp(advice, twins[i].typed, strlen(twins[i].typed)) != 0)
            i++;
        if (i < SF_COUNT(twins)) {
            sf_strbuf_adds(out, twins[i].given);
            advice += strlen(twins[i].typed);
        } else {
            sf_strbuf_addch(out, *advice++);
        }
    }
}

/* The last one is always kept; a text that is there already moves to the end. */
static void add_text(struct sf_refusal *r, const char *text)
{
    for (size_t i = 0; i < r->texts.count; i++)
        if (!strcmp(r->texts.items[i], text)) {
            sf_strlist_remove(&r->texts, i);
            break;
        }
    if (r->texts.count == TEXTS_MAX)
        sf_strlist_remove(&r->texts, r->texts.count - 1);
    sf_strlist_add(&r->texts, text);
}

/* The last text is the reason that the run ends with, and keeps its place before a lesser one. */
static void add_lesser(struct sf_refusal *r, const char *text)
{
    char *last = r->stands && r->texts.count ? sf_strdup(r->texts.items[r->texts.count - 1]) : NULL;

    add_text(r, text);
    if (last)
        add_text(r, last);
    free(last);
}

static void add_refusal(struct sf_session *s, const char *text, int reach)
{
    struct sf_refusal *r = &s->refusal;

    if (r->stands && reach < r->reach) {
        add_lesser(r, text);
    } else {
        add_text(r, text);
        r->reach = reach;
    }
    r->stands = true;
    r->answer = s->at.answers;
}

/* The text may quote names that the model made up, so it is sanitised. */
static void stand(struct sf_call *c, const char *why, const char *advice)
{
    struct sf_strbuf text = SF_STRBUF_INIT, safe = SF_STRBUF_INIT;

    sf_strbuf_addf(&text, "%s was refused: %s%s", c->name, why, *advice ? "; " : "");
    add_advice(c->session, advice, &text);
    sf_safe_add(&safe, text.buf, text.len);
    if (safe.len > TEXT_MAX)
        sf_strbuf_truncate(&safe, sf_utf8_cut(safe.buf, TEXT_MAX));
    add_refusal(c->session, safe.buf, reach_of(&c->judged));
    sf_strbuf_release(&text);
    sf_strbuf_release(&safe);
}

/* A command that the user typed belongs to no turn. */
static bool is_typed(const struct sf_call *c)
{
    return c->index == SF_CALL_USER && !c->session->custom && !c->session->unit.check;
}

void sf_refusal_note(struct sf_call *c)
{
    const struct sf_verdict *v = &c->judged.verdict;

    if ((v->layer == SF_GUARD_PATH && !strcmp(v->rule, SF_RULE_NO_PATH)) ||
        c->judged.action.act == SF_ACT_SUBMIT)
        return; /* no permission would make such a call succeed */
    if (!is_typed(c))
        stand(c, v->reason, advice_for(v));
}

void sf_refusal_by_user(struct sf_call *c)
{
    if (!is_typed(c))
        stand(c, "the user said no", "");
}

/* The last refusal of a sub-agent that stands is one of its parent's. */
void sf_refusal_adopt(struct sf_session *s, const struct sf_refusal *child)
{
    size_t count = child->texts.count - (child->stands && child->texts.count);

    for (size_t i = 0; i < count; i++)
        add_lesser(&s->refusal, child->texts.items[i]);
    if (child->stands && child->texts.count)
        add_refusal(s, child->texts.items[count], child->reach);
}

void sf_refusal_forget(struct sf_session *s)
{
    sf_strlist_release(&s->refusal.texts);
    s->refusal = (struct sf_refusal){ .stands = false };
}

void sf_refusal_outdo(struct sf_call *c, const struct sf_tool_result *result)
{
    struct sf_refusal *r = &c->session->refusal;

    if (!c->has_judged || sf_acts[c->judged.action.act].own || result->is_error ||
        result->exit_code > 0)
        return;
    if (c->session->at.answers > r->answer && (int)reach_of(&c->judged) >= r->reach)
        r->stands = false;
}
