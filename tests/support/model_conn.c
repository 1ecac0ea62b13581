/*
 * model_conn.c: the machine of one connection. It reads a request, hands it to the responder, writes
 * head and body piece by piece, and starts again. It keeps reading while it writes, so as to see a
 * client that leaves; what comes early waits for its turn.
 */
#include "support/model_conn.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE = 64 * 1024, EARLY_MAX = 1024 * 1024, RESET_WAITS_MAX = 1000 };

enum phase {
    READING, /* a request */
    WAITING, /* for a timer, or for the client to lose patience */
    WRITING,
};

struct model_conn {
    struct model_host host;
    int fd;
    size_t number;
    uint64_t watch, timer;
    enum phase phase;
    struct sf_strbuf in, out;
    size_t out_at; /* bytes of `out` that went */
    struct model_http http;
    struct model_outgoing answer;
    bool has_answer; /* of request `record` */
    bool head_out;   /* the head is on its way */
    bool finishing;  /* nothing behind `out` */
    bool fresh;      /* nothing was received yet */
    int reset_waits; /* so far */
    size_t record;
    int64_t sent_at, came_at; /* the last bytes out, the first of what is in `in` */
    struct model_times times;
};

static void on_ready(void *ctx, int fd, unsigned events);
static void wait_ms(struct model_conn *c, int64_t ms, sf_loop_fn *fn);
static void read_on(struct model_conn *c);

struct model_conn *model_conn_new(const struct model_host *host, int fd, size_t number)
{
    struct model_conn *c = sf_alloc(sizeof(*c));
    int one = 1;

    c->host = *host;
    c->fd = fd;
    c->number = number;
    c->fresh = true;
    sf_strbuf_init(&c->in);
    sf_strbuf_init(&c->out);
    sf_strbuf_init(&c->http.body);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    c->watch = sf_loop_watch_fd(host->loop, fd, SF_FD_READ, on_ready, c);
    return c;
}

void model_conn_free(struct model_conn *c)
{
    if (!c)
        return;
    if (c->has_answer)
        model_book_done(c->host.book, c->record, true, model_now_us());
    sf_loop_remove(c->host.loop, c->watch);
    sf_loop_remove(c->host.loop, c->timer);
    close(c->fd);
    sf_strbuf_release(&c->in);
    sf_strbuf_release(&c->out);
    model_http_release(&c->http);
    model_outgoing_release(&c->answer);
    free(c);
}

static void end(struct model_conn *c)
{
    c->host.closed(c->host.ctx, c);
    model_conn_free(c);
}

/* The answer is as complete as it was meant to be. */
static void note_sent(struct model_conn *c)
{
    if (c->has_answer)
        model_book_done(c->host.book, c->record, false, c->sent_at);
    c->has_answer = false;
}

static void end_hard(void *ctx)
{
    struct model_conn *c = ctx;
    struct linger linger = { .l_onoff = 1, .l_linger = 0 };
    int unsent = 0;

    /* a reset takes back what the kernel has not delivered yet */
    c->timer = 0;
    if (c->reset_waits++ < RESET_WAITS_MAX && !ioctl(c->fd, SIOCOUTQ, &unsent) && unsent) {
        wait_ms(c, 1, end_hard);
        return;
    }
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
    note_sent(c);
    end(c);
}

static void end_softly(struct model_conn *c)
{
    note_sent(c);
    end(c);
}

static void rewatch(struct model_conn *c)
{
    unsigned events = c->in.len < EARLY_MAX ? SF_FD_READ : 0;

    if (c->phase == WRITING || (c->phase == READING && c->out_at < c->out.len))
        events |= SF_FD_WRITE;
    sf_loop_change_fd(c->host.loop, c->watch, events);
}

static void on_timer(void *ctx)
{
    struct model_conn *c = ctx;

    c->timer = 0;
    c->phase = WRITING;
    rewatch(c);
}

static void on_stalled(void *ctx)
{
    struct model_conn *c = ctx;

    c->timer = 0;
    end_softly(c);
}

static void wait_ms(struct model_conn *c, int64_t ms, sf_loop_fn *fn)
{
    c->phase = WAITING;
    c->timer = sf_loop_add_timer(c->host.loop, ms, 0, fn, c);
    rewatch(c);
}

static void next_request(struct model_conn *c)
{
    note_sent(c);
    model_outgoing_release(&c->answer);
    model_http_reset(&c->http);
    c->times = (struct model_times){ 0 };
    c->head_out = false;
    c->finishing = false;
    c->phase = READING;
    rewatch(c);
    if (c->in.len)
        read_on(c);
}

static void start_answer(struct model_conn *c)
{
    const struct model_outgoing *a = &c->answer;

    if (c->has_answer)
        model_book_answered(c->host.book, c->record, a->status, c->host.responder->script.number);
    if (c->has_answer)
        model_book_bill(c->host.book, c->record, &a->bill);
    if (a->cut_at == MODEL_AT_HEADERS) {
        if (a->cut_resets)
            end_hard(c);
        else
            end_softly(c);
    } else if (a->stall_at == MODEL_AT_HEADERS) {
        wait_ms(c, MODEL_STALL_MS, on_stalled);
    } else if (a->header_delay_ms) {
        wait_ms(c, a->header_delay_ms, on_timer);
    } else {
        c->phase = WRITING;
        rewatch(c);
    }
}

