/*
 * markdown_entity.c: the entities people and models really write. An entity that is not in the
 * table stays what was written, which is what a reader without the table would see.
 */
#include <stdlib.h>
#include <string.h>

#include "view/markdown_parts.h"

/* clang-format off */
static const struct {
    const char *name;
    uint32_t cp;
} entities[] = {
    { "amp", '&' },       { "lt", '<' },        { "gt", '>' },        { "quot", '"' },
    { "apos", '\'' },     { "nbsp", ' ' },      { "ensp", ' ' },      { "emsp", ' ' },
    { "thinsp", ' ' },    { "copy", 0xa9 },     { "reg", 0xae },      { "trade", 0x2122 },
    { "hellip", 0x2026 }, { "mdash", 0x2014 },  { "ndash", 0x2013 },  { "lsquo", 0x2018 },
    { "rsquo", 0x2019 },  { "ldquo", 0x201c },  { "rdquo", 0x201d },  { "laquo", 0xab },
    { "raquo", 0xbb },    { "bull", 0x2022 },   { "middot", 0xb7 },   { "times", 0xd7 },
    { "divide", 0xf7 },   { "plusmn", 0xb1 },   { "minus", 0x2212 },  { "deg", 0xb0 },
    { "micro", 0xb5 },    { "para", 0xb6 },     { "sect", 0xa7 },     { "euro", 0x20ac },
    { "pound", 0xa3 },    { "yen", 0xa5 },      { "cent", 0xa2 },     { "frac12", 0xbd },
    { "frac14", 0xbc },   { "frac34", 0xbe },   { "sup2", 0xb2 },     { "sup3", 0xb3 },
    { "larr", 0x2190 },   { "uarr", 0x2191 },   { "rarr", 0x2192 },   { "darr", 0x2193 },
    { "harr", 0x2194 },   { "rArr", 0x21d2 },   { "lArr", 0x21d0 },   { "hArr", 0x21d4 },
    { "le", 0x2264 },     { "ge", 0x2265 },     { "ne", 0x2260 },     { "asymp", 0x2248 },
    { "equiv", 0x2261 },  { "infin", 0x221e },  { "sum", 0x2211 },    { "prod", 0x220f },
    { "radic", 0x221a },  { "isin", 0x2208 },   { "notin", 0x2209 },  { "cap", 0x2229 },
    { "cup", 0x222a },    { "forall", 0x2200 }, { "exist", 0x2203 },  { "empty", 0x2205 },
    { "alpha", 0x3b1 },   { "beta", 0x3b2 },    { "gamma", 0x3b3 },   { "delta", 0x3b4 },
    { "epsilon", 0x3b5 }, { "lambda", 0x3bb },  { "mu", 0x3bc },      { "pi", 0x3c0 },
    { "sigma", 0x3c3 },   { "theta", 0x3b8 },   { "omega", 0x3c9 },   { "Delta", 0x394 },
    { "Sigma", 0x3a3 },   { "Omega", 0x3a9 },   { "check", 0x2713 },  { "cross", 0x2717 },
    { "auml", 0xe4 },     { "ouml", 0xf6 },     { "uuml", 0xfc },     { "Auml", 0xc4 },
    { "Ouml", 0xd6 },     { "Uuml", 0xdc },     { "szlig", 0xdf },    { "eacute", 0xe9 },
    { "egrave", 0xe8 },   { "agrave", 0xe0 },   { "ccedil", 0xe7 },   { "ntilde", 0xf1 },
    { "lbrace", '{' },    { "rbrace", '}' },    { "lbrack", '[' },    { "rbrack", ']' },
    { "lpar", '(' },      { "rpar", ')' },      { "num", '#' },       { "ast", '*' },
    { "lowbar", '_' },    { "grave", '`' },     { "vert", '|' },      { "bsol", '\\' },
    { "sol", '/' },       { "dollar", '$' },    { "percnt", '%' },    { "commat", '@' },
    { "colon", ':' },     { "semi", ';' },      { "excl", '!' },      { "quest", '?' },
    { "comma", ',' },     { "period", '.' },    { "plus", '+' },      { "equals", '=' },
    { "NewLine", ' ' },   { "Tab", ' ' },
};
/* clang-format on */

static uint32_t numeric(const char *digits, size_t len)
{
    bool hex = len && (*digits == 'x' || *digits == 'X');
    char copy[16] = "";

    if (hex)
        digits++, len--;
    if (len >= sizeof(copy))
        return SF_UTF8_REPLACEMENT;
    memcpy(copy, digits, len);
    unsigned long cp = strtoul(copy, NULL, hex ? 16 : 10);

    return cp && cp <= SF_UTF8_LAST ? (uint32_t)cp : SF_UTF8_REPLACEMENT;
}

static uint32_t named(const char *name, size_t len)
{
    for (size_t i = 0; i < SF_COUNT(entities); i++)
        if (strlen(entities[i].name) == len && !memcmp(entities[i].name, name, len))
            return entities[i].cp;
    return 0;
}

void sf_md_entity(struct sf_strbuf *out, const char *text, size_t len)
{
    bool is_number = len > 3 && text[1] == '#';
    uint32_t cp = len < 3 ? 0 : is_number ? numeric(text + 2, len - 3) : named(text + 1, len - 2);
    char bytes[4];

    if (cp)
        sf_text_sanitize(out, bytes, sf_utf8_encode(cp, bytes), SF_TEXT_ONE_LINE);
    else
        sf_strbuf_add(out, text, len);
}
