/*
 * http: the parts of the module. An engine owns the multi handle and speaks to the callers; a
 * call owns an easy handle. libcurl's own callbacks only note what came: the callers are told
 * afterwards, outside of libcurl, which forbids nearly everything from within.
 */
#ifndef SF_MODULES_HTTP_HTTP_H
#define SF_MODULES_HTTP_HTTP_H

#include <netinet/in.h>

#include <curl/curl.h>

#include "modules/modules.h"

/* A location that was cut is longer than an address may be, so that it is not taken for one. */
enum { HEAD_FIELDS = 4, HEAD_TEXT = SF_URL_MAX + 2 };

/* Where certificates of authorities are looked for; NULL: not there. */
struct sf_http_trust {
    char *file, *dir;
};

struct sf_http_call {
    struct sf_http_engine *engine;
    struct sf_http_call *next;
    struct sf_http_events events;
    void *ctx;

    CURL *easy; /* NULL once the transfer is over */
    struct curl_slist *headers;
    char host[256];
    int64_t connect_ms;
    bool public_only;              /* the addresses of the host are looked at */
    char inside[INET6_ADDRSTRLEN]; /* the one that was refused, or "" */

    size_t head_bytes;
    char fields[HEAD_FIELDS][HEAD_TEXT];
    int status;
    bool head_ready, head_told, head_too_large;
    struct sf_strbuf body; /* what came and nobody was told of yet */

    bool done;
    CURLcode code;
    char detail[CURL_ERROR_SIZE];

    bool telling;    /* a callback of this call is running */
    bool gone;       /* cancelled meanwhile */
    bool orphan;     /* finished: only its end is of interest */
    size_t lingered; /* bytes that came since */
    uint64_t linger;
};

struct sf_http_call *sf_http_call_new(const struct sf_http_request *request,
                                      const struct sf_http_trust *trust, struct sf_error *err);
void sf_http_call_free(struct sf_http_call *call);

/* Puts down how the transfer ended and lets go of the handle; it must be out of the multi. */
void sf_http_call_over(struct sf_http_call *call, CURLcode code);
bool sf_http_call_has_news(const struct sf_http_call *call);
void sf_http_call_tell(struct sf_http_call *call); /* ends early when it is gone or an orphan */

/* Fills host, and refuses what an address must not be. */
bool sf_http_address_check(const struct sf_http_request *request, char *host, size_t size,
                           bool *loopback, struct sf_error *err);

/* Directly or by a proxy; and with `public_only`, to which addresses. */
void sf_http_route_set(struct sf_http_call *call, const struct sf_http_request *request,
                       bool loopback);

void sf_http_trust_find(struct sf_http_trust *trust);
void sf_http_trust_release(struct sf_http_trust *trust);

/* What a code means, and in which words; `message` is safe to show. */
enum sf_http_end sf_http_fault(const struct sf_http_call *call, char *message, size_t size);

struct sf_http_engine *sf_http_open(struct sf_loop *loop, struct sf_error *err);
void sf_http_close(struct sf_http_engine *engine);
struct sf_http_call *sf_http_start(struct sf_http_engine *engine,
                                   const struct sf_http_request *request,
                                   const struct sf_http_events *events, void *ctx,
                                   struct sf_error *err);
void sf_http_cancel(struct sf_http_call *call);
void sf_http_finish(struct sf_http_call *call);

#endif
