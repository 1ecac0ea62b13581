/*
 * engine.c: one multi handle on one loop. libcurl says which sockets and which time it waits
 * for; the loop waits; every turn of ours is
 *
 *     socket or timer ─► libcurl works, calls note what came ─► done handles are taken out
 *                     ─► callers are told, and may start, cancel, finish or close anything
 */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "modules/http/http.h"

struct sf_http_engine {
    struct sf_http_engine *next;
    struct sf_loop *loop;
    CURLM *multi;
    struct sf_http_trust trust;
    struct sf_http_call *calls;
    uint64_t timer;
    int holders;
    bool turning; /* callers are being told */
};

static struct sf_http_engine *engines; /* one a loop */

/*
 * Signals rest while libcurl works: it writes to sockets that may be closed (SIGPIPE), and its
 * resolver's threads inherit the mask.
 */
struct quiet {
    sigset_t before;
    bool was_pending;
};

static void quiet_begin(struct quiet *quiet)
{
    sigset_t all, pending;

    sigfillset(&all);
    sigpending(&pending);
    quiet->was_pending = sigismember(&pending, SIGPIPE) > 0;
    pthread_sigmask(SIG_BLOCK, &all, &quiet->before);
}

static void quiet_end(struct quiet *quiet)
{
    static const struct timespec no_wait;
    sigset_t pipe_only;

    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    if (!quiet->was_pending)
        sigtimedwait(&pipe_only, NULL, &no_wait);
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
}

static void unlink_call(struct sf_http_call *call)
{
    struct sf_http_call **at = &call->engine->calls;

    while (*at && *at != call)
        at = &(*at)->next;
    if (*at)
        *at = call->next;
}

/* Out of the list and of libcurl; freed now, or by whoever is telling it something. */
static void drop(struct sf_http_call *call)
{
    struct sf_http_engine *engine = call->engine;

    unlink_call(call);
    sf_loop_remove(engine->loop, call->linger);
    call->linger = 0;
    if (call->easy) {
        struct quiet quiet;

        quiet_begin(&quiet);
        curl_multi_remove_handle(engine->multi, call->easy);
        sf_http_call_over(call, CURLE_OK);
        quiet_end(&quiet);
    }
    call->gone = true;
    if (!call->telling)
        sf_http_call_free(call);
}

/* Takes finished transfers out of libcurl. */
static void collect(struct sf_http_engine *engine)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(engine->multi, &left))) {
        CURLcode code = message->data.result;
        CURL *easy = message->easy_handle;
        struct sf_http_call *call = NULL;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &call);
        curl_multi_remove_handle(engine->multi, easy);
        sf_http_call_over(call, code);
        if (call->orphan)
            drop(call);
    }
}

static struct sf_http_call *next_with_news(const struct sf_http_engine *engine)
{
    struct sf_http_call *call = engine->calls;

    while (call && !sf_http_call_has_news(call))
        call = call->next;
    return call;
}

static void end_engine(struct sf_http_engine *engine)
{
    struct quiet quiet;

    quiet_begin(&quiet);
    curl_multi_cleanup(engine->multi); /* its sockets' watches go with their connections */
    quiet_end(&quiet);
    sf_loop_remove(engine->loop, engine->timer);
    sf_http_trust_release(&engine->trust);
    free(engine);
}

static void turn(struct sf_http_engine *engine, curl_socket_t fd, int events)
{
    struct quiet quiet;
    struct sf_http_call *call;
    int running;

    quiet_begin(&quiet);
    curl_multi_socket_action(engine->multi, fd, events, &running);
    collect(engine);
    quiet_end(&quiet);
    engine->turning = true;
    while ((call = next_with_news(engine))) {
        sf_http_call_tell(call);
        if (call->gone)
            sf_http_call_free(call);
        else if (call->done && !call->orphan)
            drop(call);
    }
    engine->turning = false;
    if (!engine->holders)
        end_engine(engine);
}

static void on_time(void *ctx)
{
    struct sf_http_engine *engine = ctx;

    engine->timer = 0;
    turn(engine, CURL_SOCKET_TIMEOUT, 0);
}

