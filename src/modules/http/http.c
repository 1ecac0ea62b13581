/*
 * http.c: the module around libcurl: its table.
 */
#include "modules/http/http.h"

extern const struct sf_http_api sf_http_module;

static void describe(struct sf_strbuf *out)
{
    sf_strbuf_adds(out, curl_version());
}

const struct sf_http_api sf_http_module = {
    .abi = SF_MODULE_ABI,
    .describe = describe,
    .open = sf_http_open,
    .close = sf_http_close,
    .start = sf_http_start,
    .cancel = sf_http_cancel,
    .finish = sf_http_finish,
};
