/*
 * connect.c: connects a model, first half: which service, where its key comes from, and whether it
 * answers. A typed key exists in the field of the surface, in memory here and in the trial, and in
 * the file it is kept in, and nowhere else.
 */
#include "port/connect.h"

#include <string.h>

#include "port/connect_steps.h"

enum { LOOK_MS = 1500 };

/* The settings, with what was typed of a server that they do not have yet. */
static const char *setting(void *port, const char *key)
{
    const struct sf_port *p = port;
    const struct sf_connect *c = p->connect;
    const struct sf_connect_server server = { c && c->server.open ? c->server.name : NULL,
                                              c ? c->server.base_url : NULL,
                                              c ? sf_connect_server_format(c) : NULL };

    return sf_connect_setting(sf_port_settings(p), &server, key);
}

static struct sf_provider_sources sources_of(struct sf_port *p)
{
    return (struct sf_provider_sources){ p->setup.session.catalog, setting, p };
}

const char *sf_connect_name(const struct sf_port *p)
{
    return sf_connect_title(p->setup.session.catalog, p->connect->name);
}

void sf_connect_init(struct sf_response *r, const char *part, const char *title)
{
    sf_response_init(r, SF_RESPONSE_CHOICE, title);
    r->command = "connect";
    r->part = part;
}

/* ---- the end ---- */

static void wipe(char *key)
{
    if (key)
        explicit_bzero(key, strlen(key));
    free(key);
}

static void forget_source(struct sf_connect *c)
{
    free(c->cmd);
    free(c->env);
    wipe(c->key);
    c->cmd = c->env = c->key = NULL;
    c->typed = false;
}

/* Stops waiting for servers that have not answered. */
static void drop_probes(struct sf_connect *c)
{
    for (size_t i = 0; i < c->probe_count; i++) {
        sf_model_list_free(c->probes[i].listing);
        sf_provider_facts_release(&c->probes[i].facts);
    }
    c->probe_count = 0;
    if (c->probes_open)
        sf_port_paid(c->port);
    c->probes_open = 0;
}

static void free_connect(struct sf_connect *c)
{
    drop_probes(c);
    forget_source(c);
    for (size_t i = 0; i < SF_COUNT(c->tiers); i++)
        free(c->tiers[i]);
    sf_connect_server_release(c);
    sf_strlist_release(&c->models);
    sf_strlist_release(&c->names);
    sf_strlist_release(&c->states);
    free(c->probes);
    free(c->name);
    free(c);
}

void sf_connect_free(struct sf_port *p)
{
    struct sf_connect *c = p->connect;

    p->connect = NULL;
    if (c)
        free_connect(c);
}

/* A running trial frees itself when it ends; only sf_port_has_ended waits for it. */
void sf_port_connect_leave(struct sf_port *p)
{
    struct sf_connect *c = p->connect;

    if (!c || !c->trial) {
        sf_connect_free(p);
        return;
    }
    drop_probes(c);
    c->left = true;
    p->left.connects++;
    p->connect = NULL;
    sf_trial_cancel(c->trial);
}

void sf_port_connect_back(struct sf_port *p)
{
    if (p->connect && p->connect->step == SF_CONNECT_MODEL) {
        sf_connect_show_models(p, false);
        return;
    }
    if (p->connect && p->connect->step == SF_CONNECT_KEY && p->connect->server.open &&
        !p->connect->trial) {
        sf_connect_begin_server(p);
        return;
    }
    sf_port_connect_leave(p);
    sf_port_note(p, false, "nothing was changed");
}

/* ---- whether it answers ---- */

static void say_error(struct sf_port *p, const struct sf_error *err, bool late)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_ERROR, "");
    snprintf(r.title, sizeof(r.title), "%s is not connected", sf_connect_name(p));
    r.command = "connect";
    r.late = late;
    sf_strbuf_adds(&r.text, err->msg);
    snprintf(r.hint, sizeof(r.hint), "%s", err->hint);
    sf_port_respond(p, &r);
}

