/*
 * http.c: the module around libcurl.
 */
#include <curl/curl.h>

#include "base/base.h"
#include "modules/modules.h"

extern const struct sf_http_api sf_http_module;

static void describe(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, curl_version());
}

const struct sf_http_api sf_http_module = {
    .abi = SF_MODULE_ABI,
    .describe = describe,
};
