/*
 * peer.c: sockets and threads behind a mutex. A pipe that is closed at the end wakes whoever
 * still waits.
 */
#include "support/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/base.h"
#include "support/test.h"

enum { CONNECTIONS_MAX = 4096 };

struct peer {
    const struct peer_answer *answers;
    size_t count;
    int listener, port;
    int stop[2], go[2];
    pthread_t acceptor, threads[CONNECTIONS_MAX];
    pthread_mutex_t lock;
    size_t connections, requests, answered;
    struct sf_strbuf last;
};

struct visit {
    struct peer *peer;
    int fd;
};

/* False when the peer is being stopped. */
static bool wait_readable(const struct peer *peer, int fd)
{
    struct pollfd fds[2] = { { .fd = fd, .events = POLLIN },
                             { .fd = peer->stop[0], .events = POLLIN } };

    while (poll(fds, 2, -1) < 0)
        ;
    return !fds[1].revents;
}

static size_t body_length(const char *head)
{
    const char *at = strcasestr(head, "\r\ncontent-length:");

    return at ? strtoul(at + 17, NULL, 10) : 0;
}

/* One whole request; false when there is none to come. */
static bool read_request(struct peer *peer, int fd, struct sf_strbuf *in)
{
    sf_strbuf_reset(in);
    for (;;) {
        const char *end = strstr(in->buf, "\r\n\r\n");
        ssize_t n;

        if (end && in->len >= (size_t)(end - in->buf) + 4 + body_length(in->buf))
            return true;
        if (!wait_readable(peer, fd))
            return false;
        n = recv(fd, sf_strbuf_room(in, 65536), 65536, 0);
        if (n <= 0)
            return false;
        sf_strbuf_grew(in, (size_t)n);
    }
}

static const struct peer_answer *take_answer(struct peer *peer, const struct sf_strbuf *request)
{
    const struct peer_answer *answer;

    pthread_mutex_lock(&peer->lock);
    answer = &peer->answers[peer->requests < peer->count ? peer->requests : peer->count - 1];
    peer->requests++;
    sf_strbuf_reset(&peer->last);
    sf_strbuf_add(&peer->last, request->buf, request->len);
    pthread_mutex_unlock(&peer->lock);
    return answer;
}

static bool write_bytes(int fd, const char *bytes, size_t len, size_t piece)
{
    for (size_t at = 0; at < len;) {
        size_t want = piece && piece < len - at ? piece : len - at;
        ssize_t n = send(fd, bytes + at, want, MSG_NOSIGNAL);

        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static bool write_answer(const struct peer *peer, int fd, const struct peer_answer *answer)
{
    size_t len = answer->len ? answer->len : strlen(answer->bytes);
    char byte;

    if (!write_bytes(fd, answer->bytes, answer->hold ? answer->hold : len, answer->piece))
        return false;
    if (!answer->hold)
        return true;
    return wait_readable(peer, peer->go[0]) && read(peer->go[0], &byte, 1) == 1 &&
           write_bytes(fd, answer->bytes + answer->hold, len - answer->hold, answer->piece);
}

static void note_answered(struct peer *peer)
{
    pthread_mutex_lock(&peer->lock);
    peer->answered++;
    pthread_mutex_unlock(&peer->lock);
}

void peer_go_on(struct peer *peer)
{
    assert_int_equal(write(peer->go[1], "", 1), 1);
}

static void wait_until_gone(struct peer *peer, int fd)
{
    char byte;

    while (wait_readable(peer, fd) && recv(fd, &byte, 1, 0) > 0)
        ;
}

static void *serve(void *ctx)
{
    struct visit *visit = ctx;
    struct sf_strbuf request = SF_STRBUF_INIT;
    enum peer_then then = PEER_KEEP;

    while (then == PEER_KEEP &&
           (visit->peer->answers[0].deaf || read_request(visit->peer, visit->fd, &request))) {
        const struct peer_answer *answer = take_answer(visit->peer, &request);

        then = write_answer(visit->peer, visit->fd, answer) ? answer->then : PEER_CLOSE;
        note_answered(visit->peer);
    }
    if (then == PEER_STALL)
        wait_until_gone(visit->peer, visit->fd);
    if (then == PEER_RESET) {
        struct linger now = { .l_onoff = 1, .l_linger = 0 };

        setsockopt(visit->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    }
    close(visit->fd);
    sf_strbuf_release(&request);
    free(visit);
    return NULL;
}

static void *accept_all(void *ctx)
{
    struct peer *peer = ctx;

    while (wait_readable(peer, peer->listener)) {
        int fd = accept4(peer->listener, NULL, NULL, SOCK_CLOEXEC), one = 1;
        struct visit *visit;

        if (fd < 0)
            continue;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        visit = sf_alloc(sizeof(*visit));
        *visit = (struct visit){ peer, fd };
        pthread_mutex_lock(&peer->lock);
        if (peer->connections == CONNECTIONS_MAX)
            abort();
        pthread_create(&peer->threads[peer->connections++], NULL, serve, visit);
        pthread_mutex_unlock(&peer->lock);
    }
    return NULL;
}

static int bind_on_loopback(int *port)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

struct peer *peer_start(const struct peer_answer *answers, size_t count)
{
    struct peer *peer = sf_alloc(sizeof(*peer));

    peer->answers = answers;
    peer->count = count;
    sf_strbuf_init(&peer->last);
    pthread_mutex_init(&peer->lock, NULL);
    peer->listener = bind_on_loopback(&peer->port);
    assert_int_equal(listen(peer->listener, 64), 0);
    assert_int_equal(pipe(peer->stop), 0);
    assert_int_equal(pipe(peer->go), 0);
    assert_int_equal(pthread_create(&peer->acceptor, NULL, accept_all, peer), 0);
    return peer;
}

void peer_stop(struct peer *peer)
{
    if (!peer)
        return;
    close(peer->stop[1]);
    pthread_join(peer->acceptor, NULL);
    for (size_t i = 0; i < peer->connections; i++)
        pthread_join(peer->threads[i], NULL);
    close(peer->stop[0]);
    close(peer->go[0]);
    close(peer->go[1]);
    close(peer->listener);
    pthread_mutex_destroy(&peer->lock);
    sf_strbuf_release(&peer->last);
    free(peer);
}

int peer_port(const struct peer *peer)
{
    return peer->port;
}

static size_t read_count(struct peer *peer, const size_t *count)
{
    size_t n;

    pthread_mutex_lock(&peer->lock);
    n = *count;
    pthread_mutex_unlock(&peer->lock);
    return n;
}

size_t peer_connections(struct peer *peer)
{
    return read_count(peer, &peer->connections);
}

size_t peer_requests(struct peer *peer)
{
    return read_count(peer, &peer->requests);
}

size_t peer_answered(struct peer *peer)
{
    return read_count(peer, &peer->answered);
}

char *peer_last_request(struct peer *peer)
{
    char *text;

    pthread_mutex_lock(&peer->lock);
    text = sf_strndup(peer->last.buf, peer->last.len);
    pthread_mutex_unlock(&peer->lock);
    return text;
}

/* It stays bound, as the kernel would give a free one to the next who asks. */
int peer_dead_port(void)
{
    static int fd = -1, port;

    if (fd < 0)
        fd = bind_on_loopback(&port);
    return port;
}
