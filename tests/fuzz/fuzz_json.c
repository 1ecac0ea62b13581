/*
 * Whatever the reader takes must survive writing and reading again: the same tree, then the
 * same bytes. And the strict scanner must never let through what the library behind it refuses.
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

static void write_tree(struct sf_strbuf *sb, const struct sf_json *json)
{
    struct sf_json_writer w;

    sf_jw_init(&w, sb);
    sf_jw_json(&w, json);
    require(sf_jw_done(&w));
    for (size_t i = 0; i < sb->len; i++)
        require((unsigned char)sb->buf[i] >= ' ' && sb->buf[i] != 0x7f);
}

static void round_trip(const struct sf_json *json)
{
    /* An escape may be longer than what it stands for, so the second text may be larger. */
    const struct sf_json_limits wide = { .bytes = SIZE_MAX };
    struct sf_strbuf first = SF_STRBUF_INIT, second = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *again;

    write_tree(&first, json);
    again = sf_json_parse(first.buf, first.len, &wide, &err);
    require(again && json_equal(json, again));
    write_tree(&second, again);
    require(first.len == second.len && !memcmp(first.buf, second.buf, first.len));
    sf_json_free(again);
    sf_strbuf_release(&first);
    sf_strbuf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json *json = sf_json_parse((const char *)data, size, NULL, &err);
    int64_t number;

    if (json) {
        round_trip(json);
        for (const struct sf_json *it = sf_json_first(json); it; it = sf_json_next(it))
            require(sf_json_as_int(it, "n", &number, &err) || err.msg[0]);
    } else {
        require(err.code == SF_E_SYNTAX || err.code == SF_E_LIMIT);
        require(!strstr(err.msg, "disagree"));
    }
    sf_json_free(json);
    return 0;
}
