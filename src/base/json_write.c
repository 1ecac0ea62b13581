/*
 * json_write.c: the writer is a stack of what each level waits for; every value passes through
 * before_value(), which puts the comma and catches misuse. Numbers are laid out by hand, since
 * printf asks the locale for its decimal point.
 */
#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/json_scan.h"

enum level {
    TOP,        /* nothing written yet */
    TOP_DONE,   /* the one value is there */
    ARRAY,      /* just opened */
    ARRAY_MORE, /* an item is there */
    OBJECT,
    OBJECT_MORE,
    OBJECT_VALUE, /* the key is there, its value not */
};

enum {
    DIGITS_MAX = 17,  /* enough for any double */
    PLAIN_BELOW = -6, /* 0.000001 is written plainly, 1e-7 is not */
    PLAIN_ABOVE = 15, /* beyond, a double is not sure of its last digit: 1e+16 */
};

void sf_jw_init(struct sf_json_writer *w, struct sf_strbuf *sb)
{
    *w = (struct sf_json_writer){ .sb = sb };
}

bool sf_jw_done(const struct sf_json_writer *w)
{
    return w->levels[w->depth] == TOP_DONE;
}

static void before_value(struct sf_json_writer *w)
{
    unsigned char *level = &w->levels[w->depth];

    assert(*level == TOP || *level == ARRAY || *level == ARRAY_MORE || *level == OBJECT_VALUE);
    if (*level == ARRAY_MORE)
        sf_strbuf_addch(w->sb, ',');
    if (*level == TOP)
        *level = TOP_DONE;
    else
        *level = *level == OBJECT_VALUE ? OBJECT_MORE : ARRAY_MORE;
}

static void begin(struct sf_json_writer *w, enum level level, char mark)
{
    before_value(w);
    assert(w->depth < SF_JW_DEPTH);
    w->levels[++w->depth] = (unsigned char)level;
    sf_strbuf_addch(w->sb, mark);
}

static void end(struct sf_json_writer *w, enum level fresh, enum level more, char mark)
{
    assert(w->levels[w->depth] == fresh || w->levels[w->depth] == more);
    w->depth--;
    sf_strbuf_addch(w->sb, mark);
}

void sf_jw_object_begin(struct sf_json_writer *w)
{
    begin(w, OBJECT, '{');
}

void sf_jw_object_end(struct sf_json_writer *w)
{
    end(w, OBJECT, OBJECT_MORE, '}');
}

void sf_jw_array_begin(struct sf_json_writer *w)
{
    begin(w, ARRAY, '[');
}

void sf_jw_array_end(struct sf_json_writer *w)
{
    end(w, ARRAY, ARRAY_MORE, ']');
}

static bool is_plain(char c)
{
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

static void put_escape(struct sf_strbuf *sb, uint32_t code)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *found = code && code < 0x80 ? strchr(from, (int)code) : NULL;

    if (found)
        sf_strbuf_addf(sb, "\\%c", to[found - from]);
    else if (code > 0xffff)
        sf_strbuf_addf(sb, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(code >> 10),
                       0xdc00 + (unsigned)(code & 0x3ff));
    else
        sf_strbuf_addf(sb, "\\u%04x", (unsigned)code);
}

/* One character that is not plain; returns how many bytes of the text it took. */
static size_t put_special(struct sf_strbuf *sb, const char *text, size_t len)
{
    uint32_t code;
    size_t n = sf_utf8_decode(text, len, &code);

    if (code == SF_UTF8_INVALID || !code)
        sf_utf8_add(sb, SF_UTF8_REPLACEMENT);
    else if (code < 0xa0 || code == 0x2028 || code == 0x2029 || sf_text_is_hidden(code))
        put_escape(sb, code);
    else
        sf_strbuf_add(sb, text, n);
    return n;
}

static void put_string(struct sf_strbuf *sb, const char *text, size_t len)
{
    size_t i = 0;

    sf_strbuf_addch(sb, '"');
    while (i < len) {
        size_t from = i;

        while (i < len && is_plain(text[i]))
            i++;
        sf_strbuf_add(sb, text + from, i - from);
        if (i < len)
            i += put_special(sb, text + i, len - i);
    }
    sf_strbuf_addch(sb, '"');
}

static void put_key(struct sf_strbuf *sb, const char *key)
{
    put_string(sb, key, strlen(key));
    sf_strbuf_addch(sb, ':');
}

void sf_jw_key(struct sf_json_writer *w, const char *key)
{
    unsigned char *level = &w->levels[w->depth];

    assert(*level == OBJECT || *level == OBJECT_MORE);
    if (*level == OBJECT_MORE)
        sf_strbuf_addch(w->sb, ',');
    *level = OBJECT_VALUE;
    put_key(w->sb, key);
}

void sf_jw_raw(struct sf_json_writer *w, const char *json, size_t len)
{
    assert(len);
    before_value(w);
    sf_strbuf_add(w->sb, json, len);
}

void sf_jw_strn(struct sf_json_writer *w, const char *text, size_t len)
{
    before_value(w);
    put_string(w->sb, text, len);
}

void sf_jw_str(struct sf_json_writer *w, const char *text)
{
    if (text)
        sf_jw_strn(w, text, strlen(text));
    else
        sf_jw_null(w);
}

void sf_jw_int(struct sf_json_writer *w, int64_t value)
{
    before_value(w);
    sf_strbuf_addf(w->sb, "%" PRId64, value);
}

/*
 * The fewest digits that read back as `value` (finite, not negative), and the power of ten of
 * the first. Both calls of libc use the same locale, and only digits are taken from between.
 */
