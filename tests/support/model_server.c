/*
 * model_server.c: the listening socket, the connections of one server, and the thread around them.
 * When there are as many connections as it takes, it stops accepting until one ends.
 */
#include "support/model_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/model_conn.h"

enum { CONNECTIONS_MAX = 64 };

struct model_server {
    struct sf_loop *loop;
    pthread_t thread;
    int fd;
    uint16_t port;
    char url[40];
    uint64_t watch;
    struct model_responder responder;
    struct model_book *book;
    struct model_conn *conns[CONNECTIONS_MAX];
    size_t conn_count, accepted;
    atomic_size_t hellos;
};

static void on_closed(void *ctx, struct model_conn *conn)
{
    struct model_server *s = ctx;

    for (size_t i = 0; i < s->conn_count; i++)
        if (s->conns[i] == conn) {
            s->conns[i] = s->conns[--s->conn_count];
            break;
        }
    sf_loop_change_fd(s->loop, s->watch, SF_FD_READ);
}

static void on_hello(void *ctx)
{
    struct model_server *s = ctx;

    atomic_fetch_add(&s->hellos, 1);
}

static void on_client(void *ctx, int fd, unsigned events)
{
    struct model_server *s = ctx;
    const struct model_host host = {
        .loop = s->loop,
        .responder = &s->responder,
        .book = s->book,
        .closed = on_closed,
        .hello = on_hello,
        .ctx = s,
    };
    int client = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    (void)events;
    if (client < 0)
        return;
    s->conns[s->conn_count++] = model_conn_new(&host, client, ++s->accepted);
    if (s->conn_count == CONNECTIONS_MAX)
        sf_loop_change_fd(s->loop, s->watch, 0);
}

static bool listen_on(struct model_server *s, uint16_t port, struct sf_error *err)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    socklen_t len = sizeof(address);
    int one = 1;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->fd < 0)
        return sf_fail_errno(err, "cannot make a socket");
    setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(s->fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(s->fd, 64) < 0 ||
        getsockname(s->fd, (struct sockaddr *)&address, &len) < 0)
        return sf_fail_errno(err, "cannot listen on 127.0.0.1:%u", (unsigned)port);
    s->port = ntohs(address.sin_port);
    snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%u", (unsigned)s->port);
    return true;
}

static bool load_scenario(struct model_server *s, const struct model_server_options *options,
                          struct sf_error *err)
{
    struct sf_strlist vars = SF_STRLIST_INIT;
    struct sf_strbuf text = SF_STRBUF_INIT;
    struct model_scenario *scenario = NULL;
    const char *name = options->scenario_file ? options->scenario_file : "the scenario";

    for (size_t i = 0; options->vars && options->vars[i]; i++)
        sf_strlist_add(&vars, options->vars[i]);
    sf_strlist_addf(&vars, "url=%s", s->url);
    if (options->scenario)
        sf_strbuf_adds(&text, options->scenario);
    if (options->scenario ||
        sf_file_read(options->scenario_file, MODEL_SCENARIO_BYTES, &text, err)) {
        scenario = model_scenario_parse(text.buf, text.len, &vars, err);
        if (!scenario)
            sf_error_prefix(err, "%s, line %u: ", name, err->line);
    }
    if (scenario)
        model_responder_init(&s->responder, scenario);
    sf_strlist_release(&vars);
    sf_strbuf_release(&text);
    return scenario != NULL;
}

struct model_server *model_server_open(struct sf_loop *loop,
                                       const struct model_server_options *options,
                                       struct sf_error *err)
{
    struct model_server *s = sf_alloc(sizeof(*s));

    s->loop = loop;
    s->fd = -1;
    if (!listen_on(s, options->port, err) || !load_scenario(s, options, err) ||
        (options->record_dir && !sf_dir_make(options->record_dir, 0700, err))) {
        model_server_close(s);
        return NULL;
    }
    s->book = model_book_new(options->record_dir);
    s->watch = sf_loop_watch_fd(loop, s->fd, SF_FD_READ, on_client, s);
    return s;
}

void model_server_close(struct model_server *s)
{
    if (!s)
        return;
    while (s->conn_count)
        model_conn_free(s->conns[--s->conn_count]);
    sf_loop_remove(s->loop, s->watch);
    if (s->fd >= 0)
        close(s->fd);
    model_responder_release(&s->responder);
    model_book_free(s->book);
    free(s);
}

static void *serve(void *arg)
{
    struct model_server *s = arg;

    sf_loop_run(s->loop);
    return NULL;
}

static void on_stop(void *ctx)
{
    struct model_server *s = ctx;

    sf_loop_stop(s->loop);
}

struct model_server *model_server_start(const struct model_server_options *options,
                                        struct sf_error *err)
{
    struct sf_loop *loop = sf_loop_new(err);
    struct model_server *s = loop ? model_server_open(loop, options, err) : NULL;
    sigset_t all, before;

    if (!s) {
        sf_loop_free(loop);
        return NULL;
    }
    /* signals are for the test's own thread */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&s->thread, NULL, serve, s))
        abort();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s;
}

void model_server_stop(struct model_server *s)
{
    struct sf_loop *loop;

    if (!s)
        return;
    loop = s->loop;
    sf_loop_post(loop, on_stop, s);
    pthread_join(s->thread, NULL);
    model_server_close(s);
    sf_loop_free(loop);
}

uint16_t model_server_port(const struct model_server *s)
{
    return s->port;
}

const char *model_server_url(const struct model_server *s)
{
    return s->url;
}

size_t model_server_count(struct model_server *s)
{
    return model_book_count(s->book);
}

const char *model_server_body(struct model_server *s, size_t i, size_t *len)
{
    return model_book_body(s->book, i, len);
}

const char *model_server_path(struct model_server *s, size_t i)
{
    return model_book_path(s->book, i);
}

const char *model_server_header(struct model_server *s, size_t i, const char *name)
{
    return model_book_header(s->book, i, name);
}

size_t model_server_connection(struct model_server *s, size_t i)
{
    return model_book_connection(s->book, i);
}

int model_server_status(struct model_server *s, size_t i)
{
    return model_book_status(s->book, i);
}

struct model_times model_server_times(struct model_server *s, size_t i)
{
    return model_book_times(s->book, i);
}

struct model_bill model_server_bill(struct model_server *s, size_t i)
{
    return model_book_billed(s->book, i);
}

struct model_bill model_server_ledger(struct model_server *s)
{
    struct model_bill sum = { 0 };

    for (size_t i = 0, count = model_server_count(s); i < count; i++) {
        struct model_bill bill = model_server_bill(s, i);

        sum.input += bill.input;
        sum.output += bill.output;
        sum.cache_read += bill.cache_read;
        sum.cache_write += bill.cache_write;
    }
    return sum;
}

size_t model_server_hellos(struct model_server *s)
{
    return atomic_load(&s->hellos);
}

const char *model_server_complaint(struct model_server *s, size_t i)
{
    return model_book_complaint(s->book, i);
}

size_t model_server_replies(struct model_server *s)
{
    return model_book_replies(s->book);
}

bool model_server_wait(struct model_server *s, size_t count, int timeout_ms)
{
    return model_book_wait(s->book, count, timeout_ms);
}

bool model_server_wait_done(struct model_server *s, size_t count, int timeout_ms)
{
    return model_book_wait_done(s->book, count, timeout_ms);
}
