/*
 * toml_scalar.c: strings, numbers, booleans, dates and times of TOML. Plain (unquoted) scalars
 * are first cut out whole, up to a delimiter, then matched against each form in turn; so
 * "1979-13-01" is reported as a bad date, not as garbage behind a number.
 */
#include <errno.h>
#include <math.h>

#include "base/base.h"
#include "base/toml_parse.h"

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int digit_value(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

/* \uXXXX or \UXXXXXXXX, past the letter. */
static bool read_code_point(struct toml_parser *p, int digits, struct sf_strbuf *out)
{
    size_t start = p->at;
    uint32_t cp = 0;

    for (int i = 0; i < digits; i++) {
        int d = digit_value(sf_toml_peek(p, 0));

        if (d > 15)
            return sf_toml_fail(p, start, "expected %d hexadecimal digits", digits);
        cp = cp << 4 | (uint32_t)d;
        p->at++;
    }
    if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
        return sf_toml_fail(p, start, "U+%04X is not a character", cp);
    sf_utf8_add(out, cp);
    return true;
}

/* Past the backslash. */
static bool read_escape(struct toml_parser *p, struct sf_strbuf *out)
{
    static const char letters[] = "btnfr\"\\", meanings[] = "\b\t\n\f\r\"\\";
    int c = sf_toml_peek(p, 0);
    const char *found = c > 0 ? strchr(letters, c) : NULL;

    if (c == 'u' || c == 'U') {
        p->at++;
        return read_code_point(p, c == 'u' ? 4 : 8, out);
    }
    if (!found)
        return sf_toml_fail(p, p->at - 1, "unknown escape in the string");
    sf_strbuf_addch(out, meanings[found - letters]);
    p->at++;
    return true;
}

/* A backslash at the end of a line in a multi-line string eats all white space behind it. */
static bool skip_folded_line(struct toml_parser *p)
{
    bool folded = false;
    size_t at = 0;

    for (;; at++) {
        int c = sf_toml_peek(p, at);

        if (c == '\n' || (c == '\r' && sf_toml_peek(p, at + 1) == '\n'))
            folded = true;
        else if (c != ' ' && c != '\t')
            break;
    }
    if (folded)
        p->at += at;
    return folded;
}

/* One byte of a string's own text; newlines only where `multi`. */
static bool read_plain_byte(struct toml_parser *p, bool multi, struct sf_strbuf *out)
{
    int c = sf_toml_peek(p, 0);

    if (c == '\r' && sf_toml_peek(p, 1) == '\n' && multi) {
        p->at++;
        c = '\n';
    }
    if (c == '\n' && !multi)
        return sf_toml_fail(p, p->at, "the string is not closed on its line");
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
        return sf_toml_fail(p, p->at, "control character in the string");
    sf_strbuf_addch(out, (char)c);
    p->at++;
    return true;
}

static bool read_short_string(struct toml_parser *p, struct sf_strbuf *out)
{
    size_t open = p->at;
    int quote = sf_toml_peek(p, 0);

    p->at++;
    for (;;) {
        int c = sf_toml_peek(p, 0);

        if (c < 0)
            return sf_toml_fail(p, open, "the string is not closed");
        if (c == quote) {
            p->at++;
            return true;
        }
        if (c == '\\' && quote == '"') {
            p->at++;
            if (!read_escape(p, out))
                return false;
        } else if (!read_plain_byte(p, false, out)) {
            return false;
        }
    }
}

/* Closing quotes: three end the string, and up to two more directly before them belong to it. */
static bool accept_closing(struct toml_parser *p, int quote, struct sf_strbuf *out)
{
    size_t run = 0;

    while (run < 5 && sf_toml_peek(p, run) == quote)
        run++;
    if (run < 3)
        return false;
    sf_strbuf_fill(out, (char)quote, run - 3);
    p->at += run;
    return true;
}

static bool read_long_string(struct toml_parser *p, struct sf_strbuf *out)
{
    size_t open = p->at;
    int quote = sf_toml_peek(p, 0);

    p->at += 3;
    if (!sf_toml_accept(p, "\n"))
        sf_toml_accept(p, "\r\n");
    while (!accept_closing(p, quote, out)) {
        int c = sf_toml_peek(p, 0);

        if (c < 0)
            return sf_toml_fail(p, open, "the string is not closed");
        if (c == '\\' && quote == '"') {
            p->at++;
            if (!skip_folded_line(p) && !read_escape(p, out))
                return false;
        } else if (!read_plain_byte(p, true, out)) {
            return false;
        }
    }
    return true;
}

static bool keep_string(struct toml_parser *p, bool ok, struct sf_strbuf *sb, const char **text,
                        size_t *len)
{
    if (ok) {
        *text = sf_arena_strndup(&p->doc->arena, sb->buf, sb->len);
        *len = sb->len;
    }
    sf_strbuf_release(sb);
    return ok;
}

bool sf_toml_read_string(struct toml_parser *p, struct sf_toml_value *out)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    int quote = sf_toml_peek(p, 0);
    bool longer = sf_toml_peek(p, 1) == quote && sf_toml_peek(p, 2) == quote;
    bool ok = longer ? read_long_string(p, &sb) : read_short_string(p, &sb);

    out->type = SF_TOML_STRING;
    return keep_string(p, ok, &sb, &out->as.str.text, &out->as.str.len);
}

