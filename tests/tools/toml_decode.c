/*
 * toml-decode: TOML on stdin, its data as typed JSON on stdout: each scalar becomes
 * {"type": …, "value": …}. Exit 1 and a message for text that is not TOML 1.0.
 */
#include <stdio.h>

#include "base/base.h"

enum { MAX_BYTES = 64 * 1024 * 1024 };

static void put_string(struct sf_strbuf *out, const char *text, size_t len)
{
    sf_strbuf_addch(out, '"');
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            sf_strbuf_addf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            sf_strbuf_addf(out, "\\u%04x", c);
        else
            sf_strbuf_addch(out, (char)c);
    }
    sf_strbuf_addch(out, '"');
}

static void put_scalar(struct sf_strbuf *out, const struct sf_toml_value *v)
{
    static const char *const names[] = {
        [SF_TOML_STRING] = "string",         [SF_TOML_INTEGER] = "integer",
        [SF_TOML_FLOAT] = "float",           [SF_TOML_BOOLEAN] = "bool",
        [SF_TOML_DATETIME] = "datetime",     [SF_TOML_DATETIME_LOCAL] = "datetime-local",
        [SF_TOML_DATE_LOCAL] = "date-local", [SF_TOML_TIME_LOCAL] = "time-local",
    };
    struct sf_strbuf text = SF_STRBUF_INIT;

    if (v->type == SF_TOML_STRING)
        sf_strbuf_add(&text, v->as.str.text, v->as.str.len);
    else
        sf_toml_add_value(&text, v);
    sf_strbuf_addf(out, "{\"type\": \"%s\", \"value\": ", names[v->type]);
    put_string(out, text.buf, text.len);
    sf_strbuf_addch(out, '}');
    sf_strbuf_release(&text);
}

static void put_value(struct sf_strbuf *out, const struct sf_toml_value *v)
{
    if (v->type == SF_TOML_TABLE) {
        const struct sf_map *keys = &v->as.table->keys;

        sf_strbuf_addch(out, '{');
        for (size_t i = 0; i < keys->count; i++) {
            sf_strbuf_adds(out, i ? ", " : "");
            put_string(out, keys->entries[i].key, keys->entries[i].len);
            sf_strbuf_adds(out, ": ");
            put_value(out, keys->entries[i].value);
        }
        sf_strbuf_addch(out, '}');
    } else if (v->type == SF_TOML_ARRAY) {
        sf_strbuf_addch(out, '[');
        for (size_t i = 0; i < v->as.array.count; i++) {
            sf_strbuf_adds(out, i ? ", " : "");
            put_value(out, v->as.array.items[i]);
        }
        sf_strbuf_addch(out, ']');
    } else {
        put_scalar(out, v);
    }
}

int main(void)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_strbuf in = SF_STRBUF_INIT, out = SF_STRBUF_INIT;
    struct sf_toml *doc;
    size_t n;

    while ((n = fread(sf_strbuf_room(&in, 65536), 1, 65536, stdin)) > 0 && in.len <= MAX_BYTES)
        sf_strbuf_grew(&in, n);
    doc = sf_toml_parse(in.buf, in.len, MAX_BYTES, &err);
    if (doc) {
        put_value(&out, sf_toml_root(doc));
        puts(out.buf);
    } else {
        fprintf(stderr, "toml-decode: %u:%u: %s\n", err.line, err.column, err.msg);
    }
    n = doc ? 0 : 1;
    sf_toml_free(doc);
    sf_strbuf_release(&in);
    sf_strbuf_release(&out);
    return (int)n;
}
