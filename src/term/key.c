/*
 * key.c: cases of letters and the one form of a chord. Case is by ranges and not by the locale: a
 * chord must mean the same whatever the environment says.
 */
#include "term/key.h"

#include <string.h>

#include "base/base.h"

/* `first` to `last` are capitals; the small letter stands `by` further. */
static const struct range {
    uint32_t first, last, by;
} ranges[] = {
    { 'A', 'Z', 32 },     { 0xc0, 0xd6, 32 },   { 0xd8, 0xde, 32 },   { 0x391, 0x3a1, 32 },
    { 0x3a3, 0x3ab, 32 }, { 0x400, 0x40f, 80 }, { 0x410, 0x42f, 32 },
};

uint32_t sf_key_lower(uint32_t code)
{
    for (size_t i = 0; i < SF_COUNT(ranges); i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return code + ranges[i].by;
    return code;
}

uint32_t sf_key_upper(uint32_t code)
{
    for (size_t i = 0; i < SF_COUNT(ranges); i++)
        if (code >= ranges[i].first + ranges[i].by && code <= ranges[i].last + ranges[i].by)
            return code - ranges[i].by;
    return code;
}

bool sf_key_is_letter(uint32_t code)
{
    return sf_key_lower(code) != code || sf_key_upper(code) != code;
}

bool sf_key_is_printable(uint32_t code)
{
    return code >= 0x20 && code <= SF_UTF8_LAST && (code < 0x7f || code > 0x9f) &&
           (code < 0xd800 || code > 0xdfff);
}

static bool is_shifted_symbol(uint32_t code)
{
    return code > 0x20 && code < 0x7f && strchr("~!@#$%^&*()_+{}|:\"<>?", (int)code);
}

struct sf_key sf_key_normal(uint32_t code, unsigned mods)
{
    struct sf_key key = { sf_key_lower(code), mods };

    if (is_shifted_symbol(code))
        key.mods &= ~(unsigned)SF_MOD_SHIFT;
    if (key.code == '@' && (mods & SF_MOD_CTRL))
        key.code = ' ';
    if (key.code == '[' && (mods & SF_MOD_CTRL))
        key = (struct sf_key){ SF_KEY_ESCAPE, mods & ~(unsigned)SF_MOD_CTRL };
    return key;
}

struct sf_key sf_key_of_control(unsigned char byte)
{
    switch (byte) {
    case '\t':
        return (struct sf_key){ SF_KEY_TAB, 0 };
    case '\r':
        return (struct sf_key){ SF_KEY_ENTER, 0 };
    case 0x1b:
        return (struct sf_key){ SF_KEY_ESCAPE, 0 };
    case 0x7f:
        return (struct sf_key){ SF_KEY_BACKSPACE, 0 };
    default:
        return sf_key_normal((uint32_t)byte + 0x40, SF_MOD_CTRL);
    }
}
