/*
 * route.c: the way to a host: directly or by a proxy, and which addresses it may end at.
 *
 * For a call that looks at addresses, libcurl must not choose between the two by itself: a
 * proxy's own address says nothing about the host, so it has to be known which one is seen.
 */
#include <arpa/inet.h>
#include <strings.h>
#include <sys/socket.h>

#include "modules/http/http.h"

static void note_inside(struct sf_http_call *call, const struct sockaddr *address)
{
    struct sockaddr_in6 in6;
    struct sockaddr_in in;

    snprintf(call->inside, sizeof(call->inside), "a local socket");
    if (address->sa_family == AF_INET) {
        memcpy(&in, address, sizeof(in));
        inet_ntop(AF_INET, &in.sin_addr, call->inside, sizeof(call->inside));
    }
    if (address->sa_family == AF_INET6) {
        memcpy(&in6, address, sizeof(in6));
        inet_ntop(AF_INET6, &in6.sin6_addr, call->inside, sizeof(call->inside));
    }
}

/* The last moment before a connection, and the address is the one it would go to. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct sf_http_call *call = ctx;

    (void)purpose;
    if (call->public_only && sf_net_zone(&address->addr) != SF_NET_PUBLIC) {
        note_inside(call, &address->addr);
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* The first variable that is set; HTTP_PROXY in capitals is left out, as it can be a header. */
static const char *proxy_of(bool secure)
{
    static const char *const names[] = { "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                         "ALL_PROXY" };
    const char *proxy = secure ? NULL : sf_env_get(names[0]);

    for (size_t i = secure ? 1 : 3; i < SF_COUNT(names) && !proxy; i++)
        proxy = sf_env_get(names[i]);
    return proxy;
}

/* Whether an entry of no_proxy is the host, or a domain it lies in. */
static bool covers(const char *entry, size_t len, const char *host)
{
    size_t n = strlen(host);

    if (len == 1 && *entry == '*')
        return true;
    if (len && *entry == '.') {
        entry++;
        len--;
    }
    return len && len <= n && !strncasecmp(host + n - len, entry, len) &&
           (len == n || host[n - len - 1] == '.');
}

static bool goes_without_proxy(const char *host)
{
    const char *list = sf_env_get("no_proxy");

    if (!list)
        list = sf_env_get("NO_PROXY");
    while (list && *list) {
        size_t len = strcspn(list, ", \t");

        if (covers(list, len, host))
            return true;
        list += len + strspn(list + len, ", \t");
    }
    return false;
}

static void set_checked_route(struct sf_http_call *call, const struct sf_http_request *request)
{
    bool secure = !strncasecmp(request->url, "https:", 6);
    const char *proxy = request->proxy ? request->proxy : proxy_of(secure);

    if (proxy && *proxy && !goes_without_proxy(call->host)) {
        curl_easy_setopt(call->easy, CURLOPT_PROXY, proxy);
        curl_easy_setopt(call->easy, CURLOPT_NOPROXY, "");
        return;
    }
    call->public_only = true;
    curl_easy_setopt(call->easy, CURLOPT_PROXY, "");
    curl_easy_setopt(call->easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(call->easy, CURLOPT_FORBID_REUSE, 1L);
}

void sf_http_route_set(struct sf_http_call *call, const struct sf_http_request *request,
                       bool loopback)
{
    curl_easy_setopt(call->easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(call->easy, CURLOPT_OPENSOCKETDATA, call);
    if (request->public_only)
        set_checked_route(call, request);
    else if (loopback)
        curl_easy_setopt(call->easy, CURLOPT_NOPROXY, "*");
    else if (request->proxy)
        curl_easy_setopt(call->easy, CURLOPT_PROXY, request->proxy);
}
