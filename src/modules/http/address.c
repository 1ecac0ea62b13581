/*
 * address.c: which addresses may be asked. The address is read by the same parser that will use
 * it, so what is judged is what is connected to.
 */
#include <strings.h>

#include "modules/http/http.h"

static bool judge(const struct sf_http_request *request, const char *scheme, bool loopback,
                  struct sf_error *err)
{
    if (!strcasecmp(scheme, "https"))
        return true;
    if (strcasecmp(scheme, "http") != 0) {
        sf_fail(err, SF_E_ARG, "an address must begin with https:// or http://, not %s://", scheme);
        return false;
    }
    if (loopback || request->plain)
        return true;
    sf_fail(err, SF_E_ARG, "plain http would show the request to everybody on the way");
    return sf_hint(err, "use an https:// address");
}

bool sf_http_address_check(const struct sf_http_request *request, char *host, size_t size,
                           bool *loopback, struct sf_error *err)
{
    CURLU *url = curl_url();
    char *scheme = NULL, *name = NULL;
    bool ok = false;

    if (!url || curl_url_set(url, CURLUPART_URL, request->url,
                             CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK) {
        sf_fail(err, SF_E_ARG, "the address of the service cannot be read");
        goto out;
    }
    if (curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK ||
        curl_url_get(url, CURLUPART_HOST, &name, 0) != CURLUE_OK || strlen(name) >= size) {
        sf_fail(err, SF_E_ARG, "the address of the service has no usable host");
        goto out;
    }
    snprintf(host, size, "%s", name);
    *loopback = sf_host_is_loopback(name); /* libcurl looks "localhost" up nowhere */
    ok = judge(request, scheme, *loopback, err);
out:
    curl_free(name);
    curl_free(scheme);
    curl_url_cleanup(url);
    return ok;
}
