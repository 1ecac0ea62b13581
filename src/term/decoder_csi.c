/*
 * decoder_csi.c: what a finished control sequence means: a key in one of many encodings, the
 * mouse, focus, the start of a paste, a reply. The tables say which; a sequence no row knows is
 * dropped.
 */
#include "term/decoder_build.h"
#include "term/key.h"

enum {
    PARAMETERS = 4,
    SUBS = 3,
    NUMBER_MAX = 10000000,
    PLACE_MAX = 65535,
    MOD_COMMAND = SF_MOD_ALT | SF_MOD_CTRL | SF_MOD_SUPER, /* with one of them it is no text */
    RELEASE = 3,                                           /* of the kitty protocol's event types */
    PRIVATE_FIRST = 57344,
    PRIVATE_LAST = 63743,
    LATIN_LAST = 0x24f,
};

/* "? 1 : 2 ; 3 $ y" taken apart; what is missing is -1. */
struct csi {
    char prefix, inter, final;
    int p[PARAMETERS][SUBS];
    size_t count;
};

struct key_row {
    int number;
    uint32_t code;
    unsigned mods;
};

/* ---- reading ---- */

static const char *read_number(const char *s, int *out)
{
    int value = 0;

    if (*s < '0' || *s > '9')
        return s;
    for (; *s >= '0' && *s <= '9'; s++)
        value = value < NUMBER_MAX ? value * 10 + (*s - '0') : NUMBER_MAX;
    *out = value;
    return s;
}

static const char *read_parameters(const char *s, struct csi *csi)
{
    size_t at = 0, sub = 0;
    int spare;

    if ((*s < '0' || *s > '9') && *s != ';' && *s != ':')
        return s;
    csi->count = 1;
    for (;;) {
        s = read_number(s, at < PARAMETERS && sub < SUBS ? &csi->p[at][sub] : &spare);
        if (*s == ':') {
            sub++;
        } else if (*s == ';') {
            at++;
            sub = 0;
            csi->count++;
        } else {
            return s;
        }
        s++;
    }
}

static bool read_csi(const char *s, char final, struct csi *csi)
{
    *csi = (struct csi){ .final = final };
    for (size_t i = 0; i < PARAMETERS; i++)
        for (size_t j = 0; j < SUBS; j++)
            csi->p[i][j] = -1;
    if (*s && strchr("<=>?", *s))
        csi->prefix = *s++;
    s = read_parameters(s, csi);
    if (*s >= 0x20 && *s < 0x30)
        csi->inter = *s++;
    return !*s;
}

static unsigned mods_of(int value)
{
    /* Shift, Alt, Ctrl, Super as they are; Hyper counts as Super, Meta as Alt; locks do not count. */
    unsigned bits = value > 0 ? (unsigned)value - 1 : 0;
    unsigned mods = bits & (SF_MOD_SHIFT | SF_MOD_ALT | SF_MOD_CTRL | SF_MOD_SUPER);

    if (bits & 16)
        mods |= SF_MOD_SUPER;
    if (bits & 32)
        mods |= SF_MOD_ALT;
    return mods;
}