bool sf_toml_read_quoted_key(struct toml_parser *p, const char **key, size_t *len)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    return keep_string(p, read_short_string(p, &sb), &sb, key, len);
}

/* `text` without underscores, which may only stand between two digits of the base. */
static bool strip_underscores(const char *text, size_t len, int base, struct sf_strbuf *out)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '_') {
            sf_strbuf_addch(out, text[i]);
            continue;
        }
        if (i == 0 || i + 1 == len || digit_value((unsigned char)text[i - 1]) >= base ||
            digit_value((unsigned char)text[i + 1]) >= base)
            return false;
    }
    return true;
}

static bool all_digits(const char *text, size_t len, int base)
{
    for (size_t i = 0; i < len; i++)
        if (digit_value((unsigned char)text[i]) >= base)
            return false;
    return len > 0;
}

static bool has_leading_zero(const char *digits, size_t len)
{
    return len > 1 && digits[0] == '0' && is_digit((unsigned char)digits[1]);
}

enum outcome { NO_MATCH, MATCH, BROKEN };

static enum outcome broken(struct toml_parser *p, const char *why)
{
    sf_toml_fail(p, p->at, "%s", why);
    return BROKEN;
}

static enum outcome match_integer(struct toml_parser *p, const char *text, size_t len,
                                  struct sf_toml_value *out)
{
    static const struct {
        const char *prefix;
        int base;
    } bases[] = { { "0x", 16 }, { "0o", 8 }, { "0b", 2 } };
    struct sf_strbuf sb = SF_STRBUF_INIT;
    size_t sign = len && (text[0] == '+' || text[0] == '-'), skip = sign;
    enum outcome result = NO_MATCH;
    int base = 10;

    for (size_t i = 0; i < SF_COUNT(bases); i++)
        if (len > 2 && !memcmp(text, bases[i].prefix, 2)) {
            base = bases[i].base;
            skip = 2;
        }
    if (!strip_underscores(text + skip, len - skip, base, &sb) ||
        !all_digits(sb.buf, sb.len, base) || (base == 10 && has_leading_zero(sb.buf, sb.len)))
        goto out;
    if (sign && text[0] == '-')
        sf_strbuf_splice(&sb, 0, 0, "-", 1);
    errno = 0;
    out->type = SF_TOML_INTEGER;
    out->as.integer = strtoll(sb.buf, NULL, base);
    result = errno ? broken(p, "the integer does not fit in 64 bits") : MATCH;
out:
    sf_strbuf_release(&sb);
    return result;
}

