/*
 * command_unknown.c: what may have been meant by a name that is no command. Names that begin so come
 * first, then what other agents call by this name, then the nearest spelling. It only says so:
 * nothing is run for a name that was not written out.
 */
#include <string.h>

#include "port/internal.h"

enum { NAMED = 4 }; /* Names in one sentence. */

/* What people type who know it from other agents, where sf has no command of that name. */
static const struct {
    const char *name, *hint;
} elsewhere[] = {
    { "agents", "there are no agents to set up; the model starts sub-agents itself" },
    { "auto", "/permission-profile trusted asks less, /control autonomous drives" },
    { "bash", "!COMMAND runs a command of yours" },
    { "build", "/mode build is it" },
    { "chat", "/mode chat is it" },
    { "edit", "/editor opens your editor, /mode build lets files be changed" },
    { "effort", "/model-mode deep thinks harder, fast less" },
    { "hooks", "there are no hooks; /permissions shows what decides about calls" },
    { "logout", "keys are where /connect put them: `sf connect --list` says where" },
    { "mcp", "there are no MCP servers; `sf --help` lists what there is" },
    { "plugin", "there are no plugins; /commands shows commands from files" },
    { "remember", "#NOTE keeps a note, /memory shows them" },
    { "repair", "/mode repair is it" },
    { "research", "/mode research is it" },
    { "sandbox", "/status says how commands are caged" },
    { "sf", "commands stand for themselves: /mode, /control, /steer" },
    { "share", "/export writes the session to a file" },
    { "shell", "!COMMAND runs a command of yours" },
    { "skills", "there are no skills; /commands shows commands from files" },
    { "stats", "/cost and /session-report have the figures" },
    { "terminal-setup", "nothing has to be set up; /help says which keys arrive here" },
    { "think", "/model-mode deep thinks harder" },
    { "yolo", "/mode yolo is it" },
};

typedef void name_fn(void *ctx, const char *name);

static void each_name(struct sf_port *p, name_fn *fn, void *ctx)
{
    const struct sf_custom_files *customs = sf_port_customs(p);

    for (size_t i = 0; i < sf_port_command_count; i++)
        fn(ctx, sf_port_commands[i].name);
    for (size_t i = 0; i < sf_mode_command_count; i++)
        fn(ctx, sf_mode_commands[i].name);
    for (size_t i = 0; i < customs->count; i++)
        if (!customs->items[i].hidden)
            fn(ctx, customs->items[i].name);
    for (size_t i = 0; i < sf_port_command_count; i++)
        for (const char *const *a = sf_port_commands[i].aliases; a && *a; a++)
            fn(ctx, *a);
}

struct begun {
    const char *word;
    struct sf_strlist names;
};

static void add_begun(void *ctx, const char *name)
{
    struct begun *b = ctx;

    if (!strncmp(name, b->word, strlen(b->word)))
        sf_strlist_add(&b->names, name);
}

/* "did you mean /status, /steer or /stop?" */
static void ask(const struct sf_strlist *names, struct sf_strbuf *out)
{
    size_t count = names->count < NAMED ? names->count : NAMED;

    sf_strbuf_adds(out, "did you mean");
    for (size_t i = 0; i < count; i++)
        sf_strbuf_addf(out, "%s /%s", !i ? "" : i + 1 == count ? " or" : ",", names->items[i]);
    sf_strbuf_addch(out, '?');
}

static const char *known_elsewhere(const char *name)
{
    for (size_t i = 0; i < SF_COUNT(elsewhere); i++)
        if (!strcmp(elsewhere[i].name, name))
            return elsewhere[i].hint;
    return NULL;
}

static void offer(void *ctx, const char *name)
{
    sf_suggest_offer(ctx, name);
}

/* At most a third of what was typed may differ, or else the name must begin so. */
static bool is_near(const struct sf_suggest *s, size_t len)
{
    return s->best && (3 * s->distance <= len || !strncmp(s->best, s->word, len));
}

void sf_port_command_unknown(struct sf_port *p, const char *name, struct sf_error *err)
{
    const char *all = sf_port_moves(p) ? "/ alone" : "/help"; /* what a screen lists as one types */
    const char *other = known_elsewhere(name);
    struct begun begun = { .word = name, .names = SF_STRLIST_INIT };
    struct sf_strbuf hint = SF_STRBUF_INIT;
    struct sf_suggest near;

    each_name(p, add_begun, &begun);
    sf_suggest_start(&near, name);
    each_name(p, offer, &near);
    if (other)
        sf_strbuf_addf(&hint, "%s;", other);
    else if (begun.names.count)
        ask(&begun.names, &hint);
    else if (is_near(&near, strlen(name)))
        sf_strbuf_addf(&hint, "did you mean /%s?", near.best);
    sf_hint(err, "%s%s%s lists all", hint.buf, hint.len ? " " : "", all);
    sf_strbuf_release(&hint);
    sf_strlist_release(&begun.names);
}
