/*
 * Any bytes as TOML: no crash, and what is accepted survives writing and editing.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { MAX = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

/* Written out and read again, the data is the same. */
static void check_writing(const struct sf_toml *doc)
{
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *again;

    sf_strbuf_adds(&out, "v = ");
    sf_toml_add_value(&out, sf_toml_root(doc));
    again = sf_toml_parse(out.buf, out.len, SIZE_MAX, &err);
    if (again)
        must(sf_toml_equal(sf_toml_root(doc), sf_toml_get(sf_toml_root(again), "v")));
    else /* one level deeper than before: the only good excuse */
        must(strstr(err.msg, "levels deep") != NULL);
    sf_toml_free(again);
    sf_strbuf_release(&out);
}

/* An edit that is refused changes no byte; one that is made can be read back. */
static void check_editing(const char *text, size_t len)
{
    static const char *const path[] = { "a", "b" };
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc;

    sf_strbuf_add(&sb, text, len);
    if (sf_toml_edit_set(&sb, path, 2, "[1, 'x']", &err)) {
        doc = sf_toml_parse(sb.buf, sb.len, MAX, &err);
        must(doc && sf_toml_find(doc, path, 2)->type == SF_TOML_ARRAY);
        sf_toml_free(doc);
    } else {
        must(sb.len == len && (!len || !memcmp(sb.buf, text, len)));
    }
    sf_strbuf_release(&sb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_toml *doc = sf_toml_parse((const char *)data, size, MAX, &err);

    if (!doc) {
        must(err.code == SF_E_LIMIT || (err.line > 0 && err.column > 0));
        return 0;
    }
    check_writing(doc);
    check_editing((const char *)data, size);
    sf_toml_free(doc);
    return 0;
}
