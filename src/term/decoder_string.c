/*
 * decoder_string.c: replies that come as strings: the terminal's name and version (DCS > |) and its
 * colours (OSC 10 and 11). All others were swallowed and mean nothing here.
 */
#include <stdlib.h>

#include "term/decoder_build.h"

static void tell_version(struct sf_term_decoder *d, const char *text, size_t len)
{
    const struct sf_term_event event = {
        .kind = SF_TERM_REPLY, .reply = SF_TERM_REPLY_VERSION, .text = text, .len = len
    };

    for (size_t i = 0; i < len; i++)
        if (text[i] < 0x20 || text[i] > 0x7e)
            return;
    sf_decode_tell(d, &event);
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* One to four hexadecimal digits as 0 to 255, whatever their number; -1: none. */
static int read_channel(const char **text)
{
    int value = 0, most = 0;

    for (int i = 0; i < 4 && hex_digit(**text) >= 0; i++) {
        value = value * 16 + hex_digit(**text);
        most = most * 16 + 15;
        (*text)++;
    }
    return most ? (value * 255 + most / 2) / most : -1;
}

/* "rgb:ffff/8080/0000" or "rgba:…/…"; -1: neither. */
static int read_colour(const char *text)
{
    int value = 0;

    if (!strncmp(text, "rgba:", 5))
        text += 5;
    else if (!strncmp(text, "rgb:", 4))
        text += 4;
    else
        return -1;
    for (int i = 0; i < 3; i++) {
        int channel = read_channel(&text);

        if (channel < 0 || (i < 2 && *text++ != '/'))
            return -1;
        value = value * 256 + channel;
    }
    return *text && *text != '/' ? -1 : value;
}

static void tell_colour(struct sf_term_decoder *d, int mode, const char *text)
{
    const struct sf_term_event event = { .kind = SF_TERM_REPLY,
                                         .reply = SF_TERM_REPLY_COLOUR,
                                         .mode = mode,
                                         .value = read_colour(text) };

    if (event.value >= 0)
        sf_decode_tell(d, &event);
}

void sf_decode_string(struct sf_term_decoder *d)
{
    if (d->seq_len > SF_DECODE_SEQ)
        return;
    d->seq[d->seq_len] = '\0';
    if (d->kind == 'P' && !strncmp(d->seq, ">|", 2))
        tell_version(d, d->seq + 2, d->seq_len - 2);
    else if (d->kind == ']' && (!strncmp(d->seq, "10;", 3) || !strncmp(d->seq, "11;", 3)))
        tell_colour(d, 10 + (d->seq[1] == '1'), d->seq + 3);
}