static void wake(void *ctx)
{
    (void)ctx;
}

static void on_tried(void *ctx, const struct sf_trial_result *result)
{
    struct sf_connect *c = ctx;
    struct sf_port *p = c->port;

    c->trial = NULL;
    sf_port_paid(p);
    if (c->left) {
        p->left.connects--;
        sf_loop_post(p->loop, wake, p); /* wakes a caller that waits for sf_port_has_ended */
        free_connect(c);
        return;
    }
    if (!result->ok) {
        forget_source(c);
        say_error(p, &result->error, true);
    } else {
        if (result->opened->key)
            c->key = sf_strdup(result->opened->key);
        for (size_t i = 0; i < result->models->count; i++)
            sf_strlist_add(&c->models, result->models->items[i]);
        sf_connect_tiers(result->opened, result->models, c->tiers);
        sf_connect_show_models(p, true);
    }
    sf_port_changed(p);
}

/* The text of a field is borrowed; the trial has a copy of its own. */
static void try_it(struct sf_port *p, const char *key)
{
    const struct sf_provider_sources sources = sources_of(p);
    struct sf_connect *c = p->connect;
    const struct sf_trial_wish wish = { .loop = p->loop,
                                        .name = c->name,
                                        .sources = &sources,
                                        .key = key,
                                        .cmd = c->cmd,
                                        .env = c->env,
                                        .proxy = sf_port_setting(p, "network.proxy"),
                                        .ca_file = sf_port_setting(p, "network.ca_file") };
    struct sf_response r;

    c->trial = sf_trial_start(&wish, on_tried, c);
    sf_port_owe(p);
    sf_response_init(&r, SF_RESPONSE_NOTE, "");
    sf_strbuf_addf(&r.text, "asking %s", sf_connect_name(p));
    r.command = "connect";
    r.since_ms = sf_clock_monotonic_ms();
    sf_port_respond(p, &r);
}

/* ---- where the key comes from ---- */

static bool source_written(struct sf_port *p, const char *value, const char *text,
                           struct sf_error *err)
{
    struct sf_connect *c = p->connect;

    if (!c)
        return sf_fail(err, SF_E_ARG, "no model is being connected any more");
    if (!text[strspn(text, " \t\r\n")])
        return sf_fail(err, SF_E_ARG, "nothing was written here; Esc leaves it");
    forget_source(c);
    c->typed = !strcmp(value, "type");
    if (!strcmp(value, "cmd"))
        c->cmd = sf_strdup(text);
    if (!strcmp(value, "env"))
        c->env = sf_strdup(text);
    try_it(p, c->typed ? text : NULL);
    return true;
}

static void choose_source(struct sf_port *p, const char *value)
{
    static const struct {
        const char *value, *label, *hint;
    } fields[] = {
        { "type", "key", "it is not shown; tried with one small request, then kept" },
        { "cmd", "command", "printed by it each time it is needed: a password manager, say" },
        { "env", "variable", "its name alone is kept; set it where sf is started" },
    };
    struct sf_response r;

    if (!strcmp(value, "use")) {
        forget_source(p->connect);
        try_it(p, NULL);
        return;
    }
    for (size_t i = 0; i < SF_COUNT(fields); i++)
        if (!strcmp(value, fields[i].value)) {
            sf_response_init(&r, SF_RESPONSE_FIELD, fields[i].label);
            snprintf(r.hint, sizeof(r.hint), "%s", fields[i].hint);
            r.secret = i == 0;
            sf_port_ask_field(p, &r, source_written, value);
        }
}

static void add_source(struct sf_response *r, const char *value, const char *what)
{
    sf_response_row(r, value);
    sf_response_cell(r, "%s", what);
}

