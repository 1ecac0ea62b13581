/*
 * decoder: the bytes of a terminal as events. Understands the kitty keyboard protocol (CSI u with
 * event types and sub-parameters), modifyOtherKeys, legacy keys and Alt prefixes, SGR and X10
 * mouse, bracketed paste, focus, and the replies to what the terminal was asked. No I/O and no
 * clock: the owner feeds bytes and, while sf_term_decoder_waits, keeps a short timer armed, anew
 * after each feed and each timeout.
 *
 * Any chunking gives the same events, but for a lone ESC: at the end of what was fed it may be
 * the key or the start of a sequence; sf_term_decoder_timeout decides for the key. Text that is
 * not bracketed but comes in a burst is a paste too (sf_term_decoder_burst). Never fails: what is
 * not understood is dropped as a whole sequence, never shown as text.
 *
 * ESC ESC is two Esc. Before a legacy key without modifiers (ESC ESC [ A) it is Alt with that key,
 * as rxvt and PuTTY send it; before anything else the first ESC is the key. C1 bytes are not
 * controls: they are parts of UTF-8, or damage.
 */
#ifndef SF_TERM_DECODER_H
#define SF_TERM_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum {
    SF_PASTE_MAX = 8 * 1024 * 1024, /* bytes of one paste; the rest is dropped and said so */
};

/* Keys that are no characters, above all of Unicode. */
enum sf_key_code {
    SF_KEY_BASE = 0x110000,
    SF_KEY_ESCAPE = SF_KEY_BASE,
    SF_KEY_ENTER,
    SF_KEY_TAB,
    SF_KEY_BACKSPACE,
    SF_KEY_INSERT,
    SF_KEY_DELETE,
    SF_KEY_LEFT,
    SF_KEY_RIGHT,
    SF_KEY_UP,
    SF_KEY_DOWN,
    SF_KEY_PAGE_UP,
    SF_KEY_PAGE_DOWN,
    SF_KEY_HOME,
    SF_KEY_END,
    SF_KEY_MENU,
    SF_KEY_F1, /* to F24, in a row */
    SF_KEY_F24 = SF_KEY_F1 + 23,
    SF_KEY_LAST = SF_KEY_F24,
};

enum { SF_MOD_SHIFT = 1, SF_MOD_ALT = 2, SF_MOD_CTRL = 4, SF_MOD_SUPER = 8 };

/*
 * `code` is the character without Shift's and Ctrl's effect where a chord is meant: Ctrl+Shift+M
 * is 'm' with both, in every encoding; Shift with a symbol is the symbol it makes: Alt+'<'. A
 * printable key with at most Shift is always SF_TERM_TEXT, never a key, also from the keypad.
 * Ctrl+J, Ctrl+I and Ctrl+M of legacy terminals are 'j'+Ctrl, Tab and Enter; Ctrl+[ is Esc in all
 * of them. Shift+Tab is Tab with Shift. Only presses and repeats are reported.
 */
struct sf_key {
    uint32_t code;
    unsigned mods;
};

enum sf_mouse_kind {
    SF_MOUSE_PRESS,
    SF_MOUSE_RELEASE,
    SF_MOUSE_DRAG,
    SF_MOUSE_WHEEL_UP,
    SF_MOUSE_WHEEL_DOWN,
};

struct sf_mouse {
    enum sf_mouse_kind kind;
    int button; /* 0 left, 1 middle, 2 right */
    unsigned mods;
    int row, col; /* from 0 */
};

enum sf_term_event_kind {
    SF_TERM_KEY,
    SF_TERM_TEXT,  /* printable characters that came together: `text`, valid UTF-8 */
    SF_TERM_PASTE, /* `text`: valid UTF-8, newlines as "\n", no other control but tab */
    SF_TERM_MOUSE,
    SF_TERM_FOCUS, /* `on` */
    SF_TERM_REPLY,
};

enum sf_term_reply {
    SF_TERM_REPLY_ATTRIBUTES, /* to CSI c: the last answer to a series of questions */
    SF_TERM_REPLY_KITTY,      /* to CSI ? u: value = flags in force */
    SF_TERM_REPLY_VERSION,    /* to CSI > q: text */
    SF_TERM_REPLY_MODE,       /* to CSI ? N $ p: mode, value: 1 set, 2 reset, 0 unknown */
    SF_TERM_REPLY_POSITION, /* row, col from 1; ask CSI ? 6 n: else row 1 looks like F3 with a modifier */
    SF_TERM_REPLY_COLOUR, /* to OSC 10/11: mode 10 or 11, value 0xrrggbb */
};

/* Borrowed for the call. */
struct sf_term_event {
    enum sf_term_event_kind kind;
    struct sf_key key;
    const char *text;
    size_t len;
    bool cut; /* of a paste: it was longer than SF_PASTE_MAX */
    struct sf_mouse mouse;
    bool on;
    enum sf_term_reply reply;
    int mode, value, row, col;
};

typedef void sf_term_event_fn(void *ctx, const struct sf_term_event *event);

struct sf_term_decoder;

struct sf_term_decoder *sf_term_decoder_new(sf_term_event_fn *fn, void *ctx);
void sf_term_decoder_free(struct sf_term_decoder *d); /* NULL is welcome */

void sf_term_decoder_feed(struct sf_term_decoder *d, const char *bytes, size_t len);

/*
 * A lone ESC, the start of a sequence or a burst is waiting for more; false inside a bracketed
 * paste. A timeout settles an ESC and a burst at once; a sequence that is under way, cut by a slow
 * line, is given up after a few of them.
 */
bool sf_term_decoder_waits(const struct sf_term_decoder *d);
void sf_term_decoder_timeout(struct sf_term_decoder *d);

/*
 * Unbracketed pastes, as tmux's paste-buffer sends them: a feed of more than `bytes` printable bytes
 * with a line break inside is the start of a paste, not keys with an Enter that would send half of
 * it. It takes in all that comes until the timeout, and is one event then. Line breaks at the very
 * end of such a feed wait: what comes before the timeout shows that they were amid a paste, else
 * they are keys. A shorter feed, and so whatever is typed, is never held up. Off: 0.
 */
void sf_term_decoder_burst(struct sf_term_decoder *d, size_t bytes);
bool sf_term_decoder_bursts(const struct sf_term_decoder *d); /* It waits for more of a burst. */

#endif
