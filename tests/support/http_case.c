/*
 * http_case.c: probes and what they share.
 */
#include "support/http_case.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/child.h"
#include "support/test.h"

int http_case_setup(void **state)
{
    struct http_case *f = sf_alloc(sizeof(*f));
    struct sf_error err = SF_ERROR_INIT;

    *state = f;
    for (size_t i = 0; i < SF_COUNT(f->probes); i++) {
        f->probes[i].fixture = f;
        sf_strbuf_init(&f->probes[i].body);
    }
    peer_dead_port(); /* its descriptor stays */
    f->fds = child_count_fds();
    f->loop = sf_loop_new(&err);
    f->http = sf_module_http(&err);
    if (!f->http)
        print_error("%s\n", err.msg);
    f->engine = f->http ? f->http->open(f->loop, &err) : NULL;
    return f->engine ? 0 : -1;
}

/* A lookup that was given up ends in its own time and takes its descriptors with it. */
static bool descriptors_return_to(int count)
{
    for (int i = 0; i < 60000 && child_count_fds() != count; i++)
        usleep(1000);
    return child_count_fds() == count;
}

int http_case_teardown(void **state)
{
    struct http_case *f = *state;
    int fds;

    if (f->http)
        f->http->close(f->engine);
    peer_stop(f->peer);
    sf_loop_free(f->loop);
    for (size_t i = 0; i < SF_COUNT(f->probes); i++)
        sf_strbuf_release(&f->probes[i].body);
    fds = f->fds;
    free(f);
    if (descriptors_return_to(fds))
        return 0;
    print_error("descriptors were %d and are %d\n", fds, child_count_fds());
    return -1;
}

static void do_deed(struct probe *p, enum moment moment)
{
    struct http_case *f = p->fixture;

    if (p->did)
        p->after++;
    if (p->did || p->moment != moment)
        return;
    p->did = true;
    if (p->deed == CANCEL)
        f->http->cancel(p->call);
    if (p->deed == FINISH)
        f->http->finish(p->call);
    if (p->deed == CLOSE) {
        f->http->close(f->engine);
        f->engine = NULL;
    }
    p->call = NULL;
}

static void on_head(void *ctx, const struct sf_http_head *head)
{
    struct probe *p = ctx;

    p->heads++;
    p->status = head->status;
    snprintf(p->type, sizeof(p->type), "%s", head->content_type);
    snprintf(p->retry_after, sizeof(p->retry_after), "%s", head->retry_after);
    snprintf(p->request_id, sizeof(p->request_id), "%s", head->request_id);
    snprintf(p->location, sizeof(p->location), "%s", head->location);
    do_deed(p, AT_HEAD);
}

static void on_body(void *ctx, const char *data, size_t len)
{
    struct probe *p = ctx;

    p->pieces++;
    sf_strbuf_add(&p->body, data, len);
    do_deed(p, AT_BODY);
}

static void on_end(void *ctx, const struct sf_http_result *result)
{
    struct probe *p = ctx;

    p->ends++;
    p->end = result->end;
    snprintf(p->message, sizeof(p->message), "%s", result->message);
    do_deed(p, AT_END);
    p->call = NULL;
}

const struct sf_http_events probe_events = { on_head, on_body, on_end };

void probe_begin(struct probe *p, const struct sf_http_request *request)
{
    struct sf_error err = SF_ERROR_INIT;

    p->call = p->fixture->http->start(p->fixture->engine, request, &probe_events, p, &err);
    if (!p->call)
        fail_msg("not started: %s", err.msg);
    assert_int_equal(p->heads + p->pieces + p->ends, 0);
}

void probe_wait(struct probe *p)
{
    while (!p->ends)
        sf_loop_turn(p->fixture->loop, -1);
}

/* Turns until the loop has nothing left to do but timers and idle watches. */
void http_case_settle(struct http_case *f)
{
    for (int i = 0; i < 50; i++)
        sf_loop_turn(f->loop, 1);
}

char *http_case_url(const char *scheme, int port, char *buf, size_t size)
{
    snprintf(buf, size, "%s://127.0.0.1:%d/v1/x", scheme, port);
    return buf;
}

void http_case_serve(struct http_case *f, const struct peer_answer *answers, size_t count)
{
    peer_stop(f->peer);
    f->peer = peer_start(answers, count);
}

void probe_reset(struct probe *p)
{
    struct http_case *f = p->fixture;

    sf_strbuf_release(&p->body);
    memset(p, 0, sizeof(*p));
    sf_strbuf_init(&p->body);
    p->fixture = f;
}