static void show_sources(struct sf_port *p, const struct sf_provider_facts *facts)
{
    struct sf_error ignored = SF_ERROR_INIT;
    struct sf_strbuf state = SF_STRBUF_INIT;
    char *path = sf_connect_key_path(p->connect->name, &ignored);
    bool missing = facts->place == SF_KEY_PLACE_MISSING;
    struct sf_response r;

    p->connect->step = SF_CONNECT_KEY;
    sf_connect_init(&r, "key", "");
    snprintf(r.title, sizeof(r.title), "The key of %s", sf_connect_name(p));
    sf_connect_state_add(facts, &state);
    if (!missing) {
        add_source(&r, "use", p->connect->server.open ? "none" : "as it is");
        sf_response_cell(&r, "%s", p->connect->server.open ? "it needs no key" : state.buf);
    }
    add_source(&r, "type", "type or paste it");
    sf_response_cell(&r, "kept in %s, for you alone", path ? path : "a file of yours");
    add_source(&r, "cmd", "by a command");
    sf_response_cell(&r, "that prints it");
    add_source(&r, "env", "in a variable");
    sf_response_cell(&r, "of the environment%s%s", missing ? ", such as " : "",
                     missing ? facts->source : "");
    sf_port_respond(p, &r);
    sf_strbuf_release(&state);
    free(path);
}

/* ---- which service ---- */

void sf_connect_ask_key(struct sf_port *p, const char *name)
{
    const struct sf_provider_sources sources = sources_of(p);
    struct sf_provider_facts facts = { .base_url = NULL };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_connect *c = p->connect;

    free(c->name);
    c->name = sf_strdup(name);
    if (!sf_provider_look(&facts, name, &sources, &err))
        say_error(p, &err, false);
    else if (facts.local && facts.place == SF_KEY_PLACE_UNNEEDED && !c->server.open)
        try_it(p, NULL);
    else
        show_sources(p, &facts);
    sf_provider_facts_release(&facts);
}

static void choose_provider(struct sf_port *p, const char *name)
{
    sf_connect_server_release(p->connect);
    if (!strcmp(name, SF_CONNECT_ANOTHER))
        sf_connect_begin_server(p);
    else
        sf_connect_ask_key(p, name);
}

/* Sent at once with what is known, and again whenever a server has answered. */
static void show_providers(struct sf_port *p, bool renews)
{
    static const char *const columns[] = { "provider", "state", NULL };
    const struct sf_connect *c = p->connect;
    struct sf_response r;

    sf_connect_init(&r, "", "Connect a model");
    r.columns = columns;
    r.partial = c->probes_open > 0;
    r.renews = r.late = renews;
    r.cursor = c->ready;
    for (size_t i = 0; i < c->names.count; i++) {
        bool current = !strcmp(sf_port_provider(p), c->names.items[i]);

        sf_response_row(&r, c->names.items[i])->current = current;
        sf_response_cell(&r, "%s", sf_connect_title(p->setup.session.catalog, c->names.items[i]));
        sf_response_cell(&r, "%s", c->states.items[i]);
        r.cursor = current ? c->names.items[i] : r.cursor;
    }
    sf_response_row(&r, SF_CONNECT_ANOTHER);
    sf_response_cell(&r, "other server");
    sf_response_cell(&r, "by its address");
    sf_port_respond(p, &r);
}

static void on_listing(void *ctx, const struct sf_strlist *models, const struct sf_error *err)
{
    struct sf_connect_probe *probe = ctx;
    struct sf_port *p = probe->port;
    struct sf_strbuf state = SF_STRBUF_INIT;

    if (models)
        sf_strbuf_addf(&state, "answers, %zu model%s", models->count,
                       models->count == 1 ? "" : "s");
    else
        sf_connect_silence_add(&probe->facts, err, &state);
    free(p->connect->states.items[probe->row]);
    p->connect->states.items[probe->row] = sf_strbuf_detach(&state);
    if (!--p->connect->probes_open)
        sf_port_paid(p);
    show_providers(p, true);
}