static enum outcome match_special_float(const char *text, size_t len, struct sf_toml_value *out)
{
    size_t sign = len && (text[0] == '+' || text[0] == '-');
    double number;

    if (len - sign != 3)
        return NO_MATCH;
    if (!memcmp(text + sign, "inf", 3))
        number = INFINITY;
    else if (!memcmp(text + sign, "nan", 3))
        number = NAN;
    else
        return NO_MATCH;
    out->type = SF_TOML_FLOAT;
    out->as.number = text[0] == '-' ? -number : number;
    return MATCH;
}

/* The length of a run of digits at `at`. */
static size_t digits_at(const struct sf_strbuf *sb, size_t at)
{
    size_t n = 0;

    while (at + n < sb->len && is_digit((unsigned char)sb->buf[at + n]))
        n++;
    return n;
}

/* sign? digits ( . digits )? ( e sign? digits )?, with at least one of the last two. */
static bool looks_like_float(const struct sf_strbuf *sb)
{
    size_t at = sb->len && (sb->buf[0] == '+' || sb->buf[0] == '-');
    size_t n = digits_at(sb, at);
    bool is_float = false;

    if (!n || (n > 1 && sb->buf[at] == '0'))
        return false;
    at += n;
    if (at < sb->len && sb->buf[at] == '.') {
        n = digits_at(sb, at + 1);
        if (!n)
            return false;
        at += 1 + n;
        is_float = true;
    }
    if (at < sb->len && (sb->buf[at] == 'e' || sb->buf[at] == 'E')) {
        at++;
        at += at < sb->len && (sb->buf[at] == '+' || sb->buf[at] == '-');
        n = digits_at(sb, at);
        if (!n)
            return false;
        at += n;
        is_float = true;
    }
    return is_float && at == sb->len;
}

static enum outcome match_float(struct toml_parser *p, const char *text, size_t len,
                                struct sf_toml_value *out)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    enum outcome result = NO_MATCH;

    if (strip_underscores(text, len, 10, &sb) && looks_like_float(&sb)) {
        out->type = SF_TOML_FLOAT;
        out->as.number = strtod(sb.buf, NULL);
        result = isinf(out->as.number) ? broken(p, "the number is too large for a float") : MATCH;
    }
    sf_strbuf_release(&sb);
    return result;
}

/* Two or four digits as a number, or -1. */
static int fixed_digits(const char *text, size_t len, size_t at, size_t count)
{
    int value = 0;

    if (at > len || count > len - at)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!is_digit((unsigned char)text[at + i]))
            return -1;
        value = value * 10 + (text[at + i] - '0');
    }
    return value;
}

static bool char_at(const char *text, size_t len, size_t at, char c)
{
    return at < len && text[at] == c;
}

static bool date_ok(const char *text, size_t len)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int year = fixed_digits(text, len, 0, 4), month = fixed_digits(text, len, 5, 2);
    int day = fixed_digits(text, len, 8, 2);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    if (year < 0 || month < 1 || month > 12 || day < 1 || !char_at(text, len, 7, '-'))
        return false;
    return day <= days[month - 1] + (month == 2 && leap);
}

/* Length of "HH:MM:SS" with its fraction at the start of text, 0 when it is not one. */
static size_t time_length(const char *text, size_t len)
{
    int hour = fixed_digits(text, len, 0, 2), minute = fixed_digits(text, len, 3, 2);
    int second = fixed_digits(text, len, 6, 2);
    size_t at = 8;

    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 ||
        !char_at(text, len, 2, ':') || !char_at(text, len, 5, ':'))
        return 0;
    if (char_at(text, len, at, '.')) {
        at++;
        if (at >= len || !is_digit((unsigned char)text[at]))
            return 0;
        while (at < len && is_digit((unsigned char)text[at]))
            at++;
    }
    return at;
}

