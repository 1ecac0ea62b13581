/*
 * port_case.c: the parts of session_case, and a surface that writes down what it is told.
 */
#include "support/port_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static void must(bool ok, const struct sf_error *err)
{
    if (!ok)
        fail_msg("%s", err->msg);
}

/* ---- the surface ---- */

static void on_event(void *ctx, const struct sf_event *event)
{
    struct port_case *c = ctx;
    struct sf_strbuf words = SF_STRBUF_INIT;

    c->events[event->kind]++;
    if (c->parts->watch)
        c->parts->watch(c->parts->watch_ctx, event);
    if (event->kind == SF_EVENT_ASK) {
        free(c->asked);
        c->asked = sf_strdup(event->call->id);
        c->keeps = sf_ask_keeps(&event->ask, &words);
    }
    sf_strbuf_release(&words);
}

static void copy_rows(struct sf_response *to, const struct sf_response *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct sf_response_row *row = sf_response_row(to, from->rows[i].value);

        row->heading = from->rows[i].heading;
        row->current = from->rows[i].current;
        for (size_t k = 0; k < from->rows[i].cells.count; k++)
            sf_response_cell(to, "%s", from->rows[i].cells.items[k]);
    }
}

static void on_response(void *ctx, const struct sf_response *r)
{
    struct port_case *c = ctx;
    struct sf_response *copy;

    c->said = sf_grow(c->said, &c->cap, c->count + 1, sizeof(*c->said));
    copy = &c->said[c->count++];
    *copy = *r;
    copy->cursor = NULL; /* borrowed */
    sf_strbuf_init(&copy->text);
    sf_strbuf_add(&copy->text, r->text.buf, r->text.len);
    copy->rows = NULL;
    copy->count = copy->cap = 0;
    copy_rows(copy, r);
}

static bool on_entered(void *ctx, bool resumed, struct sf_error *err)
{
    struct port_case *c = ctx;

    (void)resumed;
    (void)err;
    c->entered++;
    return true;
}

static bool provide(void *ctx, const char *resume, struct sf_session_setup *session,
                    struct sf_error *err)
{
    struct port_case *c = ctx;

    (void)resume;
    (void)err;
    session->provider = &c->parts->provider;
    return true;
}

/* ---- life ---- */

int port_case_setup(void **state)
{
    struct port_case *c = sf_alloc(sizeof(*c));
    void *parts;

    session_case_setup(&parts);
    c->parts = parts;
    c->parts->provider = (struct sf_provider){ .kind = SF_PROVIDER_OFFLINE, .local = true };
    c->parts->provider.name = sf_strdup("offline");
    *state = c;
    return 0;
}

static void forget(struct port_case *c)
{
    for (size_t i = 0; i < c->count; i++)
        sf_response_release(&c->said[i]);
    c->count = 0;
    memset(c->events, 0, sizeof(c->events));
}

int port_case_teardown(void **state)
{
    struct port_case *c = *state;
    void *parts = c->parts;

    sf_port_close(c->port);
    forget(c);
    free(c->said);
    free(c->asked);
    session_case_teardown(&parts);
    free(c);
    return 0;
}

static struct sf_session_setup session_setup(struct port_case *c)
{
    struct session_case *parts = c->parts;
    struct sf_session_setup setup = { .loop = parts->loop,
                                      .workers = parts->workers,
                                      .store = parts->store,
                                      .config = parts->config,
                                      .workspace = &parts->workspace,
                                      .policy = &parts->policy,
                                      .catalog = parts->catalog,
                                      .provider = &parts->provider,
                                      .state_dir = parts->state_dir,
                                      .below = "",
                                      .attended = parts->attended };

    setup.budget.limit[SF_BUDGET_COST] = c->cost_limit;
    sf_mode_state_init(&setup.state, c->stays ? SF_SURFACE_HEADLESS : SF_SURFACE_TUI);
    sf_mode_state_set(&setup.state, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_mode_state_set(&setup.state, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
    sf_mode_state_set(&setup.state, SF_AXIS_PROFILE, SF_PROFILE_TRUSTED);
    return setup;
}

/* The user's file alone, as it is now. */
static struct sf_config *reload(void *ctx, struct sf_error *err)
{
    struct port_case *c = ctx;
    char *path = test_path(c->parts->dir, "sf/config.toml");
    struct sf_config *config = sf_config_new();
    struct sf_strbuf text = SF_STRBUF_INIT;

    must(sf_file_read(path, 65536, &text, err), err);
    sf_config_add_file(config, SF_LAYER_USER, path, text.buf, text.len, true);
    sf_strbuf_release(&text);
    free(path);
    return config;
}

void port_case_open(struct port_case *c, const char *resume)
{
    const struct sf_port_setup setup = { .session = session_setup(c),
                                         .surface = { .event = on_event,
                                                      .response = on_response,
                                                      .entered = c->stays ? NULL : on_entered,
                                                      .settings = c->settings,
                                                      .ctx = c },
                                         .sends_queue = !c->stays,
                                         .reload = c->reloads ? reload : NULL,
                                         .provide = provide,
                                         .ctx = c };
    struct sf_error err = SF_ERROR_INIT;
    char *id = resume ? sf_strdup(resume) : NULL;

    sf_port_close(c->port);
    forget(c);
    c->port = sf_port_open(&setup);
    must(sf_port_enter(c->port, id, &err), &err);
    free(id);
}

/* ---- doing ---- */

static void answer(struct port_case *c)
{
    char *id = c->asked;

    c->asked = NULL;
    if (id)
        sf_port_answer(c->port, id, c->parts->reply, NULL, "test");
    free(id);
}

static bool has_question(const struct port_case *c)
{
    return c->count && c->said[c->count - 1].kind == SF_RESPONSE_QUESTION;
}

void port_case_wait(struct port_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!sf_port_is_idle(c->port) && !has_question(c)) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("it hangs");
        sf_loop_turn(c->parts->loop, 1000);
        answer(c);
    }
}

void port_case_begin(struct port_case *c, const char *line)
{
    forget(c);
    sf_port_line(c->port, line);
}

void port_case_line(struct port_case *c, const char *line)
{
    port_case_begin(c, line);
    port_case_wait(c);
}

/* ---- looking ---- */

static void fail_with_said(const struct port_case *c, const char *complaint)
{
    struct sf_strbuf all = SF_STRBUF_INIT;

    for (size_t i = 0; i < c->count; i++) {
        sf_strbuf_addf(&all, "[%s] ", sf_response_kinds[c->said[i].kind]);
        sf_response_text(&c->said[i], &all);
    }
    print_error("what was said:\n%s\n", all.buf);
    sf_strbuf_release(&all);
    fail_msg("%s", complaint);
}

const struct sf_response *port_case_said(struct port_case *c, enum sf_response_kind kind)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->said[i].kind == kind)
            return &c->said[i];
    fail_with_said(c, sf_response_kinds[kind]);
    return NULL;
}

void port_case_expect(struct port_case *c, enum sf_response_kind kind, const char *words)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->said[i].kind == kind && strstr(c->said[i].text.buf, words))
            return;
    fail_with_said(c, words);
}

const struct sf_response_row *port_case_row(const struct sf_response *r, const char *value)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->rows[i].value, value))
            return &r->rows[i];
    return NULL;
}
