/*
 * decoder_build: what the files of the decoder share. decoder.c walks the states, decoder_csi.c
 * reads finished control sequences, decoder_string.c strings (OSC, DCS), decoder_paste.c collects
 * pastes. Inside tui only.
 */
#ifndef SF_TERM_DECODER_BUILD_H
#define SF_TERM_DECODER_BUILD_H

#include "base/base.h"
#include "term/decoder.h"

enum sf_decoder_state {
    SF_DECODE_GROUND,
    SF_DECODE_ESC,     /* behind ESC; `escaped`: behind two */
    SF_DECODE_ALT,     /* ESC and the start of a character */
    SF_DECODE_SS3,     /* ESC O */
    SF_DECODE_CSI,     /* ESC [ and parameters */
    SF_DECODE_CONSOLE, /* ESC [ [ */
    SF_DECODE_X10,     /* ESC [ M and up to three bytes */
    SF_DECODE_STRING,  /* ESC ] and the like, with a body */
    SF_DECODE_STRING_ESC,
    SF_DECODE_PASTE,
    SF_DECODE_BURST,
};

enum {
    SF_DECODE_SEQ = 256,           /* bytes of a sequence that are looked at */
    SF_DECODE_SWALLOW = 64 * 1024, /* bytes of an unknown one that are dropped at most */
    SF_DECODE_PATIENCE = 8,        /* timeouts a sequence under way survives */
    SF_DECODE_TEXT = 64 * 1024,    /* bytes of one text event */
};

/* The beginning of a character. */
struct sf_decoder_part {
    char bytes[4];
    size_t len;
};

struct sf_term_decoder {
    sf_term_event_fn *fn;
    void *ctx;
    enum sf_decoder_state state;
    bool escaped; /* another ESC stands before the sequence */
    char kind;    /* of a string: the byte behind ESC */
    char seq[SF_DECODE_SEQ + 1];
    size_t seq_len; /* counts on where the array ends */
    unsigned timeouts;
    struct sf_decoder_part part;
    struct sf_strbuf text;
    size_t burst;
    struct sf_strbuf held; /* line breaks at the end of a long feed: Enter, or amid a paste */

    struct sf_strbuf paste;
    bool cut, after_cr;
    size_t matched; /* bytes of the end of a paste */
};

/* Tells what was typed so far, then the event. */
void sf_decode_tell(struct sf_term_decoder *d, const struct sf_term_event *event);
void sf_decode_key(struct sf_term_decoder *d, struct sf_key key);
void sf_decode_char(struct sf_term_decoder *d, uint32_t cp); /* text; dropped if not printable */

/*
 * A byte of text: true when `*cp` is a character, or U+FFFD for damage; with `*again` the byte
 * only ended a damaged one and is to be looked at once more.
 */
bool sf_decode_utf8(struct sf_decoder_part *part, unsigned char byte, uint32_t *cp, bool *again);

/* A finished sequence: seq holds what stands between "ESC [" and `final`. */
void sf_decode_csi(struct sf_term_decoder *d, char final);
void sf_decode_ss3(struct sf_term_decoder *d, char final);
void sf_decode_console(struct sf_term_decoder *d, char final);
void sf_decode_x10(struct sf_term_decoder *d);
void sf_decode_string(struct sf_term_decoder *d);

void sf_decode_paste_begin(struct sf_term_decoder *d, enum sf_decoder_state state);
void sf_decode_paste_end(struct sf_term_decoder *d);

/* Takes bytes of the paste; returns how many, fewer than `len` only when it ended. */
size_t sf_decode_paste(struct sf_term_decoder *d, const char *bytes, size_t len);

#endif
