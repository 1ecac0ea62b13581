/*
 * A terminal gone mad. Whatever it sends: text and pastes are valid UTF-8 without controls, a key
 * has one form that can be written down and read back, the chunking changes nothing, no more is
 * told than came, and the keyboard is heard afterwards, unless a paste is open. The first byte
 * says how the rest is cut and whether bursts are pastes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "term/term.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HOLDS(promise)                                                    \
    do {                                                                  \
        if (!(promise)) {                                                 \
            fprintf(stderr, "line %d: broken: %s\n", __LINE__, #promise); \
            abort();                                                      \
        }                                                                 \
    } while (0)

enum { SIZE_ENOUGH = 512 }; /* sequences are short; floods have a test of their own */

struct heard {
    struct sf_strbuf log;
    struct sf_keymap *map; /* NULL: keys were looked at before */
    bool typing, pasted;
    size_t bytes; /* of text */
};

static void check_text(const char *text, size_t len, bool paste)
{
    for (size_t at = 0; at < len;) {
        uint32_t cp;

        at += sf_utf8_decode(text + at, len - at, &cp);
        HOLDS(cp != SF_UTF8_INVALID);
        HOLDS((paste && (cp == '\n' || cp == '\t')) ||
              (cp >= 0x20 && cp != 0x7f && (cp < 0x80 || cp > 0x9f)));
    }
}

static void check_key(struct heard *heard, const struct sf_key *key)
{
    const struct sf_chord chord = { { *key, { 0, 0 } } };
    struct sf_error err = SF_ERROR_INIT;
    char shown[SF_CHORD_TEXT];
    struct sf_chord again;
    bool waits;

    HOLDS(key->code && key->code <= SF_KEY_LAST);
    HOLDS(key->code >= SF_KEY_BASE || (key->mods & ~(unsigned)SF_MOD_SHIFT));
    sf_chord_text(&chord, shown);
    HOLDS(sf_chord_parse(&again, shown, &err));
    HOLDS(again.keys[0].code == key->code && again.keys[0].mods == key->mods);
    HOLDS(sf_keymap_feed(heard->map, key, &waits) < SF_ACTION_COUNT);
    HOLDS(waits == (sf_keymap_leader(heard->map) != NULL));
}

static void check_mouse(const struct sf_mouse *m)
{
    HOLDS(m->row >= 0 && m->row < 65535 && m->col >= 0 && m->col < 65535);
    HOLDS(m->button >= 0 && m->button <= 2 && m->mods < 8);
}

static void hear(void *ctx, const struct sf_term_event *e)
{
    struct heard *heard = ctx;
    bool typing = e->kind == SF_TERM_TEXT;

    if (typing || e->kind == SF_TERM_PASTE) {
        HOLDS(e->len <= SF_PASTE_MAX && (e->len || !typing));
        check_text(e->text, e->len, !typing);
        heard->bytes += e->len;
    }
    if (e->kind == SF_TERM_KEY && heard->map)
        check_key(heard, &e->key);
    if (e->kind == SF_TERM_MOUSE)
        check_mouse(&e->mouse);
    heard->pasted = heard->pasted || e->kind == SF_TERM_PASTE;
    if (!typing || !heard->typing)
        sf_strbuf_addf(&heard->log, "\n%d %u+%u %d %d,%d %d %d %d=%d %d,%d ", (int)e->kind,
                       e->key.code, e->key.mods, (int)e->mouse.kind, e->mouse.row, e->mouse.col,
                       e->mouse.button, e->on, e->mode, e->value, e->row, e->col);
    sf_strbuf_add(&heard->log, e->text, e->text ? e->len : 0);
    heard->typing = typing;
}

static void wait_out(struct sf_term_decoder *d)
{
    for (int i = 0; i < 10; i++)
        if (sf_term_decoder_waits(d))
            sf_term_decoder_timeout(d);
    HOLDS(!sf_term_decoder_waits(d));
}

static bool ends_in_a(const struct heard *heard)
{
    return heard->log.buf[heard->log.len - 1] == 'a';
}

/* Esc, a moment, then a letter: it is typed, or a paste is open and holds it. */
static void check_heard(struct sf_term_decoder *d, struct heard *heard)
{
    heard->typing = heard->pasted = false;
    sf_term_decoder_feed(d, "\033", 1);
    sf_term_decoder_timeout(d);
    sf_term_decoder_feed(d, "a", 1);
    if (heard->typing && ends_in_a(heard))
        return;
    sf_term_decoder_feed(d, "\033[201~", 6);
    HOLDS(heard->pasted && ends_in_a(heard));
}

static void decode(const char *bytes, size_t size, size_t pace, size_t burst, struct heard *heard)
{
    struct sf_term_decoder *d = sf_term_decoder_new(hear, heard);
    size_t chunk = pace ? pace : size;

    sf_term_decoder_burst(d, burst);
    for (size_t at = 0; at < size;) {
        size_t n = size - at < chunk ? size - at : chunk;

        sf_term_decoder_feed(d, bytes + at, n);
        at += n;
        chunk = chunk * 5 % 13 + 1;
    }
    HOLDS(heard->bytes <= size * 3);
    check_heard(d, heard);
    wait_out(d);
    sf_term_decoder_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sf_keymap *map; /* no input changes it: made once */
    struct heard whole = { .log = SF_STRBUF_INIT }, parts = whole, burst = whole;
    const char *bytes = (const char *)data + 1;

    if (!size || size > SIZE_ENOUGH)
        return 0;
    if (!map)
        map = sf_keymap_new();
    whole.map = map;
    decode(bytes, size - 1, 0, 0, &whole);
    decode(bytes, size - 1, 1 + data[0] % 8, 0, &parts);
    HOLDS(whole.log.len == parts.log.len);
    HOLDS(!memcmp(whole.log.buf, parts.log.buf, whole.log.len));
    decode(bytes, size - 1, data[0] % 64, data[0] / 8, &burst);
    sf_keymap_forget(map);
    sf_strbuf_release(&whole.log);
    sf_strbuf_release(&parts.log);
    sf_strbuf_release(&burst.log);
    return 0;
}