static void on_socket(void *ctx, int fd, unsigned events)
{
    int what =
        (events & SF_FD_READ ? CURL_CSELECT_IN : 0) | (events & SF_FD_WRITE ? CURL_CSELECT_OUT : 0);

    turn(ctx, fd, what);
}

static int watch_timer(CURLM *multi, long timeout_ms, void *ctx)
{
    struct sf_http_engine *engine = ctx;

    (void)multi;
    sf_loop_remove(engine->loop, engine->timer);
    engine->timer = 0;
    if (timeout_ms >= 0)
        engine->timer = sf_loop_add_timer(engine->loop, timeout_ms, 0, on_time, engine);
    return 0;
}

/* `slot` is what libcurl keeps for us beside the socket: the id of its watch. */
static int watch_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *slot)
{
    struct sf_http_engine *engine = ctx;
    uint64_t *id = slot;
    unsigned events =
        (what & CURL_POLL_IN ? SF_FD_READ : 0u) | (what & CURL_POLL_OUT ? SF_FD_WRITE : 0u);

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (id)
            sf_loop_remove(engine->loop, *id);
        curl_multi_assign(engine->multi, fd, NULL);
        free(id);
        return 0;
    }
    if (id) {
        sf_loop_change_fd(engine->loop, *id, events);
        return 0;
    }
    id = sf_alloc(sizeof(*id));
    *id = sf_loop_watch_fd(engine->loop, fd, events, on_socket, engine);
    curl_multi_assign(engine->multi, fd, id);
    return 0;
}

static struct sf_http_engine *new_engine(struct sf_loop *loop, struct sf_error *err)
{
    struct sf_http_engine *engine;
    CURLM *multi = NULL;

    if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
        multi = curl_multi_init();
    if (!multi) {
        sf_fail(err, SF_E_IO, "libcurl does not start");
        return NULL;
    }
    engine = sf_alloc(sizeof(*engine));
    engine->loop = loop;
    engine->multi = multi;
    sf_http_trust_find(&engine->trust);
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, engine);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, watch_timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, engine);
    engine->next = engines;
    engines = engine;
    return engine;
}

struct sf_http_engine *sf_http_open(struct sf_loop *loop, struct sf_error *err)
{
    struct sf_http_engine *engine = engines;

    while (engine && engine->loop != loop)
        engine = engine->next;
    if (!engine)
        engine = new_engine(loop, err);
    if (engine)
        engine->holders++;
    return engine;
}

void sf_http_close(struct sf_http_engine *engine)
{
    struct sf_http_engine **at = &engines;

    if (!engine || --engine->holders)
        return;
    while (*at != engine)
        at = &(*at)->next;
    *at = engine->next;
    while (engine->calls)
        drop(engine->calls);
    if (!engine->turning)
        end_engine(engine);
}

struct sf_http_call *sf_http_start(struct sf_http_engine *engine,
                                   const struct sf_http_request *request,
                                   const struct sf_http_events *events, void *ctx,
                                   struct sf_error *err)
{
    struct sf_http_call *call = sf_http_call_new(request, &engine->trust, err);

    if (!call)
        return NULL;
    call->engine = engine;
    call->events = *events;
    call->ctx = ctx;
    if (curl_multi_add_handle(engine->multi, call->easy) != CURLM_OK) {
        sf_fail(err, SF_E_IO, "libcurl does not take the request");
        sf_http_call_free(call);
        return NULL;
    }
    call->next = engine->calls;
    engine->calls = call;
    return call;
}

void sf_http_cancel(struct sf_http_call *call)
{
    if (!call->gone)
        drop(call);
}

static void on_linger(void *ctx)
{
    struct sf_http_call *call = ctx;

    call->linger = 0;
    drop(call);
}

void sf_http_finish(struct sf_http_call *call)
{
    if (call->gone)
        return;
    if (call->done) {
        drop(call);
        return;
    }
    call->orphan = true;
    sf_strbuf_reset(&call->body);
    call->linger = sf_loop_add_timer(call->engine->loop, SF_HTTP_LINGER_MS, 0, on_linger, call);
}
