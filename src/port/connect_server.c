/*
 * connect_server.c: connects a model, for a server that sf does not know: its name, its address and
 * the format it speaks are rows of a table. Then it is tried like any other, and what was typed
 * here is written with the rest or not at all.
 */
#include <string.h>

#include "port/connect_steps.h"

static const char *const formats[][2] = {
    { "chat", "OpenAI Chat Completions, which most servers speak" },
    { "responses", "OpenAI Responses" },
    { "anthropic", "Anthropic Messages" },
};

void sf_connect_server_release(struct sf_connect *c)
{
    free(c->server.name);
    free(c->server.base_url);
    c->server = (struct sf_connect_typed){ 0 };
}

static void show(struct sf_port *p)
{
    static const char *const columns[] = { "server", "value", NULL };
    const struct sf_connect_typed *s = &p->connect->server;
    struct sf_response r;

    p->connect->step = SF_CONNECT_SERVER;
    sf_connect_init(&r, "server", "Another server");
    r.columns = columns;
    sf_response_row(&r, "name");
    sf_response_cell(&r, "name");
    sf_response_cell(&r, "%s", s->name ? s->name : "what you will call it");
    sf_response_row(&r, "address");
    sf_response_cell(&r, "address");
    sf_response_cell(&r, "%s", s->base_url ? s->base_url : "http://HOST:PORT/v1 or https://…");
    sf_response_row(&r, "format");
    sf_response_cell(&r, "format");
    sf_response_cell(&r, "%s: %s", formats[s->format][0], formats[s->format][1]);
    sf_response_row(&r, "try");
    sf_response_cell(&r, "go on");
    sf_response_cell(&r, "a key, if it needs one; then it is asked for its models");
    r.cursor = !s->name ? "name" : !s->base_url ? "address" : "try";
    sf_port_respond(p, &r);
}

void sf_connect_begin_server(struct sf_port *p)
{
    p->connect->server.open = true;
    show(p);
}

/* Surrounding blanks are no part of what was meant. */
static char *trimmed(const char *text)
{
    size_t from = strspn(text, " \t\r\n"), len = strlen(text);

    while (len > from && strchr(" \t\r\n", text[len - 1]))
        len--;
    return sf_strndup(text + from, len - from);
}

static bool take(struct sf_port *p, const char *what, const char *value, struct sf_error *err)
{
    struct sf_connect_typed *s = &p->connect->server;

    if (!strcmp(what, "name")) {
        if (!sf_connect_check_name(sf_port_settings(p), p->setup.session.catalog, value, err))
            return false;
        free(s->name);
        s->name = sf_strdup(value);
        return true;
    }
    if (!sf_connect_check_address(value, err))
        return false;
    free(s->base_url);
    s->base_url = sf_strdup(value);
    return true;
}

static bool written(struct sf_port *p, const char *what, const char *text, struct sf_error *err)
{
    char *value;
    bool ok;

    if (!p->connect)
        return sf_fail(err, SF_E_ARG, "no model is being connected any more");
    value = trimmed(text);
    ok = take(p, what, value, err);
    free(value);
    if (ok)
        show(p);
    return ok;
}

static void ask(struct sf_port *p, const char *what, const char *hint)
{
    struct sf_response r;

    sf_response_init(&r, SF_RESPONSE_FIELD, what);
    snprintf(r.hint, sizeof(r.hint), "%s", hint);
    sf_port_ask_field(p, &r, written, what);
}

void sf_connect_choose_server(struct sf_port *p, const char *value)
{
    struct sf_connect_typed *s = &p->connect->server;

    if (!strcmp(value, "format")) {
        s->format = (s->format + 1) % SF_COUNT(formats);
        show(p);
    } else if (!strcmp(value, "name") || (!strcmp(value, "try") && !s->name)) {
        ask(p, "name", "letters, digits, - and _");
    } else if (!strcmp(value, "address") || (!strcmp(value, "try") && !s->base_url)) {
        ask(p, "address", "what /models and the like are appended to");
    } else if (!strcmp(value, "try")) {
        sf_connect_ask_key(p, s->name);
    }
}

const char *sf_connect_server_format(const struct sf_connect *c)
{
    return formats[c->server.format][0];
}
