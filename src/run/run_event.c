/*
 * run_event.c: one row of a table for each kind of event: a sentence for people, with the fields of
 * the row in braces. What a halt leads to is worked out by agent/units.
 */
#include "run/run_event.h"

#include "agent/agent.h"

/* What goes into a sentence is one line: a failing check may print a lot. */
enum { TEXT_MOST = 200 };

struct facts {
    const char *task, *text, *verdict, *word, *end, *who;
    int64_t attempt, flag;
};

typedef void sentence_fn(const struct facts *f, struct sf_strbuf *out);

static void add_text(const struct facts *f, struct sf_strbuf *out)
{
    size_t len = strcspn(f->text, "\n");

    if (len > TEXT_MOST)
        len = sf_utf8_cut(f->text, TEXT_MOST);
    if (len)
        sf_strbuf_addf(out, ": %.*s%s", (int)len, f->text, f->text[len] ? "…" : "");
}

static void begun(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, f->flag ? "one unit of the plan, then a review" : "the run begins");
}

static void went_on(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, f->flag ? "one unit more, then a review" : "the run goes on");
}

static void pausing(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_adds(out,
                   f->flag ? "stopping: what runs is being ended" : "pausing: nothing new starts");
}

static void halted(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%s%s", f->text, f->flag ? " (as before)" : "");
}

static void over(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, f->flag ? "the plan is done" : "the run was stopped");
    add_text(f, out);
}

static void started(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, "begins");
    if (f->attempt > 1)
        sf_strbuf_addf(out, ", attempt %lld", (long long)f->attempt);
}

/* One that ended well goes on to be verified, which has a row of its own. */
static void ended(const struct facts *f, struct sf_strbuf *out)
{
    if (!strcmp(f->end, "done"))
        return;
    sf_strbuf_addf(out, "ended: %s", f->end);
    add_text(f, out);
}

static void verified(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%s%s", !strcmp(f->verdict, "not verified") ? "" : "verification ",
                   f->verdict);
    if (strcmp(f->verdict, "passed") != 0)
        add_text(f, out);
}

static void decided(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_addf(out, "%s by %s", f->word, *f->who ? f->who : "user");
    add_text(f, out);
}

static void repaired(const struct facts *f, struct sf_strbuf *out)
{
    sf_strbuf_adds(out, f->flag ? "the health gate failed: repairing" : "healthy again");
    add_text(f, out);
}

static const struct {
    const char *kind;
    const char *what; /* NULL: nobody needs to see it */
    sentence_fn *say;
} kinds[] = {
    { SF_UNITS_LOG_BEGIN, "begin", begun },
    { SF_UNITS_LOG_GO, "go", went_on },
    { SF_UNITS_LOG_PAUSING, "pausing", pausing },
    { SF_UNITS_LOG_HALT, "halt", halted },
    { SF_UNITS_LOG_REPAIR, "repair", repaired },
    { SF_UNITS_LOG_END, "end", over },
    { SF_UNITS_LOG_START, "start", started },
    { SF_UNITS_LOG_ENDED, "ended", ended },
    { SF_UNITS_LOG_VERDICT, "verdict", verified },
    { SF_UNITS_LOG_WORD, "word", decided },
    { SF_UNITS_LOG_ADDED, NULL, NULL },
    { SF_UNITS_LOG_MOVE, NULL, NULL },
    { SF_UNITS_LOG_USED, NULL, NULL },
    { SF_UNITS_LOG_CLOSED, NULL, NULL },
    { SF_UNITS_LOG_DROPPED, NULL, NULL },
};

static size_t find(const char *kind)
{
    size_t i = 0;

    while (i < SF_COUNT(kinds) && strcmp(kinds[i].kind, kind) != 0)
        i++;
    return i;
}

bool sf_run_event_is(const char *kind)
{
    return find(kind) < SF_COUNT(kinds);
}

static bool read_facts(const struct sf_json *json, struct facts *f)
{
    const struct {
        const char *key;
        const char **to;
    } words[] = { { "task", &f->task }, { "text", &f->text }, { "verdict", &f->verdict },
                  { "word", &f->word }, { "end", &f->end },   { "who", &f->who } };
    struct sf_error ignored = SF_ERROR_INIT;

    for (size_t i = 0; i < SF_COUNT(words); i++)
        if (!sf_json_opt_str(json, words[i].key, "", words[i].to, &ignored))
            return false;
    return sf_json_opt_int(json, "attempt", 0, &f->attempt, &ignored) &&
           sf_json_opt_int(json, "flag", 0, &f->flag, &ignored);
}

/* The command that leads on, as the machine gives it: only a machine that has read the row knows. */
static void add_way_out(const char *kind, const char *json, size_t len, struct sf_strbuf *out)
{
    struct sf_units *units = sf_units_new(&sf_units_defaults);
    struct sf_error ignored = SF_ERROR_INIT;
    const struct sf_units_halt *halt;

    if (sf_units_load(units, kind, json, len, &ignored) && (halt = sf_units_halt(units)))
        sf_units_way_out(halt, out);
    sf_units_free(units);
}

void sf_run_event_read(const char *kind, const char *json, size_t len,
                       void (*fn)(void *ctx, const struct sf_event_run *event), void *ctx)
{
    size_t i = find(kind);
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT, way = SF_STRBUF_INIT;
    struct facts f = { .task = NULL };
    struct sf_json *tree;

    if (i == SF_COUNT(kinds) || !kinds[i].what)
        return;
    tree = sf_json_parse(json, len, NULL, &ignored);
    if (tree && sf_json_type(tree) == SF_JSON_OBJECT && read_facts(tree, &f)) {
        struct sf_event_run event = { .what = kinds[i].what, .task = f.task };

        kinds[i].say(&f, &text);
        if (!strcmp(kind, SF_UNITS_LOG_HALT))
            add_way_out(kind, json, len, &way);
        event.text = text.buf;
        event.len = text.len;
        event.way_out = way.len ? way.buf : "";
        if (text.len)
            fn(ctx, &event);
    }
    sf_json_free(tree);
    sf_strbuf_release(&text);
    sf_strbuf_release(&way);
}
