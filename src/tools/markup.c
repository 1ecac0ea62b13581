/*
 * markup.c: positions only move forward. The functions return where they stopped, which is `len` if
 * the page ends first.
 */
#include "tools/markup.h"

#include <ctype.h>
#include <strings.h>

#include "base/base.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/* What ends the name of a tag. */
static bool ends_name(char c)
{
    return is_blank(c) || c == '/' || c == '>';
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) && (unsigned char)c < 0x80;
}

static size_t skip_blanks(const char *html, size_t len, size_t at)
{
    while (at < len && is_blank(html[at]))
        at++;
    return at;
}

/* The position after the next occurrence of the text. */
static size_t behind(const char *html, size_t len, size_t at, const char *text)
{
    size_t n = strlen(text);
    const char *found = at < len ? memmem(html + at, len - at, text, n) : NULL;

    return found ? (size_t)(found - html) + n : len;
}

static size_t read_name(const char *html, size_t len, size_t at, struct sf_markup *tag)
{
    size_t n = 0;

    for (; at < len && !ends_name(html[at]); at++)
        if (n < sizeof(tag->name))
            tag->name[n++] = (char)tolower((unsigned char)html[at]);
    if (n == sizeof(tag->name))
        n = 0;
    tag->name[n] = '\0';
    return at;
}

static void note(struct sf_markup *tag, const char *name, size_t name_len, const char *value,
                 size_t len)
{
    if (!tag->href && name_len == 4 && !strncasecmp(name, "href", 4)) {
        tag->href = value;
        tag->href_len = len;
    }
    if (!tag->alt && name_len == 3 && !strncasecmp(name, "alt", 3)) {
        tag->alt = value;
        tag->alt_len = len;
    }
}

/* Reads the value of an attribute, after the "=". */
static size_t read_value(const char *html, size_t len, size_t at, const char **value, size_t *n)
{
    const char *end;

    *value = html + at;
    if (at < len && (html[at] == '"' || html[at] == '\'')) {
        end = memchr(html + at + 1, html[at], len - at - 1);
        if (!end)
            return len;
        *value = html + at + 1;
        *n = (size_t)(end - *value);
        return (size_t)(end - html) + 1;
    }
    while (at < len && !is_blank(html[at]) && html[at] != '>')
        at++;
    *n = (size_t)(html + at - *value);
    return at;
}

static size_t read_attribute(const char *html, size_t len, size_t at, struct sf_markup *tag)
{
    size_t name = at, name_len, n = 0;
    const char *value = NULL;

    at++; /* the first character belongs to the name, even a "=" */
    while (at < len && !ends_name(html[at]) && html[at] != '=')
        at++;
    name_len = at - name;
    at = skip_blanks(html, len, at);
    if (at < len && html[at] == '=') {
        at = read_value(html, len, skip_blanks(html, len, at + 1), &value, &n);
        note(tag, html + name, name_len, value, n);
    }
    return at;
}

static size_t read_attributes(const char *html, size_t len, size_t at, struct sf_markup *tag)
{
    while (at < len && html[at] != '>') {
        if (is_blank(html[at]) || html[at] == '/')
            at++;
        else
            at = read_attribute(html, len, at, tag);
    }
    return at < len ? at + 1 : len;
}

size_t sf_markup_read(const char *html, size_t len, struct sf_markup *tag)
{
    size_t at = 1;

    *tag = (struct sf_markup){ .name = "" };
    if (len < 2)
        return 0;
    if (len >= 4 && !memcmp(html, "<!--", 4))
        return behind(html, len, 2, "-->");
    if (html[1] == '!' || html[1] == '?')
        return behind(html, len, 2, ">");
    if (html[1] == '/') {
        tag->closing = true;
        at = 2;
    }
    if (at == len || !is_letter(html[at]))
        return tag->closing && at < len ? behind(html, len, 2, ">") : 0;
    at = read_name(html, len, at, tag);
    return read_attributes(html, len, at, tag);
}

size_t sf_markup_raw(const char *html, size_t len, const char *name)
{
    size_t n = strlen(name), at = 0;

    for (;;) {
        const char *open = memchr(html + at, '<', len - at);
        size_t left;

        if (!open)
            return len;
        at = (size_t)(open - html);
        left = len - at;
        if (left >= n + 2 && open[1] == '/' && !strncasecmp(open + 2, name, n) &&
            (left == n + 2 || ends_name(open[n + 2])))
            return at;
        at++;
    }
}