/* Z, or +HH:MM, to the end of text. */
static bool offset_ok(const char *text, size_t len)
{
    int hour = fixed_digits(text, len, 1, 2), minute = fixed_digits(text, len, 4, 2);

    if (len == 1)
        return text[0] == 'Z' || text[0] == 'z';
    return len == 6 && (text[0] == '+' || text[0] == '-') && hour >= 0 && hour <= 23 &&
           text[3] == ':' && minute >= 0 && minute <= 59;
}

static void keep_time(struct toml_parser *p, enum sf_toml_type type, const char *text, size_t len,
                      struct sf_toml_value *out)
{
    char *copy = sf_arena_strndup(&p->doc->arena, text, len);

    if (len > 10 && type != SF_TOML_TIME_LOCAL)
        copy[10] = 'T';
    if (copy[len - 1] == 'z')
        copy[len - 1] = 'Z';
    out->type = type;
    out->as.str.text = copy;
    out->as.str.len = len;
}

static enum outcome match_time(struct toml_parser *p, const char *text, size_t len,
                               struct sf_toml_value *out)
{
    size_t n;

    if (fixed_digits(text, len, 0, 2) >= 0 && char_at(text, len, 2, ':')) {
        if (time_length(text, len) != len)
            return broken(p, "no such time of day");
        keep_time(p, SF_TOML_TIME_LOCAL, text, len, out);
        return MATCH;
    }
    if (fixed_digits(text, len, 0, 4) < 0 || !char_at(text, len, 4, '-'))
        return NO_MATCH;
    if (!date_ok(text, len))
        return broken(p, "no such date");
    if (len == 10) {
        keep_time(p, SF_TOML_DATE_LOCAL, text, len, out);
        return MATCH;
    }
    n = strchr("Tt ", text[10]) && text[10] ? time_length(text + 11, len - 11) : 0;
    if (!n)
        return broken(p, "no such date and time");
    if (n == len - 11)
        keep_time(p, SF_TOML_DATETIME_LOCAL, text, len, out);
    else if (offset_ok(text + 11 + n, len - 11 - n))
        keep_time(p, SF_TOML_DATETIME, text, len, out);
    else
        return broken(p, "no such offset from UTC");
    return MATCH;
}

static bool is_delimiter(int c)
{
    return c < 0 || strchr(" \t\r\n,]}#=", c);
}

/* Up to a delimiter; a date goes on over one space when a time of day follows it. */
static size_t plain_length(const struct toml_parser *p)
{
    size_t n = 0;

    while (!is_delimiter(sf_toml_peek(p, n)))
        n++;
    if (n == 10 && sf_toml_peek(p, 4) == '-' && sf_toml_peek(p, 10) == ' ' &&
        is_digit(sf_toml_peek(p, 11)))
        for (n = 11; !is_delimiter(sf_toml_peek(p, n));)
            n++;
    return n;
}

static enum outcome match_boolean(const char *text, size_t len, struct sf_toml_value *out)
{
    bool yes = len == 4 && !memcmp(text, "true", 4);

    if (!yes && (len != 5 || memcmp(text, "false", 5) != 0))
        return NO_MATCH;
    out->type = SF_TOML_BOOLEAN;
    out->as.boolean = yes;
    return MATCH;
}

bool sf_toml_read_plain(struct toml_parser *p, struct sf_toml_value *out)
{
    const char *text = p->text + p->at;
    size_t len = plain_length(p);
    enum outcome found = NO_MATCH;

    if (!len)
        return sf_toml_fail(p, p->at, "expected a value");
    found = match_boolean(text, len, out);
    if (found == NO_MATCH)
        found = match_special_float(text, len, out);
    if (found == NO_MATCH)
        found = match_integer(p, text, len, out);
    if (found == NO_MATCH)
        found = match_float(p, text, len, out);
    if (found == NO_MATCH)
        found = match_time(p, text, len, out);
    if (found == NO_MATCH)
        sf_toml_fail(p, p->at, "'%.*s' is not a value (strings need quotes)",
                     (int)(len > 60 ? 60 : len), text);
    if (found != MATCH)
        return false;
    p->at += len;
    return true;
}
