/*
 * session_case.c: the parts in the order in which a surface makes them.
 */
#include "support/session_case.h"

#include <stdlib.h>

#include "base/base.h"
#include "port/port.h"
#include "support/decision_check.h"
#include "support/test.h"

/* Thousands of turns do without snapshots; tests of these switch them on. */
static const char settings[] = "[network]\nretries = 0\nretry_wait = 0.001\n"
                               "[snapshots]\nenabled = false\n";

static void must(bool ok, const struct sf_error *err)
{
    if (!ok)
        fail_msg("%s", err->msg);
}

static void make_places(struct session_case *c)
{
    struct sf_error err = SF_ERROR_INIT;
    char *top = test_dir_new();

    c->dir = sf_path_real(top, &err);
    free(top);
    c->state_dir = test_path(c->dir, "state");
    c->workspace.root = test_path(c->dir, "work");
    c->workspace.project = sf_strdup(c->workspace.root);
    must(sf_dir_make(c->workspace.root, 0755, &err), &err);
    /* nothing of the user's own settings is read */
    assert_int_equal(setenv("XDG_CONFIG_HOME", c->dir, 1), 0);
    assert_int_equal(setenv("HOME", c->dir, 1), 0);
}

int session_case_setup(void **state)
{
    struct session_case *c = sf_alloc(sizeof(*c));
    struct sf_error err = SF_ERROR_INIT;

    *state = c;
    sf_strbuf_init(&c->text);
    sf_strbuf_init(&c->heard);
    c->policy = (struct sf_policy_context){ .root = SF_PLACE_ROOT_INIT };
    make_places(c);
    sf_strlist_add(&c->tools, "Read");
    sf_strlist_add(&c->tools, "Write");
    c->config = sf_config_new();
    sf_config_add_file(c->config, SF_LAYER_USER, "test", settings, sizeof(settings) - 1, true);
    must(sf_policy_context_init(&c->policy, c->config, &c->workspace, &err), &err);
    c->loop = sf_loop_new(&err);
    must(c->loop != NULL, &err);
    c->workers = sf_workers_new(c->loop, 2);
    c->catalog = sf_catalog_new(NULL, 0, &err);
    must(c->catalog != NULL, &err);
    c->store = sf_store_open(c->state_dir, SF_STORE_WRITE, &err);
    must(c->store != NULL, &err);
    return 0;
}

int session_case_teardown(void **state)
{
    struct session_case *c = *state;

    sf_session_close(c->session);
    sf_workers_free(c->workers);
    model_server_stop(c->server);
    sf_store_close(c->store);
    decision_check_or_fail(c->state_dir);
    sf_provider_release(&c->provider);
    sf_catalog_free(c->catalog);
    sf_policy_context_release(&c->policy);
    sf_config_free(c->config);
    sf_loop_free(c->loop);
    sf_workspace_release(&c->workspace);
    sf_strlist_release(&c->tools);
    sf_strbuf_release(&c->text);
    sf_strbuf_release(&c->heard);
    free(c->asked);
    free(c->state_dir);
    test_dir_free(c->dir);
    free(c);
    return 0;
}

void session_case_serve(struct session_case *c, enum sf_wire_format format, const char *scenario)
{
    const struct model_server_options options = { .scenario = scenario };
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf url = SF_STRBUF_INIT;

    sf_session_close(c->session);
    c->session = NULL;
    model_server_stop(c->server);
    c->server = model_server_start(&options, &err);
    if (!c->server)
        fail_msg("the scenario's line %u: %s", err.line, err.msg);
    sf_strbuf_addf(&url, "%s%s", model_server_url(c->server),
                   format == SF_WIRE_ANTHROPIC ? "" : "/v1");
    sf_provider_release(&c->provider);
    c->provider = (struct sf_provider){ .kind = SF_PROVIDER_HTTP, .format = format, .local = true };
    c->provider.name = sf_strdup("scripted");
    c->provider.base_url = sf_strbuf_detach(&url);
    c->provider.key = sf_strdup("test-key");
    for (size_t i = 0; i < SF_COUNT(c->provider.tiers); i++)
        c->provider.tiers[i] = sf_strdup("test-model");
}

/* The last answer of the history, which is complete by definition, holds the call. */
static bool is_in_history(const struct session_case *c, const char *id)
{
    const struct sf_history *h = sf_session_history(c->session);
    size_t n = h->count;

    while (n > 0 && h->messages[n - 1].role != SF_ROLE_ASSISTANT)
        n--;
    for (size_t i = 0; n > 0 && i < h->messages[n - 1].count; i++) {
        const struct sf_block *b = &h->messages[n - 1].blocks[i];

        if (b->kind == SF_BLOCK_CALL && !strcmp(b->id, id))
            return true;
    }
    return false;
}

static void hear(struct session_case *c, const struct sf_event *t)
{
    if (t->kind == SF_EVENT_NOTICE)
        sf_strbuf_addf(&c->heard, "%.*s\n", (int)t->notice.len, t->notice.text);
    if (t->kind == SF_EVENT_ASK && t->ask.preview)
        sf_strbuf_addf(&c->heard, "%s\n", t->ask.preview);
    if (t->kind == SF_EVENT_RESULT)
        sf_strbuf_addf(&c->heard, "%s: %s\n%s\n", t->call->name,
                       t->result.tool->summary ? t->result.tool->summary : "",
                       t->result.tool->text.buf);
}

