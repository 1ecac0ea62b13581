/*
 * chord.c: keys as words and back. What is read goes through sf_key_normal, as what is pressed
 * does; so "ctrl+[" is Esc here too, and "Alt+<" has no Shift.
 */
#include <strings.h>

#include "base/base.h"
#include "modes/modes.h"
#include "term/key.h"
#include "term/keymap.h"

/* clang-format off */
const struct sf_key_name sf_key_names[] = {
    { "Esc", SF_KEY_ESCAPE },      { "Enter", SF_KEY_ENTER },   { "Tab", SF_KEY_TAB },
    { "Backspace", SF_KEY_BACKSPACE }, { "Insert", SF_KEY_INSERT }, { "Delete", SF_KEY_DELETE },
    { "Left", SF_KEY_LEFT },       { "Right", SF_KEY_RIGHT },   { "Up", SF_KEY_UP },
    { "Down", SF_KEY_DOWN },       { "PgUp", SF_KEY_PAGE_UP },  { "PgDn", SF_KEY_PAGE_DOWN },
    { "Home", SF_KEY_HOME },       { "End", SF_KEY_END },       { "Menu", SF_KEY_MENU },
    { "Space", ' ' },              { "Comma", ',' },
    { "Escape", SF_KEY_ESCAPE },   { "Return", SF_KEY_ENTER },  { "Del", SF_KEY_DELETE },
    { "Ins", SF_KEY_INSERT },      { "PageUp", SF_KEY_PAGE_UP }, { "PageDown", SF_KEY_PAGE_DOWN },
};

/* In the order they are shown. */
static const struct {
    const char *name;
    unsigned mod;
} modifiers[] = {
    { "Super", SF_MOD_SUPER }, { "Ctrl", SF_MOD_CTRL },  { "Alt", SF_MOD_ALT },
    { "Shift", SF_MOD_SHIFT }, { "Control", SF_MOD_CTRL }, { "Meta", SF_MOD_ALT },
};
/* clang-format on */

const size_t sf_key_name_count = SF_COUNT(sf_key_names);

enum { SHOWN_MODIFIERS = 4, FUNCTION_KEYS = SF_KEY_F24 - SF_KEY_F1 + 1 };

/* ---- reading ---- */

static bool is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && !strncasecmp(text, word, len);
}

/* "ctrl+", or "^" before a character; returns its bytes. */
static size_t read_modifier(const char *text, size_t len, unsigned *mods)
{
    const char *plus = memchr(text, '+', len);
    size_t n = plus ? (size_t)(plus - text) : 0;

    if (len > 1 && text[0] == '^') {
        *mods |= SF_MOD_CTRL;
        return 1;
    }
    for (size_t i = 0; n && n + 1 < len && i < SF_COUNT(modifiers); i++)
        if (is_word(text, n, modifiers[i].name)) {
            *mods |= modifiers[i].mod;
            return n + 1;
        }
    return 0;
}

/* "f1" to "f24"; 0: something else. */
static uint32_t read_function_key(const char *text, size_t len)
{
    unsigned number = 0;

    if (len < 2 || len > 3 || (text[0] != 'f' && text[0] != 'F') || text[1] == '0')
        return 0;
    for (size_t i = 1; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return 0;
        number = number * 10 + (unsigned)(text[i] - '0');
    }
    return number <= FUNCTION_KEYS ? SF_KEY_F1 + number - 1 : 0;
}

static uint32_t read_code(const char *text, size_t len)
{
    uint32_t code = read_function_key(text, len);

    if (code)
        return code;
    for (size_t i = 0; i < sf_key_name_count; i++)
        if (is_word(text, len, sf_key_names[i].name))
            return sf_key_names[i].code;
    if (sf_utf8_decode(text, len, &code) == len && sf_key_is_printable(code))
        return code;
    return 0;
}

static bool fail_key(struct sf_error *err, const char *text, size_t len, const char *chord)
{
    char quote[SF_QUOTE_MAX], whole[SF_QUOTE_MAX], word[16] = "";
    struct sf_suggest s;

    snprintf(word, sizeof(word), "%.*s", len < sizeof(word) ? (int)len : 0, text);
    sf_suggest_start(&s, word);
    for (size_t i = 0; i < sf_key_name_count; i++)
        sf_suggest_offer(&s, sf_key_names[i].name);
    for (size_t i = 0; i < SF_COUNT(modifiers); i++)
        sf_suggest_offer(&s, modifiers[i].name);
    sf_fail(err, SF_E_SYNTAX, "there is no key called \"%s\", in \"%s\"",
            sf_quote(quote, text, len), sf_quote(whole, chord, strlen(chord)));
    return sf_suggest_hint(
        &s, "keys look like ctrl+x m, alt+enter, f1; docs/KEYS.md has their names", err);
}

