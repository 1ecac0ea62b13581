/*
 * fault.c: libcurl's codes in the user's words, and what can be done about each. A code that is
 * not listed is SF_HTTP_OTHER with libcurl's own text.
 */
#include "modules/http/http.h"

/* `words` holds one %s for the host; `more`: libcurl's text follows. */
static const struct row {
    CURLcode code;
    enum sf_http_end end;
    const char *words;
    bool more;
} rows[] = {
    { CURLE_COULDNT_RESOLVE_HOST, SF_HTTP_CONNECT, "there is no host called %s", false },
    { CURLE_COULDNT_RESOLVE_PROXY, SF_HTTP_CONNECT, "the proxy to %s cannot be found", true },
    { CURLE_COULDNT_CONNECT, SF_HTTP_CONNECT, "%s cannot be reached", true },
    { CURLE_PROXY, SF_HTTP_CONNECT, "the proxy does not connect to %s", true },
    { CURLE_SEND_ERROR, SF_HTTP_CONNECT, "the connection to %s was lost", true },
    { CURLE_RECV_ERROR, SF_HTTP_CONNECT, "the connection to %s was lost", true },
    { CURLE_GOT_NOTHING, SF_HTTP_CONNECT, "%s closed the connection without an answer", false },
    { CURLE_PARTIAL_FILE, SF_HTTP_CONNECT, "%s broke off in the middle of its answer", false },
    { CURLE_HTTP2, SF_HTTP_CONNECT, "the connection to %s was lost", true },
    { CURLE_HTTP2_STREAM, SF_HTTP_CONNECT, "%s gave the request up", true },
    { CURLE_OPERATION_TIMEDOUT, SF_HTTP_TIMEOUT, "no connection to %s", true },
    { CURLE_PEER_FAILED_VERIFICATION, SF_HTTP_TLS, "the certificate of %s is not trusted", true },
    { CURLE_SSL_CONNECT_ERROR, SF_HTTP_TLS, "no TLS with %s", true },
    { CURLE_SSL_CERTPROBLEM, SF_HTTP_TLS, "no TLS with %s", true },
    { CURLE_SSL_CIPHER, SF_HTTP_TLS, "no TLS with %s", true },
    { CURLE_SSL_CACERT_BADFILE, SF_HTTP_TLS, "the certificates to check %s with cannot be read",
      true },
    { CURLE_SSL_ISSUER_ERROR, SF_HTTP_TLS, "the certificate of %s is not trusted", true },
    { CURLE_SSL_INVALIDCERTSTATUS, SF_HTTP_TLS, "the certificate of %s is not trusted", true },
    { CURLE_SSL_SHUTDOWN_FAILED, SF_HTTP_CONNECT, "the connection to %s was lost", true },
};

static const struct row other = { CURLE_OK, SF_HTTP_OTHER, "%s does not answer as it should",
                                  true };

/*
 * A connection that breaks during the handshake comes as a TLS error too. It is told apart by
 * its text, which then speaks of the call and not of the protocol.
 */
static bool broke_in_handshake(const struct sf_http_call *call)
{
    return call->code == CURLE_SSL_CONNECT_ERROR && strstr(call->detail, "SSL_connect: ");
}

static struct row look_up(const struct sf_http_call *call)
{
    if (broke_in_handshake(call))
        return (struct row){ call->code, SF_HTTP_CONNECT, "the connection to %s was lost", true };
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (rows[i].code == call->code)
            return rows[i];
    return other;
}

static void add_words(struct sf_strbuf *out, const char *words, const char *host)
{
    const char *gap = strstr(words, "%s");

    sf_strbuf_add(out, words, (size_t)(gap - words));
    sf_strbuf_adds(out, host);
    sf_strbuf_adds(out, gap + 2);
}

static enum sf_http_end explain(const struct sf_http_call *call, struct sf_strbuf *out)
{
    struct row row;

    if (call->head_too_large) {
        sf_strbuf_addf(out, "the headers of %s's answer are larger than %d bytes", call->host,
                       SF_HTTP_HEAD_MAX);
        return SF_HTTP_OTHER;
    }
    if (call->code == CURLE_OK) {
        if (call->status < 300 || call->status > 399)
            return SF_HTTP_DONE;
        sf_strbuf_addf(out, "%s redirects elsewhere, and sf does not follow", call->host);
        return SF_HTTP_REDIRECT;
    }
    if (*call->inside) {
        sf_strbuf_addf(out, "%s leads to %s, which is not an address of the public network",
                       call->host, call->inside);
        return SF_HTTP_OTHER;
    }
    row = look_up(call);
    add_words(out, row.words, call->host);
    if (row.more)
        sf_strbuf_addf(out, ": %s", *call->detail ? call->detail : curl_easy_strerror(call->code));
    return row.end;
}

enum sf_http_end sf_http_fault(const struct sf_http_call *call, char *message, size_t size)
{
    struct sf_strbuf raw = SF_STRBUF_INIT, shown = SF_STRBUF_INIT;
    enum sf_http_end end = explain(call, &raw);

    sf_text_sanitize(&shown, raw.buf, raw.len, SF_TEXT_ONE_LINE);
    snprintf(message, size, "%s", shown.buf);
    sf_strbuf_release(&shown);
    sf_strbuf_release(&raw);
    return end;
}