static void event(void *ctx, const struct sf_event *t)
{
    struct session_case *c = ctx;

    if (t->kind != SF_EVENT_DONE || !t->depth)
        c->event[t->kind]++;
    hear(c, t);
    if (c->watch)
        c->watch(c->watch_ctx, t);
    if (t->kind == SF_EVENT_ASK) {
        free(c->asked);
        c->asked = sf_strdup(t->call->id);
    }
    if (t->kind == SF_EVENT_RESTART)
        sf_strbuf_reset(&c->text);
    if (t->kind == SF_EVENT_TEXT)
        sf_strbuf_add(&c->text, t->words.text, t->words.len);
    if (t->kind == SF_EVENT_CALL) {
        c->called_at = model_server_count(c->server);
        c->call_out_of_answer = c->call_out_of_answer || !is_in_history(c, t->call->id);
    }
    if (t->kind == SF_EVENT_DONE) {
        c->status = t->done.status;
        c->error = *t->done.error;
        if (!t->depth)
            sf_event_reason(&t->done, &c->heard);
    }
}

void session_case_open(struct session_case *c, const char *resume)
{
    struct sf_error err = SF_ERROR_INIT;
    char *id = resume ? sf_strdup(resume) : NULL;
    struct sf_session_setup setup = { .loop = c->loop,
                                      .workers = c->workers,
                                      .store = c->store,
                                      .config = c->config,
                                      .workspace = &c->workspace,
                                      .policy = &c->policy,
                                      .catalog = c->catalog,
                                      .provider = &c->provider,
                                      .state_dir = c->state_dir,
                                      .below = c->below ? c->below : "",
                                      .resume = id,
                                      .allowed = &c->tools,
                                      .attended = c->attended,
                                      .at_leisure = c->at_leisure,
                                      .event = event,
                                      .ctx = c };

    sf_mode_state_init(&setup.state, SF_SURFACE_HEADLESS);
    sf_mode_state_set(&setup.state, SF_AXIS_WORK, SF_WORK_BUILD);
    sf_mode_state_set(&setup.state, SF_AXIS_CONTROL, SF_RUN_ASSISTED);
    sf_mode_state_set(&setup.state, SF_AXIS_PROFILE, SF_PROFILE_TRUSTED);
    if (c->scope)
        sf_mode_state_set_scope(&setup.state, c->scope);
    sf_session_close(c->session);
    c->session = sf_session_open(&setup, &err);
    must(c->session != NULL, &err);
    free(id);
}

void session_case_settings(struct session_case *c, const char *toml)
{
    struct sf_error err = SF_ERROR_INIT;

    sf_config_add_file(c->config, SF_LAYER_USER, "test", toml, strlen(toml), true);
    sf_policy_context_release(&c->policy);
    must(sf_policy_context_init(&c->policy, c->config, &c->workspace, &err), &err);
}

static void answer(struct session_case *c)
{
    char *id = c->asked;

    c->asked = NULL;
    if (id)
        sf_session_answer(c->session, id, c->reply, NULL, "test");
    free(id);
}

void session_case_window(struct session_case *c, int window, int max_output)
{
    struct sf_strbuf toml = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;

    sf_strbuf_addf(&toml, "[models.scripted.\"test-model\"]\nwindow = %d\nmax_output = %d\n",
                   window, max_output);
    sf_catalog_free(c->catalog);
    c->catalog = sf_catalog_new(toml.buf, toml.len, &err);
    must(c->catalog != NULL, &err);
    sf_strbuf_release(&toml);
}

void session_case_wait(struct session_case *c)
{
    int64_t deadline = sf_clock_monotonic_ms() + SESSION_CASE_HANG_MS;

    while (!c->event[SF_EVENT_DONE]) {
        if (sf_clock_monotonic_ms() > deadline)
            fail_msg("it hangs");
        sf_loop_turn(c->loop, 1000);
        answer(c);
    }
}

void session_case_turn(struct session_case *c, const char *words)
{
    struct sf_error err = SF_ERROR_INIT;

    memset(c->event, 0, sizeof(c->event));
    sf_strbuf_reset(&c->text);
    sf_strbuf_reset(&c->heard);
    c->called_at = 0;
    c->call_out_of_answer = false;
    must(sf_session_send(c->session, words, strlen(words), &err), &err);
    session_case_wait(c);
}

char *session_case_body(struct session_case *c, size_t request)
{
    static const char mark[] = "\\ndate: "; /* as it stands in JSON */
    size_t len;
    const char *sent = model_server_body(c->server, request, &len);
    char *body = sf_strndup(sent, len);

    for (char *at = body; (at = strstr(at, mark));) {
        size_t n;

        at += sizeof(mark) - 1;
        n = strcspn(at, "\\");
        memmove(at, at + n, strlen(at + n) + 1);
    }
    return body;
}

static bool is_utf8(const char *text, size_t len)
{
    return !text || sf_utf8_valid(text, len, NULL);
}

void session_case_check_history(struct session_case *c, const char *name)
{
    const struct sf_history *h = sf_session_history(c->session);
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_history_check(h, &err))
        fail_msg("%s: %s", name, err.msg);
    for (size_t i = 0; i < h->count; i++)
        for (size_t k = 0; k < h->messages[i].count; k++)
            if (!is_utf8(h->messages[i].blocks[k].text, h->messages[i].blocks[k].len))
                fail_msg("%s: message %zu is no UTF-8", name, i);
}

void session_case_check_server(struct session_case *c, const char *name)
{
    const char *complaint = model_server_complaint(c->server, 0);

    if (complaint)
        fail_msg("%s: the server says: %s", name, complaint);
}
