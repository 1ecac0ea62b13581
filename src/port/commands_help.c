/*
 * commands_help.c: /help: keys and commands, or whatever some words are about: commands by name,
 * alias and help, keys of the surface, settings, commands from files. A command that is called so
 * stands first, then those whose names begin so.
 */
#include <string.h>

#include "port/internal.h"

enum rank {
    RANK_CALLED, /* The words are its name or an alias. */
    RANK_BEGUN,  /* A name begins with them. */
    RANK_NAMED,  /* They are part of a name. */
    RANK_ABOUT,  /* All of them are in its names and its help. */
    RANK_NONE,
};

struct topic {
    const char *name;
    const char *const *aliases; /* or NULL */
    const char *args, *help;
};

struct help {
    const char *words; /* What is looked for; "": all. */
    struct sf_strbuf text;
    bool commands; /* The table of commands has begun. */
    bool found;
};

bool sf_port_mentions(const char *words, const char *text, const char *more)
{
    for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        char *word = sf_strndup(at, len);
        bool there = strcasestr(text, word) || strcasestr(more, word);

        free(word);
        if (!there)
            return false;
        at += len;
    }
    return true;
}

static enum rank rank_name(const char *name, const char *words)
{
    if (!strcasecmp(name, words))
        return RANK_CALLED;
    if (!strncasecmp(name, words, strlen(words)))
        return RANK_BEGUN;
    return strcasestr(name, words) ? RANK_NAMED : RANK_NONE;
}

static enum rank rank_of(const struct topic *t, const char *words)
{
    enum rank best = rank_name(t->name, words);

    for (const char *const *a = t->aliases; a && *a; a++) {
        enum rank other = rank_name(*a, words);

        best = other < best ? other : best;
    }
    if (best == RANK_NONE && sf_port_mentions(words, t->name, t->help))
        best = RANK_ABOUT;
    return best;
}

static void add_topic(struct help *h, const struct topic *t)
{
    if (!h->commands)
        sf_strbuf_adds(&h->text, "\n## Commands\n\n| | |\n|---|---|\n");
    h->commands = h->found = true;
    sf_strbuf_addf(&h->text, "| /%s ", t->name);
    sf_port_cell_add(&h->text, t->args);
    sf_strbuf_adds(&h->text, " | ");
    sf_port_cell_add(&h->text, t->help);
    for (const char *const *a = t->aliases; a && *a; a++)
        sf_strbuf_addf(&h->text, "%s /%s", a == t->aliases ? "; also" : ",", *a);
    sf_strbuf_adds(&h->text, " |\n");
}

static struct topic topic_at(size_t i)
{
    const struct sf_port_command *c;
    const struct sf_mode_command_row *m;

    if (i < sf_port_command_count) {
        c = &sf_port_commands[i];
        return (struct topic){ c->name, c->aliases, c->args, c->help };
    }
    m = &sf_mode_commands[i - sf_port_command_count];
    return (struct topic){ m->name, NULL, m->args, m->help };
}

/* Without words all of them have the same rank, and the order of the tables. */
static void add_ranked(struct help *h, enum rank rank)
{
    for (size_t i = 0; i < sf_port_command_count + sf_mode_command_count; i++) {
        const struct topic t = topic_at(i);

        if (rank_of(&t, h->words) == rank)
            add_topic(h, &t);
    }
}

static void add_settings(struct help *h)
{
    bool any = false;

    for (size_t i = 0; *h->words && i < sf_setting_count; i++) {
        const struct sf_setting *s = &sf_settings[i];

        if (!sf_port_mentions(h->words, s->key, s->help))
            continue;
        if (!any)
            sf_strbuf_adds(&h->text, "\n## Settings\n\n| | |\n|---|---|\n");
        sf_strbuf_addf(&h->text, "| `%s` | ", s->key);
        sf_port_cell_add(&h->text, s->help);
        sf_strbuf_adds(&h->text, " |\n");
        any = h->found = true;
    }
}

/* The keys are the surface's. They come before all commands, and behind those that were found. */
static void add_keys(struct sf_port *p, struct help *h)
{
    const struct sf_port_surface *s = &p->setup.surface;

    if (s->help)
        h->found = s->help(s->ctx, h->words, &h->text) || h->found;
}

static void show(struct sf_port *p, const struct help *h)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_PAGE, "Help");
    r.part = *h->words ? "about" : "";
    sf_strbuf_add(&r.text, h->text.buf, h->text.len);
    sf_port_respond(p, &r);
}

void sf_command_help(struct sf_port *p, const char *args)
{
    struct help h = { .words = args + (*args == '/'), .text = SF_STRBUF_INIT };

    if (!*h.words)
        add_keys(p, &h);
    for (int rank = RANK_CALLED; rank < RANK_NONE; rank++)
        add_ranked(&h, (enum rank)rank);
    sf_port_customs(p);
    h.found = sf_port_customs_add(p, h.words, &h.text) || h.found;
    if (*h.words)
        add_keys(p, &h);
    add_settings(&h);
    if (h.found)
        show(p, &h);
    else
        sf_port_usage(p, "no matches for %.60s; /help lists all", h.words);
    sf_strbuf_release(&h.text);
}
