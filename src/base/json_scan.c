/*
 * json_scan.c: RFC 8259 as a state machine without recursion. The one idea: after each token
 * `expect` says what may come next, and `levels` holds what is open, with the keys each open
 * object has seen. Nothing here allocates by nesting or trusts a length it did not count.
 */
#include "base/json_scan.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum { END = -1, KEY_SHOWN = 60 };

enum expect { A_VALUE, VALUE_OR_END, A_KEY, KEY_OR_END, AFTER_VALUE };

struct level {
    bool object;
    struct sf_map keys;
};

struct scan {
    const char *text;
    size_t len, at;
    const struct sf_json_limits *limits;
    struct sf_json_notes *notes;
    struct sf_error *err;
    struct sf_arena keys; /* keys written with escapes, decoded */
    size_t nodes, numbers, depth;
    enum expect expect;
    struct level levels[SF_JSON_DEPTH_MAX];
};

struct slice {
    size_t at, len;
    bool escaped;
};

void sf_json_locate(const char *text, size_t at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

bool sf_json_fail_at(const char *text, size_t at, const char *why, struct sf_error *err)
{
    size_t line, column;

    sf_json_locate(text, at, &line, &column);
    return sf_fail(err, SF_E_SYNTAX, "bad JSON at line %zu, column %zu: %s", line, column, why);
}

SF_PRINTF(3, 4) static bool fail_at(struct scan *s, size_t at, const char *format, ...)
{
    char why[160];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    return sf_json_fail_at(s->text, at, why, s->err);
}

static bool over_limit(struct scan *s, size_t at, const char *what, size_t limit)
{
    fail_at(s, at, "%s (the limit is %zu)", what, limit);
    s->err->code = SF_E_LIMIT;
    return false;
}

static int peek(const struct scan *s)
{
    return s->at < s->len ? (unsigned char)s->text[s->at] : END;
}

static bool unexpected(struct scan *s, const char *wanted)
{
    int c = peek(s);

    if (c == END)
        return fail_at(s, s->at, "expected %s, but the text ends here", wanted);
    if (c > ' ' && c < 0x7f)
        return fail_at(s, s->at, "expected %s, not '%c'", wanted, c);
    return fail_at(s, s->at, "expected %s, not the byte 0x%02x", wanted, (unsigned)c);
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool scan_hex4(struct scan *s, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(peek(s));

        if (digit < 0)
            return unexpected(s, "four hexadecimal digits");
        *code = *code << 4 | (uint32_t)digit;
        s->at++;
    }
    return true;
}

static bool is_high(uint32_t code)
{
    return code >= 0xd800 && code <= 0xdbff;
}

static bool is_low(uint32_t code)
{
    return code >= 0xdc00 && code <= 0xdfff;
}

/* Behind "\u": one code, or the two halves of a pair. */
static bool scan_unicode(struct scan *s)
{
    size_t from = s->at - 2;
    uint32_t code, low = 0;

    if (!scan_hex4(s, &code))
        return false;
    if (code == 0)
        return fail_at(s, from, "text cannot hold \\u0000");
    if (!is_high(code) && !is_low(code))
        return true;
    if (is_high(code) && s->len - s->at >= 2 && !memcmp(s->text + s->at, "\\u", 2)) {
        s->at += 2;
        if (!scan_hex4(s, &low))
            return false;
    }
    return is_low(low) || fail_at(s, from, "half of a surrogate pair");
}

static bool scan_escape(struct scan *s)
{
    int c;

    s->at++;
    c = peek(s);
    if (c <= 0 || !strchr("\"\\/bfnrtu", c))
        return unexpected(s, "one of \" \\ / b f n r t u behind a backslash");
    s->at++;
    return c != 'u' || scan_unicode(s);
}

static bool scan_wide(struct scan *s)
{
    uint32_t code;
    size_t n = sf_utf8_decode(s->text + s->at, s->len - s->at, &code);

    if (code == SF_UTF8_INVALID)
        return fail_at(s, s->at, "text is not valid UTF-8");
    s->at += n;
    return true;
}

/* At the opening quote; `out` is what stands between the quotes. */
static bool scan_string(struct scan *s, struct slice *out)
{
    size_t from = s->at++;
    int c;

    *out = (struct slice){ .at = from + 1 };
    while ((c = peek(s)) != '"') {
        if (c == END)
            return fail_at(s, from, "the string that begins here has no end");
        if (c < ' ')
            return fail_at(s, s->at, "the control character 0x%02x must be escaped", (unsigned)c);
        if (c == '\\') {
            out->escaped = true;
            if (!scan_escape(s))
                return false;
        } else if (c < 0x80) {
            s->at++;
        } else if (!scan_wide(s)) {
            return false;
        }
    }
    out->len = s->at++ - out->at;
    return true;
}

static uint32_t hex4(const char *text)
{
    uint32_t code = 0;

    for (int i = 0; i < 4; i++)
        code = code << 4 | (uint32_t)hex_digit(text[i]);
    return code;
}

/* Takes the escapes out of a string that scan_string has accepted; never longer than it. */
static size_t unescape(const char *text, size_t len, char *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    size_t n = 0;

    for (size_t i = 0; i < len;) {
        uint32_t code;

        if (text[i] != '\\') {
            out[n++] = text[i++];
            continue;
        }
        if (text[i + 1] != 'u') {
            out[n++] = to[strchr(from, text[i + 1]) - from];
            i += 2;
            continue;
        }
        code = hex4(text + i + 2);
        i += 6;
        if (is_high(code)) {
            code = 0x10000 + ((code - 0xd800) << 10) + (hex4(text + i + 2) - 0xdc00);
            i += 6;
        }
        n += sf_utf8_encode(code, out + n);
    }
    return n;
}

/* A key is shown as it stands in the text, and only when no terminal could mind. */
static bool fail_duplicate(struct scan *s, const struct slice *key)
{
    bool plain = key->len <= KEY_SHOWN;

    for (size_t i = 0; plain && i < key->len; i++)
        plain = s->text[key->at + i] >= ' ' && s->text[key->at + i] < 0x7f;
    if (!plain)
        return fail_at(s, key->at - 1, "a key appears twice in one object");
    return fail_at(s, key->at - 1, "the key \"%.*s\" appears twice in one object", (int)key->len,
                   s->text + key->at);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(struct scan *s)
{
    while (s->at < s->len && is_blank(s->text[s->at]))
        s->at++;
}

static bool scan_key(struct scan *s)
{
    struct slice key;
    const char *text;
    size_t len;

    if (peek(s) != '"')
        return unexpected(s, "a key in double quotes");
    if (!scan_string(s, &key))
        return false;
    text = s->text + key.at;
    len = key.len;
    if (key.escaped) {
        char *plain = sf_arena_alloc(&s->keys, len);

        len = unescape(text, len, plain);
        text = plain;
    }
    if (!sf_map_add(&s->levels[s->depth - 1].keys, text, len, s))
        return fail_duplicate(s, &key);
    skip_blanks(s);
    if (peek(s) != ':')
        return unexpected(s, "':' behind the key");
    s->at++;
    s->expect = A_VALUE;
    return true;
}

static bool scan_digits(struct scan *s)
{
    size_t from = s->at;

    while (s->at < s->len && s->text[s->at] >= '0' && s->text[s->at] <= '9')
        s->at++;
    return s->at > from || unexpected(s, "a digit");
}

static bool scan_exponent(struct scan *s)
{
    s->at++;
    if (peek(s) == '+' || peek(s) == '-')
        s->at++;
    return scan_digits(s);
}

static bool scan_number(struct scan *s)
{
    size_t from = s->at, first, len;
    bool exponent = false;

    if (peek(s) == '-')
        s->at++;
    first = s->at;
    if (!scan_digits(s))
        return false;
    if (s->text[first] == '0' && s->at - first > 1)
        return fail_at(s, first, "a number must not begin with 0");
    if (peek(s) == '.') {
        s->at++;
        if (!scan_digits(s))
            return false;
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        exponent = true;
        if (!scan_exponent(s))
            return false;
    }
    len = s->at - from;
    if (len > SF_JSON_NUMBER_MAX)
        return over_limit(s, from, "a number has too many characters", SF_JSON_NUMBER_MAX);
    if (exponent || len > SF_JSON_DIGITS_SAFE) {
        struct sf_json_notes *notes = s->notes;

        notes->items = sf_grow(notes->items, &notes->cap, notes->count + 1, sizeof(*notes->items));
        notes->items[notes->count++] = (struct sf_json_note){ s->numbers, from, len };
    }
    s->numbers++;
    return true;
}

static bool scan_word(struct scan *s)
{
    static const char *const words[] = { "true", "false", "null" };

    for (size_t i = 0; i < SF_COUNT(words); i++) {
        size_t n = strlen(words[i]);

        if (s->len - s->at >= n && !memcmp(s->text + s->at, words[i], n)) {
            s->at += n;
            return true;
        }
    }
    return unexpected(s, "a value");
}

static bool open_level(struct scan *s, bool object)
{
    if (s->depth >= s->limits->depth)
        return over_limit(s, s->at, "nested too deep", s->limits->depth);
    s->levels[s->depth++] = (struct level){ object, SF_MAP_INIT };
    s->expect = object ? KEY_OR_END : VALUE_OR_END;
    s->at++;
    return true;
}

static bool close_level(struct scan *s)
{
    sf_map_release(&s->levels[--s->depth].keys);
    s->expect = AFTER_VALUE;
    s->at++;
    return true;
}

static bool scan_value(struct scan *s)
{
    struct slice unused;
    int c = peek(s);

    if (s->nodes++ >= s->limits->nodes)
        return over_limit(s, s->at, "too many values", s->limits->nodes);
    if (c == '{' || c == '[')
        return open_level(s, c == '{');
    s->expect = AFTER_VALUE;
    if (c == '"')
        return scan_string(s, &unused);
    if (c == '-' || (c >= '0' && c <= '9'))
        return scan_number(s);
    return scan_word(s);
}

static bool scan_after(struct scan *s)
{
    bool object = s->levels[s->depth - 1].object;
    int c = peek(s);

    if (c == (object ? '}' : ']'))
        return close_level(s);
    if (c != ',')
        return unexpected(s, object ? "',' or '}'" : "',' or ']'");
    s->expect = object ? A_KEY : A_VALUE;
    s->at++;
    return true;
}

static bool scan_token(struct scan *s)
{
    switch (s->expect) {
    case VALUE_OR_END:
        return peek(s) == ']' ? close_level(s) : scan_value(s);
    case KEY_OR_END:
        return peek(s) == '}' ? close_level(s) : scan_key(s);
    case A_KEY:
        return scan_key(s);
    case AFTER_VALUE:
        return scan_after(s);
    case A_VALUE:
        break;
    }
    return scan_value(s);
}

static bool scan_document(struct scan *s)
{
    do {
        skip_blanks(s);
        if (!scan_token(s))
            return false;
    } while (s->depth || s->expect != AFTER_VALUE);
    skip_blanks(s);
    return s->at == s->len || unexpected(s, "nothing behind the value");
}

bool sf_json_scan(const char *text, size_t len, const struct sf_json_limits *limits,
                  struct sf_json_notes *notes, struct sf_error *err)
{
    struct scan s;
    bool ok;

    assert(limits->depth && limits->depth <= SF_JSON_DEPTH_MAX);
    if (len > limits->bytes)
        return sf_fail(err, SF_E_LIMIT, "JSON of %zu bytes is too large (the limit is %zu)", len,
                       limits->bytes);
    s = (struct scan){ .text = text, .len = len, .limits = limits, .notes = notes, .err = err };
    ok = scan_document(&s);
    while (s.depth)
        sf_map_release(&s.levels[--s.depth].keys);
    sf_arena_release(&s.keys);
    return ok;
}