static const struct key_row *find_row(const struct key_row *rows, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

/* ---- keys without a character ---- */

/* clang-format off */
static const struct key_row letters[] = {
    { 'A', SF_KEY_UP, 0 },        { 'B', SF_KEY_DOWN, 0 },
    { 'C', SF_KEY_RIGHT, 0 },     { 'D', SF_KEY_LEFT, 0 },
    { 'F', SF_KEY_END, 0 },       { 'H', SF_KEY_HOME, 0 },
    { 'P', SF_KEY_F1, 0 },        { 'Q', SF_KEY_F1 + 1, 0 },
    { 'R', SF_KEY_F1 + 2, 0 },    { 'S', SF_KEY_F1 + 3, 0 },
    { 'Z', SF_KEY_TAB, SF_MOD_SHIFT },
    { 'a', SF_KEY_UP, SF_MOD_SHIFT },    { 'b', SF_KEY_DOWN, SF_MOD_SHIFT }, /* rxvt */
    { 'c', SF_KEY_RIGHT, SF_MOD_SHIFT }, { 'd', SF_KEY_LEFT, SF_MOD_SHIFT },
};

static const struct key_row numbers[] = {
    { 1, SF_KEY_HOME, 0 },      { 2, SF_KEY_INSERT, 0 },   { 3, SF_KEY_DELETE, 0 },
    { 4, SF_KEY_END, 0 },       { 5, SF_KEY_PAGE_UP, 0 },  { 6, SF_KEY_PAGE_DOWN, 0 },
    { 7, SF_KEY_HOME, 0 },      { 8, SF_KEY_END, 0 },
    { 11, SF_KEY_F1, 0 },       { 12, SF_KEY_F1 + 1, 0 },  { 13, SF_KEY_F1 + 2, 0 },
    { 14, SF_KEY_F1 + 3, 0 },   { 15, SF_KEY_F1 + 4, 0 },  { 17, SF_KEY_F1 + 5, 0 },
    { 18, SF_KEY_F1 + 6, 0 },   { 19, SF_KEY_F1 + 7, 0 },  { 20, SF_KEY_F1 + 8, 0 },
    { 21, SF_KEY_F1 + 9, 0 },   { 23, SF_KEY_F1 + 10, 0 }, { 24, SF_KEY_F1 + 11, 0 },
    { 25, SF_KEY_F1 + 12, 0 },  { 26, SF_KEY_F1 + 13, 0 }, { 28, SF_KEY_F1 + 14, 0 },
    { 29, SF_KEY_MENU, 0 },     { 31, SF_KEY_F1 + 16, 0 }, { 32, SF_KEY_F1 + 17, 0 },
    { 33, SF_KEY_F1 + 18, 0 },  { 34, SF_KEY_F1 + 19, 0 },
};

/* The keypad's characters are text. */
static const struct key_row ss3[] = {
    { 'A', SF_KEY_UP, 0 },      { 'B', SF_KEY_DOWN, 0 },   { 'C', SF_KEY_RIGHT, 0 },
    { 'D', SF_KEY_LEFT, 0 },    { 'F', SF_KEY_END, 0 },    { 'H', SF_KEY_HOME, 0 },
    { 'P', SF_KEY_F1, 0 },      { 'Q', SF_KEY_F1 + 1, 0 }, { 'R', SF_KEY_F1 + 2, 0 },
    { 'S', SF_KEY_F1 + 3, 0 },  { 'M', SF_KEY_ENTER, 0 },  { 'I', SF_KEY_TAB, 0 },
    { 'a', SF_KEY_UP, SF_MOD_CTRL },    { 'b', SF_KEY_DOWN, SF_MOD_CTRL }, /* rxvt */
    { 'c', SF_KEY_RIGHT, SF_MOD_CTRL }, { 'd', SF_KEY_LEFT, SF_MOD_CTRL },
    { ' ', ' ', 0 },            { 'X', '=', 0 },           { 'j', '*', 0 },
    { 'k', '+', 0 },            { 'l', ',', 0 },           { 'm', '-', 0 },
    { 'n', '.', 0 },            { 'o', '/', 0 },           { 'p', '0', 0 },
    { 'q', '1', 0 },            { 'r', '2', 0 },           { 's', '3', 0 },
    { 't', '4', 0 },            { 'u', '5', 0 },           { 'v', '6', 0 },
    { 'w', '7', 0 },            { 'x', '8', 0 },           { 'y', '9', 0 },
};

static const struct key_row kitty[] = {
    { 57344, SF_KEY_ESCAPE, 0 },    { 57345, SF_KEY_ENTER, 0 },    { 57346, SF_KEY_TAB, 0 },
    { 57347, SF_KEY_BACKSPACE, 0 }, { 57348, SF_KEY_INSERT, 0 },   { 57349, SF_KEY_DELETE, 0 },
    { 57350, SF_KEY_LEFT, 0 },      { 57351, SF_KEY_RIGHT, 0 },    { 57352, SF_KEY_UP, 0 },
    { 57353, SF_KEY_DOWN, 0 },      { 57354, SF_KEY_PAGE_UP, 0 },  { 57355, SF_KEY_PAGE_DOWN, 0 },
    { 57356, SF_KEY_HOME, 0 },      { 57357, SF_KEY_END, 0 },      { 57363, SF_KEY_MENU, 0 },
    { 57409, '.', 0 },              { 57410, '/', 0 },             { 57411, '*', 0 },
    { 57412, '-', 0 },              { 57413, '+', 0 },             { 57414, SF_KEY_ENTER, 0 },
    { 57415, '=', 0 },              { 57416, ',', 0 },             { 57417, SF_KEY_LEFT, 0 },
    { 57418, SF_KEY_RIGHT, 0 },     { 57419, SF_KEY_UP, 0 },       { 57420, SF_KEY_DOWN, 0 },
    { 57421, SF_KEY_PAGE_UP, 0 },   { 57422, SF_KEY_PAGE_DOWN, 0 }, { 57423, SF_KEY_HOME, 0 },
    { 57424, SF_KEY_END, 0 },       { 57425, SF_KEY_INSERT, 0 },   { 57426, SF_KEY_DELETE, 0 },
};
/* clang-format on */

enum { KITTY_F1 = 57364, KITTY_F24 = 57387, KITTY_0 = 57399, KITTY_9 = 57408 };

/* Behind two ESC a bare legacy key is Alt with it: so rxvt and others say it. */
static void tell_legacy(struct sf_term_decoder *d, const struct key_row *row, int modifiers)
{
    struct sf_key key = { row->code, row->mods | mods_of(modifiers) };

    if (d->escaped && !key.mods) {
        d->escaped = false;
        key.mods = SF_MOD_ALT;
    }
    sf_decode_key(d, key);
}

static void read_letter(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct key_row *row = find_row(letters, SF_COUNT(letters), csi->final);

    if (row && !csi->prefix && !csi->inter && csi->p[1][1] != RELEASE)
        tell_legacy(d, row, csi->p[1][0]);
}

/* ---- keys with a character ---- */

struct typed {
    int code, shifted, base; /* of this layout, with Shift, of the same place on a Latin one */
    unsigned mods;
};

/* The character that the key types, without Ctrl and Alt. */
static uint32_t typed_text(const struct typed *t, uint32_t code)
{
    if (!(t->mods & SF_MOD_SHIFT))
        return code;
    return t->shifted > 0 ? (uint32_t)t->shifted : sf_key_upper(code);
}

static struct sf_key typed_chord(const struct typed *t, uint32_t code)
{
    unsigned mods = t->mods;

    if (code > LATIN_LAST && t->base > 0 && sf_key_is_printable((uint32_t)t->base)) {
        code = (uint32_t)t->base;
    } else if ((mods & SF_MOD_SHIFT) && t->shifted > ' ' && !sf_key_is_letter(code) &&
               sf_key_is_printable((uint32_t)t->shifted)) {
        code = (uint32_t)t->shifted;
        mods &= ~(unsigned)SF_MOD_SHIFT;
    }
    return sf_key_normal(code, mods);
}

/* A code of the kitty protocol for a key that is no character elsewhere; 0: not known here. */
static uint32_t kitty_code(int code)
{
    const struct key_row *row = find_row(kitty, SF_COUNT(kitty), code);

    if (row)
        return row->code;
    if (code >= KITTY_F1 && code <= KITTY_F24)
        return SF_KEY_F1 + (uint32_t)(code - KITTY_F1);
    if (code >= KITTY_0 && code <= KITTY_9)
        return '0' + (uint32_t)(code - KITTY_0);
    return 0;
}

static void tell_typed(struct sf_term_decoder *d, const struct typed *t)
{
    uint32_t code = t->code > 0 ? (uint32_t)t->code : 0;

    if (code >= PRIVATE_FIRST && code <= PRIVATE_LAST)
        code = kitty_code(t->code);
    if (code == 0x08)
        code = 0x7f;
    if (code && (code < 0x20 || code == 0x7f)) {
        struct sf_key key = sf_key_of_control((unsigned char)code);

        sf_decode_key(d, sf_key_normal(key.code, key.mods | t->mods));
    } else if (code >= SF_KEY_BASE && code <= SF_KEY_LAST) {
        sf_decode_key(d, (struct sf_key){ code, t->mods });
    } else if (sf_key_is_printable(code)) {
        if (t->mods & MOD_COMMAND)
            sf_decode_key(d, typed_chord(t, code));
        else
            sf_decode_char(d, typed_text(t, code));
    }
}

/* CSI code:shifted:base ; modifiers:event ; text u */
static void read_u(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct typed t = { .code = csi->p[0][0] < (int)SF_KEY_BASE ? csi->p[0][0] : 0,
                             .shifted = csi->p[0][1],
                             .base = csi->p[0][2],
                             .mods = mods_of(csi->p[1][0]) };

    if (csi->p[1][1] == RELEASE)
        return;
    if (csi->p[2][0] <= 0 || (t.mods & MOD_COMMAND)) {
        tell_typed(d, &t);
        return;
    }
    for (size_t i = 0; i < SUBS; i++)
        if (csi->p[2][i] > 0)
            sf_decode_char(d, (uint32_t)csi->p[2][i]);
}

/* CSI 27 ; modifiers ; code ~: the code is the character with Shift, also where Ctrl is held. */
static void read_other_key(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct typed t = { .code = csi->p[2][0] < (int)SF_KEY_BASE ? csi->p[2][0] : 0,
                             .shifted = csi->p[2][0],
                             .base = -1,
                             .mods = mods_of(csi->p[1][0]) };

    tell_typed(d, &t);
}

static void read_number_key(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct key_row *row = find_row(numbers, SF_COUNT(numbers), csi->p[0][0]);

    if (csi->p[0][0] == 27 && csi->count == 3)
        read_other_key(d, csi);
    else if (csi->p[0][0] == 200 && csi->count == 1)
        sf_decode_paste_begin(d, SF_DECODE_PASTE);
    else if (row && csi->p[1][1] != RELEASE)
        tell_legacy(d, row, csi->p[1][0]);
}

/* rxvt: CSI 3 $ with Shift, CSI 3 ^ with Ctrl, CSI 3 @ with both. */
static void read_rxvt(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct key_row *row = find_row(numbers, SF_COUNT(numbers), csi->p[0][0]);

    if (row && csi->count == 1)
        tell_legacy(d, row, csi->final == '$' ? 2 : csi->final == '^' ? 5 : 6);
}

void sf_decode_ss3(struct sf_term_decoder *d, char final)
{
    const struct key_row *row = find_row(ss3, SF_COUNT(ss3), final);
    int modifiers = -1;

    if (d->seq_len > 2 || !row)
        return;
    d->seq[d->seq_len] = '\0';
    read_number(d->seq, &modifiers);
    if (row->code < SF_KEY_BASE)
        tell_typed(d, &(struct typed){ (int)row->code, -1, -1, mods_of(modifiers) });
    else
        tell_legacy(d, row, modifiers);
}

void sf_decode_console(struct sf_term_decoder *d, char final)
{
    if (final >= 'A' && final <= 'E')
        tell_legacy(d, &(struct key_row){ 0, SF_KEY_F1 + (uint32_t)(final - 'A'), 0 }, -1);
}

/* ---- mouse and focus ---- */

/* The bits of a button byte, as all encodings share them; false: nothing we speak of. */
static bool read_button(int bits, bool released, struct sf_mouse *mouse)
{
    mouse->button = bits & 3;
    mouse->mods = (bits & 4 ? SF_MOD_SHIFT : 0u) | (bits & 8 ? SF_MOD_ALT : 0u) |
                  (bits & 16 ? SF_MOD_CTRL : 0u);
    if (bits < 0 || bits > 127)
        return false;
    if (bits & 64) {
        mouse->kind = mouse->button ? SF_MOUSE_WHEEL_DOWN : SF_MOUSE_WHEEL_UP;
        return mouse->button < 2 && !(bits & 32) && !released;
    }
    mouse->kind = bits & 32 ? SF_MOUSE_DRAG : released ? SF_MOUSE_RELEASE : SF_MOUSE_PRESS;
    return mouse->button < 3 && !(released && (bits & 32));
}

static void tell_mouse(struct sf_term_decoder *d, struct sf_mouse *mouse, int col, int row)
{
    struct sf_term_event event = { .kind = SF_TERM_MOUSE };

    if (col < 1 || row < 1 || col > PLACE_MAX || row > PLACE_MAX)
        return;
    if (mouse->kind == SF_MOUSE_WHEEL_UP || mouse->kind == SF_MOUSE_WHEEL_DOWN)
        mouse->button = 0;
    mouse->col = col - 1;
    mouse->row = row - 1;
    event.mouse = *mouse;
    sf_decode_tell(d, &event);
}

static void read_sgr_mouse(struct sf_term_decoder *d, const struct csi *csi)
{
    struct sf_mouse mouse = { .button = 0 };

    if (csi->count == 3 && read_button(csi->p[0][0], csi->final == 'm', &mouse))
        tell_mouse(d, &mouse, csi->p[1][0], csi->p[2][0]);
}

static void begin_x10(struct sf_term_decoder *d, const struct csi *csi)
{
    if (csi->count)
        return;
    d->state = SF_DECODE_X10;
    d->seq_len = 0;
    d->timeouts = 0;
}

/* It does not say which button was released. */
void sf_decode_x10(struct sf_term_decoder *d)
{
    const unsigned char *b = (const unsigned char *)d->seq;
    struct sf_mouse mouse = { .button = 0 };
    int bits = b[0] - 32;
    bool released = bits >= 0 && (bits & 3) == 3 && !(bits & (32 | 64));

    if (read_button(released ? bits & ~3 : bits, released, &mouse))
        tell_mouse(d, &mouse, b[1] - 32, b[2] - 32);
}

static void read_focus(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct sf_term_event event = { .kind = SF_TERM_FOCUS, .on = csi->final == 'I' };

    if (!csi->count)
        sf_decode_tell(d, &event);
}

/* ---- replies ---- */

static void read_attributes(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct sf_term_event event = { .kind = SF_TERM_REPLY,
                                         .reply = SF_TERM_REPLY_ATTRIBUTES,
                                         .value = csi->p[0][0] > 0 ? csi->p[0][0] : 0 };

    sf_decode_tell(d, &event);
}

static void read_kitty(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct sf_term_event event = { .kind = SF_TERM_REPLY,
                                         .reply = SF_TERM_REPLY_KITTY,
                                         .value = csi->p[0][0] > 0 ? csi->p[0][0] : 0 };

    sf_decode_tell(d, &event);
}

static void read_mode(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct sf_term_event event = { .kind = SF_TERM_REPLY,
                                         .reply = SF_TERM_REPLY_MODE,
                                         .mode = csi->p[0][0],
                                         .value = csi->p[1][0] };

    if (event.mode >= 0 && event.value >= 0)
        sf_decode_tell(d, &event);
}

static void read_position(struct sf_term_decoder *d, const struct csi *csi)
{
    const struct sf_term_event event = { .kind = SF_TERM_REPLY,
                                         .reply = SF_TERM_REPLY_POSITION,
                                         .row = csi->p[0][0],
                                         .col = csi->p[1][0] };

    if (event.row > 0 && event.col > 0 && event.row <= PLACE_MAX && event.col <= PLACE_MAX)
        sf_decode_tell(d, &event);
}

/* F3, bare or with modifiers, ends as the answer of old to where the cursor is. */
static void read_f3(struct sf_term_decoder *d, const struct csi *csi)
{
    if (!csi->count ||
        (csi->p[0][0] == 1 && (csi->p[1][1] > 0 || (csi->p[1][0] >= 2 && csi->p[1][0] <= 16))))
        read_letter(d, csi);
    else
        read_position(d, csi);
}

/* ---- which is which ---- */

void sf_decode_csi(struct sf_term_decoder *d, char final)
{
    static const struct {
        char prefix, inter, final;
        void (*read)(struct sf_term_decoder *d, const struct csi *csi);
    } rows[] = {
        { 0, 0, 'u', read_u },           { 0, 0, '~', read_number_key },
        { 0, 0, 'M', begin_x10 },        { '<', 0, 'M', read_sgr_mouse },
        { '<', 0, 'm', read_sgr_mouse }, { 0, 0, 'I', read_focus },
        { 0, 0, 'O', read_focus },       { '?', 0, 'c', read_attributes },
        { '?', 0, 'u', read_kitty },     { '?', '$', 'y', read_mode },
        { '?', 0, 'R', read_position },  { 0, 0, 'R', read_f3 },
        { 0, 0, '^', read_rxvt },        { 0, 0, '@', read_rxvt },
        { 0, 0, '$', read_rxvt },
    };
    struct csi csi;

    if (d->seq_len > SF_DECODE_SEQ)
        return;
    d->seq[d->seq_len] = '\0';
    if (!read_csi(d->seq, final, &csi))
        return;
    for (size_t i = 0; i < SF_COUNT(rows); i++)
        if (rows[i].prefix == csi.prefix && rows[i].inter == csi.inter && rows[i].final == final) {
            rows[i].read(d, &csi);
            return;
        }
    read_letter(d, &csi);
}