static void take_request(struct model_conn *c)
{
    c->times.received = c->sent_at = model_now_us();
    if (model_book_count(c->host.book) >= MODEL_RECORDS_MAX) {
        model_responder_plain(&c->answer, 503, "there were too many requests to remember");
    } else {
        c->record = model_book_add(c->host.book, &c->http, c->number, &c->times);
        c->has_answer = true;
        model_responder_answer(c->host.responder, &c->http, &c->answer);
        if (c->answer.complaint)
            model_book_complain(c->host.book, c->record, c->answer.complaint);
    }
    start_answer(c);
}

/* What begins like a TLS hello gets plain bytes back. */
static void answer_hello(struct model_conn *c)
{
    c->host.hello(c->host.ctx);
    sf_strbuf_adds(&c->out, "this server speaks plain HTTP\r\n");
    sf_strbuf_reset(&c->in);
    c->finishing = true;
    c->head_out = true;
    c->phase = WRITING;
    rewatch(c);
}

static void read_on(struct model_conn *c)
{
    const char *why = NULL;
    int status = 0;

    if (!c->times.first_byte)
        c->times.first_byte = c->came_at;
    if (c->fresh && c->in.buf[0] == 0x16) {
        answer_hello(c);
        return;
    }
    c->fresh = false;
    switch (model_http_feed(&c->http, &c->in, &status, &why)) {
    case MODEL_HTTP_READY:
        take_request(c);
        break;
    case MODEL_HTTP_BAD:
        model_responder_plain(&c->answer, status, why);
        start_answer(c);
        break;
    case MODEL_HTTP_MORE:
        if (c->http.wants_continue)
            sf_strbuf_adds(&c->out, "HTTP/1.1 100 Continue\r\n\r\n");
        c->http.wants_continue = false;
        rewatch(c);
        break;
    }
}

/* False when the connection may be gone, or there is nothing else to do for it now. */
static bool receive(struct model_conn *c)
{
    ssize_t n = recv(c->fd, sf_strbuf_room(&c->in, PIECE), PIECE, 0);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0) {
        end(c);
        return false;
    }
    if (!c->in.len)
        c->came_at = model_now_us();
    sf_strbuf_grew(&c->in, (size_t)n);
    if (c->phase == READING) {
        read_on(c);
        return false;
    }
    rewatch(c);
    return true;
}

static void add_chunk(struct model_conn *c, const struct sf_strbuf *bytes)
{
    if (c->answer.chunked)
        sf_strbuf_addf(&c->out, "%zx\r\n", bytes->len);
    sf_strbuf_add(&c->out, bytes->buf, bytes->len);
    if (c->answer.chunked)
        sf_strbuf_adds(&c->out, "\r\n");
}

/* Puts the next thing into `out`, or acts on it; false when the connection is gone or waits. */
static bool refill(struct model_conn *c)
{
    struct sf_strbuf bytes = SF_STRBUF_INIT;
    size_t max = c->answer.write_size ? c->answer.write_size : PIECE;
    enum model_piece_kind kind;
    int64_t ms;

    if (!c->head_out) {
        c->head_out = true;
        sf_strbuf_add(&c->out, c->answer.head.buf, c->answer.head.len);
        return true;
    }
    if (!model_plan_read(&c->answer.body, max, &bytes, &kind, &ms)) {
        c->finishing = true;
        sf_strbuf_adds(&c->out, c->answer.chunked ? "0\r\n\r\n" : "");
        return true;
    }
    if (bytes.len)
        add_chunk(c, &bytes);
    sf_strbuf_release(&bytes);
    switch (kind) {
    case MODEL_PIECE_BYTES:
        return true;
    case MODEL_PIECE_DELAY:
        wait_ms(c, ms, on_timer);
        return false;
    case MODEL_PIECE_STALL:
        wait_ms(c, MODEL_STALL_MS, on_stalled);
        return false;
    case MODEL_PIECE_CLOSE:
        end_softly(c);
        return false;
    case MODEL_PIECE_RESET:
        end_hard(c);
        return false;
    }
    return false;
}

/* One write; true when `out` is empty and the connection lives. */
static bool send_some(struct model_conn *c)
{
    size_t left = c->out.len - c->out_at;
    size_t max = c->answer.write_size && c->answer.write_size < left ? c->answer.write_size : left;
    ssize_t n = max ? send(c->fd, c->out.buf + c->out_at, max, MSG_NOSIGNAL) : 0;

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n < 0) {
        end(c);
        return false;
    }
    if (n)
        c->sent_at = model_now_us();
    c->out_at += (size_t)n;
    if (c->out_at < c->out.len) {
        if (c->answer.pace_ms)
            wait_ms(c, c->answer.pace_ms, on_timer);
        return false;
    }
    sf_strbuf_reset(&c->out);
    c->out_at = 0;
    return true;
}

static void write_on(struct model_conn *c)
{
    if (!send_some(c))
        return;
    if (c->phase == READING) {
        rewatch(c);
    } else if (c->finishing) {
        if (c->answer.close || c->fresh)
            end_softly(c);
        else
            next_request(c);
    } else if (refill(c) && c->answer.pace_ms) {
        wait_ms(c, c->answer.pace_ms, on_timer);
    }
}

static void on_ready(void *ctx, int fd, unsigned events)
{
    struct model_conn *c = ctx;

    (void)fd;
    if (events & SF_FD_READ && !receive(c))
        return;
    if (events & SF_FD_WRITE && c->phase != WAITING)
        write_on(c);
}