static int shortest_digits(double value, char digits[DIGITS_MAX + 1], int *exponent)
{
    char text[64];
    int n = 0, want = value < DBL_MIN ? 1 : DBL_DIG; /* fewer never fit better, but denormal */

    for (; want <= DIGITS_MAX; want++) {
        snprintf(text, sizeof(text), "%.*e", want - 1, value);
        if (strtod(text, NULL) == value)
            break;
    }
    for (const char *p = text; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9' && n < DIGITS_MAX)
            digits[n++] = *p;
    *exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    while (n > 1 && digits[n - 1] == '0')
        n--;
    digits[n] = '\0';
    return n;
}

static void put_plain(struct sf_strbuf *sb, const char *digits, int n, int exponent)
{
    if (exponent < 0) {
        sf_strbuf_adds(sb, "0.");
        sf_strbuf_fill(sb, '0', (size_t)(-exponent - 1));
        sf_strbuf_add(sb, digits, (size_t)n);
        return;
    }
    if (n <= exponent + 1) {
        sf_strbuf_add(sb, digits, (size_t)n);
        sf_strbuf_fill(sb, '0', (size_t)(exponent + 1 - n));
        return;
    }
    sf_strbuf_add(sb, digits, (size_t)exponent + 1);
    sf_strbuf_addf(sb, ".%s", digits + exponent + 1);
}

static void put_double(struct sf_strbuf *sb, double value)
{
    char digits[DIGITS_MAX + 1];
    int n, exponent;

    if (!isfinite(value)) {
        sf_strbuf_adds(sb, "null");
        return;
    }
    if (signbit(value))
        sf_strbuf_addch(sb, '-');
    n = shortest_digits(fabs(value), digits, &exponent);
    if (exponent >= PLAIN_BELOW && exponent <= PLAIN_ABOVE)
        put_plain(sb, digits, n, exponent);
    else
        sf_strbuf_addf(sb, "%c%s%se%+d", digits[0], n > 1 ? "." : "", digits + 1, exponent);
}

void sf_jw_double(struct sf_json_writer *w, double value)
{
    before_value(w);
    put_double(w->sb, value);
}

void sf_jw_bool(struct sf_json_writer *w, bool value)
{
    before_value(w);
    sf_strbuf_adds(w->sb, value ? "true" : "false");
}

void sf_jw_null(struct sf_json_writer *w)
{
    before_value(w);
    sf_strbuf_adds(w->sb, "null");
}

void sf_jw_key_str(struct sf_json_writer *w, const char *key, const char *text)
{
    sf_jw_key(w, key);
    sf_jw_str(w, text);
}

void sf_jw_key_int(struct sf_json_writer *w, const char *key, int64_t value)
{
    sf_jw_key(w, key);
    sf_jw_int(w, value);
}

void sf_jw_key_bool(struct sf_json_writer *w, const char *key, bool value)
{
    sf_jw_key(w, key);
    sf_jw_bool(w, value);
}

static void put_number(struct sf_strbuf *sb, const struct sf_json *json)
{
    const char *text = sf_json_number_text(json);
    struct sf_error unused;
    double value = 0;

    if (text)
        sf_strbuf_adds(sb, text);
    else if (sf_json_as_double(json, "", &value, &unused))
        put_double(sb, value);
}

static void put_scalar(struct sf_strbuf *sb, const struct sf_json *json)
{
    struct sf_error unused;
    const char *text;
    bool yes;

    if (sf_json_type(json) == SF_JSON_NUMBER)
        put_number(sb, json);
    else if (sf_json_type(json) == SF_JSON_STRING && sf_json_as_str(json, "", &text, &unused))
        put_string(sb, text, strlen(text));
    else if (sf_json_type(json) == SF_JSON_BOOL && sf_json_as_bool(json, "", &yes, &unused))
        sf_strbuf_adds(sb, yes ? "true" : "false");
    else
        sf_strbuf_adds(sb, "null");
}

static bool is_container(const struct sf_json *json)
{
    return sf_json_type(json) == SF_JSON_ARRAY || sf_json_type(json) == SF_JSON_OBJECT;
}

static void put_end(struct sf_strbuf *sb, const struct sf_json *json)
{
    sf_strbuf_addch(sb, sf_json_type(json) == SF_JSON_OBJECT ? '}' : ']');
}

/* Walks with a stack of its own: a tree as deep as the reader allows must not meet an assert. */
void sf_jw_json(struct sf_json_writer *w, const struct sf_json *json)
{
    const struct sf_json *open[SF_JSON_DEPTH_MAX], *it = json;
    size_t depth = 0;

    before_value(w);
    while (it) {
        if (depth && sf_json_type(open[depth - 1]) == SF_JSON_OBJECT)
            put_key(w->sb, sf_json_key(it));
        if (is_container(it)) {
            assert(depth < SF_JSON_DEPTH_MAX);
            open[depth++] = it;
            sf_strbuf_addch(w->sb, sf_json_type(it) == SF_JSON_OBJECT ? '{' : '[');
            it = sf_json_first(it);
        } else {
            put_scalar(w->sb, it);
            it = depth ? sf_json_next(it) : NULL;
            if (it)
                sf_strbuf_addch(w->sb, ',');
        }
        while (!it && depth) {
            put_end(w->sb, open[--depth]);
            it = depth ? sf_json_next(open[depth]) : NULL;
            if (it)
                sf_strbuf_addch(w->sb, ',');
        }
    }
}
