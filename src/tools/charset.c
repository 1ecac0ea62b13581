/*
 * charset.c: names of charsets, and the one table that is needed.
 */
#include "tools/charset.h"

#include <ctype.h>
#include <strings.h>

enum { PAGE_HEAD = 2048 }; /* bytes of a page that are searched for its charset */

static const char *const utf8_names[] = { "", "utf-8", "utf8", "us-ascii", "ascii" };
static const char *const latin_names[] = { "iso-8859-1", "iso8859-1", "iso_8859-1",   "latin1",
                                           "latin-1",    "l1",        "windows-1252", "cp1252" };

/* 0x80 to 0x9f; 0: not assigned. */
static const uint16_t latin[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

uint32_t sf_charset_latin(unsigned char byte)
{
    if (byte < 0x80 || byte > 0x9f)
        return byte;
    return latin[byte - 0x80] ? latin[byte - 0x80] : SF_UTF8_REPLACEMENT;
}

/* The position after the next "charset", where "= 'name'" should follow; NULL: none. */
static const char *find_word(const char *text, const char *end)
{
    for (; end - text > 7; text++)
        if (!strncasecmp(text, "charset", 7))
            return text + 7;
    return NULL;
}

static bool is_name_sign(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.' || c == ':';
}

static bool read_name(const char *text, size_t len, char name[SF_CHARSET_NAME])
{
    const char *end = text + len, *at = find_word(text, end);
    size_t n = 0;

    while (at && at < end && strchr(" \t=\"'", *at))
        at++;
    while (at && at < end && n < SF_CHARSET_NAME - 1 && is_name_sign(*at))
        name[n++] = (char)tolower((unsigned char)*at++);
    name[n] = '\0';
    return n > 0;
}

void sf_charset_find(const char *content_type, const char *page, size_t len,
                     char name[SF_CHARSET_NAME])
{
    if (!read_name(content_type, strlen(content_type), name))
        read_name(page, len < PAGE_HEAD ? len : PAGE_HEAD, name);
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool is_ascii(const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)bytes[i] >= 0x80)
            return false;
    return true;
}

bool sf_charset_decode(const char *name, const char *bytes, size_t len, struct sf_strbuf *out)
{
    if (is_one_of(name, latin_names, SF_COUNT(latin_names))) {
        for (size_t i = 0; i < len; i++)
            sf_utf8_add(out, sf_charset_latin((unsigned char)bytes[i]));
        return true;
    }
    sf_utf8_scrub(out, bytes, len);
    return is_one_of(name, utf8_names, SF_COUNT(utf8_names)) || is_ascii(bytes, len);
}