static bool read_key(struct sf_key *key, const char *text, size_t len, const char *chord,
                     struct sf_error *err)
{
    unsigned mods = 0;
    uint32_t code;
    size_t n;

    while ((n = read_modifier(text, len, &mods))) {
        text += n;
        len -= n;
    }
    code = read_code(text, len);
    if (!code) {
        size_t word = strcspn(text, "+ ");

        return fail_key(err, text, word && word < len ? word : len, chord);
    }
    *key = sf_key_normal(code, mods);
    return true;
}

bool sf_chord_parse(struct sf_chord *chord, const char *text, struct sf_error *err)
{
    struct sf_chord read = { .keys = { { 0, 0 } } };
    const char *at = text + strspn(text, " ");
    char quote[SF_QUOTE_MAX];
    size_t count = 0;

    for (; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");

        if (count == SF_BINDING_KEYS) {
            sf_fail(err, SF_E_SYNTAX, "\"%s\" has too many keys",
                    sf_quote(quote, text, strlen(text)));
            return sf_hint(err, "one key, or two of them, such as ctrl+x m");
        }
        if (!read_key(&read.keys[count++], at, n, text, err))
            return false;
        at += n;
    }
    if (!count) {
        sf_fail(err, SF_E_SYNTAX, "there is no key in \"%s\"", sf_quote(quote, text, strlen(text)));
        return sf_hint(err, "keys look like ctrl+x m, alt+enter, f1");
    }
    *chord = read;
    return true;
}

/* ---- showing ---- */

static void add_name(struct sf_strbuf *out, const struct sf_key *key)
{
    if (key->code >= SF_KEY_F1 && key->code <= SF_KEY_F24) {
        sf_strbuf_addf(out, "F%u", key->code - SF_KEY_F1 + 1);
        return;
    }
    for (size_t i = 0; i < sf_key_name_count; i++)
        if (sf_key_names[i].code == key->code) {
            sf_strbuf_adds(out, sf_key_names[i].name);
            return;
        }
    sf_utf8_add(out, key->mods ? sf_key_upper(key->code) : key->code);
}

void sf_chord_text(const struct sf_chord *chord, char out[SF_CHORD_TEXT])
{
    struct sf_strbuf text = SF_STRBUF_INIT;

    for (size_t k = 0; k < SF_BINDING_KEYS && chord->keys[k].code; k++) {
        const struct sf_key *key = &chord->keys[k];

        sf_strbuf_adds(&text, k ? " " : "");
        for (size_t i = 0; i < SHOWN_MODIFIERS; i++)
            if (key->mods & modifiers[i].mod)
                sf_strbuf_addf(&text, "%s+", modifiers[i].name);
        add_name(&text, key);
    }
    snprintf(out, SF_CHORD_TEXT, "%s", text.buf);
    sf_strbuf_release(&text);
}

/* ---- what a legacy terminal can send ---- */

static bool is_plain_special(const struct sf_key *key)
{
    switch (key->code) {
    case SF_KEY_ESCAPE:
        return !key->mods;
    case SF_KEY_TAB:
        return !(key->mods & ~(unsigned)SF_MOD_SHIFT);
    case SF_KEY_ENTER:
    case SF_KEY_BACKSPACE:
        return !(key->mods & ~(unsigned)SF_MOD_ALT);
    default: /* xterm's form, CSI 1 ; 5 C, is everywhere */
        return !(key->mods & SF_MOD_SUPER);
    }
}

static bool is_plain_ctrl(uint32_t code)
{
    if (code >= 'a' && code <= 'z')
        return code != 'i' && code != 'm'; /* Tab and Enter */
    return code == ' ' || (code < 0x7f && strchr("\\]^_", (int)code));
}

static bool is_plain_key(const struct sf_key *key)
{
    bool shift = key->mods & SF_MOD_SHIFT;

    if (key->code >= SF_KEY_BASE)
        return is_plain_special(key);
    if (key->mods & SF_MOD_SUPER)
        return false;
    if (key->mods & SF_MOD_CTRL)
        return !shift && is_plain_ctrl(key->code);
    if (shift && !sf_key_is_letter(key->code))
        return false;
    if (!(key->mods & SF_MOD_ALT) || key->code >= 0x7f)
        return true;
    /* ESC and one of these is the start of a sequence as well */
    return !strchr("[]^_OPX", (int)(shift ? sf_key_upper(key->code) : key->code));
}

bool sf_chord_is_plain(const struct sf_chord *chord)
{
    for (size_t k = 0; k < SF_BINDING_KEYS && chord->keys[k].code; k++)
        if (!is_plain_key(&chord->keys[k]))
            return false;
    return true;
}
