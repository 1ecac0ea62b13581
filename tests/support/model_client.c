/*
 * model_client.c: reading responses by their framing: chunks, a length, or up to the end.
 */
#include "support/model_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

bool model_client_open(struct model_client *client, uint16_t port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    struct timeval timeout = { .tv_sec = MODEL_CLIENT_MS / 1000 };

    sf_strbuf_init(&client->in);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    return client->fd >= 0 && !connect(client->fd, (struct sockaddr *)&address, sizeof(address));
}

void model_client_close(struct model_client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    client->fd = -1;
    sf_strbuf_release(&client->in);
}

bool model_client_send(struct model_client *client, const void *bytes, size_t len)
{
    const char *at = bytes;

    while (len) {
        ssize_t n = send(client->fd, at, len, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

bool model_client_post(struct model_client *client, const char *path, const char *key,
                       const char *body)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    bool ok;

    key = key ? key : "test-key";
    sf_strbuf_addf(&text, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n", path);
    sf_strbuf_addf(&text, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                   strlen(body));
    if (!strcmp(path, "/v1/messages"))
        sf_strbuf_addf(&text, "X-Api-Key: %s\r\nAnthropic-Version: 2023-06-01\r\n\r\n", key);
    else
        sf_strbuf_addf(&text, "Authorization: Bearer %s\r\n\r\n", key);
    sf_strbuf_adds(&text, body);
    ok = model_client_send(client, text.buf, text.len);
    sf_strbuf_release(&text);
    return ok;
}

/* More bytes; otherwise the response is over, in this way. */
static bool receive(struct model_client *client, enum model_ending *ending)
{
    ssize_t n;

    do
        n = recv(client->fd, sf_strbuf_room(&client->in, 65536), 65536, 0);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        sf_strbuf_grew(&client->in, (size_t)n);
    else if (n == 0)
        *ending = MODEL_CUT;
    else
        *ending = errno == EAGAIN ? MODEL_TIMED_OUT : MODEL_RESET;
    return n > 0;
}

/* Moves `len` bytes to `out`, or what there is until the end. */
static bool take(struct model_client *client, size_t len, struct sf_strbuf *out,
                 enum model_ending *ending)
{
    while (client->in.len < len)
        if (!receive(client, ending)) {
            sf_strbuf_add(out, client->in.buf, client->in.len);
            sf_strbuf_reset(&client->in);
            return false;
        }
    sf_strbuf_add(out, client->in.buf, len);
    sf_strbuf_splice(&client->in, 0, len, "", 0);
    return true;
}

/* Everything up to and with the mark. */
static bool take_to(struct model_client *client, const char *mark, struct sf_strbuf *out,
                    enum model_ending *ending)
{
    const char *at;

    while (!(at = memmem(client->in.buf, client->in.len, mark, strlen(mark))))
        if (!receive(client, ending))
            return false;
    return take(client, (size_t)(at - client->in.buf) + strlen(mark), out, ending);
}

bool model_client_skip_to(struct model_client *client, const char *mark)
{
    enum model_ending ending = MODEL_ENDED;
    struct sf_strbuf skipped = SF_STRBUF_INIT;
    bool found = take_to(client, mark, &skipped, &ending);

    sf_strbuf_release(&skipped);
    return found;
}

static void read_chunks(struct model_client *client, struct model_response *r)
{
    struct sf_strbuf line = SF_STRBUF_INIT;
    unsigned long size = 1;

    while (size && r->ending == MODEL_ENDED) {
        char *end;

        sf_strbuf_reset(&line);
        if (!take_to(client, "\r\n", &line, &r->ending))
            break;
        size = strtoul(line.buf, &end, 16);
        if (end == line.buf || *end != '\r' || size > SF_JSON_BYTES)
            r->ending = MODEL_MISFRAMED;
        else if (!take(client, size, &r->body, &r->ending))
            break;
        sf_strbuf_reset(&line);
        if (take(client, 2, &line, &r->ending) && strcmp(line.buf, "\r\n") != 0)
            r->ending = MODEL_MISFRAMED;
    }
    sf_strbuf_release(&line);
}

static void read_body(struct model_client *client, struct model_response *r)
{
    const char *length = model_response_header(r, "Content-Length");
    enum model_ending ending = MODEL_ENDED;

    if (model_response_header(r, "Transfer-Encoding")) {
        read_chunks(client, r);
    } else if (length) {
        take(client, strtoul(length, NULL, 10), &r->body, &r->ending);
    } else {
        while (receive(client, &ending))
            ;
        sf_strbuf_add(&r->body, client->in.buf, client->in.len);
        sf_strbuf_reset(&client->in);
        r->ending = ending == MODEL_CUT ? MODEL_ENDED : ending;
    }
}

void model_client_read(struct model_client *client, struct model_response *r)
{
    *r = (struct model_response){ .head = SF_STRBUF_INIT, .body = SF_STRBUF_INIT };
    if (!take_to(client, "\r\n\r\n", &r->head, &r->ending))
        return;
    if (!strncmp(r->head.buf, "HTTP/1.1 ", 9))
        r->status = (int)strtol(r->head.buf + 9, NULL, 10);
    if (r->status >= 200)
        read_body(client, r);
}

void model_client_ask(uint16_t port, const char *path, const char *body, struct model_response *r)
{
    struct model_client client;

    if (!model_client_open(&client, port) || !model_client_post(&client, path, NULL, body))
        abort();
    model_client_read(&client, r);
    model_client_close(&client);
}

/* Borrowed until the next call for the same response; the value ends at the line's end. */
const char *model_response_header(const struct model_response *response, const char *name)
{
    static _Thread_local char value[512];
    struct sf_strbuf mark = SF_STRBUF_INIT;
    const char *at;

    sf_strbuf_addf(&mark, "\r\n%s: ", name);
    at = strcasestr(response->head.buf, mark.buf);
    if (at) {
        at += mark.len;
        snprintf(value, sizeof(value), "%.*s", (int)strcspn(at, "\r"), at);
    }
    sf_strbuf_release(&mark);
    return at ? value : NULL;
}

void model_response_release(struct model_response *response)
{
    sf_strbuf_release(&response->head);
    sf_strbuf_release(&response->body);
}