/* Asks in the background whether the server runs; its row is updated when the answer comes. */
static bool probe(struct sf_port *p, size_t row, struct sf_provider_facts *facts,
                  struct sf_error *err)
{
    struct sf_connect *c = p->connect;
    struct sf_connect_probe *probe = &c->probes[c->probe_count];
    struct sf_provider bare = { .kind = SF_PROVIDER_HTTP,
                                .base_url = facts->base_url,
                                .format = SF_WIRE_CHAT };
    const struct sf_model_list_wish wish = { .loop = p->loop,
                                             .provider = &bare,
                                             .timeout_ms = LOOK_MS };

    *probe = (struct sf_connect_probe){ .port = p, .row = row, .facts = *facts };
    *facts = (struct sf_provider_facts){ .base_url = NULL };
    c->probe_count++;
    probe->listing = sf_model_list_start(&wish, on_listing, probe, err);
    c->probes_open += probe->listing != NULL;
    return probe->listing != NULL;
}

static void look_at(struct sf_port *p, size_t row)
{
    const struct sf_provider_sources sources = sources_of(p);
    struct sf_provider_facts facts = { .base_url = NULL };
    struct sf_connect *c = p->connect;
    const char *name = c->names.items[row];
    struct sf_strbuf state = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    bool ok = sf_provider_look(&facts, name, &sources, &err);
    bool asked = ok && facts.local && facts.place == SF_KEY_PLACE_UNNEEDED;

    if (ok && !c->ready && facts.place > SF_KEY_PLACE_MISSING)
        c->ready = name;
    if (!ok || (asked && !probe(p, row, &facts, &err)))
        sf_strbuf_adds(&state, err.msg);
    else if (asked)
        sf_strbuf_adds(&state, "looking …");
    else
        sf_connect_state_add(&facts, &state);
    sf_strlist_adopt(&c->states, sf_strbuf_detach(&state));
    sf_provider_facts_release(&facts);
}

/* ---- the steps ---- */

void sf_port_connect_choose(struct sf_port *p, const char *value)
{
    static void (*const steps[])(struct sf_port * p, const char *value) = {
        [SF_CONNECT_PROVIDERS] = choose_provider,
        [SF_CONNECT_SERVER] = sf_connect_choose_server,
        [SF_CONNECT_KEY] = choose_source,
        [SF_CONNECT_MODELS] = sf_connect_choose_row,
        [SF_CONNECT_MODEL] = sf_connect_choose_model,
    };
    const char *before = p->command;

    p->command = "connect";
    if (!p->connect)
        sf_port_note(p, true, "/connect begins anew");
    else if (p->connect->trial)
        sf_port_note(p, true, "%s is being asked; Esc stops that", sf_connect_name(p));
    else
        steps[p->connect->step](p, value);
    p->command = before;
    sf_port_changed(p);
}

static void begin(struct sf_port *p)
{
    struct sf_connect *c = sf_alloc(sizeof(*c));

    sf_port_connect_leave(p);
    *c = (struct sf_connect){
        .port = p, .names = SF_STRLIST_INIT, .states = SF_STRLIST_INIT, .models = SF_STRLIST_INIT
    };
    p->connect = c;
    sf_connect_names(sf_port_settings(p), p->setup.session.catalog, &c->names);
    c->probes = sf_alloc_array(c->names.count, sizeof(*c->probes));
    for (size_t i = 0; i < c->names.count; i++)
        look_at(p, i);
    if (c->probes_open)
        sf_port_owe(p);
    show_providers(p, false);
}

void sf_command_connect(struct sf_port *p, const char *args)
{
    struct sf_error err = SF_ERROR_INIT;

    if (sf_port_works(p)) {
        sf_port_note_while(p, SF_HOLDS_RUNNING, "%s is running; Esc cancels it, then /connect",
                           sf_port_running(p));
    } else if (*args && !sf_port_moves(p)) {
        sf_fail(&err, SF_E_ARG, "there is no terminal to type a key on");
        sf_hint(&err, "sf connect %s", args);
        sf_port_fail(p, &err);
    } else {
        begin(p);
        if (*args)
            choose_provider(p, args);
    }
}
