/*
 * corpus.c: decoding labelled commands. Strict, so that a damaged line is noticed and not
 * judged as something else.
 */
#include "shell/corpus.h"

#include <string.h>

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void add_utf8(struct sf_strbuf *out, unsigned code)
{
    if (code < 0x80) {
        sf_strbuf_addch(out, (char)code);
    } else if (code < 0x800) {
        sf_strbuf_addch(out, (char)(0xc0 | code >> 6));
        sf_strbuf_addch(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        sf_strbuf_addch(out, (char)(0xe0 | code >> 12));
        sf_strbuf_addch(out, (char)(0x80 | (code >> 6 & 0x3f)));
        sf_strbuf_addch(out, (char)(0x80 | (code & 0x3f)));
    } else {
        sf_strbuf_addch(out, (char)(0xf0 | code >> 18));
        sf_strbuf_addch(out, (char)(0x80 | (code >> 12 & 0x3f)));
        sf_strbuf_addch(out, (char)(0x80 | (code >> 6 & 0x3f)));
        sf_strbuf_addch(out, (char)(0x80 | (code & 0x3f)));
    }
}

/* \xNN at `at`; returns how many bytes of the line it took, 0 when it is none. */
static size_t decode_byte(const char *at, size_t left, struct sf_strbuf *out)
{
    if (left < 4 || hex_value(at[2]) < 0 || hex_value(at[3]) < 0)
        return 0;
    sf_strbuf_addch(out, (char)(hex_value(at[2]) * 16 + hex_value(at[3])));
    return 4;
}

/* \u{H…} */
static size_t decode_point(const char *at, size_t left, struct sf_strbuf *out)
{
    unsigned code = 0;
    size_t i = 3;

    if (left < 5 || at[2] != '{')
        return 0;
    for (; i < left && i < 9 && hex_value(at[i]) >= 0; i++)
        code = code * 16 + (unsigned)hex_value(at[i]);
    if (i == 3 || i >= left || at[i] != '}' || code > 0x10ffff)
        return 0;
    add_utf8(out, code);
    return i + 1;
}

static size_t decode_escape(const char *at, size_t left, struct sf_strbuf *out)
{
    static const char letters[] = "\\ntr";
    static const char values[] = "\\\n\t\r";
    const char *found;

    if (left < 2 || !at[1])
        return 0;
    if (at[1] == 'x')
        return decode_byte(at, left, out);
    if (at[1] == 'u')
        return decode_point(at, left, out);
    found = strchr(letters, at[1]);
    if (!found)
        return 0;
    sf_strbuf_addch(out, values[found - letters]);
    return 2;
}

bool sf_corpus_decode(const char *line, size_t len, struct sf_strbuf *out, struct sf_error *err)
{
    for (size_t i = 0; i < len;) {
        size_t taken = 1;

        if (line[i] == '\\')
            taken = decode_escape(line + i, len - i, out);
        else
            sf_strbuf_addch(out, line[i]);
        if (!taken) {
            sf_fail(err, SF_E_SYNTAX, "column %zu holds an escape that does not exist", i + 1);
            return sf_hint(err, "write a backslash as \\\\");
        }
        i += taken;
    }
    return true;
}
