/*
 * Any file gives a head that JSON can carry and a body inside the file, or an error.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"
#include "support/json_equal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void round_trip(const struct sf_json *head)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer w;
    struct sf_json *again;

    sf_jw_init(&w, &sb);
    sf_jw_json(&w, head);
    again = sf_json_parse(sb.buf, sb.len, NULL, &err);
    require(again && json_equal(head, again));
    sf_json_free(again);
    sf_strbuf_release(&sb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *head = NULL;
    size_t body_at = SIZE_MAX;

    if (sf_frontmatter_parse((const char *)data, size, &head, &body_at, &err)) {
        require(sf_json_type(head) == SF_JSON_OBJECT && body_at <= size);
        round_trip(head);
    } else {
        require(!head && body_at == SIZE_MAX && err.msg[0]);
    }
    sf_json_free(head);
    return 0;
}
